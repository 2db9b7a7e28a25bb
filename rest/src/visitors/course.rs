//! The public page of a course as HTML.

use kurso_base::messages::Lang;
use kurso_base::wire;
use kurso_core::Kurso;
use kurso_core::courses::visibility::Visibility;
use kurso_core::public_page::{Cover, OutlineLesson, OutlineModule, PublicPage};
use kurso_formats::escaped;
use serde_json::{Value, json};

use super::html::{Frame, Html, Language, Preview, framed, in_one_line};
use super::texts::{self, Texts, texts};

/// Maximum length of a description in search results and previews, in characters.
const DESCRIPTION: usize = 200;

pub fn page(kurso: &Kurso, page: &PublicPage, language: Language) -> Html {
    let lang = language.lang;
    let (entry, texts) = (&page.entry, texts(lang));
    let path = format!("/courses/{}", entry.id);
    let description = match &entry.description {
        Some(description) => in_one_line(description, DESCRIPTION),
        None => format!("{}: {}", texts.course_description, entry.title),
    };
    let mut main = String::from("<article>\n");
    if let Some(cover) = &entry.cover {
        main.push_str(&picture(cover, false));
    }
    main.push_str(&format!("<h1>{}</h1>\n", escaped(&entry.title)));
    main.push_str(&authors(&entry.authors, texts));
    main.push_str(&paragraphs(entry.description.as_deref().unwrap_or_default()));
    main.push_str(&start(page, texts));
    main.push_str(&facts(page, texts, lang));
    main.push_str(&contents(&page.modules, texts, lang));
    main.push_str("</article>\n");
    let picture = entry.cover.as_ref().map(|cover| Preview {
        url: kurso.mail.page(&cover.url),
        width: cover.width,
        height: cover.height,
    });
    let frame = Frame {
        language,
        title: &entry.title,
        description: &description,
        path: &path,
        is_indexed: page.entry.visibility == Visibility::Public,
        data: Some(data(kurso, page, &path, &description)),
        picture,
        main: &main,
    };
    framed(kurso, &frame)
}

/// The cover. It is decorative, so its alternative text is empty.
pub fn picture(cover: &Cover, is_below: bool) -> String {
    format!(
        "<img class=\"cover\" src=\"{}\" width=\"{}\" height=\"{}\" alt=\"\"{}>\n",
        escaped(&cover.url),
        cover.width,
        cover.height,
        if is_below {
            " loading=\"lazy\""
        } else {
            " fetchpriority=\"high\""
        }
    )
}

/// Who wrote the course.
pub fn authors(names: &[String], texts: &Texts) -> String {
    let label = match names.len() {
        0 => return String::new(),
        1 => texts.author,
        _ => texts.authors,
    };
    format!("<p class=\"dim\">{label}: {}</p>\n", escaped(&names.join(", ")))
}

/// Plain text in paragraphs.
fn paragraphs(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    blocks
        .map(|block| format!("<p>{}</p>\n", escaped(block).replace('\n', "<br>\n")))
        .collect()
}

fn start(page: &PublicPage, texts: &Texts) -> String {
    let id = page.entry.id;
    let (guest, guest_consent) = match page.entry.allows_guests {
        true => (
            format!(
                "\n<a class=\"button quiet\" href=\"/join/{id}?guest=1\">{}</a>",
                texts.as_guest
            ),
            texts.guest_consent,
        ),
        false => (String::new(), ""),
    };
    let start = match page.is_enrollment_open {
        true => format!(
            "<p class=\"buttons\"><a class=\"button\" href=\"/join/{id}\">{}</a>{guest}</p>\n<p class=\"dim\">{}</p>",
            texts.start,
            [texts.consent, guest_consent].join(" ").trim_end()
        ),
        false => format!("<p>{}</p>", texts.enrollment_closed),
    };
    format!(
        "<div class=\"start\">\n{start}\n<p><a href=\"/view-course/{id}\">{}</a></p>\n</div>\n",
        texts.open
    )
}

fn facts(page: &PublicPage, texts: &Texts, lang: Lang) -> String {
    let (dates, zone) = (&page.entry.dates, page.entry.dates.zone());
    let mut facts: Vec<(&str, String)> = vec![];
    if let Some(starts_at) = dates.starts_at {
        facts.push((texts.starts, texts::date(starts_at, zone, lang)));
    }
    if let Some(ends_at) = dates.ends_at {
        facts.push((texts.ends, texts::date(ends_at, zone, lang)));
    }
    if let Some(enroll_until) = dates.enroll_until.filter(|_| page.is_enrollment_open) {
        let date = texts::date(enroll_until, zone, lang);
        facts.push((texts.enroll_until, texts::until(&date, lang)));
    }
    if page.page_count > 0 {
        let module_count = i64::try_from(page.modules.len()).unwrap_or(i64::MAX);
        let mut size = vec![
            texts::modules(module_count, lang),
            texts::lessons(page.lesson_count, lang),
            texts::pages(page.page_count, lang),
        ];
        if page.quiz_count > 0 {
            size.push(texts::quizzes(page.quiz_count, lang));
        }
        facts.push((texts.size, size.join(", ")));
    }
    if facts.is_empty() {
        return String::new();
    }
    let rows: String = facts
        .iter()
        .map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n"))
        .collect();
    format!(
        "<section aria-labelledby=\"facts\">\n<h2 id=\"facts\">{}</h2>\n<dl>\n{rows}</dl>\n</section>\n",
        texts.facts
    )
}

fn contents(modules: &[OutlineModule], texts: &Texts, lang: Lang) -> String {
    let title = |title: &Option<String>| match title {
        Some(title) => escaped(title),
        None => texts.opens_later.to_owned(),
    };
    let lesson = |lesson: &OutlineLesson| {
        format!(
            "<li><span>{}</span> <span>{}</span></li>\n",
            title(&lesson.title),
            texts::pages(lesson.page_count, lang)
        )
    };
    let module = |module: &OutlineModule| {
        let lessons: String = module.lessons.iter().map(lesson).collect();
        format!("<li><h3>{}</h3>\n<ol>\n{lessons}</ol>\n</li>\n", title(&module.title))
    };
    let body = match modules {
        [] => format!("<p>{}</p>\n", texts.no_contents),
        modules => format!(
            "<ol class=\"modules\">\n{}</ol>\n",
            modules.iter().map(module).collect::<String>()
        ),
    };
    format!(
        "<section aria-labelledby=\"contents\">\n<h2 id=\"contents\">{}</h2>\n{body}</section>\n",
        texts.contents
    )
}

/// The course for search engines (schema.org).
fn data(kurso: &Kurso, page: &PublicPage, path: &str, description: &str) -> Value {
    let entry = &page.entry;
    let authors = entry
        .authors
        .iter()
        .map(|name| json!({"@type": "Person", "name": name}));
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "Course",
        "name": entry.title,
        "description": description,
        "url": kurso.mail.page(path),
        "provider": {"@type": "Organization", "name": "Kurso", "url": kurso.mail.page("/")},
        "author": authors.collect::<Vec<_>>(),
    });
    let mut instance = json!({"@type": "CourseInstance", "courseMode": "Online"});
    for (name, at) in [("startDate", entry.dates.starts_at), ("endDate", entry.dates.ends_at)] {
        if let (Some(at), Some(fields)) = (at, instance.as_object_mut()) {
            fields.insert(name.to_owned(), wire::time_text(&at).into());
        }
    }
    if let Some(fields) = data.as_object_mut() {
        fields.insert("hasCourseInstance".to_owned(), instance);
        if let Some(cover) = &entry.cover {
            fields.insert("image".to_owned(), kurso.mail.page(&cover.url).into());
        }
    }
    data
}
