//! Author comments on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod anchors;
mod belongings;
mod mentions;
mod suggestions;

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, PageId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::comments::{self, Thread, ThreadQuery, ThreadState};
use kurso_core::courses::page::{self, PageRead, draft};
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::{Value, json};

struct World {
    kurso: TestKurso,
    owner: Viewer,
    editor: Viewer,
    teacher: Viewer,
    reviewer: Viewer,
    course: CourseId,
    /// The text is the paragraphs `Alpha`, `Beta` and `Gamma`.
    page: PageId,
    other: PageId,
}

impl World {
    async fn new(kurso: TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let [editor, teacher, reviewer] = ["editor", "teacher", "reviewer"];
        let mut team = vec![];
        for role in [editor, teacher, reviewer] {
            let member = kurso.person(role).await;
            kurso.collaborator(course, &member, role).await;
            team.push(member);
        }
        let [editor, teacher, reviewer] = team.try_into().unwrap();
        let view = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap();
        let world = World {
            page: view.page(0).id,
            other: view.page(1).id,
            owner,
            editor,
            teacher,
            reviewer,
            course,
            kurso,
        };
        world.write(&["Alpha", "Beta", "Gamma"], false).await;
        world
    }

    /// Saves paragraphs as the text of the page, or of its draft.
    async fn write(&self, texts: &[&str], draft: bool) -> PageRead {
        let body = json!({"content": document(texts), "draft": draft});
        page::update(&self.kurso, &self.owner, self.page, None, command(&body))
            .await
            .unwrap()
    }

    async fn start(&self, by: &Viewer, new: Value) -> Result<Thread, Error> {
        comments::start(&self.kurso, by, self.page, command(new)).await
    }

    /// A thread at a block of the page as it is, or of its draft if the person reads it.
    async fn at(&self, by: &Viewer, block: usize) -> Thread {
        let version = match draft::get(&self.kurso, by, self.page).await {
            Ok(draft) => draft.summary.version,
            Err(_) => self.stored().await.version,
        };
        let new = json!({"text": "Look", "version": version, "block": block});
        self.start(by, new).await.unwrap()
    }

    async fn stored(&self) -> PageRead {
        page::get(&self.kurso, &self.owner, self.page).await.unwrap()
    }

    async fn threads(&self, by: &Viewer) -> Vec<Thread> {
        comments::of_page(&self.kurso, by, self.page, None).await.unwrap()
    }

    async fn thread(&self, by: &Viewer) -> Thread {
        self.threads(by).await.remove(0)
    }

    async fn listed(&self, by: &Viewer, query: ThreadQuery) -> Vec<Thread> {
        let listed = comments::in_course(&self.kurso, by, self.course, query, Page::new(0, 100)).await;
        listed.unwrap().data
    }

    /// What `kurso check` finds.
    async fn problems(&self) -> Vec<String> {
        let report = check::check(&self.kurso, Depth::default()).await.unwrap();
        let findings = report.findings.into_iter();
        findings
            .map(|finding| format!("{}: {}", finding.at, finding.problem))
            .collect()
    }

    async fn count(&self, table: &str) -> i64 {
        let text = match table {
            "comment_threads" => "SELECT COUNT(*) FROM comment_threads",
            "page_comments" => "SELECT COUNT(*) FROM page_comments",
            "comment_mentions" => "SELECT COUNT(*) FROM comment_mentions",
            "thread_reads" => "SELECT COUNT(*) FROM thread_reads",
            other => panic!("{other}"),
        };
        let (count,) = sql!(text).fetch_one::<(i64,)>(&self.kurso.db).await.unwrap();
        count
    }
}

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "content": [{"type": "text", "text": text}]})
}

fn document(texts: &[&str]) -> Value {
    let blocks: Vec<Value> = texts.iter().map(|text| paragraph(text)).collect();
    json!({"type": "doc", "content": blocks})
}

fn texts(thread: &Thread) -> Vec<&str> {
    thread.comments.iter().map(|comment| comment.text.as_str()).collect()
}

both! {
    async fn a_thread_is_discussed_resolved_and_reopened(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let (kurso, page) = (&world.kurso, world.page);
        let thread = world.start(&world.reviewer, json!({"text": "Why?"})).await.unwrap();
        assert_eq!((thread.page_id, thread.state(), &thread.anchor, &thread.suggestion), (page, ThreadState::Open, &None, &None));
        assert_eq!(thread.started_by.as_ref().unwrap().id, world.reviewer.id());
        assert!(thread.comments[0].is_mine && !thread.is_unread);
        kurso.clock.advance(Duration::minutes(1));
        let answered = comments::add(kurso, &world.teacher, thread.id, command(json!("Because."))).await.unwrap();
        assert_eq!(texts(&answered), ["Why?", "Because."]);
        assert_eq!((answered.comments[1].is_mine, answered.comments[0].is_mine), (true, false));
        assert!(answered.active_at > thread.active_at);

        // The starter of a thread and the editors of the course may resolve and reopen it.
        let refused = comments::resolve(kurso, &world.teacher, thread.id).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::ThreadOfAnother))), "{refused:?}");
        let resolved = comments::resolve(kurso, &world.reviewer, thread.id).await.unwrap();
        assert_eq!(resolved.resolved.as_ref().unwrap().by.as_ref().unwrap().id, world.reviewer.id());
        let again = comments::resolve(kurso, &world.editor, thread.id).await.unwrap();
        assert_eq!(again.resolved, resolved.resolved);
        assert_eq!(comments::open_counts(kurso, &[page]).await.unwrap().get(&page), None);
        for (state, count) in [(None, 1), (Some(ThreadState::Resolved), 1), (Some(ThreadState::Open), 0)] {
            assert_eq!(comments::of_page(kurso, &world.owner, page, state).await.unwrap().len(), count);
        }
        let reopened = comments::reopen(kurso, &world.editor, thread.id).await.unwrap();
        assert_eq!(reopened.resolved, None);
        assert_eq!(comments::open_counts(kurso, &[page]).await.unwrap()[&page], 1);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn comments_are_changed_by_their_authors_and_deleted_by_editors_too(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let thread = world.start(&world.reviewer, json!({"text": "One"})).await.unwrap();
        let thread = comments::add(kurso, &world.teacher, thread.id, command(json!("Two"))).await.unwrap();
        let [one, two] = [thread.comments[0].id, thread.comments[1].id];
        let refused = comments::edit(kurso, &world.owner, one, command(json!("x"))).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::CommentOfAnother))), "{refused:?}");
        let same = comments::edit(kurso, &world.reviewer, one, command(json!("One"))).await.unwrap();
        assert_eq!(same.comments[0].edited_at, None);
        let changed = comments::edit(kurso, &world.reviewer, one, command(json!("First"))).await.unwrap();
        assert_eq!((texts(&changed), changed.comments[0].edited_at.is_some()), (vec!["First", "Two"], true));
        let refused = comments::delete(kurso, &world.teacher, one).await;
        assert!(matches!(refused, Err(Error::Forbidden(Message::CommentOfAnother))), "{refused:?}");
        let (page, left) = comments::delete(kurso, &world.editor, one).await.unwrap();
        assert_eq!((page, texts(&left.unwrap())), (world.page, vec!["Two"]));
        let audit = sql!("SELECT actor_id, person_id, page_id FROM audit WHERE kind = 'comment_deleted'");
        let audit = audit.fetch_all::<(uuid::Uuid, uuid::Uuid, uuid::Uuid)>(&kurso.db).await.unwrap();
        assert_eq!(audit, [(world.editor.id().0, world.reviewer.id().0, page.0)]);
        let (_, left) = comments::delete(kurso, &world.teacher, two).await.unwrap();
        assert_eq!(left, None);
        assert_eq!((world.count("comment_threads").await, world.count("page_comments").await), (0, 0));
        let gone = comments::delete(kurso, &world.owner, two).await;
        assert!(matches!(gone, Err(Error::NotFound(Message::CommentNotFound))), "{gone:?}");
    }

    async fn only_those_who_may_comment_read_and_write(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let thread = world.start(&world.reviewer, json!({"text": "Secret"})).await.unwrap();
        let code = kurso_core::courses::generate_share_code(kurso, &world.owner, world.course).await.unwrap().share_code.unwrap();
        let (learner, stranger, root) = (kurso.person("learner").await, kurso.person("stranger").await, kurso.superuser("root").await);
        kurso_core::learning::enroll(kurso, &learner, &kurso_core::auth::Origin::default(), &code).await.unwrap();
        let comment = thread.comments[0].id;
        let text = || command(json!("x"));
        for (person, is_hidden) in [(&learner, false), (&root, false), (&stranger, true)] {
            let refusals = [
                comments::of_page(kurso, person, world.page, None).await.err(),
                comments::in_course(kurso, person, world.course, ThreadQuery::default(), Page::new(0, 10)).await.err(),
                comments::commenters(kurso, person, world.course).await.err(),
                world.start(person, json!({"text": "x"})).await.err(),
                comments::add(kurso, person, thread.id, text()).await.err(),
                comments::edit(kurso, person, comment, text()).await.err(),
                comments::delete(kurso, person, comment).await.err(),
                comments::resolve(kurso, person, thread.id).await.err(),
                comments::reopen(kurso, person, thread.id).await.err(),
                comments::reject(kurso, person, thread.id).await.err(),
                comments::mark_read(kurso, person, thread.id, comment).await.err(),
            ];
            for refused in refusals {
                let refused = refused.unwrap();
                match is_hidden {
                    true => assert!(matches!(refused, Error::NotFound(_)), "{refused:?}"),
                    false => assert!(matches!(refused, Error::Forbidden(Message::CourseForbidden)), "{refused:?}"),
                }
            }
        }
        assert_eq!(texts(&world.thread(&world.teacher).await), ["Secret"]);
    }

    async fn what_others_wrote_is_unread_until_it_is_marked(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let thread = world.start(&world.reviewer, json!({"text": "One"})).await.unwrap();
        let is_unread = async |by: &Viewer| world.thread(by).await.is_unread;
        assert!(is_unread(&world.owner).await && is_unread(&world.teacher).await && !is_unread(&world.reviewer).await);
        let one = thread.comments[0].id;
        let read = comments::mark_read(kurso, &world.owner, thread.id, one).await.unwrap();
        assert!(!read.is_unread && is_unread(&world.teacher).await);
        kurso.clock.advance(Duration::seconds(1));
        let answered = comments::add(kurso, &world.teacher, thread.id, command(json!("Two"))).await.unwrap();
        // Writing does not mean having read, but only the comments of others count.
        assert!(is_unread(&world.owner).await && is_unread(&world.reviewer).await && answered.is_unread);
        comments::mark_read(kurso, &world.owner, thread.id, answered.comments[1].id).await.unwrap();
        // An older mark that comes late changes nothing.
        comments::mark_read(kurso, &world.owner, thread.id, one).await.unwrap();
        assert!(!is_unread(&world.owner).await);
        let other = world.start(&world.owner, json!({"text": "x"})).await.unwrap();
        let wrong = comments::mark_read(kurso, &world.owner, thread.id, other.comments[0].id).await;
        assert!(matches!(wrong, Err(Error::NotFound(Message::CommentNotFound))), "{wrong:?}");
    }

    async fn the_threads_of_a_course_are_listed_by_activity(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let first = world.start(&world.owner, json!({"text": format!("@[t](user:{})", world.teacher.id())})).await.unwrap();
        kurso.clock.advance(Duration::seconds(1));
        let second = comments::start(kurso, &world.editor, world.other, command(json!({"text": "x"}))).await.unwrap();
        kurso.clock.advance(Duration::seconds(1));
        let third = world.start(&world.owner, json!({"text": "y"})).await.unwrap();
        kurso.clock.advance(Duration::seconds(1));
        comments::add(kurso, &world.reviewer, first.id, command(json!("z"))).await.unwrap();
        let ids = |threads: &[Thread]| threads.iter().map(|thread| thread.id).collect::<Vec<_>>();
        let all = ThreadQuery::default();
        assert_eq!(ids(&world.listed(&world.teacher, all).await), [first.id, third.id, second.id]);
        let mine = ThreadQuery { mentioning_me: true, ..all };
        assert_eq!(ids(&world.listed(&world.teacher, mine).await), [first.id]);
        assert_eq!(world.listed(&world.owner, mine).await, []);
        comments::resolve(kurso, &world.owner, third.id).await.unwrap();
        let open = ThreadQuery { state: Some(ThreadState::Open), ..all };
        assert_eq!(ids(&world.listed(&world.owner, open).await), [first.id, second.id]);
        for (skip, limit, expected) in [(0, 1, vec![third.id]), (1, 1, vec![first.id]), (2, 5, vec![second.id]), (3, 5, vec![])] {
            let listed = comments::in_course(kurso, &world.owner, world.course, all, Page::new(skip, limit)).await.unwrap();
            assert_eq!((ids(&listed.data), listed.count), (expected, 3));
        }
        let names: Vec<_> = comments::commenters(kurso, &world.teacher, world.course).await.unwrap().into_iter().map(|one| one.full_name.unwrap()).collect();
        assert_eq!(names, ["owner", "editor", "reviewer", "teacher"]);
    }

    async fn open_threads_and_comments_are_limited(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let kurso = &world.kurso;
        let thread = world.start(&world.owner, json!({"text": "x"})).await.unwrap();
        comments::resolve(kurso, &world.owner, thread.id).await.unwrap();
        let now = kurso.clock.now();
        for _ in 0..comments::MAX_OPEN {
            let id = kurso_base::ids::ThreadId::new();
            sql!("INSERT INTO comment_threads (id, page_id, created_at, active_at) VALUES ($1, $2, $3, $3)", id, world.page, now).execute(&kurso.db).await.unwrap();
            sql!("INSERT INTO page_comments (id, thread_id, text, created_at) VALUES ($1, $1, 'x', $2)", id, now).execute(&kurso.db).await.unwrap();
        }
        for refused in [world.start(&world.owner, json!({"text": "x"})).await, comments::reopen(kurso, &world.owner, thread.id).await] {
            assert!(matches!(refused, Err(Error::Conflict(Message::TooManyThreads(500)))), "{refused:?}");
        }
        assert_eq!(world.threads(&world.owner).await.len(), 501);
        for n in 1..comments::MAX_COMMENTS {
            let id = kurso_base::ids::CommentId::new();
            sql!("INSERT INTO page_comments (id, thread_id, text, created_at) VALUES ($1, $2, $3, $4)", id, thread.id, n.to_string(), now).execute(&kurso.db).await.unwrap();
        }
        let refused = comments::add(kurso, &world.owner, thread.id, command(json!("x"))).await;
        assert!(matches!(refused, Err(Error::Conflict(Message::TooManyComments(200)))), "{refused:?}");
    }
}
