//! Changes of many dates at once on both databases: all or nothing, conflicts, shifts and overrides.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use kurso_base::dates_entries::DatesEntries;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, LessonId, ModuleId, PageId};
use kurso_base::messages::Message;
use kurso_base::values::{Checked as _, ShiftDays};
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses::overrides::{self, TargetFilter};
use kurso_core::courses::set_dates::{PartDates, SetDates, SetDatesError, set_dates};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, groups, module};
use kurso_core::learning::enroll;
use kurso_core::learning::view::CourseView;
use kurso_core::subscriptions::GroupsWatch;
use kurso_core::testing::{TestKurso, command};
use serde_json::{Value, json};

/// A course in Berlin: a module with a lesson of a content page and a quiz, and a learner.
struct Class {
    owner: Viewer,
    enrollment: EnrollmentId,
    course: CourseId,
    module: ModuleId,
    lesson: LessonId,
    pages: Vec<PageId>,
}

async fn class(kurso: &TestKurso) -> Class {
    let (owner, learner) = (kurso.person("owner").await, kurso.person("anna").await);
    let id = kurso.course(&owner, &[&[&[Content, Quiz]]]).await;
    let zone = command(json!({"time_zone": "Europe/Berlin"}));
    course::update(kurso, &owner, id, zone).await.unwrap();
    let shared = courses::generate_share_code(kurso, &owner, id).await.unwrap();
    let enrolled = enroll(kurso, &learner, &Origin::default(), &shared.share_code.unwrap()).await;
    let tree = CourseView::load(kurso, &owner, id, Right::Read).await.unwrap().tree;
    Class {
        owner,
        enrollment: enrolled.unwrap().enrollment.unwrap().id,
        course: id,
        module: tree.modules[0].id,
        lesson: tree.lessons[0].id,
        pages: tree.pages.iter().map(|page| page.id).collect(),
    }
}

impl Class {
    async fn set(&self, kurso: &TestKurso, dates: Value, days: i64) -> Result<Vec<PartDates>, SetDatesError> {
        let command = SetDates {
            dates: DatesEntries::check(dates).unwrap(),
            shift_days: Some(ShiftDays::check(days).unwrap()).filter(|days| days.get() != 0),
        };
        set_dates(kurso, &self.owner, self.course, command).await
    }

    /// When the course was edited, and the version of its tree.
    async fn edited(&self, kurso: &TestKurso) -> (DateTime<Utc>, i64) {
        let view = CourseView::load(kurso, &self.owner, self.course, Right::Read)
            .await
            .unwrap();
        (view.course.updated_at, view.course.structure_version)
    }

    /// What the tree has: the version, and the due dates of the module, the lesson and the pages.
    async fn stored(&self, kurso: &TestKurso) -> (i64, Vec<Option<String>>) {
        let view = CourseView::load(kurso, &self.owner, self.course, Right::Read)
            .await
            .unwrap();
        let mut due = vec![
            view.tree.modules[0].own_dates().due_at,
            view.tree.lessons[0].own_dates().due_at,
        ];
        due.extend(view.tree.pages.iter().map(|page| page.own_dates().0.due_at));
        (view.course.structure_version, due.iter().map(text).collect())
    }
}

fn text(at: &Option<DateTime<Utc>>) -> Option<String> {
    at.map(|at| at.format("%m-%dT%H:%M:%S%.f").to_string())
}

/// The places of the errors.
fn places(refused: Result<Vec<PartDates>, SetDatesError>) -> Vec<(String, Message)> {
    match refused {
        Err(SetDatesError::Refused(Error::Invalid(errors))) => errors
            .into_iter()
            .map(|error| {
                (
                    serde_json::to_string(&error.loc[1..]).unwrap().replace('"', ""),
                    error.message,
                )
            })
            .collect(),
        other => panic!("{other:?}"),
    }
}

both! {
    async fn the_dates_of_all_kinds_of_parts_change_together(kurso: TestKurso) {
        let class = class(&kurso).await;
        let [content, quiz] = [class.pages[0], class.pages[1]];
        let mut changes = GroupsWatch::start(&kurso, &class.owner, class.course).await.unwrap();
        let (version, _) = class.stored(&kurso).await;
        let stored = class.set(&kurso, json!([
            {"page_id": quiz, "due_at": "2026-10-01T12:00", "late_until": "2026-10-08"},
            {"starts_at": "2026-09-01", "enroll_until": "2026-09-10"},
            {"module_id": class.module, "due_at": "2026-10-20"},
            {"lesson_id": class.lesson, "available_from": "2026-09-02", "due_at": "2026-10-19T10:00:00.000001Z"},
            {"page_id": content, "due_at": null},
        ]), 0).await.unwrap();
        assert_eq!(stored[0].of.ids().2, Some(quiz), "the answers are in the order of the entries");
        assert_eq!([text(&stored[0].due_at), text(&stored[0].late_until)].map(Option::unwrap), ["10-01T10:00:00", "10-08T21:59:00"]);
        assert_eq!([text(&stored[1].starts_at), text(&stored[1].enroll_until)].map(Option::unwrap), ["08-31T22:00:00", "09-10T21:59:00"]);
        let (after, due) = class.stored(&kurso).await;
        let due: Vec<_> = due.iter().map(Option::as_deref).collect();
        assert_eq!(due, [Some("10-20T21:59:00"), Some("10-19T10:00:00.000001"), None, Some("10-01T10:00:00")]);
        assert_eq!(after, version + 1, "one new version of the tree");
        assert!(changes.next(&kurso).await.unwrap().is_some());
        // The same dates again change nothing.
        let again = json!([{"module_id": class.module, "due_at": "2026-10-20"}, {"starts_at": "2026-09-01"}]);
        class.set(&kurso, again, 0).await.unwrap();
        assert_eq!(class.stored(&kurso).await.0, version + 1);
    }

    async fn a_conflict_names_every_part_that_changed_and_changes_nothing(kurso: TestKurso) {
        let class = class(&kurso).await;
        let due = |day: &str| json!({"due_at": day});
        module::update(&kurso, &class.owner, class.module, command(due("2026-10-01T10:00:00Z"))).await.unwrap();
        let own = json!({"enrollment_id": class.enrollment, "lesson_id": class.lesson, "due_at": "2026-11-01T10:00:00Z"});
        let own = overrides::set(&kurso, &class.owner, class.course, command(own)).await.unwrap().done().unwrap();
        let before = class.stored(&kurso).await;
        let entry = |id: Value, expected: Value| {
            let mut entry = json!({"due_at": "2026-12-01", "expected_dates": {"due_at": expected}});
            entry.as_object_mut().unwrap().extend(id.as_object().unwrap().clone());
            entry
        };
        let refused = class.set(&kurso, json!([
            entry(json!({"page_id": class.pages[0]}), json!(null)),
            entry(json!({"override_id": own.id}), json!("2026-11-02T10:00:00Z")),
            entry(json!({"module_id": class.module}), json!(null)),
            entry(json!({"lesson_id": class.lesson}), json!("2026-10-01T10:00:00Z")),
        ]), 0).await;
        let Err(SetDatesError::Conflict(changed)) = refused else { panic!("{refused:?}") };
        let named: Vec<_> = changed.iter().map(|dates| (dates.of.ids(), text(&dates.due_at))).collect();
        assert_eq!(named, [
            ((None, None, None, Some(own.id)), Some("11-01T10:00:00".to_owned())),
            ((Some(class.module), None, None, None), Some("10-01T10:00:00".to_owned())),
            ((None, Some(class.lesson), None, None), None),
        ]);
        assert_eq!(class.stored(&kurso).await, before);
    }

    async fn every_wrong_entry_is_named_and_nothing_is_half_done(kurso: TestKurso) {
        let class = class(&kurso).await;
        let other = kurso.course(&class.owner, &[&[&[Content]]]).await;
        let strange = CourseView::load(&kurso, &class.owner, other, Right::Read).await.unwrap().tree.pages[0].id;
        let before = class.stored(&kurso).await;
        let refused = class.set(&kurso, json!([
            {"page_id": class.pages[0], "due_at": "2026-10-01"},
            {"page_id": strange, "due_at": "2026-10-01"},
            {"module_id": class.module, "available_from": "2026-10-02", "due_at": "2026-10-01"},
            {"lesson_id": class.lesson, "starts_at": "2026-10-01", "late_until": null},
            {"page_id": class.pages[1], "due_at": "2026-10-05", "late_until": "2026-10-01"},
            {"page_id": class.pages[0], "due_at": "2026-10-02"},
            {"due_at": "2026-10-01"},
            {"override_id": class.course, "due_at": "2026-10-01"},
        ]), 0).await;
        assert_eq!(places(refused), [
            ("[dates,1,page_id]".to_owned(), Message::UnknownPage),
            ("[dates,2,due_at]".to_owned(), Message::DatesOutOfOrder),
            ("[dates,3,starts_at]".to_owned(), Message::DateNotHere),
            ("[dates,3,late_until]".to_owned(), Message::DateNotHere),
            ("[dates,4,late_until]".to_owned(), Message::DatesOutOfOrder),
            ("[dates,5]".to_owned(), Message::DatesOfWhat),
            ("[dates,6,due_at]".to_owned(), Message::DateNotHere),
            ("[dates,7,override_id]".to_owned(), Message::OverrideNotFound),
        ]);
        assert_eq!(class.stored(&kurso).await, before);
        let of_content = json!([{"page_id": class.pages[0], "late_until": "2026-10-01"}]);
        let refused = class.set(&kurso, of_content, 0).await;
        assert_eq!(places(refused), [("[dates,0,late_until]".to_owned(), Message::LateOnContentPage)]);
    }

    async fn a_shift_moves_by_local_days_and_keeps_seconds(kurso: TestKurso) {
        let class = class(&kurso).await;
        let entries = json!([{"page_id": class.pages[1]}, {"module_id": class.module}, {}]);
        class.set(&kurso, json!([
            {"page_id": class.pages[1], "due_at": "2026-10-20T23:59:59", "late_until": "2026-10-22T09:00:00.123456Z"},
            {"module_id": class.module, "due_at": "2026-10-20T21:59:00Z"},
            {"starts_at": "2026-09-01", "ends_at": "2099-12-01"},
        ]), 0).await.unwrap();
        let moved = class.set(&kurso, json!([entries[0], entries[1]]), 7).await.unwrap();
        // The clocks change on 25 October.
        assert_eq!([text(&moved[0].due_at), text(&moved[0].late_until)].map(Option::unwrap), ["10-27T22:59:59", "10-29T10:00:00.123456"]);
        assert_eq!(text(&moved[1].due_at).unwrap(), "10-27T22:59:00");
        let before = class.stored(&kurso).await;
        let refused = class.set(&kurso, entries, 400).await;
        assert_eq!(places(refused), [("[dates,2]".to_owned(), Message::FarDate)]);
        assert_eq!(class.stored(&kurso).await, before, "nothing moved");
    }

    async fn overrides_move_with_their_parts(kurso: TestKurso) {
        let class = class(&kurso).await;
        let quiz = class.pages[1];
        let due = json!([{"page_id": quiz, "available_from": "2026-10-01T08:00:00Z", "due_at": "2026-10-10T10:00:00Z"}]);
        class.set(&kurso, due, 0).await.unwrap();
        let own = json!({"enrollment_id": class.enrollment, "page_id": quiz, "due_at": "2026-10-05T10:00:00Z", "available_until": null,
            "extra_attempts": 2});
        let own = overrides::set(&kurso, &class.owner, class.course, command(own)).await.unwrap().done().unwrap();
        let both = json!([{"page_id": quiz}, {"override_id": own.id, "expected_dates": {"due_at": "2026-10-05T10:00:00Z"}}]);
        // Without the override, the shift would put the due date of the learner before the opening; with it, the order holds.
        let moved = class.set(&kurso, both, 14).await.unwrap();
        assert_eq!(text(&moved[1].due_at).unwrap(), "10-19T10:00:00");
        let listed = overrides::list(&kurso, &class.owner, class.course, TargetFilter::All, Default::default()).await.unwrap();
        let values = listed.data[0].values;
        assert_eq!(text(&values.due_at.value()).unwrap(), "10-19T10:00:00");
        assert_eq!((overrides::lifted(&values), values.extra_attempts.value()), (vec!["available_until"], Some(2)));
        let back = json!([
            {"page_id": quiz, "available_from": "2026-10-01T08:00:00Z", "due_at": "2026-10-10T10:00:00Z"},
            {"override_id": own.id, "due_at": "2026-10-05T10:00:00Z", "expected_dates": {"due_at": "2026-10-19T10:00:00Z"}},
        ]);
        class.set(&kurso, back, 0).await.unwrap();
        for (entry, place, message) in [
            (json!({"due_at": "2026-09-30"}), "[dates,0,due_at]", Message::DatesOutOfOrder),
            (json!({"due_at": null}), "[dates,0,due_at]", Message::DateNotHere),
            (json!({"available_until": "2026-10-30"}), "[dates,0,available_until]", Message::DateNotHere),
            (json!({"starts_at": "2026-10-30"}), "[dates,0,starts_at]", Message::DateNotHere),
        ] {
            let mut wrong = entry;
            wrong["override_id"] = json!(own.id);
            assert_eq!(places(class.set(&kurso, json!([wrong]), 0).await), [(place.to_owned(), message)], "{wrong}");
        }
    }

    async fn a_moved_override_keeps_order_with_what_it_inherits_from_the_group(kurso: TestKurso) {
        let class = class(&kurso).await;
        let group = groups::create(&kurso, &class.owner, class.course, command(json!({"title": "А"}))).await.unwrap().id;
        let to = command(json!({"enrollment_ids": [class.enrollment], "group_id": group}));
        groups::move_students(&kurso, &class.owner, class.course, to).await.unwrap();
        let set = async |body: Value| {
            overrides::set(&kurso, &class.owner, class.course, command(body)).await.unwrap().done().unwrap().id
        };
        let of_group = set(json!({"group_id": group, "lesson_id": class.lesson, "available_from": "2026-10-05T10:00:00Z"})).await;
        let own = set(json!({"enrollment_id": class.enrollment, "lesson_id": class.lesson, "due_at": "2026-10-07T10:00:00Z"})).await;
        let elsewhere = set(json!({"enrollment_id": class.enrollment, "page_id": class.pages[1], "due_at": "2026-10-03T10:00:00Z"})).await;
        let order = |at: usize| vec![(format!("[dates,{at},due_at]"), Message::DatesOutOfOrder)];
        let early = json!({"override_id": own, "due_at": "2026-10-04T10:00:00Z"});
        assert_eq!(places(class.set(&kurso, json!([early]), 0).await), order(0), "due before the group's start");
        assert_eq!(places(class.set(&kurso, json!([{"override_id": own}]), -3).await), order(0));
        // The new dates of the group are compared, whatever the order of the entries.
        let both = |start: &str| json!([{"override_id": own, "due_at": "2026-10-20T10:00:00Z"}, {"override_id": of_group, "available_from": start}]);
        assert_eq!(places(class.set(&kurso, both("2026-10-21T10:00:00Z"), 0).await), order(0));
        class.set(&kurso, both("2026-10-19T10:00:00Z"), 0).await.unwrap();
        let moved = class.set(&kurso, json!([{"override_id": own}, {"override_id": of_group}, {"override_id": elsewhere}]), -14).await.unwrap();
        assert_eq!(text(&moved[0].due_at).unwrap(), "10-06T10:00:00");
    }

    async fn a_shift_of_overrides_alone_is_no_edit_of_the_course(kurso: TestKurso) {
        let class = class(&kurso).await;
        let own = json!({"enrollment_id": class.enrollment, "lesson_id": class.lesson, "due_at": "2026-10-05T10:00:00Z"});
        let own = overrides::set(&kurso, &class.owner, class.course, command(own)).await.unwrap().done().unwrap();
        let (edited, version) = class.edited(&kurso).await;
        kurso.clock.advance(chrono::Duration::seconds(1));
        class.set(&kurso, json!([{"override_id": own.id}]), 1).await.unwrap();
        assert_eq!(class.edited(&kurso).await, (edited, version + 1), "only the tree of the learner is another one");
        class.set(&kurso, json!([{"override_id": own.id}, {"lesson_id": class.lesson, "due_at": "2026-10-20"}]), 0).await.unwrap();
        assert!(class.edited(&kurso).await.0 > edited);
    }

    async fn times_typed_in_another_zone_are_a_conflict(kurso: TestKurso) {
        let class = class(&kurso).await;
        let own = json!({"enrollment_id": class.enrollment, "lesson_id": class.lesson, "due_at": "2026-10-05T10:00:00Z"});
        let own = overrides::set(&kurso, &class.owner, class.course, command(own)).await.unwrap().done().unwrap();
        let ids = [json!({}), json!({"module_id": class.module}), json!({"lesson_id": class.lesson}), json!({"page_id": class.pages[1]}),
            json!({"override_id": own.id})];
        let entries = |zone: Value| -> Value {
            ids.iter().cloned().map(|mut entry| {
                entry["expected_dates"] = json!({"time_zone": zone});
                entry
            }).collect()
        };
        for zone in [json!("Europe/Moscow"), json!(null)] {
            let refused = class.set(&kurso, entries(zone), 1).await;
            let Err(SetDatesError::Conflict(changed)) = refused else { panic!("{refused:?}") };
            assert_eq!(changed.len(), ids.len());
        }
        class.set(&kurso, entries(json!("Europe/Berlin")), 1).await.unwrap();
        // A course without a zone has UTC.
        course::update(&kurso, &class.owner, class.course, command(json!({"time_zone": null}))).await.unwrap();
        for zone in [json!("UTC"), json!(null)] {
            class.set(&kurso, entries(zone), 1).await.unwrap();
        }
    }

    async fn a_shift_does_not_mend_an_order_that_was_wrong_before(kurso: TestKurso) {
        let class = class(&kurso).await;
        let own = json!({"enrollment_id": class.enrollment, "lesson_id": class.lesson, "due_at": "2026-10-05T10:00:00Z"});
        let own = overrides::set(&kurso, &class.owner, class.course, command(own)).await.unwrap().done().unwrap();
        class.set(&kurso, json!([{"lesson_id": class.lesson, "available_from": "2026-10-06T10:00:00Z"}]), 0).await.unwrap();
        let moved = class.set(&kurso, json!([{"lesson_id": class.lesson}, {"override_id": own.id}]), 1).await.unwrap();
        assert_eq!(text(&moved[1].due_at).unwrap(), "10-06T10:00:00");
    }

    async fn many_dates_take_few_statements(kurso: TestKurso) {
        let pages = 1200;
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&vec![Content; pages]]]).await;
        let tree = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap().tree;
        let entries: Vec<Value> = tree.pages.iter().map(|page| json!({"page_id": page.id, "due_at": "2026-10-20T10:00:00Z"})).collect();
        let expected = |at: &str| -> Vec<Value> {
            tree.pages.iter().map(|page| json!({"page_id": page.id, "expected_dates": {"due_at": at}})).collect()
        };
        for (entries, days) in [(entries, None), (expected("2026-10-20T10:00:00Z"), Some(7)), (expected("2026-10-27T10:00:00Z"), Some(-7))] {
            let dates = DatesEntries::check(Value::Array(entries)).unwrap();
            let shift_days = days.map(|days| ShiftDays::check(days).unwrap());
            let (before, started) = (kurso.db.statements(), Instant::now());
            let stored = set_dates(&kurso, &owner, course, SetDates { dates, shift_days }).await.unwrap();
            let (used, took) = (kurso.db.statements() - before, started.elapsed());
            println!("{pages} dates: {took:?}, {used} statements");
            assert_eq!(stored.len(), pages);
            let batches = pages.div_ceil(500) as u64;
            // The snapshot before reads the texts of 100 pages at a time.
            let snapshot = 8 + pages.div_ceil(100) as u64;
            assert!(used <= 12 + batches + snapshot, "{used} statements for {batches} batches");
            assert!(took < Duration::from_secs(20), "{took:?}");
        }
    }
}
