-- What each chat call that reached an upstream used, in tokens: one row per call, also of streams
-- that were left or broke.
CREATE TABLE relay_usage (
  request_id        text COLLATE "C" PRIMARY KEY,
  account_id        text COLLATE "C" NOT NULL,
  livemode          boolean NOT NULL,
  key_id            text COLLATE "C" NOT NULL,
  model             text NOT NULL,
  upstream          text NOT NULL,
  is_stream         boolean NOT NULL,
  -- completed, client_left, failed
  ended             text NOT NULL,
  -- upstream: its own numbers; estimated: from the bytes that went by; free: not counted.
  counted           text NOT NULL,
  prompt_tokens     bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  started_at        timestamptz NOT NULL,
  duration_ms       integer NOT NULL
);
CREATE INDEX relay_usage_of_account ON relay_usage (account_id, livemode, started_at);
