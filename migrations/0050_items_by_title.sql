-- An item whose publisher moved its page is found again by its title; titles can exceed the size
-- of an index entry, so the index holds their digest.
CREATE INDEX items_by_source_title ON items (source_id, md5(title));
