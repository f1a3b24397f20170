-- What people do at the console: sign up and verify an address, sign in with a second factor, see
-- where they are signed in, make and change over keys. Codes and tokens are kept as HMACs only.

ALTER TABLE accounts
  -- Signed up where mail is sent, and the address has not been confirmed yet: no live keys, and no
  -- allowance, until then.
  ADD COLUMN awaits_verification boolean NOT NULL DEFAULT false,
  -- Of mails and of the console; null: the installation's.
  ADD COLUMN language text CHECK (language IN ('en', 'zh-CN')),
  -- The network (an IPv4 address, an IPv6 /64) that signed up; null: made by an operator.
  ADD COLUMN network text COLLATE "C",
  -- A secret for one-time codes, encrypted under a secret of the installation.
  ADD COLUMN totp_secret bytea,
  -- The 30-second step of the last code that was taken, so that none is taken twice.
  ADD COLUMN totp_step bigint,
  ADD CHECK (totp_step IS NULL OR totp_secret IS NOT NULL);
CREATE INDEX accounts_by_network ON accounts (network, created_at) WHERE network IS NOT NULL;

ALTER TABLE account_sessions
  ADD COLUMN livemode boolean NOT NULL DEFAULT true,
  ADD COLUMN seen_at timestamptz,
  -- What the browser calls itself, and the network that it came from, for its owner's eyes.
  ADD COLUMN agent text NOT NULL DEFAULT '',
  ADD COLUMN network text NOT NULL DEFAULT '';

-- What is taken in place of a one-time code when the telephone is lost; each works once.
CREATE TABLE account_recovery_codes (
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  hash       bytea NOT NULL,
  PRIMARY KEY (account_id, hash)
);

-- Links in mails. The newest of a kind is the only one that works, once, until it expires.
CREATE TABLE account_mail_tokens (
  hash       bytea PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  purpose    text NOT NULL CHECK (purpose IN ('verify', 'reset')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE (account_id, purpose)
);

-- Codes that somebody may sign up with where sign-up is by invitation.
CREATE TABLE account_invites (
  id         text COLLATE "C" PRIMARY KEY,
  hash       bytea NOT NULL UNIQUE,
  -- Its beginning, to tell it from others.
  prefix     text NOT NULL,
  note       text NOT NULL,
  made_by    text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  used_at    timestamptz,
  account_id text COLLATE "C" REFERENCES accounts,
  CHECK ((used_at IS NULL) = (account_id IS NULL))
);

ALTER TABLE api_keys
  -- The form that it was made with: sent again, it makes no second key.
  ADD COLUMN wish text COLLATE "C",
  -- The key that follows it, once it was rotated.
  ADD COLUMN replaced_by text COLLATE "C" REFERENCES api_keys,
  ADD UNIQUE (account_id, wish);
