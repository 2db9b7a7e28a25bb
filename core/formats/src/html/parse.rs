//! Parses HTML with limits of depth and size: a few kilobytes of unclosed tags could otherwise cost minutes or
//! gigabytes.

use html5ever::driver::{self, ParseOpts};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{QualName, local_name, ns};
use scraper::{Html, HtmlTreeSink};

use super::LimitExceeded;

/// Real pages are not that deep; the recursion of the converter depends on it.
const MAX_DEPTH: usize = 160;
/// A document full of one-word paragraphs has this many; each costs the converter up to two kilobytes.
const MAX_NODES: usize = 100_000;
/// Bytes between two checks, which bounds the work between them.
const STEP: usize = 1024;

pub fn parse(html: &str) -> Result<Html, LimitExceeded> {
    let body = QualName::new(None, ns!(html), local_name!("body"));
    let sink = HtmlTreeSink::new(Html::new_fragment());
    let mut parser = driver::parse_fragment(sink, ParseOpts::default(), body, Vec::new(), false);
    let mut rest = html;
    let mut seen = 0;
    while !rest.is_empty() {
        let (step, after) = rest.split_at(rest.floor_char_boundary(STEP.min(rest.len())));
        parser.process(StrTendril::from(step));
        check(&parser.tokenizer.sink.sink.0.borrow(), &mut seen)?;
        rest = after;
    }
    let tree = parser.finish();
    check(&tree, &mut seen)?;
    Ok(tree)
}

/// Checks the nodes added since the last call.
fn check(html: &Html, seen: &mut usize) -> Result<(), LimitExceeded> {
    let count = html.tree.values().len();
    let new = count.saturating_sub(*seen);
    *seen = count;
    let too_deep = count > MAX_NODES
        || html
            .tree
            .nodes()
            .rev()
            .take(new)
            .any(|node| node.ancestors().nth(MAX_DEPTH).is_some());
    if too_deep {
        return Err(LimitExceeded);
    }
    Ok(())
}
