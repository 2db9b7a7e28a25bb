//! Operations for superusers: server status, the audit log.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use kurso_base::messages::Lang;
use kurso_base::wire;
use kurso_core::audit::{self, Act, StoredEntry};
use kurso_core::metrics;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::KursoState;
use crate::error::Result;
use crate::extract::{AuditQuery, Superuser};
use crate::openapi_parts::{PagingParams, SuperuserRefusals};
use crate::response::{from_fields, lists};

/// Counters of the node that responds, since its start.
#[derive(Serialize, ToSchema)]
pub struct ServerStatus {
    version: String,
    /// `sqlite` or `postgres`.
    database: String,
    #[serde(serialize_with = "wire::time")]
    started_at: DateTime<Utc>,
    /// Responses sent.
    requests: i64,
    /// Responses with a status of 500 or above.
    faults: i64,
    /// Requests in progress, including this one.
    running: i64,
    /// Mean duration of a response in milliseconds.
    request_millis: f64,
    /// SQL statements executed.
    statements: i64,
    /// Mean duration of a statement in milliseconds.
    statement_millis: f64,
    /// Open database connections.
    connections: i64,
    connections_in_use: i64,
    /// Requests that wait for a database connection.
    waiting: i64,
    /// Active GraphQL subscriptions.
    subscriptions: i64,
    logins: i64,
    logins_failed: i64,
    uploads: i64,
    mails_sent: i64,
    mails_failed: i64,
    /// Resident memory of the process in bytes; null where the operating system does not report it.
    memory: Option<i64>,
}

from_fields! {
    ServerStatus from metrics::Status {
        version, database, started_at, requests, faults, running, request_millis, statements, statement_millis, connections,
        connections_in_use, waiting, subscriptions, logins, logins_failed, uploads, mails_sent, mails_failed, memory
    }
}

/// Get the server's status
///
/// Counters of the node that responds, since its start. Superusers only.
#[utoipa::path(
    get, path = "/api/v1/utils/server-status", operation_id = "utils-server_status", tag = "utils",
    responses(SuperuserRefusals, (status = 200, description = "The status", body = ServerStatus))
)]
pub async fn server_status(State(kurso): KursoState, Superuser(viewer): Superuser) -> Result<Json<ServerStatus>> {
    Ok(Json(metrics::status(&kurso, &viewer)?.into()))
}

/// A user or course that an entry refers to, with its current name.
#[derive(Serialize, ToSchema)]
pub struct AuditName {
    id: Uuid,
    /// Name of the user or title of the course; null when it is deleted.
    name: Option<String>,
}

/// A recorded action that is relevant to security or cannot be undone.
#[derive(Serialize, ToSchema)]
pub struct AuditEntry {
    id: Uuid,
    #[serde(serialize_with = "wire::time")]
    at: DateTime<Utc>,
    /// Name of the action, such as `course_deleted`.
    kind: String,
    /// The action in words, in the language of the request.
    text: String,
    /// The user who did it; null for the server's command line and for unknown clients.
    actor: Option<AuditName>,
    /// The user to whom it was done; null when there is none.
    person: Option<AuditName>,
    course: Option<AuditName>,
    /// The quiz page of the action, by its title or that of its lesson; null when there is none.
    page: Option<AuditName>,
    /// A detail of the action: a role or a number.
    detail: Option<String>,
}

impl AuditEntry {
    fn of(entry: StoredEntry, lang: Lang) -> Self {
        let user = |named: audit::Named<kurso_base::ids::UserId>| AuditName {
            id: named.id.0,
            name: named.name,
        };
        AuditEntry {
            id: entry.id.0,
            at: entry.at,
            kind: entry.act.name().to_owned(),
            text: entry.act.text(lang).to_owned(),
            actor: entry.actor.map(user),
            person: entry.person.map(user),
            course: entry.course.map(|named| AuditName {
                id: named.id.0,
                name: named.name,
            }),
            page: entry.page.map(|named| AuditName {
                id: named.id.0,
                name: named.name,
            }),
            detail: entry.detail,
        }
    }
}

lists! {
    /// A page of the audit log.
    AuditLog of AuditEntry;
}

/// The names of the actions.
fn acts() -> utoipa::openapi::Object {
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .enum_values(Some(Act::names()))
        .build()
}

/// Filter of the audit log.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct AuditParams {
    /// Name of the action.
    #[param(schema_with = acts)]
    kind: Option<String>,
    /// ID of the user who did it or to whom it was done.
    user_id: Option<Uuid>,
    /// At this time or later.
    since: Option<DateTime<Utc>>,
    /// Before this time.
    until: Option<DateTime<Utc>>,
}

/// List the entries of the audit log
///
/// Actions that are relevant to security or cannot be undone. Order: newest first, then by ID. Superusers only.
#[utoipa::path(
    get, path = "/api/v1/utils/audit-log", operation_id = "utils-read_audit_log", tag = "utils",
    params(AuditParams, PagingParams),
    responses(SuperuserRefusals, (status = 200, description = "The entries", body = AuditLog))
)]
pub async fn audit_log(
    State(kurso): KursoState,
    Superuser(viewer): Superuser,
    query: AuditQuery,
    lang: Lang,
) -> Result<Json<AuditLog>> {
    let listed = audit::list(&kurso, &viewer, &query.filter, query.page).await?;
    Ok(Json(AuditLog {
        data: listed.data.into_iter().map(|one| AuditEntry::of(one, lang)).collect(),
        count: listed.count,
    }))
}
