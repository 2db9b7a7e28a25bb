//! Exports for people: the offline HTML file, and results as CSV.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use std::path::Path;

use kurso_base::error::Error;
use kurso_base::ids::{EnrollmentId, UserId};
use kurso_base::messages::{Lang, Message};
use kurso_core::access::Right;
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses::groups::GroupFilter;
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::courses::{self, page};
use kurso_core::exports;
use kurso_core::learning::{self, mark_page_visited, view::CourseView};
use kurso_core::students::Results;
use kurso_core::testing::{command, submission};
use kurso_db::sql;
use kurso_formats::{CourseDraft, HtmlExport, Report, export_html, read, unwatched, write_html};
use serde_json::json;
use tempfile::TempDir;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";

/// A course with every kind of content.
pub fn course(folder: &Path) -> CourseDraft {
    for (path, bytes) in [
        ("course.toml", "title = \"Языки <b>\"\ndescription = \"О языках\"\n".as_bytes()),
        ("1-m/module.toml", "title = \"Модуль\"\n".as_bytes()),
        (
            "1-m/1-l/1-a.md",
            "+++\ntitle = \"Первая \\\"страница\\\"\"\nkey = \"first\"\n+++\n\n## Привет & всем\n\n**Слова** [дальше](2-b.md), [сюда](#привет--всем), \
             [вон](https://example.com/?a=1&b=2), [черновик](3-draft.md), [файл](../../files/note.txt) и $x^2$.\n\n\
             ```rust\nfn main() { let x = \"<script>\"; }\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] дело\n\n> [!TIP]\n> Совет\n\n\
             ![Схема](../../files/a.png \"Рис. 1\")\n\n$$\n\\frac{1}{2}\n$$\n\n::embed provider=youtube id=abc\n\n::video src=\"../../files/large.mp4\"\n"
                .as_bytes(),
        ),
        (
            "1-m/1-l/2-b.md",
            "+++\ntitle = \"Тест\"\nkey = \"quiz\"\n+++\n\n??? single_choice points=2\n\nСколько?\n\n( ) один\n(x) два-верно\n! Потому что.\n\n\
             ??? fill_blank\n\nСтолица — [[=Рим-верно]].\n\n??? ordering\n\nПорядок\n\n1) раз\n2) два\n\n??? matching\n\nПары\n\n<- л\n-> п\n<- м\n-> н\n\n\
             ??? numeric\n\nЧисло\n\n= 3.14 +- 0.01\n\n??? short_text\n\nСлово\n\n= слово-верно\n\n\
             ??? essay points=1.5 rubric=shown\n\nПочему?\n\n== Ясность <i>\n    Понятно ли?\n(1.5) Всё ясно\n(0) Нет\n\n\
             ??? essay rubric=hidden\n\nЗачем?\n\n== Тайный критерий\n(1) Да\n"
                .as_bytes(),
        ),
        ("1-m/1-l/3-draft.md", "+++\ntitle = \"Черновик\"\npublished = false\n+++\n\nне для всех\n".as_bytes()),
        ("files/a.png", PNG),
        ("files/note.txt", b"note".as_slice()),
    ] {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    let mut film = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom".to_vec();
    film.resize(9 << 20, 0);
    std::fs::write(folder.join("files/large.mp4"), film).unwrap();
    let (course, report) = read(folder, None, &folder.join("scratch"), &mut unwatched).unwrap();
    assert_eq!(lines(&report), Vec::<String>::new());
    course
}

fn lines(report: &Report) -> Vec<String> {
    report.entries.iter().map(|entry| entry.to_line(Lang::En)).collect()
}

fn html(course: &CourseDraft, options: HtmlExport) -> (String, Report) {
    let mut out = Vec::new();
    let report = write_html(course, options, &mut out).unwrap();
    (String::from_utf8(out).unwrap(), report)
}

#[test]
fn the_html_export_is_self_contained() {
    let dir = TempDir::new().unwrap();
    let course = course(dir.path());
    let (text, report) = html(&course, HtmlExport::default());
    for part in [
        "<html lang=\"ru\">",
        "<title>Языки &lt;b&gt;</title>",
        "<article id=\"first\"",
        "Первая &quot;страница&quot;",
        "<a href=\"#quiz\">дальше</a>",
        "<h2 class=\"l2\" id=\"first/привет--всем\">Привет &amp; всем</h2>",
        "href=\"https://example.com/?a=1&amp;b=2\"",
        "src=\"data:image/png;base64,iVBOR",
        "<a download=\"note.txt\" href=\"data:application/octet-stream;base64,bm90ZQ==\" data-file=\"1\">файл</a>",
        "<math",
        "<i class=\"k\">fn</i>",
        "&lt;script&gt;",
        "<details class=\"answers\"><summary>Ответы</summary>",
        "два-верно",
        "Рим-верно",
        "слово-верно",
        "3,14 ± 0,01",
        "large.mp4 (9\u{a0}МБ): не поместился",
        "2\u{a0}балла",
        "<li><p><strong>Ясность &lt;i&gt;</strong> (1,5\u{a0}балла)</p><p>Понятно ли?</p><ul><li><p>Всё ясно (1,5\u{a0}балла)</p></li>",
        "<strong>Тайный критерий</strong>",
        "rel=\"next\" href=\"#quiz\"",
    ] {
        assert!(text.contains(part), "{part} is not in it");
    }
    // The unpublished page is missing, and links to it are removed.
    assert!(
        !text.contains("не для всех") && text.contains(", черновик, "),
        "a draft went out"
    );
    assert_eq!(
        lines(&report),
        [
            "Черновик: the page: unpublished; the file contains only what learners see",
            "Первая \"страница\": file large.mp4: a single HTML file cannot hold it; the text in its place says so",
        ]
    );
    // Nothing is loaded from the network: media are embedded, other addresses are links.
    for attribute in ["src=\"", "srcset=", "url(", "@import", "<link", "<iframe", "<object"] {
        for (at, _) in text.match_indices(attribute) {
            let rest = &text[at + attribute.len()..];
            assert!(
                attribute == "src=\"" && rest.starts_with("data:"),
                "{attribute}{}",
                &rest[..20]
            );
        }
    }
    assert!(text.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
    assert_eq!(text.matches("<script").count(), 1);

    // The answers of quizzes exported without answers do not occur.
    let (without, _) = html(&course, HtmlExport { answers: false });
    assert!(
        !without.contains("Рим-верно") && !without.contains("слово-верно") && !without.contains("class=\"answers\"")
    );
    assert!(without.contains("два-верно"));
    // A rubric is there as learners see it.
    assert!(without.contains("Всё ясно") && !without.contains("Тайный критерий"));

    // The same course gives the same bytes.
    for name in ["a.html", "b.html"] {
        export_html(&course, HtmlExport::default(), &dir.path().join(name)).unwrap();
        assert_eq!(std::fs::read_to_string(dir.path().join(name)).unwrap(), text);
    }
}

both! {
    /// A full disk is reported as such and not as an internal error.
    async fn results_without_disk_space_fail_with_a_clear_error(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        let results = Results::of(&kurso, &owner, course, GroupFilter::All, Lang::En).await.unwrap();
        let full = tokio::fs::OpenOptions::new().write(true).open("/dev/full").await.unwrap();
        let refused = exports::write_results(&kurso, results, full).await;
        assert!(matches!(refused, Err(Error::Unavailable(Message::NoRoom))), "{refused:?}");
    }

    async fn results_have_a_row_per_learner_and_a_column_per_quiz(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Quiz], &[Quiz, Content]]]).await;
        let view = CourseView::load(&kurso, &owner, course, Right::Read).await.unwrap();
        let pages: Vec<_> = view.tree.pages.iter().map(|page| page.id).collect();
        let asked = json!({"questions": [{"type": "short_text", "prompt": "Да?", "accepted": ["да"]},
            {"type": "short_text", "prompt": "Нет?", "accepted": ["нет"]}]});
        kurso.set_quiz(pages[1], &asked).await;
        page::update(&kurso, &owner, pages[1], None, command(json!({"title": "=Тест; \"итог\""}))).await.unwrap();

        let anna = kurso.person("anna").await;
        let code = courses::generate_share_code(&kurso, &owner, course).await.unwrap().share_code.unwrap();
        learning::enroll(&kurso, &anna, &Origin::default(), &code).await.unwrap();
        mark_page_visited(&kurso, &anna, pages[0]).await.unwrap();
        let taken = attempts::for_author(&kurso.db, &[pages[1]]).await.unwrap().remove(&pages[1]).unwrap();
        let taken: serde_json::Value = serde_json::from_str(&taken).unwrap();
        let id = &taken["questions"][0]["id"];
        attempts::submit(&kurso, &anna, pages[1], submission(&json!({"answers": [{"question_id": id, "text": "да"}]}))).await.unwrap();
        sql!("UPDATE users SET full_name = '=HYPERLINK(\"http://evil\")' WHERE id = $1", anna.id())
            .execute(&kurso.db).await.unwrap();

        // Learners see nothing of others; strangers do not even see the course.
        let refused = Results::of(&kurso, &anna, course, GroupFilter::All, Lang::En).await;
        assert!(matches!(refused, Err(Error::Forbidden(_))));
        let stranger = kurso.person("stranger").await;
        assert!(matches!(Results::of(&kurso, &stranger, course, GroupFilter::All, Lang::En).await, Err(Error::NotFound(_))));

        let mut results = Results::of(&kurso, &owner, course, GroupFilter::All, Lang::Ru).await.unwrap();
        let first = results.part(&kurso.db).await.unwrap().unwrap();
        assert_eq!(results.part(&kurso.db).await.unwrap(), None);
        let text = String::from_utf8(first).unwrap();
        let mut lines = text.strip_prefix('\u{feff}').unwrap().split("\r\n");
        let headings = lines.next().unwrap();
        assert!(headings.starts_with("\"Имя\",\"Email\",\"Пройдено, %\",\"Страниц пройдено\",\"Страниц всего\","), "{headings}");
        assert!(headings.contains("=Тест; \"\"итог\"\", %\""), "{headings}");
        let row = lines.next().unwrap();
        assert!(row.starts_with("\"'=HYPERLINK(\"\"http://evil\"\")\",\"anna@example.com\","), "{row}");
        assert!(row.ends_with(",\"\",\"50\",\"\""), "{row}");
        assert_eq!(lines.collect::<Vec<_>>(), [""]);

        // A large class comes in parts, sorted by name, without duplicates; the headings come first.
        let now = kurso.clock.now();
        for n in 0..450 {
            let user = UserId::new();
            sql!(
                "INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at)
                 VALUES ($1, $2, $2, $3, '-', $4, $5, $6)",
                user, format!("s{n}@example.com"), format!("Ученик {n:03}"), true, false, now
            ).execute(&kurso.db).await.unwrap();
            sql!(
                "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
                EnrollmentId::new(), course, user, now
            ).execute(&kurso.db).await.unwrap();
        }
        let mut results = Results::as_owner(&kurso, course, Lang::En).await.unwrap();
        assert_eq!((results.left(), results.title()), (451, "Курс"));
        let mut names = Vec::new();
        let mut parts = 0;
        let mut whole = Vec::new();
        while let Some(part) = results.part(&kurso.db).await.unwrap() {
            parts += 1;
            whole.extend(part);
        }
        for line in String::from_utf8(whole).unwrap().lines().skip(1) {
            names.push(line.split(',').next().unwrap().trim_matches('"').to_owned());
        }
        assert_eq!((parts, names.len()), (3, 451));
        let students: Vec<_> = (0..450).map(|n| format!("Ученик {n:03}")).collect();
        assert_eq!(names[1..], students[..]);
    }
}
