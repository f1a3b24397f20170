-- Checkpoints of the ledger. A checkpoint is the state of all balances at the end of a seal. It is
-- made after an audit without violations, and the next audit starts there. The time of an audit
-- therefore follows the new entries and calls, not the size of the journal.

CREATE TABLE ledger_checkpoints (
  number bigint PRIMARY KEY,
  seal bigint NOT NULL,
  -- The last entry of the seal.
  last_seq bigint NOT NULL,
  -- Every call that was authorized later than this instant has all its entries after `last_seq`.
  opened_since timestamptz NOT NULL,
  -- `usage_progress.through` at the checkpoint, and the content of `usage_running`.
  usage_through timestamptz NOT NULL,
  usage_running text[] NOT NULL,
  -- The first day of `checkpoint_usage`.
  usage_first_day text COLLATE "C" NOT NULL,
  -- Of the checkpoint before it, of the seal, and of its balances and sums of usage.
  hash bytea NOT NULL,
  made_at timestamptz NOT NULL
);
CREATE TRIGGER ledger_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE
  ON ledger_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

-- Balances that are not zero, those of the last two checkpoints. A held balance has one row per
-- running call. The hash of the checkpoint covers the rows, so they may be deleted, never changed.
CREATE TABLE checkpoint_balances (
  checkpoint bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  book       text NOT NULL,
  request_id text COLLATE "C",
  amount     bigint NOT NULL
);
CREATE INDEX checkpoint_balances_of
  ON checkpoint_balances (checkpoint, account_id, livemode, book);

-- Sums of usage at the last two checkpoints: the days to which a later call can be added.
CREATE TABLE checkpoint_usage (
  checkpoint bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  day        text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  capability text COLLATE "C" NOT NULL,
  sums       numeric[] NOT NULL
);
CREATE INDEX checkpoint_usage_of ON checkpoint_usage (checkpoint);

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

-- Postings after the start. The balances of the checkpoint are postings at the start: `opening`,
-- and `reserve` for each running call.
CREATE OR REPLACE VIEW ledger_audit.postings AS
SELECT e.seq, e.account_id, e.livemode, e.kind, m.request_id, e.at, m.line, p.book, p.amount
FROM entries e
CROSS JOIN LATERAL unnest(e.sources, e.targets, e.amounts, e.requests) WITH ORDINALITY
  AS m(source, target, amount, request_id, line)
CROSS JOIN LATERAL (VALUES (m.source, -m.amount), (m.target, m.amount)) AS p(book, amount)
WHERE p.book IS NOT NULL AND p.amount IS NOT NULL AND e.seq > ledger_audit.start_seq()
UNION ALL
SELECT ledger_audit.start_seq(), b.account_id, b.livemode,
  CASE WHEN b.request_id IS NULL THEN 'opening' ELSE 'reserve' END, b.request_id COLLATE "default",
  NULL, 0, b.book, b.amount
FROM checkpoint_balances b WHERE b.checkpoint = ledger_audit.checkpoint();

-- Calls with entries after the start, calls that were running then, and calls authorized later.
CREATE VIEW ledger_audit.calls_since_start AS
SELECT c.* FROM calls c WHERE c.opened_at > ledger_audit.opened_since()
UNION ALL
SELECT c.* FROM ledger_audit.requests r JOIN calls c ON c.request_id = r.request_id
WHERE c.opened_at <= ledger_audit.opened_since() AND ledger_audit.start_seq() > 0;

CREATE OR REPLACE VIEW ledger_audit.balanced AS
SELECT 'entry ' || e.seq AS subject,
  format('%s postings with the sum %s', s.postings, s.total) AS detail
FROM entries e
CROSS JOIN LATERAL (
  SELECT count(*) AS postings, coalesce(sum(p.amount), 0) AS total
  FROM unnest(e.sources, e.targets, e.amounts) AS m(source, target, amount)
  CROSS JOIN LATERAL (VALUES (m.source, -m.amount), (m.target, m.amount)) AS p(book, amount)
  WHERE p.book IS NOT NULL AND p.amount IS NOT NULL
) AS s
WHERE e.seq > ledger_audit.start_seq() AND (s.postings < 2 OR s.total <> 0);

CREATE OR REPLACE VIEW ledger_audit.captured_once_per_key AS
SELECT format('key %s of %s (livemode %s)', c.idempotency_key, c.account_id, c.livemode) AS subject,
  format('captured by %s', string_agg(DISTINCT c.request_id, ', ')) AS detail
FROM ledger_audit.calls_since_start s
JOIN calls c ON c.idempotency_key = s.idempotency_key AND c.account_id = s.account_id
  AND c.livemode = s.livemode
WHERE s.state = 'captured' AND c.state = 'captured'
GROUP BY c.account_id, c.livemode, c.idempotency_key HAVING count(DISTINCT c.request_id) > 1;

CREATE OR REPLACE VIEW ledger_audit.allocations_are_the_charge AS
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

-- Replays every wallet from its opening balances: when money was drawn from a balance, those before
-- it had to be empty. Balances without postings are empty throughout.
CREATE OR REPLACE FUNCTION ledger_audit.spending_out_of_order()
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
  FOR r IN SELECT * FROM entries e WHERE e.seq > ledger_audit.start_seq()
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

CREATE OR REPLACE VIEW ledger_audit.charged_what_was_answered AS
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
WHERE NOT EXISTS (SELECT FROM calls c WHERE c.request_id = r.request_id
  AND c.account_id = r.account_id AND c.livemode = r.livemode);

CREATE OR REPLACE VIEW ledger_audit.revenue_is_price_times_quantity AS
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

CREATE OR REPLACE VIEW ledger_audit.allowance_within_its_day AS
SELECT format('%s of %s (livemode %s)', p.book, p.account_id, p.livemode) AS subject,
  format('%s were given', sum(p.amount)) AS detail
FROM (
  SELECT account_id, livemode, book, amount FROM ledger_audit.postings
  WHERE kind = 'allowance' AND book LIKE 'allowance:%'
  UNION ALL
  SELECT e.account_id, e.livemode, e.targets[1], e.amounts[1]
  FROM (
    SELECT DISTINCT account_id, livemode, targets[1] AS book FROM entries
    WHERE kind = 'allowance' AND seq > ledger_audit.start_seq() AND ledger_audit.start_seq() > 0
  ) AS n
  JOIN entries e ON e.kind = 'allowance' AND e.account_id = n.account_id
    AND e.livemode = n.livemode AND e.targets[1] = n.book AND e.seq <= ledger_audit.start_seq()
) AS p
GROUP BY p.account_id, p.livemode, p.book HAVING sum(p.amount) > 200000000;

-- The hash of a checkpoint: earlier hashes, then its balances and sums of usage in one order.
CREATE FUNCTION ledger_checkpoint_hash(p_number bigint, p_seal bigint)
RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(
    coalesce((SELECT hash FROM ledger_checkpoints WHERE number = p_number - 1), '')
    || coalesce((SELECT hash FROM seals WHERE number = p_seal), '')
    || convert_to(coalesce((
      SELECT string_agg(jsonb_build_array(b.account_id, b.livemode, b.book, b.request_id,
        b.amount)::text, E'\n' ORDER BY b.account_id, b.livemode, b.book COLLATE "C",
          b.request_id)
      FROM checkpoint_balances b WHERE b.checkpoint = p_number), ''), 'UTF8')
    || convert_to(coalesce((
      SELECT string_agg(jsonb_build_array(u.account_id, u.livemode, u.day, u.key_id, u.capability,
        u.sums)::text, E'\n' ORDER BY u.account_id, u.livemode, u.day, u.key_id, u.capability)
      FROM checkpoint_usage u WHERE u.checkpoint = p_number), ''), 'UTF8'))
$$;

-- The balances at an entry, by a replay of the entries after `p_after` from a checkpoint.
CREATE FUNCTION ledger_balances_at(p_checkpoint bigint, p_after bigint, p_last bigint)
RETURNS TABLE (account_id text, livemode boolean, book text, request_id text, amount bigint)
LANGUAGE sql STABLE AS $$
  SELECT x.account_id, x.livemode, x.book, x.request_id, sum(x.amount)::bigint
  FROM (
    SELECT e.account_id, e.livemode, p.book,
      CASE WHEN p.book LIKE 'held:%' THEN m.request_id END AS request_id, p.amount
    FROM entries e
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

-- Seals after the start, and the checkpoint itself. A full replay compares the balances of the
-- latest checkpoint with the journal.
CREATE OR REPLACE VIEW ledger_audit.chain_intact AS
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
  OR t.entries <> (SELECT count(*) FROM entries e WHERE e.seq BETWEEN t.first_seq AND t.last_seq)
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

CREATE OR REPLACE VIEW ledger_audit.refunds_within_the_charge AS
SELECT 'call ' || coalesce(r.request_id, 'without a name') AS subject,
  format('charged %s, of it %s in cash; given back %s, of it %s in cash', coalesce(c.captured, 0),
    coalesce(ledger_cash_share(c), 0), r.amount, r.cash) AS detail
FROM (
  SELECT e.account_id, e.livemode, m.request_id, sum(m.amount) AS amount,
    coalesce(sum(m.amount) FILTER (WHERE m.target = 'cash'), 0) AS cash,
    coalesce(sum(m.amount) FILTER (WHERE m.target = 'cash' AND e.reference LIKE 'refund:%:%'), 0)
      AS cash_in_parts
  FROM (
    SELECT * FROM entries WHERE kind = 'refund' AND seq > ledger_audit.start_seq()
    UNION ALL
    SELECT o.* FROM (
      SELECT DISTINCT requests[1] AS request_id FROM entries
      WHERE kind = 'refund' AND seq > ledger_audit.start_seq() AND ledger_audit.start_seq() > 0
    ) AS n
    JOIN entries o ON o.kind = 'refund' AND o.requests[1] = n.request_id
      AND o.seq <= ledger_audit.start_seq()
  ) AS e
  CROSS JOIN LATERAL unnest(e.targets, e.amounts, e.requests) AS m(target, amount, request_id)
  GROUP BY 1, 2, 3
) AS r
LEFT JOIN calls c ON c.request_id = r.request_id AND c.account_id = r.account_id
  AND c.livemode = r.livemode
WHERE c.request_id IS NULL OR r.amount > coalesce(c.captured, 0)
  OR r.cash_in_parts > ledger_cash_share(c);

-- The sums at the checkpoint, the calls that were running then, and those authorized later.
CREATE OR REPLACE VIEW ledger_audit.usage_is_the_calls AS
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

-- Makes a checkpoint at a seal, and deletes the balances of all but this one and the one before it.
-- Returns its number, or null: the seal has no entries after the last checkpoint.
CREATE FUNCTION ledger_checkpoint(p_now timestamptz, p_seal bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  k ledger_checkpoints;
  v_number bigint;
  v_last bigint;
  v_through timestamptz;
  v_running text[];
  v_day text;
BEGIN
  LOCK TABLE ledger_checkpoints IN EXCLUSIVE MODE;
  SELECT * INTO k FROM ledger_checkpoints ORDER BY number DESC LIMIT 1;
  SELECT last_seq INTO v_last FROM seals WHERE number = p_seal;
  IF v_last IS NULL OR v_last <= coalesce(k.last_seq, 0) THEN RETURN NULL; END IF;
  v_number := coalesce(k.number, 0) + 1;
  INSERT INTO checkpoint_balances (checkpoint, account_id, livemode, book, request_id, amount)
  SELECT v_number, b.* FROM ledger_balances_at(k.number, coalesce(k.last_seq, 0), v_last) AS b;
  -- The sums of usage change under the lock of this row only.
  SELECT through INTO v_through FROM usage_progress FOR SHARE;
  v_through := coalesce(v_through, '-infinity');
  SELECT coalesce(array_agg(r.request_id ORDER BY r.request_id), '{}'), min(c.day)
  INTO v_running, v_day
  FROM usage_running r LEFT JOIN calls c ON c.request_id = r.request_id;
  v_day := CASE WHEN v_through = '-infinity' THEN ''
    ELSE least(v_day, to_char(v_through AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD')) END;
  INSERT INTO checkpoint_usage (checkpoint, account_id, livemode, day, key_id, capability, sums)
  SELECT v_number, u.account_id, u.livemode, u.day, u.key_id, u.capability,
    ARRAY[u.calls, u.succeeded, u.units, u.allowance, u.voucher, u.cash]
  FROM usage_days u WHERE u.day >= v_day;
  INSERT INTO ledger_checkpoints (number, seal, last_seq, opened_since, usage_through,
    usage_first_day, usage_running, hash, made_at)
  SELECT v_number, p_seal, v_last, greatest(p_now, (
      SELECT max(c.opened_at) FROM calls c WHERE c.opened_at > p_now
    )), v_through, v_day, v_running, ledger_checkpoint_hash(v_number, p_seal), p_now;
  DELETE FROM checkpoint_balances WHERE checkpoint < v_number - 1;
  DELETE FROM checkpoint_usage WHERE checkpoint < v_number - 1;
  RETURN v_number;
END $$;
