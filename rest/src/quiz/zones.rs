//! Schemas of the zones of hotspot questions. The core writes the JSON.
#![expect(dead_code, reason = "describes the JSON of the core")]

use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident $kind:ident { $value:ident } { $($fields:tt)* })*) => {$(
        #[derive(ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $kind {
            $value,
        }

        $(#[$doc])*
        #[derive(ToSchema)]
        pub struct $name {
            id: Uuid,
            #[schema(inline)]
            shape: $kind,
            $($fields)*
        }
    )*};
}

shapes! {
    /// A rectangle, by its top left corner.
    RectangleZone RectangleShape { Rectangle } {
        #[schema(minimum = 0, maximum = 100)]
        x: f64,
        #[schema(minimum = 0, maximum = 100)]
        y: f64,
        #[schema(exclusive_minimum = 0, maximum = 100)]
        width: f64,
        #[schema(exclusive_minimum = 0, maximum = 100)]
        height: f64,
    }
    /// An ellipse, by its centre.
    EllipseZone EllipseShape { Ellipse } {
        #[schema(minimum = 0, maximum = 100)]
        x: f64,
        #[schema(minimum = 0, maximum = 100)]
        y: f64,
        #[schema(exclusive_minimum = 0, maximum = 50)]
        radius_x: f64,
        #[schema(exclusive_minimum = 0, maximum = 50)]
        radius_y: f64,
    }
    /// A polygon. Where its sides cross each other, the even-odd rule decides what is inside.
    PolygonZone PolygonShape { Polygon } {
        #[schema(min_items = 3, max_items = 50)]
        corners: Vec<ZoneCorner>,
    }
}

/// A corner of a polygon.
#[derive(ToSchema)]
pub struct ZoneCorner {
    #[schema(minimum = 0, maximum = 100)]
    x: f64,
    #[schema(minimum = 0, maximum = 100)]
    y: f64,
}

/// A right zone of a picture, in percent of its width and height.
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(discriminator(property_name = "shape", mapping(
    ("rectangle" = "#/components/schemas/RectangleZone"),
    ("ellipse" = "#/components/schemas/EllipseZone"),
    ("polygon" = "#/components/schemas/PolygonZone")
)))]
pub enum Zone {
    Rectangle(RectangleZone),
    Ellipse(EllipseZone),
    Polygon(PolygonZone),
}
