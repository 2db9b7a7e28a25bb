//! Every message of imports and exports exists in both languages, with the same arguments.

use std::collections::BTreeSet;

use super::error::ImportError;
use super::note;
use super::note::{FileTrouble, Note, Reason, TomlTrouble};
use super::unsupported::Unsupported;
use super::xml::XmlTrouble;
use crate::content::ContentProblem;
use kurso_base::messages::Lang;
use kurso_base::messages::Message;

/// An argument that cannot be confused with the text.
fn marked(name: &str) -> String {
    format!("‹{name}›")
}

const TROUBLES: [FileTrouble; 9] = [
    FileTrouble::Missing,
    FileTrouble::Outside,
    FileTrouble::NotAFile,
    FileTrouble::NotText,
    FileTrouble::NotAnImage,
    FileTrouble::NotMedia,
    FileTrouble::TooLarge(7001 << 20),
    FileTrouble::TooManyEntries(7002),
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
            path: Some(marked("path")),
            problem: ContentProblem::UnknownNode(marked("node")),
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
        Note::Setting(marked("name")),
        Note::DraftChapter(marked("title")),
        Note::NoLink(marked("text")),
        Note::Chapter {
            path: marked("path"),
            trouble,
        },
        Note::ChapterTwice(marked("path")),
        Note::NotInSummary(marked("path")),
        Note::TitleDiffers {
            summary: marked("summary"),
            heading: marked("heading"),
        },
        Note::TitleCut(marked("title")),
        Note::PageSplit(7001),
        Note::PageRefused(why()),
        Note::PageTooLarge,
        Note::FenceFlags {
            flags: marked("flags"),
            blocks: 7001,
        },
        Note::Include {
            directive: marked("directive"),
            trouble,
        },
        Note::IncludeLoop(marked("directive")),
        Note::IncludeEmpty(marked("directive")),
        Note::IncludeTooMuch(marked("directive")),
        Note::UnknownDirective(marked("directive")),
        Note::LinkLeavesBook(marked("href")),
        Note::LinkNotInSummary(marked("href")),
        Note::LinkFile {
            href: marked("href"),
            trouble,
        },
        Note::LinkUnsupported(marked("href")),
        Note::LinkAnchor(marked("href")),
        Note::Image {
            src: marked("src"),
            trouble,
        },
        Note::ImageRemote(marked("src")),
        Note::ImageFromBook {
            src: marked("src"),
            path: marked("path"),
        },
        Note::ImageLink(marked("href")),
        Note::ImageWidth {
            css: marked("css"),
            pixels: 7001,
        },
        Note::CaptionFormat(marked("caption")),
        Note::UnknownTag(marked("tag")),
        Note::DroppedTag(marked("tag")),
        Note::Frame(marked("frame")),
        Note::HtmlAsText,
        Note::Footnotes(7001),
        Note::Definitions,
        Note::Flattened,
        Note::Cut(marked("what")),
        Note::BlockTooLarge,
        Note::RawNode,
        Note::Question(marked("line")),
        Note::QuestionUnclear,
        Note::QuestionNoType,
        Note::QuestionsOver(7001),
        Note::UnknownField(marked("name")),
        Note::QuizUnpublished(why()),
        Note::QuestionRefused(why()),
        Note::BlockRefused(why()),
        Note::BadFrontMatter(why()),
        Note::QuizFile(why()),
        Note::KeyTwice(marked("key")),
        Note::Avatar(marked("path")),
        Note::ForeignFile(marked("path")),
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
        Note::ForeignAddress(marked("address")),
        Note::QuestionTags(7001),
        Note::NoQuestions,
        Note::Hidden(marked("words")),
        Note::LinkTitle(marked("title")),
        Note::Damaged(7001),
        Note::DroppedTags {
            tag: marked("tag"),
            count: 7001,
        },
        Note::Decoded("KOI8-R"),
        Note::NameDecoded("IBM866"),
        Note::Unpublished,
        Note::LeftOut(marked("name")),
        Note::OtherSource(marked("src")),
        Note::Subtitles(marked("src")),
        Note::Beyond {
            count: 7021,
            most: 7022,
        },
        Note::More(7001),
    ]
}

fn cartridge_notes() -> Vec<Note> {
    use note::cartridge::Note as Of;
    let of_cartridges = vec![
        Of::BadXml(XmlTrouble::Broken(7001)),
        Of::Encoding,
        Of::MissingFile(marked("path"), FileTrouble::Missing),
        Of::MissingResource(marked("id")),
        Of::IdentifierTwice(marked("id")),
        Of::TooManyItems(7001),
        Of::OrderDiffers {
            manifest: 7001,
            canvas: 7002,
        },
        Of::OnlyInManifest(marked("title")),
        Of::Nested,
        Of::Header(marked("title")),
        Of::Again(marked("title")),
        Of::NotInModules(marked("title")),
        Of::Unpublished,
        Of::WebLink,
        Of::Discussion,
        Of::Assignment,
        Of::Tool,
        Of::Package("SCORM"),
        Of::UnknownType(marked("kind")),
        Of::FilePage(marked("path")),
        Of::FileApart(marked("path")),
        Of::Settings(marked("names")),
        Of::LinkNowhere(marked("href")),
        Of::Setting {
            name: marked("name"),
            value: marked("value"),
        },
        Of::Bank,
        Of::QuizTitle(marked("title")),
        Of::Fuller {
            own: 7001,
            profile: 7002,
        },
        Of::Group {
            title: marked("title"),
            pick: 7001,
            of: 7002,
        },
        Of::WholeGroup {
            title: marked("title"),
            pick: 7002,
            of: 7002,
        },
        Of::Calculated { sets: 7001 },
        Of::FileUpload,
        Of::TextOnly,
        Of::Distractors(marked("words")),
        Of::UnknownQuestion(marked("kind")),
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
    let simplified = kinds.map(note::cartridge::QuestionType).map(Of::Simplified);
    of_cartridges
        .into_iter()
        .chain(simplified)
        .map(Note::Cartridge)
        .collect()
}

fn olx_notes() -> Vec<Note> {
    use note::olx::Note as Of;
    let of_olx = vec![
        Of::Definition {
            path: marked("path"),
            trouble: FileTrouble::Missing,
        },
        Of::Xml {
            path: marked("path"),
            trouble: XmlTrouble::Broken(7001),
        },
        Of::Cycle(marked("name")),
        Of::Setting {
            name: marked("name"),
            element: marked("element"),
            count: 7001,
        },
        Of::Policies,
        Of::Placeholder {
            kind: marked("kind"),
            title: marked("title"),
        },
        Of::Discussion(marked("title")),
        Of::TextTitle(marked("title")),
        Of::Variants(marked("kind")),
        Of::Unpublished,
        Of::Draft(marked("title")),
        Of::Response(marked("kind")),
        Of::Script,
        Of::Answer(marked("kind")),
        Of::OtherAnswers(7001),
        Of::OpenRange,
        Of::SeveralRight,
        Of::Pattern,
        Of::AllOrNothing,
        Of::PartialCredit,
        Of::Hints(7001),
        Of::MixedSettings("max_attempts"),
        Of::DragAndDrop,
        Of::DecoyItems(7001),
        Of::Transcripts(7001),
        Of::VideoLinks(7001),
        Of::NoVideo(marked("title")),
        Of::QuizSplit(7001),
        Of::Extra(marked("path")),
    ];
    of_olx.into_iter().map(Note::Olx).collect()
}

fn document_notes() -> Vec<Note> {
    use note::document::{DrawingKind, Note as Of};
    let kinds = Unsupported::ALL.map(Of::Unsupported);
    let of_documents = vec![
        Of::Attached(marked("path")),
        Of::File {
            path: marked("path"),
            trouble: FileTrouble::Missing,
        },
        Of::NoDocx,
        Of::Damaged(marked("path")),
        Of::LongMath(7001),
        Of::Part {
            path: marked("path"),
            trouble: XmlTrouble::Broken(7001),
        },
        Of::Split(7001),
        Of::FrontMatter(marked("names")),
        Of::BookMetadata(marked("names")),
        Of::Comments(7001),
        Of::Changes(7001),
        Of::Contents,
        Of::Headers,
        Of::Drawing(DrawingKind::Chart),
        Of::Drawing(DrawingKind::Diagram),
        Of::Drawing(DrawingKind::Shape),
        Of::Drawing(DrawingKind::Object),
        Of::HeadingNumbers,
        Of::Math,
        Of::TextBox(7001),
        Of::Symbols(7001),
        Of::Hidden(7001),
    ];
    of_documents.into_iter().chain(kinds).map(Note::Document).collect()
}

fn refusals() -> Vec<ImportError> {
    let path = marked("path");
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
        ImportError::Unsupported {
            path: path.clone(),
            what: Unsupported::Pdf,
        },
        ImportError::Archive {
            path,
            why: Reason::TooMuch(7001),
        },
        ImportError::Cancelled,
    ]
}

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
    assert!(known.len() > 150, "the sources name their codes another way: {known:?}");
    let said: BTreeSet<String> = seen.into_iter().map(str::to_owned).collect();
    let without: Vec<&String> = known.difference(&said).collect();
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
