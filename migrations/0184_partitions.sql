-- Exchanges calls, entries, readings and publication_log for tables of the same name that are
-- partitioned by month. The existing rows stay where they are and become one partition. All locks
-- are held for the exchange only, which reads no row. Programs of the former release keep running.
-- oldest program: 0.1.0

LOCK TABLE entries, calls, readings, publication_log IN ACCESS EXCLUSIVE MODE;

-- Keys that were freed while 0183 copied them.
DELETE FROM idempotency_keys k USING idempotency_keys_running r JOIN calls c USING (request_id)
WHERE k.request_id = c.request_id AND c.idempotency_key IS NULL;
DROP TABLE idempotency_keys_running;
DROP TRIGGER migrate_call_key ON calls;
DROP TRIGGER migrate_entry_reference ON entries;

CREATE SCHEMA partitions;

-- Months that left, with their files.
CREATE TABLE retired_partitions (
  table_name text COLLATE "C" NOT NULL,
  name       text COLLATE "C" PRIMARY KEY,
  since      timestamptz,
  until      timestamptz NOT NULL,
  detached_at timestamptz NOT NULL,
  -- Null: its rows are still in `partitions.<name>_leaving`.
  retired_at timestamptz,
  rows       bigint NOT NULL,
  columns    text[] NOT NULL,
  -- Number of files; 0: it was deleted.
  files      integer NOT NULL,
  -- Of the rows in the format of COPY, over all files.
  bytes      bigint NOT NULL,
  sha256     bytea
);

-- Definitions that name the tables are made anew after the exchange. The audit reads what is here
-- and what a full audit loads from files.
CREATE TEMPORARY TABLE migrated_definitions (place serial, kind text, name text, text text)
  ON COMMIT DROP;
INSERT INTO migrated_definitions (kind, name, text)
SELECT 'view', c.relname, pg_get_viewdef(c.oid) FROM pg_class c
WHERE c.relnamespace = 'ledger_audit'::regnamespace AND c.relkind = 'v';
INSERT INTO migrated_definitions (kind, name, text)
SELECT 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid) FROM pg_proc p
WHERE p.pronamespace IN ('public'::regnamespace, 'ledger_audit'::regnamespace)
  AND (p.prorettype = 'calls'::regtype OR 'calls'::regtype = ANY (p.proargtypes)
    OR p.prosrc ~ '\mc calls;'
    OR p.proname IN ('ledger_digest', 'ledger_balances_at', 'spending_out_of_order'));
DO $$
DECLARE
  r record;
BEGIN
  FOR r IN SELECT name FROM migrated_definitions WHERE kind = 'view' LOOP
    EXECUTE format('DROP VIEW IF EXISTS ledger_audit.%I CASCADE', r.name);
  END LOOP;
END $$;
DROP FUNCTION ledger_cash_share(calls);
DROP FUNCTION ledger_claim_overdue(timestamptz, timestamptz, integer);


CREATE SEQUENCE entries_seq;
SELECT setval('entries_seq', last_value, is_called) FROM entries_seq_seq;
ALTER TABLE entries ALTER COLUMN seq DROP IDENTITY;
ALTER TABLE entries ALTER COLUMN seq SET DEFAULT nextval('entries_seq');

-- The index of keys stays with the existing rows for programs of the former release.
ALTER TABLE calls SET SCHEMA partitions;
ALTER TABLE entries SET SCHEMA partitions;
ALTER TABLE readings SET SCHEMA partitions;
ALTER TABLE publication_log SET SCHEMA partitions;

-- Each partition has its own indexes, like those of the partition `<table>_other`, which holds rows
-- of no month: a clock was wrong, or the worker had not made the month yet.
CREATE TABLE calls (LIKE partitions.calls INCLUDING DEFAULTS) PARTITION BY RANGE (request_id);
CREATE TABLE partitions.calls_other (LIKE calls INCLUDING DEFAULTS, PRIMARY KEY (request_id))
  WITH (fillfactor = 45);
-- The id is no key of it: on an empty partition a look-up by id could use it, and keep that plan.
CREATE INDEX ON partitions.calls_other (account_id, livemode, opened_at) INCLUDE (request_id);
CREATE INDEX ON partitions.calls_other USING brin (opened_at);

CREATE TABLE entries (
  LIKE partitions.entries INCLUDING DEFAULTS INCLUDING STORAGE,
  CONSTRAINT entries_moves CHECK (0 < ALL (amounts))
) PARTITION BY RANGE (at);
CREATE TABLE partitions.entries_other (
  LIKE entries INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING CONSTRAINTS, PRIMARY KEY (seq)
) WITH (toast_tuple_target = 8160);
CREATE INDEX ON partitions.entries_other (account_id, livemode, seq)
  WHERE kind NOT IN ('reserve', 'remeasure', 'capture', 'release');
CREATE INDEX ON partitions.entries_other (account_id, livemode, reference)
  WHERE reference IS NOT NULL;
CREATE INDEX ON partitions.entries_other (account_id, livemode, (targets[1]))
  WHERE kind = 'allowance';
CREATE INDEX ON partitions.entries_other ((requests[1])) WHERE kind = 'refund';
CREATE INDEX ON partitions.entries_other (reference) WHERE kind IN
  ('top_up', 'top_up_refund', 'top_up_dispute', 'top_up_return', 'top_up_refund_failed');
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON partitions.entries_other
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE TABLE readings (
  LIKE partitions.readings INCLUDING DEFAULTS,
  CONSTRAINT readings_outcome_check
    CHECK (outcome IN ('read', 'unchanged', 'failed', 'refused', 'moved', 'gone')),
  FOREIGN KEY (source_id) REFERENCES sources ON DELETE CASCADE
) PARTITION BY RANGE (started_at);
CREATE TABLE partitions.readings_other (
  LIKE readings INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (id)
);
CREATE INDEX ON partitions.readings_other (source_id, started_at DESC);

CREATE TABLE publication_log (LIKE partitions.publication_log INCLUDING DEFAULTS)
  PARTITION BY RANGE (at);
CREATE TABLE partitions.publication_log_other (
  LIKE publication_log INCLUDING DEFAULTS, PRIMARY KEY (seq)
);

-- Makes a partition between two bounds, unless it exists, and moves its rows there from
-- `<table>_other`. Without a lower bound it holds all earlier rows.
CREATE FUNCTION partition_make(p_table text, p_name text, p_from text, p_to text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_new text := format('partitions.%I', p_name);
  v_other text := format('partitions.%I', p_table || '_other');
  v_key text := substring(pg_get_partkeydef(p_table::regclass) FROM '\((.*)\)');
  v_options text;
  v_trigger text;
BEGIN
  IF to_regclass(v_new) IS NOT NULL THEN RETURN; END IF;
  SELECT 'WITH (' || array_to_string(reloptions, ', ') || ')' INTO v_options FROM pg_class
  WHERE oid = v_other::regclass;
  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL) %s', v_new, v_other, v_options);
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', v_other);
  EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', v_other);
  EXECUTE format('WITH moved AS (
      DELETE FROM %s WHERE (%L IS NULL OR %I >= %L) AND %I < %L RETURNING *
    ) INSERT INTO %s SELECT * FROM moved', v_other, p_from, v_key, p_from, v_key, p_to, v_new);
  EXECUTE format('ALTER TABLE %s ENABLE TRIGGER USER', v_other);
  FOR v_trigger IN SELECT replace(pg_get_triggerdef(t.oid), ' ON ' || v_other, ' ON ' || v_new)
    FROM pg_trigger t WHERE t.tgrelid = v_other::regclass AND NOT t.tgisinternal
      -- A trigger of the whole table comes with the attachment.
      AND t.tgparentid = 0
  LOOP
    EXECUTE v_trigger;
  END LOOP;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%L)', p_table, v_new,
    coalesce(quote_literal(p_from), 'MINVALUE'), p_to);
END $$;

-- Detaches a partition, which becomes `<name>_leaving`. Entries of wallets and top-ups stay: they
-- are the new content of the partition.
CREATE FUNCTION partition_detach(p_table text, p_name text, p_from text, p_to text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I DETACH PARTITION partitions.%I', p_table, p_name);
  EXECUTE format('ALTER TABLE partitions.%I RENAME TO %I', p_name, p_name || '_leaving');
  IF p_table = 'entries' THEN
    PERFORM partition_make(p_table, p_name, p_from, p_to);
    EXECUTE format('INSERT INTO %s SELECT * FROM partitions.%I
      WHERE kind NOT IN (''reserve'', ''remeasure'', ''capture'', ''release'')',
      format('partitions.%I', p_name), p_name || '_leaving');
  END IF;
END $$;

CREATE FUNCTION partition_add(p_table text, p_month timestamptz) RETURNS void LANGUAGE sql AS $$
  SELECT partition_make(p_table, p_table || to_char(p_month AT TIME ZONE 'UTC', '_YYYY_MM'),
    partition_bound(p_table, p_month),
    partition_bound(p_table, (p_month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'))
$$;

-- Attaches the existing rows up to their bound, or drops a table without rows.
DO $$
DECLARE
  r record;
  v_is_used boolean;
  v_until timestamptz;
BEGIN
  FOR r IN SELECT c.conrelid, c.conname, c.convalidated, t.relname AS name,
      substring(pg_get_partkeydef(t.relname::regclass) FROM '\((.*)\)') AS key
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
    WHERE c.contype = 'c' AND c.conname ~ '^(calls|entries|readings|publication_log)_before_'
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM partitions.%I)', r.name) INTO v_is_used;
    IF NOT v_is_used THEN
      EXECUTE format('DROP TABLE partitions.%I', r.name);
      CONTINUE;
    END IF;
    v_until := (to_date(right(r.conname, 7), 'YYYY_MM')::timestamp) AT TIME ZONE 'UTC';
    IF NOT r.convalidated THEN
      EXECUTE format('ALTER TABLE partitions.%I DISABLE TRIGGER USER', r.name);
      EXECUTE format('WITH moved AS (DELETE FROM %s WHERE %I >= %L RETURNING *)
        INSERT INTO %s SELECT * FROM moved', 'partitions.' || r.name, r.key,
        partition_bound(r.name, v_until), 'partitions.' || r.name || '_other');
      EXECUTE format('ALTER TABLE partitions.%I ENABLE TRIGGER USER', r.name);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION partitions.%I FOR VALUES FROM (MINVALUE)
      TO (%L)', r.name, r.name, partition_bound(r.name, v_until));
    EXECUTE format('ALTER TABLE partitions.%I DROP CONSTRAINT %I', r.name, r.conname);
    EXECUTE format('ALTER TABLE partitions.%I RENAME TO %I', r.name, r.conname);
  END LOOP;
  ALTER TABLE calls ATTACH PARTITION partitions.calls_other DEFAULT;
  ALTER TABLE entries ATTACH PARTITION partitions.entries_other DEFAULT;
  ALTER TABLE readings ATTACH PARTITION partitions.readings_other DEFAULT;
  ALTER TABLE publication_log ATTACH PARTITION partitions.publication_log_other DEFAULT;
END $$;
DROP SEQUENCE IF EXISTS entries_seq_seq;

-- A call may have begun with the former functions, and waits for the locks above. It then writes
-- rows without their keys. Triggers add these at the end of its transaction, and refuse a call
-- whose key another call has. 0185 removes them.
CREATE OR REPLACE FUNCTION migrate_call_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.idempotency_key IS NOT DISTINCT FROM NEW.idempotency_key THEN RETURN NULL; END IF;
    DELETE FROM idempotency_keys k WHERE k.idempotency_key = OLD.idempotency_key
      AND k.account_id = OLD.account_id AND k.livemode = OLD.livemode
      AND k.request_id = OLD.request_id;
  END IF;
  IF NEW.idempotency_key IS NULL THEN RETURN NULL; END IF;
  INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
  VALUES (NEW.idempotency_key, NEW.account_id, NEW.livemode, NEW.request_id)
  ON CONFLICT DO NOTHING;
  PERFORM FROM idempotency_keys k WHERE k.idempotency_key = NEW.idempotency_key
    AND k.account_id = NEW.account_id AND k.livemode = NEW.livemode
    AND k.request_id = NEW.request_id;
  IF NOT FOUND THEN
    RAISE unique_violation USING MESSAGE = 'another call has the idempotency key';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER migrate_call_key AFTER INSERT OR UPDATE OF idempotency_key ON calls
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION migrate_call_key();

CREATE OR REPLACE FUNCTION migrate_entry_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO entry_references (account_id, livemode, reference)
  VALUES (NEW.account_id, NEW.livemode, NEW.reference) ON CONFLICT DO NOTHING;
  PERFORM FROM entries e WHERE e.account_id = NEW.account_id AND e.livemode = NEW.livemode
    AND e.reference = NEW.reference AND e.seq <> NEW.seq;
  IF FOUND THEN
    RAISE unique_violation USING MESSAGE = 'another entry has the reference';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER migrate_entry_reference AFTER INSERT ON entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.reference IS NOT NULL)
  EXECUTE FUNCTION migrate_entry_reference();

-- Rows of files, loaded by a full audit within its transaction and never committed. A replica reads
-- the views below, so these tables cannot be unlogged.
CREATE TABLE ledger_audit.loaded_calls
  (LIKE partitions.calls_other INCLUDING DEFAULTS INCLUDING INDEXES);
CREATE TABLE ledger_audit.loaded_entries
  (LIKE partitions.entries_other INCLUDING STORAGE INCLUDING INDEXES);
CREATE VIEW ledger_audit.calls AS
  SELECT * FROM public.calls UNION ALL SELECT * FROM ledger_audit.loaded_calls;
CREATE VIEW ledger_audit.entries AS
  SELECT * FROM public.entries UNION ALL SELECT * FROM ledger_audit.loaded_entries;

-- No idempotency key was charged twice: it names the one call that was charged.
UPDATE migrated_definitions SET text = $view$
SELECT format('key %s of %s (livemode %s)', s.idempotency_key, s.account_id, s.livemode) AS subject,
  format('captured by %s, claimed by %s', s.request_id, coalesce(k.request_id, 'no call')) AS detail
FROM ledger_audit.calls_since_start s
LEFT JOIN idempotency_keys k ON k.idempotency_key = s.idempotency_key
  AND k.account_id = s.account_id AND k.livemode = s.livemode
WHERE s.state = 'captured' AND s.idempotency_key IS NOT NULL
  AND k.request_id IS DISTINCT FROM s.request_id
$view$ WHERE name = 'captured_once_per_key';
UPDATE migrated_definitions
SET text = regexp_replace(text, '(\mFROM \(*|\mJOIN )(entries|calls)\M',
  '\1ledger_audit.\2', 'g')
WHERE kind = 'view' OR name ~ '(ledger_digest|ledger_balances_at|spending_out_of_order)';
INSERT INTO migrated_definitions (kind, name, text)
SELECT kind, 'cash share in the audit', replace(text, '(c calls)', '(c ledger_audit.calls)')
FROM migrated_definitions WHERE name LIKE 'ledger_cash_share%';
DO $$
DECLARE
  r record;
  v_count integer;
BEGIN
  FOR r IN SELECT text FROM migrated_definitions WHERE kind = 'function' ORDER BY place LOOP
    EXECUTE r.text;
  END LOOP;
  -- A view follows the views that it reads: what fails is tried again after the others.
  LOOP
    v_count := 0;
    FOR r IN SELECT name, text FROM migrated_definitions WHERE kind = 'view'
      AND to_regclass('ledger_audit.' || name) IS NULL
    LOOP
      BEGIN
        EXECUTE format('CREATE VIEW ledger_audit.%I AS %s', r.name, r.text);
        v_count := v_count + 1;
      EXCEPTION WHEN undefined_table THEN NULL;
      END;
    END LOOP;
    EXIT WHEN v_count = 0;
  END LOOP;
  SELECT count(*) INTO v_count FROM migrated_definitions WHERE kind = 'view'
    AND to_regclass('ledger_audit.' || name) IS NULL;
  IF v_count > 0 THEN RAISE EXCEPTION '% views of the audit were not made anew', v_count; END IF;
END $$;

-- The functions that authorize, resolve and post: their keys and references have tables of their
-- own. Each change replaces one place of a function.
CREATE FUNCTION migrate_function(p_name text, p_old text, p_new text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_text text := pg_get_functiondef(p_name::regproc);
BEGIN
  IF array_length(string_to_array(v_text, p_old), 1) IS DISTINCT FROM 2 THEN
    RAISE EXCEPTION 'function % does not have the place to change once: %', p_name, p_old;
  END IF;
  EXECUTE replace(v_text, p_old, p_new);
END $$;

SELECT migrate_function('ledger_open_one', $old$
  INSERT INTO calls ($old$, $new$
  IF p_idempotency IS NOT NULL THEN
    INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
    VALUES (p_idempotency, p_account, p_live, p_request);
  END IF;
  INSERT INTO calls ($new$);

SELECT migrate_function('ledger_open_plain', $old$
      INSERT INTO calls ($old$, $new$
      INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
      SELECT t.key, p_account, p_live, t.request_id
      FROM unnest(p_idempotency, p_request) AS t(key, request_id) WHERE t.key IS NOT NULL;
      INSERT INTO calls ($new$);

SELECT migrate_function('ledger_open', 't.fingerprint, c.request_id, c.status,',
  't.fingerprint, k.request_id, c.status,');
SELECT migrate_function('ledger_open', $old$
      JOIN calls c ON c.idempotency_key = t.key
        AND c.account_id IS NOT DISTINCT FROM t.account_id
        AND c.livemode IS NOT DISTINCT FROM t.livemode$old$, $new$
      JOIN idempotency_keys k ON k.idempotency_key = t.key
        AND k.account_id IS NOT DISTINCT FROM t.account_id
        AND k.livemode IS NOT DISTINCT FROM t.livemode
      LEFT JOIN calls c ON c.request_id = k.request_id$new$);
SELECT migrate_function('ledger_open', $old$
  INSERT INTO deadlines ($old$, $new$
  INSERT INTO idempotency_keys (idempotency_key, account_id, livemode, request_id)
  SELECT t.key, t.account_id, t.livemode, t.request_id
  FROM unnest(p_idempotency, p_account, p_live, p_request, v_books)
    AS t(key, account_id, livemode, request_id, books)
  WHERE t.books IS NOT NULL AND t.key IS NOT NULL;
  INSERT INTO deadlines ($new$);

SELECT migrate_function('ledger_resolve', $old$
  UPDATE calls c SET state = t.outcome,$old$, $new$
  IF v_spent_less THEN
    DELETE FROM idempotency_keys k
    USING unnest(p_request, v_outcome) AS t(request_id, outcome)
    JOIN calls c ON c.request_id = t.request_id
    -- By the key alone: a plan made on a small table must not start at the wallet.
    WHERE t.outcome IN ('released', 'expired') AND k.idempotency_key = c.idempotency_key
      AND k.account_id IS NOT DISTINCT FROM c.account_id
      AND k.livemode IS NOT DISTINCT FROM c.livemode
      AND k.request_id IS NOT DISTINCT FROM c.request_id;
  END IF;
  UPDATE calls c SET state = t.outcome,$new$);

SELECT migrate_function('ledger_post', $old$
  RETURNING seq INTO v_seq;$old$, $new$
  RETURNING seq INTO v_seq;
  IF p_reference IS NOT NULL THEN
    INSERT INTO entry_references (account_id, livemode, reference)
    VALUES (p_account, p_live, p_reference);
  END IF;$new$);

SELECT migrate_function('ledger_erase_calls', $old$
  UPDATE calls SET$old$, $new$
  DELETE FROM idempotency_keys k USING calls c
  WHERE c.account_id = p_account AND c.opened_at >= p_since
    AND k.idempotency_key = c.idempotency_key AND k.account_id = p_account
    AND k.livemode = c.livemode;
  UPDATE calls SET$new$);

-- A plan made on a table of a few calls would read all partitions, and be kept. With the ids as a
-- condition of its own, each plan looks them up.
DO $$
DECLARE
  r record;
BEGIN
  FOR r IN SELECT oid, CASE proname WHEN 'ledger_capture_plain' THEN 'p_back_request'
      ELSE 'p_request' END AS ids
    FROM pg_proc
    WHERE proname IN ('ledger_resolve', 'ledger_return_expired', 'ledger_capture_plain')
  LOOP
    EXECUTE regexp_replace(regexp_replace(pg_get_functiondef(r.oid),
      '(JOIN calls (c|x) ON \2\.request_id = [tu]\.request_id)',
      '\1 AND \2.request_id = ANY (' || r.ids || ')', 'g'),
      '(WHERE c\.request_id = t\.request_id) AND t\.outcome IS NOT NULL',
      '\1 AND c.request_id = ANY (p_request) AND t.outcome IS NOT NULL');
  END LOOP;
END $$;

-- Writers lock the partitioned table, so its lock is enough.
SELECT migrate_function('ledger_horizon', 'LOCK TABLE entries IN', 'LOCK TABLE ONLY entries IN');
DROP FUNCTION migrate_function(text, text, text);

-- The call of a key may have left; it was charged then.
CREATE OR REPLACE FUNCTION ledger_taken(
  p_state text, p_fingerprint text, p_asked text, p_request text, p_status integer,
  p_completed timestamptz
) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_fingerprint <> p_asked THEN 'reused|' || p_request
    WHEN p_state IN ('held', 'unknown') THEN 'in_progress|' || p_request
    ELSE 'duplicate|' || p_request || '|' || coalesce(p_status, 200) || '|'
      || (extract(epoch FROM coalesce(p_completed, 'epoch')) * 1000)::bigint END
$$;
