//! Malicious packages are rejected, or repaired with a note, in bounded time and memory.

use kurso_formats::UnreadDates;
use kurso_formats::testing::folder;
use std::time::Instant;

use crate::{lines, read_ok, try_read};

fn manifest(items: &str, resources: &str) -> String {
    format!(
        "<manifest><organizations><organization>{items}</organization></organizations><resources>{resources}</resources></manifest>"
    )
}

#[test]
fn entity_bombs_and_broken_manifests_are_rejected() {
    let bomb = "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;&x;&x;\"><!ENTITY z SYSTEM \"file:///etc/passwd\">]><manifest>&y;&z;</manifest>";
    let deep = format!(
        "<manifest>{}{}</manifest>",
        "<item>".repeat(50_000),
        "</item>".repeat(50_000)
    );
    for text in [
        bomb,
        &deep,
        "<manifest>",
        "",
        "<html/>",
        "not xml",
        "<manifest/>",
        "<a:manifest/>",
    ] {
        let dir = folder(&[("imsmanifest.xml", text)]);
        assert!(try_read(dir.path()).is_err(), "{}", text.get(..40).unwrap_or(text));
    }
}

#[test]
fn excess_items_and_cycles_are_cut() {
    let start = Instant::now();
    let items: String = (0..100_000)
        .map(|n| format!("<item identifier=\"i{n}\" identifierref=\"r\"><title>T</title></item>"))
        .collect();
    let resource = |id: &str, needs: &str| {
        format!(
            "<resource identifier=\"{id}\" type=\"webcontent\" href=\"a.html\"><file href=\"a.html\"/><dependency identifierref=\"{needs}\"/></resource>"
        )
    };
    let dir = folder(&[
        (
            "imsmanifest.xml",
            &manifest(
                &items,
                &(resource("r", "q") + &resource("q", "r") + &resource("q", "q")),
            ),
        ),
        ("a.html", "<p>A</p>"),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    let said = lines(&report).join("\n");
    assert!(
        said.contains("items or resources beyond the limit: 90000"),
        "{}",
        &said[..2000.min(said.len())]
    );
    assert!(said.contains("second resource with the identifier q"));
    // The second and the third resource have the same file, so the third links to the page of the second.
    assert!(course.pages().count() >= 10_000);
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn paths_outside_the_package_count_as_missing() {
    let outside = folder(&[("secret.txt", "secret")]);
    let path = format!(
        "../{}/secret.txt",
        outside.path().file_name().unwrap().to_str().unwrap()
    );
    let absolute = outside.path().join("secret.txt");
    let resource = |id: &str, href: &str| {
        format!("<resource identifier=\"{id}\" type=\"webcontent\" href=\"{href}\"><file href=\"{href}\"/></resource>")
    };
    let item = |id: &str| format!("<item identifier=\"i{id}\" identifierref=\"{id}\"><title>{id}</title></item>");
    let dir = folder(&[(
        "imsmanifest.xml",
        &manifest(
            &["a", "b", "c", "d"].map(item).concat(),
            &[
                resource("a", &path),
                resource("b", absolute.to_str().unwrap()),
                resource("c", "link.txt"),
                "<resource identifier=\"d\" type=\"imsqti_xmlv1p2/imscc_xmlv1p3/assessment\"><file href=\"../../../../etc/passwd\"/></resource>".into(),
            ]
            .concat(),
        ),
    )]);
    std::os::unix::fs::symlink(&absolute, dir.path().join("link.txt")).unwrap();
    let (course, report, _files) = read_ok(dir.path());
    let said = lines(&report).join("\n");
    assert!(course.files.is_empty(), "{:?}", course.files);
    assert_eq!(course.pages().count(), 4);
    assert!(said.matches("the path leaves the folder").count() >= 3, "{said}");
    for page in course.pages() {
        assert!(!page.content.to_string().contains("root:"));
    }
}

#[test]
fn kurso_attributes_and_fields_are_validated() {
    let page = |node: &str, words: &str| {
        let node = node.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        let html = format!("<html><body><div data-kurso=\"{node}\"><p>{words}</p></div></body></html>");
        let dir = folder(&[
            (
                "imsmanifest.xml",
                &manifest(
                    "<item identifier=\"i\" identifierref=\"r\"><title>T</title></item>",
                    "<resource identifier=\"r\" type=\"webcontent\" href=\"a.html\"><file href=\"a.html\"/></resource>",
                ),
            ),
            ("a.html", &html),
        ]);
        let (course, _, _files) = read_ok(dir.path());
        course.pages().next().unwrap().content.read()["content"][0].clone()
    };
    let good = r#"{"type":"paragraph","content":[{"type":"text","text":"a  b"}]}"#;
    assert_eq!(page(good, "a b")["content"][0]["text"], "a  b");
    // If the text was edited since the export, the text wins.
    assert_eq!(page(good, "a c")["content"][0]["text"], "a c");
    for bad in [
        r#"{"type":"paragraph","content":[{"type":"text","text":"ab","marks":[{"type":"link","attrs":{"href":"javascript:alert(1)"}}]}]}"#,
        r#"{"type":"marquee"}"#,
        r#"{"type":"paragraph","content":[{"type":"text","text":"ab","onclick":"x"}]}"#,
        r#"{"type":"image","attrs":{"src":"../../etc/passwd"}}"#,
        "{",
    ] {
        assert_eq!(page(bad, "ab")["type"], "paragraph", "{bad}");
        assert_eq!(page(bad, "ab").get("marks"), None);
        assert!(!page(bad, "ab").to_string().contains("javascript"));
    }
}

#[test]
fn a_kurso_file_that_is_no_xml_leaves_dates_flags_and_prerequisites_unread() {
    let items = "<item><item identifier=\"kmod_m\"><title>M</title><item identifier=\"kles_l\"><title>L</title>\
                 <item identifier=\"i\" identifierref=\"kpage_p\"><title>P</title></item></item></item></item>";
    let resources =
        "<resource identifier=\"kpage_p\" type=\"webcontent\" href=\"p.html\"><file href=\"p.html\"/></resource>";
    let read = |kurso: Option<&str>| {
        let manifest = manifest(items, resources);
        let mut files = vec![("imsmanifest.xml", manifest.as_str()), ("p.html", "<p>p</p>")];
        files.extend(kurso.map(|text| ("kurso/course.xml", text)));
        let dir = folder(&files);
        let (course, report, _files) = read_ok(dir.path());
        (course, lines(&report))
    };
    for good in [None, Some("<course sequential=\"true\"/>")] {
        let (course, said) = read(good);
        assert_eq!(course.unread_dates, UnreadDates::default());
        assert!(said.is_empty(), "{said:?}");
    }
    let (course, said) = read(Some("<course sequential=\"true\"><page"));
    let module = &course.modules[0];
    let parts = [module.id, module.lessons[0].id, module.lessons[0].pages[0].id];
    let unread = UnreadDates {
        course: true,
        flags: true,
        prerequisites: true,
        needs: [].into(),
        parts: parts.into_iter().collect(),
    };
    assert_eq!(course.unread_dates, unread);
    assert!(said.len() == 1 && said[0].contains("kurso/course.xml"), "{said:?}");
}

/// A package with one quiz of these items.
fn quiz_package(items: &str) -> tempfile::TempDir {
    folder(&[
        (
            "imsmanifest.xml",
            &manifest(
                "<item identifier=\"i\" identifierref=\"r\"><title>T</title></item>",
                "<resource identifier=\"r\" type=\"imsqti_xmlv1p2/imscc_xmlv1p1/assessment\"><file href=\"q.xml\"/></resource>",
            ),
        ),
        (
            "q.xml",
            &format!("<questestinterop><assessment><section>{items}</section></assessment></questestinterop>"),
        ),
    ])
}

#[test]
fn expanding_questions_stay_bounded() {
    let start = Instant::now();
    let metadata = |kind: &str| {
        format!(
            "<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>{kind}</fieldentry>\
             </qtimetadatafield></qtimetadata></itemmetadata>"
        )
    };
    // Each variable of the formula contains the next one twice.
    let variables: String = (0..40)
        .map(|n| format!("<var name=\"v{n}\">[v{}][v{}]</var>", n + 1, n + 1))
        .collect();
    let formula = format!(
        "<item ident=\"a\">{}<presentation><material><mattext>[v0] {}</mattext></material></presentation><itemproc_extension>\
         <calculated><var_sets><var_set>{variables}<answer>1</answer></var_set></var_sets></calculated></itemproc_extension></item>",
        metadata("calculated_question"),
        "[v39]".repeat(1000)
    );
    // An option of a megabyte with a hundred feedbacks.
    let said: String = (0..100)
        .map(|n| {
            format!(
                "<respcondition><conditionvar><varequal respident=\"r\">o</varequal></conditionvar><displayfeedback linkrefid=\"f{n}\"/></respcondition>"
            )
        })
        .collect();
    let feedback: String = (0..100)
        .map(|n| format!("<itemfeedback ident=\"f{n}\"><material><mattext>F</mattext></material></itemfeedback>"))
        .collect();
    let long = "x".repeat(1_000_000);
    let option = format!(
        "<item ident=\"b\">{}<presentation><material><mattext>Q</mattext></material><response_lid ident=\"r\"><render_choice>\
         <response_label ident=\"o\"><material><mattext>{long}</mattext></material></response_label></render_choice></response_lid>\
         </presentation><resprocessing>{said}</resprocessing>{feedback}</item>",
        metadata("multiple_choice_question"),
    );
    // One long feedback, which every option would show: by its id, or by a condition of its own.
    let labels: String = (0..100)
        .map(|n| {
            format!(
                "<response_label ident=\"o{}\"><material><mattext>O</mattext></material></response_label>",
                n % 50
            )
        })
        .collect();
    let conditions: String = (1..50)
        .map(|n| {
            format!(
                "<respcondition><conditionvar><varequal respident=\"r\">o{n}</varequal></conditionvar><displayfeedback linkrefid=\"shared\"/></respcondition>"
            )
        })
        .collect();
    let shared = format!(
        "<item ident=\"e\">{}<presentation><material><mattext>Q</mattext></material><response_lid ident=\"r\"><render_choice>{labels}\
         </render_choice></response_lid></presentation><resprocessing>{conditions}<respcondition><conditionvar><varequal respident=\"r\">o0\
         </varequal></conditionvar><displayfeedback linkrefid=\"own\"/></respcondition></resprocessing><itemfeedback ident=\"shared\">\
         <material><mattext>{long}</mattext></material></itemfeedback><itemfeedback ident=\"own\"><material><mattext>{long}</mattext>\
         </material></itemfeedback></item>",
        metadata("multiple_choice_question"),
        long = &long[..400_000],
    );
    // Nested items: the text of the innermost must not be repeated in all of them.
    let deep = format!(
        "{}<item ident=\"c\"><presentation><material><mattext>{long}</mattext></material></presentation></item>{}",
        "<item ident=\"d\"><presentation><material>".repeat(40),
        "</material></presentation></item>".repeat(40)
    );
    for (items, most) in [
        (formula, 200_000),
        (option, 2_000_000),
        (shared, 2_000_000),
        (deep, 2_000_000),
    ] {
        let dir = quiz_package(&items);
        let (course, report, _files) = read_ok(dir.path());
        let size: usize = course
            .pages()
            .map(|page| format!("{:?}", page.quiz).len() + page.content.to_string().len())
            .sum();
        assert!(size < most, "{size} bytes\n{}", lines(&report).join("\n"));
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
