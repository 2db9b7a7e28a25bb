-- What was deleted and can be restored (core/src/trash/, docs/decisions/0111-trash.md). The rows of a deleted part of a course, or of a
-- course, are moved from their tables to `trash_rows`, so that nothing that reads a course has to know about them.
CREATE TABLE trash_entries (
    id             UUID        NOT NULL PRIMARY KEY,
    kind           TEXT        NOT NULL CHECK (kind IN ('course', 'module', 'lesson', 'page')),
    part_id        UUID        NOT NULL, -- of the course, module, lesson or page
    title          TEXT,                 -- null: a page without one
    course_id      UUID        NOT NULL, -- no reference: the course may be deleted too
    course_title   TEXT        NOT NULL,
    owner_id       UUID        REFERENCES users (id) ON DELETE CASCADE, -- of a deleted course; null for its parts
    parent_id      UUID,                 -- of the part above; null for a course
    place          TEXT        NOT NULL, -- JSON: id and title of the parts above, outermost first
    position       BIGINT      NOT NULL CHECK (position >= 0), -- among its siblings; 0 for a course
    page_count     BIGINT      NOT NULL CHECK (page_count >= 0),
    attempt_count  BIGINT      NOT NULL CHECK (attempt_count >= 0),
    deleted_by     UUID        REFERENCES users (id) ON DELETE SET NULL,
    deleted_at     TIMESTAMPTZ NOT NULL,
    expires_at     TIMESTAMPTZ NOT NULL,
    schema_version BIGINT      NOT NULL, -- the newest migration when the rows were moved
    CHECK ((kind = 'course') = (owner_id IS NOT NULL))
);
CREATE INDEX trash_entries_of_course ON trash_entries (course_id, deleted_at DESC, id DESC);
CREATE INDEX trash_entries_of_owner ON trash_entries (owner_id, deleted_at DESC, id DESC) WHERE owner_id IS NOT NULL;
CREATE INDEX trash_entries_by_part ON trash_entries (part_id);
CREATE INDEX trash_entries_by ON trash_entries (deleted_by) WHERE deleted_by IS NOT NULL;
CREATE INDEX trash_entries_expiry ON trash_entries (expires_at);

-- A chunk has rows of one table, and of one person where the rows belong to people, so that they go with the account.
CREATE TABLE trash_rows (
    entry_id   UUID    NOT NULL REFERENCES trash_entries (id) ON DELETE CASCADE,
    seq        BIGINT  NOT NULL, -- rows of a higher number do not refer to rows of a lower one
    table_name TEXT    NOT NULL,
    columns    TEXT    NOT NULL, -- JSON: the names of the columns
    are_links  BOOLEAN NOT NULL, -- the rows stayed, and a reference of theirs became null
    user_id    UUID    REFERENCES users (id) ON DELETE CASCADE,
    rows       BYTEA   NOT NULL, -- deflated lines of JSON, as in a backup
    PRIMARY KEY (entry_id, seq)
);
CREATE INDEX trash_rows_of_user ON trash_rows (user_id) WHERE user_id IS NOT NULL;

-- The files that the rows refer to: they are kept until the entry is gone.
CREATE TABLE trash_files (
    entry_id UUID NOT NULL REFERENCES trash_entries (id) ON DELETE CASCADE,
    file_id  UUID NOT NULL REFERENCES files (id),
    user_id  UUID REFERENCES users (id) ON DELETE CASCADE, -- of the file of an answer
    PRIMARY KEY (entry_id, file_id)
);
CREATE INDEX trash_files_of_file ON trash_files (file_id);
CREATE INDEX trash_files_of_user ON trash_files (user_id) WHERE user_id IS NOT NULL;
