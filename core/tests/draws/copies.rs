//! Copies of a quiz with draws: duplicates, Kurso Markdown and Common Cartridge, and updates from a file.

use kurso_core::both;
use kurso_core::courses::duplicate;
use kurso_core::drafts::{load, store, update};
use kurso_db::sql;
use kurso_formats::{CourseDraft, Report, export, export_cartridge, read, unwatched};

use super::*;

async fn pages_with_banks(kurso: &TestKurso, course: CourseId) -> i64 {
    let rows = sql!(
        "SELECT COUNT(*) FROM page_banks b JOIN pages p ON p.id = b.page_id WHERE p.course_id = $1",
        course
    );
    rows.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

/// The course as a file of a format, read again.
async fn copied(kurso: &TestKurso, course: CourseId, name: &str) -> CourseDraft {
    let dir = tempfile::TempDir::new().unwrap().keep();
    let scratch = dir.join("scratch");
    std::fs::create_dir_all(&scratch).unwrap();
    let draft = load(kurso, course, &scratch).await.unwrap();
    let file = dir.join(name);
    match name.ends_with("zip") {
        true => export(&draft, &file).unwrap(),
        false => export_cartridge(&draft, &file).unwrap(),
    };
    read(&file, None, &scratch, &mut unwatched).unwrap().0
}

fn draws(draft: &CourseDraft) -> usize {
    let questions = draft
        .pages()
        .filter_map(|page| page.quiz.as_ref())
        .flat_map(|quiz| &quiz.questions);
    questions.filter(|question| question.kind.is_draw()).count()
}

fn keys(report: &Report) -> Vec<&'static str> {
    report.entries.iter().map(|entry| entry.note.key()).collect()
}

both! {
    async fn a_duplicate_draws_from_the_same_bank(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let copy = duplicate::course(&kurso, &class.owner, class.course, Default::default()).await.unwrap().id;
        assert_eq!(pages_with_banks(&kurso, copy).await, 1);
        duplicate::page(&kurso, &class.owner, class.page).await.unwrap();
        assert_eq!(pages_with_banks(&kurso, class.course).await, 2);
        assert_consistent(&kurso).await;
    }

    async fn a_file_keeps_draws_for_those_who_can_read_the_bank(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let mut report = Report::default();
        let draft = copied(&kurso, class.course, "course.zip").await;
        assert_eq!(draws(&draft), 1);
        let stored = store::store(&kurso, class.owner.id(), draft, &mut report).await.unwrap().course_id;
        assert_eq!((pages_with_banks(&kurso, stored).await, keys(&report).len()), (1, 0));

        let stranger = kurso.person("stranger").await;
        let draft = copied(&kurso, class.course, "course.zip").await;
        let stored = store::store(&kurso, stranger.id(), draft, &mut report).await.unwrap().course_id;
        assert_eq!((pages_with_banks(&kurso, stored).await, keys(&report)), (0, vec!["unknown_bank"]));

        // A cartridge has none.
        assert_eq!(draws(&copied(&kurso, class.course, "course.imscc").await), 0);
        assert_consistent(&kurso).await;
    }

    async fn an_update_by_a_colleague_keeps_the_draw(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let colleague = kurso.person("colleague").await;
        kurso.collaborator(class.course, &colleague, "editor").await;
        let mut draft = copied(&kurso, class.course, "course.zip").await;
        for page in draft.pages_mut() {
            page.title = Some("Another".into());
        }
        let mut report = Report::default();
        let scratch = tempfile::TempDir::new().unwrap();
        update(&kurso, &colleague, class.course, draft, &mut report, scratch.path()).await.unwrap();
        assert_eq!((pages_with_banks(&kurso, class.course).await, keys(&report).len()), (1, 0));
        // Other tags need the right to read the bank.
        let mut draft = copied(&kurso, class.course, "course.zip").await;
        for question in draft.pages_mut().filter_map(|page| page.quiz.as_mut()).flat_map(|quiz| &mut quiz.questions) {
            if let kurso_formats::quiz::Kind::Draw { tags, .. } = &mut question.kind {
                tags.push("b".into());
            }
        }
        update(&kurso, &colleague, class.course, draft, &mut report, scratch.path()).await.unwrap();
        assert_eq!((pages_with_banks(&kurso, class.course).await, keys(&report)), (0, vec!["unknown_bank"]));
        assert_consistent(&kurso).await;
    }
}
