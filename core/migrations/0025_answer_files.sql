-- Files that answer questions (core/src/files/answers.rs). Only their learner and staff may read them, at addresses that expire.
ALTER TABLE files ADD COLUMN is_private BOOLEAN NOT NULL DEFAULT FALSE;

-- By person, as `open_answers`: attempts may be set aside and return. A reset deletes the rows.
CREATE TABLE answer_files (
    file_id      UUID NOT NULL PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
    page_id      UUID NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
    user_id      UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    submitted_at TIMESTAMPTZ -- null: no attempt has the file, which is deleted after the grace period
);
CREATE INDEX answer_files_of_page ON answer_files (page_id, user_id);
CREATE INDEX answer_files_of_user ON answer_files (user_id);
