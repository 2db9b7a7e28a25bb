-- Attempts that a teacher gave one learner at one quiz beyond its limit.
CREATE TABLE extra_attempts (
    enrollment_id UUID   NOT NULL REFERENCES enrollments (id) ON DELETE CASCADE,
    page_id       UUID   NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    granted       BIGINT NOT NULL CHECK (granted >= 1),
    PRIMARY KEY (enrollment_id, page_id)
);
CREATE INDEX extra_attempts_of_page ON extra_attempts (page_id);

-- The quiz that an action was about.
ALTER TABLE audit ADD COLUMN page_id UUID;
