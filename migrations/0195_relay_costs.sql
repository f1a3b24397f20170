-- What the relay's calls cost the operator by the prices of their upstreams, and their charges.
-- `charge`: micro-fen; null for a call without a price. `cost`: null when the upstream of an
-- attempt has no price for the model.
ALTER TABLE relay_usage
  ADD COLUMN charge bigint,
  ADD COLUMN cost bigint,
  -- By attempt, in their order; null: unknown.
  ADD COLUMN attempt_costs bigint[];

-- `costed`: number of calls with a cost.
ALTER TABLE relay_usage_days
  ADD COLUMN charge bigint NOT NULL DEFAULT 0,
  ADD COLUMN cost bigint NOT NULL DEFAULT 0,
  ADD COLUMN costed bigint NOT NULL DEFAULT 0;
