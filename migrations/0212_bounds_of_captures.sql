-- Captures of a batch look their calls up by id within bounds that the caller sends. A list of ids
-- as a second condition was compared for each call: a batch of 64 captures took 1.7 times as long.
-- Programs of the former release find their function missing, and use the general path.
-- oldest program: 0.1.0

DROP FUNCTION ledger_capture_uniform;

-- Captures holds of one wallet, balance and sku, each in whole or in part. The bodies of all
-- responses come in one value; each is `p_length` bytes from `p_from` on. `p_first` and `p_last`
-- are the bounds of the ids. It fails without effect when a stored hold differs.
CREATE FUNCTION ledger_capture_uniform(
  p_now timestamptz, p_kept_until timestamptz, p_account text, p_live boolean, p_balance text,
  p_sku text, p_count integer, p_total bigint, p_returned bigint, p_first text, p_last text,
  p_request text[], p_captured bigint[], p_held bigint[], p_back_request text[], p_back bigint[],
  p_bodies bytea, p_from integer[], p_length integer[], p_group integer[], p_usage jsonb[],
  p_status integer[], p_content_type text[]
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
  -- By the id alone: a plan made on a small table must not read all calls of the wallet. The bounds
  -- exclude other months, and the OR keeps an index scan from using them instead of the id.
  WHERE c.request_id = t.request_id
    AND (c.request_id BETWEEN p_first AND p_last OR c.request_id = p_first)
    AND c.state = 'held' AND c.amount = t.held AND c.account_id IS NOT DISTINCT FROM p_account
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
    JOIN calls c ON c.request_id = t.request_id
      AND (c.request_id BETWEEN p_first AND p_last OR c.request_id = p_first)
    GROUP BY 1 ORDER BY 1
  LOOP
    PERFORM ledger_unspend(p_account, p_live, p_balance, r.key_id, r.days, r.amounts);
  END LOOP;
END $$;
