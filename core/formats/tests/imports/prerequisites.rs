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
