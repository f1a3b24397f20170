-- Notifications: channels, subscriptions, what matched, what is sent once, and each transmission.
-- Queues hold ids. Texts are read from what is public at the time of sending.

-- A component that reads publication_log in order, from its own position.
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
  -- Nothing is sent before, by pace or because the service requires it.
  next_at      timestamptz,
  version      integer NOT NULL,
  created_at   timestamptz NOT NULL
);

CREATE TABLE subscriptions (
  id         text COLLATE "C" PRIMARY KEY,
  name       text COLLATE "C" NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('news', 'story', 'report', 'alerts')),
  state      text NOT NULL CHECK (state IN ('on', 'paused', 'ended')),
  channel_id text COLLATE "C" NOT NULL REFERENCES channels ON DELETE CASCADE,
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

CREATE TABLE subscription_matches (
  subscription_id text COLLATE "C" NOT NULL REFERENCES subscriptions ON DELETE CASCADE,
  -- `story:…`, or `group:…` of a duplicate group while no story exists.
  subject         text COLLATE "C" NOT NULL,
  items           text[] NOT NULL,
  matched_at      timestamptz NOT NULL,
  state           text NOT NULL CHECK (state IN ('waiting', 'done')),
  PRIMARY KEY (subscription_id, subject)
);
CREATE INDEX subscription_matches_waiting ON subscription_matches (subscription_id, matched_at)
  WHERE state = 'waiting';
CREATE INDEX subscription_matches_by_age ON subscription_matches (matched_at);

CREATE TABLE notifications (
  id              text COLLATE "C" PRIMARY KEY,
  subscription_id text COLLATE "C" NOT NULL REFERENCES subscriptions ON DELETE CASCADE,
  subject         text COLLATE "C" NOT NULL,
  reason          text COLLATE "C" NOT NULL,
  -- Of a digest notification: its subjects in order. Else the subject alone.
  subjects        text[] NOT NULL,
  -- Items that the subjects had: what a split leaves behind was not sent before.
  items           text[] NOT NULL,
  -- Contradictions that the story had: only further ones are news.
  contradictions  integer NOT NULL,
  created_at      timestamptz NOT NULL,
  UNIQUE (subscription_id, subject, reason)
);
CREATE INDEX notifications_by_subject ON notifications USING gin (subjects);
CREATE INDEX notifications_by_item ON notifications USING gin (items);
CREATE INDEX notifications_by_age ON notifications (created_at);

CREATE TABLE deliveries (
  id              text COLLATE "C" PRIMARY KEY,
  notification_id text COLLATE "C" NOT NULL UNIQUE REFERENCES notifications ON DELETE CASCADE,
  channel_id      text COLLATE "C" NOT NULL REFERENCES channels ON DELETE CASCADE,
  -- replaced: a digest notification stands for it. dropped: an operator gave it up.
  state           text NOT NULL CHECK (state IN ('waiting', 'sending', 'delivered', 'failed',
    'expired', 'void', 'replaced', 'dropped')),
  -- A process died, or a response stayed unread, after the request was sent.
  is_unsure       boolean NOT NULL,
  tries           integer NOT NULL,
  created_at      timestamptz NOT NULL,
  due_at          timestamptz NOT NULL,
  -- The process that sends it holds it until then.
  claimed_until   timestamptz,
  last_at         timestamptz,
  last_status     integer,
  last_error      text,
  -- The service's id of the message, by which it is edited.
  remote_id       text COLLATE "C"
) WITH (fillfactor = 80);
CREATE INDEX deliveries_open ON deliveries (channel_id, due_at)
  WHERE state IN ('waiting', 'sending');
CREATE INDEX deliveries_newest ON deliveries (created_at DESC, id DESC);

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
  -- Notifications while it lasts: one per day.
  sent       integer NOT NULL,
  sent_at    timestamptz
);
CREATE UNIQUE INDEX alerts_raised ON alerts (key) WHERE cleared_at IS NULL;
CREATE INDEX alerts_newest ON alerts (raised_at DESC);
