//! Full-text search over the pages that a person may read now and the bank questions of their banks. `docs/search.md` describes it.
//!
//! The database says which documents contain a term. What the viewer may not read is dropped before anything else is computed, so that
//! neither counts nor scores, nor the decision whether a word has a typo, depend on it.

mod reach;
mod texts;

use kurso_base::error::Result;
use kurso_base::ids::{BankId, BankQuestionId, CourseId, PageId};
use kurso_base::pagination::{Listed, Page};
use kurso_db::search::{SearchHits, SearchTerm};
use kurso_search::{Lookup, Query, Scores};
use uuid::Uuid;

use crate::Kurso;
use crate::access::{Role, Viewer};
use crate::courses::tree::PageKind;
use crate::search_index::{PendingDocuments, PendingPages};
use reach::{Key, Reach, Scope, Version};
use texts::Texts;

/// The most matches of one page of the list.
pub const MAX_LISTED: i64 = 100;
/// The usual number of matches of one page of the list.
pub const DEFAULT_LISTED: i64 = 20;
/// How many of the best matches are sorted by their texts.
const SORTED_BY_TEXT: usize = 30;

/// A page or a bank question that matches a search.
#[derive(Clone, Debug, PartialEq)]
pub struct ContentMatch {
    pub what: Matched,
    /// At most three, best first.
    pub fragments: Vec<Fragment>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Matched {
    Page {
        course_id: CourseId,
        course_title: String,
        /// The viewer's role in the course.
        role: Role,
        lesson_title: String,
        id: PageId,
        title: Option<String>,
        /// The number within the lesson, from 1, among the pages that the viewer sees.
        number: usize,
        kind: PageKind,
        published: bool,
        /// Whether the match is in unpublished changes: the draft has more words of the query than the published text.
        in_draft: bool,
    },
    BankQuestion {
        id: BankQuestionId,
        bank_id: BankId,
        bank_title: String,
    },
}

/// A snippet of a text that matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    /// Consecutive, with an ellipsis where the text goes on.
    pub parts: Vec<FragmentPart>,
    /// The index of the top-level block of a content page, or of its draft if the match is `in_draft`.
    pub block: Option<usize>,
    /// The question of a quiz whose prompt matches.
    pub question: Option<Uuid>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FragmentPart {
    pub text: String,
    /// Whether it is a form of a word of the query.
    pub matched: bool,
}

/// Searches the pages of all courses that the viewer teaches or learns, or of one of them, and without a course the questions of the
/// viewer's banks. Learners find what they may read now. Best match first, at most [`MAX_LISTED`] on a page; blank text finds nothing.
/// Fails with 404 for a course that the viewer may not read. At most thirteen statements.
pub async fn search(
    kurso: &Kurso,
    viewer: &Viewer,
    typed: &str,
    course: Option<CourseId>,
    page: Page,
) -> Result<Listed<ContentMatch>> {
    let mut query = Query::of(typed);
    let scope = Scope::of(kurso, viewer, course).await?;
    if query.is_empty() {
        return Ok(Listed {
            data: Vec::new(),
            count: 0,
        });
    }
    let mut scores = Scores::new(&query);
    let (course_ids, bank_ids) = (scope.course_ids(), scope.bank_ids());
    let lookups = query.lookups();
    let pending = PendingPages::load(&kurso.db, &course_ids).await?;
    // Side by side: the trees take about as long as the terms, and neither needs the other.
    let hits = look_up(kurso, &course_ids, &bank_ids, &lookups);
    let (reach, hits, pending) = tokio::try_join!(Reach::of(kurso, scope), hits, pending.analysed(&kurso.db))?;
    add((&reach, &pending), &lookups, hits, &mut scores);
    let missing = scores.missing();
    if !missing.is_empty() {
        let guesses = missing.iter().map(|word| (*word, query.guesses(*word)));
        let guesses: Vec<_> = guesses.collect();
        let all: Vec<String> = guesses.iter().flat_map(|(_, terms)| terms.iter().cloned()).collect();
        let mut known = kurso.db.known_search_terms(&all).await?;
        known.extend(all.into_iter().filter(|stem| pending.have_stem(stem)));
        known.sort_unstable();
        known.dedup();
        let mut lookups = Vec::new();
        for (word, terms) in guesses {
            let known = known.iter().filter(|term| terms.contains(*term));
            lookups.extend(query.guess(word, known.cloned()));
        }
        let hits = look_up(kurso, &course_ids, &bank_ids, &lookups).await?;
        add((&reach, &pending), &lookups, hits, &mut scores);
    }
    let mut found = scores.of_best_versions(|version| version.key).ranked();
    let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let size = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let (skip, limit) = (size(page.skip), size(page.limit.min(MAX_LISTED)));
    let sorted = if skip < SORTED_BY_TEXT {
        SORTED_BY_TEXT.min(found.len())
    } else {
        0
    };
    let shown = skip..skip.saturating_add(limit).min(found.len());
    let wanted = (0..sorted).chain(shown.clone().filter(|at| *at >= sorted));
    let wanted: Vec<Key> = wanted.filter_map(|at| Some(found.get(at)?.key)).collect();
    let texts = Texts::of(kurso, &reach, &wanted).await?;
    let texts = texts.matched(&query).await?;
    if let Some(best) = found.get_mut(..sorted) {
        for found in best.iter_mut() {
            found.score *= texts.closeness(found.key);
        }
        best.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.key.cmp(&b.key)));
    }
    let shown = found.get(shown).unwrap_or_default();
    let data = shown
        .iter()
        .filter_map(|found| reach.shown(found.key, &texts))
        .collect();
    Ok(Listed { data, count })
}

/// The documents of these courses and banks that contain each term. One statement.
async fn look_up(kurso: &Kurso, courses: &[CourseId], banks: &[BankId], lookups: &[Lookup]) -> Result<Vec<SearchHits>> {
    let term = |lookup: &Lookup| SearchTerm {
        text: lookup.term.clone(),
        is_prefix: lookup.is_prefix,
    };
    let terms: Vec<SearchTerm> = lookups.iter().map(term).collect();
    Ok(kurso.db.look_up_terms(&terms, courses, banks).await?)
}

/// Adds the documents that the viewer may read to the scores: pending ones, and those of the index that they do not replace.
fn add(
    (reach, pending): (&Reach, &PendingDocuments),
    lookups: &[Lookup],
    hits: Vec<SearchHits>,
    scores: &mut Scores<Version>,
) {
    let mut places = reach.places();
    for (lookup, hits) in lookups.iter().zip(hits) {
        let indexed = hits.into_iter().filter(|(place, id)| !pending.replace(*place, *id));
        for (place, id) in indexed.chain(pending.hits(&lookup.term, lookup.is_prefix)) {
            if let Some(version) = places.version(place, id) {
                scores.add(version, lookup.word, lookup.value);
            }
        }
    }
}
