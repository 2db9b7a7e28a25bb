//! Property tests: quizzes and texts survive a round trip.

use std::collections::HashMap;

use proptest::prelude::*;
use serde_json::json;

use super::html::{ReadBackHost, write as write_html};
use super::labels::ENGLISH;
use super::{qti, xml};
use crate::content;
use crate::native::document::normalize;
use crate::quiz::{Kind, MAX_QUESTIONS, Question, Quiz, paragraph, samples};

fn normalized(mut quiz: Quiz) -> Quiz {
    for document in quiz.documents_mut() {
        *document = normalize(document);
    }
    quiz
}

/// The JSON of a document of the maximum depth, inside a question, is deeper than the parser's own limit.
#[test]
fn a_question_of_the_maximum_depth_round_trips() {
    let quotes = (0..62).fold(
        paragraph("deep")["content"][0].clone(),
        |inner, _| json!({"type": "blockquote", "content": [inner]}),
    );
    let prompt = json!({"type": "doc", "content": [quotes]});
    content::validate(&prompt).unwrap();
    let accepted = vec!["yes".to_owned()];
    let kind = Kind::ShortText {
        accepted,
        case_sensitive: true,
        regex: None,
    };
    let quiz = Quiz {
        questions: vec![Question::new(prompt, kind)],
        ..Quiz::default()
    };
    let (files, originals) = (HashMap::new(), HashMap::new());
    let names = qti::Names {
        files: &files,
        originals: &originals,
        banks: &[],
    };
    let written = qti::write("kpage_a", "T", &quiz, "", &names);
    let mut host = ReadBackHost {
        files: &files,
        originals: None,
        lossless: true,
    };
    let document = xml::parse(&written.own).unwrap();
    let read = qti::read(document.root_element(), MAX_QUESTIONS, &mut host, &ENGLISH);
    assert_eq!(normalized(read.quiz).questions, normalized(quiz).questions);
}

proptest! {
    #[test]
    fn quizzes_round_trip(mut quiz in samples::quiz()) {
        let (files, originals) = (HashMap::new(), HashMap::new());
        let names = qti::Names { files: &files, originals: &originals, banks: &[] };
        let written = qti::write("kpage_a", "T", &quiz, "", &names);
        let mut host = ReadBackHost { files: &files, originals: None, lossless: true };
        let document = xml::parse(&written.own).unwrap();
        let read = qti::read(document.root_element(), MAX_QUESTIONS, &mut host, &ENGLISH);
        prop_assert!(read.blocks.is_empty() && read.items == quiz.questions.len());
        // Canvas stores this setting with the quiz, not in the file of questions.
        quiz.shuffle_options = read.quiz.shuffle_options;
        prop_assert_eq!(normalized(read.quiz), normalized(quiz));

        // The profile file has every question, if only as text.
        let document = xml::parse(&written.profile).unwrap();
        let read = qti::read(document.root_element(), MAX_QUESTIONS, &mut host, &ENGLISH);
        prop_assert_eq!(read.items, qti::count(document.root_element()));
    }

    #[test]
    fn text_round_trips(text in "[ -~а-яё\u{a0}\t\\\\$<>&\"']{0,60}") {
        let document = paragraph(&text);
        let html = write_html(&document, &HashMap::new());
        let mut host = ReadBackHost { files: &HashMap::new(), originals: None, lossless: true };
        let read = super::page::document_of(&html, &mut host);
        prop_assert_eq!(normalize(&read), normalize(&document));
        prop_assert!(host.lossless);
    }

    #[test]
    fn qti_like_input_never_panics(text in "(<(item|section|presentation|response_lid ident='a'|response_str|render_choice|response_label ident='b'|material|mattext|resprocessing|respcondition|conditionvar|varequal|setvar|and|not|other)>|x|5|\\[x\\]|</[a-z_]{1,14}>){0,40}") {
        let mut host = ReadBackHost { files: &HashMap::new(), originals: None, lossless: true };
        if let Ok(document) = xml::parse(&format!("<questestinterop>{text}</questestinterop>")) {
            qti::read(document.root_element(), MAX_QUESTIONS, &mut host, &ENGLISH);
        }
    }
}
