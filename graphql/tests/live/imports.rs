//! The subscription to the progress of an import.

use kurso_core::imports;
use kurso_core::testing::import_plan;
use kurso_core::{both, jobs};
use serde_json::json;

use crate::support::{Server, token};

const PROGRESS: &str = "subscription($id: ID!) { importProgress(jobId: $id) { state stage failure } }";

both! {
    async fn import_progress_is_sent_until_the_end(kurso: TestKurso) {
        let (ann, bob) = (kurso.person("ann").await, kurso.person("bob").await);
        let file = kurso.file(ann.id(), "a.gift", "text/plain", &b"1+1? {=2 ~3}"[..]).await;
        let plan = import_plan(&[]);
        let import = imports::of_file(&kurso, &ann, file.id, plan).await.unwrap();

        let server = Server::start(kurso.kurso.clone()).await;
        let mut stranger = server.connect(&token(&kurso, &bob).await).await;
        let refused = stranger.subscribe(PROGRESS, json!({"id": import.id})).await;
        assert_eq!(stranger.refusal(&refused).await.0, "NOT_FOUND");

        let mut socket = server.connect(&token(&kurso, &ann).await).await;
        let id = socket.watch(&kurso, PROGRESS, json!({"id": import.id})).await;
        assert_eq!(socket.next(&id).await, json!({"state": "WAITING", "stage": "READING", "failure": null}));
        let (stop, stopping) = tokio::sync::watch::channel(false);
        let work = tokio::spawn(jobs::work(kurso.kurso.clone(), stopping));
        while socket.next(&id).await["state"] != "READY" {}
        imports::cancel(&kurso, &ann, import.id).await.unwrap();
        while socket.next(&id).await["state"] != "CANCELLED" {}
        assert_eq!(socket.hear().await, json!({"id": id, "type": "complete"}), "nothing more will become of it");
        stop.send(true).unwrap();
        work.await.unwrap();
    }
}
