-- A quiz as it was taken, once for each version of its page that anybody submitted: an attempt names the version, however
-- many there are. What attempts kept before is numbered below zero, one number for each text.
CREATE TABLE taken_quizzes (
    page_id UUID   NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    quiz    TEXT   NOT NULL,
    PRIMARY KEY (page_id, version)
);
INSERT INTO taken_quizzes (page_id, version, quiz)
SELECT page_id, -ROW_NUMBER() OVER (PARTITION BY page_id ORDER BY MIN(submitted_at)), quiz
FROM attempts GROUP BY page_id, quiz;

ALTER TABLE attempts ADD COLUMN quiz_version BIGINT NOT NULL DEFAULT 0;
UPDATE attempts SET quiz_version = t.version
FROM taken_quizzes t WHERE t.page_id = attempts.page_id AND t.quiz = attempts.quiz;
ALTER TABLE attempts DROP COLUMN quiz;
