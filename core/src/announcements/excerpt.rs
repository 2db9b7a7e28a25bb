//! The beginning of an announcement's text, which lists show without reading its content. Pure.

use kurso_base::text::one_line;
use kurso_formats::content;
use serde_json::Value;

/// The maximum length of an excerpt in characters, not counting the `…`.
const MAX: usize = 300;

/// The beginning of a document's text in one line, cut between words and ended by `…` if there is more.
pub(crate) fn excerpt(document: &Value) -> String {
    let text = content::text(document);
    let line = one_line(&text);
    let Some((end, _)) = line.char_indices().nth(MAX) else {
        return line;
    };
    let cut = line.get(..end).unwrap_or_default();
    // Half a word may read as another word, so cut between words if there are several.
    let whole = match line.get(end..).is_some_and(|rest| rest.starts_with(' ')) {
        true => cut,
        false => cut.rsplit_once(' ').map_or(cut, |(words, _)| words),
    };
    format!("{whole}…")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn document(blocks: &[String]) -> Value {
        let paragraph = |text: &String| json!({"type": "paragraph", "content": [{"type": "text", "text": text}]});
        json!({"type": "doc", "content": blocks.iter().map(paragraph).collect::<Vec<_>>()})
    }

    #[test]
    fn blocks_are_joined_and_long_texts_cut_between_words() {
        assert_eq!(excerpt(&document(&[])), "");
        assert_eq!(
            excerpt(&document(&["Зачёт  в".to_owned(), "пятницу.".to_owned()])),
            "Зачёт в пятницу."
        );
        let long = excerpt(&document(&["слово ".repeat(100)]));
        assert!(long.ends_with("слово…") && long.chars().count() <= MAX + 1, "{long}");
        assert_eq!(excerpt(&document(&["я".repeat(1000)])).chars().count(), MAX + 1);
    }

    proptest! {
        #[test]
        fn an_excerpt_is_a_bounded_beginning(blocks in proptest::collection::vec("[a-zя \\n]{0,200}", 0..6)) {
            let whole = blocks.iter().flat_map(|text| text.split_whitespace()).collect::<Vec<_>>().join(" ");
            let found = excerpt(&document(&blocks));
            prop_assert!(found.chars().count() <= MAX + 1);
            match found.strip_suffix('…') {
                None => prop_assert_eq!(&found, &whole),
                Some(beginning) => {
                    prop_assert!(whole.starts_with(beginning) && whole.chars().count() > MAX);
                    let rest = &whole[beginning.len()..];
                    prop_assert!(rest.starts_with(' ') || beginning.chars().count() == MAX);
                }
            }
        }
    }
}
