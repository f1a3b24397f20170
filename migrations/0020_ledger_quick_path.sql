-- A caller alone, in as few statements as can be, and captures of a part. A wallet remembers which
-- of its books comes first, so that a call that is covered by it need not look at the others.

-- `front`: no other book that can be spent at `front_since` or later, and comes before this one,
-- has anything in it. Null: not known. Found by `ledger_open_plain`; forgotten by whoever gives
-- money to another book.
ALTER TABLE wallets ADD front text COLLATE "C", ADD front_since timestamptz;

-- The whole check costs a caller alone 18 of 180 µs, since it is parsed by every statement. Lists
-- of one length are made by the functions, and what else might write is seen by the audit.
ALTER TABLE entries DROP CONSTRAINT entries_moves;
ALTER TABLE entries ADD CONSTRAINT entries_moves CHECK (0 < ALL (amounts));

-- As in 0005; and the wallet's front is forgotten when another book was given something.
CREATE OR REPLACE FUNCTION ledger_post(
  p_account text, p_live boolean, p_kind text, p_request text, p_now timestamptz,
  p_sources text[], p_targets text[], p_amounts bigint[],
  p_reference text, p_reason text, p_actor text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  r record;
BEGIN
  IF coalesce(cardinality(p_amounts), 0) = 0 OR cardinality(p_sources) <> cardinality(p_amounts)
    OR cardinality(p_targets) <> cardinality(p_amounts) THEN
    RAISE EXCEPTION 'an entry of % from % to % is not a list of moves', p_amounts, p_sources,
      p_targets;
  END IF;
  INSERT INTO entries (account_id, livemode, kind, requests, at, sources, targets, amounts,
    reference, reason, actor)
  VALUES (p_account, p_live, p_kind,
    CASE WHEN p_request IS NOT NULL THEN array_fill(p_request, ARRAY[cardinality(p_amounts)]) END,
    p_now, p_sources, p_targets, p_amounts, p_reference, p_reason, p_actor)
  RETURNING seq INTO v_seq;
  FOR r IN
    SELECT regexp_replace(m.book, '^held:', '') AS name,
      sum(CASE WHEN m.book LIKE 'held:%' THEN 0 ELSE m.amount END)::bigint AS available,
      sum(CASE WHEN m.book LIKE 'held:%' THEN m.amount ELSE 0 END)::bigint AS held
    FROM (
      SELECT t.source AS book, -t.amount AS amount
      FROM unnest(p_sources, p_amounts) AS t(source, amount)
      UNION ALL
      SELECT t.target, t.amount FROM unnest(p_targets, p_amounts) AS t(target, amount)
    ) AS m
    GROUP BY 1
  LOOP
    UPDATE books b SET available = b.available + r.available, held = b.held + r.held
    WHERE b.account_id = p_account AND b.livemode = p_live AND b.name = r.name;
    IF NOT FOUND THEN
      INSERT INTO books (account_id, livemode, name, kind, available, held, issued, expires_at,
        opened_at)
      VALUES (p_account, p_live, r.name, CASE WHEN r.name = 'cash' THEN 'cash' ELSE 'platform' END,
        r.available, r.held, 0, CASE WHEN r.name = 'cash' THEN 'infinity'::timestamptz END, p_now);
    END IF;
    IF r.available > 0 THEN
      UPDATE wallets w SET front = NULL
      WHERE w.account_id = p_account AND w.livemode = p_live AND w.front <> r.name;
    END IF;
  END LOOP;
  RETURN v_seq;
END $$;

-- As in 0005, and what came back may lie before the wallet's front.
CREATE OR REPLACE FUNCTION ledger_return_expired(
  p_now timestamptz, p_goodwill_until timestamptz, p_request text[], p_outcome text[],
  p_status integer[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_name text;
  r record;
BEGIN
  FOR r IN
    SELECT DISTINCT c.account_id, c.livemode, p.book
    FROM unnest(p_request, p_outcome) AS u(request_id, outcome)
    JOIN calls c ON c.request_id = u.request_id
    CROSS JOIN LATERAL unnest(c.books) AS p(book)
    WHERE u.outcome IS NOT NULL ORDER BY 1, 2, 3
  LOOP
    UPDATE wallets w SET front = NULL
    WHERE w.account_id = r.account_id AND w.livemode = r.livemode AND w.front <> r.book;
  END LOOP;
  FOR r IN
    SELECT c.account_id, c.livemode, c.request_id, coalesce(sum(p.part) FILTER (
      WHERE b.kind = 'voucher' AND u.outcome <> 'captured' AND u.status >= 500), 0)::bigint AS good
    FROM unnest(p_request, p_outcome, p_status) AS u(request_id, outcome, status)
    JOIN calls c ON c.request_id = u.request_id
    CROSS JOIN LATERAL unnest(c.books, c.parts) AS p(book, part)
    JOIN books b ON b.account_id = c.account_id AND b.livemode = c.livemode AND b.name = p.book
    WHERE u.outcome IS NOT NULL AND b.expires_at <= p_now
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    PERFORM ledger_expire(r.account_id, r.livemode, p_now);
    CONTINUE WHEN r.good = 0;
    v_name := 'voucher:goodwill-' || r.request_id;
    PERFORM ledger_book(r.account_id, r.livemode, v_name, p_goodwill_until, p_now, 'Goodwill',
      r.good);
    PERFORM ledger_post(r.account_id, r.livemode, 'goodwill', r.request_id, p_now,
      ARRAY['promotions'], ARRAY[v_name], ARRAY[r.good], NULL,
      'a voucher expired while it was held for a call that failed', NULL);
  END LOOP;
END $$;

-- One priced call whose wallet's front covers it. Answers `plain|book|calls today|this month`, or
-- nothing when it is not like that; refused (and then nothing happened either) when the key has
-- spent nothing in these periods yet, is out of budget, or the idempotency key is taken: the index
-- says so, since nearly always it was looked up before.
CREATE FUNCTION ledger_open_one(
  p_now timestamptz, p_day text, p_month text, p_account text, p_live boolean, p_key text,
  p_request text, p_amount bigint, p_capability text, p_sku text, p_price_version integer,
  p_unit text, p_quantity bigint, p_max_charge bigint, p_budget bigint, p_period text,
  p_idempotency text, p_fingerprint text, p_day_quota integer, p_month_quota integer,
  p_deadline timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_day_calls integer;
  v_month_calls integer;
  v_book text;
BEGIN
  UPDATE wallets x SET day_calls = x.day_calls + 1, month_calls = x.month_calls + 1
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.day = p_day AND x.month = p_month
    AND x.begun = p_day AND x.front_since <= p_now AND x.front IS NOT NULL
    AND x.day_calls < p_day_quota AND x.month_calls < p_month_quota
  RETURNING x.day_calls, x.month_calls, x.front INTO v_day_calls, v_month_calls, v_book;
  IF NOT FOUND THEN RETURN ''; END IF;
  UPDATE books x SET available = x.available - p_amount, held = x.held + p_amount
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_book
    AND x.available >= p_amount AND x.expires_at > p_now;
  IF NOT FOUND THEN
    UPDATE wallets x SET day_calls = x.day_calls - 1, month_calls = x.month_calls - 1, front = NULL
    WHERE x.account_id = p_account AND x.livemode = p_live;
    RETURN '';
  END IF;
  UPDATE key_spending x SET day_spent = x.day_spent + p_amount,
    month_spent = x.month_spent + p_amount, total_spent = x.total_spent + p_amount
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.key_id = p_key
    AND x.day = p_day AND x.month = p_month AND (p_budget IS NULL OR p_amount + CASE p_period
      WHEN 'day' THEN x.day_spent WHEN 'month' THEN x.month_spent ELSE x.total_spent END
      <= p_budget);
  IF NOT FOUND THEN RAISE EXCEPTION 'not one call like others before it'; END IF;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  VALUES (p_account, p_live, 'reserve', p_now, ARRAY[v_book], ARRAY['held:' || v_book],
    ARRAY[p_amount], ARRAY[p_request]);
  INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
  VALUES (p_account, p_live, p_now, p_deadline);
  INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version,
    unit, quantity, amount, max_charge, budget, budget_period, books, parts, idempotency_key,
    fingerprint, state, day, opened_at, deadline_at)
  VALUES (p_request, p_account, p_live, p_key, p_capability, p_sku, p_price_version, p_unit,
    p_quantity, p_amount, p_max_charge, p_budget, p_period, ARRAY[v_book], ARRAY[p_amount],
    p_idempotency, p_fingerprint, 'held', p_day, p_now, p_deadline);
  RETURN 'plain|' || v_book || '|' || v_day_calls || '|' || v_month_calls;
END $$;

-- One capture, of all or of a part, of a call that its caller knows to be held from one book.
-- Refused, and then nothing happened, when it is not like that: `ledger_resolve` says what it is.
CREATE FUNCTION ledger_capture_one(
  p_now timestamptz, p_kept_until timestamptz, p_account text, p_live boolean, p_book text,
  p_sku text, p_request text, p_held bigint, p_captured bigint, p_usage jsonb, p_status integer,
  p_content_type text, p_body bytea
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_key text;
  v_day text;
BEGIN
  PERFORM FROM wallets x WHERE x.account_id = p_account AND x.livemode = p_live
  FOR NO KEY UPDATE;
  UPDATE calls c SET state = 'captured', completed_at = p_now, status = p_status, usage = p_usage,
    captured = p_captured
  -- By its name alone: a plan made on a small table must not go through the wallet's calls.
  WHERE c.request_id = p_request AND c.state = 'held' AND c.amount = p_held
    AND c.account_id IS NOT DISTINCT FROM p_account AND c.livemode IS NOT DISTINCT FROM p_live
    AND c.sku = p_sku AND c.books = ARRAY[p_book]
  RETURNING c.key_id, c.day INTO v_key, v_day;
  IF NOT FOUND OR p_captured <= 0 OR p_captured > p_held THEN
    RAISE EXCEPTION 'not a plain capture';
  END IF;
  UPDATE books x SET available = x.available + p_captured
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = 'revenue:' || p_sku;
  IF NOT FOUND THEN RAISE EXCEPTION 'not a plain capture'; END IF;
  INSERT INTO answers (request_id, content_type, body, kept_until)
  VALUES (p_request, p_content_type, p_body, p_kept_until);
  IF p_captured = p_held THEN
    UPDATE books x SET held = x.held - p_held
    WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = p_book;
    INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
    VALUES (p_account, p_live, 'capture', p_now, ARRAY['held:' || p_book],
      ARRAY['revenue:' || p_sku], ARRAY[p_captured], ARRAY[p_request]);
    RETURN 'plain';
  END IF;
  -- What was not used goes back where it came from, unless that is over by now.
  UPDATE books x SET held = x.held - p_held, available = x.available + (p_held - p_captured)
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = p_book
    AND x.expires_at > p_now;
  IF NOT FOUND THEN RAISE EXCEPTION 'not a plain capture'; END IF;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  VALUES (p_account, p_live, 'capture', p_now, ARRAY['held:' || p_book, 'held:' || p_book],
    ARRAY['revenue:' || p_sku, p_book], ARRAY[p_captured, p_held - p_captured],
    ARRAY[p_request, p_request]);
  PERFORM ledger_unspend(p_account, p_live, p_book, v_key, ARRAY[v_day],
    ARRAY[p_held - p_captured]);
  RETURN 'plain';
END $$;

-- What calls of a key gave back to a book, each on its day: the key has not spent it, and the book
-- may lie before the wallet's front.
CREATE FUNCTION ledger_unspend(
  p_account text, p_live boolean, p_book text, p_key text, p_days text[], p_amounts bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE key_spending x SET
    day_spent = x.day_spent - (SELECT coalesce(sum(t.amount), 0)::bigint
      FROM unnest(p_days, p_amounts) AS t(day, amount) WHERE t.day = x.day),
    month_spent = x.month_spent - (SELECT coalesce(sum(t.amount), 0)::bigint
      FROM unnest(p_days, p_amounts) AS t(day, amount) WHERE left(t.day, 7) = x.month),
    total_spent = x.total_spent - (SELECT sum(t.amount)::bigint FROM unnest(p_amounts) AS t(amount))
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.key_id = p_key;
  UPDATE wallets w SET front = NULL
  WHERE w.account_id = p_account AND w.livemode = p_live AND w.front <> p_book;
END $$;

-- As in 0005; and it finds the wallet's front.
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
    SELECT y.name INTO v_book FROM (
      SELECT x.name, x.available FROM books x
      WHERE x.account_id = p_account AND x.livemode = p_live AND x.expires_at > p_now
        AND x.available > 0
      ORDER BY CASE x.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
        x.expires_at, x.opened_at, x.name LIMIT 1
    ) AS y
    WHERE y.available >= p_total AND NOT EXISTS (
      SELECT FROM calls c WHERE c.idempotency_key = ANY (p_idempotency)
        AND c.idempotency_key IS NOT NULL AND c.account_id IS NOT DISTINCT FROM p_account
        AND c.livemode IS NOT DISTINCT FROM p_live);
    IF FOUND THEN
      IF v_front IS DISTINCT FROM v_book OR v_since > p_now THEN
        UPDATE wallets x SET front = v_book, front_since = p_now
        WHERE x.account_id = p_account AND x.livemode = p_live;
      END IF;
      WITH b AS (
        UPDATE books x SET available = x.available - p_total, held = x.held + p_total
        WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_book
      ), k AS (
        INSERT INTO key_spending AS x (account_id, livemode, key_id, day, day_spent, month,
          month_spent, total_spent)
        VALUES (p_account, p_live, p_key, p_day, p_total, p_month, p_total, p_total)
        ON CONFLICT (account_id, livemode, key_id) DO UPDATE SET
          day_spent = p_total + CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
          month_spent = p_total + CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END,
          total_spent = p_total + x.total_spent, day = p_day, month = p_month
      ), e AS (
        INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
        VALUES (p_account, p_live, 'reserve', p_now, array_fill(v_book, ARRAY[p_count]),
          array_fill('held:' || v_book, ARRAY[p_count]), p_amount, p_request)
      ), d AS (
        INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
        VALUES (p_account, p_live, p_now, p_first_deadline)
      )
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

-- As in 0005, and of each call all that was held or a part of it; `p_back` of `p_back_request` is
-- what goes back of those that took a part.
DROP FUNCTION ledger_capture_plain(timestamptz, timestamptz, text, boolean, text, text, integer,
  bigint, text[], bigint[], bytea[], integer[], jsonb[], integer[], text[]);
CREATE FUNCTION ledger_capture_plain(
  p_now timestamptz, p_kept_until timestamptz, p_account text, p_live boolean, p_book text,
  p_sku text, p_count integer, p_total bigint, p_returned bigint, p_request text[],
  p_captured bigint[], p_held bigint[], p_back_request text[], p_back bigint[],
  p_body bytea[], p_kind integer[], p_usage jsonb[], p_status integer[], p_content_type text[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_calls integer;
  v_books integer;
  r record;
BEGIN
  PERFORM FROM wallets x WHERE x.account_id = p_account AND x.livemode = p_live
  FOR NO KEY UPDATE;
  WITH c AS (
    UPDATE calls c SET state = 'captured', completed_at = p_now, status = p_status[t.kind],
      usage = p_usage[t.kind], captured = t.captured
    FROM unnest(p_request, p_captured, p_held, p_kind) AS t(request_id, captured, held, kind)
    -- By its name alone: a plan made on a small table must not go through the wallet's calls.
    WHERE c.request_id = t.request_id AND c.state = 'held' AND c.amount = t.held
      AND c.account_id IS NOT DISTINCT FROM p_account
      AND c.livemode IS NOT DISTINCT FROM p_live AND c.amount > 0 AND c.sku = p_sku
      AND t.captured > 0 AND t.captured <= t.held AND c.books = ARRAY[p_book]
    RETURNING 1
  ), b AS (
    UPDATE books x SET
      held = x.held - CASE WHEN x.name = p_book THEN p_total + p_returned ELSE 0 END,
      available = x.available + CASE WHEN x.name = p_book THEN p_returned ELSE p_total END
    WHERE x.account_id = p_account AND x.livemode = p_live
      AND x.name = ANY (ARRAY[p_book, 'revenue:' || p_sku])
      AND (p_returned = 0 OR x.name <> p_book OR x.expires_at > p_now)
    RETURNING 1
  ), e AS (
    INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
    VALUES (p_account, p_live, 'capture', p_now,
      array_fill('held:' || p_book, ARRAY[p_count + cardinality(p_back)]),
      array_fill('revenue:' || p_sku, ARRAY[p_count])
        || array_fill(p_book, ARRAY[cardinality(p_back)]),
      p_captured || p_back, p_request || p_back_request)
  ), a AS (
    INSERT INTO answers (request_id, content_type, body, kept_until)
    SELECT t.request_id, p_content_type[t.kind], t.body, p_kept_until
    FROM unnest(p_request, p_body, p_kind) AS t(request_id, body, kind)
  )
  SELECT (SELECT count(*) FROM c), (SELECT count(*) FROM b) INTO v_calls, v_books;
  IF v_calls <> p_count OR v_books <> 2 OR cardinality(p_request) <> p_count
    OR cardinality(p_captured) <> p_count
    OR cardinality(p_back) <> cardinality(p_back_request) THEN
    RAISE EXCEPTION 'not a plain batch of captures';
  END IF;
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
