//! The rubrics of a course, so that an author can take one over into another question.

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, PageId};
use kurso_db::sql;
use kurso_formats::quiz::{Quiz, Rubric};

use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::attempts;
use crate::courses;

/// The most rubrics that are returned.
pub const MAX_USED_RUBRICS: usize = 200;
/// The most characters of quizzes that are read.
const READ: i64 = 16 << 20;

/// The rubric of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct UsedRubric {
    pub page_id: PageId,
    /// None if the page is shown by its number.
    pub page_title: Option<String>,
    /// The number of the question in the quiz, from 1.
    pub number: i64,
    /// One line of plain text, cut at 200 characters.
    pub prompt: String,
    pub rubric: Rubric,
}

/// Returns the rubrics of the questions of a course in its order, at most [`MAX_USED_RUBRICS`]; for its staff. Quizzes after the first 16 million
/// characters are left out. Fails with 404 without a relation to the course, with 403 for learners. Two statements.
pub async fn course_rubrics(kurso: &Kurso, viewer: &Viewer, course: CourseId) -> Result<Vec<UsedRubric>> {
    courses::find(&kurso.db, viewer, course, Right::ReadAsAuthor).await?;
    // A quotation mark inside of a JSON string is escaped, so that the pattern finds rubrics only.
    let quizzes = sql!(
        r#"SELECT page_id, title, quiz FROM (
             SELECT c.page_id, p.title, c.quiz,
               SUM(LENGTH(c.quiz)) OVER (ORDER BY m.position, l.position, p.position, p.id ROWS UNBOUNDED PRECEDING) AS so_far
             FROM modules m JOIN lessons l ON l.module_id = m.id JOIN pages p ON p.lesson_id = l.id JOIN page_contents c ON c.page_id = p.id
             WHERE m.course_id = $1 AND p.kind <> 'content' AND c.quiz LIKE '%"rubric":{%'
           ) with_rubrics WHERE so_far <= $2 ORDER BY so_far LIMIT $3"#,
        course,
        READ,
        i64::try_from(MAX_USED_RUBRICS).unwrap_or(i64::MAX)
    );
    let quizzes = quizzes.fetch_all::<(PageId, Option<String>, String)>(&kurso.db).await?;
    // Parsing megabytes of JSON may take long, so it does not run on the threads of the async runtime.
    let reading = tokio::task::spawn_blocking(move || {
        let mut found = Vec::new();
        for (page, title, text) in quizzes {
            found.extend(rubrics_of(page, title.as_deref(), Quiz::from_text(&text)?));
            if found.len() >= MAX_USED_RUBRICS {
                break;
            }
        }
        found.truncate(MAX_USED_RUBRICS);
        Ok(found)
    });
    reading.await.map_err(Error::internal)?
}

fn rubrics_of(page_id: PageId, page_title: Option<&str>, quiz: Quiz) -> impl Iterator<Item = UsedRubric> {
    (1..).zip(quiz.questions).filter_map(move |(number, question)| {
        Some(UsedRubric {
            page_id,
            page_title: page_title.map(str::to_owned),
            number,
            prompt: attempts::prompt(&question),
            rubric: question.kind.rubric()?.clone(),
        })
    })
}
