-- The day of a wallet does not go back. Clocks of nodes differ, so at midnight one node counts in
-- the new day while another still counts in the old one. Until this migration, each change of the
-- day reset the calls of the wallet and the spending of its keys. Now a batch in the last minute of
-- a day counts in the next day when one of its wallets already has calls of the next day. Any other
-- stored day comes from a wrong clock, and changes nothing.
CREATE OR REPLACE FUNCTION ledger_open(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_month text, p_allowance bigint,
  p_again boolean, p_request text[], p_account text[], p_live boolean[], p_key text[],
  p_capability text[], p_sku text[], p_price_version integer[], p_unit text[],
  p_quantity bigint[], p_amount bigint[], p_max_charge bigint[], p_budget bigint[],
  p_period text[], p_idempotency text[], p_fingerprint text[], p_day_quota integer[],
  p_month_quota integer[], p_deadline timestamptz[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_answers text[] := array_fill(NULL::text, ARRAY[cardinality(p_request)]);
  -- Per request: literals of the arrays to store; null: not authorized.
  v_books text[] := v_answers;
  v_parts text[] := v_answers;
  v_account text;
  v_live boolean;
  v_day_calls integer;
  v_month_calls integer;
  v_has_sources boolean := false;
  v_names text[];
  v_left bigint[];
  v_available bigint;
  -- The changes to write at the end: of wallets, of balances, of keys.
  w_account text[] := '{}'; w_live boolean[] := '{}'; w_day integer[] := '{}';
  w_month integer[] := '{}'; w integer := 0;
  b_account text[] := '{}'; b_live boolean[] := '{}'; b_name text[] := '{}';
  b_taken bigint[] := '{}'; b_first integer := 1; b integer;
  k_account text[] := '{}'; k_live boolean[] := '{}'; k_key text[] := '{}';
  k_spent bigint[] := '{}'; k_first integer := 1; k integer;
  v_known boolean; v_day_spent bigint; v_month_spent bigint; v_total_spent bigint;
  v_last text; v_last_k integer;
  v_spent bigint;
  v_need bigint;
  v_take bigint;
  v_line text; v_line_parts text;
  s integer;
  r record;
BEGIN
  IF p_now > p_day_ends - interval '1 minute' THEN
    PERFORM ledger_lock(p_account, p_live);
    IF EXISTS (
      SELECT FROM wallets x
      WHERE x.day = to_char(p_day::date + 1, 'YYYY-MM-DD') AND (x.account_id, x.livemode) IN (
        SELECT a.account_id, a.livemode FROM unnest(p_account, p_live) AS a(account_id, livemode))
    ) THEN
      p_day := to_char(p_day::date + 1, 'YYYY-MM-DD');
      p_month := left(p_day, 7);
      p_day_ends := p_day_ends + interval '24 hours';
    END IF;
  END IF;
  FOR r IN
    SELECT x.account_id, x.livemode, CASE WHEN x.day = p_day THEN x.day_calls ELSE 0 END AS today,
      CASE WHEN x.month = p_month THEN x.month_calls ELSE 0 END AS this_month
    FROM wallets x WHERE (x.account_id, x.livemode) IN (
      SELECT a.account_id, a.livemode FROM unnest(p_account, p_live) AS a(account_id, livemode))
    ORDER BY x.account_id, x.livemode FOR NO KEY UPDATE
  LOOP
    w := w + 1;
    w_account[w] := r.account_id; w_live[w] := r.livemode;
    w_day[w] := r.today; w_month[w] := r.this_month;
  END LOOP;
  w := 0;
  IF p_again THEN
    FOR r IN
      SELECT t.i, c.state, c.books, c.parts, w.day_calls, w.month_calls
      FROM unnest(p_request) WITH ORDINALITY AS t(request_id, i)
      JOIN calls c ON c.request_id = t.request_id
      JOIN wallets w ON w.account_id = c.account_id AND w.livemode = c.livemode
    LOOP
      v_answers[r.i] := CASE WHEN r.state = 'held' THEN concat_ws('|', 'opened',
        array_to_string(r.books, ','), array_to_string(r.parts, ','), r.day_calls,
        r.month_calls) ELSE 'gone' END;
    END LOOP;
  END IF;
  IF array_remove(p_idempotency, NULL) <> '{}' THEN
    FOR r IN
      SELECT t.i, ledger_taken(c.state, c.fingerprint, t.fingerprint, k.request_id, c.status,
        c.completed_at) AS answer
      FROM unnest(p_account, p_live, p_idempotency, p_fingerprint) WITH ORDINALITY
        AS t(account_id, livemode, key, fingerprint, i)
      JOIN idempotency_keys k ON k.idempotency_key = t.key
        AND k.account_id IS NOT DISTINCT FROM t.account_id
        AND k.livemode IS NOT DISTINCT FROM t.livemode
      LEFT JOIN calls c ON c.request_id = k.request_id
    LOOP
      v_answers[r.i] := coalesce(v_answers[r.i], r.answer);
    END LOOP;
  END IF;

  FOR r IN
    SELECT * FROM unnest(p_account, p_live, p_key, p_amount, p_budget, p_period, p_day_quota,
      p_month_quota) WITH ORDINALITY
      AS t(account_id, livemode, key_id, amount, budget, period, day_quota, month_quota, i)
  LOOP
    IF w = 0 OR r.account_id <> v_account OR r.livemode <> v_live THEN
      v_account := r.account_id;
      v_live := r.livemode;
      v_has_sources := false;
      v_last := NULL;
      k_first := cardinality(k_key) + 1;
      w := w + 1;
      IF w_account[w] IS DISTINCT FROM v_account OR w_live[w] IS DISTINCT FROM v_live THEN
        -- A new wallet is made, and all conditions are checked again.
        PERFORM ledger_lock(p_account, p_live);
        RETURN ledger_open(p_now, p_day, p_day_ends, p_month, p_allowance, p_again, p_request,
          p_account, p_live, p_key, p_capability, p_sku, p_price_version, p_unit, p_quantity,
          p_amount, p_max_charge, p_budget, p_period, p_idempotency, p_fingerprint, p_day_quota,
          p_month_quota, p_deadline);
      END IF;
      v_day_calls := w_day[w];
      v_month_calls := w_month[w];
    END IF;
    CONTINUE WHEN v_answers[r.i] IS NOT NULL;
    IF v_day_calls >= r.day_quota OR v_month_calls >= r.month_quota THEN
      v_answers[r.i] := concat_ws('|', 'quota',
        CASE WHEN v_month_calls >= r.month_quota THEN 'month' ELSE 'day' END,
        v_day_calls, v_month_calls);
      CONTINUE;
    END IF;
    v_line := '';
    v_line_parts := '';
    IF r.amount > 0 THEN
      IF NOT v_has_sources THEN
        LOOP
          SELECT array_agg(y.name), array_agg(y.available) INTO v_names, v_left FROM (
            SELECT x.name, x.available FROM books x
            WHERE x.account_id = v_account AND x.livemode = v_live AND x.expires_at > p_now
            ORDER BY CASE x.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
              x.expires_at, x.opened_at, x.name
          ) AS y;
          EXIT WHEN 'allowance:' || p_day = ANY (v_names);
          PERFORM ledger_begin_day(v_account, v_live, p_now, p_day, p_day_ends, p_allowance);
        END LOOP;
        v_available := 0;
        b_first := cardinality(b_name);
        FOR s IN 1..coalesce(cardinality(v_names), 0) LOOP
          v_available := v_available + v_left[s];
          b := b_first + s;
          b_account[b] := v_account; b_live[b] := v_live; b_name[b] := v_names[s];
          b_taken[b] := 0;
        END LOOP;
        v_has_sources := true;
      END IF;
      IF v_last IS DISTINCT FROM r.key_id THEN
        k := array_position(k_key, r.key_id, k_first);
        IF k IS NULL THEN
          k := cardinality(k_key) + 1;
          k_account[k] := v_account; k_live[k] := v_live; k_key[k] := r.key_id;
          k_spent[k] := 0;
        END IF;
        v_last := r.key_id;
        v_last_k := k;
        v_known := false;
      END IF;
      k := v_last_k;
      IF r.budget IS NOT NULL THEN
        -- Read once for consecutive calls of a key; k_spent has what this batch adds.
        IF NOT v_known THEN
          v_known := true;
          SELECT CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
            CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END, x.total_spent
          INTO v_day_spent, v_month_spent, v_total_spent
          FROM key_spending x WHERE x.account_id = v_account AND x.livemode = v_live
            AND x.key_id = r.key_id;
        END IF;
        v_spent := k_spent[k] + coalesce(CASE r.period WHEN 'day' THEN v_day_spent
          WHEN 'month' THEN v_month_spent ELSE v_total_spent END, 0);
        IF v_spent + r.amount > r.budget THEN
          v_answers[r.i] := concat_ws('|', 'budget', r.amount, greatest(r.budget - v_spent, 0));
          CONTINUE;
        END IF;
      END IF;
      IF v_available < r.amount THEN
        v_answers[r.i] := concat_ws('|', 'insufficient', r.amount, v_available);
        CONTINUE;
      END IF;
      v_available := v_available - r.amount;
      k_spent[k] := k_spent[k] + r.amount;
      v_need := r.amount;
      s := 0;
      WHILE v_need > 0 LOOP
        s := s + 1;
        v_take := v_left[s];
        CONTINUE WHEN v_take = 0;
        IF v_take > v_need THEN v_take := v_need; END IF;
        v_left[s] := v_left[s] - v_take;
        b_taken[b_first + s] := b_taken[b_first + s] + v_take;
        v_need := v_need - v_take;
        IF v_line = '' THEN
          v_line := v_names[s];
          v_line_parts := v_take;
        ELSE
          v_line := v_line || ',' || v_names[s];
          v_line_parts := v_line_parts || ',' || v_take;
        END IF;
      END LOOP;
    END IF;
    v_day_calls := v_day_calls + 1;
    v_month_calls := v_month_calls + 1;
    w_day[w] := v_day_calls;
    w_month[w] := v_month_calls;
    v_books[r.i] := '{' || v_line || '}';
    v_parts[r.i] := '{' || v_line_parts || '}';
    v_answers[r.i] := 'opened|' || v_line || '|' || v_line_parts || '|' || v_day_calls || '|'
      || v_month_calls;
  END LOOP;

  INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version,
    unit, quantity, amount, max_charge, budget, budget_period, books, parts, idempotency_key,
    fingerprint, state, day, opened_at, deadline_at)
  SELECT t.request_id, t.account_id, t.livemode, t.key_id, t.capability, t.sku, t.price_version,
    t.unit, t.quantity, t.amount, t.max_charge, t.budget, t.period, t.books::text[],
    t.parts::bigint[], t.key, t.fingerprint, 'held', p_day, p_now, t.deadline
  FROM unnest(p_request, p_account, p_live, p_key, p_capability, p_sku, p_price_version, p_unit,
    p_quantity, p_amount, p_max_charge, p_budget, p_period, p_idempotency, p_fingerprint,
    p_deadline, v_books, v_parts)
    AS t(request_id, account_id, livemode, key_id, capability, sku, price_version, unit, quantity,
      amount, max_charge, budget, period, key, fingerprint, deadline, books, parts)
  WHERE t.books IS NOT NULL;
  IF NOT FOUND THEN RETURN array_to_string(v_answers, E'\n'); END IF;
  INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
  SELECT t.key, t.account_id, t.livemode, t.request_id
  FROM unnest(p_idempotency, p_account, p_live, p_request, v_books)
    AS t(key, account_id, livemode, request_id, books)
  WHERE t.books IS NOT NULL AND t.key IS NOT NULL;
  INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
  SELECT t.account_id, t.livemode, p_now, min(t.deadline)
  FROM unnest(p_account, p_live, p_deadline, v_books) AS t(account_id, livemode, deadline, books)
  WHERE t.books IS NOT NULL GROUP BY 1, 2;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  SELECT t.account_id, t.livemode, 'reserve', p_now, array_agg(m.book ORDER BY t.i, m.place),
    array_agg('held:' || m.book ORDER BY t.i, m.place),
    array_agg(m.part ORDER BY t.i, m.place), array_agg(t.request_id ORDER BY t.i, m.place)
  FROM unnest(p_request, p_account, p_live, v_books, v_parts) WITH ORDINALITY
    AS t(request_id, account_id, livemode, books, parts, i)
  CROSS JOIN LATERAL unnest(t.books::text[], t.parts::bigint[]) WITH ORDINALITY
    AS m(book, part, place)
  GROUP BY 1, 2 ORDER BY 1, 2;
  IF FOUND THEN
    UPDATE books x SET available = x.available - t.taken, held = x.held + t.taken
    FROM unnest(b_account, b_live, b_name, b_taken) AS t(account_id, livemode, name, taken)
    WHERE t.taken > 0 AND x.account_id = t.account_id AND x.livemode = t.livemode
      AND x.name = t.name;
    INSERT INTO key_spending AS x (account_id, livemode, key_id, day, day_spent, month,
      month_spent, total_spent)
    SELECT t.account_id, t.livemode, t.key_id, p_day, t.spent, p_month, t.spent, t.spent
    FROM unnest(k_account, k_live, k_key, k_spent) AS t(account_id, livemode, key_id, spent)
    WHERE t.spent > 0
    ON CONFLICT (account_id, livemode, key_id) DO UPDATE SET
      day_spent = excluded.day_spent + CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
      month_spent = excluded.month_spent
        + CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END,
      total_spent = excluded.total_spent + x.total_spent, day = p_day, month = p_month;
  END IF;
  UPDATE wallets x SET day = p_day, day_calls = t.day_calls, month = p_month,
    month_calls = t.month_calls
  FROM unnest(w_account, w_live, w_day, w_month)
    AS t(account_id, livemode, day_calls, month_calls)
  WHERE x.account_id = t.account_id AND x.livemode = t.livemode;
  RETURN array_to_string(v_answers, E'\n');
END $$;
