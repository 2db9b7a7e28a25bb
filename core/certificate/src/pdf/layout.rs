//! The layout of a page: what stands where. Nothing overlaps and nothing leaves the frame, however long the texts are.
//!
//! From top to bottom: the logo or the name of the issuer; heading, name and text, centred in the space that is left; facts, signature
//! and QR code. Long names and titles first get smaller, then more lines, then the whole middle gets smaller.

use super::content::{Content, Fact};
use super::fonts::Fonts;
use super::geometry::{Align, Frame};
use super::setting::{Placed, Setting, Sizes};
use super::text::Paragraph;
use crate::Picture;
use crate::qr::QUIET_ZONE;

/// A4 in landscape format, in points.
pub(super) const PAGE: Frame = Frame {
    x: 0.0,
    y: 0.0,
    width: 841.89,
    height: 595.28,
};

/// The distance of the frame from the edges of the page.
pub(super) const FRAME_MARGIN: f32 = 24.0;

/// The margins of the content.
const MARGIN: f32 = 72.0;
const TOP: f32 = 60.0;
const BOTTOM: f32 = PAGE.height - 62.0;
const CENTER: f32 = PAGE.width / 2.0;
const RIGHT: f32 = PAGE.width - MARGIN;

const LOGO: (f32, f32) = (210.0, 56.0);
const SIGNATURE: (f32, f32) = (150.0, 46.0);
const SIGNATURE_WIDTH: f32 = 190.0;
const FACTS_WIDTH: f32 = 226.0;
/// The width of the first of two facts in a row, which is the date.
const FIRST_FACT: f32 = 116.0;
const QR_SIDE: f32 = 72.0;
/// The side of the white plate with a QR code and its quiet zone.
const QR_PLATE: f32 = 84.0;
const ADDRESS_WIDTH: f32 = 112.0;

const HEADING: Sizes<'_> = &[(1, 44.0, 28.0), (2, 30.0, 18.0), (usize::MAX, 16.0, 10.0)];
const NAME: Sizes<'_> = &[
    (1, 50.0, 32.0),
    (2, 36.0, 22.0),
    (3, 24.0, 14.0),
    (usize::MAX, 14.0, 8.0),
];
const COURSE: Sizes<'_> = &[
    (1, 26.0, 19.0),
    (2, 21.0, 15.0),
    (3, 16.0, 12.0),
    (usize::MAX, 12.0, 8.0),
];
const ISSUER: Sizes<'_> = &[(1, 12.0, 9.0), (2, 10.0, 8.0), (3, 8.0, 5.0)];
const LABEL: Sizes<'_> = &[(1, 7.5, 6.0), (2, 6.5, 5.0), (3, 5.0, 4.0)];
const VALUE: Sizes<'_> = &[(1, 10.5, 8.0), (2, 9.0, 7.0), (4, 7.0, 4.0)];
const SIGNER: Sizes<'_> = &[(1, 11.0, 9.0), (2, 10.0, 7.5), (4, 7.5, 4.5)];
const POST: Sizes<'_> = &[(1, 8.5, 7.0), (2, 8.0, 6.5), (4, 7.0, 4.5)];
const ADDRESS: Sizes<'_> = &[(3, 7.5, 6.5), (5, 6.5, 5.0), (8, 5.0, 3.5)];

const TEXT_SIZE: f32 = 14.5;
const TEXT_WIDTH: f32 = 540.0;
const WIDE: f32 = 650.0;

/// The smallest scale of the middle: texts of 7 points.
const SMALLEST: f32 = 0.5;

/// How many larger scales are tried.
const STEPS: u8 = 12;

pub(super) struct Layout {
    pub logo: Option<Frame>,
    pub issuer: Placed,
    pub middle: Middle,
    /// Labels and values, the number at last.
    pub facts: Vec<(Placed, Placed)>,
    /// Left edge, height and width of the line to sign on, if anybody signs.
    pub signature_rule: Option<(f32, f32, f32)>,
    pub signature: Option<Frame>,
    pub signer: Placed,
    pub post: Placed,
    /// The modules of the QR code.
    pub qr: Frame,
    /// The white ground of the QR code, with its quiet zone, if the background does not suit it.
    pub qr_plate: Option<Frame>,
    pub verify: Placed,
    pub url: Placed,
}

/// Heading, name and text.
pub(super) struct Middle {
    pub heading: Placed,
    /// Left edge, height and width of the line below the heading.
    pub rule: Option<(f32, f32, f32)>,
    pub name: Placed,
    pub course: Placed,
    pub text: Placed,
    /// The paragraphs of the text, as far as they fit.
    pub paragraphs: Vec<Paragraph>,
}

impl Layout {
    /// `code` has the modules on a side of the QR code, and whether it needs a plate.
    pub fn new(
        fonts: &Fonts,
        content: &Content,
        logo: Option<&Picture>,
        signature: Option<&Picture>,
        code: (u32, bool),
    ) -> Self {
        let logo = logo.map(|logo| {
            let (width, height) = contain(logo, LOGO);
            Frame::new(CENTER - width / 2.0, TOP + (LOGO.1 - height) / 2.0, width, height)
        });
        let issuer = match logo {
            None => Setting::fit(&content.issuer, TEXT_WIDTH, ISSUER, 1.0, 1.35),
            Some(_) => Setting::default(),
        };
        let issuer = issuer.place(Align::Center, CENTER, TOP + 2.0);
        let top = match logo {
            Some(_) => TOP + LOGO.1,
            None => issuer.bounds.y + issuer.bounds.height,
        };

        let facts = facts(&content.facts, &content.number);
        let signer = Setting::fit(&content.signer, SIGNATURE_WIDTH, SIGNER, 1.0, 1.3);
        let post = Setting::fit(&content.post, SIGNATURE_WIDTH, POST, 1.0, 1.35);
        let post = post.place(Align::Center, CENTER, BOTTOM - post.height());
        let signer = signer.place(Align::Center, CENTER, post.bounds.y - signer.height());
        let is_signed = signature.is_some() || !signer.lines.is_empty();
        let rule_y = signer.bounds.y - 4.0;
        let signature = signature.map(|signature| {
            let (width, height) = contain(signature, SIGNATURE);
            // Ink touches the line.
            Frame::new(CENTER - width / 2.0, rule_y + 3.0 - height, width, height)
        });

        let (modules, needs_plate) = code;
        let side = if needs_plate { QR_PLATE } else { QR_SIDE };
        let ground = Frame::new(RIGHT - side, BOTTOM - side, side, side);
        let qr_plate = needs_plate.then_some(ground);
        let qr = match qr_plate {
            Some(plate) => plate.grown(-side * QUIET_ZONE as f32 / (modules + 2 * QUIET_ZONE) as f32),
            None => ground,
        };
        let beside = ground.x - 12.0;
        let url = Setting::fit(&content.url, ADDRESS_WIDTH, ADDRESS, 1.0, 1.35);
        let url = url.place(Align::Right, beside, BOTTOM - url.height());
        let verify = Setting::fit(&content.verify, ADDRESS_WIDTH, LABEL, 1.0, 1.4);
        let verify = verify.place(Align::Right, beside, url.bounds.y - 2.0 - verify.height());

        let signature_top = signature.map_or(rule_y, |frame| frame.y);
        let tops = facts
            .iter()
            .map(|(label, _)| label.bounds.y)
            .chain([signature_top, ground.y, verify.bounds.y]);
        let bottom = tops.fold(BOTTOM, f32::min);
        Layout {
            middle: Middle::new(fonts, content, top + 16.0, bottom - 20.0),
            logo,
            issuer,
            facts,
            signature_rule: is_signed.then_some((CENTER - SIGNATURE_WIDTH / 2.0, rule_y, SIGNATURE_WIDTH)),
            signature,
            signer,
            post,
            qr,
            qr_plate,
            verify,
            url,
        }
    }
}

impl Middle {
    fn new(fonts: &Fonts, content: &Content, top: f32, bottom: f32) -> Self {
        let mut text = content.text.clone();
        let mut paragraphs = text.shape(fonts);
        let mut is_joined = false;
        let fits = |middle: &Middle| middle.bottom() <= bottom;
        while !fits(&Middle::at(content, &paragraphs, top, bottom, SMALLEST)) {
            if paragraphs.is_empty() {
                // Heading, name and course have lengths at which they fit.
                return Middle::at(content, &paragraphs, top, bottom, SMALLEST / 2.0);
            }
            text = if is_joined { text.shortened() } else { text.joined() };
            is_joined = true;
            paragraphs = text.shape(fonts);
        }
        let steps = (0..STEPS).map(|step| 1.0 - f32::from(step) * (1.0 - SMALLEST) / f32::from(STEPS));
        let mut tries = steps.map(|scale| Middle::at(content, &paragraphs, top, bottom, scale));
        let found = tries
            .find(fits)
            .unwrap_or_else(|| Middle::at(content, &paragraphs, top, bottom, SMALLEST));
        Middle { paragraphs, ..found }
    }

    fn at(content: &Content, paragraphs: &[Paragraph], top: f32, bottom: f32, scale: f32) -> Self {
        // Smaller texts may be wider.
        let text_width = (TEXT_WIDTH + (1.0 - scale) * 260.0).min(WIDE);
        let heading = Setting::fit(&content.heading, WIDE, HEADING, scale, 1.1);
        let name = Setting::fit(&content.name, WIDE, NAME, scale, 1.12);
        let course = Setting::fit(&content.course, WIDE, COURSE, scale, 1.2);
        let text = Setting::at(paragraphs, text_width, TEXT_SIZE * scale, 1.5);

        let gap = |setting: &Setting, points: f32| if setting.height() > 0.0 { points * scale } else { 0.0 };
        let rule_gap = gap(&heading, 14.0);
        let name_gap = gap(&heading, 26.0);
        let (course_gap, text_gap) = (gap(&course, 16.0), gap(&text, 18.0));
        let heights = heading.height() + name.height() + course.height() + text.height();
        let height = heights + rule_gap + name_gap + course_gap + text_gap;

        let mut y = top + ((bottom - top - height) * 0.44).max(0.0);
        let mut place = |setting: &Setting, gap: f32| {
            let placed = setting.place(Align::Center, CENTER, y + gap);
            y += gap + setting.height();
            placed
        };
        let heading = place(&heading, 0.0);
        let rule_width = 64.0 * scale;
        let rule_y = heading.bounds.y + heading.bounds.height + rule_gap;
        Middle {
            rule: (!heading.lines.is_empty()).then_some((CENTER - rule_width / 2.0, rule_y, rule_width)),
            heading,
            name: place(&name, rule_gap + name_gap),
            course: place(&course, course_gap),
            text: place(&text, text_gap),
            paragraphs: Vec::new(),
        }
    }

    fn bottom(&self) -> f32 {
        let ends =
            [&self.heading, &self.name, &self.course, &self.text].map(|placed| placed.bounds.y + placed.bounds.height);
        ends.into_iter().fold(0.0, f32::max)
    }
}

/// The facts at the lower left, from top to bottom: two in a row, the number in a row of its own.
fn facts(facts: &[Fact], number: &Fact) -> Vec<(Placed, Placed)> {
    let second = MARGIN + FIRST_FACT + 12.0;
    let widths = [(MARGIN, FIRST_FACT), (second, MARGIN + FACTS_WIDTH - second)];
    let mut rows: Vec<Vec<(&Fact, f32, f32)>> = facts
        .chunks(2)
        .map(|row| match row {
            [one] => vec![(one, MARGIN, FACTS_WIDTH)],
            row => row
                .iter()
                .zip(widths)
                .map(|(fact, (x, width))| (fact, x, width))
                .collect(),
        })
        .collect();
    if !number.value.is_empty() {
        rows.push(vec![(number, MARGIN, FACTS_WIDTH)]);
    }
    let mut bottom = BOTTOM;
    let mut placed = Vec::new();
    for row in rows.iter().rev() {
        let set = row.iter().map(|(fact, x, width)| {
            let label = Setting::fit(&fact.label, *width, LABEL, 1.0, 1.4);
            (label, Setting::fit(&fact.value, *width, VALUE, 1.0, 1.3), *x)
        });
        let set: Vec<(Setting, Setting, f32)> = set.collect();
        let values = set.iter().map(|(_, value, _)| value.height()).fold(0.0, f32::max);
        let labels = set.iter().map(|(label, _, _)| label.height()).fold(0.0, f32::max);
        for (label, value, x) in set.iter().rev() {
            let value = value.place(Align::Left, *x, bottom - values);
            placed.push((
                label.place(Align::Left, *x, bottom - values - 1.0 - label.height()),
                value,
            ));
        }
        bottom -= values + labels + 10.0;
    }
    placed.reverse();
    placed
}

/// The size of a picture within a box. A pixel gets at most a point, so that small pictures stay sharp.
fn contain(picture: &Picture, (width, height): (f32, f32)) -> (f32, f32) {
    let (pixels_wide, pixels_high) = picture.size();
    let (wide, high) = (pixels_wide as f32, pixels_high as f32);
    let scale = (width / wide).min(height / high).min(1.0);
    (wide * scale, high * scale)
}
