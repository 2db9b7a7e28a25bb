//! Search for courses, lessons and pages by title, on both databases.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use kurso_base::ids::{CourseId, LessonId};
use kurso_base::pagination::Page;
use kurso_base::search::Search;
use kurso_core::access::{Role, Viewer};
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::finding::{self, Found, What};
use kurso_core::learning::enroll;
use kurso_core::testing::{TestKurso, command};
use kurso_core::{both, courses};
use kurso_db::sql;

/// «Основы Rust»: one module of two lessons, «Ёжики в тумане» with pages 1, «Циклы», «Ёж» (a draft), and an empty one.
async fn course(kurso: &TestKurso, owner: &Viewer) -> CourseId {
    let course = kurso.course(owner, &[&[&[Content, Quiz, Content], &[]]]).await;
    for (id, title) in [("c", "Основы Rust"), ("m", "Начало"), ("l", "Ёжики в тумане")] {
        match id {
            "c" => sql!("UPDATE courses SET title = $2 WHERE id = $1", course, title),
            "m" => sql!("UPDATE modules SET title = $2 WHERE course_id = $1", course, title),
            _ => sql!(
                "UPDATE lessons SET title = $2 WHERE course_id = $1 AND position = 0",
                course,
                title
            ),
        }
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    for (position, title, published) in [(1_i64, "Циклы", true), (2, "Ёж", false)] {
        sql!(
            "UPDATE pages SET title = $3, published = $4 WHERE course_id = $1 AND position = $2",
            course,
            position,
            title,
            published
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    course
}

async fn learn(kurso: &TestKurso, owner: &Viewer, learner: &Viewer, course: CourseId) {
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    enroll(kurso, learner, &Origin::default(), &code).await.unwrap();
}

async fn search(kurso: &TestKurso, who: &Viewer, text: &str) -> Vec<Found> {
    let found = finding::search(kurso, who, &Search::of(text), Page::default())
        .await
        .unwrap();
    assert_eq!(found.count, i64::try_from(found.data.len()).unwrap());
    found.data
}

/// The results as texts.
fn names(found: &[Found]) -> Vec<String> {
    let name = |found: &Found| match &found.what {
        What::Course => format!("course {}", found.course_title),
        What::Lesson { title, .. } => format!("lesson {title}"),
        What::Page { title, number, .. } => format!("page {number} {}", title.as_deref().unwrap()),
    };
    found.iter().map(name).collect()
}

both! {
    async fn titles_are_found_together_with_those_of_their_parents(kurso: TestKurso) {
        let [owner] = [kurso.person("owner").await];
        let course = course(&kurso, &owner).await;
        let found = async |text: &'static str| names(&search(&kurso, &owner, text).await);
        assert_eq!(found("ежи").await, ["lesson Ёжики в тумане"]);
        assert_eq!(found("ЁЖ").await, ["page 3 Ёж", "lesson Ёжики в тумане"], "a whole title comes first");
        assert_eq!(found("rust циклы").await, ["page 2 Циклы"], "words of the course above count");
        assert_eq!(found("начало rust").await, Vec::<String>::new(), "but one has to be in the title itself");
        assert_eq!(found("rust").await, ["course Основы Rust"]);
        assert_eq!(found("урок").await, ["lesson Урок 1.2"]);
        assert_eq!(found("  ").await, ["course Основы Rust"], "without a word, the courses");
        assert_eq!(found("%").await, Vec::<String>::new());

        let page = search(&kurso, &owner, "циклы").await.remove(0);
        assert_eq!((page.course_id, page.role), (course, Role::Owner));
        let What::Page { kind, published, lesson_title, .. } = page.what else { panic!("{page:?}") };
        assert_eq!((kind, published, lesson_title.as_str()), (Quiz, true, "Ёжики в тумане"));
        let lesson = search(&kurso, &owner, "1.2").await.remove(0);
        assert!(matches!(lesson.what, What::Lesson { first_page: None, .. }));
    }

    async fn search_finds_only_what_the_viewer_may_see(kurso: TestKurso) {
        let [owner, learner, stranger] =
            [kurso.person("owner").await, kurso.person("learner").await, kurso.person("stranger").await];
        let root = kurso.superuser("root").await;
        let course = course(&kurso, &owner).await;
        learn(&kurso, &owner, &learner, course).await;
        assert_eq!(names(&search(&kurso, &learner, "еж").await), ["lesson Ёжики в тумане"], "no drafts");
        assert_eq!(search(&kurso, &learner, "урок").await, [], "no lesson without a page");
        let lesson = search(&kurso, &learner, "еж").await.remove(0);
        assert_eq!(lesson.role, Role::Learner);
        assert!(matches!(lesson.what, What::Lesson { first_page: Some(_), .. }));
        for other in [&stranger, &root] {
            assert_eq!(search(&kurso, other, "").await, []);
            assert_eq!(search(&kurso, other, "циклы").await, []);
        }
    }

    async fn changes_are_found_immediately_with_few_statements(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        for _ in 0..5 {
            course(&kurso, &owner).await;
        }
        let before = kurso.db.statements();
        assert_eq!(search(&kurso, &owner, "циклы").await.len(), 5);
        assert_eq!(kurso.db.statements() - before, 4);
        assert_eq!(search(&kurso, &owner, "циклы").await.len(), 5);
        assert_eq!(kurso.db.statements() - before, 5, "the trees are known");
        let last = search(&kurso, &owner, "циклы").await.pop().unwrap().course_id;
        let lesson = sql!("SELECT id FROM lessons WHERE course_id = $1 AND position = 1", last)
            .fetch_one::<(LessonId,)>(&kurso.db)
            .await
            .unwrap()
            .0;
        let renamed = serde_json::json!({"title": "Циклы"});
        kurso_core::courses::lesson::update(&kurso, &owner, lesson, command(&renamed)).await.unwrap();
        let found = names(&search(&kurso, &owner, "циклы").await);
        assert_eq!(found.len(), 6);
        assert_eq!(found[0], "lesson Циклы", "lessons before pages");

        let page = Page::new(1, 2);
        let part = finding::search(&kurso, &owner, &Search::of("циклы"), page).await.unwrap();
        assert_eq!((part.data.len(), part.count), (2, 6));
    }
}
