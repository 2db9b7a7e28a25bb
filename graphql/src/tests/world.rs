//! Test data of a given size: the number of courses, modules, lessons, pages, students, attempts, items and users.

mod communication;
mod content;
mod learners;
mod own;

use std::sync::Arc;

use kurso_base::ids::{
    AnnouncementId, BankId, BankQuestionId, CertificateId, CourseId, DiscussionId, EnrollmentId, GroupId, ItemId,
    JobId, LessonId, ModuleId, PageId, SnapshotId,
};
use kurso_core::access::{Right, Viewer};
use kurso_core::assessments::AnswerId;
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::{Assignment, Content, Quiz};
use kurso_core::courses::{groups, overrides, page};
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{Backend, TestKurso, command, exam};
use kurso_core::{courses, learning};
use kurso_db::sql;
use serde_json::json;

pub struct World {
    pub kurso: TestKurso,
    /// Owner and learner of every course, and a superuser.
    pub viewer: Viewer,
    pub token: String,
    /// The large course and its first module, lesson and quiz.
    pub course: CourseId,
    /// Of the large course.
    pub share_code: String,
    pub module: ModuleId,
    pub lesson: LessonId,
    pub quiz: PageId,
    /// A graded answer to an open question of the large course.
    pub answer: AnswerId,
    /// A question under a page of the large course.
    pub discussion: DiscussionId,
    /// A snapshot of the large course, which has changed since.
    pub snapshot: SnapshotId,
    pub announcement: AnnouncementId,
    /// The viewer's certificate of the large course.
    pub certificate: CertificateId,
    /// The versions of the draft of the quiz and of the quiz.
    pub draft: (i64, i64),
    pub enrollment: EnrollmentId,
    pub item: ItemId,
    /// The first of the viewer's banks, and a question of it.
    pub bank: (BankId, BankQuestionId),
    pub import: JobId,
    /// The token of a notice mail of the large course.
    pub notice_token: String,
    /// A small course with overrides.
    pub overridden: Overridden,
}

/// A course with overrides of its group and of the viewer, a learner of the group for whom it ends earlier. For the group, a page of the lesson is due
/// in 2027.
pub struct Overridden {
    pub course: CourseId,
    pub group: GroupId,
    pub lesson: LessonId,
}

impl World {
    pub async fn of(backend: Backend, size: usize) -> Self {
        let kurso = TestKurso::new(backend).await;
        let viewer = kurso.superuser("head").await;
        let people = learners::people(&kurso, size).await;
        let pages = [vec![Content; size], vec![Quiz; size], vec![Assignment; size]].concat();
        let course = content::course(&kurso, &viewer, &pages, size).await;
        for _ in 1..size {
            kurso.course(&viewer, &[&[&[Content, Quiz]]]).await;
        }
        for _ in 0..size {
            let deleted = kurso.course(&viewer, &[&[&[Content]]]).await;
            courses::course::delete(&kurso, &viewer, deleted).await.unwrap();
        }
        let mine: Vec<(CourseId,)> = sql!("SELECT id FROM courses").fetch_all(&kurso.db).await.unwrap();
        for (id,) in &mine {
            let open = command(json!({"visibility": "public", "allows_guests": true}));
            courses::visibility::set(&kurso, &viewer, *id, open).await.unwrap();
            let cover = kurso.file(viewer.id(), "cover.png", "image/png", "x").await;
            sql!("UPDATE files SET width = 16, height = 9 WHERE id = $1", cover.id)
                .execute(&kurso.db)
                .await
                .unwrap();
            sql!(
                "UPDATE public_pages SET cover_file_id = $2 WHERE course_id = $1",
                *id,
                cover.id
            )
            .execute(&kurso.db)
            .await
            .unwrap();
        }
        let (mut enrollment, mut overridden, mut discussion) = (None, None, None);
        let mut share_code = String::new();
        for (id,) in mine {
            let code = courses::generate_share_code(&kurso, &viewer, id)
                .await
                .unwrap()
                .share_code
                .unwrap();
            let learnt = learning::enroll(&kurso, &viewer, &Origin::default(), &code)
                .await
                .unwrap();
            for person in people.iter().filter(|_| id == course) {
                learning::enroll(&kurso, person, &Origin::default(), &code)
                    .await
                    .unwrap();
            }
            if id == course {
                share_code.clone_from(&code);
            }
            let own = learnt.enrollment.unwrap().id;
            let group = command(json!({"title": "Группа"}));
            let group = groups::create(&kurso, &viewer, id, group).await.unwrap().id;
            let to = command(json!({"enrollment_ids": [own], "group_id": group}));
            groups::move_students(&kurso, &viewer, id, to).await.unwrap();
            if id != course {
                for who in [
                    json!({"group_id": group, "available_from": null}),
                    json!({"enrollment_id": own, "time_factor": 2, "available_until": "2020-01-01"}),
                ] {
                    overrides::set(&kurso, &viewer, id, command(who)).await.unwrap();
                }
            }
            let view = CourseView::load(&kurso, &viewer, id, Right::Read).await.unwrap();
            if id != course {
                let due = json!({"group_id": group, "page_id": view.tree.pages[0].id, "due_at": "2027-01-01"});
                overrides::set(&kurso, &viewer, id, command(due)).await.unwrap();
                overridden = Some(Overridden {
                    course: id,
                    group,
                    lesson: view.tree.lessons[0].id,
                });
            }
            let quizzes = view
                .tree
                .pages
                .iter()
                .filter(|page| page.kind == Quiz)
                .map(|page| page.id);
            for (n, page) in quizzes.enumerate() {
                let mut quiz = exam::exam("after_submit");
                let files = json!({"type": "file_upload", "prompt": "?", "points": 0});
                quiz["questions"].as_array_mut().unwrap().push(files);
                kurso.set_quiz(page, &quiz).await;
                let often = if n == 0 && id == course { size } else { 1 };
                for _ in 0..often {
                    exam::submit(&kurso, &viewer, own, page).await;
                }
                // An attempt is running at all but the first.
                if n > 0 {
                    quiz["time_limit_seconds"] = json!(3600);
                    kurso.set_quiz(page, &quiz).await;
                    attempts::running::start(&kurso, &viewer, page).await.unwrap();
                }
            }
            for page in view.tree.pages.iter().filter(|page| page.kind == Assignment) {
                learners::hand_in(&kurso, &viewer, page.id).await;
            }
            for _ in 0..if id == course { size } else { 1 } {
                let spare = page::create(&kurso, &viewer, view.tree.lessons[0].id, command(json!({})))
                    .await
                    .unwrap();
                page::delete(&kurso, &viewer, spare.id).await.unwrap();
            }
            let first = view.tree.pages[0].id;
            learning::mark_page_visited(&kurso, &viewer, first).await.unwrap();
            communication::threads(&kurso, &viewer, first, if id == course { size } else { 1 }).await;
            let asked = communication::questions(&kurso, &viewer, first, if id == course { size } else { 1 }).await;
            communication::keep(
                &kurso,
                &viewer,
                view.tree.pages[1].id,
                if id == course { size } else { 1 },
            )
            .await;
            if id == course {
                discussion = Some(asked);
            }
            if id == course {
                enrollment = Some(own);
                content::team(&kurso, id, &people).await;
                learners::grades(&kurso, &viewer, id, own, size).await;
                content::history(&kurso, first, viewer.id(), size).await;
            }
        }
        sql!("UPDATE courses SET ends_at = $1", kurso.clock.now())
            .execute(&kurso.db)
            .await
            .unwrap();
        // Gives every page a version 1.
        sql!("UPDATE pages SET version = 1").execute(&kurso.db).await.unwrap();
        content::changed(&kurso).await;
        let tree = CourseView::load(&kurso, &viewer, course, Right::Read)
            .await
            .unwrap()
            .tree;
        let quiz = tree.pages.iter().find(|page| page.kind == Quiz).unwrap().id;
        let answer = learners::graded_answer(&kurso, &viewer, course).await;
        let draft = content::regrades(&kurso, &viewer, course, quiz, size).await;
        let snapshot = content::snapshots(&kurso, &viewer, course, tree.modules[0].id, size).await;
        communication::notices(
            &kurso,
            &viewer,
            (course, tree.pages[0].id),
            enrollment.unwrap(),
            &people,
            size,
        )
        .await;
        let announcement = communication::announcements(&kurso, &viewer, course, size).await;
        let item = own::belongings(&kurso, viewer.id(), size).await;
        let bank = own::bank(&kurso, &viewer, &people, size).await;
        let import = content::imports(&kurso, viewer.id(), course, size).await;
        communication::devices(&kurso, &viewer, size).await;
        learners::practice(&kurso).await;
        let certificate = learners::certificates(&kurso, &viewer, course, &people).await;
        let notice_token = communication::notice_preferences(&kurso, &viewer, course).await;
        World {
            share_code,
            token: kurso.token("head@example.com").await,
            course,
            module: tree.modules[0].id,
            lesson: tree.lessons[0].id,
            quiz,
            answer,
            snapshot,
            announcement,
            certificate,
            discussion: discussion.unwrap(),
            draft,
            enrollment: enrollment.unwrap(),
            item,
            bank,
            import,
            notice_token,
            overridden: overridden.unwrap(),
            viewer,
            kurso,
        }
    }
}

/// A request with its data.
pub fn request(world: &World, viewer: Viewer, document: &str) -> async_graphql::Request {
    async_graphql::Request::new(document)
        .data(Arc::clone(&world.kurso.kurso))
        .data(crate::context::Caller(Some(viewer)))
}
