-- Documents store the numbers of their terms in place of the terms, which took most of the index: four times search_terms.id, and the place
-- of the tier's letter. The server indexes all documents again after the start.
DELETE FROM search_documents;
DROP INDEX search_documents_terms;
ALTER TABLE search_documents DROP COLUMN terms;
ALTER TABLE search_documents ADD COLUMN terms INTEGER[] NOT NULL;
CREATE INDEX search_documents_terms ON search_documents USING gin (terms) WITH (gin_pending_list_limit = 256);
