-- Operators, accounts, keys, sessions and mails.

CREATE TABLE operators (
  id            text COLLATE "C" PRIMARY KEY,
  name          text COLLATE "C" NOT NULL,
  role          text COLLATE "C" NOT NULL,
  -- argon2id; null until the invitation is accepted.
  hash          text COLLATE "C",
  -- An HMAC of the token in the invitation's address.
  invitation    bytea,
  invited_until timestamptz,
  -- Encrypted, as the secrets of accounts.
  totp_secret   bytea,
  totp_step     bigint,
  created_at    timestamptz NOT NULL,
  UNIQUE (invitation),
  CONSTRAINT operators_check CHECK ((hash IS NULL) = (invitation IS NOT NULL)),
  CONSTRAINT operators_check1 CHECK ((invitation IS NULL) = (invited_until IS NULL)),
  CHECK (role IN ('owner', 'editor', 'treasurer', 'support', 'auditor'))
);
CREATE UNIQUE INDEX operators_by_name ON operators (lower(name));

-- Codes that replace a one-time code. Each works once.
CREATE TABLE operator_recovery_codes (
  operator_id text COLLATE "C" NOT NULL REFERENCES operators(id) ON DELETE CASCADE,
  hash        bytea NOT NULL,
  PRIMARY KEY (operator_id, hash)
);

CREATE TABLE operator_sessions (
  id          text COLLATE "C" PRIMARY KEY,
  hash        bytea NOT NULL,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  operator_id text COLLATE "C" NOT NULL REFERENCES operators(id) ON DELETE CASCADE,
  -- The client's network, shown to the operator.
  client      text NOT NULL,
  -- When a session of an operator was last used, exact to a minute, for its end when it is idle.
  -- Null: a session of an earlier version, whose time begins at its sign-in.
  seen_at     timestamptz,
  UNIQUE (hash)
);

-- Every change made in the browser, in the transaction that made it.
CREATE TABLE operator_audit (
  id          text COLLATE "C" PRIMARY KEY,
  at          timestamptz NOT NULL,
  actor       text NOT NULL,
  action      text NOT NULL,
  -- `source`, `item`, `story` or `report`, with its id.
  kind        text NOT NULL,
  subject     text COLLATE "C" NOT NULL,
  -- The changed fields, with the values before and after.
  before      jsonb NOT NULL,
  after       jsonb NOT NULL,
  note        text,
  -- No reference: the row outlives the operator.
  operator_id text COLLATE "C",
  address     text COLLATE "C"
);
CREATE INDEX operator_audit_by_subject ON operator_audit (kind, subject, at DESC);
CREATE INDEX operator_audit_newest ON operator_audit (at DESC, id DESC);

CREATE TABLE accounts (
  id                  text COLLATE "C" PRIMARY KEY,
  email               text COLLATE "C" NOT NULL CHECK (email = lower(email)),
  password_hash       text NOT NULL,
  status              text NOT NULL CHECK (status IN ('active', 'suspended', 'deleted')),
  -- Calls a day and a month in Shanghai; null: the installation's limit.
  calls_per_day       integer CHECK (calls_per_day >= 0),
  calls_per_month     integer CHECK (calls_per_month >= 0),
  created_at          timestamptz NOT NULL,
  -- The address is not confirmed yet: no live keys and no allowance.
  awaits_verification boolean NOT NULL DEFAULT false,
  -- The language of mails and of the console; null: the installation's.
  language            text CHECK (language IN ('en', 'zh-CN')),
  -- The network of the sign-up (an IPv4 address, an IPv6 /64); null: an operator made the account.
  network             text COLLATE "C",
  -- A secret for one-time codes, encrypted under a secret of the installation.
  totp_secret         bytea,
  -- The 30-second step of the last accepted code, so that a code works once.
  totp_step           bigint,
  -- Whether alerts are also mailed.
  alert_mails         boolean NOT NULL DEFAULT false,
  deleted_at          timestamptz,
  -- The next erasure of data that late calls of a deleted account wrote; null: none.
  erase_at            timestamptz,
  UNIQUE (email),
  CONSTRAINT accounts_check CHECK (totp_step IS NULL OR totp_secret IS NOT NULL),
  CONSTRAINT accounts_deleted CHECK ((status = 'deleted') = (deleted_at IS NOT NULL))
);
CREATE INDEX accounts_by_network ON accounts (network, created_at) WHERE network IS NOT NULL;
CREATE INDEX accounts_to_erase ON accounts (erase_at) WHERE erase_at IS NOT NULL;

CREATE TABLE account_sessions (
  id         text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts(id),
  hash       bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  livemode   boolean NOT NULL DEFAULT true,
  seen_at    timestamptz,
  -- User agent and network of the client, shown to the owner.
  agent      text NOT NULL DEFAULT '',
  network    text NOT NULL DEFAULT '',
  UNIQUE (hash)
);
CREATE INDEX account_sessions_by_account ON account_sessions (account_id);

CREATE TABLE account_security_log (
  id         text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts(id),
  at         timestamptz NOT NULL,
  kind       text COLLATE "C" NOT NULL,
  -- The key or the endpoint that was changed; null: the account itself.
  subject    text,
  -- Of the client; null: a command at the shell.
  address    text COLLATE "C",
  agent      text NOT NULL
);
CREATE INDEX account_security_log_by_account ON account_security_log (account_id, at DESC, id DESC);
CREATE INDEX account_security_log_by_time ON account_security_log (at);

-- Codes that replace a lost device. Each works once.
CREATE TABLE account_recovery_codes (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts(id),
  hash       bytea NOT NULL,
  PRIMARY KEY (account_id, hash)
);

-- Links in mails. The newest of a kind works once, until it expires.
CREATE TABLE account_mail_tokens (
  hash       bytea PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts(id),
  purpose    text NOT NULL CHECK (purpose IN ('verify', 'reset', 'address')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The new address of the account, valid after the link was opened.
  address    text COLLATE "C",
  UNIQUE (account_id, purpose),
  CONSTRAINT account_mail_tokens_check CHECK ((purpose = 'address') = (address IS NOT NULL))
);

CREATE TABLE outgoing_mails (
  -- Also the Message-ID, so that a repeated mail can be recognized.
  id            text COLLATE "C" PRIMARY KEY,
  -- Recipient and text, encrypted, since a link in it can open an account.
  letter        bytea NOT NULL,
  created_at    timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  -- The mail is useless after this time.
  ends_at       timestamptz NOT NULL,
  tries         integer NOT NULL,
  -- The sending process has a lease until then.
  claimed_until timestamptz,
  last_error    text
);
CREATE INDEX outgoing_mails_due ON outgoing_mails (due_at);

-- Codes for sign-up by invitation.
CREATE TABLE account_invites (
  id         text COLLATE "C" PRIMARY KEY,
  hash       bytea NOT NULL,
  -- The first characters, shown in lists.
  prefix     text NOT NULL,
  note       text NOT NULL,
  made_by    text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  used_at    timestamptz,
  account_id text COLLATE "C" REFERENCES accounts(id),
  UNIQUE (hash),
  CONSTRAINT account_invites_check CHECK ((used_at IS NULL) = (account_id IS NULL))
);

CREATE TABLE api_keys (
  id            text COLLATE "C" PRIMARY KEY,
  account_id    text COLLATE "C" NOT NULL REFERENCES accounts(id),
  kind          text NOT NULL CHECK (kind IN ('sk', 'ak')),
  livemode      boolean NOT NULL,
  name          text COLLATE "C" NOT NULL,
  hash          bytea NOT NULL,
  prefix        text NOT NULL,
  last4         text NOT NULL,
  -- Permitted capabilities; empty: all of its kind.
  scopes        text[] NOT NULL,
  -- Permitted networks; empty: all.
  networks      text[] NOT NULL,
  -- Micro-fen.
  budget_amount bigint CHECK (budget_amount >= 0),
  budget_period text CHECK (budget_period IN ('day', 'month', 'total')),
  created_at    timestamptz NOT NULL,
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  -- The id of the form that made it. A form that is sent twice makes one key.
  wish          text COLLATE "C",
  -- The key that replaced it at a rotation.
  replaced_by   text COLLATE "C" REFERENCES api_keys(id),
  version       integer NOT NULL DEFAULT 1,
  UNIQUE (account_id, wish),
  UNIQUE (hash),
  CONSTRAINT api_keys_check CHECK ((budget_amount IS NULL) = (budget_period IS NULL))
);
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at);

-- Rates that differ from the installation's. `subject`: the id of a key, or of an account for all
-- its keys.
CREATE TABLE key_rates (
  subject    text COLLATE "C" PRIMARY KEY,
  per_second integer NOT NULL CHECK (per_second > 0),
  burst      integer NOT NULL CHECK (burst > 0)
);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'operator_audit is append-only: % is refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;

-- A row never changes. It is deleted at the end of its time, or with its account; both set this
-- parameter for their transaction.
CREATE FUNCTION refuse_security_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('radar.erasure', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'account_security_log is append-only: % is refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER account_security_log_append_only
  BEFORE DELETE OR UPDATE OR TRUNCATE ON account_security_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_security_log_change();

CREATE TRIGGER operator_audit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON operator_audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
