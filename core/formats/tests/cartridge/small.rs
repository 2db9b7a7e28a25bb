//! Packages of other producers and of older profile versions.

use kurso_formats::content;
use kurso_formats::quiz::{Kind, require_complete};
use kurso_formats::testing::folder;
use serde_json::json;

use crate::{lines, read_ok};

/// A package of this version whose elements have a namespace prefix.
fn package_of_version(version: &str, xmlns: &str) -> tempfile::TempDir {
    let manifest = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<cc:manifest identifier="m" xmlns:cc="{xmlns}" xmlns:l="http://ltsc.ieee.org/xsd/LOM">
<cc:metadata><cc:schema>IMS Common Cartridge</cc:schema><cc:schemaversion>{version}</cc:schemaversion>
<l:lom><l:general><l:title><l:string>История</l:string></l:title><l:description><l:string>Кратко</l:string></l:description></l:general></l:lom></cc:metadata>
<cc:organizations><cc:organization identifier="o" structure="rooted-hierarchy"><cc:item identifier="root">
  <cc:item identifier="i1"><cc:title>Неделя 1</cc:title>
    <cc:item identifier="i2" identifierref="page"><cc:title>Введение</cc:title></cc:item>
    <cc:item identifier="i3"><cc:title>Папка</cc:title>
      <cc:item identifier="i4" identifierref="topic"><cc:title>Спор</cc:title></cc:item>
      <cc:item identifier="i5" identifierref="link"><cc:title>Ссылка</cc:title></cc:item>
      <cc:item identifier="i6"><cc:title>Глубже</cc:title><cc:item identifier="i7" identifierref="quiz"><cc:title>Тест</cc:title></cc:item></cc:item>
    </cc:item>
  </cc:item>
  <cc:item identifier="i8" identifierref="tool"><cc:title>Инструмент</cc:title></cc:item>
  <cc:item identifier="i9" identifierref="odd"><cc:title>Странное</cc:title></cc:item>
  <cc:item identifier="i10" identifierref="page"><cc:title>Ещё раз</cc:title></cc:item>
  <cc:item identifier="i11" identifierref="nobody"><cc:title>Нет</cc:title></cc:item>
</cc:item></cc:organization></cc:organizations>
<cc:resources>
  <cc:resource identifier="page" type="webcontent" href="%D0%B2%D0%B2%D0%B5%D0%B4%D0%B5%D0%BD%D0%B8%D0%B5.html"><cc:file href="%D0%B2%D0%B2%D0%B5%D0%B4%D0%B5%D0%BD%D0%B8%D0%B5.html"/></cc:resource>
  <cc:resource identifier="topic" type="imsdt_xmlv1p1"><cc:file href="t/topic.xml"/></cc:resource>
  <cc:resource identifier="link" type="imswl_xmlv1p1"><cc:file href="link.xml"/></cc:resource>
  <cc:resource identifier="quiz" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment"><cc:file href="quiz.xml"/></cc:resource>
  <cc:resource identifier="bank" type="imsqti_xmlv1p2/imscc_xmlv1p1/question-bank"><cc:file href="bank.xml"/></cc:resource>
  <cc:resource identifier="tool" type="imsbasiclti_xmlv1p0"><cc:file href="tool.xml"/></cc:resource>
  <cc:resource identifier="odd" type="resource/x-bb-document"><cc:file href="odd.dat"/></cc:resource>
  <cc:resource identifier="h5p" type="webcontent" href="web_resources/game.h5p"><cc:file href="web_resources/game.h5p"/></cc:resource>
</cc:resources></cc:manifest>"#
    );
    let choice = |profile: &str, id: &str, cardinality: &str, condition: &str| {
        format!(
            r#"<item ident="{id}" title="Вопрос"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>cc_profile</fieldlabel>
<fieldentry>{profile}</fieldentry></qtimetadatafield><qtimetadatafield><fieldlabel>cc_weighting</fieldlabel><fieldentry>3</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><flow><material><mattext texttype="text/html">&lt;p&gt;Кто?&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;</mattext></material>
<response_lid ident="r" rcardinality="{cardinality}"><render_choice><flow_label><response_label ident="a"><material><mattext>Пётр</mattext></material></response_label></flow_label>
<response_label ident="b"><material><mattext>Павел</mattext></material></response_label></render_choice></response_lid></flow></presentation>
<resprocessing><outcomes><decvar/></outcomes><respcondition><conditionvar>{condition}</conditionvar><setvar>100</setvar></respcondition></resprocessing></item>"#
        )
    };
    let text = |profile: &str, id: &str, condition: &str| {
        format!(
            r#"<item ident="{id}"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>cc_profile</fieldlabel><fieldentry>{profile}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext>Какой {id}?</mattext></material><response_str ident="r"><render_fib/></response_str></presentation>
<resprocessing><respcondition><conditionvar>{condition}</conditionvar><setvar>100</setvar></respcondition></resprocessing></item>"#
        )
    };
    let items = [
        choice(
            "cc.multiple_choice.v0p1",
            "one",
            "Single",
            "<varequal respident=\"r\">b</varequal>",
        ),
        choice(
            "cc.true_false.v0p1",
            "truth",
            "Single",
            "<varequal respident=\"r\">a</varequal>",
        ),
        choice(
            "cc.multiple_response.v0p1",
            "many",
            "Multiple",
            "<and><varequal respident=\"r\">a</varequal><not><varequal respident=\"r\">b</varequal></not></and>",
        ),
        text(
            "cc.fib.v0p1",
            "год",
            "<varequal respident=\"r\" case=\"No\">1703</varequal>",
        ),
        text(
            "cc.pattern_match.v0p1",
            "век",
            "<varsubstring respident=\"r\">XVIII</varsubstring>",
        ),
        text("cc.essay.v0p1", "итог", "<other/>"),
    ];
    let quiz = format!(
        r#"<?xml version="1.0"?><!DOCTYPE questestinterop SYSTEM "ims_qtiasiv1p2p1.dtd"><questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="x" title="Тест"><qtimetadata>
<qtimetadatafield><fieldlabel>cc_maxattempts</fieldlabel><fieldentry>2</fieldentry></qtimetadatafield></qtimetadata><rubric><material><mattext>Правила</mattext></material></rubric><section ident="s">{}</section></assessment></questestinterop>"#,
        items.concat()
    );
    let bank = format!(
        r#"<questestinterop><objectbank ident="b">{}</objectbank></questestinterop>"#,
        items[0]
    );
    folder(&[
        ("imsmanifest.xml", &manifest),
        (
            "введение.html",
            r##"<html><head><title>x</title><script>alert(1)</script></head><body onload="alert(2)"><h1>Раз</h1><h2>Два</h2><p onclick="x()">
<a href="t/topic.xml">спор</a> <a href="$IMS-CC-FILEBASE$/files/a.txt">файл</a> <a href="javascript:alert(3)">зло</a> <a href="../../etc/passwd">вон</a>
<a href="#два">ниже</a></p><script>alert(4)</script><iframe src="https://evil.example"></iframe></body></html>"##,
        ),
        ("files/a.txt", "a"),
        ("files/никому.txt", "b"),
        ("web_resources/game.h5p", "PK"),
        ("odd.dat", "<CONTENT/>"),
        (
            "t/topic.xml",
            "<t:topic xmlns:t=\"http://www.imsglobal.org/xsd/imsccv1p1/imsdt_v1p1\"><t:title>Спор</t:title><t:text texttype=\"text/html\">&lt;p&gt;Что думаете?&lt;/p&gt;</t:text><t:attachments><t:attachment href=\"../files/a.txt\"/></t:attachments></t:topic>",
        ),
        (
            "link.xml",
            "<wl xmlns=\"http://www.imsglobal.org/xsd/imsccv1p2/imswl_v1p2\"><title>Ссылка</title><url href=\"https://example.com/a b\" target=\"_blank\"/></wl>",
        ),
        (
            "tool.xml",
            "<b:cartridge_basiclti_link xmlns:b=\"http://b\"><b:title>T</b:title><b:launch_url>https://tool.example/launch</b:launch_url><b:custom><b:property name=\"secret\">hunter2</b:property></b:custom></b:cartridge_basiclti_link>",
        ),
        ("quiz.xml", &quiz),
        ("bank.xml", &bank),
    ])
}

#[test]
fn profile_versions_and_namespace_prefixes_read_the_same() {
    for (version, xmlns) in [
        ("1.0.0", "http://www.imsglobal.org/xsd/imscc/imscp_v1p1"),
        ("1.1.0", "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"),
        ("1.2.0", "http://www.imsglobal.org/xsd/imsccv1p2/imscp_v1p1"),
        ("1.3.0", "http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1"),
    ] {
        let (course, report, _files) = read_ok(package_of_version(version, xmlns).path());
        let said = lines(&report).join("\n");
        assert_eq!(
            (course.title.as_str(), course.description.as_deref()),
            ("История", Some("Кратко"))
        );
        let outline: Vec<(&str, Vec<(&str, usize)>)> = course
            .modules
            .iter()
            .map(|module| {
                let lessons = module
                    .lessons
                    .iter()
                    .map(|lesson| (lesson.title.as_str(), lesson.pages.len()));
                (module.title.as_str(), lessons.collect())
            })
            .collect();
        assert_eq!(
            outline,
            [
                ("Неделя 1", vec![("Неделя 1", 1), ("Папка", 2), ("Глубже", 1)]),
                ("Без названия", vec![("Без названия", 4)]),
                ("Вне модулей", vec![("Файлы", 1)]),
            ],
            "{said}"
        );
        assert_eq!(course.banks.len(), 1);
        let pages: Vec<_> = course.pages().collect();
        let first = pages[0];
        assert_eq!(first.content.read()["content"][0]["attrs"]["level"], json!(2));
        assert_eq!(first.content.read()["content"][1]["attrs"]["level"], json!(3));
        let whole = first.content.to_string();
        assert!(
            !whole.contains("alert") && !whole.contains("passwd") && !whole.contains("javascript"),
            "{whole}"
        );
        assert!(whole.contains("/files/") && whole.contains("#два"), "{whole}");
        let words: Vec<String> = pages.iter().map(|page| content::text(&page.content.read())).collect();
        assert!(words[1].contains("Что думаете?") && words[2].contains("Ссылка"));
        assert!(
            words[4].contains("https://tool.example/launch") && !words[4].contains("hunter2"),
            "{}",
            words[4]
        );
        assert!(words[5].contains("resource/x-bb-document") && words[5].contains("odd.dat"));
        assert!(pages[6].content.to_string().contains(&format!("page:{}", first.id)));
        assert!(words[7].contains("nobody"));
        let quiz = pages[3].quiz.as_ref().unwrap();
        require_complete(quiz).unwrap();
        assert_eq!(quiz.max_attempts, Some(2));
        let kinds: Vec<&str> = quiz
            .questions
            .iter()
            .map(|question| match &question.kind {
                Kind::SingleChoice { .. } => "single",
                Kind::MultipleChoice { .. } => "multiple",
                Kind::ShortText { regex: None, .. } => "text",
                Kind::ShortText { .. } => "pattern",
                Kind::Essay { .. } => "essay",
                _ => "other",
            })
            .collect();
        assert_eq!(
            kinds,
            ["single", "single", "multiple", "text", "pattern", "essay"],
            "{said}"
        );
        assert_eq!(quiz.questions[0].points.as_f64(), 3.0);
        assert!(
            words[3].starts_with("Правила") && content::text(&quiz.questions[5].prompt) == "Какой итог?",
            "{}",
            words[3]
        );
        for part in [
            "nested folders",
            "link javascript:alert(3)",
            "link ../../etc/passwd",
            "tags <script>",
            "iframe src",
            "H5P package",
            "resource of the type \"resource/x-bb-document\"",
            "resource nobody",
            "repeated item \"Введение\"",
            "question bank",
            "files/никому.txt: file files/никому.txt",
            "external tool",
        ] {
            assert!(said.contains(part), "{part} is not in\n{said}");
        }
        assert!(!said.contains("hunter2"));
    }
}

#[test]
fn canvas_links_resolve_to_pages_and_files() {
    let wiki = |title: &str, id: &str, state: &str, body: &str| {
        format!(
            "<html><head><title>{title}</title><meta name=\"identifier\" content=\"{id}\"/><meta name=\"workflow_state\" content=\"{state}\"/></head><body>{body}</body></html>"
        )
    };
    let body = r##"<h2 id="top">Top</h2><p><a href="$WIKI_REFERENCE$/pages/two#here">1</a><a href="%24WIKI_REFERENCE%24/pages/two">2</a>
<a href="$CANVAS_OBJECT_REFERENCE$/pages/two">3</a><a href="$CANVAS_OBJECT_REFERENCE$/modules/mod1">4</a><a href="$CANVAS_COURSE_REFERENCE$/modules/items/item2">5</a>
<a href="$CANVAS_COURSE_REFERENCE$/file_ref/file1/download?wrap=1">6</a> <a href="%24IMS-CC-FILEBASE%24/folder/%D1%84.txt?canvas_download=1">7</a><a href="two.html">8</a>
<a href="$WIKI_REFERENCE$/pages/two#gone">9</a><a href="$CANVAS_OBJECT_REFERENCE$/quizzes/none">10</a></p><p>\(x^2\)</p><img src="$IMS-CC-FILEBASE$/folder/p.png" alt="P">"##;
    let dir = folder(&[
        (
            "imsmanifest.xml",
            r#"<manifest xmlns="x"><organizations/><resources>
<resource identifier="one" type="webcontent" href="wiki_content/one.html"><file href="wiki_content/one.html"/></resource>
<resource identifier="two" type="webcontent" href="wiki_content/two.html"><file href="wiki_content/two.html"/></resource>
<resource identifier="file1" type="webcontent" href="web_resources/folder/ф.txt"><file href="web_resources/folder/ф.txt"/></resource>
<resource identifier="hw" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" href="hw/hw.html"><file href="hw/hw.html"/><file href="hw/assignment_settings.xml"/></resource>
</resources></manifest>"#,
        ),
        (
            "course_settings/module_meta.xml",
            r#"<modules><module identifier="mod1"><title>M</title><workflow_state>active</workflow_state><items>
<item identifier="item1"><content_type>WikiPage</content_type><workflow_state>active</workflow_state><title>One</title><identifierref>one</identifierref></item>
<item identifier="item2"><content_type>WikiPage</content_type><workflow_state>unpublished</workflow_state><title>Two</title><identifierref>two</identifierref></item>
<item identifier="item3"><content_type>ExternalUrl</content_type><workflow_state>active</workflow_state><title>Web</title><url>https://example.com</url></item>
</items></module></modules>"#,
        ),
        ("wiki_content/one.html", &wiki("One", "one", "active", body)),
        ("wiki_content/two.html", &wiki("Two", "two", "active", "<h3>Here</h3>")),
        ("web_resources/folder/ф.txt", "f"),
        (
            "hw/hw.html",
            &wiki("Assignment: Homework", "hw", "active", "<p>Do it</p>"),
        ),
        (
            "hw/assignment_settings.xml",
            "<assignment><title>Homework</title><due_at>2030-01-02T10:00:00</due_at><points_possible>7.5</points_possible><submission_types>online_text_entry,online_upload</submission_types><workflow_state>unpublished</workflow_state></assignment>",
        ),
    ]);
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";
    std::fs::write(dir.path().join("web_resources/folder/p.png"), picture).unwrap();
    let (course, report, _files) = read_ok(dir.path());
    let said = lines(&report).join("\n");
    let pages: Vec<_> = course.pages().collect();
    let (one, two) = (pages[0], pages[1]);
    let mut links = Vec::new();
    let mut document = one.content.read();
    content::map_addresses(&mut document, |address| {
        links.push(address.to_owned());
        None
    });
    let to_two = format!("page:{}", two.id);
    assert_eq!(
        links[..5],
        [
            format!("{to_two}#here"),
            to_two.clone(),
            to_two.clone(),
            format!("page:{}", one.id),
            to_two.clone()
        ]
    );
    assert!(links[5].starts_with("/files/") && links[5] == links[6], "{links:?}");
    assert_eq!(links[7..9], [to_two.clone(), to_two]);
    assert!(links[9].ends_with("/p.png") && links.len() == 10, "{links:?}");
    assert_eq!(one.content.read()["content"][2]["content"][0]["type"], "inlineMath");
    assert_eq!((one.published, two.published, pages[2].published), (true, false, true));
    let homework = pages[3];
    let words = content::text(&homework.content.read());
    assert_eq!(
        (homework.title.as_deref(), homework.published),
        (Some("Homework"), false)
    );
    assert_eq!(words, "Do it");
    let question = &homework.quiz.as_ref().unwrap().questions[0];
    assert_eq!(question.points.as_f64(), 7.5);
    let due = homework.dates.due_at.map(|due| due.to_rfc3339());
    assert_eq!(due.as_deref(), Some("2030-01-02T10:00:00+00:00"));
    assert!(!words.contains("Due"), "{words}");
    for part in ["#gone", "quizzes/none", "no module contains it"] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(course.files.len(), 2);
}

#[test]
fn question_types_of_other_producers_are_inferred_from_responses() {
    let quiz = r#"<questestinterop><assessment ident="a"><section ident="s">
<item ident="n"><presentation><material><mattext>How many?</mattext></material><response_num ident="r"><render_fib/></response_num></presentation>
<resprocessing><respcondition><conditionvar><vargte respident="r">2</vargte><varlte respident="r">4</varlte></conditionvar><setvar>1</setvar></respcondition></resprocessing></item>
<item ident="o"><presentation><material><mattext>In order</mattext></material><response_lid ident="r" rcardinality="Ordered"><render_choice>
<response_label ident="b"><material><mattext>2</mattext></material></response_label><response_label ident="a"><material><mattext>1</mattext></material></response_label></render_choice></response_lid></presentation>
<resprocessing><respcondition><conditionvar><varequal respident="r">a</varequal><varequal respident="r">b</varequal></conditionvar><setvar>1</setvar></respcondition></resprocessing></item>
<item ident="f"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>fill_in_multiple_blanks_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext texttype="text/html">&lt;p&gt;&lt;b&gt;A [x] B&lt;/b&gt; [x] [y]&lt;/p&gt;</mattext></material>
<response_lid ident="response_x"><material><mattext>x</mattext></material><render_choice><response_label ident="1"><material><mattext>one</mattext></material></response_label><response_label ident="2"><material><mattext>uno</mattext></material></response_label></render_choice></response_lid>
<response_lid ident="response_y"><material><mattext>y</mattext></material><render_choice><response_label ident="3"><material><mattext>two</mattext></material></response_label></render_choice></response_lid></presentation>
<resprocessing><respcondition><conditionvar><varequal respident="response_x">1</varequal></conditionvar><setvar action="Add">50</setvar></respcondition>
<respcondition><conditionvar><varequal respident="response_x">2</varequal></conditionvar><setvar action="Add">50</setvar></respcondition>
<respcondition><conditionvar><varequal respident="response_y">3</varequal></conditionvar><setvar action="Add">50</setvar></respcondition></resprocessing></item>
<item ident="hot"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>hot_spot_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext>Where?</mattext></material><response_xy ident="r" rcardinality="Multiple"/><response_xy ident="q" rcardinality="Multiple"/></presentation></item>
<item ident="bad"><presentation><material><mattext>Nobody knows</mattext></material><response_lid ident="r" rcardinality="Single"><render_choice><response_label ident="a"><material><mattext>1</mattext></material></response_label></render_choice></response_lid></presentation></item>
</section></assessment></questestinterop>"#;
    let dir = folder(&[
        (
            "imsmanifest.xml",
            r#"<manifest><organizations><organization><item><item identifier="i"><title>M</title><item identifier="j" identifierref="q"><title>Q</title></item></item></item></organization></organizations>
<resources><resource identifier="q" type="imsqti_xmlv1p2/imscc_xmlv1p3/assessment"><file href="q.xml"/></resource></resources></manifest>"#,
        ),
        ("q.xml", quiz),
    ]);
    let (course, report, _files) = read_ok(dir.path());
    let said = lines(&report).join("\n");
    let page = course.pages().next().unwrap();
    let questions = &page.quiz.as_ref().unwrap().questions;
    let Kind::Numeric { value, tolerance, .. } = &questions[0].kind else {
        panic!("{questions:?}")
    };
    assert_eq!(
        (value.as_ref().unwrap().as_f64(), tolerance.as_f64()),
        (Some(3.0), Some(1.0))
    );
    let Kind::Ordering { items } = &questions[1].kind else {
        panic!("{questions:?}")
    };
    assert_eq!(
        items
            .iter()
            .map(|item| content::text(&item.content))
            .collect::<Vec<_>>(),
        ["1", "2"]
    );
    let Kind::FillBlank { text, blanks } = &questions[2].kind else {
        panic!("{questions:?}")
    };
    assert_eq!(
        (content::blanks(text).len(), blanks.len(), content::text(text).as_str()),
        (2, 2, "A  B _____")
    );
    assert!(content::text(&page.content.read()).contains("Where?"));
    for part in [
        "question of the type \"hot_spot_question\"",
        "correct answer of a question",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn misdeclared_encodings_are_detected() {
    for (label, encoding) in [
        ("windows-1251", encoding_rs::WINDOWS_1251),
        ("KOI8", encoding_rs::KOI8_R),
    ] {
        let manifest = "<manifest><organizations><organization><item identifier=\"i\" identifierref=\"r\"><title>Лекция первая, \
             вводная</title></item></organization></organizations><resources><resource identifier=\"r\" type=\"webcontent\" \
             href=\"a.html\"><file href=\"a.html\"/></resource></resources></manifest>";
        let dir = folder(&[]);
        for (name, text) in [
            ("imsmanifest.xml", manifest),
            (
                "a.html",
                "<p>Съешь же ещё этих мягких французских булок, да выпей чаю.</p>",
            ),
        ] {
            std::fs::write(dir.path().join(name), encoding.encode(text).0).unwrap();
        }
        let (course, report, _files) = read_ok(dir.path());
        let said = lines(&report).join("\n");
        let page = course.pages().next().unwrap();
        assert_eq!(page.title.as_deref(), Some("Лекция первая, вводная"), "{said}");
        assert!(
            content::text(&page.content.read()).starts_with("Съешь же ещё"),
            "{said}"
        );
        assert_eq!(said.matches(&format!("converted from {label}")).count(), 2, "{said}");
    }
}
