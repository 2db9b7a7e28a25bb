-- Work that one node does for all of them: who does it now and until when, and when it was last done. Of now, not of the
-- school: no backup holds it.
CREATE TABLE leases (
    name    TEXT        NOT NULL PRIMARY KEY,
    holder  UUID        NOT NULL,
    until   TIMESTAMPTZ NOT NULL,
    done_at TIMESTAMPTZ
);
-- Of the bytes of a file, taken while they were stored. NULL: stored before it was taken.
ALTER TABLE files ADD COLUMN sha256 BYTEA;
