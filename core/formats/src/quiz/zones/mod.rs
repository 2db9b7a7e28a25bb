//! Zones of hotspot questions, and the places that learners mark on the picture, in percent of its width and height.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::answers::Given;
use super::check::{check_count, check_ids};
use super::{model::Kind, problem};
use kurso_base::values::Problem;

mod coordinate;
mod geometry;
mod grading;
mod pixels;
mod write;

pub use coordinate::Coordinate;
pub use grading::{credit, sample_places};
pub use pixels::{PictureSize, convex_hull};
pub use write::{PictureWrite, ZoneWrite};

/// The most zones of a question, and the most places of an answer.
pub const MAX_ZONES: usize = 20;
/// The bounds of the number of corners of a polygon.
pub const MIN_CORNERS: usize = 3;
pub const MAX_CORNERS: usize = 50;

/// A right zone of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zone {
    pub id: Uuid,
    #[serde(flatten)]
    pub shape: Shape,
}

/// The shape of a zone, which includes its boundary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum Shape {
    /// By its top left corner.
    Rectangle {
        x: Coordinate,
        y: Coordinate,
        width: Coordinate,
        height: Coordinate,
    },
    /// By its centre.
    Ellipse {
        x: Coordinate,
        y: Coordinate,
        radius_x: Coordinate,
        radius_y: Coordinate,
    },
    /// Where sides cross each other, the even-odd rule decides what is inside.
    Polygon { corners: Vec<MarkedPlace> },
}

/// A point of a picture: a place that a learner marks, or the corner of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkedPlace {
    pub x: Coordinate,
    pub y: Coordinate,
}

impl Zone {
    /// A zone with a new id.
    pub fn new(shape: Shape) -> Self {
        let id = Uuid::now_v7();
        Zone { id, shape }
    }
}

/// Whether each place of an answer is right, as the question grades it; empty for questions of other types.
pub fn right_places(kind: &Kind, given: &Given) -> Vec<bool> {
    match (kind, given) {
        (Kind::Hotspot { zones, mark_all, .. }, Given::Places(places)) => {
            grading::right_places(zones, places, *mark_all)
        }
        _ => vec![],
    }
}

impl Kind {
    /// The zones of a hotspot question; empty for other questions.
    pub fn zones(&self) -> &[Zone] {
        match self {
            Kind::Hotspot { zones, .. } => zones,
            _ => &[],
        }
    }

    /// The most places that an answer may mark; 0 if the question is not about a picture.
    pub fn max_places(&self) -> usize {
        match self {
            Kind::Hotspot {
                zones, mark_all: true, ..
            } => zones.len(),
            Kind::Hotspot { .. } => 1,
            _ => 0,
        }
    }
}

/// The image of a picture. None if the document has anything else.
pub fn image_of(document: &Value) -> Option<&Value> {
    match document.get("content")?.as_array()?.as_slice() {
        [node] => Some(node).filter(|node| node.get("type").and_then(Value::as_str) == Some("image")),
        _ => None,
    }
}

/// The width and height in pixels of the image of a picture, if the document has them.
pub fn natural_size(document: &Value) -> Option<(u32, u32)> {
    let attrs = image_of(document)?.get("attrs")?;
    let pixels = |name: &str| {
        attrs
            .get(name)
            .and_then(Value::as_u64)
            .and_then(|n| u32::try_from(n).ok())
    };
    let size = (pixels("naturalWidth")?, pixels("naturalHeight")?);
    (size.0 > 0 && size.1 > 0).then_some(size)
}

/// Checks that a document is a picture.
pub fn check_picture(document: &Value) -> Result<(), Problem> {
    match image_of(document) {
        Some(_) => Ok(()),
        None => Err(problem::Problem::BadPicture.value_error()),
    }
}

/// Checks the zones of a question: their number, ids and shapes.
pub fn check_zones(zones: &[Zone]) -> Result<(), Problem> {
    check_ids(zones.iter().map(|zone| zone.id), MAX_ZONES)?;
    zones.iter().try_for_each(|zone| check_shape(&zone.shape))
}

/// Checks that a shape is neither flat nor beyond the picture, and the number of its corners.
pub fn check_shape(shape: &Shape) -> Result<(), Problem> {
    let is_flat = match shape {
        Shape::Rectangle { width, height, .. } => width.is_zero() || height.is_zero(),
        Shape::Ellipse { radius_x, radius_y, .. } => radius_x.is_zero() || radius_y.is_zero(),
        Shape::Polygon { corners } => {
            check_corners(corners.len())?;
            false
        }
    };
    match () {
        () if is_flat => Err(problem::Problem::FlatZone.value_error()),
        () if !shape.is_within_picture() => Err(problem::Problem::OutsidePicture.value_error()),
        () => Ok(()),
    }
}

/// Checks the number of corners of a polygon.
pub fn check_corners(count: usize) -> Result<(), Problem> {
    check_count(count, MAX_CORNERS)?;
    match count >= MIN_CORNERS {
        true => Ok(()),
        false => Err(problem::Problem::FewCorners.value_error()),
    }
}

#[cfg(test)]
mod tests;
