//! Snapshots that are taken before changes.

use std::time::Instant;

use chrono::Duration;
use kurso_base::dates_entries::DatesEntries;
use kurso_base::ids::{CourseId, SnapshotId};
use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_base::values::Checked as _;
use kurso_core::both;
use kurso_core::courses::page::{self, publishing};
use kurso_core::courses::set_dates::{SetDates, set_dates};
use kurso_core::courses::tree::PageKind;
use kurso_core::drafts::{self, store};
use kurso_core::learning::mark_page_visited;
use kurso_core::regrades::{self, PastAttempts, Plan};
use kurso_core::snapshots::{self, MAX_AUTOMATIC, SnapshotReason};
use kurso_core::testing::command;
use kurso_db::sql;
use kurso_formats::Report;
use kurso_formats::keys::key_of;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{World, document, numeric};

impl World {
    async fn set_dates(&self, dates: Value) {
        let dates = DatesEntries::check(dates).unwrap();
        let command = SetDates {
            dates,
            shift_days: None,
        };
        set_dates(&self.kurso, &self.owner, self.course, command).await.unwrap();
    }

    /// Gives two pages another deadline.
    async fn move_deadlines(&self, day: usize) {
        let pages = self.pages().await;
        let due = format!("2027-01-{:02}", day % 28 + 1);
        self.set_dates(json!([{"page_id": pages[1], "due_at": due}, {"page_id": pages[3], "due_at": due}]))
            .await;
    }

    /// An automatic snapshot.
    pub async fn automatic(&self) -> SnapshotId {
        self.move_deadlines(0).await;
        self.move_deadlines(1).await;
        self.list().await[0].id
    }

    async fn reasons(&self) -> Vec<SnapshotReason> {
        self.list().await.iter().map(|one| one.reason).collect()
    }

    async fn draft(&self, at: usize) -> PageDraftEntry {
        let page_id = self.pages().await[at];
        let body = json!({"draft": true, "title": Uuid::now_v7().to_string()});
        let draft = page::update(&self.kurso, &self.owner, page_id, None, command(body))
            .await
            .unwrap();
        let page_version = page::get(&self.kurso, &self.owner, page_id).await.unwrap().version;
        PageDraftEntry {
            page_id,
            version: draft.version,
            page_version,
        }
    }
}

both! {
    async fn dates_of_several_parts_are_changed_after_a_snapshot(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let pages = w.pages().await;
        w.set_dates(json!([{"page_id": pages[1], "due_at": "2027-01-01"}])).await;
        assert_eq!(w.list().await, [], "one part");
        w.move_deadlines(1).await;
        let taken = w.list().await.remove(0);
        assert_eq!((taken.reason, taken.name), (SnapshotReason::BeforeBulkChange, None));
        assert_eq!(taken.expires_at, Some(w.kurso.clock.now() + Duration::days(30)));
        w.move_deadlines(1).await;
        assert_eq!(w.list().await.len(), 1, "nothing was changed");
        let changes = w.changes(taken.id, None).await;
        assert_eq!(changes.changed.len(), 2);
        w.restore(taken.id).await;
        let due = w.view().await.tree.pages.iter().map(|page| page.own_dates().0.due_at.is_some()).collect::<Vec<_>>();
        assert_eq!((due[1], due[3]), (true, false));
    }

    async fn an_unchanged_course_keeps_its_last_snapshot_instead(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let named = w.take("x").await;
        // Learners change nothing that a snapshot has.
        let learner = w.kurso.person("learner").await;
        let code = kurso_core::courses::generate_share_code(&w.kurso, &w.owner, w.course).await.unwrap().share_code.unwrap();
        kurso_core::learning::enroll(&w.kurso, &learner, &Default::default(), &code).await.unwrap();
        mark_page_visited(&w.kurso, &learner, w.pages().await[0]).await.unwrap();
        w.move_deadlines(1).await;
        assert_eq!(w.list().await.iter().map(|one| one.id).collect::<Vec<_>>(), [named]);
        w.move_deadlines(2).await;
        let second = w.list().await.remove(0);
        assert_ne!(second.id, named);
        // Restoring it makes the course equal, but by new changes.
        w.kurso.clock.advance(Duration::days(20));
        let restored = w.restore(second.id).await;
        assert_eq!(restored.before.reason, SnapshotReason::BeforeRestore);
        w.kurso.clock.advance(Duration::days(20));
        assert_eq!(snapshots::delete_expired(&w.kurso).await.unwrap(), 1, "the one before the dates");
        assert_eq!(w.list().await.len(), 2);
        // A draft is a change.
        w.draft(0).await;
        w.move_deadlines(5).await;
        assert_eq!(w.list().await.len(), 3);
    }

    async fn publishing_several_drafts_takes_a_snapshot(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let importance = page::Importance::default;
        let one = PageDraftEntries(vec![w.draft(0).await]);
        publishing::publish(&w.kurso, &w.owner, w.course, &one, importance()).await.unwrap();
        assert_eq!(w.list().await, []);
        let two = PageDraftEntries(vec![w.draft(0).await, w.draft(2).await]);
        publishing::publish(&w.kurso, &w.owner, w.course, &two, importance()).await.unwrap();
        assert_eq!(w.reasons().await, [SnapshotReason::BeforeBulkChange]);
        let pages = PageDraftEntries(vec![w.draft(1).await, w.draft(3).await]);
        let plan = Plan { pages, past_attempts: Some(PastAttempts::Regrade), removed_questions: None };
        regrades::consequences(&w.kurso, &w.owner, w.course, &plan).await.unwrap();
        assert_eq!(w.list().await.len(), 1, "nothing was published");
        regrades::publish(&w.kurso, &w.owner, w.course, &plan, importance(), None).await.unwrap();
        let taken = w.list().await;
        assert_eq!(taken.len(), 2);
        // The snapshot has the drafts, which restoring brings back.
        w.restore(taken[0].id).await;
        assert_eq!(page::draft::list(&w.kurso, &w.owner, w.course).await.unwrap().len(), 2);
    }

    async fn imports_into_a_course_take_a_snapshot(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let scratch = tempfile::tempdir().unwrap();
        let load = async || drafts::load(&w.kurso, w.course, Some(w.owner.id()), scratch.path()).await.unwrap();
        let mut draft = load().await;
        draft.title = "Другой".into();
        // A file has keys.
        for module in &mut draft.modules {
            module.key = Some(key_of(module.id));
            for lesson in &mut module.lessons {
                lesson.key = Some(key_of(lesson.id));
                lesson.pages.iter_mut().for_each(|page| page.key = Some(key_of(page.id)));
            }
        }
        drafts::update(&w.kurso, &w.owner, w.course, draft, &mut Report::default(), scratch.path()).await.unwrap();
        assert_eq!(w.reasons().await, [SnapshotReason::BeforeImport]);
        let mut more = load().await;
        more.modules.truncate(1);
        more.modules[0].id = Uuid::now_v7();
        more.modules[0].lessons.clear();
        more.modules[0].key = None;
        store::append(&w.kurso, &w.owner, w.course, more, &mut Report::default(), None).await.unwrap();
        let taken = w.list().await;
        assert_eq!(taken.iter().map(|one| one.reason).collect::<Vec<_>>(), [SnapshotReason::BeforeImport; 2]);
        w.restore(taken[1].id).await;
        let view = w.view().await;
        assert_eq!((view.course.title.as_str(), view.tree.modules.len(), view.tree.pages.len()), ("Курс", 2, 8));
    }

    async fn few_automatic_snapshots_are_kept(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let named = w.take("x").await;
        let kept = usize::try_from(MAX_AUTOMATIC).unwrap();
        for day in 0..kept + 3 {
            w.kurso.clock.advance(Duration::seconds(1));
            w.move_deadlines(day).await;
        }
        let list = w.list().await;
        assert_eq!((list.len(), list.last().unwrap().id), (kept + 1, named));
        // A name keeps it.
        let chosen = list[kept - 1].id;
        let renamed = snapshots::rename(&w.kurso, &w.owner, chosen, command(json!({"name": "Важный"}))).await.unwrap();
        assert_eq!((renamed.reason, renamed.expires_at), (SnapshotReason::BeforeBulkChange, None));
        w.kurso.clock.advance(Duration::days(30));
        assert_eq!(snapshots::delete_expired(&w.kurso).await.unwrap(), MAX_AUTOMATIC as u64 - 1);
        assert_eq!(w.list().await.iter().map(|one| one.id).collect::<Vec<_>>(), [chosen, named]);
    }

    async fn a_snapshot_of_a_large_course_is_fast(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let lesson = vec![PageKind::Content; 25];
        let module: Vec<&[PageKind]> = vec![&lesson; 10];
        let course: CourseId = w.kurso.course(&w.owner, &[&module[..], &module[..]]).await;
        // Eight kilobytes of different words on each page.
        let texts = sql!("SELECT p.id FROM pages p WHERE p.course_id = $1", course).fetch_all::<(Uuid,)>(&w.kurso.db).await.unwrap();
        for (n, (page,)) in texts.iter().enumerate() {
            let words: Vec<String> = (0..1000_usize).map(|word| format!("{:x}", (word * 7919 + n * 104_729) % 65_521)).collect();
            let text = document(&words.join(" ")).to_string();
            sql!("UPDATE page_contents SET content = $2 WHERE page_id = $1", *page, text).execute(&w.kurso.db).await.unwrap();
        }
        let w = World { course, ..w };
        let pages = w.pages().await;
        let mut took = vec![];
        for due in ["2027-01-01", "2027-01-01", "2027-01-02"] {
            let started = Instant::now();
            w.set_dates(pages.iter().map(|page| json!({"page_id": page, "available_from": due})).collect()).await;
            took.push(started.elapsed());
        }
        let size = w.list().await[0].size;
        println!("{}: setting 500 dates with a snapshot {:?}, unchanged {:?}, with another snapshot {:?}; {size} bytes", w.kurso.db.name(), took[0], took[1], took[2]);
        assert_eq!(w.list().await.len(), 2);
        assert!(took[0] < std::time::Duration::from_secs(5), "{took:?}");
    }
}

#[test]
fn the_quiz_of_the_world_is_a_quiz() {
    assert!(kurso_formats::quiz::read(&numeric(4)).is_ok());
}
