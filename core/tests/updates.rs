//! Updating a course by an import: the preview shows what happens to each page, and storing does exactly that.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::io::Write as _;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use kurso_base::error::Error;
use kurso_base::ids::{AttemptId, CourseId, JobId, PageId};
use kurso_base::messages::{Lang, Message};
use kurso_base::schedule::CourseDates;
use kurso_core::access::{Right, Viewer};
use kurso_core::drafts::{DateField, DatedPart};
use kurso_core::files::upload::Sink as _;
use kurso_core::imports::{self, Changes, Confirmed, Import, ImportUpload, Lost, Target};
use kurso_core::jobs::{self, State};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, begin_import, command, settled_import};
use kurso_core::{Kurso, both, courses, drafts};
use kurso_db::sql;
use kurso_formats::testing::folder;
use serde_json::json;

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
    let bytes = zip.finish().unwrap().into_inner();
    begin_import(kurso, who, "Курс.zip", bytes, fields).await
}

fn into(target: Target) -> Confirmed {
    Confirmed {
        into: Some(target),
        ..Confirmed::default()
    }
}

async fn changes(kurso: &Kurso, who: &Viewer, id: JobId) -> Changes {
    imports::preview(kurso, who, id).await.unwrap().changes.unwrap()
}

/// A course with the pages a, b and c, and a learner who visited b and attempted its quiz.
struct Fixture {
    ann: Viewer,
    course: CourseId,
    pages: Vec<PageId>,
    _stop: tokio::sync::watch::Sender<bool>,
}

async fn fixture(kurso: &TestKurso) -> Fixture {
    let ann = kurso.person("ann").await;
    let (stop, stopping) = tokio::sync::watch::channel(false);
    tokio::spawn(jobs::work(kurso.kurso.clone(), stopping));
    let made = begin(&kurso.kurso, &ann, &[COURSE, A, B, C], &[("preview", "false")]).await;
    let course = settled_import(kurso, &ann, made.id).await.course_id.unwrap();
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
    Fixture {
        ann,
        course,
        pages,
        _stop: stop,
    }
}

/// The enrollment has the same id as the course.
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
    async fn updates_are_previewed_and_kept_pages_keep_learner_data(kurso: TestKurso) {
        let Fixture { ann, course, pages, _stop } = fixture(&kurso).await;
        visit(&kurso, course, pages[0]).await;
        let id = course.to_string();
        let fields = [("course_id", id.as_str()), ("mode", "update")];
        let begun = begin(&kurso.kurso, &ann, &[COURSE, A_REWRITTEN, C, D], &fields).await;
        let ready = settled_import(&kurso, &ann, begun.id).await;
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

        imports::confirm(&kurso, &ann, begun.id, Confirmed::default()).await.unwrap();
        let done = settled_import(&kurso, &ann, begun.id).await;
        assert_eq!((done.state, done.course_id), (State::Done, Some(course)), "{done:?}");
        assert_eq!(visited(&kurso).await, [(pages[0],)]);
        let view = CourseView::load(&kurso, &ann, course, Right::Edit).await.unwrap();
        assert_eq!([view.page(0).id, view.page(1).id], [pages[0], pages[2]]);
        // The learner data lost is still reported after the page was deleted.
        assert_eq!(changes(&kurso, &ann, begun.id).await.lost(), lost);

        // Importing the same file again changes only the page without a key.
        let again = begin(&kurso.kurso, &ann, &[COURSE, A_REWRITTEN, C], &fields).await;
        settled_import(&kurso, &ann, again.id).await;
        let found = changes(&kurso, &ann, again.id).await;
        assert_eq!((found.stays, found.changed, found.new, found.goes, found.lost()), (2, 0, 0, 1, Lost::default()));
        let bob = kurso.person("bob").await;
        let mut upload = ImportUpload::begin(&kurso.kurso, &bob, None).await.unwrap();
        let refused = upload.field("course_id", &id).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::CourseNotFound))), "{refused:?}");
    }

    async fn updates_delete_only_pages_shown_in_the_preview(kurso: TestKurso) {
        let Fixture { ann, course, pages, _stop } = fixture(&kurso).await;
        let begun = begin(&kurso.kurso, &ann, &[COURSE, A_REWRITTEN, B, C], &[]).await;
        let ready = settled_import(&kurso, &ann, begun.id).await;
        assert!(imports::preview(&kurso, &ann, begun.id).await.unwrap().changes.is_none(), "{ready:?}");
        let compared = imports::confirm(&kurso, &ann, begun.id, into(Target::Update(course))).await.unwrap();
        assert!(!compared.is_storing, "first it is compared");
        let ready = settled_import(&kurso, &ann, begun.id).await;
        assert_eq!((ready.state, ready.into), (State::Ready, Target::Update(course)), "{ready:?}");
        let found = changes(&kurso, &ann, begun.id).await;
        assert_eq!((found.stays, found.changed, found.new, found.goes), (2, 1, 0, 0));

        // A page added after the preview is not in the file, and its deletion was not shown.
        let more = begin(&kurso.kurso, &ann, &[COURSE, ("1-m/1-l/1-e.md", "Ещё\n")],
            &[("course_id", &course.to_string()), ("preview", "false")]).await;
        assert_eq!(settled_import(&kurso, &ann, more.id).await.state, State::Done);
        imports::confirm(&kurso, &ann, begun.id, Confirmed::default()).await.unwrap();
        let failed = settled_import(&kurso, &ann, begun.id).await;
        assert_eq!(failed.state, State::Failed);
        let why = failed.failure.unwrap();
        assert_eq!(why.text(Lang::Ru), Message::ImportOutdated.text(Lang::Ru));
        let view = CourseView::load(&kurso, &ann, course, Right::Edit).await.unwrap();
        assert_eq!((view.sizes(), view.page(1).id), ((2, 2, 4), pages[1]));
        assert_eq!(visited(&kurso).await, [(pages[1],)]);

        // A comparison with one course does not delay storing into a new one.
        let begun = begin(&kurso.kurso, &ann, &[COURSE, A], &[("course_id", &course.to_string()), ("mode", "update")]).await;
        settled_import(&kurso, &ann, begun.id).await;
        imports::confirm(&kurso, &ann, begun.id, into(Target::New)).await.unwrap();
        let done = settled_import(&kurso, &ann, begun.id).await;
        assert_eq!(done.state, State::Done);
        assert_ne!(done.course_id, Some(course));
        assert!(imports::preview(&kurso, &ann, begun.id).await.unwrap().changes.is_none());
    }

    /// A course has more files than an update may copy each time, and more pages than it may write one by one.
    async fn an_update_neither_copies_stored_files_nor_writes_unchanged_pages(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join("course").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        };
        write("course.toml", COURSE.1.as_bytes());
        write("1-m/module.toml", b"title = \"m\"\nkey = \"m\"\n");
        write("1-m/1-l/lesson.toml", b"title = \"l\"\nkey = \"l\"\n");
        for n in 100..160 {
            let text = format!("+++\nkey = \"p{n}\"\n+++\n\n![a]({n}.png)\n");
            write(&format!("1-m/1-l/{n}-a.md"), text.as_bytes());
            write(&format!("1-m/1-l/{n}.png"), &[b"\x89PNG\r\n\x1a\n".as_slice(), n.to_string().as_bytes()].concat());
        }
        let read = || kurso_formats::read(&folder.path().join("course"), None, folder.path(), &mut kurso_formats::unwatched).unwrap();
        let (draft, mut report) = read();
        let stored = drafts::store::store(&kurso, ann.id(), draft, &mut report).await.unwrap();
        let course = stored.course_id;
        let scratch = tempfile::tempdir().unwrap();
        let compared = imports::preview_update(&kurso, &ann, course, &mut read().0, scratch.path()).await.unwrap();
        assert!(compared.dates.is_empty() && compared.pages.iter().all(|page| page.change == "stays"), "{compared:?}");
        let files = async || sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
        assert_eq!(files().await, 60);
        let before = kurso.db.statements();
        let (draft, mut report) = read();
        drafts::update(&kurso, &ann, course, draft, &mut report, scratch.path()).await.unwrap();
        let used = kurso.db.statements() - before;
        // Ten of them take the snapshot before.
        assert!(used < 40, "{used} statements");
        assert_eq!(files().await, 60);
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);

        // A file without a stored hash is copied; one whose bytes are lost is stored again.
        let keys = sql!("SELECT key FROM files ORDER BY key").fetch_all::<(String,)>(&kurso.db).await.unwrap();
        sql!("UPDATE files SET sha256 = NULL WHERE key = $1", &keys[0].0).execute(&kurso.db).await.unwrap();
        kurso.files.delete(&keys[1].0).await.unwrap();
        let (draft, mut report) = read();
        drafts::update(&kurso, &ann, course, draft, &mut report, scratch.path()).await.unwrap();
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 1);
        assert_eq!(files().await, 61);
    }

    async fn a_date_that_cannot_be_read_keeps_the_stored_one(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let all = |course: &str, module: &str, lesson: &str, page: &str| {
            write("course.toml", &format!("title = \"Курс\"\n{course}"));
            write("1-m/module.toml", &format!("title = \"m\"\nkey = \"m\"\n{module}"));
            write("1-m/1-l/lesson.toml", &format!("title = \"l\"\nkey = \"l\"\n{lesson}"));
            write("1-m/1-l/1-a.md", &format!("+++\nkey = \"a\"\n{page}+++\n\nПервая\n"));
        };
        let read = || kurso_formats::read(folder.path(), None, folder.path(), &mut kurso_formats::unwatched).unwrap();
        let due = "due_at = 2026-12-01T10:00\n";
        all("time_zone = \"Europe/Moscow\"\nstarts_at = 2026-09-01\n", due, due, due);
        let (draft, mut report) = read();
        let course = drafts::store::store(&kurso, ann.id(), draft, &mut report).await.unwrap().course_id;
        let scratch = tempfile::tempdir().unwrap();
        let update = async || {
            let (draft, mut report) = read();
            drafts::update(&kurso, &ann, course, draft, &mut report, scratch.path()).await.unwrap();
            let told: Vec<_> = report.entries.iter().map(|entry| entry.to_line(Lang::En)).collect();
            let view = CourseView::load(&kurso, &ann, course, Right::Edit).await.unwrap();
            let dues = [view.module(0).own_dates().due_at, view.lesson(0).own_dates().due_at, view.page(0).own_dates().0.due_at];
            let hours = dues.map(|due| due.map(|due| due.format("%d %H").to_string()));
            (told, view.course.dates.time_zone, view.course.dates.starts_at, hours)
        };
        let at = |text: &str| Some(text.to_owned());
        let (told, zone, starts_at, dues) = update().await;
        assert_eq!((told, &zone, &dues), (vec![], &at("Europe/Moscow"), &[at("01 07"), at("01 07"), at("01 07")]));

        all("time_zone = \"Europe/Moscow\"\nstarts_at = 2026-09-01\n", "due_at = \"soon\"\n", "due_at = 2026-12-02T10:00:00Z\n", "");
        let (told, _, _, dues) = update().await;
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("1-m/module.toml:1"), "{told:?}");
        assert_eq!(dues, [at("01 07"), at("02 10"), None], "a date that is left out is cleared");

        // What local times mean in an unknown zone is unknown.
        all("time_zone = \"Europe/Kitezh\"\nstarts_at = 2027-01-01\n", "due_at = 2026-12-05\n", "due_at = 2026-12-03T10:00:00Z\n", due);
        let (told, kept, started, dues) = update().await;
        assert_eq!((kept, started, dues), (zone, starts_at, [at("01 07"), at("03 10"), None]), "an instant needs no zone");
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told.iter().all(|line| line.contains("time zone")), "{told:?}");
    }

    async fn the_preview_names_the_dates_that_change(kurso: TestKurso) {
        let Fixture { ann, course, pages, _stop } = fixture(&kurso).await;
        let due = json!({"due_at": "2026-12-01", "available_until": "2026-12-05", "available_from": "2026-11-01"});
        courses::page::update(&kurso, &ann, pages[0], None, command(&due)).await.unwrap();
        courses::course::update(&kurso, &ann, course, command(json!({"starts_at": "2026-09-01"}))).await.unwrap();
        let id = course.to_string();
        let fields = [("course_id", id.as_str()), ("mode", "update")];
        let file = ("1-m/1-l/1-a.md", "+++\nkey = \"a\"\navailable_from = 2026-11-01\ndue_at = 2026-12-02\n+++\n\nA\n");
        let new = ("1-m/1-l/9-new.md", "+++\ndue_at = 2026-12-02\n+++\n\nNew\n");
        let begun = begin(&kurso.kurso, &ann, &[COURSE, file, new], &fields).await;
        settled_import(&kurso, &ann, begun.id).await;
        let found = changes(&kurso, &ann, begun.id).await;
        let at = |at: Option<DateTime<Utc>>| at.map(|at| at.format("%d.%m").to_string());
        let told: Vec<_> = found.dates.iter().map(|date| (date.part, date.field, at(date.before), at(date.after))).collect();
        let day = |text: &str| Some(text.to_owned());
        assert_eq!(told, [
            (DatedPart::Course, DateField::StartsAt, day("01.09"), None),
            (DatedPart::Page, DateField::AvailableUntil, day("05.12"), None),
            (DatedPart::Page, DateField::DueAt, day("01.12"), day("02.12")),
        ], "neither what stays nor what is new");
        assert_eq!(found.omitted_dates, 0);
    }

    async fn flags_that_cannot_be_read_keep_the_stored_ones(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let folder = folder(&[("1-m/1-l/1-a.md", "Первая\n")]);
        let read = |course: &str| {
            std::fs::write(folder.path().join("course.toml"), course).unwrap();
            kurso_formats::read(folder.path(), None, folder.path(), &mut kurso_formats::unwatched).unwrap()
        };
        let (draft, mut report) = read("sequential = true\nhide_locked_titles = true\n");
        let course = drafts::store::store(&kurso, ann.id(), draft, &mut report).await.unwrap().course_id;
        let scratch = tempfile::tempdir().unwrap();
        let update = async |text: &str| {
            let (draft, mut report) = read(text);
            drafts::update(&kurso, &ann, course, draft, &mut report, scratch.path()).await.unwrap();
            let dates = CourseView::load(&kurso, &ann, course, Right::Edit).await.unwrap().course.dates.clone();
            (dates.sequential, dates.hide_locked_titles)
        };
        for bad in ["title = Курс\n", "sequential = \"yes\"\n", "sequential = true\nhide_locked_titles = 1\n"] {
            assert_eq!(update(bad).await, (true, true), "{bad}");
        }
        assert_eq!(update("sequential = true\nstarts_at = \"soon\"\n").await, (true, false), "flags that can be read are taken");
        assert_eq!(update("").await, (false, false), "flags that are left out are cleared");
    }

    async fn prerequisites_that_cannot_be_read_keep_the_stored_ones(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let folder = folder(&[("course.toml", "title = \"C\"\n"), ("1-m/1-a/1-a.md", "a\n"), ("1-m/1-a/lesson.toml", "key = \"a\"\n"), ("1-m/2-b/1-b.md", "b\n")]);
        let read = |lesson: &str| {
            std::fs::write(folder.path().join("1-m/2-b/lesson.toml"), lesson).unwrap();
            kurso_formats::read(folder.path(), None, folder.path(), &mut kurso_formats::unwatched).unwrap()
        };
        let (draft, mut report) = read("key = \"b\"\nprerequisites = [\"a\"]\n");
        let course = drafts::store::store(&kurso, ann.id(), draft, &mut report).await.unwrap().course_id;
        let scratch = tempfile::tempdir().unwrap();
        let update = async |text: &str| {
            let (draft, mut report) = read(text);
            drafts::update(&kurso, &ann, course, draft, &mut report, scratch.path()).await.unwrap();
            let view = CourseView::load(&kurso, &ann, course, Right::Edit).await.unwrap();
            let told = report.entries.len();
            (view.lesson(1).prerequisites.len(), told)
        };
        for bad in ["prerequisites = \"a\"\n", "prerequisites = [1]\n", "prerequisites = { a = 1 }\n"] {
            assert_eq!(update(&format!("key = \"b\"\n{bad}")).await, (1, 1), "{bad}");
        }
        assert_eq!(update("key = \"b\"\nprerequisites = []\n").await, (0, 0), "an empty list clears them");
        update("key = \"b\"\nprerequisites = [\"a\"]\n").await;
        assert_eq!(update("key = \"b\"\n").await, (0, 0), "so does a field that is left out");
    }

    async fn a_damaged_file_of_a_cartridge_clears_no_dates_flags_and_prerequisites(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let part = |key: &str| format!(
            "<item identifier=\"kmod_m{key}\"><title>{key}</title><item identifier=\"kles_l{key}\"><title>{key}</title>\
             <item identifier=\"i_{key}\" identifierref=\"kpage_p{key}\"><title>{key}</title></item></item></item>"
        );
        let file = |key: &str| format!("<resource identifier=\"kpage_p{key}\" type=\"webcontent\" href=\"{key}.html\"><file href=\"{key}.html\"/></resource>");
        let manifest = format!(
            "<manifest><organizations><organization><item>{}{}</item></organization></organizations><resources>{}{}</resources></manifest>",
            part("a"), part("b"), file("a"), file("b"),
        );
        let folder = folder(&[("imsmanifest.xml", &manifest), ("a.html", "<p>a</p>"), ("b.html", "<p>b</p>"), ("kurso/course.xml", "")]);
        let read = |text: &str| {
            std::fs::write(folder.path().join("kurso/course.xml"), text).unwrap();
            kurso_formats::read(folder.path(), None, folder.path(), &mut kurso_formats::unwatched).unwrap()
        };
        let due = "due_at=\"2026-12-01T10:00:00Z\"";
        let good = format!(
            "<course sequential=\"true\" hide_locked_titles=\"true\" starts_at=\"2026-09-01T00:00:00Z\"><module identifier=\"kmod_mb\" needs=\"kmod_ma\" {due}/>\
             <lesson identifier=\"kles_lb\" needs=\"kles_la\" {due}/><page identifier=\"kpage_pb\" {due}/></course>"
        );
        let (draft, mut report) = read(&good);
        let course = drafts::store::store(&kurso, ann.id(), draft, &mut report).await.unwrap().course_id;
        let stored = async || {
            let view = CourseView::load(&kurso, &ann, course, Right::Edit).await.unwrap();
            let (module, lesson) = (view.module(1), view.lesson(1));
            let dates = (view.course.dates.clone(), module.own_dates(), lesson.own_dates(), view.page(1).own_dates());
            (dates, module.prerequisites.clone(), lesson.prerequisites.clone())
        };
        let before = stored().await;
        assert!(before.0.0.sequential && before.0.0.starts_at.is_some() && before.0.3.0.due_at.is_some());
        assert_eq!((before.1.len(), before.2.len()), (1, 1));
        let scratch = tempfile::tempdir().unwrap();
        for damaged in ["", "<course sequential=\"true\"><module"] {
            let (draft, mut report) = read(damaged);
            drafts::update(&kurso, &ann, course, draft, &mut report, scratch.path()).await.unwrap();
            assert_eq!(stored().await, before, "{damaged}");
        }
        let (draft, mut report) = read("<course/>");
        drafts::update(&kurso, &ann, course, draft, &mut report, scratch.path()).await.unwrap();
        let after = stored().await;
        assert_eq!((after.0.0, after.1.len(), after.2.len()), (CourseDates::default(), 0, 0), "what is left out is cleared");
    }
}
