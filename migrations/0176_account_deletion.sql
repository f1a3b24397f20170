-- Deletion of accounts: personal data are erased, and the ledger keeps its entries under the
-- account's id, which belongs to no person any more.

ALTER TABLE accounts
  DROP CONSTRAINT accounts_status_check,
  ADD CONSTRAINT accounts_status_check CHECK (status IN ('active', 'suspended', 'deleted')),
  ADD COLUMN deleted_at timestamptz,
  -- The next erasure of what late calls of a deleted account have written; null: none.
  ADD COLUMN erase_at timestamptz,
  ADD CONSTRAINT accounts_deleted CHECK ((status = 'deleted') = (deleted_at IS NOT NULL));
CREATE INDEX accounts_to_erase ON accounts (erase_at) WHERE erase_at IS NOT NULL;

-- Erases the parts of an account's calls that its owner wrote: responses, idempotency keys and
-- hashes of requests. Only calls that were authorized since `p_since`.
CREATE FUNCTION ledger_erase_calls(p_account text, p_since timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM answers a USING calls c
  WHERE c.request_id = a.request_id AND c.account_id = p_account AND c.opened_at >= p_since;
  UPDATE calls SET idempotency_key = NULL, freed_key = NULL, fingerprint = NULL
  WHERE account_id = p_account AND opened_at >= p_since
    AND (idempotency_key IS NOT NULL OR freed_key IS NOT NULL OR fingerprint IS NOT NULL);
END $$;
