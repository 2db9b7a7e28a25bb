//! Reads folders of quizzes.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use uuid::Uuid;

use super::index::{self, Row};
use super::question::{questions, quiz_title};
use crate::content;
use crate::course::{CourseDraft, LessonDraft, ModuleDraft, PageDraft};
use crate::error::ImportError;
use crate::folder::Folder;
use crate::language;
use crate::mdbook::code::CodeReader;
use crate::note::Note;
use crate::note::Reason;
use crate::quiz::Quiz;
use crate::report::Report;
use crate::{Progress, Watcher};
use kurso_base::messages::Lang;

const MAX_QUIZZES: usize = 5000;
const MAX_TITLE: usize = 255;

/// Reads quiz files; dropped code flags are reported once.
pub struct Reader {
    code: CodeReader,
}

impl Reader {
    pub fn new() -> Self {
        Reader {
            code: CodeReader::new(Lang::En, vec![]),
        }
    }

    /// Reads the quiz in the file `name` and reports problems.
    pub fn quiz(&mut self, text: &str, name: &str, report: &mut Report) -> Quiz {
        let found = match questions(text, &mut self.code) {
            Ok(found) => found,
            Err(trouble) => {
                report.add(name, Note::QuizFile(Reason::Toml(trouble)));
                return Quiz::default();
            }
        };
        for note in found.notes {
            report.add(name, note);
        }
        let mut quiz = Quiz {
            shuffle_options: found.shuffle,
            ..Quiz::default()
        };
        let mut ids = HashSet::new();
        for mut question in found.questions {
            // A repeated id would make the whole quiz invalid.
            if !ids.insert(question.id) {
                question.id = Uuid::now_v7();
            }
            match question.check() {
                Ok(()) => quiz.questions.push(question),
                Err(problem) => report.add(name, Note::QuestionRefused(problem.into())),
            }
        }
        quiz
    }

    pub fn finish(self, place: &str, report: &mut Report) {
        self.code.report_flags(place, report);
    }
}

/// A page with a quiz only.
pub fn page(title: &str, source: &str, quiz: Quiz) -> PageDraft {
    PageDraft {
        quiz: Some(quiz),
        ..PageDraft::new(Some(cut(title)), content::empty(), source)
    }
}

/// Whether the folder contains quizzes but no book.
pub fn is_quiz(folder: &Path) -> bool {
    let Ok(folder) = Folder::open(folder) else { return false };
    files(&folder).first().is_some_and(|path| {
        let text = folder.read_text(Path::new(path)).unwrap_or_default();
        text.contains("[[questions]]")
    })
}

/// The quiz files: in the folder `quizzes`, or in the folder itself.
fn files(folder: &Folder) -> Vec<String> {
    for inner in ["quizzes", ""] {
        let listed = folder.list(Path::new(inner)).unwrap_or_default();
        let mut names: Vec<String> = listed
            .into_iter()
            .filter(|(name, is_folder)| !is_folder && name.ends_with(".toml"))
            .map(|(name, _)| {
                if inner.is_empty() {
                    name
                } else {
                    format!("{inner}/{name}")
                }
            })
            .take(MAX_QUIZZES)
            .collect();
        if !names.is_empty() {
            names.sort();
            return names;
        }
    }
    vec![]
}

/// A quiz that was read.
struct Found {
    /// `ch01.toml`
    file: String,
    path: String,
    row: Option<Row>,
    quiz: Quiz,
}

/// All quizzes of a folder, in the order of its table, then by name.
fn all(folder: &Folder, report: &mut Report, progress: &mut Watcher<'_>) -> Result<Vec<Found>, ImportError> {
    let rows = index::read(folder);
    let order: HashMap<&str, usize> = rows
        .iter()
        .enumerate()
        .filter_map(|(at, row)| Some((row.get("quiz_file")?, at)))
        .collect();
    let mut reader = Reader::new();
    let mut found = Vec::new();
    let paths = files(folder);
    let total = paths.len();
    for (number, path) in (1..).zip(paths) {
        let file = path.rsplit('/').next().unwrap_or(&path).to_owned();
        match folder.read_text(Path::new(&path)) {
            Ok(text) => found.push(Found {
                row: order.get(file.as_str()).and_then(|at| rows.get(*at)).cloned(),
                quiz: reader.quiz(&text, &path, report),
                path: path.clone(),
                file,
            }),
            Err(trouble) => report.add(
                &path,
                Note::Chapter {
                    path: path.clone(),
                    trouble,
                },
            ),
        }
        Progress {
            done: number,
            total,
            file: &path,
        }
        .tell(progress)?;
    }
    reader.finish("quizzes", report);
    folder.report_encodings(report);
    found.sort_by_key(|quiz| order.get(quiz.file.as_str()).copied().unwrap_or(usize::MAX));
    Ok(found)
}

/// Reads a folder of quizzes as a course. With a table, parts become modules and chapters lessons; without one, there
/// is a single lesson.
pub fn read(folder: &Path, progress: &mut Watcher<'_>) -> Result<(CourseDraft, Report), ImportError> {
    let folder = Folder::open(folder)?;
    let mut report = Report::default();
    let found = all(&folder, &mut report, progress)?;
    if found.is_empty() {
        return Err(ImportError::NoPages);
    }
    let title = folder
        .root()
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let title = cut(title.unwrap_or_else(|| "Quizzes".into()));
    let mut course = CourseDraft::new(&title, vec![]);
    for quiz in found {
        place(&mut course.modules, quiz, &title);
    }
    course.count(&mut report.counts);
    report.close("quizzes");
    Ok((course, report))
}

/// Adds quizzes to a book: each after the page that its table names (columns `ru_chapter_file`, `chapter_file`), or
/// the page whose name starts its own name. The rest form modules at the end.
pub fn add(
    course: &mut CourseDraft,
    folder: &Path,
    report: &mut Report,
    progress: &mut Watcher<'_>,
) -> Result<(), ImportError> {
    let folder = Folder::open(folder)?;
    let found = all(&folder, report, progress)?;
    if found.is_empty() {
        return Err(ImportError::NoPages);
    }
    let language = language::guess(&course.title);
    let names: Vec<String> = course.pages().map(|page| file_name(&page.source)).collect();
    let mut left = Vec::new();
    let mut homes: HashMap<String, Vec<Found>> = HashMap::new();
    for quiz in found {
        let row = quiz.row.as_ref();
        let named = ["ru_chapter_file", "chapter_file"].iter().find_map(|column| {
            let name = row?.get(column)?;
            names.iter().find(|known| *known == name)
        });
        let by_name = || {
            let known = names.iter().filter(|name| {
                let stem = name.strip_suffix(".md").unwrap_or(name);
                !stem.is_empty() && quiz.file.starts_with(stem)
            });
            known.max_by_key(|name| name.len())
        };
        let home = match row {
            Some(_) => named,
            None => by_name(),
        };
        match home {
            Some(name) => homes.entry(name.clone()).or_default().push(quiz),
            None => left.push(quiz),
        }
    }
    for lesson in course.modules.iter_mut().flat_map(|module| &mut module.lessons) {
        let pages = std::mem::take(&mut lesson.pages);
        for page in pages {
            let quizzes = homes.remove(&file_name(&page.source)).unwrap_or_default();
            let title = page.title.clone().unwrap_or_default();
            lesson.pages.push(page);
            let several = quizzes.len() > 1;
            for (number, quiz) in (1..).zip(quizzes) {
                let of = if several {
                    format!("{title} ({number})")
                } else {
                    title.clone()
                };
                lesson
                    .pages
                    .push(self::page(&quiz_title(language, &of), &quiz.path, quiz.quiz));
            }
        }
    }
    let mut more = Vec::new();
    for quiz in left {
        report.add(&quiz.path, Note::QuizApart);
        let title = match language {
            Lang::Ru => "Тесты",
            Lang::En => "Quizzes",
        };
        place(&mut more, quiz, title);
    }
    course.modules.extend(more);
    course.count(&mut report.counts);
    Ok(())
}

/// Adds a quiz to its module and lesson, creating them if needed.
fn place(modules: &mut Vec<ModuleDraft>, quiz: Found, usual: &str) {
    let said = |name: &str| quiz.row.as_ref().and_then(|row| row.get(name)).map(cut);
    let module = said("part").unwrap_or_else(|| usual.to_owned());
    let lesson = said("chapter_title").unwrap_or_else(|| module.clone());
    let stem = quiz.file.strip_suffix(".toml").unwrap_or(&quiz.file);
    let title = match (said("section_title"), said("after_heading")) {
        (Some(section), Some(heading)) if section != heading => format!("{section}: {heading}"),
        (Some(title), _) | (None, Some(title)) => title,
        (None, None) => stem.to_owned(),
    };
    if !modules.iter().any(|known| known.title == module) {
        modules.push(ModuleDraft::new(&module, vec![]));
    }
    let Some(module) = modules.iter_mut().find(|known| known.title == module) else {
        return;
    };
    if !module.lessons.iter().any(|known| known.title == lesson) {
        module.lessons.push(LessonDraft::new(&lesson, vec![]));
    }
    if let Some(lesson) = module.lessons.iter_mut().find(|known| known.title == lesson) {
        lesson.pages.push(page(&title, &quiz.path, quiz.quiz));
    }
}

fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

fn cut(title: impl AsRef<str>) -> String {
    title.as_ref().chars().take(MAX_TITLE).collect()
}
