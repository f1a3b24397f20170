-- Which development of its story a report belongs to, named after the development's first report.
CREATE TABLE story_developments (
  item_id     text COLLATE "C" PRIMARY KEY REFERENCES items ON DELETE CASCADE,
  development text COLLATE "C" NOT NULL
);
