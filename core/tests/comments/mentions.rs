//! Mentions and their mails.

use chrono::Duration;
use kurso_core::notice_mails::digest;

use super::*;

fn naming(people: &[&Viewer]) -> String {
    let named = people
        .iter()
        .map(|one| format!("@[{}](user:{})", one.user.shown_name(), one.id()));
    named.collect::<Vec<_>>().join(" ")
}

/// The recipients of all mails except the first ones, once the mails of mentions are due.
async fn mailed(kurso: &TestKurso, earlier: usize) -> Vec<String> {
    kurso.clock.advance(Duration::minutes(2));
    digest::queue_due(kurso).await.unwrap();
    let mails = kurso.mails().await;
    let mut to: Vec<_> = mails[earlier..].iter().map(|mail| mail.to.clone()).collect();
    to.sort();
    to
}

both! {
    async fn those_who_may_comment_are_mailed_once(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let stranger = kurso.person("stranger").await;
        let text = format!("{} and {0}, see?", naming(&[&world.owner, &world.teacher, &world.reviewer, &stranger]));
        let thread = world.start(&world.reviewer, json!({"text": text})).await.unwrap();
        let mut mentioned: Vec<_> = thread.comments[0].mentions.iter().map(|one| one.full_name.clone().unwrap()).collect();
        mentioned.sort();
        assert_eq!(mentioned, ["owner", "reviewer", "teacher"]);
        assert_eq!(mailed(kurso, 0).await, ["owner@example.com", "teacher@example.com"]);
        let mail = kurso.mails().await.into_iter().find(|mail| mail.to == "owner@example.com").unwrap();
        let link = format!("/edit-page/{}?thread={}", world.page, thread.id);
        assert!(mail.text.contains(&link) && mail.html.contains(&link), "{}", mail.text);
        assert!(mail.text.contains("@owner @teacher @reviewer @stranger"), "{}", mail.text);

        // A change of the text mails only those whom it did not mention before.
        let comment = thread.comments[0].id;
        let text = naming(&[&world.editor, &world.owner]);
        let changed = comments::edit(kurso, &world.reviewer, comment, command(json!(text))).await.unwrap();
        assert_eq!(changed.comments[0].mentions.len(), 2);
        assert_eq!(mailed(kurso, 2).await, ["editor@example.com"]);
    }

    async fn nobody_is_mailed_about_what_they_may_not_read_any_more(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let thread = world.start(&world.owner, json!({"text": naming(&[&world.teacher, &world.editor])})).await.unwrap();
        kurso_core::courses::team::leave(kurso, &world.teacher, world.course).await.unwrap();
        assert_eq!(mailed(kurso, 0).await, ["editor@example.com"]);
        world.start(&world.owner, json!({"text": naming(&[&world.editor, &world.reviewer])})).await.unwrap();
        let second = world.threads(&world.owner).await.remove(1);
        comments::delete(kurso, &world.owner, second.comments[0].id).await.unwrap();
        assert_eq!(mailed(kurso, 1).await, Vec::<String>::new());
        assert_eq!(world.thread(&world.owner).await.id, thread.id);
    }
}
