-- The levels of a rubric that graders chose and the comments that they pinned to places of an answer (core/src/assessments/remarks.rs),
-- as JSON. Null: none.
ALTER TABLE open_answers ADD COLUMN marks TEXT;
ALTER TABLE open_answers ADD COLUMN pins TEXT;
ALTER TABLE assessments ADD COLUMN marks TEXT;
ALTER TABLE assessments ADD COLUMN pins TEXT;
