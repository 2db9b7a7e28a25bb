-- What is done in the background, on whichever node takes it (core/src/jobs). A node holds a job by a lease, which it renews
-- while it works; when the lease ends, another may take the job over.
CREATE TABLE jobs (
    id             UUID        NOT NULL PRIMARY KEY,
    kind           TEXT        NOT NULL,
    owner_id       UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    state          TEXT        NOT NULL CHECK (state IN ('waiting', 'running', 'ready', 'done', 'failed', 'cancelled')),
    payload        TEXT        NOT NULL, -- what to do, as the kind has it
    file_id        UUID REFERENCES files (id), -- what it works on; let go when it ends
    summary        TEXT, -- what there is to say of it in short
    tree           TEXT, -- what was read, and the report: long, and read apart
    report         TEXT,
    failure        TEXT, -- why it failed, in each language
    progress_done  BIGINT      NOT NULL DEFAULT 0,
    progress_total BIGINT      NOT NULL DEFAULT 0, -- 0: not known
    progress_at    TEXT        NOT NULL DEFAULT '', -- the file it is at
    attempts       BIGINT      NOT NULL DEFAULT 0,
    lease_holder   UUID, -- another for each time it is taken
    lease_until    TIMESTAMPTZ,
    wanted_at      TIMESTAMPTZ NOT NULL, -- not to be taken before
    is_cancelled   BOOLEAN     NOT NULL DEFAULT FALSE, -- asked of whoever works on it
    effect_at      TIMESTAMPTZ, -- written in the transaction of its effect, so that there is never a second one
    course_id      UUID, -- the course that came of it, with the effect
    created_at     TIMESTAMPTZ NOT NULL,
    updated_at     TIMESTAMPTZ NOT NULL,
    ended_at       TIMESTAMPTZ
);
CREATE INDEX jobs_open ON jobs (state, wanted_at) WHERE state IN ('waiting', 'running');
CREATE INDEX jobs_of_owner ON jobs (owner_id, created_at DESC, id DESC);
CREATE INDEX jobs_ended ON jobs (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX jobs_file ON jobs (file_id) WHERE file_id IS NOT NULL;
