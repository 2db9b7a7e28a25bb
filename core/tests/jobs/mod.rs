//! Background jobs on both databases, with imports as the example.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod claims;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use kurso_base::error::Error;
use kurso_base::messages::{Lang, Message};
use kurso_base::pagination::Page;
use kurso_core::access::Viewer;
use kurso_core::audit::{self, Act, Filter};
use kurso_core::auth::{Origin, recovery};
use kurso_core::files::upload::{Sink as _, Upload};
use kurso_core::imports::{self, Confirmed, Import, ImportUpload, ImportWatch, Target};
use kurso_core::jobs::{self, LeaseState, Outcome, Progress, State};
use kurso_core::mail::queue;
use kurso_core::testing::{TestKurso, begin_import, import_plan, import_when, settled_import};
use kurso_core::{Kurso, both, exports, mailer};
use kurso_db::sql;
use tokio::sync::watch;

const GIFT: &str = "$CATEGORY: Арифметика\n\n::Сумма:: Сколько будет 2 + 2? {=4 ~5}\n\n::Доли:: Что из этого верно? {~%70%это ~%50%то ~иное}\n";

async fn begin(kurso: &Arc<Kurso>, who: &Viewer, text: &str, fields: &[(&str, &str)]) -> Import {
    begin_import(kurso, who, "Вопросы.gift", text.to_owned(), fields).await
}

/// A node that runs jobs until it is stopped or dropped.
struct Node {
    stop: watch::Sender<bool>,
    work: tokio::task::JoinHandle<()>,
}

impl Node {
    fn start(kurso: Arc<Kurso>) -> Self {
        let (stop, stopping) = watch::channel(false);
        let work = tokio::spawn(jobs::work(kurso, stopping));
        Node { stop, work }
    }

    async fn stop(self) {
        self.stop.send(true).unwrap();
        tokio::time::timeout(Duration::from_secs(30), self.work)
            .await
            .unwrap()
            .unwrap();
    }
}

async fn courses(kurso: &TestKurso) -> i64 {
    let counted = sql!("SELECT COUNT(*) FROM courses").fetch_one::<(i64,)>(&kurso.db);
    counted.await.unwrap().0
}

async fn files(kurso: &TestKurso) -> i64 {
    let counted = sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&kurso.db);
    counted.await.unwrap().0
}

/// Asserts that `/metrics` contains these lines.
fn assert_metrics(kurso: &TestKurso, lines: &[&str]) {
    let text = kurso.metrics.text(&kurso.db);
    for line in lines {
        assert!(text.contains(line), "{line}: {text}");
    }
}

both! {
    async fn a_file_is_previewed_and_stored_after_confirmation(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let bob = kurso.person("bob").await;
        let node = Node::start(kurso.kurso.clone());
        let begun = begin(&kurso.kurso, &ann, GIFT, &[]).await;
        let ready = settled_import(&kurso, &ann, begun.id).await;
        assert_eq!((ready.state, ready.failure.is_none(), courses(&kurso).await), (State::Ready, true, 0));
        let found = ready.found.unwrap();
        assert_eq!((found.counts.questions, found.outcomes.changed), (2, 1), "{found:?}");

        let preview = imports::preview(&kurso, &ann, begun.id).await.unwrap();
        assert_eq!(preview.tree.modules.len(), found.counts.modules);
        let lines = preview.lines(Some(kurso_formats::Outcome::Changed), Page::default());
        assert_eq!(lines.count, 1);
        assert_eq!(lines.data[0].texts(Lang::Ru).0, "доли баллов за отдельные ответы");
        assert_eq!(preview.lines(Some(kurso_formats::Outcome::NotCarried), Page::default()).count, 1, "titles of questions");
        assert_eq!(preview.lines(None, Page::default()).count, 2);

        for call in [imports::get(&kurso, &bob, begun.id).await, imports::cancel(&kurso, &bob, begun.id).await,
            imports::confirm(&kurso, &bob, begun.id, Confirmed::default()).await] {
            assert!(matches!(call, Err(Error::NotFound(Message::ImportNotFound))));
        }
        imports::confirm(&kurso, &ann, begun.id, Confirmed { into: Some(Target::New), ..Confirmed::default() }).await.unwrap();
        let done = import_when(&kurso, &ann, begun.id, |import| import.state.is_final()).await;
        assert_eq!((done.state, courses(&kurso).await), (State::Done, 1));
        let view = kurso_core::courses::find(&kurso.db, &ann, done.course_id.unwrap(), kurso_core::access::Right::Edit);
        assert_eq!(view.await.unwrap().title, found.title);
        node.stop().await;
        assert_eq!(files(&kurso).await, 0, "the uploaded file is deleted");
        let again = imports::confirm(&kurso, &ann, begun.id, Confirmed::default()).await;
        assert!(matches!(again, Err(Error::Conflict(Message::ImportNotReady))));
        assert!(matches!(imports::cancel(&kurso, &ann, begun.id).await, Err(Error::Conflict(Message::ImportEnded))));
    }

    async fn a_draft_is_unpublished_and_not_shared(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let node = Node::start(kurso.kurso.clone());
        let published = async |course| {
            let count = sql!("SELECT COUNT(*), COALESCE(SUM(CASE WHEN published THEN 1 ELSE 0 END), 0) FROM pages WHERE course_id = $1", course);
            count.fetch_one::<(i64, i64)>(&kurso.db).await.unwrap()
        };
        let right = kurso_core::access::Right::Edit;
        let asked = begin(&kurso.kurso, &ann, GIFT, &[("preview", "false"), ("draft", "true")]).await;
        let done = import_when(&kurso, &ann, asked.id, |import| import.state.is_final()).await;
        let course = done.course_id.unwrap();
        assert_eq!(published(course).await, (1, 0));
        let view = kurso_core::courses::find(&kurso.db, &ann, course, right).await.unwrap();
        assert_eq!(view.share_code, None);

        // Confirmed as a draft at the end of a course; asked for as a draft but confirmed as published.
        for (fields, into, draft, expected) in [
            (vec![], Target::Append(course), Some(true), (2, 0)),
            (vec![("draft", "true")], Target::Append(course), Some(false), (3, 1)),
        ] {
            let begun = begin(&kurso.kurso, &ann, GIFT, &fields).await;
            settled_import(&kurso, &ann, begun.id).await;
            imports::confirm(&kurso, &ann, begun.id, Confirmed { into: Some(into), draft, ..Confirmed::default() }).await.unwrap();
            import_when(&kurso, &ann, begun.id, |import| import.state.is_final()).await;
            assert_eq!(published(course).await, expected);
        }
        let plain = begin(&kurso.kurso, &ann, GIFT, &[("preview", "false")]).await;
        let done = import_when(&kurso, &ann, plain.id, |import| import.state.is_final()).await;
        let view = kurso_core::courses::find(&kurso.db, &ann, done.course_id.unwrap(), right).await.unwrap();
        assert_eq!((published(done.course_id.unwrap()).await, view.share_code.is_some()), ((1, 1), true));
        node.stop().await;
    }

    async fn imports_are_recorded_in_the_audit_log(kurso: TestKurso) {
        let (root, ann) = (kurso.superuser("root").await, kurso.person("ann").await);
        let node = Node::start(kurso.kurso.clone());
        let begun = begin(&kurso.kurso, &ann, GIFT, &[("preview", "false")]).await;
        let done = settled_import(&kurso, &ann, begun.id).await;
        assert_eq!(done.state, State::Done, "{done:?}");
        let log = audit::list(&kurso, &root, &Filter::default(), Page::default()).await.unwrap();
        let found = log.data.iter().find(|written| written.act == Act::CourseImported).unwrap();
        assert_eq!(found.actor.as_ref().map(|named| named.id), Some(ann.id()), "{found:?}");
        assert_eq!(found.course.as_ref().map(|named| named.id), done.course_id, "{found:?}");
        node.stop().await;
    }

    async fn metrics_report_the_state_of_the_queues(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let begun = [begin(&kurso.kurso, &ann, GIFT, &[]).await, begin(&kurso.kurso, &ann, GIFT, &[]).await];
        kurso.clock.advance(chrono::Duration::seconds(90));
        recovery::request(&kurso, &Origin::default(), Lang::En, "ann@example.com").await.unwrap();
        kurso.clock.advance(chrono::Duration::seconds(5));
        let queues = jobs::metrics::queues(&kurso).await.unwrap();
        assert_eq!((queues.imports.waiting, queues.imports.running, queues.imports.oldest), (2, 0, 95));
        assert_eq!((queues.mails.waiting, queues.mails.running, queues.mails.oldest), (1, 0, 5));
        assert_metrics(&kurso, &[
            "kurso_jobs{kind=\"import\",state=\"waiting\"} 2",
            "kurso_jobs_oldest_seconds{kind=\"import\"} 95",
            "kurso_jobs{kind=\"mail\",state=\"waiting\"} 1",
            "kurso_jobs_oldest_seconds{kind=\"mail\"} 5",
        ]);
        // A node claims both and works on them.
        let import = jobs::claim_next(&kurso).await.unwrap().unwrap();
        let mail = queue::claim_next(&kurso).await.unwrap().unwrap();
        let queues = jobs::metrics::queues(&kurso).await.unwrap();
        assert_eq!((queues.imports.waiting, queues.imports.running), (1, 1));
        assert_eq!((queues.mails.waiting, queues.mails.running), (0, 1));
        import.finish(&kurso, Outcome::Released).await.unwrap();
        drop(mail);
        kurso.clock.advance(queue::LEASE);

        let node = Node::start(kurso.kurso.clone());
        for import in &begun {
            settled_import(&kurso, &ann, import.id).await;
        }
        node.stop().await;
        mailer::send_due(&kurso).await.unwrap();
        let queues = jobs::metrics::queues(&kurso).await.unwrap();
        assert_eq!((queues.imports.waiting, queues.imports.oldest), (0, 0));
        assert_eq!(queues.mails, jobs::metrics::Queue::default());
        assert_metrics(&kurso, &[
            "kurso_jobs{kind=\"import\",state=\"ready\"} 2",
            "kurso_jobs{kind=\"import\",state=\"waiting\"} 0",
            "kurso_job_duration_seconds_count{kind=\"import\",outcome=\"ready\"} 2",
            "kurso_job_duration_seconds_count{kind=\"mail\",outcome=\"done\"} 1",
            "kurso_mails_sent_total 1",
        ]);
    }

    async fn a_direct_import_appends_after_the_last_module(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let node = Node::start(kurso.kurso.clone());
        let begun = begin(&kurso.kurso, &ann, GIFT, &[("preview", "false")]).await;
        let course = settled_import(&kurso, &ann, begun.id).await.course_id.unwrap();
        let id = course.to_string();
        let more = begin(&kurso.kurso, &ann, GIFT, &[("course_id", &id), ("preview", "false")]).await;
        let done = settled_import(&kurso, &ann, more.id).await;
        assert_eq!((done.state, done.course_id, courses(&kurso).await), (State::Done, Some(course), 1), "{done:?}");
        let positions = sql!("SELECT position FROM modules WHERE course_id = $1 ORDER BY position", course);
        let positions: Vec<(i64,)> = positions.fetch_all(&kurso.db).await.unwrap();
        assert_eq!(positions, [(0,), (1,)]);
        // The preview was read under an older structure version.
        let view = kurso_core::learning::view::CourseView::load(&kurso, &ann, course, kurso_core::access::Right::Edit);
        assert_eq!(view.await.unwrap().tree.modules.len(), 2);
        node.stop().await;

        let bob = kurso.person("bob").await;
        let mut upload = ImportUpload::begin(&kurso.kurso, &bob, None).await.unwrap();
        let refused = upload.field("course_id", &id).await;
        assert!(matches!(refused, Err(Error::NotFound(Message::CourseNotFound))), "before the file is sent");
    }

    async fn an_invalid_file_fails_without_naming_server_paths(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let node = Node::start(kurso.kurso.clone());
        let cut = &b"PK\x03\x04 and no more"[..];
        let begun = begin_import(&kurso.kurso, &ann, "course.zip", cut, &[]).await;
        let failed = settled_import(&kurso, &ann, begun.id).await;
        let why = failed.failure.unwrap().text(Lang::En);
        assert_eq!(failed.state, State::Failed);
        assert!(why.starts_with("course.zip: "), "{why}");
        assert!(!why.contains('/'), "{why}");
        node.stop().await;
        assert_eq!(files(&kurso).await, 0);
    }

    async fn a_cancelled_import_stores_nothing(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let waiting = begin(&kurso.kurso, &ann, GIFT, &[]).await;
        assert_eq!(imports::cancel(&kurso, &ann, waiting.id).await.unwrap().state, State::Cancelled);
        assert_eq!(files(&kurso).await, 0);
        // Another node runs the job: it notices the cancellation when it renews, and cannot record an effect before
        // that.
        let begun = begin(&kurso.kurso, &ann, GIFT, &[("preview", "false")]).await;
        let claim = jobs::claim_next(&kurso).await.unwrap().unwrap();
        assert_eq!(imports::cancel(&kurso, &ann, begun.id).await.unwrap().state, State::Running);
        assert_eq!(claim.renew(&kurso, &Progress::default()).await.unwrap(), LeaseState::Cancelled);
        let mut tx = kurso.db.begin().await.unwrap();
        let course = kurso_base::ids::CourseId::new();
        assert!(claim.record_effect(&mut tx, course, kurso.clock.now()).await.is_err());
        drop(tx);
        claim.finish(&kurso, Outcome::Cancelled).await.unwrap();
        assert_eq!(imports::get(&kurso, &ann, begun.id).await.unwrap().state, State::Cancelled);
        assert_eq!(courses(&kurso).await, 0);
    }

    async fn two_nodes_share_jobs_and_subscribers_see_progress(kurso: TestKurso) {
        let (ann, bob) = (kurso.person("ann").await, kurso.person("bob").await);
        let nodes = [Node::start(kurso.kurso.clone()), Node::start(kurso.another_node().await)];
        let begun = begin(&kurso.kurso, &ann, GIFT, &[("preview", "false")]).await;
        let mut watch = ImportWatch::start(&kurso, &ann, begun.id).await.unwrap();
        for n in 0..5 {
            let who = if n % 2 == 0 { &bob } else { &ann };
            begin(&kurso.kurso, who, GIFT, &[("preview", "false")]).await;
        }
        // The state is sent immediately, then on every change this node learns of.
        assert!(watch.next(&kurso).await.unwrap().is_some());
        for who in [&ann, &bob] {
            for import in imports::list(&kurso, who, Page::default()).await.unwrap().data {
                assert_eq!(settled_import(&kurso, who, import.id).await.state, State::Done);
            }
        }
        assert_eq!(courses(&kurso).await, 6);
        for node in nodes {
            node.stop().await;
        }
    }

    async fn unfinished_jobs_are_limited_and_undecided_ones_expire(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let mut ids = Vec::new();
        for _ in 0..jobs::MAX_UNFINISHED {
            ids.push(begin(&kurso.kurso, &ann, GIFT, &[]).await.id);
        }
        let mut upload = ImportUpload::begin(&kurso.kurso, &ann, None).await.unwrap();
        upload.write(Bytes::from_static(GIFT.as_bytes())).await.unwrap();
        let refused = upload.finish("a.gift", import_plan(&[])).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::TooManyImports(20)))));
        assert_eq!(files(&kurso).await, 20);
        sql!("UPDATE jobs SET state = 'ready'").execute(&kurso.db).await.unwrap();
        kurso.clock.advance(jobs::DECISION_TIMEOUT);
        jobs::cleanup(&kurso).await.unwrap();
        assert_eq!(files(&kurso).await, 0);
        assert_eq!(imports::list(&kurso, &ann, Page::default()).await.unwrap().count, 20);
        kurso.clock.advance(jobs::RETENTION);
        assert_eq!(jobs::cleanup(&kurso).await.unwrap(), 20);
        assert_eq!(imports::list(&kurso, &ann, Page::default()).await.unwrap().count, 0);
    }

    async fn only_own_files_may_be_imported(kurso: TestKurso) {
        let (ann, bob) = (kurso.person("ann").await, kurso.person("bob").await);
        let mut upload = Upload::begin(&kurso.kurso, &ann, None).await.unwrap();
        upload.write(Bytes::from_static(GIFT.as_bytes())).await.unwrap();
        let file = upload.finish("a.gift").await.unwrap();
        let plan = import_plan(&[("preview", "false")]);
        let others = imports::of_file(&kurso, &bob, file.id, plan.clone()).await;
        assert!(matches!(others, Err(Error::NotFound(Message::FileNotFound))));
        let node = Node::start(kurso.kurso.clone());
        let begun = imports::of_file(&kurso, &ann, file.id, plan).await.unwrap();
        let course = settled_import(&kurso, &ann, begun.id).await.course_id.unwrap();
        node.stop().await;

        // The export is downloaded with the session or with a one-purpose address.
        let exported = exports::export(&kurso, &ann, exports::Request::of(course, exports::Format::Gift), Lang::Ru).await.unwrap();
        assert!(exported.size > 0 && exported.filename.ends_with(".gift"), "{exported:?}");
        let row = kurso_core::courses::find(&kurso.db, &ann, course, kurso_core::access::Right::Edit).await.unwrap();
        let address = exports::address(&kurso, &ann, &row, exports::Request::of(course, exports::Format::Gift)).unwrap().unwrap();
        let token = address.split_once("token=").unwrap().1.to_owned();
        let viewer = exports::viewer_of(&kurso, &token, exports::Request::of(course, exports::Format::Gift)).await.unwrap();
        assert_eq!(viewer.id(), ann.id());
        for (course, format) in [(course, exports::Format::Markdown), (kurso_base::ids::CourseId::new(), exports::Format::Gift)] {
            let refused = exports::viewer_of(&kurso, &token, exports::Request::of(course, format)).await;
            assert!(matches!(refused, Err(Error::Forbidden(Message::ExportLinkGone))));
        }
        let drafted = exports::Request { drafts: true, ..exports::Request::of(course, exports::Format::Gift) };
        assert!(exports::viewer_of(&kurso, &token, drafted).await.is_err(), "the address is of what learners see");
        let relative = exports::Request { dates: kurso_formats::DateForm::FromStart, ..exports::Request::of(course, exports::Format::Gift) };
        let refused = exports::viewer_of(&kurso, &token, relative).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::ExportLinkGone))), "an address has one form of dates");
        kurso_core::auth::logout(&kurso, &ann).await.unwrap();
        let refused = exports::viewer_of(&kurso, &token, exports::Request::of(course, exports::Format::Gift)).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::ExportLinkGone))));
    }
}
