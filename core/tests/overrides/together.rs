//! Overrides of several parts that are set together, and effective dates with an override, on both databases.

use chrono::{DateTime, Utc};
use kurso_base::error::Error;
use kurso_base::messages::Message;
use kurso_base::values::Checked as _;
use kurso_core::audit::{self, Act};
use kurso_core::courses::overrides::{Changed, ChangedAll, LimitDates, OverrideEntries, SetOverrides, Times, TimesOf};
use kurso_core::courses::tree::Tree;

use super::*;

/// Sets the ends of the course, the module, the lesson and the quiz of a class to these days of December.
async fn end(kurso: &TestKurso, class: &Class, days: [u32; 4]) -> std::sync::Arc<Tree> {
    let tree = CourseView::load(kurso, &class.owner, class.course, Right::Read)
        .await
        .unwrap()
        .tree;
    let [of_course, of_module, of_lesson, of_page] = days.map(|day| format!("2026-12-{day:02}T10:00:00Z"));
    let ends_at = command(json!({"ends_at": of_course}));
    course::update(kurso, &class.owner, class.course, ends_at)
        .await
        .unwrap();
    let until = |at: &str| json!({"available_until": at});
    module::update(kurso, &class.owner, tree.modules[0].id, command(until(&of_module)))
        .await
        .unwrap();
    lesson::update(kurso, &class.owner, tree.lessons[0].id, command(until(&of_lesson)))
        .await
        .unwrap();
    page::update(kurso, &class.owner, class.pages[1], None, command(until(&of_page)))
        .await
        .unwrap();
    tree
}

fn at(day: u32) -> DateTime<Utc> {
    format!("2026-12-{day:02}T10:00:00Z").parse().unwrap()
}

impl Class {
    fn many(&self, overrides: Value) -> SetOverrides {
        SetOverrides {
            group_id: None,
            enrollment_id: Some(self.enrollments[0]),
            overrides: OverrideEntries::check(overrides).unwrap(),
            expected_time_zone: kurso_base::values::Change::Keep,
        }
    }

    async fn set_many(&self, kurso: &TestKurso, overrides: Value) -> Result<ChangedAll, Error> {
        overrides::set_many(kurso, &self.owner, self.course, self.many(overrides)).await
    }

    async fn all(&self, kurso: &TestKurso) -> Vec<StoredOverride> {
        overrides::list(kurso, &self.owner, self.course, TargetFilter::All, Page::default())
            .await
            .unwrap()
            .data
    }

    async fn times(&self, kurso: &TestKurso, limits: Option<Value>) -> overrides::OverrideTimes {
        let of = TimesOf {
            enrollment_id: Some(self.enrollments[0]),
            page_id: Some(self.pages[1]),
            limits: limits.map(|limits| LimitDates::check(limits).unwrap()),
            ..TimesOf::default()
        };
        overrides::times(kurso, &self.owner, self.course, of).await.unwrap()
    }
}

both! {
    async fn an_extension_moves_the_ends_in_its_way_and_one_request_puts_them_back(kurso: TestKurso) {
        let class = class(&kurso).await;
        let tree = end(&kurso, &class, [20, 15, 12, 10]).await;
        let (module, lesson, quiz) = (tree.modules[0].id, tree.lessons[0].id, class.pages[1]);
        let before = class.set(&kurso, json!({"enrollment_id": class.enrollments[0], "time_factor": 2})).await.unwrap();
        let found = class.times(&kurso, Some(json!({"due_at": "2026-12-18T10:00:00Z"}))).await;
        let expected = vec![(Part::Module(module), at(15)), (Part::Lesson(lesson), at(12)), (Part::Page(quiz), at(10))];
        assert_eq!(found.earlier_ends, expected, "the course ends later");
        let found = class.times(&kurso, Some(json!({"due_at": "2026-12-18T10:00:00Z", "late_until": "2026-12-22T10:00:00Z"}))).await;
        assert_eq!(found.earlier_ends[0], (Part::Course, at(20)), "late attempts end after the course");

        let due = "2026-12-22T10:00:00Z";
        let alone = class.set_many(&kurso, json!([{"page_id": quiz, "due_at": due}])).await;
        let Err(Error::Invalid(errors)) = alone else { panic!("{alone:?}") };
        let place = serde_json::to_string(&errors[0].loc).unwrap();
        assert_eq!((place.as_str(), &errors[0].message), (r#"["body","overrides",0,"available_until"]"#, &Message::DatesOutOfOrder));

        let until = json!({"available_until": due, "expected": null});
        let with = |fields: Value, id: &str, of: String| {
            let mut entry = fields;
            entry[id] = json!(of);
            entry
        };
        let entries = json!([
            with(json!({"due_at": due, "available_until": due, "expected": null}), "page_id", quiz.to_string()),
            with(until.clone(), "lesson_id", lesson.to_string()),
            with(until.clone(), "module_id", module.to_string()),
            {"available_until": due, "time_factor": 2, "expected": {"time_factor": 2}},
        ]);
        let ChangedAll::Done(stored) = class.set_many(&kurso, entries.clone()).await.unwrap() else { panic!() };
        assert_eq!(stored.iter().flatten().map(|one| one.part).collect::<Vec<_>>(),
            [Part::Page(quiz), Part::Lesson(lesson), Part::Module(module), Part::Course]);
        assert_eq!(stored[3].as_ref().unwrap().id, before.id);
        let found = class.times(&kurso, None).await;
        assert_eq!((found.result.due_at, found.result.available_until, found.earlier_ends), (Some(at(22)), Some(at(22)), vec![]));
        assert_eq!(found.everyone.available_until, Some(at(10)));

        // A repeated request no longer matches what is stored: the conflict names all parts.
        let ChangedAll::Stale(changed) = class.set_many(&kurso, entries).await.unwrap() else { panic!() };
        assert_eq!(changed.len(), 4);
        let back = json!([
            {"page_id": quiz, "expected": {"due_at": due, "available_until": due}},
            {"lesson_id": lesson, "expected": {"available_until": due}},
            {"module_id": module, "expected": {"available_until": due}},
            {"time_factor": 2, "expected": {"available_until": due, "time_factor": 2}},
        ]);
        // After somebody has changed one of them, nothing is restored.
        let other = class.set(&kurso, json!({"enrollment_id": class.enrollments[0], "lesson_id": lesson, "available_until": null})).await.unwrap();
        let ChangedAll::Stale(changed) = class.set_many(&kurso, back.clone()).await.unwrap() else { panic!() };
        assert_eq!(changed, [(Part::Lesson(lesson), Some(other))]);
        assert_eq!(class.all(&kurso).await.len(), 4);
        class.set(&kurso, json!({"enrollment_id": class.enrollments[0], "lesson_id": lesson, "available_until": due})).await.unwrap();
        let ChangedAll::Done(stored) = class.set_many(&kurso, back).await.unwrap() else { panic!() };
        assert_eq!(stored.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, false, true]);
        let left = class.all(&kurso).await;
        assert_eq!((left.len(), left[0].values), (1, before.values));
        let root = kurso.superuser("root").await;
        let log = audit::list(&kurso, &root, &audit::Filter::default(), Page::default()).await.unwrap();
        let acts = |act| log.data.iter().filter(|entry| entry.act == act).count();
        assert_eq!((acts(Act::OverrideSet), acts(Act::OverrideDeleted)), (1 + 4 + 2 + 1, 3), "each override is recorded");
    }

    async fn a_conflict_of_any_entry_precedes_errors(kurso: TestKurso) {
        let class = class(&kurso).await;
        let tree = end(&kurso, &class, [20, 15, 12, 10]).await;
        let lesson = tree.lessons[0].id;
        let due = "2026-12-11T10:00:00Z"; // after the end of the page
        let entries = |zone_time: &str| json!([
            {"page_id": class.pages[1], "due_at": due},
            {"lesson_id": lesson, "available_until": zone_time, "expected": null},
            {"module_id": tree.modules[0].id, "late_until": due},
        ]);
        let refused = class.set_many(&kurso, entries(due)).await;
        let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
        let places: Vec<_> = errors.iter().map(|error| serde_json::to_string(&error.loc[2..]).unwrap().replace('"', "")).collect();
        assert_eq!(places, ["[0,available_until]", "[2,late_until]"], "the errors of all entries");

        let other = class.set(&kurso, json!({"enrollment_id": class.enrollments[0], "lesson_id": lesson, "time_factor": 2})).await.unwrap();
        let ChangedAll::Stale(changed) = class.set_many(&kurso, entries(due)).await.unwrap() else { panic!() };
        assert_eq!(changed, [(Part::Lesson(lesson), Some(other.clone()))]);
        overrides::delete(&kurso, &class.owner, other.id, None).await.unwrap();
        let mut typed = class.many(entries("2026-12-11T10:00"));
        typed.expected_time_zone = kurso_base::values::Change::Set(kurso_base::schedule::TimeZone::check("Europe/Moscow".to_owned()).unwrap());
        let refused = overrides::set_many(&kurso, &class.owner, class.course, typed).await.unwrap();
        assert!(matches!(refused, ChangedAll::OtherZone), "{refused:?}");
        assert_eq!(class.all(&kurso).await, []);
    }

    async fn overrides_that_cannot_be_set_together_are_refused_with_their_entry(kurso: TestKurso) {
        let class = class(&kurso).await;
        let quiz = class.pages[1];
        for (entries, place, message) in [
            (json!([{"page_id": quiz, "due_at": "2026-12-01"}, {"due_at": "2026-12-01"}]), "[1,due_at]", Message::OverrideNotHere),
            (json!([{"time_factor": 2}, {"time_factor": 1}]), "[1]", Message::DatesOfWhat),
            (json!([{"page_id": quiz, "due_at": null}, {"page_id": PageId::new()}]), "[1,page_id]", Message::UnknownPage),
            (json!([{"page_id": quiz, "extra_attempts": 1}, {"lesson_id": LessonId::new(), "due_at": null}]), "[1,lesson_id]", Message::UnknownLesson),
        ] {
            let refused = class.set_many(&kurso, entries).await;
            let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
            let loc = serde_json::to_string(&errors[0].loc[2..]).unwrap().replace('"', "");
            assert_eq!((loc.as_str(), &errors[0].message), (place, &message));
            assert_eq!(class.all(&kurso).await, [], "nothing is half done");
        }
        let mut nobody = class.many(json!([{"time_factor": 2}]));
        nobody.enrollment_id = None;
        let refused = overrides::set_many(&kurso, &class.owner, class.course, nobody.clone()).await;
        assert!(matches!(&refused, Err(Error::Invalid(errors)) if errors[0].message == Message::OverrideForWhom), "{refused:?}");
        nobody.group_id = Some(class.group);
        let refused = overrides::set_many(&kurso, &class.learners[0], class.course, nobody.clone()).await;
        assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
        overrides::set_many(&kurso, &class.owner, class.course, nobody).await.unwrap();
        let nothing = class.set_many(&kurso, json!([{"page_id": quiz}])).await.unwrap();
        assert!(matches!(nothing, ChangedAll::Done(stored) if stored == [None]), "there was none to remove");
    }

    async fn local_times_of_another_zone_than_that_of_the_course_set_nothing(kurso: TestKurso) {
        let class = class(&kurso).await;
        course::update(&kurso, &class.owner, class.course, command(json!({"time_zone": "Europe/Berlin"}))).await.unwrap();
        let set = async |due: &str, zone: Value| {
            let body = json!({"enrollment_id": class.enrollments[0], "page_id": class.pages[1], "due_at": due, "expected_time_zone": zone});
            overrides::set(&kurso, &class.owner, class.course, command(body)).await.unwrap()
        };
        for zone in [json!("Europe/Moscow"), json!(null)] {
            for due in ["2026-12-01", "2026-12-01T10:00"] {
                assert!(matches!(set(due, zone.clone()).await, Changed::OtherZone(_)), "{due} {zone}");
            }
            assert!(matches!(set("2026-12-01T10:00:00Z", zone).await, Changed::Done(_)), "an instant has no zone");
        }
        let changed = set("2026-12-01T10:00", json!("Europe/Moscow")).await;
        assert!(matches!(changed, Changed::OtherZone(Some(stored)) if stored.values.due_at.value() == Some(at(1))));
        let Changed::Done(stored) = set("2026-12-01T11:30", json!("Europe/Berlin")).await else { panic!() };
        assert_eq!(stored.values.due_at.value(), Some("2026-12-01T10:30:00Z".parse().unwrap()));
        let mut many = class.many(json!([{"page_id": class.pages[1], "due_at": "2026-12-03"}]));
        many.expected_time_zone = kurso_base::values::Change::Clear;
        let refused = overrides::set_many(&kurso, &class.owner, class.course, many).await.unwrap();
        assert!(matches!(refused, ChangedAll::OtherZone));
        assert_eq!(class.all(&kurso).await[0].values, stored.values);
    }

    async fn parts_and_learners_that_still_end_earlier_are_named(kurso: TestKurso) {
        let class = class(&kurso).await;
        let tree = CourseView::load(&kurso, &class.owner, class.course, Right::Read).await.unwrap().tree;
        let (module, lesson, text, quiz) = (tree.modules[0].id, tree.lessons[0].id, class.pages[0], class.pages[1]);
        let to = command(json!({"enrollment_ids": class.enrollments, "group_id": class.group}));
        groups::move_students(&kurso, &class.owner, class.course, to).await.unwrap();
        let day = |day: u32| format!("2026-12-{day:02}T10:00:00Z");
        page::update(&kurso, &class.owner, quiz, None, command(json!({"due_at": day(5), "late_until": day(20)}))).await.unwrap();
        page::update(&kurso, &class.owner, text, None, command(json!({"available_until": day(7)}))).await.unwrap();
        lesson::update(&kurso, &class.owner, lesson, command(json!({"due_at": day(15)}))).await.unwrap();
        let found = async |of: TimesOf, limits: Value| {
            let of = TimesOf { group_id: Some(class.group), limits: Some(LimitDates::check(limits).unwrap()), ..of };
            overrides::times(&kurso, &class.owner, class.course, of).await.unwrap()
        };
        let of_lesson = TimesOf { lesson_id: Some(lesson), ..TimesOf::default() };
        let parts = |found: overrides::OverrideTimes| (found.earlier_parts.named, found.earlier_parts.count);
        let both_pages = (vec![(Part::Page(text), at(7)), (Part::Page(quiz), at(5))], 2);
        assert_eq!(parts(found(of_lesson, json!({"due_at": day(9)})).await), both_pages);
        let text_only = (vec![(Part::Page(text), at(7))], 1);
        assert_eq!(parts(found(of_lesson, json!({"available_until": day(9)})).await), text_only, "the quiz takes attempts until the 9th");
        assert_eq!(parts(found(of_lesson, json!({"due_at": day(4)})).await), (vec![], 0));
        assert_eq!(parts(found(of_lesson, json!({"available_from": day(1)})).await), (vec![], 0), "the override sets no end");
        let of_module = TimesOf { module_id: Some(module), ..TimesOf::default() };
        let all = vec![(Part::Lesson(lesson), at(15)), (Part::Page(text), at(7)), (Part::Page(quiz), at(5))];
        assert_eq!(parts(found(of_module, json!({"due_at": null, "available_until": day(18)})).await), (all, 3));
        // What the group's own overrides of the pages say counts.
        class.for_group(&kurso, json!({"page_id": quiz, "due_at": day(12)})).await;
        assert_eq!(parts(found(of_lesson, json!({"due_at": day(9)})).await), text_only);

        let of_quiz = TimesOf { page_id: Some(quiz), ..TimesOf::default() };
        let students = async |limits: Value| {
            let found = found(of_quiz, limits).await.earlier_students;
            let named: Vec<_> = found.named.into_iter().map(|(student, at)| (student.email, at)).collect();
            (named, found.count)
        };
        assert_eq!(students(json!({"due_at": day(14)})).await, (vec![], 0));
        class.for_learner(&kurso, json!({"page_id": quiz, "due_at": day(13)})).await;
        let of_boris = json!({"enrollment_id": class.enrollments[1], "module_id": module, "available_until": day(10)});
        class.set(&kurso, of_boris).await.unwrap();
        let both = vec![("anna@example.com".to_owned(), at(13)), ("boris@example.com".to_owned(), at(10))];
        assert_eq!(students(json!({"due_at": day(14)})).await, (both.clone(), 2));
        assert_eq!(students(json!({"due_at": day(13)})).await, (both[1..].to_vec(), 1), "as late as the group");
        assert_eq!(students(json!({"due_at": null})).await, (both, 2));
        let of = TimesOf { enrollment_id: Some(class.enrollments[0]), page_id: Some(quiz), ..TimesOf::default() };
        let own = overrides::times(&kurso, &class.owner, class.course, of).await.unwrap();
        assert_eq!((own.earlier_students.count, own.earlier_parts.count), (0, 0), "a learner is no group");
        let to = command(json!({"enrollment_ids": [class.enrollments[0]], "group_id": null}));
        groups::move_students(&kurso, &class.owner, class.course, to).await.unwrap();
        assert_eq!(students(json!({"due_at": day(14)})).await.1, 1, "only learners of the group");
    }

    async fn late_attempts_are_those_of_the_timeline(kurso: TestKurso) {
        let class = class(&kurso).await;
        let quiz = class.pages[1];
        let (due, late) = ("2026-12-05T10:00:00Z", "2026-12-08T10:00:00Z");
        for (limits, late_until, is_endless) in [
            (json!({"due_at": due, "late_until": late}), Some(at(8)), false),
            (json!({"due_at": due, "late_until": null}), None, true),
            (json!({"due_at": due}), None, false),
            // Without a due date nothing is late.
            (json!({"late_until": late}), None, false),
            (json!({"late_until": null}), None, false),
            (json!({"due_at": null, "late_until": null}), None, false),
        ] {
            let mut stored = limits.clone();
            stored["page_id"] = json!(quiz);
            class.for_learner(&kurso, stored).await;
            let result = class.times(&kurso, Some(limits.clone())).await.result;
            assert_eq!((result.late_until, result.is_late_endless), (late_until, is_endless), "{limits}");
            assert_eq!(result, class.times(&kurso, None).await.result, "{limits}");
            let timing = class.view(&kurso, 0).await.timeline().page(1);
            assert_eq!(timing.late_until, late_until, "{limits}");
        }
    }

    async fn effective_dates_are_returned_for_everyone_the_group_and_the_learner(kurso: TestKurso) {
        let class = class(&kurso).await;
        let tree = end(&kurso, &class, [20, 15, 12, 10]).await;
        lesson::update(&kurso, &class.owner, tree.lessons[0].id, command(json!({"due_at": "2026-12-05T10:00:00Z"}))).await.unwrap();
        let lesson = tree.lessons[0].id;
        class.set(&kurso, json!({"group_id": class.group, "lesson_id": lesson, "due_at": "2026-12-08T10:00:00Z", "available_from": "2026-12-02T10:00:00Z"})).await.unwrap();
        let everyone = Times { available_until: Some(at(10)), due_at: Some(at(5)), ..Times::default() };
        let of_group = Times { due_at: Some(at(8)), available_from: Some(at(2)), ..everyone };
        let found = class.times(&kurso, None).await;
        assert_eq!((found.everyone, found.group, found.result), (everyone, Some(of_group), of_group));
        let typed = class.times(&kurso, Some(json!({"due_at": null, "available_until": null, "late_until": null}))).await;
        let result = Times { due_at: None, available_until: Some(at(12)), is_late_endless: false, ..of_group };
        assert_eq!((typed.group, typed.result, typed.earlier_ends), (Some(of_group), result, vec![]));
        class.set(&kurso, json!({"enrollment_id": class.enrollments[0], "page_id": class.pages[1], "due_at": "2026-12-09T10:00:00Z"})).await.unwrap();
        assert_eq!(class.times(&kurso, None).await.result.due_at, Some(at(9)), "without limits, the stored override");
        let nothing = class.times(&kurso, Some(json!({}))).await;
        assert_eq!(nothing.result, of_group, "an override that says nothing");
        // A part that ends exactly at the deadline does not end before it.
        assert_eq!(class.times(&kurso, Some(json!({"due_at": "2026-12-10T10:00:00Z"}))).await.earlier_ends, []);

        let of = TimesOf { lesson_id: Some(lesson), ..TimesOf::default() };
        let of_lesson = overrides::times(&kurso, &class.owner, class.course, of).await.unwrap();
        assert_eq!((of_lesson.group, of_lesson.result.due_at, of_lesson.result.available_until), (None, Some(at(5)), Some(at(12))));
        let of = TimesOf { group_id: Some(class.group), ..of };
        assert_eq!(overrides::times(&kurso, &class.owner, class.course, of).await.unwrap().result.due_at, Some(at(8)));
        for (of, message) in [
            (TimesOf { page_id: Some(class.pages[1]), ..of }, Message::OverrideOfWhat),
            (TimesOf { enrollment_id: Some(class.enrollments[0]), ..of }, Message::OverrideForWhom),
            (TimesOf { lesson_id: Some(LessonId::new()), ..of }, Message::UnknownLesson),
            (TimesOf { group_id: Some(GroupId::new()), ..of }, Message::UnknownGroup),
        ] {
            let refused = overrides::times(&kurso, &class.owner, class.course, of).await;
            let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
            assert_eq!(errors[0].message, message);
        }
        let refused = overrides::times(&kurso, &class.learners[0], class.course, of).await;
        assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
    }
}
