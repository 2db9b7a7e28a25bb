//! Titles that messages name one after another.

use super::Lang;

/// Maximum number of titles that are named: a cycle in a sequential course may have all its lessons.
const NAMED: usize = 8;

/// Titles in order; of many, the first and the last ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TitleChain {
    first: Vec<String>,
    /// Those behind the gap; empty without one.
    last: Vec<String>,
}

impl TitleChain {
    pub fn of<'a>(titles: impl Iterator<Item = &'a str>) -> Self {
        let mut first: Vec<String> = titles.map(str::to_owned).collect();
        let mut last = Vec::new();
        if first.len() > NAMED {
            last = first.split_off(first.len() - NAMED / 2);
            first.truncate(NAMED / 2);
        }
        TitleChain { first, last }
    }

    /// The titles in the quotation marks of the language, each with an arrow to the next.
    pub fn text(&self, lang: Lang) -> String {
        let quoted = |title: &String| match lang {
            Lang::En => format!("“{title}”"),
            Lang::Ru => format!("«{title}»"),
        };
        let gap = (!self.last.is_empty()).then(|| "…".to_owned());
        let named = self
            .first
            .iter()
            .map(quoted)
            .chain(gap)
            .chain(self.last.iter().map(quoted));
        named.collect::<Vec<_>>().join(" → ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_the_quotation_marks_of_the_language() {
        let chain = TitleChain::of(["Типы", "Срезы"].into_iter());
        assert_eq!(chain.text(Lang::Ru), "«Типы» → «Срезы»");
        assert_eq!(chain.text(Lang::En), "“Типы” → “Срезы”");
    }

    #[test]
    fn of_many_titles_the_first_and_the_last_are_named() {
        let titles: Vec<String> = (1..=9).map(|number| number.to_string()).collect();
        let text = |count: usize| TitleChain::of(titles.iter().take(count).map(String::as_str)).text(Lang::Ru);
        assert_eq!(text(8).matches('→').count(), 7);
        assert_eq!(text(9), "«1» → «2» → «3» → «4» → … → «6» → «7» → «8» → «9»");
    }
}
