//! What the schemas of questions have in common: the types of questions, and the macro that declares a schema of each.
#![expect(dead_code, reason = "describes the JSON of the core")]

use utoipa::ToSchema;

macro_rules! kinds {
    ($($name:ident { $value:ident })*) => {$(
        #[derive(ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $value,
        }
    )*};
}

kinds! {
    SingleChoiceType { SingleChoice }
    MultipleChoiceType { MultipleChoice }
    ShortTextType { ShortText }
    NumericType { Numeric }
    FormulaType { Formula }
    MatchingType { Matching }
    OrderingType { Ordering }
    FillBlankType { FillBlank }
    HotspotType { Hotspot }
    EssayType { Essay }
    FileUploadType { FileUpload }
    HandInType { HandIn }
    DrawType { Draw }
}

/// When learners see explanations and correct answers: after every attempt, after an attempt has passed, or never. `never` also
/// hides which answers were correct.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuizReveal {
    AfterSubmit,
    AfterPass,
    Never,
}

/// When learners see the points and comments of answers to open questions: as soon as each is graded, or when staff release those of the whole
/// quiz together.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuizRelease {
    AtOnce,
    Together,
}

/// When answers are checked: all together when the attempt is submitted, or each question when the learner asks for it during the attempt, after
/// which its answer is fixed.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuizChecking {
    AtEnd,
    EachQuestion,
}

/// Declares the schema of a question of any type, and of each of its types: the fields that all have before and after
/// `type`, then each type's own fields. Draws and formula questions come last, because learners see none.
macro_rules! questions {
    (
        $(#[$doc:meta])*
        $any:ident $before:tt $after:tt
        $single:ident $single_own:tt
        $multiple:ident $multiple_own:tt
        $text:ident $text_own:tt
        $numeric:ident $numeric_own:tt
        $matching:ident $matching_own:tt
        $ordering:ident $ordering_own:tt
        $blank:ident $blank_own:tt
        $hotspot:ident $hotspot_own:tt
        $essay:ident $essay_own:tt
        $upload:ident $upload_own:tt
        $hand_in:ident $hand_in_own:tt
        $(; $formula:ident $formula_own:tt $draw:ident $draw_own:tt)?
    ) => {
        use $crate::quiz::kinds;

        kinds::question! { #[doc = " A single choice question: one option is correct."] $single SingleChoiceType $before $after $single_own }
        kinds::question! {
            #[doc = " A multiple choice question. Score: correct choices minus wrong choices, divided by the number of correct options, unless its author"]
            #[doc = " has chosen another rule."]
            $multiple MultipleChoiceType $before $after $multiple_own
        }
        kinds::question! { #[doc = " A short text question."] $text ShortTextType $before $after $text_own }
        kinds::question! { #[doc = " A numeric question."] $numeric NumericType $before $after $numeric_own }
        kinds::question! { #[doc = " A matching question."] $matching MatchingType $before $after $matching_own }
        kinds::question! { #[doc = " An ordering question."] $ordering OrderingType $before $after $ordering_own }
        kinds::question! { #[doc = " A fill-in-the-blanks question."] $blank FillBlankType $before $after $blank_own }
        kinds::question! {
            #[doc = " A question that is answered by marking places on a picture."]
            $hotspot HotspotType $before $after $hotspot_own
        }
        kinds::question! { #[doc = " An open question: a person grades the answer."] $essay EssayType $before $after $essay_own }
        kinds::question! {
            #[doc = " An open question that is answered with files: a person grades them."]
            $upload FileUploadType $before $after $upload_own
        }
        kinds::question! {
            #[doc = " The only question of an assignment. Its answer is a text, files and links, as far as it takes them: a person grades it."]
            $hand_in HandInType $before $after $hand_in_own
        }
        $(kinds::question! {
            #[doc = " Questions of a bank, which each attempt draws at random. The points are those of each of them; its prompt is empty."]
            $draw DrawType $before $after $draw_own
        })?

        $(kinds::question! {
            #[doc = " A numeric question whose right answer an expression computes from values that each attempt gets."]
            #[doc = " Learners see a numeric question."]
            $formula FormulaType $before $after $formula_own
        })?

        $(#[$doc])*
        #[derive(ToSchema)]
        #[serde(untagged)]
        #[schema(discriminator(property_name = "type", mapping(
            ("single_choice" = concat!("#/components/schemas/", stringify!($single))),
            ("multiple_choice" = concat!("#/components/schemas/", stringify!($multiple))),
            ("short_text" = concat!("#/components/schemas/", stringify!($text))),
            ("numeric" = concat!("#/components/schemas/", stringify!($numeric))),
            ("matching" = concat!("#/components/schemas/", stringify!($matching))),
            ("ordering" = concat!("#/components/schemas/", stringify!($ordering))),
            ("fill_blank" = concat!("#/components/schemas/", stringify!($blank))),
            ("hotspot" = concat!("#/components/schemas/", stringify!($hotspot))),
            ("essay" = concat!("#/components/schemas/", stringify!($essay))),
            ("file_upload" = concat!("#/components/schemas/", stringify!($upload))),
            ("hand_in" = concat!("#/components/schemas/", stringify!($hand_in)))
            $(, ("draw" = concat!("#/components/schemas/", stringify!($draw))))?
            $(, ("formula" = concat!("#/components/schemas/", stringify!($formula))))?
        )))]
        pub enum $any {
            SingleChoice($single),
            MultipleChoice($multiple),
            ShortText($text),
            Numeric($numeric),
            Matching($matching),
            Ordering($ordering),
            FillBlank($blank),
            Hotspot($hotspot),
            Essay($essay),
            FileUpload($upload),
            HandIn($hand_in),
            $(Draw($draw),)?
            $(Formula($formula),)?
        }
    };
}
pub(super) use questions;

macro_rules! question {
    ($(#[$doc:meta])* $name:ident $kind:ident { $($before:tt)* } { $($after:tt)* } { $($own:tt)* }) => {
        $(#[$doc])*
        #[derive(ToSchema)]
        pub struct $name {
            $($before)*
            #[schema(inline)]
            r#type: kinds::$kind,
            $($after)*
            $($own)*
        }
    };
}
pub(super) use question;
