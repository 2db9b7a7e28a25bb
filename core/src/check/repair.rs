//! Repairs of findings whose correct value can be derived. A repair takes the locks of an ordinary change, so it may
//! run beside a server.

use super::Report;
use crate::Kurso;
use crate::courses::{self, Scope};
use crate::learning;
use crate::search_index;
use kurso_base::error::Result;
use kurso_base::ids::{AnnouncementId, BankQuestionId, CourseId, EnrollmentId, FileId, PageId};
use kurso_db::Tx;
use kurso_db::sql;
use kurso_formats::quiz::StoredBankQuestion;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remedy {
    /// Renumber all positions of a course in their current order.
    Order(CourseId),
    /// Set the course's page counter from its pages.
    MarkNumbers(CourseId),
    /// Clear the page numbers of a course and the progress bitmaps that use them; both are assigned again when needed.
    Renumber(CourseId),
    /// Delete the derived progress of an enrollment, which is derived again when needed.
    Marks(EnrollmentId),
    /// Copy the attempt limit from the quiz to its page.
    MaxAttempts(PageId, Option<i64>),
    PageFile(PageId, FileId),
    BankFile(BankQuestionId, FileId),
    AnnouncementFile(AnnouncementId, FileId),
    /// Derive what is stored beside a question of a bank from its text.
    BankQuestion(BankQuestionId),
    /// Index the page or question of a bank again.
    IndexPage(PageId),
    IndexQuestion(BankQuestionId),
}

/// Applies all possible repairs. Returns their number.
pub async fn repair(kurso: &Kurso, report: &Report) -> Result<u64> {
    let mut done: Vec<Remedy> = Vec::new();
    for remedy in report.findings.iter().filter_map(|finding| finding.remedy) {
        if !done.contains(&remedy) {
            apply(kurso, remedy).await?;
            done.push(remedy);
        }
    }
    Ok(done.len() as u64)
}

async fn apply(kurso: &Kurso, remedy: Remedy) -> Result<()> {
    match remedy {
        Remedy::Order(course) => {
            let mut tx = locked(kurso, course).await?;
            for level in LEVELS {
                sql!(level, course).execute(&mut tx).await?;
            }
            tx.commit().await?;
        }
        Remedy::MarkNumbers(course) => {
            let mut tx = locked(kurso, course).await?;
            sql!(
                "UPDATE courses SET mark_nos = (SELECT COALESCE(MAX(mark_no), -1) + 1 FROM pages WHERE course_id = $1)
                 WHERE id = $1",
                course
            )
            .execute(&mut tx)
            .await?;
            tx.commit().await?;
        }
        Remedy::Renumber(course) => {
            let mut tx = locked(kurso, course).await?;
            sql!("UPDATE pages SET mark_no = NULL WHERE course_id = $1", course)
                .execute(&mut tx)
                .await?;
            sql!(
                "UPDATE enrollments SET marks = NULL, tries = NULL WHERE course_id = $1",
                course
            )
            .execute(&mut tx)
            .await?;
            tx.commit().await?;
        }
        Remedy::Marks(enrollment) => {
            let mut tx = kurso.db.begin().await?;
            learning::lock(&mut tx, enrollment, None).await?;
            learning::stored_progress::store(&mut tx, enrollment).await?;
            tx.commit().await?;
        }
        Remedy::MaxAttempts(page, limit) => {
            let course = sql!("SELECT course_id FROM pages WHERE id = $1", page);
            let Some((course,)) = course.fetch_optional::<(CourseId,)>(&kurso.db).await? else {
                return Ok(());
            };
            let mut tx = locked(kurso, course).await?;
            sql!("UPDATE pages SET max_attempts = $2 WHERE id = $1", page, limit)
                .execute(&mut tx)
                .await?;
            tx.commit().await?;
        }
        Remedy::BankFile(question, file) => {
            sql!(
                "INSERT INTO bank_files (question_id, file_id) VALUES ($1, $2) ON CONFLICT (question_id, file_id) DO NOTHING",
                question,
                file
            )
            .execute(&kurso.db)
            .await?;
        }
        Remedy::AnnouncementFile(announcement, file) => {
            sql!(
                "INSERT INTO announcement_files (announcement_id, file_id) VALUES ($1, $2)
                 ON CONFLICT (announcement_id, file_id) DO NOTHING",
                announcement,
                file
            )
            .execute(&kurso.db)
            .await?;
        }
        Remedy::BankQuestion(question) => derive_bank_question(kurso, question).await?,
        Remedy::IndexPage(page) => search_index::reindex_page(&kurso.db, page).await?,
        Remedy::IndexQuestion(question) => search_index::reindex_question(&kurso.db, question).await?,
        Remedy::PageFile(page, file) => {
            sql!(
                "INSERT INTO page_files (page_id, file_id) VALUES ($1, $2) ON CONFLICT (page_id, file_id) DO NOTHING",
                page,
                file
            )
            .execute(&kurso.db)
            .await?;
        }
    }
    Ok(())
}

async fn derive_bank_question(kurso: &Kurso, id: BankQuestionId) -> Result<()> {
    let text = sql!("SELECT question FROM bank_questions WHERE id = $1", id);
    let Some((text,)) = text.fetch_optional::<(String,)>(&kurso.db).await? else {
        return Ok(());
    };
    let stored = StoredBankQuestion::read(&text)?;
    sql!(
        "UPDATE bank_questions SET kind = $2, is_complete = $3, folded = $4 WHERE id = $1 AND question = $5",
        id,
        stored.kind,
        stored.is_complete,
        stored.folded,
        text
    )
    .execute(&kurso.db)
    .await?;
    Ok(())
}

async fn locked(kurso: &Kurso, course: CourseId) -> Result<Tx> {
    courses::begin(&kurso.db, course, Scope::Structure(kurso.clock.now())).await
}

macro_rules! ordered {
    ($table:literal, $parent:literal) => {
        concat!(
            "UPDATE ",
            $table,
            " SET position = fresh.position
             FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY ",
            $parent,
            " ORDER BY position, id) - 1 AS position
                   FROM ",
            $table,
            " WHERE course_id = $1) fresh
             WHERE ",
            $table,
            ".id = fresh.id"
        )
    };
}

const LEVELS: [&str; 5] = [
    ordered!("modules", "course_id"),
    ordered!("lessons", "module_id"),
    ordered!("pages", "lesson_id"),
    ordered!("groups", "course_id"),
    ordered!("grade_categories", "course_id"),
];
