-- Questions that learners missed and practise again (core/src/attempts/practice, docs/decisions/0125-practice.md).
CREATE TABLE practice_cards (
    id            UUID             NOT NULL PRIMARY KEY,
    enrollment_id UUID             NOT NULL REFERENCES enrollments (id) ON DELETE CASCADE,
    page_id       UUID             NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    question_id   UUID             NOT NULL, -- of the quiz of the page, or of a bank that it draws from
    quiz_version  BIGINT           NOT NULL, -- of the last attempt with the question, where a drawn question is found
    stability     DOUBLE PRECISION NOT NULL CHECK (stability > 0), -- of the memory, in days
    difficulty    DOUBLE PRECISION NOT NULL CHECK (difficulty BETWEEN 1 AND 10),
    reviews       BIGINT           NOT NULL CHECK (reviews > 0), -- in attempts and in practice
    reviewed_at   TIMESTAMPTZ      NOT NULL,
    due_at        TIMESTAMPTZ      NOT NULL,
    last_answer   TEXT,             -- JSON; null: the last review was in an attempt, or the learner did not remember
    last_result   TEXT,             -- JSON, as in an attempt; null: the last review was in an attempt
    is_stopped    BOOLEAN          NOT NULL DEFAULT FALSE, -- the learner does not want to be asked again
    UNIQUE (enrollment_id, page_id, question_id),
    CHECK (last_answer IS NULL OR last_result IS NOT NULL)
);
CREATE INDEX practice_cards_due ON practice_cards (enrollment_id, due_at) WHERE NOT is_stopped;
CREATE INDEX practice_cards_of_page ON practice_cards (page_id);

-- Those of enrollments that ended, which return with the learner (core/src/courses/ended.rs).
CREATE TABLE ended_practice_cards (
    id            UUID             NOT NULL PRIMARY KEY,
    enrollment_id UUID             NOT NULL REFERENCES ended_enrollments (id) ON DELETE CASCADE,
    page_id       UUID             NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    question_id   UUID             NOT NULL,
    quiz_version  BIGINT           NOT NULL,
    stability     DOUBLE PRECISION NOT NULL,
    difficulty    DOUBLE PRECISION NOT NULL,
    reviews       BIGINT           NOT NULL,
    reviewed_at   TIMESTAMPTZ      NOT NULL,
    due_at        TIMESTAMPTZ      NOT NULL,
    last_answer   TEXT,
    last_result   TEXT,
    is_stopped    BOOLEAN          NOT NULL
);
CREATE INDEX ended_practice_cards_of_enrollment ON ended_practice_cards (enrollment_id);
CREATE INDEX ended_practice_cards_of_page ON ended_practice_cards (page_id);
