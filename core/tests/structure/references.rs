//! Files and pages that the content of a page refers to.

use kurso_base::error::Error;
use kurso_base::ids::PageId;
use kurso_base::random;
use kurso_core::both;
use kurso_core::courses::page::{self, UpdateError};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::testing::command;
use serde_json::{Value, json};

use super::{count, relate, view, wrong};

fn showing(src: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "image", "attrs": {"src": src}}]})
}

fn linking(href: &str) -> Value {
    let link = json!({"type": "link", "attrs": {"href": href}});
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "x", "marks": [link]}]}]})
}

both! {
    async fn a_page_shows_only_files_that_its_author_may_use(kurso: TestKurso) {
        let [owner, editor, other] = [kurso.person("owner").await, kurso.person("editor").await, kurso.person("other").await];
        let id = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        relate(&kurso, id, &editor, "editor").await;
        let tree = view(&kurso, &owner, id).await;
        let (lesson, p, q) = (tree.lesson(0).id, tree.page(0).id, tree.page(1).id);
        let mine = kurso.file(owner.id(), "a.png", "image/png", &b"a"[..]).await;
        let theirs = kurso.file(other.id(), "a.png", "image/png", &b"a"[..]).await;
        let missing = format!("/files/{}/a.png", random::key());
        for src in [&missing, &theirs.url()] {
            let body = json!({"content": showing(src)});
            for refused in [
                page::update(&kurso, &owner, p, None, command(&body)).await,
                page::create(&kurso, &owner, lesson, command(&body)).await.map_err(UpdateError::from),
            ] {
                assert_eq!(wrong(refused), [("value_error", r#"["body","content","content",0,"attrs","src"]"#.into())]);
            }
        }
        page::update(&kurso, &owner, p, None, command(json!({"content": showing(&mine.url())}))).await.unwrap();
        // The editor may show the file in the course that already shows it, and in a course of their own.
        page::update(&kurso, &editor, q, None, command(json!({"content": showing(&mine.url())}))).await.unwrap();
        let own = kurso.course(&editor, &[&[&[Content]]]).await;
        let own = view(&kurso, &editor, own).await.page(0).id;
        page::update(&kurso, &editor, own, None, command(json!({"content": showing(&mine.url())}))).await.unwrap();
        let refused = page::update(&kurso, &other, own, None, command(json!({"content": showing(&mine.url())}))).await;
        assert!(matches!(refused, Err(UpdateError::Refused(Error::NotFound(_)))));
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM page_files").await, 3);
        page::create(&kurso, &owner, lesson, command(json!({"content": showing(&mine.url())}))).await.unwrap();
        assert_eq!(count(&kurso, "SELECT COUNT(*) FROM page_files").await, 4);
    }

    async fn a_page_links_to_pages_of_its_course(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let id = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let other = kurso.course(&owner, &[&[&[Content]]]).await;
        let foreign = view(&kurso, &owner, other).await.page(0).id;
        let tree = view(&kurso, &owner, id).await;
        let (p, q) = (tree.page(0).id, tree.page(1).id);
        let body = |to: PageId| json!({"content": linking(&format!("page:{to}#начало"))});
        let there = json!(["body", "content", "content", 0, "content", 0, "marks", 0, "attrs", "href"]).to_string();
        for to in [foreign, PageId::new()] {
            let refused = page::update(&kurso, &owner, p, None, command(body(to))).await;
            assert_eq!(wrong(refused), [("value_error", there.clone())]);
        }
        page::update(&kurso, &owner, p, None, command(body(q))).await.unwrap();
        page::delete(&kurso, &owner, q).await.unwrap();
        // A dead link may stay on its page, but cannot be added to another one.
        let mut changed = body(q);
        changed["content"]["content"].as_array_mut().unwrap().push(json!({"type": "paragraph"}));
        page::update(&kurso, &owner, p, None, command(&changed)).await.unwrap();
        let lesson = tree.lesson(0).id;
        assert_eq!(wrong(page::create(&kurso, &owner, lesson, command(body(q))).await), [("value_error", there)]);
    }
}
