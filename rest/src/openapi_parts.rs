//! Parts of the OpenAPI document that several handlers share: errors and query parameters.

use serde_json::Value;
use utoipa::{IntoParams, IntoResponses, ToSchema};

/// Any refusal but one of fields.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct HTTPError {
    detail: String,
}

/// Fields that do not fit, all at once.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct HTTPValidationError {
    detail: Vec<ValidationError>,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct ValidationError {
    /// The stable name of the rule, such as `string_too_short`.
    r#type: String,
    /// Where, such as `["body", "email"]`.
    loc: Vec<Location>,
    msg: String,
    /// What was sent; null for secrets.
    #[schema(value_type = Option<Value>, required)]
    input: Value,
    /// The rule's numbers, when it has some.
    #[schema(value_type = Option<Object>)]
    ctx: Option<Value>,
}

#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum Location {
    Name(String),
    Index(u64),
}

/// `skip` and `limit` of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct PagingParams {
    /// How many rows to leave out at the start.
    #[param(minimum = 0, default = 0)]
    skip: Option<i64>,
    /// How many rows to answer with at most; above 1000 it is read as 1000.
    #[param(minimum = 0, default = 100)]
    limit: Option<i64>,
}

/// `search` of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct SearchParams {
    /// Words, each of which must be somewhere in the texts that are searched; case does not matter, nor ё for е.
    #[param(max_length = 255)]
    search: Option<String>,
}

/// What can become of any call with a token.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum SignedInRefusals {
    /// The user is inactive.
    #[response(status = 400)]
    Inactive(HTTPError),
    /// No token.
    #[response(status = 401, headers(("WWW-Authenticate" = String, description = "`Bearer`")))]
    NotAuthenticated(HTTPError),
    /// The token is malformed, expired or forged, or its session has ended.
    #[response(status = 403)]
    BadCredentials(HTTPError),
    /// The user is gone.
    #[response(status = 404)]
    UserGone(HTTPError),
}

/// What can become of any call that only superusers may make.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum SuperuserRefusals {
    /// The user is inactive.
    #[response(status = 400)]
    Inactive(HTTPError),
    /// No token.
    #[response(status = 401, headers(("WWW-Authenticate" = String, description = "`Bearer`")))]
    NotAuthenticated(HTTPError),
    /// The caller is no superuser, or the token is malformed, expired or forged, or its session has ended.
    #[response(status = 403)]
    Forbidden(HTTPError),
    /// The caller's account is gone, or the one the call is about is not there.
    #[response(status = 404)]
    NotFound(HTTPError),
}

/// What can become of a call about one item.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum ItemRefusals {
    /// The user is inactive.
    #[response(status = 400)]
    Inactive(HTTPError),
    /// No token.
    #[response(status = 401, headers(("WWW-Authenticate" = String, description = "`Bearer`")))]
    NotAuthenticated(HTTPError),
    /// The item is another's, or the token is malformed, expired or forged, or its session has ended.
    #[response(status = 403)]
    Forbidden(HTTPError),
    /// No such item, or the user is gone.
    #[response(status = 404)]
    NotFound(HTTPError),
}

/// What can become of a call about one course.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum CourseRefusals {
    /// The user is inactive.
    #[response(status = 400)]
    Inactive(HTTPError),
    /// No token.
    #[response(status = 401, headers(("WWW-Authenticate" = String, description = "`Bearer`")))]
    NotAuthenticated(HTTPError),
    /// The caller's role does not allow this, or the token is malformed, expired or forged, or its session has ended.
    #[response(status = 403)]
    Forbidden(HTTPError),
    /// Not there, or nothing the caller has to do with; or the user is gone.
    #[response(status = 404)]
    NotFound(HTTPError),
}

/// What can become of a call about one course that has a body.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum CourseBodyRefusals {
    /// The user is inactive, or the body is not UTF-8.
    #[response(status = 400)]
    InactiveOrNotUtf8(HTTPError),
    /// No token.
    #[response(status = 401, headers(("WWW-Authenticate" = String, description = "`Bearer`")))]
    NotAuthenticated(HTTPError),
    /// The caller's role does not allow this, or the token is malformed, expired or forged, or its session has ended.
    #[response(status = 403)]
    Forbidden(HTTPError),
    /// Not there, or nothing the caller has to do with; or the user is gone.
    #[response(status = 404)]
    NotFound(HTTPError),
    /// The body did not arrive in time.
    #[response(status = 408)]
    TooSlow(HTTPError),
    /// The body is above 4 MiB.
    #[response(status = 413)]
    TooLarge(HTTPError),
}

/// What can be wrong with a body as a whole.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum BodyRefusals {
    /// The body is not UTF-8.
    #[response(status = 400)]
    NotUtf8(HTTPError),
    /// The body did not arrive in time.
    #[response(status = 408)]
    TooSlow(HTTPError),
    /// The body is above 4 MiB.
    #[response(status = 413)]
    TooLarge(HTTPError),
}

/// What can become of an upload.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum UploadRefusals {
    /// The body did not arrive in time.
    #[response(status = 408)]
    TooSlow(HTTPError),
    /// The file is larger than it may be, or the caller's quota is full; `detail` says which.
    #[response(status = 413)]
    TooLarge(HTTPError),
    /// The body is not `multipart/form-data`.
    #[response(status = 415)]
    NoForm(HTTPError),
    /// A hundred uploads of the caller are under way; `Retry-After` says in how many seconds to try again.
    #[response(status = 429)]
    TooMany(HTTPError),
}

/// What can be wrong with the parts of a request.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum InvalidRefusal {
    /// The path, the query or fields of the body do not fit; all errors at once.
    #[response(status = 422)]
    Invalid(HTTPValidationError),
}

/// What can become of any call.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub enum ServerRefusals {
    /// A bug.
    #[response(status = 500)]
    Internal(HTTPError),
    /// Busy; `Retry-After` says in how many seconds to try again.
    #[response(status = 503, headers(("Retry-After" = u64, description = "Seconds")))]
    Busy(HTTPError),
}
