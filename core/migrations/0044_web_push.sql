-- Web Push (core/src/push, docs/decisions/0121-web-push.md).

-- The browsers in which people have turned pushes on.
CREATE TABLE push_devices (
    id         UUID        NOT NULL PRIMARY KEY, -- v7
    user_id    UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    session_id UUID        REFERENCES sessions (id) ON DELETE SET NULL, -- ending it deletes the device; null: it has expired
    endpoint   TEXT        NOT NULL UNIQUE CHECK (length(endpoint) <= 1000), -- URL at the push service
    p256dh     TEXT        NOT NULL, -- public key of the browser, base64url
    auth       TEXT        NOT NULL, -- secret shared with the browser, base64url
    user_agent TEXT        NOT NULL, -- of the session
    created_at TIMESTAMPTZ NOT NULL,
    renewed_at TIMESTAMPTZ NOT NULL  -- when its browser last started the app
);
CREATE INDEX push_devices_of_user ON push_devices (user_id);
CREATE INDEX push_devices_of_session ON push_devices (session_id) WHERE session_id IS NOT NULL;

-- Pending pushes, one for each device.
CREATE TABLE pushes (
    id         UUID        NOT NULL PRIMARY KEY,
    device_id  UUID        NOT NULL REFERENCES push_devices (id) ON DELETE CASCADE,
    notices    TEXT        NOT NULL, -- JSON array of the IDs of its notices, oldest first; empty: a test
    attempts   BIGINT      NOT NULL DEFAULT 0,
    holder     UUID,                 -- the node that sends it
    free_at    TIMESTAMPTZ NOT NULL, -- end of the lease or of the pause
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX pushes_next ON pushes (free_at, id);
CREATE INDEX pushes_of_device ON pushes (device_id);

ALTER TABLE notices ADD COLUMN push_at TIMESTAMPTZ; -- when its push is due; null: not, or no longer
CREATE INDEX notices_to_push ON notices (push_at) WHERE push_at IS NOT NULL;

-- Null: not chosen, so that a choice of mails made earlier does not turn pushes off.
ALTER TABLE notice_choices ADD COLUMN push BOOLEAN;
