-- SQLite's index has no terms beside it: only PostgreSQL changes.
DROP INDEX IF EXISTS search_documents_terms;
