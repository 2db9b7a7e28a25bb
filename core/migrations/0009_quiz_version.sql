-- The version of the page at which its quiz last changed: answers to any version since are answers to this quiz (contract 5).
ALTER TABLE pages ADD COLUMN quiz_version BIGINT NOT NULL DEFAULT 1;
UPDATE pages SET quiz_version = version;
