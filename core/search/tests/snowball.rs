//! The stems of Snowball's own vocabularies (`docs/testing.md`).
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::{Path, PathBuf};

use kurso_search::{fold_word, stem};

fn lines(folder: &Path, language: &str, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(language).join(file)).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// `KURSO_TEST_SNOWBALL` names the folder of snowball-data. Without it nothing is compared.
#[test]
fn every_word_of_snowballs_vocabularies_has_the_published_stem() {
    let Some(folder) = std::env::var_os("KURSO_TEST_SNOWBALL").map(PathBuf::from) else {
        eprintln!("skipped: KURSO_TEST_SNOWBALL is not set");
        return;
    };
    for (language, least) in [("russian", 49_000), ("english", 29_000)] {
        let (words, stems) = (
            lines(&folder, language, "voc.txt"),
            lines(&folder, language, "output.txt"),
        );
        assert!(words.len() == stems.len() && words.len() > least);
        let wrong: Vec<_> = words
            .iter()
            .zip(&stems)
            // Terms have no apostrophes, so that both databases can quote them.
            .filter(|(word, published)| stem(&fold_word(word)) != fold_word(published).replace('\'', ""))
            .collect();
        assert!(
            wrong.is_empty(),
            "{language}: {} wrong, as {:?}",
            wrong.len(),
            wrong.first()
        );
    }
}

/// The last three have other stems in older versions of the algorithm.
#[test]
fn some_words_have_the_published_stem() {
    for (word, published) in [
        ("абрикосы", "абрикос"),
        ("вавиловка", "вавиловк"),
        ("важнейшими", "важн"),
        ("валится", "вал"),
        ("ворвался", "ворва"),
        ("женщинами", "женщин"),
        ("переговорить", "переговор"),
        ("явлюсь", "явл"),
        ("consignment", "consign"),
        ("knightly", "knight"),
        ("added", "add"),
        ("ebbing", "ebb"),
        ("archaeologists", "archaeolog"),
    ] {
        assert_eq!(stem(&fold_word(word)), published, "{word}");
    }
}
