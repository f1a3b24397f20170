-- The lines of a call's charge as rows, and the fifteenth invariant: the lines of a call are the
-- billed usage recorded for its attempts. Lines and attempts are stored with the capture, in
-- `calls.usage`, so a capture stays one statement.

-- `exact`: the amount in millionths of a micro-fen.
CREATE FUNCTION call_lines_of(p_usage jsonb)
RETURNS TABLE (place integer, class text, tokens bigint, price bigint, attempt integer,
  exact numeric)
LANGUAGE sql IMMUTABLE AS $$
  SELECT l.place::integer, l.line ->> 'class', (l.line ->> 'tokens')::bigint,
    (l.line ->> 'price')::bigint,
    -- Lines of earlier programs have no attempt, and the last one was the billed one.
    coalesce((l.line ->> 'attempt')::integer, jsonb_array_length(p_usage #> '{relay,attempts}')),
    (l.line ->> 'tokens')::numeric * (l.line ->> 'price')::numeric
      * CASE WHEN l.line ->> 'class' = 'request' OR l.line ->> 'class' LIKE 'tool:%' THEN 1000000
        ELSE 1 END
  FROM jsonb_array_elements(p_usage -> 'lines') WITH ORDINALITY AS l(line, place)
$$;

CREATE VIEW call_lines AS
SELECT c.request_id, c.account_id, c.livemode, c.opened_at, c.price_version,
  c.usage ->> 'model' AS model, l.place, l.class, l.tokens, l.price, l.attempt, l.exact
FROM calls c CROSS JOIN LATERAL call_lines_of(c.usage) AS l;

-- The billed usage of an attempt, by token class.
CREATE FUNCTION ledger_audit.billed_usage_of(p_usage jsonb)
RETURNS TABLE (attempt integer, class text, tokens bigint)
LANGUAGE sql IMMUTABLE AS $$
  SELECT a.place::integer, b.key, b.value::bigint
  FROM jsonb_array_elements(p_usage #> '{relay,attempts}') WITH ORDINALITY AS a(attempt, place)
  CROSS JOIN LATERAL jsonb_each_text(a.attempt -> 'billed') AS b
$$;

-- Calls of earlier programs recorded no billed usage. A class without a price has no line.
CREATE VIEW ledger_audit.lines_are_the_usage AS
WITH charged AS MATERIALIZED (
  SELECT request_id, usage, price_version FROM ledger_audit.calls_since_start
  WHERE state = 'captured' AND unit = 'per_token'
    AND jsonb_path_exists(usage, '$.relay.attempts[*].billed')
)
SELECT 'call ' || c.request_id AS subject,
  format('attempt %s has %s %s billed, and a line for %s', d.attempt, coalesce(d.billed, 0),
    d.class, coalesce(d.charged, 0)) AS detail
FROM charged c CROSS JOIN LATERAL (
  SELECT attempt, class, b.tokens AS billed, l.tokens AS charged
  FROM ledger_audit.billed_usage_of(c.usage) AS b
  FULL JOIN call_lines_of(c.usage) AS l USING (attempt, class)
  WHERE b.tokens IS DISTINCT FROM l.tokens
) AS d
WHERE d.charged IS NOT NULL OR EXISTS (
  SELECT FROM price_versions v JOIN model_prices p ON p.version = v.model_version
  WHERE v.version = c.price_version AND p.model = c.usage ->> 'model' AND p.class = d.class
    AND p.from_tokens = 0 AND p.variant = '' AND p.micro_fen > 0
)
UNION ALL
SELECT 'call ' || c.request_id, format('%s attempts are billed, with an input of %s and an output '
    || 'of %s; counted were %s', s.attempts, s.input, s.output, c.usage ->> 'tokens')
FROM charged c CROSS JOIN LATERAL (
  SELECT count(DISTINCT b.attempt) AS attempts,
    coalesce(sum(b.tokens) FILTER (WHERE b.class ~ '^(input|cache)'), 0) AS input,
    coalesce(sum(b.tokens) FILTER (WHERE b.class ~ '^(output|reasoning)'), 0) AS output
  FROM ledger_audit.billed_usage_of(c.usage) AS b
) AS s
WHERE s.attempts <> 1 OR s.input <> (c.usage #>> '{tokens,input}')::numeric
  OR s.output <> (c.usage #>> '{tokens,output}')::numeric;
