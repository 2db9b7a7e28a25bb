//! Writes documents, and finds those that are stale.

use std::collections::HashMap;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{BankId, BankQuestionId, CourseId, PageId};
use kurso_db::search::{Place, SearchDocument, Subject};
use kurso_db::{Db, Executor, Tx, sql};
use kurso_search::{ANALYSIS, DocumentTerms, terms_of};
use uuid::Uuid;

use super::texts;

/// Pages that are read and analysed together.
const PAGES: usize = 20;

/// Documents that are written together.
const DOCUMENTS: usize = 100;

/// The text of a page or of its draft, to index.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(crate) struct PageText {
    pub id: PageId,
    pub course_id: CourseId,
    pub version: i64,
    pub title: Option<String>,
    pub content: String,
    pub quiz: Option<String>,
    pub is_draft: bool,
}

/// A bank question with the text to index.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(crate) struct QuestionText {
    pub id: BankQuestionId,
    pub bank_id: BankId,
    pub version: i64,
    pub question: String,
}

/// A document with its terms.
pub(crate) struct Analysed {
    subject: Subject,
    is_gated: bool,
    version: i64,
    terms: DocumentTerms,
}

impl Analysed {
    fn to_store(&self) -> SearchDocument<'_> {
        SearchDocument {
            subject: self.subject,
            is_gated: self.is_gated,
            version: self.version,
            analysis: ANALYSIS,
            digest: self.digest(),
            terms: &self.terms.indexed,
        }
    }

    /// The kind of the document, and the id of its page; None for a bank question.
    pub fn place(&self) -> Option<(Place, Uuid)> {
        match self.subject {
            Subject::Page(page, _) => Some((Place::Text, page.0)),
            Subject::Draft(page, _) => Some((Place::Draft, page.0)),
            Subject::Prompts(page, _) if self.is_gated => Some((Place::GatedPrompts, page.0)),
            Subject::Prompts(page, _) => Some((Place::Prompts, page.0)),
            Subject::BankQuestion(..) => None,
        }
    }

    /// Whether it has the term, or a term with this beginning. The answer is that of the index.
    pub fn contains(&self, term: &str, is_prefix: bool) -> bool {
        let mut terms = self.terms.indexed.split(' ');
        match is_prefix {
            true => terms.any(|own| own.starts_with(term)),
            false => self.has_stem(term.get(1..).unwrap_or_default()) && terms.any(|own| own == term),
        }
    }

    pub fn has_stem(&self, stem: &str) -> bool {
        self.terms.stems.binary_search_by(|own| own.as_str().cmp(stem)).is_ok()
    }

    /// Changes with everything that a search finds.
    pub fn digest(&self) -> i64 {
        self.terms.digest() ^ i64::from(self.is_gated)
    }
}

impl PageText {
    /// The documents of a page: its text, and the prompts if it has a quiz. A draft has one document.
    pub fn analyse(&self) -> Vec<Analysed> {
        let mut found = texts::of_page(self.title.as_deref(), &self.content);
        if self.is_draft {
            if let Some(quiz) = &self.quiz {
                found.append(texts::of_quiz(quiz).0);
            }
            return vec![Analysed {
                subject: Subject::Draft(self.id, self.course_id),
                is_gated: true,
                version: self.version,
                terms: terms_of(&found.passages),
            }];
        }
        let mut documents = vec![Analysed {
            subject: Subject::Page(self.id, self.course_id),
            is_gated: false,
            version: self.version,
            terms: terms_of(&found.passages),
        }];
        if let Some(quiz) = &self.quiz {
            let (found, is_gated) = texts::of_quiz(quiz);
            documents.push(Analysed {
                subject: Subject::Prompts(self.id, self.course_id),
                is_gated,
                version: self.version,
                terms: terms_of(&found.passages),
            });
        }
        documents
    }
}

impl QuestionText {
    pub fn analyse(&self) -> Analysed {
        Analysed {
            subject: Subject::BankQuestion(self.id, self.bank_id),
            is_gated: false,
            version: self.version,
            terms: terms_of(&texts::of_question(&self.question).passages),
        }
    }
}

/// Indexes pages that the transaction has added, and their drafts. One statement per 20 pages, and four per hundred documents.
pub(crate) async fn index_pages(tx: &mut Tx, pages: &[PageId]) -> Result<()> {
    let mut documents = Vec::new();
    for chunk in pages.chunks(PAGES) {
        let rows = page_texts(&mut *tx, chunk).await?;
        documents.extend(analysed(move || rows.iter().flat_map(PageText::analyse).collect::<Vec<_>>()).await?);
        if documents.len() >= DOCUMENTS {
            write(tx, &documents).await?;
            documents.clear();
        }
    }
    write(tx, &documents).await
}

/// Indexes questions of a bank that the transaction has added or changed.
pub(crate) async fn index_questions(
    tx: &mut Tx,
    bank: BankId,
    questions: impl IntoIterator<Item = (BankQuestionId, i64, &str)>,
) -> Result<()> {
    let text = |(id, version, question): (_, _, &str)| QuestionText {
        id,
        bank_id: bank,
        version,
        question: question.to_owned(),
    };
    let texts: Vec<QuestionText> = questions.into_iter().map(text).collect();
    let documents = analysed(move || texts.iter().map(QuestionText::analyse).collect::<Vec<_>>()).await?;
    write(tx, &documents).await
}

/// Writes documents in place of older versions of them.
pub(super) async fn write(tx: &mut Tx, documents: &[Analysed]) -> Result<()> {
    let mut stems: Vec<String> = documents
        .iter()
        .flat_map(|document| document.terms.stems.iter().cloned())
        .collect();
    stems.sort_unstable();
    stems.dedup();
    tx.add_search_terms(&stems).await?;
    let indexed: Vec<SearchDocument<'_>> = documents.iter().map(Analysed::to_store).collect();
    tx.index_documents(&indexed).await?;
    Ok(())
}

/// Runs an analysis on a thread that may block.
pub(super) async fn analysed<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}

/// The texts of pages and of their drafts, in the order of the pages' ids.
pub(crate) async fn page_texts(on: impl Executor, pages: &[PageId]) -> Result<Vec<PageText>> {
    let rows = sql!(
        "SELECT p.id, p.course_id, p.version, p.title, c.content, c.quiz, FALSE AS is_draft
         FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id IN "
    );
    let rows = rows.push_in(pages.iter().copied()).push(
        " UNION ALL SELECT p.id, p.course_id, f.version, f.title, f.content, f.quiz, TRUE
         FROM pages p JOIN page_drafts f ON f.page_id = p.id WHERE p.id IN ",
    );
    let rows = rows.push_in(pages.iter().copied()).push(" ORDER BY 1, 7");
    Ok(rows.fetch_all(on).await?)
}

/// The texts of bank questions, in the order of their ids.
pub(super) async fn question_texts(on: impl Executor, questions: &[BankQuestionId]) -> Result<Vec<QuestionText>> {
    let rows = sql!("SELECT id, bank_id, version, question FROM bank_questions WHERE id IN ");
    let rows = rows.push_in(questions.iter().copied()).push(" ORDER BY id");
    Ok(rows.fetch_all(on).await?)
}

/// A page or bank question whose documents are missing, or those of another version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::FromRow)]
pub(crate) struct Stale<Id> {
    pub id: Id,
    /// The version that was indexed; None if none was.
    pub indexed: Option<i64>,
}

/// At most `limit` stale pages after this one, by id. A page saved by an older release has another version than its documents, and so has a draft.
pub(crate) async fn stale_pages(on: impl Executor, after: PageId, limit: i64) -> Result<Vec<Stale<PageId>>> {
    let rows = sql!(
        "SELECT p.id, d.version AS indexed FROM pages p JOIN page_contents c ON c.page_id = p.id
         LEFT JOIN search_documents d ON d.page_id = p.id AND d.part = 't' AND d.analysis = $2
         WHERE p.id > $1 AND (d.id IS NULL OR d.version <> p.version
           OR (c.quiz IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM search_documents q
             WHERE q.page_id = p.id AND q.part = 'q' AND q.analysis = $2 AND q.version = p.version))
           OR COALESCE((SELECT f.version FROM page_drafts f WHERE f.page_id = p.id), 0)
             <> COALESCE((SELECT q.version FROM search_documents q WHERE q.page_id = p.id AND q.part = 'd' AND q.analysis = $2), 0))
         ORDER BY p.id LIMIT $3",
        after,
        ANALYSIS,
        limit
    );
    Ok(rows.fetch_all(on).await?)
}

/// As [`stale_pages`], for bank questions.
pub(crate) async fn stale_questions(
    on: impl Executor,
    after: BankQuestionId,
    limit: i64,
) -> Result<Vec<Stale<BankQuestionId>>> {
    let rows = sql!(
        "SELECT b.id, d.version AS indexed FROM bank_questions b
         LEFT JOIN search_documents d ON d.question_id = b.id AND d.part = 'b' AND d.analysis = $2
         WHERE b.id > $1 AND (d.id IS NULL OR d.version <> b.version) ORDER BY b.id LIMIT $3",
        after,
        ANALYSIS,
        limit
    );
    Ok(rows.fetch_all(on).await?)
}

/// The ids of the next pages after `after`, at most `limit`.
pub(crate) async fn next_pages(on: impl Executor, after: PageId, limit: i64) -> Result<Vec<PageId>> {
    let rows = sql!(
        "SELECT p.id FROM pages p JOIN page_contents c ON c.page_id = p.id WHERE p.id > $1 ORDER BY p.id LIMIT $2",
        after,
        limit
    );
    let rows = rows.fetch_all::<(PageId,)>(on).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// The next bank questions after `after` with their texts, ordered by id, at most `limit`.
pub(crate) async fn next_questions(on: impl Executor, after: BankQuestionId, limit: i64) -> Result<Vec<QuestionText>> {
    let rows = sql!(
        "SELECT id, bank_id, version, question FROM bank_questions WHERE id > $1 ORDER BY id LIMIT $2",
        after,
        limit
    );
    Ok(rows.fetch_all(on).await?)
}

/// The versions and digests of the documents of pages and of their drafts.
pub(crate) async fn indexed_pages(on: impl Executor, pages: &[PageId]) -> Result<HashMap<PageId, Vec<(i64, i64)>>> {
    let rows = sql!(
        "SELECT page_id, version, digest FROM search_documents WHERE analysis = $1 AND page_id IN ",
        ANALYSIS
    );
    let rows = rows.push_in(pages.iter().copied()).fetch_all(on).await?;
    Ok(by_id(rows))
}

/// The versions and digests of the documents of bank questions.
pub(crate) async fn indexed_questions(
    on: impl Executor,
    questions: &[BankQuestionId],
) -> Result<HashMap<BankQuestionId, Vec<(i64, i64)>>> {
    let rows = sql!(
        "SELECT question_id, version, digest FROM search_documents WHERE analysis = $1 AND question_id IN ",
        ANALYSIS
    );
    let rows = rows.push_in(questions.iter().copied()).fetch_all(on).await?;
    Ok(by_id(rows))
}

fn by_id<Id: Eq + std::hash::Hash>(rows: Vec<(Id, i64, i64)>) -> HashMap<Id, Vec<(i64, i64)>> {
    let mut found: HashMap<Id, Vec<(i64, i64)>> = HashMap::new();
    for (id, version, digest) in rows {
        found.entry(id).or_default().push((version, digest));
    }
    found
}

/// Removes the documents of drafts that these pages no longer have: an older release has published or deleted them.
pub(super) async fn forget_gone_drafts(tx: &mut Tx, pages: &[PageId]) -> Result<()> {
    let gone = sql!(
        "DELETE FROM search_documents WHERE part = 'd'
         AND NOT EXISTS (SELECT 1 FROM page_drafts f WHERE f.page_id = search_documents.page_id) AND page_id IN "
    );
    gone.push_in(pages.iter().copied()).execute(tx).await?;
    Ok(())
}

/// Indexes a bank question again.
pub(crate) async fn reindex_question(db: &Db, question: BankQuestionId) -> Result<()> {
    let texts = question_texts(db, &[question]).await?;
    let documents: Vec<Analysed> = texts.iter().map(QuestionText::analyse).collect();
    let mut tx = db.begin().await?;
    write(&mut tx, &documents).await?;
    Ok(tx.commit().await?)
}
