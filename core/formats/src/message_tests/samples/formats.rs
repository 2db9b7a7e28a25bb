//! A sample of each note about a file of one format.

use super::marked;
use crate::note::{self, FileTrouble, Note, Reason};
use crate::unsupported::Unsupported;
use crate::xml::XmlTrouble;

pub fn cartridge_notes() -> Vec<Note> {
    use note::cartridge::Note as Of;
    let of_cartridges = vec![
        Of::BadDate {
            name: "‹name›",
            value: marked("value"),
        },
        Of::OutOfOrder(marked("names")),
        Of::UnknownZone(marked("name")),
        Of::TermDates,
        Of::AssignmentDetails,
        Of::OpenDetails,
        Of::LatePolicy(marked("names")),
        Of::WrongAreas(7001),
        Of::Hotspot,
        Of::MoreNeeds {
            count: 7001,
            most: 7002,
        },
        Of::UnknownNeed(marked("title")),
        Of::LessonsInOrder,
        Of::PagesInOrder,
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
        Of::HandedIn,
        Of::OtherWays(marked("names")),
        Of::Worth {
            said: marked("said"),
            points: marked("points"),
        },
        Of::NoRubric,
        Of::Rubric(marked("title")),
        Of::RubricRefused {
            title: marked("title"),
            why: Reason::TooManyFiles(7001),
        },
        Of::Tool,
        Of::Package("SCORM"),
        Of::UnknownType(marked("kind")),
        Of::FilePage(marked("path")),
        Of::FileApart(marked("path")),
        Of::Settings(marked("names")),
        Of::Rights(marked("text")),
        Of::LinkNowhere(marked("href")),
        Of::Setting {
            name: marked("name"),
            value: marked("value"),
        },
        Of::BankPage,
        Of::Bank {
            title: marked("title"),
            questions: 7001,
        },
        Of::QuizTitle(marked("title")),
        Of::Fuller {
            own: 7001,
            profile: 7002,
        },
        Of::Group {
            title: marked("title"),
            pick: 7001,
            of: 7002,
            bank: marked("bank"),
        },
        Of::WholeGroup {
            title: marked("title"),
            pick: 7002,
            of: 7002,
        },
        Of::Calculated {
            formulas: marked("formulas"),
            sets: 7001,
        },
        Of::TextOnly,
        Of::Distractors(marked("words")),
        Of::UnknownQuestion(marked("kind")),
        Of::NoAnswer,
        Of::Extension,
        Of::BadDates(marked("module")),
        Of::DrawsOfCanvas,
        Of::OnlyHere,
    ];
    let kinds = [
        "single_choice",
        "multiple_choice",
        "short_text",
        "numeric",
        "formula",
        "matching",
        "ordering",
        "fill_blank",
        "file_upload",
    ];
    let simplified = kinds.map(note::cartridge::QuestionType).map(Of::Simplified);
    of_cartridges
        .into_iter()
        .chain(simplified)
        .map(Note::Cartridge)
        .collect()
}

pub fn olx_notes() -> Vec<Note> {
    use note::olx::Note as Of;
    let of_olx = vec![
        Of::BadDate {
            name: marked("name"),
            element: marked("element"),
        },
        Of::OutOfOrder(marked("element")),
        Of::UndecidedStart,
        Of::SelfPaced(7001),
        Of::BothRequired,
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
        Of::ItemBank {
            kind: marked("kind"),
            pick: 7001,
            of: 7002,
            bank: marked("bank"),
        },
        Of::ItemBankPoints(marked("kind")),
        Of::Unpublished,
        Of::Draft(marked("title")),
        Of::Response(marked("kind")),
        Of::Script,
        Of::Answer(marked("kind")),
        Of::Image,
        Of::OtherAnswers(7001),
        Of::OpenRange,
        Of::SeveralRight,
        Of::Pattern,
        Of::PartialCredit,
        Of::Hints(7001),
        Of::MixedSettings("max_attempts"),
        Of::OpenResponse,
        Of::PeerAssessment,
        Of::SelfAssessment,
        Of::ExampleResponses(7001),
        Of::AssessmentStep(marked("name")),
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

pub fn document_notes() -> Vec<Note> {
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
