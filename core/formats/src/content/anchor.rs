//! Finds the block of a document to which a comment belongs, after the document has changed. Blocks have no ids: an anchor is the index that the
//! block had and its text.

use std::collections::HashMap;

use serde_json::Value;

use super::walk::{attr, kind, list};
use super::{schema::MAX_DEPTH, text};

/// The most characters of a block that an anchor keeps. Longer blocks are told apart by their beginnings.
pub const MAX_BLOCK_TEXT: usize = 4000;
/// The share of common words from which a changed block is taken for the one that the anchor names. Below it, the block counts as deleted.
pub const LEAST_SIMILAR: f64 = 0.5;
/// Only the first words of a block decide how similar it is.
const MOST_WORDS: usize = 400;
/// Begins the text of a block without words.
const WORDLESS: char = '\u{1}';

/// The text by which a top-level block is found again. A block without words, such as a picture, is described by what it shows.
pub fn block_text(block: &Value) -> String {
    let text = kurso_base::text::one_line(&text(block));
    if text.is_empty() {
        let mut shown = String::from(WORDLESS);
        describe(block, 1, &mut shown);
        return beginning(&shown, MAX_BLOCK_TEXT);
    }
    beginning(&text, MAX_BLOCK_TEXT)
}

/// The beginning of a block's words, to quote it; empty for a block without words.
pub fn block_quote(block: &Value, most: usize) -> String {
    beginning(&kurso_base::text::one_line(&text(block)), most)
}

fn beginning(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

fn describe(node: &Value, depth: usize, shown: &mut String) {
    shown.push_str(kind(node));
    for name in ["src", "alt"] {
        if let Some(value) = attr(node, name) {
            shown.push(' ');
            shown.push_str(value);
        }
    }
    if depth < MAX_DEPTH {
        for child in list(node, "content") {
            shown.push('\n');
            describe(child, depth + 1, shown);
        }
    }
}

/// The top-level blocks of a document, to find many anchors in it.
#[derive(Debug)]
pub struct AnchorTexts {
    texts: Vec<String>,
    /// The number of words of each block.
    sizes: Vec<usize>,
    /// The blocks that contain a word, and how often.
    words: HashMap<String, Vec<(usize, usize)>>,
}

impl AnchorTexts {
    pub fn of(document: &Value) -> Self {
        let texts: Vec<String> = list(document, "content").iter().map(block_text).collect();
        let mut sizes = Vec::with_capacity(texts.len());
        let mut words: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        for (block, text) in texts.iter().enumerate() {
            let bag = bag(text);
            sizes.push(bag.values().sum());
            for (word, count) in bag {
                words.entry(word).or_default().push((block, count));
            }
        }
        AnchorTexts { texts, sizes, words }
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The index of the block with this text that was at `index`: the nearest block with the same text, otherwise the one that shares most
    /// words with it, if it shares at least [`LEAST_SIMILAR`] of them. None if the block is gone.
    pub fn find(&self, index: usize, text: &str) -> Option<usize> {
        let equal = self.texts.iter().enumerate().filter(|(_, own)| *own == text);
        let nearest = equal.map(|(block, _)| block).min_by_key(|block| block.abs_diff(index));
        nearest.or_else(|| self.most_similar(index, text))
    }

    fn most_similar(&self, index: usize, text: &str) -> Option<usize> {
        let bag = bag(text);
        let size: usize = bag.values().sum();
        let mut shared = vec![0; self.texts.len()];
        for (word, count) in &bag {
            for (block, own) in self.words.get(word).into_iter().flatten() {
                if let Some(shared) = shared.get_mut(*block) {
                    *shared += count.min(own);
                }
            }
        }
        let alike = shared.into_iter().zip(&self.sizes).enumerate();
        let alike = alike.map(|(block, (shared, own))| (block, similarity(shared, size, *own)));
        let best = alike
            .filter(|(_, similarity)| *similarity >= LEAST_SIMILAR)
            .max_by(|(a, of_a), (b, of_b)| {
                let nearer = b.abs_diff(index).cmp(&a.abs_diff(index));
                of_a.total_cmp(of_b).then(nearer).then(b.cmp(a))
            });
        best.map(|(block, _)| block)
    }
}

/// How much two blocks have in common, from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "blocks have few words")]
fn similarity(shared: usize, one: usize, other: usize) -> f64 {
    match one + other {
        0 => 0.0,
        all => 2.0 * shared as f64 / all as f64,
    }
}

/// The first words of a text in lower case, and how often each occurs. None of a block without words: another picture is not this one.
fn bag(text: &str) -> HashMap<String, usize> {
    let mut bag = HashMap::new();
    if text.starts_with(WORDLESS) {
        return bag;
    }
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    for word in words.take(MOST_WORDS) {
        *bag.entry(word.to_lowercase()).or_default() += 1;
    }
    bag
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn paragraph(text: &str) -> Value {
        match text {
            "" => json!({"type": "paragraph"}),
            _ => json!({"type": "paragraph", "content": [{"type": "text", "text": text}]}),
        }
    }

    fn texts(blocks: &[String]) -> AnchorTexts {
        let blocks: Vec<Value> = blocks.iter().map(|text| paragraph(text)).collect();
        AnchorTexts::of(&json!({"type": "doc", "content": blocks}))
    }

    fn found(blocks: &[&str], index: usize, text: &str) -> Option<usize> {
        let blocks: Vec<String> = blocks.iter().map(|text| (*text).to_owned()).collect();
        texts(&blocks).find(index, text)
    }

    #[test]
    fn the_nearest_of_equal_blocks_is_found() {
        assert_eq!(found(&["same", "other", "same", "same"], 3, "same"), Some(3));
        assert_eq!(found(&["same", "other", "other", "same"], 1, "same"), Some(0));
        assert_eq!(found(&[], 0, "same"), None);
    }

    #[test]
    fn a_changed_block_is_found_by_its_words() {
        let text = "Each value has exactly one owner";
        assert_eq!(
            found(&["Other", "Each value has just one Owner at a time"], 0, text),
            Some(1)
        );
        assert_eq!(found(&["Other", "An owner of a value"], 1, text), None);
        // The more similar one wins over the nearer one, the nearer one over an equally similar one.
        assert_eq!(
            found(&["one two three four", "one two x y", "z"], 1, "one two three five"),
            Some(0)
        );
        assert_eq!(found(&["one two x", "q", "r", "one two y"], 2, "one two z"), Some(3));
    }

    #[test]
    fn blocks_without_words_are_found_only_by_what_they_show() {
        let image = |src: &str| json!({"type": "image", "attrs": {"src": src, "alt": null}});
        let document = json!({"type": "doc", "content": [
            paragraph(""), image("/files/a/x.png"), {"type": "horizontalRule"}, image("/files/b/x.png"),
        ]});
        let blocks = AnchorTexts::of(&document);
        assert_eq!(blocks.len(), 4);
        assert_eq!(blocks.find(0, &block_text(&image("/files/b/x.png"))), Some(3));
        assert_eq!(blocks.find(1, &block_text(&image("/files/c/x.png"))), None);
        assert_eq!(blocks.find(3, &block_text(&paragraph(""))), Some(0));
        assert_eq!(block_quote(&image("/files/a/x.png"), 300), "");
    }

    #[test]
    fn a_long_block_is_known_by_its_beginning() {
        let long = "слово ".repeat(2000);
        assert_eq!(block_text(&paragraph(&long)).chars().count(), MAX_BLOCK_TEXT);
        assert_eq!(block_quote(&paragraph(&long), 300).chars().count(), 300);
        assert_eq!(found(&["x", &long], 0, &block_text(&paragraph(&long))), Some(1));
    }

    /// A change of the blocks around one of them.
    #[derive(Clone, Debug)]
    enum Edit {
        Insert(usize, String),
        Delete(usize),
        Move(usize, usize),
        Rewrite(usize, String),
    }

    fn edit() -> impl Strategy<Value = Edit> {
        let words = "[a-f]{1,2}( [a-f]{1,2}){0,5}";
        prop_oneof![
            (any::<usize>(), words).prop_map(|(at, text)| Edit::Insert(at, text)),
            any::<usize>().prop_map(Edit::Delete),
            (any::<usize>(), any::<usize>()).prop_map(|(from, to)| Edit::Move(from, to)),
            (any::<usize>(), words).prop_map(|(at, text)| Edit::Rewrite(at, text)),
        ]
    }

    /// Applies the edits to all blocks but `kept`, which only moves because of others or is moved itself.
    fn edited(mut blocks: Vec<String>, edits: Vec<Edit>, kept: &str) -> Vec<String> {
        for edit in edits {
            let len = blocks.len();
            match edit {
                Edit::Insert(at, text) => blocks.insert(at % (len + 1), text),
                Edit::Delete(at) if len > 0 && blocks[at % len] != kept => drop(blocks.remove(at % len)),
                Edit::Move(from, to) if len > 0 => {
                    let block = blocks.remove(from % len);
                    blocks.insert(to % len, block);
                }
                Edit::Rewrite(at, text) if len > 0 && blocks[at % len] != kept => blocks[at % len] = text,
                Edit::Delete(_) | Edit::Move(..) | Edit::Rewrite(..) => {}
            }
        }
        blocks
    }

    proptest! {
        #[test]
        fn an_unchanged_block_is_found_after_edits_of_others(
            around in proptest::collection::vec("[a-f]{1,2}( [a-f]{1,2}){0,5}", 0..8),
            at in any::<usize>(),
            edits in proptest::collection::vec(edit(), 0..12),
        ) {
            let kept = "a b c K"; // no edit writes a capital letter
            let mut blocks = around;
            let index = at % (blocks.len() + 1);
            blocks.insert(index, kept.to_owned());
            let after = edited(blocks, edits, kept);
            let found = texts(&after).find(index, kept);
            prop_assert_eq!(found.map(|found| after[found].as_str()), Some(kept));
        }

        #[test]
        fn a_deleted_block_never_leads_to_an_unlike_one(
            blocks in proptest::collection::vec("[a-f]{1,2}( [a-f]{1,2}){0,5}", 0..8),
            gone in "[a-f]{1,2}( [a-f]{1,2}){0,5}",
            index in 0_usize..10,
        ) {
            let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
            let alike = |other: &str| {
                let (mut left, mut shared) = (words(other), 0);
                for word in words(&gone) {
                    if let Some(at) = left.iter().position(|own| *own == word) {
                        left.remove(at);
                        shared += 1;
                    }
                }
                f64::from(2 * shared) / (words(&gone).len() + words(other).len()) as f64
            };
            let best = blocks.iter().map(|block| alike(block)).fold(0.0, f64::max);
            match texts(&blocks).find(index, &gone) {
                Some(found) => {
                    prop_assert!(alike(&blocks[found]) >= LEAST_SIMILAR);
                    prop_assert!((alike(&blocks[found]) - best).abs() < 1e-9);
                }
                None => prop_assert!(best < LEAST_SIMILAR),
            }
        }
    }
}
