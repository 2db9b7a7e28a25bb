//! Writes and reads the zones of hotspot questions.

use crate::numbers::number;
use crate::quiz::{Coordinate, MarkedPlace, Shape, Zone};

/// Writes a line such as `% rectangle 10.5 20 30 12.25`, `% ellipse 50 50 10 12` or `% polygon 1 2, 30 2, 10 40`.
pub fn write(zone: &Zone) -> String {
    match &zone.shape {
        Shape::Rectangle { x, y, width, height } => format!("% rectangle {x} {y} {width} {height}"),
        Shape::Ellipse {
            x,
            y,
            radius_x,
            radius_y,
        } => format!("% ellipse {x} {y} {radius_x} {radius_y}"),
        Shape::Polygon { corners } => {
            let corners = corners.iter().map(|MarkedPlace { x, y }| format!("{x} {y}"));
            format!("% polygon {}", corners.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Reads what [`write`] writes after the `%`. None if it is invalid.
pub fn read(text: &str) -> Option<Zone> {
    let (name, rest) = text.trim().split_once(char::is_whitespace)?;
    let shape = match (name, numbers(rest)) {
        ("rectangle", Some(numbers)) => match numbers.as_slice() {
            [x, y, width, height] => Shape::Rectangle {
                x: *x,
                y: *y,
                width: *width,
                height: *height,
            },
            _ => return None,
        },
        ("ellipse", Some(numbers)) => match numbers.as_slice() {
            [x, y, radius_x, radius_y] => Shape::Ellipse {
                x: *x,
                y: *y,
                radius_x: *radius_x,
                radius_y: *radius_y,
            },
            _ => return None,
        },
        ("polygon", _) => {
            let corner = |text: &str| match numbers(text)?.as_slice() {
                [x, y] => Some(MarkedPlace { x: *x, y: *y }),
                _ => None,
            };
            Shape::Polygon {
                corners: rest.split(',').map(corner).collect::<Option<_>>()?,
            }
        }
        _ => return None,
    };
    Some(Zone::new(shape))
}

/// The coordinates in a text with spaces between them.
fn numbers(text: &str) -> Option<Vec<Coordinate>> {
    let coordinate = |word: &str| Coordinate::new(&number(word)?);
    text.split_whitespace().map(coordinate).collect()
}
