//! Reads the picture and the zones of a hotspot question from JSON.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Coordinate, MAX_CORNERS, MIN_CORNERS, MarkedPlace, Shape, Zone, check_corners, check_picture, check_shape,
};
use crate::content;
use crate::quiz::fields::At;
use crate::quiz::json::{
    Form, Given, JsonReader, List, Schemas, add_discriminator, described, object, one_of_schemas, reference, set,
};
use crate::quiz::problem::Problem;
use crate::quiz::read::{PartId, RichText};

object! {
    /// A rectangle, by its top left corner.
    RectangleWrite -> Zone {
        /// Generated when absent.
        id: Given<PartId>,
        x: Coordinate,
        y: Coordinate,
        width: Length,
        height: Length,
    } => |reader, at| zone(reader, at, id, Shape::Rectangle { x: x?, y: y?, width: width?, height: height? });

    /// An ellipse, by its centre.
    EllipseWrite -> Zone {
        /// Generated when absent.
        id: Given<PartId>,
        x: Coordinate,
        y: Coordinate,
        radius_x: Length,
        radius_y: Length,
    } => |reader, at| zone(reader, at, id, Shape::Ellipse { x: x?, y: y?, radius_x: radius_x?, radius_y: radius_y? });

    /// A polygon. Where its sides cross each other, the even-odd rule decides what is inside.
    PolygonWrite -> Zone {
        /// Generated when absent.
        id: Given<PartId>,
        corners: Corners,
    } => |reader, at| zone(reader, at, id, Shape::Polygon { corners: corners? });

    /// A corner of a polygon.
    CornerWrite -> MarkedPlace {
        x: Coordinate,
        y: Coordinate,
    } => |_reader, _at| Some(MarkedPlace { x: x?, y: y? });
}

fn zone(reader: &mut JsonReader, at: &At<'_>, id: Option<Uuid>, shape: Shape) -> Option<Zone> {
    let id = id.unwrap_or_else(Uuid::now_v7);
    let is_valid = reader.problems.holds(at, check_shape(&shape), &Value::Null);
    is_valid.then_some(Zone { id, shape })
}

/// A kind of zone by the name of its shape.
struct ShapeWrite {
    name: &'static str,
    schema: &'static str,
    read: fn(&mut JsonReader, &At<'_>, &Value) -> Option<Zone>,
    add_schemas: fn(&mut Schemas),
}

const SHAPES: [ShapeWrite; 3] = [
    ShapeWrite {
        name: "rectangle",
        schema: "RectangleWrite",
        read: RectangleWrite::read,
        add_schemas: RectangleWrite::add_schemas,
    },
    ShapeWrite {
        name: "ellipse",
        schema: "EllipseWrite",
        read: EllipseWrite::read,
        add_schemas: EllipseWrite::add_schemas,
    },
    ShapeWrite {
        name: "polygon",
        schema: "PolygonWrite",
        read: PolygonWrite::read,
        add_schemas: PolygonWrite::add_schemas,
    },
];

/// A zone, by its `shape`.
pub struct ZoneWrite;

impl Form for ZoneWrite {
    type Value = Zone;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Zone> {
        let map = reader.problems.object(at, value)?;
        let sent = map.get("shape").unwrap_or(&Value::Null);
        let Some(shape) = SHAPES.iter().find(|shape| sent.as_str() == Some(shape.name)) else {
            let names = SHAPES.iter().map(|shape| shape.name).collect();
            let message = Problem::OneOf(names).message();
            reader
                .problems
                .refuse(&at.name("shape"), "literal_error", message, sent);
            return None;
        };
        (shape.read)(reader, at, value)
    }

    fn schema() -> Value {
        reference("ZoneWrite")
    }

    fn add_schemas(to: &mut Schemas) {
        for shape in &SHAPES {
            (shape.add_schemas)(to);
            if let Some(schema) = to.get_mut(shape.schema) {
                add_discriminator(schema, "shape", shape.name);
            }
        }
        let schema = one_of_schemas("shape", SHAPES.iter().map(|shape| (shape.name, shape.schema)));
        let doc = "A right zone of a picture, in percent of its width and height. It includes its boundary and lies within the picture.";
        to.insert("ZoneWrite", described(schema, &[doc]));
    }
}

/// A width, a height or a radius, above 0.
struct Length;

impl Form for Length {
    type Value = Coordinate;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Coordinate> {
        let length = Coordinate::read(reader, at, value)?;
        if length.is_zero() {
            reader.problems.add(at, Problem::FlatZone.value_error(), value);
            return None;
        }
        Some(length)
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double", "exclusiveMinimum": 0, "maximum": Coordinate::MAX})
    }
}

/// The corners of a polygon.
struct Corners;

type CornerList = List<CornerWrite, MAX_CORNERS>;

impl Form for Corners {
    type Value = Vec<MarkedPlace>;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Vec<MarkedPlace>> {
        let before = reader.problems.count();
        let corners = CornerList::read(reader, at, value)?;
        // A corner that cannot be read is a problem of its own.
        if reader.problems.count() > before {
            return None;
        }
        let is_valid = reader.problems.holds(at, check_corners(corners.len()), &Value::Null);
        is_valid.then_some(corners)
    }

    fn schema() -> Value {
        let mut schema = CornerList::schema();
        set(&mut schema, "minItems", json!(MIN_CORNERS));
        schema
    }

    fn add_schemas(to: &mut Schemas) {
        CornerList::add_schemas(to);
    }
}

/// A document with one image and nothing else. An empty document counts as none.
pub struct PictureWrite;

impl Form for PictureWrite {
    type Value = Value;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Value> {
        let document = RichText::read(reader, at, value)?;
        let is_picture = !content::is_empty(&document) && {
            let rule = check_picture(&document);
            reader.problems.holds(at, rule, &Value::Null)
        };
        is_picture.then_some(document)
    }

    fn schema() -> Value {
        reference("RichDocument")
    }

    fn add_schemas(to: &mut Schemas) {
        RichText::add_schemas(to);
    }
}

impl Form for Coordinate {
    type Value = Coordinate;

    fn read(reader: &mut JsonReader, at: &At<'_>, value: &Value) -> Option<Coordinate> {
        let coordinate = value.as_number().and_then(Coordinate::new);
        if coordinate.is_none() {
            reader.problems.add(at, Problem::BadCoordinate.value_error(), value);
        }
        coordinate
    }

    fn schema() -> Value {
        json!({"type": "number", "format": "double", "minimum": 0, "maximum": Coordinate::MAX})
    }
}
