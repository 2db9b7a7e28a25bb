//! Rubrics of other platforms as notes for graders.

use serde_json::{Value, json};

use crate::html_host::{bold, paragraph};

/// What a response is judged by.
#[derive(Debug)]
pub struct Criterion {
    pub name: String,
    /// The most points, where the rubric names them for the whole criterion.
    pub points: Option<f64>,
    /// Blocks below the name.
    pub details: Vec<Value>,
    pub ratings: Vec<Rating>,
}

/// One of the levels of a criterion.
#[derive(Debug)]
pub struct Rating {
    pub name: String,
    pub points: Option<f64>,
    pub explanation: String,
}

impl Criterion {
    /// The most points that the criterion can bring: its own, or those of its best rating.
    pub fn most(&self) -> f64 {
        let best = self.ratings.iter().filter_map(|rating| rating.points);
        self.points.unwrap_or_else(|| best.fold(0.0, f64::max))
    }
}

/// The criteria as blocks: the name of each, its details, and a list of its ratings.
pub fn blocks(criteria: Vec<Criterion>) -> Vec<Value> {
    let mut blocks = Vec::new();
    for criterion in criteria {
        let name = named(&criterion.name, criterion.points);
        blocks.extend((!name.is_empty()).then(|| bold(&name)));
        blocks.extend(criterion.details);
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

/// A text on one line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    use crate::blocks::doc;
    use crate::content;

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
            }
        })
    }

    proptest! {
        #[test]
        fn any_rubric_is_a_valid_document_with_its_names(criteria in vec(criterion(), 0..4)) {
            let names: Vec<String> = criteria.iter().map(|criterion| one_line(&criterion.name)).collect();
            let document = doc(blocks(criteria));
            prop_assert_eq!(content::validate(&document), Ok(()));
            let text = content::text(&document);
            for name in names {
                prop_assert!(one_line(&text).contains(&name), "{} is not in {}", name, text);
            }
        }

        #[test]
        fn a_criterion_brings_no_less_than_each_of_its_ratings(ratings in vec(rating(), 0..5)) {
            let criterion = Criterion { name: String::new(), points: None, details: vec![], ratings };
            for points in criterion.ratings.iter().filter_map(|rating| rating.points) {
                prop_assert!(points <= criterion.most());
            }
        }
    }
}
