-- Certificates of courses, and the keys that sign their badges (core/src/certificates, docs/decisions/0126-certificates.md).

-- How the certificates of a course are made. No row: the course gives none.
CREATE TABLE certificate_designs (
    course_id         UUID        NOT NULL PRIMARY KEY REFERENCES courses (id) ON DELETE CASCADE,
    is_on             BOOLEAN     NOT NULL,
    basis             TEXT        NOT NULL CHECK (basis IN ('completion', 'grade')),
    min_percent       BIGINT      NOT NULL CHECK (min_percent BETWEEN 0 AND 100), -- for the basis `grade`
    valid_months      BIGINT      CHECK (valid_months BETWEEN 1 AND 1200), -- null: for ever
    has_grade         BOOLEAN     NOT NULL, -- whether the grade is written on it
    language          TEXT        NOT NULL CHECK (language IN ('en', 'ru')),
    heading           TEXT        NOT NULL,
    text              TEXT        NOT NULL,
    accent            TEXT        NOT NULL, -- #rrggbb
    background        TEXT        NOT NULL,
    signer            TEXT        NOT NULL,
    logo_file_id      UUID        REFERENCES files (id) ON DELETE SET NULL,
    signature_file_id UUID        REFERENCES files (id) ON DELETE SET NULL,
    updated_at        TIMESTAMPTZ NOT NULL
);
CREATE INDEX certificate_designs_logo ON certificate_designs (logo_file_id);
CREATE INDEX certificate_designs_signature ON certificate_designs (signature_file_id);

-- Bits that say whether a badge is revoked. A position is taken once, so that a badge never gets the state of another.
CREATE TABLE status_lists (
    number BIGINT NOT NULL PRIMARY KEY CHECK (number > 0),
    taken  BIGINT NOT NULL CHECK (taken BETWEEN 0 AND 131072)
);

-- Revoked and replaced certificates, and those of deleted accounts.
CREATE TABLE revoked_statuses (
    list     BIGINT NOT NULL REFERENCES status_lists (number),
    position BIGINT NOT NULL CHECK (position BETWEEN 0 AND 131071),
    PRIMARY KEY (list, position)
);

-- A certificate is complete in itself: later changes of the course, its design and the account do not change it.
CREATE TABLE certificates (
    id                UUID        NOT NULL PRIMARY KEY, -- random: whoever has it sees the public page
    user_id           UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    course_id         UUID        NOT NULL, -- no foreign key: a certificate outlives its course
    name              TEXT        NOT NULL,
    course_title      TEXT        NOT NULL,
    basis             TEXT        NOT NULL CHECK (basis IN ('completion', 'grade')),
    min_percent       BIGINT      CHECK (min_percent BETWEEN 0 AND 100), -- null: completion
    grade             TEXT,       -- in words; null: not written
    time_zone         TEXT,       -- of its dates; null: UTC
    language          TEXT        NOT NULL CHECK (language IN ('en', 'ru')),
    heading           TEXT        NOT NULL,
    text              TEXT        NOT NULL,
    accent            TEXT        NOT NULL,
    background        TEXT        NOT NULL,
    signer            TEXT        NOT NULL,
    logo_file_id      UUID        REFERENCES files (id) ON DELETE SET NULL,
    signature_file_id UUID        REFERENCES files (id) ON DELETE SET NULL,
    awarded_at        TIMESTAMPTZ NOT NULL, -- kept when the certificate is reissued
    issued_at         TIMESTAMPTZ NOT NULL,
    expires_at        TIMESTAMPTZ, -- null: never
    is_name_shown     BOOLEAN     NOT NULL, -- on the public page
    is_grade_shown    BOOLEAN     NOT NULL,
    revoked_at        TIMESTAMPTZ,
    revoked_by        UUID        REFERENCES users (id) ON DELETE SET NULL,
    revoke_reason     TEXT,
    replaced_by       UUID,       -- a later certificate of the same person
    status_list       BIGINT      NOT NULL REFERENCES status_lists (number),
    status_position   BIGINT      NOT NULL,
    salt              TEXT        NOT NULL, -- of the hash of the address in the badge
    UNIQUE (status_list, status_position),
    CHECK ((basis = 'grade') = (min_percent IS NOT NULL)),
    CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL)),
    CHECK (revoked_at IS NOT NULL OR revoked_by IS NULL),
    CHECK (revoked_at IS NULL OR replaced_by IS NULL)
);
CREATE UNIQUE INDEX certificates_one_per_learner ON certificates (course_id, user_id) WHERE replaced_by IS NULL;
CREATE INDEX certificates_of_course ON certificates (course_id, issued_at, id);
CREATE INDEX certificates_of_user ON certificates (user_id, issued_at, id);
CREATE INDEX certificates_revoked_by ON certificates (revoked_by) WHERE revoked_by IS NOT NULL;
CREATE INDEX certificates_logo ON certificates (logo_file_id);
CREATE INDEX certificates_signature ON certificates (signature_file_id);

-- The keys of this server that sign badges. The newest one that the secret of the server opens is used; the others verify older badges.
CREATE TABLE signing_keys (
    number     BIGINT      NOT NULL PRIMARY KEY CHECK (number > 0),
    id         TEXT        NOT NULL UNIQUE, -- the thumbprint of the public key
    public_jwk TEXT        NOT NULL,
    sealed     BYTEA       NOT NULL, -- the private key, encrypted with a key derived from the secret of the server
    created_at TIMESTAMPTZ NOT NULL
);
