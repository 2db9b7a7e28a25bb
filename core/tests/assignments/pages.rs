//! Assignment pages as their authors write them.

use kurso_core::both;
use kurso_core::courses::page::{self, CreatePage};
use kurso_core::courses::tree::PageKind;

use super::*;

both! {
    async fn a_new_assignment_takes_a_text_and_files(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[]]]).await;
        let lesson = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap().tree.lessons[0].id;
        let new = CreatePage { kind: PageKind::Assignment, ..CreatePage::default() };
        let made = page::create(&kurso, &owner, lesson, new).await.unwrap();
        assert_eq!((made.kind, made.published), (PageKind::Assignment, true));
        let quiz = stored_quiz(&kurso, made.id).await;
        assert!(quiz.is_assignment());
        assert_eq!((quiz.pass_percent, quiz.max_attempts, quiz.questions[0].points.as_f64()), (70, None, 10.0));
        // Clearing it gives the first one again.
        page::update(&kurso, &owner, made.id, None, command(json!({"quiz": assignment(&json!({"max_attempts": 3}))}))).await.unwrap();
        assert_eq!(stored_quiz(&kurso, made.id).await.max_attempts, Some(3));
        page::update(&kurso, &owner, made.id, None, command(json!({"quiz": null}))).await.unwrap();
        assert_eq!(stored_quiz(&kurso, made.id).await.max_attempts, None);
        assert_consistent(&kurso).await;
    }

    async fn an_assignment_has_its_own_question_and_no_other_page_has_it(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[PageKind::Assignment, PageKind::Quiz]]]).await;
        let tree = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap().tree;
        let essay = json!({"questions": [{"type": "essay", "prompt": "?"}]});
        let update = async |place: usize, quiz: Value| {
            let changed = page::update(&kurso, &owner, tree.pages[place].id, None, command(json!({ "quiz": quiz }))).await;
            changed.map_err(|error| match error {
                page::UpdateError::Refused(error) => error,
                other @ page::UpdateError::Conflict(_) => panic!("{other:?}"),
            })
        };
        assert_eq!(fields(update(0, essay.clone()).await), ["value_error [quiz,questions,0,type]"]);
        assert_eq!(fields(update(0, json!({"questions": []})).await), ["value_error [quiz,questions]"]);
        assert_eq!(fields(update(1, assignment(&json!({}))).await), ["value_error [quiz,questions,0,type]"]);
        let nothing = json!({"questions": [{"type": "hand_in", "takes_text": false}]});
        assert_eq!(fields(update(0, nothing).await), ["quiz_incomplete [quiz,questions,0,takes_text]"]);
        update(1, essay).await.unwrap();
    }
}
