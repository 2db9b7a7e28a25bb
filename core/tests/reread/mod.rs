//! What has changed of pages since learners read them, on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod copies;
mod history;
mod important;
mod limits;
mod sequences;

use chrono::{DateTime, Duration, Utc};
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_base::messages::Message;
use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_base::values::EditorSession;
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::courses;
use kurso_core::courses::page::publishing::publish;
use kurso_core::courses::page::{self, Importance, PageRead, UpdateError, draft};
use kurso_core::courses::tree::PageKind::{Content, Quiz};
use kurso_core::learning::reading::{self, ChangeSinceRead};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, Opened, mark_page_visited};
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::{Value, json};

struct World {
    kurso: TestKurso,
    owner: Viewer,
    anna: Viewer,
    boris: Viewer,
    course: CourseId,
    code: String,
    page: PageId,
    quiz: PageId,
}

impl World {
    /// A course with a page, "a" in version 1, and a quiz. Anna and Boris are enrolled.
    async fn new(kurso: TestKurso) -> Self {
        let (owner, anna, boris) = (
            kurso.person("owner").await,
            kurso.person("anna").await,
            kurso.person("boris").await,
        );
        let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
        let view = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap();
        let lesson = view.lesson(0).id;
        let body = json!({"title": "a", "content": document("a")});
        let page = page::create(&kurso, &owner, lesson, command(body)).await.unwrap().id;
        let shared = courses::generate_share_code(&kurso, &owner, course).await.unwrap();
        let code = shared.share_code.unwrap();
        let quiz = view.page(0).id;
        let world = World {
            kurso,
            owner,
            anna,
            boris,
            course,
            code,
            page,
            quiz,
        };
        for learner in [&world.anna, &world.boris] {
            world.enroll(learner).await;
        }
        world
    }

    async fn enroll(&self, who: &Viewer) -> EnrollmentId {
        let enrolled = learning::enroll(&self.kurso, who, &Origin::default(), &self.code).await;
        enrolled.unwrap().enrollment.unwrap().id
    }

    async fn save(&self, page: PageId, body: Value) -> PageRead {
        self.try_save(page, None, body).await.unwrap()
    }

    async fn try_save(&self, page: PageId, session: Option<&str>, body: Value) -> Result<PageRead, UpdateError> {
        let session = session.map(|name| EditorSession::parse(name).unwrap());
        page::update(&self.kurso, &self.owner, page, session, command(&body)).await
    }

    /// Saves a text directly, so that learners read it at once. Returns its version.
    async fn write(&self, text: &str, importance: Option<Importance>) -> i64 {
        let body = json!({"title": text, "content": document(text), "importance": importance});
        self.save(self.page, body).await.version
    }

    /// Saves a text as a draft, and returns the version of that.
    async fn write_draft(&self, text: &str) -> i64 {
        let body = json!({"draft": true, "title": text, "content": document(text)});
        self.save(self.page, body).await.version
    }

    async fn publish(&self, page: PageId, importance: Importance) -> i64 {
        let draft = draft::get(&self.kurso, &self.owner, page).await.unwrap().summary;
        let entries = PageDraftEntries(vec![PageDraftEntry {
            page_id: page,
            version: draft.version,
            page_version: draft.page_version,
        }]);
        let published = publish(&self.kurso, &self.owner, self.course, &entries, importance).await;
        published.unwrap()[0].page_version
    }

    async fn visit(&self, who: &Viewer, version: Option<i64>) {
        let opened = Opened {
            page: self.page,
            version,
        };
        mark_page_visited(&self.kurso, who, opened).await.unwrap();
    }

    async fn reread(&self, who: &Viewer, version: i64) -> Result<(), Error> {
        let marked = reading::mark_reread(&self.kurso, who, self.page, version).await;
        marked.map(|_| ())
    }

    async fn change(&self, who: &Viewer) -> Option<ChangeSinceRead> {
        self.change_of(who, self.page).await
    }

    async fn change_of(&self, who: &Viewer, page: PageId) -> Option<ChangeSinceRead> {
        let (view, place) = CourseView::load_by_page(&self.kurso, who, page, Right::Read)
            .await
            .unwrap();
        let read = view.reading(place)?;
        reading::changes(&self.kurso, &[read]).await.unwrap().remove(&read)
    }

    /// The version and the text that a learner has read, as they are told.
    async fn before(&self, who: &Viewer) -> Option<(i64, String)> {
        let before = self.change(who).await?.before?;
        let mut contents = reading::contents(&self.kurso, &[before.key()]).await.unwrap();
        let content = contents.remove(&before.key()).unwrap();
        let title = before.title.unwrap();
        assert!(content.contains(&format!("\"{title}\"")), "{content}");
        Some((before.version, title))
    }

    async fn read_version(&self, who: &Viewer) -> Option<i64> {
        let row = sql!(
            "SELECT v.read_version FROM visits v JOIN enrollments e ON e.id = v.enrollment_id WHERE v.page_id = $1 AND e.user_id = $2",
            self.page,
            who.id()
        );
        row.fetch_optional::<(Option<i64>,)>(&self.kurso.db).await.unwrap()?.0
    }

    /// What `kurso check` finds.
    async fn problems(&self) -> Vec<String> {
        let report = check::check(&self.kurso, Depth::default()).await.unwrap();
        let findings = report.findings.into_iter();
        findings
            .map(|finding| format!("{}: {}", finding.at, finding.problem))
            .collect()
    }

    fn now(&self) -> DateTime<Utc> {
        self.kurso.clock.now()
    }

    fn wait(&self, minutes: i64) {
        self.kurso.clock.advance(Duration::minutes(minutes));
    }
}

fn document(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}

both! {
    async fn a_page_says_what_has_changed_since_it_was_read(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.write("b", None).await;
        assert_eq!(w.change(&w.anna).await, None, "she has not read it");
        w.wait(1);
        w.visit(&w.anna, None).await;
        let read_at = w.now();
        assert_eq!((w.change(&w.anna).await, w.read_version(&w.anna).await), (None, Some(2)));
        w.wait(1);
        w.write_draft("c").await;
        assert_eq!(w.change(&w.anna).await, None, "a draft is no change");
        w.publish(w.page, Importance::Correction).await;
        let change = w.change(&w.anna).await.unwrap();
        assert_eq!((change.version, change.importance), (3, Importance::Correction));
        assert_eq!((change.read_at, change.changed_at), (read_at, w.now()));
        assert_eq!(w.before(&w.anna).await, Some((2, "b".to_owned())));
        assert_eq!(w.change(&w.boris).await, None, "he has not read it");
        w.wait(1);
        w.visit(&w.anna, None).await;
        assert_eq!(w.change(&w.anna).await, Some(change), "a visit is no reading of the change");
        w.reread(&w.anna, 3).await.unwrap();
        assert_eq!(w.change(&w.anna).await, None);
        let reread_at = w.now();
        w.wait(1);
        w.reread(&w.anna, 3).await.unwrap();
        w.write("d", None).await;
        assert_eq!(w.change(&w.anna).await.unwrap().read_at, reread_at, "repeating it changes nothing");
        assert_eq!(w.before(&w.anna).await, Some((3, "c".to_owned())));
        w.visit(&w.boris, None).await;
        assert_eq!(w.change(&w.boris).await, None);
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn quiz_changes_and_reverted_texts_are_not_reported(kurso: TestKurso) {
        let w = World::new(kurso).await;
        mark_page_visited(&w.kurso, &w.anna, w.quiz).await.unwrap();
        let quiz = json!({"questions": [{"type": "numeric", "prompt": "2 + 2?", "value": 4}]});
        let saved = w.save(w.quiz, json!({"quiz": quiz, "importance": "important"})).await;
        assert_eq!((saved.version, w.change_of(&w.anna, w.quiz).await), (2, None));
        w.save(w.quiz, json!({"content": document("text")})).await;
        let change = w.change_of(&w.anna, w.quiz).await.unwrap();
        assert_eq!((change.version, change.importance), (3, Importance::Important));
        w.visit(&w.anna, None).await;
        w.write("b", None).await;
        assert_eq!(w.before(&w.anna).await, Some((1, "a".to_owned())));
        w.write("a", None).await;
        assert_eq!(w.change(&w.anna).await, None);
        w.save(w.page, json!({"title": "other"})).await;
        let before = w.change(&w.anna).await.unwrap().before.unwrap();
        assert_eq!((before.version, before.title.as_deref()), (1, Some("a")), "a title is content");
    }

    async fn any_important_change_since_makes_the_whole_change_important(kurso: TestKurso) {
        let w = World::new(kurso).await;
        w.visit(&w.anna, None).await;
        let importance = async |who: &Viewer| w.change(who).await.unwrap().importance;
        w.write("b", None).await;
        assert_eq!(importance(&w.anna).await, Importance::Correction);
        w.write_draft("c").await;
        w.publish(w.page, Importance::Important).await;
        w.visit(&w.boris, None).await;
        let last = w.write("d", Some(Importance::Correction)).await;
        assert_eq!(importance(&w.anna).await, Importance::Important);
        assert_eq!(importance(&w.boris).await, Importance::Correction, "he has read the important one");
        w.reread(&w.anna, last).await.unwrap();
        w.write("e", None).await;
        assert_eq!(importance(&w.anna).await, Importance::Correction);
        w.write("f", Some(Importance::Important)).await;
        assert_eq!(importance(&w.boris).await, Importance::Important);
        // What was written while the page was unpublished counts from its publication on.
        let last = w.write("g", None).await;
        w.reread(&w.anna, last).await.unwrap();
        w.save(w.page, json!({"published": false, "title": "h"})).await;
        assert!(matches!(w.reread(&w.anna, last).await, Err(Error::NotFound(Message::PageNotFound))));
        w.save(w.page, json!({"published": true, "importance": "important"})).await;
        assert_eq!(importance(&w.anna).await, Importance::Important);
        // A later save from the same editor session does not clear the importance.
        let last = w.write("i", None).await;
        w.reread(&w.anna, last).await.unwrap();
        for body in [json!({"title": "j", "importance": "important"}), json!({"title": "k"})] {
            w.try_save(w.page, Some("tab"), body).await.unwrap();
        }
        assert_eq!(importance(&w.anna).await, Importance::Important);
        assert_eq!(w.problems().await, [""; 0]);
    }

    async fn a_draft_has_no_importance_before_it_is_published(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let body = json!({"draft": true, "title": "b", "importance": "important"});
        let refused = w.try_save(w.page, None, body).await;
        assert!(matches!(refused, Err(UpdateError::Refused(Error::Invalid(_)))), "{refused:?}");
        // A change of nothing says nothing.
        w.visit(&w.anna, None).await;
        w.save(w.page, json!({"title": "a", "importance": "important"})).await;
        w.write("b", None).await;
        assert_eq!(w.change(&w.anna).await.unwrap().importance, Importance::Correction);
    }

    async fn progress_stays_whatever_changes_and_is_read_again(kurso: TestKurso) {
        let w = World::new(kurso).await;
        let state = async || {
            let view = CourseView::load(&w.kurso, &w.anna, w.course, Right::Read).await.unwrap();
            let visited = sql!("SELECT page_id, visited_at FROM visits ORDER BY page_id");
            let visited = visited.fetch_all::<(PageId, DateTime<Utc>)>(&w.kurso.db).await.unwrap();
            (view.progress, view.marks, view.course.enrollment.unwrap().completed_at, visited)
        };
        w.save(w.quiz, json!({"published": false})).await;
        w.visit(&w.anna, None).await;
        let done = state().await;
        assert!(done.0.is_complete() && done.2.is_some());
        for importance in [Importance::Correction, Importance::Important] {
            w.wait(1);
            let version = w.write(&format!("{importance:?}"), Some(importance)).await;
            assert!(w.change(&w.anna).await.is_some());
            assert_eq!(state().await, done);
            w.reread(&w.anna, version).await.unwrap();
            assert_eq!((w.change(&w.anna).await, state().await), (None, done.clone()));
        }
        // Saying so of a page that was never visited is no visit.
        w.reread(&w.boris, 3).await.unwrap();
        assert_eq!((w.change(&w.boris).await, w.read_version(&w.boris).await), (None, None));
        assert_eq!(state().await, done);
        assert_eq!(w.problems().await, [""; 0]);
    }
}
