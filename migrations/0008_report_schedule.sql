-- What the schedule asks every minute: when the radar began, and which windows were empty.
CREATE INDEX public_items_discovered ON public_items (discovered_at);
CREATE INDEX report_runs_empty ON report_runs (kind, key) WHERE outcome = 'empty';
