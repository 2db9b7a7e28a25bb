//! Text: cleaning, shaping into glyphs, breaking into lines. Lengths are in ems, so that one shaping serves every size.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use super::fonts::{Face, Fonts, Glyph};

/// A shaped paragraph: a text without line breaks.
#[derive(Clone, Debug)]
pub(super) struct Paragraph {
    pub text: String,
    pub glyphs: Vec<Glyph>,
    /// The sum of the advances before each glyph, and of all.
    sums: Vec<f32>,
    /// Glyphs at which a line may start, rising, the end included.
    breaks: Vec<usize>,
}

/// A line of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub glyphs: Range<usize>,
    /// Without the spaces at its end.
    pub width: f32,
    /// Whether it begins within a word that is wider than the line.
    pub is_torn: bool,
}

/// The text as it is drawn: composed, with `\n` as only control character, at most `most` characters. What is invisible or changes the
/// direction of the text is removed.
pub(super) fn clean(text: &str, most: usize) -> String {
    let text = text
        .replace("\r\n", "\n")
        .replace(['\r', '\u{85}', '\u{2028}', '\u{2029}'], "\n")
        .replace('\t', " ");
    let mut cleaned: String = text
        .nfc()
        .filter(|character| *character == '\n' || !is_invisible(*character))
        .collect();
    if let Some((end, _)) = cleaned.char_indices().nth(most) {
        cleaned.truncate(end);
        cleaned.push('…');
    }
    cleaned
}

/// As [`clean`], in one line without spaces around it.
pub(super) fn clean_line(text: &str, most: usize) -> String {
    clean(text, most).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Control characters, noncharacters, private use, format characters, and pictographs, which no font here has: a certificate looks better
/// without them than with a box in their place.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || u32::from(character) & 0xfffe == 0xfffe
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{20e3}' | '\u{2300}'..='\u{23ff}' | '\u{2b00}'..='\u{2bff}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..)
}

/// Combining marks stay in the font of their base.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Shapes texts that follow each other, each in a face, into paragraphs. Empty paragraphs are kept.
pub(super) fn shape(fonts: &Fonts, language: &str, spans: &[(&str, Face)]) -> Vec<Paragraph> {
    let mut paragraphs = vec![(String::new(), Vec::<(usize, Face)>::new())];
    for (text, face) in spans {
        for character in text.chars() {
            if character == '\n' {
                paragraphs.push((String::new(), Vec::new()));
            } else if let Some((text, runs)) = paragraphs.last_mut() {
                let last = runs.last().map(|(_, face)| *face);
                let face = match last {
                    Some(last) if is_mark(character) => last,
                    _ => fonts.choose(*face, character),
                };
                if last != Some(face) {
                    runs.push((text.len(), face));
                }
                text.push(character);
            }
        }
    }
    let shaped = paragraphs.into_iter().map(|(text, runs)| {
        let ends = runs.iter().skip(1).map(|(start, _)| *start).chain([text.len()]);
        let runs = runs
            .iter()
            .zip(ends)
            .flat_map(|((start, face), end)| fonts.shape(*face, language, &text, *start..end));
        let glyphs: Vec<Glyph> = runs.collect();
        Paragraph::new(text, glyphs)
    });
    shaped.collect()
}

impl Paragraph {
    fn new(text: String, glyphs: Vec<Glyph>) -> Self {
        let mut sum = 0.0;
        let mut sums = vec![0.0];
        for glyph in &glyphs {
            sum += glyph.advance;
            sums.push(sum);
        }
        let positions = break_positions(&text);
        let starts = glyphs
            .iter()
            .enumerate()
            .filter(|(_, glyph)| positions.binary_search(&glyph.start).is_ok());
        let mut breaks: Vec<usize> = starts.map(|(at, _)| at).collect();
        // Of a cluster with several glyphs only the first starts a line.
        breaks.dedup_by_key(|at| glyphs.get(*at).map(|glyph| glyph.start));
        breaks.push(glyphs.len());
        Paragraph {
            text,
            glyphs,
            sums,
            breaks,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.glyphs.is_empty()
    }

    /// Breaks into lines of at most this width, in ems. A word that is wider is torn; a glyph that is wider stands alone.
    pub fn wrap(&self, width: f32) -> Vec<Line> {
        let mut lines = Vec::new();
        let (mut start, mut end, mut is_torn) = (0, 0, false);
        for next in &self.breaks {
            if self.width(start..*next) > width && end > start {
                lines.push(self.line(start..end, is_torn));
                (start, is_torn) = (end, false);
            }
            while self.width(start..*next) > width {
                let cut = self.cut(start, *next, width);
                if cut >= *next {
                    break;
                }
                lines.push(self.line(start..cut, is_torn));
                (start, is_torn) = (cut, true);
            }
            end = *next;
        }
        if end > start {
            lines.push(self.line(start..end, is_torn));
        }
        lines
    }

    /// Breaks into as few lines as [`Self::wrap`], of lengths as equal as possible: centred text looks best so.
    pub fn wrap_evenly(&self, width: f32) -> Vec<Line> {
        let mut best = self.wrap(width);
        if best.len() < 2 || best.iter().any(|line| line.is_torn) {
            return best;
        }
        let (mut narrow, mut wide) = (0.0, width);
        for _ in 0..8 {
            let middle = (narrow + wide) / 2.0;
            let lines = self.wrap(middle);
            if lines.len() > best.len() || lines.iter().any(|line| line.is_torn || line.width > middle) {
                narrow = middle;
            } else {
                (best, wide) = (lines, middle);
            }
        }
        best
    }

    /// The first glyph after `start` that does not fit, at the border of a cluster; at least one cluster fits.
    fn cut(&self, start: usize, end: usize, width: f32) -> usize {
        let borders = (start + 1..end).filter(|at| {
            let cluster = |at: usize| self.glyphs.get(at).map(|glyph| glyph.start);
            cluster(*at) != cluster(*at - 1)
        });
        let mut cut = None;
        for border in borders {
            if cut.is_some() && self.width(start..border) > width {
                break;
            }
            cut = Some(border);
        }
        cut.unwrap_or(end)
    }

    fn line(&self, glyphs: Range<usize>, is_torn: bool) -> Line {
        Line {
            width: self.width(glyphs.clone()),
            glyphs,
            is_torn,
        }
    }

    /// The width of glyphs without the spaces at their end.
    fn width(&self, glyphs: Range<usize>) -> f32 {
        let slice = self.glyphs.get(glyphs.clone()).unwrap_or_default();
        let spaces = slice
            .iter()
            .rev()
            .take_while(|glyph| self.text.get(glyph.start..glyph.end) == Some(" "))
            .count();
        let sum = |at: usize| self.sums.get(at).copied().unwrap_or_default();
        sum(glyphs.end - spaces) - sum(glyphs.start)
    }
}

/// Where a line may start: after spaces, and after hyphens and slashes within words. A word of one or two letters stays with the next
/// word and a dash with the word before it, as Russian typography wants.
fn break_positions(text: &str) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut word = 0;
    let mut previous = ' ';
    let mut has_other = false;
    for (at, character) in text.char_indices() {
        let is_start = match previous {
            ' ' => character != ' ' && !matches!(character, '—' | '–') && (word > 2 || has_other),
            '-' | '–' | '—' | '/' => word > 2 && character.is_alphanumeric(),
            _ => false,
        };
        if is_start && at > 0 {
            positions.push(at);
        }
        if previous == ' ' && character != ' ' {
            (word, has_other) = (0, false);
        }
        if character != ' ' {
            word += 1;
            has_other |= !character.is_alphabetic();
        }
        previous = character;
    }
    positions
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn paragraph(text: &str) -> Paragraph {
        let fonts = Fonts::get().unwrap();
        shape(fonts, "ru", &[(text, Face::Text)]).remove(0)
    }

    fn lines(text: &str, width: f32) -> Vec<String> {
        let paragraph = paragraph(text);
        let text = |line: &Line| {
            let glyphs = &paragraph.glyphs[line.glyphs.clone()];
            paragraph.text[glyphs[0].start..glyphs[glyphs.len() - 1].end].to_owned()
        };
        paragraph.wrap(width).iter().map(text).collect()
    }

    #[test]
    fn what_is_invisible_is_removed() {
        assert_eq!(clean("a\u{0}b\r\nc\u{202e}\u{200b}\td🎓\u{fe0f}", 100), "ab\nc d");
        assert_eq!(clean("е\u{308}лка", 100), "ёлка");
        assert_eq!(clean("слово", 3), "сло…");
        assert_eq!(clean_line("  a \n b ", 100), "a b");
    }

    #[test]
    fn short_words_and_dashes_keep_their_neighbours() {
        assert_eq!(lines("работа с памятью", 7.0), ["работа ", "с памятью"]);
        assert_eq!(lines("Москва — столица", 6.0), ["Москва — ", "столица"]);
        assert_eq!(lines("Мария-Антуанетта", 6.0), ["Мария-", "Антуанетта"]);
        assert_eq!(lines("кто-то", 30.0), ["кто-то"]);
    }

    #[test]
    fn wide_words_are_torn() {
        let torn = paragraph("Достопримечательность").wrap(5.0);
        assert!(torn.len() > 1 && !torn[0].is_torn && torn[1..].iter().all(|line| line.is_torn));
    }

    #[test]
    fn even_lines_are_no_more_than_greedy_ones() {
        let paragraph = paragraph("Введение в системное программирование и безопасную работу с памятью");
        let (greedy, even) = (paragraph.wrap(30.0), paragraph.wrap_evenly(30.0));
        assert_eq!(greedy.len(), even.len());
        let spread = |lines: &[Line]| {
            let widths = lines.iter().map(|line| line.width);
            widths.clone().fold(0.0, f32::max) - widths.fold(f32::INFINITY, f32::min)
        };
        assert!(spread(&even) < spread(&greedy));
    }

    #[test]
    fn letters_that_a_font_lacks_are_drawn_in_another() {
        let fonts = Fonts::get().unwrap();
        assert_eq!(fonts.choose(Face::Text, 'я'), Face::Text);
        // Vietnamese is in Cormorant only.
        assert_eq!(fonts.choose(Face::Text, 'ệ'), Face::Display);
        assert_eq!(fonts.choose(Face::Display, '李'), Face::Text);
        let glyphs = paragraph("Nguyệt").glyphs;
        assert!(glyphs.iter().all(|glyph| glyph.id != 0));
    }

    proptest! {
        #[test]
        fn lines_hold_every_glyph_in_order_and_fit(text in "[ а-яa-z\\-/—]{0,80}|\\PC{0,40}", width in 0.0f32..40.0) {
            let paragraph = paragraph(&clean_line(&text, 1000));
            for lines in [paragraph.wrap(width), paragraph.wrap_evenly(width)] {
                let mut next = 0;
                for line in &lines {
                    prop_assert_eq!(line.glyphs.start, next);
                    prop_assert!(line.glyphs.end > next);
                    let first = paragraph.glyphs[next].start;
                    let is_cluster = paragraph.glyphs[line.glyphs.clone()].iter().all(|glyph| glyph.start == first);
                    prop_assert!(line.width <= width || is_cluster);
                    next = line.glyphs.end;
                }
                prop_assert_eq!(next, paragraph.glyphs.len());
            }
        }
    }
}
