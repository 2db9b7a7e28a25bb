//! Prerequisites in Kurso Markdown.

use kurso_base::messages::Lang;
use kurso_formats::testing::folder;
use kurso_formats::{read, unwatched};

#[test]
fn prerequisites_are_found_by_key_and_others_reported() {
    let dir = folder(&[
        ("course.toml", "format = 1\ntitle = \"C\"\nsequential = true\n"),
        ("01-a/module.toml", "key = \"a\"\nprerequisites = \"b\"\n"),
        (
            "01-a/01-l/lesson.toml",
            "key = \"l\"\nprerequisites = [\"b\", \"p\", \"a\"]\n",
        ),
        ("01-a/01-l/01-p.md", "+++\nkey = \"p\"\n+++\n"),
        ("02-b/module.toml", "key = \"b\"\nprerequisites = []\n"),
    ]);
    let scratch = tempfile::TempDir::new().unwrap();
    let (course, report) = read(dir.path(), None, scratch.path(), &mut unwatched).unwrap();
    assert!(course.dates.sequential);
    let [a, b] = course.modules.as_slice() else {
        panic!("{:?}", course.modules)
    };
    assert_eq!((a.prerequisites.len(), b.prerequisites.len()), (0, 0));
    assert_eq!(a.lessons.first().unwrap().prerequisites, [b.id, a.id]);
    let said: Vec<_> = report.entries.iter().map(|entry| entry.texts(Lang::En).0).collect();
    assert_eq!(
        said,
        ["field prerequisites", "prerequisite \"p\""],
        "a page is none, and neither is a text"
    );
}

#[test]
fn prerequisites_beyond_the_limit_are_reported() {
    let keys: Vec<String> = (0..103).map(|at| format!("\"m{at}\"")).collect();
    let needs = format!("key = \"last\"\nprerequisites = [{}]\n", keys.join(", "));
    let modules = (0..103).map(|at| {
        let text = format!("key = \"m{at}\"\n");
        (format!("{at:03}/module.toml"), text)
    });
    let mut files: Vec<(String, String)> = modules.collect();
    files.push(("200/module.toml".to_owned(), needs));
    let files: Vec<_> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let dir = folder(&[&[("course.toml", "title = \"C\"\n")], files.as_slice()].concat());
    let scratch = tempfile::TempDir::new().unwrap();
    let (course, report) = read(dir.path(), None, scratch.path(), &mut unwatched).unwrap();
    assert_eq!(course.modules.last().unwrap().prerequisites.len(), 100);
    let said: Vec<_> = report.entries.iter().map(|entry| entry.to_line(Lang::En)).collect();
    assert_eq!(
        said,
        ["200/module.toml: parts beyond the limit: 3: the first 100 were read"]
    );
}
