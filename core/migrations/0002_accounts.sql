-- An address a person gave up: until `expires_at` the link mailed to it brings it back (contract 8), and nobody else takes it.
CREATE TABLE email_changes (
    id         UUID        NOT NULL PRIMARY KEY, -- v7: the later of two changes has the greater one
    user_id    UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    old_email  TEXT        NOT NULL, -- as it was shown
    old_key    TEXT        NOT NULL, -- as it was compared
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX email_changes_of_user ON email_changes (user_id);
CREATE INDEX email_changes_old_key ON email_changes (old_key);
