-- Invariant 9, as in 0085. Lines of tools that a provider runs count calls, as `request` does:
-- their price is for one call.
CREATE OR REPLACE VIEW ledger_audit.revenue_is_price_times_quantity AS
SELECT format('%s of %s (livemode %s)', coalesce(b.name, c.name),
    coalesce(b.account_id, c.account_id), coalesce(b.livemode, c.livemode)) AS subject,
  format('revenue of %s for captures of %s', b.available, c.captured) AS detail
FROM (SELECT * FROM books WHERE name LIKE 'revenue:%') AS b
FULL JOIN (
  SELECT account_id, livemode, 'revenue:' || sku AS name, sum(captured) AS captured FROM calls
  WHERE state = 'captured' AND captured > 0 GROUP BY 1, 2, 3
) AS c ON c.account_id = b.account_id AND c.livemode = b.livemode AND c.name = b.name
WHERE coalesce(b.available, 0) <> coalesce(c.captured, 0)
UNION ALL
SELECT 'call ' || request_id, format('captured %s for %s of %s held at %s', captured,
    usage ->> 'quantity', quantity, amount)
FROM calls WHERE state = 'captured' AND sku IS NOT NULL AND unit <> 'per_token'
  AND captured * quantity IS DISTINCT FROM amount * (usage ->> 'quantity')::numeric
UNION ALL
SELECT format('price %s of %s', price_version, sku),
  format('from %s to %s per unit', min(amount::numeric / quantity), max(amount::numeric / quantity))
FROM calls WHERE sku IS NOT NULL AND quantity > 0 AND unit <> 'per_token'
GROUP BY sku, price_version, unit
HAVING min(amount::numeric / quantity) <> max(amount::numeric / quantity)
UNION ALL
SELECT 'call ' || c.request_id, format('held %s for %s of %s, which cost %s each by version %s',
    c.amount, c.quantity, c.sku, f.amount, c.price_version)
FROM calls c JOIN price_figures f ON f.version = c.price_version AND f.sku = c.sku
WHERE c.amount <> f.amount * c.quantity
UNION ALL
SELECT 'call ' || c.request_id, format('captured %s, held %s, for lines of %s with a ceiling of %s',
    c.captured, c.amount, s.total, c.usage ->> 'ceiling')
FROM calls c CROSS JOIN LATERAL (
  SELECT coalesce(floor(sum((l ->> 'tokens')::numeric * (l ->> 'price')::numeric
    * CASE WHEN l ->> 'class' = 'request' OR l ->> 'class' LIKE 'tool:%' THEN 1000000 ELSE 1 END)
    / 1000000), 0) AS total
  FROM jsonb_array_elements(c.usage -> 'lines') AS l
) AS s
WHERE c.state = 'captured' AND c.unit = 'per_token' AND c.captured IS DISTINCT FROM
  least(s.total, c.amount, coalesce((c.usage ->> 'ceiling')::numeric, s.total))
UNION ALL
SELECT 'call ' || c.request_id, format('%s of %s at %s is no price of version %s',
    l ->> 'class', c.usage ->> 'model', l ->> 'price', c.price_version)
FROM calls c
CROSS JOIN LATERAL jsonb_array_elements(c.usage -> 'lines') AS l
JOIN price_versions v ON v.version = c.price_version
WHERE c.state = 'captured' AND c.unit = 'per_token' AND NOT EXISTS (
  SELECT FROM model_prices p WHERE p.version = v.model_version AND p.model = c.usage ->> 'model'
    AND p.class = l ->> 'class' AND p.micro_fen = (l ->> 'price')::numeric
);
