//! Parts of the OpenAPI document that several handlers share: errors and query parameters.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{Content, Ref, RefOr};
use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::fields::of_type;

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
    /// Refusals of a call with a token.
    SignedInRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The token is malformed, expired or forged, or its session has ended.",
        "404": "The user is gone.",
    }

    /// Refusals of a call for superusers.
    SuperuserRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The caller is no superuser, or the token is malformed, expired or forged, or its session has ended.",
        "404": "The caller's account is gone, or the one the call is about is not there.",
    }

    /// Refusals of a call about one item.
    ItemRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The item is another's, or the token is malformed, expired or forged, or its session has ended.",
        "404": "No such item, or the user is gone.",
    }

    /// Refusals of a call about one course.
    CourseRefusals {
        "400": INACTIVE,
        "401": "No token.",
        "403": "The caller's role does not allow this, or the token is malformed, expired or forged, or its session has ended.",
        "404": "Not there, or nothing the caller has to do with; or the user is gone.",
    }

    /// Refusals of an upload.
    UploadRefusals {
        "408": "The body did not arrive in time.",
        "413": "The file is larger than it may be, or the caller's quota is full; `detail` says which.",
        "415": "The body is not `multipart/form-data`.",
        "429": "A hundred uploads of the caller are under way; `Retry-After` says in how many seconds to try again.",
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
