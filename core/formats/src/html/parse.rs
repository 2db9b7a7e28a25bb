//! Parses HTML with limits of depth and size: a few kilobytes of unclosed tags could otherwise cost minutes or
//! gigabytes.

use std::cell::Cell;

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink as _, create_element};
use html5ever::{QualName, local_name, ns};
use scraper::{Html, HtmlTreeSink, Node};

use super::LimitExceeded;

/// Real pages are not that deep; the recursion of the converter depends on it.
const MAX_DEPTH: usize = 160;
/// A document full of one-word paragraphs has this many; each costs the converter up to two kilobytes.
const MAX_NODES: usize = 100_000;
/// Attributes of all elements. The parser copies those of open formatting elements into every paragraph.
const MAX_ATTRIBUTES: usize = 300_000;
/// Attributes per tag. The tokenizer compares each with all before it, so the time per tag grows with the square.
const MAX_TAG_ATTRIBUTES: usize = 1000;
/// Bytes between two checks, which bounds the work between them.
const STEP: usize = 1024;

pub fn parse(html: &str) -> Result<Html, LimitExceeded> {
    let body = QualName::new(None, ns!(html), local_name!("body"));
    let sink = HtmlTreeSink::new(Html::new_fragment());
    let context = create_element(&sink, body, Vec::new());
    let builder = TreeBuilder::new_for_fragment(sink, context, None, TreeBuilderOpts::default());
    let options = TokenizerOpts {
        initial_state: Some(builder.tokenizer_state_for_context_elem(false)),
        ..TokenizerOpts::default()
    };
    let tokens = Cell::new(0);
    let tokenizer = Tokenizer::new(Counting { builder, tokens }, options);
    let input = BufferQueue::default();
    let (mut rest, mut seen) = (html, Seen::default());
    let mut tag = OpenTag::default();
    while !rest.is_empty() {
        let (step, after) = rest.split_at(step(rest));
        tag.read(step)?;
        let before = tokenizer.sink.tokens.get();
        input.push_back(StrTendril::from(step));
        // A fragment without scripting never runs a script; go on behind it in any case.
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        if tokenizer.sink.tokens.get() != before {
            tag.end();
        }
        seen.check(&tokenizer.sink.builder.sink.0.borrow())?;
        rest = after;
    }
    tokenizer.end();
    let tree = tokenizer.sink.builder.sink.finish();
    seen.check(&tree)?;
    Ok(tree)
}

/// The length of the next step. A `<` starts a step, because a tag may start there.
fn step(rest: &str) -> usize {
    let most = rest.floor_char_boundary(STEP.min(rest.len()));
    let head = rest.as_bytes().get(1..most).unwrap_or_default();
    memchr::memchr(b'<', head).map_or(most, |at| at + 1)
}

/// Counts the tokens on their way to the tree. While the tokenizer is inside a tag, there are none.
struct Counting<S> {
    builder: S,
    tokens: Cell<usize>,
}

impl<S: TokenSink> TokenSink for Counting<S> {
    type Handle = S::Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Self::Handle> {
        if !matches!(token, Token::ParseError(_)) {
            self.tokens.set(self.tokens.get() + 1);
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Counts the attributes of the tag that the tokenizer may be reading, as it would: outside of quotes, each word is at most one.
/// In comments and scripts there are no tags; there the count ends with the next token.
#[derive(Default)]
struct OpenTag {
    state: Inside,
    attributes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Inside {
    #[default]
    Text,
    /// Behind a `<`.
    Start,
    /// Between attributes.
    Gap,
    /// In the name of the tag or of an attribute.
    Name,
    /// Behind the name of an attribute and space.
    AfterName,
    /// Behind the `=` of an attribute.
    BeforeValue,
    Value,
    Quoted(u8),
}

impl OpenTag {
    fn end(&mut self) {
        *self = Self::default();
    }

    fn read(&mut self, step: &str) -> Result<(), LimitExceeded> {
        for byte in step.bytes() {
            self.state = self.after(byte);
            if self.attributes > MAX_TAG_ATTRIBUTES {
                return Err(LimitExceeded);
            }
        }
        Ok(())
    }

    fn after(&mut self, byte: u8) -> Inside {
        let space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
        match (self.state, byte) {
            (Inside::Text, b'<') => Inside::Start,
            (Inside::Text, _) => Inside::Text,
            (Inside::Start, b'/') => Inside::Start,
            (Inside::Start, byte) if byte.is_ascii_alphabetic() => Inside::Name,
            (Inside::Start, _) => Inside::Text,
            (Inside::Quoted(quote), byte) if byte == quote => Inside::Gap,
            (Inside::Quoted(quote), _) => Inside::Quoted(quote),
            (Inside::BeforeValue, quote @ (b'"' | b'\'')) => Inside::Quoted(quote),
            (Inside::BeforeValue, _) if space => Inside::BeforeValue,
            (_, b'>') => {
                self.attributes = 0;
                Inside::Text
            }
            (Inside::BeforeValue | Inside::Value, _) if space => Inside::Gap,
            (Inside::BeforeValue | Inside::Value, _) => Inside::Value,
            (Inside::Name | Inside::AfterName, b'=') => Inside::BeforeValue,
            (Inside::Name | Inside::AfterName, _) if space => Inside::AfterName,
            (Inside::Name | Inside::Gap | Inside::AfterName, b'/') => Inside::Gap,
            (Inside::Name, _) => Inside::Name,
            (Inside::Gap, _) if space => Inside::Gap,
            (Inside::Gap | Inside::AfterName, _) => {
                self.attributes += 1;
                Inside::Name
            }
        }
    }
}

/// The size of the tree so far.
#[derive(Default)]
struct Seen {
    nodes: usize,
    attributes: usize,
}

impl Seen {
    /// Checks the nodes added since the last call.
    fn check(&mut self, html: &Html) -> Result<(), LimitExceeded> {
        let count = html.tree.values().len();
        let new = count.saturating_sub(self.nodes);
        self.nodes = count;
        for node in html.tree.nodes().rev().take(new) {
            if let Node::Element(element) = node.value() {
                self.attributes += element.attrs.len();
            }
            if node.ancestors().nth(MAX_DEPTH).is_some() {
                return Err(LimitExceeded);
            }
        }
        match count > MAX_NODES || self.attributes > MAX_ATTRIBUTES {
            true => Err(LimitExceeded),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refuses(html: &str) -> bool {
        matches!(parse(html), Err(LimitExceeded))
    }

    #[test]
    fn a_tag_with_too_many_attributes_is_refused_wherever_it_stands() {
        let many: String = (0..100_000).map(|n| format!(" a{n}=1")).collect();
        for before in [
            "",
            "<p title=\"",
            "<!-- <a b=\" -->",
            "<script><a b='</script>",
            "<textarea><a b='</textarea>",
            "<svg><![CDATA[ <a b=\" ]]></svg>",
            "<a b='>' c=\">\"></a><!x '>",
        ] {
            assert!(
                refuses(&format!("{before}<a{many}>")) || before.contains("title"),
                "{before}"
            );
            assert!(
                refuses(&format!("{before}\"></a{many}>")) || !before.contains("title"),
                "{before}"
            );
        }
        for slash in ["/", "=x' ", "=\"x\""] {
            let many: String = (0..100_000).map(|n| format!("a{n}{slash}")).collect();
            assert!(refuses(&format!("<a {many}>")), "{slash}");
        }
    }

    #[test]
    fn long_values_and_texts_are_no_attributes() {
        let words = "word ".repeat(10_000);
        for html in [
            format!("<p title=\"{words}\">a</p>"),
            format!("<p title='{words}>'>a</p>"),
            format!("<!-- {words} --><p>{words}</p><pre>{words}</pre>"),
            format!("<script>if (a<b {words}</script><style>{words}</style>"),
        ] {
            assert!(!refuses(&html), "{}", html.get(..20).unwrap_or_default());
        }
    }

    #[test]
    fn copied_attributes_are_counted() {
        let attributes: String = (0..900).map(|n| format!(" a{n}=1")).collect();
        assert!(refuses(&format!("<p><b{attributes}>x{}", "<p>y".repeat(20_000))));
    }

    proptest! {
        #[test]
        fn steps_do_not_change_the_tree(html in "[<>/a-c&; '\"=!\\[-]{0,80}") {
            let whole = scraper::Html::parse_fragment(&html).html();
            prop_assert_eq!(parse(&html).ok().map(|tree| tree.html()), Some(whole));
        }
    }
}
