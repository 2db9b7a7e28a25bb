-- Answers to open questions, which a person grades (core/src/assessments). Points are ten-thousandths of a point.

-- How many answers of an attempt, of questions with points, have none that its learner may see. Score, percent and passing are without them.
ALTER TABLE attempts ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ended_attempts ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0;

-- By person: attempts move between `attempts` and `ended_attempts`, their open answers stay. A reset deletes both.
CREATE TABLE open_answers (
    attempt_id   UUID        NOT NULL,
    question_id  UUID        NOT NULL,
    course_id    UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    page_id      UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    user_id      UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    number       BIGINT      NOT NULL CHECK (number >= 1), -- of the question in the quiz as it was taken
    max_points   BIGINT      NOT NULL CHECK (max_points >= 0),
    submitted_at TIMESTAMPTZ NOT NULL,
    state        TEXT        NOT NULL CHECK (state IN ('waiting', 'graded', 'released')),
    version      BIGINT      NOT NULL CHECK (version >= 0), -- the number of its assessments, the last of which holds
    points       BIGINT CHECK (points >= 0),
    comment      TEXT,
    opened_by    UUID        REFERENCES users (id) ON DELETE SET NULL,
    opened_until TIMESTAMPTZ,
    PRIMARY KEY (attempt_id, question_id),
    CHECK ((state = 'waiting') = (points IS NULL)),
    CHECK ((version = 0) = (points IS NULL))
);
CREATE INDEX open_answers_queue ON open_answers (course_id, state, submitted_at, attempt_id, question_id);
CREATE INDEX open_answers_of_page ON open_answers (page_id, state);
CREATE INDEX open_answers_of_user ON open_answers (user_id);
CREATE INDEX open_answers_opened ON open_answers (opened_by) WHERE opened_by IS NOT NULL;

-- What graders gave an answer, each change a row.
CREATE TABLE assessments (
    attempt_id  UUID        NOT NULL,
    question_id UUID        NOT NULL,
    version     BIGINT      NOT NULL CHECK (version >= 1),
    points      BIGINT      NOT NULL CHECK (points >= 0),
    comment     TEXT,
    assessed_by UUID        REFERENCES users (id) ON DELETE SET NULL, -- null: the account was deleted
    assessed_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (attempt_id, question_id, version),
    FOREIGN KEY (attempt_id, question_id) REFERENCES open_answers (attempt_id, question_id) ON DELETE CASCADE
);
CREATE INDEX assessments_by ON assessments (assessed_by) WHERE assessed_by IS NOT NULL;

-- Whether graders see whose answer they grade.
ALTER TABLE grade_settings ADD COLUMN is_blind BOOLEAN NOT NULL DEFAULT FALSE;
