-- Each item updates its row, its public row and the document of its story soon after they were
-- inserted. By default a fifth of a table is dead before a vacuum; of these tables a fiftieth is.
ALTER TABLE items SET (autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE public_items SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE public_documents SET (autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE story_digests SET (autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE story_views SET (autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE story_links SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE story_members SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE stories SET (autovacuum_vacuum_scale_factor = 0.02);
