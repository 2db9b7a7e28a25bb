//! Quizzes written and read again, whatever they ask.

use std::collections::HashMap;

use proptest::prelude::*;

use super::html::{Echo, write as write_html};
use super::words::ENGLISH;
use super::{qti, xml};
use crate::exchange::native::document::normal;
use crate::quiz::{Quiz, paragraph, samples};

fn tidied(mut quiz: Quiz) -> Quiz {
    for document in quiz.documents_mut() {
        *document = normal(document);
    }
    quiz
}

proptest! {
    #[test]
    fn a_quiz_comes_back_as_it_went(mut quiz in samples::quiz()) {
        let (files, back) = (HashMap::new(), HashMap::new());
        let names = qti::Names { files: &files, back: &back };
        let written = qti::write("kpage_a", "T", &quiz, "", &names);
        let mut host = Echo { files: &files, back: None, good: true };
        let document = xml::parse(&written.own).unwrap();
        let read = qti::read(document.root_element(), &mut host, &ENGLISH);
        prop_assert!(read.blocks.is_empty() && read.items == quiz.questions.len());
        // Canvas keeps it with the quiz's own settings.
        quiz.shuffle_options = read.quiz.shuffle_options;
        prop_assert_eq!(tidied(read.quiz), tidied(quiz));

        // In the form of the profile each question is there as well, as one or as words.
        let document = xml::parse(&written.profile).unwrap();
        let read = qti::read(document.root_element(), &mut host, &ENGLISH);
        prop_assert_eq!(read.items, qti::count(document.root_element()));
    }

    #[test]
    fn words_of_any_kind_come_back(words in "[ -~а-яё\u{a0}\t\\\\$<>&\"']{0,60}") {
        let document = paragraph(&words);
        let html = write_html(&document, &HashMap::new());
        let mut host = Echo { files: &HashMap::new(), back: None, good: true };
        let read = super::page::document_of(&html, &mut host);
        prop_assert_eq!(normal(&read), normal(&document));
        prop_assert!(host.good);
    }

    #[test]
    fn nothing_that_looks_like_qti_panics(text in "(<(item|section|presentation|response_lid ident='a'|response_str|render_choice|response_label ident='b'|material|mattext|resprocessing|respcondition|conditionvar|varequal|setvar|and|not|other)>|x|5|\\[x\\]|</[a-z_]{1,14}>){0,40}") {
        let mut host = Echo { files: &HashMap::new(), back: None, good: true };
        if let Ok(document) = xml::parse(&format!("<questestinterop>{text}</questestinterop>")) {
            qti::read(document.root_element(), &mut host, &ENGLISH);
        }
    }
}
