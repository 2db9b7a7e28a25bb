//! A large gradebook: 2,000 learners and 100 quizzes.

use std::time::Instant;

use kurso_base::ids::UserId;
use kurso_db::args;

use super::*;

const LEARNERS: usize = 2_000;
const QUIZZES: usize = 100;

/// How long a page of the gradebook may take in the unoptimised build of the tests; the release build is about ten times as fast.
const ALLOWED: std::time::Duration = std::time::Duration::from_secs(3);

/// The best percent of a learner at a quiz; None without an attempt.
fn best(learner: usize, quiz: usize) -> Option<u8> {
    let percent = (learner * 31 + quiz * 17) % 120;
    (percent <= 100).then_some(percent as u8)
}

both! {
    async fn a_large_gradebook_is_read_in_few_statements_and_soon(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Quiz; QUIZZES]]]).await;
        sql!(
            "UPDATE pages SET mark_no = position, due_at = $2 WHERE course_id = $1",
            course, kurso.clock.now() - Duration::days(1)
        ).execute(&kurso.db).await.unwrap();
        sql!("UPDATE courses SET mark_nos = 100, structure_version = structure_version + 1 WHERE id = $1", course).execute(&kurso.db).await.unwrap();
        let (now, hash) = (kurso.clock.now(), "x");
        let people: Vec<(UserId, String)> = (0..LEARNERS).map(|n| (UserId::new(), format!("learner-{n:04}@example.com"))).collect();
        for some in people.chunks(500) {
            sql!("INSERT INTO users (id, email, email_key, password_hash, is_active, is_superuser, created_at) VALUES ")
                .push_rows(some, |(id, email)| args![*id, email, email, hash, true, false, now])
                .execute(&kurso.db).await.unwrap();
        }
        let rows: Vec<(usize, UserId)> = people.iter().enumerate().map(|(n, (id, _))| (n, *id)).collect();
        for some in rows.chunks(500) {
            sql!("INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at, marks, tries) VALUES ")
                .push_rows(some, |(n, user)| {
                    let tries: Vec<u8> = (0..QUIZZES).filter_map(|quiz| {
                        let summary = [&(quiz as u32).to_le_bytes()[..], &1_u32.to_le_bytes(), &[best(*n, quiz)?]].concat();
                        Some(summary)
                    }).flatten().collect();
                    args![EnrollmentId::new(), course, *user, now, now, Vec::<u8>::new(), tries]
                })
                .execute(&kurso.db).await.unwrap();
        }
        let settings = json!({"scheme": "five_point", "missing_counts_as_zero": true});
        gradebook::update_settings(&kurso, &owner, course, command(settings)).await.unwrap();
        let setup = gradebook::setup(&kurso, &owner, course).await.unwrap();
        for (n, weight) in ["20", "30", "50"].iter().enumerate() {
            let new = json!({"title": format!("К{n}"), "weight": weight, "drop_lowest": 2});
            let (category, _) = gradebook::create_category(&kurso, &owner, course, command(new)).await.unwrap();
            let pages: Vec<PageId> = setup.items.iter().skip(n).step_by(3).map(|item| item.page_id).collect();
            let set = json!({"page_ids": pages, "category_id": category, "points": format!("{}", 10 * (n + 1))});
            gradebook::set_items(&kurso, &owner, course, command(set)).await.unwrap();
        }
        for sort in ["full_name", "-total"] {
            let query = query("", GroupFilter::All, sort);
            let mut took = vec![];
            for _ in 0..3 {
                let (before, started) = (kurso.db.statements(), Instant::now());
                let book = gradebook::gradebook(&kurso, &owner, course, &query, Page::new(0, 100)).await.unwrap();
                took.push(started.elapsed());
                assert!(kurso.db.statements() - before <= 12);
                assert_eq!((book.rows.count, book.rows.data.len()), (LEARNERS as i64, 100));
                for row in &book.rows.data {
                    let n: usize = row.email[8..12].parse().unwrap();
                    let expected: Vec<_> = (0..QUIZZES).map(|quiz| best(n, quiz).map(|best| i64::from(best) * 100)).collect();
                    assert_eq!(row.grades.cells.0.iter().map(|cell| cell.automatic).collect::<Vec<_>>(), expected);
                }
                assert!(book.rows.data.is_sorted_by_key(|row| if sort == "-total" { -row.grades.total.percent.unwrap() } else { 0 }));
            }
            eprintln!("{} learners by {sort} on {}: {took:?}", LEARNERS, kurso.db.name());
            assert!(took.iter().min().unwrap() < &ALLOWED, "{took:?}");
        }
    }
}
