-- What the story engine keeps of an item's text, so that a start does not read it again. Not truth:
-- a row that is missing, or of another version of the rules, is made anew from the text.
CREATE TABLE story_views (
  item_id text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE,
  -- The item's time as it was decided with: rows of stories that no report can join are let go.
  at      timestamptz NOT NULL,
  version text NOT NULL,
  view    bytea NOT NULL
);
-- Hashes do not compress.
ALTER TABLE story_views ALTER COLUMN view SET STORAGE EXTERNAL;
CREATE INDEX story_views_by_time ON story_views (at);
