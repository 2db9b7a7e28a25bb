-- Announcements of a course's staff to its learners (core/src/announcements), and nudges (core/src/students/nudge.rs).
CREATE TABLE announcements (
    id             UUID        NOT NULL PRIMARY KEY, -- v7
    course_id      UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    group_id       UUID        REFERENCES groups (id) ON DELETE CASCADE, -- null: all learners of the course
    author_id      UUID        REFERENCES users (id) ON DELETE SET NULL, -- null: the account was deleted
    title          TEXT        NOT NULL CHECK (length(title) BETWEEN 1 AND 255),
    content        TEXT        NOT NULL, -- a document as JSON, like page_contents.content
    excerpt        TEXT        NOT NULL CHECK (length(excerpt) <= 301), -- the beginning of its text
    is_pinned      BOOLEAN     NOT NULL DEFAULT FALSE,
    version        BIGINT      NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at     TIMESTAMPTZ NOT NULL,
    updated_at     TIMESTAMPTZ NOT NULL,
    publish_at     TIMESTAMPTZ, -- when it will be published; null once published
    published_at   TIMESTAMPTZ, -- null: not published yet
    notified_after UUID,        -- the last notified enrollment; those with greater IDs are not notified yet; null: nothing to do
    CHECK ((publish_at IS NULL) = (published_at IS NOT NULL)),
    CHECK (notified_after IS NULL OR published_at IS NOT NULL)
);
CREATE INDEX announcements_of_course ON announcements (course_id);
CREATE INDEX announcements_of_group ON announcements (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX announcements_by ON announcements (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX announcements_to_publish ON announcements (publish_at) WHERE publish_at IS NOT NULL;
CREATE INDEX announcements_to_notify ON announcements (published_at) WHERE notified_after IS NOT NULL;

-- Who has read an announcement.
CREATE TABLE announcement_reads (
    announcement_id UUID        NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
    user_id         UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    read_at         TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (announcement_id, user_id)
);
CREATE INDEX announcement_reads_of_user ON announcement_reads (user_id);

-- The files that announcements show, so that the cleanup job keeps them.
CREATE TABLE announcement_files (
    announcement_id UUID NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
    file_id         UUID NOT NULL REFERENCES files (id),
    PRIMARY KEY (announcement_id, file_id)
);
CREATE INDEX announcement_files_of_file ON announcement_files (file_id);

-- The last nudge of each learner of a course.
CREATE TABLE nudges (
    id        UUID        NOT NULL PRIMARY KEY, -- kept when a later nudge replaces the row
    course_id UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    user_id   UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    text      TEXT        NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
    sent_at   TIMESTAMPTZ NOT NULL,
    UNIQUE (course_id, user_id)
);
CREATE INDEX nudges_of_user ON nudges (user_id);
