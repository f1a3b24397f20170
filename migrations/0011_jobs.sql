-- Calls that are answered with 202 and finished afterwards. The money of a job is the hold of its
-- call (`calls.request_id`); here is what is to be done, how far it is, and what came of it.
CREATE TABLE jobs (
  id              text COLLATE "C" PRIMARY KEY,
  request_id      text COLLATE "C" NOT NULL UNIQUE,
  account_id      text COLLATE "C" NOT NULL,
  livemode        boolean NOT NULL,
  capability      text NOT NULL,
  -- As it was sent, without what belongs to the call.
  input           jsonb NOT NULL,
  -- What was agreed: sku, unit, the price of one unit, max_charge.
  terms           jsonb NOT NULL,
  -- From where it is held, in spending order.
  allocations     jsonb NOT NULL,
  idempotency_key text COLLATE "C",
  fingerprint     text COLLATE "C",
  -- The 202, byte for byte; null until the money is held and the job is promised.
  accepted        text,
  -- accepting, queued, running, succeeded, failed, expired, canceled
  status          text NOT NULL,
  progress        double precision,
  -- How far it is at whoever does it: written down before anything is asked there.
  work            jsonb NOT NULL,
  -- The provider and its task: two jobs never share one.
  task            text COLLATE "C" UNIQUE,
  -- What it ends as: decided once, then settled with the wallet, then shown.
  ending          jsonb,
  result          jsonb,
  error           jsonb,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  ended_at        timestamptz,
  -- When it wants attention again; null: never.
  due_at          timestamptz,
  -- Who attends to it, and until when nobody else does.
  claim           text COLLATE "C",
  claimed_until   timestamptz
) WITH (fillfactor = 70);
CREATE INDEX jobs_due ON jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX jobs_of_key ON jobs (account_id, livemode, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
