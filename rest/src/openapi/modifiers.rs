//! Modifiers of the OpenAPI document. They add what follows from the rest of an operation, so that no handler repeats it.

use std::collections::BTreeSet;

use utoipa::Modify;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{ArrayItems, KnownFormat, SchemaFormat, Type};
use utoipa::openapi::security::{Flow, OAuth2, Password, Scopes, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{RefOr, Required, Schema};

use crate::fields::uuid_schema;
use crate::openapi_parts::{INACTIVE, refusal};

const SCHEME: &str = "OAuth2PasswordBearer";

/// The security scheme of operations that need a token.
pub struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let password = Password::new("/api/v1/login/access-token", Scopes::new());
        let scheme = SecurityScheme::OAuth2(OAuth2::new([Flow::Password(password)]));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme(SCHEME, scheme);
    }
}

/// Adds to every operation the IDs in its path, the token that it needs, and the errors that every operation of its kind has.
/// What a handler describes itself is kept.
pub struct ImpliedParts;

impl Modify for ImpliedParts {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        for (path, item) in &mut document.paths.paths {
            for operation in operations(item) {
                add_ids(path, operation);
                add_refusals(operation);
                if operation.responses.responses.contains_key("401") {
                    operation.security = Some(vec![SecurityRequirement::new(SCHEME, [""; 0])]);
                }
            }
        }
    }
}

/// Describes each `{name}` of the path that the handler does not describe as a UUID.
fn add_ids(path: &str, operation: &mut Operation) {
    let names = path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    for (index, name) in names.enumerate() {
        let parameters = operation.parameters.get_or_insert_default();
        if parameters
            .iter_mut()
            .filter_map(inline)
            .all(|parameter| parameter.name != name)
        {
            let id = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path);
            let id = id.required(Required::True).schema(Some(uuid_schema()));
            parameters.insert(index, RefOr::T(id.build()));
        }
    }
}

fn add_refusals(operation: &mut Operation) {
    let is_checked = |parameter: &mut Parameter| match parameter.parameter_in {
        ParameterIn::Query => true,
        ParameterIn::Path => !is_text(parameter.schema.as_ref()),
        _ => false,
    };
    let mut parameters = operation.parameters.iter_mut().flatten().filter_map(inline);
    let has_checked_parameter = parameters.any(is_checked);
    let body = operation.request_body.as_mut().and_then(inline);
    let is_upload = body
        .as_ref()
        .is_some_and(|body| body.content.contains_key("multipart/form-data"));
    let has_body = body.is_some();

    let responses = &mut operation.responses.responses;
    let mut add = |status: &str, text: &str| {
        let refusal = || refusal(status, text).into();
        responses.entry(status.to_owned()).or_insert_with(refusal);
    };
    if has_body && !is_upload {
        add("400", "The body is not UTF-8.");
        add("408", "The body was not received in time.");
        add("413", "The body is larger than 4 MiB.");
    }
    if has_body || has_checked_parameter {
        add(
            "422",
            "Parameters or fields of the body are invalid. All errors are reported at once.",
        );
    }
    add("500", "Internal error: a defect of the server.");
    add("503", "The server is overloaded. `Retry-After` is the wait in seconds.");
    if has_body
        && !is_upload
        && let Some(refusal) = responses.get_mut("400").and_then(inline)
        && refusal.description == INACTIVE
    {
        refusal.description = "The user is inactive, or the body is not UTF-8.".to_owned();
    }
}

/// Is it a string without a format, which holds any text?
fn is_text(schema: Option<&RefOr<Schema>>) -> bool {
    matches!(schema, Some(RefOr::T(Schema::Object(object))) if object.schema_type == Type::String.into() && object.format.is_none())
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let methods = [
        &mut item.get,
        &mut item.post,
        &mut item.put,
        &mut item.patch,
        &mut item.delete,
    ];
    methods.into_iter().flatten()
}

/// Removes `format: int64` from requests: a whole number beyond 64 bits is not an error, it is read as the largest one.
pub struct NumbersOfAnySize;

impl Modify for NumbersOfAnySize {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let mut named = Vec::new();
        for path in document.paths.paths.values_mut() {
            for operation in operations(path) {
                let parameters = operation.parameters.iter_mut().flatten().filter_map(inline);
                let bodies = operation.request_body.iter_mut().filter_map(inline);
                let contents = bodies.flat_map(|body| body.content.values_mut()).filter_map(inline);
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

/// A part that is not a reference. utoipa writes parameters and bodies in place.
fn inline<T>(part: &mut RefOr<T>) -> Option<&mut T> {
    match part {
        RefOr::T(part) => Some(part),
        RefOr::Ref(_) => None,
    }
}

/// Removes the format from the schema and its parts, and adds the names of the schemas that it refers to.
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
