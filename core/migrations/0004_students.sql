-- What a class list is made of, and the invitations of a team.

-- The number by which learners' marks name a page: given by `learning/marks.rs` when somebody first does a page of the
-- course, never changed and never given again. `mark_nos` is how many were given.
ALTER TABLE courses ADD COLUMN mark_nos BIGINT NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN mark_no BIGINT;
-- Two bits for each number: visited, passed. Made from `visits` and `attempts` in the transaction that writes there; NULL:
-- not made yet, to be read from there.
ALTER TABLE enrollments ADD COLUMN marks BYTEA;

-- An invitation is there until it is accepted or withdrawn; inviting again gives it a new id, which ends the earlier link.
DROP TABLE invitations;
CREATE TABLE invitations (
    id         UUID        NOT NULL PRIMARY KEY,
    course_id  UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    email      TEXT        NOT NULL, -- as typed
    email_key  TEXT        NOT NULL, -- folded for comparing
    role       TEXT        NOT NULL CHECK (role IN ('editor', 'teacher')),
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    UNIQUE (course_id, email_key)
);
