-- Questions that are checked during a running attempt (core/src/attempts/running/check.rs).
ALTER TABLE running_answers ADD COLUMN result TEXT; -- JSON, as in an attempt; its presence fixes the answer. Null: not checked
