-- What must be complete before a module or lesson opens (core/src/schedule/prerequisites.rs). Both parts are of the course, which no
-- foreign key can say here: `kurso check` does.
ALTER TABLE courses ADD COLUMN sequential BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE prerequisites (
    id              UUID NOT NULL PRIMARY KEY,
    course_id       UUID NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    -- What waits: one of the two.
    module_id       UUID REFERENCES modules (id) ON DELETE CASCADE,
    lesson_id       UUID REFERENCES lessons (id) ON DELETE CASCADE,
    -- What it waits for: one of the two.
    needs_module_id UUID REFERENCES modules (id) ON DELETE CASCADE,
    needs_lesson_id UUID REFERENCES lessons (id) ON DELETE CASCADE,
    CHECK ((module_id IS NULL) <> (lesson_id IS NULL)),
    CHECK ((needs_module_id IS NULL) <> (needs_lesson_id IS NULL))
);
CREATE INDEX prerequisites_of_course ON prerequisites (course_id);
CREATE INDEX prerequisites_of_module ON prerequisites (module_id) WHERE module_id IS NOT NULL;
CREATE INDEX prerequisites_of_lesson ON prerequisites (lesson_id) WHERE lesson_id IS NOT NULL;
CREATE INDEX prerequisites_on_module ON prerequisites (needs_module_id) WHERE needs_module_id IS NOT NULL;
CREATE INDEX prerequisites_on_lesson ON prerequisites (needs_lesson_id) WHERE needs_lesson_id IS NOT NULL;
