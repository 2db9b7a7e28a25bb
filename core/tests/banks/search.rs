//! The search in a bank.

use kurso_base::search::Search;
use kurso_base::values::{Checked as _, QuestionTags};
use kurso_core::banks::{self, QuestionQuery};
use kurso_core::both;
use serde_json::{Value, json};

use super::{add, bank};

fn query(search: &str, tags: Value, kind: Option<&str>, skip: i64, limit: i64) -> QuestionQuery {
    let tags = QuestionTags::check(tags).unwrap();
    QuestionQuery::new(&Search::of(search), tags, kind.map(str::to_owned), skip, limit)
}

both! {
    async fn questions_are_found_by_words_tags_and_type(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let [here, empty] = [bank(&kurso, &owner, "Б").await, bank(&kurso, &owner, "В").await];
        let new = json!([
            {"tags": ["лес", "сказки"], "question": {"type": "short_text", "prompt": "Какая ёлка?", "accepted": ["ЗЕЛЁНАЯ"]}},
            {"tags": ["лес"], "question": {"type": "single_choice", "prompt": "Кто живёт в лесу?", "explanation": "100%_волк",
                "options": [{"content": "Волк", "correct": true}, {"content": "Ель"}]}},
            {"question": {"type": "essay", "prompt": ""}},
        ]);
        add(&kurso, &owner, here, new).await.unwrap();
        let found = async |query: QuestionQuery| {
            let found = banks::questions(&kurso, &owner, here, &query).await.unwrap();
            let kinds: Vec<String> = found.questions.into_iter().map(|question| question.kind).collect();
            (kinds.join(" "), found.total, found.drawable)
        };
        let all = "essay single_choice short_text".to_owned();
        assert_eq!(found(query("", json!([]), None, 0, 100)).await, (all, 3, 2));
        for (search, kinds) in [
            ("ЕЛКА", "short_text"),
            ("зеленая елка", "short_text"),
            ("волк ель", "single_choice"),
            ("е\u{308}", "single_choice short_text"),
            ("100%_", "single_choice"),
            ("1_0", ""),
            ("\\", ""),
            ("волк зелёная", ""),
        ] {
            assert_eq!(found(query(search, json!([]), None, 0, 100)).await.0, kinds, "{search}");
        }
        assert_eq!(found(query("", json!(["лес"]), None, 0, 100)).await.0, "single_choice short_text");
        assert_eq!(found(query("", json!(["лес", "сказки"]), None, 0, 100)).await.0, "short_text");
        assert_eq!(found(query("", json!(["Лес"]), None, 0, 100)).await.1, 0);
        assert_eq!(found(query("", json!([]), Some("essay"), 0, 100)).await, ("essay".to_owned(), 1, 0));
        assert_eq!(found(query("", json!([]), Some("unknown"), 0, 100)).await.1, 0);
        assert_eq!(found(query("", json!([]), None, 1, 1)).await, ("single_choice".to_owned(), 3, 2));
        assert_eq!(found(query("", json!([]), None, 3, 1)).await, (String::new(), 3, 2));
        let both = banks::questions_of(&kurso, &[here, empty], &query("", json!([]), None, 0, 2)).await.unwrap();
        assert_eq!((both[&here].questions.len(), !both.contains_key(&empty)), (2, true));
    }
}
