//! Writes a course as Common Cartridge 1.3 that Canvas imports as its own.

mod assignment;
pub(super) mod dates;
mod manifest;
pub(super) mod names;

use std::collections::HashMap;

use serde_json::Value;

use super::extension::Extension;
use super::html::{self, escaped};
use super::qti;
use super::{CANVAS_MARK, COURSE_SETTINGS, EXTENSION, GENERATOR, MANIFEST, MODULE_META, OWN_ASSESSMENTS};
use crate::content;
use crate::course::{BankDraft, CourseDraft, FileDraft, PageDraft, TaggedQuestion};
use crate::native::{FileContent, Layout};
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{Kind, Question, Quiz, Reveal, is_weighted};
use crate::report::Report;
use dates::{Modules, PageDates};
use names::Plan;

const XMLNS: &str = "xmlns=\"http://canvas.instructure.com/xsd/cccv1p0\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
     xsi:schemaLocation=\"http://canvas.instructure.com/xsd/cccv1p0 https://canvas.instructure.com/xsd/cccv1p0.xsd\"";
const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The files of the package. The output is deterministic: it has no timestamps, and keys instead of database ids
/// where possible. The report lists what other readers will not read.
pub fn layout(course: &CourseDraft) -> (Layout, Report) {
    write(course, true)
}

/// The report of [`layout`]. Pages of text leave no lines, so they are not written.
pub fn report(course: &CourseDraft) -> Report {
    write(course, false).1
}

fn write(course: &CourseDraft, with_texts: bool) -> (Layout, Report) {
    let plan = Plan::of(course);
    let mut report = Report::default();
    let mut layout = Layout::new();
    layout.push((MANIFEST.into(), FileContent::Text(manifest::write(course, &plan))));
    layout.push((CANVAS_MARK.into(), FileContent::Text("Kurso\n".into())));
    let settings = format!(
        "{XML}<course identifier=\"kurso_canvas\" {XMLNS}>\n  <title>{}</title>\n{}</course>\n",
        escaped(&course.title),
        dates::of_course(course)
    );
    layout.push((COURSE_SETTINGS.into(), FileContent::Text(settings)));
    layout.push((MODULE_META.into(), FileContent::Text(modules(course, &plan))));
    layout.push((
        EXTENSION.into(),
        FileContent::Text(Extension::write(course, &plan, &mut report)),
    ));
    let writer = PageWriter {
        plan: &plan,
        files: plan.by_address(),
        banks: &course.banks,
    };
    let mut names = plan.pages.iter();
    let lessons = course
        .modules
        .iter()
        .flat_map(|module| module.lessons.iter().map(move |lesson| (module, lesson)));
    for (module, lesson) in lessons {
        for (page, name) in lesson.pages.iter().zip(names.by_ref()) {
            let dates = PageDates::of(module, lesson, page);
            match &page.quiz {
                None if !with_texts => {}
                None => layout.push((name.path.clone(), FileContent::Text(writer.page(page, &name.id, dates)))),
                Some(quiz) if quiz.is_assignment() => {
                    writer.assignment(page, quiz, name, dates, &mut layout, &mut report);
                }
                Some(quiz) => writer.quiz(page, quiz, name, dates, &mut layout, &mut report),
            }
        }
    }
    for (file, questions) in qti::bank_files(course) {
        layout.push((bank_path(&file), FileContent::Text(writer.bank(&file, &questions))));
    }
    for file in &course.files {
        if let Some((path, _)) = plan.files.get(&file.key) {
            layout.push((path.clone(), FileContent::Copy(file.path.clone())));
        }
    }
    course.count(&mut report.counts);
    report.close(MANIFEST);
    (layout, report)
}

/// The file of a bank in the package.
fn bank_path(file: &qti::BankFile) -> String {
    format!("{OWN_ASSESSMENTS}/{}.xml.qti", file.ident)
}

/// Modules in Canvas's format: a lesson is a header followed by its pages.
fn modules(course: &CourseDraft, plan: &Plan<'_>) -> String {
    let mut text = format!("{XML}<modules {XMLNS}>\n");
    let rules = Modules::of(course, plan);
    let mut pages = plan.pages.iter();
    for ((number, module), named) in (1..).zip(&course.modules).zip(&plan.modules) {
        text.push_str(&format!(
            "  <module identifier=\"{}\">\n    <title>{}</title>\n    <workflow_state>active</workflow_state>\n    \
             <position>{number}</position>\n{}    <items>\n",
            named.id,
            escaped(&module.title),
            rules.opening(module)
        ));
        let mut items = Vec::new();
        let mut position = 0;
        let mut item = |id: &str, kind: &str, title: &str, published: bool, target: Option<&str>, indent: u8| {
            position += 1;
            let state = if published { "active" } else { "unpublished" };
            let target = target.map(|id| format!("        <identifierref>{id}</identifierref>\n"));
            text.push_str(&format!(
                "      <item identifier=\"{id}\">\n        <content_type>{kind}</content_type>\n        <workflow_state>{state}</workflow_state>\n        \
                 <title>{}</title>\n{}        <position>{position}</position>\n        <new_tab>false</new_tab>\n        <indent>{indent}</indent>\n      </item>\n",
                escaped(title),
                target.unwrap_or_default()
            ));
        };
        for (lesson, id) in module.lessons.iter().zip(&named.lessons) {
            item(id, "ContextModuleSubHeader", &lesson.title, true, None, 0);
            for page in &lesson.pages {
                let Some(name) = pages.next() else { break };
                items.push(name.item.as_str());
                item(
                    &name.item,
                    name.kind.in_module(),
                    &name.title,
                    page.published,
                    Some(&name.id),
                    1,
                );
            }
        }
        text.push_str("    </items>\n");
        text.push_str(&rules.completion(module, &items));
        text.push_str("  </module>\n");
    }
    text + "</modules>\n"
}

/// Whether an open question has something that Canvas has no place for.
fn has_details(kind: &Kind) -> bool {
    let of_answer = match kind {
        Kind::Essay {
            min_words, max_words, ..
        } => min_words.is_some() || max_words.is_some(),
        Kind::FileUpload {
            max_files, extensions, ..
        } => *max_files != 1 || !extensions.is_empty(),
        _ => false,
    };
    of_answer || kind.guide().is_some() || kind.rubric().is_some()
}

/// The notes about features of questions that Canvas does not have.
fn lost_by_canvas(quiz: &Quiz) -> Vec<Note> {
    let any = |is: fn(&Kind) -> bool| quiz.questions.iter().any(|question| is(&question.kind));
    let mut notes = Vec::new();
    if any(|kind| kind.options().is_some_and(is_weighted)) {
        notes.push(Note::WeightsOmitted);
    }
    if any(Kind::is_all_or_nothing) {
        notes.push(Note::AllOrNothing);
    }
    if quiz.questions.iter().any(|question| !question.hints.is_empty()) {
        notes.push(Note::HintsOmitted);
    }
    if any(|kind| !kind.units().is_empty()) {
        notes.push(Note::UnitsOmitted);
    }
    notes
}

struct PageWriter<'a> {
    plan: &'a Plan<'a>,
    files: HashMap<String, FileDraft>,
    banks: &'a [BankDraft],
}

impl PageWriter<'_> {
    /// The document with package addresses; `originals` receives the original of each.
    fn localized(&self, document: &Value, originals: &mut HashMap<String, String>) -> Value {
        let mut document = document.clone();
        content::map_addresses(&mut document, |address| {
            let local = self.plan.address(address)?;
            originals.insert(local.clone(), address.to_owned());
            Some(local)
        });
        document
    }

    fn body(&self, document: &Value) -> String {
        html::write(&self.localized(document, &mut HashMap::new()), &self.files)
    }

    fn page(&self, page: &PageDraft, id: &str, dates: PageDates) -> String {
        let state = if page.published { "active" } else { "unpublished" };
        format!(
            "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"/>\n<title>{}</title>\n\
             <meta name=\"identifier\" content=\"{id}\"/>\n<meta name=\"editing_roles\" content=\"teachers\"/>\n\
             <meta name=\"workflow_state\" content=\"{state}\"/>\n{}{GENERATOR}\n</head>\n<body>\n{}</body>\n</html>\n",
            escaped(&names::title(page)),
            dates.of_html(),
            self.body(&page.content.read())
        )
    }

    /// Whether the question is a draw from a bank that is not in the package.
    fn is_omitted(&self, question: &Question) -> bool {
        match &question.kind {
            Kind::Draw { bank_id, .. } => self.banks.iter().all(|bank| bank.id != *bank_id),
            _ => false,
        }
    }

    fn bank(&self, file: &qti::BankFile, questions: &[&TaggedQuestion]) -> String {
        let mut originals = HashMap::new();
        let localized = questions.iter().map(|tagged| {
            let mut question = tagged.question.as_question().clone();
            for document in question.documents_mut() {
                *document = self.localized(document, &mut originals);
            }
            question
        });
        let localized: Vec<Question> = localized.collect();
        let names = qti::Names {
            files: &self.files,
            originals: &originals,
            banks: &[],
        };
        qti::write_bank(file, localized.iter(), &names)
    }

    fn quiz(
        &self,
        page: &PageDraft,
        quiz: &Quiz,
        name: &names::PageName,
        dates: PageDates,
        layout: &mut Layout,
        report: &mut Report,
    ) {
        let draws = quiz
            .questions
            .iter()
            .filter(|question| self.is_omitted(question))
            .count();
        if draws > 0 {
            report.add(&name.title, Note::Draws(draws));
        }
        if quiz.draw_count() > draws {
            report.add(&name.title, Note::Cartridge(CartridgeNote::DrawsOfCanvas));
        }
        let mut quiz = quiz.clone();
        quiz.questions.retain(|question| !self.is_omitted(question));
        let mut originals = HashMap::new();
        for document in quiz.documents_mut() {
            *document = self.localized(document, &mut originals);
        }
        let rubric = self.body(&page.content.read());
        let named = qti::Names {
            files: &self.files,
            originals: &originals,
            banks: self.banks,
        };
        let written = qti::write(&name.id, &name.title, &quiz, &rubric, &named);
        for note in written.notes {
            report.add(&name.title, Note::Cartridge(note));
        }
        for note in lost_by_canvas(&quiz) {
            report.add(&name.title, note);
        }
        if quiz.questions.iter().any(|question| has_details(&question.kind)) {
            report.add(&name.title, Note::Cartridge(CartridgeNote::OpenDetails));
        }
        let points: f64 = quiz
            .questions
            .iter()
            .map(|question| question.points.as_f64() * question.kind.count() as f64)
            .sum();
        let meta = format!(
            "{XML}<quiz identifier=\"{}\" {XMLNS}>\n  <title>{}</title>\n{}  <shuffle_answers>{}</shuffle_answers>\n  \
             <scoring_policy>keep_highest</scoring_policy>\n  <hide_results>{}</hide_results>\n  <quiz_type>assignment</quiz_type>\n  \
             <points_possible>{points}</points_possible>\n  <show_correct_answers>{}</show_correct_answers>\n  \
             <allowed_attempts>{}</allowed_attempts>\n{}  <available>{}</available>\n{}</quiz>\n",
            name.id,
            escaped(&name.title),
            if rubric.is_empty() {
                String::new()
            } else {
                format!("  <description>{}</description>\n", escaped(&rubric))
            },
            quiz.shuffle_options,
            if quiz.reveal == Reveal::Never { "always" } else { "" },
            quiz.reveal == Reveal::AfterSubmit,
            quiz.max_attempts
                .map_or("-1".to_owned(), |attempts| attempts.to_string()),
            // Canvas counts in minutes; nobody gets less time than before.
            quiz.time_limit_seconds.map_or(String::new(), |seconds| {
                format!("  <time_limit>{}</time_limit>\n", seconds.div_ceil(60))
            }),
            page.published,
            dates.of_quiz(),
        );
        layout.push((name.path.clone(), FileContent::Text(written.profile)));
        layout.push((names::meta_path(&name.id), FileContent::Text(meta)));
        layout.push((
            format!("{OWN_ASSESSMENTS}/{}.xml.qti", name.id),
            FileContent::Text(written.own),
        ));
    }
}
