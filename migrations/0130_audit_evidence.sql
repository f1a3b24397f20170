-- A row of the audit log names the operator's account and the client's address, and no row changes.

-- Both are null for a command at the shell, and for rows before this version.
ALTER TABLE operator_audit
  -- No reference: the row outlives the operator.
  ADD COLUMN operator_id text COLLATE "C",
  ADD COLUMN address text COLLATE "C";

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'operator_audit is append-only: % is refused', TG_OP
    USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER operator_audit_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
