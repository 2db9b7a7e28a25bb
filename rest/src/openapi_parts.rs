//! Parts of the OpenAPI document that several handlers share: errors and query parameters.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{Content, Ref, RefOr};
use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::fields::of_type;

/// Any error except invalid fields: a text in the language of the request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct HTTPError {
    detail: String,
}

/// The errors of all invalid fields.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct HTTPValidationError {
    detail: Vec<ValidationError>,
}

#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct ValidationError {
    /// Stable name of the violated rule, such as `string_too_short`.
    r#type: String,
    /// Location of the field, such as `["body", "email"]`.
    loc: Vec<Location>,
    /// The error in the language of the request.
    msg: String,
    /// The invalid value; null for secrets.
    #[schema(value_type = Option<Value>, required)]
    input: Value,
    /// Parameters of the rule, such as `max_length`.
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
    /// Number of rows to skip.
    #[param(minimum = 0, default = 0)]
    skip: Option<i64>,
    /// Maximum number of rows to return; values above 1000 are read as 1000.
    #[param(minimum = 0, default = 100)]
    limit: Option<i64>,
}

/// `search` of a list.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct SearchParams {
    /// Words that must all occur in the searched texts. Case does not matter, and ё equals е.
    #[param(max_length = 255)]
    search: Option<String>,
}

/// `group_id` of operations on the students of a course.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct GroupParams {
    /// ID of a group: only its students; nobody when the course has no such group. `none`: only students without a group.
    #[param(pattern = "^(none|[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})$")]
    group_id: Option<String>,
}

/// Selects answers to open questions.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct AnswerParams {
    /// Only answers at this quiz page.
    page_id: Option<uuid::Uuid>,
    /// Only answers to this question.
    question_id: Option<uuid::Uuid>,
}

/// As whom and when staff see a course: as a learner, as a new learner of a group, or without both as a new learner without a group.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `extract` reads")]
pub struct PreviewParams {
    /// Enrollment of the learner; `group_id` is then ignored.
    enrollment_id: Option<uuid::Uuid>,
    /// Group of the new learner.
    group_id: Option<uuid::Uuid>,
    /// An instant, or a local time or a day of the course's time zone, in the years 2000 to 2099; by default, now.
    #[param(max_length = 40)]
    at: Option<String>,
    /// True: pages with unpublished changes have these in place of what learners see; for the owner, editors and reviewers. Default: false.
    drafts: Option<bool>,
}

pub const INACTIVE: &str = "The user is inactive.";

/// Declares groups of refusals. A group is described in OpenAPI by the status and the text of each of its responses, and shows
/// [`HTTPError`] as their body.
macro_rules! refusals {
    ($($(#[doc = $doc:literal])+ $name:ident { $($status:literal: $text:expr,)+ })*) => {$(
        $(#[doc = $doc])+
        pub struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                [$(($status.to_owned(), refusal($status, $text).into())),+].into()
            }
        }
    )*};
}

refusals! {
    /// Errors of an operation that needs a token.
    SignedInRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The token is malformed, expired or forged, or its session has ended.",
        "404": "The user is deleted.",
    }

    /// Errors of an operation for superusers.
    SuperuserRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The caller is not a superuser, or the token is malformed, expired or forged, or its session has ended.",
        "404": "The caller's account is deleted, or the requested account does not exist.",
    }

    /// Errors of an operation on one item.
    ItemRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The item belongs to another user, or the token is malformed, expired or forged, or its session has ended.",
        "404": "The item does not exist, or the user is deleted.",
    }

    /// Errors of an operation on one course or a part of it.
    CourseRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The caller's role does not allow this, or the token is malformed, expired or forged, or its session has ended.",
        "404": "The object does not exist, the caller has no role in its course, or the user is deleted.",
    }

    /// Errors of an operation on one question bank or a question of it.
    BankRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The caller's role in the bank does not allow this, or the token is malformed, expired or forged, or its session has ended.",
        "404": "The object does not exist, its bank is not shared with the caller, or the user is deleted.",
    }

    /// Errors of an upload.
    UploadRefusals {
        "408": "The body was not received in time.",
        "413": "The file is above the size limit, or the caller's quota is exhausted; `detail` tells which.",
        "415": "The body is not `multipart/form-data`.",
        "429": "The caller has a hundred unfinished uploads; `Retry-After` is the wait in seconds.",
    }
}

/// Describes a refusal: its body, and the header that its status comes with.
pub fn refusal(status: &str, text: &str) -> Response {
    let body = match status {
        "422" => HTTPValidationError::name(),
        _ => HTTPError::name(),
    };
    let body = Content::new(Some(Ref::from_schema_name(body)));
    let refusal = ResponseBuilder::new()
        .description(text)
        .content("application/json", body);
    let int64 = SchemaFormat::KnownFormat(KnownFormat::Int64);
    let seconds = of_type(Type::Integer).format(Some(int64)).minimum(Some(0));
    let refusal = match status {
        "401" => refusal.header("WWW-Authenticate", header(of_type(Type::String), "`Bearer`")),
        "503" => refusal.header("Retry-After", header(seconds, "Seconds")),
        _ => refusal,
    };
    refusal.build()
}

fn header(schema: ObjectBuilder, text: &str) -> Header {
    HeaderBuilder::new()
        .schema(Some(schema))
        .description(Some(text))
        .build()
}
