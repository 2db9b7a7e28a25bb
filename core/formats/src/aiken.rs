//! Reads Aiken, a plain text form of questions with one right option (docs/gift.md).

use std::path::Path;

use crate::content;
use crate::course::{CourseDraft, LessonDraft, MAX_FILE_QUESTIONS, ModuleDraft, PageDraft, numbered};
use crate::error::ImportError;
use crate::folder::Folder;
use crate::note::Note;
use crate::quiz::{Choice, ChoiceDraft, Kind, MAX_QUESTIONS, Question, Quiz, paragraph};
use crate::report::Report;
use crate::{Progress, Watcher};

const MAX_TITLE: usize = 255;

/// Whether the file is a `.txt` or `.aiken` file with a question in Aiken.
pub fn is_aiken(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    let is_text = extension.is_some_and(|extension| extension == "aiken" || extension == "txt");
    if !is_text || !path.is_file() {
        return false;
    }
    read_file(path).is_ok_and(|(_, text)| has_question(&text))
}

/// Whether a text has two options and an answer after them.
pub fn has_question(text: &str) -> bool {
    let mut options = 0;
    text.lines().any(|line| {
        if option(line).is_some() {
            options += 1;
        }
        options > 1 && answer(line).is_some()
    })
}

/// Reads the file at `path` as a course of one lesson.
pub fn read(path: &Path, progress: &mut Watcher<'_>) -> Result<(CourseDraft, Report), ImportError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (folder, text) = read_file(path)?;
    Progress {
        done: 1,
        total: 1,
        file: &name,
    }
    .tell(progress)?;
    let mut report = Report::default();
    let mut quizzes: Vec<Quiz> = Vec::new();
    for (number, (line, block)) in blocks(&text).into_iter().enumerate() {
        if number >= MAX_FILE_QUESTIONS {
            return Err(ImportError::TooManyQuestions(MAX_FILE_QUESTIONS));
        }
        match built(block) {
            Err(note) => report.add(format!("{name}:{line}"), note),
            Ok(question) => match quizzes.last_mut().filter(|quiz| quiz.questions.len() < MAX_QUESTIONS) {
                Some(quiz) => quiz.questions.push(question),
                None => quizzes.push(Quiz {
                    questions: vec![question],
                    ..Quiz::default()
                }),
            },
        }
    }
    if quizzes.is_empty() {
        return Err(ImportError::NoPages);
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let title: String = stem.chars().take(MAX_TITLE).collect();
    let page = |(number, quiz)| {
        let title = if number == 1 {
            title.clone()
        } else {
            numbered(&title, number)
        };
        PageDraft {
            quiz: Some(quiz),
            ..PageDraft::new(Some(title), content::empty(), &name)
        }
    };
    let pages = (1..).zip(quizzes).map(page).collect();
    let lesson = LessonDraft::new(&title, pages);
    let course = CourseDraft::new(&title, vec![ModuleDraft::new(&title, vec![lesson])]);
    course.count(&mut report.counts);
    folder.report_encodings(&mut report);
    report.close(&name);
    Ok((course, report))
}

/// Reads the questions of a pasted text. The report gives line numbers as places.
pub fn questions(text: &str) -> (Vec<Question>, Report) {
    let mut report = Report::default();
    let mut questions = Vec::new();
    for (line, block) in blocks(text) {
        match built(block) {
            Ok(question) => questions.push(question),
            Err(note) => report.add(line.to_string(), note),
        }
    }
    (questions, report)
}

fn built(block: Option<Block<'_>>) -> Result<Question, Note> {
    let question = block.and_then(Block::question).ok_or(Note::QuestionUnclear)?;
    question
        .check()
        .map_err(|problem| Note::QuestionRefused(problem.into()))?;
    Ok(question)
}

fn read_file(path: &Path) -> Result<(Folder, String), ImportError> {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let folder = Folder::open(parent.unwrap_or(Path::new(".")))?;
    let name = Path::new(path.file_name().unwrap_or_default());
    let text = folder.read_text(name).map_err(|trouble| ImportError::File {
        path: name.display().to_string(),
        trouble,
    })?;
    Ok((folder, text))
}

/// A question as it is written.
#[derive(Default)]
struct Block<'a> {
    prompt: Vec<&'a str>,
    options: Vec<(char, String)>,
    right: Vec<char>,
}

/// The questions with their first lines; None for one without options or without an answer.
fn blocks(text: &str) -> Vec<(usize, Option<Block<'_>>)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Block<'_>)> = None;
    let mut after_blank_line = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            after_blank_line = true;
            continue;
        }
        let blank = std::mem::take(&mut after_blank_line);
        // Text after the options begins another question: this one has no answer.
        let is_text = answer(line).is_none() && option(line).is_none();
        if is_text && blank && open.as_ref().is_some_and(|(_, block)| !block.options.is_empty()) {
            found.extend(open.take().map(|(line, _)| (line, None)));
        }
        let (_, block) = open.get_or_insert_with(|| (number, Block::default()));
        if let Some(right) = answer(line) {
            block.right = right;
            found.extend(open.take().map(|(line, block)| (line, Some(block))));
        } else if let (Some((letter, words)), false) = (option(line), block.prompt.is_empty()) {
            block.options.push((letter, words.to_owned()));
        } else {
            match block.options.last_mut() {
                None => block.prompt.push(line.trim()),
                Some((_, words)) => {
                    words.push('\n');
                    words.push_str(line.trim());
                }
            }
        }
    }
    found.extend(open.map(|(line, _)| (line, None)));
    found
}

impl Block<'_> {
    /// None unless there are options, and each right letter is one of theirs.
    fn question(self) -> Option<Question> {
        let is_right = |letter: char| self.right.iter().any(|right| folded(*right) == folded(letter));
        let all_known = self
            .right
            .iter()
            .all(|right| self.options.iter().any(|(letter, _)| folded(*letter) == folded(*right)));
        if self.prompt.is_empty() || self.options.is_empty() || self.right.is_empty() || !all_known {
            return None;
        }
        let options = self
            .options
            .iter()
            .map(|(letter, words)| ChoiceDraft::new(paragraph(words), is_right(*letter)));
        let options = Choice::list(options.collect());
        let kind = Kind::choice(self.right.len() > 1, options);
        Some(Question::new(paragraph(&self.prompt.join("\n")), kind))
    }
}

/// The letter and the words of `A. words` or `A) words`.
fn option(line: &str) -> Option<(char, &str)> {
    let line = line.trim();
    let letter = line.chars().next().filter(|letter| letter.is_uppercase())?;
    let rest = line.get(letter.len_utf8()..)?;
    let words = rest.strip_prefix(['.', ')'])?;
    (words.starts_with([' ', '\t']) && !words.trim().is_empty()).then(|| (letter, words.trim()))
}

/// The letters of `ANSWER: B`; some programs write several.
fn answer(line: &str) -> Option<Vec<char>> {
    let line = line.trim();
    let said = line
        .get(..7)
        .filter(|start| start.eq_ignore_ascii_case("answer:"))
        .and_then(|_| line.get(7..))?;
    let letters: Option<Vec<char>> = said
        .split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| {
            let mut chars = part.chars();
            chars.next().filter(|c| c.is_alphabetic() && chars.next().is_none())
        })
        .collect();
    letters.filter(|letters| !letters.is_empty())
}

/// Cyrillic letters that look like Latin ones are often typed in their place.
fn folded(letter: char) -> char {
    match letter.to_uppercase().next().unwrap_or(letter) {
        'А' => 'A',
        'В' => 'B',
        'С' => 'C',
        'Е' => 'E',
        'К' => 'K',
        'М' => 'M',
        'Н' => 'H',
        'О' => 'O',
        'Р' => 'P',
        'Т' => 'T',
        'Х' => 'X',
        letter => letter,
    }
}
