//! Random hotspot questions.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::SECRET;
use crate::quiz::model::Kind;
use crate::quiz::zones::{Coordinate, MAX_ZONES, MarkedPlace, Shape, Zone};

/// Complete hotspot questions. The ids of their zones are secrets.
pub fn hotspot() -> impl Strategy<Value = Kind> {
    (picture(), zones(1..5), any::<bool>(), any::<bool>()).prop_map(|(picture, zones, mark_all, all_or_nothing)| {
        Kind::Hotspot {
            picture: Some(picture),
            zones,
            mark_all,
            all_or_nothing,
        }
    })
}

fn picture() -> impl Strategy<Value = Value> {
    let attrs = (
        "[a-z]{1,5}",
        proptest::option::of("[а-я]{1,9}"),
        proptest::option::of((1u32..4000, 1u32..4000)),
    );
    attrs.prop_map(|(name, alt, size)| {
        let mut attrs = json!({"src": format!("/files/0123456789abcdef0123456789abcdef/{name}.png"), "alt": alt});
        if let (Some((width, height)), Some(attrs)) = (size, attrs.as_object_mut()) {
            attrs.insert("naturalWidth".into(), width.into());
            attrs.insert("naturalHeight".into(), height.into());
        }
        json!({"type": "doc", "content": [{"type": "image", "attrs": attrs}]})
    })
}

/// Zones with secret ids.
pub fn zones(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Zone>> {
    assert!(count.end <= MAX_ZONES + 1);
    vec(shape(), count).prop_map(|shapes| {
        let secret: u128 = u128::from_str_radix(SECRET, 16).unwrap();
        let zones = shapes.into_iter().zip(1u128..);
        zones
            .map(|(shape, number)| Zone {
                id: Uuid::from_u128(secret << 80 | 0x7000_8000 << 48 | number),
                shape,
            })
            .collect()
    })
}

/// Shapes within the picture, often of few places, so that they overlap and have places on their boundaries.
pub fn shape() -> impl Strategy<Value = Shape> {
    let parts = || prop_oneof![(0i64..=10).prop_map(|n| n * 10_000), 0i64..=100_000];
    let span = move || (parts(), parts()).prop_filter_map("flat", |(a, b)| (a != b).then_some((a.min(b), a.max(b))));
    let round = move || {
        (parts(), 1i64..=50_000).prop_filter_map("flat", |(centre, radius)| {
            let radius = radius.min(centre).min(100_000 - centre);
            (radius > 0).then_some((centre, radius))
        })
    };
    let of = Coordinate::of_parts;
    prop_oneof![
        (span(), span()).prop_map(move |(x, y)| Shape::Rectangle {
            x: of(x.0),
            y: of(y.0),
            width: of(x.1 - x.0),
            height: of(y.1 - y.0),
        }),
        (round(), round()).prop_map(move |(x, y)| Shape::Ellipse {
            x: of(x.0),
            y: of(y.0),
            radius_x: of(x.1),
            radius_y: of(y.1),
        }),
        vec(place(), 3..8).prop_map(|corners| Shape::Polygon { corners }),
    ]
}

/// Places, often with coordinates that shapes have, too.
pub fn place() -> impl Strategy<Value = MarkedPlace> {
    let parts = || prop_oneof![(0i64..=10).prop_map(|n| n * 10_000), 0i64..=100_000];
    (parts(), parts()).prop_map(|(x, y)| MarkedPlace {
        x: Coordinate::of_parts(x),
        y: Coordinate::of_parts(y),
    })
}

/// Changes where the zones are, but not their number.
pub fn moved(zones: &mut [Zone]) {
    for zone in zones {
        let (x, y) = (Coordinate::of_parts(1), Coordinate::of_parts(2));
        *zone = Zone::new(Shape::Rectangle {
            x,
            y,
            width: x,
            height: y,
        });
    }
}
