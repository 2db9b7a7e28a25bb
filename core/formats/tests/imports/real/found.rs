//! What a course and its report have.

use super::*;

/// The things of a course, and the text of its report.
pub struct Found {
    things: Things,
    report: String,
    words_of_report: BTreeSet<String>,
}

impl Found {
    pub fn of(course: &CourseDraft, report: &Report) -> Self {
        let mut things = Things::default();
        things.words(&course.title);
        things.words(course.description.as_deref().unwrap_or_default());
        for module in &course.modules {
            things.words(&module.title);
            things.words(module.description.as_deref().unwrap_or_default());
            module.lessons.iter().for_each(|lesson| things.words(&lesson.title));
        }
        let sources: BTreeMap<String, &str> = course
            .pages()
            .map(|page| (page.id.to_string(), page.source.as_str()))
            .collect();
        for page in course.pages() {
            things.add(Thing::File, page.source.clone());
            things.words(page.title.as_deref().unwrap_or_default());
            let mut documents = vec![page.content.read()];
            documents.extend(page.quiz.iter().flat_map(|quiz| quiz.documents().into_iter().cloned()));
            for document in documents {
                things.words(&content::text(&document));
                node(&document, page, &sources, &mut things);
            }
            answers(page, &mut things);
        }
        for file in &course.files {
            things.add(Thing::Picture, file.filename.clone());
        }
        let report = lines(report).join("\n");
        Found {
            words_of_report: plain(&report).split(' ').map(str::to_owned).collect(),
            report,
            things,
        }
    }

    pub fn has(&self, thing: Thing, text: &str) -> bool {
        let is_there = self.things.0.get(&thing).is_some_and(|texts| texts.contains(text));
        is_there
            || match thing {
                Thing::Word => self.words_of_report.contains(text),
                // The report names the target of a link without its page.
                _ => self.report.contains(text.rsplit(" -> ").next().unwrap_or(text)),
            }
    }
}

/// Adds a node and its descendants.
fn node(value: &Value, page: &PageDraft, sources: &BTreeMap<String, &str>, things: &mut Things) {
    let attr = |name: &str| value["attrs"][name].as_str().unwrap_or_default();
    for name in ["alt", "caption", "filename", "title"] {
        things.words(attr(name));
    }
    match value["type"].as_str().unwrap_or_default() {
        "codeBlock" => things.code(&content::text(value)),
        "inlineMath" | "blockMath" => things.add(Thing::Formula, spaced(attr("latex"))),
        "image" => things.add(Thing::Picture, attr("src")),
        "tableRow" => {
            let cells = value["content"].as_array().into_iter().flatten();
            let cells: Vec<String> = cells.map(|cell| plain(&content::text(cell))).collect();
            things.add(Thing::Row, cells.join(" | "));
        }
        _ => {}
    }
    for mark in value["marks"].as_array().into_iter().flatten() {
        let href = mark["attrs"]["href"].as_str().unwrap_or_default();
        things.words(mark["attrs"]["title"].as_str().unwrap_or_default());
        let to = href
            .strip_prefix("page:")
            .map(|target| target.split('#').next().unwrap());
        match to.and_then(|id| sources.get(id)) {
            Some(source) => things.add(Thing::Link, format!("{} -> {source}", page.source)),
            None => things.add(Thing::Link, href),
        }
        if mark["type"] == "code" {
            things.add(Thing::Code, spaced(value["text"].as_str().unwrap_or_default()));
        }
    }
    for child in value["content"].as_array().into_iter().flatten() {
        node(child, page, sources, things);
    }
}

/// The correct answers of a quiz, each with the prompt of its question, and with its id.
fn answers(page: &PageDraft, things: &mut Things) {
    for question in page.quiz.iter().flat_map(|quiz| &quiz.questions) {
        let text = |document: &Value| plain(&content::text(document));
        let mut answers: Vec<String> = match &question.kind {
            Kind::SingleChoice { options } | Kind::MultipleChoice { options, .. } => {
                let right = |is_right: bool| options.iter().filter(move |option| option.correct == is_right);
                let wrong = right(false).map(|option| format!("not {}", text(&option.content)));
                right(true).map(|option| text(&option.content)).chain(wrong).collect()
            }
            Kind::ShortText { accepted, .. } => accepted.iter().map(|text| plain(text)).collect(),
            Kind::Numeric { value, .. } => value.iter().map(|value| value.as_f64().unwrap().to_string()).collect(),
            Kind::Matching { pairs } => {
                let pair = |left, right| format!("{} = {}", text(left), text(right));
                pairs.iter().map(|own| pair(&own.left, &own.right)).collect()
            }
            Kind::Formula { expression, .. } => {
                things.add(Thing::Formula, spaced(expression));
                vec![]
            }
            Kind::Ordering { .. }
            | Kind::Hotspot { .. }
            | Kind::Essay { .. }
            | Kind::FileUpload { .. }
            | Kind::HandIn { .. }
            | Kind::Draw { .. } => vec![],
            Kind::FillBlank { blanks, .. } => {
                let of = |filling: &Filling| match filling {
                    Filling::Accepted(texts) => texts.iter().map(|text| plain(text)).collect::<Vec<_>>(),
                    Filling::Options(options) => {
                        let right = options.iter().filter(|option| option.correct);
                        right.map(|option| text(&option.content)).collect()
                    }
                };
                blanks.iter().flat_map(|blank| of(&blank.filling)).collect()
            }
        };
        answers.dedup();
        for answer in answers {
            things.words(&answer);
            things.add(Thing::Answer, format!("{}: {answer}", question.id));
            let mut prompt = content::text(&question.prompt);
            if let Kind::FillBlank { text, .. } = &question.kind {
                prompt.push('\n');
                prompt.push_str(&content::text(text));
            }
            things.add(Thing::Answer, format!("{}: {answer}", plain(&prompt)));
        }
    }
}
