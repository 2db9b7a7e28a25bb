//! Import of books in EPUB.

use kurso_formats::content;

use super::{PNG, import, lines, tree, zipped};

const CONTAINER: &str = r#"<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;

const PACKAGE: &str = r#"<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <metadata><dc:title>Курс химии</dc:title><dc:description>&lt;p&gt;О веществах&lt;/p&gt;</dc:description><dc:creator>Анна</dc:creator></metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="z" href="text/z.xhtml" media-type="application/xhtml+xml"/>
    <item id="a" href="text/%D0%B0.xml" media-type="application/xhtml+xml"/>
    <item id="m" href="text/m.xhtml" media-type="application/xhtml+xml"/>
    <item id="pic" href="images/pic.png" media-type="image/png"/>
    <item id="cover" href="images/cover.png" media-type="image/png"/>
    <item id="css" href="style.css" media-type="text/css"/>
  </manifest>
  <spine><itemref idref="z"/><itemref idref="nav"/><itemref idref="m"/><itemref idref="gone"/><itemref idref="a"/></spine></package>"#;

const NAV: &str = r#"<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
  <nav epub:type="landmarks"><ol><li><a href="text/z.xhtml">Начало</a></li></ol></nav>
  <nav epub:type="toc"><ol>
    <li><a href="text/z.xhtml">Предисловие</a></li>
    <li><span>Часть I</span><ol><li><a href="text/m.xhtml#top">Атомы</a></li><li><a href="text/%D0%B0.xml">Молекулы</a></li></ol></li>
  </ol></nav></body></html>"#;

fn text(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>Курс химии</title></head><body>{body}</body></html>"
    )
}

#[test]
fn an_epub_is_read_by_its_spine_and_titled_by_its_contents() {
    let z = text("<h1>Вступление</h1><p>Слова <a href=\"m.xhtml#top\">дальше</a></p>");
    let m = text("<h1 id=\"top\">Атомы</h1><p><img src=\"../images/pic.png\" alt=\"атом\"/></p>");
    let a = text("<p>Без заголовка</p>");
    let book = zipped(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", CONTAINER.as_bytes()),
        ("OEBPS/book.opf", PACKAGE.as_bytes()),
        ("OEBPS/nav.xhtml", NAV.as_bytes()),
        ("OEBPS/text/z.xhtml", z.as_bytes()),
        ("OEBPS/text/m.xhtml", m.as_bytes()),
        ("OEBPS/text/а.xml", a.as_bytes()),
        ("OEBPS/images/pic.png", PNG),
        ("OEBPS/images/cover.png", &[PNG, b" "].concat()),
        ("OEBPS/style.css", b"p {}"),
    ]);
    let (course, report) = import("файл 17.epub", &book).unwrap();
    assert_eq!(course.title, "Курс химии");
    assert_eq!(course.description.as_deref(), Some("О веществах"));
    assert_eq!(
        tree(&course),
        [
            "Курс химии / Предисловие / Предисловие",
            "Часть I / Атомы / Атомы",
            "Часть I / Молекулы / Молекулы",
        ]
    );
    let pages: Vec<_> = course.pages().collect();
    let link = format!("page:{}", pages[1].id);
    assert!(pages[0].content.as_str().contains(&link), "{}", pages[0].content);
    assert!(
        pages[1].content.as_str().contains("\"alt\":\"атом\""),
        "{}",
        pages[1].content
    );
    assert_eq!(content::text(&pages[2].content.read()), "Без заголовка");
    let said = lines(&report);
    for line in [
        "not_carried OEBPS/book.opf: metadata of the book: creator: courses have only a title and a description",
        "not_carried OEBPS/images/cover.png: file OEBPS/images/cover.png: no page uses it",
        "not_carried OEBPS/nav.xhtml: table of contents: courses generate their own",
        "not_carried OEBPS/book.opf: file gone: the file does not exist",
    ] {
        assert!(
            said.iter().any(|known| known.starts_with(line)),
            "{line} is not in\n{said:#?}"
        );
    }
    assert_eq!(said.len(), 4, "{said:#?}");
}

#[test]
fn an_epub_of_version_2_takes_its_titles_from_the_ncx() {
    let package = r#"<package xmlns:dc="d"><metadata><dc:title> </dc:title></metadata><manifest>
      <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
      <item id="b" href="b.html" media-type="application/xhtml+xml"/><item id="a" href="a.html" media-type="application/xhtml+xml"/>
      </manifest><spine toc="ncx"><itemref idref="b"/><itemref idref="a"/></spine></package>"#;
    let ncx = r#"<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
      <ncx><navMap><navPoint><navLabel><text>One &amp;
      two</text></navLabel><content src="b.html#x"/></navPoint></navMap></ncx>"#;
    let book = zipped(&[
        ("META-INF/container.xml", CONTAINER.replace("OEBPS/", "").as_bytes()),
        ("book.opf", package.as_bytes()),
        ("toc.ncx", ncx.as_bytes()),
        ("a.html", text("<h2>From the heading</h2><p>words</p>").as_bytes()),
        ("b.html", text("<p>words</p>").as_bytes()),
    ]);
    let (course, _) = import("Physics.epub", &book).unwrap();
    let expected = [
        "Physics / One & two / One & two",
        "Physics / From the heading / From the heading",
    ];
    assert_eq!(tree(&course), expected);
}

#[test]
fn an_epub_without_a_package_says_which_file_is_missing() {
    let book = zipped(&[("META-INF/container.xml", CONTAINER.as_bytes())]);
    let error = import("a.epub", &book).err().unwrap().to_string();
    assert_eq!(error, "OEBPS/book.opf: the file does not exist");
}
