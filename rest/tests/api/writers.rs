//! Stress test: two hundred concurrent writers in one course. No request gets a 5xx, positions stay dense and ids unique, and
//! everything that was created and not deleted is there. Prints the number of writes.

mod ledger;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use kurso_core::testing::{Backend, TestKurso};
use kurso_db::sql;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Persona, Sent as _, Server};
use ledger::{Kind, Ledger, Node};

const WRITERS: u64 = 200;
const TIME: Duration = Duration::from_secs(10);
/// The slowest response may take this many times as long as the average one: writers are served in order of arrival.
const MAX_SLOWDOWN: u32 = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    write(Backend::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    write(Backend::Postgres).await;
}

async fn write(backend: Backend) {
    let server = Server::start(TestKurso::new(backend).await).await;
    let owner = server.person("owner").await;
    let course = owner
        .post_json("/courses/create_course", json!({"title": "Курс"}))
        .await;
    let course = course.ok()["id"].as_str().unwrap().to_owned();
    let ledger = Mutex::new(build(&owner, &course).await);

    let until = Instant::now() + TIME;
    let writers = (0..WRITERS).map(|n| {
        Writer {
            owner: &owner,
            course: &course,
            ledger: &ledger,
            random: Random(n),
            done: Results::default(),
        }
        .write_until(until)
    });
    let readers = (0..4).map(|_| read_until(&owner, &course, until));
    let (written, reads) = futures_util::future::join(
        futures_util::future::join_all(writers),
        futures_util::future::join_all(readers),
    )
    .await;

    let mut made = BTreeMap::new();
    for (what, times) in written.iter().flat_map(|done| &done.made) {
        *made.entry(*what).or_insert(0) += times;
    }
    let writes: u32 = made.values().sum();
    let answers: u32 = written.iter().map(|done| done.answers).sum();
    let usual = written.iter().map(|done| done.waited).sum::<Duration>() / answers;
    let slowest = written.iter().map(|done| done.slowest).max().unwrap();
    println!(
        "{WRITERS} writers on {}: {writes} writes in {} s ({made:?}) beside {} reads; an answer took {usual:.1?}, the slowest {slowest:.1?}",
        server.kurso.db.name(),
        TIME.as_secs(),
        reads.iter().sum::<u64>(),
    );
    let tree = owner.get(&format!("/courses/get_course/{course}")).await.ok();
    assert_eq!(assert_dense(&tree), ledger.lock().unwrap().living());
    ledger.lock().unwrap().assert_gone();
    assert_nothing_is_hidden(&server.kurso, &tree).await;
    assert!(written.iter().all(|done| done.answers > 0), "a writer got no response");
    let fair = (usual * MAX_SLOWDOWN).max(Duration::from_secs(2));
    assert!(
        slowest < fair,
        "the slowest response took {slowest:?}, the average one {usual:?}"
    );
}

/// Creates four modules of three lessons of three pages. The modules and lessons are permanent.
async fn build(owner: &Persona<'_>, course: &str) -> Ledger {
    let mut ledger = Ledger::default();
    for _ in 0..4 {
        let path = format!("/courses/create_module/{course}");
        let module = owner.post_json(&path, json!({"title": "М"})).await.ok();
        let module = ledger.add(Kind::Module, &module, None);
        ledger.keep(Kind::Module, module);
        for _ in 0..3 {
            let path = format!("/courses/create_lesson/{}", ledger.id(Kind::Module, module));
            let lesson = owner.post_json(&path, json!({"title": "У"})).await.ok();
            let lesson = ledger.add(Kind::Lesson, &lesson, None);
            ledger.keep(Kind::Lesson, lesson);
            for _ in 0..3 {
                let path = format!("/courses/create_page/{}", ledger.id(Kind::Lesson, lesson));
                let page = owner.post_json(&path, json!({})).await.ok();
                ledger.add(Kind::Page, &page, None);
            }
        }
    }
    ledger
}

/// Reads the course repeatedly: its positions are dense at every moment. Returns the number of reads.
async fn read_until(owner: &Persona<'_>, course: &str, until: Instant) -> u64 {
    let mut reads = 0;
    while Instant::now() < until {
        let tree = owner.get(&format!("/courses/get_course/{course}")).await.ok();
        assert_dense(&tree);
        reads += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    reads
}

struct Writer<'a> {
    owner: &'a Persona<'a>,
    course: &'a str,
    ledger: &'a Mutex<Ledger>,
    random: Random,
    done: Results,
}

/// The results of one writer's calls.
#[derive(Default)]
struct Results {
    /// The number of successful calls by kind.
    made: BTreeMap<&'static str, u32>,
    /// All responses, including those for items that another writer had deleted.
    answers: u32,
    waited: Duration,
    slowest: Duration,
}

impl Writer<'_> {
    async fn write_until(mut self, until: Instant) -> Results {
        while Instant::now() < until {
            self.step().await;
        }
        self.done
    }

    async fn step(&mut self) {
        let crowded = |ledger: &Ledger, kind, most| ledger.count(kind) > most;
        let (modules, lessons, pages) = {
            let ledger = self.ledger.lock().unwrap();
            (
                crowded(&ledger, Kind::Module, 12),
                crowded(&ledger, Kind::Lesson, 40),
                crowded(&ledger, Kind::Page, 200),
            )
        };
        match self.random.below(20) {
            0 if !modules => self.create(Kind::Module).await,
            1 | 2 if !lessons => self.create(Kind::Lesson).await,
            3..=6 if !pages => self.create(Kind::Page).await,
            7 => self.move_item(Kind::Module).await,
            8..=10 => self.move_item(Kind::Lesson).await,
            11..=14 => self.move_item(Kind::Page).await,
            15 if !pages => self.duplicate(Kind::Page).await,
            16 if !lessons && !pages => self.duplicate(Kind::Lesson).await,
            17 if !modules && !lessons && !pages => self.duplicate(Kind::Module).await,
            0 => self.delete(Kind::Module).await,
            1 | 2 | 16 | 17 => self.delete(Kind::Lesson).await,
            _ => self.delete(Kind::Page).await,
        }
    }

    fn pick(&mut self, kind: Kind) -> Option<Node> {
        self.ledger.lock().unwrap().pick(kind, |n| self.random.below(n))
    }

    /// A permanent parent, which any item may be moved into.
    fn pick_permanent(&mut self, kind: Kind) -> Node {
        self.ledger
            .lock()
            .unwrap()
            .pick_permanent(kind, |n| self.random.below(n))
    }

    async fn create(&mut self, kind: Kind) {
        let (path, parent) = match kind {
            Kind::Module => (format!("/courses/create_module/{}", self.course), None),
            Kind::Lesson => {
                let Some(module) = self.pick(Kind::Module) else { return };
                (format!("/courses/create_lesson/{}", module.id), Some(module))
            }
            Kind::Page => {
                let Some(lesson) = self.pick(Kind::Lesson) else { return };
                (format!("/courses/create_page/{}", lesson.id), Some(lesson))
            }
        };
        let body = json!({"title": "Новое", "position": self.random.below(8)});
        let Some(made) = self
            .call("create", Method::POST, &path, Some(body), parent.as_ref())
            .await
        else {
            return;
        };
        // Pages of permanent lessons may move to any other permanent lesson.
        let is_movable = kind == Kind::Page && parent.as_ref().is_some_and(|lesson| lesson.is_permanent);
        let parent = parent.filter(|_| !is_movable).map(|parent| parent.place);
        self.ledger.lock().unwrap().add(kind, &made, parent);
    }

    /// Moves an item without a fixed parent into any permanent parent, others within their parent.
    async fn move_item(&mut self, kind: Kind) {
        let Some(node) = self.pick(kind) else { return };
        let mut body = json!({"position": self.random.below(8)});
        if node.parent.is_none() {
            match kind {
                Kind::Module => {}
                Kind::Lesson => body["module_id"] = json!(self.pick_permanent(Kind::Module).id),
                Kind::Page => body["lesson_id"] = json!(self.pick_permanent(Kind::Lesson).id),
            }
        }
        let path = format!("/courses/update_{}/{}", kind.name(), node.id);
        self.call("move", Method::PUT, &path, Some(body), Some(&node)).await;
    }

    async fn delete(&mut self, kind: Kind) {
        let Some(node) = self.pick(kind).filter(|node| !node.is_permanent) else {
            return;
        };
        let path = format!("/courses/delete_{}/{}", kind.name(), node.id);
        let gone = self.call("delete", Method::DELETE, &path, None, Some(&node)).await;
        if gone.is_some() {
            self.ledger.lock().unwrap().delete(kind, node.place);
        }
    }

    async fn duplicate(&mut self, kind: Kind) {
        let Some(node) = self.pick(kind) else { return };
        let path = format!("/courses/duplicate_{}/{}", kind.name(), node.id);
        if let Some(copy) = self.call("duplicate", Method::POST, &path, None, Some(&node)).await {
            self.ledger.lock().unwrap().add_copy(kind, &copy, &node);
        }
    }

    /// Returns the response of a successful call; None if another writer has deleted the item.
    async fn call(
        &mut self,
        what: &'static str,
        method: Method,
        path: &str,
        body: Option<Value>,
        about: Option<&Node>,
    ) -> Option<Value> {
        let started = Instant::now();
        let request = self.owner.request(method, path);
        let request = match &body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer: Answer = request.answer().await;
        self.done.answers += 1;
        self.done.waited += started.elapsed();
        self.done.slowest = self.done.slowest.max(started.elapsed());
        match answer.status {
            200 => {
                *self.done.made.entry(what).or_default() += 1;
                Some(answer.ok())
            }
            404 => {
                let about = about.expect("the course exists");
                self.ledger.lock().unwrap().missed(about);
                None
            }
            _ => panic!("{path} {body:?}: {} {}", answer.status, answer.text()),
        }
    }
}

/// A pseudorandom generator; each writer takes the same steps in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 33) as usize % n.max(1)
    }
}

/// Asserts that all positions are 0, 1, 2, … and all ids unique. Returns the sorted ids of all items.
fn assert_dense(course: &Value) -> Vec<String> {
    let mut ids = Vec::new();
    let mut list = |children: &Value| {
        for (at, child) in children.as_array().unwrap().iter().enumerate() {
            assert_eq!(child["position"], json!(at), "{children}");
            ids.push(child["id"].as_str().unwrap().to_owned());
        }
    };
    list(&course["modules"]);
    for module in course["modules"].as_array().unwrap() {
        list(&module["lessons"]);
        for lesson in module["lessons"].as_array().unwrap() {
            list(&lesson["pages"]);
        }
    }
    let whole = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), whole, "an id occurs twice");
    ids
}

/// Asserts that the database has no rows outside the tree.
async fn assert_nothing_is_hidden(kurso: &TestKurso, course: &Value) {
    let (modules, lessons, pages, contents) = sql!(
        "SELECT (SELECT COUNT(*) FROM modules), (SELECT COUNT(*) FROM lessons), (SELECT COUNT(*) FROM pages),
           (SELECT COUNT(*) FROM page_contents)"
    )
    .fetch_one::<(i64, i64, i64, i64)>(&kurso.db)
    .await
    .unwrap();
    let counted = ["modules_count", "lessons_count", "pages_count", "pages_count"].map(|key| &course[key]);
    assert_eq!(json!(counted), json!([modules, lessons, pages, contents]));
}
