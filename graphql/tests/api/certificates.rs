//! Certificates. The tests of REST cover the upload of pictures, the public page and the PDF.

use kurso_core::both;
use kurso_db::sql;
use serde_json::{Value, json};

use crate::support::{School, Server};

const FIELDS: &str =
    "id courseId courseTitle name basis minPercent grade awardedAt issuedAt expiresAt state revokedAt revokeReason
    replacedBy isNameShown isGradeShown pageUrl pdfUrl";
const DESIGN: &str = "query($id: ID!) { certificateDesign(courseId: $id) { courseId isOn basis minPercent validMonths hasGrade language heading text
    accent background signer logoUrl signatureUrl previewUrl } }";
const SET: &str = "mutation($id: ID!, $on: Boolean, $months: Int, $accent: String) { setCertificateDesign(input: {courseId: $id, isOn: $on, basis: GRADE,
    minPercent: 0, validMonths: $months, language: EN, accent: $accent}) { design { isOn basis validMonths heading } } }";
const COMPLETION: &str =
    "mutation($id: ID!) { setCertificateDesign(input: {courseId: $id, basis: COMPLETION}) { design { isOn basis } } }";
const REMOVE: &str =
    "mutation($id: ID!) { removeCertificatePicture(input: {courseId: $id, picture: LOGO}) { design { logoUrl } } }";
const MY: &str = "query($id: ID!) { myCertificate(courseId: $id) { courseId state name basis minPercent pagesLeft resultsLeft percent canReissue
    certificate { id } } }";
const BADGE: &str = "query($id: ID!) { certificateBadge(certificateId: $id) { jwt } }";
const PUBLIC: &str = "query($id: ID!) { publicCertificate(id: $id) { id state courseTitle name basis minPercent grade awardedAt issuedAt expiresAt
    replacedBy pdfUrl } }";
const REVOKE: &str = "mutation($id: ID!) { revokeCertificate(input: {certificateId: $id, reason: \"Списано\"}) {
    certificate { certificate { state revokeReason } holder { id fullName email } revokedBy { fullName } } } }";
const RESTORE: &str = "mutation($id: ID!) { restoreCertificate(input: {certificateId: $id}) { certificate { certificate { state } revokedBy { id } } } }";
const PRIVACY: &str =
    "mutation($id: ID!, $name: Boolean) { setCertificatePrivacy(input: {certificateId: $id, isNameShown: $name}) {
    certificate { isNameShown isGradeShown } } }";

fn issue() -> String {
    format!("mutation($id: ID!) {{ issueCertificate(input: {{courseId: $id}}) {{ certificate {{ {FIELDS} }} }} }}")
}

fn reissue() -> String {
    format!(
        "mutation($id: ID!) {{ reissueCertificate(input: {{certificateId: $id}}) {{ certificate {{ {FIELDS} }} }} }}"
    )
}

both! {
    async fn a_certificate_is_claimed_reissued_and_revoked(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let course = json!({"id": school.course});
        for who in [&school.owner, &school.editor, &school.teacher, &school.admin] {
            assert_eq!(server.data(who, DESIGN, course.clone()).await["isOn"], false);
        }
        let set = json!({"id": school.course, "on": true, "months": 12});
        for (who, code) in [("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"), (&school.teacher, "FORBIDDEN"),
            (&school.admin, "FORBIDDEN")] {
            assert_eq!(server.refusal(who, SET, set.clone()).await, code);
        }
        let wrong = json!({"id": school.course, "accent": "red"});
        assert_eq!(server.refusal(&school.owner, SET, wrong).await, "BAD_USER_INPUT");
        let design = server.data(&school.editor, SET, set).await["design"].clone();
        assert_eq!(design, json!({"isOn": true, "basis": "GRADE", "validMonths": 12, "heading": "Certificate"}));
        let my = server.data(&school.learner, MY, course.clone()).await;
        assert_eq!((&my["state"], &my["minPercent"], &my["percent"]), (&json!("NOT_YET"), &json!(0), &Value::Null));
        server.data(&school.owner, COMPLETION, course.clone()).await;
        let my = server.data(&school.learner, MY, course.clone()).await;
        assert_eq!((&my["state"], &my["pagesLeft"], &my["name"]), (&json!("NOT_YET"), &json!(4), &json!("learner")));
        assert_eq!(server.refusal(&school.learner, &issue(), course.clone()).await, "CONFLICT");
        assert_eq!(server.refusal(&school.teacher, MY, course.clone()).await, "FORBIDDEN");
        sql!("UPDATE enrollments SET completed_at = $1", kurso.clock.now()).execute(&kurso.db).await.unwrap();
        assert_eq!(server.data(&school.learner, MY, course.clone()).await["state"], "AVAILABLE");
        let issued = server.data(&school.learner, &issue(), course.clone()).await["certificate"].clone();
        assert_eq!((&issued["state"], &issued["name"], &issued["isNameShown"]), (&json!("VALID"), &json!("learner"), &json!(true)));
        assert_eq!(server.data(&school.learner, &issue(), course.clone()).await["certificate"]["id"], issued["id"]);

        let id = json!({"id": issued["id"]});
        let badge = server.data(&school.learner, BADGE, id.clone()).await;
        assert_eq!(badge["jwt"].as_str().unwrap().split('.').count(), 3);
        for who in [&school.owner, &school.teacher, &school.stranger] {
            for query in [BADGE, PRIVACY, &reissue()] {
                assert_eq!(server.refusal(who, query, id.clone()).await, "NOT_FOUND");
            }
        }
        let page = server.data("", PUBLIC, id.clone()).await;
        assert_eq!((&page["name"], &page["state"], &page["courseTitle"]), (&json!("learner"), &json!("VALID"), &json!("Курс")));
        let hide = json!({"id": issued["id"], "name": false});
        server.data(&school.learner, PRIVACY, hide).await;
        let page = server.data("", PUBLIC, id.clone()).await;
        assert_eq!((&page["name"], &page["pdfUrl"]), (&Value::Null, &Value::Null));

        assert_eq!(server.refusal(&school.learner, &reissue(), id.clone()).await, "CONFLICT");
        sql!("UPDATE users SET full_name = 'Анна' WHERE email = 'learner@example.com'").execute(&kurso.db).await.unwrap();
        assert_eq!(server.data(&school.learner, MY, course.clone()).await["canReissue"], true);
        let new = server.data(&school.learner, &reissue(), id.clone()).await["certificate"].clone();
        assert_eq!((&new["name"], &new["awardedAt"], &new["isNameShown"]), (&json!("Анна"), &issued["awardedAt"], &json!(false)));
        assert_eq!(server.data("", PUBLIC, id).await["replacedBy"], new["id"]);

        let id = json!({"id": new["id"]});
        for (who, code) in [("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"), (&school.editor, "FORBIDDEN")] {
            for query in [REVOKE, RESTORE] {
                assert_eq!(server.refusal(who, query, id.clone()).await, code);
            }
        }
        let revoked = server.data(&school.teacher, REVOKE, id.clone()).await["certificate"].clone();
        assert_eq!(revoked["certificate"], json!({"state": "REVOKED", "revokeReason": "Списано"}));
        assert_eq!((&revoked["holder"]["email"], &revoked["revokedBy"]["fullName"]), (&json!("learner@example.com"), &json!("teacher")));
        assert_eq!(server.data(&school.learner, MY, course.clone()).await["state"], "REVOKED");
        let restored = server.data(&school.owner, RESTORE, id).await["certificate"].clone();
        assert_eq!((&restored["certificate"]["state"], &restored["revokedBy"]), (&json!("VALID"), &Value::Null));
        assert_eq!(server.data(&school.owner, REMOVE, course).await["design"]["logoUrl"], Value::Null);
    }

    async fn lists_are_for_the_holder_and_the_staff(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let set = json!({"id": school.course, "on": true});
        server.data(&school.owner, SET, set).await;
        server.data(&school.owner, COMPLETION, json!({"id": school.course})).await;
        sql!("UPDATE enrollments SET completed_at = $1", kurso.clock.now()).execute(&kurso.db).await.unwrap();
        let issued = server.data(&school.learner, &issue(), json!({"id": school.course})).await["certificate"].clone();
        let of_course = "query($id: ID!, $search: String) { courseCertificates(courseId: $id, search: $search, first: 5) { totalCount nodes {
            certificate { id } holder { id fullName email } } } }";
        for who in [&school.owner, &school.editor, &school.teacher, &school.admin] {
            let found = server.data(who, of_course, json!({"id": school.course, "search": "LEARNER"})).await;
            assert_eq!((&found["totalCount"], &found["nodes"][0]["certificate"]["id"]), (&json!(1), &issued["id"]));
        }
        assert_eq!(server.refusal(&school.learner, of_course, json!({"id": school.course})).await, "FORBIDDEN");
        assert_eq!(server.refusal(&school.stranger, of_course, json!({"id": school.course})).await, "NOT_FOUND");
        let own = format!("{{ myCertificates(first: 5) {{ totalCount nodes {{ {FIELDS} }} }} }}");
        assert_eq!(server.data(&school.learner, &own, json!({})).await["nodes"][0], issued);
        assert_eq!(server.data(&school.owner, &own, json!({})).await["totalCount"], 0);
        assert_eq!(server.refusal("", &own, json!({})).await, "UNAUTHENTICATED");
    }
}
