-- Questions to language models: what was asked and paid for, what may still be spent, how each
-- model wants to be asked, and the vectors of texts.

-- One question, once. Written before it is sent; its answer is written before it is used.
CREATE TABLE model_receipts (
  id              text COLLATE "C" PRIMARY KEY,
  -- Hash of all that was asked: model, prompt, input, shape, turn, and whether it is the repair.
  question        text COLLATE "C" NOT NULL UNIQUE,
  step            text NOT NULL,
  model           text NOT NULL,
  prompt          text NOT NULL,
  prompt_version  text NOT NULL,
  -- The item, story or report it is about.
  subject         text COLLATE "C",
  turn            integer NOT NULL,
  -- 0: the question, 1: its repair.
  round           integer NOT NULL,
  -- waiting: nothing is under way; asked: sent, and no answer known; answered; failed.
  state           text NOT NULL,
  -- Who asks, and until when its answer is waited for; an asked one past it has an unknown outcome.
  claim           text COLLATE "C" NOT NULL,
  claimed_until   timestamptz NOT NULL,
  sent            integer NOT NULL,
  -- How often an unknown outcome was let go, so that it was asked again.
  released        integer NOT NULL,
  -- What is counted as spent until the outcome is known; money in micro-fen.
  held_tokens     bigint NOT NULL,
  held_cost       bigint NOT NULL,
  first_at        timestamptz NOT NULL,
  asked_at        timestamptz,
  settled_at      timestamptz,
  answer          text,
  finish          text,
  prompt_tokens   bigint NOT NULL,
  answer_tokens   bigint NOT NULL,
  cost            bigint NOT NULL,
  error           text
);
CREATE INDEX model_receipts_open ON model_receipts (claimed_until)
  WHERE state IN ('waiting', 'asked');
CREATE INDEX model_receipts_settled ON model_receipts (settled_at) WHERE settled_at IS NOT NULL;

-- What was spent of a model in the span that runs (minute, hour, day), of all workers together.
CREATE TABLE model_budgets (
  model           text COLLATE "C" NOT NULL,
  span            text NOT NULL,
  starts_at       timestamptz NOT NULL,
  requests        bigint NOT NULL,
  tokens          bigint NOT NULL,
  cost            bigint NOT NULL,
  PRIMARY KEY (model, span)
);

-- What a day of Shanghai brought, by step and model.
CREATE TABLE model_days (
  day             text COLLATE "C" NOT NULL,
  step            text NOT NULL,
  model           text COLLATE "C" NOT NULL,
  requests        bigint NOT NULL,
  answers         bigint NOT NULL,
  failures        bigint NOT NULL,
  -- Sent, and never known what became of it: what it may have cost is in unknown_cost.
  unknown         bigint NOT NULL,
  prompt_tokens   bigint NOT NULL,
  answer_tokens   bigint NOT NULL,
  cost            bigint NOT NULL,
  unknown_cost    bigint NOT NULL,
  PRIMARY KEY (day, step, model)
);

-- How a model is asked: when next, how far apart, and what its server understands.
CREATE TABLE model_standings (
  model           text COLLATE "C" PRIMARY KEY,
  next_at         timestamptz NOT NULL,
  pace_ms         double precision NOT NULL,
  dialect         jsonb NOT NULL
);

-- Which model answers which step, as operators set it; the configuration holds for the others.
CREATE TABLE model_routing (
  only_row        boolean PRIMARY KEY CHECK (only_row),
  version         integer NOT NULL,
  steps           jsonb NOT NULL,
  changed_at      timestamptz NOT NULL
);

-- Vectors of texts by content and model. Written before a text is sent: one text is paid once.
CREATE TABLE model_vectors (
  model           text COLLATE "C" NOT NULL,
  text_hash       text COLLATE "C" NOT NULL,
  -- The receipt of the batch that it was sent in last.
  receipt_id      text COLLATE "C" NOT NULL,
  claimed_until   timestamptz NOT NULL,
  -- Little-endian 32-bit floats of length 1 together; null while it is not known.
  vector          bytea,
  PRIMARY KEY (model, text_hash)
);
CREATE INDEX model_vectors_claimed ON model_vectors (claimed_until);

-- What was learned of an embedding model: how long its vectors are, and how near unlike texts lie.
CREATE TABLE embedding_models (
  model           text COLLATE "C" PRIMARY KEY,
  dimensions      integer NOT NULL,
  calibration     jsonb,
  calibrated_at   timestamptz
);
