//! Compares what a learner hands in with what an assignment takes.

use serde_json::Value;

use super::AnswerDraft;
use super::open::OpenChecks;
use crate::content;
use crate::quiz::answers::{Answer, Given};
use crate::quiz::fields::At;
use crate::quiz::hand_in::{HandIn, is_link};
use crate::quiz::model::{Kind, Quiz};
use crate::quiz::problem::Problem;
use crate::quiz::read::paragraph;

/// The fields of an answer to an assignment.
const FIELDS: [&str; 3] = ["content", "file_ids", "links"];

impl OpenChecks<'_> {
    /// None when the answer has nothing in it, or does not fit.
    pub(super) fn hand_in(&mut self, at: &At<'_>, draft: &AnswerDraft, kind: &Kind) -> Option<Given> {
        let Kind::HandIn {
            takes_text,
            min_words,
            max_words,
            max_files,
            extensions,
            max_links,
            ..
        } = kind
        else {
            return None;
        };
        let given = draft.fields().into_iter().filter(|(_, is_given)| *is_given);
        let other = given.map(|(name, _)| name).find(|name| !FIELDS.contains(name));
        if let Some(other) = other {
            return self.refuse_type(&at.name(other), "content");
        }
        let text = draft.content.as_ref();
        let content_at = at.name("content");
        let content = match takes_text {
            true => text.and_then(|text| self.essay(&content_at, text, *min_words, *max_words)),
            false => {
                if text.is_some_and(|text| !is_blank(text)) {
                    self.refuse_essay(&content_at, Problem::NoTextTaken);
                }
                None
            }
        };
        let ids = draft.file_ids.as_deref().unwrap_or_default();
        let files = self.uploaded(&at.name("file_ids"), ids, *max_files, extensions);
        let links = draft.links.as_deref().unwrap_or_default();
        let links = self.links(&at.name("links"), links, *max_links);
        let hand_in = HandIn { content, files, links };
        (!hand_in.is_empty()).then_some(Given::HandIn(hand_in))
    }

    fn links(&mut self, at: &At<'_>, links: &[String], most: u32) -> Vec<String> {
        if links.len() > usize::try_from(most).unwrap_or(usize::MAX) {
            let problem = Problem::ManyLinks(most);
            self.problems.refuse(at, "too_long", problem.message(), &Value::Null);
            return vec![];
        }
        let links = links.iter().map(|link| link.trim()).enumerate();
        let mut read = Vec::new();
        for (i, link) in links {
            if !is_link(link) {
                self.refuse(&at.index(i), "value_error", Problem::BadLink, link);
            }
            read.push(link.to_owned());
        }
        read
    }

    /// Fails if the quiz is that of an assignment and nothing is handed in. `at` is the list of answers.
    pub(super) fn require_hand_in(&mut self, at: &At<'_>, quiz: &Quiz, answers: &[Answer]) {
        if quiz.is_assignment() && answers.is_empty() && self.problems.is_empty() {
            self.refuse(at, "nothing_to_hand_in", Problem::NothingToHandIn, "");
        }
    }
}

fn is_blank(sent: &Value) -> bool {
    match sent.as_str() {
        Some(text) => content::is_empty(&paragraph(text)),
        None => content::is_empty(sent),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use crate::quiz::alias::QuizKey;
    use crate::quiz::answers::{AnswerFile, FileLocation};
    use crate::quiz::fields::At;
    use crate::quiz::submission::{AnswerFiles, Submission};
    use crate::quiz::{Answer, Given, read};
    use kurso_base::error::Error;
    use serde_json::Value;

    /// The first is a PDF, the second a picture.
    fn uploaded() -> AnswerFiles {
        let file = |n: u128, filename: &str| AnswerFile {
            id: Uuid::from_u128(n),
            filename: filename.into(),
            content_type: "application/octet-stream".into(),
            size: 1,
            location: FileLocation::Key("0".repeat(32)),
        };
        [file(1, "work.pdf"), file(2, "photo.png")]
            .map(|file| (file.id, file))
            .into()
    }

    /// What is handed in, or the errors as `kind at loc`, the loc from the list of answers on.
    fn handed_in(settings: Value, answer: Option<Value>) -> Result<Vec<Answer>, Vec<String>> {
        let mut question = settings;
        question["type"] = json!("hand_in");
        let quiz = read(&json!({ "questions": [question] })).unwrap();
        let answers: Vec<Value> = answer
            .into_iter()
            .map(|mut answer| {
                answer["question_id"] = json!(quiz.questions[0].id);
                answer
            })
            .collect();
        let key = QuizKey::new(b"0123456789abcdef0123456789abcdef").unwrap();
        let body = json!({ "answers": answers });
        let read = Submission::read(&body);
        match read.and_then(|submission| submission.answers(&quiz, &key.aliases(Uuid::nil()), &uploaded())) {
            Ok(answers) => Ok(answers),
            Err(Error::Invalid(errors)) => Err(errors
                .iter()
                .map(|error| {
                    let at = At::BODY.name("answers").loc().len();
                    let loc = serde_json::to_string(&error.loc[at..]).unwrap();
                    format!("{} {}", error.kind, loc.replace('"', ""))
                })
                .collect()),
            Err(other) => panic!("{other}"),
        }
    }

    fn refused(settings: Value, answer: Value) -> Vec<String> {
        handed_in(settings, Some(answer)).unwrap_err()
    }

    fn every_way() -> Value {
        json!({"takes_text": true, "min_words": 2, "max_words": 3, "max_files": 1, "extensions": ["pdf"], "max_links": 2})
    }

    #[test]
    fn a_text_files_and_links_are_one_answer() {
        let link = "https://example.com/my?work=1";
        let sent = json!({"content": "two words", "file_ids": [Uuid::from_u128(1)], "links": [format!(" {link} ")]});
        let answers = handed_in(every_way(), Some(sent)).unwrap();
        let [
            Answer {
                given: Given::HandIn(hand_in),
                ..
            },
        ] = answers.as_slice()
        else {
            panic!("{answers:?}")
        };
        assert!(hand_in.content.as_ref().unwrap().to_string().contains("two words"));
        assert_eq!(hand_in.files, [uploaded()[&Uuid::from_u128(1)].clone()]);
        assert_eq!(hand_in.links, [link]);
        // Any one of them suffices; a bound of words holds for a text only.
        for one in [
            json!({"content": "two words"}),
            json!({"file_ids": [Uuid::from_u128(1)], "content": " "}),
            json!({"links": [link], "file_ids": [], "content": null}),
        ] {
            assert_eq!(handed_in(every_way(), Some(one)).unwrap().len(), 1);
        }
    }

    #[test]
    fn the_stored_answer_is_read_back() {
        let sent = json!({"file_ids": [Uuid::from_u128(1)]});
        let answers = handed_in(every_way(), Some(sent)).unwrap();
        let text = serde_json::to_string(&answers).unwrap();
        assert_eq!(crate::quiz::answers_from_text(&text).unwrap(), answers);
        let stored: Value = serde_json::from_str(&text).unwrap();
        let names: Vec<&String> = stored[0].as_object().unwrap().keys().collect();
        assert_eq!(names, ["content", "files", "links", "question_id"]);
    }

    #[test]
    fn nothing_cannot_be_handed_in() {
        for nothing in [
            None,
            Some(json!({})),
            Some(json!({"content": " \n", "file_ids": [], "links": []})),
            Some(json!({"content": {"type": "doc", "content": [{"type": "paragraph"}]}})),
        ] {
            let refused = handed_in(every_way(), nothing.clone()).unwrap_err();
            assert_eq!(refused, ["nothing_to_hand_in []"], "{nothing:?}");
        }
    }

    #[test]
    fn an_answer_that_does_not_fit_is_refused() {
        let long = format!("https://e.com/{}", "a".repeat(2000));
        for (settings, answer, expected) in [
            (every_way(), json!({"content": "one"}), vec!["value_error [0,content]"]),
            (
                every_way(),
                json!({"content": "one two three four"}),
                vec!["value_error [0,content]"],
            ),
            (
                every_way(),
                json!({"file_ids": [Uuid::from_u128(2)]}),
                vec!["value_error [0,file_ids,0]"],
            ),
            (
                every_way(),
                json!({"file_ids": [Uuid::from_u128(3)]}),
                vec!["unknown_id [0,file_ids,0]"],
            ),
            (
                every_way(),
                json!({"file_ids": [Uuid::from_u128(1), Uuid::from_u128(1)]}),
                vec!["too_long [0,file_ids]"],
            ),
            (
                every_way(),
                json!({"links": ["javascript:alert(1)", long]}),
                vec!["value_error [0,links,0]", "value_error [0,links,1]"],
            ),
            (
                every_way(),
                json!({"links": ["https://a.b", "https://a.b", "https://a.b"]}),
                vec!["too_long [0,links]"],
            ),
            (every_way(), json!({"text": "a"}), vec!["wrong_answer_type [0,text]"]),
            (
                every_way(),
                json!({"text": "a", "content": "two words"}),
                vec!["wrong_answer_type [0,text]"],
            ),
            (
                json!({"takes_text": false, "max_files": 1}),
                json!({"content": "one"}),
                vec!["value_error [0,content]"],
            ),
            (
                json!({}),
                json!({"file_ids": [Uuid::from_u128(1)]}),
                vec!["too_long [0,file_ids]"],
            ),
            (json!({}), json!({"links": ["https://a.b"]}), vec!["too_long [0,links]"]),
        ] {
            assert_eq!(
                refused(settings.clone(), answer.clone()),
                expected,
                "{settings} {answer}"
            );
        }
        // An empty text is no text.
        let ok = json!({"content": "", "file_ids": [Uuid::from_u128(1)]});
        assert!(handed_in(json!({"takes_text": false, "max_files": 1}), Some(ok)).is_ok());
    }
}
