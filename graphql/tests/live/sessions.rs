//! A socket is open as long as the session it was opened with.

use chrono::Duration;
use kurso_core::messages::Lang;
use kurso_core::users::{self, Changes};
use kurso_core::{auth, both, learning};
use serde_json::json;

use crate::activity::ACTIVITY;
use crate::support::{School, Server, hasty, token};

both! {
    async fn signing_out_ends_the_socket_of_that_session_only(kurso: TestKurso) {
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

    async fn an_account_that_is_deactivated_or_deleted_hears_nothing_more(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let admin = kurso.superuser("admin").await;
        let server = Server::start(kurso.kurso.clone()).await;
        let mut teacher = server.connect(&token(&kurso, &school.teacher).await).await;
        let mut editor = server.connect(&token(&kurso, &school.editor).await).await;
        teacher.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        let off = Changes { is_active: Some(false), ..Changes::default() };
        users::update(&kurso, &admin, Lang::En, school.teacher.id(), off).await.unwrap();
        assert_eq!(teacher.end().await.0, 4403);
        users::delete(&kurso, &admin, school.editor.id()).await.unwrap();
        assert_eq!(editor.end().await.0, 4403);
    }

    async fn a_rank_that_is_taken_away_ends_what_it_allowed(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let (admin, second) = (kurso.superuser("admin").await, kurso.superuser("second").await);
        let server = Server::start(kurso.kurso.clone()).await;
        let mut socket = server.connect(&token(&kurso, &second).await).await;
        socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        let less = Changes { is_superuser: Some(false), ..Changes::default() };
        users::update(&kurso, &admin, Lang::En, second.id(), less).await.unwrap();
        assert_eq!(socket.end().await.0, 1013, "to begin anew with what one may");
    }

    async fn a_token_that_ends_ends_the_socket(kurso: TestKurso) {
        let school = School::open(&kurso).await;
        let server = Server::with(kurso.kurso.clone(), hasty()).await;
        let mut socket = server.connect(&token(&kurso, &school.teacher).await).await;
        socket.watch(&kurso, ACTIVITY, json!({"id": school.course})).await;
        kurso.clock.advance(Duration::days(8));
        assert_eq!(socket.end().await.0, 4403);
    }

    async fn an_event_after_the_end_of_a_token_is_seen_by_nobody(kurso: TestKurso) {
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
