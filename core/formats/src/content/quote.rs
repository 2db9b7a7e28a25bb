//! Finds words of a page again after the page has changed: exactly where they were, or not at all.
//!
//! A selector has the words, the text around them, and their place in the version that was read, like the selectors of the W3C Web Annotation
//! model. In another version, the words are taken for the same only if their surroundings tell them from all look-alikes. When two places could be
//! meant, none is.

use serde_json::Value;

use super::schema::MAX_DEPTH;
use super::walk::{kind, list};

/// The most characters of a quote.
pub const MAX_EXACT: usize = 1000;
/// Words of this length are known without what is around them, if they occur once.
const LONG: usize = 32;
/// How much of the surroundings a selector keeps: the least that tells the words from their look-alikes.
const CONTEXTS: [usize; 5] = [32, 64, 128, 256, 512];
/// A place that shares less than this part of the surroundings is unlike the place that is searched.
const NEAR: usize = 4;
/// With more places that have the text before the words, none can be told from the others, and searching all would take long.
const MOST_LOOK_ALIKES: usize = 300;
/// How much changed words may differ: an eighth of them.
const CHANGED: usize = 8;

/// The words that are noted, and how they are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    pub exact: String,
    /// The text before the words, across blocks.
    pub prefix: String,
    /// The text after them.
    pub suffix: String,
    /// The index of their block in the version that was read.
    pub block: usize,
    /// Where they begin in the text of the block, in code points.
    pub start: usize,
}

/// Where words are: a block, and a range of its text in code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotePlace {
    pub block: usize,
    pub start: usize,
    pub end: usize,
}

/// The text of a block in which positions are counted: that of its text nodes, with one space where a line, a cell, a formula or a paragraph parts
/// them, and for each run of white space. `web/src/notes/blockText.ts` must follow the same rule.
pub fn quotable_text(block: &Value) -> String {
    let mut text = String::new();
    collect(block, 1, &mut text);
    kurso_base::text::one_line(&text)
}

fn collect(node: &Value, depth: usize, text: &mut String) {
    if kind(node) == "text" {
        text.push_str(node.get("text").and_then(Value::as_str).unwrap_or_default());
        return;
    }
    text.push(' ');
    if depth < MAX_DEPTH {
        for child in list(node, "content") {
            collect(child, depth + 1, text);
        }
    }
    text.push(' ');
}

/// The texts of the blocks of a page, one after the other.
#[derive(Debug)]
pub struct QuotableTexts {
    /// With a line break after each block.
    text: Vec<char>,
    /// Where each block begins.
    starts: Vec<usize>,
}

impl QuotableTexts {
    pub fn of(document: &Value) -> Self {
        Self::of_texts(list(document, "content").iter().map(quotable_text))
    }

    fn of_texts(blocks: impl Iterator<Item = String>) -> Self {
        let (mut text, mut starts) = (vec![], vec![]);
        for block in blocks {
            starts.push(text.len());
            text.extend(block.chars());
            text.push('\n');
        }
        QuotableTexts { text, starts }
    }

    /// The selector of words that begin at `start` in a block; without `start`, of words that the block has once. None if it has them nowhere
    /// there.
    pub fn select(&self, block: usize, start: Option<usize>, exact: &str) -> Option<Quote> {
        let exact = kurso_base::text::one_line(exact);
        let words: Vec<char> = exact.chars().collect();
        if words.is_empty() || words.len() > MAX_EXACT {
            return None;
        }
        let (from, end) = self.bounds(block)?;
        let last = end.checked_sub(words.len())?;
        let is_here = |at: usize| at <= last && self.starts_with(at, &words);
        let at = match start {
            Some(start) => Some(from.checked_add(start)?).filter(|at| is_here(*at))?,
            None => {
                let mut found = (from..end).filter(|at| is_here(*at));
                found.next().filter(|_| found.next().is_none())?
            }
        };
        let quote = |context: usize| {
            let before = self.text.get(at.saturating_sub(context)..at).unwrap_or_default();
            let after = at + words.len();
            let after = self.text.get(after..(after + context).min(self.text.len()));
            Quote {
                exact: exact.clone(),
                prefix: before.iter().collect(),
                suffix: after.unwrap_or_default().iter().collect(),
                block,
                start: at - from,
            }
        };
        let unlike = |quote: &Quote| {
            self.candidates(&Sought::of(quote))
                .is_some_and(|found| found.len() == 1)
        };
        let found = CONTEXTS.into_iter().map(quote).find(unlike);
        found.or_else(|| CONTEXTS.last().map(|context| quote(*context)))
    }

    /// Where the words are. `is_same` says that the text is the version that was read. None if their place is gone or cannot be told from others.
    pub fn find(&self, quote: &Quote, is_same: bool) -> Option<QuotePlace> {
        let sought = Sought::of(quote);
        let (from, end) = self.bounds(quote.block).unwrap_or_default();
        let at = from.saturating_add(quote.start);
        if is_same && at.saturating_add(sought.exact.len()) <= end && self.starts_with(at, &sought.exact) {
            return self.place(at, at + sought.exact.len());
        }
        let found = self.candidates(&sought)?;
        let [one] = found.as_slice() else { return None };
        one.is_sure.then_some(())?;
        self.place(one.start, one.end)
    }

    /// The places that could be meant. None if there are too many to tell.
    fn candidates(&self, sought: &Sought) -> Option<Vec<Candidate>> {
        let exact = self.exact(sought);
        let alone = exact.len() == 1;
        let mut found: Vec<Candidate> = exact
            .into_iter()
            .map(|at| self.candidate(at, at + sought.exact.len(), sought, alone))
            .filter(|candidate| candidate.is_near || (alone && candidate.is_sure))
            .collect();
        for (start, end) in self.enclosed(sought)? {
            // The same words, found by what is around them.
            if found.iter().any(|one| one.start < end && start < one.end) {
                continue;
            }
            found.push(Candidate {
                start,
                end,
                is_near: true,
                is_sure: false,
            });
        }
        if let [one] = found.as_mut_slice() {
            one.is_sure = one.is_sure || self.is_changed_little(one, sought);
        }
        Some(found)
    }

    fn is_changed_little(&self, one: &Candidate, sought: &Sought) -> bool {
        let is = self.text.get(one.start..one.end);
        one.is_near
            && self.is_in_one_block(one.start, one.end)
            && is.is_some_and(|is| is != sought.exact && is_alike(&sought.exact, is))
    }

    /// Where the words occur within a block.
    fn exact(&self, sought: &Sought) -> Vec<usize> {
        let Some(first) = sought.exact.first() else {
            return vec![];
        };
        let starts = self.text.iter().enumerate().filter(|(_, own)| *own == first);
        let starts = starts.map(|(at, _)| at);
        starts.filter(|at| self.starts_with(*at, &sought.exact)).collect()
    }

    fn candidate(&self, start: usize, end: usize, sought: &Sought, alone: bool) -> Candidate {
        let before = common(
            sought.prefix.iter().rev(),
            self.text.get(..start).unwrap_or_default().iter().rev(),
        );
        let after = common(sought.suffix.iter(), self.text.get(end..).unwrap_or_default().iter());
        // Blocks may be copied and moved, and words repeated. So one matching side is proof only with enough matching text from the same block,
        // not counting the rest of a word.
        let own_before = in_block(sought.prefix.iter().rev().take(before));
        let own_after = in_block(sought.suffix.iter().take(after));
        let is_whole = |common: usize, side: &[char]| common == side.len() && common >= sought.least;
        let is_whole = own_before + own_after >= sought.near
            && (is_whole(before, &sought.prefix) || is_whole(after, &sought.suffix));
        let both = before.min(after) >= sought.near && before + after >= sought.least + sought.near;
        Candidate {
            start,
            end,
            is_near: before >= sought.near || after >= sought.near,
            is_sure: is_whole || both || (alone && sought.exact.len() >= LONG),
        }
    }

    /// The ranges that have the text directly before the words in front of them, and the text directly after the words behind them. None if there
    /// are many.
    fn enclosed(&self, sought: &Sought) -> Option<Vec<(usize, usize)>> {
        let near = sought.near;
        let before = sought.prefix.get(sought.prefix.len().saturating_sub(near)..)?;
        let after = sought.suffix.get(..near.min(sought.suffix.len()))?;
        let (mut found, mut begun) = (vec![], 0);
        if before.len() < near || after.len() < near {
            return Some(found);
        }
        let most = sought.exact.len() * 2 + near;
        for start in near..self.text.len() {
            if !is_same(self.text.get(start - near..start)?, before) {
                continue;
            }
            begun += 1;
            if begun > MOST_LOOK_ALIKES {
                return None;
            }
            let ends = start..=(start + most).min(self.text.len());
            let mut ends = ends.filter(|end| self.text.get(*end..end + near).is_some_and(|own| is_same(own, after)));
            found.extend(ends.next().map(|end| (start, end)));
        }
        Some(found)
    }

    fn starts_with(&self, at: usize, words: &[char]) -> bool {
        self.text.get(at..at + words.len()) == Some(words)
    }

    /// Where a block begins and ends.
    fn bounds(&self, block: usize) -> Option<(usize, usize)> {
        let from = *self.starts.get(block)?;
        let next = self.starts.get(block + 1).copied().unwrap_or(self.text.len());
        Some((from, next.saturating_sub(1)))
    }

    fn is_in_one_block(&self, start: usize, end: usize) -> bool {
        start < end && self.text.get(start..end).is_some_and(|text| !text.contains(&'\n'))
    }

    fn place(&self, start: usize, end: usize) -> Option<QuotePlace> {
        let block = self.starts.partition_point(|from| *from <= start).checked_sub(1)?;
        let from = *self.starts.get(block)?;
        Some(QuotePlace {
            block,
            start: start - from,
            end: end - from,
        })
    }
}

/// What is searched.
struct Sought {
    exact: Vec<char>,
    prefix: Vec<char>,
    suffix: Vec<char>,
    /// The characters next to the words from which a place is near the one that is searched.
    near: usize,
    /// The least characters of a side that are proof enough when all of it is there.
    least: usize,
}

impl Sought {
    fn of(quote: &Quote) -> Self {
        let [exact, prefix, suffix] = [&quote.exact, &quote.prefix, &quote.suffix].map(|text| text.chars().collect());
        let (prefix, suffix): (Vec<char>, Vec<char>) = (prefix, suffix);
        // Beyond the edge of the page there is nothing to keep, so the longer side tells how much was kept.
        let kept = prefix.len().max(suffix.len()).max(NEAR * NEAR);
        Sought {
            exact,
            prefix,
            suffix,
            near: kept / NEAR,
            least: kept / 2,
        }
    }
}

/// A place that could be meant.
struct Candidate {
    start: usize,
    end: usize,
    /// Whether it shares something of the surroundings.
    is_near: bool,
    /// Whether it shares enough to be the one, if there is no other.
    is_sure: bool,
}

/// Whether two texts are the same, however they are broken into lines.
fn is_same(one: &[char], other: &[char]) -> bool {
    one.len() == other.len() && common(one.iter(), other.iter()) == one.len()
}

/// The number of characters around a place that belong to its block, not counting the rest of a word that the place cuts.
fn in_block<'a>(around: impl Iterator<Item = &'a char>) -> usize {
    let block = around.take_while(|own| **own != '\n');
    block.skip_while(|own| own.is_alphanumeric()).count()
}

/// How many characters two texts have in common from their beginning.
fn common<'a>(one: impl Iterator<Item = &'a char>, other: impl Iterator<Item = &'a char>) -> usize {
    let same = |(a, b): &(&char, &char)| a == b || (a.is_whitespace() && b.is_whitespace());
    one.zip(other).take_while(same).count()
}

/// Whether words were changed only a little: at most an eighth of the characters were replaced, inserted or deleted.
fn is_alike(was: &[char], is: &[char]) -> bool {
    let most = was.len() / CHANGED;
    if was.len().abs_diff(is.len()) > most {
        return false;
    }
    let mut row: Vec<usize> = (0..=is.len()).collect();
    for (line, a) in was.iter().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        let mut next = vec![left];
        for (b, above) in is.iter().zip(row.iter().skip(1)) {
            let best = (diagonal + usize::from(a != b)).min(left + 1).min(above + 1);
            diagonal = *above;
            left = best;
            next.push(best);
        }
        row = next;
    }
    row.last().is_some_and(|changes| *changes <= most)
}

#[cfg(test)]
mod tests;
