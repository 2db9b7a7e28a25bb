//! The migration that adds the kind of assignments.

use kurso_core::testing::Backend;
use kurso_db::{Version, sql};

use super::*;

/// A database at the version before, with a course whose page has a child in each table that a rebuilt table would take with it.
async fn migrated(backend: Backend) {
    let kurso = TestKurso::empty(backend).await;
    let db = &kurso.db;
    db.migrate_to(26).await.unwrap();
    assert_eq!(db.version().await.unwrap(), Version::Older(26));
    let (user, course, module, lesson) = (Uuid::now_v7(), Uuid::now_v7(), Uuid::now_v7(), Uuid::now_v7());
    let now = kurso.clock.now();
    sql!("INSERT INTO users (id, email, email_key, password_hash, is_active, is_superuser, created_at) VALUES ($1, 'a@b.c', 'a@b.c', '', TRUE, FALSE, $2)", user, now)
        .execute(db).await.unwrap();
    sql!("INSERT INTO courses (id, owner_id, title, structure_version, created_at, updated_at) VALUES ($1, $2, 'C', 1, $3, $3)", course, user, now)
        .execute(db).await.unwrap();
    sql!(
        "INSERT INTO modules (id, course_id, title, position, created_at, updated_at) VALUES ($1, $2, 'M', 0, $3, $3)",
        module,
        course,
        now
    )
    .execute(db)
    .await
    .unwrap();
    sql!("INSERT INTO lessons (id, module_id, course_id, title, position, created_at, updated_at) VALUES ($1, $2, $3, 'L', 0, $4, $4)", lesson, module, course, now)
        .execute(db).await.unwrap();
    let pages = [(Uuid::now_v7(), "content"), (Uuid::now_v7(), "quiz")];
    for (position, (page, kind)) in (0_i64..).zip(pages) {
        sql!("INSERT INTO pages (id, lesson_id, course_id, kind, position, published, version, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, TRUE, 1, $6, $6)",
            page, lesson, course, kind, position, now).execute(db).await.unwrap();
        sql!("INSERT INTO page_contents (page_id, content) VALUES ($1, '{}')", page)
            .execute(db)
            .await
            .unwrap();
    }
    let enrollment = Uuid::now_v7();
    sql!(
        "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES ($1, $2, $3, $4, $4)",
        enrollment,
        course,
        user,
        now
    )
    .execute(db)
    .await
    .unwrap();
    sql!(
        "INSERT INTO visits (enrollment_id, page_id, visited_at) VALUES ($1, $2, $3)",
        enrollment,
        pages[0].0,
        now
    )
    .execute(db)
    .await
    .unwrap();
    sql!(
        "INSERT INTO taken_quizzes (page_id, version, quiz) VALUES ($1, 1, '{}')",
        pages[1].0
    )
    .execute(db)
    .await
    .unwrap();

    db.migrate().await.unwrap();
    let found = sql!("SELECT id, kind FROM pages ORDER BY position")
        .fetch_all::<(Uuid, String)>(db)
        .await
        .unwrap();
    assert_eq!(
        found,
        pages.map(|(id, kind)| (id, kind.to_owned())),
        "rows and kinds are kept"
    );
    let children = sql!(
        "SELECT (SELECT COUNT(*) FROM page_contents), (SELECT COUNT(*) FROM visits), (SELECT COUNT(*) FROM taken_quizzes)"
    );
    assert_eq!(
        children.fetch_one::<(i64, i64, i64)>(db).await.unwrap(),
        (2, 1, 1),
        "what refers to them is kept"
    );
    let change = |kind: &'static str| sql!("UPDATE pages SET kind = $1 WHERE id = $2", kind, pages[1].0);
    assert_eq!(change("assignment").execute(db).await.unwrap(), 1);
    assert!(change("poem").execute(db).await.is_err(), "the check is there");
}

#[tokio::test]
async fn pages_and_their_children_survive_the_migration_on_sqlite() {
    migrated(Backend::Sqlite).await;
}

#[tokio::test]
async fn pages_and_their_children_survive_the_migration_on_postgres() {
    migrated(Backend::Postgres).await;
}
