//! What authors say that a module or lesson needs: reading it, replacing it, and refusing cycles.
//! [`crate::schedule::prerequisites`] has the rules.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use uuid::Uuid;

use crate::schedule::prerequisites::{Part, Prerequisites};
use kurso_base::error::{Error, FieldError, Loc, Result, require_no_errors};
use kurso_base::ids::{CourseId, LessonId, ModuleId, PartId};
use kurso_base::messages::{Message, TitleChain};
use kurso_base::values::Few;
use kurso_db::{Executor, Tx, args, sql};

/// The name of the field in both APIs.
const FIELD: &str = "prerequisites";

/// The parts of a course in reading order, with their prerequisites.
pub(crate) struct Structure {
    pub prerequisites: Prerequisites,
    ids: HashMap<Part, Uuid>,
    titles: HashMap<Part, String>,
    parts: HashMap<Uuid, Part>,
    pub is_sequential: bool,
}

/// A module, or a lesson with its module, in reading order.
const PARTS: &str = "SELECT m.id, NULL AS module_id, m.title, m.position AS of_module, -1 AS of_lesson
     FROM modules m WHERE m.course_id = $1
     UNION ALL
     SELECT l.id, l.module_id, l.title, m.position, l.position FROM lessons l JOIN modules m ON m.id = l.module_id WHERE l.course_id = $1
     ORDER BY 4, 5, 1";

/// A part and what it needs, in reading order of the latter.
const NEEDS: &str = "SELECT COALESCE(r.module_id, r.lesson_id) AS part, COALESCE(r.needs_module_id, r.needs_lesson_id) AS needs
     FROM prerequisites r LEFT JOIN lessons l ON l.id = r.needs_lesson_id JOIN modules m ON m.id = COALESCE(r.needs_module_id, l.module_id)
     WHERE r.course_id = $1 ORDER BY m.position, m.id, CASE WHEN l.id IS NULL THEN 0 ELSE 1 END, l.position, l.id";

#[derive(sqlx::FromRow)]
struct PartRow {
    id: Uuid,
    module_id: Option<Uuid>,
    title: String,
}

impl Structure {
    /// Reads a course that the transaction has locked, or as a snapshot has it. Three statements.
    pub async fn read<E>(on: &mut E, course: CourseId) -> Result<Self>
    where
        for<'a> &'a mut E: Executor,
    {
        let (is_sequential,) = sql!("SELECT sequential FROM courses WHERE id = $1", course)
            .fetch_optional::<(bool,)>(&mut *on)
            .await?
            .ok_or(Error::NotFound(Message::CourseNotFound))?;
        let rows = sql!(PARTS, course).fetch_all::<PartRow>(&mut *on).await?;
        Ok(Self::of(rows, pairs(on, course).await?, is_sequential))
    }

    fn of(rows: Vec<PartRow>, needs: Vec<(Uuid, Uuid)>, is_sequential: bool) -> Self {
        let (mut titles, mut parts, mut ids) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (mut modules, mut lessons) = (Vec::new(), 0);
        for row in rows {
            let part = match row.module_id {
                None => {
                    modules.push(lessons..lessons);
                    Part::Module(modules.len() - 1)
                }
                Some(_) => {
                    lessons += 1;
                    modules.last_mut().into_iter().for_each(|range| range.end = lessons);
                    Part::Lesson(lessons - 1)
                }
            };
            ids.insert(part, row.id);
            parts.insert(row.id, part);
            titles.insert(part, row.title);
        }
        let mut all: HashMap<Part, Vec<Part>> = HashMap::new();
        for (part, need) in needs {
            if let (Some(part), Some(need)) = (parts.get(&part), parts.get(&need)) {
                all.entry(*part).or_default().push(*need);
            }
        }
        let mut prerequisites = Prerequisites::of(modules);
        for (part, needs) in all {
            prerequisites.set(part, needs);
        }
        Structure {
            prerequisites,
            ids,
            titles,
            parts,
            is_sequential,
        }
    }

    /// The titles of a cycle, in order; None without one.
    pub fn cycle(&self) -> Option<TitleChain> {
        let cycle = self.prerequisites.cycle(self.is_sequential)?;
        let titles = cycle.iter().filter_map(|part| self.titles.get(part));
        Some(TitleChain::of(titles.map(String::as_str)))
    }
}

/// All pairs of a part of the course and what it needs, the latter in reading order. One statement.
pub(crate) async fn pairs(on: impl Executor, course: CourseId) -> Result<Vec<(Uuid, Uuid)>> {
    Ok(sql!(NEEDS, course).fetch_all(on).await?)
}

/// What each part of the course needs, in reading order. One statement.
pub(super) async fn of_course(on: impl Executor, course: CourseId) -> Result<HashMap<Uuid, Vec<Uuid>>> {
    let mut all: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    for (part, need) in pairs(on, course).await? {
        all.entry(part).or_default().push(need);
    }
    Ok(all)
}

/// Replaces what a part of a locked course needs. Fails with 409 if it needs something else than the expected parts, and with 422 for what
/// the course does not have, for the part itself and what is above or below it, and for a cycle, whose titles the message names.
pub(super) async fn replace(
    tx: &mut Tx,
    course: CourseId,
    of: Uuid,
    needs: &Few<PartId>,
    expected: Option<&Few<PartId>>,
) -> Result<()> {
    let mut structure = Structure::read(tx, course).await?;
    let part = *structure.parts.get(&of).ok_or(Error::NotFound(Message::NotFound))?;
    if let Some(expected) = expected {
        let stored = structure.prerequisites.needs(part).iter();
        let stored: HashSet<Uuid> = stored.filter_map(|need| structure.ids.get(need).copied()).collect();
        if stored != expected.0.iter().map(|PartId(id)| *id).collect() {
            return Err(Error::Conflict(Message::SettingChanged));
        }
    }
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (index, PartId(id)) in needs.0.iter().enumerate() {
        let message = match structure.parts.get(id) {
            None => Message::UnknownPart,
            Some(need) if structure.prerequisites.is_same_or_inside(part, *need) => Message::NeedsItself,
            Some(need) => {
                found.push(*need);
                continue;
            }
        };
        let mut error = FieldError::body("value_error", FIELD, message, Value::String(id.to_string()));
        error.loc.push(Loc::Index(index));
        wrong.push(error);
    }
    require_no_errors(wrong)?;
    structure.prerequisites.set(part, found);
    if let Some(titles) = structure.cycle() {
        return Err(refusal(FIELD, titles));
    }
    sql!("DELETE FROM prerequisites WHERE module_id = $1 OR lesson_id = $1", of)
        .execute(&mut *tx)
        .await?;
    let new = structure.prerequisites.needs(part).iter().map(|need| (part, *need));
    let ids = &structure.ids;
    let rows = new.filter_map(|(part, need)| Some((typed(part, *ids.get(&part)?), typed(need, *ids.get(&need)?))));
    insert(tx, course, &rows.collect::<Vec<_>>()).await
}

/// The id of a module, or of a lesson.
pub(crate) type PartIds = (Option<ModuleId>, Option<LessonId>);

pub(crate) fn typed(part: Part, id: Uuid) -> PartIds {
    match part {
        Part::Module(_) => (Some(ModuleId(id)), None),
        Part::Lesson(_) => (None, Some(LessonId(id))),
    }
}

/// Inserts pairs of a part and what it needs.
pub(crate) async fn insert(tx: &mut Tx, course: CourseId, rows: &[(PartIds, PartIds)]) -> Result<()> {
    for chunk in rows.chunks(super::ROWS) {
        sql!(
            "INSERT INTO prerequisites (id, course_id, module_id, lesson_id, needs_module_id, needs_lesson_id) VALUES "
        )
        .push_rows(chunk, |((module, lesson), (needs_module, needs_lesson))| {
            args![Uuid::now_v7(), course, *module, *lesson, *needs_module, *needs_lesson]
        })
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

/// Fails with 422 at the field if a change of the order, which the transaction has made, leaves a cycle. One statement for a course without
/// prerequisites.
pub(crate) async fn require_no_cycle(tx: &mut Tx, course: CourseId, field: &'static str) -> Result<()> {
    let any = sql!("SELECT id FROM prerequisites WHERE course_id = $1 LIMIT 1", course);
    if any.fetch_optional::<(Uuid,)>(&mut *tx).await?.is_none() {
        return Ok(());
    }
    match Structure::read(tx, course).await?.cycle() {
        None => Ok(()),
        Some(titles) => Err(refusal(field, titles)),
    }
}

fn refusal(field: &str, titles: TitleChain) -> Error {
    let message = Message::PrerequisiteCycle(titles);
    Error::invalid(FieldError::body("value_error", field, message, Value::Null))
}
