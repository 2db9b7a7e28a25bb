-- What was done that matters for security or cannot be undone. Rows are added and, when their time is over, removed; none is
-- ever changed. They outlive whom and what they speak of, so the ids refer to nothing. No texts, no addresses, no secrets.
CREATE TABLE audit (
    id        UUID        NOT NULL PRIMARY KEY,
    at        TIMESTAMPTZ NOT NULL,
    kind      TEXT        NOT NULL,
    actor_id  UUID, -- who did it; NULL: whoever runs the server, or nobody who is known
    person_id UUID, -- to whom
    course_id UUID,
    detail    TEXT  -- a word or a number: a role, how many
);
CREATE INDEX audit_newest ON audit (at DESC, id DESC);
CREATE INDEX audit_of_actor ON audit (actor_id, at);
CREATE INDEX audit_of_person ON audit (person_id, at);
CREATE INDEX audit_of_kind ON audit (kind, at);
