-- Events, what is hot, and reports: what the rooms decided, and the documents public of it.

-- One row. Whoever assigns items to stories locks it first, before the publication's head, so that
-- there is one order of decisions, which every worker reads before it decides anything.
CREATE TABLE story_head (
  only_row boolean PRIMARY KEY CHECK (only_row),
  seq      bigint NOT NULL
);

CREATE TABLE stories (
  id          text COLLATE "C" PRIMARY KEY,
  founded_at  timestamptz NOT NULL,
  merged_into text COLLATE "C" REFERENCES stories,
  is_closed   boolean NOT NULL,
  version     integer NOT NULL
);
CREATE INDEX stories_merged ON stories (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE story_members (
  item_id  text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE,
  story_id text COLLATE "C" NOT NULL REFERENCES stories
);
CREATE INDEX story_members_by_story ON story_members (story_id);

-- Where each item went and why; rows are only ever added. `action_id` names an operator's act.
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
CREATE INDEX story_assignments_by_item ON story_assignments (item_id, seq);
CREATE INDEX story_assignments_by_story ON story_assignments (story_id, seq);

-- What an operator, or the engine's repair, did to stories as a whole.
CREATE TABLE story_actions (
  id        text COLLATE "C" PRIMARY KEY,
  action    text NOT NULL CHECK (action IN ('merge', 'split', 'pin', 'unpin', 'undo')),
  at        timestamptz NOT NULL,
  actor     text NOT NULL,
  note      text,
  detail    jsonb NOT NULL,
  undoes_id text COLLATE "C" REFERENCES story_actions
);
CREATE UNIQUE INDEX story_actions_undone ON story_actions (undoes_id) WHERE undoes_id IS NOT NULL;

CREATE TABLE story_pins (
  id            text COLLATE "C" PRIMARY KEY,
  kind          text NOT NULL CHECK (kind IN ('must-link', 'cannot-link', 'stand-alone')),
  item_id       text COLLATE "C" NOT NULL,
  other_item_id text COLLATE "C",
  action_id     text COLLATE "C" NOT NULL REFERENCES story_actions
);

CREATE TABLE story_links (
  story_id text COLLATE "C" NOT NULL REFERENCES stories,
  other_id text COLLATE "C" NOT NULL REFERENCES stories,
  relation text NOT NULL CHECK (relation IN ('storyline', 'related')),
  score    double precision NOT NULL,
  PRIMARY KEY (story_id, other_id)
);

-- What a report says, sentence by sentence: a pure function of an item's revision and the rules.
CREATE TABLE item_claims (
  item_id  text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE,
  revision integer NOT NULL,
  rules    text NOT NULL,
  claims   jsonb NOT NULL
);

CREATE TABLE story_digests (
  story_id    text COLLATE "C" PRIMARY KEY REFERENCES stories,
  version     integer NOT NULL,
  rules       text NOT NULL,
  inputs_hash text NOT NULL,
  inputs      text[] NOT NULL,
  digest      jsonb NOT NULL,
  digest_by   text NOT NULL CHECK (digest_by IN ('rules', 'model')),
  updated_at  timestamptz NOT NULL
);

-- Every completed ranking; the newest is the published one. Heat stays in here.
CREATE TABLE rankings (
  id        text COLLATE "C" PRIMARY KEY,
  ranked_at timestamptz NOT NULL,
  topics    jsonb NOT NULL
);
CREATE INDEX rankings_newest ON rankings (ranked_at DESC, id DESC);

-- A dated edition as it was written: entries and sentences with the items that each rests on.
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
  FOREIGN KEY (kind, key) REFERENCES reports
);
CREATE INDEX report_corrections_by_report ON report_corrections (kind, key, at DESC);

-- Every attempt to write one: an empty window is written down here and nowhere else.
CREATE TABLE report_runs (
  id      text COLLATE "C" PRIMARY KEY,
  kind    text NOT NULL,
  key     text COLLATE "C" NOT NULL,
  at      timestamptz NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('written', 'empty', 'standing')),
  detail  text
);
CREATE INDEX report_runs_by_report ON report_runs (kind, key, at DESC);

-- What is public besides items, as documents: stories, the ranking, reports. `cites` names the
-- items that a document rests on: when one of them changes, it is projected anew at once.
CREATE TABLE public_documents (
  kind    text COLLATE "C" NOT NULL
    CHECK (kind IN ('story', 'ranking', 'daily', 'weekly', 'monthly')),
  key     text COLLATE "C" NOT NULL,
  body    jsonb NOT NULL,
  cites   text[] NOT NULL,
  sort_at timestamptz NOT NULL,
  PRIMARY KEY (kind, key)
);
CREATE INDEX public_documents_cites ON public_documents USING gin (cites);
CREATE INDEX public_documents_newest ON public_documents (kind, sort_at DESC, key DESC);

ALTER TABLE publication_log RENAME COLUMN item_id TO key;
ALTER TABLE publication_log ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'item';
ALTER TABLE publication_log ALTER COLUMN kind DROP DEFAULT;
CREATE INDEX public_items_story ON public_items (story_id) WHERE story_id IS NOT NULL;
