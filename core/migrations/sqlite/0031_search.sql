-- The full-text index (core/src/search_index/, docs/search.md). It is derived from pages and bank questions: the server fills it after
-- the start, and neither backups nor moves contain it.
CREATE TABLE search_documents (
    id          INTEGER NOT NULL PRIMARY KEY, -- the row of search_index
    page_id     UUID    REFERENCES pages (id) ON DELETE CASCADE,
    question_id UUID    REFERENCES bank_questions (id) ON DELETE CASCADE,
    course_id   UUID,             -- of a page
    bank_id     UUID,             -- of a bank question
    part        TEXT    NOT NULL, -- 't': title and text, 'q': prompts of a quiz, 'b': a bank question
    is_gated    BOOLEAN NOT NULL, -- prompts that learners see only during or after an attempt
    version     BIGINT  NOT NULL, -- of the page or bank question that was indexed
    analysis    BIGINT  NOT NULL, -- version of the analysis that made the terms
    digest      BIGINT  NOT NULL, -- hash of the terms
    UNIQUE (page_id, part),
    UNIQUE (question_id, part)
);

-- Contentless: it stores only which documents contain a term. A term is the letter of its tier and a stem, made by kurso-search, and
-- the tokenizer only splits them at spaces.
CREATE VIRTUAL TABLE search_index USING fts5(
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_:.+#'"
);

-- Also runs for rows that a foreign key deletes.
CREATE TRIGGER search_document_deleted AFTER DELETE ON search_documents BEGIN
    DELETE FROM search_index WHERE rowid = OLD.id;
END;

-- Every stem that was ever indexed, so that words with a typo find their neighbours. Concurrent saves may add one twice: a unique index
-- would let a save wait for another one that adds the same word.
CREATE TABLE search_terms (
    id   INTEGER NOT NULL PRIMARY KEY,
    term TEXT    NOT NULL
);
CREATE INDEX search_terms_by_term ON search_terms (term);
