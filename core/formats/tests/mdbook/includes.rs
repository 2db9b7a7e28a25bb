//! `{{#include}}` and similar directives.

use std::fs;
use std::time::{Duration, Instant};

use kurso_formats::content;

use crate::{Book, lines};

#[test]
fn includes_resolve_files_anchors_and_lines() {
    let source = "use std::io;\n// ANCHOR: all\n// ANCHOR: here\nfn main() {\n    # hidden\n    x();\n}\n// ANCHOR_END: here\nend();\n";
    for (directive, expected) in [
        (
            "{{#include ../code/a.rs}}",
            "use std::io;\nfn main() {\n    x();\n}\nend();",
        ),
        ("{{#include ../code/a.rs:here}}", "fn main() {\n    x();\n}"),
        ("{{#rustdoc_include ../code/a.rs:here}}", "fn main() {\n    x();\n}"),
        ("{{#include ../code/a.rs:all}}", "fn main() {\n    x();\n}\nend();"),
        ("{{#include ../code/a.rs:1}}", "use std::io;"),
        ("{{#include ../code/a.rs:9:}}", "end();"),
        ("{{#include ../code/a.rs::2}}", "use std::io;"),
        ("{{#rustdoc_include ../code/a.rs:4:6}}", "fn main() {\n    x();"),
        ("{{ #include  ../code/a.rs:here }}", "fn main() {\n    x();\n}"),
        ("a(); // \\{{#include x}}", "a(); // {{#include x}}"),
    ] {
        let book = Book::of_page(&format!("```rust\n{directive}\n```\n"));
        book.write("code/a.rs", source);
        let (course, report) = book.read_well();
        assert_eq!(
            course.pages().next().unwrap().content.read()["content"][0]["content"][0]["text"],
            expected,
            "{directive}"
        );
        assert_eq!(lines(&report), [""; 0], "{directive}");
    }
    let book = Book::of_page("{{#playground a.rs editable}}\n\n{{#include part.md}}\n");
    book.write("src/a.rs", "fn main() {}\n// ```\n");
    book.write("src/part.md", "**bold** {{#include deep/more.md}}");
    book.write("src/deep/more.md", "and more");
    let (course, report) = book.read_well();
    let content = &course.pages().next().unwrap().content.read()["content"];
    assert_eq!(content[0]["content"][0]["text"], "fn main() {}\n// ```");
    assert_eq!(content[1]["content"][1]["text"], " and more");
    assert_eq!((report.counts.includes, lines(&report).len()), (3, 1));
}

#[test]
fn failed_includes_stay_as_text_with_a_note() {
    let book = Book::of_page(
        "one\n\n{{#include none.rs}}\n\n{{#include a.rs:none}}\n\n{{#include a.rs:99}}\n\n{{#include ../../out.rs}}\n\n\
         {{#include /etc/passwd}}\n\n{{#include binary}}\n\n{{#include .}}\n\n{{#shout x.toml}}\n",
    );
    book.write("src/a.rs", "a\n");
    book.write("src/binary", [0xff, 0]);
    fs::write(book.dir.path().join("out.rs"), "secret").unwrap();
    let (course, report) = book.read_well();
    assert!(!course.pages().next().unwrap().content.to_string().contains("secret"));
    let told = lines(&report);
    let expected = [
        ("3", "{{#include none.rs}}: the file does not exist"),
        ("5", "{{#include a.rs:none}}: the file has no such anchor"),
        ("7", "{{#include a.rs:99}}: the file has no such anchor or lines"),
        ("9", "{{#include ../../out.rs}}: the path leaves the folder"),
        ("11", "{{#include /etc/passwd}}: the path leaves the folder"),
        ("13", "{{#include binary}}: it is not text"),
        ("15", "{{#include .}}: it is not a file"),
        ("17", "{{#shout x.toml}}: unknown directive"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for ((line, text), told) in expected.iter().zip(&told) {
        assert!(told.contains(&format!("src/a.md:{line}: {text}")), "{told}");
    }
}

#[test]
fn include_loops_terminate() {
    let book = Book::of_page("{{#include b.md}}\n");
    book.write("src/b.md", "b {{#include c.md}}");
    book.write("src/c.md", "c {{#include b.md}} {{#include c.md}} {{#include a.md}}");
    let (_, report) = book.read_well();
    let told = lines(&report);
    assert!(
        told.iter()
            .any(|line| line.contains("src/c.md:1: {{#include b.md}}: the file includes itself")),
        "{told:#?}"
    );
    assert!(told.iter().all(|line| line.contains("includes itself")), "{told:#?}");
    // A file may include a part of itself.
    let book = Book::of_page("{{#include b.md:x}}\n");
    book.write(
        "src/b.md",
        "ANCHOR: x\n{{#include b.md:y}}\nANCHOR_END: x\nANCHOR: y\ninner\nANCHOR_END: y\n",
    );
    let (course, report) = book.read_well();
    assert_eq!(
        (
            content::text(&course.pages().next().unwrap().content.read()).as_str(),
            lines(&report).len()
        ),
        ("inner", 0)
    );
}

#[test]
fn include_expansion_is_bounded() {
    let book = Book::of_page("{{#include 0.md}}\n");
    for level in 0..30 {
        book.write(
            &format!("src/{level}.md"),
            format!("{{{{#include {0}.md}}}} {{{{#include {0}.md}}}}\n", level + 1),
        );
    }
    let big = Book::of_page(&"{{#include big.txt}}\n".repeat(1000));
    big.write("src/big.txt", "word ".repeat(100_000));
    let slow = Book::of_page(&"{{#include big.txt:1}}\n".repeat(100_000));
    slow.write("src/big.txt", "a\n".repeat(2_000_000));
    for book in [book, big, slow] {
        let start = Instant::now();
        let (_, report) = book.read_well();
        assert!(
            lines(&report)
                .iter()
                .any(|line| line.contains("too large or nested too deeply"))
        );
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }
}
