-- The security log of an account, which its owner reads: sign-ins, keys, factors, addresses.

CREATE TABLE account_security_log (
  id         text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  at         timestamptz NOT NULL,
  kind       text COLLATE "C" NOT NULL,
  -- The key or the endpoint that was changed; null: the account itself.
  subject    text,
  -- Of the client; null: a command at the shell.
  address    text COLLATE "C",
  agent      text NOT NULL
);
CREATE INDEX account_security_log_by_account ON account_security_log (account_id, at DESC, id DESC);
CREATE INDEX account_security_log_by_time ON account_security_log (at);

-- A row never changes. Only the end of its time and the deletion of its account delete it; both
-- set this parameter for their transaction.
CREATE FUNCTION refuse_security_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('radar.erasure', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'account_security_log is append-only: % is refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER account_security_log_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON account_security_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_security_log_change();
