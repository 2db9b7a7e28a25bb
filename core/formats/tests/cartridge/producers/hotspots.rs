//! Hotspot items of QTI 1.2.

use kurso_formats::content;
use kurso_formats::quiz::require_complete;

use super::{item, page, questions, quiz_of, scores, summary};
use crate::{lines, read_ok};

const DOT: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\x05\xfe\x02\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82";

fn response(cardinality: &str, image: &str) -> String {
    format!(
        "<response_xy ident=\"r\" rcardinality=\"{cardinality}\"><render_hotspot><material>{image}</material>\
         <response_label ident=\"a\" rarea=\"Rectangle\">64, 48, 320, 240</response_label>\
         <response_label ident=\"b\">320,240,128,96</response_label>\
         <response_label ident=\"c\" rarea=\"Bounded\">0,0,64,0,64,48</response_label></render_hotspot></response_xy>"
    )
}

#[test]
fn areas_that_earn_points_become_zones() {
    let sized = "<matimage imagtype=\"image/png\" uri=\"map.png\" width=\"640\" height=\"480\"/>";
    let inside = "<respcondition><conditionvar><varinside respident=\"r\" areatype=\"Rectangle\">0,0,64,48</varinside></conditionvar>\
                  <setvar>100</setvar></respcondition>";
    let items = [
        item("", "One", &response("Single", sized), &scores(&[("r", "a")], "100")),
        item(
            "",
            "Several",
            &response("Multiple", sized),
            &(scores(&[("r", "b")], "50") + &scores(&[("r", "c")], "50")),
        ),
        item("hot_spot_question", "Inside", &response("Single", sized), inside),
        item(
            "",
            "No picture",
            &response("Single", "<matimage uri=\"gone.png\" width=\"1\" height=\"1\"/>"),
            &scores(&[("r", "a")], "100"),
        ),
        item("", "No answer", &response("Single", sized), ""),
    ];
    let dir = quiz_of(&items);
    std::fs::write(dir.path().join("map.png"), DOT).unwrap();
    let (course, report, _files) = read_ok(dir.path());
    let told = lines(&report).join("\n");
    let page = page(&course, "Quiz");
    let found: Vec<String> = questions(page).iter().map(summary).collect();
    let rectangle = |x: u8, y: u8, width: u8, height: u8| {
        format!("{{\"shape\":\"rectangle\",\"x\":{x},\"y\":{y},\"width\":{width},\"height\":{height}}}")
    };
    let ellipse = "{\"shape\":\"ellipse\",\"x\":50,\"y\":50,\"radius_x\":10,\"radius_y\":10}";
    let polygon = "{\"shape\":\"polygon\",\"corners\":[{\"x\":0,\"y\":0},{\"x\":10,\"y\":0},{\"x\":10,\"y\":10}]}";
    assert_eq!(
        found,
        [
            format!("places false {} = 1", rectangle(10, 10, 50, 50)),
            format!("places true {ellipse} {polygon} = 1"),
            format!("places false {} = 1", rectangle(0, 0, 10, 10)),
        ],
        "{told}"
    );
    require_complete(page.quiz.as_ref().unwrap()).unwrap();
    let words = content::text(&page.content.read());
    assert!(words.contains("No picture") && words.contains("No answer"), "{words}");
    assert!(told.contains("wrong areas of a picture: 2"), "{told}");
}
