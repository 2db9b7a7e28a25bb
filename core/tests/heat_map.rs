//! The heat map of a course on both databases: visits and completion per page, and the hardest questions.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use kurso_base::error::Error;
use kurso_base::ids::{CourseId, EnrollmentId, PageId};
use kurso_core::access::{Right, Viewer};
use kurso_core::attempts;
use kurso_core::attempts::HardQuestion;
use kurso_core::auth::Origin;
use kurso_core::both;
use kurso_core::courses::groups::GroupFilter;
use kurso_core::courses::tree::PageKind::{self, Assignment, Content, Quiz};
use kurso_core::courses::tree::Tree;
use kurso_core::courses::{self, page};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::students::heat_map::{self, HeatMap};
use kurso_core::testing::{Dice, TestKurso, command, submission};
use kurso_db::sql;
use serde_json::{Value, json};
use uuid::Uuid;

async fn enroll(kurso: &TestKurso, owner: &Viewer, course: CourseId, learners: &[&Viewer]) {
    let shared = courses::generate_share_code(kurso, owner, course).await.unwrap();
    let code = shared.share_code.unwrap();
    for learner in learners {
        learning::enroll(kurso, learner, &Origin::default(), &code)
            .await
            .unwrap();
    }
}

async fn pages(kurso: &TestKurso, owner: &Viewer, course: CourseId) -> Vec<PageId> {
    let view = CourseView::load(kurso, owner, course, Right::Read).await.unwrap();
    view.tree.pages.iter().map(|page| page.id).collect()
}

/// The id of a question, the same in all quizzes and versions.
fn question(n: u128) -> Uuid {
    Uuid::from_u128(0x0198_f000_0000_7000_8000_0000_0000_0000 + n)
}

/// A quiz with these questions. The answer is always «да», and the third question counts double.
fn asking(numbers: &[u128]) -> Value {
    let questions = numbers.iter().map(|n| {
        json!({"id": question(*n), "type": "short_text", "prompt": format!("Вопрос {n}?"), "accepted": ["да"],
            "points": if *n == 3 { 2 } else { 1 }})
    });
    json!({"pass_percent": 60, "questions": questions.collect::<Vec<_>>()})
}

/// Submits the quiz; answers correctly the questions for which `knows` is true.
async fn take(kurso: &TestKurso, learner: &Viewer, page: PageId, knows: impl Fn(Uuid) -> bool) {
    let stored = attempts::for_author(&kurso.db, &[page])
        .await
        .unwrap()
        .remove(&page)
        .unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    let answers = stored["questions"].as_array().unwrap().iter().map(|asked| {
        let id: Uuid = asked["id"].as_str().unwrap().parse().unwrap();
        json!({"question_id": id, "text": if knows(id) { "да" } else { "нет" }})
    });
    let body = json!({"answers": answers.collect::<Vec<_>>()});
    attempts::submit(kurso, learner, page, submission(&body)).await.unwrap();
}

/// Of a page: visited, done, stopped, attempted, average and passed percent.
type Heat = (usize, usize, usize, usize, Option<usize>, Option<usize>);

/// A heat map: students, completed, not started, and its pages.
type Whole = ((usize, usize, usize), Vec<(PageId, Heat)>);

fn whole(map: &HeatMap) -> Whole {
    let shown = (0..map.tree.lessons.len()).flat_map(|lesson| map.pages_of(lesson));
    let pages = shown.map(|place| {
        let heat = map.page(place);
        let percents = (heat.average_percent(), heat.passed_percent());
        (
            map.tree.page(place).id,
            (
                heat.visited,
                heat.done,
                heat.stopped,
                heat.tried,
                percents.0,
                percents.1,
            ),
        )
    });
    ((map.students, map.completed, map.not_started), pages.collect())
}

struct Attempt {
    of: EnrollmentId,
    page: PageId,
    no: i64,
    version: i64,
    percent: i64,
    passed: bool,
    results: Vec<Value>,
}

/// All visits and attempts of the course, as stored.
struct Facts {
    enrolled: Vec<(EnrollmentId, bool)>,
    visits: BTreeSet<(EnrollmentId, PageId)>,
    attempts: Vec<Attempt>,
}

impl Facts {
    async fn read(kurso: &TestKurso) -> Self {
        let db = &kurso.db;
        let enrolled = sql!("SELECT id, completed_at IS NOT NULL FROM enrollments")
            .fetch_all(db)
            .await
            .unwrap();
        let visits = sql!("SELECT enrollment_id, page_id FROM visits")
            .fetch_all(db)
            .await
            .unwrap();
        let attempts =
            sql!("SELECT enrollment_id, page_id, attempt_no, quiz_version, percent, passed, results FROM attempts")
                .fetch_all::<(EnrollmentId, PageId, i64, i64, i64, bool, String)>(db)
                .await
                .unwrap();
        let attempt = |(of, page, no, version, percent, passed, results): (_, _, _, _, _, _, String)| Attempt {
            of,
            page,
            no,
            version,
            percent,
            passed,
            results: serde_json::from_str(&results).unwrap(),
        };
        Facts {
            enrolled,
            visits: visits.into_iter().collect(),
            attempts: attempts.into_iter().map(attempt).collect(),
        }
    }

    fn at(&self, of: EnrollmentId, page: PageId) -> impl Iterator<Item = &Attempt> {
        self.attempts.iter().filter(move |one| one.of == of && one.page == page)
    }

    fn was_at(&self, of: EnrollmentId, page: PageId) -> bool {
        self.visits.contains(&(of, page)) || self.at(of, page).next().is_some()
    }

    fn is_done(&self, of: EnrollmentId, (page, kind): (PageId, PageKind)) -> bool {
        match kind {
            Content => self.visits.contains(&(of, page)),
            Quiz | Assignment => self.at(of, page).any(|one| one.passed),
        }
    }

    /// Computes the heat map naively from visits and attempts.
    fn map(&self, tree: &Tree) -> Whole {
        let shown: Vec<_> = tree
            .pages
            .iter()
            .filter(|page| page.published)
            .map(|page| (page.id, page.kind))
            .collect();
        let all = || self.enrolled.iter().map(|(of, _)| *of);
        let has_completed = |of: EnrollmentId, noted: bool| {
            noted || (!shown.is_empty() && shown.iter().all(|page| self.is_done(of, *page)))
        };
        let open: Vec<_> = self
            .enrolled
            .iter()
            .filter(|(of, noted)| !has_completed(*of, *noted))
            .collect();
        let stops: Vec<Option<PageId>> = open
            .iter()
            .map(|(of, _)| {
                let last = shown.iter().rposition(|(page, _)| self.was_at(*of, *page))?;
                let to_do = shown.iter().position(|page| !self.is_done(*of, *page));
                let is_at_end = shown.iter().skip(last).all(|page| self.is_done(*of, *page));
                let stop = if is_at_end { to_do? } else { last };
                Some(shown[stop].0)
            })
            .collect();
        let heat = |(page, kind): (PageId, PageKind)| {
            let bests: Vec<i64> = all()
                .filter_map(|of| self.at(of, page).map(|one| one.percent).max())
                .collect();
            let tried = bests.len();
            let done = all().filter(|of| self.is_done(*of, (page, kind))).count();
            (
                page,
                (
                    all().filter(|of| self.was_at(*of, page)).count(),
                    done,
                    stops.iter().filter(|stop| **stop == Some(page)).count(),
                    tried,
                    (tried > 0).then(|| usize::try_from(bests.iter().sum::<i64>()).unwrap() / tried),
                    (tried > 0).then(|| done * 100 / tried),
                ),
            )
        };
        let not_started = stops.iter().filter(|stop| stop.is_none()).count();
        (
            (self.enrolled.len(), self.enrolled.len() - open.len(), not_started),
            shown.iter().map(|page| heat(*page)).collect(),
        )
    }

    /// The hardest questions: page, question, number of answers, average percent. `asked` holds the current questions
    /// of each published quiz.
    fn hardest(&self, asked: &BTreeMap<PageId, Vec<Uuid>>) -> Vec<(PageId, Uuid, i64, i64)> {
        let first = |page: PageId| self.attempts.iter().filter(move |one| one.page == page && one.no == 1);
        let mut found = Vec::new();
        for (page, questions) in asked {
            let last = first(*page).map(|one| one.version).max();
            let asked_last = |id: &Uuid| {
                let mut last = first(*page).filter(|one| Some(one.version) == last);
                last.any(|one| one.results.iter().any(|r| r["question_id"] == json!(id)))
            };
            for id in questions.iter().filter(|id| asked_last(id)) {
                let results = first(*page)
                    .flat_map(|one| &one.results)
                    .filter(|r| r["question_id"] == json!(id));
                let right: Vec<bool> = results.map(|r| r["correct"] == true).collect();
                let (answered, known) = (right.len(), right.iter().filter(|right| **right).count());
                let (answered, known) = (i64::try_from(answered).unwrap(), i64::try_from(known).unwrap());
                if known * 100 / answered <= 80 {
                    let expected = (known + 1) * 1_000_000 / (answered + 2);
                    found.push(((expected, Reverse(answered), *page, *id), known * 100 / answered));
                }
            }
        }
        found.sort();
        let found = found
            .into_iter()
            .map(|((_, Reverse(answered), page, id), percent)| (page, id, answered, percent));
        found.take(attempts::HARDEST).collect()
    }
}

fn summary(found: &[HardQuestion]) -> Vec<(PageId, Uuid, i64, i64)> {
    found
        .iter()
        .map(|q| (q.page_id, q.question_id, q.answered, q.average_percent))
        .collect()
}

both! {
    /// After any sequence of changes, the heat map equals the naively computed one.
    async fn the_map_matches_visits_and_attempts(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let people = [kurso.person("anna").await, kurso.person("boris").await, kurso.person("vera").await, kurso.person("galya").await];
        let learners: Vec<&Viewer> = people.iter().collect();
        let course = kurso.course(&owner, &[&[&[Content, Quiz], &[Content]], &[&[], &[Quiz, Content, Quiz]]]).await;
        enroll(&kurso, &owner, course, &learners).await;
        let all = pages(&kurso, &owner, course).await;
        for place in [1, 3, 5] {
            kurso.set_quiz(all[place], &asking(&[1, 2, 3])).await;
        }
        let mut dice = Dice::new(20_261_122);
        for (page, node) in all.iter().enumerate() {
            match page {
                1 | 3 | 5 => take(&kurso, learners[0], *node, |_| true).await,
                _ => { mark_page_visited(&kurso, learners[0], *node).await.unwrap(); }
            }
        }
        let mut seen = (0, 0);
        for step in 0..100 {
            let tree = CourseView::load(&kurso, &owner, course, Right::Edit).await.unwrap().tree;
            let Some(node) = tree.pages.get(dice.roll(tree.pages.len())) else { continue };
            let learner = learners[dice.roll(learners.len())];
            match dice.roll(16) {
                0 | 1 => {
                    let body = json!({"published": !node.published});
                    page::update(&kurso, &owner, node.id, None, command(&body)).await.unwrap();
                }
                2 if node.kind == Quiz => {
                    let asked = [&[1, 2][..], &[2, 3, 4], &[1, 2, 3]][dice.roll(3)];
                    kurso.set_quiz(node.id, &asking(asked)).await;
                }
                3 if tree.pages.len() > 6 => { page::delete(&kurso, &owner, node.id).await.unwrap(); }
                4 => {
                    let new = json!({"kind": "content", "published": true, "position": 0});
                    page::create(&kurso, &owner, tree.lesson(node.lesson).id, command(&new)).await.unwrap();
                }
                5 => {
                    let moved = json!({"lesson_id": tree.lesson(dice.roll(tree.lessons.len())).id, "position": dice.roll(3)});
                    page::update(&kurso, &owner, node.id, None, command(&moved)).await.unwrap();
                }
                6 if node.kind == Quiz => {
                    let view = learning::my_progress(&kurso, learner, course).await.unwrap();
                    let of = view.course.enrollment.unwrap().id;
                    attempts::reset(&kurso, &owner, of, node.id).await.unwrap();
                }
                7 if dice.roll(3) == 0 => {
                    courses::team::leave(&kurso, learner, course).await.unwrap();
                    enroll(&kurso, &owner, course, &[learner]).await;
                }
                8 => {
                    // Clearing stored progress forces reading the visits and attempts.
                    let column = ["marks", "tries"][dice.roll(2)];
                    let forget = ["UPDATE enrollments SET marks = NULL WHERE user_id = $1", "UPDATE enrollments SET tries = NULL WHERE user_id = $1"];
                    sql!(forget[usize::from(column == "tries")], learner.id()).execute(&kurso.db).await.unwrap();
                }
                _ if !node.published => {}
                _ if node.kind == Quiz && dice.roll(4) > 0 => {
                    let seed = dice.roll(8);
                    take(&kurso, learner, node.id, |id| seed >> (id.as_u128() % 3) & 1 == 1).await;
                }
                _ => { mark_page_visited(&kurso, learner, node.id).await.unwrap(); }
            }
            let map = heat_map::find(&kurso, &owner, course, GroupFilter::All).await.unwrap();
            let facts = Facts::read(&kurso).await;
            let found = whole(&map);
            assert_eq!(found, facts.map(&map.tree), "step {step}");
            let stopped: usize = found.1.iter().map(|(_, heat)| heat.2).sum();
            assert_eq!(map.students, map.completed + map.not_started + stopped, "step {step}");

            let quizzes: Vec<PageId> =
                map.tree.pages.iter().filter(|page| page.published && page.kind == Quiz).map(|page| page.id).collect();
            let mut asked = BTreeMap::new();
            for (id, text) in attempts::for_author(&kurso.db, &quizzes).await.unwrap() {
                let stored: Value = serde_json::from_str(&text).unwrap();
                let ids = stored["questions"].as_array().unwrap().iter().map(|q| q["id"].as_str().unwrap().parse().unwrap());
                asked.insert(id, ids.collect());
            }
            let hardest = map.hardest_questions(&kurso).await.unwrap();
            assert_eq!(summary(&hardest), facts.hardest(&asked), "step {step}");
            seen = (seen.0.max(map.completed), seen.1.max(hardest.len()));
        }
        assert!(seen.0 > 0 && seen.1 > 2, "the dice made nothing of interest: {seen:?}");
    }

    async fn the_number_of_statements_is_independent_of_class_size(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, &[&[&[Content, Quiz, Quiz], &[Content; 9]]]).await;
        let all = pages(&kurso, &owner, course).await;
        for place in [1, 2] {
            kurso.set_quiz(all[place], &asking(&[1, 2, 3])).await;
        }
        let mut costs = Vec::new();
        for names in [&["anna"][..], &["boris", "vera", "galya"]] {
            for name in names {
                let learner = kurso.person(name).await;
                enroll(&kurso, &owner, course, &[&learner]).await;
                mark_page_visited(&kurso, &learner, all[0]).await.unwrap();
                for place in [1, 2] {
                    take(&kurso, &learner, all[place], |_| false).await;
                }
            }
            pages(&kurso, &owner, course).await;
            let before = kurso.db.statements();
            let map = heat_map::find(&kurso, &owner, course, GroupFilter::All).await.unwrap();
            let after = kurso.db.statements();
            assert_eq!(map.hardest_questions(&kurso).await.unwrap().len(), 6);
            costs.push([after - before, kurso.db.statements() - after]);
        }
        assert_eq!(costs, [[2, 2], [2, 2]], "the tree is known");
        sql!("UPDATE enrollments SET marks = NULL").execute(&kurso.db).await.unwrap();
        let before = kurso.db.statements();
        heat_map::find(&kurso, &owner, course, GroupFilter::All).await.unwrap();
        assert_eq!(kurso.db.statements() - before, 3, "nobody's marks are kept");
    }

    async fn the_hardest_question_is_shown_by_its_text(kurso: TestKurso) {
        let [owner, anna] = [kurso.person("owner").await, kurso.person("anna").await];
        let course = kurso.course(&owner, &[&[&[Quiz]]]).await;
        let page = pages(&kurso, &owner, course).await[0];
        let text = json!({"type": "doc", "content": [{"type": "paragraph", "content": [
            {"type": "text", "text": "Столица Франции: "},
            {"type": "blank", "attrs": {"blank_id": question(90)}},
        ]}]});
        let long = "слово ".repeat(60);
        kurso.set_quiz(page, &json!({"questions": [
            {"id": question(1), "type": "short_text", "prompt": "Знаю", "accepted": ["да"]},
            {"id": question(2), "type": "fill_blank", "prompt": "", "text": text, "blanks": [{"id": question(90), "accepted": ["Париж"]}]},
            {"id": question(3), "type": "short_text", "prompt": long, "accepted": ["да"]},
            {"id": question(4), "type": "short_text", "prompt": "Ничего не стоит", "points": 0, "accepted": ["да"]},
        ]})).await;
        enroll(&kurso, &owner, course, &[&anna]).await;
        let nothing = heat_map::find(&kurso, &owner, course, GroupFilter::All).await.unwrap();
        assert_eq!(nothing.hardest_questions(&kurso).await.unwrap(), []);
        let right = json!({"answers": [{"question_id": question(1), "text": "да"}]});
        attempts::submit(&kurso, &anna, page, submission(&right)).await.unwrap();
        // Attempts made after the correct answers were shown do not count.
        attempts::submit(&kurso, &anna, page, submission(&json!({"answers": [{"question_id": question(3), "text": "да"}]}))).await.unwrap();
        let map = heat_map::find(&kurso, &owner, course, GroupFilter::All).await.unwrap();
        let found = map.hardest_questions(&kurso).await.unwrap();
        let words: Vec<_> = found.iter().map(|q| (q.number, q.prompt.as_str(), q.answered, q.average_percent)).collect();
        let cut = format!("{}с…", "слово ".repeat(33));
        assert_eq!(words, [(2, "Столица Франции: ___", 1, 0), (3, cut.as_str(), 1, 0)]);
        assert_eq!((map.page(0).tried, map.page(0).average_percent()), (1, Some(33)));
        page::update(&kurso, &owner, page, None, command(json!({"published": false}))).await.unwrap();
        let hidden = heat_map::find(&kurso, &owner, course, GroupFilter::All).await.unwrap();
        assert_eq!((hidden.not_started, hidden.page(0).visited, hidden.hardest_questions(&kurso).await.unwrap().len()), (1, 0, 0));
    }

    async fn the_heat_map_requires_the_right_to_see_students(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let [editor, teacher, learner, stranger] =
            [kurso.person("editor").await, kurso.person("teacher").await, kurso.person("learner").await, kurso.person("stranger").await];
        let root = kurso.superuser("root").await;
        let course = kurso.course(&owner, &[&[&[Content]]]).await;
        enroll(&kurso, &owner, course, &[&learner]).await;
        for (who, role) in [(&editor, "editor"), (&teacher, "teacher")] {
            kurso.collaborator(course, who, role).await;
        }
        for who in [&owner, &editor, &teacher, &root] {
            let map = heat_map::find(&kurso, who, course, GroupFilter::All).await.unwrap();
            assert_eq!((map.students, map.completed, map.not_started), (1, 0, 1));
        }
        assert!(matches!(heat_map::find(&kurso, &learner, course, GroupFilter::All).await, Err(Error::Forbidden(_))));
        assert!(matches!(heat_map::find(&kurso, &stranger, course, GroupFilter::All).await, Err(Error::NotFound(_))));
        let empty = kurso.course(&owner, &[]).await;
        let map = heat_map::find(&kurso, &owner, empty, GroupFilter::All).await.unwrap();
        assert_eq!(whole(&map), ((0, 0, 0), vec![]));
    }
}
