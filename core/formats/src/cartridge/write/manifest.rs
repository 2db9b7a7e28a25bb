//! Writes `imsmanifest.xml`.

use super::bank_path;
use super::names::{Kind, Plan, meta_path, settings_path};
use crate::cartridge::html::escaped;
use crate::cartridge::qti;
use crate::cartridge::{CANVAS_MARK, COURSE_SETTINGS, EXTENSION, FILE_ID, MODULE_META, OWN_ASSESSMENTS};
use crate::course::CourseDraft;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<manifest identifier=\"kurso_course\" \
     xmlns=\"http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1\" xmlns:lom=\"http://ltsc.ieee.org/xsd/imsccv1p3/LOM/resource\" \
     xmlns:lomimscc=\"http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
     xsi:schemaLocation=\"http://ltsc.ieee.org/xsd/imsccv1p3/LOM/resource \
     http://www.imsglobal.org/profile/cc/ccv1p3/LOM/ccv1p3_lomresource_v1p0.xsd http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1 \
     http://www.imsglobal.org/profile/cc/ccv1p3/ccv1p3_imscp_v1p2_v1p0.xsd http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest \
     http://www.imsglobal.org/profile/cc/ccv1p3/LOM/ccv1p3_lommanifest_v1p0.xsd\">\n";

const ASSOCIATED: &str = "associatedcontent/imscc_xmlv1p3/learning-application-resource";

pub fn write(course: &CourseDraft, plan: &Plan<'_>) -> String {
    let mut text = String::from(HEAD);
    let description = course.description.as_ref().map(|said| {
        format!(
            "        <lomimscc:description>\n          <lomimscc:string>{}</lomimscc:string>\n        </lomimscc:description>\n",
            escaped(said)
        )
    });
    text.push_str(&format!(
        "  <metadata>\n    <schema>IMS Common Cartridge</schema>\n    <schemaversion>1.3.0</schemaversion>\n    <lomimscc:lom>\n      \
         <lomimscc:general>\n        <lomimscc:title>\n          <lomimscc:string>{}</lomimscc:string>\n        </lomimscc:title>\n{}      \
         </lomimscc:general>\n    </lomimscc:lom>\n  </metadata>\n",
        escaped(&course.title),
        description.unwrap_or_default()
    ));
    text.push_str(
        "  <organizations>\n    <organization identifier=\"org_1\" structure=\"rooted-hierarchy\">\n      <item identifier=\"LearningModules\">\n",
    );
    items(course, plan, &mut text);
    text.push_str("      </item>\n    </organization>\n  </organizations>\n  <resources>\n");
    let files = [CANVAS_MARK, COURSE_SETTINGS, MODULE_META];
    resource("kurso_canvas", ASSOCIATED, Some(CANVAS_MARK), &files, None, &mut text);
    resource(
        "kurso_extension",
        ASSOCIATED,
        Some(EXTENSION),
        &[EXTENSION],
        None,
        &mut text,
    );
    for page in &plan.pages {
        match page.kind {
            Kind::Text => {
                resource(&page.id, "webcontent", Some(&page.path), &[&page.path], None, &mut text);
                continue;
            }
            Kind::Assignment => {
                let files = [page.path.as_str(), &settings_path(&page.id)];
                resource(&page.id, ASSOCIATED, Some(&page.path), &files, None, &mut text);
                continue;
            }
            Kind::Quiz => {}
        }
        let kind = "imsqti_xmlv1p2/imscc_xmlv1p3/assessment";
        let meta_id = format!("{}_meta", page.id);
        resource(&page.id, kind, None, &[&page.path], Some(&meta_id), &mut text);
        let meta = meta_path(&page.id);
        let own = format!("{OWN_ASSESSMENTS}/{}.xml.qti", page.id);
        resource(&meta_id, ASSOCIATED, Some(&meta), &[&meta, &own], None, &mut text);
    }
    for file in qti::bank_files(course).keys() {
        let path = bank_path(file);
        resource(&file.ident, ASSOCIATED, Some(&path), &[&path], None, &mut text);
    }
    for file in &course.files {
        if let Some((path, _)) = plan.files.get(&file.key) {
            resource(
                &format!("{FILE_ID}{}", file.key),
                "webcontent",
                Some(path),
                &[path],
                None,
                &mut text,
            );
        }
    }
    text + "  </resources>\n</manifest>\n"
}

/// Modules are folders, lessons are folders in them, pages are items.
fn items(course: &CourseDraft, plan: &Plan<'_>, text: &mut String) {
    let mut pages = plan.pages.iter();
    for (module, named) in course.modules.iter().zip(&plan.modules) {
        text.push_str(&format!(
            "        <item identifier=\"{}\">\n          <title>{}</title>\n",
            named.id,
            escaped(&module.title)
        ));
        for (lesson, id) in module.lessons.iter().zip(&named.lessons) {
            text.push_str(&format!(
                "          <item identifier=\"{id}\">\n            <title>{}</title>\n",
                escaped(&lesson.title)
            ));
            for page in pages.by_ref().take(lesson.pages.len()) {
                text.push_str(&format!(
                    "            <item identifier=\"{}\" identifierref=\"{}\">\n              <title>{}</title>\n            </item>\n",
                    page.item,
                    page.id,
                    escaped(&page.title)
                ));
            }
            text.push_str("          </item>\n");
        }
        text.push_str("        </item>\n");
    }
}

fn resource(id: &str, kind: &str, href: Option<&str>, files: &[&str], needs: Option<&str>, text: &mut String) {
    let href = href
        .map(|href| format!(" href=\"{}\"", escaped(href)))
        .unwrap_or_default();
    text.push_str(&format!("    <resource identifier=\"{id}\" type=\"{kind}\"{href}>\n"));
    for file in files {
        text.push_str(&format!("      <file href=\"{}\"/>\n", escaped(file)));
    }
    if let Some(id) = needs {
        text.push_str(&format!("      <dependency identifierref=\"{id}\"/>\n"));
    }
    text.push_str("    </resource>\n");
}
