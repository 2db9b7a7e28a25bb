//! Rubrics of other platforms: as rubrics where graders choose one of several levels, otherwise as notes for graders.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::blocks::doc;
use crate::content;
use crate::html_host::{bold, paragraph};
use crate::quiz::{self, Level, Points};
use kurso_base::text::one_line;

/// A criterion by which graders judge a response.
#[derive(Debug)]
pub struct Criterion {
    pub name: String,
    /// The most points, where the rubric names them for the whole criterion.
    pub points: Option<f64>,
    /// Blocks below the name.
    pub details: Vec<Value>,
    pub ratings: Vec<Rating>,
    /// Whether graders choose one of the ratings with its points, and not other points.
    pub is_exact: bool,
}

/// One of the levels of a criterion.
#[derive(Debug)]
pub struct Rating {
    pub name: String,
    pub points: Option<f64>,
    pub explanation: String,
}

impl Criterion {
    /// The maximum points of the criterion: its own, or those of its best rating.
    pub fn most(&self) -> f64 {
        let best = self.ratings.iter().filter_map(|rating| rating.points);
        self.points.unwrap_or_else(|| best.fold(0.0, f64::max))
    }
}

/// The criteria as a rubric of a question with these points. None if they say something else, such as criteria without ratings, or if their
/// points have another sum.
pub fn as_rubric(criteria: &[Criterion], points: Points, is_shown: bool) -> Option<quiz::Rubric> {
    let criteria = criteria.iter().map(as_criterion).collect::<Option<Vec<_>>>()?;
    let rubric = quiz::Rubric { is_shown, criteria };
    let fits = !rubric.criteria.is_empty() && rubric.sums_up_to(points) && rubric.check().is_ok();
    fits.then_some(rubric)
}

/// Whether a rubric says all that the details of the criteria say: it has no pictures, links and marked words.
pub fn is_plain(criteria: &[Criterion]) -> bool {
    let is_plain = |block: &Value| {
        let texts = block.get("content").and_then(Value::as_array).into_iter().flatten();
        block["type"] == "paragraph"
            && texts
                .into_iter()
                .all(|node| node["type"] == "text" && node.get("marks").is_none())
    };
    criteria.iter().all(|criterion| criterion.details.iter().all(is_plain))
}

fn as_criterion(criterion: &Criterion) -> Option<quiz::Criterion> {
    let name = one_line(&criterion.name);
    let is_whole = criterion.is_exact && !name.is_empty() && !criterion.ratings.is_empty();
    let levels = criterion.ratings.iter().map(as_level).collect::<Option<Vec<_>>>();
    Some(quiz::Criterion {
        id: Uuid::now_v7(),
        name,
        description: content::text(&doc(criterion.details.clone())),
        levels: levels.filter(|_| is_whole)?,
    })
}

fn as_level(rating: &Rating) -> Option<Level> {
    let name = one_line(&rating.name);
    let said = rating.points.filter(|points| !name.is_empty() && points.is_finite())?;
    let points = Points::nearest(said);
    let lines = rating.explanation.lines().map(one_line).filter(|line| !line.is_empty());
    ((points.as_f64() - said).abs() < 0.0001).then(|| Level {
        id: Uuid::now_v7(),
        name,
        description: lines.collect::<Vec<_>>().join("\n"),
        points,
    })
}

/// The criteria as blocks: the name of each, its details, and a list of its ratings.
pub fn blocks(criteria: &[Criterion]) -> Vec<Value> {
    let mut blocks = Vec::new();
    for criterion in criteria {
        let name = named(&criterion.name, criterion.points);
        blocks.extend((!name.is_empty()).then(|| bold(&name)));
        blocks.extend(criterion.details.iter().cloned());
        let items: Vec<Value> = criterion.ratings.iter().filter_map(item).collect();
        blocks.extend((!items.is_empty()).then(|| json!({ "type": "bulletList", "content": items })));
    }
    blocks
}

/// The lines of a text without markup as paragraphs.
pub fn paragraphs(text: &str) -> Vec<Value> {
    let lines = text.lines().map(one_line).filter(|line| !line.is_empty());
    lines.map(|line| paragraph(&line)).collect()
}

fn item(rating: &Rating) -> Option<Value> {
    let (name, explanation) = (named(&rating.name, rating.points), one_line(&rating.explanation));
    let text = match (name.is_empty(), explanation.is_empty()) {
        (false, false) => format!("{name}: {explanation}"),
        _ => name + &explanation,
    };
    (!text.is_empty()).then(|| json!({ "type": "listItem", "content": [paragraph(&text)] }))
}

/// A name with its points in brackets.
fn named(name: &str, points: Option<f64>) -> String {
    let name = one_line(name);
    match points {
        Some(points) => format!("{name} ({points})").trim_start().to_owned(),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    use super::*;

    fn rating() -> impl Strategy<Value = Rating> {
        ("\\PC{0,20}", option::of(0_u32..100), "\\PC{0,40}").prop_map(|(name, points, explanation)| Rating {
            name,
            points: points.map(f64::from),
            explanation,
        })
    }

    fn criterion() -> impl Strategy<Value = Criterion> {
        let points = option::of((0_u32..100).prop_map(f64::from));
        ("\\PC{0,20}", points, "\\PC{0,40}", vec(rating(), 0..4)).prop_map(|(name, points, details, ratings)| {
            Criterion {
                name,
                points,
                details: paragraphs(&details),
                ratings,
                is_exact: true,
            }
        })
    }

    fn rated(points: &[f64]) -> Criterion {
        Criterion {
            name: " Clear\ntext ".into(),
            points: None,
            details: paragraphs("Is it\n\nclear?"),
            ratings: points
                .iter()
                .map(|points| Rating {
                    name: format!("{points}"),
                    points: Some(*points),
                    explanation: " Why \n not ".into(),
                })
                .collect(),
            is_exact: true,
        }
    }

    #[test]
    fn levels_with_the_points_of_the_question_are_a_rubric() {
        let points = Points::nearest(3.5);
        let criteria = [rated(&[2.0, 0.0]), rated(&[1.5])];
        let rubric = as_rubric(&criteria, points, true).unwrap();
        let first = &rubric.criteria[0];
        assert_eq!(
            (rubric.is_shown, first.name.as_str(), first.description.as_str()),
            (true, "Clear text", "Is it\nclear?")
        );
        assert_eq!(
            (first.levels[1].name.as_str(), first.levels[1].description.as_str()),
            ("0", "Why\nnot")
        );
        assert!(is_plain(&criteria));
        assert!(!is_plain(&[Criterion {
            details: vec![bold("x")],
            ..rated(&[1.0])
        }]));

        let other = |change: fn(&mut Criterion)| {
            let mut criterion = rated(&[3.5]);
            change(&mut criterion);
            as_rubric(&[criterion], points, false)
        };
        assert!(other(|_| {}).is_some());
        for change in [
            |criterion: &mut Criterion| criterion.is_exact = false,
            |criterion: &mut Criterion| criterion.name.clear(),
            |criterion: &mut Criterion| criterion.ratings.clear(),
            |criterion: &mut Criterion| criterion.ratings[0].points = None,
            |criterion: &mut Criterion| criterion.ratings[0].points = Some(3.0),
            |criterion: &mut Criterion| criterion.ratings[0].points = Some(-1.0),
            |criterion: &mut Criterion| criterion.ratings[0].name.clear(),
            |criterion: &mut Criterion| criterion.ratings[0].name = "x".repeat(quiz::MAX_NAME + 1),
        ] {
            assert_eq!(other(change), None);
        }
        assert_eq!(as_rubric(&[], Points::ZERO, false), None);
    }

    proptest! {
        #[test]
        fn any_rubric_that_is_made_can_be_published(criteria in vec(criterion(), 0..4)) {
            let sum: f64 = criteria.iter().map(|criterion| criterion.ratings.iter().filter_map(|rating| rating.points).fold(0.0, f64::max)).sum();
            if let Some(rubric) = as_rubric(&criteria, Points::nearest(sum), true) {
                prop_assert_eq!(rubric.check(), Ok(()));
                prop_assert_eq!(rubric.criteria.len(), criteria.len());
                prop_assert!(rubric.criteria.iter().all(|criterion| !criterion.name.is_empty() && !criterion.levels.is_empty()));
            }
        }

        #[test]
        fn any_rubric_is_a_valid_document_with_its_names(criteria in vec(criterion(), 0..4)) {
            let names: Vec<String> = criteria.iter().map(|criterion| one_line(&criterion.name)).collect();
            let document = doc(blocks(&criteria));
            prop_assert_eq!(content::validate(&document), Ok(()));
            let text = content::text(&document);
            for name in names {
                prop_assert!(one_line(&text).contains(&name), "{} is not in {}", name, text);
            }
        }

        #[test]
        fn a_criterion_brings_no_less_than_each_of_its_ratings(ratings in vec(rating(), 0..5)) {
            let criterion = Criterion { name: String::new(), points: None, details: vec![], ratings, is_exact: true };
            for points in criterion.ratings.iter().filter_map(|rating| rating.points) {
                prop_assert!(points <= criterion.most());
            }
        }
    }
}
