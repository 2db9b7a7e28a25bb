-- Comments of authors on pages: threads at a block, with suggested changes (core/src/comments).
CREATE TABLE comment_threads (
    id          UUID        NOT NULL PRIMARY KEY,
    page_id     UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    started_by  UUID        REFERENCES users (id) ON DELETE SET NULL,
    created_at  TIMESTAMPTZ NOT NULL,
    active_at   TIMESTAMPTZ NOT NULL, -- of the newest comment or decision
    resolved_at TIMESTAMPTZ,          -- null: open
    resolved_by UUID        REFERENCES users (id) ON DELETE SET NULL,
    -- The block that it is about; null: the whole page.
    block       BIGINT CHECK (block >= 0),   -- its index in the text of this version
    version     BIGINT CHECK (version >= 1),
    quote       TEXT CHECK (length(quote) <= 300),
    block_text  TEXT,                        -- by which it is found again (core/formats/src/content/anchor.rs)
    -- A suggested change: lists of blocks as JSON.
    old_blocks  TEXT,
    new_blocks  TEXT,
    suggestion  TEXT CHECK (suggestion IN ('pending', 'accepted', 'rejected')),
    decided_at  TIMESTAMPTZ,
    decided_by  UUID        REFERENCES users (id) ON DELETE SET NULL,
    CHECK (resolved_by IS NULL OR resolved_at IS NOT NULL),
    CHECK ((block IS NULL) = (version IS NULL)),
    CHECK ((block IS NULL) = (quote IS NULL)),
    CHECK ((block IS NULL) = (block_text IS NULL)),
    CHECK ((suggestion IS NULL) = (old_blocks IS NULL)),
    CHECK ((suggestion IS NULL) = (new_blocks IS NULL)),
    CHECK (suggestion IS NULL OR block IS NOT NULL),
    CHECK ((decided_at IS NULL) = (suggestion IS NULL OR suggestion = 'pending'))
);
CREATE INDEX comment_threads_of_page ON comment_threads (page_id, resolved_at);
CREATE INDEX comment_threads_started_by ON comment_threads (started_by) WHERE started_by IS NOT NULL;
CREATE INDEX comment_threads_resolved_by ON comment_threads (resolved_by) WHERE resolved_by IS NOT NULL;
CREATE INDEX comment_threads_decided_by ON comment_threads (decided_by) WHERE decided_by IS NOT NULL;

CREATE TABLE page_comments (
    id         UUID        NOT NULL PRIMARY KEY,
    thread_id  UUID        NOT NULL REFERENCES comment_threads (id) ON DELETE CASCADE,
    author_id  UUID        REFERENCES users (id) ON DELETE SET NULL, -- null: the account was deleted
    text       TEXT        NOT NULL CHECK (length(text) BETWEEN 1 AND 5000),
    created_at TIMESTAMPTZ NOT NULL,
    edited_at  TIMESTAMPTZ
);
CREATE INDEX page_comments_of_thread ON page_comments (thread_id, created_at, id);
CREATE INDEX page_comments_by ON page_comments (author_id) WHERE author_id IS NOT NULL;

-- The people whom a comment mentions.
CREATE TABLE comment_mentions (
    comment_id UUID NOT NULL REFERENCES page_comments (id) ON DELETE CASCADE,
    user_id    UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (comment_id, user_id)
);
CREATE INDEX comment_mentions_of_user ON comment_mentions (user_id);

-- Up to when a person has read a thread: the time of the newest comment that was shown.
CREATE TABLE thread_reads (
    thread_id UUID        NOT NULL REFERENCES comment_threads (id) ON DELETE CASCADE,
    user_id   UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    read_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (thread_id, user_id)
);
CREATE INDEX thread_reads_of_user ON thread_reads (user_id);

-- Collaborators may be reviewers. SQLite cannot change a constraint, so both tables are copied.
CREATE TABLE copied_collaborators (
    course_id  UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    user_id    UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role       TEXT        NOT NULL CHECK (role IN ('editor', 'teacher', 'reviewer')),
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (course_id, user_id)
);
INSERT INTO copied_collaborators (course_id, user_id, role, created_at) SELECT course_id, user_id, role, created_at FROM collaborators;
DROP TABLE collaborators;
ALTER TABLE copied_collaborators RENAME TO collaborators;
CREATE INDEX collaborators_of_user ON collaborators (user_id, course_id);

CREATE TABLE copied_invitations (
    id         UUID        NOT NULL PRIMARY KEY,
    course_id  UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    email      TEXT        NOT NULL, -- as typed
    email_key  TEXT        NOT NULL, -- folded for comparing
    role       TEXT        NOT NULL CHECK (role IN ('editor', 'teacher', 'reviewer')),
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    UNIQUE (course_id, email_key)
);
INSERT INTO copied_invitations (id, course_id, email, email_key, role, created_at, expires_at)
SELECT id, course_id, email, email_key, role, created_at, expires_at FROM invitations;
DROP TABLE invitations;
ALTER TABLE copied_invitations RENAME TO invitations;
