-- Evidence of alerts for operators: each backup, the last tick of a worker, and upstreams that
-- refuse the operator's account.
CREATE TABLE backups (
  id text COLLATE "C" PRIMARY KEY,
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  -- Null when it failed.
  bytes bigint,
  -- Null when it succeeded.
  error text
);
CREATE INDEX backups_by_end ON backups (finished_at);

-- One row, written by whichever worker ticks.
CREATE TABLE worker_ticks (
  only_row boolean PRIMARY KEY CHECK (only_row),
  at timestamptz NOT NULL
);

ALTER TABLE provider_health ADD COLUMN is_account_refused boolean NOT NULL DEFAULT false;
