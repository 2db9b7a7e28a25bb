//! Stress test of three nodes on one PostgreSQL and one S3 behind a round-robin proxy while nodes are killed, stopped and
//! added: only requests in flight on a lost node fail, every acknowledged write survives, and events reach the other nodes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use kurso_core::testing::bucket::Bucket;
use kurso_core::testing::{Backend, TestKurso};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use uuid::Uuid;

/// Concurrent learners.
const WORKERS: usize = 6;
const PASSWORD: &str = "a password of ours";

/// A server process, killed when dropped.
struct Node {
    child: Child,
    address: String,
}

impl Node {
    fn start(world: &World) -> Self {
        let data = world.folder(); // a node keeps nothing there that another needs
        let mut command = Command::new(env!("CARGO_BIN_EXE_kurso"));
        command
            .args(["serve", "--demo", "off"])
            .current_dir(&data)
            .env("KURSO_DATA_DIR", data.join("data"))
            .env("KURSO_ADDRESS", "127.0.0.1:0")
            .env("KURSO_LOG", "warn")
            .env("KURSO_DATABASE_URL", &*world.database.url)
            .env("KURSO_FILES_URL", Bucket::URL)
            .env("KURSO_SECRET_KEY", "one secret key for all of the nodes")
            .env("KURSO_SUPERUSER_PASSWORD", PASSWORD)
            .envs(world.bucket.options.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the node prints its address").unwrap();
            if let Some(rest) = line.strip_prefix("Kurso is at http://") {
                break rest.split(' ').next().unwrap().to_owned();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        Node { child, address }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct World {
    database: TestKurso,
    bucket: Bucket,
}

impl World {
    fn folder(&self) -> std::path::PathBuf {
        let folder = self.database.folder.path().join(Uuid::now_v7().to_string());
        std::fs::create_dir(&folder).unwrap();
        folder
    }
}

/// A round-robin TCP proxy that skips nodes that refuse connections.
#[derive(Default)]
struct Proxy {
    nodes: Mutex<Vec<String>>,
    next: AtomicUsize,
}

impl Proxy {
    async fn start(self: &Arc<Self>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let proxy = self.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let proxy = proxy.clone();
                tokio::spawn(async move {
                    let nodes = proxy.nodes.lock().unwrap().clone();
                    let first = proxy.next.fetch_add(1, Ordering::Relaxed);
                    for n in 0..nodes.len() {
                        if let Ok(mut node) = TcpStream::connect(&nodes[(first + n) % nodes.len()]).await {
                            let _ = tokio::io::copy_bidirectional(&mut client, &mut node).await;
                            return;
                        }
                    }
                });
            }
        });
        format!("http://{address}")
    }

    fn serve(&self, nodes: &[&Node]) {
        *self.nodes.lock().unwrap() = nodes.iter().map(|node| node.address.clone()).collect();
    }
}

/// A client without connection reuse, so that each request may reach another node.
fn client() -> Client {
    kurso_core::testing::provide_tls();
    Client::builder().pool_max_idle_per_host(0).build().unwrap()
}

async fn call(base: &str, method: Method, path: &str, token: &str, body: Option<Value>) -> Result<Value, String> {
    let mut request = client()
        .request(method, format!("{base}/api/v1{path}"))
        .bearer_auth(token);
    if let Some(body) = body {
        request = request.json(&body);
    }
    let answer = request.send().await.map_err(|error| format!("{path}: {error:?}"))?;
    let status = answer.status();
    let text = answer.text().await.map_err(|error| format!("{path}: {error:?}"))?;
    if status != 200 {
        return Err(format!("{path}: {status} {text}"));
    }
    serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
}

async fn post(base: &str, path: &str, token: &str, body: Value) -> Value {
    call(base, Method::POST, path, token, Some(body)).await.unwrap()
}

async fn sign_in(base: &str, email: &str, password: &str) -> (u16, Value) {
    let form = [("username", email), ("password", password)];
    let request = client().post(format!("{base}/api/v1/login/access-token")).form(&form);
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

async fn token(base: &str, email: &str) -> String {
    let (status, answer) = sign_in(base, email, PASSWORD).await;
    assert_eq!(status, 200, "{answer}");
    answer["access_token"].as_str().unwrap().to_owned()
}

/// The course under load and its owner's token.
struct Course {
    id: String,
    code: String,
    pages: Vec<String>,
    token: String,
}

async fn course(base: &str) -> Course {
    let token = token(base, "admin@example.com").await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let id = text(&post(base, "/courses/create_course", &token, json!({"title": "Курс"})).await["id"]);
    let module = post(
        base,
        &format!("/courses/create_module/{id}"),
        &token,
        json!({"title": "M"}),
    )
    .await;
    let path = format!("/courses/create_lesson/{}", text(&module["id"]));
    let lesson = post(base, &path, &token, json!({"title": "L"})).await;
    let mut pages = Vec::new();
    for n in 0..20 {
        let path = format!("/courses/create_page/{}", text(&lesson["id"]));
        pages.push(text(
            &post(base, &path, &token, json!({"title": format!("P{n}")})).await["id"],
        ));
    }
    let code = post(base, &format!("/courses/generate_share_code/{id}"), &token, json!({})).await;
    Course {
        id,
        code: text(&code["share_code"]),
        pages,
        token,
    }
}

/// The results of the load.
#[derive(Default)]
struct Book {
    done: usize,
    /// Start and end of each failed request, and its error.
    failed: Vec<(Instant, Instant, String)>,
    /// The acknowledged visits of each learner.
    read: Vec<(String, HashSet<String>)>,
    files: Vec<String>,
}

/// Simulates a learner who visits page after page and checks that the next node knows it; some also upload files.
async fn work(base: String, course: Arc<Course>, book: Arc<Mutex<Book>>, over: Arc<AtomicBool>) {
    let email = format!("{}@example.com", Uuid::now_v7());
    post(
        &base,
        "/users/signup",
        "",
        json!({"email": email, "password": PASSWORD}),
    )
    .await;
    let token = token(&base, &email).await;
    post(&base, "/courses/enroll", &token, json!({"share_code": course.code})).await;
    let place = {
        let mut book = book.lock().unwrap();
        book.read.push((token.clone(), HashSet::new()));
        book.read.len() - 1
    };
    for n in 0.. {
        if over.load(Ordering::SeqCst) {
            return;
        }
        let page = &course.pages[n % course.pages.len()];
        let begun = Instant::now();
        let done = async {
            call(
                &base,
                Method::POST,
                &format!("/courses/mark_page_visited/{page}"),
                &token,
                None,
            )
            .await?;
            book.lock().unwrap().read[place].1.insert(page.clone());
            let progress = call(
                &base,
                Method::GET,
                &format!("/courses/debug_progress/{}", course.id),
                &token,
                None,
            )
            .await?;
            let known = progress["pages"]
                .as_array()
                .unwrap()
                .iter()
                .find(|known| known["page_id"] == **page)
                .unwrap();
            assert!(known["visited_at"].is_string(), "another node does not know of a visit");
            if n % 5 == 0 {
                let part = reqwest::multipart::Part::bytes(vec![7; 20_000]).file_name("a.bin");
                let form = reqwest::multipart::Form::new().part("file", part);
                let request = client()
                    .post(format!("{base}/api/v1/courses/upload_file"))
                    .bearer_auth(&course.token);
                let answer = request
                    .multipart(form)
                    .send()
                    .await
                    .map_err(|error| format!("upload: {error:?}"))?;
                let file: Value = answer.json().await.map_err(|error| format!("upload: {error:?}"))?;
                book.lock()
                    .unwrap()
                    .files
                    .push(file["url"].as_str().ok_or(format!("upload: {file}"))?.to_owned());
            }
            Ok::<_, String>(())
        }
        .await;
        let mut book = book.lock().unwrap();
        match done {
            Ok(()) => book.done += 1,
            Err(why) => book.failed.push((begun, Instant::now(), why)),
        }
    }
}

/// A socket on one node that subscribes to a course, and the names of the events it receives.
async fn watch(node: &Node, course: &Course) -> tokio::sync::mpsc::UnboundedReceiver<String> {
    let mut request = format!("ws://{}/graphql", node.address).into_client_request().unwrap();
    let protocol = "graphql-transport-ws".parse().unwrap();
    request.headers_mut().insert("Sec-WebSocket-Protocol", protocol);
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    let query = format!(
        "subscription {{ courseActivity(courseId: \"{}\") {{ __typename }} }}",
        course.id
    );
    for message in [
        json!({"type": "connection_init", "payload": {"token": course.token}}),
        json!({"type": "subscribe", "id": "1", "payload": {"query": query}}),
    ] {
        socket.send(Message::text(message.to_string())).await.unwrap();
    }
    let (sender, events) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(message)) = socket.next().await {
            if let Ok(message) = serde_json::from_str::<Value>(message.to_text().unwrap_or_default())
                && let Some(name) = message["payload"]["data"]["courseActivity"]["__typename"].as_str()
                && sender.send(name.to_owned()).is_err()
            {
                return;
            }
        }
    });
    events
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killing_stopping_and_adding_nodes_loses_no_acknowledged_write() {
    let world = World {
        database: TestKurso::empty(Backend::Postgres).await,
        bucket: Bucket::start().await,
    };
    // All nodes start at once on a database without tables.
    let [first, second, third] = std::thread::scope(|scope| {
        [(); 3]
            .map(|()| scope.spawn(|| Node::start(&world)))
            .map(|start| start.join().unwrap())
    });
    let proxy = Arc::new(Proxy::default());
    proxy.serve(&[&first, &second, &third]);
    let base = proxy.start().await;
    let course = Arc::new(course(&base).await);

    // Events of one node reach another.
    let mut events = watch(&first, &course).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let direct = format!("http://{}", third.address);
    post(
        &direct,
        "/users/signup",
        "",
        json!({"email": "live@example.com", "password": PASSWORD}),
    )
    .await;
    let learner = token(&direct, "live@example.com").await;
    post(&direct, "/courses/enroll", &learner, json!({"share_code": course.code})).await;
    let event = tokio::time::timeout(Duration::from_secs(10), events.recv()).await;
    assert!(event.expect("an event arrives within ten seconds").is_some());

    let (book, over) = (Arc::new(Mutex::new(Book::default())), Arc::new(AtomicBool::new(false)));
    let workers: Vec<_> = (0..WORKERS)
        .map(|_| tokio::spawn(work(base.clone(), course.clone(), book.clone(), over.clone())))
        .collect();
    let pause = || tokio::time::sleep(Duration::from_secs(3));
    let mut gone = Vec::new();
    pause().await;
    // One node is killed.
    gone.push(Instant::now());
    second.signal("-KILL");
    pause().await;
    // A new node joins.
    let fourth = Node::start(&world);
    proxy.serve(&[&first, &third, &fourth]);
    pause().await;
    // One node shuts down gracefully.
    gone.push(Instant::now());
    third.signal("-TERM");
    pause().await;
    proxy.serve(&[&first, &fourth]);
    over.store(true, Ordering::SeqCst);
    for worker in workers {
        worker.await.expect("no worker failed");
    }

    let book = std::mem::take(&mut *book.lock().unwrap());
    println!("{} rounds done, {} failed", book.done, book.failed.len());
    assert!(book.done > 20, "{}", book.done);
    for (begun, ended, why) in &book.failed {
        // Only requests in flight on a lost node may fail; the signal takes a moment to arrive.
        let excused = gone
            .iter()
            .any(|at| *begun <= *at + Duration::from_millis(200) && *at <= *ended);
        assert!(excused, "a request failed although no node was lost: {why}");
    }
    assert!(book.failed.len() <= gone.len() * WORKERS, "{:?}", book.failed);
    for (token, pages) in &book.read {
        let path = format!("/courses/debug_progress/{}", course.id);
        let progress = call(&base, Method::GET, &path, token, None).await.unwrap();
        let known = progress["pages"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|page| page["visited_at"].is_string());
        let known: HashSet<_> = known.map(|page| page["page_id"].as_str().unwrap().to_owned()).collect();
        assert!(known.is_superset(pages), "an acknowledged visit is lost");
    }
    for url in &book.files {
        let answer = client().get(format!("{base}{url}")).send().await.unwrap();
        assert_eq!(answer.bytes().await.unwrap().len(), 20_000, "{url}");
    }

    // Each node counts attempts on its own: two nodes admit between one and two times the limit.
    let guesses = (0..50).map(|_| sign_in(&base, "live@example.com", "a wrong guess"));
    let passed = futures_util::stream::iter(guesses)
        .buffer_unordered(4)
        .filter(|(status, _)| std::future::ready(*status != 429));
    let passed = passed.count().await;
    assert!((20..=40).contains(&passed), "{passed} guesses passed");

    let mut check = Command::new(env!("CARGO_BIN_EXE_kurso"));
    let checked = check
        .args(["check", "--deep", "--json", "--data-dir"])
        .arg(world.folder())
        .env("KURSO_DATABASE_URL", &*world.database.url)
        .env("KURSO_FILES_URL", Bucket::URL)
        .envs(world.bucket.options.iter().map(|(name, value)| (name, value)))
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}
