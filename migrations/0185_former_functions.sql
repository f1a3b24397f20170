-- Removes the triggers that 0184 left for former functions of the ledger. A session may still run
-- one of these functions, in a transaction that is older than this one. All of them have to end
-- first. Meanwhile no table of the ledger is locked.
DO $$
DECLARE
  v_older text[] := ARRAY(
    SELECT l.virtualtransaction FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'virtualxid' AND a.datname = current_database()
      AND l.pid <> pg_backend_pid());
  v_sessions text;
BEGIN
  -- For a minute at most.
  FOR attempt IN 0 .. 1200 LOOP
    -- Another process that migrates waits for this transaction.
    SELECT string_agg(format('%s (%s)', pid, application_name), ', ') INTO v_sessions
    FROM (SELECT DISTINCT l.pid, a.application_name
      FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'virtualxid' AND l.virtualtransaction = ANY (v_older)
        AND NOT pg_backend_pid() = ANY (pg_blocking_pids(l.pid))) AS s;
    IF v_sessions IS NULL THEN RETURN; END IF;
    PERFORM pg_sleep(0.05);
  END LOOP;
  -- As after a wait for a lock, the migration is tried again.
  RAISE lock_not_available USING MESSAGE =
    format('transactions of the sessions %s did not end within a minute', v_sessions);
END $$;

-- A database may have the first text of 0184, which left no triggers.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM migrations WHERE name = '0184_partitions.sql'
    AND hash = '9f8c3543cdf0ef23130b809442f1b869d123f2cb0b4695b6d40fa05f67f14025')
  THEN RETURN; END IF;
  INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
  SELECT c.idempotency_key, c.account_id, c.livemode, c.request_id FROM calls c
  WHERE c.idempotency_key IS NOT NULL AND NOT EXISTS (SELECT FROM idempotency_keys k
    WHERE k.idempotency_key = c.idempotency_key AND k.account_id = c.account_id
      AND k.livemode = c.livemode)
  -- A call that ends meanwhile may free its key.
  FOR SHARE OF c
  ON CONFLICT DO NOTHING;
  DELETE FROM idempotency_keys k USING calls c
  WHERE c.request_id = k.request_id AND c.idempotency_key IS NULL;
  INSERT INTO entry_references (account_id, livemode, reference)
  SELECT e.account_id, e.livemode, e.reference FROM entries e WHERE e.reference IS NOT NULL
  ON CONFLICT DO NOTHING;
END $$;

LOCK TABLE entries, calls IN ACCESS EXCLUSIVE MODE;
DROP FUNCTION IF EXISTS migrate_call_key, migrate_entry_reference CASCADE;
