//! Removing a module's image. The tests of REST cover the upload.

use kurso_core::both;

use kurso_core::testing::TestKurso;
use kurso_db::sql;
use serde_json::{Value, json};

use crate::support::{School, Server};

const REMOVE: &str =
    "mutation($id: ID!) { removeModuleAvatar(input: {moduleId: $id}) { module { id title avatarUrl } } }";
const READ: &str = "query($id: ID!) { module(id: $id) { avatarUrl } }";

/// Stores an image for the module, as an upload over REST does.
async fn picture(kurso: &TestKurso, school: &School) {
    let file = kurso
        .file(school.owner_viewer.id(), "a.jpg", "image/jpeg", &b"a"[..])
        .await;
    sql!(
        "UPDATE modules SET avatar_file_id = $2 WHERE id = $1",
        school.modules[0],
        file.id
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    sql!("UPDATE courses SET structure_version = structure_version + 1")
        .execute(&kurso.db)
        .await
        .unwrap();
}

both! {
    async fn removing_a_module_image_answers_with_the_module(kurso: TestKurso) {
        let server = Server::start(&kurso).await;
        let school = School::open(&kurso).await;
        let id = json!({"id": school.modules[0]});
        picture(&kurso, &school).await;
        let shown = server.data(&school.learner, READ, id.clone()).await;
        assert!(shown["avatarUrl"].as_str().is_some_and(|url| url.starts_with("/files/")), "{shown}");
        for (who, code) in [("", "UNAUTHENTICATED"), (&school.stranger, "NOT_FOUND"), (&school.learner, "FORBIDDEN"),
            (&school.teacher, "FORBIDDEN"), (&school.admin, "FORBIDDEN")] {
            assert_eq!(server.refusal(who, REMOVE, id.clone()).await, code);
        }
        assert_eq!(server.refusal("", REMOVE, json!({"id": "x"})).await, "UNAUTHENTICATED");
        assert_eq!(server.bad_fields(&school.editor, REMOVE, json!({"id": "x"})).await, ["moduleId uuid_parsing"]);
        assert_eq!(server.data(&school.learner, READ, id.clone()).await, shown, "nobody of these took it");
        for _ in 0..2 {
            let removed = server.data(&school.editor, REMOVE, id.clone()).await;
            assert_eq!(removed["module"], json!({"id": school.modules[0], "title": "Модуль 1", "avatarUrl": null}));
        }
        assert_eq!(server.data(&school.learner, READ, id.clone()).await["avatarUrl"], Value::Null);
        assert_eq!(server.refusal(&school.owner, REMOVE, json!({"id": school.course})).await, "NOT_FOUND");
    }
}
