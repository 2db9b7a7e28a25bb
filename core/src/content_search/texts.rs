//! The texts of matches: how close the words of the query stand in them, and the fragments to show.

use std::collections::HashMap;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{BankId, BankQuestionId, PageId};
use kurso_db::sql;
use kurso_search::{PassageMatches, Query, closeness, matches, snippets, words_found};

use super::reach::{Key, Reach};
use super::{Fragment, FragmentPart};
use crate::Kurso;
use crate::search_index::texts::{self, Passages};

/// The stored texts of matches that the viewer may read.
pub(super) struct Texts {
    pages: Vec<(Key, PageText)>,
    questions: Vec<(Key, QuestionText)>,
}

struct PageText {
    published: Text,
    /// The unpublished changes, if the viewer may read them.
    draft: Option<Text>,
    /// Whether the viewer may read prompts that learners see only during an attempt.
    reads_gated: bool,
}

/// The title, the content and the quiz of a page or of its draft.
struct Text {
    title: Option<String>,
    content: String,
    quiz: Option<String>,
}

#[derive(sqlx::FromRow)]
struct PageRow {
    page_id: PageId,
    content: String,
    quiz: Option<String>,
    draft_title: Option<String>,
    draft_content: Option<String>,
    draft_quiz: Option<String>,
}

#[derive(sqlx::FromRow)]
struct QuestionText {
    id: BankQuestionId,
    bank_id: BankId,
    question: String,
}

/// What was found in a text.
struct Matched {
    closeness: f64,
    fragments: Vec<Fragment>,
    bank: Option<BankId>,
    in_draft: bool,
}

pub(super) struct MatchedTexts(HashMap<Key, Matched>);

impl Texts {
    /// At most two statements.
    pub async fn of(kurso: &Kurso, reach: &Reach, keys: &[Key]) -> Result<Self> {
        let keys_of_pages: HashMap<PageId, Key> = keys
            .iter()
            .filter_map(|key| Some((reach.page_id(*key)?, *key)))
            .collect();
        let questions: Vec<BankQuestionId> = keys
            .iter()
            .filter_map(|key| match key {
                Key::Question(id) => Some(BankQuestionId(*id)),
                Key::Page { .. } => None,
            })
            .collect();
        let mut texts = Texts {
            pages: Vec::new(),
            questions: Vec::new(),
        };
        if !keys_of_pages.is_empty() {
            let rows = sql!(
                "SELECT c.page_id, c.content, c.quiz, f.title AS draft_title, f.content AS draft_content, f.quiz AS draft_quiz
                 FROM page_contents c LEFT JOIN page_drafts f ON f.page_id = c.page_id WHERE c.page_id IN "
            );
            let rows = rows.push_in(keys_of_pages.keys().copied());
            for row in rows.fetch_all::<PageRow>(&kurso.db).await? {
                let Some(key) = keys_of_pages.get(&row.page_id) else {
                    continue;
                };
                let Key::Page { course, .. } = *key else { continue };
                let published = Text {
                    title: reach.title(*key).map(str::to_owned),
                    content: row.content,
                    quiz: row.quiz,
                };
                let draft = row.draft_content.filter(|_| reach.reads_drafts(course));
                let text = PageText {
                    published,
                    draft: draft.map(|content| Text {
                        title: row.draft_title,
                        content,
                        quiz: row.draft_quiz,
                    }),
                    reads_gated: reach.reads_gated(course),
                };
                texts.pages.push((*key, text));
            }
        }
        if !questions.is_empty() {
            let rows = sql!("SELECT id, bank_id, question FROM bank_questions WHERE id IN ").push_in(questions);
            let rows = rows.fetch_all::<QuestionText>(&kurso.db).await?;
            texts.questions = rows.into_iter().map(|row| (Key::Question(row.id.0), row)).collect();
        }
        Ok(texts)
    }

    /// Matches the texts with the query, away from the threads of the async runtime.
    pub async fn matched(self, query: &Query) -> Result<MatchedTexts> {
        let query = query.clone();
        let work = move || {
            let pages = self.pages.iter().map(|(key, text)| (*key, text.matched(&query)));
            let questions = self.questions.iter().map(|(key, text)| {
                let passages = texts::of_question(&text.question);
                let found = matches(&query, &passages.passages);
                let mut matched = matched(&query, &passages, &found);
                matched.bank = Some(text.bank_id);
                // The question is that of the match itself.
                matched
                    .fragments
                    .iter_mut()
                    .for_each(|fragment| fragment.question = None);
                (*key, matched)
            });
            pages.chain(questions).collect()
        };
        let matched = tokio::task::spawn_blocking(work).await.map_err(Error::internal)?;
        Ok(MatchedTexts(matched))
    }
}

impl PageText {
    /// What is found in the text that learners read, or in the draft if it has more words of the query.
    fn matched(&self, query: &Query) -> Matched {
        let passages = self.published.passages(self.reads_gated);
        let found = matches(query, &passages.passages);
        if let Some(draft) = &self.draft {
            let changed = draft.passages(true);
            let found_there = matches(query, &changed.passages);
            if words_found(&found_there) > words_found(&found) {
                return Matched {
                    in_draft: true,
                    ..matched(query, &changed, &found_there)
                };
            }
        }
        matched(query, &passages, &found)
    }
}

impl Text {
    /// The passages that the viewer may read. Whether the prompts are among them depends on the quiz as it is now, not as it was indexed.
    fn passages(&self, reads_gated: bool) -> Passages {
        let mut passages = texts::of_page(self.title.as_deref(), &self.content);
        if let Some(quiz) = &self.quiz {
            let (prompts, is_gated) = texts::of_quiz(quiz);
            if reads_gated || !is_gated {
                passages.append(prompts);
            }
        }
        passages
    }
}

fn matched(query: &Query, passages: &Passages, found: &[PassageMatches]) -> Matched {
    let fragments = snippets(&passages.passages, found).into_iter().map(|snippet| {
        let place = passages.places.get(snippet.passage).copied().unwrap_or_default();
        let parts = snippet.parts.into_iter().map(|part| FragmentPart {
            text: part.text,
            matched: part.is_match,
        });
        Fragment {
            parts: parts.collect(),
            block: place.block,
            question: place.question,
        }
    });
    Matched {
        closeness: closeness(query, &passages.passages, found),
        fragments: fragments.collect(),
        bank: None,
        in_draft: false,
    }
}

impl MatchedTexts {
    /// The factor of the score; 1 for a text that was not read.
    pub fn closeness(&self, key: Key) -> f64 {
        self.0.get(&key).map_or(1.0, |matched| matched.closeness)
    }

    pub fn fragments(&self, key: Key) -> Vec<Fragment> {
        self.0
            .get(&key)
            .map(|matched| matched.fragments.clone())
            .unwrap_or_default()
    }

    /// Whether the match is in the draft of the page.
    pub fn is_in_draft(&self, key: Key) -> bool {
        self.0.get(&key).is_some_and(|matched| matched.in_draft)
    }

    pub fn bank_of(&self, key: Key) -> Option<BankId> {
        self.0.get(&key)?.bank
    }
}
