-- Operators are accounts with a name, a role and a password each, so the audit log names who acted.
-- The former shared password is the password of the operator `owner`. All operators sign in again.

CREATE TABLE operators (
  id            text COLLATE "C" PRIMARY KEY,
  name          text COLLATE "C" NOT NULL,
  role          text COLLATE "C" NOT NULL
    CHECK (role IN ('owner', 'editor', 'treasurer', 'support', 'auditor')),
  -- argon2id; null until the invitation is accepted.
  hash          text COLLATE "C",
  -- An HMAC of the token in the invitation's address.
  invitation    bytea UNIQUE,
  invited_until timestamptz,
  -- Encrypted, as the secrets of accounts.
  totp_secret   bytea,
  totp_step     bigint,
  created_at    timestamptz NOT NULL,
  CHECK ((hash IS NULL) = (invitation IS NOT NULL)),
  CHECK ((invitation IS NULL) = (invited_until IS NULL))
);
CREATE UNIQUE INDEX operators_by_name ON operators (lower(name));

-- What is accepted in place of a one-time code; each works once.
CREATE TABLE operator_recovery_codes (
  operator_id text COLLATE "C" NOT NULL REFERENCES operators ON DELETE CASCADE,
  hash        bytea NOT NULL,
  PRIMARY KEY (operator_id, hash)
);

INSERT INTO operators (id, name, role, hash, created_at)
  SELECT 'operator_owner', 'owner', 'owner', hash, changed_at FROM operator_password;
DROP TABLE operator_password;

DELETE FROM operator_sessions;
ALTER TABLE operator_sessions
  DROP COLUMN name,
  ADD COLUMN operator_id text COLLATE "C" NOT NULL REFERENCES operators ON DELETE CASCADE,
  -- The network that it came from, for the operator's eyes.
  ADD COLUMN client text NOT NULL;
