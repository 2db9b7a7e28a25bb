-- When the sweeper first found that nothing names the file: it goes when that was a grace period ago (contract 7).
ALTER TABLE files ADD COLUMN unused_since TIMESTAMPTZ;
CREATE INDEX files_unused ON files (unused_since) WHERE unused_since IS NOT NULL;

-- What a person's files come to is summed at every upload.
DROP INDEX files_of_owner;
CREATE INDEX files_of_owner ON files (owner_id, size);
