-- What readers keep for themselves: notes, bookmarks and ticks (core/src/notes, docs/decisions/0122-notes-and-bookmarks.md).

CREATE TABLE notes (
    id          UUID        NOT NULL PRIMARY KEY, -- v7
    user_id     UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    page_id     UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    color       TEXT        NOT NULL CHECK (color IN ('yellow', 'green', 'blue', 'pink')),
    body        TEXT        NOT NULL CHECK (length(body) <= 5000), -- empty: only a highlight
    created_at  TIMESTAMPTZ NOT NULL,
    updated_at  TIMESTAMPTZ NOT NULL,
    version     BIGINT      NOT NULL DEFAULT 1 CHECK (version >= 1),
    -- The words that it is about, by which they are found again (core/formats/src/content/quote.rs); null: the whole page.
    text_version BIGINT CHECK (text_version >= 1), -- the version of the page that was read
    block       BIGINT CHECK (block >= 0),         -- the index of the block in that version
    start_at    BIGINT CHECK (start_at >= 0),      -- where the words begin in the block, in code points
    exact       TEXT CHECK (length(exact) BETWEEN 1 AND 1000),
    prefix      TEXT CHECK (length(prefix) <= 512),
    suffix      TEXT CHECK (length(suffix) <= 512),
    CHECK ((exact IS NULL) = (text_version IS NULL)),
    CHECK ((exact IS NULL) = (block IS NULL)),
    CHECK ((exact IS NULL) = (start_at IS NULL)),
    CHECK ((exact IS NULL) = (prefix IS NULL)),
    CHECK ((exact IS NULL) = (suffix IS NULL)),
    CHECK (exact IS NOT NULL OR length(body) >= 1)
);
CREATE INDEX notes_of_user ON notes (user_id, page_id);
CREATE INDEX notes_of_page ON notes (page_id);

CREATE TABLE bookmarks (
    user_id    UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    page_id    UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, page_id)
);
CREATE INDEX bookmarks_of_page ON bookmarks (page_id);

-- The items of task lists that a reader has ticked. Their author's ticks are in the text.
CREATE TABLE task_ticks (
    user_id   UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    page_id   UUID        NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    item      TEXT        NOT NULL, -- a hash of its words
    number    BIGINT      NOT NULL CHECK (number >= 0), -- among the items of the page with these words
    ticked_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, page_id, item, number)
);
CREATE INDEX task_ticks_of_page ON task_ticks (page_id);
