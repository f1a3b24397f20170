-- The radar's ground: where news comes from, what came, what the desk said of it, what is public.
-- Ids and keyset columns are COLLATE "C", so that every server sorts them the same way.
-- No column has a time default: the World's clock is the only clock.

CREATE TABLE secrets (
  name  text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL
);

CREATE TABLE nodes (
  id              text COLLATE "C" PRIMARY KEY,
  host            text NOT NULL,
  pid             integer NOT NULL,
  parts           text[] NOT NULL,
  started_at      timestamptz NOT NULL,
  seen_at         timestamptz NOT NULL,
  clock_offset_ms bigint NOT NULL,
  edition_seq     bigint NOT NULL
);

CREATE TABLE sources (
  id               text COLLATE "C" PRIMARY KEY,
  kind             text NOT NULL CHECK (kind IN ('feed', 'web-list', 'json-list', 'push')),
  name             text NOT NULL,
  url              text,
  settings         jsonb NOT NULL,
  private_hosts    text[] NOT NULL,
  tier             text NOT NULL CHECK (tier IN ('T1', 'T1_5', 'T2')),
  owner            text NOT NULL,
  language         text NOT NULL,
  participation    text NOT NULL CHECK (participation IN ('editorial', 'signal', 'isolated')),
  interval_minutes integer NOT NULL CHECK (interval_minutes >= 1),
  category_hint    text,
  status           text NOT NULL CHECK (status IN ('active', 'paused', 'gone')),
  verified_at      timestamptz,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL
);
CREATE UNIQUE INDEX sources_url ON sources (url) WHERE url IS NOT NULL;

-- Where reading stands: moved only by a reading that succeeded, so a failure never advances it.
CREATE TABLE reading_positions (
  source_id       text COLLATE "C" PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
  etag            text,
  last_modified   text,
  body_hash       text,
  imported_at     timestamptz,
  moved_to        text,
  moved_count     integer NOT NULL DEFAULT 0,
  gone_count      integer NOT NULL DEFAULT 0,
  failures        integer NOT NULL DEFAULT 0,
  last_success_at timestamptz,
  next_read_at    timestamptz
);

-- Every attempt is a row.
CREATE TABLE readings (
  id          text COLLATE "C" PRIMARY KEY,
  source_id   text COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  started_at  timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  outcome     text NOT NULL
    CHECK (outcome IN ('read', 'unchanged', 'failed', 'refused', 'moved', 'gone')),
  status      integer,
  bytes       integer,
  entries     integer NOT NULL,
  created     integer NOT NULL,
  changed     integer NOT NULL,
  message     text
);
CREATE INDEX readings_by_source ON readings (source_id, started_at DESC);

-- What a source said, as it said it.
CREATE TABLE items (
  id               text COLLATE "C" PRIMARY KEY,
  source_id        text COLLATE "C" NOT NULL REFERENCES sources,
  entry_key        text COLLATE "C" NOT NULL,
  url              text NOT NULL,
  canonical_url    text COLLATE "C" NOT NULL,
  title            text NOT NULL,
  summary          text NOT NULL,
  content          text NOT NULL,
  article          text,
  author           text,
  language         text,
  published_at     timestamptz,
  discovered_at    timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  content_hash     text COLLATE "C" NOT NULL,
  revision         integer NOT NULL,
  is_backfill      boolean NOT NULL,
  -- Set by a new or changed entry, cleared by the desk in the transaction that publishes it.
  awaits_desk_since timestamptz,
  UNIQUE (source_id, entry_key)
);
CREATE INDEX items_by_source_url ON items (source_id, canonical_url);
CREATE INDEX items_awaiting_desk ON items (source_id, discovered_at DESC, id)
  WHERE awaits_desk_since IS NOT NULL;

-- What the desk said of an item, last.
CREATE TABLE judgements (
  item_id        text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE,
  desk_version   text NOT NULL,
  judged_at      timestamptz NOT NULL,
  title          text NOT NULL,
  original_title text,
  summary        text,
  category       text,
  score          smallint NOT NULL CHECK (score BETWEEN 0 AND 100),
  is_worthy      boolean NOT NULL,
  reason         text,
  summary_by     text NOT NULL CHECK (summary_by IN ('rules', 'model')),
  language       text NOT NULL
);

-- What an operator said over the desk: wins, for ever, and is undone only by another action.
CREATE TABLE item_overrides (
  item_id      text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE,
  withdrawn_at timestamptz,
  title        text,
  summary      text,
  category     text,
  version      integer NOT NULL
);

CREATE TABLE item_actions (
  id      text COLLATE "C" PRIMARY KEY,
  item_id text COLLATE "C" NOT NULL REFERENCES items ON DELETE CASCADE,
  action  text NOT NULL CHECK (action IN ('withdraw', 'restore', 'correct')),
  at      timestamptz NOT NULL,
  actor   text NOT NULL,
  fields  jsonb NOT NULL,
  note    text
);
CREATE INDEX item_actions_by_item ON item_actions (item_id, at DESC);

-- The same news, several items, one seat in the selected set.
CREATE TABLE reading_groups (
  id                text COLLATE "C" PRIMARY KEY,
  first_appeared_at timestamptz NOT NULL,
  representative_id text COLLATE "C"
);

CREATE TABLE reading_group_members (
  item_id  text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE,
  group_id text COLLATE "C" NOT NULL REFERENCES reading_groups
);
CREATE INDEX reading_group_members_by_group ON reading_group_members (group_id);

-- By what a later item may find its group: canonical URL, title, bands of the body's signature.
CREATE TABLE reading_group_keys (
  item_id   text COLLATE "C" NOT NULL REFERENCES items ON DELETE CASCADE,
  kind      text NOT NULL CHECK (kind IN ('url', 'title', 'body')),
  key       text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  signature bytea,
  PRIMARY KEY (kind, key, item_id)
);
CREATE INDEX reading_group_keys_by_item ON reading_group_keys (item_id);

-- One row. Whoever publishes locks it until commit, so numbers are given in commit order.
CREATE TABLE publication_head (
  only_row boolean PRIMARY KEY CHECK (only_row),
  epoch    text NOT NULL,
  seq      bigint NOT NULL
);

CREATE TABLE publication_log (
  seq     bigint PRIMARY KEY,
  item_id text COLLATE "C" NOT NULL,
  at      timestamptz NOT NULL
);

-- What is public now. Every exit reads this and nothing behind it.
CREATE TABLE public_items (
  id                text COLLATE "C" PRIMARY KEY,
  title             text NOT NULL,
  original_title    text,
  summary           text,
  source_name       text NOT NULL,
  original_url      text NOT NULL,
  published_at      timestamptz,
  discovered_at     timestamptz NOT NULL,
  category          text,
  score             smallint,
  selected          boolean NOT NULL,
  reason            text,
  language          text NOT NULL,
  summary_by        text NOT NULL,
  story_id          text COLLATE "C",
  timeline_at       timestamptz NOT NULL,
  published_sort_at timestamptz NOT NULL
);
CREATE INDEX public_items_timeline ON public_items (timeline_at DESC, id DESC);
CREATE INDEX public_items_published ON public_items (published_sort_at DESC, id DESC);

-- The selected set as a ledger: a row is the state of one item from `seq` until `superseded_seq`.
CREATE TABLE selected_ledger (
  seq            bigint PRIMARY KEY,
  item_id        text COLLATE "C" NOT NULL,
  op             text NOT NULL CHECK (op IN ('upsert', 'remove')),
  changed_at     timestamptz NOT NULL,
  item           jsonb,
  superseded_seq bigint,
  CHECK ((op = 'upsert') = (item IS NOT NULL))
);
CREATE INDEX selected_ledger_frozen ON selected_ledger (item_id, seq) WHERE op = 'upsert';
CREATE UNIQUE INDEX selected_ledger_current ON selected_ledger (item_id)
  WHERE superseded_seq IS NULL;

-- Which clients looked on a day, by keyed hash: counted, never known.
CREATE TABLE actor_days (
  day  text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (day, hash)
);
