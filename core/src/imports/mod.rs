//! Courses coming in over the network: a file is uploaded, read in the background, shown as a preview with a report, and
//! stored when its person says so (contract 10, decision 43).
//!
//! Only who began an import sees it, and superusers; for everybody else it is not there.

mod changes;
mod found;
mod plan;
mod run;
mod upload;
mod watch;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use changes::{ChangedPage, Changes, Lost};
pub use found::{Found, Line, Outcomes, Tree, TreeLesson, TreeModule, TreePage};
pub use plan::{Into, Plan};
pub(crate) use run::run;
pub use upload::ImportUpload;
pub use watch::ImportWatch;

use crate::access::{Right, Viewer};
use crate::error::{Error, Result};
use crate::exchange::{Format, Outcome};
use crate::files::File;
use crate::ids::{CourseId, FileId, JobId, UserId};
use crate::jobs::{self, Job, Kind, NewJob, Progress, State};
use crate::messages::{Lang, Message};
use crate::page::{Listed, Page};
use crate::{Kurso, courses, sql};

/// An import as its person sees it.
#[derive(Clone, Debug)]
pub struct Import {
    pub id: JobId,
    pub owner_id: UserId,
    pub state: State,
    /// Is it about storing already? Else about reading.
    pub is_storing: bool,
    /// Of the file, as it was uploaded.
    pub filename: String,
    /// None: told by what is there.
    pub format: Option<Format>,
    pub into: Into,
    pub progress: Progress,
    /// What was read, as soon as it was.
    pub found: Option<Found>,
    /// Why it failed.
    pub failure: Option<Message>,
    /// What came of it, when it is done.
    pub course_id: Option<CourseId>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// What of a job is an import's own.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Payload {
    filename: String,
    format: Option<String>,
    into: Into,
    /// The id of the course that would be new: made before, so that there is never a second one.
    new_course: CourseId,
    /// Confirmed: what is read is stored.
    storing: bool,
    /// Stored without a preview.
    straight: bool,
    /// The course that what was read was compared with, or is being.
    #[serde(default)]
    compared: Option<CourseId>,
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

/// The preview: what would come in, and what is to be said of it.
#[derive(Clone, Debug)]
pub struct Preview {
    pub import: Import,
    /// Empty until it was read.
    pub tree: Tree,
    /// What an update would do; None for all others, and until it was read.
    pub changes: Option<Changes>,
    pub report: Vec<Line>,
}

impl Preview {
    /// A part of the report: all of it, or the lines of one outcome.
    pub fn lines(&self, outcome: Option<Outcome>, page: Page) -> Listed<&Line> {
        page.of(self.report.iter().filter(|line| line.is_of(outcome)).collect())
    }
}

/// Begins the import of a file that was uploaded: 409 when too many of the person's are under way.
pub(crate) async fn start(kurso: &Kurso, person: UserId, plan: Plan, file: &File) -> Result<Import> {
    let payload = Payload {
        filename: file.filename.clone(),
        format: plan.format.map(|format| format.name().to_owned()),
        into: plan.into,
        new_course: CourseId::new(),
        storing: !plan.preview,
        straight: !plan.preview,
        compared: plan.into.compared().filter(|_| plan.preview),
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

/// Begins the import of a file of one's own that was uploaded before. The file goes when the import ends, unless something
/// else names it.
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

/// 404 unless it is the viewer's own, or the viewer a superuser.
async fn seen(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Job> {
    let job = jobs::find(&kurso.db, id).await?;
    job.filter(|job| job.kind == Kind::Import && (job.owner_id == viewer.id() || viewer.user.is_superuser))
        .ok_or(Error::NotFound(Message::ImportNotFound))
}

/// One import. One statement.
pub async fn get(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Import> {
    Import::of(seen(kurso, viewer, id).await?)
}

/// One's own imports, newest first. Those of superusers are theirs alone here, too.
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

/// What was read of an import, and the report. Two statements, and for an update one for every 500 pages that go.
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
    // What was compared with one course says nothing of another.
    let of_this = |changes: &Changes| import.into == Into::Update(changes.course);
    let changes = match tree.changes.take().filter(of_this) {
        Some(changes) => Some(changes.counted(kurso).await?),
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

/// What was read is to be stored, as was asked or into another place. Only who began it; 409 unless it waits for that.
/// An update is stored only after its person could see what it would do: asked for a course that was not compared yet, the
/// file is read once more for that, and the import waits again.
pub async fn confirm(kurso: &Kurso, viewer: &Viewer, id: JobId, into: Option<Into>) -> Result<Import> {
    let job = seen(kurso, viewer, id).await?;
    if job.owner_id != viewer.id() {
        return Err(Error::Forbidden(Message::ItemForbidden));
    }
    let mut payload = Payload::of(&job)?;
    if let Some(into) = into {
        payload.into = into;
    }
    payload.into.require(kurso, viewer).await?;
    let compared = payload.into.compared();
    payload.storing = compared.is_none() || compared == payload.compared;
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
    kurso.db.tell(crate::events::Event::Job { job: id }).await;
    kurso.jobs.wake.notify_one();
    get(kurso, viewer, id).await
}

/// Gives an import up: nothing is stored. 409 when it has come to its end already.
pub async fn cancel(kurso: &Kurso, viewer: &Viewer, id: JobId) -> Result<Import> {
    let job = seen(kurso, viewer, id).await?;
    if !jobs::cancel(kurso, id).await? {
        return Err(Error::Conflict(Message::ImportEnded));
    }
    if let Some(file) = job.file_id {
        jobs::let_go(kurso, id, file).await?;
    }
    get(kurso, viewer, id).await
}

impl Line {
    /// What it is about and why it is so, in a language.
    pub fn texts(&self, lang: Lang) -> (&str, &str) {
        let (what, why) = match lang {
            Lang::En => &self.en,
            Lang::Ru => &self.ru,
        };
        (what, why)
    }
}

impl Into {
    /// 404 and 403 as for any change of the course.
    pub(crate) async fn require(&self, kurso: &Kurso, viewer: &Viewer) -> Result<()> {
        if let Some(course) = self.course() {
            courses::find(&kurso.db, viewer, course, Right::Edit).await?;
        }
        Ok(())
    }
}
