//! Which places are inside a zone: exact integer geometry in thousandths of a percent.

use super::{Coordinate, MarkedPlace, Shape};

impl Shape {
    /// Whether the place is inside the shape or on its boundary.
    pub fn contains(&self, place: MarkedPlace) -> bool {
        let (px, py) = place.parts();
        match self {
            Shape::Rectangle { x, y, width, height } => {
                let (x, y) = (x.parts(), y.parts());
                (x..=x + width.parts()).contains(&px) && (y..=y + height.parts()).contains(&py)
            }
            Shape::Ellipse {
                x,
                y,
                radius_x,
                radius_y,
            } => {
                let square = |n: i64| i128::from(n) * i128::from(n);
                let (rx, ry) = (square(radius_x.parts()), square(radius_y.parts()));
                let (dx, dy) = (square(px - x.parts()), square(py - y.parts()));
                dx * ry + dy * rx <= rx * ry
            }
            Shape::Polygon { corners } => is_in_polygon(corners, (px, py)),
        }
    }

    /// Whether no part of the shape is beyond the picture. A polygon is always within it, because its corners are.
    pub fn is_within_picture(&self) -> bool {
        let most = Coordinate::nearest(f64::MAX).parts();
        match self {
            Shape::Rectangle { x, y, width, height } => {
                x.parts() + width.parts() <= most && y.parts() + height.parts() <= most
            }
            Shape::Ellipse {
                x,
                y,
                radius_x,
                radius_y,
            } => {
                let fits = |centre: &Coordinate, radius: &Coordinate| {
                    radius <= centre && centre.parts() + radius.parts() <= most
                };
                fits(x, radius_x) && fits(y, radius_y)
            }
            Shape::Polygon { .. } => true,
        }
    }

    /// A place inside the shape, in the middle of it if possible. None for a polygon without corners.
    pub fn sample(&self) -> Option<MarkedPlace> {
        match self {
            Shape::Rectangle { x, y, width, height } => Some(MarkedPlace {
                x: Coordinate::of_parts(x.parts() + width.parts() / 2),
                y: Coordinate::of_parts(y.parts() + height.parts() / 2),
            }),
            Shape::Ellipse { x, y, .. } => Some(MarkedPlace { x: *x, y: *y }),
            Shape::Polygon { corners } => {
                let first = corners.first()?;
                let count = i64::try_from(corners.len()).unwrap_or(i64::MAX);
                let mean = |of: fn(&MarkedPlace) -> Coordinate| {
                    Coordinate::of_parts(corners.iter().map(|corner| of(corner).parts()).sum::<i64>() / count)
                };
                let middle = MarkedPlace {
                    x: mean(|corner| corner.x),
                    y: mean(|corner| corner.y),
                };
                Some(if self.contains(middle) { middle } else { *first })
            }
        }
    }
}

impl MarkedPlace {
    fn parts(self) -> (i64, i64) {
        (self.x.parts(), self.y.parts())
    }
}

fn is_in_polygon(corners: &[MarkedPlace], (px, py): (i64, i64)) -> bool {
    let ends = corners.iter().skip(1).chain(corners.first());
    let mut is_inside = false;
    for (from, to) in corners.iter().zip(ends) {
        let ((ax, ay), (bx, by)) = (from.parts(), to.parts());
        // At most 2 · 10¹⁰. Above 0 if the place is on the one side of the line through the side, below 0 on the other, and 0 on the line.
        let turn = (bx - ax) * (py - ay) - (px - ax) * (by - ay);
        let is_between = |a: i64, b: i64, p: i64| a.min(b) <= p && p <= a.max(b);
        if turn == 0 && is_between(ax, bx, px) && is_between(ay, by, py) {
            return true;
        }
        // A horizontal ray from the place crosses the side; each corner belongs to one of its two sides only.
        if (ay > py) != (by > py) && (turn > 0) == (by > ay) {
            is_inside = !is_inside;
        }
    }
    is_inside
}
