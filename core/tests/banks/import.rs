//! Imports of questions from files.

use kurso_base::error::{Error, Result};
use kurso_base::ids::BankId;
use kurso_core::access::{Right, Viewer};
use kurso_core::banks::{self, Question, QuestionQuery};
use kurso_core::courses::page;
use kurso_core::courses::tree::PageKind::{Assignment, Content, Quiz};
use kurso_core::drafts;
use kurso_core::files::upload::Sink as _;
use kurso_core::imports::{Imported, QuestionsUpload};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command};
use kurso_core::{both, files};
use kurso_db::sql;
use kurso_formats::export_cartridge;
use serde_json::json;

use super::bank;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";

async fn import(kurso: &TestKurso, by: &Viewer, bank: BankId, name: &str, bytes: &[u8]) -> Result<Imported> {
    let mut upload = QuestionsUpload::begin(&kurso.kurso, by, bank, None).await?;
    upload.write(bytes.to_vec().into()).await?;
    upload.finish(name).await
}

async fn all(kurso: &TestKurso, by: &Viewer, bank: BankId) -> Vec<Question> {
    let query = QuestionQuery::new(&Default::default(), Default::default(), None, 0, 100);
    banks::questions(kurso, by, bank, &query).await.unwrap().questions
}

/// A Common Cartridge with a quiz that shows a picture and links to a page, and with an assignment.
async fn package(kurso: &TestKurso, owner: &Viewer) -> Vec<u8> {
    let course = kurso.course(owner, &[&[&[Content, Quiz, Assignment]]]).await;
    let view = CourseView::load(kurso, owner, course, Right::Read).await.unwrap();
    let picture = kurso.file(owner.id(), "a.png", "image/png", PNG).await;
    let href = format!("page:{}", view.page(0).id);
    let link = json!({"type": "text", "text": "здесь", "marks": [{"type": "link", "attrs": {"href": href}}]});
    let prompt = json!({"type": "doc", "content": [
        {"type": "paragraph", "content": [link]}, {"type": "image", "attrs": {"src": picture.url()}},
    ]});
    let options = json!([{"content": "Да", "correct": true}, {"content": "Нет"}]);
    let quiz = json!({"questions": [
        {"type": "single_choice", "prompt": prompt, "options": options},
        {"type": "short_text", "prompt": "Столица?", "accepted": ["Рим"]},
    ]});
    page::update(kurso, owner, view.page(1).id, None, command(json!({"quiz": quiz})))
        .await
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let draft = drafts::load(kurso, course, None, folder.path()).await.unwrap();
    let path = folder.path().join("package.imscc");
    export_cartridge(&draft, &path).unwrap();
    std::fs::read(path).unwrap()
}

both! {
    async fn questions_of_text_files_are_added(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let bank = bank(&kurso, &owner, "Б").await;
        let gift = "// Текст\n::Q1::Столица Италии? {=Рим ~Милан}\n\nЛишнее.\n\n2 + 2 {#4}";
        let imported = import(&kurso, &owner, bank, "вопросы.gift", gift.as_bytes()).await.unwrap();
        assert_eq!(imported.added, 2);
        assert!(!imported.report.is_empty(), "the text that is no question is reported");
        let aiken = "Столица Франции?\nA. Лион\nB. Париж\nANSWER: B\n";
        assert_eq!(import(&kurso, &owner, bank, "a.txt", aiken.as_bytes()).await.unwrap().added, 1);
        let kinds: Vec<_> = all(&kurso, &owner, bank).await.into_iter().map(|question| question.kind).collect();
        assert_eq!(kinds, ["single_choice", "numeric", "single_choice"]);
        let (left,) = sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!(left, 0, "the uploaded files are deleted");
    }

    async fn questions_of_all_quizzes_of_a_package_are_added_with_their_pictures(kurso: TestKurso) {
        let [owner, other] = [kurso.person("owner").await, kurso.person("other").await];
        let bytes = package(&kurso, &owner).await;
        let bank = bank(&kurso, &other, "Б").await;
        let imported = import(&kurso, &other, bank, "package.imscc", &bytes).await.unwrap();
        assert_eq!(imported.added, 2, "{:?}", imported.report);
        let added = all(&kurso, &other, bank).await;
        let with_picture = added.iter().find(|question| question.kind == "single_choice").unwrap();
        assert!(!with_picture.question.contains("page:"), "{}", with_picture.question);
        let shown = sql!(
            "SELECT f.key, f.filename FROM bank_files b JOIN files f ON f.id = b.file_id WHERE b.question_id = $1 AND f.owner_id = $2",
            with_picture.id, other.id()
        );
        let (key, filename) = shown.fetch_one::<(String, String)>(&kurso.db).await.unwrap();
        assert!(with_picture.question.contains(&key));
        files::at_address(&kurso, &key, &filename, None).await.unwrap();
    }

    async fn a_file_without_questions_is_refused_and_leaves_nothing(kurso: TestKurso) {
        let [owner, other] = [kurso.person("owner").await, kurso.person("other").await];
        let bank = bank(&kurso, &owner, "Б").await;
        for (name, bytes) in [("a.txt", &b"No question."[..]), ("a.zip", b"PK\x05\x06"), ("a.pdf", b"%PDF-1.4"), ("a.gift", b"")] {
            let refused = import(&kurso, &owner, bank, name, bytes).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{name}: {refused:?}");
        }
        let refused = import(&kurso, &other, bank, "a.gift", b"2 + 2 {#4}").await;
        assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
        let (left,) = sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
        assert_eq!((left, all(&kurso, &owner, bank).await.len()), (0, 0));
    }

    async fn an_import_that_does_not_fit_adds_nothing(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let bank = bank(&kurso, &owner, "Б").await;
        let many = "2 + 2 {#4}\n\n".repeat(2_501);
        assert_eq!(import(&kurso, &owner, bank, "a.gift", many.as_bytes()).await.unwrap().added, 2_501);
        let refused = import(&kurso, &owner, bank, "a.gift", many.as_bytes()).await;
        assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
        assert_eq!(banks::get(&kurso, &owner, bank).await.unwrap().questions, 2_501);
    }
}
