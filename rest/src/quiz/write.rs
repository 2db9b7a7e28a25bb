//! The bodies that hold a quiz or answers to one. `kurso_formats` declares their fields, once for the reader and the schema.

use std::borrow::Cow;

use kurso_formats::quiz::{
    AnswerCheck, AnswersSave, BankQuestionDraft, PracticeReview, QuizDraft, Schemas, Submission, WorkDraft,
    check_schemas, practice_schemas, quiz_schemas, save_schemas, submission_schemas, work_schemas,
};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::fields::{Body, Field, Fields};

impl Field for QuizDraft {
    fn schema() -> RefOr<Schema> {
        Ref::from_schema_name("QuizWrite").into()
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        add(quiz_schemas(), to);
    }
}

impl Field for BankQuestionDraft {
    fn schema() -> RefOr<Schema> {
        Ref::from_schema_name("QuestionWrite").into()
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        add(quiz_schemas(), to);
    }
}

impl Body for SubmitQuiz {
    type Command = Submission;

    fn read(fields: &mut Fields<'_>) -> Option<Submission> {
        fields.read_whole(Submission::read)
    }
}

impl Body for SaveAnswers {
    type Command = AnswersSave;

    fn read(fields: &mut Fields<'_>) -> Option<AnswersSave> {
        fields.read_whole(AnswersSave::read)
    }
}

impl Body for CheckAnswer {
    type Command = AnswerCheck;

    fn read(fields: &mut Fields<'_>) -> Option<AnswerCheck> {
        fields.read_whole(AnswerCheck::read)
    }
}

impl Body for PracticeAnswer {
    type Command = PracticeReview;

    fn read(fields: &mut Fields<'_>) -> Option<PracticeReview> {
        fields.read_whole(PracticeReview::read)
    }
}

impl Body for AnswerDraftSave {
    type Command = WorkDraft;

    fn read(fields: &mut Fields<'_>) -> Option<WorkDraft> {
        fields.read_whole(WorkDraft::read)
    }
}

macro_rules! declared {
    ($($schemas:ident: $($name:ident)*;)*) => {$($(
        /// A schema of [`kurso_formats`].
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let schema = $schemas().remove(stringify!($name));
                schema.map(parsed).unwrap_or_else(|| Schema::default().into())
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
                add($schemas(), to);
            }
        }
    )*)*};
}
declared! {
    submission_schemas: SubmitQuiz MatchedPair FilledBlank MarkedPlace;
    save_schemas: SaveAnswers;
    check_schemas: CheckAnswer;
    practice_schemas: PracticeAnswer;
    work_schemas: AnswerDraftSave;
}

fn add(schemas: Schemas, to: &mut Vec<(String, RefOr<Schema>)>) {
    to.extend(
        schemas
            .into_iter()
            .map(|(name, schema)| (name.to_owned(), parsed(schema))),
    );
}

/// The schema for utoipa. The test of the checked-in document notices a schema that utoipa cannot read.
fn parsed(schema: serde_json::Value) -> RefOr<Schema> {
    serde_json::from_value(schema).unwrap_or_else(|_| Schema::default().into())
}
