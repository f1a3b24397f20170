-- concurrently
-- Finds items with one address in all sources, and in one source as `items_by_source_url` does.
CREATE INDEX CONCURRENTLY IF NOT EXISTS items_by_address ON items (canonical_url, source_id);
-- The new index finds the same rows.
DROP INDEX CONCURRENTLY IF EXISTS items_by_source_url;
