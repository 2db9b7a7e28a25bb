-- One text for SQLite and PostgreSQL. SQLite keeps the type names as written: UUID values are 16-byte blobs there,
-- times are RFC 3339 text, which sorts as time. Times are always bound, never defaulted. Documents are TEXT: no SQL looks inside.

CREATE TABLE users (
    id            UUID        NOT NULL PRIMARY KEY,
    email         TEXT        NOT NULL, -- as typed, the domain in small letters
    email_key     TEXT        NOT NULL UNIQUE, -- folded for comparing
    full_name     TEXT,
    password_hash TEXT        NOT NULL,
    is_active     BOOLEAN     NOT NULL,
    is_superuser  BOOLEAN     NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL
);
CREATE INDEX users_newest ON users (created_at DESC, id DESC);

CREATE TABLE sessions (
    id           UUID        NOT NULL PRIMARY KEY,
    user_id      UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    device       TEXT        NOT NULL, -- the User-Agent, cut to 255 characters
    created_at   TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL,
    ended_at     TIMESTAMPTZ
);
CREATE INDEX sessions_of_user ON sessions (user_id, created_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE items (
    id          UUID        NOT NULL PRIMARY KEY,
    owner_id    UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title       TEXT        NOT NULL,
    description TEXT,
    created_at  TIMESTAMPTZ NOT NULL
);
CREATE INDEX items_newest ON items (created_at DESC, id DESC);
CREATE INDEX items_of_owner ON items (owner_id, created_at DESC, id DESC);

-- A person cannot be deleted while they own a course: the account rules (contract 8) hand courses over first.
CREATE TABLE courses (
    id                UUID        NOT NULL PRIMARY KEY,
    owner_id          UUID        NOT NULL REFERENCES users (id),
    title             TEXT        NOT NULL CHECK (length(title) BETWEEN 1 AND 255),
    description       TEXT,
    share_code        TEXT UNIQUE CHECK (length(share_code) = 8), -- without the dash
    structure_version BIGINT      NOT NULL, -- raised first by every change of the tree: its lock and its cache key
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL
);
CREATE INDEX courses_of_owner ON courses (owner_id, updated_at DESC, id DESC);
CREATE INDEX courses_newest_change ON courses (updated_at DESC, id DESC);

CREATE TABLE collaborators (
    course_id  UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    user_id    UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role       TEXT        NOT NULL CHECK (role IN ('editor', 'teacher')),
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (course_id, user_id)
);
CREATE INDEX collaborators_of_user ON collaborators (user_id, course_id);

CREATE TABLE invitations (
    id          UUID        NOT NULL PRIMARY KEY,
    course_id   UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    email_key   TEXT        NOT NULL,
    role        TEXT        NOT NULL CHECK (role IN ('editor', 'teacher')),
    created_at  TIMESTAMPTZ NOT NULL,
    expires_at  TIMESTAMPTZ NOT NULL,
    accepted_at TIMESTAMPTZ,
    UNIQUE (course_id, email_key)
);

-- `key` is the 128 random bits of the address: who holds it may read (contract 7).
CREATE TABLE files (
    id           UUID        NOT NULL PRIMARY KEY,
    key          TEXT        NOT NULL UNIQUE CHECK (length(key) = 32),
    owner_id     UUID REFERENCES users (id) ON DELETE SET NULL,
    filename     TEXT        NOT NULL,
    content_type TEXT        NOT NULL,
    size         BIGINT      NOT NULL CHECK (size >= 0),
    width        BIGINT, -- pixels, of images
    height       BIGINT,
    created_at   TIMESTAMPTZ NOT NULL
);
CREATE INDEX files_of_owner ON files (owner_id);
CREATE INDEX files_by_age ON files (created_at, id);

CREATE TABLE modules (
    id             UUID        NOT NULL PRIMARY KEY,
    course_id      UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    title          TEXT        NOT NULL CHECK (length(title) BETWEEN 1 AND 255),
    description    TEXT,
    position       BIGINT      NOT NULL CHECK (position >= 0),
    avatar_file_id UUID REFERENCES files (id) ON DELETE SET NULL,
    created_at     TIMESTAMPTZ NOT NULL,
    updated_at     TIMESTAMPTZ NOT NULL,
    UNIQUE (id, course_id)
);
CREATE INDEX modules_of_course ON modules (course_id, position, id);
CREATE INDEX modules_avatar ON modules (avatar_file_id);

-- Lessons and pages repeat their course, so that a whole tree is three range reads; the double keys keep it true.
CREATE TABLE lessons (
    id         UUID        NOT NULL PRIMARY KEY,
    module_id  UUID        NOT NULL,
    course_id  UUID        NOT NULL,
    title      TEXT        NOT NULL CHECK (length(title) BETWEEN 1 AND 255),
    position   BIGINT      NOT NULL CHECK (position >= 0),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    UNIQUE (id, course_id),
    FOREIGN KEY (module_id, course_id) REFERENCES modules (id, course_id) ON DELETE CASCADE
);
CREATE INDEX lessons_of_course ON lessons (course_id, position, id);
CREATE INDEX lessons_of_module ON lessons (module_id, course_id, position);

-- What the tree shows. The content lives in page_contents, so that reading a tree never reads a document.
CREATE TABLE pages (
    id         UUID        NOT NULL PRIMARY KEY,
    lesson_id  UUID        NOT NULL,
    course_id  UUID        NOT NULL,
    title      TEXT CHECK (length(title) BETWEEN 1 AND 255),
    kind       TEXT        NOT NULL CHECK (kind IN ('content', 'quiz')),
    position   BIGINT      NOT NULL CHECK (position >= 0),
    published  BOOLEAN     NOT NULL,
    version    BIGINT      NOT NULL CHECK (version >= 1),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (lesson_id, course_id) REFERENCES lessons (id, course_id) ON DELETE CASCADE
);
CREATE INDEX pages_of_course ON pages (course_id, position, id);
CREATE INDEX pages_of_lesson ON pages (lesson_id, course_id, position);

CREATE TABLE page_contents (
    page_id   UUID NOT NULL PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    content   TEXT NOT NULL,
    quiz      TEXT, -- quiz pages only
    editor_id UUID REFERENCES users (id) ON DELETE SET NULL, -- who wrote the stored version
    editor_session TEXT -- and from which open editor (`user_session_id`)
);
CREATE INDEX page_contents_editor ON page_contents (editor_id);

-- The history: what a page was, newest 50, saves of one editor session within 10 minutes as one entry.
CREATE TABLE page_versions (
    page_id        UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    version        BIGINT      NOT NULL,
    title          TEXT,
    content        TEXT        NOT NULL,
    quiz           TEXT,
    editor_id      UUID REFERENCES users (id) ON DELETE SET NULL,
    editor_session TEXT,
    started_at     TIMESTAMPTZ NOT NULL,
    saved_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (page_id, version)
);
CREATE INDEX page_versions_editor ON page_versions (editor_id);

-- Which files a page or one of its kept versions shows; a file no row names is swept after a grace period.
CREATE TABLE page_files (
    page_id UUID NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    file_id UUID NOT NULL REFERENCES files (id),
    PRIMARY KEY (page_id, file_id)
);
CREATE INDEX page_files_of_file ON page_files (file_id);

CREATE TABLE enrollments (
    id               UUID        NOT NULL PRIMARY KEY,
    course_id        UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    user_id          UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    enrolled_at      TIMESTAMPTZ NOT NULL,
    last_activity_at TIMESTAMPTZ NOT NULL,
    completed_at     TIMESTAMPTZ, -- when 100 % was first reached; kept when the course grows
    UNIQUE (course_id, user_id)
);
CREATE INDEX enrollments_of_user ON enrollments (user_id, last_activity_at DESC, id DESC);

CREATE TABLE visits (
    enrollment_id UUID        NOT NULL REFERENCES enrollments (id) ON DELETE CASCADE,
    page_id       UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    visited_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (enrollment_id, page_id)
);
CREATE INDEX visits_of_page ON visits (page_id);

-- An attempt keeps the quiz as it was when taken (contract 5).
CREATE TABLE attempts (
    id            UUID             NOT NULL PRIMARY KEY,
    enrollment_id UUID             NOT NULL REFERENCES enrollments (id) ON DELETE CASCADE,
    page_id       UUID             NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    attempt_no    BIGINT           NOT NULL CHECK (attempt_no >= 1),
    submission_id UUID,
    quiz          TEXT             NOT NULL,
    answers       TEXT             NOT NULL,
    results       TEXT             NOT NULL,
    score         DOUBLE PRECISION NOT NULL,
    max_score     DOUBLE PRECISION NOT NULL,
    percent       BIGINT           NOT NULL CHECK (percent BETWEEN 0 AND 100),
    passed        BOOLEAN          NOT NULL,
    submitted_at  TIMESTAMPTZ      NOT NULL,
    UNIQUE (enrollment_id, page_id, attempt_no),
    UNIQUE (enrollment_id, submission_id)
);
CREATE INDEX attempts_of_page ON attempts (page_id);
