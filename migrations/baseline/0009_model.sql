-- Requests to language models, their budgets, and vectors of texts.

-- Model requests. A row is written before its request is sent; the reply is stored before it is
-- used.
CREATE TABLE model_receipts (
  id             text COLLATE "C" PRIMARY KEY,
  -- Hash of the request: model, prompt, input, schema, turn, and whether it repairs a reply.
  question       text COLLATE "C" NOT NULL,
  step           text NOT NULL,
  model          text NOT NULL,
  prompt         text NOT NULL,
  prompt_version text NOT NULL,
  -- The item, story or report.
  subject        text COLLATE "C",
  turn           integer NOT NULL,
  -- 0: the request, 1: the repair of its reply.
  round          integer NOT NULL,
  -- waiting: not sent; asked: sent, without a known reply; answered; failed.
  state          text NOT NULL,
  -- The process that sends it, and the time until which it waits. After that time the outcome is
  -- unknown.
  claim          text COLLATE "C" NOT NULL,
  claimed_until  timestamptz NOT NULL,
  sent           integer NOT NULL,
  -- How often an unknown outcome was given up and the request repeated.
  released       integer NOT NULL,
  -- The cost that is counted until the outcome is known; micro-fen.
  held_tokens    bigint NOT NULL,
  held_cost      bigint NOT NULL,
  first_at       timestamptz NOT NULL,
  asked_at       timestamptz,
  settled_at     timestamptz,
  answer         text,
  finish         text,
  prompt_tokens  bigint NOT NULL,
  answer_tokens  bigint NOT NULL,
  cost           bigint NOT NULL,
  error          text,
  UNIQUE (question)
);
CREATE INDEX model_receipts_open ON model_receipts (claimed_until)
  WHERE state IN ('waiting', 'asked');
CREATE INDEX model_receipts_settled ON model_receipts (settled_at) WHERE settled_at IS NOT NULL;

-- Spending of a model in the current minute, hour or day, of all workers together.
CREATE TABLE model_budgets (
  model     text COLLATE "C" NOT NULL,
  span      text NOT NULL,
  starts_at timestamptz NOT NULL,
  requests  bigint NOT NULL,
  tokens    bigint NOT NULL,
  cost      bigint NOT NULL,
  PRIMARY KEY (model, span)
);

-- Sums of each day in Shanghai, by step and model.
CREATE TABLE model_days (
  day           text COLLATE "C" NOT NULL,
  step          text NOT NULL,
  model         text COLLATE "C" NOT NULL,
  requests      bigint NOT NULL,
  answers       bigint NOT NULL,
  failures      bigint NOT NULL,
  -- Requests without a known outcome; unknown_cost is their highest cost.
  unknown       bigint NOT NULL,
  prompt_tokens bigint NOT NULL,
  answer_tokens bigint NOT NULL,
  cost          bigint NOT NULL,
  unknown_cost  bigint NOT NULL,
  -- Requests that the rules replaced: a budget was spent, or the reply and its repair were invalid.
  over_budget   bigint NOT NULL DEFAULT 0,
  refused       bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (day, step, model)
);

-- Rate state of a model: next request, interval, and the features of its server.
CREATE TABLE model_standings (
  model   text COLLATE "C" PRIMARY KEY,
  next_at timestamptz NOT NULL,
  pace_ms double precision NOT NULL,
  dialect jsonb NOT NULL
);

-- The model of each step where an operator set it; otherwise the configuration applies.
CREATE TABLE model_routing (
  only_row   boolean PRIMARY KEY CHECK (only_row),
  version    integer NOT NULL,
  steps      jsonb NOT NULL,
  changed_at timestamptz NOT NULL
);

-- Measured properties of an embedding model: length of its vectors, similarity of unlike texts.
CREATE TABLE embedding_models (
  model         text COLLATE "C" PRIMARY KEY,
  dimensions    integer NOT NULL,
  calibration   jsonb,
  calibrated_at timestamptz
);

-- Vectors of texts by content hash and model. A row is written before a text is sent, so a text is
-- paid once.
CREATE TABLE model_vectors (
  model         text COLLATE "C" NOT NULL,
  text_hash     text COLLATE "C" NOT NULL,
  -- The receipt of its last batch.
  receipt_id    text COLLATE "C" NOT NULL,
  claimed_until timestamptz NOT NULL,
  -- Little-endian 32-bit floats, normalized to length 1; null: not known yet.
  vector        bytea,
  -- A text whose batch has no known outcome is sent once more, and no third time.
  released      integer NOT NULL DEFAULT 0,
  PRIMARY KEY (model, text_hash)
);
CREATE INDEX model_vectors_claimed ON model_vectors (claimed_until);
