-- Who sees the page of a course without being in the course (core/src/public_page, docs/decisions/0124-public-pages.md).

-- No row: a private course without a cover.
CREATE TABLE public_pages (
    course_id     UUID NOT NULL PRIMARY KEY REFERENCES courses (id) ON DELETE CASCADE,
    visibility    TEXT NOT NULL CHECK (visibility IN ('private', 'link', 'public')),
    cover_file_id UUID REFERENCES files (id) ON DELETE SET NULL,
    listed_at     TIMESTAMPTZ, -- since when the course is in the catalogue; null: it is not
    CHECK ((visibility = 'public') = (listed_at IS NOT NULL))
);
CREATE INDEX public_pages_listed ON public_pages (listed_at, course_id) WHERE listed_at IS NOT NULL;
CREATE INDEX public_pages_cover ON public_pages (cover_file_id);
