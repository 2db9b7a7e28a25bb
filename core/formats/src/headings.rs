//! What the headings of a document begin.

use kurso_base::values::{Checked, Problem};

/// A part of a course that a heading begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    Module,
    Lesson,
    Page,
}

/// What the headings of each level begin, for example `lesson,page`: those of level 1 lessons, those of level 2 pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Headings(Vec<Option<Part>>);

/// Levels of headings.
const MAX_LEVELS: usize = 6;

impl Headings {
    /// Reads `module`, `lesson`, `page` and `none`, separated by commas, from level 1 on. Each part stands at most once, the
    /// larger ones first. None for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Option<Vec<Option<Part>>> = text
            .split(',')
            .map(|name| match name.trim() {
                "module" => Some(Some(Part::Module)),
                "lesson" => Some(Some(Part::Lesson)),
                "page" => Some(Some(Part::Page)),
                "none" => Some(None),
                _ => None,
            })
            .collect();
        let parts = parts.filter(|parts| parts.len() <= MAX_LEVELS)?;
        let named: Vec<Part> = parts.iter().flatten().copied().collect();
        let in_order = named.windows(2).all(|pair| pair.first() < pair.last());
        (!named.is_empty() && in_order).then_some(Self(parts))
    }

    /// The text that [`Headings::parse`] reads.
    pub fn text(&self) -> String {
        let names = self.0.iter().map(|part| match part {
            Some(Part::Module) => "module",
            Some(Part::Lesson) => "lesson",
            Some(Part::Page) => "page",
            None => "none",
        });
        names.collect::<Vec<_>>().join(",")
    }

    /// What a heading of this level begins; levels start at 1.
    pub fn part(&self, level: u64) -> Option<Part> {
        let index = usize::try_from(level).ok()?.checked_sub(1)?;
        self.0.get(index).copied().flatten()
    }
}

impl Checked for Headings {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        Headings::parse(&plain).ok_or_else(Self::wrong_type)
    }

    fn wrong_type() -> Problem {
        Problem::not_one_of(vec![
            "page",
            "lesson,page",
            "module,lesson,page",
            "module,lesson",
            "module,page",
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_once_and_in_order() {
        for text in ["page", "lesson,page", "none,module,none,page", "module,lesson,page"] {
            assert_eq!(
                Headings::parse(text).map(|headings| headings.text()).as_deref(),
                Some(text)
            );
        }
        for text in [
            "",
            "none",
            "page,page",
            "page,lesson",
            "chapter",
            "none,none,none,none,none,none,page",
        ] {
            assert_eq!(Headings::parse(text), None, "{text}");
        }
    }
}
