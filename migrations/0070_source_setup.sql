-- Setup of sources: a proxy per source, and removal.

-- `proxy` is a name of `network.proxies`, or 'none'. A removed source keeps its items; its address
-- is free for another source.
ALTER TABLE sources
  ADD COLUMN proxy text,
  ADD COLUMN removed_at timestamptz;
