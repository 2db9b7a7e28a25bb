//! Scores of documents: BM25 over the tiers of the index, and how close the words of the query stand to each other.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

use crate::document::{Field, Passage};
use crate::matches::{Match, PassageMatches};
use crate::query::Query;

/// How well the documents of a search match, before their texts are read.
#[derive(Debug)]
pub struct Scores<K> {
    words: usize,
    targets: usize,
    /// For each document the best value of each word and pair.
    values: HashMap<K, Vec<f64>>,
}

/// A document with its score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found<K> {
    pub key: K,
    pub score: f64,
}

impl<K: Copy + Eq + Hash + Ord> Scores<K> {
    pub fn new(query: &Query) -> Self {
        Scores {
            words: query.words().len(),
            targets: query.targets(),
            values: HashMap::new(),
        }
    }

    /// Notes that a document has a term that stands for the word or pair at this index.
    pub fn add(&mut self, key: K, word: usize, value: f64) {
        let values = self.values.entry(key).or_insert_with(|| vec![0.0; self.targets]);
        if let Some(best) = values.get_mut(word) {
            *best = best.max(value);
        }
    }

    /// The indexes of the words that no document has.
    pub fn missing(&self) -> Vec<usize> {
        let has = |word: &usize| {
            self.values
                .values()
                .any(|values| values.get(*word).is_some_and(|value| *value > 0.0))
        };
        (0..self.words).filter(|word| !has(word)).collect()
    }

    /// The scores of whole documents, if those noted are of versions of them. A document gets the words of the version that has the most of
    /// them, and of the first one among equals, because a reader sees only one version at a time.
    pub fn of_best_versions<D: Copy + Eq + Hash + Ord>(self, document: impl Fn(K) -> D) -> Scores<D> {
        let (words, targets) = (self.words, self.targets);
        let versions = self.values.into_iter().map(|(version, values)| {
            let order = (document(version), Reverse(matched(&values, words)), version);
            (order, values)
        });
        let mut versions: Vec<_> = versions.collect();
        versions.sort_unstable_by_key(|(order, _)| *order);
        versions.dedup_by_key(|((document, ..), _)| *document);
        let best = versions.into_iter().map(|((document, ..), values)| (document, values));
        Scores {
            words,
            targets,
            values: best.collect(),
        }
    }

    /// The documents that have most of the words, best first. Documents with equal scores are sorted by their keys.
    pub fn ranked(self) -> Vec<Found<K>> {
        let matched = |values: &[f64]| matched(values, self.words);
        let most = self.values.values().map(|values| matched(values)).max().unwrap_or(0);
        // A page on a topic need not have each word of a long question.
        let least = if most >= 4 { most - 1 } else { most.max(1) };
        let documents = self.values.len() as f64;
        let rarities: Vec<f64> = (0..self.targets)
            .map(|word| {
                let with = self
                    .values
                    .values()
                    .filter(|values| values.get(word).is_some_and(|value| *value > 0.0));
                let with = with.count() as f64;
                (1.0 + (documents - with + 0.5) / (with + 0.5)).ln() + 0.2
            })
            .collect();
        let mut found: Vec<Found<K>> = self
            .values
            .iter()
            .map(|(key, values)| (key, values, matched(values)))
            .filter(|(_, _, matched)| *matched >= least)
            .map(|(key, values, matched)| {
                let sum: f64 = values.iter().zip(&rarities).map(|(value, rarity)| value * rarity).sum();
                let covered = matched as f64 / self.words.max(1) as f64;
                Found {
                    key: *key,
                    score: sum * covered * covered,
                }
            })
            .collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
        found
    }
}

/// How many of the query's words a document has.
fn matched(values: &[f64], words: usize) -> usize {
    values.iter().take(words).filter(|value| **value > 0.0).count()
}

/// A factor of at least 1 for a document whose text is known: how close to each other and where the words of the query stand.
pub fn closeness(query: &Query, passages: &[Passage], matches: &[PassageMatches]) -> f64 {
    let count = query.words().len();
    if count == 0 {
        return 1.0;
    }
    let (mut phrase, mut near, mut title, mut heading) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for (passage, PassageMatches { found, words }) in passages.iter().zip(matches) {
        if found.is_empty() {
            continue;
        }
        let share = distinct(found, count) as f64 / count as f64;
        // A title with nothing but the words is better than a long one.
        let exact = share * (0.7 + 0.3 * count as f64 / (*words).max(count) as f64);
        match passage.field {
            Field::Title => title = title.max(exact),
            Field::Heading => heading = heading.max(exact),
            Field::Body | Field::Code | Field::Caption => {}
        }
        if count > 1 {
            phrase = phrase.max(longest_phrase(query, found) as f64 / (count - 1) as f64);
            near = near.max(nearness(found, count));
        }
    }
    1.0 + 0.8 * phrase + 0.4 * near + 0.9 * title + 0.4 * heading
}

fn distinct(matches: &[Match], count: usize) -> usize {
    (0..count)
        .filter(|word| matches.iter().any(|found| found.word == *word))
        .count()
}

/// The most steps from a word of the query to the next one that a text makes at once.
fn longest_phrase(query: &Query, matches: &[Match]) -> usize {
    let (mut longest, mut run) = (0, 0);
    for pair in matches.windows(2) {
        let [one, next] = pair else { continue };
        let continues = next.word == one.word + 1 && next.at - one.at <= query.step(next.word);
        run = if continues { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// From 0 to 1: the share of the words that stand together within a window of a few words.
fn nearness(matches: &[Match], count: usize) -> f64 {
    let window = count * 4;
    let mut best = 0;
    for (from, first) in matches.iter().enumerate() {
        let rest = matches.get(from..).unwrap_or_default();
        let inside = rest.iter().take_while(|found| found.at - first.at < window).count();
        best = best.max(distinct(rest.get(..inside).unwrap_or_default(), count));
        if best == count {
            break;
        }
    }
    best.saturating_sub(1) as f64 / (count - 1).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::matches;

    fn of(query: &Query, passage: Passage) -> f64 {
        let passages = [passage];
        closeness(query, &passages, &matches(query, &passages))
    }

    fn body(text: &str) -> Passage {
        Passage {
            field: Field::Body,
            text: text.to_owned(),
        }
    }

    #[test]
    fn documents_with_most_words_come_first() {
        let query = Query::of("красное яблоко ");
        let mut scores = Scores::new(&query);
        scores.add(1, 0, 0.85);
        scores.add(2, 0, 0.25);
        scores.add(2, 1, 0.25);
        assert_eq!(scores.missing(), Vec::<usize>::new());
        let found: Vec<i32> = scores.ranked().iter().map(|found| found.key).collect();
        assert_eq!(found, [2]);
    }

    #[test]
    fn rare_words_count_more() {
        let query = Query::of("красное яблоко ");
        let mut scores = Scores::new(&query);
        for key in 0..10 {
            scores.add(key, 0, 0.25);
            scores.add(key, 1, if key == 7 { 0.65 } else { 0.25 });
        }
        assert_eq!(scores.ranked().first().map(|found| found.key), Some(7));
    }

    #[test]
    fn words_of_two_versions_are_not_added_up() {
        let query = Query::of("красное яблоко ");
        let scores = |found: &[((i32, u8), usize)]| {
            let mut scores = Scores::new(&query);
            for (version, word) in found {
                scores.add(*version, *word, 0.25);
            }
            scores.of_best_versions(|(document, _)| document).ranked()
        };
        let keys = |found: &[Found<i32>]| found.iter().map(|found| found.key).collect::<Vec<_>>();
        // Document 1 has one word in each version, document 2 both words in the second.
        let mixed = scores(&[((1, 0), 0), ((1, 1), 1), ((2, 0), 0), ((2, 1), 0), ((2, 1), 1)]);
        assert_eq!(keys(&mixed), [2]);
        let alone = scores(&[((1, 0), 0), ((1, 1), 1)]);
        assert_eq!(alone, scores(&[((1, 0), 0)]), "the first of equal versions counts");
    }

    #[test]
    fn phrases_and_titles_are_closer() {
        let query = Query::of("правила владения ");
        let far = of(
            &query,
            body("Правила игры просты. Их шесть или семь, а то и больше, но о владении ни слова"),
        );
        let near = of(&query, body("Три важных правила описывают владение"));
        let phrase = of(&query, body("Вот правила владения"));
        assert!(far < near && near < phrase, "{far} {near} {phrase}");
        let title = Passage {
            field: Field::Title,
            text: "Правила владения".to_owned(),
        };
        assert!(of(&query, title) > phrase);
    }
}
