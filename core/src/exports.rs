//! Courses going out over the network: a file is made, sent, and gone (contract 10, decision 44).
//!
//! A browser fetches a download by a plain address, without the token of the session: such an address carries a token of its
//! own, which is good for some minutes, for one course in one format, and only as long as the session is.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::time::Duration;

use chrono::Duration as Span;
use tempfile::TempDir;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Semaphore;

use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use crate::auth::tokens::{Link, LinkPurpose};
use crate::courses::{self, Course};
use crate::error::{Error, FieldError, Loc, Result, of_io};
use crate::exchange::{self, CourseDraft, ExportError, HtmlExport, Report, Results};
use crate::ids::{CourseId, SessionId};
use crate::messages::{Lang, Message};
use crate::{Kurso, auth, files};

/// Exports made at once on one node: each holds a course in memory.
const AT_ONCE: usize = 2;
/// How long one waits for that.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long an address is good to begin with.
const ADDRESS: Span = Span::minutes(5);

/// The forms courses go out in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Kurso Markdown, as a zip.
    Markdown,
    /// The questions of all quizzes in GIFT.
    Gift,
    /// IMS Common Cartridge 1.3, which Canvas takes for its own.
    Cartridge,
    /// The published pages as one file of HTML that works offline.
    Html,
    /// The results: a row for each learner.
    Csv,
}

/// How a format is made, and what it is then.
struct Way {
    name: &'static str,
    ending: &'static str,
    content_type: &'static str,
    right: Right,
    /// None: it holds results, see [`write_results`].
    write: Option<Write>,
}

/// Writes a course at a path; what others will not read of it is in the report.
pub type Write = fn(&CourseDraft, HtmlExport, &Path) -> Result<Report, ExportError>;

impl Format {
    pub const ALL: [Self; 5] = [Self::Markdown, Self::Gift, Self::Cartridge, Self::Html, Self::Csv];

    /// A new format is a line here.
    fn way(self) -> Way {
        match self {
            Format::Markdown => Way {
                name: "markdown",
                ending: "zip",
                content_type: "application/zip",
                right: Right::Edit,
                write: Some(|draft, _, to| exchange::export(draft, to).map(|()| Report::default())),
            },
            Format::Gift => Way {
                name: "gift",
                ending: "gift",
                content_type: "text/plain; charset=utf-8",
                right: Right::Edit,
                write: Some(|draft, _, to| exchange::export_gift(draft, to)),
            },
            Format::Cartridge => Way {
                name: "imscc",
                ending: "imscc",
                content_type: "application/zip",
                right: Right::Edit,
                write: Some(|draft, _, to| exchange::export_cartridge(draft, to)),
            },
            Format::Html => Way {
                name: "html",
                ending: "html",
                content_type: "text/html; charset=utf-8",
                right: Right::Edit,
                write: Some(exchange::export_html),
            },
            Format::Csv => Way {
                name: "csv",
                ending: "csv",
                content_type: "text/csv; charset=utf-8",
                right: Right::SeeStudents,
                write: None,
            },
        }
    }

    /// As callers name it.
    pub fn name(self) -> &'static str {
        self.way().name
    }

    /// What a person must be allowed in the course.
    pub fn right(self) -> Right {
        self.way().right
    }

    /// How a course is written in it; none for results, which [`write_results`] writes.
    pub fn write(self) -> Option<Write> {
        self.way().write
    }

    /// 422 for an unknown one; Kurso Markdown when none is named.
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

/// The exports of this process.
#[derive(Debug)]
pub struct Exports(Semaphore);

impl Default for Exports {
    fn default() -> Self {
        Exports(Semaphore::new(AT_ONCE))
    }
}

/// A course in a file, which goes when this does.
#[derive(Debug)]
pub struct Exported {
    pub filename: String,
    pub content_type: &'static str,
    pub size: u64,
    pub file: File,
    _folder: TempDir,
}

/// Makes the file of a course, for owner and editors, or of its results, for all staff, with headings in `lang`. 503 when the
/// server is busy with others.
pub async fn export(kurso: &Kurso, viewer: &Viewer, course: CourseId, format: Format, lang: Lang) -> Result<Exported> {
    let way = format.way();
    let course = courses::find(&kurso.db, viewer, course, way.right).await?;
    let turn = tokio::time::timeout(PATIENCE, kurso.exports.0.acquire()).await;
    let _turn = turn.map_err(|_| Error::Busy)?.map_err(Error::internal)?;
    let folder = kurso.files.work().await?;
    let to = folder.path().join(format!("course.{}", way.ending));
    match way.write {
        Some(write) => write_course(kurso, course.id, write, &folder, to.clone()).await?,
        None => {
            let results = Results::of(kurso, viewer, course.id, lang).await?;
            let file = File::create(&to).await.map_err(of_io)?;
            write_results(kurso, results, file).await?;
        }
    }
    let file = File::open(&to).await.map_err(of_io)?;
    let size = file.metadata().await.map_err(of_io)?.len();
    let entry = entry(course.id, format).by(viewer.id());
    entry.write(&kurso.db, kurso.clock.now()).await?;
    Ok(Exported {
        filename: files::clean_name(&format!("{}.{}", course.title.replace(['/', '\\'], "-"), way.ending)),
        content_type: way.content_type,
        size,
        file,
        _folder: folder,
    })
}

/// What the audit log says of a course that goes out, whatever of it.
pub fn entry(course: CourseId, format: Format) -> Entry {
    Entry::new(Act::CourseExported).in_course(course).detail(format.name())
}

async fn write_course(kurso: &Kurso, course: CourseId, write: Write, folder: &TempDir, to: PathBuf) -> Result<()> {
    let bytes = folder.path().join("files");
    tokio::fs::create_dir_all(&bytes).await.map_err(of_io)?;
    let draft = exchange::load(kurso, course, &bytes).await?;
    let written = tokio::task::spawn_blocking(move || write(&draft, HtmlExport::default(), &to));
    match written.await.map_err(Error::internal)? {
        Ok(_) => Ok(()),
        Err(ExportError::Course(error)) => Err(error),
        Err(ExportError::Write { why, .. }) => Err(of_io(why)),
        Err(error) => Err(Error::internal(error)),
    }
}

/// Writes the results part by part: they are never in memory all at once.
pub async fn write_results(kurso: &Kurso, mut results: Results, mut file: File) -> Result<()> {
    while let Some(part) = results.part(&kurso.db).await? {
        file.write_all(&part).await.map_err(of_io)?;
    }
    file.flush().await.map_err(of_io)
}

/// The address to fetch a course from without another token: `/api/v1/courses/export/…`, good for five minutes. None for
/// those who may not. No statement.
pub fn address(kurso: &Kurso, viewer: &Viewer, course: &Course, format: Format) -> Result<Option<String>> {
    if !course.role.may(format.right()) {
        return Ok(None);
    }
    let now = kurso.clock.now();
    let link = Link {
        user: viewer.id(),
        state: state(viewer.session, course.id, format),
    };
    let token = kurso
        .tokens
        .issue_link(LinkPurpose::Export, &link, now, now + ADDRESS)?;
    Ok(Some(format!(
        "/api/v1/courses/export/{}?format={}&token={token}",
        course.id,
        format.name()
    )))
}

fn state(session: SessionId, course: CourseId, format: Format) -> String {
    format!("{session}/{course}/{}", format.name())
}

/// Whose address it is; 403 for a token that is forged, too old, or of another course or format, and when the session is over.
pub async fn viewer_of(kurso: &Kurso, token: &str, course: CourseId, format: Format) -> Result<Viewer> {
    let gone = || Error::Forbidden(Message::ExportLinkGone);
    let link = kurso
        .tokens
        .read_link(LinkPurpose::Export, token, kurso.clock.now())
        .ok_or_else(gone)?;
    let session = link.state.split('/').next().map(SessionId::from_str);
    let session = session.and_then(Result::ok).ok_or_else(gone)?;
    if link.state != state(session, course, format) {
        return Err(gone());
    }
    match auth::of_session(kurso, link.user, session).await {
        Ok((viewer, _)) => Ok(viewer),
        Err(Error::BadCredentials) => Err(gone()),
        Err(error) => Err(error),
    }
}
