//! Writes the gradebook as CSV, a line for each learner, in parts so that only some learners are in memory.

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, EnrollmentId};
use kurso_base::messages::Lang;

use super::{EMAIL, STATE, Separator, code_of, excused, state};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses;
use crate::courses::groups::GroupFilter;
use crate::gradebook::cells::{DecisionKind, Source};
use crate::gradebook::ledger::Ledger;
use crate::gradebook::settings::Item;
use crate::gradebook::table::{self, Row};
use crate::students::cell_text as cell;

/// Learners per part.
const PART: usize = 200;

/// The byte order mark, by which spreadsheet programs recognise UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// An export of a gradebook: call [`Table::part`] until it returns None. Learners are sorted by name; those who leave the course in between
/// are omitted.
#[derive(Debug)]
pub struct Table {
    ledger: Ledger,
    separator: Separator,
    lang: Lang,
    learners: std::vec::IntoIter<EnrollmentId>,
    begun: bool,
}

impl Table {
    /// Starts an export of the learners that `group` selects, with headings in `lang`. Fails with 403 for learners.
    pub async fn of(
        kurso: &Kurso,
        viewer: &Viewer,
        course: CourseId,
        group: GroupFilter,
        separator: Separator,
        lang: Lang,
    ) -> Result<Self> {
        let course = courses::find(&kurso.db, viewer, course, Right::SeeStudents).await?;
        let ledger = Ledger::load(kurso, course).await?;
        let learners = table::sorted(kurso, &ledger, group).await?;
        Ok(Table {
            ledger,
            separator,
            lang,
            learners: learners.into_iter(),
            begun: false,
        })
    }

    /// The next complete lines, the first time with the headings; None at the end.
    pub async fn part(&mut self, kurso: &Kurso) -> Result<Option<Vec<u8>>> {
        let mut lines = lines(self.separator);
        let begun = std::mem::replace(&mut self.begun, true);
        if !begun {
            self.headings(&mut lines)?;
        }
        let ids: Vec<EnrollmentId> = self.learners.by_ref().take(PART).collect();
        if ids.is_empty() && begun {
            return Ok(None);
        }
        for row in table::read_rows(kurso, &self.ledger, &ids).await? {
            self.learner(&row, &mut lines)?;
        }
        let written = lines
            .into_inner()
            .map_err(|error| Error::internal(error.into_error()))?;
        Ok(Some(if begun { written } else { [MARK, &written].concat() }))
    }

    fn headings(&self, lines: &mut Writer<Vec<u8>>) -> Result<()> {
        let [of_ru, of_en] = STATE;
        let [name, group, percent, total, label, state] = match self.lang {
            Lang::En => ["Name", "Group", "%", "Course, %", "Label", of_en],
            Lang::Ru => ["Имя", "Группа", "%", "Курс, %", "Отметка", of_ru],
        };
        for heading in [name, EMAIL, group] {
            write(lines, heading)?;
        }
        for item in self.ledger.setup.columns() {
            write(lines, &cell(&self.heading(item)))?;
        }
        for category in &self.ledger.setup.categories {
            write(lines, &cell(&format!("{}, {percent}", category.title)))?;
        }
        write(lines, total)?;
        write(lines, label)?;
        write(lines, state)?;
        end(lines)
    }

    fn heading(&self, item: &Item) -> String {
        let (quiz, of) = match self.lang {
            Lang::En => ("Quiz", "points of"),
            Lang::Ru => ("Тест", "баллов из"),
        };
        let title = item.title.as_deref().unwrap_or(quiz);
        let points = self.separator.decimal(item.points);
        format!(
            "{} / {title}, {of} {points} [{}]",
            item.lesson_title,
            code_of(item.page_id)
        )
    }

    fn learner(&self, row: &Row, lines: &mut Writer<Vec<u8>>) -> Result<()> {
        write(lines, &cell(row.full_name.as_deref().unwrap_or_default()))?;
        write(lines, &cell(&row.email))?;
        write(
            lines,
            &cell(row.group.as_ref().map_or("", |group| group.title.as_str())),
        )?;
        let mut marks = Vec::new();
        for (graded, item) in row.grades.cells.0.iter().zip(self.ledger.setup.columns()) {
            let mut mark = |kind, points| marks.push(state::mark(row.learner.user_id, item.page_id, kind, points));
            match (graded.source, graded.points) {
                (Source::Excused, _) => {
                    mark(DecisionKind::Excused, None);
                    write(lines, excused(self.lang))?;
                }
                (_, points) => {
                    if points.is_some() {
                        mark(DecisionKind::Override, points);
                    }
                    write(lines, &self.decimal(points))?;
                }
            }
        }
        for percent in &row.grades.categories {
            write(lines, &self.decimal(*percent))?;
        }
        write(lines, &self.decimal(row.grades.total.percent))?;
        write(lines, self.label(row.grades.total.label))?;
        write(lines, &state::write(&marks))?;
        end(lines)
    }

    fn decimal(&self, hundredths: Option<i64>) -> String {
        hundredths
            .map(|hundredths| self.separator.decimal(hundredths))
            .unwrap_or_default()
    }

    fn label(&self, label: Option<&'static str>) -> &'static str {
        match (label, self.lang) {
            (Some("pass"), Lang::Ru) => "зачтено",
            (Some("fail"), Lang::Ru) => "не зачтено",
            (label, _) => label.unwrap_or_default(),
        }
    }
}

/// Every cell is quoted: programs with other settings would read an unquoted `;=…` in a name as a cell with a formula.
fn lines(separator: Separator) -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .delimiter(separator.byte())
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
