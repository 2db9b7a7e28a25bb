-- Changes of a published page that learners do not see yet. What learners read stays in pages and page_contents; the history in page_versions has
-- the text of the draft too.
CREATE TABLE page_drafts (
    page_id        UUID        NOT NULL PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    title          TEXT CHECK (length(title) BETWEEN 1 AND 255),
    content        TEXT        NOT NULL,
    quiz           TEXT, -- of quizzes and assignments; may be incomplete
    version        BIGINT      NOT NULL CHECK (version >= 1), -- of the sequence of the page's versions
    base_version   BIGINT      NOT NULL CHECK (base_version >= 1), -- the published version from which the draft began, or with which it was merged
    editor_id      UUID REFERENCES users (id) ON DELETE SET NULL,
    editor_session TEXT,
    created_at     TIMESTAMPTZ NOT NULL,
    saved_at       TIMESTAMPTZ NOT NULL
);
CREATE INDEX page_drafts_editor ON page_drafts (editor_id);

-- When learners could first read the text; NULL for one that they never could. The texts of published pages took effect when they were saved.
ALTER TABLE page_versions ADD COLUMN published_at TIMESTAMPTZ;
UPDATE page_versions SET published_at = saved_at WHERE page_id IN (SELECT id FROM pages WHERE published);
