//! Assignments that learners hand in online: each becomes a quiz of one open question.

use roxmltree::Node;

use super::build::{BuiltPage, PageBuilder};
use super::qti;
use super::xml::{child, children, text_of};
use crate::content;
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{self, Kind, MAX_ATTEMPTS, MAX_FILES, Points, Question, Quiz, Release};

/// What learners hand in.
pub struct Work {
    takes_files: bool,
    /// Ways to hand in that the question does not have.
    others: Vec<String>,
    /// The accepted kinds of files.
    kinds: String,
    points: Option<String>,
    max_attempts: Option<u32>,
    release: Release,
    /// The identifier of its rubric.
    rubric: Option<String>,
    /// Settings that quizzes do not have.
    lost: Vec<(String, String)>,
}

/// Settings whose usual value need not be reported.
const USUAL: [(&str, &str); 8] = [
    ("peer_reviews", "false"),
    ("has_group_category", "false"),
    ("turnitin_enabled", "false"),
    ("vericite_enabled", "false"),
    ("moderated_grading", "false"),
    ("anonymous_grading", "false"),
    ("omit_from_final_grade", "false"),
    ("only_visible_to_overrides", "false"),
];

/// What a way to hand in asks of learners, by its name in Canvas or in the profile. `None` if it is not online.
fn takes_files(way: &str) -> Option<bool> {
    match way {
        "online_upload" | "media_recording" | "file" => Some(true),
        "online_text_entry" | "online_url" | "html" | "text" | "url" => Some(false),
        _ => None,
    }
}

impl Work {
    /// Reads the settings of an assignment with these ways to hand in. `None` if teachers get nothing to grade online.
    pub fn read(own: Node<'_, '_>, ways: &[String], points: Option<&str>) -> Option<Self> {
        let is_graded = text_of(own, "grading_type").is_none_or(|kind| kind != "not_graded");
        let online: Vec<bool> = ways.iter().filter_map(|way| takes_files(way)).collect();
        if !is_graded || online.is_empty() {
            return None;
        }
        // Learners choose one of the ways. A question without an answer earns nothing, so there can be only one, and a
        // file can also have a text.
        let has_files = online.contains(&true);
        let is_other = |way: &&String| takes_files(way).is_none_or(|files| files != has_files);
        let attempts = text_of(own, "allowed_attempts").and_then(|count| count.parse().ok());
        let is_manual = child(own, "post_policy").and_then(|node| text_of(node, "post_manually"));
        let overrides = child(own, "assignment_overrides").map_or(0, |node| children(node, "override").count());
        let said = USUAL.iter().filter_map(|(name, usual)| {
            let value = text_of(own, name).filter(|value| value != usual)?;
            Some(((*name).to_owned(), value))
        });
        let overrides = (overrides > 0).then(|| ("assignment_overrides".to_owned(), overrides.to_string()));
        Some(Work {
            takes_files: has_files,
            others: ways.iter().filter(is_other).cloned().collect(),
            kinds: text_of(own, "allowed_extensions").unwrap_or_default(),
            points: points.map(str::to_owned),
            max_attempts: attempts.filter(|count| (1..=MAX_ATTEMPTS).contains(count)),
            release: match is_manual.as_deref() {
                Some("true") => Release::Together,
                _ => Release::AtOnce,
            },
            rubric: text_of(own, "rubric_identifierref"),
            lost: said.chain(overrides).collect(),
        })
    }

    /// The points of the question; those that a question cannot have come with what the assignment says.
    fn worth(&self) -> (Points, Option<String>) {
        let said = self.points.as_deref().unwrap_or("0");
        let number = said.parse::<f64>().ok().filter(|number| number.is_finite());
        let near = Points::nearest(number.unwrap_or_default());
        let points = if near.is_zero() { Points::ONE } else { near };
        let is_same = number.is_some_and(|number| (number - points.as_f64()).abs() < 0.0001);
        (points, (!is_same).then(|| said.to_owned()))
    }
}

impl PageBuilder<'_> {
    /// Makes the quiz of a page of what its learners hand in. `id` is that of its resource.
    pub fn hand_in(&mut self, work: Work, id: &str, page: &mut BuiltPage) {
        self.note(CartridgeNote::HandedIn);
        if !work.others.is_empty() {
            self.note(CartridgeNote::OtherWays(work.others.join(", ")));
        }
        let (points, said) = work.worth();
        if let Some(said) = said {
            let points = points.as_f64().to_string();
            self.note(CartridgeNote::Worth { said, points });
        }
        for (name, value) in work.lost {
            self.note(CartridgeNote::Setting { name, value });
        }
        let guide = work.rubric.as_ref().and_then(|id| self.rubrics.take(id));
        if guide.is_none() && work.rubric.is_some() {
            self.note(CartridgeNote::NoRubric);
        }
        let guide = guide.filter(|guide| !content::is_empty(guide));
        let kind = if work.takes_files {
            let (extensions, others) = quiz::kinds_of_files(&work.kinds);
            if !others.is_empty() {
                self.notes.push(Note::FileKinds(others.join(", ")));
            }
            Kind::FileUpload {
                max_files: MAX_FILES,
                extensions,
                guide,
            }
        } else {
            Kind::Essay {
                min_words: None,
                max_words: None,
                guide,
            }
        };
        let mut question = Question::new(quiz::paragraph(self.labels.hand_in), kind);
        question.id = qti::id_of(id).unwrap_or(question.id);
        question.points = points;
        page.late = self.late.of_quiz(&page.dates);
        page.quiz = Some(Quiz {
            // Canvas has no pass mark for assignments: what is handed in is done.
            pass_percent: 0,
            max_attempts: work.max_attempts,
            release: work.release,
            questions: vec![question],
            ..Quiz::default()
        });
    }
}
