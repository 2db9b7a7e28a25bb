//! Zones of hotspot questions, and the places that are marked on their pictures.

use async_graphql::{Enum, ID, SimpleObject};
use kurso_formats::quiz::{self, Coordinate, MarkedPlace, Shape};

use super::id_of;
use crate::cost;

/// A place that was marked on a picture.
#[derive(SimpleObject)]
pub struct Place {
    /// Percent of the width of the picture.
    x: f64,
    /// Percent of the height of the picture.
    y: f64,
}

/// A right zone of a picture, in percent of its width and height. The fields of other shapes are null.
#[derive(SimpleObject)]
pub struct Zone {
    /// Unique ID.
    id: ID,
    /// Shape.
    shape: ZoneShape,
    /// The left side of a rectangle, or the centre of an ellipse.
    x: Option<f64>,
    /// The top of a rectangle, or the centre of an ellipse.
    y: Option<f64>,
    /// Width of a rectangle.
    width: Option<f64>,
    /// Height of a rectangle.
    height: Option<f64>,
    /// Horizontal radius of an ellipse.
    radius_x: Option<f64>,
    /// Vertical radius of an ellipse.
    radius_y: Option<f64>,
    /// Corners of a polygon in order; empty for other shapes.
    #[graphql(complexity = "cost::list(cost::CORNERS, child_complexity)")]
    corners: Vec<ZoneCorner>,
}

/// Shape of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ZoneShape {
    /// A rectangle.
    Rectangle,
    /// An ellipse.
    Ellipse,
    /// A polygon.
    Polygon,
}

/// A corner of a zone.
#[derive(SimpleObject)]
pub struct ZoneCorner {
    /// Percent of the width of the picture.
    x: f64,
    /// Percent of the height of the picture.
    y: f64,
}

impl From<&MarkedPlace> for Place {
    fn from(place: &MarkedPlace) -> Self {
        Place {
            x: place.x.as_f64(),
            y: place.y.as_f64(),
        }
    }
}

impl From<&quiz::Zone> for Zone {
    fn from(zone: &quiz::Zone) -> Self {
        let percent = |coordinate: &Coordinate| Some(coordinate.as_f64());
        let none = Zone {
            id: id_of(zone.id),
            shape: ZoneShape::Polygon,
            x: None,
            y: None,
            width: None,
            height: None,
            radius_x: None,
            radius_y: None,
            corners: vec![],
        };
        match &zone.shape {
            Shape::Rectangle { x, y, width, height } => Zone {
                shape: ZoneShape::Rectangle,
                x: percent(x),
                y: percent(y),
                width: percent(width),
                height: percent(height),
                ..none
            },
            Shape::Ellipse {
                x,
                y,
                radius_x,
                radius_y,
            } => Zone {
                shape: ZoneShape::Ellipse,
                x: percent(x),
                y: percent(y),
                radius_x: percent(radius_x),
                radius_y: percent(radius_y),
                ..none
            },
            Shape::Polygon { corners } => Zone {
                corners: corners.iter().map(ZoneCorner::from).collect(),
                ..none
            },
        }
    }
}

impl From<&MarkedPlace> for ZoneCorner {
    fn from(corner: &MarkedPlace) -> Self {
        ZoneCorner {
            x: corner.x.as_f64(),
            y: corner.y.as_f64(),
        }
    }
}
