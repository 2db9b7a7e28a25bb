//! Which pages of Kurso Markdown are assignments, and which of their questions stay.

use kurso_formats::quiz::{Kind, Quiz};
use tempfile::TempDir;

use super::{lines, read_from, write};

/// The quiz of a page with this text, and the lines of the report.
fn page(text: &str) -> (Option<Quiz>, Vec<String>) {
    let dir = TempDir::new().unwrap();
    write(
        dir.path(),
        &[("course.toml", "title = \"C\"\n"), ("1-m/1-l/1-a.md", text)],
    );
    let (course, report) = read_from(dir.path());
    let quiz = course.pages().next().unwrap().quiz.clone();
    (quiz, lines(&report))
}

fn kinds(quiz: &Quiz) -> Vec<&'static str> {
    let name = |kind: &Kind| match kind {
        Kind::HandIn { .. } => "hand_in",
        Kind::ShortText { .. } => "short_text",
        _ => "another",
    };
    quiz.questions.iter().map(|question| name(&question.kind)).collect()
}

const FRONT: &str = "+++\nkind = \"assignment\"\n+++\n\n";
const HAND_IN: &str = "??? hand_in max_links=2 points=4\n\nDo it.\n";
const SHORT: &str = "??? short_text\n\nWho?\n\n= me\n";

#[test]
fn an_assignment_has_its_question_with_and_without_the_kind() {
    for front in ["", FRONT, "+++\n[quiz]\nmax_attempts = 2\n+++\n\n"] {
        let (quiz, said) = page(&format!("{front}Text\n\n{HAND_IN}"));
        let quiz = quiz.unwrap();
        assert!(quiz.is_assignment(), "{front}");
        assert_eq!(said, [""; 0], "{front}");
        let question = &quiz.questions[0];
        assert!(matches!(
            question.kind,
            Kind::HandIn {
                max_links: 2,
                max_files: 0,
                takes_text: false,
                ..
            }
        ));
        assert_eq!(question.points.as_f64(), 4.0);
        assert_eq!(quiz.max_attempts, front.contains("attempts").then_some(2));
    }
}

#[test]
fn an_assignment_without_a_question_gets_the_usual_one() {
    let (quiz, said) = page(&format!("{FRONT}Text\n"));
    assert_eq!(said, [""; 0]);
    let quiz = quiz.unwrap();
    let usual = Quiz::assignment();
    assert!(quiz.is_assignment());
    assert_eq!(quiz.questions[0].kind, usual.questions[0].kind);
    assert_eq!(quiz.questions[0].points, usual.questions[0].points);
    assert_eq!((quiz.pass_percent, quiz.max_attempts), (70, None));
}

#[test]
fn questions_in_the_wrong_kind_of_page_are_refused() {
    let only = "1-m/1-l/1-a.md: a question: An assignment has only a question of the type hand_in";
    let one = "1-m/1-l/1-a.md: a question: An assignment has exactly one question";
    let in_quiz = "1-m/1-l/1-a.md: a question: Only an assignment has a question of the type hand_in";
    let cases: &[(String, &[&str], &[&str])] = &[
        (format!("{FRONT}{SHORT}{HAND_IN}"), &["hand_in"], &[only]),
        (format!("{FRONT}{HAND_IN}{HAND_IN}"), &["hand_in"], &[one]),
        (format!("{FRONT}{SHORT}"), &["hand_in"], &[only]),
        (format!("{SHORT}{HAND_IN}"), &["short_text"], &[in_quiz]),
        (
            format!("{HAND_IN}{HAND_IN}{SHORT}"),
            &["short_text"],
            &[in_quiz, in_quiz],
        ),
    ];
    for (text, stay, refused) in cases {
        let (quiz, said) = page(text);
        assert_eq!(kinds(&quiz.unwrap()), *stay, "{text}");
        assert_eq!(said, *refused, "{text}");
    }
}

#[test]
fn the_first_hand_in_of_an_assignment_stays() {
    let (quiz, _) = page(&format!("{FRONT}??? hand_in takes_text points=3\n\n{HAND_IN}"));
    assert_eq!(quiz.unwrap().questions[0].points.as_f64(), 3.0);
}

#[test]
fn other_kinds_follow_from_what_the_page_has() {
    for kind in ["content", "quiz"] {
        let (quiz, said) = page(&format!("+++\nkind = \"{kind}\"\n+++\n\n{SHORT}"));
        assert_eq!((kinds(&quiz.unwrap()), said), (vec!["short_text"], vec![]), "{kind}");
    }
    for kind in ["\"homework\"", "7"] {
        let (quiz, said) = page(&format!("+++\nkind = {kind}\n+++\n\nText\n"));
        assert_eq!(quiz, None, "{kind}");
        assert!(said.len() == 1 && said[0].contains("field kind"), "{said:?}");
    }
}
