-- What a model's desk said besides the judgement: how each step ended, with which prompt, model and
-- receipt, tags and facts. Null: no model was asked.
ALTER TABLE judgements ADD COLUMN model_record jsonb;
-- Places in the source's text that gave orders to machines, and were taken out before it was read.
ALTER TABLE judgements ADD COLUMN orders integer NOT NULL DEFAULT 0;
-- The source's own title is such a place: readers are not shown it.
ALTER TABLE judgements ADD COLUMN withholds_title boolean NOT NULL DEFAULT false;

-- For which inputs a model has answered about a digest, and when it last did not; which prompt,
-- model and receipt the standing digest is by.
ALTER TABLE story_digests ADD COLUMN asked_inputs text COLLATE "C";
ALTER TABLE story_digests ADD COLUMN asked_at timestamptz;
ALTER TABLE story_digests ADD COLUMN written_with jsonb;
