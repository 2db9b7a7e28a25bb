-- Overrides: what differs from the dates and attempts of a course, module, lesson or page for one group or one learner
-- (core/src/schedule/overrides.rs). A value replaces the one of the part, a lifted limit does not apply, all else is inherited.
-- The override of the course itself names no part; available_from and available_until are then its start and end. An override
-- of a learner who left stays, as the group does, and applies again when they enroll again. That group and parts are of the same
-- course is checked by every change and by `kurso check`.
CREATE TABLE schedule_overrides (
    id                     UUID        NOT NULL PRIMARY KEY,
    course_id              UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    group_id               UUID        REFERENCES groups (id) ON DELETE CASCADE,
    user_id                UUID        REFERENCES users (id) ON DELETE CASCADE,
    module_id              UUID        REFERENCES modules (id) ON DELETE CASCADE,
    lesson_id              UUID        REFERENCES lessons (id) ON DELETE CASCADE,
    page_id                UUID        REFERENCES pages (id) ON DELETE CASCADE,
    available_from         TIMESTAMPTZ,
    available_from_lifted  BOOLEAN     NOT NULL,
    available_until        TIMESTAMPTZ,
    available_until_lifted BOOLEAN     NOT NULL,
    due_at                 TIMESTAMPTZ,
    due_at_lifted          BOOLEAN     NOT NULL,
    late_until             TIMESTAMPTZ,
    late_until_lifted      BOOLEAN     NOT NULL,
    extra_attempts         BIGINT CHECK (extra_attempts BETWEEN 0 AND 100),
    extra_attempts_lifted  BOOLEAN     NOT NULL,
    time_factor            DOUBLE PRECISION CHECK (time_factor BETWEEN 1 AND 5),
    time_factor_lifted     BOOLEAN     NOT NULL,
    updated_at             TIMESTAMPTZ NOT NULL,
    CHECK ((group_id IS NULL) <> (user_id IS NULL)),
    CHECK (module_id IS NULL OR (lesson_id IS NULL AND page_id IS NULL)),
    CHECK (lesson_id IS NULL OR page_id IS NULL)
);
-- Ids are unique in the whole database, so that one index serves every kind of target and part.
CREATE UNIQUE INDEX schedule_overrides_of_target
    ON schedule_overrides (COALESCE(group_id, user_id), COALESCE(page_id, lesson_id, module_id, course_id));
CREATE INDEX schedule_overrides_of_course ON schedule_overrides (course_id);
CREATE INDEX schedule_overrides_of_group ON schedule_overrides (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX schedule_overrides_of_user ON schedule_overrides (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX schedule_overrides_of_module ON schedule_overrides (module_id) WHERE module_id IS NOT NULL;
CREATE INDEX schedule_overrides_of_lesson ON schedule_overrides (lesson_id) WHERE lesson_id IS NOT NULL;
CREATE INDEX schedule_overrides_of_page ON schedule_overrides (page_id) WHERE page_id IS NOT NULL;
