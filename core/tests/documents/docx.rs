//! Import of DOCX files, assembled here part by part.

use std::io::Write as _;

use kurso_formats::content;
use serde_json::Value;
use tempfile::TempDir;

use super::{PNG, lines, page, read_at, tree};

/// A document of these parts; `body` is the content of `w:body`.
pub fn document(body: &str, others: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><w:document xmlns:w=\"w\" xmlns:r=\"r\" xmlns:a=\"a\" xmlns:wp=\"wp\" \
         xmlns:m=\"m\" xmlns:mc=\"mc\" xmlns:v=\"v\" xmlns:wps=\"wps\"><w:body>{body}</w:body></w:document>"
    );
    let mut parts: Vec<(&str, &[u8])> = vec![("word/document.xml", text.as_bytes())];
    parts.extend(others);
    for (name, bytes) in parts {
        zip.start_file(name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const STYLES: &str = r#"<w:styles xmlns:w="w">
  <w:style w:styleId="a1"><w:name w:val="Normal"/></w:style>
  <w:style w:styleId="1"><w:name w:val="heading 1"/></w:style>
  <w:style w:styleId="2"><w:name w:val="heading 2"/></w:style>
  <w:style w:styleId="my"><w:name w:val="Мой заголовок"/><w:basedOn w:val="2"/></w:style>
  <w:style w:styleId="loop"><w:name w:val="loop"/><w:basedOn w:val="loop"/></w:style>
  <w:style w:styleId="t"><w:name w:val="Title"/></w:style>
  <w:style w:styleId="code"><w:name w:val="Source Code"/></w:style>
  <w:style w:styleId="q"><w:name w:val="Intense Quote"/></w:style>
  <w:style w:styleId="cap"><w:name w:val="caption"/></w:style>
  <w:style w:styleId="toc1"><w:name w:val="toc 1"/></w:style>
  <w:style w:styleId="strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>
</w:styles>"#;

const NUMBERING: &str = r#"<w:numbering xmlns:w="w">
  <w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl>
    <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
  <w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num></w:numbering>"#;

const RELATIONS: &str = r#"<Relationships xmlns="p">
  <Relationship Id="r1" Type="image" Target="media/image1.png"/>
  <Relationship Id="r2" Type="hyperlink" Target="https://example.com/a" TargetMode="External"/></Relationships>"#;

const FOOTNOTES: &str = r#"<w:footnotes xmlns:w="w"><w:footnote w:id="2"><w:p><w:r><w:t>Слова сноски</w:t></w:r></w:p></w:footnote></w:footnotes>"#;

fn run(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn paragraph(style: &str, inner: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{inner}</w:p>")
}

fn item(level: usize, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"5\"/></w:numPr></w:pPr>{}</w:p>",
        run("", text)
    )
}

const DRAWING: &str = r#"<w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="952500"/><wp:docPr id="1" descr="Схема"/>
  <a:blip r:embed="r1"/></wp:inline></w:drawing></w:r>"#;

/// A document with every supported feature.
pub fn whole() -> Vec<u8> {
    let cell = |properties: &str, text: &str| {
        format!("<w:tc><w:tcPr>{properties}</w:tcPr><w:p>{}</w:p></w:tc>", run("", text))
    };
    let table = format!(
        "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>{}{}</w:tr><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell("<w:gridSpan w:val=\"1\"/>", "Имя"),
        cell("", "Число"),
        cell("<w:vMerge w:val=\"restart\"/>", "два ряда"),
        cell("", "1"),
        cell("<w:vMerge/>", ""),
        cell("", "2"),
    );
    let body = [
        paragraph("t", &run("", "Учебник")),
        "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val=\"Table of Contents\"/></w:docPartObj></w:sdtPr><w:sdtContent>\
         <w:p><w:r><w:t>Оглавление 1</w:t></w:r></w:p></w:sdtContent></w:sdt>"
            .to_owned(),
        paragraph("1", &run("", "Глава 1")),
        paragraph(
            "a1",
            &[
                run("<w:b/>", "жирный"),
                run("<w:i/><w:u w:val=\"single\"/>", " курсив"),
                run("<w:b w:val=\"0\"/><w:strike/>", " вычеркнут"),
                run("<w:vertAlign w:val=\"superscript\"/>", "2"),
                run("<w:vertAlign w:val=\"subscript\"/>", "3"),
                run("<w:rStyle w:val=\"strong\"/>", " сильный"),
                run("<w:rFonts w:ascii=\"Courier New\"/>", " let x"),
                run("<w:vanish/>", "СКРЫТО"),
                "<w:r><w:footnoteReference w:id=\"2\"/></w:r>".to_owned(),
            ]
            .concat(),
        ),
        format!("<w:p><w:hyperlink r:id=\"r2\">{}</w:hyperlink><w:hyperlink w:anchor=\"place\">{}</w:hyperlink></w:p>", run("", "сайт"), run("", "к месту")),
        "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> HYPERLINK \"https://example.com/field\" </w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>поле</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>"
            .to_owned(),
        format!("<w:p>{DRAWING}</w:p>"),
        paragraph("cap", &run("", "Рисунок 1")),
        item(0, "три"),
        item(1, "внутри"),
        item(0, "четыре"),
        paragraph("a1", &run("", "между")),
        item(0, "пять"),
        table,
        paragraph("code", &run("", "fn main() {")),
        paragraph("code", &run("", "    1 &lt; 2")),
        paragraph("a1", &run("<w:rFonts w:ascii=\"Consolas\"/>", "}")),
        paragraph("q", &run("", "Цитата")),
        "<w:p><m:oMathPara><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></m:oMathPara></w:p>".to_owned(),
        format!("<w:p><w:ins>{}</w:ins><w:del><w:r><w:delText>старое</w:delText></w:r></w:del></w:p>", run("", "новое")),
        "<w:p><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:txbx><w:txbxContent><w:p><w:r><w:t>в рамке</w:t></w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice>\
         <mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r><w:t>в рамке</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:p>"
            .to_owned(),
        paragraph("toc1", &run("", "СТРОКА ОГЛАВЛЕНИЯ")),
        paragraph("loop", &run("", "стиль по кругу")),
        paragraph("1", &format!("<w:bookmarkStart w:name=\"place\"/>{}", run("", "Глава 2"))),
        paragraph("my", &run("", "Раздел")),
        "<w:p><w:r><w:object/></w:r></w:p>".to_owned(),
    ]
    .concat();
    document(
        &body,
        &[
            ("word/styles.xml", STYLES.as_bytes()),
            ("word/numbering.xml", NUMBERING.as_bytes()),
            ("word/_rels/document.xml.rels", RELATIONS.as_bytes()),
            ("word/footnotes.xml", FOOTNOTES.as_bytes()),
            ("word/header1.xml", b"<w:hdr xmlns:w='w'/>"),
            ("word/media/image1.png", PNG),
        ],
    )
}

fn kinds(document: &Value) -> Vec<&str> {
    let blocks = document["content"].as_array().unwrap();
    blocks.iter().map(|block| block["type"].as_str().unwrap()).collect()
}

#[test]
fn docx_content_is_imported_or_reported() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("учебник.docx");
    std::fs::write(&path, whole()).unwrap();
    let scratch = TempDir::new().unwrap();
    let (course, report) = kurso_formats::read(&path, None, scratch.path(), &mut kurso_formats::unwatched).unwrap();
    assert_eq!(
        tree(&course),
        ["Учебник / Учебник / Глава 1", "Учебник / Учебник / Глава 2"]
    );
    let first = page(&course, "Глава 1");
    assert_eq!(
        kinds(&first.content.read()),
        [
            "paragraph",
            "paragraph",
            "paragraph",
            "image",
            "orderedList",
            "paragraph",
            "orderedList",
            "table",
            "codeBlock",
            "blockquote",
            "blockMath",
            "paragraph",
            "paragraph",
            "paragraph",
            "heading",
            "orderedList"
        ],
        "{:#}",
        first.content
    );
    let document = first.content.read();
    let at = |pointer: &str| document.pointer(pointer).cloned().unwrap_or_default();
    let said = document["content"][0].to_string();
    for mark in [
        "bold",
        "italic",
        "underline",
        "strike",
        "superscript",
        "subscript",
        "code",
    ] {
        assert!(said.contains(mark), "{mark} is not in {said}");
    }
    let second = page(&course, "Глава 2");
    assert!(first.content.to_string().contains(&format!("page:{}", second.id)));
    assert!(first.content.to_string().contains("https://example.com/field"));
    assert_eq!(at("/content/3/attrs/alt"), "Схема");
    assert_eq!(at("/content/3/attrs/width"), 100);
    assert_eq!(at("/content/3/attrs/caption"), "Рисунок 1");
    assert_eq!(at("/content/4/attrs/start"), 3);
    assert_eq!(at("/content/4/content/0/content/1/type"), "bulletList");
    assert_eq!(at("/content/6/attrs/start"), 5);
    assert_eq!(at("/content/7/content/0/content/0/type"), "tableHeader");
    assert_eq!(at("/content/7/content/1/content/0/attrs/rowspan"), 2);
    assert_eq!(at("/content/7/content/2/content").as_array().unwrap().len(), 1);
    assert_eq!(at("/content/8/content/0/text"), "fn main() {\n    1 < 2\n}");
    assert_eq!(at("/content/10/attrs/latex"), "\\frac{a}{b}");
    let text = content::text(&first.content.read());
    for words in ["новое", "в рамке", "стиль по кругу"] {
        assert_eq!(text.matches(words).count(), 1, "{words}: {text}");
    }
    for words in ["СКРЫТО", "старое", "Оглавление", "ОГЛАВЛЕНИЯ"] {
        assert!(!text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("Слова сноски"), "{text}");
    let told = lines(&report).join("\n");
    for line in [
        "split into 2 pages",
        "table of contents",
        "tracked changes: 2",
        "text boxes: 1",
        "footnotes: 1",
        "headers and footers",
        "object: only images",
    ] {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
    assert_eq!(course.files.len(), 1);
}

#[test]
fn docx_without_headings_is_one_page() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("03_записка.docx");
    std::fs::write(&path, document("<w:p><w:r><w:t>Текст</w:t></w:r></w:p>", &[])).unwrap();
    let (course, report) = read_at(&path);
    assert_eq!(tree(&course), ["записка / записка / записка"]);
    assert_eq!(lines(&report), Vec::<String>::new());
}

#[test]
fn included_parts_and_symbol_fonts_are_imported() {
    let relations = r#"<Relationships xmlns="p"><Relationship Id="h" Type="aFChunk" Target="chunk.html"/>
  <Relationship Id="m" Type="aFChunk" Target="/word/other.mht"/></Relationships>"#;
    let body = "<w:p><w:r><w:sym w:font=\"Symbol\" w:char=\"F061\"/><w:sym w:font=\"Wingdings\" w:char=\"F0E0\"/>\
                <w:sym w:font=\"Webdings\" w:char=\"F061\"/></w:r></w:p><w:altChunk r:id=\"h\"/><w:altChunk r:id=\"m\"/>";
    let parts: [(&str, &[u8]); 3] = [
        ("word/_rels/document.xml.rels", relations.as_bytes()),
        (
            "word/chunk.html",
            "<html><body><p>Из части</p><script>1</script></body></html>".as_bytes(),
        ),
        ("word/other.mht", b"MIME-Version: 1.0"),
    ];
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("a.docx");
    std::fs::write(&path, document(body, &parts)).unwrap();
    let (course, report) = read_at(&path);
    let words: String = course.pages().map(|page| content::text(&page.content.read())).collect();
    assert!(words.contains("α→•") && words.contains("Из части"), "{words}");
    let told = lines(&report).join("\n");
    assert!(told.contains("characters of special fonts: 1"), "{told}");
    assert!(told.contains("other.mht"), "{told}");
}
