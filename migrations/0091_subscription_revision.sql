-- When an operator let a channel send again: what it held until then has a day from here.
ALTER TABLE channels ADD COLUMN resumed_at timestamptz;

-- Counts every change of the subscriptions. A matcher that reads another count loads them again.
CREATE TABLE subscription_revision (
  revision bigint NOT NULL
);
INSERT INTO subscription_revision (revision) VALUES (0);
