//! A page that is marked as visited by a plan is what it is by the executor, in the answer and in the database.

use async_graphql::{Request, Variables};
use kurso_core::access::{Right, Viewer};
use kurso_core::ids::{CourseId, PageId};
use kurso_core::learning::marks::Kept;
use kurso_core::learning::view::CourseView;
use kurso_core::messages::Lang;
use kurso_core::testing::{Dice, TestKurso};
use kurso_core::{auth, both, learning, sql};
use serde_json::json;

use super::{Operation, Whole, Wholes, class};
use crate::context::Asker;

/// Variables for every way to say which page.
fn request(kurso: &TestKurso, query: &str, page: PageId, viewer: &Viewer) -> Request {
    let one = match query.contains("$input") {
        true => json!({"input": {"pageId": page}}),
        false => json!({"page": page}),
    };
    Request::new(query)
        .variables(Variables::from_json(one))
        .data(kurso.kurso.clone())
        .data(Lang::Ru)
        .data(Asker(Some(viewer.clone())))
}

async fn pages(kurso: &TestKurso, owner: &Viewer, course: CourseId) -> Vec<PageId> {
    let view = CourseView::load(kurso, owner, course, Right::Edit).await.unwrap();
    view.tree.pages.iter().map(|page| page.id).collect()
}

async fn visits(kurso: &TestKurso) -> i64 {
    let (count,): (i64,) = sql!("SELECT COUNT(*) FROM visits").fetch_one(&kurso.db).await.unwrap();
    count
}

/// As if nobody had read anything.
async fn forget(kurso: &TestKurso) {
    sql!("DELETE FROM visits").execute(&kurso.db).await.unwrap();
    sql!("UPDATE enrollments SET marks = $1", Kept::default())
        .execute(&kurso.db)
        .await
        .unwrap();
}

both! {
    async fn a_visit_by_plan_is_one_by_the_executor(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let pages = pages(&kurso, &people[0].0, course).await;
        let schema = crate::builder().limit_complexity(usize::MAX).limit_depth(usize::MAX).finish();
        let wholes = Wholes::default();
        let mut dice = Dice::new(20_261_122);
        for round in 0..40 {
            let query = Operation::visit_text(&mut dice);
            let page = pages[[0, 1, 4, 5][round % 4]];
            for (person, token) in &people[1..] {
                let mut asked = request(&kurso, &query, page, person);
                let planned = Whole::of(asked.parsed_query().unwrap());
                forget(&kurso).await;
                let general = schema.execute(asked).await;
                assert!(general.is_ok(), "{query}: {:?}", general.errors);
                assert_eq!(visits(&kurso).await, 1);
                wholes.keep(query.clone(), planned.expect(&query));
                let general = serde_json::to_string(&general).unwrap();
                forget(&kurso).await;
                for _ in 0..2 {
                    let asked = request(&kurso, &query, page, person);
                    let written = wholes.answer(&kurso, &asked, Some(token)).await.unwrap();
                    assert_eq!(written, general, "{query}");
                    assert_eq!(visits(&kurso).await, 1);
                }
            }
        }
    }

    async fn what_is_not_a_plain_visit_is_left_to_the_executor(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let pages = pages(&kurso, &people[0].0, course).await;
        let ((owner, of_owner), (learner, token)) = (&people[0], &people[1]);
        let wholes = Wholes::default();
        let query = "mutation ($input: MarkPageVisitedInput!) { markPageVisited(input: $input) { page { id } } }";
        let plain = |page| request(&kurso, query, page, learner);
        let ask = async |asked: Request, token: Option<&str>| wholes.answer(&kurso, &asked, token).await;
        forget(&kurso).await;
        assert!(ask(plain(pages[0]), Some(token)).await.is_none(), "not known yet");
        wholes.keep(query.into(), Whole::of(plain(pages[0]).parsed_query().unwrap()).unwrap());
        assert!(ask(plain(pages[0]), None).await.is_none());
        assert!(ask(plain(pages[0]), Some("no token")).await.is_none());
        assert!(ask(plain(pages[2]), Some(token)).await.is_none(), "not published");
        assert!(ask(plain(PageId::new()), Some(token)).await.is_none());
        for input in [json!({}), json!({"input": null}), json!({"input": {"pageId": 5}}), json!({"input": {"pageId": pages[0], "more": 1}})] {
            let asked = plain(pages[0]).variables(Variables::from_json(input));
            assert!(ask(asked, Some(token)).await.is_none());
        }
        let as_owner = request(&kurso, query, pages[0], owner);
        assert!(ask(as_owner, Some(of_owner)).await.is_none(), "not enrolled");
        let stranger = kurso.person("stranger").await;
        let strange = kurso.token(&stranger.user.email).await;
        assert!(ask(plain(pages[0]), Some(&strange)).await.is_none());
        assert_eq!(visits(&kurso).await, 0);
        assert!(ask(plain(pages[0]), Some(token)).await.is_some());
        assert_eq!(visits(&kurso).await, 1);
        // Marks that are not kept are derived by the general way, which keeps them.
        sql!("UPDATE enrollments SET marks = NULL").execute(&kurso.db).await.unwrap();
        assert!(ask(plain(pages[4]), Some(token)).await.is_none());
        learning::mark_page_visited(&kurso, learner, pages[4]).await.unwrap();
        assert!(ask(plain(pages[4]), Some(token)).await.is_some());
        let viewer = auth::authenticate(&kurso, token).await.unwrap();
        auth::logout(&kurso, &viewer).await.unwrap();
        assert!(ask(plain(pages[5]), Some(token)).await.is_none());
        assert_eq!(visits(&kurso).await, 2);
    }

    async fn the_visit_that_completes_a_course_is_left_to_the_executor(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[kurso_core::courses::tree::PageKind::Content; 2]]]).await;
        let code = kurso_core::courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        let learner = kurso.person("anna").await;
        let token = kurso.token(&learner.user.email).await;
        learning::enroll(&kurso, &learner, &Default::default(), &code).await.unwrap();
        let pages = pages(&kurso, &owner, course).await;
        learning::mark_page_visited(&kurso, &learner, pages[0]).await.unwrap();
        forget(&kurso).await;
        let wholes = Wholes::default();
        let query = "mutation ($page: ID!) { markPageVisited(input: {pageId: $page}) { course { progress { completedAt } } } }";
        let asked = |page| request(&kurso, query, page, &learner);
        wholes.keep(query.into(), Whole::of(asked(pages[0]).parsed_query().unwrap()).unwrap());
        assert!(wholes.answer(&kurso, &asked(pages[0]), Some(&token)).await.is_some());
        assert!(wholes.answer(&kurso, &asked(pages[1]), Some(&token)).await.is_none());
        assert_eq!(visits(&kurso).await, 1);
        let (view, _) = learning::mark_page_visited(&kurso, &learner, pages[1]).await.unwrap();
        assert!(view.progress.completed_at.is_some());
        let again = wholes.answer(&kurso, &asked(pages[1]), Some(&token)).await.unwrap();
        assert!(!again.contains("null"), "{again}");
    }
}
