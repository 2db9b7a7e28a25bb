//! Operations on question banks.

pub mod questions;
mod shapes;

use axum::Json;
use axum::extract::State;
use kurso_base::ids::{BankId, UserId};
use kurso_base::messages::{Lang, Message as Text};
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::banks;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{Path, Path2, with_path};
use crate::fields::Command;
use crate::message::Message;
use crate::openapi_parts::{BankRefusals, HTTPError, SignedInRefusals};
use shapes::{Bank, BankShare, BankWithTags, BankWrite, Banks};

/// List question banks
///
/// The caller's banks and those shared with the caller. Order: by title.
#[utoipa::path(
    get, path = "/api/v1/banks/my_banks", operation_id = "banks-my_banks", tag = "banks",
    responses(SignedInRefusals, (status = 200, description = "The banks", body = Banks))
)]
pub async fn my_banks(State(kurso): KursoState, viewer: Viewer) -> Result<Json<Banks>> {
    let data: Vec<Bank> = banks::list(&kurso, &viewer)
        .await?
        .into_iter()
        .map(Bank::from)
        .collect();
    let count = i64::try_from(data.len()).unwrap_or(i64::MAX);
    Ok(Json(Banks { data, count }))
}

/// Create a question bank
///
/// The new bank is empty and belongs to the caller, who can have 200.
#[utoipa::path(
    post, path = "/api/v1/banks/create_bank", operation_id = "banks-create_bank", tag = "banks",
    request_body = BankWrite,
    responses(
        SignedInRefusals,
        (status = 200, description = "The new bank", body = BankWithTags),
        (status = 409, description = "The caller has 200 banks", body = HTTPError),
    )
)]
pub async fn create_bank(
    State(kurso): KursoState,
    viewer: Viewer,
    Command(new): Command<BankWrite>,
) -> Result<Json<BankWithTags>> {
    let bank = banks::create(&kurso, &viewer, new).await?;
    Ok(Json(BankWithTags::of(&kurso, bank).await?))
}

/// Get a question bank
///
/// With its tags and, for its owner and editors, the colleagues with whom it is shared. Owner, editors, viewers and superusers.
#[utoipa::path(
    get, path = "/api/v1/banks/get_bank/{bank_id}", operation_id = "banks-get_bank", tag = "banks",
    responses(BankRefusals, (status = 200, description = "The bank", body = BankWithTags))
)]
pub async fn get_bank(State(kurso): KursoState, viewer: Viewer, Path(id): Path<BankId>) -> Result<Json<BankWithTags>> {
    let bank = banks::get(&kurso, &viewer, id).await?;
    Ok(Json(BankWithTags::of(&kurso, bank).await?))
}

/// Rename a question bank
///
/// Owner only.
#[utoipa::path(
    put, path = "/api/v1/banks/update_bank/{bank_id}", operation_id = "banks-update_bank", tag = "banks",
    request_body = BankWrite,
    responses(BankRefusals, (status = 200, description = "The bank", body = BankWithTags))
)]
pub async fn update_bank(
    State(kurso): KursoState,
    viewer: Viewer,
    id: Result<Path<BankId>>,
    update: Result<Command<BankWrite>>,
) -> Result<Json<BankWithTags>> {
    let (id, Command(update)) = with_path(id, update)?;
    let bank = banks::rename(&kurso, &viewer, id, update).await?;
    Ok(Json(BankWithTags::of(&kurso, bank).await?))
}

/// Delete a question bank
///
/// Copies of its questions in quizzes stay. Owner and superusers.
#[utoipa::path(
    delete, path = "/api/v1/banks/delete_bank/{bank_id}", operation_id = "banks-delete_bank", tag = "banks",
    responses(
        BankRefusals,
        (status = 200, description = "Deleted", body = Message),
        (status = 409, description = "Quizzes draw from it; `detail` tells the number of pages", body = HTTPError),
    )
)]
pub async fn delete_bank(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<BankId>,
    lang: Lang,
) -> Result<Json<Message>> {
    banks::delete(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::BankDeleted, lang))
}

/// Share a question bank
///
/// Shares the bank with an active account, or changes the role of a colleague. Owner only.
#[utoipa::path(
    post, path = "/api/v1/banks/share/{bank_id}", operation_id = "banks-share", tag = "banks",
    request_body = BankShare,
    responses(
        BankRefusals,
        (status = 200, description = "The bank", body = BankWithTags),
        (status = 409, description = "The address belongs to the owner", body = HTTPError),
        (status = 429, description = "Too many unknown accounts; `Retry-After` is the wait in seconds", body = HTTPError),
    )
)]
pub async fn share(
    State(kurso): KursoState,
    origin: Origin,
    viewer: Viewer,
    id: Result<Path<BankId>>,
    with: Result<Command<BankShare>>,
) -> Result<Json<BankWithTags>> {
    let (id, Command(with)) = with_path(id, with)?;
    let bank = banks::share(&kurso, &viewer, &origin, id, with).await?;
    Ok(Json(BankWithTags::of(&kurso, bank).await?))
}

/// End the sharing of a question bank
///
/// The owner, and members for themselves.
#[utoipa::path(
    delete, path = "/api/v1/banks/share/{bank_id}/{user_id}", operation_id = "banks-unshare", tag = "banks",
    responses(BankRefusals, (status = 200, description = "No longer shared", body = Message))
)]
pub async fn unshare(
    State(kurso): KursoState,
    viewer: Viewer,
    Path2(bank, member): Path2<BankId, UserId>,
    lang: Lang,
) -> Result<Json<Message>> {
    banks::unshare(&kurso, &viewer, bank, member).await?;
    Ok(Message::say(Text::BankUnshared, lang))
}
