-- Stories with their items, actions and digests; rankings and reports.

-- One row. An assignment of items to stories locks it first, before `publication_head`. All
-- decisions therefore have one order, and every worker reads the earlier ones before it decides.
CREATE TABLE story_head (
  only_row    boolean PRIMARY KEY CHECK (only_row),
  seq         bigint NOT NULL,
  -- Times of the last pass over single items, over all pairs of stories, and over large stories.
  looked_at   timestamptz,
  compared_at timestamptz,
  split_at    timestamptz
);

CREATE TABLE stories (
  id          text COLLATE "C" PRIMARY KEY,
  founded_at  timestamptz NOT NULL,
  merged_into text COLLATE "C" REFERENCES stories(id),
  is_closed   boolean NOT NULL,
  version     integer NOT NULL
);
CREATE INDEX stories_merged ON stories (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE story_members (
  item_id  text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
  story_id text COLLATE "C" NOT NULL REFERENCES stories(id),
  -- `at`: the item's time at the decision. `ordinal`: the number of its first assignment. The
  -- engine loads members in this order, and the first item of a duplicate group leads it.
  at       timestamptz NOT NULL,
  ordinal  bigint NOT NULL
);
CREATE INDEX story_members_by_story ON story_members (story_id);
CREATE INDEX story_members_by_time ON story_members (at);
CREATE UNIQUE INDEX story_members_in_order ON story_members (ordinal);

-- Each assignment with its reason; append-only. `action_id` names an operator's action.
CREATE TABLE story_assignments (
  seq           bigint PRIMARY KEY,
  item_id       text COLLATE "C" NOT NULL,
  story_id      text COLLATE "C" NOT NULL,
  from_story_id text COLLATE "C",
  at            timestamptz NOT NULL,
  reason        text NOT NULL,
  score         double precision NOT NULL,
  features      jsonb NOT NULL,
  rules_version text NOT NULL,
  action_id     text COLLATE "C"
);
CREATE INDEX story_assignments_by_action ON story_assignments (action_id)
  WHERE action_id IS NOT NULL;
CREATE INDEX story_assignments_by_item ON story_assignments (item_id, seq);
CREATE INDEX story_assignments_by_story ON story_assignments (story_id, seq);

-- Actions of operators and of the engine's repair on whole stories.
CREATE TABLE story_actions (
  id        text COLLATE "C" PRIMARY KEY,
  action    text NOT NULL CHECK (action IN ('merge', 'split', 'pin', 'unpin', 'undo')),
  at        timestamptz NOT NULL,
  actor     text NOT NULL,
  note      text,
  detail    jsonb NOT NULL,
  undoes_id text COLLATE "C" REFERENCES story_actions(id)
);
CREATE INDEX story_actions_newest ON story_actions (at DESC, id DESC);
CREATE UNIQUE INDEX story_actions_undone ON story_actions (undoes_id) WHERE undoes_id IS NOT NULL;

CREATE TABLE story_pins (
  id            text COLLATE "C" PRIMARY KEY,
  kind          text NOT NULL CHECK (kind IN ('must-link', 'cannot-link', 'stand-alone')),
  item_id       text COLLATE "C" NOT NULL,
  other_item_id text COLLATE "C",
  action_id     text COLLATE "C" NOT NULL REFERENCES story_actions(id)
);
CREATE INDEX story_pins_by_item ON story_pins (item_id);
CREATE INDEX story_pins_by_other ON story_pins (other_item_id) WHERE other_item_id IS NOT NULL;

CREATE TABLE story_links (
  story_id text COLLATE "C" NOT NULL REFERENCES stories(id),
  other_id text COLLATE "C" NOT NULL REFERENCES stories(id),
  relation text NOT NULL CHECK (relation IN ('storyline', 'related')),
  score    double precision NOT NULL,
  PRIMARY KEY (story_id, other_id)
);
CREATE INDEX story_links_by_other ON story_links (other_id);

-- An operator's title of a story, and its place in the ranking.
CREATE TABLE story_edits (
  story_id  text COLLATE "C" PRIMARY KEY REFERENCES stories(id) ON DELETE CASCADE,
  title     text,
  placement text CHECK (placement IN ('lead', 'promoted', 'sunk')),
  version   integer NOT NULL,
  edited_at timestamptz NOT NULL
);

-- The development of its story to which an item belongs. The id is that of the first item.
CREATE TABLE story_developments (
  item_id     text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
  development text COLLATE "C" NOT NULL
);

-- Enriched items without a story. Enrichment adds a row and the assignment deletes it, so the
-- search for waiting items never reads the archive.
CREATE TABLE story_queue (
  item_id text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE
);

-- Stored features of a text, which shorten a start. A missing row, or one of another version of the
-- rules, is computed again from the text.
CREATE TABLE story_views (
  item_id text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
  -- The item's time at the decision. Rows of stories that accept no more items are deleted.
  at      timestamptz NOT NULL,
  version text NOT NULL,
  view    bytea NOT NULL
);
ALTER TABLE story_views
  ALTER view SET STORAGE EXTERNAL;
CREATE INDEX story_views_by_time ON story_views (at);

CREATE TABLE story_digests (
  story_id     text COLLATE "C" PRIMARY KEY REFERENCES stories(id),
  version      integer NOT NULL,
  rules        text NOT NULL,
  inputs_hash  text NOT NULL,
  inputs       text[] NOT NULL,
  digest       jsonb NOT NULL,
  digest_by    text NOT NULL CHECK (digest_by IN ('rules', 'model')),
  updated_at   timestamptz NOT NULL,
  -- The inputs of a model's digest and its last failure; prompt, model and receipt of the current
  -- digest.
  asked_inputs text COLLATE "C",
  asked_at     timestamptz,
  written_with jsonb
);

-- Every completed ranking; the newest one is published. Heat values are never published.
CREATE TABLE rankings (
  id        text COLLATE "C" PRIMARY KEY,
  ranked_at timestamptz NOT NULL,
  topics    jsonb NOT NULL
);
CREATE INDEX rankings_newest ON rankings (ranked_at DESC, id DESC);

-- A report with its entries, and with the items on which each sentence rests.
CREATE TABLE reports (
  kind         text NOT NULL CHECK (kind IN ('daily', 'weekly', 'monthly')),
  key          text COLLATE "C" NOT NULL,
  window_start timestamptz NOT NULL,
  window_end   timestamptz NOT NULL,
  generated_at timestamptz NOT NULL,
  content      jsonb NOT NULL,
  version      integer NOT NULL,
  PRIMARY KEY (kind, key)
);

CREATE TABLE report_corrections (
  id      text COLLATE "C" PRIMARY KEY,
  kind    text NOT NULL,
  key     text COLLATE "C" NOT NULL,
  at      timestamptz NOT NULL,
  actor   text NOT NULL,
  note    text NOT NULL,
  item_id text COLLATE "C",
  FOREIGN KEY (kind, key) REFERENCES reports(kind, key)
);
CREATE INDEX report_corrections_by_report ON report_corrections (kind, key, at DESC);

-- Every run of a report. A period without items has only this row.
CREATE TABLE report_runs (
  id      text COLLATE "C" PRIMARY KEY,
  kind    text NOT NULL,
  key     text COLLATE "C" NOT NULL,
  at      timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('written', 'empty', 'standing')),
  detail  text
);
CREATE INDEX report_runs_by_report ON report_runs (kind, key, at DESC);
CREATE INDEX report_runs_empty ON report_runs (kind, key) WHERE outcome = 'empty';
