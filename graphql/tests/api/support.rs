//! A test server, and a course with users of all roles.

use std::sync::Arc;

use kurso_base::ids::{CourseId, LessonId, ModuleId, PageId};
use kurso_core::access::Viewer;
use kurso_core::auth::Origin;
use kurso_core::courses::tree::PageKind::{self, Content};
use kurso_core::testing::TestKurso;
use kurso_core::{courses, learning};
use kurso_graphql::AdmissionChecks;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

/// A server on a free port of this machine; stops with the test.
pub struct Server {
    pub url: String,
    pub client: Client,
}

impl Server {
    pub async fn start(kurso: &TestKurso) -> Self {
        Self::with(kurso, AdmissionChecks::default()).await
    }

    pub async fn with(kurso: &TestKurso, checks: AdmissionChecks) -> Self {
        let http = kurso_graphql::Http {
            kurso: kurso.kurso.clone(),
            schema: kurso_graphql::schema(),
            checks: Arc::new(checks),
            sockets: kurso_graphql::Sockets::default(),
            address: Arc::new(|_, _| None),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/graphql", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, kurso_graphql::router(http)).await });
        Server {
            url,
            client: Client::new(),
        }
    }

    pub async fn ask(&self, token: &str, query: &str, variables: Value) -> Value {
        let body = json!({"query": query, "variables": variables});
        let request = self.client.post(&self.url).bearer_auth(token).json(&body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        response.json().await.unwrap()
    }

    /// The value of the only field of a call; panics on an error.
    pub async fn data(&self, token: &str, query: &str, variables: Value) -> Value {
        let mut answer = self.ask(token, query, variables).await;
        assert!(answer["errors"].is_null(), "{query}: {answer}");
        let data = answer["data"].as_object_mut().unwrap();
        data.values_mut().next().unwrap().take()
    }

    /// The code of the first error.
    pub async fn refusal(&self, token: &str, query: &str, variables: Value) -> String {
        let answer = self.ask(token, query, variables).await;
        answer["errors"][0]["extensions"]["code"]
            .as_str()
            .unwrap_or_else(|| panic!("no refusal: {answer}"))
            .to_owned()
    }

    /// `field kind` of every invalid field.
    pub async fn bad_fields(&self, token: &str, query: &str, variables: Value) -> Vec<String> {
        let answer = self.ask(token, query, variables).await;
        let extensions = &answer["errors"][0]["extensions"];
        assert_eq!(extensions["code"], "BAD_USER_INPUT", "{answer}");
        let fields = extensions["fields"]
            .as_array()
            .unwrap_or_else(|| panic!("no fields: {answer}"));
        let text = |field: &Value, key: &str| field[key].as_str().unwrap().to_owned();
        fields
            .iter()
            .map(|field| text(field, "field") + " " + &text(field, "kind"))
            .collect()
    }
}

/// A course with the tokens of users of all roles.
pub struct School {
    pub owner: String,
    pub editor: String,
    pub teacher: String,
    pub learner: String,
    pub admin: String,
    pub stranger: String,
    pub owner_viewer: Viewer,
    pub course: CourseId,
    /// In order.
    pub modules: Vec<ModuleId>,
    /// In order: two in the first module, two in the second.
    pub lessons: Vec<LessonId>,
    /// In order: two in the first lesson, one in the second, one in the third. All published.
    pub pages: Vec<PageId>,
}

const SHAPE: &[&[&[PageKind]]] = &[&[&[Content, Content], &[Content]], &[&[Content], &[]]];

impl School {
    pub async fn open(kurso: &TestKurso) -> Self {
        let owner = kurso.person("owner").await;
        let course = kurso.course(&owner, SHAPE).await;
        let code = courses::generate_share_code(kurso, &owner, course).await.unwrap();
        let learner = kurso.person("learner").await;
        let code = code.share_code.unwrap();
        learning::enroll(kurso, &learner, &Origin::default(), &code)
            .await
            .unwrap();
        for role in ["editor", "teacher"] {
            let person = kurso.person(role).await;
            kurso.collaborator(course, &person, role).await;
        }
        kurso.superuser("admin").await;
        kurso.person("stranger").await;
        let view = learning::view::CourseView::load(kurso, &owner, course, kurso_core::access::Right::Edit).await;
        let tree = view.unwrap().tree;
        School {
            owner: kurso.token("owner@example.com").await,
            editor: kurso.token("editor@example.com").await,
            teacher: kurso.token("teacher@example.com").await,
            learner: kurso.token("learner@example.com").await,
            admin: kurso.token("admin@example.com").await,
            stranger: kurso.token("stranger@example.com").await,
            owner_viewer: owner,
            course,
            modules: tree.modules.iter().map(|node| node.id).collect(),
            lessons: tree.lessons.iter().map(|node| node.id).collect(),
            pages: tree.pages.iter().map(|node| node.id).collect(),
        }
    }
}

/// A document of one paragraph.
pub fn saying(text: &str) -> Value {
    json!({"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]})
}
