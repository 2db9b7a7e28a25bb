-- Groups of a course's learners. A learner is in at most one; a group may have a share code of its own, unique among the codes of
-- courses and groups. An ended enrollment keeps its group, so that leaving is no way to change it. No foreign key can say that
-- group and enrollment are of one course and still clear only the group when it is deleted: `kurso check` does.
CREATE TABLE groups (
    id         UUID        NOT NULL PRIMARY KEY,
    course_id  UUID        NOT NULL REFERENCES courses (id) ON DELETE CASCADE,
    title      TEXT        NOT NULL CHECK (length(title) BETWEEN 1 AND 255),
    position   BIGINT      NOT NULL CHECK (position >= 0),
    share_code TEXT UNIQUE CHECK (length(share_code) = 8), -- without the dash
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX groups_of_course ON groups (course_id, position, id);

ALTER TABLE enrollments ADD COLUMN group_id UUID REFERENCES groups (id) ON DELETE SET NULL;
CREATE INDEX enrollments_of_group ON enrollments (group_id) WHERE group_id IS NOT NULL;
ALTER TABLE ended_enrollments ADD COLUMN group_id UUID REFERENCES groups (id) ON DELETE SET NULL;
CREATE INDEX ended_enrollments_of_group ON ended_enrollments (group_id) WHERE group_id IS NOT NULL;
