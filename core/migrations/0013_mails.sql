-- Letters that are to go (core/src/mail/queue.rs), sent by whichever node takes them. No letter is kept here and no token: what it is
-- about is, and it is written when it is sent. A row goes when its letter has gone, or was given up.
CREATE TABLE mails (
    id         UUID        NOT NULL PRIMARY KEY, -- the letter's Message-ID, however often it is tried
    kind       TEXT        NOT NULL,
    about      TEXT        NOT NULL, -- ids, as the kind has them; an address where it is all there is
    lang       TEXT        NOT NULL,
    attempts   BIGINT      NOT NULL DEFAULT 0,
    holder     UUID, -- who sends it now: another for each time it is taken
    free_at    TIMESTAMPTZ NOT NULL, -- not to be taken before: the end of a pause, or of the holder's lease
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX mails_next ON mails (free_at, id);
