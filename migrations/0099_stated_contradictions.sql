-- By subject of a notification: how many contradictions its content stated when it was sent. What
-- the recipient has read of is not announced again.
ALTER TABLE notifications ADD COLUMN stated jsonb NOT NULL DEFAULT '{}';
