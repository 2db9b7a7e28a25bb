//! What keeps the index as the texts are: saves, copies, imports, deletions, and building it again.

use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_core::banks;
use kurso_core::check::{self, Depth, Rule};
use kurso_core::courses::duplicate;
use kurso_core::courses::page::publishing::publish;
use kurso_core::courses::page::{Importance, versions};
use kurso_core::search_index;
use kurso_db::sql;

use super::*;

pub async fn problems(kurso: &TestKurso) -> Vec<String> {
    search_index::update(&kurso.db).await.unwrap();
    let report = check::check(kurso, Depth::default()).await.unwrap();
    assert_eq!(report.unindexed, 0);
    let of_index = report
        .findings
        .into_iter()
        .filter(|finding| finding.rule == Rule::SearchIndex);
    of_index
        .map(|finding| format!("{}: {}", finding.at, finding.problem))
        .collect()
}

async fn unindexed(kurso: &TestKurso) -> u64 {
    check::check(kurso, Depth::default()).await.unwrap().unindexed
}

async fn documents(kurso: &TestKurso) -> i64 {
    search_index::update(&kurso.db).await.unwrap();
    let count = sql!("SELECT COUNT(*) FROM search_documents").fetch_one::<(i64,)>(&kurso.db);
    count.await.unwrap().0
}

both! {
    async fn every_save_is_searchable_at_once(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let page = class.page(&kurso, json!({"title": "Один", "content": document(&["Яблоко."])})).await;
        let change = json!({"content": document(&["Груша."]), "title": "Два"});
        page::update(&kurso, owner, page, None, command(change)).await.unwrap();
        for (text, expected) in [("груши", 1), ("яблоки", 0), ("два", 1), ("один", 0)] {
            assert_eq!(found(&kurso, owner, text).await.len(), expected, "{text}");
        }
        versions::restore(&kurso, owner, page, 1, false).await.unwrap();
        assert_eq!(found(&kurso, owner, "яблоки").await, [page.0]);
        assert!(found(&kurso, owner, "груши").await.is_empty());
        let quiz = class.page(&kurso, json!({"title": "Тест", "kind": "quiz", "published": false})).await;
        let quiz_of = |prompt: &str| json!({"quiz": {"questions": [{"type": "numeric", "prompt": prompt, "value": 1}]}});
        page::update(&kurso, owner, quiz, None, command(quiz_of("Сливы?"))).await.unwrap();
        assert_eq!(found(&kurso, owner, "слива").await, [quiz.0]);
        page::update(&kurso, owner, quiz, None, command(quiz_of("Вишни?"))).await.unwrap();
        assert!(found(&kurso, owner, "слива").await.is_empty());
        // A change that changes no term still counts as indexed.
        page::update(&kurso, owner, page, None, command(json!({"content": document(&["Яблоко!"])}))).await.unwrap();
        assert_eq!(problems(&kurso).await, Vec::<String>::new());
    }

    async fn a_draft_is_indexed_until_it_is_published_or_discarded(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let page = class.page(&kurso, json!({"content": document(&["Яблоко."])})).await;
        let save = async |text: &str, draft: bool| {
            let change = json!({"draft": draft, "content": document(&[text])});
            page::update(&kurso, owner, page, None, command(change)).await.unwrap();
        };
        save("Груша.", true).await;
        save("Слива.", true).await;
        assert_eq!((found(&kurso, owner, "груша").await, found(&kurso, owner, "слива").await), (vec![], vec![page.0]));
        assert_eq!((documents(&kurso).await, problems(&kurso).await), (2, vec![]));
        // A copy has the draft too.
        duplicate::page(&kurso, owner, page).await.unwrap();
        assert_eq!((found(&kurso, owner, "слива").await.len(), documents(&kurso).await), (2, 4));
        assert_eq!(problems(&kurso).await, Vec::<String>::new());
        // Saving the published text deletes the draft.
        save("Яблоко.", true).await;
        assert_eq!((found(&kurso, owner, "слива").await.len(), documents(&kurso).await), (1, 3));
        save("Вишня.", true).await;
        let drafts = courses::page::draft::list(&kurso, owner, class.course).await.unwrap();
        let own = drafts.iter().find(|draft| draft.page_id == page).unwrap();
        let entry = PageDraftEntry { page_id: page, version: own.version, page_version: own.page_version };
        publish(&kurso, owner, class.course, &PageDraftEntries(vec![entry]), Importance::Correction).await.unwrap();
        assert_eq!((found(&kurso, owner, "вишня").await, documents(&kurso).await), (vec![page.0], 3));
        assert_eq!(problems(&kurso).await, Vec::<String>::new());
    }

    async fn drafts_that_an_older_release_wrote_are_indexed_later(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let page = class.page(&kurso, json!({"content": document(&["Яблоко."])})).await;
        let change = json!({"draft": true, "content": document(&["Груша."])});
        page::update(&kurso, owner, page, None, command(change)).await.unwrap();
        assert_eq!(documents(&kurso).await, 2);
        for (text, is_found) in [
            ("DELETE FROM search_documents WHERE part = 'd'", true),
            ("UPDATE page_drafts SET version = version + 1", true),
            ("DELETE FROM page_drafts", false),
        ] {
            assert!(sql!(text).execute(&kurso.db).await.unwrap() > 0, "{text}");
            assert_eq!(unindexed(&kurso).await, 1, "{text}");
            assert_eq!(search_index::update(&kurso.db).await.unwrap(), 1, "{text}");
            assert_eq!(search_index::update(&kurso.db).await.unwrap(), 0, "{text}");
            assert_eq!((unindexed(&kurso).await, found(&kurso, owner, "груша").await.len()), (0, usize::from(is_found)), "{text}");
        }
    }

    async fn a_save_is_found_alike_before_and_after_it_is_indexed(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let texts = [
            ("Яблоко", vec!["# Яблоко и груша", "Красное яблоко лежит. Яблоко зелёное."]),
            ("Сад", vec!["В саду растёт яблоня, и на ней яблоко.", "Строка String::from и `HashMap::new`."]),
            ("Груша", vec!["Груша, груша, груша.", "Слово из многих слов о саде."]),
        ];
        let mut pages = Vec::new();
        for (title, blocks) in &texts {
            let page = class.page(&kurso, json!({"title": "Прежнее", "content": document(&["Прежний текст."])})).await;
            let content = document(blocks);
            page::update(&kurso, owner, page, None, command(json!({"title": title, "content": content}))).await.unwrap();
            pages.push(page);
        }
        let draft = json!({"draft": true, "content": document(&["Красная слива."])});
        page::update(&kurso, owner, pages[2], None, command(draft)).await.unwrap();
        let asked = [
            "яблоко", "яблок", "красное яблоко ", "груша сад", "ябл", "яблако ", "String::from", "hashmap::new", "сад", "слива", "красный",
            "прежний", "многих слов саде",
        ];
        let all = async || {
            let mut all = Vec::new();
            for text in asked {
                all.push((text, matches(&kurso, owner, text).await));
            }
            all
        };
        let before = all().await;
        assert_eq!(found(&kurso, owner, "прежний").await, Vec::<Uuid>::new());
        assert_eq!((unindexed(&kurso).await, search_index::update(&kurso.db).await.unwrap()), (3, 4));
        assert_eq!(all().await, before);
        assert_eq!(found(&kurso, owner, "слива").await, [pages[2].0]);
        assert_eq!(problems(&kurso).await, Vec::<String>::new());
    }

    async fn saves_while_pages_are_indexed_are_indexed_too(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let page = class.page(&kurso, json!({"content": document(&["Начало."])})).await;
        for round in 0..10 {
            let save = async |number: usize| {
                let text = format!("Слово{round}и{number}");
                let change = json!({"content": document(&[&text]), "draft": number.is_multiple_of(3)});
                page::update(&kurso, owner, page, None, command(change)).await.unwrap();
            };
            let saves = async {
                for number in 1..8 {
                    save(number).await;
                }
            };
            let indexing = async {
                for _ in 0..6 {
                    search_index::update(&kurso.db).await.unwrap();
                }
            };
            tokio::join!(saves, indexing);
            assert_eq!(found(&kurso, owner, &format!("Слово{round}и7 ")).await, [page.0]);
            assert_eq!(problems(&kurso).await, Vec::<String>::new());
            let (pending,) = sql!("SELECT COUNT(*) FROM search_pending").fetch_one::<(i64,)>(&kurso.db).await.unwrap();
            assert_eq!(pending, 0);
        }
    }

    async fn copies_are_indexed(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let page = class.page(&kurso, json!({"title": "Оригинал", "content": document(&["Яблоко."])})).await;
        let copy = duplicate::page(&kurso, owner, page).await.unwrap();
        assert_eq!(found(&kurso, owner, "копия").await, [copy.id.0]);
        duplicate::course(&kurso, owner, class.course, duplicate::DuplicateCourse::default()).await.unwrap();
        assert_eq!(found(&kurso, owner, "яблоко").await.len(), 4);
        assert_eq!(problems(&kurso).await, Vec::<String>::new());
    }

    async fn deleting_leaves_nothing(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        class.page(&kurso, json!({"content": document(&["Яблоко."])})).await;
        let gone = class.page(&kurso, json!({"content": document(&["Яблоко."])})).await;
        let bank = banks::create(&kurso, owner, command(json!({"title": "Б"}))).await.unwrap().id;
        let question = json!({"question": {"type": "numeric", "prompt": "Яблоко?", "value": 1}});
        banks::add_questions(&kurso, owner, bank, command(json!({"questions": [question]}))).await.unwrap();
        assert_eq!(documents(&kurso).await, 3);
        page::delete(&kurso, owner, gone).await.unwrap();
        assert_eq!((documents(&kurso).await, problems(&kurso).await), (2, vec![]));
        courses::course::delete(&kurso, owner, class.course).await.unwrap();
        banks::delete(&kurso, owner, bank).await.unwrap();
        assert_eq!((documents(&kurso).await, problems(&kurso).await), (0, vec![]));
    }

    async fn what_an_older_release_wrote_is_indexed_later(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let page = class.page(&kurso, json!({"content": document(&["Яблоко."])})).await;
        let text = document(&["Груша."]).to_string();
        sql!("UPDATE page_contents SET content = $2 WHERE page_id = $1", page, text).execute(&kurso.db).await.unwrap();
        sql!("UPDATE pages SET version = version + 1 WHERE id = $1", page).execute(&kurso.db).await.unwrap();
        assert_eq!(unindexed(&kurso).await, 1);
        assert_eq!(search_index::update(&kurso.db).await.unwrap(), 1);
        assert_eq!(search_index::update(&kurso.db).await.unwrap(), 0);
        assert_eq!(found(&kurso, owner, "груша").await, [page.0]);
        assert_eq!(problems(&kurso).await, Vec::<String>::new());
    }

    async fn the_index_is_checked_repaired_and_built_again(kurso: TestKurso) {
        let class = class(&kurso).await;
        let owner = &class.owner;
        let page = class.page(&kurso, json!({"content": document(&["Яблоко."])})).await;
        sql!("UPDATE search_documents SET digest = 1 WHERE page_id = $1", page).execute(&kurso.db).await.unwrap();
        let report = check::check(&kurso, Depth::default()).await.unwrap();
        assert_eq!((report.problems, report.findings[0].rule, report.findings[0].repairable), (1, Rule::SearchIndex, true));
        check::repair(&kurso, &report).await.unwrap();
        assert_eq!(problems(&kurso).await, Vec::<String>::new());
        sql!("DELETE FROM search_documents").execute(&kurso.db).await.unwrap();
        assert_eq!((unindexed(&kurso).await, found(&kurso, owner, "яблоко").await.len()), (1, 0));
        assert_eq!(search_index::rebuild(&kurso.db).await.unwrap(), 1);
        assert_eq!((unindexed(&kurso).await, found(&kurso, owner, "яблоко").await.len()), (0, 1));
        assert_eq!(found(&kurso, owner, "яблако").await, [page.0], "the vocabulary is built again too");
    }
}
