-- When courses, modules, lessons and pages open, close and are due (core/src/schedule). Null: no limit.
ALTER TABLE courses ADD COLUMN starts_at TIMESTAMPTZ;
ALTER TABLE courses ADD COLUMN ends_at TIMESTAMPTZ;
ALTER TABLE courses ADD COLUMN enroll_until TIMESTAMPTZ;
ALTER TABLE courses ADD COLUMN time_zone TEXT;
ALTER TABLE courses ADD COLUMN hide_locked_titles BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE modules ADD COLUMN available_from TIMESTAMPTZ;
ALTER TABLE modules ADD COLUMN available_until TIMESTAMPTZ;
ALTER TABLE modules ADD COLUMN due_at TIMESTAMPTZ;
ALTER TABLE lessons ADD COLUMN available_from TIMESTAMPTZ;
ALTER TABLE lessons ADD COLUMN available_until TIMESTAMPTZ;
ALTER TABLE lessons ADD COLUMN due_at TIMESTAMPTZ;
ALTER TABLE pages ADD COLUMN available_from TIMESTAMPTZ;
ALTER TABLE pages ADD COLUMN available_until TIMESTAMPTZ;
ALTER TABLE pages ADD COLUMN due_at TIMESTAMPTZ;
ALTER TABLE pages ADD COLUMN late_until TIMESTAMPTZ;
ALTER TABLE pages ADD COLUMN late_penalty_per_day BIGINT;
ALTER TABLE pages ADD COLUMN late_penalty_max BIGINT;

-- Percent of the score that the attempt lost because it was late.
ALTER TABLE attempts ADD COLUMN penalty_percent BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ended_attempts ADD COLUMN penalty_percent BIGINT NOT NULL DEFAULT 0;
