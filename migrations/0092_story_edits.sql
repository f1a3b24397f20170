-- The name that an operator gave a story, and its place in the ranking.
CREATE TABLE story_edits (
  story_id  text COLLATE "C" PRIMARY KEY REFERENCES stories ON DELETE CASCADE,
  title     text,
  placement text CHECK (placement IN ('lead', 'promoted', 'sunk')),
  version   integer NOT NULL,
  edited_at timestamptz NOT NULL
);
