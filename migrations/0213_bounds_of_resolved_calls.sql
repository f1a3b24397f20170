-- The general path looks its calls up by id within the bounds of the ids, like the uniform batch.
-- The list of ids as a second condition was compared for each call (see 0212).

-- Resolves holds. `captured` takes what was used, in spending order, and stores the response.
-- `released` and `expired` (by recovery) take nothing, free the key and return the quota. What is
-- not captured returns to its balances in reverse order. The result has one line for each request:
-- `done`, or `lost` when the hold was resolved with another outcome. A repeated capture is `done`.
CREATE OR REPLACE FUNCTION ledger_resolve(
  p_now timestamptz, p_kept_until timestamptz, p_goodwill_until timestamptz,
  p_request text[], p_outcome text[], p_captured bigint[], p_usage text[], p_status integer[],
  p_code text[], p_content_type text[], p_body bytea[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_first text COLLATE "C" := (SELECT min(t.id COLLATE "C") FROM unnest(p_request) AS t(id));
  v_last text COLLATE "C" := (SELECT max(t.id COLLATE "C") FROM unnest(p_request) AS t(id));
  v_answers text[] := array_fill('lost'::text, ARRAY[cardinality(p_request)]);
  v_outcome text[] := array_fill(NULL::text, ARRAY[cardinality(p_request)]);
  v_account text;
  v_live boolean;
  e_account text[] := '{}'; e_live boolean[] := '{}'; e_kind text[] := '{}';
  e_request text[] := '{}'; e_sources text[] := '{}'; e_targets text[] := '{}';
  e_amounts text[] := '{}'; e integer := 0;
  b_account text[] := '{}'; b_live boolean[] := '{}'; b_name text[] := '{}';
  b_available bigint[] := '{}'; b_held bigint[] := '{}'; b_first integer := 1; b integer;
  v_returns boolean := false;
  v_spent_less boolean := false;
  v_done integer := 0;
  v_count integer;
  v_left bigint;
  v_part bigint;
  v_back bigint;
  v_sources text; v_targets text; v_amounts text;
  v_back_sources text; v_back_targets text; v_back_amounts text;
  v_revenue bigint;
  s integer;
  r record;
BEGIN
  PERFORM FROM wallets w
  WHERE (w.account_id, w.livemode) IN (
    SELECT x.account_id, x.livemode FROM unnest(p_request) AS t(request_id)
    JOIN calls x ON x.request_id = t.request_id
      AND (x.request_id BETWEEN v_first AND v_last OR x.request_id = v_first))
  ORDER BY w.account_id, w.livemode FOR NO KEY UPDATE;
  FOR r IN
    SELECT t.i, t.outcome, t.captured AS charge, t.body, c.request_id, c.account_id, c.livemode,
      c.sku, c.state, c.amount, c.books, c.parts
    FROM unnest(p_request, p_outcome, p_captured, p_body) WITH ORDINALITY
      AS t(request_id, outcome, captured, body, i)
    JOIN calls c ON c.request_id = t.request_id
      AND (c.request_id BETWEEN v_first AND v_last OR c.request_id = v_first)
    ORDER BY c.account_id, c.livemode, t.i
  LOOP
    IF r.state NOT IN ('held', 'unknown') THEN
      IF r.state = r.outcome AND (r.state <> 'captured' OR EXISTS (
        SELECT FROM answers a WHERE a.request_id = r.request_id AND a.body = r.body)) THEN
        v_answers[r.i] := 'done';
      END IF;
      CONTINUE;
    END IF;
    v_left := CASE WHEN r.outcome = 'captured' THEN r.charge ELSE 0 END;
    IF v_left < 0 OR v_left > r.amount OR (v_left > 0 AND r.sku IS NULL) THEN
      RAISE EXCEPTION '% cannot be captured of % held for %', v_left, r.amount, r.request_id;
    END IF;
    v_done := v_done + 1;
    v_answers[r.i] := 'done';
    v_outcome[r.i] := r.outcome;
    IF r.account_id IS DISTINCT FROM v_account OR r.livemode IS DISTINCT FROM v_live THEN
      v_account := r.account_id;
      v_live := r.livemode;
      b_first := cardinality(b_name) + 1;
    END IF;
    v_spent_less := v_spent_less OR v_left < r.amount OR r.outcome <> 'captured';
    CONTINUE WHEN r.amount = 0;
    v_revenue := v_left;
    v_sources := ''; v_targets := ''; v_amounts := '';
    v_back_sources := ''; v_back_targets := ''; v_back_amounts := '';
    FOR s IN 1..cardinality(r.books) LOOP
      v_part := least(r.parts[s], v_left);
      v_back := r.parts[s] - v_part;
      v_left := v_left - v_part;
      b := array_position(b_name, r.books[s], b_first);
      IF b IS NULL THEN
        b := cardinality(b_name) + 1;
        b_account[b] := v_account; b_live[b] := v_live; b_name[b] := r.books[s];
        b_available[b] := 0; b_held[b] := 0;
      END IF;
      b_held[b] := b_held[b] - r.parts[s];
      IF v_part > 0 THEN
        v_sources := v_sources || ',held:' || r.books[s];
        v_targets := v_targets || ',revenue:' || r.sku;
        v_amounts := v_amounts || ',' || v_part;
      END IF;
      IF v_back > 0 THEN
        v_returns := true;
        b_available[b] := b_available[b] + v_back;
        v_back_sources := ',held:' || r.books[s] || v_back_sources;
        v_back_targets := ',' || r.books[s] || v_back_targets;
        v_back_amounts := ',' || v_back || v_back_amounts;
      END IF;
    END LOOP;
    IF v_revenue > 0 THEN
      b := array_position(b_name, 'revenue:' || r.sku, b_first);
      IF b IS NULL THEN
        b := cardinality(b_name) + 1;
        b_account[b] := v_account; b_live[b] := v_live; b_name[b] := 'revenue:' || r.sku;
        b_available[b] := 0; b_held[b] := 0;
      END IF;
      b_available[b] := b_available[b] + v_revenue;
    END IF;
    e := e + 1;
    e_account[e] := v_account; e_live[e] := v_live; e_request[e] := r.request_id;
    e_kind[e] := CASE WHEN r.outcome = 'captured' THEN 'capture' ELSE 'release' END;
    e_sources[e] := '{' || substr(v_sources || v_back_sources, 2) || '}';
    e_targets[e] := '{' || substr(v_targets || v_back_targets, 2) || '}';
    e_amounts[e] := '{' || substr(v_amounts || v_back_amounts, 2) || '}';
  END LOOP;
  IF v_done = 0 THEN RETURN array_to_string(v_answers, E'\n'); END IF;

  IF v_spent_less THEN
    -- Before the calls change, while their keys and days can be read with what they held.
    UPDATE key_spending x SET day_spent = x.day_spent - t.day,
      month_spent = x.month_spent - t.month, total_spent = x.total_spent - t.total
    FROM (
      SELECT g.account_id, g.livemode, g.key_id, sum(g.back)::bigint AS total,
        sum(CASE WHEN g.day = k.day THEN g.back ELSE 0 END)::bigint AS day,
        sum(CASE WHEN left(g.day, 7) = k.month THEN g.back ELSE 0 END)::bigint AS month
      FROM (
        SELECT c.account_id, c.livemode, c.key_id, c.day,
          c.amount - CASE WHEN u.outcome = 'captured' THEN u.captured ELSE 0 END AS back
        FROM unnest(p_request, v_outcome, p_captured) AS u(request_id, outcome, captured)
        JOIN calls c ON c.request_id = u.request_id
          AND (c.request_id BETWEEN v_first AND v_last OR c.request_id = v_first)
        WHERE u.outcome IS NOT NULL
      ) AS g
      JOIN key_spending k ON k.account_id = g.account_id AND k.livemode = g.livemode
        AND k.key_id = g.key_id
      WHERE g.back > 0 GROUP BY 1, 2, 3
    ) AS t
    WHERE x.account_id = t.account_id AND x.livemode = t.livemode AND x.key_id = t.key_id;
    UPDATE wallets x SET
      day_calls = x.day_calls - least(x.day_calls, t.today),
      month_calls = x.month_calls - least(x.month_calls, t.this_month)
    FROM (
      SELECT c.account_id, c.livemode, count(*) FILTER (WHERE c.day = o.day)::integer AS today,
        count(*) FILTER (WHERE left(c.day, 7) = o.month)::integer AS this_month
      FROM unnest(p_request, v_outcome) AS u(request_id, outcome)
      JOIN calls c ON c.request_id = u.request_id
        AND (c.request_id BETWEEN v_first AND v_last OR c.request_id = v_first)
      JOIN wallets o ON o.account_id = c.account_id AND o.livemode = c.livemode
      WHERE u.outcome IN ('released', 'expired') GROUP BY 1, 2
    ) AS t
    WHERE x.account_id = t.account_id AND x.livemode = t.livemode;
  END IF;
  IF v_spent_less THEN
    DELETE FROM idempotency_keys k
    USING unnest(p_request, v_outcome) AS t(request_id, outcome)
    JOIN calls c ON c.request_id = t.request_id
      AND (c.request_id BETWEEN v_first AND v_last OR c.request_id = v_first)
    -- By the key alone: a plan made on a small table must not start at the wallet.
    WHERE t.outcome IN ('released', 'expired') AND k.idempotency_key = c.idempotency_key
      AND k.account_id IS NOT DISTINCT FROM c.account_id
      AND k.livemode IS NOT DISTINCT FROM c.livemode
      AND k.request_id IS NOT DISTINCT FROM c.request_id;
  END IF;
  UPDATE calls c SET state = t.outcome, completed_at = p_now, status = t.status, code = t.code,
    usage = t.usage::jsonb, captured = CASE WHEN t.outcome = 'captured' THEN t.captured END,
    idempotency_key = CASE WHEN t.outcome = 'captured' THEN c.idempotency_key END,
    freed_key = CASE WHEN t.outcome <> 'captured' THEN c.idempotency_key END
  FROM unnest(p_request, v_outcome, p_captured, p_usage, p_status, p_code)
    AS t(request_id, outcome, captured, usage, status, code)
  WHERE c.request_id = t.request_id
    AND (c.request_id BETWEEN v_first AND v_last OR c.request_id = v_first)
    AND t.outcome IS NOT NULL;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  IF v_count <> v_done THEN RAISE EXCEPTION 'a hold was resolved twice in one batch'; END IF;
  INSERT INTO answers (request_id, content_type, body, kept_until)
  SELECT t.request_id, t.content_type, t.body, p_kept_until
  FROM unnest(p_request, v_outcome, p_content_type, p_body)
    AS t(request_id, outcome, content_type, body)
  WHERE t.outcome = 'captured' AND t.body IS NOT NULL;
  IF e = 0 THEN RETURN array_to_string(v_answers, E'\n'); END IF;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  SELECT t.account_id, t.livemode, t.kind, p_now, array_agg(m.source ORDER BY t.i, m.place),
    array_agg(m.target ORDER BY t.i, m.place), array_agg(m.amount ORDER BY t.i, m.place),
    array_agg(t.request_id ORDER BY t.i, m.place)
  FROM unnest(e_account, e_live, e_kind, e_request, e_sources, e_targets, e_amounts)
    WITH ORDINALITY AS t(account_id, livemode, kind, request_id, sources, targets, amounts, i)
  CROSS JOIN LATERAL unnest(t.sources::text[], t.targets::text[], t.amounts::bigint[])
    WITH ORDINALITY AS m(source, target, amount, place)
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
  UPDATE books x SET available = x.available + t.available, held = x.held + t.held
  FROM unnest(b_account, b_live, b_name, b_available, b_held)
    AS t(account_id, livemode, name, available, held)
  WHERE x.account_id = t.account_id AND x.livemode = t.livemode AND x.name = t.name;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  IF v_count < cardinality(b_name) THEN
    INSERT INTO books (account_id, livemode, name, kind, available, held, issued, opened_at)
    SELECT t.account_id, t.livemode, t.name, 'platform', t.available, 0, 0, p_now
    FROM unnest(b_account, b_live, b_name, b_available) AS t(account_id, livemode, name, available)
    WHERE t.name LIKE 'revenue:%' AND NOT EXISTS (SELECT FROM books x
      WHERE x.account_id = t.account_id AND x.livemode = t.livemode AND x.name = t.name);
  END IF;
  IF v_returns THEN
    PERFORM ledger_return_expired(p_now, p_goodwill_until, p_request, v_outcome, p_status);
  END IF;
  RETURN array_to_string(v_answers, E'\n');
END $$;

-- Expires balances to which a resolved hold returned money after their end. A voucher that ended
-- while a failed call held it is replaced by a goodwill voucher. The returned money may be spent
-- before the wallet's first balance, so the note of that balance is removed.
CREATE OR REPLACE FUNCTION ledger_return_expired(
  p_now timestamptz, p_goodwill_until timestamptz, p_request text[], p_outcome text[],
  p_status integer[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_first text COLLATE "C" := (SELECT min(t.id COLLATE "C") FROM unnest(p_request) AS t(id));
  v_last text COLLATE "C" := (SELECT max(t.id COLLATE "C") FROM unnest(p_request) AS t(id));
  v_name text;
  r record;
BEGIN
  FOR r IN
    SELECT DISTINCT c.account_id, c.livemode, p.book
    FROM unnest(p_request, p_outcome) AS u(request_id, outcome)
    JOIN calls c ON c.request_id = u.request_id
      AND (c.request_id BETWEEN v_first AND v_last OR c.request_id = v_first)
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
      AND (c.request_id BETWEEN v_first AND v_last OR c.request_id = v_first)
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
