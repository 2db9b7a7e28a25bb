//! Consistency checks of draws: the banks that pages draw from are recorded, and the taken quizzes have the questions that attempts have drawn.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;

use super::{Report, Rule};
use crate::draws::from_text;
use kurso_base::error::Result;
use kurso_base::ids::PageId;
use kurso_db::{Snapshot, sql};
use kurso_formats::quiz::Quiz;

/// Rows per statement; the quiz of a page may have two megabytes.
const CHUNK: i64 = 50;

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    page_banks(on, report).await?;
    drawn(on, report).await
}

/// For each page, `page_banks` must have exactly those existing banks that its quiz draws from.
async fn page_banks(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let banks: BTreeSet<Uuid> = sql!("SELECT id FROM question_banks")
        .fetch_all::<(Uuid,)>(&mut *on)
        .await?
        .into_iter()
        .map(|(bank,)| bank)
        .collect();
    let mut recorded: HashMap<PageId, BTreeSet<Uuid>> = HashMap::new();
    let rows = sql!("SELECT page_id, bank_id FROM page_banks").fetch_all::<(PageId, Uuid)>(&mut *on);
    for (page, bank) in rows.await? {
        recorded.entry(page).or_default().insert(bank);
    }
    let mut last = PageId(Uuid::nil());
    loop {
        let rows = sql!(
            "SELECT page_id, quiz FROM page_contents WHERE quiz LIKE '%\"draw\"%' AND page_id > $1 ORDER BY page_id LIMIT $2",
            last,
            CHUNK
        );
        let rows = rows.fetch_all::<(PageId, String)>(&mut *on).await?;
        let Some((end, _)) = rows.last() else { break };
        last = *end;
        for (page, text) in rows {
            // `texts` reports a quiz that cannot be read.
            let Ok(quiz) = Quiz::from_text(&text) else { continue };
            report.checked(Rule::Texts, 1);
            let drawn_from: BTreeSet<Uuid> = quiz.banks().intersection(&banks).copied().collect();
            if recorded.remove(&page).unwrap_or_default() != drawn_from {
                let problem = "page_banks does not have exactly the banks that its quiz draws from".to_owned();
                report.found(Rule::Texts, format!("page_contents {page}"), problem, None);
            }
        }
    }
    for page in recorded.into_keys() {
        let problem = "its quiz has no draws, but page_banks has banks of it".to_owned();
        report.found(Rule::Texts, format!("page_contents {page}"), problem, None);
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct DrawnRow {
    id: Uuid,
    place: String,
    page_id: PageId,
    quiz_version: i64,
    drawn: String,
}

/// The taken quiz of an attempt must have the questions that the attempt has drawn.
async fn drawn(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    let mut taken: Option<((PageId, i64), Option<Quiz>)> = None;
    let mut last = (PageId(Uuid::nil()), i64::MIN, Uuid::nil());
    loop {
        let rows = sql!(
            "SELECT id, place, page_id, quiz_version, drawn FROM (
               SELECT id, 'attempts' AS place, page_id, quiz_version, drawn FROM attempts WHERE drawn IS NOT NULL
               UNION ALL SELECT id, 'ended_attempts' AS place, page_id, quiz_version, drawn FROM ended_attempts WHERE drawn IS NOT NULL
               UNION ALL SELECT id, 'running_attempts' AS place, page_id, quiz_version, drawn FROM running_attempts WHERE drawn IS NOT NULL
             ) d WHERE (page_id, quiz_version, id) > ($1, $2, $3) ORDER BY page_id, quiz_version, id LIMIT $4",
            last.0,
            last.1,
            last.2,
            CHUNK
        );
        let rows = rows.fetch_all::<DrawnRow>(&mut *on).await?;
        let Some(end) = rows.last() else { return Ok(()) };
        last = (end.page_id, end.quiz_version, end.id);
        for row in rows {
            report.checked(Rule::Texts, 1);
            let key = (row.page_id, row.quiz_version);
            if taken.as_ref().is_none_or(|(of, _)| *of != key) {
                taken = Some((key, taken_quiz(on, key).await?));
            }
            let quiz = taken.as_ref().and_then(|(_, quiz)| quiz.as_ref());
            let problem = match from_text(Some(&row.drawn)) {
                Err(error) => format!("what it has drawn cannot be read: {error}"),
                // Other checks report a quiz that is missing or cannot be read.
                Ok(drawn) if quiz.is_none_or(|quiz| quiz.has_drawn(&drawn)) => continue,
                Ok(_) => "the quiz that was taken lacks a question that it has drawn".to_owned(),
            };
            report.found(Rule::Texts, format!("{} {}", row.place, row.id), problem, None);
        }
    }
}

async fn taken_quiz(on: &mut Snapshot, (page, version): (PageId, i64)) -> Result<Option<Quiz>> {
    let text = sql!(
        "SELECT quiz FROM taken_quizzes WHERE page_id = $1 AND version = $2",
        page,
        version
    );
    let text = text.fetch_optional::<(String,)>(on).await?;
    Ok(text.and_then(|(text,)| Quiz::from_text(&text).ok()))
}
