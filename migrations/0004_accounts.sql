-- Who may call the gateway: accounts, their sessions at the console, and API keys. Secrets are kept
-- as hashes only: a password as argon2id, keys and session tokens as HMACs under shared secrets.

CREATE TABLE accounts (
  id              text COLLATE "C" PRIMARY KEY,
  email           text COLLATE "C" NOT NULL UNIQUE CHECK (email = lower(email)),
  password_hash   text NOT NULL,
  status          text NOT NULL CHECK (status IN ('active', 'suspended')),
  -- Calls a Shanghai day and month; null: the installation's own.
  calls_per_day   integer CHECK (calls_per_day >= 0),
  calls_per_month integer CHECK (calls_per_month >= 0),
  created_at      timestamptz NOT NULL
);

CREATE TABLE api_keys (
  id            text COLLATE "C" PRIMARY KEY,
  account_id    text COLLATE "C" NOT NULL REFERENCES accounts,
  kind          text NOT NULL CHECK (kind IN ('sk', 'ak')),
  livemode      boolean NOT NULL,
  name          text COLLATE "C" NOT NULL,
  hash          bytea NOT NULL UNIQUE,
  prefix        text NOT NULL,
  last4         text NOT NULL,
  -- Capabilities that it may call; empty: every one of its kind.
  scopes        text[] NOT NULL,
  -- Networks that it may come from; empty: any.
  networks      text[] NOT NULL,
  -- Micro-fen.
  budget_amount bigint CHECK (budget_amount >= 0),
  budget_period text CHECK (budget_period IN ('day', 'month', 'total')),
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  CHECK ((budget_amount IS NULL) = (budget_period IS NULL))
);
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);

CREATE TABLE account_sessions (
  id         text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  hash       bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX account_sessions_by_account ON account_sessions (account_id);
