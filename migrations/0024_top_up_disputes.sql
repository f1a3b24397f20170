-- What happens to a top-up after it was credited: refunds and disputes at the provider, what of
-- them could be taken out of the wallet, what is still owed, and what an operator let go.

-- `disputed`: what the customer's bank holds back now. `forgiven`: what an operator let go.
-- `moves`: how often money went either way because of it, which names the entries. `owed`: never
-- below zero.
ALTER TABLE top_ups
  DROP CONSTRAINT top_ups_taken_back,
  ADD COLUMN disputed bigint NOT NULL DEFAULT 0,
  ADD COLUMN forgiven bigint NOT NULL DEFAULT 0,
  ADD COLUMN moves    integer NOT NULL DEFAULT 0,
  ADD COLUMN owed     bigint NOT NULL GENERATED ALWAYS AS
    (least(amount, refunded + disputed) - taken_back - forgiven) STORED;
ALTER TABLE top_ups
  ADD CONSTRAINT top_ups_owed CHECK (taken_back >= 0 AND forgiven >= 0 AND owed >= 0);
DROP INDEX top_ups_short;
CREATE INDEX top_ups_owed ON top_ups (account_id, id) WHERE owed > 0;
CREATE INDEX top_ups_newest ON top_ups (begun_at, id);

-- Disputes as the provider tells them; `rank` grows as one goes on, so that what was read earlier
-- never replaces what was read later.
CREATE TABLE top_up_disputes (
  id          text COLLATE "C" PRIMARY KEY,
  top_up_id   text COLLATE "C" NOT NULL REFERENCES top_ups (id),
  -- Micro-fen.
  amount      bigint NOT NULL CHECK (amount >= 0),
  reason      text NOT NULL,
  -- warning_needs_response, warning_under_review, warning_closed, needs_response, under_review,
  -- won, lost, prevented
  status      text NOT NULL,
  rank        integer NOT NULL,
  -- Whether the bank holds the money back.
  withheld    boolean NOT NULL,
  opened_at   timestamptz NOT NULL,
  -- Until when the provider takes evidence; null: it does not say.
  answer_by   timestamptz
);
CREATE INDEX top_up_disputes_of ON top_up_disputes (top_up_id);

-- As before, under a name of what it is: `top_up_refund`, or `top_up_dispute`.
DROP FUNCTION ledger_take_back(text, boolean, timestamptz, bigint, text, text, text);
CREATE FUNCTION ledger_take_back(
  p_account text, p_live boolean, p_now timestamptz, p_kind text, p_most bigint, p_reference text,
  p_reason text, p_actor text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_taken bigint;
BEGIN
  PERFORM ledger_lock(ARRAY[p_account], ARRAY[p_live]);
  SELECT least(b.available, p_most) INTO v_taken FROM books b
  WHERE b.account_id = p_account AND b.livemode = p_live AND b.name = 'cash';
  IF coalesce(v_taken, 0) <= 0 THEN RETURN 0; END IF;
  PERFORM ledger_post(p_account, p_live, p_kind, NULL, p_now, ARRAY['cash'], ARRAY['top-ups'],
    ARRAY[v_taken], p_reference, p_reason, p_actor);
  RETURN v_taken;
END $$;

-- The twelfth invariant, with what goes back into a wallet when a dispute was decided for us.
CREATE OR REPLACE VIEW ledger_audit.top_ups_are_in_the_books AS
SELECT 'top-up ' || coalesce(t.id, j.id) AS subject,
  format('the record says %s credited and %s taken back, the journal %s and %s',
    coalesce(t.credited, 0), coalesce(t.taken_back, 0), coalesce(j.credited, 0),
    coalesce(j.taken_back, 0)) AS detail
FROM (
  SELECT id, account_id, CASE WHEN state = 'credited' THEN amount ELSE 0 END AS credited,
    taken_back
  FROM top_ups
) AS t
FULL JOIN (
  SELECT split_part(e.reference, ':', 2) AS id, e.account_id,
    coalesce(sum(m.amount) FILTER (WHERE e.kind = 'top_up'), 0) AS credited,
    coalesce(sum(CASE e.kind WHEN 'top_up_return' THEN -m.amount ELSE m.amount END)
      FILTER (WHERE e.kind IN ('top_up_refund', 'top_up_dispute', 'top_up_return')), 0)
      AS taken_back
  FROM entries e CROSS JOIN LATERAL unnest(e.amounts) AS m(amount)
  WHERE e.livemode AND (e.reference LIKE 'top-up:%' OR e.reference LIKE 'top-up-refund:%')
  GROUP BY 1, 2
) AS j ON j.id = t.id AND j.account_id = t.account_id
WHERE coalesce(t.credited, 0) <> coalesce(j.credited, 0)
  OR coalesce(t.taken_back, 0) <> coalesce(j.taken_back, 0)
  OR coalesce(j.taken_back, 0) > coalesce(j.credited, 0);
