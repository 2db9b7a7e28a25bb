//! Writes the picture of a hotspot question with its zones.

use std::io;

use serde_json::Value;

use super::document::PageWriter;
use crate::quiz::{MarkedPlace, Shape, Zone, image_of};

/// Writes the picture with the zones over it, and their number for those who do not see them.
pub fn write(writer: &mut PageWriter<'_, '_>, picture: Option<&Value>, zones: &[Zone]) -> io::Result<()> {
    let labels = writer.site.labels;
    if zones.is_empty() {
        return write!(writer.out, "<p>{}</p>", labels.no_answer);
    }
    if let Some(image) = picture.and_then(image_of) {
        let mut image = image.clone();
        // The zones cover the figure, so it must be no larger than its image.
        if let Some(attrs) = image.get_mut("attrs").and_then(Value::as_object_mut) {
            attrs.remove("caption");
        }
        write!(writer.out, "<div class=\"zones\">")?;
        writer.image(&image)?;
        write!(
            writer.out,
            "<svg viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
        )?;
        for zone in zones {
            write!(writer.out, "{}", element(&zone.shape))?;
        }
        write!(writer.out, "</svg></div>")?;
    }
    write!(writer.out, "<p>{} {}</p>", labels.zones, zones.len())
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Rectangle { x, y, width, height } => {
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
        }
        Shape::Ellipse {
            x,
            y,
            radius_x,
            radius_y,
        } => format!("<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{radius_x}\" ry=\"{radius_y}\"/>"),
        Shape::Polygon { corners } => {
            let corners = corners.iter().map(|MarkedPlace { x, y }| format!("{x},{y}"));
            format!("<polygon points=\"{}\"/>", corners.collect::<Vec<_>>().join(" "))
        }
    }
}
