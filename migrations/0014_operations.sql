-- What operators of the gateway set while it runs, and what they are shown of it.

-- Price lists after the one that is shipped, which is version 1 and stands in the code. A list is
-- never changed: another one begins later. One that has not begun can be called off.
CREATE TABLE price_versions (
  version      integer PRIMARY KEY CHECK (version > 1),
  starts_at    timestamptz NOT NULL,
  made_at      timestamptz NOT NULL,
  actor        text NOT NULL,
  reason       text NOT NULL,
  withdrawn_at timestamptz CHECK (withdrawn_at < starts_at)
);
CREATE UNIQUE INDEX price_versions_start ON price_versions (starts_at) WHERE withdrawn_at IS NULL;

-- Micro-fen for one call, or for one started second.
CREATE TABLE price_figures (
  version integer NOT NULL REFERENCES price_versions,
  sku     text COLLATE "C" NOT NULL,
  amount  bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (version, sku)
);

CREATE FUNCTION prices_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'price_versions' THEN
    IF OLD.withdrawn_at IS NULL AND to_jsonb(NEW) - 'withdrawn_at' = to_jsonb(OLD) - 'withdrawn_at'
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'price lists are append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;
CREATE TRIGGER price_versions_append_only BEFORE UPDATE OR DELETE ON price_versions
  FOR EACH ROW EXECUTE FUNCTION prices_refuse_change();
CREATE TRIGGER price_figures_append_only BEFORE UPDATE OR DELETE ON price_figures
  FOR EACH ROW EXECUTE FUNCTION prices_refuse_change();

-- What an operator has switched off: a capability, or a provider wherever it is asked.
CREATE TABLE switches (
  kind    text NOT NULL CHECK (kind IN ('capability', 'provider')),
  name    text COLLATE "C" NOT NULL,
  is_off  boolean NOT NULL,
  version integer NOT NULL,
  reason  text NOT NULL,
  actor   text NOT NULL,
  at      timestamptz NOT NULL,
  PRIMARY KEY (kind, name)
);

-- How often a key may call, other than the installation's own rate: of one key, or of every key of
-- an account. `subject` is the id of either.
CREATE TABLE key_rates (
  subject    text COLLATE "C" PRIMARY KEY,
  per_second integer NOT NULL CHECK (per_second > 0),
  burst      integer NOT NULL CHECK (burst > 0)
);

-- The most free allowance that all accounts together are given on one day; no row, or null: no end.
CREATE TABLE allowance_cap (
  only_row boolean PRIMARY KEY CHECK (only_row),
  amount   bigint CHECK (amount >= 0),
  version  integer NOT NULL,
  actor    text NOT NULL,
  at       timestamptz NOT NULL
);

-- What was given on a day that has a cap: counted by `ledger_allowance` alone.
CREATE TABLE allowance_days (
  day   text COLLATE "C" PRIMARY KEY,
  given bigint NOT NULL
);

-- How much of the wish for a day's allowance is given: all of it, or, once it would go over the
-- cap, nothing. Wallets are locked before this row, always, so nobody waits in a circle; while
-- there is no cap nothing is locked, and once the day is full nothing is either.
CREATE FUNCTION ledger_allowance(
  p_live boolean, p_day text, p_day_ends timestamptz, p_wish bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_cap bigint;
BEGIN
  IF NOT p_live OR p_wish = 0 THEN RETURN p_wish; END IF;
  SELECT c.amount INTO v_cap FROM allowance_cap c;
  IF v_cap IS NULL THEN RETURN p_wish; END IF;
  -- The first one of a day since the cap was set counts what was given until then.
  IF NOT EXISTS (SELECT FROM allowance_days d WHERE d.day = p_day) THEN
    INSERT INTO allowance_days (day, given)
    SELECT p_day, coalesce(sum(b.issued), 0) FROM books b
    WHERE b.expires_at = p_day_ends AND b.livemode AND b.name = 'allowance:' || p_day
    ON CONFLICT DO NOTHING;
  END IF;
  IF EXISTS (SELECT FROM allowance_days d WHERE d.day = p_day AND d.given + p_wish > v_cap) THEN
    RETURN 0;
  END IF;
  UPDATE allowance_days d SET given = d.given + p_wish
  WHERE d.day = p_day AND d.given + p_wish <= v_cap;
  RETURN CASE WHEN FOUND THEN p_wish ELSE 0 END;
END $$;

-- The cap was changed: what was given today is counted anew, and days that are over are forgotten.
CREATE FUNCTION ledger_recount_allowance() RETURNS void LANGUAGE sql AS $$
  DELETE FROM allowance_days
$$;

-- The day of a wallet, as in 0005, with as much allowance as is given.
CREATE OR REPLACE FUNCTION ledger_begin_day(
  p_account text, p_live boolean, p_now timestamptz, p_day text, p_day_ends timestamptz,
  p_allowance bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_voucher text := 'voucher:test-' || p_day;
  v_allowance bigint;
  v_cash bigint;
BEGIN
  UPDATE wallets SET begun = p_day WHERE account_id = p_account AND livemode = p_live;
  PERFORM ledger_expire(p_account, p_live, p_now);
  v_allowance := ledger_allowance(p_live, p_day, p_day_ends, p_allowance);
  PERFORM ledger_book(p_account, p_live, 'allowance:' || p_day, p_day_ends, p_now, NULL,
    v_allowance);
  IF v_allowance > 0 THEN
    PERFORM ledger_post(p_account, p_live, 'allowance', NULL, p_now, ARRAY['promotions'],
      ARRAY['allowance:' || p_day], ARRAY[v_allowance], 'allowance:' || p_day, NULL, NULL);
  END IF;
  IF p_live THEN RETURN; END IF;
  PERFORM ledger_book(p_account, p_live, v_voucher, p_day_ends, p_now, 'Test voucher',
    1000000000);
  PERFORM ledger_post(p_account, p_live, 'sandbox', NULL, p_now, ARRAY['promotions'],
    ARRAY[v_voucher], ARRAY[1000000000], NULL, NULL, NULL);
  SELECT coalesce(sum(b.available), 0) - 10000000000 INTO v_cash FROM books b
  WHERE b.account_id = p_account AND b.livemode = p_live AND b.name = 'cash';
  IF v_cash < 0 THEN
    PERFORM ledger_post(p_account, p_live, 'sandbox', NULL, p_now, ARRAY['promotions'],
      ARRAY['cash'], ARRAY[-v_cash], NULL, NULL, NULL);
  ELSIF v_cash > 0 THEN
    PERFORM ledger_post(p_account, p_live, 'sandbox', NULL, p_now, ARRAY['cash'],
      ARRAY['promotions'], ARRAY[v_cash], NULL, NULL, NULL);
  END IF;
END $$;

-- One look at all eleven invariants: asked for by an operator or due by itself, and what was found.
CREATE TABLE ledger_proofs (
  id          text COLLATE "C" PRIMARY KEY,
  asked_at    timestamptz NOT NULL,
  -- Null: it was due.
  asked_by    text,
  started_at  timestamptz,
  -- When it last told how far it is; one that is silent has died with its process.
  told_at     timestamptz,
  finished_at timestamptz,
  -- Of the journal, when it began.
  entries     bigint,
  sealed      bigint,
  -- `[{ name, broken, sample, ms }]`, as far as it has come.
  results     jsonb NOT NULL
);
CREATE INDEX ledger_proofs_newest ON ledger_proofs (asked_at DESC, id DESC);

-- Sums that a process shows when it is measured: counted once a minute from what was sealed since.
CREATE TABLE ledger_figures (
  only_row           boolean PRIMARY KEY CHECK (only_row),
  at                 timestamptz NOT NULL,
  -- Up to which entry of the journal the sums go.
  through            bigint NOT NULL,
  entries            bigint NOT NULL,
  unsealed           bigint NOT NULL,
  captured_allowance bigint NOT NULL,
  captured_voucher   bigint NOT NULL,
  captured_cash      bigint NOT NULL,
  -- Of calls that run for at least so many minutes: `{ "1": 3, … }`; null: it took too long to say.
  holds              jsonb,
  -- By status.
  jobs               jsonb NOT NULL
);

-- What chat calls of days long over used: a row per day (Asia/Shanghai), key and model.
CREATE TABLE relay_usage_days (
  day               text COLLATE "C" NOT NULL,
  key_id            text COLLATE "C" NOT NULL,
  model             text COLLATE "C" NOT NULL,
  account_id        text COLLATE "C" NOT NULL,
  livemode          boolean NOT NULL,
  calls             bigint NOT NULL,
  completed         bigint NOT NULL,
  estimated         bigint NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  duration_ms       bigint NOT NULL,
  PRIMARY KEY (day, key_id, model)
);
CREATE INDEX relay_usage_days_of_account ON relay_usage_days (account_id, livemode, day);
CREATE INDEX relay_usage_by_time ON relay_usage USING brin (started_at);

-- How each provider did, as the node that asks it saw it last.
CREATE TABLE provider_health (
  node            text COLLATE "C" NOT NULL,
  capability      text COLLATE "C" NOT NULL,
  provider        text COLLATE "C" NOT NULL,
  circuit         text NOT NULL,
  calls           bigint NOT NULL,
  failures        bigint NOT NULL,
  latency_ms      integer,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  at              timestamptz NOT NULL,
  PRIMARY KEY (node, capability, provider)
);

-- Invariant 9, as in 0005, and besides: what was held is what its version of the prices says.
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
FROM calls WHERE state = 'captured' AND sku IS NOT NULL
  AND captured * quantity IS DISTINCT FROM amount * (usage ->> 'quantity')::numeric
UNION ALL
SELECT format('price %s of %s', price_version, sku),
  format('from %s to %s per unit', min(amount::numeric / quantity), max(amount::numeric / quantity))
FROM calls WHERE sku IS NOT NULL AND quantity > 0 GROUP BY sku, price_version, unit
HAVING min(amount::numeric / quantity) <> max(amount::numeric / quantity)
UNION ALL
SELECT 'call ' || c.request_id, format('held %s for %s of %s, which cost %s each by version %s',
    c.amount, c.quantity, c.sku, f.amount, c.price_version)
FROM calls c JOIN price_figures f ON f.version = c.price_version AND f.sku = c.sku
WHERE c.amount <> f.amount * c.quantity;
