//! The full-text index: FTS5 on SQLite, a `tsvector` with a GIN index on PostgreSQL. Both only store which documents contain a term, so
//! that they answer alike.

use kurso_base::ids::{BankId, BankQuestionId, CourseId, PageId};
use uuid::Uuid;

use super::{Db, Pools, Result, Snapshot, Sql, Tx};
use crate::sql;

/// Whose text a document is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The title and the text of a page.
    Page(PageId, CourseId),
    /// The prompts of a page's quiz.
    Prompts(PageId, CourseId),
    BankQuestion(BankQuestionId, BankId),
}

/// A document to index.
#[derive(Clone, Debug)]
pub struct SearchDocument<'a> {
    pub subject: Subject,
    /// Whether learners may find it only in an attempt.
    pub is_gated: bool,
    /// The version of the page or bank question.
    pub version: i64,
    pub analysis: i64,
    pub digest: i64,
    /// Terms separated by spaces. They have letters, digits and `_:.+#` only.
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
    Prompts,
    /// Prompts that learners may find only in an attempt.
    GatedPrompts,
    BankQuestion,
}

/// The documents that contain a term: their places, and the ids of their pages or bank questions.
pub type SearchHits = Vec<(Place, Uuid)>;

/// The upsert of a document. A concurrent writer may have indexed a newer version, which stays.
macro_rules! upsert {
    ($key:literal, $column:literal, $terms:literal, $set_terms:literal) => {
        concat!(
            "INSERT INTO search_documents (page_id, question_id, course_id, bank_id, part, is_gated, version, analysis, digest",
            $column,
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9",
            $terms,
            ") ON CONFLICT (",
            $key,
            ", part) DO UPDATE SET is_gated = excluded.is_gated, version = excluded.version, analysis = excluded.analysis,
             digest = excluded.digest",
            $set_terms,
            " WHERE search_documents.version <= excluded.version RETURNING id"
        )
    };
}

const SQLITE_PAGE: &str = upsert!("page_id", "", "", "");
const SQLITE_QUESTION: &str = upsert!("question_id", "", "", "");
const POSTGRES_PAGE: &str = upsert!(
    "page_id",
    ", terms",
    ", array_to_tsvector(string_to_array($10, ' '))",
    ", terms = excluded.terms"
);
const POSTGRES_QUESTION: &str = upsert!(
    "question_id",
    ", terms",
    ", array_to_tsvector(string_to_array($10, ' '))",
    ", terms = excluded.terms"
);

/// `CROSS JOIN` fixes the order: FTS5 is asked once per term.
const SQLITE_LOOKUP: &str = "SELECT CAST(q.key AS BIGINT), group_concat(CASE WHEN d.is_gated THEN 'g' ELSE d.part END
       || hex(COALESCE(d.page_id, d.question_id)), '')
     FROM json_each($1) q CROSS JOIN search_index CROSS JOIN search_documents d
     WHERE search_index MATCH q.value AND d.id = search_index.rowid
       AND (d.course_id IN (SELECT unhex(value) FROM json_each($2)) OR d.bank_id IN (SELECT unhex(value) FROM json_each($3)))
     GROUP BY q.key";
const POSTGRES_LOOKUP: &str = "SELECT q.key - 1, string_agg(CASE WHEN d.is_gated THEN 'g' ELSE d.part END
       || encode(uuid_send(COALESCE(d.page_id, d.question_id)), 'hex'), '')
     FROM unnest(string_to_array($1, chr(10))) WITH ORDINALITY q(term, key)
     JOIN search_documents d ON d.terms @@ CAST(q.term AS tsquery)
     WHERE d.course_id = ANY(CAST(string_to_array($2, chr(10)) AS UUID[])) OR d.bank_id = ANY(CAST(string_to_array($3, chr(10)) AS UUID[]))
     GROUP BY q.key";

impl Tx {
    /// Indexes a document, in place of an older version of it.
    pub async fn index_document(&mut self, document: &SearchDocument<'_>) -> Result<()> {
        let (page, question, course, bank, part) = match document.subject {
            Subject::Page(page, course) => (Some(page), None, Some(course), None, "t"),
            Subject::Prompts(page, course) => (Some(page), None, Some(course), None, "q"),
            Subject::BankQuestion(question, bank) => (None, Some(question), None, Some(bank), "b"),
        };
        let is_sqlite = self.is_sqlite();
        let text = match (is_sqlite, page.is_some()) {
            (true, true) => SQLITE_PAGE,
            (true, false) => SQLITE_QUESTION,
            (false, true) => POSTGRES_PAGE,
            (false, false) => POSTGRES_QUESTION,
        };
        let upsert = sql!(
            text,
            page,
            question,
            course,
            bank,
            part,
            document.is_gated,
            document.version,
            document.analysis,
            document.digest
        );
        if !is_sqlite {
            let upsert = upsert.bind(document.terms);
            upsert.fetch_optional::<(i64,)>(&mut *self).await?;
            return Ok(());
        }
        if let Some((id,)) = upsert.fetch_optional::<(i64,)>(&mut *self).await? {
            sql!(
                "INSERT OR REPLACE INTO search_index (rowid, terms) VALUES ($1, $2)",
                id,
                document.terms
            )
            .execute(&mut *self)
            .await?;
        }
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
        sql!("DELETE FROM search_documents").execute(&mut *self).await?;
        sql!("DELETE FROM search_terms").execute(&mut *self).await?;
        Ok(())
    }

    /// Adds the stems that the vocabulary does not have.
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
            return Ok(Vec::new()); // a row of PostgreSQL has both
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
        let (quote, star) = if is_sqlite { ('"', "*") } else { ('\'', ":*") };
        let expression = |term: &SearchTerm| {
            let star = if term.is_prefix { star } else { "" };
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
        .fetch_all::<(i64, String)>(self)
        .await?;
        for (key, text) in rows {
            if let Some(hits) = usize::try_from(key).ok().and_then(|key| found.get_mut(key)) {
                *hits = hits_of(&text);
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

/// Reads places and ids: a letter and 32 hexadecimal digits each.
fn hits_of(text: &str) -> SearchHits {
    let mut hits = SearchHits::with_capacity(text.len() / 33);
    let mut rest = text;
    while let Some((hit, tail)) = rest.split_at_checked(33) {
        rest = tail;
        let Some((place, id)) = hit.split_at_checked(1) else {
            break;
        };
        let place = match place {
            "t" => Place::Text,
            "q" => Place::Prompts,
            "g" => Place::GatedPrompts,
            _ => Place::BankQuestion,
        };
        hits.extend(Uuid::try_parse(id).ok().map(|id| (place, id)));
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_read_from_one_text() {
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let text = format!("t{}g{}", one.simple(), two.simple());
        assert_eq!(hits_of(&text), [(Place::Text, one), (Place::GatedPrompts, two)]);
        assert_eq!(hits_of(""), []);
        assert_eq!(hits_of("tя"), []);
    }
}
