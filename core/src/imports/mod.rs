//! Course imports over the APIs: a file is uploaded, read by a background job, shown as a preview with a report, and
//! stored after confirmation (decision 43). Only the person who started an import and superusers can see it; all others
//! get 404.

mod bank_questions;
mod changes;
mod found;
mod plan;
mod questions;
mod run;
mod upload;
mod watch;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use bank_questions::{Imported, QuestionsUpload};
pub use changes::{ChangedPage, Changes, Lost, preview_update};
pub use found::{Found, Line, Outcomes, Tree, TreeLesson, TreeModule, TreePage, lines};
pub use plan::{Confirmed, Mode, Plan, Target};
pub use questions::{ReadQuestions, read_questions};
pub(crate) use run::run;
use run::{fetch, without_paths};
pub use upload::ImportUpload;
pub use watch::ImportWatch;

use crate::access::{Right, Viewer};
use crate::files::File;
use crate::jobs::{self, Job, Kind, NewJob, Progress, State};
use crate::{Kurso, courses};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{CourseId, FileId, JobId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::{Listed, Page};
use kurso_base::schedule::ScheduleTime;
use kurso_base::values::Change;
use kurso_db::sql;
use kurso_formats::{Format, Headings, Options, Outcome};

/// An import as its owner sees it.
#[derive(Clone, Debug)]
pub struct Import {
    pub id: JobId,
    pub owner_id: UserId,
    pub state: State,
    /// Whether the import is being stored, or was; before that it is being read.
    pub is_storing: bool,
    /// The name of the uploaded file.
    pub filename: String,
    /// None if the format is detected.
    pub format: Option<Format>,
    /// What the headings of a single document begin. None if the reader decides.
    pub headings: Option<Headings>,
    /// When the course is to start. None: as in the file.
    pub starts_at: Option<ScheduleTime>,
    pub into: Target,
    pub progress: Progress,
    /// The summary, once the file was read.
    pub found: Option<Found>,
    /// The reason of a failure.
    pub failure: Option<Message>,
    /// The resulting course, once the import is done.
    pub course_id: Option<CourseId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// The part of a job's payload that describes the import.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Payload {
    filename: String,
    format: Option<String>,
    into: Target,
    /// The id of the new course, chosen in advance so that a retry cannot create a second one.
    new_course: CourseId,
    /// Confirmed: the course is stored after reading.
    storing: bool,
    /// Stored without a preview.
    straight: bool,
    /// The course compared with the file, or being compared.
    #[serde(default)]
    compared: Option<CourseId>,
    /// Pages stay unpublished, and a new course gets no share code.
    #[serde(default)]
    draft: bool,
    /// What the headings of a single document begin.
    #[serde(default)]
    headings: Option<String>,
    /// When the course is to start.
    #[serde(default)]
    starts_at: Option<String>,
}

impl Payload {
    fn of(job: &Job) -> Result<Self> {
        serde_json::from_str(&job.payload).map_err(Error::internal)
    }

    fn text(&self) -> Result<String> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    fn format(&self) -> Option<Format> {
        Format::parse(self.format.as_deref()?)
    }

    fn headings(&self) -> Option<Headings> {
        Headings::parse(self.headings.as_deref()?)
    }

    fn starts_at(&self) -> Option<ScheduleTime> {
        ScheduleTime::parse(self.starts_at.as_deref()?).ok()
    }

    fn options(&self) -> Options {
        Options {
            format: self.format(),
            headings: self.headings(),
            starts_at: self.starts_at(),
        }
    }
}

impl Import {
    fn of(job: Job) -> Result<Self> {
        let payload = Payload::of(&job)?;
        let found = job.summary.as_deref().map(serde_json::from_str).transpose();
        Ok(Import {
            id: job.id,
            owner_id: job.owner_id,
            state: job.state,
            is_storing: payload.storing,
            format: payload.format(),
            headings: payload.headings(),
            starts_at: payload.starts_at(),
            filename: payload.filename,
            into: payload.into,
            progress: Progress {
                done: job.progress_done,
                total: job.progress_total,
                at: job.progress_at,
            },
            found: found.map_err(Error::internal)?,
            failure: job.failure.as_deref().map(jobs::reason),
            course_id: job.course_id,
            created_at: job.created_at,
            updated_at: job.updated_at,
            ended_at: job.ended_at,
        })
    }
}

/// The preview: the course to be stored, and the report.
#[derive(Clone, Debug)]
pub struct Preview {
    pub import: Import,
    /// Empty until the file was read.
    pub tree: Tree,
    /// The effect of an update, once the file was read; None for other imports.
    pub changes: Option<Changes>,
    pub report: Vec<Line>,
}

impl Preview {
    /// The report, or its lines with one outcome.
    pub fn lines(&self, outcome: Option<Outcome>, page: Page) -> Listed<&Line> {
        page.of(self.report.iter().filter(|line| line.is_of(outcome)).collect())
    }
}

/// Starts the import of an uploaded file. Fails with 409 when the person has too many unfinished imports.
pub(crate) async fn start(kurso: &Kurso, person: UserId, plan: Plan, file: &File) -> Result<Import> {
    let payload = Payload {
        filename: file.filename.clone(),
        format: plan.format.map(|format| format.name().to_owned()),
        into: plan.into,
        new_course: CourseId::new(),
        storing: !plan.preview,
        straight: !plan.preview,
        compared: plan.into.compared().filter(|_| plan.preview),
        draft: plan.draft,
        headings: plan.headings.map(|headings| headings.text()),
        starts_at: plan.starts_at.map(|start| start.to_string()),
    };
    let id = JobId::new();
    let mut tx = kurso.db.begin().await?;
    let new = NewJob {
        id,
        kind: Kind::Import,
        owner: person,
        payload: payload.text()?,
        file: Some(file.id),
    };
    jobs::add(&mut tx, new, kurso.clock.now()).await?;
    tx.commit().await?;
    kurso.jobs.wake.notify_one();
    let job = jobs::find(&kurso.db, id).await?;
    Import::of(job.ok_or(Error::NotFound(Message::ImportNotFound))?)
}

/// Starts the import of a file the viewer uploaded earlier. The file is deleted when the import ends, unless something
/// else refers to it.
pub async fn of_file(kurso: &Kurso, viewer: &Viewer, file: FileId, plan: Plan) -> Result<Import> {
    plan.require(kurso, viewer).await?;
    let found = sql!(
        "SELECT id, key, filename, content_type, size, width, height, created_at FROM files WHERE id = $1 AND owner_id = $2",
        file,
        viewer.id()
    )
    .fetch_optional::<File>(&kurso.db)
    .await?
    .ok_or(Error::NotFound(Message::FileNotFound))?;
    start(kurso, viewer.id(), plan, &found).await
}

/// Reads the job; fails with 404 unless the viewer owns it or is a superuser.
async fn find_visible(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Job> {
    let job = jobs::find(&kurso.db, id).await?;
    job.filter(|job| job.kind == Kind::Import && (job.owner_id == viewer.id() || viewer.user.is_superuser))
        .ok_or(Error::NotFound(Message::ImportNotFound))
}

/// Reads one import. One statement.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Import> {
    Import::of(find_visible(kurso, viewer, id).await?)
}

/// The viewer's own imports, newest first; superusers too see only their own here.
pub async fn list(kurso: &Kurso, viewer: &Viewer, page: Page) -> Result<Listed<Import>> {
    let jobs = sql!(
        concat!(
            "SELECT ",
            jobs::columns!(),
            " FROM jobs WHERE owner_id = $1 AND kind = 'import' ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3"
        ),
        viewer.id(),
        page.limit,
        page.skip
    )
    .fetch_all::<Job>(&kurso.db)
    .await?;
    let (count,) = sql!(
        "SELECT COUNT(*) FROM jobs WHERE owner_id = $1 AND kind = 'import'",
        viewer.id()
    )
    .fetch_one::<(i64,)>(&kurso.db)
    .await?;
    Ok(Listed {
        data: jobs.into_iter().map(Import::of).collect::<Result<_>>()?,
        count,
    })
}

/// The preview of an import with its report. Two statements; for an update one more per 500 pages to be deleted, and one for affected learners.
pub async fn preview(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Preview> {
    let import = get(kurso, viewer, id).await?;
    let (tree, report) = sql!("SELECT tree, report FROM jobs WHERE id = $1", id)
        .fetch_optional::<(Option<String>, Option<String>)>(&kurso.db)
        .await?
        .unwrap_or_default();
    let read = |text: Option<String>| text.map_or(Ok(Value::Null), |text| serde_json::from_str(&text));
    let (tree, report) = (
        read(tree).map_err(Error::internal)?,
        read(report).map_err(Error::internal)?,
    );
    let mut tree: Tree = if tree.is_null() {
        Tree::default()
    } else {
        serde_json::from_value(tree).map_err(Error::internal)?
    };
    // A comparison is valid only for the course it was made with.
    let of_this = |changes: &Changes| import.into == Target::Update(changes.course);
    let changes = match tree.changes.take().filter(of_this) {
        Some(changes) => Some(changes.with_current_data(kurso, viewer).await?),
        None => None,
    };
    Ok(Preview {
        import,
        tree,
        changes,
        report: if report.is_null() {
            vec![]
        } else {
            serde_json::from_value(report).map_err(Error::internal)?
        },
    })
}

/// Stores what was read. Only for the owner; fails with 409 unless the import waits for confirmation. What was not shown is not
/// stored: if the update of a course was not compared yet, or the headings, or the start of an update, are other than those of the preview, the file is read
/// again, and the import waits once more.
pub async fn confirm(kurso: &Kurso, viewer: &Viewer, id: JobId, confirmed: Confirmed) -> Result<Import> {
    let job = find_visible(kurso, viewer, id).await?;
    if job.owner_id != viewer.id() {
        return Err(Error::Forbidden(Message::ItemForbidden));
    }
    let mut payload = Payload::of(&job)?;
    if let Some(into) = confirmed.into {
        payload.into = into;
    }
    payload.draft = confirmed.draft.unwrap_or(payload.draft);
    let is_new = |start: &ScheduleTime| payload.starts_at() != Some(*start);
    let is_shown = match &confirmed.headings {
        Change::Keep => true,
        Change::Clear => payload.headings().is_none(),
        Change::Set(headings) => payload.headings().as_ref() == Some(headings),
    };
    // The preview of an update names the dates that change, that of another import names none.
    let is_moved = confirmed.starts_at.as_ref().is_some_and(is_new);
    if let Some(start) = confirmed.starts_at {
        payload.starts_at = Some(start.to_string());
    }
    if !confirmed.headings.is_keep() {
        payload.headings = confirmed.headings.value().map(|headings| headings.text());
    }
    payload.into.require(kurso, viewer).await?;
    let compared = payload.into.compared();
    payload.storing = is_shown && (compared.is_none() || (compared == payload.compared && !is_moved));
    payload.compared = compared;
    let now = kurso.clock.now();
    let confirmed = sql!(
        "UPDATE jobs SET state = 'waiting', payload = $2, wanted_at = $3, updated_at = $3, progress_done = 0,
             progress_total = 0, progress_at = '' WHERE id = $1 AND state = 'ready'",
        id,
        payload.text()?,
        now
    )
    .execute(&kurso.db)
    .await?;
    if confirmed == 0 {
        return Err(Error::Conflict(Message::ImportNotReady));
    }
    kurso.db.publish(kurso_db::events::Event::Job { job: id }).await;
    kurso.jobs.wake.notify_one();
    get(kurso, viewer, id).await
}

/// Cancels an import; nothing is stored. Fails with 409 if it has ended.
pub async fn cancel(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Import> {
    let job = find_visible(kurso, viewer, id).await?;
    if !jobs::cancel(kurso, id).await? {
        return Err(Error::Conflict(Message::ImportEnded));
    }
    if let Some(file) = job.file_id {
        jobs::release_file(kurso, id, file).await?;
    }
    get(kurso, viewer, id).await
}

impl Line {
    /// The subject and the reason of a report line in one language.
    pub fn texts(&self, lang: Lang) -> (&str, &str) {
        let (what, why) = match lang {
            Lang::En => &self.en,
            Lang::Ru => &self.ru,
        };
        (what, why)
    }
}

impl Target {
    /// Fails with 404 or 403 as any change of the course does.
    pub(crate) async fn require(&self, kurso: &Kurso, viewer: &Viewer) -> Result<()> {
        if let Some(course) = self.course() {
            courses::find(&kurso.db, viewer, course, Right::Edit).await?;
        }
        Ok(())
    }
}
