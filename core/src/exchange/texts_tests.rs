//! Whatever an import or an export may say has words in both languages, with the same arguments in them.

use std::collections::BTreeSet;

use super::error::ImportError;
use super::note::{FileTrouble, Note};
use super::reason::{Reason, TomlTrouble};
use super::xml::XmlTrouble;
use super::{cartridge, documents, olx};
use crate::content::{ContentProblem, Lang};
use crate::messages::Message;

/// An argument that cannot be mistaken for a word of the text.
fn word(name: &str) -> String {
    format!("‹{name}›")
}

const TROUBLES: [FileTrouble; 8] = [
    FileTrouble::Missing,
    FileTrouble::Outside,
    FileTrouble::NotAFile,
    FileTrouble::NotText,
    FileTrouble::NotAnImage,
    FileTrouble::NotMedia,
    FileTrouble::TooLarge,
    FileTrouble::Unreadable,
];

fn reasons() -> Vec<Reason> {
    let xml = [
        XmlTrouble::Dtd,
        XmlTrouble::TooDeep,
        XmlTrouble::TooLarge,
        XmlTrouble::Broken(7001),
    ];
    let toml = [TomlTrouble::Twice(7001), TomlTrouble::Broken(7002)];
    let rest = [
        Reason::NotAZip,
        Reason::NotATarball,
        Reason::TooManyFiles(7001),
        Reason::TooMuch(7002),
        Reason::Link,
        Reason::SameName,
        Reason::ImpossibleName,
        Reason::Damaged,
        Reason::Locked,
        Reason::Compression(7003),
        Reason::DiskFull,
        Reason::Disk,
        Reason::NoPlace,
        Reason::NotAllowed,
        Reason::NoManifest,
        Reason::TooManyQuestions(7004),
        Reason::NothingInIt,
        Reason::Content {
            path: Some(word("path")),
            problem: ContentProblem::UnknownNode(word("node")),
        },
        Reason::Told(Message::TooManyImports(7005)),
    ];
    let files = TROUBLES.into_iter().map(Reason::File);
    files
        .chain(xml.into_iter().map(Reason::Xml))
        .chain(toml.into_iter().map(Reason::Toml))
        .chain(rest)
        .collect()
}

fn notes() -> Vec<Note> {
    let trouble = FileTrouble::Missing;
    let why = || Reason::TooManyFiles(7009);
    vec![
        Note::Setting(word("name")),
        Note::DraftChapter(word("title")),
        Note::NoLink(word("text")),
        Note::Chapter {
            path: word("path"),
            trouble,
        },
        Note::ChapterTwice(word("path")),
        Note::NotInSummary(word("path")),
        Note::TitleDiffers {
            summary: word("summary"),
            heading: word("heading"),
        },
        Note::TitleCut(word("title")),
        Note::PageSplit(7001),
        Note::PageRefused(why()),
        Note::PageTooLarge,
        Note::FenceFlags {
            flags: word("flags"),
            blocks: 7001,
        },
        Note::Include {
            directive: word("directive"),
            trouble,
        },
        Note::IncludeLoop(word("directive")),
        Note::IncludeEmpty(word("directive")),
        Note::IncludeTooMuch(word("directive")),
        Note::UnknownDirective(word("directive")),
        Note::LinkLeavesBook(word("href")),
        Note::LinkNotInSummary(word("href")),
        Note::LinkFile {
            href: word("href"),
            trouble,
        },
        Note::LinkUnsupported(word("href")),
        Note::LinkAnchor(word("href")),
        Note::Image {
            src: word("src"),
            trouble,
        },
        Note::ImageRemote(word("src")),
        Note::ImageFromBook {
            src: word("src"),
            path: word("path"),
        },
        Note::ImageLink(word("href")),
        Note::ImageWidth {
            css: word("css"),
            pixels: 7001,
        },
        Note::CaptionFormat(word("caption")),
        Note::UnknownTag(word("tag")),
        Note::DroppedTag(word("tag")),
        Note::Frame(word("frame")),
        Note::HtmlAsText,
        Note::Footnotes(7001),
        Note::Definitions,
        Note::Flattened,
        Note::Cut(word("what")),
        Note::BlockTooLarge,
        Note::RawNode,
        Note::Question(word("line")),
        Note::QuestionUnclear,
        Note::QuestionNoType,
        Note::QuestionsOver(7001),
        Note::UnknownField(word("name")),
        Note::QuizUnpublished(why()),
        Note::QuestionRefused(why()),
        Note::BlockRefused(why()),
        Note::BadFrontMatter(why()),
        Note::QuizFile(why()),
        Note::KeyTwice(word("key")),
        Note::Avatar(word("path")),
        Note::ForeignFile(word("path")),
        Note::Packed(why()),
        Note::OptionOrder(7001),
        Note::Tracing(7001),
        Note::QuizApart,
        Note::Feedback,
        Note::Weights,
        Note::Essay,
        Note::QuestionTitles(7001),
        Note::QuizSettings,
        Note::QuizText,
        Note::PointsOmitted,
        Note::AnswerRule,
        Note::OrderingAsMatching,
        Note::BlanksApart,
        Note::FilesOmitted,
        Note::Decoded("KOI8-R"),
        Note::NameDecoded("IBM866"),
        Note::Unpublished,
        Note::LeftOut(word("name")),
        Note::More(7001),
    ]
}

fn cartridge_notes() -> Vec<Note> {
    use cartridge::Note as Of;
    let of_cartridges = vec![
        Of::BadXml(XmlTrouble::Broken(7001)),
        Of::Encoding,
        Of::MissingFile(word("path"), FileTrouble::Missing),
        Of::MissingResource(word("id")),
        Of::IdentifierTwice(word("id")),
        Of::TooManyItems(7001),
        Of::OrderDiffers {
            manifest: 7001,
            canvas: 7002,
        },
        Of::OnlyInManifest(word("title")),
        Of::Nested,
        Of::Header(word("title")),
        Of::Again(word("title")),
        Of::NotInModules(word("title")),
        Of::Unpublished,
        Of::WebLink,
        Of::Discussion,
        Of::Assignment,
        Of::Tool,
        Of::Package("SCORM"),
        Of::UnknownType(word("kind")),
        Of::FilePage(word("path")),
        Of::FileApart(word("path")),
        Of::Settings(word("names")),
        Of::LinkNowhere(word("href")),
        Of::Setting {
            name: word("name"),
            value: word("value"),
        },
        Of::Bank,
        Of::Fuller {
            own: 7001,
            profile: 7002,
        },
        Of::Group {
            title: word("title"),
            pick: 7001,
            of: 7002,
        },
        Of::Group {
            title: word("title"),
            pick: 7002,
            of: 7002,
        },
        Of::Calculated { sets: 7001 },
        Of::FileUpload,
        Of::TextOnly,
        Of::Distractors(word("words")),
        Of::UnknownQuestion(word("kind")),
        Of::NoAnswer,
        Of::Extension,
        Of::OnlyHere,
    ];
    let kinds = [
        "single_choice",
        "multiple_choice",
        "short_text",
        "numeric",
        "matching",
        "ordering",
        "fill_blank",
    ];
    let simplified = kinds.into_iter().map(Of::Simplified);
    of_cartridges
        .into_iter()
        .chain(simplified)
        .map(Note::Cartridge)
        .collect()
}

fn olx_notes() -> Vec<Note> {
    use olx::note::Note as Of;
    let of_olx = vec![
        Of::Definition {
            path: word("path"),
            trouble: FileTrouble::Missing,
        },
        Of::Xml {
            path: word("path"),
            trouble: XmlTrouble::Broken(7001),
        },
        Of::Cycle(word("name")),
        Of::Setting {
            name: word("name"),
            element: word("element"),
            count: 7001,
        },
        Of::Policies,
        Of::Placeholder {
            kind: word("kind"),
            title: word("title"),
        },
        Of::Discussion(word("title")),
        Of::Variants(word("kind")),
        Of::Unpublished,
        Of::Draft(word("title")),
        Of::Response(word("kind")),
        Of::Script,
        Of::Answer(word("kind")),
        Of::OtherAnswers(7001),
        Of::OpenRange,
        Of::SeveralRight,
        Of::Pattern,
        Of::PartialCredit,
        Of::Hints(7001),
        Of::MixedSettings("max_attempts"),
        Of::DragAndDrop,
        Of::DecoyItems(7001),
        Of::Transcripts(7001),
        Of::VideoLinks(7001),
        Of::NoVideo(word("title")),
        Of::QuizSplit(7001),
        Of::Extra(word("path")),
    ];
    of_olx.into_iter().map(Note::Olx).collect()
}

fn document_notes() -> Vec<Note> {
    use documents::note::Note as Of;
    let of_documents = vec![
        Of::File {
            path: word("path"),
            trouble: FileTrouble::Missing,
        },
        Of::NoDocx,
        Of::Part {
            path: word("path"),
            trouble: XmlTrouble::Broken(7001),
        },
        Of::Split(7001),
        Of::FrontMatter(word("names")),
        Of::Comments(7001),
        Of::Changes(7001),
        Of::Contents,
        Of::Headers,
        Of::Drawing("chart"),
        Of::Drawing("diagram"),
        Of::Drawing("shape"),
        Of::Drawing("object"),
        Of::HeadingNumbers,
        Of::Math,
        Of::TextBox(7001),
        Of::Symbols(7001),
    ];
    of_documents.into_iter().map(Note::Document).collect()
}

fn refusals() -> Vec<ImportError> {
    let path = word("path");
    vec![
        ImportError::NoFolder(path.clone()),
        ImportError::NotAFolder(path.clone()),
        ImportError::NoSummary(path.clone()),
        ImportError::BadConfig {
            trouble: TomlTrouble::Broken(7001),
        },
        ImportError::File {
            path: path.clone(),
            trouble: FileTrouble::Missing,
        },
        ImportError::Xml {
            path: path.clone(),
            trouble: XmlTrouble::Broken(7001),
        },
        ImportError::NoPages,
        ImportError::TooManyPages(7001),
        ImportError::TooLarge,
        ImportError::UnknownFormat(path.clone()),
        ImportError::Archive {
            path,
            why: Reason::TooMuch(7001),
        },
        ImportError::Cancelled,
    ]
}

/// The arguments a text names.
fn arguments(text: &str) -> BTreeSet<String> {
    let words = text.split('‹').skip(1).filter_map(|rest| rest.split_once('›'));
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    words
        .map(|(word, _)| word.to_owned())
        .chain(numbers.filter(|number| number.starts_with("700")).map(str::to_owned))
        .collect()
}

fn is_cyrillic(c: char) -> bool {
    matches!(c, '\u{400}'..='\u{4ff}')
}

/// Two English words in a row: names of files and formats stand alone, a sentence does not.
fn has_english(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let is_english = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    words.windows(2).any(|pair| pair.iter().all(is_english))
}

fn check(key: &str, en: &str, ru: &str) {
    assert!(
        !en.trim().is_empty() && !ru.trim().is_empty(),
        "{key} says nothing: {en:?}, {ru:?}"
    );
    assert!(!en.contains(is_cyrillic), "{key} in English: {en}");
    assert!(
        ru.contains(is_cyrillic) || !arguments(ru).is_empty(),
        "{key} in Russian: {ru}"
    );
    assert!(!has_english(ru), "{key} in Russian: {ru}");
    assert_eq!(arguments(en), arguments(ru), "{key}: {en} / {ru}");
}

/// The keys a source gives to what it may say: `=> "key",`.
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

/// Every code is among the samples, and every sample has words in both languages.
#[test]
fn everything_that_is_said_has_words_in_both_languages_with_the_same_arguments() {
    let mut seen = BTreeSet::new();
    for note in [notes(), cartridge_notes(), olx_notes(), document_notes()].concat() {
        let (en, ru) = (note.texts(Lang::En), note.texts(Lang::Ru));
        // What a line is about may be its argument alone; why it is there never is.
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
        include_str!("cartridge/note.rs"),
        include_str!("olx/note.rs"),
        include_str!("documents/note.rs"),
        include_str!("reason.rs"),
        include_str!("error.rs"),
        include_str!("xml.rs"),
    ];
    let known: BTreeSet<String> = sources.into_iter().flat_map(keys_of).collect();
    assert!(known.len() > 150, "the sources name their codes another way: {known:?}");
    let said: BTreeSet<String> = seen.into_iter().map(str::to_owned).collect();
    let without: Vec<&String> = known.difference(&said).collect();
    assert!(without.is_empty(), "no sample of {without:?}");
}

#[test]
fn what_libraries_say_is_sorted_into_codes() {
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
