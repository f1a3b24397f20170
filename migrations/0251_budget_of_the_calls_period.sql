-- A larger hold of a call counts in the period in which the call began, also after midnight. Until
-- this migration the spending of the present period was compared with the budget, so a call that
-- began before midnight exceeded the budget of its own day or month. When the key has calls of a
-- later period, only the amount of the call itself is known.
CREATE OR REPLACE FUNCTION ledger_remeasure(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_allowance bigint,
  p_goodwill_until timestamptz, p_request text, p_quantity bigint, p_amount bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  v_need bigint;
  v_take bigint;
  v_available bigint;
  v_spent bigint;
  v_names text[];
  v_left bigint[];
  v_sources text[] := '{}'; v_targets text[] := '{}'; v_amounts bigint[] := '{}';
  v_books text[];
  v_parts bigint[];
  v_code text := 'insufficient_balance';
  s integer;
BEGIN
  SELECT * INTO c FROM calls x WHERE x.request_id = p_request;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  PERFORM ledger_lock(ARRAY[c.account_id], ARRAY[c.livemode]);
  SELECT * INTO c FROM calls x WHERE x.request_id = p_request;
  IF c.state NOT IN ('held', 'unknown') THEN RETURN 'lost'; END IF;
  v_need := p_amount - c.amount;
  v_books := c.books;
  v_parts := c.parts;
  v_available := NULL;
  IF c.max_charge < p_amount THEN
    v_available := c.max_charge;
  ELSIF v_need > 0 THEN
    SELECT CASE c.budget_period
      WHEN 'day' THEN CASE WHEN k.day = c.day THEN k.day_spent ELSE c.amount END
      WHEN 'month' THEN CASE WHEN k.month = left(c.day, 7) THEN k.month_spent ELSE c.amount END
      ELSE k.total_spent END INTO v_spent
    FROM key_spending k WHERE k.account_id = c.account_id AND k.livemode = c.livemode
      AND k.key_id = c.key_id;
    IF coalesce(v_spent, 0) + v_need > c.budget THEN
      v_available := greatest(c.budget - coalesce(v_spent, 0), 0) + c.amount;
      v_code := 'key_budget_exceeded';
    ELSE
      IF NOT EXISTS (SELECT FROM books x WHERE x.account_id = c.account_id
        AND x.livemode = c.livemode AND x.name = 'allowance:' || p_day) THEN
        PERFORM ledger_begin_day(c.account_id, c.livemode, p_now, p_day, p_day_ends, p_allowance);
      END IF;
      SELECT x.names, x.amounts INTO v_names, v_left
      FROM ledger_sources(c.account_id, c.livemode, p_now) AS x;
      FOR s IN 1..coalesce(cardinality(v_names), 0) LOOP
        v_take := least(v_left[s], v_need);
        CONTINUE WHEN v_take = 0;
        v_need := v_need - v_take;
        v_sources := v_sources || v_names[s];
        v_targets := v_targets || ('held:' || v_names[s]);
        v_amounts := v_amounts || v_take;
      END LOOP;
      IF v_need > 0 THEN v_available := p_amount - v_need; END IF;
    END IF;
  END IF;
  IF v_available IS NOT NULL THEN
    PERFORM ledger_resolve(p_now, p_now, p_goodwill_until, ARRAY[p_request], ARRAY['released'],
      ARRAY[0::bigint], ARRAY[NULL::text], ARRAY[402], ARRAY[v_code],
      ARRAY[NULL::text], ARRAY[NULL::bytea]);
    IF v_code = 'key_budget_exceeded' THEN
      RETURN concat_ws('|', 'budget', p_amount, v_available, c.budget_period);
    END IF;
    RETURN concat_ws('|', 'insufficient', p_amount, v_available);
  END IF;
  v_need := c.amount - p_amount;
  FOR s IN REVERSE cardinality(c.books)..1 LOOP
    v_take := least(c.parts[s], v_need);
    CONTINUE WHEN v_take <= 0;
    v_need := v_need - v_take;
    v_sources := v_sources || ('held:' || c.books[s]);
    v_targets := v_targets || c.books[s];
    v_amounts := v_amounts || v_take;
  END LOOP;
  IF cardinality(v_amounts) > 0 THEN
    PERFORM ledger_post(c.account_id, c.livemode, 'remeasure', p_request, p_now, v_sources,
      v_targets, v_amounts, NULL, NULL, NULL);
    SELECT coalesce(array_agg(m.name ORDER BY m.place), '{}'),
      coalesce(array_agg(m.part ORDER BY m.place), '{}') INTO v_books, v_parts
    FROM (
      SELECT b.name, sum(h.part)::bigint AS part, row_number() OVER (ORDER BY
        CASE b.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
        b.expires_at, b.opened_at, b.name) AS place
      FROM (
        SELECT 'held:' || o.book, o.part FROM unnest(c.books, c.parts) AS o(book, part)
        UNION ALL SELECT t.target, t.amount FROM unnest(v_targets, v_amounts) AS t(target, amount)
        UNION ALL SELECT t.source, -t.amount FROM unnest(v_sources, v_amounts) AS t(source, amount)
      ) AS h(held, part)
      JOIN books b ON b.account_id = c.account_id AND b.livemode = c.livemode
        AND 'held:' || b.name = h.held
      GROUP BY b.name, b.kind, b.expires_at, b.opened_at HAVING sum(h.part) > 0
    ) AS m;
    IF p_amount < c.amount THEN
      PERFORM ledger_expire(c.account_id, c.livemode, p_now);
    END IF;
    UPDATE key_spending k SET
      day_spent = k.day_spent + CASE WHEN k.day = c.day THEN p_amount - c.amount ELSE 0 END,
      month_spent = k.month_spent
        + CASE WHEN k.month = left(c.day, 7) THEN p_amount - c.amount ELSE 0 END,
      total_spent = k.total_spent + p_amount - c.amount
    WHERE k.account_id = c.account_id AND k.livemode = c.livemode AND k.key_id = c.key_id;
  END IF;
  UPDATE calls x SET quantity = p_quantity, amount = p_amount, books = v_books, parts = v_parts
  WHERE x.request_id = p_request;
  RETURN concat_ws('|', 'held', array_to_string(v_books, ','), array_to_string(v_parts, ','));
END $$;
