//! The full-text index: FTS5 on SQLite, the numbers of terms with a GIN index on PostgreSQL. Both only store which documents contain a term,
//! so that they answer alike.

use std::collections::HashMap;

use kurso_base::ids::{BankId, BankQuestionId, CourseId, PageId};
use uuid::Uuid;

use super::{Db, Pools, Result, Snapshot, Sql, Tx};
use crate::sql;

/// Whose text a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The title and the text of a page.
    Page(PageId, CourseId),
    /// The title, the text and the prompts of a page's draft.
    Draft(PageId, CourseId),
    /// The prompts of a page's quiz.
    Prompts(PageId, CourseId),
    BankQuestion(BankQuestionId, BankId),
}

impl Subject {
    /// The page or bank question, what it belongs to, and the part.
    fn columns(
        self,
    ) -> (
        Option<PageId>,
        Option<BankQuestionId>,
        Option<CourseId>,
        Option<BankId>,
        &'static str,
    ) {
        match self {
            Subject::Page(page, course) => (Some(page), None, Some(course), None, "t"),
            Subject::Draft(page, course) => (Some(page), None, Some(course), None, "d"),
            Subject::Prompts(page, course) => (Some(page), None, Some(course), None, "q"),
            Subject::BankQuestion(question, bank) => (None, Some(question), None, Some(bank), "b"),
        }
    }
}

/// A document to index.
#[derive(Clone, Debug)]
pub struct SearchDocument<'a> {
    pub subject: Subject,
    /// Whether learners may find it only in an attempt, or not at all.
    pub is_gated: bool,
    /// The version of the page or bank question.
    pub version: i64,
    pub analysis: i64,
    pub digest: i64,
    /// Terms separated by spaces, each a letter from `a` to `d` and a stem. They have letters, digits and `_:.+#` only.
    pub terms: &'a str,
}

/// A term to look up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchTerm {
    pub text: String,
    /// Whether it is the beginning of terms.
    pub is_prefix: bool,
}

/// What kind of document contains a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Text,
    Draft,
    Prompts,
    /// Prompts that learners may find only in an attempt.
    GatedPrompts,
    BankQuestion,
}

/// The documents that contain a term: their places, and the ids of their pages or bank questions.
pub type SearchHits = Vec<(Place, Uuid)>;

const INSERT_DOCUMENTS: &str = "INSERT INTO search_documents
     (page_id, question_id, course_id, bank_id, part, is_gated, version, analysis, digest";

/// The end of the upsert. A concurrent writer may have indexed a newer version, which stays.
macro_rules! on_conflict {
    ($key:literal, $terms:literal) => {
        concat!(
            " ON CONFLICT (",
            $key,
            ", part) DO UPDATE SET is_gated = excluded.is_gated, version = excluded.version, analysis = excluded.analysis,
             digest = excluded.digest",
            $terms,
            " WHERE search_documents.version <= excluded.version RETURNING id, COALESCE(page_id, question_id), part"
        )
    };
}

/// Documents per statement.
const DOCUMENTS: usize = 100;

/// `CROSS JOIN` fixes the order: FTS5 is asked once per term.
const SQLITE_LOOKUP: &str = "SELECT CAST(q.key AS BIGINT), group_concat(CASE WHEN d.is_gated AND d.part = 'q' THEN 'g' ELSE d.part END
       || hex(COALESCE(d.page_id, d.question_id)), '')
     FROM json_each($1) q CROSS JOIN search_index CROSS JOIN search_documents d
     WHERE search_index MATCH q.value AND d.id = search_index.rowid
       AND (d.course_id IN (SELECT unhex(value) FROM json_each($2)) OR d.bank_id IN (SELECT unhex(value) FROM json_each($3)))
     GROUP BY q.key";
/// The numbers that a document stores for its terms: four times that of the stem, and the place of the letter.
const POSTGRES_NUMBERS: [&str; 2] = [
    "(SELECT COALESCE(array_agg(CAST(t.id * 4 + ascii(n.term) - 97 AS INTEGER)), '{}') FROM unnest(string_to_array(",
    ", ' ')) n(term) JOIN search_terms t ON t.term = substr(n.term, 2) COLLATE \"C\")",
];
/// A star ends the beginning of terms. Subqueries hold the courses and banks, because PostgreSQL hashes their rows once: a generic plan would
/// read an array from the argument again for each document. The documents of each term are aggregated in a subquery of their own: PostgreSQL
/// caches the rows of a lateral join, and without the subquery it would copy thousands of whole documents into the cache.
const POSTGRES_LOOKUP: &str = "SELECT q.key - 1, found.hits
     FROM unnest(string_to_array($1, chr(10))) WITH ORDINALITY q(term, key)
     CROSS JOIN LATERAL (
       SELECT array_agg(CAST(t.id * 4 + ascii(q.term) - 97 AS INTEGER)) AS numbers FROM search_terms t
       WHERE t.term >= rtrim(substr(q.term, 2), '*') COLLATE \"C\"
         AND t.term <= rtrim(substr(q.term, 2), '*') || CASE WHEN right(q.term, 1) = '*' THEN chr(1114111) ELSE '' END COLLATE \"C\"
     ) known
     CROSS JOIN LATERAL (
       SELECT COALESCE(string_agg(CAST(CASE WHEN d.is_gated AND d.part = 'q' THEN 'g' ELSE d.part END AS BYTEA)
         || uuid_send(COALESCE(d.page_id, d.question_id)), ''), '') AS hits FROM search_documents d
       WHERE d.terms && known.numbers
         AND (d.course_id IN (SELECT CAST(c AS UUID) FROM unnest(string_to_array($2, chr(10))) c)
           OR d.bank_id IN (SELECT CAST(b AS UUID) FROM unnest(string_to_array($3, chr(10))) b))
     ) found";

impl Tx {
    /// Indexes documents, in place of older versions of them. The vocabulary must have their stems. At most four statements per hundred
    /// documents.
    pub async fn index_documents(&mut self, documents: &[SearchDocument<'_>]) -> Result<()> {
        let (questions, pages): (Vec<_>, Vec<_>) = documents
            .iter()
            .partition(|document| matches!(document.subject, Subject::BankQuestion(..)));
        for (documents, of_pages) in [(pages, true), (questions, false)] {
            for documents in documents.chunks(DOCUMENTS) {
                self.index_chunk(documents, of_pages).await?;
            }
        }
        Ok(())
    }

    async fn index_chunk(&mut self, documents: &[&SearchDocument<'_>], of_pages: bool) -> Result<()> {
        let is_sqlite = self.is_sqlite();
        let insert = sql!(INSERT_DOCUMENTS).push(if is_sqlite { ") VALUES " } else { ", terms) VALUES " });
        let upsert = insert.push_values(documents, |sql, document| {
            let (page, question, course, bank, part) = document.subject.columns();
            let sql = sql.push_bind(page).push(", ").push_bind(question).push(", ");
            let sql = sql.push_bind(course).push(", ").push_bind(bank).push(", ");
            let sql = sql.push_bind(part).push(", ").push_bind(document.is_gated).push(", ");
            let sql = sql
                .push_bind(document.version)
                .push(", ")
                .push_bind(document.analysis)
                .push(", ");
            let sql = sql.push_bind(document.digest);
            if is_sqlite {
                return sql;
            }
            let [before, after] = POSTGRES_NUMBERS;
            sql.push(", ").push(before).push_bind(document.terms).push(after)
        });
        let upsert = upsert.push(match (is_sqlite, of_pages) {
            (true, true) => on_conflict!("page_id", ""),
            (true, false) => on_conflict!("question_id", ""),
            (false, true) => on_conflict!("page_id", ", terms = excluded.terms"),
            (false, false) => on_conflict!("question_id", ", terms = excluded.terms"),
        });
        let rows = upsert.fetch_all::<(i64, Uuid, String)>(&mut *self).await?;
        if !is_sqlite || rows.is_empty() {
            return Ok(());
        }
        let by_subject: HashMap<(Uuid, &str), &str> = documents
            .iter()
            .map(|document| {
                let (page, question, _, _, part) = document.subject.columns();
                let id = page.map(|id| id.0).or(question.map(|id| id.0)).unwrap_or_default();
                ((id, part), document.terms)
            })
            .collect();
        let terms = rows
            .iter()
            .filter_map(|(row, id, part)| Some((*row, *by_subject.get(&(*id, part.as_str()))?)));
        sql!("INSERT OR REPLACE INTO search_index (rowid, terms) VALUES ")
            .push_values(terms, |sql, (row, terms)| {
                sql.push_bind(row).push(", ").push_bind(terms)
            })
            .execute(&mut *self)
            .await?;
        Ok(())
    }

    /// Deletes all documents and the vocabulary.
    pub async fn clear_search_index(&mut self) -> Result<()> {
        if self.is_sqlite() {
            // First: deleting the documents of a damaged index one by one could fail.
            sql!("INSERT INTO search_index (search_index) VALUES ('delete-all')")
                .execute(&mut *self)
                .await?;
        }
        if !self.is_sqlite() {
            // Waits for saves that have read numbers of stems, which would be unknown afterwards.
            sql!("LOCK TABLE search_terms IN SHARE ROW EXCLUSIVE MODE")
                .execute(&mut *self)
                .await?;
        }
        sql!("DELETE FROM search_documents").execute(&mut *self).await?;
        sql!("DELETE FROM search_terms").execute(&mut *self).await?;
        Ok(())
    }

    /// Adds the stems that the vocabulary does not have, before the documents that contain them are indexed.
    pub async fn add_search_terms(&mut self, stems: &[String]) -> Result<()> {
        if stems.is_empty() {
            return Ok(());
        }
        let text = match self.is_sqlite() {
            true => {
                "INSERT INTO search_terms (term) SELECT n.value FROM json_each($1) n
                 WHERE NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.term = n.value)"
            }
            false => {
                "INSERT INTO search_terms (term) SELECT n.term FROM unnest(string_to_array($1, chr(10))) n(term)
                 WHERE NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.term = n.term COLLATE \"C\")"
            }
        };
        let list = list(self.is_sqlite(), stems.iter().map(String::as_str));
        sql!(text, list).execute(&mut *self).await?;
        Ok(())
    }
}

impl Snapshot {
    /// The ids of at most a hundred rows of the index that disagree: documents without terms (true), and terms without a document.
    pub async fn mismatched_search_terms(&mut self) -> Result<Vec<(i64, bool)>> {
        if !self.is_sqlite() {
            return sql!(
                "SELECT d.id, TRUE FROM search_documents d WHERE EXISTS (
                   SELECT 1 FROM unnest(d.terms) n(number) WHERE NOT EXISTS (
                     SELECT 1 FROM search_terms t WHERE t.id = n.number / 4)) LIMIT 100"
            )
            .fetch_all(self)
            .await;
        }
        sql!(
            "SELECT d.id, TRUE FROM search_documents d WHERE NOT EXISTS (SELECT 1 FROM search_index_docsize s WHERE s.id = d.id)
             UNION ALL SELECT s.id, FALSE FROM search_index_docsize s
             WHERE NOT EXISTS (SELECT 1 FROM search_documents d WHERE d.id = s.id) LIMIT 100"
        )
        .fetch_all(self)
        .await
    }
}

impl Db {
    /// For each term the documents of these courses and banks that contain it. One statement, none without courses and banks.
    pub async fn look_up_terms(
        &self,
        terms: &[SearchTerm],
        courses: &[CourseId],
        banks: &[BankId],
    ) -> Result<Vec<SearchHits>> {
        let mut found = vec![SearchHits::new(); terms.len()];
        if terms.is_empty() || (courses.is_empty() && banks.is_empty()) {
            return Ok(found);
        }
        let is_sqlite = matches!(self.pools, Pools::Sqlite { .. });
        let quote = if is_sqlite { "\"" } else { "" };
        let expression = |term: &SearchTerm| {
            let star = if term.is_prefix { "*" } else { "" };
            format!("{quote}{}{quote}{star}", term.text)
        };
        let expressions: Vec<String> = terms.iter().map(expression).collect();
        let courses: Vec<String> = courses.iter().map(|id| id.0.simple().to_string()).collect();
        let banks: Vec<String> = banks.iter().map(|id| id.0.simple().to_string()).collect();
        let text = if is_sqlite { SQLITE_LOOKUP } else { POSTGRES_LOOKUP };
        let rows = sql!(
            text,
            list(is_sqlite, expressions.iter().map(String::as_str)),
            list(is_sqlite, courses.iter().map(String::as_str)),
            list(is_sqlite, banks.iter().map(String::as_str))
        )
        .fetch_all::<(i64, Vec<u8>)>(self)
        .await?;
        for (key, bytes) in rows {
            if let Some(hits) = usize::try_from(key).ok().and_then(|key| found.get_mut(key)) {
                *hits = hits_of(&bytes, is_sqlite);
            }
        }
        Ok(found)
    }

    /// Those of the stems that the vocabulary has, sorted. One statement, none without stems.
    pub async fn known_search_terms(&self, stems: &[String]) -> Result<Vec<String>> {
        if stems.is_empty() {
            return Ok(Vec::new());
        }
        let is_sqlite = matches!(self.pools, Pools::Sqlite { .. });
        let text = if is_sqlite {
            "SELECT DISTINCT t.term FROM json_each($1) n CROSS JOIN search_terms t WHERE t.term = n.value"
        } else {
            "SELECT DISTINCT t.term FROM unnest(string_to_array($1, chr(10))) n(term)
             JOIN search_terms t ON t.term = n.term COLLATE \"C\""
        };
        let rows = Sql::new(text).bind(list(is_sqlite, stems.iter().map(String::as_str)));
        let rows = rows.fetch_all::<(String,)>(self).await?;
        let mut known: Vec<String> = rows.into_iter().map(|(term,)| term).collect();
        known.sort_unstable();
        Ok(known)
    }
}

/// A list as one argument, so that the statement is prepared once: JSON for SQLite, lines for PostgreSQL.
fn list<'a>(is_sqlite: bool, items: impl Iterator<Item = &'a str>) -> String {
    if is_sqlite {
        serde_json::Value::from_iter(items).to_string()
    } else {
        items.collect::<Vec<_>>().join("\n")
    }
}

/// Reads places and ids: a letter each, and 32 hexadecimal digits (SQLite) or 16 bytes.
fn hits_of(bytes: &[u8], is_hexadecimal: bool) -> SearchHits {
    let hit = |hit: &[u8]| {
        let (place, id) = hit.split_first()?;
        let place = match place {
            b't' => Place::Text,
            b'd' => Place::Draft,
            b'q' => Place::Prompts,
            b'g' => Place::GatedPrompts,
            _ => Place::BankQuestion,
        };
        let id = match is_hexadecimal {
            true => Uuid::try_parse_ascii(id),
            false => Uuid::from_slice(id),
        };
        id.ok().map(|id| (place, id))
    };
    let size = if is_hexadecimal { 33 } else { 17 };
    bytes.chunks_exact(size).filter_map(hit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_read_from_text_and_bytes() {
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let hits = [(Place::Text, one), (Place::GatedPrompts, two)];
        let text = format!("t{}g{}", one.simple(), two.simple());
        assert_eq!(hits_of(text.as_bytes(), true), hits);
        let bytes = [&b"t"[..], one.as_bytes(), b"g", two.as_bytes()].concat();
        assert_eq!(hits_of(&bytes, false), hits);
        for is_hexadecimal in [true, false] {
            assert_eq!(hits_of(b"", is_hexadecimal), []);
            assert_eq!(hits_of("tя".as_bytes(), is_hexadecimal), []);
        }
    }
}
