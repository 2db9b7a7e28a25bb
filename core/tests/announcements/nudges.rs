//! Nudges, and the selection of students by their progress.

use chrono::Duration;
use kurso_base::pagination::Page;
use kurso_core::access::Right;
use kurso_core::courses::page;
use kurso_core::learning::mark_page_visited;
use kurso_core::learning::view::CourseView;
use kurso_core::notice_mails::digest;
use kurso_core::students::{self, Nudged, ProgressFilter, Query, StudentState};

use super::*;

impl World {
    async fn nudge(&self, by: &Viewer, who: &[EnrollmentId], text: &str) -> Result<Nudged, Error> {
        let body = command(json!({"enrollment_ids": who, "text": text}));
        students::nudge(&self.kurso, by, self.course, body).await
    }

    /// The names of the students in a state.
    async fn names(&self, state: StudentState) -> Vec<String> {
        self.matching(ProgressFilter {
            state: Some(state),
            stopped_at: None,
        })
        .await
    }

    async fn matching(&self, progress: ProgressFilter) -> Vec<String> {
        let query = Query {
            progress,
            ..Query::default()
        };
        let found = students::list(&self.kurso, &self.owner, self.course, &query, Page::default()).await;
        let found = found.unwrap();
        assert_eq!(usize::try_from(found.count), Ok(found.data.len()));
        found
            .data
            .into_iter()
            .map(|student| student.full_name.unwrap())
            .collect()
    }
}

both! {
    async fn a_student_is_nudged_once_a_day(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let (anna, boris) = (world.enrollment(&world.anna).await, world.enrollment(&world.boris).await);
        let done = world.nudge(&world.teacher, &[anna, anna], "Вперёд").await.unwrap();
        assert_eq!(done, Nudged { nudged: vec![anna], skipped: vec![] });
        assert_eq!(world.told(&world.anna).await, (texts(&["Вперёд"]), 1));
        let done = world.nudge(&world.owner, &[boris, anna], "Go on").await.unwrap();
        assert_eq!(done, Nudged { nudged: vec![boris], skipped: vec![anna] });
        assert_eq!(world.told(&world.anna).await, (texts(&["Вперёд"]), 1));
        world.kurso.clock.advance(Duration::hours(24));
        world.nudge(&world.owner, &[anna], "Again").await.unwrap();
        assert_eq!(world.told(&world.anna).await, (texts(&["Again"]), 1), "the notice is renewed");
        assert_eq!((world.count("nudges").await, world.count("notices").await), (2, 2));
        let listed = students::list(&world.kurso, &world.owner, world.course, &Query::default(), Page::default()).await.unwrap();
        let nudged: Vec<_> = listed.data.iter().map(|student| student.last_nudged_at).collect();
        let now = world.kurso.clock.now();
        assert_eq!(nudged, [Some(now), Some(now - Duration::hours(24)), None]);
    }

    async fn concurrent_nudges_notify_a_student_once(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let anna = [world.enrollment(&world.anna).await];
        let (one, two) = tokio::join!(world.nudge(&world.teacher, &anna, "1"), world.nudge(&world.owner, &anna, "2"));
        assert_eq!(one.unwrap().nudged.len() + two.unwrap().nudged.len(), 1);
    }

    async fn only_the_owner_and_teachers_nudge_learners_of_the_course(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let anna = world.enrollment(&world.anna).await;
        for who in [&world.editor, &world.reviewer, &world.boris, &world.kurso.superuser("root").await] {
            assert!(is_forbidden(world.nudge(who, &[anna], "x").await), "{}", who.user.email);
        }
        assert!(is_missing(world.nudge(&world.stranger, &[anna], "x").await));
        let teacher = world.enroll(&world.teacher, None).await;
        let gone = EnrollmentId::new();
        let done = world.nudge(&world.owner, &[teacher, gone], "x").await.unwrap();
        assert_eq!(done, Nudged { nudged: vec![], skipped: vec![teacher, gone] });
        let audited = async || {
            let entries = sql!("SELECT detail FROM audit WHERE kind = 'students_nudged'");
            entries.fetch_all::<(String,)>(&world.kurso.db).await.unwrap()
        };
        assert_eq!((world.count("nudges").await, audited().await), (0, vec![]));
        world.nudge(&world.owner, &[anna], "x").await.unwrap();
        assert_eq!(audited().await, [("1".to_owned(),)]);
    }

    async fn the_mail_quotes_the_text_unless_the_student_has_left(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let (anna, boris) = (world.enrollment(&world.anna).await, world.enrollment(&world.boris).await);
        world.nudge(&world.teacher, &[anna, boris], "Осталось <две> страницы").await.unwrap();
        world.kurso.clock.advance(Duration::minutes(3));
        digest::queue_due(&world.kurso).await.unwrap();
        students::remove(&world.kurso, &world.owner, boris).await.unwrap();
        assert_eq!(world.told(&world.boris).await, (texts(&[]), 0));
        let mails = world.kurso.mails().await;
        assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["anna@example.com"]);
        assert!(mails[0].text.contains("Осталось <две> страницы"), "{}", mails[0].text);
        assert!(mails[0].html.contains("Осталось &lt;две&gt; страницы"), "{}", mails[0].html);
    }

    async fn the_number_of_statements_does_not_depend_on_the_students(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let (anna, boris) = (world.enrollment(&world.anna).await, world.enrollment(&world.boris).await);
        let vera = world.enrollment(&world.vera).await;
        let before = world.kurso.db.statements();
        world.nudge(&world.teacher, &[anna], "x").await.unwrap();
        let one = world.kurso.db.statements() - before;
        let before = world.kurso.db.statements();
        world.nudge(&world.teacher, &[boris, vera], "x").await.unwrap();
        assert_eq!(world.kurso.db.statements() - before, one);
    }

    async fn students_are_selected_by_state_and_by_page(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let view = CourseView::load(&world.kurso, &world.owner, world.course, Right::Edit).await.unwrap();
        let pages: Vec<_> = view.tree.pages.iter().map(|page| page.id).collect();
        assert_eq!(world.names(StudentState::NotStarted).await, texts(&["anna", "boris", "vera"]));
        mark_page_visited(&world.kurso, &world.anna, pages[0]).await.unwrap();
        for page in &pages {
            mark_page_visited(&world.kurso, &world.boris, *page).await.unwrap();
        }
        assert_eq!(world.names(StudentState::NotStarted).await, texts(&["vera"]));
        assert_eq!(world.names(StudentState::Stalled).await, texts(&[]));
        assert_eq!(world.names(StudentState::Late).await, texts(&[]));
        let stopped = |page, state| ProgressFilter { state, stopped_at: Some(page) };
        assert_eq!(world.matching(stopped(pages[0], None)).await, texts(&["anna"]));
        assert_eq!(world.matching(stopped(pages[1], None)).await, texts(&[]), "boris has completed the course");
        assert_eq!(world.matching(stopped(pages[0], Some(StudentState::NotStarted))).await, texts(&[]));
        assert_eq!(world.matching(stopped(kurso_base::ids::PageId::new(), None)).await, texts(&[]));
        let due = json!({"due_at": "2026-11-22T09:00:00Z"});
        page::update(&world.kurso, &world.owner, pages[0], None, command(&due)).await.unwrap();
        assert_eq!(world.names(StudentState::Late).await, texts(&[]), "the date is to come");
        world.kurso.clock.advance(Duration::days(7));
        assert_eq!(world.names(StudentState::Stalled).await, texts(&["anna"]), "boris has completed the course");
        assert_eq!(world.names(StudentState::Late).await, texts(&["vera"]));
        // An override gives Vera more time.
        let over = json!({"enrollment_id": world.enrollment(&world.vera).await, "page_id": pages[0], "due_at": "2027-01-01T00:00:00Z"});
        kurso_core::courses::overrides::set(&world.kurso, &world.owner, world.course, command(over)).await.unwrap().done().unwrap();
        assert_eq!(world.names(StudentState::Late).await, texts(&[]));
    }
}
