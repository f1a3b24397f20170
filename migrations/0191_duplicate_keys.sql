-- First of three steps to one row of keys per item: 0191 prepares, 0192 copies the existing keys
-- beside running programs, 0193 exchanges the table for a view. The address is in `items`.
CREATE TABLE duplicate_keys (
  item_id   text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE,
  at        timestamptz NOT NULL,
  title_key text COLLATE "C",
  -- Hashes of the sixteen bands of the signature, in their order.
  bands     bigint[],
  signature bytea
);
-- Hashes do not compress.
ALTER TABLE duplicate_keys ALTER COLUMN signature SET STORAGE EXTERNAL;

-- Items whose keys changed while 0192 copied them.
CREATE TABLE duplicate_keys_changed (item_id text COLLATE "C" NOT NULL);

CREATE FUNCTION note_changed_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO duplicate_keys_changed (item_id)
  VALUES (CASE WHEN TG_OP = 'DELETE' THEN OLD.item_id ELSE NEW.item_id END);
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed_keys AFTER INSERT OR DELETE ON reading_group_keys
  FOR EACH ROW EXECUTE FUNCTION note_changed_keys();
