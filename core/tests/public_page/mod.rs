//! Public pages of courses, the catalogue and joining, on both databases.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_base::pagination::{Listed, Page};
use kurso_base::search::Search;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::auth::limits::Limits;
use kurso_core::courses::cover::{self, CoverUpload};
use kurso_core::courses::tree::PageKind::{Assignment, Content, Quiz};
use kurso_core::courses::visibility::{self, PublicPageSettings, Visibility};
use kurso_core::courses::{self, course, duplicate, lesson, team};
use kurso_core::files::cleanup;
use kurso_core::files::upload::Sink as _;
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{enroll, join_course, mark_page_visited};
use kurso_core::testing::{TestKurso, command};
use kurso_core::trash::{self, RestoreFromTrash};
use kurso_core::{Kurso, both, check, public_page};
use kurso_db::sql;
use serde_json::json;

/// 80 by 60 pixels.
const PICTURE: &[u8] = include_bytes!("../pictures/red-blue-420.avif");

/// The title of a module; the title, pages and quizzes of each of its lessons.
type Module = (Option<String>, Vec<(Option<String>, i64, i64)>);

async fn show(kurso: &TestKurso, owner: &Viewer, course: CourseId, to: &str) -> PublicPageSettings {
    let to = command(json!({"visibility": to}));
    visibility::set(kurso, owner, course, to).await.unwrap()
}

async fn set_cover(kurso: &TestKurso, owner: &Viewer, course: CourseId) -> PublicPageSettings {
    let mut upload = CoverUpload::begin(&kurso.kurso, owner, course, None).await.unwrap();
    upload.write(PICTURE.into()).await.unwrap();
    upload.finish().await.unwrap()
}

async fn name(kurso: &TestKurso, person: &Viewer, name: &str) {
    sql!("UPDATE users SET full_name = $2 WHERE id = $1", person.id(), name)
        .execute(&kurso.db)
        .await
        .unwrap();
}

async fn catalogue(kurso: &TestKurso, search: &str, page: Page) -> Listed<CourseId> {
    let found = public_page::list(kurso, &Origin::default(), &Search::of(search), page)
        .await
        .unwrap();
    Listed {
        data: found.data.into_iter().map(|entry| entry.id).collect(),
        count: found.count,
    }
}

fn is_no_course<T: std::fmt::Debug>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::NotFound(Message::CourseNotFound)))
}

async fn require_sound(kurso: &TestKurso) {
    let report = check::check(kurso, check::Depth::default()).await.unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

both! {
    async fn a_page_is_shown_unless_the_course_is_private_or_deleted(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let read = async || public_page::read(&kurso, &Origin::default(), course).await;
        assert!(is_no_course(&read().await));
        for (to, shown) in [("link", Visibility::Link), ("public", Visibility::Public)] {
            assert_eq!(show(&kurso, &owner, course, to).await.visibility, shown);
            assert_eq!(read().await.unwrap().entry.visibility, shown);
        }
        course::delete(&kurso, &owner, course).await.unwrap();
        assert!(is_no_course(&read().await));
        assert!(is_no_course(&public_page::read(&kurso, &Origin::default(), CourseId::new()).await));
        assert_eq!(catalogue(&kurso, "", Page::default()).await.count, 0);
        assert!(public_page::sitemap(&kurso, &Origin::default()).await.unwrap().is_empty());
        let entry = trash::deleted_courses(&kurso, &owner).await.unwrap().remove(0).id;
        trash::restore(&kurso, &owner, entry, RestoreFromTrash::default()).await.unwrap();
        assert_eq!(read().await.unwrap().entry.visibility, Visibility::Public, "it returns as it was");
        show(&kurso, &owner, course, "private").await;
        assert!(is_no_course(&read().await));
        require_sound(&kurso).await;
    }

    async fn only_the_owner_sets_the_visibility(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let set = async |who: &Viewer| visibility::set(&kurso, who, course, command(json!({"visibility": "public"}))).await;
        for role in ["editor", "teacher", "reviewer"] {
            let member = kurso.person(role).await;
            kurso.collaborator(course, &member, role).await;
            assert!(matches!(set(&member).await, Err(Error::Forbidden(_))), "{role}");
            assert_eq!(visibility::settings(&kurso, &member, course).await.unwrap(), PublicPageSettings::default());
        }
        assert!(matches!(set(&kurso.superuser("root").await).await, Err(Error::Forbidden(_))));
        assert!(is_no_course(&set(&kurso.person("stranger").await).await));
        assert_eq!(set(&owner).await.unwrap().visibility, Visibility::Public);
        let acts = sql!("SELECT COUNT(*) FROM audit WHERE kind = 'visibility_changed' AND detail = 'public'");
        set(&owner).await.unwrap();
        assert_eq!(acts.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0, 1, "setting it again changes nothing");
    }

    async fn a_page_shows_what_newcomers_see_and_no_more(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Quiz], &[], &[Assignment]], &[&[]]]).await;
        let lessons = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap().tree.lessons.clone();
        kurso.page(course, lessons[0].id, 2, Content, false).await;
        kurso.page(course, lessons[1].id, 0, Content, false).await;
        show(&kurso, &owner, course, "link").await;
        let page = public_page::read(&kurso, &Origin::default(), course).await.unwrap();
        assert_eq!((page.lesson_count, page.page_count, page.quiz_count), (2, 3, 2));
        let outline = |page: &public_page::PublicPage| -> Vec<Module> {
            let lesson = |lesson: &public_page::OutlineLesson| (lesson.title.clone(), lesson.page_count, lesson.quiz_count);
            let modules = page.modules.iter();
            modules.map(|module| (module.title.clone(), module.lessons.iter().map(lesson).collect())).collect()
        };
        let title = |text: &str| Some(text.to_owned());
        assert_eq!(outline(&page), [(title("Модуль 1"), vec![(title("Урок 1.1"), 2, 1), (title("Урок 1.3"), 1, 1)])],
            "lessons and modules without published pages are work in progress");

        // A lesson that opens later has its title, unless the course hides it.
        lesson::update(&kurso, &owner, lessons[2].id, command(json!({"available_from": "2030-01-01"}))).await.unwrap();
        assert_eq!(outline(&public_page::read(&kurso, &Origin::default(), course).await.unwrap()), outline(&page));
        course::update(&kurso, &owner, course, command(json!({"hide_locked_titles": true}))).await.unwrap();
        let hidden = public_page::read(&kurso, &Origin::default(), course).await.unwrap();
        assert_eq!(outline(&hidden)[0].1, [(title("Урок 1.1"), 2, 1), (None, 1, 1)]);
        course::update(&kurso, &owner, course, command(json!({"starts_at": "2029-01-01"}))).await.unwrap();
        let hidden = outline(&public_page::read(&kurso, &Origin::default(), course).await.unwrap());
        assert_eq!(hidden, [(None, vec![(None, 2, 1), (None, 1, 1)])], "before the start all of it is locked");
    }

    async fn authors_are_named_by_full_names_only(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let mut members = vec![];
        for (who, role) in [("zoe", "editor"), ("adam", "editor"), ("gone", "editor"), ("teacher", "teacher"), ("reviewer", "reviewer")] {
            let member = kurso.person(who).await;
            kurso.collaborator(course, &member, role).await;
            name(&kurso, &member, who).await;
            members.push(member);
        }
        sql!("UPDATE users SET is_active = FALSE WHERE id = $1", members[2].id()).execute(&kurso.db).await.unwrap();
        sql!("UPDATE users SET full_name = NULL WHERE id = $1", owner.id()).execute(&kurso.db).await.unwrap();
        show(&kurso, &owner, course, "public").await;
        let authors = async || public_page::read(&kurso, &Origin::default(), course).await.unwrap().entry.authors;
        assert_eq!(authors().await, ["adam", "zoe"], "who has no name is left out");
        name(&kurso, &owner, "Ольга").await;
        assert_eq!(authors().await, ["Ольга", "adam", "zoe"]);
        let listed = public_page::list(&kurso, &Origin::default(), &Search::ALL, Page::default()).await.unwrap();
        let text = format!("{:?} {listed:?}", public_page::read(&kurso, &Origin::default(), course).await.unwrap());
        assert!(!text.contains('@'), "{text}");
    }

    async fn the_catalogue_has_public_courses_the_latest_first(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let mut courses = vec![];
        for title in ["Knots", "Sails", "More knots", "Private knots", "Hidden knots"] {
            let id = course::create(&kurso, &owner, command(json!({"title": title}))).await.unwrap().id;
            courses.push(id);
        }
        let [knots, sails, more, _, linked] = courses[..] else { panic!("five courses") };
        for id in [more, knots, sails] {
            show(&kurso, &owner, id, "public").await;
            kurso.clock.advance(Duration::minutes(1));
        }
        show(&kurso, &owner, linked, "link").await;
        let all = catalogue(&kurso, "", Page::default()).await;
        assert_eq!((all.data, all.count), (vec![sails, knots, more], 3));
        let second = catalogue(&kurso, " ", Page::new(1, 1)).await;
        assert_eq!((second.data, second.count), (vec![knots], 3));
        let found = catalogue(&kurso, "KNOT", Page::default()).await;
        assert_eq!((found.data, found.count), (vec![knots, more], 2));
        assert_eq!(catalogue(&kurso, "owner", Page::default()).await.count, 0, "people are not searched");
        let sitemap: Vec<_> = public_page::sitemap(&kurso, &Origin::default()).await.unwrap().into_iter().map(|entry| entry.course_id).collect();
        assert_eq!(sitemap, [sails, knots, more]);
        // What was closed in between comes first again.
        show(&kurso, &owner, more, "link").await;
        show(&kurso, &owner, more, "public").await;
        assert_eq!(catalogue(&kurso, "", Page::default()).await.data, [more, sails, knots]);
    }

    async fn whoever_sees_the_page_joins_by_the_rules_of_share_codes(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let (anna, boris, carl) = (kurso.person("anna").await, kurso.person("boris").await, kurso.person("carl").await);
        assert!(is_no_course(&join_course(&kurso, &anna, course).await));
        assert!(is_no_course(&join_course(&kurso, &anna, CourseId::new()).await));
        show(&kurso, &owner, course, "link").await;
        let joined = join_course(&kurso, &anna, course).await.unwrap();
        let enrollment = joined.enrollment.clone().unwrap();
        assert!(enrollment.group.is_none() && joined.share_code.is_none() && joined.owner.email.is_none());
        let again = join_course(&kurso, &anna, course).await.unwrap().enrollment.unwrap();
        assert_eq!(again.id, enrollment.id);
        let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        let by_code = enroll(&kurso, &anna, &Origin::default(), &code).await.unwrap().enrollment.unwrap();
        assert_eq!(by_code.id, enrollment.id);

        // Who left returns with what they did.
        let page = CourseView::load(&kurso, &anna, course, Right::Read).await.unwrap().page(0).id;
        mark_page_visited(&kurso, &anna, page).await.unwrap();
        team::leave(&kurso, &anna, course).await.unwrap();
        join_course(&kurso, &anna, course).await.unwrap();
        let view = CourseView::load(&kurso, &anna, course, Right::Read).await.unwrap();
        assert_eq!(view.progress.pages_done, 1);

        // After the end of enrollment only learners come in.
        let until = kurso.clock.now() + Duration::hours(1);
        course::update(&kurso, &owner, course, command(json!({"enroll_until": until.to_rfc3339()}))).await.unwrap();
        assert!(public_page::read(&kurso, &Origin::default(), course).await.unwrap().is_enrollment_open);
        join_course(&kurso, &boris, course).await.unwrap();
        kurso.clock.advance(Duration::hours(2));
        assert!(!public_page::read(&kurso, &Origin::default(), course).await.unwrap().is_enrollment_open);
        assert!(matches!(join_course(&kurso, &carl, course).await, Err(Error::Closed { .. })));
        join_course(&kurso, &boris, course).await.unwrap();

        // A private course keeps its learners and takes no others.
        show(&kurso, &owner, course, "private").await;
        join_course(&kurso, &boris, course).await.unwrap();
        assert!(is_no_course(&join_course(&kurso, &carl, course).await));
        let count = sql!("SELECT COUNT(*) FROM enrollments").fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
        assert_eq!(count, 2);
        require_sound(&kurso).await;
    }

    async fn a_cover_is_kept_while_a_course_has_it(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let first = set_cover(&kurso, &owner, course).await;
        assert_eq!(first.visibility, Visibility::Private);
        let url = first.cover_url.unwrap();
        assert!(url.starts_with("/files/") && url.ends_with("/cover.jpg"), "{url}");
        assert!(matches!(public_page::cover(&kurso, course).await, Err(Error::NotFound(_))), "the course is private");
        let shown = show(&kurso, &owner, course, "link").await;
        assert_eq!(shown.cover_url.as_deref(), Some(url.as_str()));
        let file = public_page::cover(&kurso, course).await.unwrap();
        assert_eq!((file.width, file.height, file.content_type.as_str()), (Some(80), Some(45), "image/jpeg"));
        let cover = public_page::read(&kurso, &Origin::default(), course).await.unwrap().entry.cover.unwrap();
        assert_eq!((cover.url, cover.width, cover.height), (format!("/courses/{course}/cover?v={}", file.id), 80, 45));

        // A copy has the cover, but is private.
        let copy = duplicate::course(&kurso, &owner, course, Default::default()).await.unwrap().id;
        let copied = visibility::settings(&kurso, &owner, copy).await.unwrap();
        assert_eq!((copied.visibility, copied.cover_url.as_deref()), (Visibility::Private, Some(url.as_str())));
        let next = set_cover(&kurso, &owner, course).await;
        assert_ne!(next.cover_url.as_deref(), Some(url.as_str()));
        cleanup::delete_unused(&kurso).await.unwrap();
        kurso.clock.advance(Duration::days(8));
        assert_eq!(cleanup::delete_unused(&kurso).await.unwrap(), 0, "both covers are in use");
        cover::remove(&kurso, &owner, copy).await.unwrap();
        assert_eq!(cover::remove(&kurso, &owner, course).await.unwrap(), PublicPageSettings { visibility: Visibility::Link, ..PublicPageSettings::default() });
        cleanup::delete_unused(&kurso).await.unwrap();
        kurso.clock.advance(Duration::days(8));
        assert_eq!(cleanup::delete_unused(&kurso).await.unwrap(), 2);
        require_sound(&kurso).await;
    }

    async fn a_superuser_closes_a_page_but_opens_none(kurso: TestKurso) {
        let (owner, root) = (kurso.person("owner").await, kurso.superuser("root").await);
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let set = async |to: serde_json::Value| visibility::set(&kurso, &root, course, command(to)).await;
        for to in [json!({"visibility": "public"}), json!({"visibility": "private", "allows_guests": true})] {
            assert!(matches!(set(to).await, Err(Error::Forbidden(_))));
        }
        show(&kurso, &owner, course, "public").await;
        let closed = set(json!({"visibility": "private", "allows_guests": false})).await.unwrap();
        assert_eq!(closed, PublicPageSettings::default());
        assert!(is_no_course(&public_page::read(&kurso, &Origin::default(), course).await));
    }

    async fn one_address_does_not_read_the_catalogue_without_end(kurso: TestKurso) {
        let kurso = kurso.configured(|kurso| Kurso { limits: Limits::new(true), ..kurso });
        let from = |last: u8| Origin { address: Some([192, 0, 2, last].into()), ..Origin::default() };
        let search = async |origin: &Origin| public_page::list(&kurso, origin, &Search::of("x"), Page::default()).await;
        for _ in 0..60 {
            search(&from(1)).await.unwrap();
        }
        assert!(matches!(search(&from(1)).await, Err(Error::RateLimited { .. })));
        assert!(matches!(public_page::sitemap(&kurso, &from(1)).await, Err(Error::RateLimited { .. })));
        search(&from(2)).await.unwrap();
        // Pages have a limit of their own.
        assert!(is_no_course(&public_page::read(&kurso, &from(1), CourseId::new()).await));
        kurso.clock.advance(Duration::minutes(1));
        search(&from(1)).await.unwrap();
    }
}
