-- First of three steps to partitions by month: 0182 prepares, 0183 reads the existing rows beside
-- running programs, 0184 exchanges the tables. Each step is a transaction of its own, which is
-- repeated after an interruption. Programs of the former release run beside all three.

-- Keys of calls, unique over all months. The row of a call that left stays.
CREATE TABLE idempotency_keys (
  idempotency_key text COLLATE "C" NOT NULL,
  account_id      text COLLATE "C" NOT NULL,
  livemode        boolean NOT NULL,
  request_id      text COLLATE "C" NOT NULL,
  PRIMARY KEY (idempotency_key, account_id, livemode)
);

-- References of entries, unique over all months.
CREATE TABLE entry_references (
  account_id text COLLATE "C" NOT NULL,
  livemode   boolean NOT NULL,
  reference  text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, livemode, reference)
);

-- Calls whose key may be freed while 0183 copies it.
CREATE TABLE idempotency_keys_running (request_id text COLLATE "C" NOT NULL);

CREATE FUNCTION migrate_call_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.idempotency_key IS NOT DISTINCT FROM NEW.idempotency_key THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.idempotency_key IS NOT NULL THEN
    DELETE FROM idempotency_keys k WHERE k.idempotency_key = OLD.idempotency_key
      AND k.account_id = OLD.account_id AND k.livemode = OLD.livemode
      AND k.request_id = OLD.request_id;
  END IF;
  IF NEW.idempotency_key IS NOT NULL THEN
    INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
    VALUES (NEW.idempotency_key, NEW.account_id, NEW.livemode, NEW.request_id)
    ON CONFLICT (idempotency_key, account_id, livemode)
      DO UPDATE SET request_id = excluded.request_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER migrate_call_key AFTER INSERT OR UPDATE OF idempotency_key ON calls
  FOR EACH ROW EXECUTE FUNCTION migrate_call_key();

CREATE FUNCTION migrate_entry_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO entry_references (account_id, livemode, reference)
  VALUES (NEW.account_id, NEW.livemode, NEW.reference) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER migrate_entry_reference AFTER INSERT ON entries
  FOR EACH ROW WHEN (NEW.reference IS NOT NULL) EXECUTE FUNCTION migrate_entry_reference();

-- The lower or upper bound of a partition. An id of a call begins with its time, so calls are
-- partitioned by their id: it stays their key, and a look-up by id reads one partition.
CREATE FUNCTION partition_bound(p_table text, p_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_table
    WHEN 'calls' THEN 'req_' || lpad(to_hex((extract(epoch FROM p_at) * 1000)::bigint), 12, '0')
    ELSE to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS"+00"') END
$$;

-- Existing rows become one partition, until at least a month from now. A constraint states its
-- bound; with a validated constraint the exchange reads no row.
DO $$
DECLARE
  r record;
  v_newest timestamptz;
  v_until timestamptz;
  -- The clock of the program that migrates.
  v_now timestamptz := (SELECT max(applied_at) FROM migrations);
BEGIN
  FOR r IN SELECT * FROM (VALUES ('calls', 'request_id', 'opened_at'), ('entries', 'at', 'at'),
    ('readings', 'started_at', 'started_at'), ('publication_log', 'at', 'at'))
    AS t(name, key, at)
  LOOP
    EXECUTE format('SELECT max(%I) FROM %I', r.at, r.name) INTO v_newest;
    v_until := (date_trunc('month', greatest(v_newest, v_now, '2026-01-01') AT TIME ZONE 'UTC')
      + interval '2 months') AT TIME ZONE 'UTC';
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (%I < %L) NOT VALID', r.name,
      r.name || '_before_' || to_char(v_until AT TIME ZONE 'UTC', 'YYYY_MM'), r.key,
      partition_bound(r.name, v_until));
  END LOOP;
END $$;
