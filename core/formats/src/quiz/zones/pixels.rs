//! Converts zones of course files, which are in pixels, to percent of the picture.

use super::{Coordinate, MAX_CORNERS, MarkedPlace, Shape};

/// The size of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureSize {
    width: f64,
    height: f64,
}

impl PictureSize {
    /// None unless both are above 0.
    pub fn new(width: f64, height: f64) -> Option<Self> {
        let is_size = |length: f64| length.is_finite() && length > 0.0;
        (is_size(width) && is_size(height)).then_some(PictureSize { width, height })
    }

    /// The nearest place on the picture.
    fn place(self, (x, y): (f64, f64)) -> MarkedPlace {
        MarkedPlace {
            x: Coordinate::nearest(100.0 * x / self.width),
            y: Coordinate::nearest(100.0 * y / self.height),
        }
    }

    /// A rectangle by two opposite corners, as far as it is on the picture. None if nothing of it is.
    pub fn rectangle(self, one: (f64, f64), other: (f64, f64)) -> Option<Shape> {
        let (one, other) = (self.place(one), self.place(other));
        let span = |a: Coordinate, b: Coordinate| {
            let (from, to) = (a.min(b), a.max(b));
            (from, Coordinate::of_parts(to.parts() - from.parts()))
        };
        let ((x, width), (y, height)) = (span(one.x, other.x), span(one.y, other.y));
        let is_flat = width.is_zero() || height.is_zero();
        (!is_flat).then_some(Shape::Rectangle { x, y, width, height })
    }

    /// An ellipse by its centre and its radii. One that is partly beyond the picture becomes a polygon. None if it is flat, or if its centre is
    /// beyond the picture.
    pub fn ellipse(self, centre: (f64, f64), radii: (f64, f64)) -> Option<Shape> {
        let is_within = |centre: f64, radius: f64, length: f64| radius <= centre && centre + radius <= length;
        let on_picture = (0.0..=self.width).contains(&centre.0) && (0.0..=self.height).contains(&centre.1);
        let is_length = |radius: f64| radius.is_finite() && radius > 0.0;
        if !on_picture || !is_length(radii.0) || !is_length(radii.1) {
            return None;
        }
        if !is_within(centre.0, radii.0, self.width) || !is_within(centre.1, radii.1, self.height) {
            let corners = (0..MAX_CORNERS).map(|corner| {
                let (sin, cos) = (std::f64::consts::TAU * corner as f64 / MAX_CORNERS as f64).sin_cos();
                (centre.0 + radii.0 * cos, centre.1 + radii.1 * sin)
            });
            return self.polygon(&corners.collect::<Vec<_>>());
        }
        let (MarkedPlace { x, y }, radius) = (self.place(centre), self.place(radii));
        // Rounding may have moved the boundary beyond the picture.
        let most = Coordinate::nearest(f64::MAX).parts();
        let fitting = |centre: Coordinate, radius: Coordinate| {
            Coordinate::of_parts(radius.parts().min(centre.parts()).min(most - centre.parts()))
        };
        let (radius_x, radius_y) = (fitting(x, radius.x), fitting(y, radius.y));
        let is_flat = radius_x.is_zero() || radius_y.is_zero();
        (!is_flat).then_some(Shape::Ellipse {
            x,
            y,
            radius_x,
            radius_y,
        })
    }

    /// A polygon by its corners, each moved to the picture. None if it has too few or too many.
    pub fn polygon(self, corners: &[(f64, f64)]) -> Option<Shape> {
        let corners: Vec<MarkedPlace> = corners.iter().map(|corner| self.place(*corner)).collect();
        let shape = Shape::Polygon { corners };
        super::check_shape(&shape).is_ok().then_some(shape)
    }
}

/// The corners of the smallest convex polygon around points (A. M. Andrew's monotone chain, 1979), without points on its sides.
pub fn convex_hull(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = points.to_vec();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    let chain = |points: &mut dyn Iterator<Item = &(f64, f64)>| {
        let mut chain: Vec<(f64, f64)> = Vec::new();
        for point in points {
            while let [.., before, last] = chain.as_slice() {
                let turn = (last.0 - before.0) * (point.1 - before.1) - (last.1 - before.1) * (point.0 - before.0);
                if turn > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop(); // the first one of the other chain
        chain
    };
    let mut hull = chain(&mut points.iter());
    hull.extend(chain(&mut points.iter().rev()));
    hull
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn size() -> PictureSize {
        PictureSize::new(640.0, 480.0).unwrap()
    }

    #[test]
    fn pixels_become_percent() {
        let shape = |shape: Option<Shape>| serde_json::to_value(shape).unwrap();
        assert_eq!(
            shape(size().rectangle((320.0, 24.0), (64.0, 240.0))),
            json!({"shape": "rectangle", "x": 10, "y": 5, "width": 40, "height": 45})
        );
        assert_eq!(
            shape(size().rectangle((600.0, 0.0), (700.0, 48.0))),
            json!({"shape": "rectangle", "x": 93.75, "y": 0, "width": 6.25, "height": 10})
        );
        assert_eq!(size().rectangle((700.0, 0.0), (800.0, 48.0)), None);
        assert_eq!(
            shape(size().ellipse((320.0, 240.0), (64.0, 1.0))),
            json!({"shape": "ellipse", "x": 50, "y": 50, "radius_x": 10, "radius_y": 0.208})
        );
        assert!(matches!(
            size().ellipse((10.0, 240.0), (20.0, 20.0)),
            Some(Shape::Polygon { .. })
        ));
        assert_eq!(size().ellipse((320.0, 240.0), (0.0, 20.0)), None);
        assert_eq!(size().polygon(&[(0.0, 0.0), (1.0, 1.0)]), None);
        assert_eq!(PictureSize::new(0.0, 480.0), None);
    }

    #[test]
    fn a_hull_has_no_points_inside_or_on_its_sides() {
        let points = [
            (0.0, 0.0),
            (2.0, 2.0),
            (4.0, 0.0),
            (2.0, 0.0),
            (4.0, 4.0),
            (0.0, 4.0),
            (4.0, 4.0),
        ];
        assert_eq!(convex_hull(&points), [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]);
        assert_eq!(convex_hull(&[(1.0, 1.0)]), []);
    }

    proptest! {
        #[test]
        fn shapes_of_any_pixels_lie_within_the_picture(points in vec((-100f64..800.0, -100f64..600.0), 3..9)) {
            let shapes = [
                size().rectangle(points[0], points[1]),
                size().ellipse(points[0], (points[1].0.abs(), points[1].1.abs())),
                size().polygon(&points),
            ];
            for shape in shapes.into_iter().flatten() {
                prop_assert_eq!(super::super::check_shape(&shape), Ok(()));
            }
        }

        #[test]
        fn a_hull_contains_its_points(points in vec((0u16..640, 0u16..480), 3..9)) {
            let points: Vec<(f64, f64)> = points.into_iter().map(|(x, y)| (x.into(), y.into())).collect();
            let hull = convex_hull(&points);
            prop_assume!(hull.len() > 2);
            // In pixels, so that nothing is rounded.
            let size = PictureSize::new(100.0, 100.0).unwrap();
            let scaled: Vec<(f64, f64)> = hull.iter().map(|(x, y)| (x / 8.0, y / 8.0)).collect();
            let shape = size.polygon(&scaled).unwrap();
            for (x, y) in points {
                prop_assert!(shape.contains(size.place((x / 8.0, y / 8.0))));
            }
        }
    }
}
