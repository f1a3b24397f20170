-- The audit: views that find no row in a correct ledger, over the tables and loaded files.

CREATE SCHEMA ledger_audit;

-- Rows of files, loaded by a full audit within its transaction and never committed. A replica reads
-- the views below, so these tables cannot be unlogged.
CREATE TABLE ledger_audit.loaded_calls
  (LIKE partitions.calls_other INCLUDING DEFAULTS INCLUDING INDEXES);
CREATE TABLE ledger_audit.loaded_entries
  (LIKE partitions.entries_other INCLUDING STORAGE INCLUDING INDEXES);
CREATE VIEW ledger_audit.calls AS
  SELECT * FROM public.calls UNION ALL SELECT * FROM ledger_audit.loaded_calls;
CREATE VIEW ledger_audit.entries AS
  SELECT * FROM public.entries UNION ALL SELECT * FROM ledger_audit.loaded_entries;

CREATE FUNCTION ledger_digest(p_before bytea, p_first bigint, p_last bigint)
RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(p_before || convert_to(coalesce(string_agg(jsonb_build_array(e.seq, e.account_id,
    e.livemode, e.kind, e.requests, (extract(epoch FROM e.at) * 1000000)::bigint, e.sources,
    e.targets, e.amounts, e.reference, e.reason, e.actor)::text, E'\n' ORDER BY e.seq), ''),
    'UTF8'))
  FROM ledger_audit.entries e WHERE e.seq BETWEEN p_first AND p_last
$$;

-- The part of a charge that cash paid. Cash is spent last, so it is what the other parts do not
-- cover.
CREATE FUNCTION ledger_cash_share(c ledger_audit.calls) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(coalesce(c.captured, 0) - coalesce((
    SELECT sum(p.part) FROM unnest(c.books, c.parts) AS p(book, part) WHERE p.book <> 'cash'
  ), 0), 0)::bigint
$$;

-- The balances at an entry, by a replay of the entries after `p_after` from a checkpoint.
CREATE FUNCTION ledger_balances_at(p_checkpoint bigint, p_after bigint, p_last bigint)
RETURNS TABLE (account_id text, livemode boolean, book text, request_id text, amount bigint)
LANGUAGE sql STABLE AS $$
  SELECT x.account_id, x.livemode, x.book, x.request_id, sum(x.amount)::bigint
  FROM (
    SELECT e.account_id, e.livemode, p.book,
      CASE WHEN p.book LIKE 'held:%' THEN m.request_id END AS request_id, p.amount
    FROM ledger_audit.entries e
    CROSS JOIN LATERAL unnest(e.sources, e.targets, e.amounts, e.requests)
      AS m(source, target, amount, request_id)
    CROSS JOIN LATERAL (VALUES (m.source, -m.amount), (m.target, m.amount)) AS p(book, amount)
    WHERE e.seq > p_after AND e.seq <= p_last
    UNION ALL
    SELECT b.account_id, b.livemode, b.book, b.request_id, b.amount FROM checkpoint_balances b
    WHERE b.checkpoint = p_checkpoint
  ) AS x
  GROUP BY 1, 2, 3, 4 HAVING sum(x.amount) <> 0
$$;

-- The total in a stored response, in micro-fen; null: it has none.
CREATE FUNCTION ledger_audit.answered_total(p_body bytea) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN (convert_from(p_body, 'UTF8')::jsonb #>> '{charge,total}')::numeric * 100000000;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;

-- The checkpoint at which an audit starts is a setting of its transaction. Without one, the views
-- replay the whole journal. The functions are expressions, so that the planner sees their value.
CREATE FUNCTION ledger_audit.checkpoint() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('ledger_audit.checkpoint', true), ''), '0')::bigint
$$;

CREATE FUNCTION ledger_audit.start_seq() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('ledger_audit.start_seq', true), ''), '0')::bigint
$$;

CREATE FUNCTION ledger_audit.opened_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('ledger_audit.opened_since', true), ''),
    '-infinity')::timestamptz
$$;

CREATE FUNCTION ledger_audit.usage_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('ledger_audit.usage_since', true), ''),
    '-infinity')::timestamptz
$$;

CREATE FUNCTION ledger_audit.usage_first_day() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('ledger_audit.usage_first_day', true), '')
$$;

-- Starts the audit of this transaction at the latest checkpoint, if there is one.
CREATE FUNCTION ledger_audit.start_at_checkpoint() RETURNS void LANGUAGE sql AS $$
  SELECT set_config('ledger_audit.checkpoint', k.number::text, true),
    set_config('ledger_audit.start_seq', k.last_seq::text, true),
    set_config('ledger_audit.opened_since', k.opened_since::text, true),
    set_config('ledger_audit.usage_since', k.usage_through::text, true),
    set_config('ledger_audit.usage_first_day', k.usage_first_day, true)
  FROM (SELECT * FROM ledger_checkpoints ORDER BY number DESC LIMIT 1) AS k
$$;

-- Replays every wallet from its opening balances: when money was drawn from a balance, those before
-- it had to be empty. Balances without postings are empty throughout.
CREATE FUNCTION ledger_audit.spending_out_of_order()
RETURNS TABLE (subject text, detail text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_account text;
  v_live boolean;
  v_names text[];
  v_expires timestamptz[];
  v_balances bigint[];
  v_furthest integer;
  s integer;
  m integer;
  r record;
BEGIN
  FOR r IN SELECT * FROM ledger_audit.entries e WHERE e.seq > ledger_audit.start_seq()
    ORDER BY e.account_id, e.livemode, e.seq
  LOOP
    IF v_account IS DISTINCT FROM r.account_id OR v_live IS DISTINCT FROM r.livemode THEN
      v_account := r.account_id;
      v_live := r.livemode;
      SELECT coalesce(array_agg(t.name), '{}'), coalesce(array_agg(t.expires_at), '{}'),
        coalesce(array_agg(t.opening), '{}')
      INTO v_names, v_expires, v_balances FROM (
        SELECT b.name, b.expires_at, coalesce(k.amount, 0) AS opening
        FROM books b
        LEFT JOIN checkpoint_balances k ON k.checkpoint = ledger_audit.checkpoint()
          AND k.account_id = b.account_id AND k.livemode = b.livemode AND k.book = b.name
        WHERE b.account_id = r.account_id AND b.livemode = r.livemode AND b.kind <> 'platform'
          AND (ledger_audit.start_seq() = 0 OR k.amount IS NOT NULL OR b.expires_at > r.at)
        ORDER BY CASE b.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
          b.expires_at, b.opened_at, b.name
      ) AS t;
    END IF;
    v_furthest := 0;
    FOR m IN 1..cardinality(r.amounts) LOOP
      s := array_position(v_names, r.sources[m]);
      IF s IS NOT NULL THEN
        v_balances[s] := v_balances[s] - r.amounts[m];
        v_furthest := greatest(v_furthest, s);
      END IF;
      s := array_position(v_names, r.targets[m]);
      IF s IS NOT NULL THEN v_balances[s] := v_balances[s] + r.amounts[m]; END IF;
      -- A batch is replayed call by call, each at its own last move.
      CONTINUE WHEN r.kind NOT IN ('reserve', 'remeasure')
        OR (m < cardinality(r.amounts) AND r.requests[m] = r.requests[m + 1]);
      FOR s IN 1..v_furthest - 1 LOOP
        IF v_balances[s] > 0 AND v_expires[s] > r.at THEN
          subject := 'entry ' || r.seq;
          detail := format('%s of %s (livemode %s) was passed over with %s in it', v_names[s],
            v_account, v_live, v_balances[s]);
          RETURN NEXT;
        END IF;
      END LOOP;
      v_furthest := 0;
    END LOOP;
  END LOOP;
END $$;

-- Postings after the start. The balances of the checkpoint are postings at the start: `opening`,
-- and `reserve` for each running call.
CREATE VIEW ledger_audit.postings AS
SELECT e.seq, e.account_id, e.livemode, e.kind, m.request_id, e.at, m.line, p.book, p.amount
FROM ledger_audit.entries e
CROSS JOIN LATERAL unnest(e.sources, e.targets, e.amounts, e.requests) WITH ORDINALITY
  AS m(source, target, amount, request_id, line)
CROSS JOIN LATERAL (VALUES (m.source, -m.amount), (m.target, m.amount)) AS p(book, amount)
WHERE p.book IS NOT NULL AND p.amount IS NOT NULL AND e.seq > ledger_audit.start_seq()
UNION ALL
SELECT ledger_audit.start_seq(), b.account_id, b.livemode,
  CASE WHEN b.request_id IS NULL THEN 'opening' ELSE 'reserve' END, b.request_id COLLATE "default",
  NULL, 0, b.book, b.amount
FROM checkpoint_balances b WHERE b.checkpoint = ledger_audit.checkpoint();

-- Sums of the journal for each request: reserved, charged, still held, number of resolutions.
CREATE VIEW ledger_audit.requests AS
SELECT request_id, account_id, livemode,
  coalesce(sum(amount) FILTER (WHERE kind IN ('reserve', 'remeasure')
    AND book LIKE 'held:%'), 0) AS held,
  coalesce(sum(amount) FILTER (WHERE book LIKE 'revenue:%'), 0) AS captured,
  coalesce(sum(amount) FILTER (WHERE book LIKE 'held:%'), 0) AS open,
  count(DISTINCT seq) FILTER (WHERE kind IN ('capture', 'release')) AS resolutions,
  count(DISTINCT seq) FILTER (WHERE kind = 'reserve') AS reserves
FROM ledger_audit.postings
WHERE kind IN ('reserve', 'remeasure', 'capture', 'release') GROUP BY 1, 2, 3;

-- Calls with entries after the start, calls that were running then, and calls authorized later.
CREATE VIEW ledger_audit.calls_since_start AS
SELECT c.* FROM ledger_audit.calls c WHERE c.opened_at > ledger_audit.opened_since()
UNION ALL
SELECT c.* FROM ledger_audit.requests r JOIN ledger_audit.calls c ON c.request_id = r.request_id
WHERE c.opened_at <= ledger_audit.opened_since() AND ledger_audit.start_seq() > 0;

CREATE VIEW ledger_audit.allocations_are_the_charge AS
SELECT 'call ' || c.request_id AS subject,
  format('allocations of %s for a hold of %s', s.total, c.amount) AS detail
FROM ledger_audit.calls_since_start c
CROSS JOIN LATERAL (SELECT coalesce(sum(p), 0) AS total FROM unnest(c.parts) AS p) AS s
WHERE s.total <> c.amount OR cardinality(c.books) <> cardinality(c.parts)
UNION ALL
SELECT 'call ' || coalesce(c.request_id, p.request_id),
  format('%s: %s on the call, %s in the journal', coalesce(c.book, p.book), c.part, p.amount)
FROM (
  SELECT x.request_id, a.book, a.part FROM ledger_audit.calls_since_start x
  CROSS JOIN LATERAL unnest(x.books, x.parts) AS a(book, part)
) AS c
FULL JOIN (
  SELECT request_id, substr(book, 6) AS book, sum(amount) AS amount FROM ledger_audit.postings
  WHERE kind IN ('reserve', 'remeasure') AND book LIKE 'held:%' GROUP BY 1, 2
  HAVING sum(amount) <> 0
) AS p ON p.request_id = c.request_id AND p.book = c.book
WHERE c.part IS DISTINCT FROM p.amount;

CREATE VIEW ledger_audit.allowance_within_its_day AS
SELECT format('%s of %s (livemode %s)', p.book, p.account_id, p.livemode) AS subject,
  format('%s were given', sum(p.amount)) AS detail
FROM (
  SELECT account_id, livemode, book, amount FROM ledger_audit.postings
  WHERE kind = 'allowance' AND book LIKE 'allowance:%'
  UNION ALL
  SELECT e.account_id, e.livemode, e.targets[1], e.amounts[1]
  FROM (
    SELECT DISTINCT account_id, livemode, targets[1] AS book FROM ledger_audit.entries
    WHERE kind = 'allowance' AND seq > ledger_audit.start_seq() AND ledger_audit.start_seq() > 0
  ) AS n
  JOIN ledger_audit.entries e ON e.kind = 'allowance' AND e.account_id = n.account_id
    AND e.livemode = n.livemode AND e.targets[1] = n.book AND e.seq <= ledger_audit.start_seq()
) AS p
GROUP BY p.account_id, p.livemode, p.book HAVING sum(p.amount) > 200000000;

CREATE VIEW ledger_audit.balanced AS
SELECT 'entry ' || e.seq AS subject,
  format('%s postings with the sum %s', s.postings, s.total) AS detail
FROM ledger_audit.entries e
CROSS JOIN LATERAL (
  SELECT count(*) AS postings, coalesce(sum(p.amount), 0) AS total
  FROM unnest(e.sources, e.targets, e.amounts) AS m(source, target, amount)
  CROSS JOIN LATERAL (VALUES (m.source, -m.amount), (m.target, m.amount)) AS p(book, amount)
  WHERE p.book IS NOT NULL AND p.amount IS NOT NULL
) AS s
WHERE e.seq > ledger_audit.start_seq() AND (s.postings < 2 OR s.total <> 0);

CREATE VIEW ledger_audit.cache_is_replay AS
SELECT format('%s of %s (livemode %s)', coalesce(b.name, p.name),
    coalesce(b.account_id, p.account_id), coalesce(b.livemode, p.livemode)) AS subject,
  format('cached %s and %s held, the journal says %s and %s', b.available, b.held, p.available,
    p.held) AS detail
FROM books b
FULL JOIN (
  SELECT account_id, livemode, regexp_replace(book, '^held:', '') AS name,
    coalesce(sum(amount) FILTER (WHERE book NOT LIKE 'held:%'), 0) AS available,
    coalesce(sum(amount) FILTER (WHERE book LIKE 'held:%'), 0) AS held
  FROM ledger_audit.postings GROUP BY 1, 2, 3
) AS p ON p.account_id = b.account_id AND p.livemode = b.livemode AND p.name = b.name
WHERE coalesce(b.available, 0) <> coalesce(p.available, 0)
  OR coalesce(b.held, 0) <> coalesce(p.held, 0);

-- No idempotency key was charged twice: it names the one call that was charged.
CREATE VIEW ledger_audit.captured_once_per_key AS
SELECT format('key %s of %s (livemode %s)', s.idempotency_key, s.account_id, s.livemode) AS subject,
  format('captured by %s, claimed by %s', s.request_id, coalesce(k.request_id, 'no call')) AS detail
FROM ledger_audit.calls_since_start s
LEFT JOIN idempotency_keys k ON k.idempotency_key = s.idempotency_key
  AND k.account_id = s.account_id AND k.livemode = s.livemode
WHERE s.state = 'captured' AND s.idempotency_key IS NOT NULL
  AND k.request_id IS DISTINCT FROM s.request_id;

-- Seals after the start, and the checkpoint itself. A full replay compares the balances of the
-- latest checkpoint with the journal.
CREATE VIEW ledger_audit.chain_intact AS
SELECT 'seal ' || t.number AS subject,
  format('of entries %s to %s does not match them', t.first_seq, t.last_seq) AS detail
FROM (
  SELECT s.*, lag(s.hash, 1, coalesce(f.hash, '')) OVER w AS before,
    lag(s.last_seq, 1, coalesce(f.last_seq, 0)) OVER w AS last_before,
    lag(s.number, 1, coalesce(f.number, 0)) OVER w AS number_before
  FROM seals s
  LEFT JOIN (
    SELECT z.* FROM ledger_checkpoints k JOIN seals z ON z.number = k.seal
    WHERE k.number = ledger_audit.checkpoint()
  ) AS f ON true
  WHERE s.number > coalesce(f.number, 0)
  WINDOW w AS (ORDER BY s.number)
) AS t
WHERE t.number <> t.number_before + 1 OR t.first_seq <> t.last_before + 1
  OR t.hash <> ledger_digest(t.before, t.first_seq, t.last_seq)
  OR t.entries <> (SELECT count(*) FROM ledger_audit.entries e
    WHERE e.seq BETWEEN t.first_seq AND t.last_seq)
UNION ALL
SELECT 'checkpoint ' || k.number, 'does not match its balances, its seal or its predecessor'
FROM ledger_checkpoints k
WHERE k.number = coalesce(nullif(ledger_audit.checkpoint(), 0),
    (SELECT max(number) FROM ledger_checkpoints))
  AND (k.hash <> ledger_checkpoint_hash(k.number, k.seal)
    OR k.last_seq IS DISTINCT FROM (SELECT z.last_seq FROM seals z WHERE z.number = k.seal))
UNION ALL
SELECT 'checkpoint ' || k.number, format('%s of %s (livemode %s) is %s there, %s in the journal',
    d.book, d.account_id, d.livemode, d.kept, d.replayed) COLLATE "default"
FROM (SELECT * FROM ledger_checkpoints ORDER BY number DESC LIMIT 1) AS k
CROSS JOIN LATERAL (
  SELECT coalesce(b.account_id, j.account_id) AS account_id,
    coalesce(b.livemode, j.livemode) AS livemode, coalesce(b.book, j.book) AS book,
    coalesce(b.amount, 0) AS kept, coalesce(j.amount, 0) AS replayed
  FROM (SELECT * FROM checkpoint_balances x WHERE x.checkpoint = k.number) AS b
  FULL JOIN ledger_balances_at(0, 0, k.last_seq) AS j ON j.account_id = b.account_id
    AND j.livemode = b.livemode AND j.book = b.book
    AND coalesce(j.request_id, '') = coalesce(b.request_id, '')
  WHERE b.amount IS DISTINCT FROM j.amount
) AS d
WHERE ledger_audit.start_seq() = 0;

CREATE VIEW ledger_audit.charged_what_was_answered AS
WITH requested AS MATERIALIZED (
  SELECT request_id, account_id, livemode, held, captured, resolutions FROM ledger_audit.requests
), since_start AS MATERIALIZED (
  SELECT request_id, amount, state, captured FROM ledger_audit.calls_since_start
)
SELECT 'call ' || c.request_id AS subject,
  format('%s, held %s, captured %s, %s resolutions', c.state, c.amount, c.captured,
    coalesce(r.resolutions, 0)) AS detail
FROM since_start c
LEFT JOIN requested r ON r.request_id = c.request_id
WHERE coalesce(r.held, 0) <> c.amount OR coalesce(r.captured, 0) <> coalesce(c.captured, 0)
  OR coalesce(r.resolutions, 0) <>
    CASE WHEN c.amount = 0 OR c.state IN ('held', 'unknown') THEN 0 ELSE 1 END
  OR (c.state = 'captured') <> (c.captured IS NOT NULL)
UNION ALL
SELECT 'call ' || c.request_id, format('captured %s, answered %s', c.captured,
    ledger_audit.answered_total(a.body))
FROM since_start c JOIN answers a ON a.request_id = c.request_id
WHERE c.state <> 'captured' OR ledger_audit.answered_total(a.body) <> c.captured
UNION ALL
SELECT 'call ' || r.request_id, 'is in the journal alone'
FROM requested r
WHERE NOT EXISTS (SELECT FROM ledger_audit.calls c WHERE c.request_id = r.request_id
  AND c.account_id = r.account_id AND c.livemode = r.livemode);

CREATE VIEW ledger_audit.never_negative AS
SELECT 'entry ' || t.seq AS subject,
  format('%s of %s (livemode %s) is at %s', t.book, t.account_id, t.livemode, t.balance) AS detail
FROM (
  SELECT n.*, sum(n.amount) OVER (PARTITION BY n.account_id, n.livemode, n.book ORDER BY n.seq)
    AS balance
  FROM (
    SELECT seq, account_id, livemode, book, sum(amount) AS amount FROM ledger_audit.postings
    WHERE book ~ '^(held:|cash$|voucher:|allowance:|revenue:|expired$)' GROUP BY 1, 2, 3, 4
  ) AS n
) AS t WHERE t.balance < 0;

CREATE VIEW ledger_audit.refunds_within_the_charge AS
SELECT 'call ' || coalesce(r.request_id, 'without a name') AS subject,
  format('charged %s, of it %s in cash; given back %s, of it %s in cash', coalesce(c.captured, 0),
    coalesce(ledger_cash_share(c), 0), r.amount, r.cash) AS detail
FROM (
  SELECT e.account_id, e.livemode, m.request_id, sum(m.amount) AS amount,
    coalesce(sum(m.amount) FILTER (WHERE m.target = 'cash'), 0) AS cash,
    coalesce(sum(m.amount) FILTER (WHERE m.target = 'cash' AND e.reference LIKE 'refund:%:%'), 0)
      AS cash_in_parts
  FROM (
    SELECT * FROM ledger_audit.entries WHERE kind = 'refund' AND seq > ledger_audit.start_seq()
    UNION ALL
    SELECT o.* FROM (
      SELECT DISTINCT requests[1] AS request_id FROM ledger_audit.entries
      WHERE kind = 'refund' AND seq > ledger_audit.start_seq() AND ledger_audit.start_seq() > 0
    ) AS n
    JOIN ledger_audit.entries o ON o.kind = 'refund' AND o.requests[1] = n.request_id
      AND o.seq <= ledger_audit.start_seq()
  ) AS e
  CROSS JOIN LATERAL unnest(e.targets, e.amounts, e.requests) AS m(target, amount, request_id)
  GROUP BY 1, 2, 3
) AS r
LEFT JOIN ledger_audit.calls c ON c.request_id = r.request_id AND c.account_id = r.account_id
  AND c.livemode = r.livemode
WHERE c.request_id IS NULL OR r.amount > coalesce(c.captured, 0)
  OR r.cash_in_parts > ledger_cash_share(c);

CREATE VIEW ledger_audit.resolved_once AS
SELECT 'call ' || coalesce(request_id, 'without a name') AS subject,
  format('held %s, captured %s, still held %s, %s resolutions', held, captured, open,
    resolutions) AS detail
FROM ledger_audit.requests
WHERE resolutions > 1 OR captured > held OR captured < 0 OR reserves > 1
  OR (resolutions = 1 AND open <> 0) OR (resolutions = 0 AND open <> held);

CREATE VIEW ledger_audit.revenue_is_price_times_quantity AS
WITH since_start AS MATERIALIZED (
  SELECT request_id, account_id, livemode, sku, price_version, unit, quantity, amount, state,
    captured, usage
  FROM ledger_audit.calls_since_start
)
SELECT format('%s of %s (livemode %s)', coalesce(b.name, c.name),
    coalesce(b.account_id, c.account_id), coalesce(b.livemode, c.livemode)) AS subject,
  format('revenue of %s for captures of %s', b.available, c.captured) AS detail
FROM (SELECT * FROM books WHERE name LIKE 'revenue:%') AS b
FULL JOIN (
  SELECT x.account_id, x.livemode, x.name, sum(x.captured) AS captured FROM (
    SELECT account_id, livemode, book AS name, amount AS captured FROM checkpoint_balances
    WHERE checkpoint = ledger_audit.checkpoint() AND book LIKE 'revenue:%'
    UNION ALL
    SELECT account_id, livemode, 'revenue:' || sku, captured FROM since_start
    WHERE state = 'captured' AND captured > 0
  ) AS x GROUP BY 1, 2, 3
) AS c ON c.account_id = b.account_id AND c.livemode = b.livemode AND c.name = b.name
WHERE coalesce(b.available, 0) <> coalesce(c.captured, 0)
UNION ALL
SELECT 'call ' || request_id, format('captured %s for %s of %s held at %s', captured,
    usage ->> 'quantity', quantity, amount)
FROM since_start
WHERE state = 'captured' AND sku IS NOT NULL AND unit <> 'per_token'
  AND captured * quantity IS DISTINCT FROM amount * (usage ->> 'quantity')::numeric
UNION ALL
SELECT format('price %s of %s', price_version, sku),
  format('from %s to %s per unit', min(amount::numeric / quantity), max(amount::numeric / quantity))
FROM since_start WHERE sku IS NOT NULL AND quantity > 0 AND unit <> 'per_token'
GROUP BY sku, price_version, unit
HAVING min(amount::numeric / quantity) <> max(amount::numeric / quantity)
UNION ALL
SELECT 'call ' || c.request_id, format('held %s for %s of %s, which cost %s each by version %s',
    c.amount, c.quantity, c.sku, f.amount, c.price_version)
FROM since_start c
JOIN price_figures f ON f.version = c.price_version AND f.sku = c.sku
WHERE c.amount <> f.amount * c.quantity
UNION ALL
SELECT 'call ' || c.request_id, format('captured %s, held %s, for lines of %s with a ceiling of %s',
    c.captured, c.amount, s.total, c.usage ->> 'ceiling')
FROM since_start c CROSS JOIN LATERAL (
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
FROM since_start c
CROSS JOIN LATERAL jsonb_array_elements(c.usage -> 'lines') AS l
JOIN price_versions v ON v.version = c.price_version
WHERE c.state = 'captured' AND c.unit = 'per_token' AND NOT EXISTS (
  SELECT FROM model_prices p WHERE p.version = v.model_version AND p.model = c.usage ->> 'model'
    AND p.class = l ->> 'class' AND p.micro_fen = (l ->> 'price')::numeric
);

CREATE VIEW ledger_audit.spending_order AS
SELECT subject, detail FROM ledger_audit.spending_out_of_order();

-- Top-ups equal the journal, with the money that returns to a wallet when a refund fails.
CREATE VIEW ledger_audit.top_ups_are_in_the_books AS
SELECT 'top-up ' || coalesce(t.id, j.id) AS subject,
  format('the record says %s credited and %s taken back, the journal %s and %s',
    coalesce(t.credited, 0), coalesce(t.taken_back, 0), coalesce(j.credited, 0),
    coalesce(j.taken_back, 0)) AS detail
FROM (
  SELECT id, account_id, CASE WHEN state = 'credited' THEN amount ELSE 0 END AS credited,
    taken_back
  FROM top_ups
) AS t
FULL JOIN (
  SELECT split_part(e.reference, ':', 2) AS id, e.account_id,
    coalesce(sum(m.amount) FILTER (WHERE e.kind = 'top_up'), 0) AS credited,
    coalesce(sum(CASE WHEN e.kind IN ('top_up_refund', 'top_up_dispute') THEN m.amount
      ELSE -m.amount END) FILTER (WHERE e.kind <> 'top_up'), 0) AS taken_back
  FROM ledger_audit.entries e CROSS JOIN LATERAL unnest(e.amounts) AS m(amount)
  WHERE e.livemode AND (e.reference LIKE 'top-up:%' OR e.reference LIKE 'top-up-refund:%')
    AND e.kind IN ('top_up', 'top_up_refund', 'top_up_dispute', 'top_up_return',
      'top_up_refund_failed')
  GROUP BY 1, 2
) AS j ON j.id = t.id AND j.account_id = t.account_id
WHERE coalesce(t.credited, 0) <> coalesce(j.credited, 0)
  OR coalesce(t.taken_back, 0) <> coalesce(j.taken_back, 0)
  OR coalesce(j.taken_back, 0) > coalesce(j.credited, 0);

-- What one call adds to the sums. A charge is allocated to the parts of its hold in order: each
-- part is charged the amount that the earlier parts did not cover.
CREATE VIEW ledger_audit.usage_of_calls AS
SELECT c.request_id, c.account_id, c.livemode, c.day, c.key_id, c.capability, c.opened_at,
  c.state NOT IN ('held', 'unknown') AS has_ended, 1::bigint AS calls,
  (c.state = 'captured')::integer::bigint AS succeeded,
  CASE WHEN c.state = 'captured' AND jsonb_typeof(c.usage -> 'quantity') = 'number'
    THEN floor((c.usage ->> 'quantity')::numeric)::bigint ELSE 0 END AS units,
  coalesce(s.allowance, 0)::bigint AS allowance, coalesce(s.voucher, 0)::bigint AS voucher,
  coalesce(s.cash, 0)::bigint AS cash
FROM ledger_audit.calls c
CROSS JOIN LATERAL (
  SELECT sum(d.due) FILTER (WHERE d.book LIKE 'allowance:%') AS allowance,
    sum(d.due) FILTER (WHERE d.book LIKE 'voucher:%') AS voucher,
    sum(d.due) FILTER (WHERE d.book = 'cash') AS cash
  FROM (
    SELECT p.book, greatest(least(p.part, c.captured
      - sum(p.part) OVER (ORDER BY p.place) + p.part), 0) AS due
    FROM unnest(c.books, c.parts) WITH ORDINALITY AS p(book, part, place)
    WHERE c.captured > 0
  ) AS d
) AS s;

-- The sums at the checkpoint, the calls that were running then, and those authorized later.
CREATE VIEW ledger_audit.usage_is_the_calls AS
SELECT format('%s of key %s of %s (livemode %s) on %s', coalesce(u.capability, c.capability),
    coalesce(u.key_id, c.key_id), coalesce(u.account_id, c.account_id),
    coalesce(u.livemode, c.livemode), coalesce(u.day, c.day)) AS subject,
  format('summed %s, the calls say %s', u.sums, c.sums) AS detail
FROM (
  SELECT account_id, livemode, day, key_id, capability,
    ARRAY[calls, succeeded, units, allowance, voucher, cash]::numeric[] AS sums
  FROM usage_days WHERE day >= ledger_audit.usage_first_day()
) AS u
FULL JOIN (
  SELECT x.account_id, x.livemode, x.day, x.key_id, x.capability,
    ARRAY[sum(x.sums[1]), sum(x.sums[2]), sum(x.sums[3]), sum(x.sums[4]), sum(x.sums[5]),
      sum(x.sums[6])] AS sums
  FROM (
    SELECT account_id, livemode, day, key_id, capability, sums FROM checkpoint_usage
    WHERE checkpoint = ledger_audit.checkpoint()
    UNION ALL
    SELECT o.account_id, o.livemode, o.day, o.key_id, o.capability, ARRAY[o.calls, o.succeeded,
      o.units, o.allowance, o.voucher, o.cash]
    FROM ledger_audit.usage_of_calls o
    WHERE o.opened_at < (SELECT p.through FROM usage_progress p)
      AND o.opened_at >= ledger_audit.usage_since()
      AND NOT EXISTS (SELECT FROM usage_running r WHERE r.request_id = o.request_id)
    UNION ALL
    SELECT o.account_id, o.livemode, o.day, o.key_id, o.capability, ARRAY[o.calls, o.succeeded,
      o.units, o.allowance, o.voucher, o.cash]
    FROM ledger_checkpoints k
    CROSS JOIN LATERAL unnest(k.usage_running) AS w(request_id)
    JOIN ledger_audit.usage_of_calls o ON o.request_id = w.request_id
    WHERE k.number = ledger_audit.checkpoint()
      AND NOT EXISTS (SELECT FROM usage_running r WHERE r.request_id = o.request_id)
  ) AS x GROUP BY 1, 2, 3, 4, 5
) AS c USING (account_id, livemode, day, key_id, capability)
WHERE u.sums IS DISTINCT FROM c.sums;
