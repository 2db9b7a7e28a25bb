//! Suggested changes.

use kurso_base::values::{Checked as _, PageVersion};
use kurso_core::comments::SuggestionState::{self, Accepted, Outdated, Pending, Rejected};
use kurso_core::courses::page::versions;

use super::*;

fn version(number: i64) -> PageVersion {
    PageVersion::check(number).unwrap()
}

fn state(thread: &Thread) -> SuggestionState {
    thread.suggestion.as_ref().unwrap().state
}

impl World {
    async fn suggest(&self, by: &Viewer, block: usize, after: Value) -> Thread {
        let version = self.stored().await.version;
        let new = json!({"text": "Better:", "version": version, "block": block, "suggestion": after});
        self.start(by, new).await.unwrap()
    }

    async fn accept(&self, by: &Viewer, thread: &Thread, number: i64) -> Result<Thread, Error> {
        comments::accept(&self.kurso, by, thread.id, version(number)).await
    }
}

both! {
    async fn accepting_changes_the_draft_of_a_published_page(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let before = world.stored().await;
        let thread = world.suggest(&world.reviewer, 1, json!([paragraph("Better"), paragraph("More")])).await;
        assert_eq!(state(&thread), Pending);
        assert_eq!(thread.suggestion.as_ref().unwrap().before, [paragraph("Beta")]);
        for person in [&world.reviewer, &world.teacher] {
            for refused in [world.accept(person, &thread, before.version).await, comments::reject(&world.kurso, person, thread.id).await] {
                assert!(matches!(refused, Err(Error::Forbidden(Message::CourseForbidden))), "{refused:?}");
            }
        }
        let accepted = world.accept(&world.editor, &thread, before.version).await.unwrap();
        assert_eq!((state(&accepted), accepted.state()), (Accepted, ThreadState::Resolved));
        assert_eq!(accepted.suggestion.as_ref().unwrap().decided.as_ref().unwrap().by.as_ref().unwrap().id, world.editor.id());
        // Learners see nothing of it until it is published.
        assert_eq!(world.stored().await.content, before.content);
        let draft = draft::get(&world.kurso, &world.owner, world.page).await.unwrap();
        let text: Value = serde_json::from_str(&draft.content).unwrap();
        assert_eq!(text, document(&["Alpha", "Better", "More", "Gamma"]));
        assert_eq!(draft.summary.editor_id, Some(world.editor.id()));
        let history = versions::list(&world.kurso, &world.owner, world.page).await.unwrap().data;
        assert_eq!((history[0].version, history[0].editor_id), (draft.summary.version, Some(world.editor.id())));
        for again in [world.accept(&world.owner, &thread, draft.summary.version).await, comments::reject(&world.kurso, &world.owner, thread.id).await] {
            assert!(matches!(again, Err(Error::Conflict(Message::SuggestionDecided))), "{again:?}");
        }
        let audit = sql!("SELECT actor_id, page_id FROM audit WHERE kind = 'suggestion_accepted'");
        let audit = audit.fetch_all::<(uuid::Uuid, uuid::Uuid)>(&world.kurso.db).await.unwrap();
        assert_eq!(audit, [(world.editor.id().0, world.page.0)]);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn accepting_changes_an_unpublished_page_itself(kurso: TestKurso) {
        let world = World::new(kurso).await;
        page::update(&world.kurso, &world.owner, world.page, None, command(json!({"published": false}))).await.unwrap();
        let thread = world.suggest(&world.teacher, 0, json!([])).await;
        world.accept(&world.owner, &thread, world.stored().await.version).await.unwrap();
        let text: Value = serde_json::from_str(&world.stored().await.content).unwrap();
        assert_eq!(text, document(&["Beta", "Gamma"]));
    }

    async fn deleting_the_only_block_leaves_an_empty_page(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.write(&["One"], false).await;
        let thread = world.suggest(&world.reviewer, 0, json!([])).await;
        world.accept(&world.owner, &thread, world.stored().await.version).await.unwrap();
        let draft = draft::get(&world.kurso, &world.owner, world.page).await.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&draft.content).unwrap(), kurso_formats::content::empty());
    }

    async fn a_suggestion_for_a_block_that_has_changed_is_outdated(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let thread = world.suggest(&world.reviewer, 1, json!([paragraph("Better")])).await;
        // Changes elsewhere do not matter, but the version must be the one that was shown.
        let saved = world.write(&["Zero", "Alpha", "Beta", "Gamma"], true).await;
        assert_eq!(state(&world.thread(&world.teacher).await), Pending);
        let refused = world.accept(&world.owner, &thread, saved.version - 1).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::PageChanged))), "{refused:?}");
        let changed = world.write(&["Alpha", "Beta, changed", "Gamma"], true).await;
        for person in [&world.owner, &world.teacher] {
            assert_eq!(state(&world.thread(person).await), Outdated);
        }
        let refused = world.accept(&world.owner, &thread, changed.version).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::SuggestionOutdated))), "{refused:?}");
        assert_eq!(state(&world.thread(&world.owner).await), Outdated);
        let back = world.write(&["Beta", "Gamma", "Alpha"], true).await;
        let accepted = world.accept(&world.owner, &thread, back.version).await.unwrap();
        assert_eq!(state(&accepted), Accepted);
        let draft = draft::get(&world.kurso, &world.owner, world.page).await.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&draft.content).unwrap(), document(&["Better", "Gamma", "Alpha"]));
    }

    async fn an_outdated_suggestion_is_rejected(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let thread = world.suggest(&world.reviewer, 1, json!([paragraph("Better")])).await;
        world.write(&["Other"], false).await;
        let rejected = comments::reject(&world.kurso, &world.editor, thread.id).await.unwrap();
        assert_eq!((state(&rejected), rejected.state()), (Rejected, ThreadState::Resolved));
        let plain = world.start(&world.owner, json!({"text": "x"})).await.unwrap();
        let refused = comments::reject(&world.kurso, &world.editor, plain.id).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::NoSuggestion))), "{refused:?}");
    }

    async fn of_two_decisions_at_once_one_holds(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let version = world.stored().await.version;
        let thread = world.suggest(&world.reviewer, 1, json!([paragraph("Better")])).await;
        let (one, other) = tokio::join!(world.accept(&world.owner, &thread, version), world.accept(&world.editor, &thread, version));
        assert_eq!(usize::from(one.is_ok()) + usize::from(other.is_ok()), 1, "{one:?} {other:?}");
        let draft = draft::get(&world.kurso, &world.owner, world.page).await.unwrap();
        assert_eq!(serde_json::from_str::<Value>(&draft.content).unwrap(), document(&["Alpha", "Better", "Gamma"]));
    }

    async fn suggestions_fit_the_page(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let file = kurso.file(world.reviewer.id(), "a.png", "image/png", "png").await;
        let image = json!({"type": "image", "attrs": {"src": format!("/files/{}/a.png", file.key)}});
        let link = |page: String| json!([{"type": "paragraph", "content": [
            {"type": "text", "text": "x", "marks": [{"type": "link", "attrs": {"href": format!("page:{page}")}}]}]}]);
        let version = world.stored().await.version;
        let suggest = async |after: Value| world.start(&world.reviewer, json!({"text": "x", "version": version, "block": 1, "suggestion": after})).await;
        for (after, message) in [
            (json!([paragraph("Beta")]), Some(Message::SuggestionChangesNothing)),
            (json!([image]), Some(Message::SuggestionWithNewFile)),
            (link(uuid::Uuid::now_v7().to_string()), None),
        ] {
            let refused = suggest(after).await;
            let Err(Error::Invalid(errors)) = &refused else { panic!("{refused:?}") };
            if let Some(message) = message {
                assert_eq!(errors[0].message, message);
            }
        }
        assert!(suggest(link(world.other.to_string())).await.is_ok());
    }
}
