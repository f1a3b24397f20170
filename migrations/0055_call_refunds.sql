-- Refunds of calls in parts. A part is cash first, up to the cash that the call was charged, and
-- the rest is a voucher: money of an allowance or a voucher never becomes cash.

-- Amounts in the result are decimal text: a bigint exceeds a JSON number.
CREATE FUNCTION ledger_refund(
  p_account text, p_live boolean, p_now timestamptz, p_request text, p_amount bigint,
  p_reference text, p_reason text, p_actor text, p_voucher text, p_label text,
  p_expires timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  c calls;
  v_seq bigint;
  v_known bigint;
  v_left bigint;
  v_cash bigint;
  v_refunded bigint;
  v_refunded_cash bigint;
  v_targets text[] := '{}';
  v_amounts bigint[] := '{}';
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  SELECT * INTO c FROM calls x WHERE x.request_id = p_request
    AND x.account_id IS NOT DISTINCT FROM p_account AND x.livemode IS NOT DISTINCT FROM p_live;
  IF NOT FOUND THEN RETURN '{"kind": "missing"}'; END IF;
  SELECT coalesce(sum(m.amount), 0), coalesce(sum(m.amount) FILTER (WHERE m.target = 'cash'), 0)
  INTO v_refunded, v_refunded_cash
  FROM entries e CROSS JOIN LATERAL unnest(e.targets, e.amounts) AS m(target, amount)
  WHERE e.account_id = p_account AND e.livemode = p_live AND e.kind = 'refund'
    AND e.requests[1] = p_request;
  v_left := greatest(coalesce(c.captured, 0) - v_refunded, 0);
  SELECT e.seq, (SELECT sum(a) FROM unnest(e.amounts) AS a) INTO v_seq, v_known FROM entries e
  WHERE e.account_id = p_account AND e.livemode = p_live AND e.reference = p_reference;
  IF FOUND THEN
    RETURN jsonb_build_object('kind', 'known', 'entry', v_seq, 'amount', v_known::text,
      'left', v_left::text);
  END IF;
  IF p_amount > v_left THEN
    RETURN jsonb_build_object('kind', 'above', 'left', v_left::text);
  END IF;
  v_cash := least(p_amount, greatest(ledger_cash_share(c) - v_refunded_cash, 0));
  IF v_cash > 0 THEN
    v_targets := v_targets || 'cash'::text;
    v_amounts := v_amounts || v_cash;
  END IF;
  IF v_cash < p_amount THEN
    PERFORM ledger_book(p_account, p_live, p_voucher, p_expires, p_now, p_label,
      p_amount - v_cash);
    v_targets := v_targets || p_voucher;
    v_amounts := v_amounts || p_amount - v_cash;
  END IF;
  v_seq := ledger_post(p_account, p_live, 'refund', p_request, p_now,
    array_fill('refunds'::text, ARRAY[cardinality(v_amounts)]), v_targets, v_amounts, p_reference,
    p_reason, p_actor);
  RETURN jsonb_build_object('kind', 'posted', 'entry', v_seq, 'cash', v_cash::text,
    'voucher', (p_amount - v_cash)::text, 'left', (v_left - p_amount)::text);
END $$;

-- What a call was charged in cash: cash is spent last, so it is what the other parts do not cover.
CREATE FUNCTION ledger_cash_share(c calls) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(coalesce(c.captured, 0) - coalesce((
    SELECT sum(p.part) FROM unnest(c.books, c.parts) AS p(book, part) WHERE p.book <> 'cash'
  ), 0), 0)::bigint
$$;

-- The thirteenth invariant. Refunds before this migration were cash as a whole; their references
-- have two parts, and only their sum is checked.
CREATE VIEW ledger_audit.refunds_within_the_charge AS
SELECT 'call ' || coalesce(r.request_id, 'without a name') AS subject,
  format('charged %s, of it %s in cash; given back %s, of it %s in cash', coalesce(c.captured, 0),
    coalesce(ledger_cash_share(c), 0), r.amount, r.cash) AS detail
FROM (
  SELECT e.account_id, e.livemode, m.request_id, sum(m.amount) AS amount,
    coalesce(sum(m.amount) FILTER (WHERE m.target = 'cash'), 0) AS cash,
    coalesce(sum(m.amount) FILTER (WHERE m.target = 'cash' AND e.reference LIKE 'refund:%:%'), 0)
      AS cash_in_parts
  FROM entries e
  CROSS JOIN LATERAL unnest(e.targets, e.amounts, e.requests) AS m(target, amount, request_id)
  WHERE e.kind = 'refund' GROUP BY 1, 2, 3
) AS r
LEFT JOIN calls c ON c.request_id = r.request_id AND c.account_id = r.account_id
  AND c.livemode = r.livemode
WHERE c.request_id IS NULL OR r.amount > coalesce(c.captured, 0)
  OR r.cash_in_parts > ledger_cash_share(c);
