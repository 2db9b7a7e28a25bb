-- The calendar feed of a person (core/src/calendar/feed.rs). Of its secret address only a hash is stored. The row stays when the
-- address is revoked, so that the revision, which calendars read as SEQUENCE, never falls.
CREATE TABLE calendar_feeds (
    user_id      UUID        NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    token_hash   TEXT UNIQUE CHECK (length(token_hash) = 64), -- SHA-256 in hexadecimal; null: no address
    lang         TEXT        NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL, -- of the address
    last_read_at TIMESTAMPTZ, -- accurate to an hour
    revision     BIGINT      NOT NULL DEFAULT 0,
    fingerprint  TEXT        NOT NULL DEFAULT '', -- SHA-256 of the events of this revision
    changed_at   TIMESTAMPTZ NOT NULL -- when the revision was made
);
