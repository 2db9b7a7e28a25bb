//! Request bodies of operations that change a course and its parts.

use kurso_base::expected_dates::ExpectedDates;
use kurso_base::ids::{LessonId, ModuleId, PartId};
use kurso_base::schedule::{ScheduleTime, TimeZone};
use kurso_base::values::{AvatarUrl, Change, Description, Few, PageVersion, Percentage, Position, Title};
use kurso_core::courses::course::{CreateCourse, UpdateCourse};
use kurso_core::courses::lesson::{CreateLesson, UpdateLesson};
use kurso_core::courses::module::{CreateModule, UpdateModule};
use kurso_core::courses::page::{CreatePage, Importance, UpdatePage};
use kurso_core::courses::tree::PageKind;
use kurso_formats::content::Document;
use kurso_formats::quiz::QuizDraft;
use utoipa::PartialSchema;
use utoipa::openapi::schema::{AdditionalProperties, KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

use crate::fields::{Field, Flag, Given, body, of_type, of_type_or_null};
use crate::page_kind;

body! {
    CourseCreate -> CreateCourse {
        title: Title,
        description: Option<Description>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which begins at 00:00.
        starts_at: Option<ScheduleTime>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which ends at 23:59.
        ends_at: Option<ScheduleTime>,
        /// End of enrollment by share code, as `ends_at`.
        enroll_until: Option<ScheduleTime>,
        /// IANA name of the zone of local times; null means UTC. Stored dates stay the moments that they are.
        time_zone: Option<TimeZone>,
        /// Whether learners see no titles of what is locked for them.
        hide_locked_titles: Given<bool>,
        /// Whether each lesson opens for a learner when the one before it is complete.
        sequential: Given<bool>,
    }

    /// Fields that are absent keep their values.
    CourseUpdate -> UpdateCourse {
        title: Given<Title>,
        description: Change<Description>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which begins at 00:00.
        starts_at: Change<ScheduleTime>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which ends at 23:59.
        ends_at: Change<ScheduleTime>,
        /// End of enrollment by share code, as `ends_at`.
        enroll_until: Change<ScheduleTime>,
        /// IANA name of the zone of local times; null means UTC. Stored dates stay the moments that they are.
        time_zone: Change<TimeZone>,
        /// Whether learners see no titles of what is locked for them.
        hide_locked_titles: Given<bool>,
        /// Whether each lesson opens for a learner when the one before it is complete.
        sequential: Given<bool>,
        /// The dates and settings that the change is based on: those that were read, by their names, null for none. If others are stored, nothing is changed (409). Without it,
        /// the change is never refused as a conflict.
        expected_dates: Given<ExpectedDates>,
    }

    ModuleCreate -> CreateModule {
        title: Title,
        description: Option<Description>,
        /// Index among its siblings, from 0. Absent or beyond the end: the end.
        position: Option<Position>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which begins at 00:00.
        available_from: Option<ScheduleTime>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which ends at 23:59.
        available_until: Option<ScheduleTime>,
        /// As `available_until`.
        due_at: Option<ScheduleTime>,
    }

    /// Fields that are absent keep their values.
    ModuleUpdate -> UpdateModule {
        title: Given<Title>,
        description: Change<Description>,
        /// New index among its siblings, from 0. Beyond the end: the end.
        position: Option<Position>,
        /// Null removes the avatar. Any other value is ignored: `upload_module_avatar` sets an avatar.
        avatar_url: Change<AvatarUrl>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which begins at 00:00.
        available_from: Change<ScheduleTime>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which ends at 23:59.
        available_until: Change<ScheduleTime>,
        /// As `available_until`.
        due_at: Change<ScheduleTime>,
        /// The dates and settings that the change is based on: those that were read, by their names, null for none. If others are stored, nothing is changed (409). Without it,
        /// the change is never refused as a conflict.
        expected_dates: Given<ExpectedDates>,
        /// IDs of the modules and lessons of the course that must be complete before it. Replaces the list.
        prerequisites: Given<Few<PartId>>,
        /// The prerequisites that a change of them is based on. If others are stored, nothing is changed (409).
        expected_prerequisites: Given<Few<PartId>>,
    } => |_fields| Some(UpdateModule {
        title: title?,
        description: description?,
        position: position?,
        remove_avatar: avatar_url? == Change::Clear,
        available_from: available_from?,
        available_until: available_until?,
        due_at: due_at?,
        expected_dates: expected_dates?,
        prerequisites: prerequisites?,
        expected_prerequisites: expected_prerequisites?,
    });

    LessonCreate -> CreateLesson {
        title: Title,
        /// Index among its siblings, from 0. Absent or beyond the end: the end.
        position: Option<Position>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which begins at 00:00.
        available_from: Option<ScheduleTime>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which ends at 23:59.
        available_until: Option<ScheduleTime>,
        /// As `available_until`.
        due_at: Option<ScheduleTime>,
    }

    /// Fields that are absent keep their values.
    LessonUpdate -> UpdateLesson {
        title: Given<Title>,
        /// Target module in the same course. Without `position`, the lesson moves to its end.
        module_id: Option<ModuleId>,
        /// New index among its siblings, from 0. Beyond the end: the end.
        position: Option<Position>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which begins at 00:00.
        available_from: Change<ScheduleTime>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which ends at 23:59.
        available_until: Change<ScheduleTime>,
        /// As `available_until`.
        due_at: Change<ScheduleTime>,
        /// The dates and settings that the change is based on: those that were read, by their names, null for none. If others are stored, nothing is changed (409). Without it,
        /// the change is never refused as a conflict.
        expected_dates: Given<ExpectedDates>,
        /// IDs of the modules and lessons of the course that must be complete before it. Replaces the list.
        prerequisites: Given<Few<PartId>>,
        /// The prerequisites that a change of them is based on. If others are stored, nothing is changed (409).
        expected_prerequisites: Given<Few<PartId>>,
    }
}

body! {
    PageCreate -> CreatePage {
        /// Null for an untitled page: clients show its number in the lesson.
        title: Option<Title>,
        /// Default: `content`. It cannot be changed later.
        kind: Option<PageKind>,
        /// ProseMirror document. Default: one empty paragraph.
        content: Option<Document>,
        /// Quiz pages only.
        quiz: Option<QuizDraft>,
        /// Index among its siblings, from 0. Absent or beyond the end: the end.
        position: Option<Position>,
        /// Default: true. Only an unpublished page may have an incomplete quiz.
        published: Given<bool>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which begins at 00:00.
        available_from: Option<ScheduleTime>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which ends at 23:59.
        available_until: Option<ScheduleTime>,
        /// As `available_until`.
        due_at: Option<ScheduleTime>,
        /// End of late attempts, as `available_until`. Quiz pages only.
        late_until: Option<ScheduleTime>,
        /// Percent of the score that an attempt loses for each begun day after the due date. Quiz pages only.
        late_penalty_per_day: Option<Percentage>,
        /// The most percent that an attempt loses. Quiz pages only.
        late_penalty_max: Option<Percentage>,
    } => |_fields| Some(CreatePage {
        title: title?,
        kind: kind?.unwrap_or(PageKind::Content),
        content: content?,
        quiz: quiz?,
        position: position?,
        published: published?.unwrap_or(true),
        available_from: available_from?,
        available_until: available_until?,
        due_at: due_at?,
        late_until: late_until?,
        late_penalty_per_day: late_penalty_per_day?,
        late_penalty_max: late_penalty_max?,
    });

    /// Fields that are absent keep their values.
    PageUpdate -> UpdatePage {
        /// Null for an untitled page: clients show its number in the lesson.
        title: Change<Title>,
        published: Given<bool>,
        /// Target lesson in the same course. Without `position`, the page moves to its end.
        lesson_id: Option<LessonId>,
        /// New index among its siblings, from 0. Beyond the end: the end.
        position: Option<Position>,
        /// Version that the change is based on. Without it, the change is never refused as a conflict.
        version: Option<PageVersion>,
        /// ProseMirror document.
        content: Given<Document>,
        /// Quiz pages only.
        quiz: Change<QuizDraft>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which begins at 00:00.
        available_from: Change<ScheduleTime>,
        /// A time with its offset (`2026-09-01T10:00:00+03:00`), a local time of the course's zone (`2026-09-01T10:00`) or a day, which ends at 23:59.
        available_until: Change<ScheduleTime>,
        /// As `available_until`.
        due_at: Change<ScheduleTime>,
        /// End of late attempts, as `available_until`. Quiz pages only.
        late_until: Change<ScheduleTime>,
        /// Percent of the score that an attempt loses for each begun day after the due date. Quiz pages only.
        late_penalty_per_day: Change<Percentage>,
        /// The most percent that an attempt loses. Quiz pages only.
        late_penalty_max: Change<Percentage>,
        /// The dates and settings that the change is based on: those that were read, by their names, null for none. If others are stored, nothing is changed (409). Without it,
        /// the change is never refused as a conflict.
        expected_dates: Given<ExpectedDates>,
        /// True: title, content and quiz become the draft of a published page, `version` is that of the draft if it has one, and the quiz may be
        /// incomplete. An unpublished page is changed itself. Not together with other fields.
        draft: Flag<false>,
        /// Of a draft: the version of the page whose text it contains, after a merge. Without it, that from which the draft began.
        base_version: Option<PageVersion>,
        /// How important the change is to learners who have read the page. Default: `correction`. Not allowed with `draft`: `publish_page_drafts` takes it.
        importance: Option<Importance>,
    }
}

impl Field for PageKind {
    fn schema() -> RefOr<Schema> {
        <page_kind::PageKind as PartialSchema>::schema()
    }
}

impl Field for ExpectedDates {
    fn schema() -> RefOr<Schema> {
        Ref::from_schema_name("ExpectedDates").into()
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        let date = || of_type_or_null(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
        let object = of_type(Type::Object).description(Some(
            "Dates and settings of a course, module, lesson or page; those that are left out may have any value.",
        ));
        let add = |object: ObjectBuilder, names: [&'static str; 2], of: Type| {
            let names = names.into_iter();
            names.fold(object, |object, name| {
                object.property(name, of_type_or_null(of.clone()))
            })
        };
        let dates = ExpectedDates::DATES.into_iter();
        let object = dates.fold(object, |object, name| object.property(name, date()));
        let object =
            add(object, ExpectedDates::PERCENTS, Type::Integer).property("time_zone", of_type_or_null(Type::String));
        let object = add(object, ExpectedDates::SWITCHES, Type::Boolean);
        to.push((
            "ExpectedDates".to_owned(),
            object
                .additional_properties(Some(AdditionalProperties::FreeForm(false)))
                .into(),
        ));
    }
}

#[cfg(test)]
mod tests {
    use kurso_base::error::Error;
    use kurso_base::messages::Lang;
    use serde_json::{Value, json};

    use super::*;
    use crate::fields::{Body, Command};

    /// The kind and the location of each error, without `body`.
    fn wrong<B: Body>(body: Value) -> Vec<(&'static str, String)> {
        let Err(Error::Invalid(errors)) = Command::<B>::of(&body) else {
            panic!("{body} is a command")
        };
        let location = |loc| serde_json::to_string(loc).unwrap().replace('"', "");
        errors
            .iter()
            .map(|error| (error.kind, location(&error.loc[1..])))
            .collect()
    }

    #[test]
    fn all_invalid_fields_are_reported() {
        let long = "я".repeat(256);
        assert_eq!(wrong::<CourseCreate>(json!({})), [("missing", "[title]".into())]);
        assert_eq!(
            wrong::<CourseCreate>(json!({"title": long, "description": "x".repeat(10_001)})),
            [
                ("string_too_long", "[title]".into()),
                ("string_too_long", "[description]".into())
            ]
        );
        assert_eq!(
            wrong::<ModuleCreate>(json!({"title": "a\u{0}b", "position": -1})),
            [
                ("value_error", "[title]".into()),
                ("greater_than_equal", "[position]".into())
            ]
        );
        assert_eq!(
            wrong::<PageUpdate>(json!({"content": null, "version": 0, "lesson_id": 5})),
            [
                ("uuid_type", "[lesson_id]".into()),
                ("greater_than_equal", "[version]".into()),
                ("content_not_a_document", "[content]".into())
            ]
        );
    }

    #[test]
    fn an_error_in_a_document_has_its_path_in_location_and_text() {
        let content = json!({"type": "doc", "content": [{"type": "paragraph"}, {"type": "marquee"}]});
        let body = json!({"title": "", "kind": "page", "published": null, "position": "0", "content": content});
        assert_eq!(
            wrong::<PageCreate>(body.clone()),
            [
                ("string_too_short", "[title]".into()),
                ("enum", "[kind]".into()),
                ("content_unknown_node", "[content,content,1,type]".into()),
                ("int_type", "[position]".into()),
                ("bool_type", "[published]".into()),
            ]
        );
        let Err(Error::Invalid(errors)) = Command::<PageCreate>::of(&body) else {
            panic!("the body is wrong")
        };
        let text = errors[2].message.text(Lang::Ru);
        assert!(text.starts_with("content.content[1].type: "), "{text}");
    }

    #[test]
    fn all_errors_of_a_quiz_come_with_those_of_the_other_fields() {
        let question = json!({"type": "numeric", "prompt": "?", "value": "1", "points": -1});
        let body = json!({"title": "", "quiz": {"pass_percent": 101, "questions": [question]}, "published": null});
        let expected = [
            ("string_too_short", "[title]".to_owned()),
            ("value_error", "[quiz,pass_percent]".to_owned()),
            ("value_error", "[quiz,questions,0,points]".to_owned()),
            ("float_type", "[quiz,questions,0,value]".to_owned()),
            ("bool_type", "[published]".to_owned()),
        ];
        assert_eq!(wrong::<PageCreate>(body.clone()), expected);
        let Err(Error::Invalid(errors)) = Command::<PageCreate>::of(&body) else {
            panic!("the body is wrong")
        };
        assert_eq!((&errors[1].input, &errors[3].input), (&json!(101), &json!("1")));
        assert_eq!(
            wrong::<PageUpdate>(json!({"quiz": []})),
            [("model_attributes_type", "[quiz]".into())]
        );
    }

    #[test]
    fn only_null_removes_the_picture_of_a_module() {
        for (body, removes) in [
            (json!({"avatar_url": null}), true),
            (json!({"avatar_url": "/files/a/b.png"}), false),
            (json!({}), false),
        ] {
            let Command(update) = Command::<ModuleUpdate>::of(&body).unwrap();
            assert_eq!(update.remove_avatar, removes, "{body}");
        }
    }
}
