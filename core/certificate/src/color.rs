//! Colors and their contrast.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// An opaque sRGB color, written `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

impl Rgb {
    pub const WHITE: Rgb = Rgb::new(0xff, 0xff, 0xff);
    pub const BLACK: Rgb = Rgb::new(0, 0, 0);

    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Rgb { red, green, blue }
    }

    /// The contrast ratio of WCAG 2, from 1 to 21.
    pub fn contrast(self, other: Rgb) -> f32 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// A mixture: `self` at 0, `other` at 1.
    pub(crate) fn mix(self, other: Rgb, part: f32) -> Rgb {
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part).round() as u8;
        Rgb::new(
            mix(self.red, other.red),
            mix(self.green, other.green),
            mix(self.blue, other.blue),
        )
    }

    fn luminance(self) -> f32 {
        let linear = |part: u8| {
            let part = f32::from(part) / 255.0;
            if part <= 0.040_45 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }
}

impl FromStr for Rgb {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let digits = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6)
            .ok_or(Error::Color)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Error::Color);
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).map_err(|_| Error::Color)?.to_be_bytes();
        Ok(Rgb::new(red, green, blue))
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_parsed_and_written() {
        let color: Rgb = "#1F6feb".parse().unwrap();
        assert_eq!(color, Rgb::new(0x1f, 0x6f, 0xeb));
        assert_eq!(color.to_string(), "#1f6feb");
        for wrong in ["", "#", "1f6feb", "#1f6fe", "#1f6febf", "#+f6feb", "#éfeb1", "#gggggg"] {
            assert_eq!(wrong.parse::<Rgb>(), Err(Error::Color), "{wrong}");
        }
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((Rgb::WHITE.contrast(Rgb::BLACK) - 21.0).abs() < 0.01);
        assert!((Rgb::WHITE.contrast(Rgb::new(0x76, 0x76, 0x76)) - 4.54).abs() < 0.01);
    }
}
