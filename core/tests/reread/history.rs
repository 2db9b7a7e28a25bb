//! The history keeps what learners have read, or says that it does not.

use super::*;

both! {
    async fn a_text_that_was_read_is_not_replaced_by_the_next_save(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.write("b", None).await;
        let save = async |text: &str| {
            let body = json!({"title": text, "content": document(text)});
            w.try_save(w.page, Some("tab"), body).await.unwrap();
        };
        save("c").await;
        save("d").await;
        let entries = sql!("SELECT version FROM page_versions WHERE page_id = $1 ORDER BY version", w.page);
        let entries = entries.fetch_all::<(i64,)>(&w.kurso.db).await.unwrap();
        assert_eq!(entries, [(1,), (2,), (4,)], "nobody had read the third when the fourth replaced it");
        w.visit(&w.anna, None).await;
        save("e").await;
        assert_eq!(w.before(&w.anna).await, Some((4, "d".to_owned())));
    }

    async fn many_drafts_do_not_push_out_what_was_read(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        for number in 0..60 {
            w.write_draft(&format!("draft {number}")).await;
        }
        w.publish(w.page, Importance::Important).await;
        assert_eq!(w.before(&w.anna).await, Some((1, "a".to_owned())));
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn a_text_that_is_long_gone_still_differs(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        w.write("important", Some(Importance::Important)).await;
        for number in 0..60 {
            w.write(&format!("text {number}"), None).await;
        }
        let change = w.change(&w.anna).await.unwrap();
        assert_eq!((change.before, change.importance), (None, Importance::Important));
        assert_eq!(change.version, 62);
        assert!(reading::contents(&w.kurso, &[(w.page, 1)]).await.unwrap().is_empty());
    }

    async fn the_documents_of_drafts_are_never_read(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let draft = w.write_draft("secret").await;
        let read = reading::contents(&w.kurso, &[(w.page, draft), (w.page, 1)]).await.unwrap();
        assert_eq!(read.keys().copied().collect::<Vec<_>>(), [(w.page, 1)]);
    }
}
