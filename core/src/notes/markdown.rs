//! The notes of a person in a course as a Markdown text.

use kurso_base::error::Result;
use kurso_base::ids::CourseId;
use kurso_base::messages::Lang;
use kurso_base::pagination::Page;

use super::list::of_course;
use super::{About, CourseNotes, MAX_IN_COURSE, Note, NoteFilter};
use crate::Kurso;
use crate::access::Viewer;
use crate::learning::view::CourseView;

/// The words between the notes.
struct Labels {
    notes: &'static str,
    bookmarks: &'static str,
    page: &'static str,
    unseen: &'static str,
    withheld: &'static str,
    gone: &'static str,
}

fn labels(lang: Lang) -> Labels {
    match lang {
        Lang::Ru => Labels {
            notes: "Заметки",
            bookmarks: "Закладки",
            page: "Страница",
            unseen: "Страницы, которые сейчас недоступны",
            withheld: "Страница сейчас недоступна, поэтому выделенных слов здесь нет.",
            gone: "Место на странице изменилось.",
        },
        Lang::En => Labels {
            notes: "Notes",
            bookmarks: "Bookmarks",
            page: "Page",
            unseen: "Pages that are not available now",
            withheld: "The page is not available now, so the highlighted words are left out.",
            gone: "The place in the page has changed.",
        },
    }
}

/// All notes and bookmarks of the viewer in a course, by module and page. Fails as [`super::in_course`] does.
pub async fn markdown(kurso: &Kurso, viewer: &Viewer, course: CourseId, lang: Lang) -> Result<String> {
    let window = Page {
        skip: 0,
        limit: MAX_IN_COURSE,
    };
    let found = of_course(kurso, viewer, course, &NoteFilter::default(), window).await?;
    Ok(text(&found, &labels(lang)))
}

fn text(found: &CourseNotes, labels: &Labels) -> String {
    let mut text = match &found.view {
        Some(view) => format!("# {}: {}\n", labels.notes, escaped(&view.course.title)),
        None => format!("# {}\n", labels.notes),
    };
    let (mut module, mut page) = (None, None);
    for note in &found.notes.data {
        match found.view.as_ref().zip(found.place(note)) {
            Some((view, place)) => {
                let lesson = view.lesson(view.page(place).lesson);
                if module != Some(Some(lesson.module)) {
                    module = Some(Some(lesson.module));
                    text += &format!("\n## {}\n", escaped(&view.module(lesson.module).title));
                }
                if page != Some(place) {
                    page = Some(place);
                    text += &format!("\n### {}\n", title(view, place, labels));
                }
            }
            None => {
                if module != Some(None) {
                    module = Some(None);
                    text += &format!("\n## {}\n", labels.unseen);
                }
            }
        }
        text += &one(note, labels);
    }
    if let Some(view) = found.view.as_ref().filter(|_| !found.bookmarks.is_empty()) {
        text += &format!("\n## {}\n\n", labels.bookmarks);
        for place in &found.bookmarks {
            text += &format!("- {}\n", title(view, *place, labels));
        }
    }
    text
}

/// The lesson and the page.
fn title(view: &CourseView, place: usize, labels: &Labels) -> String {
    let page = view.page(place);
    let own = page.title.as_deref().map(escaped);
    let own = own.unwrap_or_else(|| format!("{} {}", labels.page, view.number(place)));
    format!("{} — {own}", escaped(&view.lesson(page.lesson).title))
}

fn one(note: &Note, labels: &Labels) -> String {
    let mut text = match &note.about {
        About::Page => String::new(),
        About::Words(words, Some(_)) => format!("\n> {}\n", escaped(&words.exact)),
        About::Words(words, None) => format!("\n> {}\n>\n> *{}*\n", escaped(&words.exact), labels.gone),
        About::Withheld => format!("\n> *{}*\n", labels.withheld),
    };
    let body = note.body.trim();
    if !body.is_empty() {
        text += &format!("\n{body}\n");
    }
    text
}

/// A text of the course in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in kurso_base::text::one_line(text).chars() {
        if c.is_ascii_punctuation()
            && !matches!(
                c,
                ',' | '.' | ':' | ';' | '?' | '!' | '\'' | '"' | '/' | '%' | '(' | ')'
            )
        {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
