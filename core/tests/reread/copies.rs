//! What was read in the trash, in ended enrollments, in copies and after imports.

use std::io::Write as _;
use std::sync::Arc;

use kurso_core::courses::{course, duplicate, team};
use kurso_core::testing::{begin_import, settled_import};
use kurso_core::trash::{self, RestoreFromTrash};
use kurso_core::{Kurso, jobs};

use super::*;

async fn import(kurso: &Arc<Kurso>, who: &Viewer, text: &str, course: Option<CourseId>) -> CourseId {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [("course.toml", "title = \"Курс\"\n"), ("1-m/1-l/1-a.md", text)] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let id = course.map(|id| id.to_string()).unwrap_or_default();
    let update = [("preview", "false"), ("course_id", id.as_str()), ("mode", "update")];
    let fields = if course.is_some() { &update[..] } else { &update[..1] };
    let begun = begin_import(kurso, who, "Курс.zip", bytes, fields).await;
    settled_import(kurso, who, begun.id).await.course_id.unwrap()
}

both! {
    async fn the_trash_keeps_what_was_read(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        w.visit(&w.boris, None).await;
        w.write("b", Some(Importance::Important)).await;
        w.reread(&w.boris, 2).await.unwrap();
        w.write("c", None).await;
        let before = (w.change(&w.anna).await.unwrap(), w.change(&w.boris).await.unwrap());
        page::delete(&w.kurso, &w.owner, w.page).await.unwrap();
        let restore = async || {
            let entry = sql!("SELECT id FROM trash_entries");
            let (entry,) = entry.fetch_one::<(kurso_base::ids::TrashEntryId,)>(&w.kurso.db).await.unwrap();
            trash::restore(&w.kurso, &w.owner, entry, RestoreFromTrash::default()).await.unwrap();
        };
        restore().await;
        let after = async || (w.change(&w.anna).await.unwrap(), w.change(&w.boris).await.unwrap());
        assert_eq!(after().await, before);
        course::delete(&w.kurso, &w.owner, w.course).await.unwrap();
        restore().await;
        assert_eq!(after().await, before);
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn a_restored_enrollment_keeps_the_versions_read(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        let version = w.write("b", None).await;
        w.reread(&w.anna, version).await.unwrap();
        let reread_at = w.now();
        team::leave(&w.kurso, &w.anna, w.course).await.unwrap();
        w.wait(1);
        w.write("c", None).await;
        w.enroll(&w.anna).await;
        assert_eq!(w.before(&w.anna).await, Some((2, "b".to_owned())));
        assert_eq!(w.change(&w.anna).await.unwrap().read_at, reread_at);
    }

    async fn a_copy_has_no_changes(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        w.write("b", Some(Importance::Important)).await;
        w.write_draft("c").await;
        let copy = duplicate::course(&w.kurso, &w.owner, w.course, duplicate::DuplicateCourse::default()).await.unwrap();
        let important = sql!("SELECT COUNT(*) FROM pages WHERE course_id = $1 AND important_version IS NOT NULL", copy.id);
        assert_eq!(important.fetch_one::<(i64,)>(&w.kurso.db).await.unwrap().0, 0);
        let shared = courses::generate_share_code(&w.kurso, &w.owner, copy.id).await.unwrap();
        learning::enroll(&w.kurso, &w.boris, &Origin::default(), &shared.share_code.unwrap()).await.unwrap();
        let view = CourseView::load(&w.kurso, &w.boris, copy.id, Right::Read).await.unwrap();
        let page = (0..2).map(|place| view.page(place)).find(|page| page.title.as_deref() == Some("b")).unwrap().id;
        mark_page_visited(&w.kurso, &w.boris, page).await.unwrap();
        assert_eq!(w.change_of(&w.boris, page).await, None);
        w.save(page, json!({"title": "d"})).await;
        let change = w.change_of(&w.boris, page).await.unwrap();
        assert_eq!((change.importance, change.before.unwrap().version), (Importance::Correction, 1));
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn an_import_into_a_course_is_a_correction(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let (_stop, stopping) = tokio::sync::watch::channel(false);
        tokio::spawn(jobs::work(w.kurso.kurso.clone(), stopping));
        let text = |text: &str| format!("+++\ntitle = \"Страница\"\nkey = \"a\"\n+++\n\n{text}\n");
        let course = import(&w.kurso.kurso, &w.owner, &text("Раньше"), None).await;
        let shared = courses::generate_share_code(&w.kurso, &w.owner, course).await.unwrap();
        learning::enroll(&w.kurso, &w.anna, &Origin::default(), &shared.share_code.unwrap()).await.unwrap();
        let view = CourseView::load(&w.kurso, &w.anna, course, Right::Read).await.unwrap();
        let page = view.page(0).id;
        mark_page_visited(&w.kurso, &w.anna, page).await.unwrap();
        import(&w.kurso.kurso, &w.owner, &text("Раньше"), Some(course)).await;
        assert_eq!(w.change_of(&w.anna, page).await, None);
        import(&w.kurso.kurso, &w.owner, &text("Теперь"), Some(course)).await;
        let change = w.change_of(&w.anna, page).await.unwrap();
        assert_eq!(change.importance, Importance::Correction);
        let before = change.before.unwrap();
        let content = reading::contents(&w.kurso, &[before.key()]).await.unwrap().remove(&before.key()).unwrap();
        assert!(content.contains("Раньше"), "{content}");
    }
}
