-- Question banks (core/src/banks/) and draws from them.
CREATE TABLE question_banks (
    id         UUID        NOT NULL PRIMARY KEY,
    owner_id   UUID        NOT NULL REFERENCES users (id),
    title      TEXT        NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL -- the last change of the title or of a question
);
CREATE INDEX question_banks_of_owner ON question_banks (owner_id);

-- Colleagues with whom the owner shares a bank.
CREATE TABLE bank_members (
    bank_id    UUID        NOT NULL REFERENCES question_banks (id) ON DELETE CASCADE,
    user_id    UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role       TEXT        NOT NULL CHECK (role IN ('editor', 'viewer')),
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (bank_id, user_id)
);
CREATE INDEX bank_members_of_user ON bank_members (user_id);

CREATE TABLE bank_questions (
    id          UUID        NOT NULL PRIMARY KEY,
    bank_id     UUID        NOT NULL REFERENCES question_banks (id) ON DELETE CASCADE,
    version     BIGINT      NOT NULL CHECK (version >= 1),
    question    TEXT        NOT NULL, -- JSON, as its author writes it
    kind        TEXT        NOT NULL,
    is_complete BOOLEAN     NOT NULL, -- draws take complete questions only
    folded      TEXT        NOT NULL, -- its plain text for the search, normalised like answers
    created_at  TIMESTAMPTZ NOT NULL,
    changed_at  TIMESTAMPTZ NOT NULL,
    changed_by  UUID        REFERENCES users (id) ON DELETE SET NULL
);
CREATE INDEX bank_questions_of_bank ON bank_questions (bank_id, created_at, id);
CREATE INDEX bank_questions_changed_by ON bank_questions (changed_by);

CREATE TABLE bank_question_tags (
    question_id UUID NOT NULL REFERENCES bank_questions (id) ON DELETE CASCADE,
    tag         TEXT NOT NULL,
    PRIMARY KEY (question_id, tag)
);

-- Earlier versions of questions.
CREATE TABLE bank_question_versions (
    question_id UUID        NOT NULL REFERENCES bank_questions (id) ON DELETE CASCADE,
    version     BIGINT      NOT NULL,
    question    TEXT        NOT NULL,
    changed_at  TIMESTAMPTZ NOT NULL,
    changed_by  UUID        REFERENCES users (id) ON DELETE SET NULL,
    PRIMARY KEY (question_id, version)
);
CREATE INDEX bank_question_versions_changed_by ON bank_question_versions (changed_by);

-- Files that a question or one of its versions shows.
CREATE TABLE bank_files (
    question_id UUID NOT NULL REFERENCES bank_questions (id) ON DELETE CASCADE,
    file_id     UUID NOT NULL REFERENCES files (id),
    PRIMARY KEY (question_id, file_id)
);
CREATE INDEX bank_files_of_file ON bank_files (file_id);

-- Pages whose quiz draws from a bank.
CREATE TABLE page_banks (
    page_id UUID NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    bank_id UUID NOT NULL REFERENCES question_banks (id),
    PRIMARY KEY (page_id, bank_id)
);
CREATE INDEX page_banks_of_bank ON page_banks (bank_id);

-- JSON: the questions that the attempt has drawn, in the order of the quiz; null without draws.
ALTER TABLE attempts ADD COLUMN drawn TEXT;
ALTER TABLE ended_attempts ADD COLUMN drawn TEXT;

-- Running attempts may now have no end. SQLite cannot drop a NOT NULL constraint, so both tables are copied.
CREATE TABLE copied_attempts (
    id           UUID        NOT NULL PRIMARY KEY,
    page_id      UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    user_id      UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    attempt_no   BIGINT      NOT NULL CHECK (attempt_no >= 1),
    quiz_version BIGINT      NOT NULL, -- in taken_quizzes
    drawn        TEXT,                 -- as in attempts
    started_at   TIMESTAMPTZ NOT NULL,
    ends_at      TIMESTAMPTZ,          -- null without a time limit on a page that never closes
    -- The end of the grace period, after which a job grades the saved answers.
    closes_at    TIMESTAMPTZ CHECK ((closes_at IS NULL) = (ends_at IS NULL)),
    saves        BIGINT      NOT NULL DEFAULT 0, -- incremented by each save
    UNIQUE (page_id, user_id)
);
INSERT INTO copied_attempts (id, page_id, user_id, attempt_no, quiz_version, started_at, ends_at, closes_at, saves)
SELECT id, page_id, user_id, attempt_no, quiz_version, started_at, ends_at, closes_at, saves FROM running_attempts;

CREATE TABLE copied_answers (
    running_id  UUID   NOT NULL REFERENCES copied_attempts (id) ON DELETE CASCADE,
    question_id UUID   NOT NULL,
    answer      TEXT,            -- as in an attempt; null: removed
    given_after BIGINT NOT NULL CHECK (given_after >= 0), -- microseconds since the start
    PRIMARY KEY (running_id, question_id)
);
INSERT INTO copied_answers (running_id, question_id, answer, given_after)
SELECT running_id, question_id, answer, given_after FROM running_answers;

DROP TABLE running_answers;
DROP TABLE running_attempts;
ALTER TABLE copied_attempts RENAME TO running_attempts;
ALTER TABLE copied_answers RENAME TO running_answers;
CREATE INDEX running_attempts_of_user ON running_attempts (user_id);
CREATE INDEX running_attempts_by_end ON running_attempts (closes_at, id);
