//! Broken, missing and ungraded components leave readable content.

use kurso_formats::content;
use kurso_formats::testing::folder;

use super::{lines, read_at};

#[test]
fn unreadable_components_are_named_in_place() {
    let dir = folder(&[
        (
            "course.xml",
            "<course url_name=\"r\" display_name=\"C\"><chapter display_name=\"Ch\"><sequential display_name=\"S\">\
             <vertical display_name=\"V\"><html>Before</html><problem url_name=\"broken\" display_name=\"Hard one\"/>\
             <html url_name=\"gone\"/><annotatable display_name=\"Poem\"><p>Mark this line</p></annotatable></vertical></sequential></chapter></course>",
        ),
        ("problem/broken.xml", "<problem><p>one</problem>"),
    ]);
    let (course, report) = read_at(dir.path());
    let told = lines(&report).join("\n");
    let words = content::text(&course.pages().next().unwrap().content.read());
    for part in [
        "Before",
        "Hard one",
        "problem/broken.xml",
        "html/gone.xml",
        "Mark this line",
    ] {
        assert!(words.contains(part), "{part} is not in {words}\n{told}");
    }
    assert!(
        told.contains("problem/broken.xml") && told.contains("html/gone.xml"),
        "{told}"
    );
}

#[test]
fn ungraded_problems_keep_images_and_choices() {
    let dir = folder(&[(
        "course.xml",
        r#"<course url_name="r" display_name="C"><chapter display_name="Ch"><sequential display_name="S"><vertical display_name="V">
<problem><p>Click</p><imageresponse><imageinput src="https://example.com/map.png" alt="A map" rectangle="(1,2)-(3,4)"/></imageresponse></problem>
<problem><choicetextresponse><radiotextgroup><choice correct="false">Heavy</choice><choice correct="true">Weighs <numtolerance_input answer="51"/> g</choice></radiotextgroup></choicetextresponse></problem>
<problem><coderesponse><textbox/><codeparam><initial_display>def f(): pass</initial_display><answer_display>42 is right</answer_display></codeparam></coderesponse></problem>
<problem><customresponse><drag_and_drop_input img="https://example.com/body.png"><draggable id="1" label="Heart"/></drag_and_drop_input><answer>secret = 1</answer></customresponse></problem>
</vertical></sequential></chapter></course>"#,
    )]);
    let (course, report) = read_at(dir.path());
    let told = lines(&report).join("\n");
    let words: String = course.pages().map(|page| content::text(&page.content.read())).collect();
    for part in ["A map", "Heavy", "Weighs _____ g", "def f(): pass", "Heart"] {
        assert!(words.contains(part), "{part} is not in {words}\n{told}");
    }
    for part in ["51", "42 is right", "secret", "(1,2)"] {
        assert!(!words.contains(part), "{part} is in {words}");
    }
}
