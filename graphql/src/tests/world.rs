//! Test data of a given size: the number of courses, modules, lessons, pages, students, attempts, items and users.

use std::sync::Arc;

use kurso_base::email::Email;
use kurso_base::ids::{
    AnnouncementId, AttemptId, BankId, BankQuestionId, CourseId, DiscussionId, EnrollmentId, GroupId, InvitationId,
    ItemId, JobId, LessonId, ModuleId, PageId, SessionId, SnapshotId, UserId,
};
use kurso_base::messages::Lang;
use kurso_base::page_draft_entries::{PageDraftEntries, PageDraftEntry};
use kurso_core::access::{Right, Viewer};
use kurso_core::assessments::{self, AnswerId};
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::banks::{self, MemberRole, ShareBank};
use kurso_core::comments;
use kurso_core::courses::tree::PageKind::{self, Assignment, Content, Quiz};
use kurso_core::courses::{groups, module, overrides, page};
use kurso_core::discussions;
use kurso_core::gradebook;
use kurso_core::learning::view::CourseView;
use kurso_core::notice_mails::preferences::{self, SetNoticeSettings};
use kurso_core::notice_mails::unsubscribe;
use kurso_core::notices::{Kind, NoticeMail};
use kurso_core::regrades::{self, PastAttempts, Plan};
use kurso_core::snapshots;
use kurso_core::testing::{Backend, TestKurso, command, exam, submission};
use kurso_core::{courses, learning};
use kurso_db::sql;
use kurso_formats::quiz::WorkDraft;
use serde_json::{Value, json};
use uuid::Uuid;

pub struct World {
    pub kurso: TestKurso,
    /// Owner and learner of every course, and a superuser.
    pub viewer: Viewer,
    pub token: String,
    /// The large course and its first module, lesson and quiz.
    pub course: CourseId,
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
        let people = people(&kurso, size).await;
        let pages = [vec![Content; size], vec![Quiz; size], vec![Assignment; size]].concat();
        let course = course(&kurso, &viewer, &pages, size).await;
        for _ in 1..size {
            kurso.course(&viewer, &[&[&[Content, Quiz]]]).await;
        }
        for _ in 0..size {
            let deleted = kurso.course(&viewer, &[&[&[Content]]]).await;
            courses::course::delete(&kurso, &viewer, deleted).await.unwrap();
        }
        let mine: Vec<(CourseId,)> = sql!("SELECT id FROM courses").fetch_all(&kurso.db).await.unwrap();
        let (mut enrollment, mut overridden, mut discussion) = (None, None, None);
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
                hand_in(&kurso, &viewer, page.id).await;
            }
            for _ in 0..if id == course { size } else { 1 } {
                let spare = page::create(&kurso, &viewer, view.tree.lessons[0].id, command(json!({})))
                    .await
                    .unwrap();
                page::delete(&kurso, &viewer, spare.id).await.unwrap();
            }
            let first = view.tree.pages[0].id;
            learning::mark_page_visited(&kurso, &viewer, first).await.unwrap();
            threads(&kurso, &viewer, first, if id == course { size } else { 1 }).await;
            let asked = questions(&kurso, &viewer, first, if id == course { size } else { 1 }).await;
            if id == course {
                discussion = Some(asked);
            }
            if id == course {
                enrollment = Some(own);
                team(&kurso, id, &people).await;
                grades(&kurso, &viewer, id, own, size).await;
                history(&kurso, first, viewer.id(), size).await;
            }
        }
        sql!("UPDATE courses SET ends_at = $1", kurso.clock.now())
            .execute(&kurso.db)
            .await
            .unwrap();
        // Gives every page a version 1.
        sql!("UPDATE pages SET version = 1").execute(&kurso.db).await.unwrap();
        changed(&kurso).await;
        let tree = CourseView::load(&kurso, &viewer, course, Right::Read)
            .await
            .unwrap()
            .tree;
        let quiz = tree.pages.iter().find(|page| page.kind == Quiz).unwrap().id;
        let answer = graded_answer(&kurso, &viewer, course).await;
        let draft = regrades(&kurso, &viewer, course, quiz, size).await;
        let snapshot = snapshots(&kurso, &viewer, course, tree.modules[0].id, size).await;
        notices(
            &kurso,
            &viewer,
            (course, tree.pages[0].id),
            enrollment.unwrap(),
            &people,
            size,
        )
        .await;
        let announcement = announcements(&kurso, &viewer, course, size).await;
        let item = belongings(&kurso, viewer.id(), size).await;
        let bank = bank(&kurso, &viewer, &people, size).await;
        let import = imports(&kurso, viewer.id(), course, size).await;
        let notice_token = notice_preferences(&kurso, &viewer, course).await;
        World {
            token: kurso.token("head@example.com").await,
            course,
            module: tree.modules[0].id,
            lesson: tree.lessons[0].id,
            quiz,
            answer,
            snapshot,
            announcement,
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

/// Stores quiet hours and a notice choice for the course. Returns the unsubscribe token of a notice mail.
async fn notice_preferences(kurso: &TestKurso, viewer: &Viewer, course: CourseId) -> String {
    let hours = json!({"time_zone": "UTC", "quiet_hours": {"from": "22:00", "until": "07:00"}});
    let settings = SetNoticeSettings {
        language: Lang::Ru,
        time_zone: command(hours["time_zone"].clone()),
        quiet_hours: command(hours["quiet_hours"].clone()),
    };
    preferences::set_settings(kurso, viewer, settings).await.unwrap();
    let choice = preferences::ChooseNotices {
        course_id: Some(course),
        kind: Kind::Graded,
        in_app: true,
        mail: NoticeMail::Daily,
    };
    preferences::choose(kurso, viewer, choice).await.unwrap();
    unsubscribe::token_of(kurso, viewer.id(), &[Kind::Graded], Some(course))
        .await
        .unwrap()
}

/// Announcements to all learners and to each group, scheduled ones too. Returns one of them.
async fn announcements(kurso: &TestKurso, viewer: &Viewer, course: CourseId, size: usize) -> AnnouncementId {
    let content = json!({"type": "doc", "content": [{"type": "paragraph"}]});
    let groups = groups::list(kurso, viewer, course).await.unwrap();
    let mut made = vec![];
    for n in 0..2 * size {
        let group = groups.get(n).map(|group| group.id);
        let at = (n % 2 == 1).then_some("2099-01-01T00:00:00Z");
        let new = json!({"title": "x", "content": content, "group_id": group, "publish_at": at, "is_pinned": n == 0});
        let new = kurso_core::announcements::create(kurso, viewer, course, command(new)).await;
        made.push(new.unwrap().id);
    }
    made[0]
}

/// Threads of comments on a page: each with `size` comments that mention their author, and with a suggestion.
async fn threads(kurso: &TestKurso, viewer: &Viewer, page: PageId, size: usize) {
    let text = format!("@[head](user:{})", viewer.id());
    for n in 0..size {
        let new = json!({"text": text, "version": 1, "block": 0, "suggestion": []});
        let thread = comments::start(kurso, viewer, page, command(new)).await.unwrap();
        for _ in 1..size {
            let text = command(json!(text));
            comments::add(kurso, viewer, thread.id, text).await.unwrap();
        }
        if n > 0 {
            comments::resolve(kurso, viewer, thread.id).await.unwrap();
        }
    }
}

/// Questions under a page, at its first block: each with `size` answers, which the viewer reported. Returns one.
async fn questions(kurso: &TestKurso, viewer: &Viewer, page: PageId, size: usize) -> DiscussionId {
    let text = |text: &str| json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]});
    let mut last = None;
    for _ in 0..size {
        let new = json!({"body": text("Why?"), "version": 1, "block": 0});
        let asked = discussions::start(kurso, viewer, page, command(new)).await.unwrap();
        for _ in 0..size {
            let answer = json!({"body": text("So")});
            discussions::reply(kurso, viewer, asked.id, command(answer))
                .await
                .unwrap();
        }
        last = Some(asked.id);
    }
    // The viewer has written all of it, and nobody reports their own posts.
    sql!(
        "INSERT INTO discussion_reports (post_id, user_id, reason, reported_at) SELECT r.id, $1, 'x', $2 FROM discussion_posts r
         JOIN discussions d ON d.id = r.discussion_id WHERE d.page_id = $3",
        viewer.id(),
        kurso.clock.now(),
        page
    )
    .execute(&kurso.db)
    .await
    .unwrap();
    last.unwrap()
}

/// A course with `size` modules, `size` lessons in the first module, and the pages in the first lesson.
async fn course(kurso: &TestKurso, owner: &Viewer, pages: &[PageKind], size: usize) -> CourseId {
    let small: &[PageKind] = &[Content];
    let lessons = [&[pages][..], &vec![small; size - 1][..]].concat();
    let module: &[&[PageKind]] = &[small];
    let modules = [&[&lessons[..]][..], &vec![module; size - 1][..]].concat();
    kurso.course(owner, &modules).await
}

async fn people(kurso: &TestKurso, size: usize) -> Vec<Viewer> {
    let mut people = Vec::new();
    for n in 0..size {
        let mut person = Viewer {
            user: kurso.account(&format!("person{n}"), false).await,
            session: SessionId::new(),
        };
        person.user.full_name = None;
        people.push(person);
    }
    people
}

async fn graded_answer(kurso: &TestKurso, viewer: &Viewer, course: CourseId) -> AnswerId {
    let first = sql!(
        "SELECT attempt_id, question_id FROM open_answers WHERE course_id = $1 AND question_id = $2 ORDER BY attempt_id LIMIT 1",
        course,
        exam::ESSAY
    );
    let (attempt, question) = first.fetch_one::<(AttemptId, Uuid)>(&kurso.db).await.unwrap();
    let id = AnswerId { attempt, question };
    let marks = json!([{"criterion_id": exam::CRITERION, "level_id": exam::LEVEL}]);
    let pins = json!([{"start": 0, "end": 1, "comment": "Here"}]);
    let body = command(json!({"version": 0, "marks": marks, "pins": pins, "comment": "Good"}));
    assessments::assess(kurso, viewer, id, body).await.unwrap();
    id
}

/// Hands in work for an assignment, and saves a draft of the next version.
async fn hand_in(kurso: &TestKurso, viewer: &Viewer, page: PageId) {
    let shown = attempts::for_learner(kurso, None, &[page]).await.unwrap();
    let body = json!({"answers": exam::answers(&shown[&page].quiz, true)});
    attempts::submit(kurso, viewer, page, submission(&body)).await.unwrap();
    let draft = WorkDraft::read(&json!({"version": 0, "content": "So far"})).unwrap();
    attempts::save_draft(kurso, viewer, page, draft).await.unwrap();
}

async fn team(kurso: &TestKurso, course: CourseId, people: &[Viewer]) {
    let now = kurso.clock.now();
    for person in people {
        let email = format!("invited.{}", person.user.email);
        kurso.collaborator(course, person, "editor").await;
        sql!(
            "INSERT INTO invitations (id, course_id, email, email_key, role, created_at, expires_at)
             VALUES ($1, $2, $3, $3, 'teacher', $4, $4)",
            InvitationId::new(),
            course,
            email,
            now
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
}

/// Categories of the gradebook, and decisions on the grade of the course.
async fn grades(kurso: &TestKurso, owner: &Viewer, course: CourseId, student: EnrollmentId, size: usize) {
    for version in 0..size {
        let category = command(json!({"title": "Категория"}));
        gradebook::create_category(kurso, owner, course, category)
            .await
            .unwrap();
        let decision =
            json!({"page_id": null, "version": version, "kind": "override", "points": "70", "reason": "Проект"});
        gradebook::decide(kurso, owner, student, command(decision))
            .await
            .unwrap();
    }
}

/// Regrades the attempts at a quiz `size` times, and saves another draft of it.
async fn regrades(kurso: &TestKurso, owner: &Viewer, course: CourseId, page: PageId, size: usize) -> (i64, i64) {
    let mut plan = None;
    for points in 2..=size + 2 {
        if let Some(plan) = plan.take() {
            regrades::publish(kurso, owner, course, &plan, page::Importance::default(), None)
                .await
                .unwrap();
        }
        let stored = page::get(kurso, owner, page).await.unwrap();
        let mut quiz: Value = serde_json::from_str(&stored.quiz.unwrap()).unwrap();
        quiz["questions"][0]["points"] = json!(points);
        // Its picture is not stored.
        let questions = quiz["questions"].as_array_mut().unwrap();
        questions.retain(|question| question["type"] != "hotspot");
        let body = command(json!({"draft": true, "quiz": quiz}));
        let draft = page::update(kurso, owner, page, None, body).await.unwrap();
        let entry = PageDraftEntry {
            page_id: page,
            version: draft.version,
            page_version: stored.version,
        };
        plan = Some(Plan {
            pages: PageDraftEntries(vec![entry]),
            past_attempts: Some(PastAttempts::Regrade),
            removed_questions: None,
        });
    }
    let entry = &plan.unwrap().pages.0[0];
    (entry.version, entry.page_version)
}

/// Records notices of the viewer: a changed page, and a learner who completed the course.
async fn notices(
    kurso: &TestKurso,
    viewer: &Viewer,
    (course, page): (CourseId, PageId),
    enrollment: EnrollmentId,
    people: &[Viewer],
    size: usize,
) {
    for n in 0..size {
        let subject = if n == 0 { enrollment.0 } else { Uuid::now_v7() };
        sql!(
            "INSERT INTO notices (id, user_id, kind, subject, course_id, page_id, actor_id, happened_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            Uuid::now_v7(),
            viewer.id(),
            if n == 0 { "course_completed" } else { "important_change" },
            subject,
            course,
            page,
            people[0].id(),
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
}

/// Takes `size` snapshots, and changes the course.
async fn snapshots(kurso: &TestKurso, owner: &Viewer, course: CourseId, module: ModuleId, size: usize) -> SnapshotId {
    let mut last = None;
    for n in 0..size {
        let name = command(json!({"name": n.to_string()}));
        last = Some(snapshots::take(kurso, owner, course, name).await.unwrap().id);
    }
    module::update(kurso, owner, module, command(json!({"title": "Иначе"})))
        .await
        .unwrap();
    last.unwrap()
}

async fn history(kurso: &TestKurso, page: PageId, editor: UserId, size: usize) {
    for version in 1..=size {
        let version = i64::try_from(version).unwrap();
        sql!(
            "INSERT INTO page_versions (page_id, version, title, content, editor_id, started_at, saved_at)
             SELECT page_id, $2, 'Было', content, $3, $4, $4 FROM page_contents WHERE page_id = $1",
            page,
            version,
            editor,
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    sql!(
        "INSERT INTO page_drafts (page_id, title, content, quiz, version, base_version, editor_id, created_at, saved_at)
         SELECT page_id, 'Будет', content, quiz, $2, 1, $3, $4, $4 FROM page_contents WHERE page_id = $1",
        page,
        i64::try_from(size).unwrap() + 1,
        editor,
        kurso.clock.now()
    )
    .execute(&kurso.db)
    .await
    .unwrap();
}

/// Changes every page that was visited since, with what was read in its history.
async fn changed(kurso: &TestKurso) {
    for change in [
        "INSERT INTO page_versions (page_id, version, title, content, started_at, saved_at)
         SELECT c.page_id, 1, 'Было', c.content, $1, $1 FROM page_contents c WHERE c.page_id IN (SELECT page_id FROM visits)
         ON CONFLICT (page_id, version) DO NOTHING",
        "UPDATE page_versions SET published_at = $1 WHERE version = 1 AND page_id IN (SELECT page_id FROM visits)",
        "UPDATE pages SET version = 2, important_version = 2, important_at = $1 WHERE id IN (SELECT page_id FROM visits)",
    ] {
        sql!(change, kurso.clock.now()).execute(&kurso.db).await.unwrap();
    }
    let place =
        json!({"page": PageId::new(), "version": 1, "block": 3, "part": 500, "heading": "a", "at": kurso.clock.now()});
    sql!("UPDATE enrollments SET reading_place = $1", place.to_string())
        .execute(&kurso.db)
        .await
        .unwrap();
    sql!("UPDATE visits SET read_version = 1")
        .execute(&kurso.db)
        .await
        .unwrap();
}

async fn belongings(kurso: &TestKurso, owner: UserId, size: usize) -> ItemId {
    let now = kurso.clock.now();
    let mut item = ItemId::new();
    for _ in 0..size {
        item = ItemId::new();
        sql!(
            "INSERT INTO items (id, owner_id, title, created_at) VALUES ($1, $2, 'Вещь', $3)",
            item,
            owner,
            now
        )
        .execute(&kurso.db)
        .await
        .unwrap();
        sql!(
            "INSERT INTO sessions (id, user_id, device, created_at, last_seen_at, expires_at) VALUES ($1, $2, '', $3, $3, $4)",
            Uuid::now_v7(),
            owner,
            now,
            now + chrono::Duration::days(8)
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    item
}

/// Banks with `size` questions, each with `size` tags and earlier versions, and with `size` members.
async fn bank(kurso: &TestKurso, owner: &Viewer, people: &[Viewer], size: usize) -> (BankId, BankQuestionId) {
    let mut first = None;
    for _ in 0..size {
        let bank = banks::create(kurso, owner, command(json!({"title": "Банк"})))
            .await
            .unwrap()
            .id;
        let tags: Vec<String> = (0..size.min(20)).map(|n| n.to_string()).collect();
        let question = json!({"question": {"type": "numeric", "prompt": "?", "value": 1}, "tags": tags});
        let new = command(json!({"questions": vec![question; size]}));
        let (added, _) = banks::add_questions(kurso, owner, bank, new).await.unwrap();
        for question in &added {
            let change = json!({"version": 1, "question": {"type": "numeric", "prompt": "!", "value": 1}});
            banks::update_question(kurso, owner, question.id, command(change))
                .await
                .unwrap();
        }
        for person in people {
            let email = Email::parse(&person.user.email).unwrap();
            let with = ShareBank {
                email,
                role: MemberRole::Editor,
            };
            banks::share(kurso, owner, &Origin::default(), bank, with)
                .await
                .unwrap();
        }
        first.get_or_insert((bank, added[0].id));
    }
    first.unwrap()
}

/// Imports that were read, each with `size` modules, report lines, deleted pages and changed dates.
async fn imports(kurso: &TestKurso, owner: UserId, course: CourseId, size: usize) -> JobId {
    let going = json!({"page": PageId::new(), "lost": {"visits": 1, "attempts": 1}});
    let goes = json!({"page": going["page"], "change": "goes", "module": "Модуль", "lesson": "Урок", "title": null, "number": 1});
    let date = json!({"part": "page", "title": null, "number": 1, "field": "due_at", "before": null, "after": kurso.clock.now()});
    let changes = json!({"course": course, "stays": 0, "changed": 0, "new": 0, "goes": size, "omitted": 0,
        "pages": vec![goes; size], "going": vec![going; size], "dates": vec![date; size], "omitted_dates": 0});
    let page = json!({"title": "Страница", "questions": 1, "published": true});
    let module = json!({"title": "Модуль", "lessons": vec![json!({"title": "Урок", "pages": vec![page; size]}); size]});
    let text = ("вопрос", "так не бывает");
    let line = json!({"where": "a.gift:1", "outcome": "changed", "en": text, "ru": text});
    let counts = json!({"modules": 1, "lessons": 1, "pages": 1, "questions": 1, "files": 0, "code_blocks": 0,
        "images": 0, "tables": 0, "quotes": 0, "includes": 0, "comments": 0});
    let summary = json!({"title": "Курс", "description": null, "counts": counts,
        "outcomes": {"carried": 0, "changed": size, "not_carried": 0}});
    let mut import = JobId::new();
    for _ in 0..size {
        import = JobId::new();
        let payload = json!({"filename": "a.zip", "format": null, "into": {"mode": "update", "course_id": course},
            "new_course": CourseId::new(), "storing": false, "straight": false, "compared": course});
        sql!(
            "INSERT INTO jobs (id, kind, owner_id, state, payload, summary, tree, report, wanted_at, created_at, updated_at)
             VALUES ($1, 'import', $2, 'ready', $3, $4, $5, $6, $7, $7, $7)",
            import,
            owner,
            payload.to_string(),
            summary.to_string(),
            json!({"modules": vec![&module; size], "omitted": 0, "changes": changes}).to_string(),
            json!(vec![&line; size]).to_string(),
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }
    import
}

/// A request with its data.
pub fn request(world: &World, viewer: Viewer, document: &str) -> async_graphql::Request {
    async_graphql::Request::new(document)
        .data(Arc::clone(&world.kurso.kurso))
        .data(crate::context::Caller(Some(viewer)))
}
