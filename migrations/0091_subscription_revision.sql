-- When an operator let a channel send again: what it held until then has a day from here.
ALTER TABLE channels ADD COLUMN resumed_at timestamptz;

-- Counts every change of the subscriptions. A matcher that reads another count loads them again.
-- No row: no change yet. A migration inserts no rows, since a restored backup has its own.
CREATE TABLE subscription_revision (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  revision bigint NOT NULL
);
