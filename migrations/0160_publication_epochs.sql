-- Why and when the current epoch began; null: it is the first one.
ALTER TABLE publication_head
  ADD COLUMN epoch_reason text CHECK (epoch_reason IN ('restored', 'earlier_state')),
  ADD COLUMN epoch_began_at timestamptz;
