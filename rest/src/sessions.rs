//! Sessions of the caller: listing and ending them.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::ids::SessionId;
use kurso_base::messages::{Lang, Message as Text};
use kurso_base::pagination::Page;
use kurso_base::wire;
use kurso_core::access::Viewer;
use kurso_core::auth::sessions;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::KursoState;
use crate::error::Result;
use crate::extract::Path;
use crate::message::Message;
use crate::openapi_parts::{HTTPError, PagingParams, SignedInRefusals};
use crate::response::lists;

/// A session of the caller: a device on which they are signed in.
#[derive(Serialize, ToSchema)]
pub struct Session {
    pub id: Uuid,
    /// User-Agent of the sign-in.
    pub device: String,
    #[serde(serialize_with = "wire::time")]
    pub created_at: DateTime<Utc>,
    /// Time of the last request, accurate to five minutes.
    #[serde(serialize_with = "wire::time")]
    pub last_seen_at: DateTime<Utc>,
    #[serde(serialize_with = "wire::time")]
    pub expires_at: DateTime<Utc>,
    /// Whether it is the session of the request's token.
    pub current: bool,
}

lists! {
    /// A page of the caller's sessions.
    Sessions of Session;
}

/// List the caller's sessions
///
/// Order: last seen first, then by ID.
#[utoipa::path(
    get, path = "/api/v1/login/sessions", operation_id = "login-read_sessions", tag = "login",
    params(PagingParams),
    responses(SignedInRefusals, (status = 200, description = "Sessions", body = Sessions))
)]
pub async fn list(State(kurso): KursoState, viewer: Viewer, page: Page) -> Result<Json<Sessions>> {
    let listed = sessions::list(&kurso, &viewer, page).await?;
    let data = listed.data.into_iter().map(|session| Session {
        id: session.id.0,
        device: session.device,
        created_at: session.created_at,
        last_seen_at: session.last_seen_at,
        expires_at: session.expires_at,
        current: session.id == viewer.session,
    });
    Ok(Json(Sessions {
        data: data.collect(),
        count: listed.count,
    }))
}

/// End a session of the caller
///
/// The token of that session is refused from then on.
#[utoipa::path(
    delete, path = "/api/v1/login/sessions/{session_id}", operation_id = "login-end_session", tag = "login",
    responses(
        SignedInRefusals,
        (status = 200, description = "Ended", body = Message),
        (status = 404, description = "The caller has no such session, or the user is deleted", body = HTTPError),
    )
)]
pub async fn end(
    State(kurso): KursoState,
    viewer: Viewer,
    Path(id): Path<SessionId>,
    lang: Lang,
) -> Result<Json<Message>> {
    sessions::end(&kurso, &viewer, id).await?;
    Ok(Message::say(Text::SessionEnded, lang))
}
