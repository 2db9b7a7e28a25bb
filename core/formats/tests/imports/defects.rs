//! Parts of texts besides their words: hidden parts, titles, embedded pictures, footnotes, listings.

use base64::Engine as _;
use kurso_formats::content;

use super::docx::docx;
use super::{PNG, course_text, import, lines, zipped};

#[test]
fn hidden_text_stays_hidden_and_is_reported() {
    let html = "<title>A</title><p>seen</p><p hidden>one</p><div style=\"color: red; Display : NONE\">two <b>three</b></div><span style='visibility:hidden'>four</span>";
    let (course, report) = import("a.html", html.as_bytes()).unwrap();
    assert_eq!(course_text(&course), "seen");
    let said = lines(&report);
    for words in ["one", "two three", "four"] {
        let line = format!("not_carried a.html: hidden text \"{words}\": the source hides it from readers");
        assert!(said.contains(&line), "{line} is not in {said:#?}");
    }
}

#[test]
fn abbreviations_say_what_they_stand_for_and_titles_of_links_are_reported() {
    let html = "<title>A</title><p><abbr title=\"World Health Organization\">WHO</abbr>, <a href=\"https://example.com\" title=\"More of it\">site</a>, \
                <a href=\"https://example.com\" title=\"Site\">the site</a></p>";
    let (course, report) = import("a.html", html.as_bytes()).unwrap();
    assert_eq!(course_text(&course), "WHO (World Health Organization), site, the site");
    assert_eq!(
        lines(&report),
        ["not_carried a.html: title \"More of it\" of a link: links have no titles"]
    );
}

#[test]
fn names_of_icons_are_no_words() {
    let html = "<title>A</title><p><i class=\"material-icons\">menu_book</i>Reading <span class='material-symbols-outlined'>close</span></p>";
    let (course, report) = import("a.html", html.as_bytes()).unwrap();
    assert_eq!(course_text(&course), "Reading");
    assert_eq!(lines(&report), [""; 0]);
}

#[test]
fn each_kind_of_tag_without_words_is_one_line_of_the_report() {
    let page = |name: &str| {
        format!("<title>{name}</title><script>1</script><p>words<button>b</button></p><script>2</script><svg></svg>")
    };
    let (a, b) = (page("a"), page("b"));
    let zip = zipped(&[("a.html", a.as_bytes()), ("b.html", b.as_bytes())]);
    let (_, report) = import("course.zip", &zip).unwrap();
    assert_eq!(
        lines(&report),
        [
            "not_carried a.html: tags <script>: 4: not supported; this is the first",
            "not_carried a.html: tags <button>: 2: not supported; this is the first",
            "not_carried a.html: tag <svg> and its content: not supported",
            "not_carried b.html: tag <svg> and its content: not supported",
        ]
    );
}

#[test]
fn pictures_inside_a_text_are_imported() {
    let data = base64::engine::general_purpose::STANDARD.encode(PNG);
    let html = format!(
        "<title>A</title><p><img alt=\"a dot\" src=\"data:image/png;base64,{data}\"></p><p><img alt=\"broken\" src=\"data:image/png;base64,!\"></p>"
    );
    let dir = tempfile::TempDir::new().unwrap();
    let path = dir.path().join("a.html");
    std::fs::write(&path, html).unwrap();
    let scratch = tempfile::TempDir::new().unwrap();
    let (course, report) = kurso_formats::read(&path, None, scratch.path(), &mut kurso_formats::unwatched).unwrap();
    assert_eq!(course.files.len(), 1, "{:?}", lines(&report));
    assert_eq!(
        (course.files[0].content_type, course.files[0].filename.as_str()),
        ("image/png", "image.png")
    );
    assert_eq!(std::fs::read(&course.files[0].path).unwrap(), PNG);
    let said = lines(&report);
    assert_eq!(said.len(), 1);
    assert!(said[0].ends_with("the file could not be read"), "{said:?}");
}

#[test]
fn footnotes_stay_on_the_page_that_refers_to_them() {
    let text = "# One\n\nFirst[^a] and again[^c].\n\n# Two\n\nSecond[^b].\n\n# Three\n\nNone.\n\n[^a]: note A\n\n[^b]: note B\n\n[^c]: note C\n";
    let (course, _) = import("a.md", text.as_bytes()).unwrap();
    let pages: Vec<String> = course.pages().map(|page| content::text(&page.content.read())).collect();
    assert_eq!(
        pages,
        [
            "First1 and again2.\nNotes\nnote A\nnote C",
            "Second3.\nNotes\nnote B",
            "None."
        ]
    );
    for page in course.pages().take(2) {
        assert!(
            page.content.as_str().contains("\"href\":\"#notes\""),
            "{}",
            page.content
        );
    }
}

#[test]
fn footnotes_of_a_docx_stay_on_their_pages() {
    let heading = |text: &str| format!("<w:p><w:pPr><w:pStyle w:val=\"1\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>");
    let refer =
        |id: usize| format!("<w:p><w:r><w:t>words</w:t></w:r><w:r><w:footnoteReference w:id=\"{id}\"/></w:r></w:p>");
    let body = [heading("One"), refer(5), heading("Two"), refer(6)].concat();
    let note = |id: usize, text: &str| {
        format!("<w:footnote w:id=\"{id}\"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnote>")
    };
    let notes = format!(
        "<w:footnotes xmlns:w=\"w\">{}{}</w:footnotes>",
        note(5, "five"),
        note(6, "six")
    );
    let (course, _) = import("a.docx", &docx(&body, &[("word/footnotes.xml", notes.as_bytes())])).unwrap();
    let pages: Vec<String> = course.pages().map(|page| content::text(&page.content.read())).collect();
    assert_eq!(pages, ["words1\nNotes\nfive", "words2\nNotes\nsix"]);
}

#[test]
fn ruby_keeps_the_base_text_and_its_reading() {
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = format!(
        "<w:p><w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r>{}</w:p>",
        run("かんじ"),
        run("漢字"),
        run(" end")
    );
    let (course, _) = import("a.docx", &docx(&body, &[])).unwrap();
    assert_eq!(course_text(&course), "漢字 (かんじ) end");
}

#[test]
fn a_formula_in_a_metafile_leaves_its_place() {
    let object = "<w:p><w:r><w:t>If </w:t></w:r><w:r><w:object><v:shape><v:imagedata r:id=\"r1\"/></v:shape><o:OLEObject ProgID=\"Equation.3\" r:id=\"r2\"/></w:object></w:r></w:p>";
    let relations = b"<Relationships><Relationship Id=\"r1\" Target=\"media/image1.wmf\"/></Relationships>";
    let bytes = docx(
        object,
        &[
            ("word/_rels/document.xml.rels", relations),
            ("word/media/image1.wmf", b"\xd7\xcd\xc6\x9a"),
        ],
    );
    let (course, report) = import("a.docx", &bytes).unwrap();
    assert_eq!(course_text(&course), "If [formula]");
    assert_eq!(
        lines(&report),
        ["not_carried a.docx: image media/image1.wmf: it is not an image"]
    );
}

#[test]
fn hidden_text_of_a_docx_is_counted() {
    let body = "<w:p><w:r><w:t>seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r></w:p>";
    let (course, report) = import("a.docx", &docx(body, &[])).unwrap();
    assert_eq!(course_text(&course), "seen");
    assert_eq!(
        lines(&report),
        ["not_carried a.docx: pieces of hidden text: 1: Word does not show them either"]
    );
}

#[test]
fn one_bad_byte_leaves_a_text_in_utf_8() {
    let text = "Съешь же ещё этих мягких французских булок.\n\n".repeat(50);
    let bytes = [text.as_bytes(), b"\xff"].concat();
    let (course, report) = import("a.md", &bytes).unwrap();
    assert!(course_text(&course).starts_with("Съешь же ещё"));
    assert_eq!(
        lines(&report),
        ["changed a.md: invalid characters: 1: each was replaced by \u{fffd}"]
    );
}

#[test]
fn listings_of_the_rust_book_keep_number_file_name_and_caption() {
    let text = "# A\n\n<Listing number=\"1-1\" file-name=\"src/main.rs\" caption=\"A program that prints `Hello`\">\n\n```rust\nfn main() {}\n```\n\n</Listing>\n\nwords\n";
    let zip = zipped(&[
        ("book.toml", b""),
        ("src/SUMMARY.md", b"- [A](a.md)"),
        ("src/a.md", text.as_bytes()),
    ]);
    let (course, report) = import("book.zip", &zip).unwrap();
    let content = course.pages().next().unwrap().content.read();
    let code = &content["content"][0];
    assert_eq!(code["type"], "codeBlock", "{content}");
    assert_eq!(
        code["attrs"]["caption"],
        "Listing 1-1. src/main.rs. A program that prints Hello"
    );
    assert_eq!(code["attrs"]["language"], "rust");
    assert_eq!(code["content"][0]["text"], "fn main() {}");
    assert_eq!(lines(&report), [""; 0]);
}
