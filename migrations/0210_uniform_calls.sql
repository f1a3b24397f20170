-- One path for calls that are alike, of any number: `ledger_authorize_uniform` also serves a single
-- call and calls of a key with a budget, and `ledger_capture_uniform` a single capture. Programs of
-- the former release find their functions missing, and use the general path until they end.
-- oldest program: 0.1.0

DROP FUNCTION ledger_open_one;
DROP FUNCTION ledger_open_plain;
DROP FUNCTION ledger_capture_one;
DROP FUNCTION ledger_capture_plain;

-- Authorizes calls of one wallet and key that one balance covers. Shared values come once;
-- `p_group` is the place of a call's values in the arrays after it. Returns `balance|calls of the
-- day|of the month` before these calls, or an empty text when the batch does not qualify. It fails
-- without effect when a budget does not cover the batch, or an idempotency key is used.
CREATE FUNCTION ledger_authorize_uniform(
  p_now timestamptz, p_day text, p_month text, p_account text, p_live boolean, p_key text,
  p_budget bigint, p_period text, p_count integer, p_total bigint, p_least_day integer,
  p_least_month integer, p_first_deadline timestamptz, p_request text[], p_amount bigint[],
  p_idempotency text[], p_fingerprint text[], p_deadline timestamptz[], p_group integer[],
  p_capability text[], p_sku text[], p_price_version integer[], p_unit text[], p_quantity bigint[],
  p_max_charge bigint[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_day_calls integer;
  v_month_calls integer;
  v_since timestamptz;
  v_balance text;
  v_is_held boolean := false;
BEGIN
  IF cardinality(p_request) <> p_count OR cardinality(p_amount) <> p_count THEN
    RAISE EXCEPTION '% calls are not % with % amounts', cardinality(p_request), p_count,
      cardinality(p_amount);
  END IF;
  UPDATE wallets x SET day_calls = x.day_calls + p_count, month_calls = x.month_calls + p_count
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.day = p_day AND x.month = p_month
    AND x.begun = p_day AND x.day_calls + p_count <= p_least_day
    AND x.month_calls + p_count <= p_least_month
  RETURNING x.day_calls, x.month_calls, x.front, x.front_since
  INTO v_day_calls, v_month_calls, v_balance, v_since;
  IF NOT FOUND THEN RETURN ''; END IF;
  -- The wallet's first balance is tried before the others are read.
  IF v_since <= p_now THEN
    UPDATE books x SET available = x.available - p_total, held = x.held + p_total
    WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_balance
      AND x.available >= p_total AND x.expires_at > p_now;
    v_is_held := FOUND;
  END IF;
  IF NOT v_is_held THEN
    SELECT y.name INTO v_balance FROM (
      SELECT x.name, x.available FROM books x
      WHERE x.account_id = p_account AND x.livemode = p_live AND x.expires_at > p_now
        AND x.available > 0
      ORDER BY CASE x.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
        x.expires_at, x.opened_at, x.name LIMIT 1
    ) AS y WHERE y.available >= p_total;
    IF NOT FOUND THEN
      UPDATE wallets x SET day_calls = x.day_calls - p_count, month_calls = x.month_calls - p_count
      WHERE x.account_id = p_account AND x.livemode = p_live;
      RETURN '';
    END IF;
    UPDATE wallets x SET front = v_balance, front_since = p_now
    WHERE x.account_id = p_account AND x.livemode = p_live;
    UPDATE books x SET available = x.available - p_total, held = x.held + p_total
    WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_balance;
  END IF;
  UPDATE key_spending x SET day_spent = x.day_spent + p_total,
    month_spent = x.month_spent + p_total, total_spent = x.total_spent + p_total
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.key_id = p_key
    AND x.day = p_day AND x.month = p_month AND (p_budget IS NULL OR p_total + CASE p_period
      WHEN 'day' THEN x.day_spent WHEN 'month' THEN x.month_spent ELSE x.total_spent END
      <= p_budget);
  IF NOT FOUND THEN
    IF p_budget IS NOT NULL THEN
      RAISE EXCEPTION 'the budget of the key is used up, or its period is new';
    END IF;
    INSERT INTO key_spending AS x (account_id, livemode, key_id, day, day_spent, month,
      month_spent, total_spent)
    VALUES (p_account, p_live, p_key, p_day, p_total, p_month, p_total, p_total)
    ON CONFLICT (account_id, livemode, key_id) DO UPDATE SET
      day_spent = p_total + CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
      month_spent = p_total + CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END,
      total_spent = p_total + x.total_spent, day = p_day, month = p_month;
  END IF;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  VALUES (p_account, p_live, 'reserve', p_now, array_fill(v_balance, ARRAY[p_count]),
    array_fill('held:' || v_balance, ARRAY[p_count]), p_amount, p_request);
  INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
  VALUES (p_account, p_live, p_now, p_first_deadline);
  -- Sets in a select list need no table of their own, which costs a single call a tenth.
  INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
  SELECT t.key, p_account, p_live, t.request_id
  FROM (SELECT unnest(p_idempotency) AS key, unnest(p_request) AS request_id) AS t
  WHERE t.key IS NOT NULL;
  INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version,
    unit, quantity, amount, max_charge, budget, budget_period, books, parts, idempotency_key,
    fingerprint, state, day, opened_at, deadline_at)
  SELECT t.request_id, p_account, p_live, p_key, p_capability[t.place], p_sku[t.place],
    p_price_version[t.place], p_unit[t.place], p_quantity[t.place], t.amount,
    p_max_charge[t.place], p_budget, p_period, ARRAY[v_balance], ARRAY[t.amount], t.key,
    t.fingerprint, 'held', p_day, p_now, t.deadline
  FROM (
    SELECT unnest(p_request) AS request_id, unnest(p_amount) AS amount,
      unnest(p_idempotency) AS key, unnest(p_fingerprint) AS fingerprint,
      unnest(p_deadline) AS deadline, unnest(p_group) AS place
  ) AS t;
  RETURN v_balance || '|' || v_day_calls - p_count || '|' || v_month_calls - p_count;
END $$;

-- Captures holds of one wallet, balance and sku, each in whole or in part. The bodies of all
-- responses come in one value; each is `p_length` bytes from `p_from` on. It fails without effect
-- when a stored hold differs.
CREATE FUNCTION ledger_capture_uniform(
  p_now timestamptz, p_kept_until timestamptz, p_account text, p_live boolean, p_balance text,
  p_sku text, p_count integer, p_total bigint, p_returned bigint, p_request text[],
  p_captured bigint[], p_held bigint[], p_back_request text[], p_back bigint[], p_bodies bytea,
  p_from integer[], p_length integer[], p_group integer[], p_usage jsonb[], p_status integer[],
  p_content_type text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_calls integer;
  v_balances integer;
  r record;
BEGIN
  IF cardinality(p_request) <> p_count OR cardinality(p_captured) <> p_count
    OR cardinality(p_from) <> p_count OR cardinality(p_length) <> p_count
    OR cardinality(p_back) <> cardinality(p_back_request) THEN
    RAISE EXCEPTION 'the arrays of the captures differ in length';
  END IF;
  PERFORM FROM wallets x WHERE x.account_id = p_account AND x.livemode = p_live
  FOR NO KEY UPDATE;
  UPDATE calls c SET state = 'captured', completed_at = p_now, status = p_status[t.place],
    usage = p_usage[t.place], captured = t.captured
  FROM (
    SELECT unnest(p_request) AS request_id, unnest(p_captured) AS captured,
      unnest(p_held) AS held, unnest(p_group) AS place
  ) AS t
  -- By the id alone: a plan made on a small table must not read all calls of the wallet. The list
  -- of ids selects the partitions.
  WHERE c.request_id = t.request_id AND c.request_id = ANY (p_request) AND c.state = 'held'
    AND c.amount = t.held AND c.account_id IS NOT DISTINCT FROM p_account
    AND c.livemode IS NOT DISTINCT FROM p_live AND c.amount > 0 AND c.sku = p_sku
    AND t.captured > 0 AND t.captured <= t.held AND c.books = ARRAY[p_balance];
  GET DIAGNOSTICS v_calls = ROW_COUNT;
  UPDATE books x SET
    held = x.held - CASE WHEN x.name = p_balance THEN p_total + p_returned ELSE 0 END,
    available = x.available + CASE WHEN x.name = p_balance THEN p_returned ELSE p_total END
  WHERE x.account_id = p_account AND x.livemode = p_live
    AND x.name = ANY (ARRAY[p_balance, 'revenue:' || p_sku])
    AND (p_returned = 0 OR x.name <> p_balance OR x.expires_at > p_now);
  GET DIAGNOSTICS v_balances = ROW_COUNT;
  IF v_calls <> p_count OR v_balances <> 2 THEN
    RAISE EXCEPTION 'a hold differs, or its balance expired';
  END IF;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  VALUES (p_account, p_live, 'capture', p_now,
    array_fill('held:' || p_balance, ARRAY[p_count + cardinality(p_back)]),
    array_fill('revenue:' || p_sku, ARRAY[p_count])
      || array_fill(p_balance, ARRAY[cardinality(p_back)]),
    p_captured || p_back, p_request || p_back_request);
  INSERT INTO answers (request_id, content_type, body, kept_until)
  SELECT t.request_id, p_content_type[t.place], substring(p_bodies FROM t.start FOR t.length),
    p_kept_until
  FROM (
    SELECT unnest(p_request) AS request_id, unnest(p_from) AS start, unnest(p_length) AS length,
      unnest(p_group) AS place
  ) AS t;
  IF p_returned = 0 THEN RETURN; END IF;
  FOR r IN
    SELECT c.key_id, array_agg(c.day) AS days, array_agg(t.amount) AS amounts
    FROM (SELECT unnest(p_back_request) AS request_id, unnest(p_back) AS amount) AS t
    JOIN calls c ON c.request_id = t.request_id AND c.request_id = ANY (p_back_request)
    GROUP BY 1 ORDER BY 1
  LOOP
    PERFORM ledger_unspend(p_account, p_live, p_balance, r.key_id, r.days, r.amounts);
  END LOOP;
END $$;
