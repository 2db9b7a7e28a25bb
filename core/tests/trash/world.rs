//! A course with rows in every table that belongs to courses, and a database as text.

use std::collections::BTreeMap;

use futures_util::TryStreamExt as _;
use kurso_base::ids::{CourseId, EnrollmentId, LessonId, ModuleId, PageId};
use kurso_core::access::{Right, Viewer};
use kurso_core::announcements::{self, MarkRead};
use kurso_core::assessments::{self, AnswerId};
use kurso_core::attempts;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::{Assignment, Content, Quiz};
use kurso_core::courses::{self, groups, overrides, page, team};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::testing::{TestKurso, command, exam};
use kurso_core::{certificates, comments, discussions, gradebook, notes, snapshots, students, trash};
use kurso_db::Db;
use kurso_db::sql;
use kurso_db::tables::tables;
use kurso_formats::quiz::WorkDraft;
use serde_json::json;
use uuid::Uuid;

pub struct World {
    pub owner: Viewer,
    pub course: CourseId,
    /// The first two are enrolled, the third has left.
    pub learners: Vec<Viewer>,
    pub enrollments: Vec<EnrollmentId>,
    pub code: String,
    pub modules: Vec<ModuleId>,
    pub lessons: Vec<LessonId>,
    pub pages: Vec<PageId>,
}

/// The quiz, the timed quiz and the assignment among the pages of a [`World`].
pub const QUIZ: usize = 1;
pub const TIMED: usize = 2;
pub const ASSIGNMENT: usize = 3;

impl World {
    pub async fn of(kurso: &TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso
            .course(
                &owner,
                &[
                    &[&[Content, Quiz, Quiz, Assignment], &[Content]],
                    &[&[Content, Content]],
                ],
            )
            .await;
        let tree = CourseView::load(kurso, &owner, course, Right::Read).await.unwrap().tree;
        let pages: Vec<PageId> = tree.pages.iter().map(|page| page.id).collect();
        let mut quiz = exam::exam("after_submit");
        let files = json!({"type": "file_upload", "prompt": "?", "points": 0});
        quiz["questions"].as_array_mut().unwrap().push(files);
        kurso.set_quiz(pages[QUIZ], &quiz).await;
        let timed =
            json!({"time_limit_seconds": 3600, "questions": [{"type": "numeric", "prompt": "2 + 2?", "value": 4}]});
        kurso.set_quiz(pages[TIMED], &timed).await;
        let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
        let code = shared.share_code.unwrap();
        let group = groups::create(kurso, &owner, course, command(json!({"title": "А"})))
            .await
            .unwrap()
            .id;
        groups::generate_code(kurso, &owner, group).await.unwrap();
        let (mut learners, mut enrollments) = (vec![], vec![]);
        for name in ["anna", "boris", "vera"] {
            let learner = kurso.person(name).await;
            let enrolled = learning::enroll(kurso, &learner, &Origin::default(), &code)
                .await
                .unwrap();
            let enrollment = enrolled.enrollment.unwrap().id;
            let to = command(json!({"enrollment_ids": [enrollment], "group_id": group}));
            groups::move_students(kurso, &owner, course, to).await.unwrap();
            for page in [pages[0], pages[4], pages[5]] {
                mark_page_visited(kurso, &learner, page).await.unwrap();
            }
            // The submission derives the stored progress, which counts them, so they come first.
            sql!(
                "INSERT INTO extra_attempts (enrollment_id, page_id, granted) VALUES ($1, $2, 2)",
                enrollment,
                pages[QUIZ]
            )
            .execute(&kurso.db)
            .await
            .unwrap();
            exam::submit(kurso, &learner, enrollment, pages[QUIZ]).await;
            attempts::running::start(kurso, &learner, pages[TIMED]).await.unwrap();
            let draft = WorkDraft::read(&json!({"version": 0, "content": "So far"})).unwrap();
            attempts::save_draft(kurso, &learner, pages[ASSIGNMENT], draft)
                .await
                .unwrap();
            learners.push(learner);
            enrollments.push(enrollment);
        }
        for (target, dates) in [
            (
                json!({"group_id": group}),
                json!({"page_id": pages[QUIZ], "due_at": "2027-01-01"}),
            ),
            (
                json!({"enrollment_id": enrollments[0]}),
                json!({"lesson_id": tree.lessons[0].id, "due_at": "2027-02-01"}),
            ),
        ] {
            let (mut set, dates) = (target, dates);
            set.as_object_mut().unwrap().extend(dates.as_object().unwrap().clone());
            overrides::set(kurso, &owner, course, command(set)).await.unwrap();
        }
        grades(kurso, &owner, course, &pages, enrollments[0]).await;
        let world = World {
            owner,
            course,
            learners,
            enrollments,
            code,
            modules: tree.modules.iter().map(|module| module.id).collect(),
            lessons: tree.lessons.iter().map(|lesson| lesson.id).collect(),
            pages,
        };
        world.rest(kurso).await;
        team::leave(kurso, &world.learners[2], course).await.unwrap();
        world
    }

    /// Rows of the tables that the operations above do not write.
    async fn rest(&self, kurso: &TestKurso) {
        let now = kurso.clock.now();
        let run = async |sql: kurso_db::Sql<'_>| {
            sql.execute(&kurso.db).await.unwrap();
        };
        let teacher = kurso.person("teacher").await;
        kurso.collaborator(self.course, &teacher, "teacher").await;
        run(sql!(
            "INSERT INTO invitations (id, course_id, email, email_key, role, created_at, expires_at)
             VALUES ($1, $2, 'a@b.c', 'a@b.c', 'teacher', $3, $3)",
            Uuid::now_v7(),
            self.course,
            now
        ))
        .await;
        run(sql!(
            "INSERT INTO running_answers (running_id, question_id, answer, given_after) SELECT id, $1, NULL, 5 FROM running_attempts",
            Uuid::now_v7()
        ))
        .await;
        // The operations above make cards, too; this one has been practised.
        run(sql!(
            "INSERT INTO practice_cards (id, enrollment_id, page_id, question_id, quiz_version, stability, difficulty, reviews, reviewed_at, due_at,
               last_answer, last_result)
             SELECT $1, a.enrollment_id, a.page_id, $2, a.quiz_version, 1.5, 5, 2, $3, $3, NULL, NULL FROM attempts a LIMIT 1",
            Uuid::now_v7(),
            Uuid::now_v7(),
            now
        ))
        .await;
        run(sql!(
            "INSERT INTO page_versions (page_id, version, title, content, editor_id, started_at, saved_at) VALUES ($1, 1, 'Old', '{}', $2, $3, $3)",
            self.pages[0], self.owner.id(), now
        ))
        .await;
        run(sql!(
            "INSERT INTO page_drafts (page_id, title, content, version, base_version, editor_id, created_at, saved_at)
             VALUES ($1, 'Draft', '{}', 2, 1, $2, $3, $3)",
            self.pages[0],
            teacher.id(),
            now
        ))
        .await;
        let file = kurso.file(self.owner.id(), "a.png", "image/png", "png").await;
        run(sql!(
            "INSERT INTO page_files (page_id, file_id) VALUES ($1, $2)",
            self.pages[0],
            file.id
        ))
        .await;
        run(sql!(
            "UPDATE modules SET avatar_file_id = $2 WHERE id = $1",
            self.modules[0],
            file.id
        ))
        .await;
        run(sql!(
            "UPDATE page_contents SET editor_id = $2 WHERE page_id = $1",
            self.pages[0],
            teacher.id()
        ))
        .await;
        run(sql!("UPDATE files SET width = 16, height = 9 WHERE id = $1", file.id)).await;
        run(sql!(
            "INSERT INTO public_pages (course_id, visibility, cover_file_id, listed_at) VALUES ($1, 'public', $2, $3)",
            self.course,
            file.id,
            now
        ))
        .await;
        let design = command(json!({"is_on": true}));
        certificates::design::set(kurso, &self.owner, self.course, design)
            .await
            .unwrap();
        let bank = kurso.bank(&self.owner).await;
        run(sql!(
            "INSERT INTO page_banks (page_id, bank_id) VALUES ($1, $2)",
            self.pages[TIMED],
            bank
        ))
        .await;
        run(sql!(
            "INSERT INTO prerequisites (id, course_id, lesson_id, needs_lesson_id) VALUES ($1, $2, $3, $4)",
            Uuid::now_v7(),
            self.course,
            self.lessons[1],
            self.lessons[0]
        ))
        .await;
        self.notices(kurso).await;
        self.announce(kurso).await;
        self.regrade(kurso).await;
        self.comment(kurso).await;
        self.discuss(kurso).await;
        self.keep(kurso).await;
        snapshots::take(kurso, &self.owner, self.course, command(json!({"name": "Before"})))
            .await
            .unwrap();
        let first = sql!(
            "SELECT attempt_id, question_id FROM open_answers WHERE user_id = $1 AND question_id = $2",
            self.learners[0].id(),
            exam::ESSAY
        );
        let (attempt, question) = first
            .fetch_one::<(kurso_base::ids::AttemptId, Uuid)>(&kurso.db)
            .await
            .unwrap();
        let marks = json!([{"criterion_id": exam::CRITERION, "level_id": exam::LEVEL}]);
        let body = command(json!({"version": 0, "marks": marks, "comment": "Good"}));
        assessments::assess(kurso, &self.owner, AnswerId { attempt, question }, body)
            .await
            .unwrap();
    }

    /// A notice, and how its person wants to be told of others.
    async fn notices(&self, kurso: &TestKurso) {
        let notice = sql!(
            "INSERT INTO notices (id, user_id, kind, subject, course_id, page_id, actor_id, happened_at)
             VALUES ($1, $2, 'important_change', $4, $3, $4, $5, $6)",
            Uuid::now_v7(),
            self.learners[0].id(),
            self.course,
            self.pages[0],
            self.owner.id(),
            kurso.clock.now()
        );
        let choice = sql!(
            "INSERT INTO notice_choices (id, user_id, course_id, kind, in_app, mail) VALUES ($1, $2, $3, 'important_change', TRUE, 'off')",
            Uuid::now_v7(),
            self.learners[0].id(),
            self.course
        );
        for rows in [notice, choice] {
            rows.execute(&kurso.db).await.unwrap();
        }
    }

    /// An announcement with a file, which a learner has read, and a nudge.
    async fn announce(&self, kurso: &TestKurso) {
        let file = kurso.file(self.owner.id(), "plan.png", "image/png", "plan").await;
        let shown = json!({"type": "image", "attrs": {"src": file.url()}});
        let content = json!({"type": "doc", "content": [shown]});
        let new = command(json!({"title": "Plan", "content": content, "is_pinned": true}));
        let made = announcements::create(kurso, &self.owner, self.course, new)
            .await
            .unwrap();
        announcements::publish::publish_due(kurso).await.unwrap();
        let read = MarkRead {
            announcement_ids: kurso_base::values::Several(vec![made.id]),
        };
        announcements::mark_read(kurso, &self.learners[0], self.course, read)
            .await
            .unwrap();
        let nudge = command(json!({"enrollment_ids": [self.enrollments[1]], "text": "Go on"}));
        students::nudge(kurso, &self.owner, self.course, nudge).await.unwrap();
    }

    /// A regrading of all attempts, which was undone.
    async fn regrade(&self, kurso: &TestKurso) {
        let (id, now) = (Uuid::now_v7(), kurso.clock.now());
        let regrade = sql!(
            "INSERT INTO regrades (id, course_id, by_id, at, attempts, changed, undone_at) VALUES ($1, $2, $3, $4, 1, 1, $4)",
            id,
            self.course,
            self.owner.id(),
            now
        );
        let pages = sql!(
            "INSERT INTO regraded_pages (regrade_id, page_id) VALUES ($1, $2)",
            id,
            self.pages[QUIZ]
        );
        let attempts = sql!(
            "INSERT INTO regraded_attempts (regrade_id, attempt_id, page_id, user_id, is_changed, is_undone, quiz_before, quiz_after,
               results_before, results_after, score_before, score_after, max_before, max_after, percent_before, percent_after, passed_before, passed_after)
             SELECT $1, a.id, a.page_id, e.user_id, TRUE, TRUE, a.quiz_version, a.quiz_version, a.results, a.results, a.score, a.score, a.max_score,
               a.max_score, a.percent, a.percent, a.passed, a.passed FROM attempts a JOIN enrollments e ON e.id = a.enrollment_id",
            id
        );
        for rows in [regrade, pages, attempts] {
            rows.execute(&kurso.db).await.unwrap();
        }
    }

    /// A thread that mentions a teacher and whose suggestion was rejected.
    async fn comment(&self, kurso: &TestKurso) {
        let commenter = kurso.person("commenter").await;
        kurso.collaborator(self.course, &commenter, "reviewer").await;
        let text = format!("@[owner](user:{}), look", self.owner.id());
        let page = page::get(kurso, &self.owner, self.pages[0]).await.unwrap();
        let new = json!({"text": text, "version": page.version, "block": 0, "suggestion": []});
        let thread = comments::start(kurso, &commenter, self.pages[0], command(new)).await;
        let thread = thread.unwrap();
        let last = thread.comments[0].id;
        comments::mark_read(kurso, &self.owner, thread.id, last).await.unwrap();
        comments::reject(kurso, &self.owner, thread.id).await.unwrap();
    }

    /// A question with a picture, an answer of the owner that is marked and reported, and settings.
    async fn discuss(&self, kurso: &TestKurso) {
        let (page, learner) = (self.pages[0], &self.learners[0]);
        let file = kurso.file(learner.id(), "q.png", "image/png", &b"x"[..]).await;
        let body = |text: &str| {
            json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]},
            {"type": "image", "attrs": {"src": file.url()}}]})
        };
        let settings = command(json!({"is_on": true, "words": ["spam"]}));
        discussions::set(kurso, &self.owner, self.course, settings)
            .await
            .unwrap();
        let asked = discussions::start(kurso, learner, page, command(json!({"body": body("Why?")})))
            .await
            .unwrap();
        let answer = command(
            json!({"body": {"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "So"}]}]}}),
        );
        let answered = discussions::reply(kurso, &self.owner, asked.id, answer).await.unwrap();
        let answer = answered.post.id;
        let useful = command(json!({"is_useful": true}));
        discussions::mark(kurso, learner, answer, useful).await.unwrap();
        discussions::report(kurso, learner, answer, command(json!({"reason": "Wrong"})))
            .await
            .unwrap();
        let note = command(json!({"read_post_id": answer, "follows": true}));
        discussions::note(kurso, learner, asked.id, note).await.unwrap();
        let off = command(json!({"is_on": false}));
        discussions::set_page(kurso, &self.owner, self.pages[1], off)
            .await
            .unwrap();
    }

    /// A note, a bookmark and a tick of a learner.
    async fn keep(&self, kurso: &TestKurso) {
        let (page, learner) = (self.pages[0], &self.learners[0]);
        let note = command(json!({"color": "green", "body": "Read again"}));
        notes::create(kurso, learner, page, note).await.unwrap();
        let bookmark = command(json!({"is_bookmarked": true}));
        notes::set_bookmark(kurso, learner, page, bookmark).await.unwrap();
        sql!(
            "INSERT INTO task_ticks (user_id, page_id, item, number, ticked_at) VALUES ($1, $2, $3, 0, $4)",
            learner.id(),
            page,
            "0".repeat(64),
            kurso.clock.now()
        )
        .execute(&kurso.db)
        .await
        .unwrap();
    }

    /// The entries of the course.
    pub async fn entries(&self, kurso: &TestKurso) -> Vec<trash::TrashEntry> {
        trash::of_course(kurso, &self.owner, self.course).await.unwrap()
    }
}

async fn grades(kurso: &TestKurso, owner: &Viewer, course: CourseId, pages: &[PageId], student: EnrollmentId) {
    gradebook::update_settings(kurso, owner, course, command(json!({"scheme": "five_point"})))
        .await
        .unwrap();
    let category = gradebook::create_category(kurso, owner, course, command(json!({"title": "Работы"})));
    let (category, _) = category.await.unwrap();
    let items = json!({"page_ids": [pages[QUIZ]], "points": "5", "category_id": category});
    gradebook::set_items(kurso, owner, course, command(items))
        .await
        .unwrap();
    for page in [json!(pages[QUIZ]), json!(null)] {
        let decision = json!({"page_id": page, "version": 0, "kind": "override", "points": "3", "reason": "x"});
        gradebook::decide(kurso, owner, student, command(decision))
            .await
            .unwrap();
    }
}

/// Columns that a deletion with a restore changes: versions and times of the course.
const CHANGED: [&str; 2] = ["courses.structure_version", "courses.updated_at"];

/// Tables that a deletion with a restore adds to, or that belong to no course.
const OTHERS: [&str; 3] = ["audit", "jobs", "sessions"];

/// All rows by table, with the names of their columns.
pub async fn dump(db: &Db) -> BTreeMap<String, Vec<String>> {
    let mut snapshot = db.snapshot().await.unwrap();
    let mut found = BTreeMap::new();
    for table in tables(&mut snapshot).await.unwrap() {
        if OTHERS.contains(&table.name.as_str()) {
            continue;
        }
        let rows: Vec<_> = table.rows(&mut snapshot).unwrap().try_collect().await.unwrap();
        let texts = rows.into_iter().map(|row| {
            let fields = table.columns.iter().zip(row);
            let kept =
                fields.filter(|(column, _)| !CHANGED.contains(&format!("{}.{}", table.name, column.name).as_str()));
            kept.map(|(column, field)| format!("{}: {field:?}", column.name))
                .collect::<Vec<_>>()
                .join(", ")
        });
        found.insert(table.name.clone(), texts.collect());
    }
    snapshot.close().await.unwrap();
    found
}

/// Fails with the rows that only one of two databases has.
pub fn assert_same(what: &str, before: &BTreeMap<String, Vec<String>>, after: &BTreeMap<String, Vec<String>>) {
    let mut differences = String::new();
    for (table, rows) in before {
        let other = &after[table];
        for (sign, rows, others) in [("-", rows, other), ("+", other, rows)] {
            for row in rows.iter().filter(|row| !others.contains(row)) {
                differences += &format!("\n{sign} {table}: {row}");
            }
        }
    }
    assert!(differences.is_empty(), "{what}:{differences}");
}
