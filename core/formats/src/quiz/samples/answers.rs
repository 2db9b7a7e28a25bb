//! Random answers to random quizzes.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::quiz::answers::{
    Answer, AnswerFile, FileLocation, FilledBlank, FilledWith, Given, Match, Quantity, files_of,
};
use crate::quiz::grading::{Grade, grade, right_answer};
use crate::quiz::hand_in::HandIn;
use crate::quiz::model::{Filling, Kind, Question, Quiz};
use crate::quiz::read::paragraph;
use crate::quiz::submission::AnswerFiles;
use crate::quiz::zones::{Coordinate, MarkedPlace};

/// An answer to each question. All but those that a person grades get full credit.
pub fn right_answers(quiz: &Quiz) -> Vec<Answer> {
    let answer = |question: &Question| Answer {
        question_id: question.id,
        given: match question.kind {
            Kind::Formula { .. } => right_answer(&question.with_sample()),
            _ => right_answer(question),
        }
        .unwrap_or_else(|| open_answer(question)),
    };
    quiz.questions.iter().map(answer).collect()
}

fn open_answer(question: &Question) -> Given {
    let text = paragraph("одно слово за другим");
    let file = |extensions: &[String]| AnswerFile {
        id: question.id,
        filename: format!("работа.{}", extensions.first().map_or("pdf", String::as_str)),
        content_type: "application/pdf".into(),
        size: 1,
        location: FileLocation::Key("0".repeat(32)),
    };
    match &question.kind {
        Kind::FileUpload { extensions, .. } => Given::Files(vec![file(extensions)]),
        Kind::HandIn {
            max_files,
            extensions,
            max_links,
            ..
        } => Given::HandIn(HandIn {
            content: (*max_links != 1).then_some(text),
            files: (0..(*max_files).min(1)).map(|_| file(extensions)).collect(),
            links: (0..*max_links).map(|n| format!("https://example.com/{n}")).collect(),
        }),
        _ => Given::Essay(text),
    }
}

/// The uploaded files of answers.
pub fn files(answers: &[Answer]) -> AnswerFiles {
    files_of(answers).map(|file| (file.id, file.clone())).collect()
}

/// The JSON with which a learner sends an answer: files by their ids.
pub fn sent(answer: &Answer) -> Value {
    match &answer.given {
        Given::Files(files) => {
            let ids: Vec<Uuid> = files.iter().map(|file| file.id).collect();
            json!({"question_id": answer.question_id, "file_ids": ids})
        }
        Given::HandIn(HandIn { content, files, links }) => {
            let ids: Vec<Uuid> = files.iter().map(|file| file.id).collect();
            json!({"question_id": answer.question_id, "content": content, "file_ids": ids, "links": links})
        }
        _ => json!(answer),
    }
}

/// The quiz with sample values in its formula questions.
fn with_samples(quiz: &Quiz) -> Quiz {
    Quiz {
        questions: quiz.questions.iter().map(Question::with_sample).collect(),
        full_points: quiz.full_points.clone(),
        ..*quiz
    }
}

/// The grade of an attempt with only right answers, after graders have given full points for all open questions.
pub fn full_grade(quiz: &Quiz) -> Grade {
    let open = quiz.questions.iter().filter(|question| question.kind.is_open());
    let given = open.map(|question| (question.id, question.points)).collect();
    grade(&with_samples(quiz), &right_answers(quiz)).with_given(&given)
}

/// A valid answer, or none, to each question, chosen by the bits.
pub fn some_answers(quiz: &Quiz, bits: &[u8]) -> Vec<Answer> {
    let mut bits = bits.iter().copied().cycle().map(usize::from);
    let mut bit = move || bits.next().unwrap_or_default();
    let mut answers = Vec::new();
    for question in &quiz.questions {
        let pick = |n: usize, bit: &mut dyn FnMut() -> usize| bit() % n.max(1);
        let given = match &question.kind {
            Kind::SingleChoice { options } => Given::Options(vec![options[pick(options.len(), &mut bit)].id]),
            Kind::MultipleChoice { options, .. } => Given::Options(
                options
                    .iter()
                    .filter(|_| bit() % 2 == 0)
                    .map(|option| option.id)
                    .collect(),
            ),
            Kind::ShortText { accepted, .. } => {
                let right = accepted[pick(accepted.len(), &mut bit)].to_uppercase();
                Given::Text([right, "x".into(), String::new(), "другое".into()][bit() % 4].clone())
            }
            Kind::Formula { units, .. } => Given::Number(Quantity {
                number: ["0".into(), format!("{}", bit())][bit() % 2].clone(),
                unit: units.get(bit() % 4).map(|unit| unit.name.clone()),
            }),
            Kind::Numeric { value, units, .. } => {
                let right = value.as_ref().unwrap().to_string();
                Given::Number(Quantity {
                    number: [format!("{right},0"), "0".into(), format!("{right}1")][bit() % 3].clone(),
                    unit: units.get(bit() % 4).map(|unit| unit.name.clone()),
                })
            }
            Kind::Matching { pairs } => {
                let matches = pairs.iter().map(|pair| Match {
                    left_id: pair.id,
                    right_id: pairs[pick(pairs.len(), &mut bit)].id,
                });
                Given::Pairs(matches.collect())
            }
            Kind::Ordering { items } => {
                let mut ids: Vec<(usize, Uuid)> = items.iter().map(|item| (bit(), item.id)).collect();
                ids.sort_unstable();
                ids.truncate(items.len() - bit() % 2);
                Given::Order(ids.into_iter().map(|(_, id)| id).collect())
            }
            Kind::Hotspot { .. } => {
                let place = |_| MarkedPlace {
                    x: Coordinate::of_parts((bit() * 391) as i64),
                    y: Coordinate::of_parts((bit() * 391) as i64),
                };
                Given::Places((0..question.kind.max_places()).map(place).collect())
            }
            Kind::Draw { .. } => continue,
            Kind::Essay { .. } | Kind::FileUpload { .. } | Kind::HandIn { .. } => open_answer(question),
            Kind::FillBlank { blanks, .. } => {
                let filled = blanks.iter().map(|blank| FilledBlank {
                    blank_id: blank.id,
                    with: match &blank.filling {
                        Filling::Accepted(accepted) => {
                            FilledWith::Text([accepted[0].clone(), "x".into()][bit() % 2].clone())
                        }
                        Filling::Options(options) => FilledWith::OptionId(options[pick(options.len(), &mut bit)].id),
                    },
                });
                Given::Blanks(filled.collect())
            }
        };
        // Nothing cannot be handed in.
        if bit() % 5 != 0 || quiz.is_assignment() {
            answers.push(Answer {
                question_id: question.id,
                given,
            });
        }
    }
    answers
}
