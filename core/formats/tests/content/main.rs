//! The content model: valid and invalid documents, and the reported locations of errors.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may stop at the first surprise, its helpers too"
)]

mod properties;

use kurso_base::messages::Lang;
use kurso_formats::content::schema::{MARKS, MAX_BYTES, MAX_DEPTH, NODES};
use kurso_formats::content::{
    self, ContentProblem, EMPTY, files, heading_anchors, map_addresses, page_links, text, validate,
    validate_with_blanks,
};
use serde_json::{Value, json};

const FILE: &str = "/files/0123456789abcdef0123456789abcdef/%D1%81%D1%85%D0%B5%D0%BC%D0%B0.png";
const PAGE: &str = "01890000-0000-7000-8000-000000000001";

fn doc(blocks: Value) -> Value {
    json!({ "type": "doc", "content": blocks })
}

fn paragraph(text: &str) -> Value {
    json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] })
}

fn refusal(document: &Value) -> (String, ContentProblem) {
    let error = validate(document).expect_err("refused");
    (error.path, error.problem)
}

#[test]
fn a_document_with_every_node_is_valid() {
    let inline = json!([
        { "type": "text", "text": "а", "marks": [
            { "type": "bold" }, { "type": "italic" }, { "type": "underline" }, { "type": "strike" }, { "type": "code" },
            { "type": "highlight" }, { "type": "subscript" },
            { "type": "link", "attrs": { "href": "https://example.com", "target": "_blank", "rel": "noopener", "class": null } },
        ] },
        { "type": "hardBreak", "marks": [{ "type": "superscript" }] },
        { "type": "inlineMath", "attrs": { "latex": "x" } },
    ]);
    let cell = json!({ "type": "tableCell", "attrs": { "colspan": 2, "rowspan": 1, "colwidth": [100, 200], "align": "right" },
        "content": [paragraph("б")] });
    let document = doc(json!([
        { "type": "paragraph", "content": inline },
        { "type": "paragraph" },
        { "type": "heading", "attrs": { "level": 4 }, "content": inline },
        { "type": "bulletList", "content": [{ "type": "listItem", "content": [paragraph("в")] }] },
        { "type": "orderedList", "attrs": { "start": 3, "type": null }, "content": [{ "type": "listItem", "content": [paragraph("г")] }] },
        { "type": "taskList", "content": [{ "type": "taskItem", "attrs": { "checked": true }, "content": [paragraph("д")] }] },
        { "type": "blockquote", "content": [paragraph("е")] },
        { "type": "codeBlock", "attrs": { "language": "rust", "caption": null }, "content": [{ "type": "text", "text": "fn" }] },
        { "type": "table", "content": [{ "type": "tableRow", "content": [{ "type": "tableHeader", "content": [paragraph("ж")] }, cell] }] },
        { "type": "image", "attrs": { "src": FILE, "alt": null, "caption": "з", "width": 320, "naturalWidth": 640, "naturalHeight": 480 } },
        { "type": "video", "attrs": { "src": FILE, "caption": null } },
        { "type": "audio", "attrs": { "src": FILE } },
        { "type": "embed", "attrs": { "provider": "vk", "id": "-1_2" } },
        { "type": "attachment", "attrs": { "src": FILE, "filename": "а.pdf", "size": 1, "contentType": "application/pdf" } },
        { "type": "callout", "attrs": { "kind": "danger" }, "content": [paragraph("и")] },
        { "type": "details", "attrs": { "open": false }, "content": [
            { "type": "detailsSummary", "content": inline }, { "type": "detailsContent", "content": [paragraph("к")] } ] },
        { "type": "blockMath", "attrs": { "latex": "\\frac{1}{2}" } },
        { "type": "horizontalRule" },
    ]));
    assert_eq!(validate(&document), Ok(()));
    let used: std::collections::BTreeSet<_> = NODES.iter().map(|node| node.name).collect();
    let json = document.to_string();
    for name in used.iter().filter(|name| **name != "blank") {
        assert!(
            json.contains(&format!("\"type\":\"{name}\"")),
            "{name} is missing from this test"
        );
    }
    assert_eq!(validate(&content::empty()), Ok(()));
    assert_eq!(content::parse(EMPTY), Ok(content::empty()));
}

#[test]
fn errors_name_the_path_and_the_problem() {
    let image = |attrs: Value| {
        doc(json!([paragraph("a"), paragraph("b"), paragraph("c"), { "type": "image", "attrs": attrs }]))
    };
    let (path, problem) = refusal(&image(json!({ "src": "https://example.com/a.png" })));
    assert_eq!(path, "content.content[3].attrs.src");
    assert_eq!(problem.text(Lang::Ru), "Атрибут src: нужно адрес загруженного файла");

    for (blocks, path, key) in [
        (json!([]), "content.content", "content_wrong_content"),
        (json!("a"), "content.content", "content_not_a_list"),
        (json!([1]), "content.content[0]", "content_not_an_object"),
        (json!([{}]), "content.content[0]", "content_missing_type"),
        (
            json!([{ "type": 1 }]),
            "content.content[0].type",
            "content_not_a_string",
        ),
        (
            json!([{ "type": "script" }]),
            "content.content[0].type",
            "content_unknown_node",
        ),
        (
            json!([{ "type": "blank", "attrs": { "blank_id": PAGE } }]),
            "content.content[0].type",
            "content_unknown_node",
        ),
        (
            json!([{ "type": "text", "text": "a" }]),
            "content.content[0]",
            "content_misplaced",
        ),
        (
            json!([{ "type": "listItem", "content": [{ "type": "paragraph" }] }]),
            "content.content[0]",
            "content_misplaced",
        ),
        (
            json!([{ "type": "doc", "content": [{ "type": "paragraph" }] }]),
            "content.content[0]",
            "content_misplaced",
        ),
        (
            json!([{ "type": "bulletList" }]),
            "content.content[0].content",
            "content_wrong_content",
        ),
        (
            json!([{ "type": "bulletList", "content": [paragraph("a")] }]),
            "content.content[0].content[0]",
            "content_misplaced",
        ),
        (
            json!([{ "type": "paragraph", "content": [{ "type": "text", "text": "" }] }]),
            "content.content[0].content[0].text",
            "content_empty_text",
        ),
        (
            json!([{ "type": "paragraph", "content": [{ "type": "text", "text": "a\u{0}" }] }]),
            "content.content[0].content[0].text",
            "content_zero_character",
        ),
        (
            json!([{ "type": "paragraph", "style": "x" }]),
            "content.content[0]",
            "content_unknown_field",
        ),
        (
            json!([{ "type": "paragraph", "attrs": { "style": "x" } }]),
            "content.content[0].attrs",
            "content_unknown_attr",
        ),
        (
            json!([{ "type": "paragraph", "attrs": null }]),
            "content.content[0].attrs",
            "content_not_an_object",
        ),
        (
            json!([{ "type": "paragraph", "marks": [{ "type": "bold" }] }]),
            "content.content[0].marks",
            "content_marks_not_allowed",
        ),
        (
            json!([{ "type": "heading" }]),
            "content.content[0].attrs",
            "content_missing_attr",
        ),
        (
            json!([{ "type": "heading", "attrs": { "level": 5 } }]),
            "content.content[0].attrs.level",
            "content_bad_attr",
        ),
        (
            json!([{ "type": "heading", "attrs": { "level": null } }]),
            "content.content[0].attrs.level",
            "content_bad_attr",
        ),
        (
            json!([{ "type": "heading", "attrs": { "level": 1.5 } }]),
            "content.content[0].attrs.level",
            "content_bad_attr",
        ),
        (
            json!([{ "type": "horizontalRule", "content": [{ "type": "text", "text": "a" }] }]),
            "content.content[0].content",
            "content_wrong_content",
        ),
        (
            json!([{ "type": "details", "content": [{ "type": "detailsContent", "content": [paragraph("a")] }, { "type": "detailsSummary" }] }]),
            "content.content[0].content[0]",
            "content_misplaced",
        ),
        (
            json!([{ "type": "codeBlock", "content": [{ "type": "text", "text": "a", "marks": [{ "type": "bold" }] }] }]),
            "content.content[0].content[0].marks",
            "content_marks_not_allowed",
        ),
        (
            json!([{ "type": "codeBlock", "content": [{ "type": "hardBreak" }] }]),
            "content.content[0].content[0]",
            "content_misplaced",
        ),
        (
            json!([{ "type": "codeBlock", "attrs": { "caption": "a\u{0}" } }]),
            "content.content[0].attrs.caption",
            "content_zero_character",
        ),
        (
            json!([{ "type": "embed", "attrs": { "provider": "youtube", "id": "../x" } }]),
            "content.content[0].attrs.id",
            "content_bad_attr",
        ),
    ] {
        let (at, problem) = refusal(&doc(blocks.clone()));
        assert_eq!((at.as_str(), problem.key()), (path, key), "{blocks}");
        assert!(!problem.text(Lang::En).is_empty() && !problem.text(Lang::Ru).is_empty());
    }
    for (marks, path, key) in [
        (json!([{ "type": "blink" }]), "[0].type", "content_unknown_mark"),
        (
            json!([{ "type": "bold" }, { "type": "bold" }]),
            "[1]",
            "content_repeated_mark",
        ),
        (json!([{ "type": "bold", "x": 1 }]), "[0]", "content_unknown_field"),
        (json!([{ "type": "link" }]), "[0].attrs", "content_missing_attr"),
        (
            json!([{ "type": "link", "attrs": { "href": "javascript:alert(1)" } }]),
            "[0].attrs.href",
            "content_bad_attr",
        ),
        (json!(["bold"]), "[0]", "content_not_an_object"),
        (json!({}), "", "content_not_a_list"),
    ] {
        let document =
            doc(json!([{ "type": "paragraph", "content": [{ "type": "text", "text": "a", "marks": marks }] }]));
        let (at, problem) = refusal(&document);
        assert_eq!(
            (at, problem.key()),
            (format!("content.content[0].content[0].marks{path}"), key),
            "{marks}"
        );
    }
    for other in [
        json!(null),
        json!([]),
        json!("doc"),
        json!({ "type": "paragraph" }),
        json!({ "content": [] }),
    ] {
        assert_eq!(refusal(&other), ("content".into(), ContentProblem::NotADocument));
    }
}

#[test]
fn blanks_are_allowed_only_in_question_texts() {
    let blank =
        |id: &str| doc(json!([{ "type": "paragraph", "content": [{ "type": "blank", "attrs": { "blank_id": id } }] }]));
    assert_eq!(validate_with_blanks(&blank(PAGE)), Ok(()));
    assert!(validate_with_blanks(&blank("1")).is_err());
    assert!(validate(&blank(PAGE)).is_err());
}

/// Nested quotes; the innermost text is `levels` below the document.
fn nested(levels: usize) -> Value {
    let mut node = paragraph("a");
    for _ in 2..levels {
        node = json!({ "type": "blockquote", "content": [node] });
    }
    doc(json!([node]))
}

#[test]
fn depth_and_size_have_limits() {
    assert_eq!(validate(&nested(MAX_DEPTH)), Ok(()));
    assert_eq!(content::parse(&nested(MAX_DEPTH).to_string()), Ok(nested(MAX_DEPTH)));
    assert_eq!(refusal(&nested(MAX_DEPTH + 1)).1, ContentProblem::TooDeep);

    let fits = MAX_BYTES - doc(json!([paragraph("")])).to_string().len();
    assert_eq!(validate(&doc(json!([paragraph(&"a".repeat(fits))]))), Ok(()));
    assert_eq!(
        refusal(&doc(json!([paragraph(&"a".repeat(fits + 1))]))).1,
        ContentProblem::TooLarge
    );
}

#[test]
fn oversized_text_is_rejected_before_parsing() {
    let levels = 10_000;
    let open = "{\"type\":\"blockquote\",\"content\":[".repeat(levels);
    let deep = format!(
        "{{\"type\":\"doc\",\"content\":[{open}{{\"type\":\"paragraph\"}}{}]}}",
        "]}".repeat(levels)
    );
    assert_eq!(
        content::parse(&deep).map_err(|error| error.problem),
        Err(ContentProblem::TooDeep)
    );
    assert_eq!(
        content::parse(&"[".repeat(MAX_BYTES)).map_err(|error| error.problem),
        Err(ContentProblem::TooDeep)
    );
    assert_eq!(
        content::parse(&" ".repeat(MAX_BYTES + 1)).map_err(|error| error.problem),
        Err(ContentProblem::TooLarge)
    );
    for broken in ["", "{", "nul", "{}x", "\"\\ud800\"", "[\"[[[["] {
        assert!(
            matches!(
                content::parse(broken).map_err(|error| error.problem),
                Err(ContentProblem::BadJson(_))
            ),
            "{broken}"
        );
    }
    assert_eq!(
        content::parse(&format!("\"{}\"", "[".repeat(1000))),
        Ok(json!("[".repeat(1000)))
    );
}

#[test]
fn names_from_documents_are_shortened_in_messages() {
    let (path, problem) = refusal(&doc(json!([{ "type": "a\n".repeat(1_000_000) }])));
    assert_eq!(path, "content.content[0].type");
    assert!(problem.text(Lang::Ru).chars().count() < 100);
}

#[test]
fn text_files_and_links_are_extracted() {
    let link =
        |href: &str| json!({ "type": "text", "text": "x", "marks": [{ "type": "link", "attrs": { "href": href } }] });
    let mut document = doc(json!([
        { "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": "Что такое " }, { "type": "text", "text": "Drop?" }] },
        { "type": "paragraph", "content": [{ "type": "text", "text": "а" }, { "type": "hardBreak" }, { "type": "text", "text": "б" },
            { "type": "inlineMath", "attrs": { "latex": "x^2" } }] },
        { "type": "bulletList", "content": [{ "type": "listItem", "content": [paragraph("в")] }, { "type": "listItem", "content": [paragraph("г")] }] },
        { "type": "codeBlock", "attrs": { "caption": "подпись" }, "content": [{ "type": "text", "text": "код" }] },
        { "type": "image", "attrs": { "src": FILE, "caption": "рисунок" } },
        { "type": "paragraph", "content": [link(&format!("page:{PAGE}#a")), link("/files/ffffffffffffffffffffffffffffffff/b.pdf"), link("#c")] },
    ]));
    assert_eq!(
        text(&document),
        "Что такое Drop?\nа\nбx^2\nв\nг\nподпись\nкод\nрисунок\nxxx"
    );
    let keys: Vec<_> = files(&document).into_iter().collect();
    assert_eq!(
        keys,
        ["0123456789abcdef0123456789abcdef", "ffffffffffffffffffffffffffffffff"]
    );
    assert_eq!(
        page_links(&document)
            .into_iter()
            .map(|page| page.to_string())
            .collect::<Vec<_>>(),
        [PAGE]
    );

    let mut seen = Vec::new();
    map_addresses(&mut document, |address| {
        seen.push(address.to_owned());
        address.starts_with("page:").then(|| "https://example.com".to_owned())
    });
    assert_eq!(
        seen,
        [
            FILE,
            &format!("page:{PAGE}#a"),
            "/files/ffffffffffffffffffffffffffffffff/b.pdf",
            "#c"
        ]
    );
    assert!(page_links(&document).is_empty() && document.to_string().contains("https://example.com"));
}

#[test]
fn headings_have_anchors() {
    let heading = |text: &str| json!({ "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": text }] });
    let document = doc(json!([
        heading("Стек и куча"),
        { "type": "blockquote", "content": [heading("СТЕК и Куча")] },
        heading("Box<T>, `Rc` & co_1-2"),
        heading("?!"),
        heading("Стек и куча"),
    ]));
    let anchors = heading_anchors(&document);
    let anchors: Vec<_> = anchors.iter().map(|anchor| anchor.as_deref()).collect();
    assert_eq!(
        anchors,
        [
            Some("стек-и-куча"),
            Some("стек-и-куча-1"),
            Some("boxt-rc--co_1-2"),
            None,
            Some("стек-и-куча-2")
        ]
    );
}

#[test]
fn the_documentation_covers_the_whole_schema() {
    let description = include_str!("../../../../docs/content-model.md");
    for node in NODES {
        assert!(description.contains(&format!("`{}`", node.name)), "{}", node.name);
        for attr in node.attrs {
            assert!(
                description.contains(&format!("`{}`", attr.name)),
                "{}.{}",
                node.name,
                attr.name
            );
        }
    }
    for mark in MARKS {
        assert!(description.contains(&format!("`{}`", mark.name)), "{}", mark.name);
        for attr in mark.attrs {
            assert!(
                description.contains(&format!("`{}`", attr.name)),
                "{}.{}",
                mark.name,
                attr.name
            );
        }
    }
    assert!(description.contains("2 MiB") && description.contains(&MAX_DEPTH.to_string()));
}
