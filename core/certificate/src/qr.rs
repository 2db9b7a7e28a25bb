//! QR codes of the addresses of certificates.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

use crate::Error;

/// Width of the white border that readers need, in modules.
pub const QUIET_ZONE: u32 = 4;

/// The dark and light modules of a QR code, without its quiet zone.
pub struct Modules {
    code: QrCode,
}

impl Modules {
    /// Modules on a side.
    pub fn size(&self) -> u32 {
        self.code.size().unsigned_abs()
    }

    /// Whether a module is dark. Light outside of the code.
    pub fn is_dark(&self, x: u32, y: u32) -> bool {
        match (i32::try_from(x), i32::try_from(y)) {
            (Ok(x), Ok(y)) => self.code.get_module(x, y),
            _ => false,
        }
    }

    /// The dark modules as horizontal bars: x, y, length. Bars are fewer than modules, and leave no hairlines between modules.
    pub(crate) fn bars(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        (0..self.size()).flat_map(move |y| {
            let mut x = 0;
            std::iter::from_fn(move || {
                while x < self.size() && !self.is_dark(x, y) {
                    x += 1;
                }
                let start = x;
                while self.is_dark(x, y) {
                    x += 1;
                }
                (x > start).then_some((start, y, x - start))
            })
        })
    }
}

/// Encodes a text at medium error correction, which is legible with 15 % of the code damaged.
///
/// # Errors
/// [`Error::QrTooLong`] above 2331 bytes.
pub fn modules(text: &str) -> Result<Modules, Error> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).map_err(|_| Error::QrTooLong)?;
    Ok(Modules { code })
}

/// A QR code as an SVG element without a size of its own: black on white, with its quiet zone. It is hidden from assistive
/// technology; the address has to stand beside it.
///
/// # Errors
/// [`Error::QrTooLong`] above 2331 bytes.
pub fn svg(text: &str) -> Result<String, Error> {
    let modules = modules(text)?;
    let side = modules.size() + 2 * QUIET_ZONE;
    let mut path = String::new();
    for (x, y, length) in modules.bars() {
        // Writing to a string cannot fail.
        let _ = write!(path, "M{} {}h{length}v1h-{length}z", x + QUIET_ZONE, y + QUIET_ZONE);
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\" aria-hidden=\"true\">\
         <path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/><path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_cover_exactly_the_dark_modules() {
        let modules = modules("https://kurso.example/c/3f1e9d0c-2b7a-4a55-9d11-0c9d6f3b2a10").unwrap();
        let mut covered = std::collections::BTreeSet::new();
        for (x, y, length) in modules.bars() {
            covered.extend((x..x + length).map(|x| (x, y)));
        }
        let side = modules.size();
        let dark = (0..side)
            .flat_map(|y| (0..side).map(move |x| (x, y)))
            .filter(|(x, y)| modules.is_dark(*x, *y));
        assert_eq!(covered, dark.collect());
    }

    #[test]
    fn svg_has_a_quiet_zone_and_no_script() {
        let svg = svg("https://kurso.example/c/1").unwrap();
        assert!(
            svg.starts_with("<svg ") && svg.contains("viewBox=\"0 0 33 33\""),
            "{svg}"
        );
        // The finder pattern begins after the quiet zone.
        assert!(svg.contains("d=\"M4 4h7v1h-7z"), "{svg}");
    }

    #[test]
    fn texts_too_long_for_a_code_are_an_error() {
        assert!(svg(&"a".repeat(2331)).is_ok());
        assert_eq!(svg(&"a".repeat(2332)).err(), Some(Error::QrTooLong));
        assert!(svg("").is_ok());
    }
}
