-- What operators set on the setup page, by name. The environment and radar.config.json win.
CREATE TABLE settings (
  name text COLLATE "C" PRIMARY KEY,
  value jsonb NOT NULL,
  changed_at timestamptz NOT NULL
);
