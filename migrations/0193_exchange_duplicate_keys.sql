-- The keys of programs of the former release are a view of `duplicate_keys`. They keep running.
-- oldest program: 0.1.0

LOCK TABLE reading_group_keys IN ACCESS EXCLUSIVE MODE;

DELETE FROM duplicate_keys WHERE item_id IN (SELECT item_id FROM duplicate_keys_changed);
SELECT copy_duplicate_keys((SELECT array_agg(DISTINCT item_id) FROM duplicate_keys_changed))
WHERE EXISTS (SELECT FROM duplicate_keys_changed);

DROP TABLE reading_group_keys, duplicate_keys_changed;
DROP FUNCTION note_changed_keys, copy_duplicate_keys;

CREATE VIEW reading_group_keys AS
SELECT k.item_id, 'url'::text AS kind, i.canonical_url AS key, k.at, NULL::bytea AS signature
FROM duplicate_keys k JOIN items i ON i.id = k.item_id WHERE i.canonical_url ~ '^https?:'
UNION ALL
SELECT item_id, 'title', title_key, at, NULL FROM duplicate_keys WHERE title_key IS NOT NULL
UNION ALL
SELECT k.item_id, 'body',
  (to_hex(b.place - 1) || lpad(to_hex(b.band), 16, '0')) COLLATE "C", k.at, k.signature
FROM duplicate_keys k CROSS JOIN LATERAL unnest(k.bands) WITH ORDINALITY AS b (band, place);

CREATE FUNCTION write_group_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM duplicate_keys WHERE item_id = OLD.item_id;
    RETURN OLD;
  END IF;
  INSERT INTO duplicate_keys (item_id, at) VALUES (NEW.item_id, NEW.at)
  ON CONFLICT (item_id) DO UPDATE SET at = excluded.at;
  IF NEW.kind = 'title' THEN
    UPDATE duplicate_keys SET title_key = NEW.key WHERE item_id = NEW.item_id;
  ELSIF NEW.kind = 'body' THEN
    UPDATE duplicate_keys SET signature = NEW.signature,
      bands[('x' || lpad(substr(NEW.key, 1, 1), 8, '0'))::bit(32)::integer + 1] =
        ('x' || substr(NEW.key, 2))::bit(64)::bigint
    WHERE item_id = NEW.item_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER write_group_key INSTEAD OF INSERT OR DELETE ON reading_group_keys
  FOR EACH ROW EXECUTE FUNCTION write_group_key();
