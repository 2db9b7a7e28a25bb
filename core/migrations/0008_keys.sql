-- What tells a module, a lesson, a page from others wherever the course is kept as a folder (docs/markdown-format.md). NULL:
-- made of the id when it is asked for. A copy has none of its own, so that it gets a new one.
ALTER TABLE modules ADD COLUMN key TEXT;
ALTER TABLE lessons ADD COLUMN key TEXT;
ALTER TABLE pages ADD COLUMN key TEXT;
