//! A sample of each note, reason and error. Its arguments can be told from the text around them.

pub(super) mod formats;

use kurso_base::messages::{Message, TitleChain};

use crate::content::ContentProblem;
use crate::error::ImportError;
use crate::note::{FileTrouble, Note, Reason, TomlTrouble};
use crate::unsupported::Unsupported;
use crate::xml::XmlTrouble;

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

pub(super) fn reasons() -> Vec<Reason> {
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
        Reason::Message(Message::TooManyImports(7005)),
    ];
    let files = TROUBLES.into_iter().map(Reason::File);
    files
        .chain(xml.into_iter().map(Reason::Xml))
        .chain(toml.into_iter().map(Reason::Toml))
        .chain(rest)
        .collect()
}

pub(super) fn notes() -> Vec<Note> {
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
        Note::NothingToCountFrom,
        Note::StartTooFar,
        Note::StartAfterEnd,
        Note::UnknownPrerequisite(marked("key")),
        Note::PrerequisiteCycle(TitleChain::of([marked("titles").as_str()].into_iter())),
        Note::Avatar(marked("path")),
        Note::ForeignFile(marked("path")),
        Note::Packed(why()),
        Note::OptionOrder(7001),
        Note::Tracing(7001),
        Note::QuizApart,
        Note::Feedback,
        Note::Weights,
        Note::AllOrNothing,
        Note::WeightsOmitted,
        Note::UnitsOmitted,
        Note::HintsOmitted,
        Note::FileKinds(marked("names")),
        Note::EssayRules,
        Note::GradersOnly,
        Note::HotspotAsEssay,
        Note::UploadAsEssay,
        Note::FormulaAsNumber,
        Note::QuestionTitles(7001),
        Note::QuizSettings,
        Note::QuizText,
        Note::PointsOmitted,
        Note::AnswerRule,
        Note::AssignmentAsEssay,
        Note::OrderingAsMatching,
        Note::BlanksApart,
        Note::FilesOmitted,
        Note::ForeignAddress(marked("address")),
        Note::QuestionTags(7001),
        Note::TooLargeToImport(7001),
        Note::TooManyQuestionsToImport(7001),
        Note::Draws(7001),
        Note::BankKept(marked("title")),
        Note::BanksOmitted,
        Note::BankWithoutId,
        Note::UnknownBank,
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

pub(super) fn refusals() -> Vec<ImportError> {
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
        ImportError::TooManyQuestions(7001),
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
