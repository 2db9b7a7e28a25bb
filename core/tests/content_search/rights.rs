//! Nobody finds what they may not read, and nothing tells that it exists.

use kurso_base::error::Error;
use kurso_base::ids::CourseId;
use kurso_core::access::Role;
use kurso_core::attempts::running;
use kurso_core::auth::Origin;
use kurso_core::banks::{self, MemberRole, ShareBank};
use kurso_core::courses::course;
use kurso_core::learning::mark_page_visited;
use kurso_core::search_index;
use kurso_core::testing::exam;
use kurso_db::sql;

use super::*;

async fn search_in(kurso: &TestKurso, who: &Viewer, text: &str, course: CourseId) -> Result<Vec<Uuid>, Error> {
    let found = content_search::search(kurso, who, text, Some(course), Page::default()).await?;
    Ok(found.data.iter().map(id_of).collect())
}

both! {
    async fn drafts_and_strange_courses_are_not_found(kurso: TestKurso) {
        let class = class(&kurso).await;
        let open = class.page(&kurso, json!({"title": "Открыто", "content": document(&["Совместное слово."])})).await.0;
        let draft = class.page(&kurso, json!({"title": "Черновик", "published": false, "content": document(&["Совместное слово, тайна."])})).await.0;
        let learner = class.learner(&kurso, "learner").await;
        let stranger = kurso.person("stranger").await;
        let superuser = kurso.superuser("root").await;
        let mut all = found(&kurso, &class.owner, "совместный").await;
        all.sort_unstable();
        assert_eq!(all, [open, draft]);
        assert_eq!(found(&kurso, &learner, "совместный").await, [open]);
        for text in ["тайна", "черновик"] {
            assert_eq!(found(&kurso, &class.owner, text).await, [draft]);
            assert!(found(&kurso, &learner, text).await.is_empty());
        }
        assert!(found(&kurso, &stranger, "совместный").await.is_empty());
        assert!(found(&kurso, &superuser, "совместный").await.is_empty(), "only courses that they teach or learn");
        assert!(matches!(search_in(&kurso, &stranger, "совместный", class.course).await, Err(Error::NotFound(_))));
        assert!(matches!(search_in(&kurso, &stranger, "", class.course).await, Err(Error::NotFound(_))));
        assert_eq!(search_in(&kurso, &learner, "совместный", class.course).await.unwrap(), [open]);
        // Whether a word has a typo does not depend on hidden pages either.
        class.page(&kurso, json!({"published": false, "content": document(&["Кофейка."])})).await;
        let near = class.page(&kurso, json!({"content": document(&["Копейка."])})).await.0;
        assert_eq!(found(&kurso, &learner, "кофейка").await, [near]);
    }

    async fn unpublished_changes_are_found_by_those_who_may_read_them(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let page = class.page(&kurso, json!({"title": "Фрукты", "content": document(&["Яблоко."])})).await;
        let learner = class.learner(&kurso, "learner").await;
        let (reviewer, teacher) = (kurso.person("reviewer").await, kurso.person("teacher").await);
        kurso.collaborator(class.course, &reviewer, "reviewer").await;
        kurso.collaborator(class.course, &teacher, "teacher").await;
        let change = json!({"draft": true, "title": "Плоды", "content": document(&["Яблоко.", "Секретная груша."])});
        page::update(&kurso, owner, page, None, command(change)).await.unwrap();
        for text in ["груша", "плоды"] {
            for who in [owner, &reviewer] {
                assert_eq!(found(&kurso, who, text).await, [page.0], "{text}");
            }
            for who in [&learner, &teacher] {
                assert!(found(&kurso, who, text).await.is_empty(), "{text}");
            }
        }
        let in_draft = async |text: &str| match &matches(&kurso, owner, text).await[0].what {
            Matched::Page { in_draft, .. } => *in_draft,
            Matched::BankQuestion { .. } => panic!(),
        };
        assert_eq!((in_draft("груша").await, in_draft("яблоко").await, in_draft("яблоко груша").await), (true, false, true));
        assert_eq!(shown(&matches(&kurso, owner, "груша").await[0], 0), "Секретная [груша].");
        assert_eq!(found(&kurso, &learner, "яблоко").await, [page.0]);
    }

    async fn words_of_a_page_and_of_its_draft_are_not_added_up(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let changed = class.page(&kurso, json!({"content": document(&["Яблоко и слива."])})).await;
        let change = json!({"draft": true, "content": document(&["Груша."])});
        page::update(&kurso, owner, changed, None, command(change)).await.unwrap();
        for is_indexed in [false, true] {
            assert_eq!(found(&kurso, owner, "яблоко груша").await, [changed.0], "{is_indexed}");
            search_index::update(&kurso.db).await.unwrap();
        }
        let both = class.page(&kurso, json!({"content": document(&["Яблоко, потом груша."])})).await;
        for is_indexed in [false, true] {
            assert_eq!(found(&kurso, owner, "яблоко груша").await, [both.0], "{is_indexed}");
            assert_eq!(found(&kurso, owner, "яблоко слива").await, [changed.0], "{is_indexed}");
            search_index::update(&kurso.db).await.unwrap();
        }
    }

    async fn what_is_locked_is_not_found_until_it_opens(kurso: TestKurso) {
        let class = class(&kurso).await;
        let later = class.page(&kurso, json!({"title": "Сюрприз", "available_from": "2026-12-01T00:00:00Z",
            "content": document(&["Секретное слово."])})).await.0;
        let learner = class.learner(&kurso, "learner").await;
        for text in ["сюрприз", "секретный"] {
            assert!(found(&kurso, &learner, text).await.is_empty());
            assert_eq!(found(&kurso, &class.owner, text).await, [later]);
        }
        kurso.clock.advance(chrono::Duration::days(20));
        for text in ["сюрприз", "секретный"] {
            assert_eq!(found(&kurso, &learner, text).await, [later], "{text}");
        }
    }

    async fn pages_behind_prerequisites_are_not_found(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[], &[]]]).await;
        let tree = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap().tree;
        let class = Class { owner, course, lesson: tree.lessons[0].id };
        let first = class.page(&kurso, json!({"content": document(&["Начало пути."])})).await;
        let second = Class { lesson: tree.lessons[1].id, ..class };
        let behind = second.page(&kurso, json!({"content": document(&["Продолжение пути."])})).await;
        course::update(&kurso, &second.owner, course, command(json!({"sequential": true}))).await.unwrap();
        let learner = second.learner(&kurso, "learner").await;
        assert_eq!(found(&kurso, &learner, "путь").await, [first.0]);
        mark_page_visited(&kurso, &learner, first).await.unwrap();
        let mut both = found(&kurso, &learner, "путь").await;
        both.sort_unstable();
        assert_eq!(both, [first.0, behind.0]);
    }

    async fn an_ended_enrollment_finds_nothing(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.page(&kurso, json!({"content": document(&["Слово."])})).await;
        let learner = class.learner(&kurso, "learner").await;
        assert_eq!(found(&kurso, &learner, "слово").await.len(), 1);
        courses::team::leave(&kurso, &learner, class.course).await.unwrap();
        assert!(found(&kurso, &learner, "слово").await.is_empty());
    }

    async fn prompts_of_timed_and_drawing_quizzes_are_for_staff(kurso: TestKurso) {
        let class = class(&kurso).await;
        let question = |prompt: &str| json!({"type": "numeric", "prompt": prompt, "value": 1});
        let open = class.page(&kurso, json!({"title": "А", "kind": "quiz", "quiz": {"questions": [question("Сколько ежей?")]}})).await;
        let timed = class.page(&kurso, json!({"title": "Зачёт", "kind": "quiz",
            "quiz": {"time_limit_seconds": 600, "questions": [question("Сколько ежей в лесу?")]}})).await;
        let learner = class.learner(&kurso, "learner").await;
        assert_eq!(found(&kurso, &learner, "еж").await, [open.0]);
        assert!(found(&kurso, &learner, "лес").await.is_empty());
        assert_eq!(found(&kurso, &class.owner, "еж").await.len(), 2);
        // The title is no secret.
        let by_title = matches(&kurso, &learner, "зачет").await;
        assert_eq!(by_title.iter().map(id_of).collect::<Vec<_>>(), [timed.0]);
        assert!(by_title[0].fragments.iter().all(|fragment| fragment.question.is_none()));
        running::start(&kurso, &learner, timed).await.unwrap();
        assert!(found(&kurso, &learner, "лес").await.is_empty(), "not even in an attempt");
        // Prompts that became secret are so at once, and so are those of a stale index.
        sql!("UPDATE search_documents SET is_gated = FALSE WHERE page_id = $1", timed).execute(&kurso.db).await.unwrap();
        let stale = matches(&kurso, &learner, "лес").await;
        assert!(stale.iter().all(|found| found.fragments.is_empty()), "{stale:?}");
    }

    async fn no_secret_of_an_exam_is_found(kurso: TestKurso) {
        let class = class(&kurso).await;
        // A page shows only files that exist.
        let picture = kurso.file(class.owner.id(), "map.png", "image/png", &b"map"[..]).await;
        let mut quiz = exam::exam("never");
        for question in quiz["questions"].as_array_mut().unwrap() {
            if let Some(shown) = question.get_mut("picture") {
                shown["content"][0]["attrs"]["src"] = picture.url().into();
            }
        }
        class.page(&kurso, json!({"title": "Экзамен", "kind": "quiz", "quiz": quiz})).await;
        let learner = class.learner(&kurso, "learner").await;
        for who in [&learner, &class.owner] {
            for secret in exam::REVEALED.iter().chain(exam::SECRET) {
                let found = format!("{:?}", matches(&kurso, who, secret).await);
                assert!(!found.contains(secret), "{found}");
            }
            let question = format!("{:?}", matches(&kurso, who, "question").await);
            assert!(question.contains("Question") && !question.contains("x_731973"), "{question}");
        }
    }

    async fn bank_questions_are_found_by_those_who_read_the_bank(kurso: TestKurso) {
        let (owner, friend, other) = (kurso.person("owner").await, kurso.person("friend").await, kurso.person("other").await);
        let bank = banks::create(&kurso, &owner, command(json!({"title": "Зоология"}))).await.unwrap().id;
        let question = json!({"type": "short_text", "prompt": "Где живут ежи?", "accepted": ["лес"]});
        let added = banks::add_questions(&kurso, &owner, bank, command(json!({"questions": [{"question": question}]}))).await;
        let id = added.unwrap().0[0].id;
        let hits = matches(&kurso, &owner, "еж ").await;
        assert_eq!(hits[0].what, Matched::BankQuestion { id, bank_id: bank, bank_title: "Зоология".to_owned() });
        assert_eq!((shown(&hits[0], 0), hits[0].fragments[0].question), ("Где живут [ежи]?".to_owned(), None));
        for nobody in [&friend, &other] {
            assert!(found(&kurso, nobody, "еж").await.is_empty());
        }
        let email = kurso_base::email::Email::parse("friend@example.com").unwrap();
        let role = MemberRole::Viewer;
        banks::share(&kurso, &owner, &Origin::default(), bank, ShareBank { email, role }).await.unwrap();
        assert_eq!(found(&kurso, &friend, "еж").await, [id.0]);
        assert!(found(&kurso, &owner, "лес").await.is_empty(), "an accepted answer");
        let course = kurso.course(&owner, &[&[&[]]]).await;
        assert!(search_in(&kurso, &owner, "еж", course).await.unwrap().is_empty());
    }

    async fn staff_see_their_role(kurso: TestKurso) {
        let class = class(&kurso).await;
        class.page(&kurso, json!({"content": document(&["Слово."])})).await;
        let learner = class.learner(&kurso, "learner").await;
        for (who, expected) in [(&class.owner, Role::Owner), (&learner, Role::Learner)] {
            let hits = matches(&kurso, who, "слово").await;
            let Matched::Page { role, course_title, .. } = &hits[0].what else { panic!() };
            assert_eq!((*role, course_title.as_str()), (expected, "Курс"));
        }
    }
}
