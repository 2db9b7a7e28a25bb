//! The colors of a page, chosen so that everything stays legible on its background.

use crate::{Design, Picture, Rgb};

const DARK: Rgb = Rgb::new(0x1c, 0x1f, 0x26);
const LIGHT: Rgb = Rgb::new(0xfa, 0xf9, 0xf6);

/// The contrast ratio of WCAG 2 for text. Black or white has it on every background.
const LEGIBLE: f32 = 4.5;

#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    pub background: Rgb,
    /// The name and texts.
    pub text: Rgb,
    /// Labels.
    pub muted: Rgb,
    /// The heading and the line below it.
    pub accent: Rgb,
    /// The frame.
    pub frame: Rgb,
    /// The line for the signature.
    pub rule: Rgb,
}

impl Palette {
    pub fn new(design: &Design) -> Self {
        let background = design.background;
        let text = match better(background, DARK, LIGHT) {
            soft if soft.contrast(background) >= LEGIBLE => soft,
            _ => better(background, Rgb::BLACK, Rgb::WHITE),
        };
        let accent = legible(design.accent, text, background, 3.0);
        Palette {
            background,
            text,
            muted: legible(text.mix(background, 0.38), text, background, LEGIBLE),
            accent,
            frame: accent.mix(background, 0.35),
            rule: text.mix(background, 0.55),
        }
    }

    /// Whether the modules of a QR code can be drawn on the background. Readers need dark ones on a light ground.
    pub fn suits_codes(&self) -> bool {
        self.background.contrast(Rgb::BLACK) >= 12.0
    }

    /// Whether dark ink stands out on the background.
    pub fn is_light(&self) -> bool {
        better(self.background, DARK, LIGHT) == DARK
    }

    /// A signature that can be seen on the background: on a dark one, dark ink gets the color of the text, and light paper around it
    /// disappears.
    pub fn ink(&self, signature: &Picture) -> Picture {
        if self.is_light() {
            return signature.clone();
        }
        match mean_color(signature) {
            Some(ink) if ink.contrast(self.background) >= 3.0 => signature.clone(),
            Some(_) => signature.recolored(self.text, |_| 255),
            None => signature.recolored(self.text, |luma| 255 - luma),
        }
    }

    /// The color of a plate below a picture that would not be seen without one: a transparent picture whose colors are close to the
    /// background's.
    pub fn plate(&self, picture: &Picture) -> Option<Rgb> {
        let color = mean_color(picture)?;
        (color.contrast(self.background) < 1.8).then(|| better(color, DARK, LIGHT))
    }
}

/// The color that contrasts more with another.
fn better(with: Rgb, one: Rgb, other: Rgb) -> Rgb {
    if one.contrast(with) >= other.contrast(with) {
        one
    } else {
        other
    }
}

/// A color as close to the wanted one as the contrast ratio allows; at worst that of the text.
fn legible(wanted: Rgb, text: Rgb, background: Rgb, ratio: f32) -> Rgb {
    let steps = (0..=10u8).map(|step| wanted.mix(text, f32::from(step) / 10.0));
    let mut fitting = steps.filter(|color| color.contrast(background) >= ratio);
    fitting.next().unwrap_or(text)
}

/// The mean color of what is visible of a picture that has a transparent part; none of one that fills its rectangle.
fn mean_color(picture: &Picture) -> Option<Rgb> {
    let (mut visible, mut all) = (0u64, 0u64);
    let mut sums = [0u64; 3];
    for pixel in picture.pixels().pixels() {
        let [red, green, blue, alpha] = pixel.0.map(u64::from);
        all += 255;
        visible += alpha;
        for (sum, part) in sums.iter_mut().zip([red, green, blue]) {
            *sum += part * alpha;
        }
    }
    if visible == 0 || visible * 100 > all * 97 {
        return None;
    }
    let [red, green, blue] = sums.map(|sum| u8::try_from(sum / visible).unwrap_or(u8::MAX));
    Some(Rgb::new(red, green, blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn palette(accent: &str, background: &str) -> Palette {
        Palette::new(&Design {
            heading: String::new(),
            text: String::new(),
            accent: accent.parse().unwrap(),
            background: background.parse().unwrap(),
            logo: None,
            signature: None,
            signer: String::new(),
        })
    }

    #[test]
    fn text_is_legible_on_every_background() {
        for red in (0..=255).step_by(51) {
            for green in (0..=255).step_by(51) {
                for blue in (0..=255).step_by(51) {
                    let background = Rgb::new(red, green, blue).to_string();
                    for accent in ["#000000", "#ffffff", "#b3261e", &background] {
                        let palette = palette(accent, &background);
                        let ratio = |color: Rgb| color.contrast(palette.background);
                        assert!(ratio(palette.text) >= LEGIBLE, "{palette:?}");
                        assert!(ratio(palette.muted) >= LEGIBLE, "{palette:?}");
                        assert!(ratio(palette.accent) >= 3.0, "{palette:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_legible_accent_stays_as_chosen() {
        assert_eq!(palette("#7a1f3d", "#ffffff").accent, Rgb::new(0x7a, 0x1f, 0x3d));
        assert_ne!(palette("#ffff99", "#ffffff").accent, Rgb::new(0xff, 0xff, 0x99));
    }
}
