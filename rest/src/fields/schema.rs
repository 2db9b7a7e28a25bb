//! The OpenAPI schemas of the fields of bodies.

use kurso_base::email::Email;
use kurso_base::ids::{
    AnnouncementId, BankQuestionId, CommentId, CourseId, EnrollmentId, GradeCategoryId, GroupId, LessonId, ModuleId,
    NoticeId, PageId, PartId, PostId, UserId,
};
use kurso_base::schedule::{DayTime, QuietHours, ScheduleTime, TimeZone};
use kurso_base::values::{self, Checked, FEW, Few, HexColor, LIST_SIZE, LinkToken, Several, TimeFactor};
use kurso_formats::content::Document;
use serde_json::Value;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{KnownFormat, RefOr, Schema, SchemaFormat};

use super::Presence;
use super::json::FromJson;

/// The value of a field and its schema.
pub trait Field: Checked<Plain: FromJson> {
    fn schema() -> RefOr<Schema>;

    /// Adds the schemas that [`Field::schema`] refers to.
    fn schemas(_to: &mut Vec<(String, RefOr<Schema>)>) {}
}

pub fn of_type(schema_type: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(schema_type)
}

/// A value of this type, or null.
pub fn of_type_or_null(schema_type: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::Array(vec![schema_type, Type::Null]))
}

macro_rules! texts {
    ($($name:ident)*) => {$(
        impl Field for values::$name {
            fn schema() -> RefOr<Schema> {
                let min = Some(values::$name::MIN).filter(|min| *min > 0);
                of_type(Type::String).min_length(min).max_length(Some(values::$name::MAX)).into()
            }
        }
    )*};
}
kurso_base::each_text!(texts);

macro_rules! integers {
    ($($name:ident)*) => {$(
        impl Field for values::$name {
            fn schema() -> RefOr<Schema> {
                let max = Some(values::$name::MAX).filter(|max| *max < i64::MAX);
                of_type(Type::Integer).minimum(Some(values::$name::MIN)).maximum(max).into()
            }
        }
    )*};
}
kurso_base::each_integer!(integers);

macro_rules! decimals {
    ($($name:ident)*) => {$(
        impl Field for values::$name {
            fn schema() -> RefOr<Schema> {
                of_type(Type::String).pattern(Some(values::DECIMAL)).into()
            }
        }
    )*};
}
kurso_base::each_decimal!(decimals);

macro_rules! schemas {
    ($($($name:ident)+ => $schema:expr;)*) => {$($(
        impl Field for $name {
            fn schema() -> RefOr<Schema> {
                $schema.into()
            }
        }
    )+)*};
}
schemas! {
    String LinkToken => of_type(Type::String);
    Email => of_format(KnownFormat::Email).max_length(Some(255));
    UserId CourseId ModuleId LessonId PartId PageId EnrollmentId GroupId GradeCategoryId BankQuestionId CommentId NoticeId AnnouncementId PostId => uuid_schema();
    Document => of_type(Type::Object);
    bool => of_type(Type::Boolean);
    ScheduleTime => of_type(Type::String).max_length(Some(ScheduleTime::MAX));
    TimeFactor => of_type(Type::Number).minimum(Some(TimeFactor::MIN)).maximum(Some(TimeFactor::MAX));
    TimeZone => of_type(Type::String).max_length(Some(TimeZone::MAX));
    HexColor => of_type(Type::String).pattern(Some(HexColor::PATTERN));
    DayTime => of_type(Type::String).pattern(Some("^([01][0-9]|2[0-3]):[0-5][0-9]$"));
    QuietHours => of_type(Type::Object)
        .property("from", DayTime::schema())
        .required("from")
        .property("until", DayTime::schema())
        .required("until");
}

impl<T: Field<Plain = String>, const MAX: usize> Field for Several<T, MAX> {
    fn schema() -> RefOr<Schema> {
        let array = ArrayBuilder::new().items(T::schema());
        let array = array.min_items(Some(*LIST_SIZE.start())).max_items(Some(MAX));
        RefOr::T(array.into())
    }
}

impl<T: Field<Plain = String>> Field for Few<T> {
    fn schema() -> RefOr<Schema> {
        let array = ArrayBuilder::new().items(T::schema()).max_items(Some(FEW));
        RefOr::T(array.into())
    }
}

fn of_format(format: KnownFormat) -> ObjectBuilder {
    of_type(Type::String).format(Some(SchemaFormat::KnownFormat(format)))
}

pub fn uuid_schema() -> ObjectBuilder {
    of_format(KnownFormat::Uuid)
}

/// Returns the schema of a body's field. The lines of its doc comment are its description.
pub fn property<P: Presence>(doc: &[&str]) -> RefOr<Schema> {
    let description = description(doc);
    match P::Field::schema() {
        RefOr::T(Schema::Object(mut object)) if !P::NULLABLE || object.enum_values.is_none() => {
            if let (SchemaType::Type(one), true) = (&object.schema_type, P::NULLABLE) {
                object.schema_type = SchemaType::Array(vec![one.clone(), Type::Null]);
            }
            object.description = description.or(object.description);
            object.default = P::DEFAULT.map(Value::Bool);
            object.into()
        }
        RefOr::Ref(mut reference) if P::NULLABLE => {
            reference.description = description.unwrap_or_default();
            OneOfBuilder::new().item(reference).item(of_type(Type::Null)).into()
        }
        schema if P::NULLABLE => {
            let either = OneOfBuilder::new().item(schema).item(of_type(Type::Null));
            either.description(description).into()
        }
        schema => schema,
    }
}

/// Returns the text of a doc comment; None without one.
pub fn description(doc: &[&str]) -> Option<String> {
    let lines: Vec<_> = doc.iter().map(|line| line.trim()).collect();
    Some(lines.join("\n")).filter(|text| !text.is_empty())
}
