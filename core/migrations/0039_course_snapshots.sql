-- Snapshots: a course as its authors saw it at a moment (core/src/capture, core/src/snapshots, docs/decisions/0115-course-snapshots.md).
CREATE TABLE course_snapshots (
    id           UUID        NOT NULL PRIMARY KEY,
    course_id    UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    name         TEXT CHECK (length(name) BETWEEN 1 AND 120), -- null: an automatic one that nobody has named
    reason       TEXT        NOT NULL CHECK (reason IN ('named', 'before_import', 'before_bulk_change', 'before_restore')),
    taken_by     UUID        REFERENCES users (id) ON DELETE SET NULL,
    taken_at     TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ, -- null: it is kept until somebody deletes it
    digest       TEXT        NOT NULL, -- of the course then: equal digests mean equal courses
    module_count BIGINT      NOT NULL CHECK (module_count >= 0),
    lesson_count BIGINT      NOT NULL CHECK (lesson_count >= 0),
    page_count   BIGINT      NOT NULL CHECK (page_count >= 0),
    size         BIGINT      NOT NULL CHECK (size >= 0), -- bytes of the outline and the texts
    outline      BYTEA       NOT NULL, -- deflated JSON: everything but the texts of pages
    CHECK ((name IS NULL) = (expires_at IS NOT NULL))
);
CREATE INDEX course_snapshots_of_course ON course_snapshots (course_id, taken_at DESC, id DESC);
CREATE INDEX course_snapshots_by ON course_snapshots (taken_by) WHERE taken_by IS NOT NULL;
CREATE INDEX course_snapshots_expiry ON course_snapshots (expires_at) WHERE expires_at IS NOT NULL;

-- A row has the texts of several pages. The outline says which.
CREATE TABLE snapshot_texts (
    snapshot_id UUID   NOT NULL REFERENCES course_snapshots (id) ON DELETE CASCADE,
    seq         BIGINT NOT NULL CHECK (seq >= 0),
    texts       BYTEA  NOT NULL, -- deflated JSON
    PRIMARY KEY (snapshot_id, seq)
);

-- The files that the texts and the modules refer to: they are kept until the snapshot is gone.
CREATE TABLE snapshot_files (
    snapshot_id UUID NOT NULL REFERENCES course_snapshots (id) ON DELETE CASCADE,
    file_id     UUID NOT NULL REFERENCES files (id),
    PRIMARY KEY (snapshot_id, file_id)
);
CREATE INDEX snapshot_files_of_file ON snapshot_files (file_id);
