//! Results of a course as CSV, one row per learner, written in parts so that only some learners are in memory.
//!
//! The first columns and the cell format are those of the list that the web app's class view exports
//! (`web/src/students/exportClass.ts`): user input must not become a formula.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};

use crate::access::{Right, Viewer};
use crate::courses::enrollment::{AttemptSummaries, ProgressBitmap, StoredProgress};
use crate::courses::groups::GroupFilter;
use crate::courses::tree::Tree;
use crate::courses::{self, Course};
use crate::learning::progress::{self, Marks};
use crate::learning::stored_progress::Numbers;
use crate::{Kurso, users};
use kurso_base::email::Email;
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId, SessionId};
use kurso_base::messages::{Lang, Message};
use kurso_base::search::fold;
use kurso_base::wire::time_text;
use kurso_db::Db;
use kurso_db::sql;

/// Learners per part.
const PART: usize = 200;

/// The byte order mark, by which spreadsheet programs recognise UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// An export of results: call [`Results::part`] until it returns None. Learners are sorted by name, with their state
/// when their part is read; those who leave the course in between are omitted.
#[derive(Debug)]
pub struct Results {
    tree: Arc<Tree>,
    /// The indexes of the quizzes in the tree.
    quizzes: Vec<usize>,
    lang: Lang,
    title: String,
    /// Whether there is a column of groups: the course has a group.
    has_groups: bool,
    learners: std::vec::IntoIter<EnrollmentId>,
    begun: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: EnrollmentId,
    full_name: Option<String>,
    email: String,
    enrolled_at: DateTime<Utc>,
    last_activity_at: DateTime<Utc>,
    completed_at: Option<DateTime<Utc>>,
    marks: Option<ProgressBitmap>,
    tries: Option<AttemptSummaries>,
    group_title: Option<String>,
}

impl Results {
    /// Starts an export of the learners that `group` selects, with headings in `lang`. Fails with 403 for learners. At most six
    /// statements.
    pub async fn of(kurso: &Kurso, viewer: &Viewer, course: CourseId, group: GroupFilter, lang: Lang) -> Result<Self> {
        let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
        Self::of_course(kurso, &course, group, lang).await
    }

    /// As [`Results::of`] for all learners, for the operator on the command line, with the rights of the course's owner.
    pub async fn as_owner(kurso: &Kurso, course: CourseId, lang: Lang) -> Result<Self> {
        let missing = || Error::NotFound(Message::CourseNotFound);
        let (email,) = sql!(
            "SELECT u.email FROM courses c JOIN users u ON u.id = c.owner_id WHERE c.id = $1",
            course
        )
        .fetch_optional::<(String,)>(&kurso.db)
        .await?
        .ok_or_else(missing)?;
        let email = Email::parse(&email).map_err(|_| missing())?;
        let user = users::by_email(&kurso.db, &email).await?.ok_or_else(missing)?;
        let viewer = Viewer {
            user,
            session: SessionId::new(),
        };
        Self::of(kurso, &viewer, course, GroupFilter::All, lang).await
    }

    async fn of_course(kurso: &Kurso, course: &Course, group: GroupFilter, lang: Lang) -> Result<Self> {
        let trees = kurso.trees.of(&kurso.db, std::slice::from_ref(course)).await?;
        let tree = trees.into_iter().next().unwrap_or_default();
        let learners = sql!(
            "SELECT e.id, u.full_name, u.email FROM enrollments e JOIN users u ON u.id = e.user_id WHERE e.course_id = $1",
            course.id
        );
        let mut learners = group
            .on(learners)
            .fetch_all::<(EnrollmentId, Option<String>, String)>(&kurso.db)
            .await?;
        let groups = sql!("SELECT 1 FROM groups WHERE course_id = $1 LIMIT 1", course.id);
        let has_groups = groups.fetch_optional::<(i32,)>(&kurso.db).await?.is_some();
        // Sorted as in the class list, by name or else by address; in memory, because no database folds Cyrillic
        // letters.
        learners.sort_by_cached_key(|(id, name, email)| {
            let name = name.as_deref().filter(|name| !name.is_empty()).unwrap_or(email);
            (fold(name), *id)
        });
        let learners: Vec<EnrollmentId> = learners.into_iter().map(|(id, ..)| id).collect();
        let places = tree.pages.iter().enumerate();
        let quizzes = places.filter(|(_, page)| page.kind.takes_attempts());
        Ok(Results {
            quizzes: quizzes.map(|(place, _)| place).collect(),
            tree,
            lang,
            title: course.title.clone(),
            has_groups,
            learners: learners.into_iter(),
            begun: false,
        })
    }

    /// The title of the course.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Learners not written yet.
    pub fn left(&self) -> usize {
        self.learners.len()
    }

    /// The next complete lines, the first time with the headings; None at the end. One statement, and one more if the
    /// progress of a learner is not stored.
    pub async fn part(&mut self, db: &Db) -> Result<Option<Vec<u8>>> {
        let mut lines = lines();
        let begun = std::mem::replace(&mut self.begun, true);
        if !begun {
            self.headings(&mut lines)?;
        }
        let ids: Vec<EnrollmentId> = self.learners.by_ref().take(PART).collect();
        if ids.is_empty() && begun {
            return Ok(None);
        }
        if !ids.is_empty() {
            self.learners(db, &ids, &mut lines).await?;
        }
        let written = lines
            .into_inner()
            .map_err(|error| Error::internal(error.into_error()))?;
        Ok(Some(if begun { written } else { [MARK, &written].concat() }))
    }

    fn headings(&self, lines: &mut Writer<Vec<u8>>) -> Result<()> {
        let (known, group, quiz) = match self.lang {
            Lang::En => (
                [
                    "Name",
                    "Email",
                    "Progress, %",
                    "Pages done",
                    "Pages in all",
                    "Enrolled at",
                    "Last active at",
                    "Completed at",
                ],
                "Group",
                "Quiz",
            ),
            Lang::Ru => (
                [
                    "Имя",
                    "Email",
                    "Пройдено, %",
                    "Страниц пройдено",
                    "Страниц всего",
                    "Запись на курс",
                    "Последняя активность",
                    "Курс пройден",
                ],
                "Группа",
                "Тест",
            ),
        };
        for heading in known {
            write(lines, heading)?;
        }
        if self.has_groups {
            write(lines, group)?;
        }
        for place in &self.quizzes {
            let page = self.tree.page(*place);
            let title = page.title.as_deref().unwrap_or(quiz);
            let heading = format!("{} / {title}, %", self.tree.lesson(page.lesson).title);
            write(lines, &cell(&heading))?;
        }
        end(lines)
    }

    async fn learners(&self, db: &Db, ids: &[EnrollmentId], lines: &mut Writer<Vec<u8>>) -> Result<()> {
        let mut rows = sql!(
            "SELECT e.id, u.full_name, u.email, e.enrolled_at, e.last_activity_at, e.completed_at, e.marks, e.tries,
               g.title AS group_title
             FROM enrollments e JOIN users u ON u.id = e.user_id LEFT JOIN groups g ON g.id = e.group_id WHERE e.id IN "
        )
        .push_in(ids.iter().copied())
        .fetch_all::<Row>(db)
        .await?;
        let order: std::collections::HashMap<EnrollmentId, usize> =
            ids.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        rows.sort_by_key(|row| order.get(&row.id).copied());
        let numbers = Numbers::of(&self.tree);
        let kept = |row: &mut Row| {
            let (marks, tries) = (row.marks.take()?, row.tries.take()?);
            Some(numbers.marks(&StoredProgress { marks, tries }))
        };
        let mut marks: Vec<Option<Marks>> = rows.iter_mut().map(kept).collect();
        let missing: Vec<_> = rows
            .iter()
            .zip(&marks)
            .filter(|(_, marks)| marks.is_none())
            .map(|(row, _)| (row.id, self.tree.as_ref()))
            .collect();
        let read = progress::read::marks(db, &missing).await?;
        for (place, read) in marks.iter_mut().filter(|marks| marks.is_none()).zip(read) {
            *place = Some(read);
        }
        for (row, marks) in rows.iter().zip(marks) {
            let marks = marks.unwrap_or_else(|| Marks::none(&self.tree));
            self.learner(row, &marks, lines)?;
        }
        Ok(())
    }

    fn learner(&self, row: &Row, marks: &Marks, lines: &mut Writer<Vec<u8>>) -> Result<()> {
        let progress = progress::derive(&self.tree, marks, row.completed_at);
        let (waiting, returned) = match self.lang {
            Lang::En => ("waiting for a grade", "returned for revision"),
            Lang::Ru => ("ждёт проверки", "возвращено на доработку"),
        };
        write(lines, &cell(row.full_name.as_deref().unwrap_or_default()))?;
        write(lines, &cell(&row.email))?;
        write(lines, &progress.percent().to_string())?;
        write(lines, &progress.pages_done.to_string())?;
        write(lines, &progress.pages_total.to_string())?;
        write(lines, &time_text(&row.enrolled_at))?;
        write(lines, &time_text(&row.last_activity_at))?;
        let completed = progress.completed_at.as_ref().map(time_text);
        write(lines, completed.as_deref().unwrap_or_default())?;
        if self.has_groups {
            write(lines, &cell(row.group_title.as_deref().unwrap_or_default()))?;
        }
        for place in &self.quizzes {
            let best = match marks.tried.get(place) {
                None => String::new(),
                Some(tried) if tried.is_returned => returned.to_owned(),
                // Readers would take a percentage that may still rise for the final result.
                Some(tried) if tried.is_waiting => waiting.to_owned(),
                Some(tried) => tried.best_percent.to_string(),
            };
            write(lines, &best)?;
        }
        end(lines)
    }
}

/// Formats lines by RFC 4180. Every cell is quoted: programs of some languages separate cells by semicolons or tabs, and would
/// read an unquoted `;=…` in a name as a cell with a formula.
fn lines() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .quote_style(QuoteStyle::Always)
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new())
}

fn write(lines: &mut Writer<Vec<u8>>, cell: &str) -> Result<()> {
    lines.write_field(cell).map_err(Error::internal)
}

fn end(lines: &mut Writer<Vec<u8>>) -> Result<()> {
    lines.write_record(None::<&[u8]>).map_err(Error::internal)
}

/// Characters that start a formula, or that a program skips before one. The full-width forms count for programs with
/// Japanese or Chinese settings.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// User input as a cell; an apostrophe prevents a spreadsheet program from reading it as a formula.
pub(crate) fn cell(text: &str) -> Cow<'_, str> {
    if text.starts_with(FORMULA) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Parses lines into cells by RFC 4180.
    fn read(bytes: &[u8]) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
        let records = reader.records().map(|record| record.unwrap());
        records
            .map(|record| record.iter().map(str::to_owned).collect())
            .collect()
    }

    #[test]
    fn a_formula_after_any_separator_stays_within_its_cell() {
        let mut lines = lines();
        write(&mut lines, &cell("Иван;=cmd|' /C calc'!A0;")).unwrap();
        write(&mut lines, &cell("a\t=1")).unwrap();
        end(&mut lines).unwrap();
        let text = String::from_utf8(lines.into_inner().unwrap()).unwrap();
        assert_eq!(text, "\"Иван;=cmd|' /C calc'!A0;\",\"a\t=1\"\r\n");
    }

    proptest! {
        #[test]
        fn any_text_is_one_cell_without_a_formula(texts in prop::collection::vec("\\PC{0,5}[\",;\r\n\t=+@-]{0,3}\\PC{0,5}|[=+@\t\r\n＝＋－＠-]\\PC*", 1..5)) {
            let mut lines = lines();
            for text in &texts {
                write(&mut lines, &cell(text)).unwrap();
            }
            // A line with one empty cell would look like an empty line.
            write(&mut lines, "7").unwrap();
            end(&mut lines).unwrap();
            let bytes = lines.into_inner().unwrap();
            prop_assert!(bytes.ends_with(b"\r\n"));
            let back = read(&bytes);
            prop_assert_eq!(back.len(), 1);
            for (text, cell) in texts.iter().zip(&back[0]) {
                prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']));
                prop_assert!(cell == text || cell.strip_prefix('\'') == Some(text.as_str()));
            }
        }
    }
}
