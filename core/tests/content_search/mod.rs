//! Full-text search over pages and bank questions, on both databases.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod book;
mod index;
mod rights;

use kurso_base::ids::{CourseId, LessonId, PageId};
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::content_search::{self, ContentMatch, Matched};
use kurso_core::courses::page;
use kurso_core::learning::enroll;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command};
use kurso_core::{both, courses};
use serde_json::{Value, json};
use uuid::Uuid;

/// A document of blocks: `# ` begins a heading, anything else is a paragraph.
fn document(blocks: &[&str]) -> Value {
    let block = |text: &&str| match text.strip_prefix("# ") {
        Some(text) => json!({"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": text}]}),
        None => json!({"type": "paragraph", "content": [{"type": "text", "text": text}]}),
    };
    json!({"type": "doc", "content": blocks.iter().map(block).collect::<Vec<_>>()})
}

/// A course of one lesson without pages.
struct Class {
    owner: Viewer,
    course: CourseId,
    lesson: LessonId,
}

async fn class(kurso: &TestKurso) -> Class {
    let owner = kurso.person("owner").await;
    let course = kurso.course(&owner, &[&[&[]]]).await;
    let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
    let lesson = tree.lessons[0].id;
    Class { owner, course, lesson }
}

impl Class {
    /// Creates a page through the product.
    async fn page(&self, kurso: &TestKurso, fields: Value) -> PageId {
        let created = page::create(kurso, &self.owner, self.lesson, command(fields)).await;
        created.unwrap().id
    }

    async fn learner(&self, kurso: &TestKurso, name: &str) -> Viewer {
        let learner = kurso.person(name).await;
        let shared = courses::generate_share_code(kurso, &self.owner, self.course)
            .await
            .unwrap();
        let code = shared.share_code.unwrap();
        enroll(kurso, &learner, &Origin::default(), &code).await.unwrap();
        learner
    }
}

async fn matches(kurso: &TestKurso, who: &Viewer, text: &str) -> Vec<ContentMatch> {
    let found = content_search::search(kurso, who, text, None, Page::default())
        .await
        .unwrap();
    assert_eq!(found.count, i64::try_from(found.data.len()).unwrap(), "{text}");
    found.data
}

/// The ids of the pages or bank questions that are found.
async fn found(kurso: &TestKurso, who: &Viewer, text: &str) -> Vec<Uuid> {
    matches(kurso, who, text).await.iter().map(id_of).collect()
}

fn id_of(found: &ContentMatch) -> Uuid {
    match &found.what {
        Matched::Page { id, .. } => id.0,
        Matched::BankQuestion { id, .. } => id.0,
    }
}

/// A fragment with its matched parts in brackets.
fn shown(found: &ContentMatch, fragment: usize) -> String {
    let parts = found.fragments[fragment].parts.iter();
    parts
        .map(|part| {
            if part.matched {
                format!("[{}]", part.text)
            } else {
                part.text.clone()
            }
        })
        .collect()
}

both! {
    async fn pages_are_found_by_forms_beginnings_typos_and_identifiers(kurso: TestKurso) {
        let class = class(&kurso).await;
        let ownership = class.page(&kurso, json!({"title": "Что такое владение?", "content": document(&[
            "# Правила владения", "У каждого значения есть владелец — ёлочка.", "Строку создаёт String::from, а не new.",
        ])})).await.0;
        let maps = class.page(&kurso, json!({"title": "Hash maps", "content": {"type": "doc", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": "Storing keys with associated values"}]},
            {"type": "codeBlock", "attrs": {"language": "rust", "caption": "Файл: src/main.rs"},
             "content": [{"type": "text", "text": "let mut scores = HashMap::new();\nscores.insert(key, 10);"}]},
        ]}})).await.0;
        for (text, expected) in [
            ("владением", vec![ownership]),
            ("ВЛАДЕНИЯ правило", vec![ownership]),
            ("елочки", vec![ownership]),
            ("ёлочка", vec![ownership]),
            ("владе", vec![ownership]),
            ("владнеие", vec![ownership]),
            ("что такое владение", vec![ownership]),
            ("String::from", vec![ownership]),
            ("hashmap::new", vec![maps]),
            ("HashMap::new()", vec![maps]),
            ("hash map", vec![maps]),
            ("storing key", vec![maps]),
            ("asociated", vec![maps]),
            ("main.rs", vec![maps]),
            ("файлы", vec![maps]),
            ("new", vec![ownership, maps]),
            ("", vec![]),
            ("  ", vec![]),
            ("?!", vec![]),
            ("заимствование", vec![]),
        ] {
            let mut ids = found(&kurso, &class.owner, text).await;
            ids.sort_unstable();
            assert_eq!(ids, expected, "{text}");
        }
    }

    async fn a_match_says_where_it_is(kurso: TestKurso) {
        let class = class(&kurso).await;
        let quiz = json!({"questions": [
            {"type": "short_text", "prompt": "Кто владеет строкой?", "accepted": ["ключ-ответа"], "explanation": "объяснение",
             "hints": ["подсказка"]},
        ]});
        let page = class.page(&kurso, json!({"title": "Проверка", "kind": "quiz", "published": true, "quiz": quiz})).await;
        let text = class.page(&kurso, json!({"title": null, "content": document(&["Первый блок.", "Второй блок про строки."])})).await;
        let both = matches(&kurso, &class.owner, "строка ").await;
        let of = |id: PageId| both.iter().find(|found| id_of(found) == id.0).unwrap();
        let (quiz, plain) = (of(page), of(text));
        assert_eq!((shown(quiz, 0), quiz.fragments[0].block), ("Кто владеет [строкой]?".to_owned(), None));
        assert!(quiz.fragments[0].question.is_some());
        assert_eq!((shown(plain, 0), plain.fragments[0].block), ("Второй блок про [строки].".to_owned(), Some(1)));
        let Matched::Page { title, number, published, lesson_title, .. } = &plain.what else { panic!() };
        assert_eq!((title.as_deref(), *number, *published, lesson_title.as_str()), (None, 2, true, "Урок 1.1"));
        // Answer keys, explanations and hints are not indexed, not even for their authors.
        for secret in ["ключ-ответа", "объяснение", "подсказка"] {
            assert!(matches(&kurso, &class.owner, secret).await.is_empty(), "{secret}");
        }
        // Only the title matches.
        assert_eq!(shown(&matches(&kurso, &class.owner, "проверки").await[0], 0), "[Проверка]");
    }

    async fn the_best_match_comes_first(kurso: TestKurso) {
        let class = class(&kurso).await;
        let mention = class.page(&kurso, json!({"title": "Прочее", "content": document(&["Замыкания упомянуты здесь один раз."])})).await;
        let topic = class.page(&kurso, json!({"title": "Замыкания", "content": document(&["Анонимные функции."])})).await;
        let apart = class.page(&kurso, json!({"title": "А", "content": document(&["Умные люди знают, что есть и такие указатели."])})).await;
        let phrase = class.page(&kurso, json!({"title": "Б", "content": document(&["Есть умные указатели."])})).await;
        assert_eq!(found(&kurso, &class.owner, "замыкание").await, [topic.0, mention.0]);
        assert_eq!(found(&kurso, &class.owner, "умные указатели").await, [phrase.0, apart.0]);
    }

    async fn a_list_is_read_in_pages(kurso: TestKurso) {
        let class = class(&kurso).await;
        for n in 0..5 {
            class.page(&kurso, json!({"title": format!("Глава {n}"), "content": document(&["Одно слово."])})).await;
        }
        let all = found(&kurso, &class.owner, "слово").await;
        let mut read = Vec::new();
        for skip in [0, 2, 4, 6] {
            let page = Page { skip, limit: 2 };
            let part = content_search::search(&kurso, &class.owner, "слово", None, page).await.unwrap();
            assert_eq!(part.count, 5);
            read.extend(part.data.iter().map(id_of));
        }
        assert_eq!((all.len(), read), (5, all));
    }
}
