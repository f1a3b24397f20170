-- A text whose batch was sent and never answered is sent again once, and not a third time.
ALTER TABLE model_vectors ADD COLUMN released integer NOT NULL DEFAULT 0;
-- Questions that the built-in desk answered instead: a budget was spent, or the answer and its
-- repair broke their shape or a guard rail.
ALTER TABLE model_days ADD COLUMN over_budget bigint NOT NULL DEFAULT 0;
ALTER TABLE model_days ADD COLUMN refused bigint NOT NULL DEFAULT 0;
