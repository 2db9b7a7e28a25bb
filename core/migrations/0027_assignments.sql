-- Assignments: pages with a quiz of one question, which is answered by handing in work (core/formats/src/quiz/hand_in.rs).

-- A new column takes the place of `kind`, because SQLite cannot change a check, and rebuilding the table would delete all rows that refer to it.
ALTER TABLE pages ADD COLUMN new_kind TEXT NOT NULL DEFAULT 'content' CHECK (new_kind IN ('content', 'quiz', 'assignment'));
UPDATE pages SET new_kind = kind;
ALTER TABLE pages DROP COLUMN kind;
ALTER TABLE pages RENAME COLUMN new_kind TO kind;

-- Returned for revision: released without points, which are stored as 0. Such an attempt does not count against the limit, and waits until
-- its learner hands in again.
ALTER TABLE open_answers ADD COLUMN is_returned BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE assessments ADD COLUMN is_returned BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE attempts ADD COLUMN is_returned BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE ended_attempts ADD COLUMN is_returned BOOLEAN NOT NULL DEFAULT FALSE;

-- What learners have written for an assignment and not handed in (core/src/attempts/work.rs). By person: it stays when the learner
-- leaves the course. A row without an answer keeps its version, so that no version ever names two texts.
CREATE TABLE answer_drafts (
    page_id  UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    user_id  UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    version  BIGINT      NOT NULL CHECK (version >= 0),
    answer   TEXT, -- as in an attempt; null: handed in or discarded
    saved_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (page_id, user_id)
);
CREATE INDEX answer_drafts_of_user ON answer_drafts (user_id);

-- Whether the draft names the file, so that the cleanup job keeps it.
ALTER TABLE answer_files ADD COLUMN is_drafted BOOLEAN NOT NULL DEFAULT FALSE;

-- For the gradebook, which shows undecided grades.
CREATE INDEX open_answers_returned ON open_answers (course_id) WHERE is_returned;
