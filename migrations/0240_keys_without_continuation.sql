-- Whether streams of a key may continue at another upstream after they broke.
ALTER TABLE api_keys ADD COLUMN may_continue boolean NOT NULL DEFAULT true;
