-- Regradings: results of attempts that were computed again when a changed quiz was published (core/src/regrades). Points are as in attempts.
CREATE TABLE regrades (
    id         UUID        NOT NULL PRIMARY KEY,
    course_id  UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    by_id      UUID        REFERENCES users (id) ON DELETE SET NULL, -- null: the account was deleted
    at         TIMESTAMPTZ NOT NULL,
    attempts   BIGINT      NOT NULL CHECK (attempts >= 1),
    changed    BIGINT      NOT NULL CHECK (changed >= 0), -- of these, those with another score, total or pass mark
    undone_at  TIMESTAMPTZ
);
CREATE INDEX regrades_of_course ON regrades (course_id, at);
CREATE INDEX regrades_by ON regrades (by_id) WHERE by_id IS NOT NULL;

CREATE TABLE regraded_pages (
    regrade_id UUID NOT NULL REFERENCES regrades (id) ON DELETE CASCADE,
    page_id    UUID NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    PRIMARY KEY (regrade_id, page_id)
);
CREATE INDEX regraded_pages_of_page ON regraded_pages (page_id);

-- By person, as open_answers: attempts move between `attempts` and `ended_attempts`. A reset deletes both.
CREATE TABLE regraded_attempts (
    regrade_id     UUID             NOT NULL REFERENCES regrades (id) ON DELETE CASCADE,
    attempt_id     UUID             NOT NULL,
    page_id        UUID             NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    user_id        UUID             NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    is_changed     BOOLEAN          NOT NULL,
    is_undone      BOOLEAN          NOT NULL DEFAULT FALSE,
    quiz_before    BIGINT           NOT NULL, -- in taken_quizzes
    quiz_after     BIGINT           NOT NULL,
    results_before TEXT, -- null: it is too old to be undone
    results_after  TEXT,
    score_before   DOUBLE PRECISION NOT NULL,
    score_after    DOUBLE PRECISION NOT NULL,
    max_before     DOUBLE PRECISION NOT NULL,
    max_after      DOUBLE PRECISION NOT NULL,
    percent_before BIGINT           NOT NULL,
    percent_after  BIGINT           NOT NULL,
    passed_before  BOOLEAN          NOT NULL,
    passed_after   BOOLEAN          NOT NULL,
    PRIMARY KEY (regrade_id, attempt_id),
    CHECK ((results_before IS NULL) = (results_after IS NULL))
);
CREATE INDEX regraded_attempts_of_attempt ON regraded_attempts (attempt_id);
CREATE INDEX regraded_attempts_of_page ON regraded_attempts (page_id);
CREATE INDEX regraded_attempts_of_user ON regraded_attempts (user_id);
