//! Requirements of a published quiz. Learners never see an unpublished page, so its quiz may be incomplete.

use std::collections::HashSet;

use serde_json::Value;
use uuid::Uuid;

use super::choice::{Choice, right_ones};
use super::fields::{At, Problems};
use super::formula::{self, Flaw};
use super::lack::Lack;
use super::model::{Blank, Filling, Kind, Question, Quiz};
use super::number::Points;
use super::problem::Problem;
use super::rubric::Rubric;
use super::{text, weight};
use crate::content;
use kurso_base::error::Result;

/// Fails with an error for everything that a question or the quiz lacks.
pub fn require_complete(quiz: &Quiz) -> Result<()> {
    let mut problems = Problems::default();
    let at = At::BODY.name("quiz");
    let at = at.name("questions");
    if quiz.questions.is_empty() {
        lacks(&mut problems, &at, None, Lack::Questions);
    } else if quiz.questions.iter().all(|question| question.points.is_zero()) {
        let lack = if quiz.is_assignment() {
            Lack::HandInPoints
        } else {
            Lack::Points
        };
        lacks(&mut problems, &at, None, lack);
    }
    for (i, question) in quiz.questions.iter().enumerate() {
        let mut check = Check {
            problems: &mut problems,
            number: (!quiz.is_assignment()).then_some(i + 1),
        };
        check.question(&at.index(i), question);
    }
    problems.finish(())
}

fn lacks(problems: &mut Problems, at: &At<'_>, question: Option<usize>, lack: Lack) {
    problems.refuse(
        at,
        "quiz_incomplete",
        Problem::Lacks(question, lack).message(),
        &Value::Null,
    );
}

struct Check<'a> {
    problems: &'a mut Problems,
    /// The number of the question, from 1; None for that of an assignment.
    number: Option<usize>,
}

impl Check<'_> {
    fn lacks(&mut self, at: &At<'_>, lack: Lack) {
        lacks(self.problems, at, self.number, lack);
    }

    fn question(&mut self, at: &At<'_>, question: &Question) {
        // The instructions of an assignment are the text of its page.
        let asks_elsewhere = matches!(
            question.kind,
            Kind::FillBlank { .. } | Kind::HandIn { .. } | Kind::Draw { .. }
        );
        if !asks_elsewhere && content::is_empty(&question.prompt) {
            self.lacks(&at.name("prompt"), Lack::Prompt);
        }
        match &question.kind {
            Kind::SingleChoice { options } => {
                self.options(&at.name("options"), options, Lack::RightOption);
                if right_ones(options).count() > 1 {
                    self.lacks(&at.name("options"), Lack::OnlyRightOption);
                }
                if !weight::agree_with_one(options) {
                    self.lacks(&at.name("options"), Lack::WeightsOfOne);
                }
            }
            Kind::MultipleChoice { options, .. } => {
                self.options(&at.name("options"), options, Lack::RightOption);
                if !weight::agree_with_several(options) {
                    self.lacks(&at.name("options"), Lack::WeightsOfSeveral);
                }
            }
            Kind::ShortText { accepted, regex, .. } => {
                if regex.is_none() && says_nothing(accepted) {
                    self.lacks(&at.name("accepted"), Lack::Accepted);
                }
            }
            Kind::Numeric { value, .. } => {
                if value.is_none() {
                    self.lacks(&at.name("value"), Lack::Value);
                }
            }
            Kind::Formula {
                parameters, expression, ..
            } => {
                for flaw in formula::flaws(&question.prompt, parameters, expression) {
                    let list = at.name("parameters");
                    let lack = Lack::Formula(flaw);
                    match flaw {
                        Flaw::NoParameters => self.lacks(&list, lack),
                        Flaw::BadName(index) | Flaw::RepeatedName(index) => {
                            self.lacks(&list.index(index).name("name"), lack);
                        }
                        Flaw::NoValues(index) => self.lacks(&list.index(index).name("min"), lack),
                        Flaw::NotShown(_) => self.lacks(&at.name("prompt"), lack),
                        Flaw::NoExpression | Flaw::Unreadable(_) | Flaw::NoResult(_) => {
                            self.lacks(&at.name("expression"), lack);
                        }
                    }
                }
            }
            Kind::Matching { pairs } => {
                let at = at.name("pairs");
                if pairs.len() < 2 {
                    self.lacks(&at, Lack::Pairs);
                }
                for (i, pair) in pairs.iter().enumerate() {
                    self.filled(&at.index(i).name("left"), &pair.left);
                    self.filled(&at.index(i).name("right"), &pair.right);
                }
            }
            Kind::Ordering { items } => {
                let at = at.name("items");
                if items.len() < 2 {
                    self.lacks(&at, Lack::Items);
                }
                for (i, item) in items.iter().enumerate() {
                    self.filled(&at.index(i).name("content"), &item.content);
                }
            }
            Kind::FillBlank { text, blanks } => self.blanks(at, text, blanks),
            Kind::Hotspot { picture, zones, .. } => {
                if picture.is_none() {
                    self.lacks(&at.name("picture"), Lack::Picture);
                }
                if zones.is_empty() {
                    self.lacks(&at.name("zones"), Lack::Zones);
                }
            }
            Kind::HandIn {
                takes_text,
                max_files,
                max_links,
                rubric,
                ..
            } => {
                if !takes_text && *max_files == 0 && *max_links == 0 {
                    self.lacks(&at.name("takes_text"), Lack::Way);
                }
                if let Some(rubric) = rubric {
                    self.rubric(&at.name("rubric"), rubric, question.points);
                }
            }
            Kind::Draw { .. } => {} // whether its bank has enough questions is checked in the database
            Kind::Essay { rubric, .. } | Kind::FileUpload { rubric, .. } => {
                if let Some(rubric) = rubric {
                    self.rubric(&at.name("rubric"), rubric, question.points);
                }
            }
        }
    }

    fn rubric(&mut self, at: &At<'_>, rubric: &Rubric, points: Points) {
        let at = at.name("criteria");
        if rubric.criteria.is_empty() {
            return self.lacks(&at, Lack::Criteria);
        }
        for (i, criterion) in rubric.criteria.iter().enumerate() {
            let at = at.index(i);
            if criterion.name.trim().is_empty() {
                self.lacks(&at.name("name"), Lack::Content);
            }
            let at = at.name("levels");
            if criterion.levels.is_empty() {
                self.lacks(&at, Lack::Levels);
            }
            for (i, level) in criterion.levels.iter().enumerate() {
                if level.name.trim().is_empty() {
                    self.lacks(&at.index(i).name("name"), Lack::Content);
                }
            }
        }
        if !rubric.sums_up_to(points) {
            self.lacks(&at, Lack::RubricPoints);
        }
    }

    fn blanks(&mut self, at: &At<'_>, text: &Value, blanks: &[Blank]) {
        let in_text = content::blanks(text);
        let known: HashSet<Uuid> = in_text.iter().copied().collect();
        if in_text.is_empty() {
            self.lacks(&at.name("text"), Lack::Blanks);
        } else if known.len() < in_text.len() {
            self.lacks(&at.name("text"), Lack::BlankOnce);
        }
        if known.iter().any(|id| !blanks.iter().any(|blank| blank.id == *id)) {
            self.lacks(&at.name("text"), Lack::BlankDefined);
        }
        let at = at.name("blanks");
        for (i, blank) in blanks.iter().enumerate() {
            let at = at.index(i);
            if !known.contains(&blank.id) {
                self.lacks(&at, Lack::BlankInText);
            }
            match &blank.filling {
                Filling::Options(options) => self.options(&at.name("options"), options, Lack::BlankAnswer),
                Filling::Accepted(accepted) if says_nothing(accepted) => {
                    self.lacks(&at.name("accepted"), Lack::BlankAnswer);
                }
                Filling::Accepted(_) => {}
            }
        }
    }

    fn options(&mut self, at: &At<'_>, options: &[Choice], lack: Lack) {
        if right_ones(options).next().is_none() {
            self.lacks(at, lack);
        }
        for (i, option) in options.iter().enumerate() {
            self.filled(&at.index(i).name("content"), &option.content);
        }
    }

    fn filled(&mut self, at: &At<'_>, document: &Value) {
        if content::is_empty(document) {
            self.lacks(at, Lack::Content);
        }
    }
}

/// Whether no accepted text could be answered.
fn says_nothing(accepted: &[String]) -> bool {
    accepted.iter().all(|text| text::is_blank(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::quiz::{read, samples};
    use kurso_base::error::Error;
    use kurso_base::messages::Lang;

    fn lacking(quiz: Value) -> Vec<(String, String)> {
        match require_complete(&read(&quiz).unwrap()) {
            Ok(()) => vec![],
            Err(Error::Invalid(errors)) => errors
                .iter()
                .map(|error| {
                    assert_eq!(error.kind, "quiz_incomplete");
                    let loc = serde_json::to_string(&error.loc[3..]).unwrap();
                    (loc.replace('"', ""), error.message.text(Lang::En))
                })
                .collect(),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn errors_name_the_question_and_its_missing_part() {
        let id = "01890000-0000-7000-8000-00000000000a";
        let other = "01890000-0000-7000-8000-00000000000b";
        let blank = |id: &str| json!({"type": "blank", "attrs": {"blank_id": id}});
        let text = |blanks: Vec<Value>| json!({"type": "doc", "content": [{"type": "paragraph", "content": blanks}]});
        let right = json!({"content": "a", "correct": true});
        for (question, place, lack) in [
            (
                json!({"type": "single_choice", "options": []}),
                "options",
                "no option is marked as right",
            ),
            (
                json!({"type": "single_choice", "options": [right, right]}),
                "options",
                "only one option may be right where one is chosen",
            ),
            (
                json!({"type": "multiple_choice", "options": [{"content": "a"}]}),
                "options",
                "no option is marked as right",
            ),
            (
                json!({"type": "multiple_choice", "options": [right, {"content": " "}]}),
                "options,1,content",
                "this is empty",
            ),
            (
                json!({"type": "short_text", "accepted": [" "]}),
                "accepted",
                "there is no accepted answer",
            ),
            (
                json!({"type": "single_choice", "options": [{"content": "a", "correct": true, "weight": 90}, {"content": "b"}]}),
                "options",
                "the right option should have a weight of 100, and every other option less",
            ),
            (
                json!({"type": "single_choice", "options": [right, {"content": "b", "weight": 100}]}),
                "options",
                "the right option should have a weight of 100, and every other option less",
            ),
            (
                json!({"type": "multiple_choice", "options": [right, {"content": "b", "weight": -50}]}),
                "options",
                "the right options should have weights above 0, and no others",
            ),
            (json!({"type": "numeric"}), "value", "there is no right number"),
            (
                json!({"type": "matching", "pairs": [{"left": "a", "right": "b"}]}),
                "pairs",
                "there should be at least 2 pairs",
            ),
            (
                json!({"type": "ordering", "items": [{"content": "a"}]}),
                "items",
                "there should be at least 2 items to put in order",
            ),
            (
                json!({"type": "numeric", "value": 1, "prompt": ""}),
                "prompt",
                "the question is not written",
            ),
            (
                json!({"type": "fill_blank", "text": "a"}),
                "text",
                "the text has no blanks",
            ),
            (
                json!({"type": "fill_blank", "text": text(vec![blank(id)])}),
                "text",
                "a blank of the text has no answer",
            ),
            (
                json!({"type": "fill_blank", "text": text(vec![blank(id), blank(id)]), "blanks": [{"id": id, "accepted": ["a"]}]}),
                "text",
                "a blank stands in the text twice",
            ),
            (
                json!({"type": "fill_blank", "text": text(vec![blank(id)]),
                "blanks": [{"id": id, "accepted": ["a"]}, {"id": other, "accepted": ["a"]}]}),
                "blanks,1",
                "this blank is not in the text",
            ),
            (
                json!({"type": "fill_blank", "text": text(vec![blank(id)]), "blanks": [{"id": id, "options": [{"content": "a"}]}]}),
                "blanks,0,options",
                "this blank has no right answer",
            ),
            (
                json!({"type": "fill_blank", "text": text(vec![blank(id)]), "blanks": [{"id": id}]}),
                "blanks,0,accepted",
                "this blank has no right answer",
            ),
        ] {
            let mut question = question;
            if question.get("prompt").is_none() {
                question["prompt"] = json!("?");
            }
            let whole = json!({"type": "numeric", "prompt": "?", "value": 1});
            let found = lacking(json!({"questions": [whole, question]}));
            assert_eq!(
                found,
                [(format!("[1,{place}]"), format!("Question 2: {lack}"))],
                "{question}"
            );
        }
    }

    #[test]
    fn a_published_quiz_needs_questions_with_points() {
        assert_eq!(
            lacking(Value::Null),
            [("[]".into(), "The quiz has no questions".into())]
        );
        let worthless = json!({"questions": [{"type": "numeric", "prompt": "?", "value": 1, "points": 0}]});
        assert_eq!(
            lacking(worthless),
            [("[]".into(), "No question is worth any points".into())]
        );
    }

    #[test]
    fn a_published_assignment_takes_something_for_points() {
        let quiz = |fields: Value| {
            let mut question = json!({"type": "hand_in", "takes_text": false});
            question
                .as_object_mut()
                .unwrap()
                .extend(fields.as_object().unwrap().clone());
            json!({ "questions": [question] })
        };
        let way = "Nothing can be handed in: accept a text, files or links";
        assert_eq!(lacking(quiz(json!({}))), [("[0,takes_text]".into(), way.into())]);
        for taken in [
            json!({"takes_text": true}),
            json!({"max_files": 1}),
            json!({"max_links": 1}),
        ] {
            assert_eq!(lacking(quiz(taken)), []);
        }
        let worthless = "The assignment is worth no points";
        let free = quiz(json!({"max_links": 1, "points": 0}));
        assert_eq!(lacking(free), [("[]".into(), worthless.into())]);
    }

    #[test]
    fn an_image_or_a_pattern_suffices() {
        let image = json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": "/files/0123456789abcdef0123456789abcdef/a.png"}}]});
        let quiz = json!({"questions": [{"type": "short_text", "prompt": image, "regex": "a+"}]});
        assert_eq!(lacking(quiz), []);
    }

    proptest! {
        #[test]
        fn samples_are_complete(quiz in samples::quiz()) {
            prop_assert!(require_complete(&quiz).is_ok());
        }
    }
}
