-- What was requested by calls of capabilities, kept as long as their responses; not of the relay.
CREATE TABLE call_requests (
  request_id  text COLLATE "C" PRIMARY KEY,
  account_id  text COLLATE "C" NOT NULL,
  livemode    boolean NOT NULL,
  -- JSON, without secrets.
  body        text NOT NULL,
  -- Something secret was left out, so the request cannot be sent again.
  is_redacted boolean NOT NULL,
  kept_until  timestamptz NOT NULL
);
CREATE INDEX call_requests_kept ON call_requests USING brin (kept_until);
CREATE INDEX call_requests_of_account ON call_requests (account_id);

-- Accounts that have chosen that requests are not kept.
CREATE TABLE request_log_off (account_id text COLLATE "C" PRIMARY KEY);
