//! Deep copies on both databases: their content and position, and the independence of copy and original.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_core::access::{Right, Viewer};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, course, duplicate, lesson, module, page};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{assert_dense, command};
use kurso_core::{Kurso, both};
use kurso_db::sql;
use serde_json::{Value, json};

async fn view(kurso: &Kurso, who: &Viewer, course: CourseId) -> CourseView {
    CourseView::load(kurso, who, course, Right::ReadAsAuthor).await.unwrap()
}

fn linking(pages: &[PageId]) -> Value {
    let links: Vec<_> = pages
        .iter()
        .map(|page| {
            let link = json!({"type": "link", "attrs": {"href": format!("page:{page}#x")}});
            json!({"type": "text", "text": "x", "marks": [link]})
        })
        .collect();
    json!({"type": "doc", "content": [{"type": "paragraph", "content": links}]})
}

/// The pages that a page links to.
async fn links(kurso: &Kurso, who: &Viewer, id: PageId) -> Vec<PageId> {
    let text = page::get(kurso, who, id).await.unwrap().content;
    text.match_indices("page:")
        .map(|(at, found)| text[at + found.len()..][..36].parse().unwrap())
        .collect()
}

async fn save(kurso: &Kurso, who: &Viewer, id: PageId, body: Value) {
    page::update(kurso, who, id, None, command(&body)).await.unwrap();
}

both! {
    async fn copies_and_saves_stop_at_the_quota_of_content(kurso: TestKurso) {
        let kurso = kurso.configured(|kurso| kurso.with_content_quota(1_000_000));
        let owner = kurso.person("owner").await;
        let editor = kurso.person("editor").await;
        let id = kurso.course(&owner, &[&[&[Content]]]).await;
        kurso.collaborator(id, &editor, "editor").await;
        let original = view(&kurso, &owner, id).await.page(0).id;
        let text = |letter: &str| json!({"content": {"type": "doc", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": letter.repeat(200_000)}]}]}});
        save(&kurso, &owner, original, text("a")).await;
        let mut copies = 0;
        let refused = loop {
            match duplicate::page(&kurso, &editor, original).await {
                Ok(_) => copies += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(refused, Error::TooLarge(Message::ContentQuotaFull)), "{refused:?}");
        assert!((2..=4).contains(&copies), "{copies}");
        assert!(duplicate::course(&kurso, &owner, id, Default::default()).await.is_err());
        // A copy counts towards the quota of the editor who owns it.
        duplicate::course(&kurso, &editor, id, Default::default()).await.unwrap();
        // Saves count too, because the history keeps the replaced texts.
        let pages: i64 = sql!("SELECT COUNT(*) FROM pages WHERE course_id = $1", id)
            .fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
        assert_eq!(pages, 1 + copies);
        let mut saves = 0;
        for letter in 'a'..'t' {
            kurso.clock.advance(chrono::Duration::hours(1));
            let update = page::update(&kurso, &owner, original, None, command(text(&letter.to_string()))).await;
            saves += u32::from(update.is_ok());
        }
        assert!((1..10).contains(&saves), "{saves}");
    }

    async fn a_course_is_copied_deeply(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let editor = kurso.person("editor").await;
        let id = kurso.course(&owner, &[&[&[Content, Quiz], &[]], &[&[Content]]]).await;
        kurso.collaborator(id, &editor, "editor").await;
        courses::generate_share_code(&kurso, &owner, id).await.unwrap();
        let original = view(&kurso, &owner, id).await;
        let [p, q, r] = [0, 1, 2].map(|place| original.page(place).id);
        let file = kurso.file(owner.id(), "a.png", "image/png", &b"a"[..]).await;
        sql!("UPDATE modules SET avatar_file_id = $2, description = 'о чём' WHERE id = $1", original.module(0).id, file.id)
            .execute(&kurso.db).await.unwrap();
        let gone = kurso.page(id, original.lesson(1).id, 0, Content, true).await;
        let mut content = linking(&[r, p, gone]);
        let image = json!({"type": "image", "attrs": {"src": file.url()}});
        content["content"].as_array_mut().unwrap().push(image);
        save(&kurso, &owner, p, json!({"content": content, "title": "П"})).await;
        let quiz = json!({"questions": [{"type": "numeric", "prompt": linking(&[p])}]});
        save(&kurso, &owner, q, json!({"quiz": quiz, "published": false})).await;
        page::delete(&kurso, &owner, gone).await.unwrap();

        kurso.clock.advance(chrono::Duration::hours(1));
        let copy = duplicate::course(&kurso, &editor, id, Default::default()).await.unwrap().id;
        let copy = view(&kurso, &editor, copy).await;
        assert_eq!((copy.course.title.as_str(), copy.course.owner.id), ("Курс (копия)", editor.id()));
        assert_eq!((copy.course.share_code.as_deref(), copy.course.created_at), (None, kurso.clock.now()));
        assert_eq!(copy.sizes(), (2, 3, 3));
        assert_dense(&copy);
        let original = view(&kurso, &owner, id).await;
        for (a, b) in original.tree.modules.iter().zip(&copy.tree.modules) {
            assert_ne!(a.id, b.id);
            assert_eq!((&a.title, &a.description, &a.avatar_url, &a.lessons), (&b.title, &b.description, &b.avatar_url, &b.lessons));
        }
        for (a, b) in original.tree.lessons.iter().zip(&copy.tree.lessons) {
            assert_ne!(a.id, b.id);
            assert_eq!((&a.title, a.module, &a.pages), (&b.title, b.module, &b.pages));
        }
        for (a, b) in original.tree.pages.iter().zip(&copy.tree.pages) {
            assert_ne!(a.id, b.id);
            assert_eq!((&a.title, a.kind, a.published, a.lesson), (&b.title, b.kind, b.published, b.lesson));
        }
        let [p2, q2, r2] = [0, 1, 2].map(|place| copy.page(place).id);
        assert_eq!(links(&kurso, &editor, p2).await, [r2, p2, gone], "what led nowhere still does");
        let quiz2 = page::get(&kurso, &editor, q2).await.unwrap().quiz.unwrap();
        assert!(quiz2.contains(&p2.to_string()) && !quiz2.contains(&p.to_string()), "{quiz2}");
        assert_eq!(links(&kurso, &owner, p).await, [r, p, gone], "the original stays as it was");
        assert_eq!(page::get(&kurso, &editor, p2).await.unwrap().version, 1);
        assert_eq!(page::versions::list(&kurso, &editor, p2).await.unwrap().count, 1, "no history");

        // The copy keeps its file when the original is deleted.
        course::delete(&kurso, &owner, id).await.unwrap();
        let naming = sql!("SELECT page_id FROM page_files WHERE file_id = $1", file.id);
        assert_eq!(naming.fetch_all::<(PageId,)>(&kurso.db).await.unwrap(), [(p2,)]);
        assert_eq!(view(&kurso, &editor, copy.course.id).await.sizes(), (2, 3, 3));
        save(&kurso, &editor, p2, json!({"title": "своё"})).await;
    }

    async fn parts_are_copied_right_after_the_original(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = kurso.course(&owner, &[&[&[Content, Content], &[Content]], &[&[Content]]]).await;
        let tree = view(&kurso, &owner, id).await;
        let [p, q, r] = [0, 1, 2].map(|place| tree.page(place).id);
        save(&kurso, &owner, p, json!({"content": linking(&[p, q, r])})).await;

        let copy = duplicate::page(&kurso, &owner, p).await.unwrap();
        assert_eq!((copy.title, copy.position, copy.lesson_id, copy.version), (None, 1, tree.lesson(0).id, 1));
        assert_eq!(links(&kurso, &owner, copy.id).await, [copy.id, q, r]);
        let copy = duplicate::page(&kurso, &owner, q).await.unwrap();
        assert_eq!((copy.title.as_deref(), copy.position), (Some("Стр. 1 (копия)"), 3));
        page::delete(&kurso, &owner, copy.id).await.unwrap();

        let copy = duplicate::lesson(&kurso, &owner, tree.lesson(0).id).await.unwrap();
        assert_eq!((copy.title.as_str(), copy.position, copy.module_id), ("Урок 1.1 (копия)", 1, tree.module(0).id));
        let new: Vec<_> = copy.pages.iter().map(|p| p.id).collect();
        assert_eq!(copy.pages.iter().map(|p| p.position).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(links(&kurso, &owner, new[0]).await, [new[0], new[2], r], "the lesson beside it was not copied");

        let copy = duplicate::module(&kurso, &owner, tree.module(0).id).await.unwrap();
        assert_eq!((copy.title.as_str(), copy.position, copy.lessons.len()), ("Модуль 1 (копия)", 1, 3));
        let first = &copy.lessons[0].pages;
        assert_eq!(links(&kurso, &owner, first[0].id).await, [first[0].id, first[2].id, copy.lessons[2].pages[0].id]);
        let after = view(&kurso, &owner, id).await;
        assert_eq!(after.sizes(), (3, 7, 15));
        assert_eq!(after.module(2).id, tree.module(1).id);
        assert_dense(&after);

        // A copied lesson can be moved to another module, and a copied module be deleted.
        lesson::update(&kurso, &owner, copy.lessons[1].id, command(json!({"module_id": tree.module(1).id}))).await.unwrap();
        module::delete(&kurso, &owner, copy.id).await.unwrap();
        let after = view(&kurso, &owner, id).await;
        assert_eq!(after.sizes(), (2, 5, 11));
        assert_dense(&after);
    }

    async fn four_thousand_pages_are_copied_in_seconds(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = course::create(&kurso, &owner, command(json!({"title": "К"}))).await.unwrap().id;
        let module = module::create(&kurso, &owner, id, command(json!({"title": "М"}))).await.unwrap().id;
        let first = lesson::create(&kurso, &owner, module, command(json!({"title": "У"}))).await.unwrap();
        for _ in 0..40 {
            page::create(&kurso, &owner, first.id, command(json!({"content": linking(&[])}))).await.unwrap();
        }
        let pages = lesson::get(&kurso, &owner, first.id).await.unwrap().pages;
        for page in &pages {
            save(&kurso, &owner, page.id, json!({"content": linking(&[pages[0].id])})).await;
        }
        for _ in 0..99 {
            duplicate::lesson(&kurso, &owner, first.id).await.unwrap();
        }
        let before = kurso.db.statements();
        let started = std::time::Instant::now();
        let copy = duplicate::course(&kurso, &owner, id, Default::default()).await.unwrap().id;
        let took = started.elapsed();
        let copy = view(&kurso, &owner, copy).await;
        assert_eq!(copy.sizes(), (1, 100, 4000));
        assert!(took.as_secs() < 20, "{took:?}");
        let used = kurso.db.statements() - before;
        assert!(used < 800, "{used} statements");
        let first = &copy.tree.lessons[0].pages;
        assert_eq!(links(&kurso, &owner, copy.page(first.start + 7).id).await, [copy.page(first.start).id]);
    }

    async fn a_copy_moves_all_dates_by_days_of_its_zone(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = kurso.course(&owner, &[&[&[Quiz, Content]]]).await;
        let original = view(&kurso, &owner, id).await;
        // 23:59 in Berlin, before summer time ends.
        let dates = json!({"time_zone": "Europe/Berlin", "starts_at": "2026-09-01", "ends_at": "2026-10-20", "enroll_until": "2026-09-15"});
        course::update(&kurso, &owner, id, command(dates)).await.unwrap();
        let part = json!({"available_from": "2026-09-10T08:00", "due_at": "2026-10-01", "available_until": "2026-10-10"});
        module::update(&kurso, &owner, original.module(0).id, command(&part)).await.unwrap();
        lesson::update(&kurso, &owner, original.lesson(0).id, command(&part)).await.unwrap();
        let quiz = json!({"due_at": "2026-10-01", "late_until": "2026-10-05", "late_penalty_per_day": 10});
        page::update(&kurso, &owner, original.page(0).id, None, command(quiz)).await.unwrap();
        let before = view(&kurso, &owner, id).await;

        let copied = async |days: i64| {
            let how = command(json!({"shift_days": days}));
            let copy = duplicate::course(&kurso, &owner, id, how).await.unwrap();
            view(&kurso, &owner, copy.id).await
        };
        let local = |at: Option<chrono::DateTime<chrono::Utc>>| at.map(|at| kurso_base::wire::time_text(&at)).unwrap_or_default();
        let copy = copied(28).await;
        let course = &copy.course.dates;
        assert_eq!(
            [course.starts_at, course.ends_at, course.enroll_until].map(local),
            ["2026-09-28T22:00:00Z", "2026-11-17T22:59:00Z", "2026-10-13T21:59:00Z"]
        );
        let wanted = ["2026-10-08T06:00:00Z", "2026-10-29T22:59:00Z", "2026-11-07T22:59:00Z"];
        for dates in [copy.module(0).own_dates(), copy.lesson(0).own_dates()] {
            assert_eq!([dates.available_from, dates.due_at, dates.available_until].map(local), wanted);
        }
        let (dates, late) = copy.page(0).own_dates();
        assert_eq!([dates.available_from, dates.due_at, late.late_until].map(local), ["", "2026-10-29T22:59:00Z", "2026-11-02T22:59:00Z"]);
        assert_eq!((late.late_penalty_per_day, copy.page(1).own_dates()), (Some(10), before.page(1).own_dates()));
        assert_eq!(view(&kurso, &owner, id).await.course.dates, before.course.dates, "the original stays");

        let same = copied(0).await;
        assert_eq!((&same.course.dates, same.page(0).own_dates()), (&before.course.dates, before.page(0).own_dates()));

        let courses = async || sql!("SELECT COUNT(*) FROM courses").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        let count = courses().await;
        course::update(&kurso, &owner, id, command(json!({"ends_at": "2098-10-20"}))).await.unwrap();
        let far = duplicate::course(&kurso, &owner, id, command(json!({"shift_days": 3660}))).await;
        assert!(matches!(far, Err(Error::Invalid(_))), "{far:?}");
        assert_eq!(courses().await, count, "nothing half-done");
    }
}
