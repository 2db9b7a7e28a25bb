//! Consistency check of the full-text index: its documents must have the terms that the texts of pages and bank questions have now.

use kurso_base::error::Result;
use kurso_base::ids::{BankQuestionId, PageId};
use kurso_db::{Snapshot, sql};
use uuid::Uuid;

use super::repair::Remedy;
use super::{Report, Rule};
use crate::search_index::{
    PageText, QuestionText, indexed_pages, indexed_questions, next_pages, next_questions, page_texts,
};

/// Texts per statement.
const CHUNK: i64 = 50;

pub async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut last = PageId(Uuid::nil());
    loop {
        let ids = next_pages(&mut *on, last, CHUNK).await?;
        let Some(end) = ids.last() else { break };
        last = *end;
        let texts = page_texts(&mut *on, &ids).await?;
        let mut indexed = indexed_pages(&mut *on, &ids).await?;
        for page in texts.chunk_by(|one, next| one.id == next.id) {
            let stored = page.first().and_then(|text| indexed.remove(&text.id));
            check_page(page, stored.unwrap_or_default(), report);
        }
    }
    let mut last = BankQuestionId(Uuid::nil());
    loop {
        let questions = next_questions(&mut *on, last, CHUNK).await?;
        let Some(end) = questions.last() else { break };
        last = end.id;
        let ids: Vec<BankQuestionId> = questions.iter().map(|question| question.id).collect();
        let mut indexed = indexed_questions(&mut *on, &ids).await?;
        for question in &questions {
            let stored = indexed.remove(&question.id).unwrap_or_default();
            check_question(question, &stored, report);
        }
    }
    terms(on, report).await
}

/// `texts` are those of a page and of its draft, `stored` the versions and digests of the indexed documents. Other versions, and no documents,
/// are no problem: after an upgrade the server indexes pages while it runs.
fn check_page(texts: &[PageText], mut stored: Vec<(i64, i64)>, report: &mut Report) {
    let Some(page) = texts.first() else { return };
    report.checked(Rule::SearchIndex, 1);
    let documents = texts.iter().flat_map(|text| {
        let documents = text.analyse().into_iter();
        documents.map(|document| (text.version, document.digest()))
    });
    let mut expected: Vec<(i64, i64)> = documents.collect();
    stored.sort_unstable();
    expected.sort_unstable();
    let versions = |of: &[(i64, i64)]| of.iter().map(|(version, _)| *version).collect::<Vec<_>>();
    if versions(&stored) != versions(&expected) {
        report.unindexed += 1;
    } else if stored != expected {
        let remedy = Some(Remedy::IndexPage(page.id));
        report.found(
            Rule::SearchIndex,
            format!("pages {}", page.id),
            WRONG.to_owned(),
            remedy,
        );
    }
}

fn check_question(question: &QuestionText, stored: &[(i64, i64)], report: &mut Report) {
    report.checked(Rule::SearchIndex, 1);
    match stored {
        [(version, digest)] if *version == question.version => {
            if *digest != question.analyse().digest() {
                let at = format!("bank_questions {}", question.id);
                let remedy = Some(Remedy::IndexQuestion(question.id));
                report.found(Rule::SearchIndex, at, WRONG.to_owned(), remedy);
            }
        }
        _ => report.unindexed += 1,
    }
}

const WRONG: &str = "the search index has other words than its text";

/// SQLite keeps the terms in a table of its own.
async fn terms(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    for (document, has_document) in on.mismatched_search_terms().await? {
        let problem = if has_document {
            "its terms are missing: run `kurso search rebuild`"
        } else {
            "its terms belong to no document: run `kurso search rebuild`"
        };
        report.found(
            Rule::SearchIndex,
            format!("search_documents {document}"),
            problem.to_owned(),
            None,
        );
    }
    let (documents,) = sql!("SELECT COUNT(*) FROM search_documents")
        .fetch_one::<(i64,)>(on)
        .await?;
    report.checked(Rule::SearchIndex, documents.unsigned_abs());
    Ok(())
}
