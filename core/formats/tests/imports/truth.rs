//! Completeness of imports: everything in a file is in the course or in the report.
//!
//! The packages contain markers: `zq1`, `zq2` and so on in words, names of pictures, links, code, cells, formulas and answers,
//! and 7301 to 7399 as numeric answers. The test extracts them from the bytes of a package without knowing its format, and
//! searches for each in the imported course and its report.

use std::collections::BTreeSet;

use kurso_formats::{CourseDraft, Report, content};

use super::docx::docx;
use super::{PNG, import, lines, zipped};

/// The markers in a text.
fn markers(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_marker = |word: &&str| {
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        word.strip_prefix("zq").is_some_and(is_number) || (word.len() == 4 && word.starts_with("73") && is_number(word))
    };
    words.filter(is_marker).map(str::to_owned).collect()
}

/// All that the course and the report say.
fn everything(course: &CourseDraft, report: &Report) -> String {
    let mut all = vec![course.title.clone(), course.description.clone().unwrap_or_default()];
    for module in &course.modules {
        all.extend([module.title.clone(), module.description.clone().unwrap_or_default()]);
        for lesson in &module.lessons {
            all.push(lesson.title.clone());
            for page in &lesson.pages {
                all.push(page.title.clone().unwrap_or_default());
                // Marks divide words in the JSON, but not in the text.
                all.push(page.content.as_str().to_owned());
                all.push(content::text(&page.content.read()));
                all.extend(page.quiz.as_ref().map(|quiz| quiz.to_json().unwrap().to_string()));
            }
        }
    }
    all.extend(course.files.iter().map(|file| file.filename.clone()));
    all.extend(lines(report));
    // Escapes of JSON would join words.
    all.join("\n").replace("\\n", "\n").replace("\\\"", "\"")
}

/// Asserts that every marker in the files, or in their names, is found again. Files are packed as a zip unless there is one.
fn tells_the_truth(name: &str, files: &[(&str, &[u8])]) {
    let (course, report) = match files {
        [(_, bytes)] => import(name, bytes).unwrap(),
        files => import(name, &zipped(files)).unwrap(),
    };
    check(
        name,
        files
            .iter()
            .map(|(name, bytes)| format!("{name} {}", String::from_utf8_lossy(bytes))),
        &course,
        &report,
    );
}

fn check(name: &str, source: impl Iterator<Item = String>, course: &CourseDraft, report: &Report) {
    let wanted: BTreeSet<String> = source.flat_map(|text| markers(&text)).collect();
    assert!(wanted.len() > 8, "{name}: {wanted:?}");
    let all = everything(course, report);
    let found = markers(&all);
    let lost: Vec<_> = wanted.difference(&found).collect();
    assert!(lost.is_empty(), "{name}: {lost:?} is not in\n{all}");
}

#[test]
fn markdown_tells_the_truth() {
    let text = "---\ntitle: zq1\nauthor: x\n---\n\n# zq3\n\nzq4 **zq5** [zq6](https://example.com/zq7 \"zq8\") ![zq9](zq10.png \"zq11\") $zq12$ `zq13`\n\n\
                ```rust zq14\nzq15\n```\n\n| zq16 | b |\n| - | - |\n| c | zq17 |\n\n- [x] zq18\n\n> zq19[^1]\n\n[^1]: zq20\n\n\
                <div title=\"a\">zq21</div>\n\n<script>zq22</script>\n\n[zq23](gone-zq24.md) <mailto:zq25@example.com>\n\n<abbr title=\"zq26\">zq27</abbr>\n";
    // The words of a script and of a fence are no words of the text; both leave a line.
    let text = text.replace("zq22", "").replace(" zq14", "");
    tells_the_truth(
        "a.zip",
        &[
            ("course/a.md", text.as_bytes()),
            ("course/zq10.png", PNG),
            ("course/zq28.pdf", b"%PDF-1.7"),
        ],
    );
}

#[test]
fn html_tells_the_truth() {
    let text = "<html><head><title>zq1</title></head><body><h1>zq2</h1><p>zq3 <a href=\"https://example.com/zq4\" title=\"zq5\">zq6</a></p>\
                <figure><img src=\"zq7.png\" alt=\"zq8\"><figcaption>zq9</figcaption></figure><pre><code class=\"language-zq10\">zq11</code></pre>\
                <table><caption>zq12</caption><tr><th>zq13</th><td>zq14</td></tr></table><p>\\(zq15\\)</p><math><mi>zq16</mi></math>\
                <dl><dt>zq17</dt><dd>zq18</dd></dl><ul><li>zq20</li></ul><details><summary>zq21</summary>zq22</details><p hidden>zq23</p>\
                <iframe src=\"https://example.com/zq24\" title=\"zq25\"></iframe><video src=\"zq26.mp4\"></video><blink>zq27</blink> \
                <img src=\"https://example.com/zq28.png\" alt=\"zq29\"> <ruby>zq30<rt>zq31</rt></ruby><a href=\"zq32.html\">zq33</a></body></html>";
    tells_the_truth("a.zip", &[("c/a.html", text.as_bytes()), ("c/zq7.png", PNG)]);
}

#[test]
fn docx_tells_the_truth() {
    let run = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = [
        "<w:p><w:pPr><w:pStyle w:val=\"1\"/></w:pPr><w:r><w:t>zq1</w:t></w:r></w:p>".to_owned(),
        format!(
            "<w:p>{}<w:r><w:t>zq</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>2</w:t></w:r></w:p>",
            run("words ")
        ),
        format!("<w:p><w:hyperlink r:id=\"r1\">{}</w:hyperlink></w:p>", run("zq3")),
        "<w:p><w:r><w:drawing><wp:docPr descr=\"zq5\"/><a:blip r:embed=\"r2\"/></w:drawing></w:r></w:p>".to_owned(),
        format!(
            "<w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc><w:tc><w:p>{}</w:p></w:tc></w:tr></w:tbl>",
            run("zq6"),
            run("zq7")
        ),
        "<w:p><m:oMath><m:r><m:t>zq8</m:t></m:r></m:oMath></w:p>".to_owned(),
        format!("<w:p>{}<w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>", run("zq9")),
        format!(
            "<w:p><w:ins>{}</w:ins><w:r><w:rPr><w:rFonts w:ascii=\"Consolas\"/></w:rPr><w:t>zq10</w:t></w:r></w:p>",
            run("zq11")
        ),
        format!("<w:p><w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt></w:p>", run("zq12")),
        format!(
            "<w:p><w:r><w:txbxContent><w:p>{}</w:p></w:txbxContent></w:r><w:smartTag>{}</w:smartTag></w:p>",
            run("boxed"),
            run("zq13")
        ),
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"5\"/></w:numPr></w:pPr>{}</w:p>",
            run("zq14")
        ),
        format!(
            "<w:p><w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r></w:p>",
            run("zq15"),
            run("zq16")
        ),
    ]
    .concat();
    let relations =
        b"<Relationships><Relationship Id=\"r1\" Target=\"https://example.com/zq4\" TargetMode=\"External\"/>\
                      <Relationship Id=\"r2\" Target=\"media/image1.png\"/></Relationships>";
    let notes = format!(
        "<w:footnotes xmlns:w=\"w\"><w:footnote w:id=\"2\"><w:p>{}</w:p></w:footnote></w:footnotes>",
        run("zq17")
    );
    let bytes = docx(
        &body,
        &[
            ("word/_rels/document.xml.rels", relations),
            ("word/media/image1.png", PNG),
            ("word/footnotes.xml", notes.as_bytes()),
        ],
    );
    let (course, report) = import("a.docx", &bytes).unwrap();
    let source = [
        body.replace("zq</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>", "zq"),
        notes,
        String::from_utf8_lossy(relations).into_owned(),
    ];
    check("a.docx", source.into_iter(), &course, &report);
}

#[test]
fn gift_tells_the_truth() {
    let text = "// [id:zq1]\n$CATEGORY: $course$/top/zq2\n\n::zq3:: zq4 {=zq5#zq6 ~zq7#zq8 ####zq9}\n\nzq10 {#7301:0.5}\n\nzq11 {=zq12 -> zq13 =zq14 -> zq15}\n\n\
                zq16 {TRUE#zq17#zq18}\n\n[markdown]zq19 **zq20** ![zq21](https://example.com/zq22.png) {=zq23 =zq24}\n\nzq25 {=zq26 ~zq27} zq28.\n\n\
                zq29 {~%50%zq30 ~%50%zq31 ~%-100%zq32}\n\nzq33 {}\n\n[html]<p>zq34 <img src=\"@@PLUGINFILE@@/zq35.png\" alt=\"zq36\"></p>{=zq37}\n";
    // An identifier and the titles of questions are counted, not named.
    let text = text.replace("zq1]", "x]").replace("::zq3::", "::x::");
    tells_the_truth("zq38.gift", &[("zq38.gift", text.as_bytes())]);
}

#[test]
fn aiken_tells_the_truth() {
    let text = "zq1\nzq2\nA. zq3\nB. zq4\nmore zq5\nANSWER: B\n\nzq6\nA) zq7\nB) zq8\nANSWER: A\n";
    tells_the_truth("zq9.txt", &[("zq9.txt", text.as_bytes())]);
}

#[test]
fn epub_tells_the_truth() {
    let package = "<package xmlns:dc=\"d\"><metadata><dc:title>zq1</dc:title><dc:description>zq2</dc:description></metadata><manifest>\
                   <item id=\"n\" href=\"n.xhtml\" properties=\"nav\" media-type=\"application/xhtml+xml\"/>\
                   <item id=\"a\" href=\"a.xhtml\" media-type=\"application/xhtml+xml\"/><item id=\"p\" href=\"zq3.png\" media-type=\"image/png\"/>\
                   <item id=\"q\" href=\"zq4.png\" media-type=\"image/png\"/></manifest><spine><itemref idref=\"a\"/><itemref idref=\"zq5\"/></spine></package>";
    let text = "<html><head><title>x</title></head><body><h1>zq6</h1><p>zq7 <a href=\"https://example.com/zq8\">zq9</a><img src=\"zq3.png\" alt=\"zq10\"/></p></body></html>";
    let files: &[(&str, &[u8])] = &[
        (
            "META-INF/container.xml",
            b"<container><rootfiles><rootfile full-path=\"b.opf\"/></rootfiles></container>",
        ),
        ("b.opf", package.as_bytes()),
        (
            "n.xhtml",
            b"<html><body><nav type=\"toc\"><ol><li><a href=\"a.xhtml\">zq11</a></li></ol></nav></body></html>",
        ),
        ("a.xhtml", text.as_bytes()),
        ("zq3.png", PNG),
        ("zq4.png", b"\x89PNG other"),
    ];
    tells_the_truth("a.epub", files);
}

#[test]
fn mdbook_tells_the_truth() {
    let text = "# zq1\n\nzq2 [zq3](b.md#zq4) ![zq5](zq6.png)\n\n```rust,ignore\n{{#include x.rs:here}}\n```\n\n{{#include gone-zq7.rs}}\n\n\
                <Listing number=\"zq8\" file-name=\"zq9.rs\" caption=\"zq10\">\n\n```rust\nzq11\n```\n\n</Listing>\n\n| zq12 |\n| - |\n| zq13 |\n\n$$zq14$$\n";
    let files: &[(&str, &[u8])] = &[
        ("book.toml", b"[book]\ntitle = \"zq15\"\ndescription = \"zq16\"\n"),
        (
            "src/SUMMARY.md",
            b"# Summary\n\n- [zq17](a.md)\n  - [zq18](b.md)\n- [zq19]()\n",
        ),
        ("src/a.md", text.as_bytes()),
        ("src/b.md", b"# zq20\n\n## zq4\n"),
        (
            "src/x.rs",
            b"// ANCHOR: here\nzq21\n// ANCHOR_END: here\n// ANCHOR: here\nzq22\n// ANCHOR_END: here\n",
        ),
        ("src/zq6.png", PNG),
        ("src/zq23.md", b"not in the summary"),
    ];
    tells_the_truth("book.zip", files);
}

#[test]
fn kurso_markdown_tells_the_truth() {
    let quiz = "+++\ntitle = \"zq1\"\n+++\n\nzq2\n\n???\n\n1. zq3\n   - [x] zq4\n   - [ ] zq5\n";
    let files: &[(&str, &[u8])] = &[
        ("course.toml", b"title = \"zq6\"\ndescription = \"zq7\"\nzq8 = 1\n"),
        ("1-m/module.toml", b"title = \"zq9\"\ndescription = \"zq10\"\n"),
        ("1-m/1-l/lesson.toml", b"title = \"zq11\"\n"),
        (
            "1-m/1-l/1-a.md",
            b"zq12 [zq13](https://example.com/zq14)\n\n$$\nzq15\n$$\n\n```zq16\nzq17\n```\n",
        ),
        ("1-m/1-l/2-q.md", quiz.as_bytes()),
    ];
    tells_the_truth("course.zip", files);
}

#[test]
fn open_edx_tells_the_truth() {
    let unit = "<html display_name=\"x\"><p>zq2 <a href=\"https://example.com/zq3\">zq4</a> <img src=\"/static/zq5.png\" alt=\"zq6\"/></p></html>\
                <problem display_name=\"zq7\"><multiplechoiceresponse><label>zq8</label><choicegroup><choice correct=\"true\">zq9<choicehint>zq10</choicehint></choice>\
                <choice correct=\"false\">zq11</choice></choicegroup><solution><p>zq12</p></solution></multiplechoiceresponse><demandhint><hint>zq13</hint></demandhint></problem>\
                <problem><numericalresponse answer=\"7302\"><p>zq14</p><formulaequationinput/></numericalresponse></problem>\
                <problem><stringresponse answer=\"zq15\"><textline label=\"zq16\"/></stringresponse></problem>\
                <problem><customresponse><p>zq17</p><textline/></customresponse></problem>\
                <video display_name=\"zq18\" youtube_id_1_0=\"abcdefghijk\"/><discussion discussion_target=\"zq19\"/>\
                <annotatable><p><annotation title=\"zq20\" body=\"zq21\">zq22</annotation></p></annotatable><word_cloud display_name=\"zq23\" instructions=\"zq24\"/>";
    let course = format!(
        "<course url_name=\"r\" org=\"O\" course=\"C\" display_name=\"zq25\"><chapter display_name=\"zq26\"><sequential display_name=\"zq27\">\
         <vertical display_name=\"zq28\">{unit}</vertical></sequential></chapter></course>"
    );
    let files: &[(&str, &[u8])] = &[
        ("course.xml", course.as_bytes()),
        ("static/zq5.png", PNG),
        ("static/zq29.pdf", b"%PDF-1.7"),
        ("about/overview.html", b"<p>zq30</p>"),
    ];
    tells_the_truth("course.zip", files);
}

#[test]
fn common_cartridge_tells_the_truth() {
    let manifest = "<manifest><metadata><lom><general><title><string>zq1</string></title></general>\
        <rights><description><string>zq22</string></description></rights></lom></metadata>\
        <organizations><organization><item><item><title>zq2</title><item identifierref=\"p\"><title>zq3</title></item><item identifierref=\"q\"><title>zq4</title></item>\
        <item identifierref=\"l\"><title>zq5</title></item><item identifierref=\"gone\"><title>zq6</title></item></item></item></organization></organizations><resources>\
        <resource identifier=\"p\" type=\"webcontent\" href=\"p.html\"><file href=\"p.html\"/></resource>\
        <resource identifier=\"q\" type=\"imsqti_xmlv1p2/imscc_xmlv1p3/assessment\"><file href=\"q.xml\"/></resource>\
        <resource identifier=\"l\" type=\"imswl_xmlv1p3\"><file href=\"l.xml\"/></resource></resources></manifest>";
    let page = "<html><body><p>zq7 <a href=\"https://example.com/zq8\">zq9</a> <img src=\"zq10.png\" alt=\"zq11\"></p><pre>zq12</pre><table><tr><td>zq13</td></tr></table></body></html>";
    let quiz = "<questestinterop><assessment title=\"x\"><section><item><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>cc_profile</fieldlabel>\
        <fieldentry>cc.multiple_choice.v0p1</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext texttype=\"text/html\">&lt;p&gt;zq15&lt;/p&gt;</mattext></material>\
        <response_lid ident=\"r\"><render_choice><response_label ident=\"a\"><material><mattext>zq16</mattext></material></response_label>\
        <response_label ident=\"b\"><material><mattext>zq17</mattext></material></response_label></render_choice></response_lid></presentation>\
        <resprocessing><respcondition><conditionvar><varequal respident=\"r\">a</varequal></conditionvar><setvar action=\"Set\">100</setvar></respcondition></resprocessing>\
        <itemfeedback ident=\"general_fb\"><flow_mat><material><mattext>zq18</mattext></material></flow_mat></itemfeedback></item></section></assessment></questestinterop>";
    let link = "<webLink><title>zq19</title><url href=\"https://example.com/zq20\"/></webLink>";
    let files: &[(&str, &[u8])] = &[
        ("imsmanifest.xml", manifest.as_bytes()),
        ("p.html", page.as_bytes()),
        ("q.xml", quiz.as_bytes()),
        ("l.xml", link.as_bytes()),
        ("zq10.png", PNG),
        ("zq21.pdf", b"%PDF-1.7"),
    ];
    tells_the_truth("course.imscc", files);
}
