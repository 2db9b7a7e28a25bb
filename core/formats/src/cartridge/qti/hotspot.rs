//! Reads hotspot items: a picture, and areas of it in pixels.

use roxmltree::Node;

use super::item::{Item, Material};
use super::kind::scores;
use super::question::QuestionBuilder;
use crate::cartridge::html::escaped;
use crate::cartridge::xml::{attr, child, children, find, is, text};
use crate::note::Note;
use crate::note::cartridge::Note as CartridgeNote;
use crate::quiz::{self, MAX_ZONES, PictureSize, Question, Shape, Zone, image_of, natural_size};

/// The only response of an item, if learners answer it by pointing at a picture.
#[derive(Debug, Default)]
pub struct Hotspot {
    /// The picture as HTML.
    picture: Material,
    size: Option<PictureSize>,
    /// Whether learners may point at several places.
    is_multiple: bool,
    areas: Vec<Area>,
    /// Areas that conditions name by their coordinates.
    right: Vec<Area>,
}

/// An area of the picture.
#[derive(Debug)]
struct Area {
    id: String,
    shape: String,
    /// Numbers with commas between them.
    coordinates: String,
}

impl Area {
    fn of(node: Node<'_, '_>, shape: &str) -> Self {
        // Some producers write the coordinates as an attribute.
        let coordinates = attr(node, "coords").map_or_else(|| text(node), str::to_owned);
        Area {
            id: attr(node, "ident").unwrap_or_default().to_owned(),
            shape: attr(node, shape).unwrap_or("Ellipse").to_ascii_lowercase(),
            coordinates,
        }
    }

    /// The shape of the area, as far as it is on the picture. None if it cannot be read.
    fn on(&self, size: PictureSize) -> Option<Shape> {
        let numbers = self
            .coordinates
            .split([',', ' '])
            .filter(|number| !number.trim().is_empty());
        let numbers: Vec<f64> = numbers
            .map(|number| number.trim().parse().ok())
            .collect::<Option<_>>()?;
        if numbers.iter().any(|number| !number.is_finite()) {
            return None;
        }
        match (self.shape.as_str(), numbers.as_slice()) {
            // The top left corner, the width and the height.
            ("rectangle", [x, y, width, height]) => size.rectangle((*x, *y), (x + width, y + height)),
            // The centre, the width and the height.
            ("ellipse", [x, y, width, height]) => size.ellipse((*x, *y), (width / 2.0, height / 2.0)),
            ("bounded", numbers) if numbers.len().is_multiple_of(2) => {
                let corners = numbers.chunks_exact(2).filter_map(|pair| match pair {
                    [x, y] => Some((*x, *y)),
                    _ => None,
                });
                size.polygon(&corners.collect::<Vec<_>>())
            }
            _ => None,
        }
    }
}

/// Reads the picture and the areas of an item. None if the item is none of this kind.
pub fn read(item: Node<'_, '_>) -> Option<Hotspot> {
    let presentation = child(item, "presentation")?;
    let mut responses = presentation.descendants().filter(|node| {
        node.is_element() && node.tag_name().name().starts_with("response_") && !is(*node, "response_label")
    });
    let (response, None) = (responses.next()?, responses.next()) else {
        return None;
    };
    let render = find(response, "render_hotspot")?;
    // Some producers put the picture beside the response.
    let image = find(render, "matimage").or_else(|| find(presentation, "matimage"))?;
    let pixels = |name: &str| attr(image, name).and_then(|text| text.trim().parse().ok());
    let labels = render.descendants().filter(|node| is(*node, "response_label"));
    let conditions = children(item, "resprocessing").flat_map(|node| children(node, "respcondition"));
    let inside = conditions.flat_map(|node| {
        let tests = node.descendants().filter(|node| is(*node, "varinside"));
        tests.filter(|test| !test.ancestors().any(|node| is(node, "not")))
    });
    let cardinality = attr(response, "rcardinality").unwrap_or_default();
    Some(Hotspot {
        picture: Material {
            text: format!("<img src=\"{}\">", escaped(attr(image, "uri")?)),
            html: true,
        },
        size: pixels("width")
            .zip(pixels("height"))
            .and_then(|(w, h)| PictureSize::new(w, h)),
        is_multiple: cardinality.eq_ignore_ascii_case("multiple"),
        areas: labels
            .take(MAX_ZONES * 2)
            .map(|label| Area::of(label, "rarea"))
            .collect(),
        right: inside
            .take(MAX_ZONES * 2)
            .map(|test| Area::of(test, "areatype"))
            .collect(),
    })
}

impl QuestionBuilder<'_> {
    /// None if the picture, its size or its right areas are unknown.
    pub(super) fn hotspot(&mut self, item: &Item) -> Option<Question> {
        let hotspot = item.hotspot.as_ref()?;
        let scored = scores(item);
        let (named, others): (Vec<&Area>, Vec<&Area>) =
            hotspot.areas.iter().partition(|area| scored.is_right(&area.id));
        let right: Vec<&Area> = named.iter().copied().chain(&hotspot.right).collect();
        if right.is_empty() {
            return None;
        }
        let picture = self.document(&hotspot.picture);
        image_of(&picture)?;
        let natural = natural_size(&picture).and_then(|(w, h)| PictureSize::new(w.into(), h.into()));
        let size = hotspot.size.or(natural)?;
        let shapes = right.iter().map(|area| area.on(size));
        let zones: Vec<Zone> = shapes
            .collect::<Option<Vec<Shape>>>()?
            .into_iter()
            .map(Zone::new)
            .collect();
        if zones.len() > MAX_ZONES {
            return None;
        }
        let best = scored.values().fold(0.0, f64::max);
        if !hotspot.is_multiple && scored.values().any(|score| score > 0.0 && score < best) {
            self.host.note(Note::Weights, 0);
        }
        if !named.is_empty() && !others.is_empty() {
            self.note(CartridgeNote::WrongAreas(others.len()));
        }
        let kind = quiz::Kind::Hotspot {
            picture: Some(picture),
            mark_all: hotspot.is_multiple && zones.len() > 1,
            zones,
            all_or_nothing: false,
        };
        Some(Question::new(self.document(&item.prompt), kind))
    }
}
