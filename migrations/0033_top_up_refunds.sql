-- Refunds of top-ups as the provider tells them, each by itself: one that fails afterwards is money
-- that the wallet gets back. `rank` grows as one goes on, so that what was read earlier never
-- replaces what was read later.
CREATE TABLE top_up_refunds (
  id          text COLLATE "C" PRIMARY KEY,
  top_up_id   text COLLATE "C" NOT NULL REFERENCES top_ups (id),
  -- Micro-fen.
  amount      bigint NOT NULL CHECK (amount >= 0),
  -- requires_action, pending, succeeded, failed, canceled
  status      text NOT NULL,
  rank        integer NOT NULL,
  -- Why it failed, in the provider's word; null: it did not, or nobody says.
  reason      text,
  begun_at    timestamptz NOT NULL
);
CREATE INDEX top_up_refunds_of ON top_up_refunds (top_up_id);

-- The twelfth invariant, with what goes back into a wallet when a refund has failed.
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
    coalesce(sum(CASE WHEN e.kind IN ('top_up_refund', 'top_up_dispute') THEN m.amount
      ELSE -m.amount END) FILTER (WHERE e.kind <> 'top_up'), 0) AS taken_back
  FROM entries e CROSS JOIN LATERAL unnest(e.amounts) AS m(amount)
  WHERE e.livemode AND (e.reference LIKE 'top-up:%' OR e.reference LIKE 'top-up-refund:%')
    AND e.kind IN ('top_up', 'top_up_refund', 'top_up_dispute', 'top_up_return',
      'top_up_refund_failed')
  GROUP BY 1, 2
) AS j ON j.id = t.id AND j.account_id = t.account_id
WHERE coalesce(t.credited, 0) <> coalesce(j.credited, 0)
  OR coalesce(t.taken_back, 0) <> coalesce(j.taken_back, 0)
  OR coalesce(j.taken_back, 0) > coalesce(j.credited, 0);
