//! A course with every field set, and one without.

pub mod complete;
mod quiz;

use std::path::Path;

use kurso_base::schedule::{CourseDates, Dates, Late};
use kurso_formats::files::describe;
use kurso_formats::quiz::Quiz;
use kurso_formats::{CourseDraft, FileDraft, LessonDraft, ModuleDraft, PageDraft, UnreadDates};
use serde_json::{Value, json};
use uuid::Uuid;

use quiz::{assignment, quiz};

fn doc(blocks: Value) -> Value {
    json!({ "type": "doc", "content": blocks })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn said(words: &str) -> Value {
    json!({ "type": "paragraph", "content": [text(words)] })
}

/// A page with every node and mark.
fn rich(files: &[FileDraft], other: Uuid) -> Value {
    let src = |name: &str| files.iter().find(|file| file.filename == name).unwrap().address();
    let notes = files.iter().find(|file| file.filename == "заметки.txt").unwrap();
    let marked = |kind: &str| json!({ "type": "text", "text": kind, "marks": [{ "type": kind }] });
    let marks = [
        "bold",
        "italic",
        "underline",
        "strike",
        "code",
        "highlight",
        "subscript",
        "superscript",
    ];
    let mut inline: Vec<Value> = marks.iter().flat_map(|kind| [marked(kind), text(" и ")]).collect();
    let link = |href: &str, title: Value| json!([{ "type": "link", "attrs": { "href": href, "title": title } }]);
    inline.extend([
        json!({ "type": "text", "text": "страница", "marks": link(&format!("page:{other}"), Value::Null) }),
        text(", "),
        json!({ "type": "text", "text": "сайт", "marks": link("https://example.com/", json!("Заголовок")) }),
        json!({ "type": "hardBreak" }),
        json!({ "type": "inlineMath", "attrs": { "latex": "x^2" } }),
    ]);
    let items =
        |kind: &str| json!([{ "type": kind, "content": [said("пункт")] }, { "type": kind, "content": [said("ещё")] }]);
    let cell =
        |kind: &str, words: &str, attrs: Value| json!({ "type": kind, "attrs": attrs, "content": [said(words)] });
    doc(json!([
        { "type": "heading", "attrs": { "level": 2 }, "content": [text("Раздел")] },
        { "type": "paragraph", "content": inline },
        { "type": "bulletList", "content": items("listItem") },
        { "type": "orderedList", "attrs": { "start": 3, "type": "a" }, "content": items("listItem") },
        { "type": "taskList", "content": [
            { "type": "taskItem", "attrs": { "checked": true }, "content": [said("сделано")] },
            { "type": "taskItem", "content": [said("нет")] },
        ] },
        { "type": "blockquote", "content": [said("цитата")] },
        { "type": "codeBlock", "attrs": { "language": "rust", "caption": "main.rs" }, "content": [text("fn main() {}")] },
        { "type": "table", "content": [
            { "type": "tableRow", "content": [
                cell("tableHeader", "а", json!({ "colwidth": [120], "align": "right" })),
                cell("tableHeader", "б", json!({ "colwidth": [80], "align": "center" })),
            ] },
            { "type": "tableRow", "content": [cell("tableCell", "широкая", json!({ "colspan": 2, "colwidth": [120, 80] }))] },
            { "type": "tableRow", "content": [
                cell("tableCell", "высокая", json!({ "rowspan": 2, "colwidth": [120] })),
                cell("tableCell", "в", json!({ "colwidth": [80] })),
            ] },
            { "type": "tableRow", "content": [cell("tableCell", "г", json!({ "colwidth": [80] }))] },
        ] },
        { "type": "image", "attrs": { "src": src("схема.png"), "alt": "схема", "caption": "Рис. 1", "width": 300, "naturalWidth": 1, "naturalHeight": 1 } },
        { "type": "video", "attrs": { "src": src("film.mp4"), "caption": "Фильм", "naturalWidth": 640, "naturalHeight": 480 } },
        { "type": "audio", "attrs": { "src": src("voice.mp3"), "caption": "Голос" } },
        { "type": "embed", "attrs": { "provider": "youtube", "id": "dQw4w9WgXcQ", "caption": "Ролик" } },
        { "type": "attachment", "attrs": { "src": notes.address(), "filename": notes.filename, "size": notes.size, "contentType": notes.content_type } },
        { "type": "callout", "attrs": { "kind": "warning" }, "content": [said("осторожно")] },
        { "type": "details", "attrs": { "open": true }, "content": [
            { "type": "detailsSummary", "content": [text("подробности")] },
            { "type": "detailsContent", "content": [said("внутри")] },
        ] },
        { "type": "blockMath", "attrs": { "latex": "\\int_0^1 x\\,dx" } },
        { "type": "horizontalRule" },
        said("конец"),
    ]))
}

/// Files of every kind, in `folder`.
fn files(folder: &Path) -> Vec<FileDraft> {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";
    std::fs::create_dir_all(folder).unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        describe(&path, u64::MAX).unwrap()
    };
    vec![
        file("схема.png", png),
        file("avatar.png", &[png.as_slice(), b"a"].concat()),
        file("вопрос.png", &[png.as_slice(), b"q"].concat()),
        file("film.mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"),
        file("voice.mp3", b"ID3\x03\0\0\0\0\0\0voice"),
        file("заметки.txt", "заметки".as_bytes()),
    ]
}

/// The sample: every optional field is set somewhere and empty elsewhere.
pub fn sample(folder: &Path) -> CourseDraft {
    let files = files(folder);
    let key = |name: &str| files.iter().find(|file| file.filename == name).unwrap().key.clone();
    let question_image = files[2].address();
    let second = Uuid::now_v7();
    let page =
        |id: Uuid, key: &str, title: Option<&str>, content: Value, quiz: Option<Quiz>, published: bool| PageDraft {
            id,
            key: Some(key.into()),
            title: title.map(Into::into),
            content: content.into(),
            quiz,
            published,
            dates: Dates::default(),
            late: Late::default(),
            source: key.into(),
        };
    let lesson = |key: &str, title: &str, pages| LessonDraft {
        id: Uuid::now_v7(),
        key: Some(key.into()),
        title: title.into(),
        dates: Dates::default(),
        prerequisites: vec![],
        pages,
    };
    let module = |key: &str, title: &str, description: Option<&str>, avatar, lessons| ModuleDraft {
        id: Uuid::now_v7(),
        key: Some(key.into()),
        title: title.into(),
        description: description.map(Into::into),
        avatar,
        dates: Dates::default(),
        prerequisites: vec![],
        lessons,
    };
    let mut first = page(
        Uuid::now_v7(),
        "rich",
        Some("Всё сразу"),
        rich(&files, second),
        None,
        true,
    );
    let hidden = page(second, "hidden", None, doc(json!([said("черновик")])), None, false);
    let mut asked = page(
        Uuid::now_v7(),
        "quiz",
        Some("Тест"),
        doc(json!([said("Ответьте")])),
        Some(quiz(&question_image)),
        true,
    );
    let plain = page(
        Uuid::now_v7(),
        "plain",
        Some("Ещё"),
        doc(json!([said("текст")])),
        None,
        true,
    );
    let handed_in = page(
        Uuid::now_v7(),
        "assignment",
        Some("Задание"),
        doc(json!([said("Напишите отчёт")])),
        Some(assignment()),
        true,
    );
    first.dates = dates(3);
    asked.dates = dates(4);
    asked.late = Late {
        late_until: asked.dates.due_at,
        late_penalty_per_day: Some(7),
        late_penalty_max: Some(35),
    };
    let mut course = CourseDraft {
        title: "Полный курс".into(),
        description: Some("О курсе\nв две строки".into()),
        dates: CourseDates {
            starts_at: dates(0).available_from,
            ends_at: dates(0).available_until,
            enroll_until: dates(0).due_at,
            time_zone: Some("Asia/Yekaterinburg".into()),
            hide_locked_titles: true,
            sequential: true,
        },
        unread_dates: UnreadDates::default(),
        // `draws` tests banks that come with a course.
        banks: vec![],
        modules: vec![
            module(
                "first",
                "Первый",
                Some("О модуле"),
                Some(key("avatar.png")),
                vec![
                    lesson("one", "Урок один", vec![first, hidden]),
                    lesson("empty", "Пустой", vec![]),
                ],
            ),
            module(
                "second",
                "Второй",
                None,
                None,
                vec![lesson("two", "Урок два", vec![asked, handed_in, plain])],
            ),
        ],
        files,
    };
    course.modules[0].dates = dates(1);
    course.modules[0].lessons[0].dates = dates(2);
    let (first, one) = (course.modules[0].id, course.modules[0].lessons[0].id);
    let empty = course.modules[0].lessons[1].id;
    course.modules[0].lessons[1].prerequisites = vec![one];
    course.modules[1].prerequisites = vec![one, empty];
    course.modules[1].lessons[0].prerequisites = vec![first];
    course
}

/// Three different dates in order, other ones for each number; one has microseconds.
fn dates(number: u32) -> Dates {
    let at = |day: i64| {
        let seconds = 1_800_000_000 + 86_400 * day + i64::from(number);
        chrono::DateTime::from_timestamp(seconds, 1_000 * (number % 2))
    };
    Dates {
        available_from: at(0),
        due_at: at(1),
        available_until: at(2),
    }
}

/// A course with some of the sample's keys, and otherwise nothing that the sample has.
pub fn other_course(folder: &Path) -> CourseDraft {
    let mut course = sample(folder);
    course.title = "Другой курс".into();
    course.description = None;
    course.dates = CourseDates::default();
    course.files = vec![];
    let gone = course.modules[0].lessons.pop().unwrap();
    course.prerequisites_mut().for_each(|(_, needs)| needs.clear());
    let second = course.modules[1].id;
    course.modules[0].prerequisites = vec![second];
    course.modules.reverse();
    course.modules[0].lessons.push(LessonDraft {
        key: Some("gone".into()),
        prerequisites: vec![],
        ..gone
    });
    for (number, module) in (0..).zip(&mut course.modules) {
        module.title = format!("Был модуль {number}");
        (module.description, module.avatar) = (Some("было".to_owned()).filter(|_| number == 0), None);
        module.dates = if number == 0 { dates(5) } else { Dates::default() };
        for lesson in &mut module.lessons {
            lesson.dates = Dates::default();
            lesson.title = "Был урок".into();
        }
    }
    for page in course.pages_mut() {
        page.title = page.title.is_none().then(|| "Была".to_owned());
        page.published = !page.published;
        page.dates = if page.published { dates(6) } else { Dates::default() };
        page.late = Late::default();
        page.content = doc(json!([said("было")])).into();
        page.quiz = page.quiz.take().map(|quiz| match quiz.is_assignment() {
            true => Quiz::assignment(),
            false => Quiz::default(),
        });
    }
    course.modules[0].lessons[0].pages.pop();
    course
}
