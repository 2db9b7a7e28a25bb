-- How long learners spent on questions (core/src/attempts/).
ALTER TABLE attempts ADD COLUMN times TEXT; -- JSON: seconds by the id of the question; null without any
ALTER TABLE ended_attempts ADD COLUMN times TEXT;
ALTER TABLE running_answers ADD COLUMN tenths BIGINT; -- tenths of a second so far; null if unknown
