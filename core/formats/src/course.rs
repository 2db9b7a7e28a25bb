//! A course as a reader returns it: complete and valid, but not stored.

use std::collections::{BTreeSet, HashSet};

use std::path::PathBuf;

use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_base::values::QuestionTags;
use uuid::Uuid;

use super::body::{self, Body};
use super::report::Counts;
use crate::content::{self, FileAddress};
use crate::quiz::{BankQuestionDraft, Quiz};

/// The limit of the texts of a course that is imported, in bytes.
pub const MAX_TEXT: usize = 64 * 1024 * 1024;
/// Questions of a text file. All are in memory at the same time, at about eight kilobytes each, while the text of one may have
/// six bytes.
pub const MAX_FILE_QUESTIONS: usize = 10_000;

#[derive(PartialEq, Debug)]
pub struct CourseDraft {
    pub title: String,
    pub description: Option<String>,
    pub dates: CourseDates,
    pub modules: Vec<ModuleDraft>,
    /// The question banks that the file contains.
    pub banks: Vec<BankDraft>,
    /// Files without duplicates.
    pub files: Vec<FileDraft>,
    pub unread_dates: UnreadDates,
}

/// Where a file has dates, flags or prerequisites that could not be read. Storing omits them, and an update keeps what is stored.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct UnreadDates {
    /// Whether dates of the course itself could not be read.
    pub course: bool,
    /// Whether `hide_locked_titles` or `sequential` could not be read.
    pub flags: bool,
    /// Whether the prerequisites of all modules and lessons could not be read.
    pub prerequisites: bool,
    /// Ids of modules and lessons of the draft whose prerequisites could not be read.
    pub needs: HashSet<Uuid>,
    /// Ids of modules, lessons and pages of the draft with dates that could not be read.
    pub parts: HashSet<Uuid>,
}

#[derive(PartialEq, Debug)]
pub struct ModuleDraft {
    pub id: Uuid,
    /// Stable key; `None` derives it from the id.
    pub key: Option<String>,
    pub title: String,
    pub description: Option<String>,
    /// Key of the avatar file.
    pub avatar: Option<String>,
    pub dates: Dates,
    /// Ids of the modules and lessons of the draft that must be complete before it.
    pub prerequisites: Vec<Uuid>,
    pub lessons: Vec<LessonDraft>,
}

#[derive(PartialEq, Debug)]
pub struct LessonDraft {
    pub id: Uuid,
    pub key: Option<String>,
    pub title: String,
    pub dates: Dates,
    /// Ids of the modules and lessons of the draft that must be complete before it.
    pub prerequisites: Vec<Uuid>,
    pub pages: Vec<PageDraft>,
}

#[derive(PartialEq, Debug)]
pub struct PageDraft {
    /// Assigned by the reader, because pages link to each other by id.
    pub id: Uuid,
    pub key: Option<String>,
    pub title: Option<String>,
    /// A valid document that refers to files by [`FileDraft::address`].
    pub content: Body,
    /// Makes this a quiz page. Validated by `quiz::read`, with the same addresses; completeness is checked when it is
    /// stored.
    pub quiz: Option<Quiz>,
    pub published: bool,
    pub dates: Dates,
    /// Empty on content pages.
    pub late: Late,
    /// Source file, for example `src/ch01-00-getting-started.md`.
    pub source: String,
}

/// A file of the course at its original path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileDraft {
    /// Temporary key: 32 hexadecimal digits of the hash of its content.
    pub key: String,
    /// Where its bytes are. Empty where nobody reads them: for the report of an export.
    pub path: PathBuf,
    pub filename: String,
    /// Detected from the content.
    pub content_type: &'static str,
    pub size: u64,
    /// Size in pixels, for images.
    pub width: Option<u32>,
    pub height: Option<u32>,
}

impl FileDraft {
    /// The address used in the draft.
    pub fn address(&self) -> String {
        FileAddress::format(&self.key, &self.filename)
    }
}

/// A question bank from which quizzes of a draft draw.
#[derive(Clone, PartialEq, Debug)]
pub struct BankDraft {
    /// Derived from the file by its reader, so that the same file gives the same key. The id of the bank if Kurso exported it.
    pub key: Uuid,
    /// The `bank_id` of the draws from it. A reader sets it to `key`.
    pub id: Uuid,
    pub title: String,
    /// At most [`quiz::MAX_BANK_QUESTIONS`](crate::quiz::MAX_BANK_QUESTIONS), which refer to files by [`FileDraft::address`].
    pub questions: Vec<TaggedQuestion>,
    /// Source file.
    pub source: String,
}

/// A question of a bank of a draft.
#[derive(Clone, PartialEq, Debug)]
pub struct TaggedQuestion {
    pub question: BankQuestionDraft,
    pub tags: QuestionTags,
}

impl BankDraft {
    /// The questions that a draw with these tags can take: the complete ones that have all of them.
    pub fn drawable(&self, tags: &[String]) -> impl Iterator<Item = &TaggedQuestion> {
        let has = |tagged: &TaggedQuestion, tag: &str| tagged.tags.iter().any(|has| has.as_str() == tag);
        let questions = self.questions.iter();
        questions.filter(move |tagged| tagged.question.is_complete() && tags.iter().all(|tag| has(tagged, tag)))
    }

    /// The bytes of its questions.
    pub fn size(&self) -> usize {
        self.questions.iter().map(|tagged| tagged.question.size()).sum()
    }
}

impl CourseDraft {
    /// A course with a title and modules, and nothing else.
    pub fn new(title: impl Into<String>, modules: Vec<ModuleDraft>) -> Self {
        CourseDraft {
            title: title.into(),
            description: None,
            dates: CourseDates::default(),
            modules,
            banks: vec![],
            files: vec![],
            unread_dates: UnreadDates::default(),
        }
    }

    pub fn lessons(&self) -> impl Iterator<Item = &LessonDraft> {
        self.modules.iter().flat_map(|module| &module.lessons)
    }

    /// The id of each module and lesson with its prerequisites.
    pub fn prerequisites_mut(&mut self) -> impl Iterator<Item = (Uuid, &mut Vec<Uuid>)> {
        self.modules.iter_mut().flat_map(|module| {
            let lessons = module.lessons.iter_mut();
            let lessons = lessons.map(|lesson| (lesson.id, &mut lesson.prerequisites));
            std::iter::once((module.id, &mut module.prerequisites)).chain(lessons)
        })
    }

    pub fn pages(&self) -> impl Iterator<Item = &PageDraft> {
        self.lessons().flat_map(|lesson| &lesson.pages)
    }

    /// The banks from which its quizzes draw.
    pub fn drawn_banks(&self) -> BTreeSet<Uuid> {
        let quizzes = self.pages().filter_map(|page| page.quiz.as_ref());
        quizzes.flat_map(Quiz::banks).collect()
    }

    pub fn pages_mut(&mut self) -> impl Iterator<Item = &mut PageDraft> {
        self.modules
            .iter_mut()
            .flat_map(|module| &mut module.lessons)
            .flat_map(|lesson| &mut lesson.pages)
    }

    /// Replaces the addresses for which `map` returns another.
    pub fn map_addresses(&mut self, map: impl Fn(&str) -> Option<String>) {
        self.pages_mut().for_each(|page| page.map_addresses(&map));
        self.map_bank_addresses(map);
    }

    /// The same in its banks only.
    pub fn map_bank_addresses(&mut self, map: impl Fn(&str) -> Option<String>) {
        for bank in &mut self.banks {
            let questions = bank.questions.iter_mut();
            questions.for_each(|tagged| tagged.question.map_addresses(&map));
        }
    }

    pub fn count(&self, counts: &mut Counts) {
        counts.modules = self.modules.len();
        counts.lessons = self.lessons().count();
        counts.pages = self.pages().count();
        counts.files = self.files.len();
        for page in self.pages() {
            page.content.count(counts);
            if let Some(quiz) = &page.quiz {
                counts.questions += quiz.question_count();
                for document in quiz.documents() {
                    body::count_blocks(document, counts);
                }
            }
        }
    }
}

impl ModuleDraft {
    /// A module with a title and lessons, and nothing else.
    pub fn new(title: impl Into<String>, lessons: Vec<LessonDraft>) -> Self {
        ModuleDraft {
            id: Uuid::now_v7(),
            key: None,
            title: title.into(),
            description: None,
            avatar: None,
            dates: Dates::default(),
            prerequisites: vec![],
            lessons,
        }
    }
}

impl LessonDraft {
    /// A lesson with a title and pages, and nothing else.
    pub fn new(title: impl Into<String>, pages: Vec<PageDraft>) -> Self {
        LessonDraft {
            id: Uuid::now_v7(),
            key: None,
            title: title.into(),
            dates: Dates::default(),
            prerequisites: vec![],
            pages,
        }
    }
}

impl PageDraft {
    /// A published page of text without a key.
    pub fn new(title: Option<String>, content: impl Into<Body>, source: impl Into<String>) -> Self {
        PageDraft {
            id: Uuid::now_v7(),
            key: None,
            title,
            content: content.into(),
            quiz: None,
            published: true,
            dates: Dates::default(),
            late: Late::default(),
            source: source.into(),
        }
    }

    pub fn map_addresses(&mut self, map: impl Fn(&str) -> Option<String>) {
        self.content.map_addresses(&map);
        for document in self.quiz.iter_mut().flat_map(Quiz::documents_mut) {
            content::map_addresses(document, &map);
        }
    }

    /// Keys of the referenced files.
    pub fn files(&self) -> Vec<String> {
        let mut keys = self.content.files();
        keys.extend(self.quiz.iter().flat_map(Quiz::files));
        keys.into_iter().collect()
    }
}

/// A title with the number of the part, within the length limit.
pub fn numbered(title: &str, part: usize) -> String {
    let number = format!(" ({part})");
    let kept: String = title
        .chars()
        .take(255_usize.saturating_sub(number.chars().count()))
        .collect();
    kept + &number
}
