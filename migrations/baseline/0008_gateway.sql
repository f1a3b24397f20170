-- Jobs, usage of the relay, rate limits, health of providers, webhooks and alerts.

-- Background calls. The money of a job is the hold of its call (`calls.request_id`); this table has
-- its input, progress and result.
CREATE TABLE jobs (
  id              text COLLATE "C" PRIMARY KEY,
  request_id      text COLLATE "C" NOT NULL,
  account_id      text COLLATE "C" NOT NULL,
  livemode        boolean NOT NULL,
  capability      text NOT NULL,
  -- The input, without the fields of the call.
  input           jsonb NOT NULL,
  -- The agreed terms: sku, unit, price of one unit, max_charge.
  terms           jsonb NOT NULL,
  -- The held balances, in spending order.
  allocations     jsonb NOT NULL,
  idempotency_key text COLLATE "C",
  fingerprint     text COLLATE "C",
  -- The body of the response 202; null until the money is held.
  accepted        text,
  -- accepting, queued, running, succeeded, failed, expired, canceled
  status          text NOT NULL,
  progress        double precision,
  -- The progress at the provider, stored before each request to it.
  work            jsonb NOT NULL,
  -- The provider and its task; two jobs never share a task.
  task            text COLLATE "C",
  -- The outcome: decided once, then settled with the wallet, then shown.
  ending          jsonb,
  result          jsonb,
  error           jsonb,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  ended_at        timestamptz,
  -- The next time at which a worker processes it; null: never.
  due_at          timestamptz,
  -- The worker that processes it, and the end of its lease.
  claim           text COLLATE "C",
  claimed_until   timestamptz,
  UNIQUE (request_id),
  UNIQUE (task)
) WITH (fillfactor = 70);
CREATE INDEX jobs_due ON jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX jobs_of_account ON jobs (account_id, livemode, created_at DESC, id DESC)
  WHERE accepted IS NOT NULL;
CREATE INDEX jobs_of_key ON jobs (account_id, livemode, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

-- Tokens of each chat call that reached an upstream; also of streams that the client left or that
-- broke.
CREATE TABLE relay_usage (
  request_id        text COLLATE "C" PRIMARY KEY,
  account_id        text COLLATE "C" NOT NULL,
  livemode          boolean NOT NULL,
  key_id            text COLLATE "C" NOT NULL,
  model             text NOT NULL,
  upstream          text NOT NULL,
  is_stream         boolean NOT NULL,
  -- completed, client_left, failed
  ended             text NOT NULL,
  -- upstream: its own numbers; estimated: from the bytes that passed; free: not counted.
  counted           text NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  started_at        timestamptz NOT NULL,
  duration_ms       integer NOT NULL,
  charge            bigint,
  cost              bigint,
  -- By attempt, in their order; null: unknown.
  attempt_costs     bigint[]
);
CREATE INDEX relay_usage_by_time ON relay_usage USING brin (started_at);
CREATE INDEX relay_usage_of_account ON relay_usage (account_id, livemode, started_at);

-- Sums of earlier chat calls by day (Asia/Shanghai), key and model.
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
  charge            bigint NOT NULL DEFAULT 0,
  cost              bigint NOT NULL DEFAULT 0,
  costed            bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (day, key_id, model)
);
CREATE INDEX relay_usage_days_of_account ON relay_usage_days (account_id, livemode, day);

-- Rate limits of sign-in, sign-up, codes and mails. `subject`: a hash. `arrives_at`: the
-- theoretical arrival time of GCRA in epoch milliseconds. A row whose time has passed is deleted.
CREATE TABLE sign_in_tries (
  key        bytea PRIMARY KEY,
  arrives_at double precision NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX sign_in_tries_over ON sign_in_tries (arrives_at);

-- Kill switches: a capability, or a provider in all its uses.
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

-- The health of each provider, as the node that called it last measured it.
CREATE TABLE provider_health (
  node               text COLLATE "C" NOT NULL,
  capability         text COLLATE "C" NOT NULL,
  provider           text COLLATE "C" NOT NULL,
  circuit            text NOT NULL,
  calls              bigint NOT NULL,
  failures           bigint NOT NULL,
  latency_ms         integer,
  last_success_at    timestamptz,
  last_failure_at    timestamptz,
  at                 timestamptz NOT NULL,
  is_account_refused boolean NOT NULL DEFAULT false,
  PRIMARY KEY (node, capability, provider)
);

-- Calls of providers by hour, of all processes together.
CREATE TABLE provider_hours (
  hour       timestamptz NOT NULL,
  capability text COLLATE "C" NOT NULL,
  provider   text COLLATE "C" NOT NULL,
  calls      bigint NOT NULL,
  failures   bigint NOT NULL,
  latency_ms bigint NOT NULL,
  PRIMARY KEY (hour, capability, provider)
);

CREATE TABLE webhook_endpoints (
  id               text COLLATE "C" PRIMARY KEY,
  account_id       text COLLATE "C" NOT NULL REFERENCES accounts(id),
  livemode         boolean NOT NULL,
  url              text NOT NULL,
  events           text[] NOT NULL CHECK (cardinality(events) > 0),
  -- The signing secret, encrypted, since a signature needs its text. The previous one also signs
  -- for a while.
  secret           bytea NOT NULL,
  old_secret       bytea,
  old_secret_until timestamptz,
  -- gone: its server responded 410.
  state            text NOT NULL CHECK (state IN ('on', 'off', 'gone')),
  version          integer NOT NULL,
  created_at       timestamptz NOT NULL
);
CREATE INDEX webhook_endpoints_of_account ON webhook_endpoints (account_id, livemode, created_at);

CREATE TABLE webhook_events (
  id         text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  type       text NOT NULL,
  -- The subject: an event of a subject is sent once.
  subject    text COLLATE "C" NOT NULL,
  -- The body, as it is signed and sent.
  body       text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Whether a mail is due for it.
  mail       text NOT NULL DEFAULT 'no' CHECK (mail IN ('no', 'due', 'written')),
  UNIQUE (account_id, livemode, type, subject)
);
CREATE INDEX webhook_events_by_age ON webhook_events (created_at);
CREATE INDEX webhook_events_to_mail ON webhook_events (id) WHERE mail = 'due';

CREATE TABLE webhook_deliveries (
  event_id      text COLLATE "C" NOT NULL REFERENCES webhook_events(id) ON DELETE CASCADE,
  endpoint_id   text COLLATE "C" NOT NULL REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  -- waiting, delivered, failed
  state         text NOT NULL,
  tries         integer NOT NULL,
  due_at        timestamptz NOT NULL,
  -- The sending process has a lease until then.
  claimed_until timestamptz,
  last_at       timestamptz,
  last_status   integer,
  last_error    text,
  PRIMARY KEY (event_id, endpoint_id)
) WITH (fillfactor = 80);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, event_id);

-- Alerts for a low balance: once when cash and vouchers fall below an amount, until they rise above
-- it.
CREATE TABLE balance_alerts (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts(id),
  livemode   boolean NOT NULL,
  -- Micro-fen.
  below      bigint NOT NULL CHECK (below > 0),
  low_since  timestamptz,
  version    integer NOT NULL,
  PRIMARY KEY (account_id, livemode)
);
