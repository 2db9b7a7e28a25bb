//! What authors put into a course: its pages with their history and drafts, team, regrades, snapshots and imports.

use kurso_base::ids::{CourseId, InvitationId, JobId, ModuleId, PageId, SnapshotId, UserId};
use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_core::access::Viewer;
use kurso_core::courses::tree::PageKind::{self, Content};
use kurso_core::courses::{module, page};
use kurso_core::regrades::{self, PastAttempts, Plan};
use kurso_core::snapshots;
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::{Value, json};

/// A course with `size` modules, `size` lessons in the first module, and the pages in the first lesson.
pub async fn course(kurso: &TestKurso, owner: &Viewer, pages: &[PageKind], size: usize) -> CourseId {
    let small: &[PageKind] = &[Content];
    let lessons = [&[pages][..], &vec![small; size - 1][..]].concat();
    let module: &[&[PageKind]] = &[small];
    let modules = [&[&lessons[..]][..], &vec![module; size - 1][..]].concat();
    kurso.course(owner, &modules).await
}

pub async fn team(kurso: &TestKurso, course: CourseId, people: &[Viewer]) {
    let now = kurso.clock.now();
    for person in people {
        let email = format!("invited.{}", person.user.email);
        kurso.collaborator(course, person, "editor").await;
        sql!(
            "INSERT INTO invitations (id, course_id, email, email_key, role, created_at, expires_at)
             VALUES ($1, $2, $3, $3, 'teacher', $4, $4)",
            InvitationId::new(),
            course,
            email,
            now
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
}

/// Regrades the attempts at a quiz `size` times, and saves another draft of it.
pub async fn regrades(kurso: &TestKurso, owner: &Viewer, course: CourseId, page: PageId, size: usize) -> (i64, i64) {
    let mut plan = None;
    for points in 2..=size + 2 {
        if let Some(plan) = plan.take() {
            regrades::publish(kurso, owner, course, &plan, page::Importance::default(), None)
                .await
                .unwrap();
        }
        let stored = page::get(kurso, owner, page).await.unwrap();
        let mut quiz: Value = serde_json::from_str(&stored.quiz.unwrap()).unwrap();
        quiz["questions"][0]["points"] = json!(points);
        // Its picture is not stored.
        let questions = quiz["questions"].as_array_mut().unwrap();
        questions.retain(|question| question["type"] != "hotspot");
        let body = command(json!({"draft": true, "quiz": quiz}));
        let draft = page::update(kurso, owner, page, None, body).await.unwrap();
        let entry = PageDraftEntry {
            page_id: page,
            version: draft.version,
            page_version: stored.version,
        };
        plan = Some(Plan {
            pages: PageDraftEntries(vec![entry]),
            past_attempts: Some(PastAttempts::Regrade),
            removed_questions: None,
        });
    }
    let entry = &plan.unwrap().pages.0[0];
    (entry.version, entry.page_version)
}

/// Takes `size` snapshots, and changes the course.
pub async fn snapshots(
    kurso: &TestKurso,
    owner: &Viewer,
    course: CourseId,
    module: ModuleId,
    size: usize,
) -> SnapshotId {
    let mut last = None;
    for n in 0..size {
        let name = command(json!({"name": n.to_string()}));
        last = Some(snapshots::take(kurso, owner, course, name).await.unwrap().id);
    }
    module::update(kurso, owner, module, command(json!({"title": "Иначе"})))
        .await
        .unwrap();
    last.unwrap()
}

pub async fn history(kurso: &TestKurso, page: PageId, editor: UserId, size: usize) {
    for version in 1..=size {
        let version = i64::try_from(version).unwrap();
        sql!(
            "INSERT INTO page_versions (page_id, version, title, content, editor_id, started_at, saved_at)
             SELECT page_id, $2, 'Было', content, $3, $4, $4 FROM page_contents WHERE page_id = $1",
            page,
            version,
            editor,
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    sql!(
        "INSERT INTO page_drafts (page_id, title, content, quiz, version, base_version, editor_id, created_at, saved_at)
         SELECT page_id, 'Будет', content, quiz, $2, 1, $3, $4, $4 FROM page_contents WHERE page_id = $1",
        page,
        i64::try_from(size).unwrap() + 1,
        editor,
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
}

/// Changes every page that was visited since, with what was read in its history.
pub async fn changed(kurso: &TestKurso) {
    for change in [
        "INSERT INTO page_versions (page_id, version, title, content, started_at, saved_at)
         SELECT c.page_id, 1, 'Было', c.content, $1, $1 FROM page_contents c WHERE c.page_id IN (SELECT page_id FROM visits)
         ON CONFLICT (page_id, version) DO NOTHING",
        "UPDATE page_versions SET published_at = $1 WHERE version = 1 AND page_id IN (SELECT page_id FROM visits)",
        "UPDATE pages SET version = 2, important_version = 2, important_at = $1 WHERE id IN (SELECT page_id FROM visits)",
    ] {
        sql!(change, kurso.clock.now()).execute(&kurso.db).await.unwrap();
    }
    let place =
        json!({"page": PageId::new(), "version": 1, "block": 3, "part": 500, "heading": "a", "at": kurso.clock.now()});
    sql!("UPDATE enrollments SET reading_place = $1", place.to_string())
        .execute(&kurso.db)
        .await
        .unwrap();
    sql!("UPDATE visits SET read_version = 1")
        .execute(&kurso.db)
        .await
        .unwrap();
}

/// Imports that were read, each with `size` modules, report lines, deleted pages and changed dates.
pub async fn imports(kurso: &TestKurso, owner: UserId, course: CourseId, size: usize) -> JobId {
    let going = json!({"page": PageId::new(), "lost": {"visits": 1, "attempts": 1}});
    let goes = json!({"page": going["page"], "change": "goes", "module": "Модуль", "lesson": "Урок", "title": null, "number": 1});
    let date = json!({"part": "page", "title": null, "number": 1, "field": "due_at", "before": null, "after": kurso.clock.now()});
    let changes = json!({"course": course, "stays": 0, "changed": 0, "new": 0, "goes": size, "omitted": 0,
        "pages": vec![goes; size], "going": vec![going; size], "dates": vec![date; size], "omitted_dates": 0});
    let page = json!({"title": "Страница", "questions": 1, "published": true});
    let module = json!({"title": "Модуль", "lessons": vec![json!({"title": "Урок", "pages": vec![page; size]}); size]});
    let text = ("вопрос", "так не бывает");
    let line = json!({"where": "a.gift:1", "outcome": "changed", "en": text, "ru": text});
    let counts = json!({"modules": 1, "lessons": 1, "pages": 1, "questions": 1, "files": 0, "code_blocks": 0,
        "images": 0, "tables": 0, "quotes": 0, "includes": 0, "comments": 0});
    let summary = json!({"title": "Курс", "description": null, "counts": counts,
        "outcomes": {"carried": 0, "changed": size, "not_carried": 0}});
    let mut import = JobId::new();
    for _ in 0..size {
        import = JobId::new();
        let payload = json!({"filename": "a.zip", "format": null, "into": {"mode": "update", "course_id": course},
            "new_course": CourseId::new(), "storing": false, "straight": false, "compared": course});
        sql!(
            "INSERT INTO jobs (id, kind, owner_id, state, payload, summary, tree, report, wanted_at, created_at, updated_at)
             VALUES ($1, 'import', $2, 'ready', $3, $4, $5, $6, $7, $7, $7)",
            import,
            owner,
            payload.to_string(),
            summary.to_string(),
            json!({"modules": vec![&module; size], "omitted": 0, "changes": changes}).to_string(),
            json!(vec![&line; size]).to_string(),
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    import
}
