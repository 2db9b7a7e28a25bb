//! Assignments that learners hand in online.

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
    takes_text: bool,
    takes_files: bool,
    takes_links: bool,
    /// Accepted ways to hand in that an assignment does not offer; they are reported.
    others: Vec<String>,
    /// The accepted kinds of files.
    kinds: String,
    points: Option<String>,
    max_attempts: Option<u32>,
    release: Release,
    /// The identifier of its rubric.
    rubric: Option<String>,
    /// Settings that have no counterpart in a quiz, with their values; they are reported.
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

/// A way to hand in online.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Text,
    Files,
    Links,
}

/// The way of a name in Canvas or in the profile. `None` if it is not online.
fn way_of(name: &str) -> Option<Way> {
    match name {
        "online_text_entry" | "html" | "text" => Some(Way::Text),
        "online_upload" | "media_recording" | "file" => Some(Way::Files),
        "online_url" | "url" => Some(Way::Links),
        _ => None,
    }
}

impl Work {
    /// Reads the settings of an assignment with these ways to hand in. `None` if teachers get nothing to grade online.
    pub fn read(own: Node<'_, '_>, ways: &[String], points: Option<&str>) -> Option<Self> {
        let is_graded = text_of(own, "grading_type").is_none_or(|kind| kind != "not_graded");
        let online: Vec<Way> = ways.iter().filter_map(|way| way_of(way)).collect();
        if !is_graded || online.is_empty() {
            return None;
        }
        let is_other = |way: &&String| way_of(way).is_none();
        let attempts = text_of(own, "allowed_attempts").and_then(|count| count.parse().ok());
        let is_manual = child(own, "post_policy").and_then(|node| text_of(node, "post_manually"));
        let overrides = child(own, "assignment_overrides").map_or(0, |node| children(node, "override").count());
        let said = USUAL.iter().filter_map(|(name, usual)| {
            let value = text_of(own, name).filter(|value| value != usual)?;
            Some(((*name).to_owned(), value))
        });
        let overrides = (overrides > 0).then(|| ("assignment_overrides".to_owned(), overrides.to_string()));
        Some(Work {
            takes_text: online.contains(&Way::Text),
            takes_files: online.contains(&Way::Files),
            takes_links: online.contains(&Way::Links),
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

    /// Whether a stored quiz is still what the settings say: an edit made in another system wins.
    pub fn agrees(work: Option<&Self>, quiz: &Quiz) -> bool {
        let Some(Question {
            kind:
                Kind::HandIn {
                    takes_text,
                    max_files,
                    max_links,
                    extensions,
                    ..
                },
            points,
            ..
        }) = quiz.questions.first().filter(|_| quiz.is_assignment())
        else {
            return false;
        };
        let ways = (*takes_text, *max_files > 0, *max_links > 0);
        let Some(work) = work else {
            return ways == (false, false, false);
        };
        let said = work.points.as_deref().and_then(|points| points.parse::<f64>().ok());
        let (kinds, _) = quiz::kinds_of_files(&work.kinds);
        (work.takes_text, work.takes_files, work.takes_links) == ways
            && said.is_some_and(|said| (said - points.as_f64()).abs() < 0.0001)
            && (work.max_attempts, work.release) == (quiz.max_attempts, quiz.release)
            && kinds == *extensions
    }

    /// The points of the question. If they differ from the points of the assignment, also the latter, as written.
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
    /// Makes a page an assignment. `id` is the identifier of its resource.
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
        let found = work.rubric.as_ref().map(|id| self.rubrics.take(id, points));
        if found == Some(None) {
            self.note(CartridgeNote::NoRubric);
        }
        let (guide, rubric) = found.flatten().unwrap_or_default();
        let (extensions, others) = quiz::kinds_of_files(&work.kinds);
        if work.takes_files && !others.is_empty() {
            self.notes.push(Note::FileKinds(others.join(", ")));
        }
        let kind = Kind::HandIn {
            takes_text: work.takes_text,
            min_words: None,
            max_words: None,
            max_files: if work.takes_files { MAX_FILES } else { 0 },
            extensions: if work.takes_files { extensions } else { vec![] },
            // Canvas takes one address.
            max_links: work.takes_links.into(),
            guide,
            rubric,
        };
        // The text of the page has the instructions.
        let mut question = Question::new(content::empty(), kind);
        question.id = qti::id_of(id).unwrap_or(question.id);
        question.points = points;
        page.late = self.late.of_quiz(&page.dates);
        page.quiz = Some(Quiz {
            // Canvas has no pass mark for assignments: handing in completes them.
            pass_percent: 0,
            max_attempts: work.max_attempts,
            release: work.release,
            questions: vec![question],
            ..Quiz::default()
        });
    }
}
