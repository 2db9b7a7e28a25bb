-- The version of a page that a learner has read (docs/decisions/0113-changed-since-read.md). NULL: it is not known, and nothing is said of
-- changes. Pages that were visited before this column existed count as read in the version that they have.
ALTER TABLE visits ADD COLUMN read_version BIGINT;
-- When the learner said that they have read the page again. NULL: the version is that of the first visit.
ALTER TABLE visits ADD COLUMN reread_at TIMESTAMPTZ;
-- The client says that it showed this version, which had been replaced when the visit arrived. Nobody can prove it, so its text is not shown.
ALTER TABLE visits ADD COLUMN is_claimed BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE ended_visits ADD COLUMN read_version BIGINT;
ALTER TABLE ended_visits ADD COLUMN reread_at TIMESTAMPTZ;
ALTER TABLE ended_visits ADD COLUMN is_claimed BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE visits SET read_version = (SELECT p.version FROM pages p WHERE p.id = visits.page_id);
UPDATE ended_visits SET read_version = (SELECT p.version FROM pages p WHERE p.id = ended_visits.page_id);
-- A save asks whether anyone has read the version that it replaces.
DROP INDEX visits_of_page;
CREATE INDEX visits_of_page ON visits (page_id, read_version);

-- The last version that its author called important, and since when learners could read it.
ALTER TABLE pages ADD COLUMN important_version BIGINT;
ALTER TABLE pages ADD COLUMN important_at TIMESTAMPTZ;
CREATE INDEX pages_important ON pages (course_id) WHERE important_version IS NOT NULL;
