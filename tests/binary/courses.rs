//! Importing and exporting courses by commands.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Server, ask, book, files, json_of, kurso, run, sign_in};

#[tokio::test]
async fn an_import_beside_a_running_server_is_visible_to_the_next_request() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve", "--demo", "off"]);
    command.env("KURSO_SUPERUSER_PASSWORD", "a password of ours");
    let server = Server::start(command);
    let token = sign_in(&server, "admin@example.com", "a password of ours").await;
    assert_eq!(
        ask(&server, &token, "{ myCourses { totalCount } }").await["data"]["myCourses"]["totalCount"],
        0
    );

    let book = book();
    let output = run(
        folder.path(),
        &[
            "import",
            book.to_str().unwrap(),
            "--owner",
            "admin@example.com",
            "--json",
        ],
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object and nothing else");
    assert!(report["counts"]["pages"].as_u64().unwrap() >= 15, "{report}");
    let answer = ask(&server, &token, "{ myCourses { nodes { id shareCode } } }").await;
    let course = &answer["data"]["myCourses"]["nodes"][0];
    assert_eq!(
        (&course["id"], &course["shareCode"]),
        (&report["course_id"], &report["share_code"])
    );
}

#[tokio::test]
async fn an_import_can_be_a_draft_or_be_appended() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve", "--demo", "off"]);
    command.env("KURSO_SUPERUSER_PASSWORD", "a password of ours");
    let server = Server::start(command);
    let token = sign_in(&server, "admin@example.com", "a password of ours").await;
    let file = folder.path().join("a.gift");
    std::fs::write(&file, "2 + 2 {=4}").unwrap();
    let import = |more: &[&str]| {
        let common = [
            "import",
            file.to_str().unwrap(),
            "--owner",
            "admin@example.com",
            "--json",
        ];
        json_of(&run(folder.path(), &[&common, more].concat()))
    };
    let draft = import(&["--draft"]);
    assert_eq!(draft["share_code"], Value::Null, "{draft}");
    let id = draft["course_id"].as_str().unwrap();
    assert_eq!(import(&["--into", id])["course_id"], id);
    let query = "{ myCourses { nodes { id shareCode modules { lessons { pages { published } } } } } }";
    let answer = ask(&server, &token, query).await;
    let courses = answer["data"]["myCourses"]["nodes"].as_array().unwrap();
    assert_eq!((courses.len(), &courses[0]["shareCode"]), (1, &Value::Null), "{answer}");
    let modules = courses[0]["modules"].as_array().unwrap();
    let published: Vec<&Value> = modules
        .iter()
        .map(|module| &module["lessons"][0]["pages"][0]["published"])
        .collect();
    assert_eq!(published, [&Value::Bool(false), &Value::Bool(true)]);
}

#[tokio::test]
async fn an_update_is_previewed_with_its_consequences_for_learners() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve", "--demo", "off"]);
    command.env("KURSO_SUPERUSER_PASSWORD", "a password of ours");
    let server = Server::start(command);
    let token = sign_in(&server, "admin@example.com", "a password of ours").await;
    let course = folder.path().join("course");
    let write = |name: &str, text: &str| {
        let path = course.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("course.toml", "title = \"Курс\"\n");
    write("1-m/1-l/1-a.md", "+++\nkey = \"a\"\n+++\n\nПервая\n");
    let import = |more: &[&str]| {
        let common = ["import", course.to_str().unwrap(), "--owner", "admin@example.com"];
        run(folder.path(), &[&common, more].concat())
    };
    let made = json_of(&import(&["--json"]));
    let id = made["course_id"].as_str().unwrap();
    let code = made["share_code"].as_str().unwrap();
    let enrolled = ask(
        &server,
        &token,
        &format!("mutation {{ enroll(input: {{shareCode: \"{code}\"}}) {{ error }} }}"),
    )
    .await;
    assert_eq!(enrolled["data"]["enroll"]["error"], Value::Null, "{enrolled}");
    let page = ask(
        &server,
        &token,
        &format!("{{ course(id: \"{id}\") {{ modules {{ lessons {{ pages {{ id }} }} }} }} }}"),
    )
    .await;
    let page = page["data"]["course"]["modules"][0]["lessons"][0]["pages"][0]["id"].clone();
    let visited = ask(
        &server,
        &token,
        &format!("mutation {{ markPageVisited(input: {{pageId: {page}}}) {{ page {{ title }} course {{ progress {{ pagesDone }} }} }} }}"),
    )
    .await;
    assert_eq!(
        visited["data"]["markPageVisited"]["course"]["progress"]["pagesDone"], 1,
        "{visited}"
    );

    write("1-m/1-l/2-b.md", "+++\nkey = \"b\"\n+++\n\nВторая\n");
    let preview = json_of(&import(&["--update", id, "--preview", "--json"]));
    assert_eq!([&preview["stays"], &preview["new"]], [1, 1], "{preview}");
    assert_eq!(preview["affected_learners"], 1, "{preview}");
    let learner = &preview["learners"][0];
    assert_eq!(
        [&learner["progress_before"], &learner["progress_after"]],
        [100, 50],
        "{preview}"
    );
    let text = import(&["--update", id, "--preview", "--lang", "en"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.contains("1 new") && text.contains("100 % → 50 %") && text.contains("Nothing was written"),
        "{text}"
    );
    let progress = format!("{{ course(id: \"{id}\") {{ progress {{ pagesTotal }} }} }}");
    assert_eq!(
        ask(&server, &token, &progress).await["data"]["course"]["progress"]["pagesTotal"],
        1
    );
    assert!(import(&["--update", id]).status.success());
    assert_eq!(
        ask(&server, &token, &progress).await["data"]["course"]["progress"]["pagesTotal"],
        2
    );
    assert!(!import(&["--preview"]).status.success(), "a preview without an update");
}

#[test]
fn a_course_survives_export_and_import() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert!(run(folder.path(), &["user", "add", "ann@example.com"]).status.success());
    let import = |path: &str| {
        json_of(&run(
            folder.path(),
            &["import", path, "--owner", "ann@example.com", "--json"],
        ))
    };
    let export = |report: &Value, format: &str, out: &str| {
        let course = report["course_id"].as_str().unwrap();
        let output = run(folder.path(), &["export", course, "--format", format, "--out", out]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let first = import(book().to_str().unwrap());
    export(&first, "markdown", &at("one"));
    let second = import(&at("one"));
    assert_eq!(second["report"], json!([]));
    assert_eq!(second["counts"]["pages"], first["counts"]["pages"]);
    export(&second, "markdown", &at("two.zip"));
    let third = import(&at("two.zip"));
    export(&third, "markdown", &at("three"));
    assert_eq!(files(Path::new(&at("one"))), files(Path::new(&at("three"))));

    let questions = "// comment\n::t:: 2 + 2 {=4 ~5}\n\nНапишите {}\n";
    std::fs::write(at("a.gift"), questions).unwrap();
    let asked = import(&at("a.gift"));
    assert_eq!(
        (&asked["counts"]["questions"], &asked["counts"]["pages"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(asked["report"][0]["where"], "a.gift");
    export(&asked, "gift", &at("b.gift"));
    let text = std::fs::read_to_string(at("b.gift")).unwrap();
    assert_eq!(text, "$CATEGORY: $course$/a/a/a\n\n2 + 2{ =4 ~5}\n\nНапишите{}\n\n");

    let nobody = run(
        folder.path(),
        &["export", "0198f000-0000-7000-8000-000000000000", "--out", &at("x")],
    );
    assert!(!nobody.status.success());
    let taken = run(
        folder.path(),
        &["export", asked["course_id"].as_str().unwrap(), "--out", &at("")],
    );
    assert!(String::from_utf8_lossy(&taken.stderr).contains("is not an export"));
    assert!(!Path::new(&at("x")).exists());
}

#[test]
fn an_import_reports_in_the_language_of_the_locale_or_the_flag() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert!(run(folder.path(), &["user", "add", "ann@example.com"]).status.success());
    std::fs::write(at("broken.zip"), b"PK\x03\x04 and no more").unwrap();
    std::fs::write(at("a.gift"), "1 + 1 {=2}\n\nWhat? {~%70%a ~%50%b ~c}\n").unwrap();
    let import = |file: &str, locale: &str, more: &[&str]| {
        let path = at(file);
        let arguments = [&["import", &path, "--owner", "ann@example.com"], more].concat();
        let mut command = kurso(folder.path(), &arguments);
        let output = command.env("LC_ALL", locale).output().unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let [_, refused] = import("broken.zip", "ru_RU.UTF-8", &[]);
    assert!(
        refused.contains("broken.zip: это не zip-архив, или архив повреждён"),
        "{refused}"
    );
    let [_, refused] = import("broken.zip", "C", &[]);
    assert!(
        refused.contains("broken.zip: not a zip archive, or damaged"),
        "{refused}"
    );
    let [said, _] = import("a.gift", "ru_RU.UTF-8", &[]);
    assert!(
        said.contains("Перенесено в другом виде (1):") && said.contains("доли баллов за отдельные ответы"),
        "{said}"
    );
    let [said, _] = import("a.gift", "ru_RU.UTF-8", &["--lang", "en"]);
    assert!(said.contains("weights of single answers"), "{said}");
}
