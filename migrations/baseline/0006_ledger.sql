-- The ledger: balances, journal, calls, top-ups, vouchers and prices. Only functions of this file
-- write balances, entries and calls. Each is one statement for its caller: it locks the wallets in
-- order of their ids, reads what is committed by then, and posts. Amounts are micro-fen.

-- The lock of each wallet, with its counters of calls. `begun`: the day that was started last.
-- `front`: the first balance in spending order with money left, since `front_since`.
CREATE TABLE wallets (
  account_id  text COLLATE "C" NOT NULL,
  livemode    boolean NOT NULL,
  day         text COLLATE "C" NOT NULL,
  day_calls   integer NOT NULL,
  month       text COLLATE "C" NOT NULL,
  month_calls integer NOT NULL,
  begun       text COLLATE "C" NOT NULL DEFAULT '',
  front       text COLLATE "C",
  front_since timestamptz,
  PRIMARY KEY (account_id, livemode)
) WITH (fillfactor = 50);

-- The balances: a cache of the journal, changed in the statement that writes an entry. `held` is
-- the held part (`held:cash` in the journal). Each wallet has platform balances of its own, so that
-- no wallet waits for another; the platform's balance is their sum. Kinds: allowance, voucher,
-- cash, platform. Only a platform balance may be negative, and it has no expiry; that of cash is
-- infinity. One CHECK is enough, because each statement that writes parses every CHECK.
CREATE TABLE books (
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  name       text COLLATE "C" NOT NULL,
  kind       text NOT NULL,
  available  bigint NOT NULL,
  held       bigint NOT NULL,
  issued     bigint NOT NULL,
  label      text,
  expires_at timestamptz,
  opened_at  timestamptz NOT NULL,
  PRIMARY KEY (account_id, livemode, name),
  CONSTRAINT books_covered CHECK (held >= 0 AND ((available >= 0) OR expires_at IS NULL))
) WITH (fillfactor = 50);
CREATE INDEX books_expiring ON books (expires_at);
CREATE INDEX books_of_wallet ON books (account_id, livemode, expires_at)
  WHERE expires_at IS NOT NULL;

-- The spending of a key (held or captured) in its current periods.
CREATE TABLE key_spending (
  account_id  text COLLATE "C" NOT NULL,
  livemode    boolean NOT NULL,
  key_id      text COLLATE "C" NOT NULL,
  day         text COLLATE "C" NOT NULL,
  day_spent   bigint NOT NULL,
  month       text COLLATE "C" NOT NULL,
  month_spent bigint NOT NULL,
  total_spent bigint NOT NULL,
  PRIMARY KEY (account_id, livemode, key_id)
) WITH (fillfactor = 50);

CREATE SEQUENCE entries_seq;

-- The journal. An entry is a list of moves between balances. Each move is two postings (see
-- `ledger_audit.postings`), so an entry sums to zero. The reserves of one batch and wallet are one
-- entry, and so are its captures; `requests` names the call of each move. `seq` follows the order
-- of commits within a wallet, because it is drawn under the wallet's lock. Arrays stay in the page
-- uncompressed: compression cost more than all other work.
CREATE TABLE entries (
  seq        bigint NOT NULL DEFAULT nextval('entries_seq'::regclass),
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  -- top_up, credit, allowance, voucher, goodwill, sandbox, expiry, refund; of calls: reserve,
  -- remeasure, capture, release.
  kind       text NOT NULL,
  at         timestamptz NOT NULL,
  sources    text[] NOT NULL,
  targets    text[] NOT NULL,
  amounts    bigint[] NOT NULL,
  requests   text[],
  reference  text COLLATE "C",
  reason     text,
  actor      text,
  CONSTRAINT entries_moves CHECK (0 < ALL (amounts))
) PARTITION BY RANGE (at);
ALTER TABLE entries
  ALTER sources SET STORAGE EXTERNAL,
  ALTER targets SET STORAGE EXTERNAL,
  ALTER amounts SET STORAGE EXTERNAL,
  ALTER requests SET STORAGE EXTERNAL;
CREATE TABLE partitions.entries_other (
  LIKE entries INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING CONSTRAINTS, PRIMARY KEY (seq)
) WITH (toast_tuple_target = 8160);
CREATE INDEX ON partitions.entries_other (account_id, livemode, seq)
  WHERE kind NOT IN ('reserve', 'remeasure', 'capture', 'release');
CREATE INDEX ON partitions.entries_other (account_id, livemode, reference)
  WHERE reference IS NOT NULL;
CREATE INDEX ON partitions.entries_other (account_id, livemode, (targets[1]))
  WHERE kind = 'allowance';
CREATE INDEX ON partitions.entries_other ((requests[1])) WHERE kind = 'refund';
CREATE INDEX ON partitions.entries_other (reference) WHERE kind IN
  ('top_up', 'top_up_refund', 'top_up_dispute', 'top_up_return', 'top_up_refund_failed');
ALTER TABLE entries ATTACH PARTITION partitions.entries_other DEFAULT;

-- The hash chain. A seal covers the entries of a range of `seq` and the seal before it.
CREATE TABLE seals (
  number    bigint PRIMARY KEY,
  first_seq bigint NOT NULL,
  last_seq  bigint NOT NULL,
  entries   integer NOT NULL,
  hash      bytea NOT NULL,
  sealed_at timestamptz NOT NULL
);

CREATE TABLE ledger_checkpoints (
  number          bigint PRIMARY KEY,
  seal            bigint NOT NULL,
  -- The last entry of the seal.
  last_seq        bigint NOT NULL,
  -- Every call that was authorized later than this instant has all its entries after `last_seq`.
  opened_since    timestamptz NOT NULL,
  -- `usage_progress.through` at the checkpoint, and the content of `usage_running`.
  usage_through   timestamptz NOT NULL,
  usage_running   text[] NOT NULL,
  -- The first day of `checkpoint_usage`.
  usage_first_day text COLLATE "C" NOT NULL,
  -- Of the checkpoint before it, of the seal, and of its balances and sums of usage.
  hash            bytea NOT NULL,
  made_at         timestamptz NOT NULL
);

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
CREATE INDEX checkpoint_balances_of ON checkpoint_balances (checkpoint, account_id, livemode, book);

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

-- Calls by their id, which begins with their time. Each partition has its own indexes, like those
-- of the partition `<table>_other`. That one has rows of no month: a clock was wrong, or the worker
-- had not made the month yet.
CREATE TABLE calls (
  request_id      text COLLATE "C" NOT NULL,
  account_id      text COLLATE "C" NOT NULL,
  livemode        boolean NOT NULL,
  key_id          text COLLATE "C" NOT NULL,
  capability      text NOT NULL,
  sku             text,
  price_version   integer NOT NULL,
  unit            text NOT NULL,
  quantity        bigint NOT NULL,
  amount          bigint NOT NULL,
  max_charge      bigint,
  budget          bigint,
  budget_period   text,
  books           text[] NOT NULL,
  parts           bigint[] NOT NULL,
  idempotency_key text COLLATE "C",
  -- The idempotency key of a failed call. Another call may use it.
  freed_key       text COLLATE "C",
  fingerprint     text COLLATE "C",
  -- held, unknown, captured, released, expired.
  state           text NOT NULL,
  day             text COLLATE "C" NOT NULL,
  opened_at       timestamptz NOT NULL,
  deadline_at     timestamptz NOT NULL,
  completed_at    timestamptz,
  captured        bigint,
  status          integer,
  code            text,
  usage           jsonb
) PARTITION BY RANGE (request_id);
CREATE TABLE partitions.calls_other (LIKE calls INCLUDING DEFAULTS, PRIMARY KEY (request_id))
  WITH (fillfactor = 45);
-- The index does not contain the id as a key: on an empty partition a look-up by id could use it,
-- and keep that plan.
CREATE INDEX ON partitions.calls_other (account_id, livemode, opened_at) INCLUDE (request_id);
CREATE INDEX ON partitions.calls_other USING brin (opened_at);
ALTER TABLE calls ATTACH PARTITION partitions.calls_other DEFAULT;

-- Sums of calls by day. `units`: billed units of successful calls. Amounts in micro-fen.
CREATE TABLE usage_days (
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  day        text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  capability text COLLATE "C" NOT NULL,
  calls      bigint NOT NULL,
  succeeded  bigint NOT NULL,
  units      bigint NOT NULL,
  allowance  bigint NOT NULL,
  voucher    bigint NOT NULL,
  cash       bigint NOT NULL,
  PRIMARY KEY (account_id, livemode, day, key_id, capability)
) WITH (fillfactor = 70);
CREATE INDEX usage_days_by_day ON usage_days (day);

-- Calls that were authorized before `through` are in `usage_days`, except for those in
-- `usage_running`.
CREATE TABLE usage_progress (
  only_row boolean PRIMARY KEY CHECK (only_row),
  through  timestamptz NOT NULL
);

CREATE TABLE usage_running (
  request_id text COLLATE "C" PRIMARY KEY
);

-- Idempotency keys, unique over all months. The row of a call in a retired month stays.
CREATE TABLE idempotency_keys (
  idempotency_key text COLLATE "C" NOT NULL,
  account_id      text COLLATE "C" NOT NULL,
  livemode        boolean NOT NULL,
  request_id      text COLLATE "C" NOT NULL,
  PRIMARY KEY (idempotency_key, account_id, livemode)
);

-- References of entries, unique over all months.
CREATE TABLE entry_references (
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  reference  text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, livemode, reference)
);

-- Deadlines of holds, by the instant of authorization. Recovery reads them. A row whose calls all
-- ended is deleted at its time.
CREATE TABLE deadlines (
  account_id  text COLLATE "C" NOT NULL,
  livemode    boolean NOT NULL,
  opened_at   timestamptz NOT NULL,
  deadline_at timestamptz NOT NULL
);
CREATE INDEX deadlines_due ON deadlines (deadline_at);

-- Requests of capability calls, kept as long as their responses. The relay stores none.
CREATE TABLE call_requests (
  request_id  text COLLATE "C" PRIMARY KEY,
  account_id  text COLLATE "C" NOT NULL,
  livemode    boolean NOT NULL,
  -- JSON, without secrets.
  body        text NOT NULL,
  -- A secret was removed, so the request cannot be sent again.
  is_redacted boolean NOT NULL,
  kept_until  timestamptz NOT NULL
);
CREATE INDEX call_requests_kept ON call_requests USING brin (kept_until);
CREATE INDEX call_requests_of_account ON call_requests (account_id);

-- Accounts whose requests are not stored.
CREATE TABLE request_log_off (
  account_id text COLLATE "C" PRIMARY KEY
);

-- Responses of calls for idempotent replays, kept for a day.
CREATE TABLE answers (
  request_id   text COLLATE "C" PRIMARY KEY,
  content_type text NOT NULL,
  body         bytea NOT NULL,
  kept_until   timestamptz NOT NULL
);
CREATE INDEX answers_kept ON answers USING brin (kept_until);

-- Top-ups. An account requests one, pays it at the provider's checkout, and is credited once. The
-- provider's state is stored in the transaction that posts its effect.
CREATE TABLE top_ups (
  id             text COLLATE "C" PRIMARY KEY,
  account_id     text COLLATE "C" NOT NULL,
  -- Micro-fen: the requested amount, which is credited when exactly it was paid.
  amount         bigint NOT NULL CHECK (amount > 0),
  -- begun, open, processing, expired, failed, refused, credited
  state          text NOT NULL,
  -- The provider's session and the address of its checkout; null until the provider responded.
  session_id     text COLLATE "C",
  session_url    text,
  -- Whether the session charges real money.
  provider_live  boolean,
  payment_intent text COLLATE "C",
  -- The reason of a refusal, shown to operators.
  problem        text,
  begun_at       timestamptz NOT NULL,
  looked_at      timestamptz NOT NULL,
  -- The next check at the provider; null: none is due.
  look_at        timestamptz,
  credited_at    timestamptz,
  -- The amount that the provider refunded, and the amount of it that the wallet could return.
  refunded       bigint NOT NULL DEFAULT 0,
  taken_back     bigint NOT NULL DEFAULT 0,
  disputed       bigint NOT NULL DEFAULT 0,
  forgiven       bigint NOT NULL DEFAULT 0,
  moves          integer NOT NULL DEFAULT 0,
  owed           bigint GENERATED ALWAYS AS (((LEAST(amount,
      (refunded + disputed)) - taken_back) - forgiven)) STORED NOT NULL,
  UNIQUE (session_id),
  CONSTRAINT top_ups_owed CHECK (taken_back >= 0 AND forgiven >= 0 AND owed >= 0)
);
CREATE INDEX top_ups_newest ON top_ups (begun_at, id);
CREATE INDEX top_ups_of_account ON top_ups (account_id, begun_at);
CREATE INDEX top_ups_owed ON top_ups (account_id, id) WHERE owed > 0;
CREATE INDEX top_ups_payment ON top_ups (payment_intent) WHERE payment_intent IS NOT NULL;
CREATE INDEX top_ups_to_look_at ON top_ups (look_at) WHERE look_at IS NOT NULL;

-- Refunds of top-ups at the provider, each in a row of its own. A refund that fails returns the
-- money to the wallet. `rank` grows with the state, so an older state never replaces a newer one.
CREATE TABLE top_up_refunds (
  id        text COLLATE "C" PRIMARY KEY,
  top_up_id text COLLATE "C" NOT NULL REFERENCES top_ups(id),
  -- Micro-fen.
  amount    bigint NOT NULL CHECK (amount >= 0),
  -- requires_action, pending, succeeded, failed, canceled
  status    text NOT NULL,
  rank      integer NOT NULL,
  -- The provider's reason of a failure; null: no failure, or no reason.
  reason    text,
  begun_at  timestamptz NOT NULL
);
CREATE INDEX top_up_refunds_of ON top_up_refunds (top_up_id);

-- Disputes at the provider. `rank` grows with the state, so an older state never replaces a newer
-- one.
CREATE TABLE top_up_disputes (
  id        text COLLATE "C" PRIMARY KEY,
  top_up_id text COLLATE "C" NOT NULL REFERENCES top_ups(id),
  -- Micro-fen.
  amount    bigint NOT NULL CHECK (amount >= 0),
  reason    text NOT NULL,
  -- warning_needs_response, warning_under_review, warning_closed, needs_response, under_review,
  -- won, lost, prevented
  status    text NOT NULL,
  rank      integer NOT NULL,
  -- Whether the bank withholds the money.
  withheld  boolean NOT NULL,
  opened_at timestamptz NOT NULL,
  -- The last time at which the provider accepts evidence; null: it states none.
  answer_by timestamptz
);
CREATE INDEX top_up_disputes_of ON top_up_disputes (top_up_id);

-- Batches of voucher codes with one amount. Codes are stored as hashes.
CREATE TABLE voucher_batches (
  id              text COLLATE "C" PRIMARY KEY,
  name            text COLLATE "C" NOT NULL,
  amount          bigint NOT NULL CHECK (amount > 0),
  count           integer NOT NULL CHECK (count > 0),
  -- The days in which a voucher can be spent after its code was redeemed.
  days_valid      integer NOT NULL CHECK (days_valid > 0),
  redeem_until    timestamptz NOT NULL,
  one_per_account boolean NOT NULL,
  made_at         timestamptz NOT NULL,
  made_by         text NOT NULL,
  withdrawn_at    timestamptz
);

CREATE TABLE voucher_codes (
  hash        bytea PRIMARY KEY,
  batch_id    text COLLATE "C" NOT NULL REFERENCES voucher_batches(id),
  redeemed_by text COLLATE "C",
  redeemed_at timestamptz,
  -- The voucher that the code became.
  voucher_id  text COLLATE "C",
  CONSTRAINT voucher_codes_whole CHECK ((redeemed_by IS NULL) = (voucher_id IS NULL))
);
CREATE INDEX voucher_codes_of_batch ON voucher_codes (batch_id, redeemed_by);

-- The cap of the allowance of all accounts together on a day; no row, or null: no cap.
CREATE TABLE allowance_cap (
  only_row boolean PRIMARY KEY CHECK (only_row),
  amount   bigint CHECK (amount >= 0),
  version  integer NOT NULL,
  actor    text NOT NULL,
  at       timestamptz NOT NULL
);

-- The allowance that was given on a day with a cap. Only `ledger_allowance` writes it.
CREATE TABLE allowance_days (
  day   text COLLATE "C" PRIMARY KEY,
  given bigint NOT NULL
);

-- Price lists after the shipped one, which is version 1 in the code. A list never changes; a later
-- one replaces it. A list that is not valid yet can be canceled.
CREATE TABLE price_versions (
  version       integer PRIMARY KEY CHECK (version > 1),
  starts_at     timestamptz NOT NULL,
  made_at       timestamptz NOT NULL,
  actor         text NOT NULL,
  reason        text NOT NULL,
  withdrawn_at  timestamptz,
  -- The version whose model prices are valid while this list is.
  model_version integer REFERENCES price_versions(version),
  CONSTRAINT price_versions_check CHECK (withdrawn_at < starts_at)
);
CREATE UNIQUE INDEX price_versions_start ON price_versions (starts_at) WHERE withdrawn_at IS NULL;

-- Prices in micro-fen for one call, or for one started second.
CREATE TABLE price_figures (
  version integer NOT NULL REFERENCES price_versions(version),
  sku     text COLLATE "C" NOT NULL,
  amount  bigint NOT NULL CHECK (amount >= 0),
  PRIMARY KEY (version, sku)
);

-- Prices in micro-fen per million tokens; per request for the class `request`.
CREATE TABLE model_prices (
  version     integer NOT NULL REFERENCES price_versions(version),
  model       text COLLATE "C" NOT NULL,
  class       text COLLATE "C" NOT NULL,
  from_tokens bigint NOT NULL CHECK (from_tokens >= 0),
  micro_fen   bigint NOT NULL CHECK (micro_fen >= 0),
  origin      text NOT NULL CHECK (origin IN ('manual', 'import')),
  -- Prices of a service tier; '' for the standard one.
  variant     text COLLATE "C" NOT NULL DEFAULT '',
  PRIMARY KEY (version, model, class, from_tokens, variant)
);

-- Imported prices that an operator has not accepted yet.
CREATE TABLE price_proposals (
  id               text COLLATE "C" PRIMARY KEY,
  made_at          timestamptz NOT NULL,
  sha256           text NOT NULL,
  rate_ppm         bigint NOT NULL,
  margin_ppm       bigint NOT NULL,
  rows             jsonb NOT NULL,
  accepted_version integer REFERENCES price_versions(version)
);

-- Sums for metrics, updated each minute from the entries that were sealed since.
CREATE TABLE ledger_figures (
  only_row           boolean PRIMARY KEY CHECK (only_row),
  at                 timestamptz NOT NULL,
  -- The last entry in the sums.
  through            bigint NOT NULL,
  entries            bigint NOT NULL,
  unsealed           bigint NOT NULL,
  captured_allowance bigint NOT NULL,
  captured_voucher   bigint NOT NULL,
  captured_cash      bigint NOT NULL,
  -- Running calls by their least age in minutes: `{ "1": 3, … }`; null: the count took too long.
  holds              jsonb,
  -- By status.
  jobs               jsonb NOT NULL
);

-- Checks of all invariants, requested by an operator or due, with their results.
CREATE TABLE ledger_proofs (
  id          text COLLATE "C" PRIMARY KEY,
  asked_at    timestamptz NOT NULL,
  -- Null: it was due.
  asked_by    text,
  started_at  timestamptz,
  -- The last report of progress. Without one for a while, the process has ended.
  told_at     timestamptz,
  finished_at timestamptz,
  -- Entries in the journal at the start.
  entries     bigint,
  sealed      bigint,
  -- `[{ name, broken, sample, ms }]` of the invariants that were checked so far.
  results     jsonb NOT NULL
);
CREATE INDEX ledger_proofs_newest ON ledger_proofs (asked_at DESC, id DESC);

CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the journal is append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;

-- Makes missing wallets, then locks all in order of their ids. In this order no holder of a lock
-- waits for a wallet that another transaction makes.
CREATE FUNCTION ledger_lock(p_account text[], p_live boolean[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM unnest(p_account, p_live) AS a(account_id, livemode) WHERE NOT EXISTS (
      SELECT FROM wallets w WHERE w.account_id = a.account_id AND w.livemode = a.livemode)
  ) THEN
    INSERT INTO wallets (account_id, livemode, day, day_calls, month, month_calls)
    SELECT DISTINCT a.account_id, a.livemode, '', 0, '', 0
    FROM unnest(p_account, p_live) AS a(account_id, livemode) ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
  END IF;
  PERFORM FROM wallets w
  WHERE (w.account_id, w.livemode) IN (
    SELECT a.account_id, a.livemode FROM unnest(p_account, p_live) AS a(account_id, livemode))
  ORDER BY w.account_id, w.livemode FOR NO KEY UPDATE;
END $$;

-- Makes a balance of a locked wallet, unless it exists.
CREATE FUNCTION ledger_book(
  p_account text, p_live boolean, p_name text, p_expires timestamptz, p_now timestamptz,
  p_label text, p_issued bigint
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO books (account_id, livemode, name, kind, available, held, issued, label, expires_at,
    opened_at)
  VALUES (p_account, p_live, p_name,
    CASE WHEN p_name = 'cash' THEN 'cash' WHEN p_name LIKE 'voucher:%' THEN 'voucher'
      WHEN p_name LIKE 'allowance:%' THEN 'allowance' ELSE 'platform' END,
    0, 0, p_issued, p_label, p_expires, p_now)
  ON CONFLICT DO NOTHING
$$;

-- Moves the rest of expired balances to `expired`. Returns the number of balances.
CREATE FUNCTION ledger_expire(
  p_account text, p_live boolean, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_count integer := 0;
  r record;
BEGIN
  FOR r IN
    SELECT b.name, b.available FROM books b
    WHERE b.account_id = p_account AND b.livemode = p_live AND b.expires_at <= p_now
      AND b.available > 0
    ORDER BY b.expires_at, b.name
  LOOP
    PERFORM ledger_post(p_account, p_live, 'expiry', NULL, p_now, ARRAY[r.name],
      ARRAY['expired'], ARRAY[r.available], NULL, NULL, NULL);
    v_count := v_count + 1;
  END LOOP;
  RETURN v_count;
END $$;

-- The balances of a wallet in spending order: allowance, vouchers by expiry then age, cash.
CREATE FUNCTION ledger_sources(
  p_account text, p_live boolean, p_now timestamptz, OUT names text[], OUT amounts bigint[]
) LANGUAGE sql STABLE AS $$
  SELECT array_agg(b.name), array_agg(b.available) FROM (
    SELECT s.name, s.available FROM books s
    WHERE s.account_id = p_account AND s.livemode = p_live AND s.expires_at > p_now
    ORDER BY CASE s.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
      s.expires_at, s.opened_at, s.name
  ) AS b
$$;

-- The general path of an authorization: idempotency key, quota, budget, cover, reserve. Requests
-- are grouped by wallet, and no idempotency key occurs twice. The result has one line for each:
--   opened|balances|parts|calls today|calls this month   duplicate|request|status|completed (ms)
--   in_progress|request   reused|request   gone
--   insufficient|required|available   budget|required|available   quota|day or month|today|month
-- `p_again`: the connection was lost before, so the same requests may be in the journal already.
CREATE FUNCTION ledger_open(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_month text, p_allowance bigint,
  p_again boolean, p_request text[], p_account text[], p_live boolean[], p_key text[],
  p_capability text[], p_sku text[], p_price_version integer[], p_unit text[],
  p_quantity bigint[], p_amount bigint[], p_max_charge bigint[], p_budget bigint[],
  p_period text[], p_idempotency text[], p_fingerprint text[], p_day_quota integer[],
  p_month_quota integer[], p_deadline timestamptz[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_answers text[] := array_fill(NULL::text, ARRAY[cardinality(p_request)]);
  -- Per request: literals of the arrays to store; null: not authorized.
  v_books text[] := v_answers;
  v_parts text[] := v_answers;
  v_account text;
  v_live boolean;
  v_day_calls integer;
  v_month_calls integer;
  v_has_sources boolean := false;
  v_names text[];
  v_left bigint[];
  v_available bigint;
  -- The changes to write at the end: of wallets, of balances, of keys.
  w_account text[] := '{}'; w_live boolean[] := '{}'; w_day integer[] := '{}';
  w_month integer[] := '{}'; w integer := 0;
  b_account text[] := '{}'; b_live boolean[] := '{}'; b_name text[] := '{}';
  b_taken bigint[] := '{}'; b_first integer := 1; b integer;
  k_account text[] := '{}'; k_live boolean[] := '{}'; k_key text[] := '{}';
  k_spent bigint[] := '{}'; k_first integer := 1; k integer;
  v_known boolean; v_day_spent bigint; v_month_spent bigint; v_total_spent bigint;
  v_last text; v_last_k integer;
  v_spent bigint;
  v_need bigint;
  v_take bigint;
  v_line text; v_line_parts text;
  s integer;
  r record;
BEGIN
  FOR r IN
    SELECT x.account_id, x.livemode, CASE WHEN x.day = p_day THEN x.day_calls ELSE 0 END AS today,
      CASE WHEN x.month = p_month THEN x.month_calls ELSE 0 END AS this_month
    FROM wallets x WHERE (x.account_id, x.livemode) IN (
      SELECT a.account_id, a.livemode FROM unnest(p_account, p_live) AS a(account_id, livemode))
    ORDER BY x.account_id, x.livemode FOR NO KEY UPDATE
  LOOP
    w := w + 1;
    w_account[w] := r.account_id; w_live[w] := r.livemode;
    w_day[w] := r.today; w_month[w] := r.this_month;
  END LOOP;
  w := 0;
  IF p_again THEN
    FOR r IN
      SELECT t.i, c.state, c.books, c.parts, w.day_calls, w.month_calls
      FROM unnest(p_request) WITH ORDINALITY AS t(request_id, i)
      JOIN calls c ON c.request_id = t.request_id
      JOIN wallets w ON w.account_id = c.account_id AND w.livemode = c.livemode
    LOOP
      v_answers[r.i] := CASE WHEN r.state = 'held' THEN concat_ws('|', 'opened',
        array_to_string(r.books, ','), array_to_string(r.parts, ','), r.day_calls,
        r.month_calls) ELSE 'gone' END;
    END LOOP;
  END IF;
  IF array_remove(p_idempotency, NULL) <> '{}' THEN
    FOR r IN
      SELECT t.i, ledger_taken(c.state, c.fingerprint, t.fingerprint, k.request_id, c.status,
        c.completed_at) AS answer
      FROM unnest(p_account, p_live, p_idempotency, p_fingerprint) WITH ORDINALITY
        AS t(account_id, livemode, key, fingerprint, i)
      JOIN idempotency_keys k ON k.idempotency_key = t.key
        AND k.account_id IS NOT DISTINCT FROM t.account_id
        AND k.livemode IS NOT DISTINCT FROM t.livemode
      LEFT JOIN calls c ON c.request_id = k.request_id
    LOOP
      v_answers[r.i] := coalesce(v_answers[r.i], r.answer);
    END LOOP;
  END IF;

  FOR r IN
    SELECT * FROM unnest(p_account, p_live, p_key, p_amount, p_budget, p_period, p_day_quota,
      p_month_quota) WITH ORDINALITY
      AS t(account_id, livemode, key_id, amount, budget, period, day_quota, month_quota, i)
  LOOP
    IF w = 0 OR r.account_id <> v_account OR r.livemode <> v_live THEN
      v_account := r.account_id;
      v_live := r.livemode;
      v_has_sources := false;
      v_last := NULL;
      k_first := cardinality(k_key) + 1;
      w := w + 1;
      IF w_account[w] IS DISTINCT FROM v_account OR w_live[w] IS DISTINCT FROM v_live THEN
        -- A new wallet is made, and all conditions are checked again.
        PERFORM ledger_lock(p_account, p_live);
        RETURN ledger_open(p_now, p_day, p_day_ends, p_month, p_allowance, p_again, p_request,
          p_account, p_live, p_key, p_capability, p_sku, p_price_version, p_unit, p_quantity,
          p_amount, p_max_charge, p_budget, p_period, p_idempotency, p_fingerprint, p_day_quota,
          p_month_quota, p_deadline);
      END IF;
      v_day_calls := w_day[w];
      v_month_calls := w_month[w];
    END IF;
    CONTINUE WHEN v_answers[r.i] IS NOT NULL;
    IF v_day_calls >= r.day_quota OR v_month_calls >= r.month_quota THEN
      v_answers[r.i] := concat_ws('|', 'quota',
        CASE WHEN v_month_calls >= r.month_quota THEN 'month' ELSE 'day' END,
        v_day_calls, v_month_calls);
      CONTINUE;
    END IF;
    v_line := '';
    v_line_parts := '';
    IF r.amount > 0 THEN
      IF NOT v_has_sources THEN
        LOOP
          SELECT array_agg(y.name), array_agg(y.available) INTO v_names, v_left FROM (
            SELECT x.name, x.available FROM books x
            WHERE x.account_id = v_account AND x.livemode = v_live AND x.expires_at > p_now
            ORDER BY CASE x.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
              x.expires_at, x.opened_at, x.name
          ) AS y;
          EXIT WHEN 'allowance:' || p_day = ANY (v_names);
          PERFORM ledger_begin_day(v_account, v_live, p_now, p_day, p_day_ends, p_allowance);
        END LOOP;
        v_available := 0;
        b_first := cardinality(b_name);
        FOR s IN 1..coalesce(cardinality(v_names), 0) LOOP
          v_available := v_available + v_left[s];
          b := b_first + s;
          b_account[b] := v_account; b_live[b] := v_live; b_name[b] := v_names[s];
          b_taken[b] := 0;
        END LOOP;
        v_has_sources := true;
      END IF;
      IF v_last IS DISTINCT FROM r.key_id THEN
        k := array_position(k_key, r.key_id, k_first);
        IF k IS NULL THEN
          k := cardinality(k_key) + 1;
          k_account[k] := v_account; k_live[k] := v_live; k_key[k] := r.key_id;
          k_spent[k] := 0;
        END IF;
        v_last := r.key_id;
        v_last_k := k;
        v_known := false;
      END IF;
      k := v_last_k;
      IF r.budget IS NOT NULL THEN
        -- Read once for consecutive calls of a key; k_spent has what this batch adds.
        IF NOT v_known THEN
          v_known := true;
          SELECT CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
            CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END, x.total_spent
          INTO v_day_spent, v_month_spent, v_total_spent
          FROM key_spending x WHERE x.account_id = v_account AND x.livemode = v_live
            AND x.key_id = r.key_id;
        END IF;
        v_spent := k_spent[k] + coalesce(CASE r.period WHEN 'day' THEN v_day_spent
          WHEN 'month' THEN v_month_spent ELSE v_total_spent END, 0);
        IF v_spent + r.amount > r.budget THEN
          v_answers[r.i] := concat_ws('|', 'budget', r.amount, greatest(r.budget - v_spent, 0));
          CONTINUE;
        END IF;
      END IF;
      IF v_available < r.amount THEN
        v_answers[r.i] := concat_ws('|', 'insufficient', r.amount, v_available);
        CONTINUE;
      END IF;
      v_available := v_available - r.amount;
      k_spent[k] := k_spent[k] + r.amount;
      v_need := r.amount;
      s := 0;
      WHILE v_need > 0 LOOP
        s := s + 1;
        v_take := v_left[s];
        CONTINUE WHEN v_take = 0;
        IF v_take > v_need THEN v_take := v_need; END IF;
        v_left[s] := v_left[s] - v_take;
        b_taken[b_first + s] := b_taken[b_first + s] + v_take;
        v_need := v_need - v_take;
        IF v_line = '' THEN
          v_line := v_names[s];
          v_line_parts := v_take;
        ELSE
          v_line := v_line || ',' || v_names[s];
          v_line_parts := v_line_parts || ',' || v_take;
        END IF;
      END LOOP;
    END IF;
    v_day_calls := v_day_calls + 1;
    v_month_calls := v_month_calls + 1;
    w_day[w] := v_day_calls;
    w_month[w] := v_month_calls;
    v_books[r.i] := '{' || v_line || '}';
    v_parts[r.i] := '{' || v_line_parts || '}';
    v_answers[r.i] := 'opened|' || v_line || '|' || v_line_parts || '|' || v_day_calls || '|'
      || v_month_calls;
  END LOOP;

  INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version,
    unit, quantity, amount, max_charge, budget, budget_period, books, parts, idempotency_key,
    fingerprint, state, day, opened_at, deadline_at)
  SELECT t.request_id, t.account_id, t.livemode, t.key_id, t.capability, t.sku, t.price_version,
    t.unit, t.quantity, t.amount, t.max_charge, t.budget, t.period, t.books::text[],
    t.parts::bigint[], t.key, t.fingerprint, 'held', p_day, p_now, t.deadline
  FROM unnest(p_request, p_account, p_live, p_key, p_capability, p_sku, p_price_version, p_unit,
    p_quantity, p_amount, p_max_charge, p_budget, p_period, p_idempotency, p_fingerprint,
    p_deadline, v_books, v_parts)
    AS t(request_id, account_id, livemode, key_id, capability, sku, price_version, unit, quantity,
      amount, max_charge, budget, period, key, fingerprint, deadline, books, parts)
  WHERE t.books IS NOT NULL;
  IF NOT FOUND THEN RETURN array_to_string(v_answers, E'\n'); END IF;
  INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
  SELECT t.key, t.account_id, t.livemode, t.request_id
  FROM unnest(p_idempotency, p_account, p_live, p_request, v_books)
    AS t(key, account_id, livemode, request_id, books)
  WHERE t.books IS NOT NULL AND t.key IS NOT NULL;
  INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
  SELECT t.account_id, t.livemode, p_now, min(t.deadline)
  FROM unnest(p_account, p_live, p_deadline, v_books) AS t(account_id, livemode, deadline, books)
  WHERE t.books IS NOT NULL GROUP BY 1, 2;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  SELECT t.account_id, t.livemode, 'reserve', p_now, array_agg(m.book ORDER BY t.i, m.place),
    array_agg('held:' || m.book ORDER BY t.i, m.place),
    array_agg(m.part ORDER BY t.i, m.place), array_agg(t.request_id ORDER BY t.i, m.place)
  FROM unnest(p_request, p_account, p_live, v_books, v_parts) WITH ORDINALITY
    AS t(request_id, account_id, livemode, books, parts, i)
  CROSS JOIN LATERAL unnest(t.books::text[], t.parts::bigint[]) WITH ORDINALITY
    AS m(book, part, place)
  GROUP BY 1, 2 ORDER BY 1, 2;
  IF FOUND THEN
    UPDATE books x SET available = x.available - t.taken, held = x.held + t.taken
    FROM unnest(b_account, b_live, b_name, b_taken) AS t(account_id, livemode, name, taken)
    WHERE t.taken > 0 AND x.account_id = t.account_id AND x.livemode = t.livemode
      AND x.name = t.name;
    INSERT INTO key_spending AS x (account_id, livemode, key_id, day, day_spent, month,
      month_spent, total_spent)
    SELECT t.account_id, t.livemode, t.key_id, p_day, t.spent, p_month, t.spent, t.spent
    FROM unnest(k_account, k_live, k_key, k_spent) AS t(account_id, livemode, key_id, spent)
    WHERE t.spent > 0
    ON CONFLICT (account_id, livemode, key_id) DO UPDATE SET
      day_spent = excluded.day_spent + CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
      month_spent = excluded.month_spent
        + CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END,
      total_spent = excluded.total_spent + x.total_spent, day = p_day, month = p_month;
  END IF;
  UPDATE wallets x SET day = p_day, day_calls = t.day_calls, month = p_month,
    month_calls = t.month_calls
  FROM unnest(w_account, w_live, w_day, w_month)
    AS t(account_id, livemode, day_calls, month_calls)
  WHERE x.account_id = t.account_id AND x.livemode = t.livemode;
  RETURN array_to_string(v_answers, E'\n');
END $$;

-- A transfer without a call: a top-up, a credit, a voucher, a refund. A reference counts once.
-- Returns `posted|seq`, `known|seq|amount`, or `insufficient`.
CREATE FUNCTION ledger_transfer(
  p_account text, p_live boolean, p_kind text, p_now timestamptz, p_source text, p_target text,
  p_amount bigint, p_reference text, p_request text, p_reason text, p_actor text, p_label text,
  p_expires timestamptz
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  v_amount bigint;
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  SELECT e.seq, e.amounts[1] INTO v_seq, v_amount FROM entries e
  WHERE e.account_id = p_account AND e.livemode = p_live AND e.reference = p_reference;
  IF FOUND THEN RETURN concat_ws('|', 'known', v_seq, v_amount); END IF;
  IF p_source = 'cash' AND NOT EXISTS (SELECT FROM books b WHERE b.account_id = p_account
    AND b.livemode = p_live AND b.name = 'cash' AND b.available >= p_amount) THEN
    RETURN 'insufficient';
  END IF;
  IF p_expires IS NOT NULL THEN
    PERFORM ledger_book(p_account, p_live, p_target, p_expires, p_now, p_label, p_amount);
  END IF;
  v_seq := ledger_post(p_account, p_live, p_kind, p_request, p_now, ARRAY[p_source],
    ARRAY[p_target], ARRAY[p_amount], p_reference, p_reason, p_actor);
  RETURN 'posted|' || v_seq;
END $$;

-- Starts the day of a wallet without a call today.
CREATE FUNCTION ledger_start_day(
  p_account text, p_live boolean, p_now timestamptz, p_day text, p_day_ends timestamptz,
  p_allowance bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  IF NOT EXISTS (SELECT FROM books x WHERE x.account_id = p_account AND x.livemode = p_live
    AND x.name = 'allowance:' || p_day) THEN
    PERFORM ledger_begin_day(p_account, p_live, p_now, p_day, p_day_ends, p_allowance);
  END IF;
END $$;

-- Removes the expired balances of one wallet.
CREATE FUNCTION ledger_expire_wallet(
  p_account text, p_live boolean, p_now timestamptz
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  RETURN ledger_expire(p_account, p_live, p_now);
END $$;

-- Recovery claims holds past their deadline until `p_until`; two workers never claim the same hold.
-- Returns about `p_most` holds: a batch is claimed as a whole.
CREATE FUNCTION ledger_claim_overdue(
  p_now timestamptz, p_until timestamptz, p_most integer
) RETURNS SETOF calls LANGUAGE plpgsql AS $$
DECLARE
  v_next timestamptz;
  v_claimed integer := 0;
  v_count integer;
  d record;
BEGIN
  DELETE FROM deadlines WHERE ctid = ANY (ARRAY(
    SELECT x.ctid FROM deadlines x WHERE x.deadline_at <= p_now AND NOT EXISTS (
      SELECT FROM calls c WHERE c.account_id = x.account_id AND c.livemode = x.livemode
        AND c.opened_at = x.opened_at AND c.state IN ('held', 'unknown'))
    FOR UPDATE SKIP LOCKED));
  FOR d IN
    SELECT x.ctid AS place, x.* FROM deadlines x WHERE x.deadline_at <= p_now
    ORDER BY x.deadline_at FOR UPDATE SKIP LOCKED
  LOOP
    RETURN QUERY UPDATE calls SET deadline_at = p_until WHERE request_id IN (
      SELECT c.request_id FROM calls c WHERE c.account_id = d.account_id
        AND c.livemode = d.livemode AND c.opened_at = d.opened_at
        AND c.state IN ('held', 'unknown') AND c.deadline_at <= p_now
      FOR UPDATE SKIP LOCKED)
    RETURNING *;
    GET DIAGNOSTICS v_count = ROW_COUNT;
    v_claimed := v_claimed + v_count;
    -- Holds that another worker claimed are checked again when its claim ends.
    SELECT CASE WHEN min(c.deadline_at) <= p_now THEN p_until ELSE min(c.deadline_at) END
    INTO v_next FROM calls c WHERE c.account_id = d.account_id AND c.livemode = d.livemode
      AND c.opened_at = d.opened_at AND c.state IN ('held', 'unknown');
    UPDATE deadlines SET deadline_at = coalesce(v_next, p_until) WHERE ctid = d.place;
    EXIT WHEN v_claimed >= p_most;
  END LOOP;
END $$;

-- The outcome of the call is unknown. Its hold stays, and recovery checks it again at `p_until`.
CREATE FUNCTION ledger_leave_unknown(p_request text, p_until timestamptz)
RETURNS void LANGUAGE sql AS $$
  UPDATE calls SET state = 'unknown', deadline_at = p_until
  WHERE request_id = p_request AND state IN ('held', 'unknown')
$$;

CREATE FUNCTION ledger_forget_answers(p_now timestamptz) RETURNS void LANGUAGE sql AS $$
  DELETE FROM answers WHERE kept_until <= p_now
$$;

-- The last entry up to which the journal can be sealed. The lock waits for all running writers, so
-- no smaller number can appear later. It lasts as long as one batch, and ends with the transaction.
CREATE FUNCTION ledger_horizon() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE ONLY entries IN SHARE MODE;
  RETURN (SELECT coalesce(max(seq), 0) FROM entries);
END $$;

-- Seals up to `p_most` unsealed entries, none beyond `p_horizon`. Returns their number.
CREATE FUNCTION ledger_seal(p_now timestamptz, p_horizon bigint, p_most integer)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_before seals;
  v_first bigint;
  v_last bigint;
  v_count integer;
BEGIN
  LOCK TABLE seals IN EXCLUSIVE MODE;
  SELECT * INTO v_before FROM seals ORDER BY number DESC LIMIT 1;
  v_first := coalesce(v_before.last_seq, 0) + 1;
  SELECT max(t.seq), count(*) INTO v_last, v_count FROM (
    SELECT seq FROM entries WHERE seq >= v_first AND seq <= p_horizon ORDER BY seq LIMIT p_most
  ) AS t;
  IF v_count > 0 THEN
    INSERT INTO seals (number, first_seq, last_seq, entries, hash, sealed_at)
    VALUES (coalesce(v_before.number, 0) + 1, v_first, v_last, v_count,
      ledger_digest(coalesce(v_before.hash, ''), v_first, v_last), p_now);
  END IF;
  RETURN v_count;
END $$;

CREATE FUNCTION prices_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'price_versions' THEN
    IF OLD.withdrawn_at IS NULL AND to_jsonb(NEW) - 'withdrawn_at' = to_jsonb(OLD) - 'withdrawn_at'
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'price lists are append-only: % on % is refused', TG_OP, TG_TABLE_NAME;
END $$;

-- The given part of a day's allowance: all of it, or nothing where it would exceed the cap. Wallets
-- are always locked before this row, so no circle of locks occurs. Without a cap, and after it is
-- reached, nothing is locked.
CREATE FUNCTION ledger_allowance(
  p_live boolean, p_day text, p_day_ends timestamptz, p_wish bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_cap bigint;
BEGIN
  IF NOT p_live OR p_wish = 0 THEN RETURN p_wish; END IF;
  SELECT c.amount INTO v_cap FROM allowance_cap c;
  IF v_cap IS NULL THEN RETURN p_wish; END IF;
  -- The first allowance of a day with a cap counts what was given before.
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

-- After a change of the cap: counts today's allowance again, and deletes ended days.
CREATE FUNCTION ledger_recount_allowance() RETURNS void LANGUAGE sql AS $$
  DELETE FROM allowance_days
$$;

-- Starts the day of a wallet: expires balances, resets counters, and gives the allowance.
CREATE FUNCTION ledger_begin_day(
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

-- Posts one entry and changes the balances of its moves. A gift to another balance removes the note
-- of the wallet's first balance.
CREATE FUNCTION ledger_post(
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
  IF p_reference IS NOT NULL THEN
    INSERT INTO entry_references (account_id, livemode, reference)
    VALUES (p_account, p_live, p_reference);
  END IF;
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

-- Returned money of a key's calls, each on its day: the key's spending falls, and the balance may
-- precede the wallet's first one.
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

CREATE FUNCTION ledger_take_back(
  p_account text, p_live boolean, p_now timestamptz, p_kind text, p_most bigint, p_reference text,
  p_reason text, p_actor text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_taken bigint;
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  SELECT least(b.available, p_most) INTO v_taken FROM books b
  WHERE b.account_id = p_account AND b.livemode = p_live AND b.name = 'cash';
  IF coalesce(v_taken, 0) <= 0 THEN RETURN 0; END IF;
  PERFORM ledger_post(p_account, p_live, p_kind, NULL, p_now, ARRAY['cash'], ARRAY['top-ups'],
    ARRAY[v_taken], p_reference, p_reason, p_actor);
  RETURN v_taken;
END $$;

-- Changes the hold of a call to another amount. Results: those of `ledger_open`, and
-- `budget|required|available|period` where the key's budget is the limit.
CREATE FUNCTION ledger_remeasure(
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
      WHEN 'day' THEN CASE WHEN k.day = p_day THEN k.day_spent ELSE 0 END
      WHEN 'month' THEN CASE WHEN k.month = left(p_day, 7) THEN k.month_spent ELSE 0 END
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

-- The part of a charge that cash paid. Cash is spent last, so it is what the other parts do not
-- cover.
CREATE FUNCTION ledger_cash_share(c calls) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(coalesce(c.captured, 0) - coalesce((
    SELECT sum(p.part) FROM unnest(c.books, c.parts) AS p(book, part) WHERE p.book <> 'cash'
  ), 0), 0)::bigint
$$;

-- Raises the hold of a running stream. It differs from `ledger_remeasure` in one point: an amount
-- that is not covered changes nothing, because the subtransaction is rolled back.
CREATE FUNCTION ledger_extend(
  p_now timestamptz, p_day text, p_day_ends timestamptz, p_allowance bigint,
  p_goodwill_until timestamptz, p_request text, p_quantity bigint, p_amount bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_result text;
BEGIN
  v_result := ledger_remeasure(p_now, p_day, p_day_ends, p_allowance, p_goodwill_until, p_request,
    p_quantity, p_amount);
  IF v_result LIKE 'held|%' OR v_result = 'lost' THEN RETURN v_result; END IF;
  RAISE EXCEPTION USING ERRCODE = 'LX001';
EXCEPTION WHEN SQLSTATE 'LX001' THEN
  RETURN v_result;
END $$;

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

-- Erases the parts of an account's calls that its owner wrote: responses, idempotency keys and
-- hashes of requests. Only calls that were authorized since `p_since`.
CREATE FUNCTION ledger_erase_calls(p_account text, p_since timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM answers a USING calls c
  WHERE c.request_id = a.request_id AND c.account_id = p_account AND c.opened_at >= p_since;
  DELETE FROM idempotency_keys k USING calls c
  WHERE c.account_id = p_account AND c.opened_at >= p_since
    AND k.idempotency_key = c.idempotency_key AND k.account_id = p_account
    AND k.livemode = c.livemode;
  UPDATE calls SET idempotency_key = NULL, freed_key = NULL, fingerprint = NULL
  WHERE account_id = p_account AND opened_at >= p_since
    AND (idempotency_key IS NOT NULL OR freed_key IS NOT NULL OR fingerprint IS NOT NULL);
END $$;

-- The result for a used idempotency key. Its call may be in a retired month; then it was charged.
CREATE FUNCTION ledger_taken(
  p_state text, p_fingerprint text, p_asked text, p_request text, p_status integer,
  p_completed timestamptz
) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_fingerprint <> p_asked THEN 'reused|' || p_request
    WHEN p_state IN ('held', 'unknown') THEN 'in_progress|' || p_request
    ELSE 'duplicate|' || p_request || '|' || coalesce(p_status, 200) || '|'
      || (extract(epoch FROM coalesce(p_completed, 'epoch')) * 1000)::bigint END
$$;

-- Authorizes calls of one wallet and key that one balance covers. Shared values come once;
-- `p_group` is the place of a call's values in the arrays after it. Returns `balance|calls of the
-- day|of the month` before these calls, or an empty text when the batch does not qualify. It fails
-- without effect when a budget does not cover the batch, or an idempotency key is used.
CREATE FUNCTION ledger_authorize_uniform(
  p_now timestamptz, p_day text, p_month text, p_account text, p_live boolean, p_key text,
  p_budget bigint, p_period text, p_count integer, p_total bigint, p_least_day integer,
  p_least_month integer, p_first_deadline timestamptz, p_request text[], p_amount bigint[],
  p_idempotency text[], p_fingerprint text[], p_deadline timestamptz[], p_group integer[],
  p_capability text[], p_sku text[], p_price_version integer[], p_unit text[], p_quantity bigint[],
  p_max_charge bigint[]
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_day_calls integer;
  v_month_calls integer;
  v_since timestamptz;
  v_balance text;
  v_is_held boolean := false;
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
  INTO v_day_calls, v_month_calls, v_balance, v_since;
  IF NOT FOUND THEN RETURN ''; END IF;
  -- The wallet's first balance is tried before the others are read.
  IF v_since <= p_now THEN
    UPDATE books x SET available = x.available - p_total, held = x.held + p_total
    WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_balance
      AND x.available >= p_total AND x.expires_at > p_now;
    v_is_held := FOUND;
  END IF;
  IF NOT v_is_held THEN
    SELECT y.name INTO v_balance FROM (
      SELECT x.name, x.available FROM books x
      WHERE x.account_id = p_account AND x.livemode = p_live AND x.expires_at > p_now
        AND x.available > 0
      ORDER BY CASE x.kind WHEN 'allowance' THEN 0 WHEN 'voucher' THEN 1 ELSE 2 END,
        x.expires_at, x.opened_at, x.name LIMIT 1
    ) AS y WHERE y.available >= p_total;
    IF NOT FOUND THEN
      UPDATE wallets x SET day_calls = x.day_calls - p_count, month_calls = x.month_calls - p_count
      WHERE x.account_id = p_account AND x.livemode = p_live;
      RETURN '';
    END IF;
    UPDATE wallets x SET front = v_balance, front_since = p_now
    WHERE x.account_id = p_account AND x.livemode = p_live;
    UPDATE books x SET available = x.available - p_total, held = x.held + p_total
    WHERE x.account_id = p_account AND x.livemode = p_live AND x.name = v_balance;
  END IF;
  UPDATE key_spending x SET day_spent = x.day_spent + p_total,
    month_spent = x.month_spent + p_total, total_spent = x.total_spent + p_total
  WHERE x.account_id = p_account AND x.livemode = p_live AND x.key_id = p_key
    AND x.day = p_day AND x.month = p_month AND (p_budget IS NULL OR p_total + CASE p_period
      WHEN 'day' THEN x.day_spent WHEN 'month' THEN x.month_spent ELSE x.total_spent END
      <= p_budget);
  IF NOT FOUND THEN
    IF p_budget IS NOT NULL THEN
      RAISE EXCEPTION 'the budget of the key is used up, or its period is new';
    END IF;
    INSERT INTO key_spending AS x (account_id, livemode, key_id, day, day_spent, month,
      month_spent, total_spent)
    VALUES (p_account, p_live, p_key, p_day, p_total, p_month, p_total, p_total)
    ON CONFLICT (account_id, livemode, key_id) DO UPDATE SET
      day_spent = p_total + CASE WHEN x.day = p_day THEN x.day_spent ELSE 0 END,
      month_spent = p_total + CASE WHEN x.month = p_month THEN x.month_spent ELSE 0 END,
      total_spent = p_total + x.total_spent, day = p_day, month = p_month;
  END IF;
  INSERT INTO entries (account_id, livemode, kind, at, sources, targets, amounts, requests)
  VALUES (p_account, p_live, 'reserve', p_now, array_fill(v_balance, ARRAY[p_count]),
    array_fill('held:' || v_balance, ARRAY[p_count]), p_amount, p_request);
  INSERT INTO deadlines (account_id, livemode, opened_at, deadline_at)
  VALUES (p_account, p_live, p_now, p_first_deadline);
  -- Sets in a select list are faster here than a join of tables.
  INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
  SELECT t.key, p_account, p_live, t.request_id
  FROM (SELECT unnest(p_idempotency) AS key, unnest(p_request) AS request_id) AS t
  WHERE t.key IS NOT NULL;
  INSERT INTO calls (request_id, account_id, livemode, key_id, capability, sku, price_version,
    unit, quantity, amount, max_charge, budget, budget_period, books, parts, idempotency_key,
    fingerprint, state, day, opened_at, deadline_at)
  SELECT t.request_id, p_account, p_live, p_key, p_capability[t.place], p_sku[t.place],
    p_price_version[t.place], p_unit[t.place], p_quantity[t.place], t.amount,
    p_max_charge[t.place], p_budget, p_period, ARRAY[v_balance], ARRAY[t.amount], t.key,
    t.fingerprint, 'held', p_day, p_now, t.deadline
  FROM (
    SELECT unnest(p_request) AS request_id, unnest(p_amount) AS amount,
      unnest(p_idempotency) AS key, unnest(p_fingerprint) AS fingerprint,
      unnest(p_deadline) AS deadline, unnest(p_group) AS place
  ) AS t;
  RETURN v_balance || '|' || v_day_calls - p_count || '|' || v_month_calls - p_count;
END $$;

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

-- Resolves holds. `captured` takes what was used, in spending order, and stores the response.
-- `released` and `expired` (by recovery) take nothing, free the key and return the quota. What is
-- not captured returns to its balances in reverse order. The result has one line for each request:
-- `done`, or `lost` when the hold was resolved with another outcome. A repeated capture is `done`.
CREATE FUNCTION ledger_resolve(
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
CREATE FUNCTION ledger_return_expired(
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

CREATE TRIGGER entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER ledger_checkpoints_append_only
  BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER model_prices_append_only BEFORE DELETE OR UPDATE ON model_prices
  FOR EACH ROW EXECUTE FUNCTION prices_refuse_change();

CREATE TRIGGER entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON partitions.entries_other
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TRIGGER price_figures_append_only BEFORE DELETE OR UPDATE ON price_figures
  FOR EACH ROW EXECUTE FUNCTION prices_refuse_change();

CREATE TRIGGER price_versions_append_only BEFORE DELETE OR UPDATE ON price_versions
  FOR EACH ROW EXECUTE FUNCTION prices_refuse_change();

CREATE TRIGGER seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON seals
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
