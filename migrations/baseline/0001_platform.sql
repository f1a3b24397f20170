-- Settings, backups, processes, and the partitions by month of tables that grow.

-- The oldest program version that may use a database with a migration (`program-version.ts`).
ALTER TABLE migrations ADD COLUMN oldest_program text NOT NULL DEFAULT '0.1.0';

CREATE SCHEMA partitions;

CREATE TABLE secrets (
  name  text COLLATE "C" PRIMARY KEY,
  value bytea NOT NULL
);

-- What operators set on the setup page, by name. The environment and radar.config.json win.
CREATE TABLE settings (
  name       text COLLATE "C" PRIMARY KEY,
  value      jsonb NOT NULL,
  changed_at timestamptz NOT NULL
);

-- Each backup with its end, size or error: evidence for alerts.
CREATE TABLE backups (
  id          text COLLATE "C" PRIMARY KEY,
  started_at  timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  -- Null when it failed.
  bytes       bigint,
  -- Null when it succeeded.
  error       text
);
CREATE INDEX backups_by_end ON backups (finished_at);

-- Months that left, with their files.
CREATE TABLE retired_partitions (
  table_name  text COLLATE "C" NOT NULL,
  name        text COLLATE "C" PRIMARY KEY,
  since       timestamptz,
  until       timestamptz NOT NULL,
  detached_at timestamptz NOT NULL,
  -- Null: its rows are still in `partitions.<name>_leaving`.
  retired_at  timestamptz,
  rows        bigint NOT NULL,
  columns     text[] NOT NULL,
  -- Number of files; 0: it was deleted.
  files       integer NOT NULL,
  -- Of the rows in the format of COPY, over all files.
  bytes       bigint NOT NULL,
  sha256      bytea
);

-- One row. Each worker writes the time of its last tick.
CREATE TABLE worker_ticks (
  only_row boolean PRIMARY KEY CHECK (only_row),
  at       timestamptz NOT NULL
);

CREATE TABLE nodes (
  id              text COLLATE "C" PRIMARY KEY,
  host            text NOT NULL,
  pid             integer NOT NULL,
  parts           text[] NOT NULL,
  started_at      timestamptz NOT NULL,
  seen_at         timestamptz NOT NULL,
  clock_offset_ms bigint NOT NULL,
  edition_seq     bigint NOT NULL
);

-- The lower or upper bound of a partition. An id of a call begins with its time, so calls are
-- partitioned by their id: it stays their key, and a look-up by id reads one partition.
CREATE FUNCTION partition_bound(p_table text, p_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_table
    WHEN 'calls' THEN 'req_' || lpad(to_hex((extract(epoch FROM p_at) * 1000)::bigint), 12, '0')
    ELSE to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS"+00"') END
$$;

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
