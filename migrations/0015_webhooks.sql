-- What customers are told without asking: addresses of theirs, what happened, and each try to tell.

CREATE TABLE webhook_endpoints (
  id               text COLLATE "C" PRIMARY KEY,
  account_id       text COLLATE "C" NOT NULL REFERENCES accounts,
  livemode         boolean NOT NULL,
  url              text NOT NULL,
  events           text[] NOT NULL CHECK (cardinality(events) > 0),
  -- Signs what is sent, so it cannot be a hash. The one before it signs as well for a while.
  secret           bytea NOT NULL,
  old_secret       bytea,
  old_secret_until timestamptz,
  -- gone: its server said that it wants no more (410).
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
  -- What it is about: the same thing is told once.
  subject    text COLLATE "C" NOT NULL,
  -- As it is sent and signed, byte for byte.
  body       text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (account_id, livemode, type, subject)
);
CREATE INDEX webhook_events_by_age ON webhook_events (created_at);

CREATE TABLE webhook_deliveries (
  event_id      text COLLATE "C" NOT NULL REFERENCES webhook_events ON DELETE CASCADE,
  endpoint_id   text COLLATE "C" NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
  -- waiting, delivered, failed
  state         text NOT NULL,
  tries         integer NOT NULL,
  due_at        timestamptz NOT NULL,
  -- Whoever sends it holds it until then.
  claimed_until timestamptz,
  last_at       timestamptz,
  last_status   integer,
  last_error    text,
  PRIMARY KEY (event_id, endpoint_id)
) WITH (fillfactor = 80);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, event_id);

-- Told when cash and vouchers together fall below an amount, once until they have risen again.
CREATE TABLE balance_alerts (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  livemode   boolean NOT NULL,
  -- Micro-fen.
  below      bigint NOT NULL CHECK (below > 0),
  low_since  timestamptz,
  version    integer NOT NULL,
  PRIMARY KEY (account_id, livemode)
);
