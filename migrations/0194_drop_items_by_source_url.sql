-- concurrently
-- `items_by_address` finds the same rows.
DROP INDEX CONCURRENTLY IF EXISTS items_by_source_url;
