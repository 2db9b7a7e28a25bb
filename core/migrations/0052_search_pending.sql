-- Pages and drafts whose texts were saved and not indexed yet (core/src/search_index/pending.rs, docs/search.md).
CREATE TABLE search_pending (
    page_id   UUID    NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    is_draft  BOOLEAN NOT NULL,
    course_id UUID    NOT NULL,
    stamp     UUID    NOT NULL, -- differs after each save, so that no save is taken for indexed with an earlier one
    PRIMARY KEY (page_id, is_draft)
);
CREATE INDEX search_pending_of_course ON search_pending (course_id);
