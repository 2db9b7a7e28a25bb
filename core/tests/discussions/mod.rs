//! Questions under pages on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod answers;
mod asking;
mod belongings;
mod leaks;
mod moderation;
mod races;

use chrono::Duration;
use kurso_base::error::Error;
use kurso_base::ids::{CourseId, DiscussionId, PageId, PostId};
use kurso_base::messages::Message;
use kurso_base::pagination::Page;
use kurso_core::access::{Right, Viewer};
use kurso_core::both;
use kurso_core::check::{self, Depth};
use kurso_core::courses::page;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::discussions::{self, AnswersFrom, AnswersWindow, ChangedPost, Discussion, DiscussionFilter, Post};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{TestKurso, command};
use kurso_db::sql;
use serde_json::{Value, json};
use uuid::Uuid;

struct World {
    kurso: TestKurso,
    owner: Viewer,
    editor: Viewer,
    teacher: Viewer,
    /// Learners: Anna and Boris in group A, Vera in group B, Gleb in none.
    anna: Viewer,
    boris: Viewer,
    vera: Viewer,
    gleb: Viewer,
    course: CourseId,
    /// The text is the paragraphs `Alpha`, `Beta` and `Gamma`.
    page: PageId,
    other: PageId,
}

impl World {
    async fn new(kurso: TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Content]]]).await;
        let mut people = vec![];
        for role in ["editor", "teacher", "reviewer"] {
            let member = kurso.person(role).await;
            kurso.collaborator(course, &member, role).await;
            people.push(member);
        }
        let [a, b] = [Uuid::now_v7(), Uuid::now_v7()];
        for (position, (id, title)) in [(a, "A"), (b, "B")].into_iter().enumerate() {
            sql!(
                "INSERT INTO groups (id, course_id, title, position, created_at) VALUES ($1, $2, $3, $4, $5)",
                id,
                course,
                title,
                i64::try_from(position).unwrap(),
                kurso.clock.now()
            )
            .execute(&kurso.db)
            .await
            .unwrap();
        }
        let mut learners = vec![];
        for (name, group) in [("anna", Some(a)), ("boris", Some(a)), ("vera", Some(b)), ("gleb", None)] {
            let learner = kurso.person(name).await;
            sql!(
                "INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at, group_id) VALUES ($1, $2, $3, $4, $4, $5)",
                Uuid::now_v7(),
                course,
                learner.id(),
                kurso.clock.now(),
                group
            )
            .execute(&kurso.db)
            .await
            .unwrap();
            learners.push(learner);
        }
        let view = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap();
        let [editor, teacher, _] = people.try_into().unwrap();
        let [anna, boris, vera, gleb] = learners.try_into().unwrap();
        let world = World {
            page: view.page(0).id,
            other: view.page(1).id,
            owner,
            editor,
            teacher,
            anna,
            boris,
            vera,
            gleb,
            course,
            kurso,
        };
        let text: Vec<Value> = ["Alpha", "Beta", "Gamma"].map(paragraph).into();
        world.update(json!({"content": {"type": "doc", "content": text}})).await;
        world
    }

    async fn update(&self, fields: Value) {
        let updated = page::update(&self.kurso, &self.owner, self.page, None, command(fields));
        updated.await.unwrap();
    }

    async fn set(&self, fields: Value) {
        discussions::set(&self.kurso, &self.owner, self.course, command(fields))
            .await
            .unwrap();
    }

    async fn start(&self, by: &Viewer, more: Value) -> Result<Discussion, Error> {
        let mut new = json!({"body": body("Why?")});
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        discussions::start(&self.kurso, by, self.page, command(new)).await
    }

    async fn ask(&self, by: &Viewer) -> Discussion {
        self.start(by, json!({})).await.unwrap()
    }

    async fn reply(&self, by: &Viewer, to: DiscussionId, text: &str) -> Result<ChangedPost, Error> {
        let new = json!({"body": body(text)});
        discussions::reply(&self.kurso, by, to, command(new)).await
    }

    async fn change(&self, by: &Viewer, id: DiscussionId, to: Value) -> Result<Discussion, Error> {
        discussions::change(&self.kurso, by, id, command(to)).await
    }

    async fn moderate(&self, by: &Viewer, id: PostId, decision: Value) -> Result<ChangedPost, Error> {
        discussions::moderate(&self.kurso, by, id, command(decision)).await
    }

    async fn get(&self, by: &Viewer, id: DiscussionId) -> Result<Discussion, Error> {
        discussions::get(&self.kurso, by, id.0).await
    }

    /// The question and the answers, as a person reads them.
    async fn posts(&self, by: &Viewer, id: DiscussionId) -> Vec<Post> {
        let question = self.get(by, id).await.unwrap().question;
        let all = AnswersWindow {
            limit: 100,
            from: AnswersFrom::Skip(0),
        };
        let answers = discussions::answers(&self.kurso, by, id, all).await.unwrap();
        assert_eq!(usize::try_from(answers.count), Ok(answers.data.len()));
        [vec![question], answers.data].concat()
    }

    /// The discussions of the page as a person reads them.
    async fn listed(&self, by: &Viewer, filter: DiscussionFilter) -> Vec<DiscussionId> {
        let listed = discussions::of_page(&self.kurso, by, self.page, filter, Page::new(0, 100)).await;
        let listed = listed.unwrap();
        assert_eq!(usize::try_from(listed.count), Ok(listed.data.len()));
        listed.data.iter().map(|discussion| discussion.id).collect()
    }

    async fn in_course(&self, by: &Viewer, filter: DiscussionFilter) -> Vec<DiscussionId> {
        let listed = discussions::in_course(&self.kurso, by, self.course, filter, Page::new(0, 100)).await;
        listed.unwrap().data.iter().map(|discussion| discussion.id).collect()
    }

    /// What `kurso check` finds.
    async fn problems(&self) -> Vec<String> {
        let report = check::check(&self.kurso, Depth::default()).await.unwrap();
        let findings = report.findings.into_iter();
        findings
            .map(|finding| format!("{}: {}", finding.at, finding.problem))
            .collect()
    }

    fn wait(&self) {
        self.kurso.clock.advance(Duration::minutes(1));
    }
}

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "content": [{"type": "text", "text": text}]})
}

fn body(text: &str) -> Value {
    json!({"type": "doc", "content": [paragraph(text)]})
}

fn conflict<T: std::fmt::Debug>(result: Result<T, Error>) -> Message {
    match result {
        Err(Error::Conflict(message)) => message,
        other => panic!("{other:?}"),
    }
}

fn invalid<T: std::fmt::Debug>(result: Result<T, Error>) -> Message {
    match result {
        Err(Error::Invalid(errors)) => errors[0].message.clone(),
        other => panic!("{other:?}"),
    }
}

fn is_missing<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::NotFound(_)))
}

fn is_forbidden<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Forbidden(_)))
}

both! {
    async fn a_question_is_asked_answered_accepted_and_reopened(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.start(&world.anna, json!({"version": 2, "block": 1, "quote": "Be"})).await.unwrap();
        let anchor = asked.anchor.as_ref().unwrap();
        assert_eq!((anchor.block, anchor.quote.as_str(), asked.reply_count), (Some(1), "Be", 0));
        assert!(asked.waiting_since.is_some() && asked.follows && !asked.is_unread && asked.question.is_mine);
        assert_eq!(world.in_course(&world.teacher, DiscussionFilter::Unanswered).await, [asked.id]);
        world.wait();
        let answered = world.reply(&world.boris, asked.id, "Because").await.unwrap();
        assert_eq!((answered.discussion.reply_count, answered.discussion.waiting_since, answered.post.number), (1, None, 1));
        let staff = world.reply(&world.editor, asked.id, "Right").await.unwrap();
        assert!(!answered.discussion.has_staff_answer && staff.discussion.has_staff_answer && staff.discussion.has_other_writers);
        let seen = world.posts(&world.anna, asked.id).await;
        assert_eq!(seen.iter().map(|post| (post.by_asker, post.by_staff)).collect::<Vec<_>>(), [(true, false), (false, false), (false, true)]);
        world.wait();
        let again = world.reply(&world.anna, asked.id, "But?").await.unwrap();
        assert_eq!(again.discussion.waiting_since, Some(world.kurso.clock.now()), "who asks again waits again");
        assert!(world.get(&world.anna, asked.id).await.unwrap().is_unread);
        let seen = world.posts(&world.anna, asked.id).await;
        assert_eq!(seen.iter().map(|post| post.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
        let note = command(json!({"read_post_id": seen[3].id}));
        assert!(!discussions::note(&world.kurso, &world.anna, asked.id, note).await.unwrap().is_unread);
        let accept = json!({"accepted_post_id": seen[1].id});
        assert!(is_forbidden(&world.change(&world.boris, asked.id, accept.clone()).await));
        let solved = world.change(&world.anna, asked.id, accept).await.unwrap();
        assert!(solved.resolved_at.is_some() && solved.accepted_post_id == Some(seen[1].id));
        let other = json!({"accepted_post_id": seen[2].id});
        let solved = world.change(&world.editor, asked.id, other).await.unwrap();
        assert_eq!(solved.accepted_post_id, Some(seen[2].id));
        let now = world.posts(&world.anna, asked.id).await;
        assert_eq!(now.iter().map(|post| post.is_accepted).collect::<Vec<_>>(), [false, false, true, false]);
        assert_eq!(invalid(world.change(&world.anna, asked.id, json!({"accepted_post_id": seen[0].id})).await), Message::NoSuchReply);
        assert_eq!(world.listed(&world.vera, DiscussionFilter::Open).await, []);
        assert_eq!(world.listed(&world.vera, DiscussionFilter::Resolved).await, [asked.id]);
        let open = world.change(&world.anna, asked.id, json!({"is_resolved": false})).await.unwrap();
        assert!(open.resolved_at.is_none() && open.accepted_post_id.is_none());
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn open_questions_are_counted_at_their_blocks(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.ask(&world.anna).await;
        for block in [2, 1, 2] {
            world.start(&world.anna, json!({"version": 2, "block": block})).await.unwrap();
        }
        let counts = async |by: &Viewer| {
            let blocks = discussions::blocks(&world.kurso, by, world.page).await.unwrap();
            blocks.iter().map(|block| (block.block, block.open_count)).collect::<Vec<_>>()
        };
        assert_eq!(counts(&world.vera).await, [(None, 1), (Some(1), 1), (Some(2), 2)]);
        let text = [paragraph("New"), paragraph("Gamma")];
        world.update(json!({"content": {"type": "doc", "content": text}})).await;
        assert_eq!(counts(&world.vera).await, [(None, 2), (Some(1), 2)]);
    }

    async fn lists_are_ordered_and_filtered(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let first = world.ask(&world.anna).await.id;
        world.wait();
        let second = world.ask(&world.boris).await.id;
        world.wait();
        let private = world.start(&world.vera, json!({"to_teachers": true})).await.unwrap().id;
        let all = DiscussionFilter::All;
        assert_eq!(world.listed(&world.teacher, all).await, [private, second, first]);
        assert_eq!(world.in_course(&world.teacher, DiscussionFilter::Unanswered).await, [first, second, private], "the longest waiting first");
        assert_eq!(world.in_course(&world.teacher, DiscussionFilter::Private).await, [private]);
        assert_eq!(world.listed(&world.boris, DiscussionFilter::Mine).await, [second]);
        world.change(&world.teacher, first, json!({"is_pinned": true})).await.unwrap();
        assert_eq!(world.listed(&world.anna, all).await, [first, second]);
        assert!(is_forbidden(&discussions::in_course(&world.kurso, &world.anna, world.course, all, Page::new(0, 10)).await));
        let window = discussions::of_page(&world.kurso, &world.anna, world.page, all, Page::new(1, 1)).await.unwrap();
        assert_eq!((window.data[0].id, window.count), (second, 2));
    }

    async fn learners_have_limits_and_forbidden_words(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.set(json!({"words": ["дурак", "  buy   now "]})).await;
        let links = "https://a.example ".repeat(6);
        let say = async |by: &Viewer, text: &str| world.start(by, json!({"body": body(text)})).await;
        assert_eq!(invalid(say(&world.anna, &links).await), Message::TooManyLinks(5));
        assert_eq!(invalid(say(&world.anna, "Сам Дурак!").await), Message::ForbiddenWord("дурак".to_owned()));
        assert_eq!(invalid(say(&world.anna, "Buy now").await), Message::ForbiddenWord("buy now".to_owned()));
        say(&world.teacher, &format!("{links} дурак")).await.unwrap();
        let asked = world.ask(&world.anna).await;
        let edit = command(json!({"body": body("дурак")}));
        assert_eq!(invalid(discussions::edit(&world.kurso, &world.anna, asked.question.id, edit).await), Message::ForbiddenWord("дурак".to_owned()));
        let file = world.kurso.file(world.boris.id(), "a.png", "image/png", &b"x"[..]).await;
        let picture = json!({"body": {"type": "doc", "content": [{"type": "image", "attrs": {"src": file.url()}}]}});
        assert!(matches!(world.start(&world.anna, picture.clone()).await, Err(Error::Invalid(_))), "a picture of somebody else");
        world.start(&world.boris, picture).await.unwrap();
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn questions_are_switched_off_for_a_course_and_a_page(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await.id;
        for (off, on) in [(true, false), (false, true)] {
            if off {
                world.set(json!({"is_on": false})).await;
            } else {
                let set = command(json!({"is_on": false}));
                assert!(!discussions::set_page(&world.kurso, &world.teacher, world.page, set).await.unwrap().is_on);
            }
            assert_eq!(world.listed(&world.anna, DiscussionFilter::All).await, []);
            assert!(is_missing(&world.get(&world.anna, asked).await));
            assert_eq!(world.listed(&world.teacher, DiscussionFilter::All).await, [asked]);
            for by in [&world.anna, &world.teacher] {
                assert_eq!(conflict(world.start(by, json!({})).await), Message::DiscussionsOff);
            }
            if !on {
                world.set(json!({"is_on": true})).await;
            }
        }
        let set = command(json!({"is_on": true}));
        assert!(is_forbidden(&discussions::set_page(&world.kurso, &world.editor, world.page, set).await));
        assert!(is_forbidden(&discussions::set(&world.kurso, &world.editor, world.course, command(json!({"is_on": true}))).await));
    }
}
