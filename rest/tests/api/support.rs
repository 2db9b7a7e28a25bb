//! A server on a free port, and the users who call it.

use std::net::SocketAddr;

use kurso_base::ids::{CourseId, LessonId, PageId};
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::courses;
use kurso_core::courses::tree::PageKind::{self, Content};
use kurso_core::learning;
use kurso_core::testing::TestKurso;
use kurso_db::sql;
use kurso_formats::quiz::Quiz;
use kurso_rest::{Monitoring, Options};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;

use crate::walk::Call;

/// The allowed CORS origin of the test servers.
pub const ORIGIN: &str = "http://localhost:5173";

/// The time of the test clock.
pub const NOW: &str = "2026-11-21T09:00:00Z";

/// The token of `/metrics`.
pub const METRICS_TOKEN: &str = "the token of metrics";

pub struct Server {
    pub kurso: TestKurso,
    pub url: String,
    /// `127.0.0.1:PORT`
    pub address: SocketAddr,
    client: reqwest::Client,
}

impl Server {
    pub async fn start(kurso: TestKurso) -> Self {
        Self::start_as(kurso, Options::default()).await
    }

    /// Starts a server with trusted proxies.
    pub async fn start_with(kurso: TestKurso, trusted_proxies: Vec<std::net::IpAddr>) -> Self {
        let options = Options {
            trusted_proxies,
            ..Options::default()
        };
        Self::start_as(kurso, options).await
    }

    pub async fn start_in_development(kurso: TestKurso) -> Self {
        let options = Options {
            development: true,
            ..Options::default()
        };
        Self::start_as(kurso, options).await
    }

    pub async fn start_as(kurso: TestKurso, options: Options) -> Self {
        let options = Options {
            cors_origins: vec![ORIGIN.to_owned()],
            ..options
        };
        let router = kurso_rest::with_layers(
            kurso_rest::router(kurso.kurso.clone(), &options),
            &kurso.kurso,
            &options,
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let monitoring = Monitoring::new(kurso.kurso.clone(), Some(METRICS_TOKEN), || 0);
        let router = router.merge(kurso_rest::monitoring_router(monitoring));
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        // It ends with the runtime of the test.
        tokio::spawn(async move { axum::serve(listener, service).await });
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Server {
            kurso,
            url: format!("http://{address}"),
            address,
            client,
        }
    }

    /// Sends the form of a sign-in.
    pub async fn login(&self, email: &str, password: &str) -> Answer {
        let request = self.anonymous().request(Method::POST, "/login/access-token");
        let form = [("username", email), ("password", password)];
        request.form(&form).answer().await
    }

    pub fn anonymous(&self) -> Persona<'_> {
        Persona {
            server: self,
            token: None,
        }
    }

    /// A caller with a token, valid or not.
    pub fn with_token(&self, token: &str) -> Persona<'_> {
        Persona {
            server: self,
            token: Some(token.to_owned()),
        }
    }

    /// The caller with the rights of a viewer.
    pub fn viewer(&self, viewer: &Viewer) -> Persona<'_> {
        let token = self
            .kurso
            .tokens
            .issue(viewer.id(), viewer.session, self.kurso.clock.now());
        self.with_token(&token.unwrap())
    }

    /// A new user, signed in.
    pub async fn person(&self, name: &str) -> Persona<'_> {
        self.viewer(&self.kurso.person(name).await)
    }

    pub async fn superuser(&self, name: &str) -> Persona<'_> {
        self.viewer(&self.kurso.superuser(name).await)
    }

    /// A new user who was deactivated after the sign-in.
    pub async fn inactive(&self, name: &str) -> Persona<'_> {
        let viewer = self.kurso.person(name).await;
        sql!("UPDATE users SET is_active = FALSE WHERE id = $1", viewer.id())
            .execute(&self.kurso.db)
            .await
            .unwrap();
        self.viewer(&viewer)
    }
}

/// A caller.
pub struct Persona<'a> {
    server: &'a Server,
    pub token: Option<String>,
}

impl Persona<'_> {
    /// Begins a request; the paths of calls are given without `/api/v1`.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let prefix = if ["/files", "/api", "/metrics", "/readyz", "/healthz"]
            .iter()
            .any(|own| path.starts_with(own))
        {
            ""
        } else {
            "/api/v1"
        };
        let request = self
            .server
            .client
            .request(method, format!("{}{prefix}{path}", self.server.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a call of a walk.
    pub async fn send(&self, call: &Call) -> Answer {
        let request = self.request(call.method.clone(), &call.path);
        match &call.body {
            None => request.answer().await,
            Some(body) => request.json(body).answer().await,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path).answer().await
    }

    pub async fn post(&self, path: &str) -> Answer {
        self.request(Method::POST, path).answer().await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.request(Method::DELETE, path).answer().await
    }

    pub async fn put_json(&self, path: &str, body: Value) -> Answer {
        self.request(Method::PUT, path).json(&body).answer().await
    }

    pub async fn post_json(&self, path: &str, body: Value) -> Answer {
        self.request(Method::POST, path).json(&body).answer().await
    }

    pub async fn patch_json(&self, path: &str, body: Value) -> Answer {
        self.request(Method::PATCH, path).json(&body).answer().await
    }

    /// Sends a call whose texts are in Russian.
    pub async fn in_russian(&self, method: Method, path: &str, body: Value) -> Answer {
        let request = self.request(method, path).header("accept-language", "ru");
        request.json(&body).answer().await
    }
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: http::HeaderMap,
    pub bytes: Vec<u8>,
}

pub trait Sent {
    async fn answer(self) -> Answer;
}

impl Sent for RequestBuilder {
    async fn answer(self) -> Answer {
        let response = self.send().await.expect("an answer");
        Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            bytes: response.bytes().await.expect("a whole answer").to_vec(),
        }
    }
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("{error}: {} {:?}", self.status, String::from_utf8_lossy(&self.bytes)))
    }

    /// Returns the body of a 200.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.bytes));
        assert_eq!(self.header("content-type"), "application/json");
        self.json()
    }

    /// Returns status and `detail` of a refusal.
    pub fn refusal(&self) -> (u16, String) {
        assert!(self.status >= 400, "{self:?}");
        assert_eq!(self.header("content-type"), "application/json");
        let body = self.json();
        let detail = body["detail"]
            .as_str()
            .map_or_else(|| body["detail"].to_string(), str::to_owned);
        (self.status, detail)
    }

    /// Checks status and text of a refusal.
    #[track_caller]
    pub fn refused(&self, status: u16, detail: &str) {
        assert_eq!(self.refusal(), (status, detail.to_owned()));
    }

    /// Returns the errors of a 422, as `type at loc`.
    #[track_caller]
    pub fn fields(&self) -> Vec<String> {
        assert_eq!(
            self.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            String::from_utf8_lossy(&self.bytes)
        );
        let body = self.json();
        let fields = body["detail"].as_array().expect("a list");
        fields
            .iter()
            .map(|field| {
                assert!(!field["msg"].as_str().unwrap().is_empty());
                assert!(field.as_object().unwrap().contains_key("input"));
                let loc = field["loc"].as_array().unwrap().iter();
                let loc: Vec<_> = loc
                    .map(|l| l.as_str().map_or_else(|| l.to_string(), str::to_owned))
                    .collect();
                format!("{} at {}", field["type"].as_str().unwrap(), loc.join("."))
            })
            .collect()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A course, and a user of each role in it.
pub struct School<'a> {
    pub owner: Persona<'a>,
    pub editor: Persona<'a>,
    pub teacher: Persona<'a>,
    pub learner: Persona<'a>,
    pub admin: Persona<'a>,
    pub stranger: Persona<'a>,
    pub anonymous: Persona<'a>,
    pub owner_viewer: Viewer,
    pub course: CourseId,
    /// The first lesson.
    pub lesson: LessonId,
    /// The published pages, in order: two in the first lesson, one in the second, one in the second module.
    pub pages: Vec<PageId>,
    /// An unpublished page at the end of the first lesson.
    pub draft: PageId,
    pub share_code: String,
}

const SHAPE: &[&[&[PageKind]]] = &[&[&[Content, Content], &[Content]], &[&[Content], &[]]];

impl<'a> School<'a> {
    pub async fn open(server: &'a Server) -> Self {
        let kurso = &server.kurso;
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, SHAPE).await;
        let pages = pages_of(kurso, course).await;
        let lesson = sql!("SELECT lesson_id FROM pages WHERE id = $1", pages[0]);
        let (lesson,) = lesson.fetch_one(&kurso.db).await.unwrap();
        let draft = kurso.page(course, lesson, 2, Content, false).await;
        let shared = courses::generate_share_code(kurso, &owner, course).await.unwrap();
        let share_code = shared.share_code.unwrap();
        let learner = kurso.person("learner").await;
        learning::enroll(kurso, &learner, &Origin::default(), &share_code)
            .await
            .unwrap();
        let editor = collaborator(kurso, course, "editor").await;
        let teacher = collaborator(kurso, course, "teacher").await;
        let admin = kurso.superuser("admin").await;
        School {
            owner: server.viewer(&owner),
            editor: server.viewer(&editor),
            teacher: server.viewer(&teacher),
            learner: server.viewer(&learner),
            admin: server.viewer(&admin),
            stranger: server.person("stranger").await,
            anonymous: server.anonymous(),
            owner_viewer: owner,
            course,
            lesson,
            pages,
            draft,
            share_code,
        }
    }

    /// Adds a published quiz page with the quiz at the end of the first lesson.
    pub async fn add_quiz(&self, kurso: &TestKurso, quiz: &Value) -> (PageId, Quiz) {
        let page = kurso.page(self.course, self.lesson, 3, PageKind::Quiz, true).await;
        (page, kurso.set_quiz(page, quiz).await)
    }

    /// Returns the statuses of a GET for owner, editor, teacher, admin, learner, stranger and anonymous.
    pub async fn statuses(&self, path: &str) -> [u16; 7] {
        [
            self.owner.get(path).await.status,
            self.editor.get(path).await.status,
            self.teacher.get(path).await.status,
            self.admin.get(path).await.status,
            self.learner.get(path).await.status,
            self.stranger.get(path).await.status,
            self.anonymous.get(path).await.status,
        ]
    }
}

/// Returns the published pages in reading order.
async fn pages_of(kurso: &TestKurso, course: CourseId) -> Vec<PageId> {
    let rows = sql!(
        "SELECT p.id FROM pages p JOIN lessons l ON l.id = p.lesson_id JOIN modules m ON m.id = l.module_id
         WHERE p.course_id = $1 ORDER BY m.position, l.position, p.position",
        course
    );
    let rows = rows.fetch_all::<(PageId,)>(&kurso.db).await.unwrap();
    rows.into_iter().map(|(id,)| id).collect()
}

async fn collaborator(kurso: &TestKurso, course: CourseId, role: &'static str) -> Viewer {
    let viewer = kurso.person(role).await;
    kurso.collaborator(course, &viewer, role).await;
    viewer
}
