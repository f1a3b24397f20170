-- A text whose batch was sent and never answered is sent again once, and not a third time.
ALTER TABLE model_vectors ADD COLUMN released integer NOT NULL DEFAULT 0;
