-- The public data with its log, and notifications about it.

-- The public data of items. Every output format reads this table only.
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
CREATE INDEX public_items_discovered ON public_items (discovered_at);
CREATE INDEX public_items_published ON public_items (published_sort_at DESC, id DESC);
CREATE INDEX public_items_story ON public_items (story_id) WHERE story_id IS NOT NULL;
CREATE INDEX public_items_timeline ON public_items (timeline_at DESC, id DESC);

-- The words of each public item, for the search of items that are older than the read model. A log
-- consumer derives them from `public_items`, so the table may be emptied at any time.
CREATE TABLE archive_index (
  id    text COLLATE "C" PRIMARY KEY,
  at    timestamptz NOT NULL,
  terms tsvector NOT NULL
);
CREATE INDEX archive_index_at ON archive_index (at DESC, id DESC);
CREATE INDEX archive_index_terms ON archive_index USING gin (terms);

-- Public stories, rankings and reports. `cites` names the items on which a document rests; a change
-- of one of them renews the document.
CREATE TABLE public_documents (
  kind    text COLLATE "C" NOT NULL,
  key     text COLLATE "C" NOT NULL,
  body    jsonb NOT NULL,
  cites   text[] NOT NULL,
  sort_at timestamptz NOT NULL,
  PRIMARY KEY (kind, key),
  CHECK (kind IN ('story', 'ranking', 'daily', 'weekly', 'monthly'))
);
CREATE INDEX public_documents_cites ON public_documents USING gin (cites);
CREATE INDEX public_documents_newest ON public_documents (kind, sort_at DESC, key DESC);

-- One row, locked until the commit of each publication. Numbers therefore follow the order of
-- commits.
CREATE TABLE publication_head (
  only_row       boolean PRIMARY KEY CHECK (only_row),
  epoch          text NOT NULL,
  seq            bigint NOT NULL,
  epoch_reason   text CHECK (epoch_reason IN ('restored', 'earlier_state')),
  epoch_began_at timestamptz
);

CREATE TABLE publication_log (
  seq  bigint NOT NULL,
  key  text COLLATE "C" NOT NULL,
  at   timestamptz NOT NULL,
  kind text COLLATE "C" NOT NULL
) PARTITION BY RANGE (at);
CREATE TABLE partitions.publication_log_other (
  LIKE publication_log INCLUDING DEFAULTS, PRIMARY KEY (seq)
);
ALTER TABLE publication_log ATTACH PARTITION partitions.publication_log_other DEFAULT;

-- The log of the selected set. A row is the state of an item from `seq` until `superseded_seq`.
CREATE TABLE selected_ledger (
  seq            bigint PRIMARY KEY,
  item_id        text COLLATE "C" NOT NULL,
  op             text NOT NULL CHECK (op IN ('upsert', 'remove')),
  changed_at     timestamptz NOT NULL,
  item           jsonb,
  superseded_seq bigint,
  CONSTRAINT selected_ledger_check CHECK ((op = 'upsert') = (item IS NOT NULL))
);
CREATE UNIQUE INDEX selected_ledger_current ON selected_ledger (item_id)
  WHERE superseded_seq IS NULL;
CREATE INDEX selected_ledger_frozen ON selected_ledger (item_id, seq) WHERE op = 'upsert';

-- Clients that sent a request on a day, by keyed hash. They are counted and never identified.
CREATE TABLE actor_days (
  day  text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (day, hash)
);

-- The position of each component that reads publication_log in order.
CREATE TABLE log_consumers (
  name  text COLLATE "C" PRIMARY KEY,
  epoch text NOT NULL,
  seq   bigint NOT NULL
);

CREATE TABLE channels (
  id           text COLLATE "C" PRIMARY KEY,
  kind         text NOT NULL,
  name         text COLLATE "C" NOT NULL,
  -- The fields as JSON, encrypted: URLs and tokens are secrets.
  secret       bytea NOT NULL,
  -- Host and last four characters: all of the secret that pages show.
  label        text NOT NULL,
  state        text NOT NULL CHECK (state IN ('on', 'off', 'broken')),
  reason       text,
  broken_at    timestamptz,
  when_unsure  text NOT NULL CHECK (when_unsure IN ('send', 'drop')),
  -- Final failures in a row.
  dead_letters integer NOT NULL,
  -- Theoretical arrival time of each rate of the kind (epoch ms), shared by all processes.
  arrivals     double precision[] NOT NULL,
  -- Nothing is sent earlier, because of the rate or a response of the service.
  next_at      timestamptz,
  version      integer NOT NULL,
  created_at   timestamptz NOT NULL,
  -- When an operator enabled the channel again. Messages that it held until then are kept a day
  -- from here.
  resumed_at   timestamptz
);

CREATE TABLE subscriptions (
  id         text COLLATE "C" PRIMARY KEY,
  name       text COLLATE "C" NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('news', 'story', 'report', 'alerts')),
  state      text NOT NULL CHECK (state IN ('on', 'paused', 'ended')),
  channel_id text COLLATE "C" NOT NULL REFERENCES channels(id) ON DELETE CASCADE,
  language   text NOT NULL CHECK (language IN ('en', 'zh-CN')),
  match      jsonb NOT NULL,
  schedule   jsonb NOT NULL,
  quiet      jsonb,
  updates    boolean NOT NULL,
  -- Of kind, match, schedule, quiet hours and language: equal ones exist once per channel.
  hash       text COLLATE "C" NOT NULL,
  -- The next run of a schedule; null: instant.
  next_at    timestamptz,
  version    integer NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (channel_id, hash)
);
CREATE INDEX subscriptions_due ON subscriptions (next_at) WHERE state = 'on';

-- The number of changes of subscriptions. A matcher with another number loads them again. No row:
-- no change yet. A migration inserts no rows, since a restored backup has its own.
CREATE TABLE subscription_revision (
  id       smallint DEFAULT 1 PRIMARY KEY CHECK (id = 1),
  revision bigint NOT NULL
);

CREATE TABLE subscription_matches (
  subscription_id text COLLATE "C" NOT NULL REFERENCES subscriptions(id) ON DELETE CASCADE,
  -- `story:…`, or `group:…` of a duplicate group while no story exists.
  subject         text COLLATE "C" NOT NULL,
  items           text[] NOT NULL,
  matched_at      timestamptz NOT NULL,
  state           text NOT NULL CHECK (state IN ('waiting', 'done')),
  PRIMARY KEY (subscription_id, subject)
);
CREATE INDEX subscription_matches_by_age ON subscription_matches (matched_at);
CREATE INDEX subscription_matches_waiting ON subscription_matches (subscription_id, matched_at)
  WHERE state = 'waiting';

CREATE TABLE notifications (
  id              text COLLATE "C" PRIMARY KEY,
  subscription_id text COLLATE "C" NOT NULL REFERENCES subscriptions(id) ON DELETE CASCADE,
  subject         text COLLATE "C" NOT NULL,
  reason          text COLLATE "C" NOT NULL,
  -- Of a digest notification: its subjects in order. Else the subject alone.
  subjects        text[] NOT NULL,
  -- The items of the subjects. A story that splits off was therefore not announced before.
  items           text[] NOT NULL,
  -- The contradictions of the story. Only further ones are announced.
  contradictions  integer NOT NULL,
  created_at      timestamptz NOT NULL,
  -- By subject: the number of contradictions in the notification that was sent. These are not
  -- announced again.
  stated          jsonb NOT NULL DEFAULT '{}',
  UNIQUE (subscription_id, subject, reason)
);
CREATE INDEX notifications_by_age ON notifications (created_at);
CREATE INDEX notifications_by_item ON notifications USING gin (items);
CREATE INDEX notifications_by_subject ON notifications USING gin (subjects);

CREATE TABLE deliveries (
  id              text COLLATE "C" PRIMARY KEY,
  notification_id text COLLATE "C" NOT NULL REFERENCES notifications(id) ON DELETE CASCADE,
  channel_id      text COLLATE "C" NOT NULL REFERENCES channels(id) ON DELETE CASCADE,
  -- replaced: a digest notification contains it. dropped: an operator removed it.
  state           text NOT NULL,
  -- A process died, or a response stayed unread, after the request was sent.
  is_unsure       boolean NOT NULL,
  tries           integer NOT NULL,
  created_at      timestamptz NOT NULL,
  due_at          timestamptz NOT NULL,
  -- The sending process has a lease until then.
  claimed_until   timestamptz,
  last_at         timestamptz,
  last_status     integer,
  last_error      text,
  -- The service's id of the message, by which it is edited.
  remote_id       text COLLATE "C",
  UNIQUE (notification_id),
 
    CHECK (state IN ('waiting', 'sending', 'delivered', 'failed', 'expired', 'void', 'replaced',
      'dropped'))
) WITH (fillfactor = 80);
CREATE INDEX deliveries_newest ON deliveries (created_at DESC, id DESC);
CREATE INDEX deliveries_open ON deliveries (channel_id, due_at)
  WHERE state IN ('waiting', 'sending');

-- Conditions of the installation that require an operator, from raise to clear.
CREATE TABLE alerts (
  id         text COLLATE "C" PRIMARY KEY,
  -- The condition and what it concerns: raised once at a time.
  key        text COLLATE "C" NOT NULL,
  condition  text NOT NULL,
  severity   text NOT NULL CHECK (severity IN ('warn', 'page')),
  facts      jsonb NOT NULL,
  raised_at  timestamptz NOT NULL,
  cleared_at timestamptz,
  -- The number of notifications; one a day while the condition lasts.
  sent       integer NOT NULL,
  sent_at    timestamptz
);
CREATE INDEX alerts_newest ON alerts (raised_at DESC);
CREATE UNIQUE INDEX alerts_raised ON alerts (key) WHERE cleared_at IS NULL;
