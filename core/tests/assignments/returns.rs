//! Returning work for revision.

use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_core::assessments::{AnswerFilter, AnswerState};
use kurso_core::both;
use kurso_core::courses::groups::GroupFilter;
use kurso_core::courses::team;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::gradebook::{self, Source};
use kurso_core::learning::{mark_page_visited, my_progress};
use kurso_core::students::Results;

use super::*;

async fn cell(kurso: &TestKurso, class: &Class) -> gradebook::Cell {
    let query = gradebook::Query::default();
    let book = gradebook::gradebook(kurso, &class.teacher, class.course, &query, Page::default());
    book.await.unwrap().rows.data[0].grades.cells.0[0]
}

async fn left(kurso: &TestKurso, class: &Class, learner: &Viewer) -> Option<i64> {
    my_progress(kurso, learner, class.course)
        .await
        .unwrap()
        .attempts_left(0)
}

both! {
    async fn a_grader_sees_a_text_files_and_links(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let file = class.upload(&kurso.kurso, &anna, "work.pdf").await;
        let attempt = class.hand_in(&kurso, &anna, json!({
            "content": "Because of the tides.", "file_ids": [file.id], "links": ["https://example.com"],
        })).await.unwrap();
        assert_eq!((attempt.waiting_answers, attempt.passed, attempt.is_returned), (1, false, false));
        let answer = class.read(&kurso, attempt.id).await;
        assert_eq!((text(answer.content.as_ref()), answer.words), ("Because of the tides.".to_owned(), 4));
        assert_eq!((answer.files[0].filename.as_str(), answer.links.as_slice()), ("work.pdf", ["https://example.com".to_owned()].as_slice()));
        assert!(answer.files[0].url().starts_with("/files/"));
        assert_eq!(text(answer.guide.as_ref()), "Look for a reason.");
        class.give(&kurso, attempt.id, 7).await;
        let own = class.own(&kurso, enrollment).await;
        assert_eq!((own[0].percent, own[0].passed), (70, true));
        assert_consistent(&kurso).await;
    }

    async fn returned_work_is_what_a_learner_continues_with(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Assignment, Content, Content]]]).await;
        let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        let tree = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap().tree;
        let pages: Vec<PageId> = tree.pages.iter().map(|page| page.id).collect();
        let quiz: Quiz = kurso.set_quiz(pages[1], &assignment(&json!({"max_attempts": 2}))).await;
        let class = Class { teacher: owner.clone(), owner, course, page: pages[1], question: quiz.questions[0].id, code };
        let (anna, _) = class.learner(&kurso, "anna").await;
        let next = async || CourseView::load(&kurso, &anna, course, Right::Read).await.unwrap().next_to_do();
        assert_eq!(next().await, Some(0));
        mark_page_visited(&kurso, &anna, pages[0]).await.unwrap();
        assert_eq!(next().await, Some(1));
        let first = class.write(&kurso, &anna, "One").await;
        assert_eq!(next().await, Some(2), "work that waits for a grade is left alone");
        mark_page_visited(&kurso, &anna, pages[2]).await.unwrap();
        class.return_it(&kurso, first.id).await;
        assert_eq!(next().await, Some(1), "returned work comes first, also behind the page visited last");
        let second = class.write(&kurso, &anna, "Two").await;
        assert_eq!(next().await, Some(3));
        mark_page_visited(&kurso, &anna, pages[3]).await.unwrap();
        assert_eq!(next().await, Some(1), "nothing else is left");
        class.give(&kurso, second.id, 9).await;
        assert_eq!(next().await, None);
    }

    async fn the_results_say_that_work_was_returned(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let cell = async |lang: Lang| {
            let results = Results::of(&kurso, &class.teacher, class.course, GroupFilter::All, lang).await;
            let text = String::from_utf8(results.unwrap().part(&kurso.db).await.unwrap().unwrap()).unwrap();
            text.lines().last().unwrap().rsplit(',').next().unwrap().trim_matches('"').to_owned()
        };
        let first = class.write(&kurso, &anna, "One").await;
        assert_eq!((cell(Lang::En).await, cell(Lang::Ru).await), ("waiting for a grade".to_owned(), "ждёт проверки".to_owned()));
        class.return_it(&kurso, first.id).await;
        assert_eq!((cell(Lang::En).await, cell(Lang::Ru).await), ("returned for revision".to_owned(), "возвращено на доработку".to_owned()));
        let second = class.write(&kurso, &anna, "Two").await;
        assert_eq!(cell(Lang::En).await, "waiting for a grade");
        class.give(&kurso, second.id, 7).await;
        assert_eq!(cell(Lang::En).await, "70");
        assert_eq!(class.own(&kurso, enrollment).await.len(), 2);
    }

    async fn returned_work_waits_for_the_next_version_and_takes_no_attempt(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1, "release": "together"})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let first = class.write(&kurso, &anna, "One").await;
        assert_eq!(left(&kurso, &class, &anna).await, Some(0));
        let answer = class.return_it(&kurso, first.id).await;
        assert_eq!((answer.state, answer.is_returned, answer.points), (AnswerState::Released, true, None));
        assert_eq!((answer.history[0].is_returned, answer.history[0].points), (true, None));

        // The learner sees it at once, although points are released together, and has the attempt back.
        let own = class.own(&kurso, enrollment).await;
        assert_eq!((own[0].is_returned, own[0].waiting_answers, own[0].passed), (true, 1, false));
        let result = &own[0].results[0];
        assert_eq!((result.is_returned, result.is_waiting, result.points), (true, true, None));
        assert_eq!(result.comment.as_deref(), Some("Give a reason."));
        assert_eq!(left(&kurso, &class, &anna).await, Some(1));
        let waiting = cell(&kurso, &class).await;
        assert_eq!((waiting.source, waiting.percent), (Source::Waiting, None));
        let filter = AnswerFilter::default();
        let of = async |state| assessments::grading_queue(&kurso, &class.teacher, class.course, &filter, state, Page::default()).await.unwrap();
        assert_eq!((of(AnswerState::Waiting).await.total, of(AnswerState::Released).await.answers[0].is_returned), (0, true));
        assert!(assessments::claim_next(&kurso, &class.teacher, class.course, &filter).await.unwrap().is_none());
        assert_consistent(&kurso).await;

        let second = class.write(&kurso, &anna, "One, because of the tides").await;
        let own = class.own(&kurso, enrollment).await;
        assert_eq!((own[0].waiting_answers, own[0].results[0].points, own[0].results[0].is_returned), (0, Some(0.0), true));
        assert_eq!((own[1].waiting_answers, left(&kurso, &class, &anna).await), (1, Some(0)));
        assert!(matches!(class.hand_in(&kurso, &anna, json!({"content": "Three"})).await, Err(Error::Conflict(Message::OutOfAttempts))));
        class.give(&kurso, second.id, 8).await;
        assert_eq!(class.own(&kurso, enrollment).await[1].waiting_answers, 1, "points wait for the release");
        assessments::release(&kurso, &class.teacher, class.page).await.unwrap();
        let own = class.own(&kurso, enrollment).await;
        assert_eq!((own[1].percent, own[1].passed), (80, true));
        let graded = cell(&kurso, &class).await;
        assert_eq!((graded.source, graded.percent), (Source::Automatic, Some(8000)));
        assert_consistent(&kurso).await;
    }

    async fn grading_returned_work_undoes_the_return(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1, "release": "together"})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let first = class.write(&kurso, &anna, "One").await;
        class.return_it(&kurso, first.id).await;
        let answer = class.give(&kurso, first.id, 9).await;
        assert_eq!((answer.state, answer.is_returned), (AnswerState::Graded, false), "points are released together");
        let own = class.own(&kurso, enrollment).await;
        assert_eq!((own[0].is_returned, own[0].waiting_answers, &own[0].results[0].comment), (false, 1, &None));
        assert_eq!(left(&kurso, &class, &anna).await, Some(0));
        assert_eq!(answer.history.iter().map(|one| one.is_returned).collect::<Vec<_>>(), [false, true]);
        assert_consistent(&kurso).await;

        // Work with points can be returned too, and again later: an earlier version then counts as nothing at once.
        class.return_it(&kurso, first.id).await;
        let second = class.write(&kurso, &anna, "Two").await;
        class.give(&kurso, first.id, 5).await;
        let again = class.return_it(&kurso, first.id).await;
        assert_eq!((again.version, again.is_returned), (5, true));
        let own = class.own(&kurso, enrollment).await;
        assert_eq!((own[0].is_returned, own[0].waiting_answers, own[0].results[0].points), (true, 0, Some(0.0)));
        assert_eq!((own[1].id, own[1].waiting_answers), (second.id, 1));
        assert_consistent(&kurso).await;
    }

    async fn only_work_with_a_comment_and_without_points_is_returned(kurso: TestKurso) {
        let class = class(&kurso, &json!({})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.write(&kurso, &anna, "One").await;
        for (body, expected) in [
            (json!({"version": 0, "is_returned": true}), vec!["missing [comment]"]),
            (
                json!({"version": 0, "is_returned": true, "points": 1, "comment": "No", "marks": [{"criterion_id": Uuid::nil(), "level_id": Uuid::nil()}]}),
                vec!["value_error [points]", "value_error [marks]"],
            ),
        ] {
            assert_eq!(fields(class.assess(&kurso, attempt.id, body).await), expected);
        }
    }

    async fn an_essay_is_not_returned(kurso: TestKurso) {
        let essay = crate::assessments::class(&kurso, &crate::assessments::questions("at_once")).await;
        let (boris, _) = essay.learner(&kurso, "boris").await;
        let attempt = essay.submit(&kurso, &boris, "Two").await;
        let body = json!({"version": 0, "is_returned": true, "comment": "No"});
        let refused = assessments::assess(&kurso, &essay.teacher, essay.answer(attempt.id), command(body)).await;
        assert_eq!(fields(refused), ["value_error [is_returned]"]);
    }

    async fn a_return_comes_back_with_a_learner_who_left(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let first = class.write(&kurso, &anna, "One").await;
        class.return_it(&kurso, first.id).await;
        team::leave(&kurso, &anna, class.course).await.unwrap();
        assert_consistent(&kurso).await;
        let enrollment = class.enroll(&kurso, &anna).await;
        assert_eq!(left(&kurso, &class, &anna).await, Some(1));
        class.write(&kurso, &anna, "Two").await;
        let own = class.own(&kurso, enrollment).await;
        assert_eq!(own.iter().map(|one| (one.is_returned, one.waiting_answers)).collect::<Vec<_>>(), [(true, 0), (false, 1)]);
        attempts::reset(&kurso, &class.teacher, enrollment, class.page).await.unwrap();
        assert_eq!(left(&kurso, &class, &anna).await, Some(1));
        assert_consistent(&kurso).await;
    }

    async fn an_attempt_given_beyond_the_limit_is_not_lost_by_a_return(kurso: TestKurso) {
        let class = class(&kurso, &json!({"max_attempts": 1})).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let first = class.write(&kurso, &anna, "One").await;
        attempts::grant(&kurso, &class.teacher, enrollment, class.page).await.unwrap();
        class.return_it(&kurso, first.id).await;
        assert_eq!(left(&kurso, &class, &anna).await, Some(2));
        class.write(&kurso, &anna, "Two").await;
        assert_eq!(left(&kurso, &class, &anna).await, Some(1));
        assert_consistent(&kurso).await;
    }
}
