-- Revenue reads the calls of all accounts between two days.
CREATE INDEX calls_by_time ON calls USING brin (opened_at);
