-- Who runs the radar in the browser: one password, sessions, and what they changed. Secrets are
-- kept as hashes only: the password as argon2id, session tokens as HMACs under a shared secret.

CREATE TABLE operator_password (
  only_row   boolean PRIMARY KEY CHECK (only_row),
  hash       text COLLATE "C" NOT NULL,
  changed_at timestamptz NOT NULL
);

CREATE TABLE operator_sessions (
  id         text COLLATE "C" PRIMARY KEY,
  -- What the operator calls herself in the record.
  name       text COLLATE "C" NOT NULL,
  hash       bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Every change made in the browser, in the transaction that made it.
CREATE TABLE operator_audit (
  id      text COLLATE "C" PRIMARY KEY,
  at      timestamptz NOT NULL,
  actor   text NOT NULL,
  action  text NOT NULL,
  -- What it was done to: `source`, `item`, `story`, `report`, and its id there.
  kind    text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  -- The fields that changed, as they were and as they are.
  before  jsonb NOT NULL,
  after   jsonb NOT NULL,
  note    text
);
CREATE INDEX operator_audit_newest ON operator_audit (at DESC, id DESC);
CREATE INDEX operator_audit_by_subject ON operator_audit (kind, subject, at DESC);

-- By which an editor who saw an earlier state is told so instead of overwriting a later one.
ALTER TABLE sources ADD COLUMN version integer NOT NULL DEFAULT 1;
