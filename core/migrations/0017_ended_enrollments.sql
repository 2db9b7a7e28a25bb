-- Enrollments that ended: the learner left or was removed. Enrolling again restores them with their id, so that leaving
-- gains no attempts. They go with the course, the page or the account, as the live rows do.
CREATE TABLE ended_enrollments (
    id               UUID        NOT NULL PRIMARY KEY,
    course_id        UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    user_id          UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    enrolled_at      TIMESTAMPTZ NOT NULL,
    completed_at     TIMESTAMPTZ,
    last_page_id     UUID,
    ended_at         TIMESTAMPTZ NOT NULL,
    UNIQUE (course_id, user_id)
);
CREATE INDEX ended_enrollments_of_user ON ended_enrollments (user_id);

CREATE TABLE ended_visits (
    enrollment_id UUID        NOT NULL REFERENCES ended_enrollments (id) ON DELETE CASCADE,
    page_id       UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    visited_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (enrollment_id, page_id)
);
CREATE INDEX ended_visits_of_page ON ended_visits (page_id);

CREATE TABLE ended_attempts (
    id            UUID             NOT NULL PRIMARY KEY,
    enrollment_id UUID             NOT NULL REFERENCES ended_enrollments (id) ON DELETE CASCADE,
    page_id       UUID             NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    attempt_no    BIGINT           NOT NULL,
    submission_id UUID,
    quiz_version  BIGINT           NOT NULL,
    answers       TEXT             NOT NULL,
    results       TEXT             NOT NULL,
    score         DOUBLE PRECISION NOT NULL,
    max_score     DOUBLE PRECISION NOT NULL,
    percent       BIGINT           NOT NULL,
    passed        BOOLEAN          NOT NULL,
    submitted_at  TIMESTAMPTZ      NOT NULL
);
CREATE INDEX ended_attempts_of_enrollment ON ended_attempts (enrollment_id);
CREATE INDEX ended_attempts_of_page ON ended_attempts (page_id);

CREATE TABLE ended_extra_attempts (
    enrollment_id UUID   NOT NULL REFERENCES ended_enrollments (id) ON DELETE CASCADE,
    page_id       UUID   NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    granted       BIGINT NOT NULL,
    PRIMARY KEY (enrollment_id, page_id)
);
CREATE INDEX ended_extra_attempts_of_page ON ended_extra_attempts (page_id);
