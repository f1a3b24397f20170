-- The oldest program version that may use a database with this migration. A program that does not
-- know a migration compares its own version with this one.
ALTER TABLE migrations ADD COLUMN oldest_program text NOT NULL DEFAULT '0.1.0';
