//! Content type detection from a file's first bytes.

/// How many leading bytes the detection reads.
pub const HEAD: usize = 64 * 1024;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageSize {
    pub width: u32,
    pub height: u32,
}

/// The content type of a file that begins with `head`; `application/octet-stream` if unknown.
pub fn content_type(head: &[u8]) -> &'static str {
    let starts = |magic: &[u8]| head.starts_with(magic);
    let at = |from: usize, magic: &[u8]| head.get(from..).is_some_and(|rest| rest.starts_with(magic));
    if starts(b"\x89PNG\r\n\x1a\n") {
        "image/png"
    } else if starts(b"\xff\xd8\xff") {
        "image/jpeg"
    } else if starts(b"GIF87a") || starts(b"GIF89a") {
        "image/gif"
    } else if starts(b"RIFF") && at(8, b"WEBP") {
        "image/webp"
    } else if starts(b"RIFF") && at(8, b"WAVE") {
        "audio/wav"
    } else if at(4, b"ftypavif") || at(4, b"ftypavis") {
        "image/avif"
    } else if at(4, b"ftypM4A") {
        "audio/mp4"
    } else if at(4, b"ftyp") {
        "video/mp4"
    } else if starts(b"\x1a\x45\xdf\xa3") {
        "video/webm"
    } else if starts(b"OggS") {
        "audio/ogg"
    } else if starts(b"fLaC") {
        "audio/flac"
    } else if starts(b"ID3") || is_mp3_frame(head) {
        "audio/mpeg"
    } else if starts(b"%PDF-") {
        "application/pdf"
    } else if starts(b"PK\x03\x04") {
        "application/zip"
    } else {
        text_type(head)
    }
}

/// What [`content_type`] may return.
const TYPES: [&str; 19] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
    "image/svg+xml",
    "audio/wav",
    "audio/mp4",
    "audio/ogg",
    "audio/flac",
    "audio/mpeg",
    "video/mp4",
    "video/webm",
    "application/pdf",
    "application/zip",
    "application/octet-stream",
    "text/html",
    "text/xml",
    "text/plain",
];

/// Returns the name of a content type that [`content_type`] can return; `application/octet-stream` for any other.
pub fn known_type(name: &str) -> &'static str {
    let known = TYPES.into_iter().find(|known| *known == name);
    known.unwrap_or("application/octet-stream")
}

fn is_mp3_frame(head: &[u8]) -> bool {
    matches!(head, [0xff, second, third, ..] if second & 0xe6 == 0xe2 && third & 0xf0 != 0xf0 && third & 0x0c != 0x0c)
}

fn text_type(head: &[u8]) -> &'static str {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The end of `head` may cut a character in two.
        Err(error) if error.error_len().is_none() => head
            .get(..error.valid_up_to())
            .and_then(|head| std::str::from_utf8(head).ok())
            .unwrap_or_default(),
        Err(_) => return "application/octet-stream",
    };
    if text.contains('\0') {
        return "application/octet-stream";
    }
    match first_element(text).to_ascii_lowercase().as_str() {
        "svg" => "image/svg+xml",
        "html" | "!doctype html" => "text/html",
        _ if text.trim_start().starts_with("<?xml") => "text/xml",
        _ => "text/plain",
    }
}

/// The name of the root element of an XML or HTML text; skips comments, declarations and the doctype.
pub fn first_element(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else if rest
            .get(..9)
            .is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"))
        {
            if rest
                .get(9..)
                .is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("html"))
            {
                return "html";
            }
            // An internal subset contains `>`.
            if rest.split('>').next().is_some_and(|start| start.contains('[')) {
                "]>"
            } else {
                ">"
            }
        } else {
            break;
        };
        match rest.split_once(end) {
            Some((_, after)) => rest = after.trim_start(),
            None => return "",
        }
    }
    let Some(rest) = rest.strip_prefix('<') else { return "" };
    let name = rest
        .split(|c: char| c.is_whitespace() || c == '>' || c == '/')
        .next()
        .unwrap_or_default();
    name.rsplit(':').next().unwrap_or(name)
}

/// The pixel size of an image that begins with `head`, if its header states it.
pub fn image_size(content_type: &str, head: &[u8]) -> Option<ImageSize> {
    if content_type == "image/svg+xml" {
        return svg_size(&String::from_utf8_lossy(head));
    }
    let size = content_type
        .starts_with("image/")
        .then(|| imagesize::blob_size(head).ok())
        .flatten()?;
    let side = |pixels: usize| {
        u32::try_from(pixels)
            .ok()
            .filter(|&pixels| (1..=1_000_000).contains(&pixels))
    };
    Some(ImageSize {
        width: side(size.width)?,
        height: side(size.height)?,
    })
}

/// Reads `width` and `height` of the root element, or else its `viewBox`.
fn svg_size(text: &str) -> Option<ImageSize> {
    let start = text.find("<svg").or_else(|| text.find(":svg"))?;
    let tag = text.get(start..)?.split('>').next()?;
    let (width, height) = match (
        attribute(tag, "width").and_then(pixels),
        attribute(tag, "height").and_then(pixels),
    ) {
        (Some(width), Some(height)) => (width, height),
        _ => {
            let numbers = attribute(tag, "viewBox")?;
            let mut numbers = numbers
                .split(|c: char| c.is_whitespace() || c == ',')
                .filter(|n| !n.is_empty())
                .skip(2)
                .map(str::parse);
            (numbers.next()?.ok()?, numbers.next()?.ok()?)
        }
    };
    let side = |pixels: f64| (1.0..=1_000_000.0).contains(&pixels).then_some(pixels.round() as u32);
    Some(ImageSize {
        width: side(width)?,
        height: side(height)?,
    })
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    loop {
        let at = from + tag.get(from..)?.find(name)?;
        from = at + name.len();
        let before = tag.get(..at)?.chars().next_back()?;
        let Some(value) = tag.get(from..)?.trim_start().strip_prefix('=') else {
            continue;
        };
        if before.is_whitespace() {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            return value.get(1..)?.split(quote).next();
        }
    }
}

/// Converts a CSS length to pixels; None for relative lengths.
fn pixels(length: &str) -> Option<f64> {
    let length = length.trim();
    let unit = length
        .find(|c: char| c.is_ascii_alphabetic() || c == '%')
        .unwrap_or(length.len());
    let (number, unit) = length.split_at_checked(unit)?;
    let number: f64 = number.trim().parse().ok()?;
    let factor = match unit {
        "" | "px" => 1.0,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 9.6 / 2.54,
        _ => return None,
    };
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_comes_from_the_bytes_and_not_the_name() {
        for (head, expected) in [
            (&b"\x89PNG\r\n\x1a\n...."[..], "image/png"),
            (b"\xff\xd8\xff\xe0", "image/jpeg"),
            (
                b"<?xml version=\"1.0\"?>\n<!-- a -->\n<!DOCTYPE svg PUBLIC \"x\" \"y\">\n<svg width='1'>",
                "image/svg+xml",
            ),
            (b"<svg:svg xmlns:svg='http://www.w3.org/2000/svg'/>", "image/svg+xml"),
            (b"<!doctype HTML><svg>", "text/html"),
            (b"<html>", "text/html"),
            (b"<?xml version='1.0'?><a/>", "text/xml"),
            (b"%PDF-1.7", "application/pdf"),
            (b"\0\0\0\x18ftypavif", "image/avif"),
            (b"\0\0\0\x18ftypisom", "video/mp4"),
            ("просто текст".as_bytes(), "text/plain"),
            (&"цел".as_bytes()[..5], "text/plain"),
            (b"a\0b", "application/octet-stream"),
            (b"\xff\xfe\x00", "application/octet-stream"),
            (b"", "text/plain"),
        ] {
            assert_eq!(content_type(head), expected, "{head:?}");
        }
    }

    #[test]
    fn svg_sizes_come_from_attributes_or_view_box() {
        let size = |text: &str| image_size("image/svg+xml", text.as_bytes()).map(|size| (size.width, size.height));
        assert_eq!(size("<svg width=\"96\" height='48px'>"), Some((96, 48)));
        assert_eq!(
            size("<svg stroke-width=\"3\" width=\"72pt\" height=\"1in\">"),
            Some((96, 96))
        );
        assert_eq!(
            size("<svg width=\"100%\" height=\"100%\" viewBox=\"0 0 30.4, 20\">"),
            Some((30, 20))
        );
        assert_eq!(size("<svg>"), None);
        assert_eq!(size("<svg width=\"0\" height=\"-1\">"), None);
    }
}
