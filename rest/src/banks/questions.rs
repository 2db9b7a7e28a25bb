//! Operations on the questions of a bank.

use axum::Json;
use axum::extract::{Request, State};
use kurso_base::ids::{BankId, BankQuestionId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::banks::{self, Updated};
use kurso_core::imports::QuestionsUpload;
use utoipa::{IntoParams, ToSchema};

use super::shapes::{
    AddedBankQuestions, BankQuestion, BankQuestionConflict, BankQuestionSelection, BankQuestionUpdate,
    BankQuestionVersion, BankQuestionVersions, BankQuestions, BankQuestionsAdd, BankQuestionsDelete, BankQuestionsTag,
    BankWithTags, ImportedBankQuestions,
};
use crate::KursoState;
use crate::courses::ImportReportEntry;
use crate::error::{Error, Result};
use crate::extract::{BankQuestionsQuery, Path, QuestionIdsQuery, with_path};
use crate::fields::Command;
use crate::openapi_parts::{BankRefusals, HTTPError, SearchParams, SignedInRefusals, UploadRefusals};
use crate::upload::{FileForm, FileUpload};

#[derive(ToSchema)]
#[schema(min_length = 1, max_length = 50)]
#[expect(dead_code, reason = "describes what `extract` reads")]
struct TagText(String);

/// Selects questions of a bank.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct QuestionParams {
    /// Tags that a question must all have, at most 20.
    #[param(value_type = Option<Vec<TagText>>, inline, max_items = 20)]
    tag: Option<Vec<String>>,
    /// Type of the question, such as `single_choice`.
    kind: Option<String>,
    /// Number of questions to skip.
    #[param(minimum = 0, default = 0)]
    skip: Option<i64>,
    /// Maximum number of questions to return; values above 100 are read as 100.
    #[param(minimum = 0, default = 100)]
    limit: Option<i64>,
}

/// List the questions of a bank
///
/// Order: newest first. Owner, editors, viewers and superusers.
#[utoipa::path(
    get, path = "/api/v1/banks/questions/{bank_id}", operation_id = "banks-questions", tag = "banks",
    params(SearchParams, QuestionParams),
    responses(BankRefusals, (status = 200, description = "The questions", body = BankQuestions))
)]
pub async fn questions(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<BankId>>,
    query: Result<BankQuestionsQuery>,
) -> Result<Json<BankQuestions>> {
    let (id, BankQuestionsQuery(query)) = with_path(path, query)?;
    let found = banks::questions(&kurso, &viewer, id, &query).await?;
    Ok(Json(BankQuestions {
        data: BankQuestion::list(found.questions)?,
        count: found.total,
        drawable: found.drawable,
    }))
}

/// Get questions by their IDs
///
/// Questions of banks that the caller can read, in the order of the IDs; others are left out.
#[utoipa::path(
    get, path = "/api/v1/banks/questions_by_id", operation_id = "banks-questions_by_id", tag = "banks",
    params(("id" = Vec<uuid::Uuid>, Query, min_items = 1, max_items = 500, description = "IDs of questions.")),
    responses(SignedInRefusals, (status = 200, description = "The questions", body = BankQuestionSelection))
)]
pub async fn questions_by_id(
    State(kurso): KursoState,
    viewer: Viewer,
    QuestionIdsQuery(ids): QuestionIdsQuery,
) -> Result<Json<BankQuestionSelection>> {
    let found = banks::questions_by_ids(&kurso, &viewer, &ids).await?;
    Ok(Json(BankQuestionSelection {
        data: BankQuestion::list(found)?,
    }))
}

/// List the earlier versions of a question
///
/// At most the last 100. Order: newest first. Restore one by `update_question` with its text. Owner, editors, viewers and superusers.
#[utoipa::path(
    get, path = "/api/v1/banks/question_versions/{question_id}", operation_id = "banks-question_versions", tag = "banks",
    responses(BankRefusals, (status = 200, description = "The history", body = BankQuestionVersions))
)]
pub async fn question_versions(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<BankQuestionId>,
) -> Result<Json<BankQuestionVersions>> {
    let found = banks::versions(&kurso, &viewer, id).await?;
    let count = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let data = found
        .into_iter()
        .map(BankQuestionVersion::of)
        .collect::<Result<_, _>>()?;
    Ok(Json(BankQuestionVersions { data, count }))
}

/// Add questions to a bank
///
/// At most 500 at once, and 5,000 in a bank. They may be incomplete; draws take complete ones only. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/banks/add_questions/{bank_id}", operation_id = "banks-add_questions", tag = "banks",
    request_body = BankQuestionsAdd,
    responses(
        BankRefusals,
        (status = 200, description = "The added questions, in order, and the bank", body = AddedBankQuestions),
        (status = 409, description = "The bank would have more than 5,000 questions", body = HTTPError),
    )
)]
pub async fn add_questions(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<BankId>>,
    new: Result<Command<BankQuestionsAdd>>,
) -> Result<Json<AddedBankQuestions>> {
    let (id, Command(new)) = with_path(path, new)?;
    let (questions, bank) = banks::add_questions(&kurso, &viewer, id, new).await?;
    Ok(Json(AddedBankQuestions {
        questions: BankQuestion::list(questions)?,
        bank: BankWithTags::of(&kurso, bank).await?,
    }))
}

/// Update a question of a bank
///
/// Changes the fields that are present in the body. When `version` is not the stored version, the response is 409 with the stored
/// question. Tags alone do not raise the version. Owner and editors.
#[utoipa::path(
    put, path = "/api/v1/banks/update_question/{question_id}", operation_id = "banks-update_question", tag = "banks",
    request_body = BankQuestionUpdate,
    responses(
        BankRefusals,
        (status = 200, description = "The question", body = BankQuestion),
        (status = 409, description = "The question has changed since the client read it", body = BankQuestionConflict),
    )
)]
pub async fn update_question(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<BankQuestionId>>,
    update: Result<Command<BankQuestionUpdate>>,
) -> Result<Json<BankQuestion>> {
    let (id, Command(update)) = with_path(path, update)?;
    match banks::update_question(&kurso, &viewer, id, update).await? {
        Updated::Saved(question) => Ok(Json(BankQuestion::of(question)?)),
        Updated::Conflict(stored) => {
            let stored = BankQuestion::of(stored)?;
            Err(Error::outdated(Text::BankQuestionChanged, "question", &stored))
        }
    }
}

/// Tag questions of a bank
///
/// Takes the tags `remove` from the questions and gives them the tags `add`. IDs of other questions are ignored. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/banks/tag_questions/{bank_id}", operation_id = "banks-tag_questions", tag = "banks",
    request_body = BankQuestionsTag,
    responses(BankRefusals, (status = 200, description = "The bank", body = BankWithTags))
)]
pub async fn tag_questions(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<BankId>>,
    change: Result<Command<BankQuestionsTag>>,
) -> Result<Json<BankWithTags>> {
    let (id, Command(change)) = with_path(path, change)?;
    let bank = banks::tag_questions(&kurso, &viewer, id, change).await?;
    Ok(Json(BankWithTags::of(&kurso, bank).await?))
}

/// Delete questions of a bank
///
/// Their copies in quizzes and what attempts drew stay. IDs of other questions are ignored. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/banks/delete_questions/{bank_id}", operation_id = "banks-delete_questions", tag = "banks",
    request_body = BankQuestionsDelete,
    responses(BankRefusals, (status = 200, description = "The bank", body = BankWithTags))
)]
pub async fn delete_questions(
    State(kurso): KursoState,
    viewer: Viewer,
    path: Result<Path<BankId>>,
    gone: Result<Command<BankQuestionsDelete>>,
) -> Result<Json<BankWithTags>> {
    let (id, Command(gone)) = with_path(path, gone)?;
    let bank = banks::delete_questions(&kurso, &viewer, id, gone).await?;
    Ok(Json(BankWithTags::of(&kurso, bank).await?))
}

/// Import questions into a bank
///
/// Adds the questions of a file in GIFT or Aiken, or of all quizzes of a course file such as a Common Cartridge (`.imscc`, `.zip`).
/// Pictures in them are stored as the caller's files; links to pages are removed. Owner and editors.
#[utoipa::path(
    post, path = "/api/v1/banks/import_questions/{bank_id}", operation_id = "banks-import_questions", tag = "banks",
    request_body(content = FileUpload, content_type = "multipart/form-data"),
    responses(
        BankRefusals,
        UploadRefusals,
        (status = 200, description = "The number of added questions, and the report", body = ImportedBankQuestions),
        (status = 409, description = "The bank would have more than 5,000 questions", body = HTTPError),
    )
)]
pub async fn import_questions(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<BankId>,
    lang: Lang,
    request: Request,
) -> Result<Json<ImportedBankQuestions>> {
    let form = FileForm::of(request)?;
    let upload = QuestionsUpload::begin(&kurso, &viewer, id, form.announced()).await;
    let form = form.read_into(upload).await?;
    let imported = form.sink.finish(&form.filename).await?;
    Ok(Json(ImportedBankQuestions {
        count: imported.added,
        report: imported
            .report
            .iter()
            .map(|line| ImportReportEntry::of(line, lang))
            .collect(),
    }))
}
