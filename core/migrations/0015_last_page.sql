-- The page that the learner visited last; «Продолжить» leads to the next one that is not done. No foreign key: a deleted page means
-- the start of the course, as NULL does.
ALTER TABLE enrollments ADD COLUMN last_page_id UUID;
