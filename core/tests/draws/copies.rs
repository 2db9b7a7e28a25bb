//! Copies of a quiz with draws: duplicates, Kurso Markdown and Common Cartridge, and updates from a file.

use kurso_base::ids::BankId;
use kurso_core::courses::duplicate;
use kurso_core::drafts::{load, store, update};
use kurso_core::{banks, both};
use kurso_db::sql;
use kurso_formats::{CourseDraft, Report, export, export_cartridge, read, unwatched};

use tempfile::TempDir;

use super::*;

async fn pages_with_banks(kurso: &TestKurso, course: CourseId) -> i64 {
    let rows = sql!(
        "SELECT COUNT(*) FROM page_banks b JOIN pages p ON p.id = b.page_id WHERE p.course_id = $1",
        course
    );
    rows.fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

/// The course as a file of a format that a person exported, read again.
struct Copied {
    draft: CourseDraft,
    /// What the export left out.
    left_out: Report,
    _folder: TempDir,
}

async fn copied(kurso: &TestKurso, course: CourseId, by: &Viewer, name: &str) -> Copied {
    let folder = TempDir::new().unwrap();
    let scratch = folder.path().join("scratch");
    std::fs::create_dir_all(&scratch).unwrap();
    let draft = load(kurso, course, Some(by.id()), &scratch).await.unwrap();
    let file = folder.path().join(name);
    let left_out = match name.ends_with("zip") {
        true => export(&draft, &file).unwrap(),
        false => export_cartridge(&draft, &file).unwrap(),
    };
    Copied {
        draft: read(&file, None, &scratch, &mut unwatched).unwrap().0,
        left_out,
        _folder: folder,
    }
}

async fn banks_of(kurso: &TestKurso, course: CourseId) -> Vec<Uuid> {
    let rows = sql!(
        "SELECT b.bank_id FROM page_banks b JOIN pages p ON p.id = b.page_id WHERE p.course_id = $1",
        course
    );
    let rows = rows.fetch_all::<(Uuid,)>(&kurso.db).await.unwrap();
    rows.into_iter().map(|(bank,)| bank).collect()
}

/// The tags of all questions of a bank.
async fn tags_in(kurso: &TestKurso, bank: Uuid) -> Vec<String> {
    let rows = sql!(
        "SELECT t.tag FROM bank_question_tags t JOIN bank_questions q ON q.id = t.question_id WHERE q.bank_id = $1 ORDER BY t.tag",
        bank
    );
    let rows = rows.fetch_all::<(String,)>(&kurso.db).await.unwrap();
    rows.into_iter().map(|(tag,)| tag).collect()
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

    async fn kurso_markdown_brings_its_banks_to_another_person_once(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let mut report = Report::default();
        let copy = copied(&kurso, class.course, &class.owner, "course.zip").await;
        let stored = store::store(&kurso, class.owner.id(), copy.draft, &mut report).await.unwrap().course_id;
        assert_eq!(banks_of(&kurso, stored).await, [class.bank], "the owner has this bank");
        assert_eq!(keys(&report), [""; 0]);

        let stranger = kurso.person("stranger").await;
        let mut drawn_from = HashSet::new();
        for round in 0..2 {
            let copy = copied(&kurso, class.course, &class.owner, "course.zip").await;
            let stored = store::store(&kurso, stranger.id(), copy.draft, &mut report).await.unwrap().course_id;
            assert_eq!(keys(&report), vec!["bank_kept"; round]);
            drawn_from.extend(banks_of(&kurso, stored).await);
        }
        let [bank] = drawn_from.into_iter().collect::<Vec<_>>()[..] else { panic!("one bank") };
        let found = banks::list(&kurso, &stranger).await.unwrap();
        assert_eq!((found.len(), found[0].id.0, found[0].questions), (1, bank, 6));
        assert_eq!(tags_in(&kurso, bank).await, tags_in(&kurso, class.bank).await);
        assert_consistent(&kurso).await;
    }

    async fn a_page_whose_bank_has_too_few_questions_with_the_tags_is_unpublished(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let stranger = kurso.person("stranger").await;
        let mut copy = copied(&kurso, class.course, &class.owner, "course.zip").await;
        for tagged in copy.draft.banks.iter_mut().flat_map(|bank| bank.questions.iter_mut().skip(1)) {
            tagged.tags = Default::default();
        }
        let mut report = Report::default();
        store::store(&kurso, stranger.id(), copy.draft, &mut report).await.unwrap();
        assert_eq!(keys(&report), ["quiz_unpublished"]);
        assert_consistent(&kurso).await;
    }

    async fn a_cartridge_has_a_bank_for_the_tags_of_a_draw(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        for person in [kurso.person("stranger").await, class.owner.clone()] {
            let mut report = Report::default();
            let copy = copied(&kurso, class.course, &class.owner, "course.imscc").await;
            let stored = store::store(&kurso, person.id(), copy.draft, &mut report).await.unwrap().course_id;
            let [bank] = banks_of(&kurso, stored).await[..] else { panic!("one bank") };
            let found = banks::get(&kurso, &person, BankId(bank)).await.unwrap();
            assert_ne!(bank, class.bank);
            assert_eq!((found.owner.id, found.questions), (person.id(), 4), "complete ones with the tag");
        }
        assert_consistent(&kurso).await;
    }

    async fn a_file_without_the_bank_loses_the_draw_where_the_bank_cannot_be_read(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let colleague = kurso.person("colleague").await;
        kurso.collaborator(class.course, &colleague, "editor").await;
        let copy = copied(&kurso, class.course, &colleague, "course.zip").await;
        assert_eq!((draws(&copy.draft), copy.draft.banks.len(), keys(&copy.left_out)), (1, 0, vec!["banks_omitted"]));
        let mut report = Report::default();
        let stored = store::store(&kurso, colleague.id(), copy.draft, &mut report).await.unwrap().course_id;
        assert_eq!((banks_of(&kurso, stored).await.len(), keys(&report)), (0, vec!["unknown_bank"]));
        let copy = copied(&kurso, class.course, &colleague, "course.imscc").await;
        assert_eq!((draws(&copy.draft), keys(&copy.left_out)), (0, vec!["draws"]));
        assert_consistent(&kurso).await;
    }

    async fn an_update_by_a_colleague_keeps_the_draw(kurso: TestKurso) {
        let class = class(&kurso, 4, 2, &json!({})).await;
        let colleague = kurso.person("colleague").await;
        kurso.collaborator(class.course, &colleague, "editor").await;
        let mut draft = copied(&kurso, class.course, &class.owner, "course.zip").await.draft;
        for page in draft.pages_mut() {
            page.title = Some("Another".into());
        }
        let mut report = Report::default();
        let scratch = tempfile::TempDir::new().unwrap();
        update(&kurso, &colleague, class.course, draft, &mut report, scratch.path()).await.unwrap();
        assert_eq!((pages_with_banks(&kurso, class.course).await, keys(&report).len()), (1, 0));
        // Other tags need the right to read the bank.
        let mut draft = copied(&kurso, class.course, &class.owner, "course.zip").await.draft;
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
