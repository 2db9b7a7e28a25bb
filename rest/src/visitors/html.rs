//! The frame of a page: head, header and footer, and the policy that allows it nothing but its own style.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kurso_base::hex::hex;
use kurso_base::messages::Lang;
use kurso_core::Kurso;
use kurso_formats::escaped;
use sha2::{Digest as _, Sha256};

use super::texts::{Texts, texts};

const STYLE: &str = include_str!("style.css");

/// The policy of the pages. No script runs, whatever a title contains. Audits of pages read `robots.txt` from within them, so they may read this server.
pub fn policy() -> String {
    static POLICY: LazyLock<String> = LazyLock::new(|| {
        let hash = STANDARD.encode(Sha256::digest(STYLE));
        format!(
            "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
    });
    POLICY.clone()
}

/// A finished page.
pub struct Html {
    pub text: String,
    /// Whether search engines may list it.
    pub is_indexed: bool,
}

impl Html {
    /// Identifies the text of the page.
    pub fn digest(&self) -> String {
        let mut digest = hex(&Sha256::digest(&self.text));
        digest.truncate(32);
        digest
    }
}

/// The picture of a preview.
pub struct Preview {
    /// Absolute.
    pub url: String,
    pub width: i64,
    pub height: i64,
}

/// The language of a page, and whether its address names it: then its links name it too.
#[derive(Clone, Copy)]
pub struct Language {
    pub lang: Lang,
    pub is_named: bool,
}

impl Language {
    /// The path of a page in this language. The path has a query or not.
    pub fn path(self, path: &str) -> String {
        match self.is_named {
            true => with_lang(path, self.lang),
            false => path.to_owned(),
        }
    }
}

fn with_lang(path: &str, lang: Lang) -> String {
    let joint = if path.contains('?') { '&' } else { '?' };
    format!("{path}{joint}lang={}", lang.name())
}

/// What differs between pages. Texts are plain: the frame escapes them.
pub struct Frame<'a> {
    pub language: Language,
    pub title: &'a str,
    /// For search engines and previews, in one line.
    pub description: &'a str,
    /// The path of the page without a language.
    pub path: &'a str,
    pub is_indexed: bool,
    pub picture: Option<Preview>,
    /// JSON-LD.
    pub data: Option<serde_json::Value>,
    /// HTML.
    pub main: &'a str,
}

/// Puts a page together.
pub fn framed(kurso: &Kurso, frame: &Frame<'_>) -> Html {
    let language = frame.language;
    let texts = texts(language.lang);
    let (other, other_name) = match language.lang {
        Lang::Ru => (Lang::En, "In English"),
        Lang::En => (Lang::Ru, "По-русски"),
    };
    let text = format!(
        r##"<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} — Kurso</title>
{meta}<link rel="icon" href="/favicon.ico" sizes="32x32">
<style>{STYLE}</style>
</head>
<body>
<a class="skip" href="#main">{skip}</a>
<header>
<a class="brand" href="/">Kurso</a>
<nav aria-label="{navigation}"><a href="{catalogue_path}">{catalogue}</a></nav>
<a href="/login">{sign_in}</a>
</header>
<main id="main">
{main}</main>
<footer><a href="{other_address}" hreflang="{other}" lang="{other}">{other_name}</a></footer>
</body>
</html>
"##,
        lang = language.lang.name(),
        catalogue_path = escaped(&language.path("/courses")),
        title = escaped(frame.title),
        meta = meta(kurso, frame, texts),
        skip = texts.skip,
        navigation = texts.navigation,
        catalogue = texts.catalogue,
        sign_in = texts.sign_in,
        main = frame.main,
        other_address = escaped(&with_lang(frame.path, other)),
        other = other.name(),
    );
    Html {
        text,
        is_indexed: frame.is_indexed,
    }
}

fn meta(kurso: &Kurso, frame: &Frame<'_>, texts: &Texts) -> String {
    let mut out = String::new();
    let mut add = |attribute: &str, name: &str, content: &str| {
        out.push_str(&format!(
            "<meta {attribute}=\"{name}\" content=\"{}\">\n",
            escaped(content)
        ));
    };
    let address = kurso.mail.page(&frame.language.path(frame.path));
    add("name", "description", frame.description);
    if !frame.is_indexed {
        add("name", "robots", "noindex");
    }
    add("property", "og:type", "website");
    add("property", "og:site_name", "Kurso");
    add("property", "og:locale", texts.locale);
    add("property", "og:title", frame.title);
    add("property", "og:description", frame.description);
    add("property", "og:url", &address);
    add("name", "twitter:title", frame.title);
    add("name", "twitter:description", frame.description);
    match &frame.picture {
        Some(picture) => {
            add("property", "og:image", &picture.url);
            add("property", "og:image:width", &picture.width.to_string());
            add("property", "og:image:height", &picture.height.to_string());
            add("property", "og:image:alt", frame.title);
            add("name", "twitter:card", "summary_large_image");
            add("name", "twitter:image", &picture.url);
        }
        None => {
            add("property", "og:image", &kurso.mail.page("/icons/icon-512.png"));
            add("name", "twitter:card", "summary");
        }
    }
    out.push_str(&format!("<link rel=\"canonical\" href=\"{}\">\n", escaped(&address)));
    if frame.is_indexed {
        let mut alternate = |lang: &str, path: &str| {
            let address = escaped(&kurso.mail.page(path));
            out.push_str(&format!(
                "<link rel=\"alternate\" hreflang=\"{lang}\" href=\"{address}\">\n"
            ));
        };
        for lang in [Lang::Ru, Lang::En] {
            alternate(lang.name(), &with_lang(frame.path, lang));
        }
        alternate("x-default", frame.path);
    }
    if let Some(data) = &frame.data {
        // Neither a `<` nor an entity in a text may end the element.
        let data = data.to_string();
        let data = data
            .replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026");
        out.push_str(&format!("<script type=\"application/ld+json\">{data}</script>\n"));
    }
    out
}

/// What an address should have led to.
#[derive(Clone, Copy)]
pub enum Missing {
    Course,
    Certificate,
}

/// The page of an address that leads nowhere.
pub fn not_found(kurso: &Kurso, missing: Missing, language: Language) -> Html {
    let texts = texts(language.lang);
    let (title, text) = match missing {
        Missing::Course => (texts.no_course, texts.no_course_text),
        Missing::Certificate => (texts.no_certificate, texts.no_certificate_text),
    };
    let main = format!(
        "<h1>{}</h1>\n<p>{}</p>\n<p><a class=\"button\" href=\"{}\">{}</a></p>\n",
        title,
        text,
        escaped(&language.path("/courses")),
        texts.to_catalogue
    );
    let frame = Frame {
        language,
        title,
        description: text,
        path: "/courses",
        is_indexed: false,
        picture: None,
        data: None,
        main: &main,
    };
    framed(kurso, &frame)
}

/// A text in one line, cut to this many characters and `…`.
pub fn in_one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
        None => line,
    }
}
