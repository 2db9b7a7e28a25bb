-- The page that the learner opened last and the place in it where reading stopped, as JSON (core/src/learning/places.rs). No foreign key: the place
-- in a deleted page leads nowhere, as NULL does.
ALTER TABLE enrollments ADD COLUMN reading_place TEXT CHECK (length(reading_place) <= 2000);
ALTER TABLE ended_enrollments ADD COLUMN reading_place TEXT CHECK (length(reading_place) <= 2000);
