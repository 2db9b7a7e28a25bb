//! Draws from question banks: which questions an attempt gets, and the quiz with them
//! ([decision 103](../../../../docs/decisions/0103-question-banks.md)).

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::model::{Kind, PooledQuestion, Question, Quiz};
use super::number::Points;

/// A question that an attempt has drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnQuestion {
    pub draw_id: Uuid,
    /// The id of the question in the bank, and in the attempt.
    pub question_id: Uuid,
    pub version: i64,
}

/// A draw and the questions that it can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawable {
    pub draw_id: Uuid,
    /// How many questions are drawn.
    pub count: usize,
    /// The questions of the bank to draw from.
    pub candidates: Vec<Uuid>,
}

/// The index of the first draw in the list that cannot be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short(pub usize);

/// Returns the questions that each draw takes, sorted by rank. A draw prefers unseen questions to seen ones, and low ranks to high ones.
/// No question is taken twice, and no `excluded` one is taken. When draws compete for questions, they are assigned so that all draws are
/// filled and as many questions as possible are unseen. Fails if not all draws can be filled. `rank` takes the ids of a draw and a question.
pub fn draw<R: Ord>(
    draws: &[Drawable],
    seen: &HashSet<Uuid>,
    excluded: &HashSet<Uuid>,
    rank: impl Fn(Uuid, Uuid) -> R,
) -> Result<Vec<Vec<Uuid>>, Short> {
    let taken = draw_most(draws, seen, excluded, rank);
    let mut filled = draws.iter().zip(&taken).map(|(draw, taken)| taken.len() == draw.count);
    match filled.position(|is_filled| !is_filled) {
        Some(place) => Err(Short(place)),
        None => Ok(taken),
    }
}

/// Like [`draw`], but takes as many questions as possible when not all draws can be filled.
pub fn draw_most<R: Ord>(
    draws: &[Drawable],
    seen: &HashSet<Uuid>,
    excluded: &HashSet<Uuid>,
    rank: impl Fn(Uuid, Uuid) -> R,
) -> Vec<Vec<Uuid>> {
    let ranked = |draw: &Drawable, mut candidates: Vec<Uuid>| {
        candidates.sort_by_cached_key(|id| rank(draw.draw_id, *id));
        candidates
    };
    let choices = draws.iter().map(|draw| {
        let candidates: HashSet<Uuid> = draw.candidates.iter().copied().collect();
        let candidates = candidates.into_iter().filter(|id| !excluded.contains(id));
        let (old, new): (Vec<Uuid>, Vec<Uuid>) = candidates.partition(|id| seen.contains(id));
        let mut order = ranked(draw, new);
        let unseen = order.len();
        order.extend(ranked(draw, old));
        Choices { order, unseen }
    });
    let mut matching = Matching {
        choices: choices.collect(),
        owners: HashMap::new(),
        sizes: vec![0; draws.len()],
    };
    // An augmenting path gives up no question that is taken, so the second round keeps the unseen ones of the first.
    for only_unseen in [true, false] {
        for (place, draw) in draws.iter().enumerate() {
            while matching.size(place) < draw.count && matching.augment(place, only_unseen) {}
        }
    }
    let mut taken: Vec<Vec<Uuid>> = vec![vec![]; draws.len()];
    for (question, place) in matching.owners {
        if let Some(taken) = taken.get_mut(place) {
            taken.push(question);
        }
    }
    let taken = draws.iter().zip(taken);
    taken.map(|(draw, taken)| ranked(draw, taken)).collect()
}

/// The questions that a draw can take, in order of preference.
struct Choices {
    order: Vec<Uuid>,
    /// The number of unseen questions, which come first.
    unseen: usize,
}

/// An assignment of questions to draws, which are identified by their index in the list.
struct Matching {
    choices: Vec<Choices>,
    owners: HashMap<Uuid, usize>,
    /// How many questions each draw has.
    sizes: Vec<usize>,
}

impl Matching {
    fn size(&self, place: usize) -> usize {
        self.sizes.get(place).copied().unwrap_or_default()
    }

    fn choices(&self, place: usize, only_unseen: bool) -> &[Uuid] {
        let choices = self.choices.get(place);
        let most = |choices: &Choices| {
            if only_unseen {
                choices.unseen
            } else {
                choices.order.len()
            }
        };
        choices
            .and_then(|choices| choices.order.get(..most(choices)))
            .unwrap_or_default()
    }

    /// Gives a draw one more question along a shortest augmenting path (H. W. Kuhn, 1955): the free question that it prefers, or a question
    /// of another draw, which takes another one instead. Returns false if there is no such path.
    fn augment(&mut self, place: usize, only_unseen: bool) -> bool {
        // Maps each draw that gives up a question to the draw that takes it and the question.
        let mut takers: HashMap<usize, (usize, Uuid)> = HashMap::new();
        let mut queue = VecDeque::from([place]);
        while let Some(draw) = queue.pop_front() {
            let choices = self.choices(draw, only_unseen);
            if let Some(free) = choices.iter().find(|id| !self.owners.contains_key(id)).copied() {
                self.owners.insert(free, draw);
                let mut giver = draw;
                while let Some((taker, question)) = takers.remove(&giver) {
                    self.owners.insert(question, taker);
                    giver = taker;
                }
                if let Some(size) = self.sizes.get_mut(place) {
                    *size += 1;
                }
                return true;
            }
            for question in choices {
                let Some(owner) = self.owners.get(question).copied() else {
                    continue;
                };
                if owner != place && owner != draw && !takers.contains_key(&owner) {
                    takers.insert(owner, (draw, *question));
                    queue.push_back(owner);
                }
            }
        }
        false
    }
}

impl Quiz {
    pub fn has_draws(&self) -> bool {
        self.questions.iter().any(|question| question.kind.is_draw())
    }

    /// The questions other than draws.
    pub fn asked(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(|question| !question.kind.is_draw())
    }

    /// The banks that it draws from.
    pub fn banks(&self) -> BTreeSet<Uuid> {
        let kinds = self.questions.iter().map(|question| &question.kind);
        let banks = kinds.filter_map(|kind| match kind {
            Kind::Draw { bank_id, .. } => Some(*bank_id),
            _ => None,
        });
        banks.collect()
    }

    pub fn draw_count(&self) -> usize {
        self.questions.iter().filter(|question| question.kind.is_draw()).count()
    }

    /// The quiz without its draws.
    #[must_use]
    pub fn without_draws(&self) -> Quiz {
        self.with_drawn(&[])
    }

    /// The quiz of an attempt: each draw is replaced by the questions that the attempt has drawn, with the points of the draw. A rubric is
    /// kept if it sums up to these points. Questions that are not in the pool of their draw are left out.
    #[must_use]
    pub fn with_drawn(&self, drawn: &[DrawnQuestion]) -> Quiz {
        let of_draw = grouped(drawn.iter().map(|one| (one.draw_id, *one)));
        let mut questions = Vec::with_capacity(self.questions.len() + drawn.len());
        for question in &self.questions {
            let Kind::Draw { pool, .. } = &question.kind else {
                questions.push(question.clone());
                continue;
            };
            let pool: HashMap<(Uuid, i64), &Question> = pool
                .iter()
                .map(|pooled| ((pooled.question.id, pooled.version), &pooled.question))
                .collect();
            let drawn = of_draw.get(&question.id).into_iter().flatten();
            let drawn = drawn.filter_map(|one| pool.get(&(one.question_id, one.version)).copied());
            questions.extend(drawn.map(|one| one.clone().worth(question.points)));
        }
        let is_full = |one: &&DrawnQuestion| self.full_points.contains(&one.draw_id);
        let drawn_full = drawn.iter().filter(is_full).map(|one| one.question_id);
        let full_points = self.full_points.iter().copied().chain(drawn_full).collect();
        Quiz {
            questions,
            full_points,
            ..*self
        }
    }

    /// Whether the pools of the draws contain all of these questions.
    pub fn has_drawn(&self, drawn: &[DrawnQuestion]) -> bool {
        drawn.iter().all(|one| self.pool_has(one))
    }

    fn pool_has(&self, drawn: &DrawnQuestion) -> bool {
        let is_drawn =
            |pooled: &PooledQuestion| pooled.question.id == drawn.question_id && pooled.version == drawn.version;
        match self.question(drawn.draw_id).map(|draw| &draw.kind) {
            Some(Kind::Draw { pool, .. }) => pool.iter().any(is_drawn),
            _ => false,
        }
    }

    /// Adds the texts of drawn questions to the pools of their draws, unless they are already there.
    pub fn pool(&mut self, drawn: &[(DrawnQuestion, Question)]) {
        for (one, question) in drawn {
            if self.pool_has(one) {
                continue;
            }
            let draw = self.questions.iter_mut().find(|question| question.id == one.draw_id);
            if let Some(Kind::Draw { pool, .. }) = draw.map(|draw| &mut draw.kind) {
                pool.push(PooledQuestion {
                    version: one.version,
                    question: Question {
                        id: one.question_id,
                        source: None,
                        ..question.clone()
                    },
                });
            }
        }
    }

    /// As [`Quiz::only`], of a question in the pool of a draw, in its newest version there and with the points of the draw.
    pub fn only_drawn(&self, question: Uuid) -> Option<Quiz> {
        self.questions.iter().find_map(|draw| {
            let Kind::Draw { pool, .. } = &draw.kind else {
                return None;
            };
            let versions = pool.iter().filter(|pooled| pooled.question.id == question);
            let newest = versions.max_by_key(|pooled| pooled.version)?;
            Some(self.with_only(newest.question.clone().worth(draw.points)))
        })
    }

    /// The ids of bank questions that no draw of this quiz may take, because the quiz contains a copy of them.
    pub fn copied(&self) -> HashSet<Uuid> {
        let sources = self.asked().filter_map(|question| question.source);
        let sources = sources.map(|source| source.question_id);
        sources
            .chain(self.questions.iter().map(|question| question.id))
            .collect()
    }
}

impl Question {
    /// The question with these points. A rubric that does not sum up to them is removed.
    fn worth(mut self, points: Points) -> Self {
        if let Kind::Essay { rubric, .. } | Kind::FileUpload { rubric, .. } | Kind::HandIn { rubric, .. } =
            &mut self.kind
        {
            *rubric = rubric.take().filter(|rubric| rubric.sums_up_to(points));
        }
        Question { points, ..self }
    }
}

fn grouped<K: Eq + Hash, V>(pairs: impl Iterator<Item = (K, V)>) -> HashMap<K, Vec<V>> {
    let mut groups: HashMap<K, Vec<V>> = HashMap::new();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}

#[cfg(test)]
mod tests;
