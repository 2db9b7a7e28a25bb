//! The text of a question or an answer under a page: a small document.

use serde_json::{Value, json};

use super::walk::{kind, visit};
use super::{validate, walk};
use kurso_base::messages::Message;
use kurso_base::search::fold;
use kurso_base::values::{Checked, Problem};

/// The blocks and inline nodes of posts: text, lists, quotes, code, formulas and pictures.
const NODES: [&str; 12] = [
    "doc",
    "paragraph",
    "bulletList",
    "orderedList",
    "listItem",
    "blockquote",
    "codeBlock",
    "image",
    "blockMath",
    "text",
    "hardBreak",
    "inlineMath",
];

/// A document of some of the nodes of pages, with at most [`PostBody::MAX`] characters and [`PostBody::MAX_PICTURES`] pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct PostBody(Value);

impl PostBody {
    /// The most characters of its text.
    pub const MAX: usize = 10_000;
    /// The most bytes of its JSON text.
    pub const MAX_BYTES: usize = 100_000;
    /// The most pictures.
    pub const MAX_PICTURES: usize = 5;

    pub fn as_json(&self) -> &Value {
        &self.0
    }

    /// The number of links: marked ones, and addresses in plain text. Code does not count.
    pub fn links(&self) -> usize {
        links(&self.0)
    }

    /// The first of these words or phrases that the text has, in any case. Parts of words do not count.
    pub fn forbidden<'a>(&self, words: &'a [String]) -> Option<&'a str> {
        let text = self.searched();
        let spaced_text = spaced(&text);
        let has = |word: &&String| {
            let word = kurso_base::text::one_line(&bare(word));
            match word.chars().all(|c| c.is_alphanumeric() || " -'’".contains(c)) {
                true => spaced(&word).len() > 2 && spaced_text.contains(&spaced(&word)),
                false => contains_apart(&text, &word),
            }
        };
        words.iter().find(has).map(String::as_str)
    }

    /// All that people read of it, also the descriptions of pictures, on one line.
    fn searched(&self) -> String {
        let mut text = walk::text(&self.0);
        visit(&self.0, 0, &mut |node| {
            text.push('\n');
            text.push_str(walk::attr(node, "alt").unwrap_or_default());
        });
        kurso_base::text::one_line(&bare(&text))
    }
}

/// The number of links in a node. Neighbouring texts with the same address are one link, of which a part is bold.
fn links(node: &Value) -> usize {
    let mut count = addresses(walk::attr(node, "caption").unwrap_or_default());
    if kind(node) == "codeBlock" {
        return count;
    }
    let (mut plain, mut last) = (String::new(), None);
    for child in walk::list(node, "content") {
        let href = walk::list(child, "marks").iter().find(|mark| kind(mark) == "link");
        let href = href.map(|mark| walk::attr(mark, "href").unwrap_or_default());
        count += usize::from(href.is_some() && href != last) + links(child);
        last = href;
        match (href, kind(child)) {
            (None, "text") => plain.push_str(child.get("text").and_then(Value::as_str).unwrap_or_default()),
            _ => plain.push(' '),
        }
    }
    count + addresses(&plain)
}

/// The number of addresses in a text.
fn addresses(text: &str) -> usize {
    let is_address = |word: &&str| {
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        word.contains("://") || word.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))
    };
    text.split_whitespace().filter(is_address).count()
}

/// A text in which upper case, accents and invisible characters make no difference.
fn bare(text: &str) -> String {
    let is_ignored =
        |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    fold(text).chars().filter(|c| !is_ignored(*c)).collect()
}

/// The words of a text, each between two spaces.
fn spaced(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut spaced = String::from(" ");
    for word in words {
        spaced.push_str(word);
        spaced.push(' ');
    }
    spaced
}

/// Whether a text contains a word with other characters than letters, like `C++`, and not as a part of a longer one.
fn contains_apart(text: &str, word: &str) -> bool {
    let continues = |inner: Option<char>, outer: Option<char>| {
        inner.is_some_and(char::is_alphanumeric) && outer.is_some_and(char::is_alphanumeric)
    };
    text.match_indices(word).any(|(start, found)| {
        let (before, after) = (
            text.get(..start).unwrap_or_default(),
            text.get(start + found.len()..).unwrap_or_default(),
        );
        !continues(word.chars().next(), before.chars().next_back())
            && !continues(word.chars().next_back(), after.chars().next())
    })
}

impl Checked for PostBody {
    type Plain = Value;
    const HIDDEN: bool = true;

    fn check(plain: Value) -> Result<Self, Problem> {
        validate(&plain)?;
        let refused = |message| Err(Problem::new("value_error", message));
        let (mut other, mut pictures) = (None, 0);
        visit(&plain, 0, &mut |node| match kind(node) {
            "image" => pictures += 1,
            kind if !NODES.contains(&kind) => other = other.or(Some(kind)),
            _ => {}
        });
        if let Some(other) = other {
            return refused(Message::NotInPosts(other.to_owned()));
        }
        if pictures > Self::MAX_PICTURES {
            return refused(Message::TooManyPictures(Self::MAX_PICTURES));
        }
        let text = walk::text(&plain);
        if text.chars().count() > Self::MAX || plain.to_string().len() > Self::MAX_BYTES {
            return refused(Message::PostTooLong(Self::MAX));
        }
        if text.trim().is_empty() && pictures == 0 {
            return refused(Message::PostEmpty);
        }
        Ok(PostBody(plain))
    }

    fn wrong_type() -> Problem {
        validate(&Value::Null).map_or_else(Problem::from, |()| Problem::missing())
    }
}

/// A post of paragraphs, for what has only a plain text.
impl From<&str> for PostBody {
    fn from(text: &str) -> Self {
        let paragraphs = text.lines().filter(|line| !line.is_empty());
        let paragraphs =
            paragraphs.map(|line| json!({"type": "paragraph", "content": [{"type": "text", "text": line}]}));
        PostBody(json!({"type": "doc", "content": paragraphs.collect::<Vec<_>>()}))
    }
}

#[cfg(any(test, feature = "testing"))]
impl<'de> serde::Deserialize<'de> for PostBody {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        PostBody::check(value).map_err(|problem| serde::de::Error::custom(problem.message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Value {
        json!({"type": "paragraph", "content": [{"type": "text", "text": text}]})
    }

    fn post(blocks: impl Into<Value>) -> Result<PostBody, Message> {
        let document = json!({"type": "doc", "content": blocks.into()});
        PostBody::check(document).map_err(|problem| problem.message)
    }

    #[test]
    fn posts_have_text_code_formulas_and_few_pictures() {
        let picture = json!({"type": "image", "attrs": {"src": "/files/0123456789abcdef0123456789abcdef/a.png"}});
        let code = json!({"type": "codeBlock", "content": [{"type": "text", "text": "let x;"}]});
        let formula = json!({"type": "blockMath", "attrs": {"latex": "x^2"}});
        for blocks in [
            vec![paragraph("Why?")],
            vec![picture.clone()],
            vec![code],
            vec![formula],
            vec![paragraph(&"я".repeat(PostBody::MAX))],
            vec![picture.clone(); PostBody::MAX_PICTURES],
        ] {
            assert!(post(blocks.clone()).is_ok(), "{blocks:?}");
        }
        let video = json!({"type": "video", "attrs": {"src": "/files/0123456789abcdef0123456789abcdef/a.mp4"}});
        for (blocks, message) in [
            (vec![paragraph("Why?"), video], Message::NotInPosts("video".to_owned())),
            (
                vec![json!({"type": "heading", "attrs": {"level": 1}})],
                Message::NotInPosts("heading".to_owned()),
            ),
            (vec![paragraph("  ")], Message::PostEmpty),
            (vec![json!({"type": "paragraph"})], Message::PostEmpty),
            (
                vec![paragraph(&"я".repeat(PostBody::MAX + 1))],
                Message::PostTooLong(PostBody::MAX),
            ),
            (
                vec![picture; PostBody::MAX_PICTURES + 1],
                Message::TooManyPictures(PostBody::MAX_PICTURES),
            ),
        ] {
            assert_eq!(post(blocks), Err(message));
        }
        assert!(PostBody::check(json!("x")).is_err());
    }

    #[test]
    fn links_are_counted_with_and_without_marks() {
        let linked = json!({"type": "paragraph", "content": [{"type": "text", "text": "https://a.example",
            "marks": [{"type": "link", "attrs": {"href": "https://a.example"}}]}]});
        let plain = paragraph("see http://b.example and www.c.example, not d.example");
        assert_eq!(post(vec![linked, plain]).unwrap().links(), 3);
        assert_eq!(post(vec![paragraph("x")]).unwrap().links(), 0);
        assert_eq!(
            post(vec![paragraph("(https://www.a.example) WWW.b.example")])
                .unwrap()
                .links(),
            2
        );
        let part = |text: &str, marks: Value| json!({"type": "text", "text": text, "marks": marks});
        let link = json!({"type": "link", "attrs": {"href": "https://a.example"}});
        let parts = [part("a", json!([link])), part("b", json!([link, {"type": "bold"}]))];
        assert_eq!(
            post(vec![json!({"type": "paragraph", "content": parts})])
                .unwrap()
                .links(),
            1
        );
        let code = json!({"type": "codeBlock", "content": [{"type": "text", "text": "fetch(\"https://a.example\")"}]});
        assert_eq!(post(vec![code]).unwrap().links(), 0);
    }

    #[test]
    fn forbidden_words_are_found_as_whole_words_in_any_case() {
        let words = [
            "Дурак".to_owned(),
            "go away".to_owned(),
            "?!".to_owned(),
            "ёж".to_owned(),
            "C++".to_owned(),
        ];
        let found = |text: &str| PostBody::from(text).forbidden(&words).map(str::to_owned);
        assert_eq!(found("Сам ДУРАК!").as_deref(), Some("Дурак"));
        assert_eq!(found("Please go,\naway").as_deref(), Some("go away"));
        assert_eq!(found("Еж").as_deref(), Some("ёж"));
        assert_eq!(found("дура\u{301}к").as_deref(), Some("Дурак"), "an accent");
        assert_eq!(
            found("ду\u{ad}р\u{200b}ак").as_deref(),
            Some("Дурак"),
            "invisible characters"
        );
        assert_eq!(found("In c++?").as_deref(), Some("C++"));
        assert_eq!(found("What?!").as_deref(), Some("?!"));
        let picture =
            json!({"type": "image", "attrs": {"src": "/files/0123456789abcdef0123456789abcdef/a.png", "alt": "дурак"}});
        assert!(
            post(vec![picture]).unwrap().forbidden(&words).is_some(),
            "a description"
        );
        for text in ["дураки", "go aways", "", "надурак", "a c b", "abc++"] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
