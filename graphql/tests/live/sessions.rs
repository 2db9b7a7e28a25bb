//! A socket lives no longer than its session.

use chrono::Duration;
use kurso_base::messages::Lang;
use kurso_core::users::{self, UpdateUser};
use kurso_core::{auth, both, learning};
use serde_json::json;

use crate::activity::ACTIVITY;
use crate::support::{School, Server, short_timeouts, token};

both! {
    async fn signing_out_closes_the_sockets_of_that_session_only(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let (one, two) = (token(&kurso, &school.teacher).await, token(&kurso, &school.teacher).await);
        let (mut ends, mut stays) = (server.connect(&one).await, server.connect(&two).await);
        ends.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        let id = stays.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        let viewer = auth::authenticate(&kurso, &one).await.unwrap();
        auth::logout(&kurso, &viewer).await.unwrap();
        assert_eq!(ends.end().await.0, 4403);
        school.enroll(&kurso, &school.learner).await;
        assert_eq!(stays.next(&id).await["__typename"], "StudentEnrolled");
    }

    async fn deactivating_or_deleting_an_account_closes_its_sockets(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let admin = kurso.superuser("admin").await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut teacher = server.connect(&token(&kurso, &school.teacher).await).await;
        let mut editor = server.connect(&token(&kurso, &school.editor).await).await;
        teacher.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        let off = UpdateUser { is_active: Some(false), ..UpdateUser::default() };
        users::update(&kurso, &admin, Lang::En, school.teacher.id(), off).await.unwrap();
        assert_eq!(teacher.end().await.0, 4403);
        users::delete(&kurso, &admin, school.editor.id()).await.unwrap();
        assert_eq!(editor.end().await.0, 4403);
    }

    async fn losing_superuser_rights_closes_the_socket(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let (admin, second) = (kurso.superuser("admin").await, kurso.superuser("second").await);
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &second).await).await;
        socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        let less = UpdateUser { is_superuser: Some(false), ..UpdateUser::default() };
        users::update(&kurso, &admin, Lang::En, second.id(), less).await.unwrap();
        assert_eq!(socket.end().await.0, 1013, "to begin anew with what one may");
    }

    async fn an_expired_token_closes_the_socket(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::with(kurso.kurso.clone(), short_timeouts()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        kurso.clock.advance(Duration::days(8));
        assert_eq!(socket.end().await.0, 4403);
    }

    async fn no_event_is_sent_after_the_token_expires(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        school.enroll(&kurso, &school.learner).await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        kurso.clock.advance(Duration::days(8));
        learning::mark_page_visited(&kurso, &school.learner, school.pages[0]).await.unwrap();
        assert_eq!(socket.end().await.0, 4403, "in place of the event");
    }
}
