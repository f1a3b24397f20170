-- What a reading tells besides its outcome, as codes with their values, so that every page says it
-- in its own language. `message` says the same in English, and is all that older readings have.
ALTER TABLE readings ADD notes jsonb;
