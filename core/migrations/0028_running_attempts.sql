-- Running attempts at quizzes with a time limit (core/src/attempts/running/). By person: leaving the course and coming back gives no time.
CREATE TABLE running_attempts (
    id           UUID        NOT NULL PRIMARY KEY,
    page_id      UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    user_id      UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    attempt_no   BIGINT      NOT NULL CHECK (attempt_no >= 1),
    quiz_version BIGINT      NOT NULL, -- in taken_quizzes
    started_at   TIMESTAMPTZ NOT NULL,
    ends_at      TIMESTAMPTZ NOT NULL,
    -- When the grace period is over: then a job grades the saved answers.
    closes_at    TIMESTAMPTZ NOT NULL,
    saves        BIGINT      NOT NULL DEFAULT 0, -- incremented by each save
    UNIQUE (page_id, user_id)
);
CREATE INDEX running_attempts_of_user ON running_attempts (user_id);
CREATE INDEX running_attempts_by_end ON running_attempts (closes_at, id);

CREATE TABLE running_answers (
    running_id  UUID   NOT NULL REFERENCES running_attempts (id) ON DELETE CASCADE,
    question_id UUID   NOT NULL,
    answer      TEXT,            -- as in an attempt; null: removed
    given_after BIGINT NOT NULL CHECK (given_after >= 0), -- microseconds since the start
    PRIMARY KEY (running_id, question_id)
);
