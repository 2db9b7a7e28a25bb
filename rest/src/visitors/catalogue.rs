//! The catalogue as HTML, in pages.

use kurso_base::pagination::Listed;
use kurso_core::Kurso;
use kurso_core::public_page::CatalogueEntry;
use kurso_formats::escaped;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::course::{authors, picture};
use super::html::{Frame, Html, Language, framed, in_one_line};
use super::texts::{self, Texts, texts};

/// Maximum length of a description in a card, in characters.
const DESCRIPTION: usize = 160;

/// A page of the catalogue.
pub struct Shown {
    pub found: Listed<CatalogueEntry>,
    /// The words to find; empty for all courses.
    pub search: String,
    /// From 1.
    pub number: i64,
    /// Courses on a page.
    pub pages_of: i64,
}

impl Shown {
    /// Whether the catalogue ends before this page.
    pub fn is_beyond_the_end(&self) -> bool {
        self.found.data.is_empty() && self.number > 1
    }

    /// The path of another page of the same search.
    fn path(&self, number: i64) -> String {
        let mut query = vec![];
        if !self.search.is_empty() {
            query.push(format!("q={}", utf8_percent_encode(&self.search, NON_ALPHANUMERIC)));
        }
        if number > 1 {
            query.push(format!("page={number}"));
        }
        match query.is_empty() {
            true => "/courses".to_owned(),
            false => format!("/courses?{}", query.join("&")),
        }
    }
}

pub fn page(kurso: &Kurso, shown: &Shown, language: Language) -> Html {
    let texts = texts(language.lang);
    let mut main = format!("<h1>{}</h1>\n{}", texts.catalogue, form(shown, texts, language));
    if shown.found.data.is_empty() {
        main.push_str(&nothing(shown, texts, language));
    } else {
        let cards: String = shown
            .found
            .data
            .iter()
            .enumerate()
            .map(|(index, entry)| card(entry, index, texts, language))
            .collect();
        main.push_str(&format!("<ul class=\"cards\">\n{cards}</ul>\n"));
        main.push_str(&paging(shown, texts, language));
    }
    let path = shown.path(shown.number);
    let mut title = texts.catalogue.to_owned();
    if !shown.search.is_empty() {
        title = format!("{}: {} — {title}", texts.found, shown.search);
    }
    if shown.number > 1 {
        title = format!("{title}, {} {}", texts.page, shown.number);
    }
    let frame = Frame {
        language,
        title: &title,
        description: texts.catalogue_description,
        path: &path,
        // Searches have an unlimited number of addresses, so search engines list only the whole catalogue.
        is_indexed: shown.search.is_empty() && !shown.is_beyond_the_end(),
        picture: None,
        data: None,
        main: &main,
    };
    framed(kurso, &frame)
}

fn form(shown: &Shown, texts: &Texts, language: Language) -> String {
    let named = match language.is_named {
        true => format!(
            "<input type=\"hidden\" name=\"lang\" value=\"{}\">",
            language.lang.name()
        ),
        false => String::new(),
    };
    format!(
        "<search><form action=\"/courses\" method=\"get\">\n<div><label for=\"q\">{}</label><input id=\"q\" name=\"q\" type=\"search\" value=\"{}\" maxlength=\"255\">{named}</div>\n<button class=\"button\">{}</button>\n</form></search>\n",
        texts.search,
        escaped(&shown.search),
        texts.find
    )
}

fn nothing(shown: &Shown, texts: &Texts, language: Language) -> String {
    let text = match (shown.is_beyond_the_end(), shown.search.is_empty()) {
        (true, _) => texts.beyond_the_end,
        (false, true) => return format!("<p>{}</p>\n", texts.empty),
        (false, false) => texts.nothing_found,
    };
    let all = escaped(&language.path("/courses"));
    format!("<p>{text}</p>\n<p><a href=\"{all}\">{}</a></p>\n", texts.all_courses)
}

fn card(entry: &CatalogueEntry, index: usize, texts: &Texts, language: Language) -> String {
    let cover = entry.cover.as_ref().map(|cover| picture(cover, index > 1));
    let description = entry.description.as_deref().map(|text| in_one_line(text, DESCRIPTION));
    let description = description.map(|text| format!("<p>{}</p>\n", escaped(&text)));
    let starts = entry.dates.starts_at.map(|at| {
        let date = texts::date(at, entry.dates.zone(), language.lang);
        format!("<p class=\"dim\">{}: {date}</p>\n", texts.starts)
    });
    format!(
        "<li><article>\n{}<h2><a href=\"{}\">{}</a></h2>\n{}{}{}</article></li>\n",
        cover.unwrap_or_default(),
        escaped(&language.path(&format!("/courses/{}", entry.id))),
        escaped(&entry.title),
        description.unwrap_or_default(),
        authors(&entry.authors, texts),
        starts.unwrap_or_default(),
    )
}

fn paging(shown: &Shown, texts: &Texts, language: Language) -> String {
    let mut links = String::new();
    let mut add = |number: i64, rel: &str, label: &str| {
        let path = escaped(&language.path(&shown.path(number)));
        links.push_str(&format!("<a rel=\"{rel}\" href=\"{path}\">{label}</a>\n"));
    };
    if shown.number > 1 {
        add(shown.number - 1, "prev", texts.previous);
    }
    if shown.number * shown.pages_of < shown.found.count {
        add(shown.number + 1, "next", texts.next);
    }
    match links.is_empty() {
        true => String::new(),
        false => format!("<nav class=\"pages\" aria-label=\"{}\">\n{links}</nav>\n", texts.pages),
    }
}
