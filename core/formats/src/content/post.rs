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

    /// The number of links: marked ones, and addresses in plain text.
    pub fn links(&self) -> usize {
        let mut links = 0;
        visit(&self.0, 0, &mut |node| {
            let marks = walk::list(node, "marks");
            let text = node.get("text").and_then(Value::as_str).unwrap_or_default();
            links += match marks.iter().any(|mark| kind(mark) == "link") {
                true => 1,
                false => text.matches("://").count() + text.matches("www.").count(),
            };
        });
        links
    }

    /// The first of these words or phrases that the text has, in any case. Parts of words do not count.
    pub fn forbidden<'a>(&self, words: &'a [String]) -> Option<&'a str> {
        let text = spaced(&walk::text(&self.0));
        let has = |word: &&String| {
            let word = spaced(word);
            word.len() > 2 && text.contains(&word)
        };
        words.iter().find(has).map(String::as_str)
    }
}

/// The words of a text, folded, each between two spaces.
fn spaced(text: &str) -> String {
    let folded = fold(text);
    let words = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut spaced = String::from(" ");
    for word in words {
        spaced.push_str(word);
        spaced.push(' ');
    }
    spaced
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
    }

    #[test]
    fn forbidden_words_are_found_as_whole_words_in_any_case() {
        let words = [
            "Дурак".to_owned(),
            "go away".to_owned(),
            "?!".to_owned(),
            "ёж".to_owned(),
        ];
        let found = |text: &str| PostBody::from(text).forbidden(&words).map(str::to_owned);
        assert_eq!(found("Сам ДУРАК!").as_deref(), Some("Дурак"));
        assert_eq!(found("Please go,\naway").as_deref(), Some("go away"));
        assert_eq!(found("Еж").as_deref(), Some("ёж"));
        for text in ["дураки", "go aways", "?!", "", "надурак"] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
