//! Writes assignments as Canvas keeps its own: a text and a file of settings, with the whole quiz for Kurso.

use std::collections::HashMap;

use super::dates::PageDates;
use super::names::{self, PageName};
use super::{PageWriter, XML, XMLNS};
use crate::blocks::{children, doc};
use crate::cartridge::html::escaped;
use crate::cartridge::{GENERATOR, OWN_QUIZ};
use crate::content;
use crate::course::PageDraft;
use crate::native::{FileContent, Layout};
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{Kind, Quiz, Release};
use crate::report::Report;

impl PageWriter<'_> {
    pub(super) fn assignment(
        &self,
        page: &PageDraft,
        quiz: &Quiz,
        name: &PageName,
        dates: PageDates,
        layout: &mut Layout,
        report: &mut Report,
    ) {
        let Some(question) = quiz.questions.first() else { return };
        let Kind::HandIn {
            takes_text,
            min_words,
            max_words,
            max_files,
            extensions,
            max_links,
            guide,
            rubric,
        } = &question.kind
        else {
            return;
        };
        let has_words = min_words.is_some() || max_words.is_some();
        if has_words || *max_links > 1 || guide.is_some() || rubric.is_some() {
            report.add(&name.title, Note::Cartridge(CartridgeNote::AssignmentDetails));
        }
        if !question.hints.is_empty() {
            report.add(&name.title, Note::HintsOmitted);
        }
        let mut text = page.content.read();
        if !content::is_empty(&question.prompt) {
            let written = Some(&text).filter(|text| !content::is_empty(text));
            let blocks = written.into_iter().chain([&question.prompt]).flat_map(children);
            text = doc(blocks.cloned().collect());
        }
        let html = format!(
            "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"/>\n<title>Assignment: {}</title>\n\
             {GENERATOR}\n</head>\n<body>\n{}</body>\n</html>\n",
            escaped(&name.title),
            self.body(&text)
        );
        let ways = [
            (*takes_text, "online_text_entry"),
            (*max_files > 0, "online_upload"),
            (*max_links > 0, "online_url"),
        ];
        let ways: Vec<&str> = ways
            .iter()
            .filter(|(is_taken, _)| *is_taken)
            .map(|(_, way)| *way)
            .collect();
        let kinds = match extensions.as_slice() {
            [] => String::new(),
            list => format!("  <allowed_extensions>{}</allowed_extensions>\n", list.join(",")),
        };
        let mut own = quiz.clone();
        for document in own.documents_mut() {
            *document = self.localized(document, &mut HashMap::new());
        }
        let settings = format!(
            "{XML}<assignment identifier=\"{}\" {XMLNS}>\n  <title>{}</title>\n{}  <workflow_state>{}</workflow_state>\n{kinds}  \
             <points_possible>{}</points_possible>\n  <grading_type>points</grading_type>\n  <submission_types>{}</submission_types>\n  \
             <allowed_attempts>{}</allowed_attempts>\n  <post_policy>\n    <post_manually>{}</post_manually>\n  </post_policy>\n  \
             <{OWN_QUIZ}>{}</{OWN_QUIZ}>\n</assignment>\n",
            name.id,
            escaped(&name.title),
            dates.of_quiz(),
            if page.published { "published" } else { "unpublished" },
            question.points.as_f64(),
            if ways.is_empty() {
                "none".to_owned()
            } else {
                ways.join(",")
            },
            quiz.max_attempts
                .map_or("-1".to_owned(), |attempts| attempts.to_string()),
            quiz.release == Release::Together,
            escaped(&serde_json::to_string(&own).unwrap_or_default()),
        );
        layout.push((name.path.clone(), FileContent::Text(html)));
        layout.push((names::settings_path(&name.id), FileContent::Text(settings)));
    }
}
