-- concurrently
-- The audit looks for earlier entries of the same allowance, top-up or refunded call.
CREATE INDEX CONCURRENTLY IF NOT EXISTS entries_of_allowances
  ON entries (account_id, livemode, (targets[1])) WHERE kind = 'allowance';
CREATE INDEX CONCURRENTLY IF NOT EXISTS entries_of_refunds
  ON entries ((requests[1])) WHERE kind = 'refund';
CREATE INDEX CONCURRENTLY IF NOT EXISTS entries_of_top_ups ON entries (reference) WHERE kind IN
  ('top_up', 'top_up_refund', 'top_up_dispute', 'top_up_return', 'top_up_refund_failed');
