//! The users and the course on which every operation is called.

use std::collections::BTreeMap;

use kurso_base::ids::{BankId, BankQuestionId, CertificateId, CourseId, JobId, RegradeId};
use kurso_base::messages::Lang;
use kurso_base::values::{PushEndpoint, PushKey};
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::calendar::feed;
use kurso_core::courses::tree::PageKind::Content;
use kurso_core::courses::{self, groups, overrides, page, visibility};
use kurso_core::learning::view::CourseView;
use kurso_core::notice_mails::unsubscribe;
use kurso_core::notices::Kind;
use kurso_core::push::{self, devices::AddDevice};
use kurso_core::testing::{TestKurso, command, submission};
use kurso_core::{
    announcements, attempts, banks, certificates, comments, discussions, gradebook, items, learning, notes, snapshots,
    trash,
};
use kurso_db::sql;
use serde_json::json;
use uuid::Uuid;

use super::table::{BROWSER_KEY, USERS};
use crate::files::store;
use crate::support::{Persona, Server};

/// The users of one course, in the order of [`USERS`] from the second on.
pub struct Users {
    pub viewers: Vec<Viewer>,
}

impl Users {
    pub async fn create(kurso: &TestKurso, n: usize) -> Self {
        let mut viewers = Vec::new();
        for name in &USERS[1..7] {
            viewers.push(kurso.person(&format!("{name}{n}")).await);
        }
        viewers.push(kurso.superuser(&format!("superuser{n}")).await);
        let mut guest = kurso.person(&format!("guest{n}")).await;
        guest.user.is_guest = true;
        let is_guest = sql!("UPDATE users SET is_guest = TRUE WHERE id = $1", guest.id());
        is_guest.execute(&kurso.db).await.unwrap();
        viewers.push(guest);
        Users { viewers }
    }

    pub fn owner(&self) -> &Viewer {
        &self.viewers[5]
    }

    pub fn persona<'a>(&self, server: &'a Server, who: usize) -> Persona<'a> {
        match who.checked_sub(1) {
            None => server.anonymous(),
            Some(at) => server.viewer(&self.viewers[at]),
        }
    }
}

/// The essay question of the fixture.
const QUESTION: &str = "0198f000-0000-7000-8000-0000000000e1";

/// The question of the fixture that is answered with files.
pub const UPLOAD_QUESTION: &str = "0198f000-0000-7000-8000-0000000000e2";

/// The question that the learner did not answer, and practises.
pub const MISSED_QUESTION: &str = "0198f000-0000-7000-8000-0000000000e4";

/// The question of the quiz with a time limit, which is checked question by question.
pub const TIMED_QUESTION: &str = "0198f000-0000-7000-8000-0000000000e3";

/// Creates a new course, and returns the values of the names in paths and bodies.
pub async fn fixture(kurso: &TestKurso, users: &Users, n: usize) -> BTreeMap<&'static str, String> {
    let owner = users.owner();
    let course = kurso.course(owner, &[&[&[Content]]]).await;
    let view = CourseView::load(kurso, owner, course, Right::Edit).await.unwrap();
    let (module, lesson, page) = (view.module(0).id, view.lesson(0).id, view.page(0).id);
    let quiz = json!({"kind": "quiz", "quiz": {"reveal": "after_submit", "questions": [
        {"type": "numeric", "prompt": "2 + 2?", "value": 4, "id": MISSED_QUESTION}, {"type": "essay", "prompt": "Why?", "points": 0, "id": QUESTION},
        {"type": "file_upload", "prompt": "Where?", "points": 0, "id": UPLOAD_QUESTION},
    ]}});
    let quiz = page::create(kurso, owner, lesson, command(&quiz)).await.unwrap();
    let assignment = page::create(kurso, owner, lesson, command(json!({"kind": "assignment"})))
        .await
        .unwrap();
    let timed = json!({"kind": "quiz", "quiz": {"time_limit_seconds": 600, "checking": "each_question", "questions": [
        {"id": TIMED_QUESTION, "type": "numeric", "prompt": "3 + 3?", "value": 6},
    ]}});
    let timed = page::create(kurso, owner, lesson, command(&timed)).await.unwrap();
    let drafted = page::create(kurso, owner, lesson, command(json!({"title": "x"})))
        .await
        .unwrap();
    let draft = command(json!({"draft": true, "title": "y"}));
    let draft = page::update(kurso, owner, drafted.id, None, draft).await.unwrap();
    let item = json!({"type": "taskItem", "content": [{"type": "paragraph"}]});
    let list = json!({"type": "doc", "content": [{"type": "taskList", "content": [item]}]});
    let tasks = command(json!({"title": "x", "content": list}));
    let tasks = page::create(kurso, owner, lesson, tasks).await.unwrap();
    let open = command(json!({"visibility": "link", "allows_guests": true}));
    visibility::set(kurso, owner, course, open).await.unwrap();
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    let share_code = shared.share_code.unwrap();
    let [_, learner, reviewer, teacher, editor, _, _, guest] = &users.viewers[..] else {
        panic!("eight users are expected")
    };
    learning::enroll(kurso, guest, &Origin::default(), &share_code)
        .await
        .unwrap();
    let guest_token = kurso.tokens.issue(guest.id(), guest.session, kurso.clock.now());
    let enrolled = learning::enroll(kurso, learner, &Origin::default(), &share_code)
        .await
        .unwrap();
    let essay = submission(&json!({"answers": [{"question_id": QUESTION, "content": "Because."}]}));
    let submitted = attempts::submit(kurso, learner, quiz.id, essay).await.unwrap();
    let card = sql!(
        "SELECT id FROM practice_cards WHERE page_id = $1 AND question_id = $2",
        quiz.id,
        Uuid::parse_str(MISSED_QUESTION).unwrap()
    );
    let (card,) = card.fetch_one::<(Uuid,)>(&kurso.db).await.unwrap();
    let started = attempts::running::start(kurso, learner, timed.id).await.unwrap();
    for (viewer, role) in [(teacher, "teacher"), (editor, "editor"), (reviewer, "reviewer")] {
        kurso.collaborator(course, viewer, role).await;
    }
    let group = groups::create(kurso, owner, course, command(json!({"title": "x"})))
        .await
        .unwrap();
    let longer = command(json!({"group_id": group.id, "page_id": page, "due_at": null}));
    let longer = overrides::set(kurso, owner, course, longer)
        .await
        .unwrap()
        .done()
        .unwrap();
    let category = gradebook::create_category(kurso, owner, course, command(json!({"title": "x"})));
    let (category, _) = category.await.unwrap();
    let deleted = page::create(kurso, owner, lesson, command(json!({}))).await.unwrap();
    page::delete(kurso, owner, deleted.id).await.unwrap();
    let entry = trash::of_course(kurso, owner, course).await.unwrap().remove(0).id;
    let snapshot = snapshots::take(kurso, owner, course, command(json!({"name": "x"})))
        .await
        .unwrap();
    let content = snapshots::content(kurso, owner, snapshot.id).await.unwrap();
    let changes = snapshots::Changes::to(kurso, owner, &content, None).await.unwrap();
    let regrade = regrade(kurso, course, owner).await;
    let suggestion = json!({"text": "x", "version": 1, "block": 0, "suggestion": []});
    let thread = comments::start(kurso, owner, page, command(suggestion)).await;
    let thread = thread.unwrap();
    let content = json!({"type": "doc", "content": [{"type": "paragraph"}]});
    let announcement = command(json!({"title": "x", "content": content}));
    let announcement = announcements::create(kurso, owner, course, announcement).await.unwrap();
    let question = json!({"body": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Why?"}]}]}});
    let discussion = discussions::start(kurso, owner, page, command(question)).await;
    let discussion = discussion.unwrap();
    let note = notes::create(kurso, owner, page, command(json!({"color": "green", "body": "x"}))).await;
    let note = note.unwrap();
    let (bank, bank_question) = bank(kurso, owner, [(editor, "editor"), (teacher, "viewer")]).await;
    let certificate = certificate(kurso, course, learner, owner).await;
    let item = items::create(kurso, owner, command(json!({"title": "x"})))
        .await
        .unwrap();
    let file = store(kurso, "a.png", "image/png", b"\x89PNG").await;
    let (_, feed) = feed::create(kurso, owner, Lang::Ru).await.unwrap();
    let notice_token = unsubscribe::token_of(kurso, owner.id(), &[Kind::Graded], None)
        .await
        .unwrap();
    let key = |text: &str| PushKey::parse(text).unwrap();
    let device = AddDevice {
        endpoint: PushEndpoint::parse(format!("https://fcm.googleapis.com/{n}")).unwrap(),
        p256dh: key(BROWSER_KEY),
        auth: key("BTBZMqHH6r4Tts7J_aSIgg"),
    };
    let device = push::devices::add(kurso, owner, &device).await.unwrap();
    let other = kurso.account(&format!("other{n}"), false).await;
    BTreeMap::from([
        ("course_id", course.to_string()),
        ("module_id", module.to_string()),
        ("lesson_id", lesson.to_string()),
        ("page_id", page.to_string()),
        ("quiz_page_id", quiz.id.to_string()),
        ("drafted_page_id", drafted.id.to_string()),
        ("draft_version", draft.version.to_string()),
        ("task_page_id", tasks.id.to_string()),
        ("timed_page_id", timed.id.to_string()),
        ("card_id", card.to_string()),
        ("ticket", started.attempt.ticket),
        ("assignment_page_id", assignment.id.to_string()),
        ("attempt_id", submitted.attempt.id.to_string()),
        ("question_id", QUESTION.to_owned()),
        ("version", "1".to_owned()),
        ("share_code", share_code),
        ("enrollment_id", enrolled.enrollment.unwrap().id.to_string()),
        ("group_id", group.id.to_string()),
        ("override_id", longer.id.to_string()),
        ("category_id", category.to_string()),
        ("entry_id", entry.to_string()),
        ("snapshot_id", snapshot.id.to_string()),
        ("digest", changes.digest.unwrap()),
        ("regrade_id", regrade.to_string()),
        ("thread_id", thread.id.to_string()),
        ("comment_id", thread.comments[0].id.to_string()),
        ("announcement_id", announcement.id.to_string()),
        ("discussion_id", discussion.id.to_string()),
        ("post_id", discussion.question.id.to_string()),
        ("note_id", note.id.to_string()),
        ("bank_id", bank.to_string()),
        ("bank_question_id", bank_question.to_string()),
        ("certificate_id", certificate.to_string()),
        ("item_id", item.id.to_string()),
        ("session_id", owner.session.to_string()),
        ("user_id", other.id.to_string()),
        ("email", other.email),
        ("new_email", format!("new{n}@example.com")),
        ("editor_id", editor.id().to_string()),
        ("job_id", ready_import(kurso, owner).await.to_string()),
        ("token", feed.split('/').nth_back(1).unwrap().to_owned()),
        ("notice_token", notice_token),
        ("guest_token", guest_token.unwrap()),
        ("device_id", device.id.to_string()),
        ("key", file.key),
        ("filename", "a.png".to_owned()),
    ])
}

/// The certificate of the learner, who has another name since.
async fn certificate(kurso: &TestKurso, course: CourseId, learner: &Viewer, owner: &Viewer) -> CertificateId {
    let on = command(json!({"is_on": true}));
    certificates::design::set(kurso, owner, course, on).await.unwrap();
    sql!(
        "UPDATE enrollments SET completed_at = $3 WHERE course_id = $1 AND user_id = $2",
        course,
        learner.id(),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    let certificate = certificates::issue(kurso, learner, course).await.unwrap();
    sql!(
        "UPDATE certificates SET name = 'Another name' WHERE id = $1",
        certificate.id
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    certificate.id
}

/// A regrading that can be undone, of no attempt.
async fn regrade(kurso: &TestKurso, course: CourseId, by: &Viewer) -> RegradeId {
    let id = RegradeId::new();
    sql!(
        "INSERT INTO regrades (id, course_id, by_id, at, attempts, changed) VALUES ($1, $2, $3, $4, 1, 0)",
        id,
        course,
        by.id(),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    id
}

/// Creates a bank of the owner with a question, and shares it. It replaces the bank of the fixture before, because people may own 200 banks.
async fn bank(kurso: &TestKurso, owner: &Viewer, members: [(&Viewer, &'static str); 2]) -> (BankId, BankQuestionId) {
    sql!("DELETE FROM question_banks WHERE owner_id = $1", owner.id())
        .execute(&kurso.db)
        .await
        .unwrap();
    let bank = banks::create(kurso, owner, command(json!({"title": "x"})))
        .await
        .unwrap();
    let question = json!({"questions": [{"question": {"type": "numeric", "prompt": "2 + 2?", "value": 4}}]});
    let (added, _) = banks::add_questions(kurso, owner, bank.id, command(question))
        .await
        .unwrap();
    for (member, role) in members {
        sql!(
            "INSERT INTO bank_members (bank_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)",
            bank.id,
            member.id(),
            role,
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    (bank.id, added[0].id)
}

/// Creates an import of the owner that waits for confirmation.
async fn ready_import(kurso: &TestKurso, owner: &Viewer) -> JobId {
    // The number of open imports of a user is limited.
    sql!("DELETE FROM jobs WHERE owner_id = $1", owner.id())
        .execute(&kurso.db)
        .await
        .unwrap();
    let id = JobId::new();
    let payload = json!({"filename": "a.zip", "format": null, "into": {"mode": "new"}, "new_course": id,
        "storing": false, "straight": false});
    sql!(
        "INSERT INTO jobs (id, kind, owner_id, state, payload, wanted_at, created_at, updated_at)
         VALUES ($1, 'import', $2, 'ready', $3, $4, $4, $4)",
        id,
        owner.id(),
        payload.to_string(),
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    id
}
