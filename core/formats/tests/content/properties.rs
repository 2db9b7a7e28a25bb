//! Property tests of document validation, for valid documents and arbitrary input.

use kurso_formats::content::schema::MARKS;
use kurso_formats::content::{
    self, files, heading_anchors, map_addresses, page_links, text, validate, validate_with_blanks,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{FILE, PAGE, doc};

fn any_text() -> impl Strategy<Value = String> {
    "[^\\x00]{1,12}"
}

fn any_href() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("https://example.com/a?b#c".to_owned()),
        Just("mailto:a@example.com".to_owned()),
        Just(format!("page:{PAGE}#якорь")),
        Just("#якорь".to_owned()),
        Just(FILE.to_owned()),
    ]
}

fn any_inline() -> impl Strategy<Value = Value> {
    let names = MARKS.iter().map(|mark| mark.name).collect::<Vec<_>>();
    let marks = proptest::sample::subsequence(names, 0..4);
    (any_text(), marks, any_href(), 0..4u8).prop_map(|(text, marks, href, kind)| {
        let marks: Vec<_> = marks
            .into_iter()
            .map(|name| {
                if name == "link" {
                    json!({ "type": name, "attrs": { "href": href } })
                } else {
                    json!({ "type": name })
                }
            })
            .collect();
        match kind {
            0 => json!({ "type": "hardBreak", "marks": marks }),
            1 => json!({ "type": "inlineMath", "attrs": { "latex": text }, "marks": marks }),
            _ => json!({ "type": "text", "text": text, "marks": marks }),
        }
    })
}

fn any_block() -> impl Strategy<Value = Value> {
    let line = proptest::collection::vec(any_inline(), 0..4).boxed();
    let leaf = prop_oneof![
        line.clone()
            .prop_map(|content| json!({ "type": "paragraph", "content": content })),
        (line, 1..=4)
            .prop_map(|(content, level)| json!({ "type": "heading", "attrs": { "level": level }, "content": content })),
        any_text().prop_map(|text| json!({ "type": "codeBlock", "content": [{ "type": "text", "text": text }] })),
        (16..4000, any_text())
            .prop_map(|(width, alt)| json!({ "type": "image", "attrs": { "src": FILE, "width": width, "alt": alt } })),
        any_text().prop_map(|latex| json!({ "type": "blockMath", "attrs": { "latex": latex } })),
        Just(json!({ "type": "horizontalRule" })),
    ];
    leaf.prop_recursive(5, 40, 3, |block| {
        let blocks = proptest::collection::vec(block, 1..3);
        (blocks, 0..7u8).prop_map(|(blocks, kind)| match kind {
            0 => json!({ "type": "blockquote", "content": blocks }),
            1 => json!({ "type": "callout", "attrs": { "kind": "tip" }, "content": blocks }),
            2 => json!({ "type": "bulletList", "content": [{ "type": "listItem", "content": blocks }] }),
            3 => json!({ "type": "orderedList", "attrs": { "start": 2 }, "content": [{ "type": "listItem", "content": blocks }] }),
            4 => json!({ "type": "taskList", "content": [{ "type": "taskItem", "content": blocks }] }),
            5 => json!({ "type": "table", "content": [{ "type": "tableRow", "content": [{ "type": "tableCell", "content": blocks }] }] }),
            _ => json!({ "type": "details", "content": [
                { "type": "detailsSummary" }, { "type": "detailsContent", "content": blocks } ] }),
        })
    })
}

fn any_document() -> impl Strategy<Value = Value> {
    proptest::collection::vec(any_block(), 1..5).prop_map(|blocks| doc(Value::Array(blocks)))
}

fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        any_text(),
        proptest::sample::select(vec![
            "type",
            "doc",
            "content",
            "attrs",
            "marks",
            "text",
            "paragraph",
            "table",
            "src",
            "href"
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, move |value| {
        prop_oneof![
            proptest::collection::vec(value.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map(word.clone(), value, 0..5).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// The paths of all objects with a `type` in the document.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            if object.contains_key("type") {
                found.push(at.to_owned());
            }
            object
                .iter()
                .for_each(|(name, value)| paths(value, &format!("{at}/{name}"), found));
        }
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(index, value)| paths(value, &format!("{at}/{index}"), found)),
        _ => {}
    }
}

proptest! {
    #[test]
    fn generated_documents_are_valid(document in any_document()) {
        prop_assert_eq!(validate(&document), Ok(()));
        prop_assert_eq!(validate_with_blanks(&document), Ok(()));
        prop_assert_eq!(content::parse(&document.to_string()), Ok(document));
    }

    #[test]
    fn a_single_violation_is_rejected(document in any_document(), index in any::<proptest::sample::Index>(), kind in 0..7u8) {
        let mut document = document;
        let mut found = Vec::new();
        paths(&document, "", &mut found);
        let node = document.pointer_mut(index.get(found.as_slice()).as_str()).and_then(Value::as_object_mut).unwrap();
        match kind {
            0 => { node.insert("type".into(), json!("iframe")); }
            1 => { node.remove("type"); }
            2 => { node.insert("onclick".into(), json!("alert(1)")); }
            3 => { node.insert("attrs".into(), json!({ "style": "x" })); }
            4 => { node.insert("attrs".into(), json!([])); }
            5 => { node.insert("content".into(), json!({})); }
            _ => { node.insert("marks".into(), json!([{ "type": "script" }])); }
        }
        let error = validate(&document).expect_err("refused");
        prop_assert!(error.path.starts_with("content"));
    }

    #[test]
    fn any_json_is_handled(value in any_json()) {
        let _ = validate(&value);
        let _ = validate(&doc(value.clone()));
        let _ = validate_with_blanks(&doc(json!([value])));
        let mut value = value;
        let _ = (text(&value), files(&value), page_links(&value), heading_anchors(&value));
        map_addresses(&mut value, |_| Some("x".into()));
    }

    #[test]
    fn any_text_is_handled(text in "\\PC{0,200}") {
        let _ = content::parse(&text);
    }
}
