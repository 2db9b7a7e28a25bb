//! Addresses in documents: file addresses and link targets.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::Url;
use uuid::Uuid;

/// Maximum length of a link's address, in characters.
pub const MAX_HREF: usize = 4096;

/// Characters not percent-encoded in the name of a file's address.
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// `/files/{key}/{name}`: 32 hexadecimal digits and one percent-encoded path segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileAddress<'a> {
    pub key: &'a str,
    /// Percent-encoded.
    pub name: &'a str,
}

impl<'a> FileAddress<'a> {
    pub const PREFIX: &'static str = "/files/";

    pub fn parse(address: &'a str) -> Option<Self> {
        let (key, name) = address.strip_prefix(Self::PREFIX)?.split_once('/')?;
        let good_key = key.len() == 32 && key.bytes().all(|b| b.is_ascii_hexdigit());
        let good_name = !name.is_empty() && name.len() <= 1024 && name != "." && name != ".." && is_segment(name);
        (good_key && good_name).then_some(Self { key, name })
    }

    pub fn format(key: &str, name: &str) -> String {
        format!("/files/{key}/{}", utf8_percent_encode(name, NAME))
    }

    pub fn decoded_name(&self) -> String {
        decoded(self.name)
    }
}

/// Decodes percent-encoding: `%D1%84` becomes `ф`.
pub fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Whether the text contains only characters that RFC 3986 allows in a path segment.
fn is_segment(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let good = match byte {
            b'%' => bytes.by_ref().take(2).filter(u8::is_ascii_hexdigit).count() == 2,
            b if b.is_ascii_alphanumeric() => true,
            b => b"-._~!$&'()*+,;=:@".contains(&b),
        };
        if !good {
            return false;
        }
    }
    true
}

/// The target of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Href<'a> {
    Web(&'a str),
    Mail(&'a str),
    /// A page of the same course, optionally with a heading in it.
    Page {
        page: Uuid,
        anchor: Option<&'a str>,
    },
    /// A heading on the same page.
    Anchor(&'a str),
    File(FileAddress<'a>),
}

impl<'a> Href<'a> {
    pub fn parse(href: &'a str) -> Option<Self> {
        if href.len() > MAX_HREF || href.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return None;
        }
        if let Some(anchor) = href.strip_prefix('#') {
            return (!anchor.is_empty()).then_some(Self::Anchor(anchor));
        }
        if let Some(rest) = href.strip_prefix("page:") {
            let (page, anchor) = match rest.split_once('#') {
                Some((_, "")) => return None,
                Some((page, anchor)) => (page, Some(anchor)),
                None => (rest, None),
            };
            // Only the hyphenated form: each address must have a single spelling, and `Uuid` parses others too.
            let page = (page.len() == 36).then(|| Uuid::parse_str(page).ok()).flatten()?;
            return Some(Self::Page { page, anchor });
        }
        if href.starts_with('/') {
            return FileAddress::parse(href).map(Self::File);
        }
        let scheme = href.split_once(':')?.0.to_ascii_lowercase();
        match scheme.as_str() {
            "mailto" if href.len() > "mailto:".len() => Some(Self::Mail(href)),
            "http" | "https" if has_host(href) => Some(Self::Web(href)),
            _ => None,
        }
    }
}

/// `Url` accepts a missing slash, which other parsers may not.
fn has_host(href: &str) -> bool {
    href.split_once("://").is_some() && Url::parse(href).is_ok_and(|url| url.has_host())
}

/// Whether the id is well-formed for the video provider.
pub fn is_embed_id(provider: &str, id: &str) -> bool {
    if provider == "vk" {
        let Some((owner, video)) = id.split_once('_') else {
            return false;
        };
        let digits = |text: &str| (1..=32).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        return digits(owner.strip_prefix('-').unwrap_or(owner)) && digits(video);
    }
    (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Whether the address starts with a scheme such as `https:`.
pub fn has_scheme(href: &str) -> bool {
    href.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn file_addresses_are_a_key_and_one_encoded_segment() {
        let address = FileAddress::format(KEY, "схема №1 (a/b).png");
        let file = FileAddress::parse(&address).unwrap();
        assert_eq!((file.key, file.decoded_name().as_str()), (KEY, "схема №1 (a/b).png"));
        for bad in [
            "/files/",
            "/files/0123/a.png",
            "/files/0123456789abcdef0123456789abcdef/",
            "/files/0123456789abcdef0123456789abcdef/a/b",
            "/files/0123456789abcdef0123456789abcdef/..",
            "/files/0123456789abcdef0123456789abcdef/a?b",
            "/files/0123456789abcdef0123456789abcdef/%zz",
            "/files/0123456789abcdef0123456789abcdef/%4",
            "/files/0123456789abcdef0123456789abcdeg/a",
            "files/0123456789abcdef0123456789abcdef/a",
            "https://host/files/0123456789abcdef0123456789abcdef/a",
        ] {
            assert_eq!(FileAddress::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn only_known_link_targets_are_accepted() {
        let page = "page:01890000-0000-7000-8000-000000000001";
        for good in [
            "https://example.com",
            "HTTP://example.com/a?b#c",
            "mailto:a@example.com",
            page,
            "page:01890000-0000-7000-8000-000000000001#владение",
            "#a",
            "/files/0123456789abcdef0123456789abcdef/a.pdf",
        ] {
            assert!(Href::parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "#",
            "javascript:alert(1)",
            " https://example.com",
            "https:example.com",
            "https://",
            "//example.com",
            "data:text/html,x",
            "page:1",
            "page:01890000-0000-7000-8000-000000000001#",
            "page:01890000000070008000000000000001",
            "/view-page/1",
            "a.md",
            "mailto:",
            "java\nscript:alert(1)",
        ] {
            assert_eq!(Href::parse(bad), None, "{bad}");
        }
        assert_eq!(Href::parse(&format!("https://e.com/{}", "a".repeat(MAX_HREF))), None);
    }

    #[test]
    fn embed_ids_follow_their_providers_rule() {
        assert!(is_embed_id("vk", "-12_34") && is_embed_id("vk", "12_34") && is_embed_id("youtube", "aB-_9"));
        for (provider, id) in [
            ("vk", "12"),
            ("vk", "--1_2"),
            ("vk", "_"),
            ("youtube", ""),
            ("rutube", "a/b"),
        ] {
            assert!(!is_embed_id(provider, id), "{provider} {id}");
        }
    }
}
