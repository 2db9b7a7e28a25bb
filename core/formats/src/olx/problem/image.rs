//! Reads image responses: a picture and its right areas in pixels.

use super::responses::ParsedResponse;
use crate::note::olx::Note;
use crate::quiz::{Kind, MAX_ZONES, PictureSize, Shape, Zone, convex_hull};
use crate::xml::{Element, escaped};

/// The question of one picture. Fails without a picture, its size or a right area, and for areas that cannot be read.
pub fn read(input: &Element) -> Result<ParsedResponse, Note> {
    let failed = || Note::Image;
    let src = input.attr_text("src").ok_or_else(failed)?;
    let length = |name: &str| input.attr_text(name)?.trim_end_matches("px").trim().parse::<f64>().ok();
    let size = length("width").zip(length("height"));
    let size = size.and_then(|(w, h)| PictureSize::new(w, h)).ok_or_else(failed)?;
    let mut shapes = rectangles(input.attr_text("rectangle").unwrap_or_default(), size).ok_or_else(failed)?;
    shapes.extend(regions(input.attr_text("regions").unwrap_or_default(), size).ok_or_else(failed)?);
    if shapes.is_empty() || shapes.len() > MAX_ZONES {
        return Err(failed());
    }
    let mut parsed = ParsedResponse::of(Kind::Hotspot {
        picture: None,
        zones: shapes.into_iter().map(Zone::new).collect(),
        mark_all: false,
        all_or_nothing: false,
    });
    let alt = input.attr_text("alt").map(escaped).unwrap_or_default();
    parsed.picture = format!("<img src=\"{}\" alt=\"{alt}\">", escaped(src));
    Ok(parsed)
}

/// Parses `(10,10)-(20,30);(12,12)-(40,60)`.
fn rectangles(text: &str, size: PictureSize) -> Option<Vec<Shape>> {
    let corner = |text: &str| {
        let inner = text.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
        let (x, y) = inner.split_once(',')?;
        Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
    };
    let written = text.split(';').filter(|part| !part.trim().is_empty());
    let rectangle = |text: &str| {
        let (one, other) = text.split_once('-')?;
        size.rectangle(corner(one)?, corner(other)?)
    };
    written.map(rectangle).collect()
}

/// Parses `[[[10,10],[20,30],[40,10]],[[100,100],[120,110],[110,150]]]`, or a single region without the outer brackets. Open edX takes the convex
/// hull of each region.
fn regions(text: &str, size: PictureSize) -> Option<Vec<Shape>> {
    if text.trim().is_empty() {
        return Some(vec![]);
    }
    let region = |points: &Vec<[f64; 2]>| {
        let points: Vec<(f64, f64)> = points.iter().map(|[x, y]| (*x, *y)).collect();
        size.polygon(&convex_hull(&points))
    };
    let several = serde_json::from_str::<Vec<Vec<[f64; 2]>>>(text);
    let regions = several
        .or_else(|_| serde_json::from_str(text).map(|one| vec![one]))
        .ok()?;
    regions.iter().map(region).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::xml;

    fn parse(attrs: &str) -> Result<ParsedResponse, Note> {
        read(
            &xml::read(&format!(
                "<imageinput src=\"/static/map.png\" alt=\"Карта &amp; план\" {attrs}/>"
            ))
            .expect("XML"),
        )
    }

    fn shapes(attrs: &str) -> serde_json::Value {
        match parse(attrs).expect("a question").kind {
            Kind::Hotspot { zones, .. } => zones
                .iter()
                .map(|zone| serde_json::to_value(&zone.shape).unwrap())
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rectangles_and_regions_are_zones() {
        assert_eq!(
            shapes("width=\"400\" height=\"200\" rectangle=\"(40,20)-(80,60); [200,0]-[400,200]\""),
            json!([
                {"shape": "rectangle", "x": 10, "y": 10, "width": 10, "height": 20},
                {"shape": "rectangle", "x": 50, "y": 0, "width": 50, "height": 100},
            ])
        );
        let triangle = json!({"shape": "polygon", "corners": [{"x": 0, "y": 0}, {"x": 10, "y": 0}, {"x": 0, "y": 20}]});
        let size = "width=\"400\" height=\"200\"";
        assert_eq!(
            shapes(&format!("{size} regions=\"[[0,0],[40,0],[10,10],[0,40]]\"")),
            json!([triangle])
        );
        assert_eq!(
            shapes(&format!(
                "{size} regions=\"[[[0,0],[40,0],[0,40]],[[0,0],[40,0],[0,40]]]\""
            )),
            json!([triangle, triangle])
        );
        let parsed = parse(&format!("{size} rectangle=\"(1,1)-(9,9)\"")).unwrap();
        assert_eq!(parsed.picture, "<img src=\"/static/map.png\" alt=\"Карта &amp; план\">");
    }

    #[test]
    fn a_response_without_a_size_or_readable_areas_is_no_question() {
        for attrs in [
            "rectangle=\"(1,1)-(9,9)\"",
            "width=\"400\" height=\"200\"",
            "width=\"400\" height=\"0\" rectangle=\"(1,1)-(9,9)\"",
            "width=\"400\" height=\"200\" rectangle=\"(1,1)-(1,9)\"",
            "width=\"400\" height=\"200\" rectangle=\"(1,1)\"",
            "width=\"400\" height=\"200\" regions=\"[[0,0],[1,1]]\"",
            "width=\"400\" height=\"200\" regions=\"x\"",
        ] {
            assert_eq!(parse(attrs).map(|parsed| parsed.kind), Err(Note::Image), "{attrs}");
        }
    }
}
