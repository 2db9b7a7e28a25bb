//! Markdown and HTML content of pages.

use kurso_formats::content;
use serde_json::{Value, json};

use crate::{Book, blocks, lines, paragraph};

#[test]
fn marks_lists_and_quotes_are_imported() {
    let (content, told) = blocks(
        "**bold _both_** ~~gone~~ `code` <u>u</u> <kbd>Ctrl</kbd> x<sup>2</sup><sub>i</sub> <mark>m</mark> line  \nbreak\n\n\
         1. one\n2. two\n\n7. seven\n\n- [x] done\n- [ ] open\n\n> quote\n>\n> ```rust,ignore,does_not_compile\n> let x;\n> ```\n\n> [!WARNING]\n> care\n\n---\n",
    );
    let text = |text: &str, marks: &[&str]| {
        let marks: Vec<_> = marks.iter().map(|mark| json!({ "type": mark })).collect();
        json!({ "type": "text", "text": text, "marks": marks })
    };
    let plain = |text: &str| json!({ "type": "text", "text": text });
    assert_eq!(
        content[0]["content"],
        json!([
            text("bold ", &["bold"]), text("both", &["bold", "italic"]), plain(" "), text("gone", &["strike"]), plain(" "),
            text("code", &["code"]), plain(" "), text("u", &["underline"]), plain(" "), text("Ctrl", &["code"]), plain(" x"),
            text("2", &["superscript"]), text("i", &["subscript"]), plain(" "), text("m", &["highlight"]), plain(" line"),
            { "type": "hardBreak" }, plain("break"),
        ])
    );
    assert_eq!(content[1]["type"], "orderedList");
    assert_eq!(content[1]["content"].as_array().unwrap().len(), 3);
    assert_eq!(
        content[2]["content"][0],
        json!({ "type": "taskItem", "attrs": { "checked": true }, "content": [paragraph("done")] })
    );
    assert_eq!(
        content[3]["content"][1]["attrs"],
        json!({ "language": "rust", "caption": "This code does not compile!" })
    );
    assert_eq!(
        content[4],
        json!({ "type": "callout", "attrs": { "kind": "warning" }, "content": [paragraph("care")] })
    );
    assert_eq!(content[5], json!({ "type": "horizontalRule" }));
    assert_eq!(
        told,
        [
            "not_carried src: flags of code blocks (1): ignore (1): they control how mdBook runs and tests code; the code is unchanged"
        ]
    );
}

#[test]
fn tables_keep_alignment_and_need_no_outer_bars() {
    let (content, told) = blocks(
        "a | b | c\n:-- | :-: | --:\n1 | `x \\| y` |\n\n<table><tr><th colspan=2>h</th></tr><tr><td>1<td style='text-align: right'><p>2</p><ul><li>3</ul></table>\n",
    );
    let rows = content[0]["content"].as_array().unwrap();
    assert_eq!(
        rows[0]["content"][1],
        json!({ "type": "tableHeader", "attrs": { "align": "center" }, "content": [paragraph("b")] })
    );
    assert_eq!(rows[1]["content"][1]["content"][0]["content"][0]["text"], "x | y");
    assert_eq!(
        rows[1]["content"][2],
        json!({ "type": "tableCell", "attrs": { "align": "right" }, "content": [{ "type": "paragraph" }] })
    );
    let rows = content[1]["content"].as_array().unwrap();
    assert_eq!(rows[0]["content"][0]["attrs"], json!({ "colspan": 2 }));
    assert_eq!(rows[1]["content"][1]["attrs"], json!({ "align": "right" }));
    assert_eq!(rows[1]["content"][1]["content"][1]["type"], "bulletList");
    assert_eq!(told, [""; 0]);
}

#[test]
fn html_becomes_nodes_or_text() {
    let (content, told) = blocks(
        "<details open>\n<summary>More <b>here</b></summary>\n\nText with `code`\n\n- item\n\n</details>\n\n\
         <div class=\"warning\">\n\nCare\n\n</div>\n\n<span class=\"filename\">a.rs</span>\n\n\
         <iframe src=\"https://www.youtube.com/embed/abc\" title=\"T\"></iframe>\n\n<iframe src=\"https://example.com\"></iframe>\n\n\
         <!-- comment -->\n\n<script>alert(1)</script>\n\n<custom-box>kept</custom-box> <blink>too</blink> Vec<T>\n",
    );
    assert_eq!(
        content[0],
        json!({ "type": "details", "attrs": { "open": true }, "content": [
            { "type": "detailsSummary", "content": [{ "type": "text", "text": "More " }, { "type": "text", "text": "here", "marks": [{ "type": "bold" }] }] },
            { "type": "detailsContent", "content": [
                { "type": "paragraph", "content": [{ "type": "text", "text": "Text with " }, { "type": "text", "text": "code", "marks": [{ "type": "code" }] }] },
                { "type": "bulletList", "content": [{ "type": "listItem", "content": [paragraph("item")] }] },
            ] },
        ] })
    );
    assert_eq!(
        content[1],
        json!({ "type": "callout", "attrs": { "kind": "warning" }, "content": [paragraph("Care")] })
    );
    assert_eq!(content[2]["content"][0]["marks"][0]["type"], "bold");
    assert_eq!(
        content[3],
        json!({ "type": "embed", "attrs": { "provider": "youtube", "id": "abc", "caption": "T" } })
    );
    // A frame becomes a link.
    let href = &content[4]["content"][0]["marks"][0]["attrs"]["href"];
    assert_eq!(href, "https://example.com");
    assert_eq!(content[5], paragraph("kept too Vec<T>"));
    assert_eq!(
        told,
        [
            "changed src/a.md:20: tag <iframe src=\"https://example.com\">: embedded pages are not supported; replaced by a link",
            "not_carried src/a.md:24: tag <script> and its content: not supported",
            "changed src/a.md:26: tag <custom-box>: not supported; its text was kept",
            "changed src/a.md:26: tag <blink>: not supported; its text was kept",
        ]
    );
}

#[test]
fn an_unclosed_tag_or_comment_does_not_swallow_the_page() {
    for text in [
        "- <!-- open\n\nrest\n",
        "a <title> b\n\nrest\n",
        "<script>\n\nrest\n",
        "<textarea>\n\nrest",
        "<plaintext>\n\nrest\n",
        "> <style>\n\nrest\n",
    ] {
        let (content, _) = blocks(text);
        assert!(
            content::text(&json!({ "type": "doc", "content": content })).contains("rest"),
            "{text}: {content}"
        );
    }
}

#[test]
fn the_first_heading_is_the_title_and_the_rest_an_outline() {
    let titles = |text: &str| {
        let (course, _) = Book::of_page(text).read_well();
        let page = course.pages().next().unwrap();
        let document = page.content.read();
        let headings = document["content"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|block| block["type"] == "heading");
        let headings: Vec<_> = headings
            .map(|block| format!("{}{}", block["attrs"]["level"], content::heading_text(block)))
            .collect();
        format!("{}: {}", page.title.as_deref().unwrap(), headings.join(" "))
    };
    assert_eq!(
        titles("# T `code`\n\n## a\n### b\n###### c\n# d\n## e"),
        "T code: 2a 3b 4c 2d 3e"
    );
    assert_eq!(titles("## T\n\n### a\n#### b\n## c"), "T: 2a 3b 2c");
    assert_eq!(titles("text\n\n# T\n\ntext"), "T: ");
    assert_eq!(titles("text\n\n## a\n\n# b"), "A: 2a 2b");
    assert_eq!(titles("<h1 align=center>T</h1>\n\ntext"), "T: ");
    assert_eq!(titles(""), "A: ");
}

#[test]
fn links_resolve_and_dead_ones_are_reported() {
    let book = Book::new(&[
        ("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)"),
        (
            "src/a.md",
            "# A\n\n[1](b.md#custom) [2](b.html#Second) [3](b.md#old-name) [4](b.md#b) [5](b.md#none) [6](#part) [7](c.md) [8](none.md)\n\
             [9](../std/x.html) [10](javascript:alert) [11](page:01890000-0000-7000-8000-000000000001) [12](data.csv) [13](b.md#inline)\n\n## Part\n",
        ),
        (
            "src/b.md",
            "# B\n\n## First {#custom}\n\n<a id=\"old-name\"></a>\n\n## Second\n\n## Third <a name=\"inline\"></a>\n",
        ),
        ("src/c.md", "c"),
        ("src/data.csv", "a,b"),
    ]);
    let (course, report) = book.read_well();
    let (a, b) = (course.pages().next().unwrap(), course.pages().nth(1).unwrap());
    let document = a.content.read();
    let texts = document["content"][0]["content"].as_array().unwrap();
    let href = |number: &str| {
        let text = texts.iter().find(|text| text["text"] == number);
        text.and_then(|text| text["marks"][0]["attrs"]["href"].as_str())
            .unwrap_or("")
            .to_owned()
    };
    let id = b.id;
    assert_eq!(href("1"), format!("page:{id}#first"));
    assert_eq!(href("2"), format!("page:{id}#second"));
    assert_eq!(href("3"), format!("page:{id}#second"));
    assert_eq!(href("4"), format!("page:{id}"));
    assert_eq!(href("5"), format!("page:{id}"));
    assert_eq!(href("6"), "#part");
    assert_eq!(href("13"), format!("page:{id}#third"));
    assert_eq!(href("12"), course.files[0].address());
    assert_eq!((course.files.len(), course.files[0].content_type), (1, "text/plain"));
    assert_eq!(
        lines(&report),
        [
            "not_carried src/a.md:3: link c.md: the file is not in the summary, so it is not a page; only the text was kept",
            "not_carried src/a.md:3: link none.md: the file does not exist; only the text was kept",
            "changed src/a.md:3: link b.md#none: there is no such heading; the link leads to the start of the page",
            "not_carried src/a.md:4: link ../std/x.html: it leaves the book; only the text was kept",
            "not_carried src/a.md:4: link javascript:alert: only http, https, mailto and links within the course are supported; only the text was kept",
            "not_carried src/a.md:4: link page:01890000-0000-7000-8000-000000000001: only http, https, mailto and links within the course are supported; only the text was kept",
            "not_carried src/c.md: file src/c.md: it is not in the summary",
        ]
    );
}

#[test]
fn images_are_files_of_the_folder() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x10\x08\x06\0\0\0";
    let book = Book::new(&[
        (
            "book.toml",
            "[output.html]\ngit-repository-url = \"https://github.com/me/book\"",
        ),
        ("src/SUMMARY.md", "- [A](a.md)"),
        (
            "src/a.md",
            "![alt *text*](img/a.png \"Caption\")\n\nbefore ![two](img/copy.png) after\n\n<img src=\"img/a.png\" width=\"64\">\n\
             <span class=\"caption\">Figure <code>1</code></span>\n\n[![l](img/a.png)](https://example.com)\n\n![no](img/none.png)\n\n\
             ![r](https://example.com/a.png)\n\n![mine](https://github.com/me/book/blob/main/src/img/a.png?raw=true)\n\n\
             ![theirs](https://github.com/you/book/blob/main/src/img/a.png)\n\n![text](a.md) ![t](img/text.png) ![d](data:image/png;base64,AA==)\n",
        ),
        ("src/img/text.png", "not an image"),
    ]);
    book.write("src/img/a.png", png);
    book.write("src/img/copy.png", png);
    let (course, report) = book.read_well();
    let content = &course.pages().next().unwrap().content.read()["content"];
    let src = course.files[0].address();
    assert_eq!(
        (course.files.len(), course.files[0].width, course.files[0].height),
        (1, Some(32), Some(16))
    );
    let size = |mut attrs: Value| {
        attrs["src"] = json!(src);
        attrs["naturalWidth"] = json!(32);
        attrs["naturalHeight"] = json!(16);
        json!({ "type": "image", "attrs": attrs })
    };
    assert_eq!(content[0], size(json!({ "alt": "alt text", "caption": "Caption" })));
    assert_eq!((&content[1], &content[3]), (&paragraph("before"), &paragraph("after")));
    assert_eq!(
        content[4],
        size(json!({ "alt": "", "width": 64, "caption": "Figure 1" }))
    );
    assert_eq!(content[5], size(json!({ "alt": "l" })));
    assert_eq!((&content[6], &content[7]), (&paragraph("no"), &paragraph("r")));
    assert_eq!(content[8], size(json!({ "alt": "mine" })));
    let told: Vec<_> = lines(&report);
    for line in [
        "changed src/a.md:5: formatting in the caption",
        "not_carried src/a.md:8: link https://example.com around an image",
        "not_carried src/a.md:10: image img/none.png: the file does not exist",
        "not_carried src/a.md:12: image https://example.com/a.png: remote images",
        "carried src/a.md:14: image https://github.com/me/book/blob/main/src/img/a.png?raw=true: taken from the folder",
        "not_carried src/a.md:16: image https://github.com/you/book/blob/main/src/img/a.png: remote images",
        "not_carried src/a.md:18: image a.md: it is not",
        "not_carried src/a.md:18: image img/text.png: it is not an image",
        "not_carried src/a.md:18: image data:image/png;base64,AA==: it is not a file",
    ] {
        assert!(told.iter().any(|told| told.starts_with(line)), "{line}\n{told:#?}");
    }
    assert_eq!(told.len(), 9, "{told:#?}");
}

#[test]
fn footnotes_become_a_list_at_the_end() {
    let (course, report) = Book::of_page(
        "# T\n\n### h\n\na[^x] b[^1] c[^x]\n\n[^1]: one `1`\n[^x]: two\n\n    more\n\n[^unused]: three\n",
    )
    .read_well();
    let content = &course.pages().next().unwrap().content.read()["content"];
    assert_eq!(
        content[1]["content"][1]["marks"],
        json!([{ "type": "superscript" }, { "type": "link", "attrs": { "href": "#notes" } }])
    );
    assert_eq!(
        content[2],
        json!({ "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": "Notes" }] })
    );
    assert_eq!(
        content[3]["content"][0]["content"],
        json!([paragraph("two"), paragraph("more")])
    );
    assert_eq!(content[3]["content"][2]["content"], json!([paragraph("three")]));
    let told = lines(&report);
    assert!(told[0].starts_with("changed src/a.md: footnotes: 3:"), "{told:?}");
}

#[test]
fn math_is_parsed_if_configured() {
    let text = "a \\\\(x_1\\\\) b\n\n\\\\[\ny\n\\\\]\n\n`\\\\(code\\\\)`\n";
    let book = Book::of_page(text);
    book.write("book.toml", "[output.html]\nmathjax-support = true");
    let (course, _) = book.read_well();
    let content = &course.pages().next().unwrap().content.read()["content"];
    assert_eq!(
        content[0]["content"][1],
        json!({ "type": "inlineMath", "attrs": { "latex": "x_1" } })
    );
    assert_eq!(content[1], json!({ "type": "blockMath", "attrs": { "latex": "y" } }));
    assert_eq!(content[2]["content"][0]["marks"][0]["type"], "code");
    assert!(
        !Book::of_page(text)
            .read_well()
            .0
            .pages()
            .next()
            .unwrap()
            .content
            .to_string()
            .contains("Math")
    );

    let book = Book::of_page("cost $x$ and\n\n$$\ny\n$$\n");
    book.write("book.toml", "[preprocessor.katex]");
    let content = book.read_well().0.pages().next().unwrap().content.to_string();
    assert!(
        content.contains("inlineMath") && content.contains("blockMath"),
        "{content}"
    );
}
