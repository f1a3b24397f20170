-- By which token a push source is written to: one at a time, and only its hash is kept.
CREATE TABLE push_tokens (
  source_id text COLLATE "C" PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
  hash      bytea NOT NULL UNIQUE,
  made_at   timestamptz NOT NULL
);
