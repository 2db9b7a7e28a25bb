//! Writes the file around the pages: head, contents, search, and navigation between pages.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::document::PageWriter;
use super::media::Embedded;
use super::{Site, escaped, fragment, quiz, title_of};
use crate::content::{self, Anchors};
use crate::course::{LessonDraft, ModuleDraft, PageDraft};
use crate::note::Note;
use crate::report::Report;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The anchor of the cover page.
const COVER: &str = "course";

pub fn write(site: &Site<'_>, out: &mut dyn Write, report: &mut Report) -> io::Result<()> {
    head(site, out)?;
    contents(site, out)?;
    write!(out, "<main id=\"main\" tabindex=\"-1\">")?;
    cover(site, out)?;
    let pages: Vec<_> = site.pages().collect();
    let mut embedded = Embedded::new(site.has_bytes);
    for (at, (module, lesson, page)) in pages.iter().copied().enumerate() {
        let before = at.checked_sub(1).and_then(|at| pages.get(at));
        let around = (
            before.map(|(.., page)| *page),
            pages.get(at + 1).map(|(.., page)| *page),
        );
        article(site, out, (&mut *report, &mut embedded), (module, lesson, page), around)?;
    }
    writeln!(out, "</main></div><script>{SCRIPT}</script></body></html>")
}

/// The content security policy: nothing is loaded from outside. The style sheet and the script are allowed by hash;
/// formulas need `style` attributes.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; img-src data:; media-src data:; style-src-elem 'sha256-{}'; style-src-attr 'unsafe-inline'; \
         script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

fn head(site: &Site<'_>, out: &mut dyn Write) -> io::Result<()> {
    let labels = site.labels;
    let title = escaped(&site.course.title);
    write!(
        out,
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"referrer\" content=\"no-referrer\"><meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"generator\" content=\"Kurso\"><title>{title}</title><style>{STYLE}</style></head>",
        labels.lang,
        escaped(&policy())
    )?;
    write!(
        out,
        "<body data-copy=\"{}\" data-copied=\"{}\" data-found=\"{}\" data-nothing=\"{}\">\
         <a class=\"skip\" href=\"#main\">{}</a>\
         <header class=\"bar\"><button type=\"button\" class=\"menu\" aria-expanded=\"false\" aria-controls=\"contents\" hidden>\
         <svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"M3 5.5h14M3 10h14M3 14.5h14\"/></svg><span class=\"unseen\">{}</span></button>\
         <a class=\"course\" href=\"#{COVER}\">{title}</a>\
         <button type=\"button\" class=\"theme\" aria-pressed=\"false\" hidden>\
         <svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"M16.5 12A7 7 0 1 1 8 3.5 5.6 5.6 0 0 0 16.5 12z\"/></svg>\
         <span class=\"unseen\">{}</span></button></header><div class=\"desk\">",
        labels.copy, labels.copied, labels.results, labels.nothing, labels.skip, labels.contents, labels.theme
    )
}

fn contents(site: &Site<'_>, out: &mut dyn Write) -> io::Result<()> {
    let labels = site.labels;
    write!(
        out,
        "<nav id=\"contents\" aria-label=\"{0}\"><form role=\"search\" hidden><label for=\"search\" class=\"unseen\">{1}</label>\
         <input id=\"search\" type=\"search\" placeholder=\"{1}\" autocomplete=\"off\" spellcheck=\"false\" maxlength=\"200\">\
         <p class=\"found\" role=\"status\"></p><ol class=\"results\"></ol></form><div class=\"tree\">",
        labels.contents, labels.search
    )?;
    for module in &site.course.modules {
        let shown = |lesson: &&LessonDraft| lesson.pages.iter().any(|page| page.published);
        let lessons: Vec<&LessonDraft> = module.lessons.iter().filter(shown).collect();
        if lessons.is_empty() {
            continue;
        }
        write!(out, "<details open><summary>{}</summary><ul>", escaped(&module.title))?;
        for lesson in lessons {
            write!(out, "<li>")?;
            let pages: Vec<&PageDraft> = lesson.pages.iter().filter(|page| page.published).collect();
            match pages.as_slice() {
                // A lesson with one page is shown as that page.
                [page] => link(site, out, page, &lesson.title)?,
                pages => {
                    write!(out, "<details><summary>{}</summary><ul>", escaped(&lesson.title))?;
                    for page in pages {
                        write!(out, "<li>")?;
                        link(site, out, page, &title_of(page, labels))?;
                        write!(out, "</li>")?;
                    }
                    write!(out, "</ul></details>")?;
                }
            }
            write!(out, "</li>")?;
        }
        write!(out, "</ul></details>")?;
    }
    write!(out, "</div></nav>")
}

fn link(site: &Site<'_>, out: &mut dyn Write, page: &PageDraft, title: &str) -> io::Result<()> {
    write!(
        out,
        "<a href=\"#{}\">{}</a>",
        fragment(site.anchor(page)),
        escaped(title)
    )
}

fn cover(site: &Site<'_>, out: &mut dyn Write) -> io::Result<()> {
    let course = site.course;
    let pages = site.pages().count();
    write!(
        out,
        "<article id=\"{COVER}\" aria-labelledby=\"{COVER}-title\"><p class=\"place\">{}</p><h1 id=\"{COVER}-title\" tabindex=\"-1\">{}</h1>",
        site.labels.extent(course.modules.len(), pages),
        escaped(&course.title)
    )?;
    let description = course.description.as_deref().unwrap_or_default();
    for line in description.lines().filter(|line| !line.trim().is_empty()) {
        write!(out, "<p class=\"lead\">{}</p>", escaped(line))?;
    }
    if let Some((.., first)) = site.pages().next() {
        write!(
            out,
            "<nav class=\"around\" aria-label=\"{}\"><a class=\"next\" rel=\"next\" href=\"#{}\"><span>{}</span><b>{}</b></a></nav>",
            site.labels.pages,
            fragment(site.anchor(first)),
            site.labels.begin,
            escaped(&title_of(first, site.labels))
        )?;
    }
    write!(out, "</article>")
}

fn article(
    site: &Site<'_>,
    out: &mut dyn Write,
    (report, embedded): (&mut Report, &mut Embedded),
    (module, lesson, page): (&ModuleDraft, &LessonDraft, &PageDraft),
    (before, after): (Option<&PageDraft>, Option<&PageDraft>),
) -> io::Result<()> {
    let anchor = escaped(site.anchor(page));
    let title = title_of(page, site.labels);
    let place = if module.title == lesson.title || lesson.title == title {
        escaped(&module.title)
    } else {
        format!(
            "{} <span aria-hidden=\"true\">›</span> {}",
            escaped(&module.title),
            escaped(&lesson.title)
        )
    };
    write!(
        out,
        "<article id=\"{anchor}\" aria-labelledby=\"{anchor}/\"><p class=\"place\">{place}</p>\
         <h1 id=\"{anchor}/\" tabindex=\"-1\">{}</h1><div class=\"text\">",
        escaped(&title)
    )?;
    let mut writer = PageWriter {
        site,
        out: &mut *out,
        report,
        embedded,
        place: title,
        scope: Some(site.anchor(page).to_owned()),
        anchors: Anchors::default(),
        above: Vec::new(),
        rank: 2,
    };
    let document = page.content.read();
    if page.quiz.is_none() || !content::is_empty(&document) {
        writer.document(&document)?;
    }
    if let Some(quiz) = &page.quiz {
        quiz::write(&mut writer, &quiz.without_draws())?;
        let draws = quiz.draw_count();
        if draws > 0 {
            writer.report.add(writer.place.clone(), Note::Draws(draws));
        }
    }
    write!(out, "</div><nav class=\"around\" aria-label=\"{}\">", site.labels.pages)?;
    for (page, class, said) in [
        (before, "previous", site.labels.previous),
        (after, "next", site.labels.next),
    ] {
        let Some(page) = page else { continue };
        write!(
            out,
            "<a class=\"{class}\" rel=\"{}\" href=\"#{}\"><span>{said}</span><b>{}</b></a>",
            if class == "next" { "next" } else { "prev" },
            fragment(site.anchor(page)),
            escaped(&title_of(page, site.labels))
        )?;
    }
    write!(out, "</nav></article>")
}
