-- Beside the marks, the attempts at the quizzes they name: how many, and the best percent. Nine bytes for each quiz that was
-- tried, see `learning/marks.rs`. NULL when `marks` is, and for marks that were made before there were any.
ALTER TABLE enrollments ADD COLUMN tries BYTEA;
