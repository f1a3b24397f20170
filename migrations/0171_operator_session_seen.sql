-- When a session of an operator was last used, exact to a minute, for its end when it is idle.
-- Null: a session of an earlier version, whose time begins at its sign-in.
ALTER TABLE operator_sessions ADD COLUMN seen_at timestamptz;
