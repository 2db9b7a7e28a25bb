-- Questions of learners under pages and their answers (core/src/discussions, docs/decisions/0120-questions-under-pages.md).

-- No row: the defaults, which are on, without anonymous posts, for the whole course.
CREATE TABLE discussion_settings (
    course_id        UUID    NOT NULL PRIMARY KEY REFERENCES courses (id) ON DELETE CASCADE,
    is_on            BOOLEAN NOT NULL,
    allows_anonymous BOOLEAN NOT NULL,
    is_per_group     BOOLEAN NOT NULL,
    words            TEXT    NOT NULL -- that learners may not write, one per line
);
-- Courses that exist stay as they are.
INSERT INTO discussion_settings (course_id, is_on, allows_anonymous, is_per_group, words)
SELECT id, FALSE, FALSE, FALSE, '' FROM courses;

-- The pages without discussions.
CREATE TABLE discussion_pages_off (
    page_id UUID NOT NULL PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE
);

CREATE TABLE discussions (
    id            UUID        NOT NULL PRIMARY KEY,
    page_id       UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    audience      TEXT        NOT NULL CHECK (audience IN ('course', 'group', 'teachers')),
    group_id      UUID        REFERENCES groups (id) ON DELETE SET NULL, -- for the audience 'group'; null: the group is gone
    created_at    TIMESTAMPTZ NOT NULL,
    active_at     TIMESTAMPTZ NOT NULL, -- of the newest post that is not hidden
    reply_count   BIGINT      NOT NULL CHECK (reply_count >= 0), -- without hidden ones
    waiting_since TIMESTAMPTZ,          -- time of the first post of the asking learner after which nobody else has written; null: none
    resolved_at   TIMESTAMPTZ,          -- null: open
    is_pinned     BOOLEAN     NOT NULL DEFAULT FALSE,
    is_locked     BOOLEAN     NOT NULL DEFAULT FALSE,
    moved_at      TIMESTAMPTZ,          -- when it was moved from another page
    -- The block that it is about; null: the whole page.
    block         BIGINT CHECK (block >= 0), -- its index in the text of the version that was read
    quote         TEXT CHECK (length(quote) <= 300),
    block_text    TEXT,                      -- by which it is found again (core/formats/src/content/anchor.rs)
    CHECK (group_id IS NULL OR audience = 'group'),
    CHECK ((block IS NULL) = (quote IS NULL)),
    CHECK ((block IS NULL) = (block_text IS NULL))
);
CREATE INDEX discussions_of_page ON discussions (page_id, active_at);
CREATE INDEX discussions_of_group ON discussions (group_id) WHERE group_id IS NOT NULL;

-- The question of a discussion, which is its opening post, and the answers.
CREATE TABLE discussion_posts (
    id            UUID        NOT NULL PRIMARY KEY, -- v7: later posts have greater ones
    discussion_id UUID        NOT NULL REFERENCES discussions (id) ON DELETE CASCADE,
    author_id     UUID        REFERENCES users (id) ON DELETE SET NULL, -- null: the account was deleted
    is_opening    BOOLEAN     NOT NULL,
    by_asker      BOOLEAN     NOT NULL, -- by the author of the opening post
    by_staff      BOOLEAN     NOT NULL,
    is_anonymous  BOOLEAN     NOT NULL,
    body          TEXT        NOT NULL, -- a document; of a deleted post an empty one
    created_at    TIMESTAMPTZ NOT NULL,
    edited_at     TIMESTAMPTZ,
    deleted_at    TIMESTAMPTZ, -- only of an opening post that others have answered
    is_accepted   BOOLEAN     NOT NULL DEFAULT FALSE,
    hidden_at     TIMESTAMPTZ,
    hidden_by     UUID        REFERENCES users (id) ON DELETE SET NULL,
    hidden_reason TEXT CHECK (length(hidden_reason) BETWEEN 1 AND 500),
    CHECK (by_asker OR NOT is_opening),
    CHECK (is_opening OR deleted_at IS NULL),
    CHECK (NOT (is_opening AND is_accepted)),
    CHECK (NOT (by_staff AND is_anonymous)),
    CHECK (hidden_by IS NULL OR hidden_at IS NOT NULL),
    CHECK ((hidden_at IS NULL) = (hidden_reason IS NULL))
);
-- Whose authors deleted their accounts meanwhile.
CREATE INDEX discussion_posts_orphaned ON discussion_posts (discussion_id) WHERE author_id IS NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX discussion_posts_opening ON discussion_posts (discussion_id) WHERE is_opening;
CREATE INDEX discussion_posts_of_discussion ON discussion_posts (discussion_id, id);
CREATE INDEX discussion_posts_by ON discussion_posts (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX discussion_posts_hidden_by ON discussion_posts (hidden_by) WHERE hidden_by IS NOT NULL;

-- The pictures of posts, which are kept as long as the posts.
CREATE TABLE discussion_files (
    post_id UUID NOT NULL REFERENCES discussion_posts (id) ON DELETE CASCADE,
    file_id UUID NOT NULL REFERENCES files (id),
    PRIMARY KEY (post_id, file_id)
);
CREATE INDEX discussion_files_of_file ON discussion_files (file_id);

-- Who found a post useful.
CREATE TABLE discussion_marks (
    post_id UUID NOT NULL REFERENCES discussion_posts (id) ON DELETE CASCADE,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (post_id, user_id)
);
CREATE INDEX discussion_marks_of_user ON discussion_marks (user_id);

CREATE TABLE discussion_reports (
    post_id     UUID        NOT NULL REFERENCES discussion_posts (id) ON DELETE CASCADE,
    user_id     UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    reason      TEXT        NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
    reported_at TIMESTAMPTZ NOT NULL,
    settled_at  TIMESTAMPTZ, -- null: nobody has decided
    settled_by  UUID        REFERENCES users (id) ON DELETE SET NULL,
    PRIMARY KEY (post_id, user_id),
    CHECK (settled_by IS NULL OR settled_at IS NOT NULL)
);
CREATE INDEX discussion_reports_of_user ON discussion_reports (user_id);
CREATE INDEX discussion_reports_settled_by ON discussion_reports (settled_by) WHERE settled_by IS NOT NULL;

-- Up to when a person has read a discussion, and whether they follow it.
CREATE TABLE discussion_reads (
    discussion_id UUID    NOT NULL REFERENCES discussions (id) ON DELETE CASCADE,
    user_id       UUID    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    read_at       TIMESTAMPTZ, -- of the newest post that was shown; null: none
    follows       BOOLEAN,     -- null: if they have written in it
    PRIMARY KEY (discussion_id, user_id)
);
CREATE INDEX discussion_reads_of_user ON discussion_reads (user_id);
