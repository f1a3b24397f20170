-- Sources, fetches, items, their enrichment, and groups of duplicates.

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
  updated_at       timestamptz NOT NULL,
  -- A change names the version that its editor saw; another version refuses the change.
  version          integer NOT NULL DEFAULT 1,
  proxy            text,
  removed_at       timestamptz
);
CREATE UNIQUE INDEX sources_url ON sources (url) WHERE url IS NOT NULL;

-- The token of a push source, as a hash. A source has one token.
CREATE TABLE push_tokens (
  source_id text COLLATE "C" PRIMARY KEY REFERENCES sources(id) ON DELETE CASCADE,
  hash      bytea NOT NULL,
  made_at   timestamptz NOT NULL,
  UNIQUE (hash)
);

-- The fetch state of a source. Only a successful fetch changes the position.
CREATE TABLE reading_positions (
  source_id       text COLLATE "C" PRIMARY KEY REFERENCES sources(id) ON DELETE CASCADE,
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

-- Every fetch with its outcome.
CREATE TABLE readings (
  id          text COLLATE "C" NOT NULL,
  source_id   text COLLATE "C" NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
  started_at  timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  outcome     text NOT NULL,
  status      integer,
  bytes       integer,
  entries     integer NOT NULL,
  created     integer NOT NULL,
  changed     integer NOT NULL,
  message     text,
  notes       jsonb,
  CHECK (outcome IN ('read', 'unchanged', 'failed', 'refused', 'moved', 'gone'))
) PARTITION BY RANGE (started_at);
CREATE TABLE partitions.readings_other (
  LIKE readings INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (id)
);
CREATE INDEX ON partitions.readings_other (source_id, started_at DESC);
ALTER TABLE readings ATTACH PARTITION partitions.readings_other DEFAULT;

-- Items as their sources published them.
CREATE TABLE items (
  id                text COLLATE "C" PRIMARY KEY,
  source_id         text COLLATE "C" NOT NULL REFERENCES sources(id),
  entry_key         text COLLATE "C" NOT NULL,
  url               text NOT NULL,
  canonical_url     text COLLATE "C" NOT NULL,
  title             text NOT NULL,
  summary           text NOT NULL,
  content           text NOT NULL,
  article           text,
  author            text,
  language          text,
  published_at      timestamptz,
  discovered_at     timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  content_hash      text COLLATE "C" NOT NULL,
  revision          integer NOT NULL,
  is_backfill       boolean NOT NULL,
  -- Set by a new or changed entry. The transaction that publishes the enrichment clears it.
  awaits_desk_since timestamptz,
  UNIQUE (source_id, entry_key)
);
CREATE INDEX items_awaiting_desk ON items (source_id, discovered_at DESC, id)
  WHERE awaits_desk_since IS NOT NULL;
CREATE INDEX items_by_address ON items (canonical_url, source_id);
CREATE INDEX items_by_source_title ON items (source_id, md5(title));

-- The latest enrichment of an item.
CREATE TABLE judgements (
  item_id         text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
  desk_version    text NOT NULL,
  judged_at       timestamptz NOT NULL,
  title           text NOT NULL,
  original_title  text,
  summary         text,
  category        text,
  score           smallint NOT NULL CHECK (score >= 0 AND score <= 100),
  is_worthy       boolean NOT NULL,
  reason          text,
  summary_by      text NOT NULL CHECK (summary_by IN ('rules', 'model')),
  language        text NOT NULL,
  -- How each step of a model's enrichment ended, with prompt, model, receipt, tags and facts. Null:
  -- no model was used.
  model_record    jsonb,
  -- Number of instructions to a model in the source's text. Enrichment removes them first.
  orders          integer NOT NULL DEFAULT 0,
  -- The title is such an instruction, so the public title is withheld.
  withholds_title boolean NOT NULL DEFAULT false
);

-- Operators' changes to an enrichment. They precede every enrichment until another action.
CREATE TABLE item_overrides (
  item_id      text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
  withdrawn_at timestamptz,
  title        text,
  summary      text,
  category     text,
  version      integer NOT NULL
);

CREATE TABLE item_actions (
  id      text COLLATE "C" PRIMARY KEY,
  item_id text COLLATE "C" NOT NULL REFERENCES items(id) ON DELETE CASCADE,
  action  text NOT NULL CHECK (action IN ('withdraw', 'restore', 'correct')),
  at      timestamptz NOT NULL,
  actor   text NOT NULL,
  fields  jsonb NOT NULL,
  note    text
);
CREATE INDEX item_actions_by_item ON item_actions (item_id, at DESC);

-- Items with the same news. One item of a group can be in the selected set.
CREATE TABLE reading_groups (
  id                text COLLATE "C" PRIMARY KEY,
  first_appeared_at timestamptz NOT NULL,
  representative_id text COLLATE "C"
);

CREATE TABLE reading_group_members (
  item_id  text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
  group_id text COLLATE "C" NOT NULL REFERENCES reading_groups(id)
);
CREATE INDEX reading_group_members_by_group ON reading_group_members (group_id);

-- The keys by which duplicates are found. The address of an item is in `items`.
CREATE TABLE duplicate_keys (
  item_id   text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
  at        timestamptz NOT NULL,
  title_key text COLLATE "C",
  -- Hashes of the sixteen bands of the signature, in their order.
  bands     bigint[],
  signature bytea
);
ALTER TABLE duplicate_keys
  ALTER signature SET STORAGE EXTERNAL;
CREATE INDEX duplicate_keys_bands ON duplicate_keys USING gin (bands) WITH (fastupdate=off);
CREATE INDEX duplicate_keys_title ON duplicate_keys USING hash (title_key);

-- Claims of an item's text: a pure function of the item's revision and the rules.
CREATE TABLE item_claims (
  item_id  text COLLATE "C" PRIMARY KEY REFERENCES items(id) ON DELETE CASCADE,
  revision integer NOT NULL,
  rules    text NOT NULL,
  claims   jsonb NOT NULL
);

CREATE FUNCTION write_group_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM duplicate_keys WHERE item_id = OLD.item_id;
    RETURN OLD;
  END IF;
  INSERT INTO duplicate_keys (item_id, at) VALUES (NEW.item_id, NEW.at)
  ON CONFLICT (item_id) DO UPDATE SET at = excluded.at;
  IF NEW.kind = 'title' THEN
    UPDATE duplicate_keys SET title_key = NEW.key WHERE item_id = NEW.item_id;
  ELSIF NEW.kind = 'body' THEN
    UPDATE duplicate_keys SET signature = NEW.signature,
      bands[('x' || lpad(substr(NEW.key, 1, 1), 8, '0'))::bit(32)::integer + 1] =
        ('x' || substr(NEW.key, 2))::bit(64)::bigint
    WHERE item_id = NEW.item_id;
  END IF;
  RETURN NEW;
END $$;

CREATE VIEW reading_group_keys AS
SELECT k.item_id, 'url'::text AS kind, i.canonical_url AS key, k.at, NULL::bytea AS signature
FROM duplicate_keys k JOIN items i ON i.id = k.item_id WHERE i.canonical_url ~ '^https?:'
UNION ALL
SELECT item_id, 'title', title_key, at, NULL FROM duplicate_keys WHERE title_key IS NOT NULL
UNION ALL
SELECT k.item_id, 'body',
  (to_hex(b.place - 1) || lpad(to_hex(b.band), 16, '0')) COLLATE "C", k.at, k.signature
FROM duplicate_keys k CROSS JOIN LATERAL unnest(k.bands) WITH ORDINALITY AS b (band, place);

CREATE TRIGGER write_group_key INSTEAD OF INSERT OR DELETE ON reading_group_keys
  FOR EACH ROW EXECUTE FUNCTION write_group_key();
