//! Rights are checked when notices are read: losing access hides notices, and regaining it shows them again.

use chrono::Duration;
use kurso_core::both;
use kurso_core::courses::{self, page, team};
use kurso_core::learning::enroll;
use kurso_core::testing::command;
use kurso_core::trash;
use kurso_core::users;
use kurso_core::{auth::Origin, students};
use serde_json::json;

use super::*;
use crate::assessments::{class, questions};

both! {
    async fn leaving_a_course_hides_its_notices_until_the_return(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, enrollment) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        class.assess(&kurso, attempt.id, 0, 3.0).await.unwrap();
        assert_eq!(kinds(&kurso, &anna).await, ["graded"]);
        team::leave(&kurso, &anna, class.course).await.unwrap();
        assert_eq!(kinds(&kurso, &anna).await, [] as [&str; 0]);
        enroll(&kurso, &anna, &Origin::default(), &class.code).await.unwrap();
        assert_eq!(kinds(&kurso, &anna).await, ["graded"]);
        students::remove(&kurso, &class.owner, enrollment).await.unwrap();
        assert_eq!(kinds(&kurso, &anna).await, [] as [&str; 0]);
    }

    async fn a_page_that_is_hidden_or_locked_hides_its_notices(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        class.assess(&kurso, attempt.id, 0, 3.0).await.unwrap();
        let later = kurso.clock.now() + Duration::days(1);
        for (hidden, shown) in [
            (json!({"published": false}), json!({"published": true})),
            (json!({"available_from": later}), json!({"available_from": null})),
        ] {
            page::update(&kurso, &class.owner, class.page, None, command(hidden)).await.unwrap();
            assert_eq!(kinds(&kurso, &anna).await, [] as [&str; 0]);
            page::update(&kurso, &class.owner, class.page, None, command(shown)).await.unwrap();
            assert_eq!(kinds(&kurso, &anna).await, ["graded"]);
        }
    }

    async fn notices_go_to_the_trash_with_their_page_and_return(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        class.assess(&kurso, attempt.id, 0, 3.0).await.unwrap();
        page::delete(&kurso, &class.owner, class.page).await.unwrap();
        assert_eq!((kinds(&kurso, &anna).await.len(), stored(&kurso).await), (0, 0));
        let entry = trash::of_course(&kurso, &class.owner, class.course).await.unwrap().remove(0).id;
        trash::restore(&kurso, &class.owner, entry, command(json!({}))).await.unwrap();
        assert_eq!(kinds(&kurso, &anna).await, ["graded"]);
        courses::course::delete(&kurso, &class.owner, class.course).await.unwrap();
        assert_eq!((kinds(&kurso, &anna).await.len(), stored(&kurso).await), (0, 0));
        assert_consistent(&kurso).await;
    }

    async fn notices_lose_the_names_of_deleted_accounts_and_go_with_their_person(kurso: TestKurso) {
        let class = class(&kurso, &questions("at_once")).await;
        let (anna, _) = class.learner(&kurso, "anna").await;
        let attempt = class.submit(&kurso, &anna, "One").await;
        class.assess(&kurso, attempt.id, 0, 3.0).await.unwrap();
        users::delete_me(&kurso, &class.teacher).await.unwrap();
        let told = notices(&kurso, &anna).await;
        assert_eq!((told.len(), &told[0].actor), (1, &None));
        users::delete_me(&kurso, &anna).await.unwrap();
        assert_eq!(stored(&kurso).await, 0);
        assert_consistent(&kurso).await;
    }
}
