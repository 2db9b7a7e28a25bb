-- The gradebook (core/src/gradebook). A grade is derived from attempts and never stored; settings and what teachers decided are.
-- Percents, points and weights are whole numbers of hundredths. A course without a row has the defaults.
CREATE TABLE grade_settings (
    course_id              UUID        NOT NULL PRIMARY KEY REFERENCES courses (id) ON DELETE CASCADE,
    scheme                 TEXT        NOT NULL CHECK (scheme IN ('percent', 'five_point', 'letters', 'pass_fail')),
    thresholds             TEXT, -- of the scheme, from the best mark down, separated by commas; null: its defaults
    missing_counts_as_zero BOOLEAN     NOT NULL
);

CREATE TABLE grade_categories (
    id          UUID        NOT NULL PRIMARY KEY,
    course_id   UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    title       TEXT        NOT NULL CHECK (length(title) BETWEEN 1 AND 255),
    position    BIGINT      NOT NULL CHECK (position >= 0),
    weight      BIGINT      NOT NULL CHECK (weight BETWEEN 0 AND 10000),
    drop_lowest BIGINT      NOT NULL CHECK (drop_lowest BETWEEN 0 AND 50)
);
CREATE INDEX grade_categories_of_course ON grade_categories (course_id, position, id);

-- What differs from the defaults for one graded page. That page and category are of one course is checked by every change and by
-- `kurso check`.
CREATE TABLE grade_items (
    page_id      UUID        NOT NULL PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
    course_id    UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    category_id  UUID        REFERENCES grade_categories (id) ON DELETE SET NULL,
    points       BIGINT      NOT NULL CHECK (points BETWEEN 1 AND 1000000),
    extra_credit BOOLEAN     NOT NULL,
    is_excluded  BOOLEAN     NOT NULL
);
CREATE INDEX grade_items_of_course ON grade_items (course_id);
CREATE INDEX grade_items_of_category ON grade_items (category_id) WHERE category_id IS NOT NULL;

-- What teachers decided of one learner, each change a row: versions 1, 2, 3, … of a cell, the last of which holds. Without a page the
-- decision is about the grade of the course. By person, so that it returns with a learner who enrolls again.
CREATE TABLE grade_decisions (
    id         UUID        NOT NULL PRIMARY KEY,
    course_id  UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    user_id    UUID        NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    page_id    UUID        REFERENCES pages (id) ON DELETE CASCADE,
    version    BIGINT      NOT NULL CHECK (version >= 1),
    is_current BOOLEAN     NOT NULL,
    kind       TEXT        NOT NULL CHECK (kind IN ('override', 'excused', 'removed')),
    points     BIGINT CHECK (points >= 0), -- of an override; of the grade of the course: hundredths of a percent
    reason     TEXT,
    decided_by UUID        REFERENCES users (id) ON DELETE SET NULL, -- null: the account was deleted
    decided_at TIMESTAMPTZ NOT NULL,
    CHECK ((kind = 'override') = (points IS NOT NULL)),
    CHECK (kind = 'removed' OR reason IS NOT NULL)
);
-- Ids are unique in the whole database, so that the course stands for the missing page.
CREATE UNIQUE INDEX grade_decisions_of_cell ON grade_decisions (user_id, COALESCE(page_id, course_id), version);
CREATE UNIQUE INDEX grade_decisions_current ON grade_decisions (course_id, user_id, COALESCE(page_id, course_id)) WHERE is_current;
-- Deleting a course deletes its decisions, also those that are not current.
CREATE INDEX grade_decisions_of_course ON grade_decisions (course_id);
CREATE INDEX grade_decisions_of_page ON grade_decisions (page_id) WHERE page_id IS NOT NULL;
CREATE INDEX grade_decisions_by ON grade_decisions (decided_by) WHERE decided_by IS NOT NULL;
