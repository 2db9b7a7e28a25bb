//! What keeps an update from being stored, and what it keeps.

use kurso_base::ids::LessonId;
use kurso_base::schedule::Dates;
use kurso_formats::{LessonDraft, ModuleDraft, PageDraft, content};
use serde_json::json;

use super::*;
use crate::both;
use crate::courses::tree::PageKind::Quiz;
use crate::courses::{groups, lesson, overrides};
use crate::learning::stored_progress;
use crate::testing::{TestKurso, command};

/// Whether the course, which was loaded for an update, may be written now.
async fn is_unchanged(kurso: &TestKurso, course: CourseId, loaded: &Loaded) -> bool {
    let now = kurso.clock.now();
    let mut tx = courses::begin_job(&kurso.db, course, Scope::Structure(now))
        .await
        .unwrap();
    let unchanged = require_unchanged(&mut tx, course, loaded).await;
    tx.rollback().await.unwrap();
    unchanged.is_ok()
}

both! {
    async fn only_a_change_of_what_a_draft_has_makes_an_update_fail(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Quiz, Quiz]]]).await;
        let scratch = tempfile::tempdir().unwrap();
        let loaded = load_stored(&kurso, course, scratch.path()).await.unwrap();
        assert!(is_unchanged(&kurso, course, &loaded).await);
        let group = groups::create(&kurso, &owner, course, command(json!({"title": "А"}))).await.unwrap().id;
        let page = loaded.draft.pages().next().unwrap().id;
        let more = json!({"group_id": group, "page_id": page, "due_at": "2026-12-01", "extra_attempts": 1});
        let set = overrides::set(&kurso, &owner, course, command(more)).await.unwrap().done().unwrap();
        assert!(is_unchanged(&kurso, course, &loaded).await, "an extension");
        overrides::delete(&kurso, &owner, set.id, None).await.unwrap();
        stored_progress::number_pages(&kurso.db, course).await.unwrap();
        assert!(is_unchanged(&kurso, course, &loaded).await, "the first visit of a learner");
        let id = LessonId(loaded.draft.lessons().next().unwrap().id);
        for change in [json!({"title": "Другой"}), json!({"due_at": "2026-12-01"})] {
            let loaded = load_stored(&kurso, course, scratch.path()).await.unwrap();
            lesson::update(&kurso, &owner, id, command(change)).await.unwrap();
            assert!(!is_unchanged(&kurso, course, &loaded).await);
        }
        let loaded = load_stored(&kurso, course, scratch.path()).await.unwrap();
        kurso.page(course, id, 2, Quiz, true).await;
        assert!(!is_unchanged(&kurso, course, &loaded).await, "a page more");
    }
}

#[test]
fn the_dates_of_many_pages_are_kept_in_linear_time() {
    let ids: Vec<Uuid> = (0..20_000).map(|_| Uuid::now_v7()).collect();
    let course = |due_at| {
        let dates = Dates {
            due_at,
            ..Dates::default()
        };
        let pages = ids.iter().map(|id| PageDraft {
            id: *id,
            dates,
            ..PageDraft::new(None, content::empty(), "a.md")
        });
        let lesson = LessonDraft::new("L", pages.collect());
        CourseDraft::new("C", vec![ModuleDraft::new("M", vec![lesson])])
    };
    let due = Some("2026-12-01T10:00:00Z".parse().unwrap());
    let (stored, mut draft) = (course(due), course(None));
    draft.unread_dates.parts = ids.iter().copied().collect();
    let started = std::time::Instant::now();
    dates::keep_unread(&mut draft, &stored, Some);
    assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
    assert!(draft.pages().all(|page| page.dates.due_at == due));
}
