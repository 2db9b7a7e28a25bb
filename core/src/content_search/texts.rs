//! The texts of matches: how close the words of the query stand in them, and the fragments to show.

use std::collections::HashMap;

use kurso_base::error::{Error, Result};
use kurso_base::ids::{BankId, BankQuestionId, PageId};
use kurso_db::sql;
use kurso_search::{Query, closeness, matches, snippets};

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
    title: Option<String>,
    content: String,
    quiz: Option<String>,
    /// Whether the viewer reads prompts that learners see only in an attempt.
    reads_gated: bool,
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
            let rows = sql!("SELECT page_id, content, quiz FROM page_contents WHERE page_id IN ")
                .push_in(keys_of_pages.keys().copied())
                .fetch_all::<(PageId, String, Option<String>)>(&kurso.db)
                .await?;
            for (page, content, quiz) in rows {
                let Some(key) = keys_of_pages.get(&page) else { continue };
                let reads_gated = match key {
                    Key::Page { course, .. } => reach.reads_gated(*course),
                    Key::Question(_) => false,
                };
                let title = reach.title(*key).map(str::to_owned);
                let text = PageText {
                    title,
                    content,
                    quiz,
                    reads_gated,
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
            let pages = self
                .pages
                .iter()
                .map(|(key, text)| (*key, matched(&query, &text.passages(), None)));
            let questions = self.questions.iter().map(|(key, text)| {
                let passages = texts::of_question(&text.question);
                let mut matched = matched(&query, &passages, Some(text.bank_id));
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
    /// The passages that the viewer may read. Whether the prompts are among them depends on the quiz as it is now, not as it was indexed.
    fn passages(&self) -> Passages {
        let mut passages = texts::of_page(self.title.as_deref(), &self.content);
        if let Some(quiz) = &self.quiz {
            let (prompts, is_gated) = texts::of_quiz(quiz);
            if self.reads_gated || !is_gated {
                passages.append(prompts);
            }
        }
        passages
    }
}

fn matched(query: &Query, passages: &Passages, bank: Option<BankId>) -> Matched {
    let found = matches(query, &passages.passages);
    let fragments = snippets(&passages.passages, &found).into_iter().map(|snippet| {
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
        closeness: closeness(query, &passages.passages, &found),
        fragments: fragments.collect(),
        bank,
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

    pub fn bank_of(&self, key: Key) -> Option<BankId> {
        self.0.get(&key)?.bank
    }
}
