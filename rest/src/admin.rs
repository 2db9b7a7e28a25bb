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

/// How the node that answers is doing, since its start.
#[derive(Serialize, ToSchema)]
pub struct ServerStatus {
    version: String,
    /// `sqlite` or `postgres`.
    database: String,
    #[serde(serialize_with = "wire::time")]
    started_at: DateTime<Utc>,
    /// Answers given.
    requests: i64,
    /// Answers of 500 and above.
    faults: i64,
    /// Requests under way, this one included.
    running: i64,
    /// What an answer took, in milliseconds: the mean.
    request_millis: f64,
    /// Statements run.
    statements: i64,
    /// What a statement took, in milliseconds: the mean.
    statement_millis: f64,
    /// Connections to the database that are open.
    connections: i64,
    connections_in_use: i64,
    /// Who waits for a connection.
    waiting: i64,
    /// Running subscriptions.
    subscriptions: i64,
    logins: i64,
    logins_failed: i64,
    uploads: i64,
    mails_sent: i64,
    mails_failed: i64,
    /// Bytes of the process; null where the system does not tell.
    memory: Option<i64>,
}

from_fields! {
    ServerStatus from metrics::Status {
        version, database, started_at, requests, faults, running, request_millis, statements, statement_millis, connections,
        connections_in_use, waiting, subscriptions, logins, logins_failed, uploads, mails_sent, mails_failed, memory
    }
}

/// Server Status
///
/// How the node that answers is doing, since its start. Superusers only.
#[utoipa::path(
    get, path = "/api/v1/utils/server-status", operation_id = "utils-server_status", tag = "utils",
    responses(SuperuserRefusals, (status = 200, description = "The status", body = ServerStatus))
)]
pub async fn server_status(State(kurso): KursoState, Superuser(viewer): Superuser) -> Result<Json<ServerStatus>> {
    Ok(Json(metrics::status(&kurso, &viewer)?.into()))
}

/// Who or what an entry speaks of, as it is called today.
#[derive(Serialize, ToSchema)]
pub struct AuditName {
    id: Uuid,
    /// Null: it is gone.
    name: Option<String>,
}

/// An act that matters for security or cannot be undone.
#[derive(Serialize, ToSchema)]
pub struct AuditEntry {
    id: Uuid,
    #[serde(serialize_with = "wire::time")]
    at: DateTime<Utc>,
    /// The act: `course_deleted`.
    kind: String,
    /// The act in the reader's language.
    text: String,
    /// Who did it; null: whoever runs the server, or nobody who is known.
    actor: Option<AuditName>,
    /// To whom.
    person: Option<AuditName>,
    course: Option<AuditName>,
    /// The quiz; a page without a title has that of its lesson.
    page: Option<AuditName>,
    /// A word or a number: a role, how many.
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

/// The words of the acts.
fn acts() -> utoipa::openapi::Object {
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .enum_values(Some(Act::names()))
        .build()
}

/// Which entries are asked for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct AuditParams {
    /// The act.
    #[param(schema_with = acts)]
    kind: Option<String>,
    /// Who did it, or to whom it was done.
    user_id: Option<Uuid>,
    /// From this time on.
    since: Option<DateTime<Utc>>,
    /// Before this time.
    until: Option<DateTime<Utc>>,
}

/// Read Audit Log
///
/// What was done that matters for security or cannot be undone: the newest first, then by id. Superusers only.
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
