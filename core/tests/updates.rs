//! A course updated by an import: what would happen to each page is shown first, and nothing else happens then.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use kurso_core::access::{Right, Viewer};
use kurso_core::error::Error;
use kurso_core::files::upload::Sink as _;
use kurso_core::ids::{AttemptId, CourseId, JobId, PageId};
use kurso_core::imports::{self, Changes, Import, ImportUpload, Into as Target, Lost};
use kurso_core::jobs::{self, State};
use kurso_core::learning::view::CourseView;
use kurso_core::messages::{Lang, Message};
use kurso_core::testing::TestKurso;
use kurso_core::{Kurso, both, sql};

const COURSE: (&str, &str) = ("course.toml", "title = \"Курс\"\n");
const A: (&str, &str) = ("1-m/1-l/1-a.md", "+++\nkey = \"a\"\n+++\n\nПервая\n");
const B: (&str, &str) = ("1-m/1-l/2-b.md", "+++\nkey = \"b\"\n+++\n\nВторая\n");
const C: (&str, &str) = ("1-m/1-l/3-c.md", "+++\nkey = \"c\"\n+++\n\nТретья\n");
const A_REWRITTEN: (&str, &str) = ("1-m/1-l/1-a.md", "+++\nkey = \"a\"\n+++\n\nПервая, поправленная\n");
const D: (&str, &str) = ("1-m/1-l/4-d.md", "Новая\n");

async fn begin(kurso: &Arc<Kurso>, who: &Viewer, entries: &[(&str, &str)], fields: &[(&str, &str)]) -> Import {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let mut upload = ImportUpload::begin(kurso, who, None).await.unwrap();
    for (name, value) in fields {
        upload.field(name, (*value).to_owned()).await.unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    upload.write(Bytes::from(bytes)).await.unwrap();
    upload.finish("Курс.zip").await.unwrap()
}

async fn settled(kurso: &Kurso, who: &Viewer, id: JobId) -> Import {
    for _ in 0..600 {
        let import = imports::get(kurso, who, id).await.unwrap();
        if import.state.is_end() || import.state == State::Ready {
            return import;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:?}", imports::get(kurso, who, id).await);
}

async fn changes(kurso: &Kurso, who: &Viewer, id: JobId) -> Changes {
    imports::preview(kurso, who, id).await.unwrap().changes.unwrap()
}

/// A course of the pages a, b and c, and somebody who was on b and tried its quiz, as it were.
struct World {
    ann: Viewer,
    course: CourseId,
    pages: Vec<PageId>,
    _stop: tokio::sync::watch::Sender<bool>,
}

async fn world(kurso: &TestKurso) -> World {
    let ann = kurso.person("ann").await;
    let (stop, stopping) = tokio::sync::watch::channel(false);
    tokio::spawn(jobs::work(kurso.kurso.clone(), stopping));
    let made = begin(&kurso.kurso, &ann, &[COURSE, A, B, C], &[("preview", "false")]).await;
    let course = settled(kurso, &ann, made.id).await.course_id.unwrap();
    let view = CourseView::load(kurso, &ann, course, Right::Edit).await.unwrap();
    let pages: Vec<PageId> = (0..3).map(|place| view.page(place).id).collect();
    let learner = kurso.person("learner").await;
    sql!(
        "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
        course.0,
        course,
        learner.id(),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    visit(kurso, course, pages[1]).await;
    sql!(
        "INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent,
             passed, submitted_at) VALUES ($1, $2, $3, 1, 1, '[]', '[]', 0, 1, 0, FALSE, $4)",
        AttemptId::new(),
        course.0,
        pages[1],
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    World {
        ann,
        course,
        pages,
        _stop: stop,
    }
}

/// The enrollment has the course's id.
async fn visit(kurso: &TestKurso, course: CourseId, page: PageId) {
    let visit = sql!(
        "INSERT INTO visits (enrollment_id, page_id, visited_at) VALUES ($1, $2, $3)",
        course.0,
        page,
        kurso.clock.now()
    );
    visit.execute(&kurso.db).await.unwrap();
}

async fn visited(kurso: &TestKurso) -> Vec<(PageId,)> {
    let visits = sql!("SELECT page_id FROM visits ORDER BY page_id");
    visits.fetch_all(&kurso.db).await.unwrap()
}

both! {
    async fn what_an_update_would_do_is_shown_and_what_stays_keeps_its_learners(kurso: TestKurso) {
        let World { ann, course, pages, _stop } = world(&kurso).await;
        visit(&kurso, course, pages[0]).await;
        let id = course.to_string();
        let fields = [("course_id", id.as_str()), ("mode", "update")];
        let begun = begin(&kurso.kurso, &ann, &[COURSE, A_REWRITTEN, C, D], &fields).await;
        let ready = settled(&kurso, &ann, begun.id).await;
        assert_eq!((ready.state, ready.is_storing, ready.into), (State::Ready, false, Target::Update(course)), "{ready:?}");
        let found = changes(&kurso, &ann, begun.id).await;
        assert_eq!((found.stays, found.changed, found.new, found.goes, found.omitted), (1, 1, 1, 1, 0));
        let told: Vec<_> = found.pages.iter().map(|page| (page.change.as_str(), page.page, page.number)).collect();
        assert_eq!(told, [
            ("goes", Some(pages[1]), 2), ("changed", Some(pages[0]), 1), ("new", None, 3), ("stays", Some(pages[2]), 2),
        ]);
        assert_eq!((found.pages[0].module.as_str(), found.pages[0].lesson.as_str()), ("m", "l"));
        let lost = Lost { visits: 1, attempts: 1 };
        assert_eq!((found.pages[0].lost, found.pages[1].lost, found.lost()), (lost, Lost::default(), lost));

        imports::confirm(&kurso, &ann, begun.id, None).await.unwrap();
        let done = settled(&kurso, &ann, begun.id).await;
        assert_eq!((done.state, done.course_id), (State::Done, Some(course)), "{done:?}");
        assert_eq!(visited(&kurso).await, [(pages[0],)]);
        let view = CourseView::load(&kurso, &ann, course, Right::Edit).await.unwrap();
        assert_eq!([view.page(0).id, view.page(1).id], [pages[0], pages[2]]);
        // What was lost is still told when the page is gone.
        assert_eq!(changes(&kurso, &ann, begun.id).await.lost(), lost);

        // The same file once more: nothing would happen but to the page that has no key.
        let again = begin(&kurso.kurso, &ann, &[COURSE, A_REWRITTEN, C], &fields).await;
        settled(&kurso, &ann, again.id).await;
        let found = changes(&kurso, &ann, again.id).await;
        assert_eq!((found.stays, found.changed, found.new, found.goes, found.lost()), (2, 0, 0, 1, Lost::default()));
        let bob = kurso.person("bob").await;
        let mut upload = ImportUpload::begin(&kurso.kurso, &bob, None).await.unwrap();
        let refused = upload.field("course_id", id.clone()).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::CourseNotFound))), "{refused:?}");
    }

    async fn a_course_is_compared_before_it_is_updated_and_a_page_nobody_was_shown_stays(kurso: TestKurso) {
        let World { ann, course, pages, _stop } = world(&kurso).await;
        let begun = begin(&kurso.kurso, &ann, &[COURSE, A_REWRITTEN, B, C], &[]).await;
        let ready = settled(&kurso, &ann, begun.id).await;
        assert!(imports::preview(&kurso, &ann, begun.id).await.unwrap().changes.is_none(), "{ready:?}");
        let compared = imports::confirm(&kurso, &ann, begun.id, Some(Target::Update(course))).await.unwrap();
        assert!(!compared.is_storing, "first it is compared");
        let ready = settled(&kurso, &ann, begun.id).await;
        assert_eq!((ready.state, ready.into), (State::Ready, Target::Update(course)), "{ready:?}");
        let found = changes(&kurso, &ann, begun.id).await;
        assert_eq!((found.stays, found.changed, found.new, found.goes), (2, 1, 0, 0));

        // Somebody adds a page meanwhile: the file does not have it, and nobody was told that it would go.
        let more = begin(&kurso.kurso, &ann, &[COURSE, ("1-m/1-l/1-e.md", "Ещё\n")],
            &[("course_id", &course.to_string()), ("preview", "false")]).await;
        assert_eq!(settled(&kurso, &ann, more.id).await.state, State::Done);
        imports::confirm(&kurso, &ann, begun.id, None).await.unwrap();
        let failed = settled(&kurso, &ann, begun.id).await;
        assert_eq!(failed.state, State::Failed);
        let why = failed.failure.unwrap();
        assert_eq!(why.text(Lang::Ru), Message::ImportOutdated.text(Lang::Ru));
        let view = CourseView::load(&kurso, &ann, course, Right::Edit).await.unwrap();
        assert_eq!((view.sizes(), view.page(1).id), ((2, 2, 4), pages[1]));
        assert_eq!(visited(&kurso).await, [(pages[1],)]);

        // What was compared with one course and is confirmed into a new one is stored at once.
        let begun = begin(&kurso.kurso, &ann, &[COURSE, A], &[("course_id", &course.to_string()), ("mode", "update")]).await;
        settled(&kurso, &ann, begun.id).await;
        imports::confirm(&kurso, &ann, begun.id, Some(Target::New)).await.unwrap();
        let done = settled(&kurso, &ann, begun.id).await;
        assert_eq!(done.state, State::Done);
        assert_ne!(done.course_id, Some(course));
        assert!(imports::preview(&kurso, &ann, begun.id).await.unwrap().changes.is_none());
    }
}
