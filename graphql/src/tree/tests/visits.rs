//! A visit on the fast path has the same effect and answer as one by the executor.

use async_graphql::{Request, Variables};
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Lang;
use kurso_core::access::{Right, Viewer};
use kurso_core::courses::enrollment::ProgressBitmap;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{Dice, TestKurso};
use kurso_core::{auth, both, learning};
use kurso_db::sql;
use serde_json::json;

use super::{CompiledOperation, CompiledOperations, Operation, assert_same, class};
use crate::context::Caller;

/// A request with the variables of the operation.
fn request(kurso: &TestKurso, query: &str, page: PageId, viewer: &Viewer) -> Request {
    let one = match query.contains("$input") {
        true => json!({"input": {"pageId": page}}),
        false => json!({"page": page}),
    };
    Request::new(query)
        .variables(Variables::from_json(one))
        .data(kurso.kurso.clone())
        .data(Lang::Ru)
        .data(Caller(Some(viewer.clone())))
}

async fn pages(kurso: &TestKurso, owner: &Viewer, course: CourseId) -> Vec<PageId> {
    let view = CourseView::load(kurso, owner, course, Right::Edit).await.unwrap();
    view.tree.pages.iter().map(|page| page.id).collect()
}

async fn visits(kurso: &TestKurso) -> i64 {
    let (count,): (i64,) = sql!("SELECT COUNT(*) FROM visits").fetch_one(&kurso.db).await.unwrap();
    count
}

/// Deletes all visits.
async fn forget(kurso: &TestKurso) {
    sql!("DELETE FROM visits").execute(&kurso.db).await.unwrap();
    sql!("UPDATE enrollments SET marks = $1", ProgressBitmap::default())
        .execute(&kurso.db)
        .await
        .unwrap();
}

both! {
    async fn a_visit_on_the_fast_path_equals_one_by_the_executor(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let pages = pages(&kurso, &people[0].0, course).await;
        let schema = crate::builder().limit_complexity(usize::MAX).limit_depth(usize::MAX).finish();
        let compiled = CompiledOperations::default();
        let mut dice = Dice::new(20_261_122);
        for round in 0..40 {
            let query = Operation::visit_text(&mut dice);
            let page = pages[[0, 1, 4, 5][round % 4]];
            for (person, token) in &people[1..] {
                let mut sent = request(&kurso, &query, page, person);
                let planned = CompiledOperation::of(sent.parsed_query().unwrap());
                forget(&kurso).await;
                let general = crate::batching::execute(&schema, sent).await;
                assert!(general.is_ok(), "{query}: {:?}", general.errors);
                assert_eq!(visits(&kurso).await, 1);
                compiled.insert(query.clone(), planned.expect(&query));
                let general = serde_json::to_string(&general).unwrap();
                forget(&kurso).await;
                for _ in 0..2 {
                    let sent = request(&kurso, &query, page, person);
                    let written = compiled.answer(&kurso, &sent, Some(token)).await.unwrap();
                    assert_same(&query, &written, &general);
                    assert_eq!(visits(&kurso).await, 1);
                }
            }
        }
    }

    async fn failed_visits_are_left_to_the_executor(kurso: TestKurso) {
        let (course, people) = class(&kurso).await;
        let pages = pages(&kurso, &people[0].0, course).await;
        let ((owner, of_owner), (learner, token)) = (&people[0], &people[1]);
        let compiled = CompiledOperations::default();
        let query = "mutation ($input: MarkPageVisitedInput!) { markPageVisited(input: $input) { page { id } } }";
        let plain = |page| request(&kurso, query, page, learner);
        let ask = async |sent: Request, token: Option<&str>| compiled.answer(&kurso, &sent, token).await;
        forget(&kurso).await;
        assert!(ask(plain(pages[0]), Some(token)).await.is_none(), "not known yet");
        compiled.insert(query.into(), CompiledOperation::of(plain(pages[0]).parsed_query().unwrap()).unwrap());
        assert!(ask(plain(pages[0]), None).await.is_none());
        assert!(ask(plain(pages[0]), Some("no token")).await.is_none());
        assert!(ask(plain(pages[2]), Some(token)).await.is_none(), "not published");
        assert!(ask(plain(PageId::new()), Some(token)).await.is_none());
        for input in [json!({}), json!({"input": null}), json!({"input": {"pageId": 5}}), json!({"input": {"pageId": pages[0], "more": 1}})] {
            let sent = plain(pages[0]).variables(Variables::from_json(input));
            assert!(ask(sent, Some(token)).await.is_none());
        }
        let as_owner = request(&kurso, query, pages[0], owner);
        assert!(ask(as_owner, Some(of_owner)).await.is_none(), "not enrolled");
        let stranger = kurso.person("stranger").await;
        let strange = kurso.token(&stranger.user.email).await;
        assert!(ask(plain(pages[0]), Some(&strange)).await.is_none());
        assert_eq!(visits(&kurso).await, 0);
        assert!(ask(plain(pages[0]), Some(token)).await.is_some());
        assert_eq!(visits(&kurso).await, 1);
        // The general path derives and stores missing marks.
        sql!("UPDATE enrollments SET marks = NULL").execute(&kurso.db).await.unwrap();
        assert!(ask(plain(pages[4]), Some(token)).await.is_none());
        learning::mark_page_visited(&kurso, learner, pages[4]).await.unwrap();
        assert!(ask(plain(pages[4]), Some(token)).await.is_some());
        let viewer = auth::authenticate(&kurso, token).await.unwrap();
        auth::logout(&kurso, &viewer).await.unwrap();
        assert!(ask(plain(pages[5]), Some(token)).await.is_none());
        assert_eq!(visits(&kurso).await, 2);
    }

    async fn completing_a_course_is_left_to_the_executor(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[kurso_core::courses::tree::PageKind::Content; 2]]]).await;
        let code = kurso_core::courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        let learner = kurso.person("anna").await;
        let token = kurso.token(&learner.user.email).await;
        learning::enroll(&kurso, &learner, &Default::default(), &code).await.unwrap();
        let pages = pages(&kurso, &owner, course).await;
        learning::mark_page_visited(&kurso, &learner, pages[0]).await.unwrap();
        forget(&kurso).await;
        let compiled = CompiledOperations::default();
        let query = "mutation ($page: ID!) { markPageVisited(input: {pageId: $page}) { course { progress { completedAt } } } }";
        let sent = |page| request(&kurso, query, page, &learner);
        compiled.insert(query.into(), CompiledOperation::of(sent(pages[0]).parsed_query().unwrap()).unwrap());
        assert!(compiled.answer(&kurso, &sent(pages[0]), Some(&token)).await.is_some());
        assert!(compiled.answer(&kurso, &sent(pages[1]), Some(&token)).await.is_none());
        assert_eq!(visits(&kurso).await, 1);
        let (view, _) = learning::mark_page_visited(&kurso, &learner, pages[1]).await.unwrap();
        assert!(view.progress.completed_at.is_some());
        let again = compiled.answer(&kurso, &sent(pages[1]), Some(&token)).await.unwrap();
        assert!(!again.contains("null"), "{again}");
    }
}
