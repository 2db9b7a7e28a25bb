//! Every message of imports and exports exists in both languages, with the same arguments.

mod samples;

use std::collections::BTreeSet;

use kurso_base::messages::Lang;

use super::note;
use super::note::{Note, Reason, TomlTrouble};
use samples::formats::{cartridge_notes, document_notes, olx_notes};
use samples::{notes, reasons, refusals};

/// The arguments that occur in a text.
fn arguments(text: &str) -> BTreeSet<String> {
    let words = text.split('‹').skip(1).filter_map(|rest| rest.split_once('›'));
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    words
        .map(|(marked, _)| marked.to_owned())
        .chain(numbers.filter(|number| number.starts_with("700")).map(str::to_owned))
        .collect()
}

fn is_cyrillic(c: char) -> bool {
    matches!(c, '\u{400}'..='\u{4ff}')
}

/// Whether a text has two English words in a row. Single ones are names of files or formats.
fn has_english(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_english = |marked: &&str| marked.len() > 1 && marked.chars().all(|c| c.is_ascii_lowercase());
    words.windows(2).any(|pair| pair.iter().all(is_english))
}

fn check(key: &str, en: &str, ru: &str) {
    assert!(
        !en.trim().is_empty() && !ru.trim().is_empty(),
        "{key} has no text: {en:?}, {ru:?}"
    );
    assert!(!en.contains(is_cyrillic), "{key} in English: {en}");
    assert!(
        ru.contains(is_cyrillic) || !arguments(ru).is_empty(),
        "{key} in Russian: {ru}"
    );
    assert!(!has_english(ru), "{key} in Russian: {ru}");
    assert_eq!(arguments(en), arguments(ru), "{key}: {en} / {ru}");
}

/// The keys in a source file, recognized by `=> "key",`.
fn keys_of(source: &str) -> BTreeSet<String> {
    let begins = source.split("=> \"").skip(1);
    let keys = begins.filter_map(|rest| rest.split_once("\",\n").map(|(key, _)| key));
    keys.filter(|key| {
        key.chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    })
    .map(str::to_owned)
    .collect()
}

/// Covers every key in the sources.
#[test]
fn messages_exist_in_both_languages_with_equal_arguments() {
    let mut seen = BTreeSet::new();
    for note in [notes(), cartridge_notes(), olx_notes(), document_notes()].concat() {
        let (en, ru) = (note.texts(Lang::En), note.texts(Lang::Ru));
        // The subject may consist of an argument only, the reason may not.
        check(note.key(), &en.0, &ru.0);
        check(note.key(), &en.1, &ru.1);
        assert!(ru.1.contains(is_cyrillic), "{}: {}", note.key(), ru.1);
        seen.insert(note.key());
    }
    for reason in reasons() {
        check(reason.key(), &reason.text(Lang::En), &reason.text(Lang::Ru));
        seen.insert(reason.key());
    }
    for error in refusals() {
        check(error.key(), &error.text(Lang::En), &error.text(Lang::Ru));
        assert!(error.text(Lang::Ru).contains(is_cyrillic), "{}", error.key());
        seen.insert(error.key());
    }
    let sources = [
        include_str!("note.rs"),
        include_str!("note/cartridge.rs"),
        include_str!("note/olx.rs"),
        include_str!("note/document.rs"),
        include_str!("note/reason.rs"),
        include_str!("error.rs"),
        include_str!("xml.rs"),
    ];
    let notes = [
        Note::KEYS,
        note::cartridge::Note::KEYS,
        note::olx::Note::KEYS,
        note::document::Note::KEYS,
    ];
    let mut known: BTreeSet<String> = sources.into_iter().flat_map(keys_of).collect();
    known.extend(notes.concat().into_iter().map(str::to_owned));
    assert!(known.len() > 150, "too few keys were found in the sources: {known:?}");
    let sampled: BTreeSet<String> = seen.into_iter().map(str::to_owned).collect();
    let without: Vec<&String> = known.difference(&sampled).collect();
    assert!(without.is_empty(), "no sample of {without:?}");
}

#[test]
fn library_errors_map_to_codes() {
    let toml = |text: &str| TomlTrouble::of(&toml::from_str::<toml::Table>(text).expect_err("TOML"), text);
    assert_eq!(toml("a = 1\nb = 2\na = 3\n"), TomlTrouble::Twice(3));
    assert_eq!(toml("a = 1\nb = \n"), TomlTrouble::Broken(2));
    let disk = |kind: std::io::ErrorKind| Reason::of_entry(&std::io::Error::from(kind));
    assert_eq!(disk(std::io::ErrorKind::StorageFull), Reason::DiskFull);
    assert_eq!(disk(std::io::ErrorKind::InvalidData), Reason::Damaged);
    let locked = zip::result::ZipError::UnsupportedArchive(zip::result::ZipError::PASSWORD_REQUIRED);
    assert_eq!(Reason::of_zip(&locked), Reason::Locked);
    let packed = zip::result::ZipError::CompressionMethodNotSupported(99);
    assert_eq!(Reason::of_zip(&packed), Reason::Compression(99));
}
