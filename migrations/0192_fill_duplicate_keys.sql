-- Copies the keys of all items. It takes as long as the table is large, and blocks no other
-- statement except the removal of an item.
CREATE FUNCTION copy_duplicate_keys(ids text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO duplicate_keys (item_id, at, title_key, bands, signature)
  SELECT k.item_id, max(k.at), max(k.key) FILTER (WHERE k.kind = 'title'),
    array_agg(('x' || substr(k.key, 2))::bit(64)::bigint ORDER BY k.key)
      FILTER (WHERE k.kind = 'body'),
    (array_agg(k.signature) FILTER (WHERE k.kind = 'body'))[1]
  FROM reading_group_keys k
  WHERE ids IS NULL OR k.item_id = ANY (ids)
  GROUP BY k.item_id
$$;
SELECT copy_duplicate_keys(NULL);

CREATE INDEX duplicate_keys_title ON duplicate_keys USING hash (title_key);
-- Each search reads the rows that a pending list would hold.
CREATE INDEX duplicate_keys_bands ON duplicate_keys USING gin (bands) WITH (fastupdate = off);
