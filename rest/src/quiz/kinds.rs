//! Schemas of a question's `type`, one per question type: the discriminator.
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
    MatchingType { Matching }
    OrderingType { Ordering }
    FillBlankType { FillBlank }
}

/// When a learner is shown explanations and right answers: after any submit, once an attempt has passed, or never; `never`
/// hides which answers were right, too.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuizReveal {
    AfterSubmit,
    AfterPass,
    Never,
}
