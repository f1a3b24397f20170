-- What the story room needs beside its decisions: who waits for one, in which order items came, and
-- when stories were last looked at again.

-- Items that the desk has judged and that no story has yet. The desk writes a row, the story room
-- takes it away with its decision: finding who waits never reads the whole archive.
CREATE TABLE story_queue (
  item_id text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE
);
INSERT INTO story_queue SELECT item_id FROM judgements;

-- `at` is the item's time as it was decided with, `ordinal` the number of its first assignment:
-- engines are rebuilt in that order, and the first of a reading group leads it.
ALTER TABLE story_members ADD COLUMN at timestamptz NOT NULL;
ALTER TABLE story_members ADD COLUMN ordinal bigint NOT NULL;
CREATE UNIQUE INDEX story_members_in_order ON story_members (ordinal);
CREATE INDEX story_members_by_time ON story_members (at);

-- Moments of the World's clock up to which lone stories were looked at again, all stories were held
-- against each other, and large ones were tested for a split.
ALTER TABLE story_head ADD COLUMN looked_at timestamptz;
ALTER TABLE story_head ADD COLUMN compared_at timestamptz;
ALTER TABLE story_head ADD COLUMN split_at timestamptz;

CREATE INDEX story_assignments_by_action ON story_assignments (action_id)
  WHERE action_id IS NOT NULL;
CREATE INDEX story_actions_newest ON story_actions (at DESC, id DESC);
CREATE INDEX story_pins_by_item ON story_pins (item_id);
CREATE INDEX story_pins_by_other ON story_pins (other_item_id) WHERE other_item_id IS NOT NULL;
CREATE INDEX story_links_by_other ON story_links (other_id);
