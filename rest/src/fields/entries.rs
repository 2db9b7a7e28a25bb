//! Schemas of lists of changes to parts of a course.

use kurso_base::schedule::ScheduleTime;
use utoipa::openapi::schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

use super::{of_type, of_type_or_null, uuid_schema};

/// A list of 1 to `max` entries, each of the schema with this name.
pub fn entries_schema(entry: &str, max: usize) -> RefOr<Schema> {
    let array = ArrayBuilder::new().items(Ref::from_schema_name(entry));
    RefOr::T(array.min_items(Some(1)).max_items(Some(max)).into())
}

/// As [`entries_schema`], but the list may be empty.
pub fn any_entries_schema(entry: &str, max: usize) -> RefOr<Schema> {
    let array = ArrayBuilder::new().items(Ref::from_schema_name(entry));
    RefOr::T(array.max_items(Some(max)).into())
}

/// An entry with ids of parts and with dates as they are typed, and no unknown properties.
pub fn entry_schema<const I: usize, const D: usize>(ids: [&str; I], dates: [&str; D]) -> ObjectBuilder {
    let date = || of_type_or_null(Type::String).max_length(Some(ScheduleTime::MAX));
    let object = of_type(Type::Object).additional_properties(Some(AdditionalProperties::FreeForm(false)));
    let object = ids
        .into_iter()
        .fold(object, |object, id| object.property(id, uuid_schema()));
    dates
        .into_iter()
        .fold(object, |object, name| object.property(name, date()))
}
