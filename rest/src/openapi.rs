//! The OpenAPI document: what the handlers say of themselves, and what they share.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use axum::response::{IntoResponse as _, Response};
use http::header;
use serde_json::Value;
use utoipa::openapi::schema::{ArrayItems, KnownFormat, SchemaFormat};
use utoipa::openapi::security::{Flow, OAuth2, Password, Scopes, SecurityScheme};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, IntoResponses, Modify, OpenApi, ToSchema};

use crate::{
    admin, courses, files, items, learning, login, me, private, quiz, recovery, sessions, students, team, users, utils,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Kurso",
        version = "0.1.0",
        description = "Courses of modules, lessons and pages: made by authors, shared by a code, learnt with \
            progress.\n\nTexts are in the language of `Accept-Language`, `en` (default) or `ru`. Times are RFC 3339 \
            in UTC. An unknown field of a body is ignored."
    ),
    paths(
        login::access_token,
        login::test_token,
        login::logout,
        sessions::list,
        sessions::end,
        recovery::ask,
        recovery::reset,
        recovery::html_content,
        recovery::undo_email_change,
        users::list,
        users::create,
        me::read,
        me::update,
        me::delete,
        me::update_password,
        users::signup,
        users::read,
        users::update,
        users::delete,
        items::list,
        items::create,
        items::read,
        items::update,
        items::delete,
        courses::list_courses,
        courses::get_course,
        courses::create_course,
        courses::update_course,
        courses::delete_course,
        courses::duplicate_course,
        courses::generate_share_code,
        courses::modules::create_module,
        courses::modules::get_module,
        courses::modules::update_module,
        courses::modules::delete_module,
        courses::modules::duplicate_module,
        courses::lessons::create_lesson,
        courses::lessons::get_lesson,
        courses::lessons::update_lesson,
        courses::lessons::delete_lesson,
        courses::lessons::duplicate_lesson,
        courses::pages::create_page,
        courses::pages::get_page,
        courses::pages::update_page,
        courses::pages::delete_page,
        courses::pages::duplicate_page,
        courses::pages::page_versions,
        courses::pages::restore_page_version,
        courses::uploads::upload_file,
        courses::uploads::upload_module_avatar,
        courses::imports::import_course,
        courses::imports::import_job,
        courses::imports::my_imports,
        courses::imports::confirm_import,
        courses::imports::cancel_import,
        courses::exports::export_course,
        learning::enroll,
        learning::my_enrolled_courses,
        learning::enrolled_course,
        learning::enrolled_page,
        learning::mark_page_visited,
        quiz::submit_quiz,
        quiz::try_quiz,
        quiz::reset_attempts,
        learning::progress::my_progress,
        learning::progress::debug_progress,
        learning::progress::fix_progress,
        students::course_students,
        students::student_detailed_progress,
        students::course_heat_map,
        students::remove_student,
        courses::all_courses,
        courses::finding::search,
        team::leave_course,
        team::collaborators,
        team::invite_collaborator,
        team::remove_collaborator,
        team::accept_invitation,
        team::hand_over,
        utils::test_email,
        admin::server_status,
        admin::audit_log,
        utils::health_check,
        private::create_user,
        files::serve,
    ),
    components(schemas(HTTPError, HTTPValidationError)),
    tags(
        (name = "login", description = "Signing in and out, recovering a password"),
        (name = "users", description = "People"),
        (name = "items", description = "Titles with a text, one's own"),
        (name = "courses", description = "Making, sharing and learning courses"),
        (name = "utils", description = "For watchers of the server and those who run it"),
        (name = "private", description = "For servers in development"),
        (name = "files", description = "Images and other files in pages"),
    ),
    modifiers(&Bearer, &NumbersOfAnySize)
)]
struct Document;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let password = Password::new("/api/v1/login/access-token", Scopes::new());
        document.components.get_or_insert_default().add_security_scheme(
            "OAuth2PasswordBearer",
            SecurityScheme::OAuth2(OAuth2::new([Flow::Password(password)])),
        );
    }
}

/// What callers send has no `format: int64`: a whole number beyond 64 bits is no error, it is read as the largest.
struct NumbersOfAnySize;

impl Modify for NumbersOfAnySize {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let mut named = Vec::new();
        for path in document.paths.paths.values_mut() {
            let operations = [
                &mut path.get,
                &mut path.post,
                &mut path.put,
                &mut path.patch,
                &mut path.delete,
            ];
            for operation in operations.into_iter().flatten() {
                let parameters = operation.parameters.iter_mut().flatten().filter_map(written);
                let bodies = operation.request_body.iter_mut().filter_map(written);
                let contents = bodies.flat_map(|body| body.content.values_mut()).filter_map(written);
                parameters
                    .filter_map(|parameter| parameter.schema.as_mut())
                    .chain(contents.filter_map(|content| content.schema.as_mut()))
                    .for_each(|schema| without_int64(schema, &mut named));
            }
        }
        let schemas = &mut document.components.get_or_insert_default().schemas;
        let mut seen = BTreeSet::new();
        while let Some(name) = named.pop() {
            if let Some(schema) = schemas.get_mut(&name)
                && seen.insert(name)
            {
                without_int64(schema, &mut named);
            }
        }
    }
}

/// What stands in its place, and not elsewhere under a name: no macro writes parameters and bodies so.
fn written<T>(part: &mut RefOr<T>) -> Option<&mut T> {
    match part {
        RefOr::T(part) => Some(part),
        RefOr::Ref(_) => None,
    }
}

/// In the schema and all it is made of; adds the names of those it refers to.
fn without_int64(schema: &mut RefOr<Schema>, named: &mut Vec<String>) {
    let parts: Vec<&mut RefOr<Schema>> = match schema {
        RefOr::Ref(reference) => {
            named.extend(reference.ref_location.rsplit('/').next().map(str::to_owned));
            vec![]
        }
        RefOr::T(Schema::Object(object)) => {
            if matches!(object.format, Some(SchemaFormat::KnownFormat(KnownFormat::Int64))) {
                object.format = None;
            }
            object.properties.values_mut().collect()
        }
        RefOr::T(Schema::Array(array)) => match &mut array.items {
            ArrayItems::RefOrSchema(items) => vec![items.as_mut()],
            ArrayItems::False => vec![],
        },
        RefOr::T(Schema::OneOf(one)) => one.items.iter_mut().collect(),
        RefOr::T(Schema::AllOf(all)) => all.items.iter_mut().collect(),
        RefOr::T(Schema::AnyOf(any)) => any.items.iter_mut().collect(),
        RefOr::T(_) => vec![],
    };
    for part in parts {
        without_int64(part, named);
    }
}

pub fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// The document as it is served and checked in.
pub fn openapi_json() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| openapi().to_pretty_json().unwrap_or_default());
    &TEXT
}

pub async fn serve() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

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
