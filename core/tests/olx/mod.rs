//! Import of Open edX courses (docs/import.md): the content is imported, secrets and malicious packages are not.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod course;
mod hostile;
mod item_banks;
mod unsupported;

use std::path::Path;

use course::{SECRETS, whole};
use kurso_base::messages::Lang;
use kurso_core::both;
use kurso_core::drafts::store::store;
use kurso_db::sql;
use kurso_formats::content;
use kurso_formats::quiz::{Kind, Reveal};
use kurso_formats::{CourseDraft, Format, PageDraft, Report, read};
use serde_json::Value;
use tempfile::TempDir;

pub fn read_at(path: &Path) -> (CourseDraft, Report) {
    let scratch = TempDir::new().unwrap();
    read(path, None, scratch.path(), &mut kurso_formats::unwatched).unwrap()
}

pub fn lines(report: &Report) -> Vec<String> {
    let all = report.entries.iter();
    all.map(|entry| format!("{} {}", entry.note.outcome().name(), entry.to_line(Lang::En)))
        .collect()
}

fn page<'c>(course: &'c CourseDraft, title: &str) -> &'c PageDraft {
    let found = course.pages().find(|page| page.title.as_deref() == Some(title));
    found.unwrap_or_else(|| {
        panic!(
            "no page {title}: {:?}",
            course.pages().map(|page| &page.title).collect::<Vec<_>>()
        )
    })
}

fn text(document: &Value) -> String {
    content::text(document)
}

#[test]
fn chapters_sequentials_and_units_become_modules_lessons_and_pages() {
    let dir = TempDir::new().unwrap();
    whole(dir.path());
    let (course, report) = read_at(dir.path());
    assert_eq!(course.title, "Физика для всех");
    assert_eq!(course.description.as_deref(), Some("Курс о движении"));
    let tree: Vec<String> = course
        .modules
        .iter()
        .flat_map(|module| {
            module.lessons.iter().flat_map(move |lesson| {
                lesson.pages.iter().map(move |page| {
                    let quiz = page.quiz.as_ref().map_or(0, |quiz| quiz.questions.len());
                    let shown = if page.published { "" } else { " hidden" };
                    format!(
                        "{} / {} / {} {quiz}{shown}",
                        module.title,
                        lesson.title,
                        page.title.as_deref().unwrap()
                    )
                })
            })
        })
        .collect();
    assert_eq!(
        tree,
        [
            "Механика / Движение / Введение 0",
            "Механика / Движение / Задания 7",
            "Механика / Движение / Задания (2) 1",
            "Механика / Движение / Задания (3) 0",
            "Механика / Движение / Для своих 0 hidden",
            "Механика / Разное / Инструменты 1",
            "Механика / Разное / Инструменты (2) 0",
            "Механика / Разное / Перетащите 1",
            "Механика / Разное / Набросок 0 hidden",
            "Глава в строке / Урок в строке / Страница в строке 0",
            "Дополнительно о курсе / Дополнительно о курсе / О курсе 0",
            "Дополнительно о курсе / Дополнительно о курсе / faq 0",
        ],
        "{:#?}",
        lines(&report)
    );
    for page in course.pages() {
        assert_eq!(content::validate(&page.content.read()), Ok(()), "{}", page.source);
    }
    let files: Vec<_> = course.files.iter().map(|file| file.filename.as_str()).collect();
    assert_eq!(files, ["cat.png", "notes.txt", "vid-en.srt", "vid-ru.srt"]);
}

#[test]
fn texts_keep_math_images_links_and_videos() {
    let dir = TempDir::new().unwrap();
    whole(dir.path());
    let (course, report) = read_at(dir.path());
    let intro = page(&course, "Введение").content.to_string();
    let tasks = page(&course, "Задания").id;
    for part in [
        "\"latex\":\"v = s/t\"".to_owned(),
        format!("\"href\":\"page:{tasks}#место\""),
        "\"href\":\"#скорость\"".to_owned(),
        "\"href\":\"https://example.com/a\"".to_owned(),
        "\"provider\":\"youtube\"".to_owned(),
        "\"id\":\"dQw4w9WgXcQ\"".to_owned(),
        "\"caption\":\"Опыт\"".to_owned(),
        "https://example.com/v.mp4".to_owned(),
        "\"filename\":\"vid-ru.srt\"".to_owned(),
        "\"alt\":\"кот\"".to_owned(),
    ] {
        assert!(intro.contains(&part), "{part} is not in {intro}");
    }
    assert!(!intro.contains("alert") && intro.contains("никуда"));
    let faq = page(&course, "faq").content.to_string();
    assert!(faq.contains(&format!("page:{}", page(&course, "Введение").id)), "{faq}");
    let said = lines(&report).join("\n");
    for line in [
        "not_carried html/intro.html: link /jump_to_id/none: the file does not exist",
        "not_carried html/intro.html:",
        "changed video/vid.xml: video transcripts: 2",
        "not_carried policies: course settings",
        "not_carried course.xml: setting xqa_key of course (1)",
        "not_carried static/unused.txt: file static/unused.txt",
        "not_carried vertical/v3.xml: discussion \"Спор\"",
        "carried vertical/v3.xml: page for staff only",
        "changed drafts/vertical/d1.xml: draft \"Набросок\"",
        "changed vertical/v4.xml: lti_consumer \"Тренажёр\"",
        "changed vertical/v4.xml: strange-xblock \"Нечто\"",
        "changed vertical/v4.xml: library_content: selection",
        "changed tabs/faq.html: page tabs/faq.html",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    let tools = ["Инструменты", "Инструменты (2)"].map(|title| text(&page(&course, title).content.read()));
    let tools = tools.join("\n");
    for words in [
        "Тренажёр",
        "https://tool.example.com/run",
        "Нравится?",
        "Да",
        "Пишите слова",
        "Вариант 1",
        "Вариант 2",
        "Нечто",
    ] {
        assert!(tools.contains(words), "{words} is not in {tools}");
    }
}

#[test]
fn an_open_response_becomes_an_assignment() {
    let dir = TempDir::new().unwrap();
    whole(dir.path());
    let (course, _) = read_at(dir.path());
    let page = page(&course, "Инструменты");
    let quiz = page.quiz.as_ref().unwrap();
    assert!(quiz.is_assignment());
    assert!(text(&page.content.read()).ends_with("Эссе\nНапишите эссе"));
    let essay = &quiz.questions[0];
    let criterion = &essay.kind.rubric().unwrap().criteria[0];
    assert_eq!(
        (criterion.name.as_str(), criterion.description.as_str()),
        ("Ясность", "Понятно ли?")
    );
    let level = &criterion.levels[0];
    assert_eq!(
        (level.name.as_str(), level.description.as_str(), level.points.as_f64()),
        ("Хорошо", "Да", 3.0)
    );
}

#[test]
fn problems_become_questions() {
    let dir = TempDir::new().unwrap();
    whole(dir.path());
    let (course, report) = read_at(dir.path());
    let tasks = page(&course, "Задания");
    assert!(text(&tasks.content.read()).contains("Перед заданиями"));
    let quiz = tasks.quiz.as_ref().unwrap();
    assert_eq!(
        (quiz.max_attempts, quiz.reveal, quiz.shuffle_options),
        (Some(2), Reveal::AfterSubmit, true)
    );
    let said = |number: usize| text(&quiz.questions[number].prompt);
    let why = |number: usize| {
        quiz.questions[number]
            .explanation
            .as_ref()
            .map(text)
            .unwrap_or_default()
    };

    let Kind::SingleChoice { options } = &quiz.questions[0].kind else {
        panic!("{:?}", quiz.questions[0])
    };
    assert_eq!(
        options
            .iter()
            .map(|option| (text(&option.content), option.correct))
            .collect::<Vec<_>>(),
        [("Париж".to_owned(), true), ("Лион".to_owned(), false)]
    );
    assert!(said(0).contains("Столицы") && said(0).contains("Столица Франции?"));
    let feedback = options.iter().map(|option| option.feedback.as_ref().map(text));
    assert_eq!(feedback.collect::<Vec<_>>(), [Some("Верно!".to_owned()), None]);
    assert_eq!(why(0), "Объяснение\nТак и есть.");
    assert_eq!(quiz.questions[0].points.as_f64(), 1.0);

    let Kind::MultipleChoice { options, .. } = &quiz.questions[1].kind else {
        panic!("{:?}", quiz.questions[1])
    };
    assert_eq!(options.iter().filter(|option| option.correct).count(), 2);
    assert_eq!(options[0].feedback.as_ref().map(text).as_deref(), Some("Да"));
    assert!(why(1).contains("Обь:\nНе она?"), "{}", why(1));
    assert!(why(1).contains("Обе") && !why(1).contains("Да"), "{}", why(1));
    let Kind::SingleChoice { options } = &quiz.questions[2].kind else {
        panic!("{:?}", quiz.questions[2])
    };
    assert!(said(2).contains("Земля — _____"), "{}", said(2));
    assert_eq!(options.iter().position(|option| option.correct), Some(1));

    let Kind::Numeric { value, tolerance, .. } = &quiz.questions[3].kind else {
        panic!("{:?}", quiz.questions[3])
    };
    assert_eq!(
        (value.as_ref().unwrap().to_string(), tolerance.to_string()),
        ("9.8".into(), "0.1".into())
    );
    let Kind::Numeric { value, tolerance, .. } = &quiz.questions[4].kind else {
        panic!("{:?}", quiz.questions[4])
    };
    assert_eq!(
        (value.as_ref().unwrap().to_string(), tolerance.to_string()),
        ("3".into(), "2".into())
    );
    let Kind::ShortText {
        accepted,
        case_sensitive,
        ..
    } = &quiz.questions[5].kind
    else {
        panic!()
    };
    assert_eq!(
        (accepted.as_slice(), *case_sensitive),
        (["Москва".to_owned(), "Moscow".to_owned()].as_slice(), false)
    );
    assert!(
        said(5).contains("штук") && why(5).contains("Тверь"),
        "{} {}",
        said(5),
        why(5)
    );
    let Kind::ShortText { regex, .. } = &quiz.questions[6].kind else {
        panic!()
    };
    assert_eq!(regex.as_deref(), Some("a+b"));
    // Look-ahead is not supported: the question becomes text, and the menu follows it.
    assert!(text(&page(&course, "Задания (2)").content.read()).contains("Плохой шаблон"));
    let after = &page(&course, "Задания (2)").quiz.as_ref().unwrap().questions;
    assert!(matches!(after[0].kind, Kind::SingleChoice { .. }), "{after:?}");

    let program = text(&page(&course, "Задания (3)").content.read());
    for words in [
        "Между заданиями",
        "Напишите функцию.",
        "Или формулу.",
        "coderesponse",
        "Решение задачи",
    ] {
        assert!(program.contains(words), "{words} is not in {program}");
    }
    let Kind::Matching { pairs } = &page(&course, "Перетащите").quiz.as_ref().unwrap().questions[0].kind
    else {
        panic!()
    };
    assert_eq!(
        (text(&pairs[0].left), text(&pairs[0].right)),
        ("Крыша".to_owned(), "Верх".to_owned())
    );
    let hints: Vec<String> = quiz.questions[0].hints.iter().map(text).collect();
    assert_eq!(hints, ["Подумайте", "Ещё раз"]);
    let told = lines(&report).join("\n");
    for line in [
        "problem with coderesponse",
        "problem with formularesponse",
        "problem with customresponse",
        "script in a problem",
        "range that excludes its ends",
        "pattern for answers",
        "items without a zone: 1",
        "feedback for single answers",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
}

/// Searches for every secret in everything that is stored or shown.
fn search(location: &str, haystack: &str) {
    for secret in SECRETS {
        assert!(!haystack.contains(secret), "{secret} is in {location}: {haystack}");
    }
    assert!(!haystack.contains("S3CRET"), "a secret is in {location}");
}

both! {
    async fn no_secret_is_stored_or_reported(kurso: TestKurso) {
        let dir = TempDir::new().unwrap();
        whole(dir.path());
        let scratch = TempDir::new().unwrap();
        let (course, mut report) = read(dir.path(), None, scratch.path(), &mut kurso_formats::unwatched).unwrap();
        search("the draft", &format!("{course:?}"));
        let owner = kurso.person("owner").await;
        let pages = course.pages().count() as i64;
        store(&kurso, owner.id(), course, &mut report).await.unwrap();
        for lang in [Lang::En, Lang::Ru] {
            search("the report", &report.to_json(lang).to_string());
        }
        let rows = sql!("SELECT content, COALESCE(quiz, '') FROM page_contents").fetch_all::<(String, String)>(&kurso.db).await.unwrap();
        assert_eq!(rows.len() as i64, pages);
        for (content, quiz) in rows {
            search("a page", &content);
            search("a quiz", &quiz);
        }
        let rows = sql!("SELECT title, COALESCE(description, '') FROM courses").fetch_all::<(String, String)>(&kurso.db).await.unwrap();
        search("the course", &format!("{rows:?}"));
        let rows = sql!("SELECT filename FROM files").fetch_all::<(String,)>(&kurso.db).await.unwrap();
        search("files", &format!("{rows:?}"));
        // Only staff-only pages are unpublished.
        let published = sql!("SELECT COUNT(*) FROM pages WHERE NOT published").fetch_one::<(i64,)>(&kurso.db).await.unwrap().0;
        assert_eq!(published, 2, "{:#?}", lines(&report));
    }
}

#[test]
fn errors_do_not_quote_broken_files() {
    let dir = TempDir::new().unwrap();
    whole(dir.path());
    std::fs::write(
        dir.path().join("problem/p1.xml"),
        "<problem xqa_key='S3CRET-xqa'>\n<p></problem>",
    )
    .unwrap();
    std::fs::write(dir.path().join("html/intro.xml"), "<html S3CRET-xqa").unwrap();
    std::fs::remove_file(dir.path().join("vertical/v4.xml")).unwrap();
    let (_, report) = read_at(dir.path());
    let said = lines(&report).join("\n");
    search("the report", &said);
    for line in [
        "problem/p1.xml: element problem/p1.xml: invalid XML on line 2",
        "html/intro.xml: element html/intro.xml: invalid XML on line 1",
        "vertical/v4.xml: element vertical/v4.xml: the file does not exist",
    ] {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
    std::fs::write(
        dir.path().join("course.xml"),
        "<!DOCTYPE a [<!ENTITY x 'S3CRET-xqa'>]><course>&x;</course>",
    )
    .unwrap();
    let scratch = TempDir::new().unwrap();
    let error = read(
        dir.path(),
        Some(Format::Olx),
        scratch.path(),
        &mut kurso_formats::unwatched,
    )
    .unwrap_err();
    for lang in [Lang::En, Lang::Ru] {
        search("the error", &error.text(lang));
    }
    assert!(error.to_string().contains("DTD"), "{error}");
}
