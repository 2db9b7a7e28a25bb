-- What the tree says of a quiz page beside its kind, so that a tree with reasons reads no quiz. Null: no limit.
ALTER TABLE pages ADD COLUMN max_attempts BIGINT;

-- Progress and standings count attempts; they are read from here alone, past the quiz and the answers an attempt keeps.
CREATE INDEX attempts_counted ON attempts (enrollment_id, page_id, attempt_no, percent, passed);
