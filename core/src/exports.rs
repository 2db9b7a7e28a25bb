//! Course exports over the APIs: a temporary file is written and sent (decision 44).
//!
//! A browser fetches a download without the session's token, so its address carries a token of its own. It is valid for
//! a few minutes, for one course in one format and one group, and while the session lasts.

mod address;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::courses;
use crate::courses::groups::GroupFilter;
use crate::drafts::{self, Stored};
use crate::gradebook::csv::{Separator, Table};
use crate::imports::{self, Line};
use crate::students::Results;
use crate::{Kurso, files};
use kurso_base::error::{Error, FieldError, Loc, Result, of_io};
use kurso_base::ids::CourseId;
use kurso_base::messages::{Lang, Message};
use kurso_formats::{CourseDraft, DateForm, ExportError, HtmlExport, Report};

/// Exports running at the same time on one node; each holds a course in memory.
const MAX_CONCURRENT: usize = 2;
/// Reports running at the same time on one node. They hold a course in memory as well, but never wait for the files of an export.
const MAX_REPORTS: usize = 2;
/// How long a request waits for one of these slots.
const SLOT_TIMEOUT: Duration = Duration::from_secs(30);

pub use address::{address, viewer_of};

/// The export formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Kurso Markdown as a zip archive.
    Markdown,
    /// The questions of all quizzes in GIFT.
    Gift,
    /// IMS Common Cartridge 1.3, readable by Canvas.
    Cartridge,
    /// The published pages as one HTML file that works offline.
    Html,
    /// The results, one row per learner.
    Csv,
    /// The gradebook as a table.
    Grades,
}

/// The properties of a format.
struct Properties {
    name: &'static str,
    extension: &'static str,
    content_type: &'static str,
    right: Right,
    /// None for tables of learners, which are written in parts.
    write: Option<Write>,
    /// What `write` would return, without its file; None where `write` is.
    report: Option<Describe>,
}

/// What only one of the formats takes.
#[derive(Clone, Copy, Default, Debug)]
pub struct How {
    pub html: HtmlExport,
    /// How Kurso Markdown has its dates.
    pub dates: DateForm,
}

/// Writes a course to a path; the report lists what other programs will not read.
pub type Write = fn(&CourseDraft, How, &Path) -> Result<Report, ExportError>;

/// The report that [`Write`] would return. It writes nothing, and reads no file of the course.
type Describe = fn(&CourseDraft, How) -> Result<Report, ExportError>;

impl Format {
    pub const ALL: [Self; 6] = [
        Self::Markdown,
        Self::Gift,
        Self::Cartridge,
        Self::Html,
        Self::Csv,
        Self::Grades,
    ];

    /// The table of formats; add a new format here.
    fn properties(self) -> Properties {
        match self {
            Format::Markdown => Properties {
                name: "markdown",
                extension: "zip",
                content_type: "application/zip",
                right: Right::Edit,
                write: Some(|draft, how, to| kurso_formats::export_with(draft, how.dates, to)),
                report: Some(|draft, how| Ok(kurso_formats::report_markdown(draft, how.dates))),
            },
            Format::Gift => Properties {
                name: "gift",
                extension: "gift",
                content_type: "text/plain; charset=utf-8",
                right: Right::Edit,
                write: Some(|draft, _, to| kurso_formats::export_gift(draft, to)),
                report: Some(|draft, _| Ok(kurso_formats::report_gift(draft))),
            },
            Format::Cartridge => Properties {
                name: "imscc",
                extension: "imscc",
                content_type: "application/zip",
                right: Right::Edit,
                write: Some(|draft, _, to| kurso_formats::export_cartridge(draft, to)),
                report: Some(|draft, _| Ok(kurso_formats::report_cartridge(draft))),
            },
            Format::Html => Properties {
                name: "html",
                extension: "html",
                content_type: "text/html; charset=utf-8",
                right: Right::Edit,
                write: Some(|draft, how, to| kurso_formats::export_html(draft, how.html, to)),
                report: Some(|draft, how| kurso_formats::report_html(draft, how.html)),
            },
            Format::Csv => Properties {
                name: "csv",
                extension: "csv",
                content_type: "text/csv; charset=utf-8",
                right: Right::SeeStudents,
                write: None,
                report: None,
            },
            Format::Grades => Properties {
                name: "grades",
                extension: "csv",
                content_type: "text/csv; charset=utf-8",
                right: Right::SeeStudents,
                write: None,
                report: None,
            },
        }
    }

    /// The name used by the APIs.
    pub fn name(self) -> &'static str {
        self.properties().name
    }

    /// The right needed to export.
    pub fn right(self) -> Right {
        self.properties().right
    }

    /// The function that writes a course; None for tables of learners, which are written in parts.
    pub fn write(self) -> Option<Write> {
        self.properties().write
    }

    /// Parses a name; None means Kurso Markdown. Fails with 422 for an unknown format.
    pub fn parse(name: Option<&str>) -> Result<Self> {
        let Some(name) = name else { return Ok(Format::Markdown) };
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| {
                Error::invalid(FieldError {
                    kind: "enum",
                    loc: vec![Loc::from("query"), Loc::from("format")],
                    message: Message::NotOneOf(Self::ALL.map(Self::name).into()),
                    input: name.into(),
                    ctx: None,
                })
            })
    }
}

/// Limits the exports and reports of this process.
#[derive(Debug)]
pub struct Exports {
    files: Arc<Semaphore>,
    reports: Arc<Semaphore>,
}

impl Default for Exports {
    fn default() -> Self {
        Exports {
            files: Arc::new(Semaphore::new(MAX_CONCURRENT)),
            reports: Arc::new(Semaphore::new(MAX_REPORTS)),
        }
    }
}

/// An exported file, deleted on drop.
#[derive(Debug)]
pub struct Exported {
    pub filename: String,
    pub content_type: &'static str,
    pub size: u64,
    pub file: File,
    _folder: Arc<TempDir>,
}

/// What to export of a course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    pub course: CourseId,
    pub format: Format,
    /// The learners whose results are exported; other formats contain none.
    pub group: GroupFilter,
    /// How Kurso Markdown has its dates; other formats have moments.
    pub dates: DateForm,
    /// Whether pages with drafts have their text in place of what learners see; tables of learners have no pages.
    pub drafts: bool,
    /// Of [`Format::Grades`]; None: that of the language.
    pub separator: Option<Separator>,
}

impl Request {
    /// With the results of all learners, and with moments.
    pub fn of(course: CourseId, format: Format) -> Self {
        Request {
            course,
            format,
            group: GroupFilter::All,
            dates: DateForm::Moments,
            drafts: false,
            separator: None,
        }
    }

    fn stored(self) -> Stored {
        Stored {
            course: self.course,
            drafts: self.drafts,
        }
    }

    fn how(self) -> How {
        How {
            dates: self.dates,
            ..How::default()
        }
    }
}

/// Exports a course for its owner and editors, or its results for all staff, with headings in `lang`. Fails with 503
/// when too many exports are running.
pub async fn export(kurso: &Kurso, viewer: &Viewer, request: Request, lang: Lang) -> Result<Exported> {
    let Request {
        course, format, group, ..
    } = request;
    let properties = format.properties();
    let course = courses::find(&kurso.db, viewer, course, properties.right).await?;
    let workplace = Workplace::take(kurso).await?;
    let to = workplace.folder.path().join(format!("course.{}", properties.extension));
    match properties.write {
        Some(write) => drop(write_course(kurso, (viewer, request), write, &workplace, to.clone()).await?),
        None if format == Format::Grades => {
            let separator = request.separator.unwrap_or(Separator::of(lang));
            let mut table = Table::of(kurso, viewer, course.id, group, separator, lang).await?;
            let mut file = File::create(&to).await.map_err(of_io)?;
            while let Some(part) = table.part(kurso).await? {
                file.write_all(&part).await.map_err(of_io)?;
            }
            file.flush().await.map_err(of_io)?;
        }
        None => {
            let results = Results::of(kurso, viewer, course.id, group, lang).await?;
            let file = File::create(&to).await.map_err(of_io)?;
            write_results(kurso, results, file).await?;
        }
    }
    let file = File::open(&to).await.map_err(of_io)?;
    let size = file.metadata().await.map_err(of_io)?.len();
    let entry = entry(course.id, format).by(viewer.id());
    entry.write(&kurso.db, kurso.clock.now()).await?;
    Ok(Exported {
        filename: files::clean_name(&format!(
            "{}.{}",
            course.title.replace(['/', '\\'], "-"),
            properties.extension
        )),
        content_type: properties.content_type,
        size,
        file,
        _folder: workplace.folder,
    })
}

/// What an export leaves out or changes. Nothing is written, and no file of the course is read: this takes a fraction of the export, and
/// none of its slots. The rights are those of the export.
pub async fn report(kurso: &Kurso, viewer: &Viewer, request: Request) -> Result<Vec<Line>> {
    let properties = request.format.properties();
    courses::find(&kurso.db, viewer, request.course, properties.right).await?;
    let Some(describe) = properties.report else {
        return Ok(vec![]);
    };
    let slot = slot(&kurso.exports.reports).await?;
    let draft = drafts::load_without_bytes(kurso, request.stored(), viewer.id()).await?;
    // The thread holds the slot, because it goes on when its request is dropped.
    let found = tokio::task::spawn_blocking(move || {
        let found = describe(&draft, request.how());
        drop(slot);
        found
    });
    Ok(imports::lines(&of_writer(found.await.map_err(Error::internal)?)?))
}

/// Waits for a slot. Fails with 503 if none becomes free in time.
async fn slot(slots: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
    let slot = tokio::time::timeout(SLOT_TIMEOUT, slots.clone().acquire_owned()).await;
    slot.map_err(|_| Error::Busy)?.map_err(Error::internal)
}

/// One of the slots for exports, and a folder. The thread that writes holds both, because it goes on when its request is dropped.
#[derive(Clone)]
struct Workplace {
    folder: Arc<TempDir>,
    _slot: Arc<OwnedSemaphorePermit>,
}

impl Workplace {
    /// Waits for a slot. Fails with 503 if none becomes free in time.
    async fn take(kurso: &Kurso) -> Result<Self> {
        let slot = slot(&kurso.exports.files).await?;
        Ok(Workplace {
            folder: Arc::new(kurso.files.create_work_folder().await?),
            _slot: Arc::new(slot),
        })
    }
}

/// The audit log entry of an export.
pub fn entry(course: CourseId, format: Format) -> Entry {
    Entry::new(Act::CourseExported).in_course(course).detail(format.name())
}

async fn write_course(
    kurso: &Kurso,
    (viewer, request): (&Viewer, Request),
    write: Write,
    workplace: &Workplace,
    to: PathBuf,
) -> Result<Report> {
    let bytes = workplace.folder.path().join("files");
    tokio::fs::create_dir_all(&bytes).await.map_err(of_io)?;
    let draft = drafts::load(kurso, request.stored(), Some(viewer.id()), &bytes).await?;
    let (held, how) = (workplace.clone(), request.how());
    let written = tokio::task::spawn_blocking(move || {
        let written = write(&draft, how, &to);
        drop(held);
        written
    });
    of_writer(written.await.map_err(Error::internal)?)
}

fn of_writer(written: Result<Report, ExportError>) -> Result<Report> {
    match written {
        Ok(report) => Ok(report),
        Err(ExportError::Course(error)) => Err(error),
        Err(ExportError::Write { why, .. }) => Err(of_io(why)),
        Err(error) => Err(Error::internal(error)),
    }
}

/// Writes the results in parts, without holding all of them in memory.
pub async fn write_results(kurso: &Kurso, mut results: Results, mut file: File) -> Result<()> {
    while let Some(part) = results.part(&kurso.db).await? {
        file.write_all(&part).await.map_err(of_io)?;
    }
    file.flush().await.map_err(of_io)
}
