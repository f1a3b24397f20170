-- The words of each public item, for the search of items that are older than the read model. A log
-- consumer derives them from `public_items`, so the table may be emptied at any time.
CREATE TABLE archive_index (
  id    text COLLATE "C" PRIMARY KEY,
  at    timestamptz NOT NULL,
  terms tsvector NOT NULL
);
CREATE INDEX archive_index_at ON archive_index (at DESC, id DESC);
CREATE INDEX archive_index_terms ON archive_index USING gin (terms);
