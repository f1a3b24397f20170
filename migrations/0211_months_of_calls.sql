-- A statement over a batch of calls starts only the months between its first and its last call. An
-- array of ids excludes no partition, and a join does so only after the start of all.
DO $$
DECLARE
  r record;
  v_bounds text := 'DECLARE
  v_first text COLLATE "C" := (SELECT min(t.id COLLATE "C") FROM unnest(p_request) AS t(id));
  v_last text COLLATE "C" := (SELECT max(t.id COLLATE "C") FROM unnest(p_request) AS t(id));';
BEGIN
  FOR r IN SELECT oid FROM pg_proc
    WHERE proname IN ('ledger_resolve', 'ledger_return_expired', 'ledger_capture_uniform')
  LOOP
    -- An index scan of the range cannot use the condition with OR instead of the ids.
    EXECUTE regexp_replace(
      regexp_replace(pg_get_functiondef(r.oid), '\mDECLARE\M', v_bounds),
      '(\m(c|x)\.request_id = ANY \(p_(back_)?request\))',
      '\1 AND (\2.request_id BETWEEN v_first AND v_last OR \2.request_id = v_first)', 'g');
  END LOOP;
END $$;
