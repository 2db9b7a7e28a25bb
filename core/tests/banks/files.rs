//! Files and links in questions of banks.

use kurso_base::error::Error;
use kurso_base::ids::PageId;
use kurso_core::banks::MemberRole;
use kurso_core::check::{self, Depth, Rule};
use kurso_core::courses::page;
use kurso_core::courses::tree::PageKind::Quiz;
use kurso_core::files::cleanup;
use kurso_core::testing::{TestKurso, command};
use kurso_core::{banks, both};
use kurso_db::sql;
use serde_json::{Value, json};

use super::{add, add_one, bank, numeric, saved, share, update};

fn showing(src: &str) -> Value {
    let prompt = json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": src}}]});
    json!({"type": "numeric", "prompt": prompt, "value": 4})
}

fn linking(href: &str) -> Value {
    let text = json!({"type": "text", "text": "x", "marks": [{"type": "link", "attrs": {"href": href}}]});
    let prompt = json!({"type": "doc", "content": [{"type": "paragraph", "content": [text]}]});
    json!({"type": "numeric", "prompt": prompt, "value": 4})
}

async fn count(kurso: &TestKurso, text: &'static str) -> i64 {
    sql!(text).fetch_one::<(i64,)>(&kurso.db).await.unwrap().0
}

both! {
    async fn a_question_shows_only_files_that_its_author_may_use(kurso: TestKurso) {
        let [owner, colleague] = [kurso.person("owner").await, kurso.person("colleague").await];
        let [first, second] = [bank(&kurso, &owner, "Б").await, bank(&kurso, &colleague, "В").await];
        let file = kurso.file(owner.id(), "a.png", "image/png", &b"a"[..]).await;
        let refused = add(&kurso, &colleague, second, json!([{"question": numeric("?")}, {"question": showing(&file.url())}])).await;
        let Err(Error::Invalid(errors)) = refused else { panic!("{refused:?}") };
        let place = json!(["body", "questions", 1, "question", "prompt", "content", 0, "attrs", "src"]);
        assert_eq!(json!(errors[0].loc), place);
        add_one(&kurso, &owner, first, showing(&file.url())).await;
        assert!(add(&kurso, &colleague, second, json!([{"question": showing(&file.url())}])).await.is_err());
        // A member may use the files of the bank: in a bank and in a page.
        share(&kurso, &owner, first, "colleague@example.com", MemberRole::Viewer).await.unwrap();
        add_one(&kurso, &colleague, second, showing(&file.url())).await;
        let course = kurso.course(&colleague, &[&[&[Quiz]]]).await;
        let (quiz,) = sql!("SELECT id FROM pages WHERE course_id = $1", course).fetch_one::<(PageId,)>(&kurso.db).await.unwrap();
        let copied = json!({"quiz": {"questions": [showing(&file.url())]}});
        page::update(&kurso, &colleague, quiz, None, command(&copied)).await.unwrap();
        // The page keeps the file when the bank is no longer shared.
        banks::unshare(&kurso, &owner, first, colleague.id()).await.unwrap();
        page::update(&kurso, &colleague, quiz, None, command(&copied)).await.unwrap();
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM bank_files").await, 2);
    }

    async fn a_question_links_to_no_page(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let bank = bank(&kurso, &owner, "Б").await;
        let refused = add(&kurso, &owner, bank, json!([{"question": linking(&format!("page:{}", PageId::new()))}])).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
        add_one(&kurso, &owner, bank, linking("https://example.com")).await;
    }

    async fn files_are_kept_while_a_question_or_its_history_shows_them(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let bank = bank(&kurso, &owner, "Б").await;
        let file = kurso.file(owner.id(), "a.png", "image/png", &b"a"[..]).await;
        let question = add_one(&kurso, &owner, bank, showing(&file.url())).await;
        let clean = async || {
            for _ in 0..2 {
                cleanup::delete_unused(&kurso).await.unwrap();
                kurso.clock.advance(chrono::Duration::days(8));
            }
            count(&kurso, "SELECT COUNT(*) FROM files").await
        };
        assert_eq!(clean().await, 1);
        for version in 1..=100 {
            let change = json!({"version": version, "question": numeric(&version.to_string())});
            saved(update(&kurso, &owner, question.id, change).await);
        }
        assert_eq!(clean().await, 1, "the oldest version shows it");
        let last = json!({"version": 101, "question": numeric("?")});
        saved(update(&kurso, &owner, question.id, last).await);
        assert_eq!(clean().await, 0);
    }

    async fn the_check_finds_damaged_questions(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let bank = bank(&kurso, &owner, "Б").await;
        let file = kurso.file(owner.id(), "a.png", "image/png", &b"a"[..]).await;
        let question = add_one(&kurso, &owner, bank, showing(&file.url())).await;
        saved(update(&kurso, &owner, question.id, json!({"version": 1, "question": numeric("2?")})).await);
        let found = async || check::check(&kurso, Depth::default()).await.unwrap();
        assert!(found().await.is_clean(), "{:?}", found().await);
        for (text, rule) in [
            ("UPDATE bank_questions SET folded = 'x'", Rule::Texts),
            ("UPDATE bank_questions SET kind = 'essay', is_complete = false", Rule::Texts),
            ("DELETE FROM bank_files", Rule::PageFiles),
        ] {
            sql!(text).execute(&kurso.db).await.unwrap();
            let report = found().await;
            assert!(report.findings.iter().any(|finding| finding.rule == rule && finding.repairable), "{text}: {report:?}");
            check::repair(&kurso, &report).await.unwrap();
            assert!(found().await.is_clean(), "{text}");
        }
        for (text, rule) in [
            ("UPDATE bank_question_versions SET version = 7", Rule::Versions),
            ("UPDATE bank_questions SET question = '{}'", Rule::Texts),
        ] {
            sql!(text).execute(&kurso.db).await.unwrap();
            assert!(found().await.findings.iter().any(|finding| finding.rule == rule), "{text}");
        }
    }
}
