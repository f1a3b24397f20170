-- Batches in as few parts as a call alone: one plain statement after the other, of which each knows
-- its rows by their names, where one statement of many parts cost twice as much to start.

-- As in 0020. A wallet's front is tried first and the others are looked at only when it does not
-- cover the batch. Refused, and then nothing happened, when an idempotency key is taken: its index
-- says so, since nearly always it was looked up before.
CREATE OR REPLACE FUNCTION ledger_open_plain(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_month text, p_allowance bigint,
  p_account text, p_live boolean, p_key text, p_count integer, p_total bigint,
  p_least_day integer, p_least_month integer, p_first_deadline timestamptz,
  p_request text[], p_amount bigint[], p_idempotency text[], p_fingerprint text[],
  p_deadline timestamptz[], p_kind integer[], p_capability text[], p_sku text[],
  p_price_version integer[], p_unit text[], p_quantity bigint[], p_max_charge bigint[],
  p_day_quota integer[], p_month_quota integer[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_day_calls integer;
  v_month_calls integer;
  v_front text;
  v_since timestamptz;
  v_book text;
  v_is_taken boolean := false;
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
  INTO v_day_calls, v_month_calls, v_front, v_since;
  IF FOUND THEN
    v_book := v_front;
    IF v_since <= p_now THEN
      UPDATE books x SET available = x.available - p_total, held = x.held + p_total
      WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_book
        AND x.available >= p_total AND x.expires_at > p_now;
      v_is_taken := FOUND;
    END IF;
    IF NOT v_is_taken THEN
      SELECT y.name INTO v_book FROM (
        SELECT x.name, x.available FROM books x
        WHERE x.account_id = p_account AND x.livemode = p_live AND x.expires_at > p_now
          AND x.available > 0
        ORDER BY CASE x.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
          x.expires_at, x.opened_at, x.name LIMIT 1
      ) AS y WHERE y.available >= p_total;
      v_is_taken := FOUND;
      IF FOUND THEN
        UPDATE wallets x SET front = v_book, front_since = p_now
        WHERE x.account_id = p_account AND x.livemode = p_live;
        UPDATE books x SET available = x.available - p_total, held = x.held + p_total
        WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_book;
      END IF;
    END IF;
    IF v_is_taken THEN
      UPDATE key_spending x SET day_spent = x.day_spent + p_total,
        month_spent = x.month_spent + p_total, total_spent = x.total_spent + p_total
      WHERE x.account_id = p_account AND x.livemode = p_live AND x.key_id = p_key
        AND x.day = p_day AND x.month = p_month;
      IF NOT FOUND THEN
        INSERT INTO key_spending AS x (account_id, livemode, key_id, day, day_spent, month,
          month_spent, total_spent)
        VALUES (p_account, p_live, p_key, p_day, p_total, p_month, p_total, p_total)
        ON CONFLICT (account_id, livemode, key_id) DO UPDATE SET
          day_spent = p_total + CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
          month_spent = p_total + CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END,
          total_spent = p_total + x.total_spent, day = p_day, month = p_month;
      END IF;
      INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
      VALUES (p_account, p_live, 'reserve', p_now, array_fill(v_book, ARRAY[p_count]),
        array_fill('held:' || v_book, ARRAY[p_count]), p_amount, p_request);
      INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
      VALUES (p_account, p_live, p_now, p_first_deadline);
      INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version,
        unit, quantity, amount, max_charge, books, parts, idempotency_key, fingerprint, state, day,
        opened_at, deadline_at)
      SELECT t.request_id, p_account, p_live, p_key, p_capability[t.kind], p_sku[t.kind],
        p_price_version[t.kind], p_unit[t.kind], p_quantity[t.kind], t.amount,
        p_max_charge[t.kind], ARRAY[v_book], ARRAY[t.amount], t.key, t.fingerprint, 'held', p_day,
        p_now, t.deadline
      FROM unnest(p_request, p_amount, p_idempotency, p_fingerprint, p_deadline, p_kind)
        AS t(request_id, amount, key, fingerprint, deadline, kind);
      RETURN 'plain|' || v_book || '|' || v_day_calls - p_count || '|' || v_month_calls - p_count;
    END IF;
    UPDATE wallets x SET day_calls = x.day_calls - p_count, month_calls = x.month_calls - p_count
    WHERE x.account_id = p_account AND x.livemode = p_live;
  END IF;
  RETURN (
    SELECT ledger_open(p_now, p_day, p_day_ends, p_month, p_allowance, false, p_request,
      array_fill(p_account, ARRAY[p_count]), array_fill(p_live, ARRAY[p_count]),
      array_fill(p_key, ARRAY[p_count]), array_agg(p_capability[t.kind] ORDER BY t.i),
      array_agg(p_sku[t.kind] ORDER BY t.i), array_agg(p_price_version[t.kind] ORDER BY t.i),
      array_agg(p_unit[t.kind] ORDER BY t.i), array_agg(p_quantity[t.kind] ORDER BY t.i),
      p_amount, array_agg(p_max_charge[t.kind] ORDER BY t.i),
      array_fill(NULL::bigint, ARRAY[p_count]), array_fill(NULL::text, ARRAY[p_count]),
      p_idempotency, p_fingerprint, array_agg(p_day_quota[t.kind] ORDER BY t.i),
      array_agg(p_month_quota[t.kind] ORDER BY t.i), p_deadline)
    FROM unnest(p_kind) WITH ORDINALITY AS t(kind, i));
END $$;

-- As in 0020; all answers come in one piece, of which each is `p_length` bytes from `p_from` on.
DROP FUNCTION ledger_capture_plain(timestamptz, timestamptz, text, boolean, text, text, integer,
  bigint, bigint, text[], bigint[], bigint[], text[], bigint[], bytea[], integer[], jsonb[],
  integer[], text[]);
CREATE FUNCTION ledger_capture_plain(
  p_now timestamptz, p_kept_until timestamptz, p_account text, p_live boolean, p_book text,
  p_sku text, p_count integer, p_total bigint, p_returned bigint, p_request text[],
  p_captured bigint[], p_held bigint[], p_back_request text[], p_back bigint[], p_bodies bytea,
  p_from integer[], p_length integer[], p_kind integer[], p_usage jsonb[], p_status integer[],
  p_content_type text[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_calls integer;
  v_books integer;
  r record;
BEGIN
  IF cardinality(p_request) <> p_count OR cardinality(p_captured) <> p_count
    OR cardinality(p_from) <> p_count OR cardinality(p_length) <> p_count
    OR cardinality(p_back) <> cardinality(p_back_request) THEN
    RAISE EXCEPTION 'not a plain batch of captures';
  END IF;
  PERFORM FROM wallets x WHERE x.account_id = p_account AND x.livemode = p_live
  FOR NO KEY UPDATE;
  UPDATE calls c SET state = 'captured', completed_at = p_now, status = p_status[t.kind],
    usage = p_usage[t.kind], captured = t.captured
  FROM unnest(p_request, p_captured, p_held, p_kind) AS t(request_id, captured, held, kind)
  -- By its name alone: a plan made on a small table must not go through the wallet's calls.
  WHERE c.request_id = t.request_id AND c.state = 'held' AND c.amount = t.held
    AND c.account_id IS NOT DISTINCT FROM p_account
    AND c.livemode IS NOT DISTINCT FROM p_live AND c.amount > 0 AND c.sku = p_sku
    AND t.captured > 0 AND t.captured <= t.held AND c.books = ARRAY[p_book];
  GET DIAGNOSTICS v_calls = ROW_COUNT;
  UPDATE books x SET
    held = x.held - CASE WHEN x.name = p_book THEN p_total + p_returned ELSE 0 END,
    available = x.available + CASE WHEN x.name = p_book THEN p_returned ELSE p_total END
  WHERE x.account_id = p_account AND x.livemode = p_live
    AND x.name = ANY (ARRAY[p_book, 'revenue:' || p_sku])
    AND (p_returned = 0 OR x.name <> p_book OR x.expires_at > p_now);
  GET DIAGNOSTICS v_books = ROW_COUNT;
  IF v_calls <> p_count OR v_books <> 2 THEN
    RAISE EXCEPTION 'not a plain batch of captures';
  END IF;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  VALUES (p_account, p_live, 'capture', p_now,
    array_fill('held:' || p_book, ARRAY[p_count + cardinality(p_back)]),
    array_fill('revenue:' || p_sku, ARRAY[p_count])
      || array_fill(p_book, ARRAY[cardinality(p_back)]),
    p_captured || p_back, p_request || p_back_request);
  INSERT INTO answers (request_id, content_type, body, kept_until)
  SELECT t.request_id, p_content_type[t.kind], substring(p_bodies FROM t.start FOR t.length),
    p_kept_until
  FROM unnest(p_request, p_from, p_length, p_kind) AS t(request_id, start, length, kind);
  IF p_returned = 0 THEN RETURN 'plain'; END IF;
  FOR r IN
    SELECT c.key_id, array_agg(c.day) AS days, array_agg(t.amount) AS amounts
    FROM unnest(p_back_request, p_back) AS t(request_id, amount)
    JOIN calls c ON c.request_id = t.request_id GROUP BY 1 ORDER BY 1
  LOOP
    PERFORM ledger_unspend(p_account, p_live, p_book, r.key_id, r.days, r.amounts);
  END LOOP;
  RETURN 'plain';
END $$;
