//! A learner's answers: reading them from a submission, and the form in which an attempt stores them.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::alias::{Side, Veil};
use super::fields::{At, Problems, given};
use super::model::{Blank, Choice, Filling, Kind, MAX_PARTS, MAX_QUESTIONS, Question, Quiz};
use super::number;
use super::problem::Problem;
use kurso_base::error::{Error, Result};

/// Characters of a text or a number a learner writes.
pub const MAX_TEXT: usize = 1000;

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub question_id: Uuid,
    #[serde(flatten)]
    pub given: Given,
}

/// What was answered, by the type of the question. Also the shape of a right answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    #[serde(rename = "option_ids")]
    Options(Vec<Uuid>),
    #[serde(rename = "text")]
    Text(String),
    /// As it was written.
    #[serde(rename = "number")]
    Number(String),
    #[serde(rename = "pairs")]
    Pairs(Vec<Match>),
    #[serde(rename = "order")]
    Order(Vec<Uuid>),
    #[serde(rename = "blanks")]
    Blanks(Vec<FilledBlank>),
}

/// Two sides put together. Kept with the ids of pairs, shown to learners with their aliases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    pub left_id: Uuid,
    pub right_id: Uuid,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilledBlank {
    pub blank_id: Uuid,
    #[serde(flatten)]
    pub with: FilledWith,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilledWith {
    Text(String),
    OptionId(Uuid),
}

impl Given {
    /// The same with the ids a learner knows.
    pub fn veiled(self, veil: &Veil<'_>, question: Uuid) -> Self {
        match self {
            Given::Pairs(pairs) => Given::Pairs(
                pairs
                    .into_iter()
                    .map(|pair| Match {
                        left_id: veil.alias(question, pair.left_id, Side::Left),
                        right_id: veil.alias(question, pair.right_id, Side::Right),
                    })
                    .collect(),
            ),
            Given::Order(items) => {
                let alias = |item| veil.alias(question, item, Side::Item);
                Given::Order(items.into_iter().map(alias).collect())
            }
            other => other,
        }
    }
}

/// The body of a submission, its answers not yet compared with the quiz.
#[derive(Debug)]
pub struct Submission<'a> {
    answers: &'a [Value],
    /// Of this one submission: again, it is the same attempt.
    pub submission_id: Option<Uuid>,
    /// Of the page the learner answers.
    pub version: Option<i64>,
}

impl<'a> Submission<'a> {
    pub fn read(body: &'a Value) -> Result<Self> {
        let field = |name| body.get(name).filter(|value| !value.is_null());
        let mut problems = Problems::default();
        let at = At::BODY;
        if problems.object(&at, body).is_none() {
            return Err(Error::Invalid(problems.into_errors()));
        }
        let answers = field("answers");
        if answers.is_none() {
            problems.missing(&at.name("answers"));
        }
        // No quiz has more questions, so more answers are wrong in some way or other.
        let answers = problems.list(&at.name("answers"), answers, MAX_QUESTIONS);
        let submission_id = field("submission_id").and_then(|value| problems.uuid(&at.name("submission_id"), value));
        let version = field("version").and_then(|value| problems.whole(&at.name("version"), value, 1, i64::MAX));
        problems.finish(Submission {
            answers,
            submission_id,
            version,
        })
    }

    /// The answers, with the quiz's own ids. Refused: an answer to an unknown question, a second one to the same
    /// question, one of another type, and whatever names an id that the question has not.
    pub fn answers(&self, quiz: &Quiz, veil: &Veil<'_>) -> Result<Vec<Answer>> {
        let mut reader = Reader {
            problems: Problems::default(),
            veil,
        };
        let questions: HashMap<Uuid, &Question> = quiz.questions.iter().map(|q| (q.id, q)).collect();
        let at = At::BODY.name("answers");
        let mut seen = HashSet::new();
        let mut answers = Vec::new();
        for (i, value) in self.answers.iter().enumerate() {
            answers.extend(reader.answer(&at.index(i), value, &questions, &mut seen));
        }
        reader.problems.finish(answers)
    }
}

/// The fields an answer may be in.
const FIELDS: &[&str] = &["option_ids", "text", "number", "pairs", "order", "blanks"];

struct Reader<'a> {
    problems: Problems,
    veil: &'a Veil<'a>,
}

impl Reader<'_> {
    fn answer(
        &mut self,
        at: &At<'_>,
        value: &Value,
        questions: &HashMap<Uuid, &Question>,
        seen: &mut HashSet<Uuid>,
    ) -> Option<Answer> {
        let map = self.problems.object(at, value)?;
        let id_at = at.name("question_id");
        let Some(value) = given(map, "question_id") else {
            self.problems.missing(&id_at);
            return None;
        };
        let question_id = self.problems.uuid(&id_at, value)?;
        let Some(question) = questions.get(&question_id) else {
            self.refuse(&id_at, "unknown_question", Problem::UnknownQuestion, value);
            return None;
        };
        if !seen.insert(question_id) {
            self.refuse(&id_at, "answered_twice", Problem::AnsweredTwice, value);
            return None;
        }
        let given = self.given(at, map, question)?;
        Some(Answer { question_id, given })
    }

    /// None when nothing was answered, or what was does not fit.
    fn given(&mut self, at: &At<'_>, map: &Map<String, Value>, question: &Question) -> Option<Given> {
        let field = match question.kind {
            Kind::SingleChoice { .. } | Kind::MultipleChoice { .. } => "option_ids",
            Kind::ShortText { .. } => "text",
            Kind::Numeric { .. } => "number",
            Kind::Matching { .. } => "pairs",
            Kind::Ordering { .. } => "order",
            Kind::FillBlank { .. } => "blanks",
        };
        let Some(value) = given(map, field) else {
            if let Some(other) = FIELDS.iter().find(|name| given(map, name).is_some()) {
                self.refuse(
                    &at.name(other),
                    "wrong_answer_type",
                    Problem::OtherAnswerExpected(field),
                    &Value::Null,
                );
            }
            return None;
        };
        let at = at.name(field);
        match &question.kind {
            Kind::SingleChoice { options } => {
                let chosen = self.chosen(&at, value, &ids_of(options));
                if chosen.len() > 1 {
                    self.refuse(&at, "too_long", Problem::OnlyOneChoice, value);
                }
                Some(Given::Options(chosen))
            }
            Kind::MultipleChoice { options } => Some(Given::Options(self.chosen(&at, value, &ids_of(options)))),
            Kind::ShortText { .. } => Some(Given::Text(self.problems.text(&at, value, MAX_TEXT)?.to_owned())),
            Kind::Numeric { .. } => self.number(&at, value),
            Kind::Matching { pairs } => {
                let ids: Vec<Uuid> = pairs.iter().map(|pair| pair.id).collect();
                Some(Given::Pairs(self.matches(&at, value, question.id, &ids)))
            }
            Kind::Ordering { items } => {
                let aliases = self.aliases(question.id, items.iter().map(|item| item.id), Side::Item);
                Some(Given::Order(self.chosen(&at, value, &aliases)))
            }
            Kind::FillBlank { blanks, .. } => Some(Given::Blanks(self.blanks(&at, value, blanks))),
        }
    }

    fn number(&mut self, at: &At<'_>, value: &Value) -> Option<Given> {
        let written = match value {
            Value::Number(number) => number.to_string(),
            value => self.problems.text(at, value, MAX_TEXT)?.trim().to_owned(),
        };
        if written.is_empty() {
            return None;
        }
        if number::decimal(&written).is_none() {
            self.refuse(at, "float_parsing", Problem::UnreadableNumber, value);
        }
        Some(Given::Number(written))
    }

    fn matches(&mut self, at: &At<'_>, value: &Value, question: Uuid, ids: &[Uuid]) -> Vec<Match> {
        let left = self.aliases(question, ids.iter().copied(), Side::Left);
        let right = self.aliases(question, ids.iter().copied(), Side::Right);
        let mut seen = HashSet::new();
        let mut matches = Vec::new();
        for (i, value) in self.problems.list(at, Some(value), MAX_PARTS).iter().enumerate() {
            let at = at.index(i);
            let Some(map) = self.problems.object(&at, value) else {
                continue;
            };
            let left_id = self.known(&at, map, "left_id", &left);
            let right_id = self.known(&at, map, "right_id", &right);
            let (Some(left_id), Some(right_id)) = (left_id, right_id) else {
                continue;
            };
            if !seen.insert(left_id) {
                self.refuse(&at.name("left_id"), "value_error", Problem::ChosenTwice, &Value::Null);
            }
            matches.push(Match { left_id, right_id });
        }
        matches
    }

    fn blanks(&mut self, at: &At<'_>, value: &Value, blanks: &[Blank]) -> Vec<FilledBlank> {
        let ids: Known = blanks.iter().map(|blank| (blank.id, blank.id)).collect();
        let mut seen = HashSet::new();
        let mut filled = Vec::new();
        for (i, value) in self.problems.list(at, Some(value), MAX_PARTS).iter().enumerate() {
            let at = at.index(i);
            let Some(map) = self.problems.object(&at, value) else {
                continue;
            };
            let Some(blank_id) = self.known(&at, map, "blank_id", &ids) else {
                continue;
            };
            if !seen.insert(blank_id) {
                self.refuse(&at.name("blank_id"), "value_error", Problem::ChosenTwice, &Value::Null);
            }
            let blank = blanks.iter().find(|blank| blank.id == blank_id);
            let with = blank.and_then(|blank| self.filled(&at, map, &blank.filling));
            filled.extend(with.map(|with| FilledBlank { blank_id, with }));
        }
        filled
    }

    fn filled(&mut self, at: &At<'_>, map: &Map<String, Value>, filling: &Filling) -> Option<FilledWith> {
        let (field, other) = match filling {
            Filling::Accepted(_) => ("text", "option_id"),
            Filling::Options(_) => ("option_id", "text"),
        };
        let Some(value) = given(map, field) else {
            if given(map, other).is_some() {
                self.refuse(
                    &at.name(other),
                    "wrong_answer_type",
                    Problem::OtherAnswerExpected(field),
                    &Value::Null,
                );
            }
            return None;
        };
        match filling {
            Filling::Accepted(_) => {
                let text = self.problems.text(&at.name(field), value, MAX_TEXT)?;
                Some(FilledWith::Text(text.to_owned()))
            }
            Filling::Options(options) => Some(FilledWith::OptionId(self.known(at, map, field, &ids_of(options))?)),
        }
    }

    /// A list of ids, none of them twice.
    fn chosen(&mut self, at: &At<'_>, value: &Value, known: &Known) -> Vec<Uuid> {
        let mut chosen = Vec::new();
        for (i, value) in self.problems.list(at, Some(value), MAX_PARTS).iter().enumerate() {
            let at = at.index(i);
            let Some(id) = self.known_id(&at, value, known) else {
                continue;
            };
            if chosen.contains(&id) {
                self.refuse(&at, "value_error", Problem::ChosenTwice, value);
            }
            chosen.push(id);
        }
        chosen
    }

    fn known(&mut self, at: &At<'_>, map: &Map<String, Value>, name: &str, known: &Known) -> Option<Uuid> {
        match given(map, name) {
            Some(value) => self.known_id(&at.name(name), value, known),
            None => {
                self.problems.missing(&at.name(name));
                None
            }
        }
    }

    /// The quiz's own id for one that the learner knows.
    fn known_id(&mut self, at: &At<'_>, value: &Value, known: &Known) -> Option<Uuid> {
        let id = self.problems.uuid(at, value)?;
        let own = known.get(&id).copied();
        if own.is_none() {
            self.refuse(at, "unknown_id", Problem::UnknownChoice, value);
        }
        own
    }

    fn aliases(&self, question: Uuid, ids: impl Iterator<Item = Uuid>, side: Side) -> Known {
        ids.map(|id| (self.veil.alias(question, id, side), id)).collect()
    }

    fn refuse(&mut self, at: &At<'_>, kind: &'static str, problem: Problem, input: &Value) {
        self.problems.refuse(at, kind, problem.message(), input);
    }
}

/// The ids a learner may name, and what each of them is in the quiz.
type Known = HashMap<Uuid, Uuid>;

fn ids_of(options: &[Choice]) -> Known {
    options.iter().map(|option| (option.id, option.id)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::quiz::alias::QuizKey;
    use crate::quiz::samples;
    use kurso_base::error::Error;

    fn key() -> QuizKey {
        QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap()
    }

    const LEARNER: Uuid = Uuid::from_u128(7);

    /// The errors of answers to a quiz of one question, as `kind at loc`, the loc from the first answer on.
    fn errors(question: Value, answer: impl Fn(&Question, &Veil<'_>) -> Value) -> Vec<String> {
        let mut question = question;
        question["prompt"] = json!("?");
        let quiz = crate::quiz::read(&json!({ "questions": [question] })).unwrap();
        let key = key();
        let veil = key.veil(LEARNER);
        let mut answer = answer(&quiz.questions[0], &veil);
        if answer.get("question_id").is_none() {
            answer["question_id"] = json!(quiz.questions[0].id);
        }
        let body = json!({ "answers": [answer] });
        match Submission::read(&body).unwrap().answers(&quiz, &veil) {
            Ok(_) => vec![],
            Err(Error::Invalid(errors)) => errors
                .iter()
                .map(|error| {
                    assert_eq!(error.loc[..3], At::BODY.name("answers").index(0).loc());
                    let loc = serde_json::to_string(&error.loc[3..]).unwrap();
                    format!("{} {}", error.kind, loc.replace('"', ""))
                })
                .collect(),
            Err(other) => panic!("{other}"),
        }
    }

    proptest! {
        /// What a learner sends in aliases is read as the quiz's own ids, and shown back as it was sent.
        #[test]
        fn answers_go_through_the_veil_and_back(quiz in samples::quiz(), bits in vec(any::<u8>(), 1..60)) {
            let key = key();
            let veil = key.veil(LEARNER);
            let answers: Vec<Answer> = samples::some_answers(&quiz, &bits)
                .into_iter()
                .map(|a| Answer { given: a.given.clone().veiled(&veil, a.question_id), ..a })
                .collect();
            let body = json!({ "answers": answers });
            let read = Submission::read(&body).unwrap().answers(&quiz, &veil).unwrap();
            let back: Vec<Answer> = read
                .iter()
                .cloned()
                .map(|a| Answer { given: a.given.veiled(&veil, a.question_id), ..a })
                .collect();
            prop_assert_eq!(back, answers);
            prop_assert_eq!(read, samples::some_answers(&quiz, &bits));
        }

        #[test]
        fn another_learners_aliases_and_the_quizzes_own_ids_are_unknown(quiz in samples::quiz()) {
            let key = key();
            let veil = key.veil(LEARNER);
            for answer in samples::right_answers(&quiz) {
                let hidden = matches!(answer.given, Given::Pairs(_) | Given::Order(_));
                let others = answer.given.clone().veiled(&key.veil(Uuid::from_u128(8)), answer.question_id);
                for given in [answer.given, others] {
                    let body = json!({"answers": [Answer { given, ..answer }]});
                    let read = Submission::read(&body).unwrap().answers(&quiz, &veil);
                    prop_assert_eq!(read.is_err(), hidden);
                }
            }
        }

        #[test]
        fn never_panics_on_any_json(answers in vec(json(), 0..4)) {
            let quiz = crate::quiz::read(&json!({"questions": [
                {"id": Uuid::from_u128(1), "type": "matching", "prompt": "?", "pairs": [{"left": "a", "right": "b"}]},
                {"id": Uuid::from_u128(2), "type": "fill_blank", "prompt": "?", "blanks": [{"accepted": ["a"]}]},
            ]}))
            .unwrap();
            let key = key();
            let body = json!({ "answers": answers });
            if let Ok(submission) = Submission::read(&body) {
                let _ = submission.answers(&quiz, &key.veil(LEARNER));
            }
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,9}".prop_map(Value::from),
            Just(json!(Uuid::from_u128(1))),
            Just(json!(Uuid::from_u128(2))),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            let name = prop::sample::select(vec![
                "question_id",
                "pairs",
                "blanks",
                "left_id",
                "right_id",
                "blank_id",
                "text",
                "order",
            ]);
            prop_oneof![
                vec(inner.clone(), 0..4).prop_map(Value::from),
                vec((name, inner), 0..6)
                    .prop_map(|fields| fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
            ]
        })
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let choice = json!({"type": "single_choice", "options": [{"content": "a", "correct": true}, {"content": "b"}]});
        let option = |question: &Question, i: usize| match &question.kind {
            Kind::SingleChoice { options } | Kind::MultipleChoice { options } => json!(options[i].id),
            _ => panic!(),
        };
        let unknown = Uuid::now_v7();
        assert_eq!(
            errors(choice.clone(), |q, _| json!({"option_ids": [option(q, 1)]})),
            Vec::<String>::new()
        );
        assert_eq!(
            errors(choice.clone(), |_, _| json!({"option_ids": null, "text": null})),
            Vec::<String>::new()
        );
        assert_eq!(errors(choice.clone(), |_, _| json!({})), Vec::<String>::new());
        assert_eq!(
            errors(
                choice.clone(),
                |q, _| json!({"option_ids": [option(q, 0), option(q, 1)]})
            ),
            ["too_long [option_ids]"]
        );
        assert_eq!(
            errors(
                choice.clone(),
                |q, _| json!({"option_ids": [option(q, 0), option(q, 0)]})
            ),
            ["value_error [option_ids,1]", "too_long [option_ids]"]
        );
        assert_eq!(
            errors(choice.clone(), |_, _| json!({"option_ids": [unknown]})),
            ["unknown_id [option_ids,0]"]
        );
        assert_eq!(
            errors(choice.clone(), |_, _| json!({"option_ids": ["x"]})),
            ["uuid_parsing [option_ids,0]"]
        );
        assert_eq!(
            errors(choice.clone(), |q, _| json!({"option_ids": option(q, 0)})),
            ["list_type [option_ids]"]
        );
        assert_eq!(
            errors(choice.clone(), |_, _| json!({"text": "a"})),
            ["wrong_answer_type [text]"]
        );
        assert_eq!(
            errors(choice.clone(), |_, _| json!({"question_id": unknown})),
            ["unknown_question [question_id]"]
        );
        assert_eq!(
            errors(choice, |_, _| json!({"question_id": 1})),
            ["string_type [question_id]"]
        );

        let number = json!({"type": "numeric", "value": 1});
        for good in [json!(1), json!(1.5), json!("1,5"), json!(" "), json!(null)] {
            assert_eq!(
                errors(number.clone(), |_, _| json!({ "number": good })),
                Vec::<String>::new(),
                "{good}"
            );
        }
        assert_eq!(
            errors(number.clone(), |_, _| json!({"number": "one"})),
            ["float_parsing [number]"]
        );
        assert_eq!(errors(number, |_, _| json!({"number": true})), ["string_type [number]"]);
        let text = json!({"type": "short_text", "accepted": ["a"]});
        assert_eq!(errors(text.clone(), |_, _| json!({"text": 1})), ["string_type [text]"]);
        assert_eq!(
            errors(text, |_, _| json!({"text": "x".repeat(1001)})),
            ["string_too_long [text]"]
        );

        let pairs = json!({"type": "matching", "pairs": [{"left": "a", "right": "b"}, {"left": "c", "right": "d"}]});
        let side = |question: &Question, veil: &Veil<'_>, i: usize, side: Side| match &question.kind {
            Kind::Matching { pairs } => json!(veil.alias(question.id, pairs[i].id, side)),
            _ => panic!(),
        };
        let pair = |q: &Question, veil: &Veil<'_>, left: usize, right: usize| json!({"left_id": side(q, veil, left, Side::Left), "right_id": side(q, veil, right, Side::Right)});
        assert_eq!(
            errors(
                pairs.clone(),
                |q, v| json!({"pairs": [pair(q, v, 0, 0), pair(q, v, 1, 0)]})
            ),
            Vec::<String>::new()
        );
        assert_eq!(
            errors(
                pairs.clone(),
                |q, v| json!({"pairs": [pair(q, v, 0, 0), pair(q, v, 0, 1)]})
            ),
            ["value_error [pairs,1,left_id]"]
        );
        assert_eq!(
            errors(
                pairs.clone(),
                |q, v| json!({"pairs": [{"left_id": side(q, v, 0, Side::Right), "right_id": side(q, v, 0, Side::Left)}]})
            ),
            ["unknown_id [pairs,0,left_id]", "unknown_id [pairs,0,right_id]"]
        );
        assert_eq!(
            errors(pairs, |_, _| json!({"pairs": [{}]})),
            ["missing [pairs,0,left_id]", "missing [pairs,0,right_id]"]
        );

        let blanks = json!({"type": "fill_blank", "blanks": [
            {"id": Uuid::from_u128(1), "accepted": ["a"]},
            {"id": Uuid::from_u128(2), "options": [{"id": Uuid::from_u128(3), "content": "a", "correct": true}]},
        ]});
        for (fields, expected) in [
            (
                json!([{"blank_id": Uuid::from_u128(1), "text": "a"}, {"blank_id": Uuid::from_u128(2), "option_id": Uuid::from_u128(3)}]),
                vec![],
            ),
            (json!([{"blank_id": Uuid::from_u128(1)}]), vec![]),
            (
                json!([{"blank_id": Uuid::from_u128(1), "option_id": Uuid::from_u128(3)}]),
                vec!["wrong_answer_type [blanks,0,option_id]"],
            ),
            (
                json!([{"blank_id": Uuid::from_u128(2), "text": "a"}]),
                vec!["wrong_answer_type [blanks,0,text]"],
            ),
            (
                json!([{"blank_id": Uuid::from_u128(2), "option_id": unknown}]),
                vec!["unknown_id [blanks,0,option_id]"],
            ),
            (
                json!([{"blank_id": unknown, "text": "a"}]),
                vec!["unknown_id [blanks,0,blank_id]"],
            ),
            (
                json!([{"blank_id": Uuid::from_u128(1), "text": "a"}, {"blank_id": Uuid::from_u128(1), "text": "b"}]),
                vec!["value_error [blanks,1,blank_id]"],
            ),
        ] {
            assert_eq!(
                errors(blanks.clone(), |_, _| json!({ "blanks": fields })),
                expected,
                "{fields}"
            );
        }
    }

    #[test]
    fn a_second_answer_to_a_question_is_refused() {
        let quiz = crate::quiz::read(&json!({"questions": [{"type": "numeric", "prompt": "?", "value": 1}]})).unwrap();
        let answer = json!({"question_id": quiz.questions[0].id, "number": 1});
        let body = json!({ "answers": [answer, answer] });
        let key = key();
        let refused = Submission::read(&body).unwrap().answers(&quiz, &key.veil(LEARNER));
        let Err(Error::Invalid(errors)) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!((errors.len(), errors[0].kind), (1, "answered_twice"));
    }

    #[test]
    fn a_body_is_an_object_with_answers() {
        for (body, kind) in [
            (json!(null), "model_attributes_type"),
            (json!([]), "model_attributes_type"),
            (json!({}), "missing"),
            (json!({"answers": {}}), "list_type"),
            (json!({"answers": [], "submission_id": "x"}), "uuid_parsing"),
            (json!({"answers": [], "version": "1"}), "int_type"),
            (json!({"answers": vec![1; 501]}), "too_long"),
        ] {
            let refused = Submission::read(&body);
            let Err(Error::Invalid(errors)) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!(errors[0].kind, kind, "{body}");
        }
    }
}
