//! What becomes of discussions with their pages, courses and people.

use kurso_core::courses::duplicate;
use kurso_core::courses::team;
use kurso_core::{announcements, comments, notes, trash, users};
use kurso_db::references::Catalogue;

use super::*;

impl World {
    async fn restored(&self) {
        let entry = trash::of_course(&self.kurso, &self.owner, self.course)
            .await
            .unwrap()
            .remove(0);
        let restored = trash::restore(&self.kurso, &self.owner, entry.id, command(json!({})));
        restored.await.unwrap();
    }
}

both! {
    async fn a_deleted_page_gets_its_questions_back(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.start(&world.anna, json!({"version": 2, "block": 1})).await.unwrap();
        world.reply(&world.boris, asked.id, "So").await.unwrap();
        let before = world.get(&world.vera, asked.id).await.unwrap();
        page::delete(&world.kurso, &world.owner, world.page).await.unwrap();
        assert!(is_missing(&world.get(&world.vera, asked.id).await));
        world.restored().await;
        assert_eq!(world.get(&world.vera, asked.id).await.unwrap(), before);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn copies_have_the_settings_and_no_questions(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.ask(&world.anna).await;
        world.set(json!({"allows_anonymous": true, "words": ["spam"]})).await;
        let off = command(json!({"is_on": false}));
        discussions::set_page(&world.kurso, &world.owner, world.other, off).await.unwrap();
        let copy = duplicate::course(&world.kurso, &world.owner, world.course, command(json!({}))).await.unwrap();
        let settings = discussions::settings(&world.kurso, &world.owner, copy.id).await.unwrap();
        assert_eq!(settings, discussions::settings(&world.kurso, &world.owner, world.course).await.unwrap());
        let view = CourseView::load(&world.kurso, &world.owner, copy.id, Right::Edit).await.unwrap();
        let rules = [0, 1].map(|place| view.page(place).id);
        let rules = discussions::rules_of(&world.kurso.db, &rules).await.unwrap();
        assert_eq!([rules[&view.page(0).id].is_on, rules[&view.page(1).id].is_on], [true, false]);
        let all = discussions::in_course(&world.kurso, &world.owner, copy.id, DiscussionFilter::All, Page::new(0, 10));
        assert_eq!(all.await.unwrap().count, 0);
        let single = duplicate::page(&world.kurso, &world.owner, world.other).await.unwrap();
        assert!(!discussions::rules_of(&world.kurso.db, &[single.id]).await.unwrap()[&single.id].is_on);
    }

    async fn a_deleted_account_takes_its_words_along(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let alone = world.ask(&world.anna).await.id;
        world.reply(&world.anna, alone, "Anybody?").await.unwrap();
        let answered = world.ask(&world.anna).await.id;
        world.reply(&world.boris, answered, "So").await.unwrap();
        world.reply(&world.anna, answered, "Thanks").await.unwrap();
        let of_boris = world.ask(&world.boris).await.id;
        world.reply(&world.anna, of_boris, "I know").await.unwrap();
        users::delete_me(&world.kurso, &world.anna).await.unwrap();
        assert!(is_missing(&world.get(&world.teacher, alone).await));
        let left = world.get(&world.teacher, answered).await.unwrap();
        assert_eq!((left.reply_count, &left.question.author, &left.question.body), (1, &None, &None));
        let left = world.get(&world.teacher, of_boris).await.unwrap();
        assert_eq!((left.has_other_writers, left.reply_count, left.waiting_since.is_some()), (false, 0, true));
        let (words,) = sql!("SELECT COUNT(*) FROM discussion_posts WHERE body LIKE '%Thanks%' OR body LIKE '%Anybody%' OR body LIKE '%know%'")
            .fetch_one::<(i64,)>(&world.kurso.db)
            .await
            .unwrap();
        assert_eq!((words, world.problems().await), (0, vec![]));
    }

    async fn words_of_a_deleted_account_do_not_come_back_from_the_trash(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let alone = world.ask(&world.anna).await.id;
        let answered = world.ask(&world.anna).await.id;
        world.reply(&world.boris, answered, "So").await.unwrap();
        let of_boris = world.ask(&world.boris).await.id;
        world.reply(&world.anna, of_boris, "I know").await.unwrap();
        page::delete(&world.kurso, &world.owner, world.page).await.unwrap();
        users::delete_me(&world.kurso, &world.anna).await.unwrap();
        world.restored().await;
        assert!(is_missing(&world.get(&world.teacher, alone).await));
        assert_eq!(world.get(&world.teacher, answered).await.unwrap().question.body, None);
        assert_eq!(world.posts(&world.teacher, of_boris).await.len(), 1);
        assert_eq!(world.problems().await, Vec::<String>::new());
    }

    async fn a_person_reads_all_that_they_have_written(kurso: TestKurso) {
        let world = World::new(kurso).await;
        world.update(json!({"title": "Loops"})).await;
        let asked = world.ask(&world.anna).await;
        world.wait();
        let answer = world.reply(&world.teacher, asked.id, "So").await.unwrap().post.id;
        world.wait();
        let report = command(json!({"reason": "Rude"}));
        discussions::report(&world.kurso, &world.teacher, asked.question.id, report).await.unwrap();
        world.wait();
        comments::start(&world.kurso, &world.teacher, world.page, command(json!({"text": "Too short"}))).await.unwrap();
        world.wait();
        let announcement = json!({"title": "Exam", "content": body("On Friday")});
        announcements::create(&world.kurso, &world.teacher, world.course, command(announcement)).await.unwrap();
        world.wait();
        let [attempt, question] = [Uuid::now_v7(), Uuid::now_v7()];
        for (statement, by) in [
            ("INSERT INTO open_answers (attempt_id, question_id, course_id, page_id, user_id, number, max_points, submitted_at, state, version, points)
              VALUES ($1, $2, $3, $4, $5, 1, 10000, $6, 'graded', 1, 0)", &world.anna),
            ("INSERT INTO assessments (attempt_id, question_id, version, points, comment, assessed_by, assessed_at)
              SELECT $1, $2, 1, 0, 'Almost', $5, $6 FROM pages WHERE course_id = $3 AND id = $4", &world.teacher),
        ] {
            let row = sql!(statement, attempt, question, world.course, world.page, by.id(), world.kurso.clock.now());
            row.execute(&world.kurso.db).await.unwrap();
        }
        world.wait();
        let note = command(json!({"color": "green", "body": "For the exam"}));
        notes::create(&world.kurso, &world.teacher, world.page, note).await.unwrap();
        world.wait();
        world.moderate(&world.teacher, asked.question.id, json!({"action": "hide", "reason": "Off topic"})).await.unwrap();
        let texts = async |by: &Viewer, page: Page| users::texts(&world.kurso, by, page).await.unwrap();
        let all = texts(&world.teacher, Page::default()).await;
        let seen: Vec<_> = all.data.iter().map(|text| (text.kind.name(), text.text.as_deref(), text.document.clone())).collect();
        assert_eq!(seen, [
            ("answer", None, Some(body("So"))), ("report", Some("Rude"), None), ("comment", Some("Too short"), None),
            ("announcement", None, Some(body("On Friday"))), ("feedback", Some("Almost"), None), ("note", Some("For the exam"), None), ("reason", Some("Off topic"), None),
        ]);
        assert_eq!((all.count, all.data[3].title.as_deref(), all.data[3].page.as_deref()), (7, Some("Exam"), None));
        assert_eq!(all.data[0].page.as_deref(), Some("Loops"));
        let window = texts(&world.teacher, Page::new(4, 10)).await;
        assert_eq!((window.count, window.data.as_slice()), (7, &all.data[4..]));
        // The person's own texts stay; the current titles of the page and the course are withheld.
        world.update(json!({"published": false})).await;
        assert_eq!(texts(&world.anna, Page::default()).await.data[0].page, None);
        world.update(json!({"published": true})).await;
        team::leave(&world.kurso, &world.anna, world.course).await.unwrap();
        let own = texts(&world.anna, Page::default()).await;
        assert_eq!((own.count, &own.data[0].document), (1, &Some(body("Why?"))));
        assert_eq!((&own.data[0].course, &own.data[0].page), (&None, &None));
        assert_eq!(texts(&world.boris, Page::default()).await.count, 0);
        discussions::delete(&world.kurso, &world.teacher, answer).await.unwrap();
        assert_eq!(texts(&world.teacher, Page::default()).await.count, 6);
    }

    /// A table with words of people has its words in the list, or none that are to others.
    async fn every_table_with_an_author_is_known(kurso: TestKurso) {
        let mut tx = kurso.db.begin().await.unwrap();
        let catalogue = Catalogue::read(&mut tx).await.unwrap();
        let users = catalogue.table("users").unwrap();
        let mut named: Vec<String> = vec![];
        for reference in catalogue.references_to(users) {
            let table = &catalogue.tables[reference.from];
            named.extend(reference.from_columns.iter().map(|column| format!("{}.{}", table.name, table.columns[*column].name)));
        }
        named.retain(|column| column.ends_with("author_id") || column.ends_with("_by") || column.ends_with("by_id"));
        named.sort();
        let listed = [
            "announcements.author_id", "assessments.assessed_by", "certificates.revoked_by", "discussion_posts.author_id", "discussion_posts.hidden_by", "grade_decisions.decided_by",
            "page_comments.author_id",
        ];
        named.retain(|column| !listed.contains(&column.as_str()));
        // Nothing in these rows is written to others.
        let wordless = [
            "bank_question_versions.changed_by", "bank_questions.changed_by", "comment_threads.decided_by", "comment_threads.resolved_by",
            "comment_threads.started_by", "course_snapshots.taken_by", "discussion_reports.settled_by", "open_answers.opened_by", "regrades.by_id",
            "trash_entries.deleted_by",
        ];
        assert_eq!(named, wordless);
    }

    async fn pictures_are_kept_as_long_as_their_posts(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let file = world.kurso.file(world.anna.id(), "a.png", "image/png", &b"x"[..]).await;
        let picture = json!({"body": {"type": "doc", "content": [{"type": "image", "attrs": {"src": file.url()}}]}});
        let asked = world.start(&world.anna, picture).await.unwrap();
        let is_there = async || {
            kurso_core::files::cleanup::delete_unused(&world.kurso).await.unwrap();
            world.kurso.clock.advance(Duration::days(60));
            kurso_core::files::cleanup::delete_unused(&world.kurso).await.unwrap();
            let count = sql!("SELECT COUNT(*) FROM files").fetch_one::<(i64,)>(&world.kurso.db).await.unwrap();
            count.0 == 1
        };
        assert!(is_there().await);
        discussions::delete(&world.kurso, &world.anna, asked.question.id).await.unwrap();
        assert!(!is_there().await);
    }

    async fn damage_is_found(kurso: TestKurso) {
        let world = World::new(kurso).await;
        let asked = world.ask(&world.anna).await;
        world.reply(&world.boris, asked.id, "So").await.unwrap();
        for (damage, repair, problem) in [
            ("UPDATE discussions SET reply_count = 7", "UPDATE discussions SET reply_count = 1", "it has another number of answers"),
            ("UPDATE discussion_posts SET body = '{' WHERE is_opening", "UPDATE discussion_posts SET body = '{}' WHERE is_opening", "its text cannot be read"),
            ("UPDATE discussion_posts SET author_id = NULL WHERE is_opening", "DELETE FROM discussions", "its author is gone, but not its text"),
        ] {
            sql!(damage).execute(&world.kurso.db).await.unwrap();
            let problems = world.problems().await;
            assert!(problems.len() == 1 && problems[0].ends_with(problem), "{problems:?}");
            sql!(repair).execute(&world.kurso.db).await.unwrap();
        }
        assert_eq!(world.problems().await, Vec::<String>::new());
    }
}
