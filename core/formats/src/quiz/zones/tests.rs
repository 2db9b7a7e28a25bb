use num_rational::BigRational;
use num_traits::One as _;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::quiz::samples::zones::{place, shape, zones};
use crate::quiz::{self, Quiz};
use kurso_base::error::Error;
use kurso_base::messages::Lang;

fn picture(src: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": src}}]})
}

fn read(shape: Value) -> Shape {
    serde_json::from_value(shape).unwrap()
}

fn at(x: f64, y: f64) -> MarkedPlace {
    MarkedPlace {
        x: Coordinate::nearest(x),
        y: Coordinate::nearest(y),
    }
}

fn share(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

#[test]
fn zones_include_their_boundaries() {
    let rectangle = read(json!({"shape": "rectangle", "x": 10.5, "y": 20, "width": 30, "height": 12.25}));
    for inside in [at(10.5, 20.0), at(40.5, 32.25), at(20.0, 20.0), at(40.5, 25.0)] {
        assert!(rectangle.contains(inside), "{inside:?}");
    }
    for outside in [at(10.499, 25.0), at(40.501, 25.0), at(20.0, 19.999), at(20.0, 32.251)] {
        assert!(!rectangle.contains(outside), "{outside:?}");
    }
    let ellipse = read(json!({"shape": "ellipse", "x": 50, "y": 50, "radius_x": 10, "radius_y": 5}));
    // 6 and 8 of 10, and 3 and 4 of 5, are the legs of right triangles.
    for inside in [at(60.0, 50.0), at(50.0, 45.0), at(56.0, 54.0), at(42.0, 47.0)] {
        assert!(ellipse.contains(inside), "{inside:?}");
    }
    for outside in [at(60.001, 50.0), at(56.001, 54.0), at(56.0, 54.001), at(60.0, 55.0)] {
        assert!(!ellipse.contains(outside), "{outside:?}");
    }
    let corners = json!([{"x": 0, "y": 0}, {"x": 30, "y": 0}, {"x": 0, "y": 30}]);
    let triangle = read(json!({"shape": "polygon", "corners": corners}));
    for inside in [
        at(0.0, 0.0),
        at(15.0, 15.0),
        at(10.0, 20.0),
        at(0.0, 17.0),
        at(5.0, 5.0),
    ] {
        assert!(triangle.contains(inside), "{inside:?}");
    }
    for outside in [at(15.001, 15.0), at(30.001, 0.0), at(29.0, 29.0), at(0.001, 30.0)] {
        assert!(!triangle.contains(outside), "{outside:?}");
    }
}

#[test]
fn a_polygon_that_crosses_itself_has_holes() {
    // A star with five points: its middle is crossed twice.
    let corners = [(50.0, 0.0), (80.0, 95.0), (0.0, 35.0), (100.0, 35.0), (20.0, 95.0)];
    let star = Shape::Polygon {
        corners: corners.map(|(x, y)| at(x, y)).to_vec(),
    };
    assert!(star.contains(at(50.0, 20.0)) && star.contains(at(20.0, 40.0)));
    assert!(!star.contains(at(50.0, 50.0)));
    let middle = star.sample().unwrap();
    assert!(star.contains(middle), "{middle:?}");
}

fn rectangle(x: i64, width: i64) -> Zone {
    Zone::new(read(
        json!({"shape": "rectangle", "x": x, "y": 0, "width": width, "height": 100}),
    ))
}

#[test]
fn one_place_in_any_zone_suffices_unless_all_are_to_be_marked() {
    let zones = [rectangle(0, 10), rectangle(20, 10), rectangle(40, 10)];
    let (first, second, outside) = (at(5.0, 5.0), at(25.0, 5.0), at(15.0, 5.0));
    let one = |places: &[MarkedPlace]| credit(&zones, places, false, false);
    assert_eq!(
        (one(&[first]), one(&[outside]), one(&[])),
        (share(1, 1), share(0, 1), share(0, 1))
    );
    let all = |places: &[MarkedPlace]| credit(&zones, places, true, false);
    assert_eq!(all(&[first, second]), share(2, 3));
    assert_eq!(all(&[first, second, outside]), share(2, 3));
    assert_eq!(all(&[first, first, first]), share(1, 3), "a zone accepts one place");
    let third = at(50.0, 100.0);
    let whole = |places: &[MarkedPlace]| credit(&zones, places, true, true);
    assert_eq!(
        (whole(&[first, second]), whole(&[third, first, second])),
        (share(0, 1), share(1, 1))
    );
    assert_eq!(credit(&[], &[first], true, true), share(0, 1));
    assert_eq!(credit(&[], &[first], false, false), share(0, 1));
}

#[test]
fn places_are_matched_to_overlapping_zones_for_the_most_credit() {
    // The first place fits both zones, the second only the wide one.
    let zones = [rectangle(0, 100), rectangle(0, 10)];
    let (both, wide) = (at(5.0, 5.0), at(50.0, 5.0));
    for places in [[both, wide], [wide, both]] {
        assert_eq!(grading::right_places(&zones, &places, true), [true, true]);
    }
    assert_eq!(
        grading::right_places(&zones, &[wide, wide, both], true),
        [true, false, true]
    );
}

fn refused(question: Value) -> Vec<(String, String)> {
    match quiz::read(&json!({"questions": [question]})) {
        Ok(_) => vec![],
        Err(Error::Invalid(errors)) => errors
            .iter()
            .map(|error| {
                let loc = serde_json::to_string(&error.loc[4..]).unwrap();
                (loc.replace('"', ""), error.message.text(Lang::En))
            })
            .collect(),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn zones_that_are_no_shapes_within_the_picture_are_refused() {
    let coordinate = "A coordinate is 0 to 100 percent, with at most three decimals";
    let outside = "The zone lies partly beyond the picture";
    let flat = "The width and the height of a zone are above 0";
    let corner = json!({"x": 1, "y": 2});
    for (zone, place, problem) in [
        (
            json!({"shape": "rectangle", "x": 10.0001, "y": 0, "width": 1, "height": 1}),
            "x",
            coordinate,
        ),
        (
            json!({"shape": "rectangle", "x": -1, "y": 0, "width": 1, "height": 1}),
            "x",
            coordinate,
        ),
        (
            json!({"shape": "rectangle", "x": "1", "y": 0, "width": 1, "height": 1}),
            "x",
            coordinate,
        ),
        (
            json!({"shape": "rectangle", "x": 0, "y": 0, "width": 0, "height": 1}),
            "width",
            flat,
        ),
        (
            json!({"shape": "rectangle", "x": 99.5, "y": 0, "width": 0.501, "height": 1}),
            "",
            outside,
        ),
        (
            json!({"shape": "ellipse", "x": 5, "y": 50, "radius_x": 5.001, "radius_y": 1}),
            "",
            outside,
        ),
        (
            json!({"shape": "ellipse", "x": 5, "y": 50, "radius_x": 5, "radius_y": 0}),
            "radius_y",
            flat,
        ),
        (
            json!({"shape": "polygon", "corners": [corner, corner]}),
            "corners",
            "A polygon has at least 3 corners",
        ),
        (
            json!({"shape": "polygon", "corners": [corner, corner, {"x": 101, "y": 0}]}),
            "corners,2,x",
            coordinate,
        ),
        (
            json!({"shape": "circle"}),
            "shape",
            "Must be one of: rectangle, ellipse, polygon",
        ),
    ] {
        let question = json!({"type": "hotspot", "prompt": "?", "zones": [zone]});
        let found = refused(question.clone());
        let place = if place.is_empty() {
            String::new()
        } else {
            format!(",{place}")
        };
        assert_eq!(found.len(), 1, "{question}: {found:?}");
        assert_eq!(found[0].0, format!("[zones,0{place}]"), "{question}");
        if !place.contains("shape") {
            assert_eq!(found[0].1, problem, "{question}");
        }
    }
    let zone = json!({"shape": "ellipse", "x": 5, "y": 50, "radius_x": 5, "radius_y": 1});
    let many = vec![zone; MAX_ZONES + 1];
    assert_eq!(
        refused(json!({"type": "hotspot", "prompt": "?", "zones": many})).len(),
        1
    );
    let corners = vec![corner; MAX_CORNERS + 1];
    let polygon = json!({"shape": "polygon", "corners": corners});
    assert_eq!(
        refused(json!({"type": "hotspot", "prompt": "?", "zones": [polygon]})).len(),
        1
    );
    let id = Uuid::from_u128(1);
    let twice = [1, 2].map(|x| json!({"id": id, "shape": "rectangle", "x": x, "y": 0, "width": 1, "height": 1}));
    assert_eq!(
        refused(json!({"type": "hotspot", "prompt": "?", "zones": twice})).len(),
        1
    );
}

#[test]
fn a_picture_is_one_image() {
    let src = "/files/0123456789abcdef0123456789abcdef/a.png";
    let image = json!({"type": "image", "attrs": {"src": src}});
    let text = json!({"type": "paragraph", "content": [{"type": "text", "text": "a"}]});
    let asked = |content: Value| {
        let picture = json!({"type": "doc", "content": content});
        json!({"type": "hotspot", "prompt": "?", "picture": picture})
    };
    for content in [json!([image, image]), json!([text, image]), json!([text])] {
        let problem = "The picture is a document with one image and nothing else";
        assert_eq!(refused(asked(content)), [("[picture]".to_owned(), problem.to_owned())]);
    }
    let picture_of = |question: Value| {
        let quiz = quiz::read(&json!({"questions": [question]})).unwrap();
        match &quiz.questions[0].kind {
            Kind::Hotspot { picture, .. } => picture.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(picture_of(asked(json!([image]))), Some(picture(src)));
    assert_eq!(picture_of(asked(json!([{"type": "paragraph"}]))), None);
    assert_eq!(
        picture_of(json!({"type": "hotspot", "prompt": "?", "picture": ""})),
        None
    );
    let sized = json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": src, "naturalWidth": 640, "naturalHeight": 480}}]});
    assert_eq!(
        (natural_size(&sized), natural_size(&picture(src))),
        (Some((640, 480)), None)
    );
}

/// The largest number of places that different zones contain, by trying everything.
fn most(zones: &[Zone], places: &[MarkedPlace]) -> usize {
    let Some((place, rest)) = places.split_first() else {
        return 0;
    };
    let mut best = most(zones, rest);
    for (i, zone) in zones.iter().enumerate() {
        if zone.shape.contains(*place) {
            let mut others = zones.to_vec();
            others.remove(i);
            best = best.max(1 + most(&others, rest));
        }
    }
    best
}

proptest! {
    #[test]
    fn shapes_lie_within_the_picture_and_contain_their_sample(shape in shape()) {
        prop_assert_eq!(check_shape(&shape), Ok(()));
        prop_assert!(shape.contains(shape.sample().unwrap()));
    }

    #[test]
    fn shapes_are_stored_and_read_back(shape in shape()) {
        let zone = Zone::new(shape);
        let stored = serde_json::to_value(&zone).unwrap();
        prop_assert_eq!(&serde_json::from_value::<Zone>(stored.clone()).unwrap(), &zone);
        let quiz = quiz::read(&json!({"questions": [{"type": "hotspot", "prompt": "?", "zones": [stored]}]})).unwrap();
        prop_assert_eq!(quiz.questions[0].kind.zones(), &[zone][..]);
    }

    /// A rectangle is the polygon of its corners, wherever the corners start and in either direction.
    #[test]
    fn a_rectangle_is_the_polygon_of_its_corners(
        rectangle in shape().prop_filter("a rectangle", |shape| matches!(shape, Shape::Rectangle { .. })),
        place in place(), first in 0usize..4, backwards: bool
    ) {
        let Shape::Rectangle { x, y, width, height } = &rectangle else { unreachable!() };
        let (right, bottom) = (
            Coordinate::of_parts(x.parts() + width.parts()),
            Coordinate::of_parts(y.parts() + height.parts()),
        );
        let mut corners = vec![(*x, *y), (right, *y), (right, bottom), (*x, bottom)];
        corners.rotate_left(first);
        if backwards {
            corners.reverse();
        }
        let corners = corners.into_iter().map(|(x, y)| MarkedPlace { x, y }).collect();
        prop_assert_eq!(rectangle.contains(place), Shape::Polygon { corners }.contains(place));
    }

    #[test]
    fn as_many_places_are_right_as_possible(zones in zones(0..5), places in vec(place(), 0..5)) {
        let right = grading::right_places(&zones, &places, true);
        prop_assert_eq!(right.len(), places.len());
        let count = right.iter().filter(|right| **right).count();
        prop_assert_eq!(count, most(&zones, &places));
        // Every prefix has as many right places as it can.
        for (i, is_right) in right.iter().enumerate() {
            prop_assert_eq!(*is_right, most(&zones, &places[..=i]) > most(&zones, &places[..i]));
        }
    }

    #[test]
    fn sample_places_get_full_credit(zones in zones(1..6), mark_all: bool, all_or_nothing: bool) {
        let places = sample_places(&zones, mark_all);
        prop_assert_eq!(places.len(), if mark_all { zones.len() } else { 1 });
        prop_assert!(credit(&zones, &places, mark_all, all_or_nothing).is_one());
    }

    #[test]
    fn the_order_of_zones_does_not_matter(zones in zones(1..6), places in vec(place(), 0..6), all_or_nothing: bool) {
        let reversed: Vec<Zone> = zones.iter().rev().cloned().collect();
        prop_assert_eq!(
            credit(&zones, &places, true, all_or_nothing),
            credit(&reversed, &places, true, all_or_nothing)
        );
    }
}

#[test]
fn a_quiz_with_an_incomplete_hotspot_cannot_be_published() {
    let lacks = |question: Value| {
        let quiz: Quiz = quiz::read(&json!({"questions": [question]})).unwrap();
        match quiz::require_complete(&quiz) {
            Ok(()) => vec![],
            Err(Error::Invalid(errors)) => errors.iter().map(|error| error.message.text(Lang::En)).collect(),
            Err(other) => panic!("{other}"),
        }
    };
    let empty = json!({"type": "hotspot", "prompt": "?"});
    assert_eq!(
        lacks(empty),
        ["Question 1: there is no picture", "Question 1: no right zone is marked"]
    );
    let zone = json!({"shape": "ellipse", "x": 5, "y": 50, "radius_x": 5, "radius_y": 1});
    let picture = picture("/files/0123456789abcdef0123456789abcdef/a.png");
    let whole = json!({"type": "hotspot", "prompt": "?", "picture": picture, "zones": [zone]});
    assert_eq!(lacks(whole), Vec::<String>::new());
}
