-- Notices (core/src/notices). One row per person, kind and subject: a repeated event renews its row.
CREATE TABLE notices (
    id          UUID        NOT NULL PRIMARY KEY, -- v7; a new one whenever the row is renewed
    user_id     UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind        TEXT        NOT NULL, -- core/src/notices/kind.rs
    subject     UUID        NOT NULL, -- an attempt, a comment, a page …, depending on the kind
    course_id   UUID        REFERENCES courses (id) ON DELETE CASCADE,
    page_id     UUID        REFERENCES pages (id) ON DELETE CASCADE,
    actor_id    UUID        REFERENCES users (id) ON DELETE SET NULL, -- who caused it; null: nobody, or the account was deleted
    happened_at TIMESTAMPTZ NOT NULL,
    read_at     TIMESTAMPTZ, -- null: unread
    mail_at     TIMESTAMPTZ, -- when its mail is due; null: not, or no longer
    in_app      BOOLEAN     NOT NULL DEFAULT TRUE, -- false: only for mails, in no list and no count
    UNIQUE (user_id, kind, subject)
);
CREATE INDEX notices_of_user ON notices (user_id, id);
CREATE INDEX notices_unread ON notices (user_id) WHERE read_at IS NULL;
CREATE INDEX notices_to_mail ON notices (mail_at) WHERE mail_at IS NOT NULL;
CREATE INDEX notices_of_course ON notices (course_id) WHERE course_id IS NOT NULL;
CREATE INDEX notices_of_page ON notices (page_id) WHERE page_id IS NOT NULL;
CREATE INDEX notices_by ON notices (actor_id) WHERE actor_id IS NOT NULL;
CREATE INDEX notices_of_subject ON notices (kind, subject);

-- Language, time zone and quiet hours of a person. No row: the defaults.
CREATE TABLE notice_settings (
    user_id     UUID    NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    lang        TEXT    NOT NULL,
    time_zone   TEXT    NOT NULL, -- IANA name
    quiet_from  INTEGER CHECK (quiet_from BETWEEN 0 AND 1439), -- minutes after local midnight; no mail is sent from this time
    quiet_until INTEGER CHECK (quiet_until BETWEEN 0 AND 1439), -- until this time
    CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);

-- Choices of delivery, in place of the defaults of the kind; without a course, for all courses without a choice of their own.
CREATE TABLE notice_choices (
    id        UUID    NOT NULL PRIMARY KEY,
    user_id   UUID    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    course_id UUID    REFERENCES courses (id) ON DELETE CASCADE,
    kind      TEXT    NOT NULL,
    in_app    BOOLEAN NOT NULL,
    mail      TEXT    NOT NULL CHECK (mail IN ('off', 'once', 'daily', 'weekly'))
);
CREATE UNIQUE INDEX notice_choices_of_course ON notice_choices (user_id, course_id, kind) WHERE course_id IS NOT NULL;
CREATE UNIQUE INDEX notice_choices_of_user ON notice_choices (user_id, kind) WHERE course_id IS NULL;
CREATE INDEX notice_choices_in_course ON notice_choices (course_id) WHERE course_id IS NOT NULL;

-- Notice mails are sent after all others (core/src/mail/queue.rs).
DROP INDEX mails_next;
CREATE INDEX mails_next ON mails ((kind = 'notices'), free_at, id);
