//! The items of an analysis: the questions of the quiz, and those that attempts have drawn.

use kurso_formats::quiz::{Kind, Question, Quiz};
use uuid::Uuid;

use crate::attempts::PastDraw;

/// A question of a quiz, or one that attempts have drawn.
pub(super) struct Item {
    /// The question with its current points.
    pub question: Question,
    /// The position in the quiz, from 1; for a drawn question, the position of its draw.
    pub number: usize,
    is_drawn: bool,
}

/// The items of a quiz, and what an attempt at it is worth.
pub(super) struct Listed {
    /// In the order of the quiz; drawn questions stand in the place of their draw, by id.
    pub items: Vec<Item>,
    pub has_draws: bool,
    /// The points of an attempt in ten-thousandths.
    pub worth: i64,
    pub max_points: f64,
    /// How many drawn questions with points an attempt has.
    drawn: usize,
}

impl Listed {
    pub fn of(quiz: &Quiz, mut drawn: Vec<PastDraw>) -> Self {
        drawn.sort_by_key(|past| past.question.id);
        let mut listed = Listed {
            items: Vec::new(),
            has_draws: quiz.has_draws(),
            worth: 0,
            max_points: 0.0,
            drawn: 0,
        };
        for (question, number) in quiz.questions.iter().zip(1..) {
            let count = question.kind.count();
            let points = question.points;
            listed.max_points += points.as_f64() * count as f64;
            let counted = i64::try_from(count).unwrap_or(i64::MAX);
            listed.worth = listed.worth.saturating_add(points.parts().saturating_mul(counted));
            if !matches!(question.kind, Kind::Draw { .. }) {
                listed.items.push(Item {
                    question: question.clone(),
                    number,
                    is_drawn: false,
                });
                continue;
            }
            if !points.is_zero() {
                listed.drawn += count;
            }
            let own: Vec<Uuid> = listed.items.iter().map(|item| item.question.id).collect();
            let of_draw = drawn
                .iter()
                .filter(|past| past.draw_id == question.id && !own.contains(&past.question.id));
            listed.items.extend(of_draw.map(|past| Item {
                question: Question {
                    points,
                    ..past.question.clone()
                },
                number,
                is_drawn: true,
            }));
        }
        listed
    }

    /// The sum of the marks of an attempt; `marks` has one for each item that the attempt had. None unless every fixed item has a mark, and
    /// the number of drawn items with a mark equals the number that an attempt draws now.
    pub fn total(&self, items: &[&Item], marks: &[Option<i64>]) -> Option<i64> {
        let mut total: i64 = 0;
        let mut drawn = 0;
        for (item, mark) in items.iter().zip(marks) {
            match mark {
                Some(mark) => total = total.saturating_add(*mark),
                None if item.is_drawn => continue,
                None => return None,
            }
            drawn += usize::from(item.is_drawn);
        }
        (drawn == self.drawn).then_some(total)
    }
}
