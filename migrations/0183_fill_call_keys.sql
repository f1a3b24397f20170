-- Copies the keys of all calls and the references of all entries. It takes as long as these tables
-- are large, and blocks no other statement. A running call may free its key before the copy is
-- visible; 0184 checks these calls again.
WITH running AS (
  INSERT INTO idempotency_keys_running (request_id)
  SELECT request_id FROM calls
  WHERE state IN ('held', 'unknown') AND idempotency_key IS NOT NULL
)
INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
SELECT idempotency_key, account_id, livemode, request_id FROM calls
WHERE idempotency_key IS NOT NULL
ON CONFLICT DO NOTHING;

INSERT INTO entry_references (account_id, livemode, reference)
SELECT account_id, livemode, reference FROM entries WHERE reference IS NOT NULL
ON CONFLICT DO NOTHING;

-- A row beyond the bound, which no program writes, is moved by the exchange instead.
DO $$
DECLARE
  r record;
BEGIN
  FOR r IN SELECT conrelid::regclass AS name, conname FROM pg_constraint
    WHERE contype = 'c' AND conname ~ '^(calls|entries|readings|publication_log)_before_'
  LOOP
    BEGIN
      EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', r.name, r.conname);
    EXCEPTION WHEN check_violation THEN NULL;
    END;
  END LOOP;
END $$;
