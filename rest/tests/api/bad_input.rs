//! Generated requests always get a response, and never a 5xx.

use std::collections::BTreeSet;

use kurso_core::testing::{Backend, TestKurso};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{School, Server};

/// Path segments, odd ones among them.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "courses", "list_courses", "get_course", "enroll", "enrolled_page", "mark_page_visited",
            "generate_share_code", "my_progress", "users", "me", "signup", "login", "access-token", "files", "..", ".",
            "", "%", "%00", "%ff", "%2f",
            "01890a5d-ac96-774b-bcce-b302099a8057", "{}", "urn:uuid:", "-1", "ж", "00000000000000000000000000000000",
        ])
        .prop_map(str::to_owned),
        1 => "\\PC{0,20}",
    ]
}

/// One of the words of a text.
fn one_of(words: &'static str) -> impl Strategy<Value = &'static str> {
    prop::sample::select(words.split_whitespace().collect::<Vec<_>>())
}

/// Paths of calls, and invented ones.
fn path() -> impl Strategy<Value = String> {
    let call = one_of(
        "/api/v1/login/access-token /api/v1/login/test-token /api/v1/users/me /api/v1/users/signup \
         /api/v1/users/me/password /api/v1/users/ /api/v1/items/ /api/v1/login/sessions \
         /api/v1/login/undo-email-change /api/v1/reset-password/ /api/v1/utils/test-email/ \
         /api/v1/courses/list_courses /api/v1/courses/my_enrolled_courses /api/v1/courses/enroll \
         /api/v1/courses/create_course",
    );
    let call_with_id = one_of(
        "/api/v1/users/ /api/v1/items/ /api/v1/login/sessions/ /api/v1/password-recovery/ \
         /api/v1/password-recovery-html-content/ /api/v1/courses/get_course/ \
         /api/v1/courses/generate_share_code/ /api/v1/courses/enrolled_course/ /api/v1/courses/enrolled_page/ \
         /api/v1/courses/mark_page_visited/ /api/v1/courses/my_progress/ /api/v1/courses/create_module/ \
         /api/v1/courses/update_module/ /api/v1/courses/create_lesson/ /api/v1/courses/create_page/ \
         /api/v1/courses/update_page/ /api/v1/courses/delete_lesson/ \
         /api/v1/courses/restore_page_version/01890a5d-ac96-774b-bcce-b302099a8057/ \
         /files/00000000000000000000000000000000/",
    );
    let base = one_of("/api/v1/ /api/ /files/ /api/v1/courses/ /api/v1/users/");
    let path = prop_oneof![
        call.prop_map(str::to_owned),
        (call_with_id, piece()).prop_map(|(call, piece)| format!("{call}{piece}")),
        (base, prop::collection::vec(piece(), 0..4)).prop_map(|(base, pieces)| format!("{base}{}", pieces.join("/"))),
    ];
    let query = prop_oneof![
        3 => Just(String::new()),
        2 => prop::sample::select(vec![
            "?skip=-1", "?limit=%00", "?skip=1&limit=9e9", "?limit=18446744073709551616", "?&=&&",
        ])
        .prop_map(str::to_owned),
        1 => "\\PC{0,10}".prop_map(|text| format!("?limit={text}")),
    ];
    (path, query).prop_map(|(path, query)| {
        // A space or a control character would end the request line.
        format!("{path}{query}")
            .chars()
            .filter(|c| !c.is_whitespace() && !c.is_control())
            .collect()
    })
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let value = prop_oneof![
        Just("null".to_owned()),
        Just("\"a\\u0000b\"".to_owned()),
        Just("\"AAAA-AAAA\"".to_owned()),
        Just("[{}]".to_owned()),
        Just("1e308".to_owned()),
        Just("\"x@y.zz\"".to_owned()),
        "\"[a-zA-Z@.]{0,12}\"",
    ];
    let name = one_of(
        "email password full_name is_active title description token new_password share_code username title \
         position content \\u0000",
    );
    let object = prop::collection::vec((name, value), 0..4).prop_map(|fields| {
        let fields: Vec<_> = fields
            .into_iter()
            .map(|(name, value)| format!("\"{name}\": {value}"))
            .collect();
        format!("{{{}}}", fields.join(", ")).into_bytes()
    });
    prop_oneof![
        4 => object,
        1 => prop::collection::vec(any::<u8>(), 0..60),
        1 => "[\\[\\]{}:,\"0-9a-z\\\\]{0,40}".prop_map(String::into_bytes),
        1 => "(username|password|grant_type)=[%a-f0-9&=+]{0,20}".prop_map(String::into_bytes),
    ]
}

fn request(token: String) -> impl Strategy<Value = Vec<u8>> {
    let method = one_of("GET GET GET POST POST POST HEAD PUT DELETE PATCH OPTIONS BREW");
    let kind = prop::sample::select(vec![
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "text/plain",
        ";;;",
    ]);
    let header = prop_oneof![
        8 => Just(format!("Authorization: Bearer {token}")),
        1 => Just("Authorization: Bearer".to_owned()),
        1 => "[!-~]{0,30}".prop_map(|value| format!("Authorization: {value}")),
        1 => "[!-~]{0,30}".prop_map(|value| format!("Range: bytes={value}")),
        1 => "[!-~]{0,30}".prop_map(|value| format!("X-Forwarded-For: {value}")),
        1 => "[!-~]{0,30}".prop_map(|value| format!("Origin: {value}")),
        1 => "[!-~]{0,30}".prop_map(|value| format!("Accept-Language: {value}")),
    ];
    (method, path(), kind, header, body()).prop_map(|(method, path, kind, header, body)| {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: {kind}\r\n\
             {header}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        [head.into_bytes(), body].concat()
    })
}

async fn status(server: &Server, request: &[u8]) -> Option<u16> {
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    stream.write_all(request).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    String::from_utf8_lossy(&answer).split(' ').nth(1)?.parse().ok()
}

async fn no_request_causes_a_server_error(backend: Backend) {
    let server = Server::start(TestKurso::new(backend).await).await;
    let school = School::open(&server).await;
    // An admin passes most checks and cannot delete the own account.
    let requests = request(school.admin.token.clone().unwrap());
    // Deterministic, so that a failure can be reproduced.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut reached = 0;
    let mut seen = BTreeSet::new();
    for _ in 0..800 {
        let request = requests.new_tree(&mut runner).unwrap().current();
        let status = status(&server, &request).await;
        let shown = String::from_utf8_lossy(&request);
        let status = status.unwrap_or_else(|| panic!("no answer to {shown}"));
        assert!((200..500).contains(&status), "{status} for {shown}");
        reached += usize::from(![404, 405].contains(&status));
        seen.insert(status);
    }
    // Otherwise the requests would test the router only.
    assert!(reached > 150, "{reached}");
    assert!(
        [200, 307, 400, 401, 403, 404, 405, 422]
            .iter()
            .all(|status| seen.contains(status)),
        "{seen:?}"
    );
    school.admin.get("/users/me").await.ok();
}

#[tokio::test]
async fn no_request_causes_a_server_error_on_sqlite() {
    no_request_causes_a_server_error(Backend::Sqlite).await;
}

#[tokio::test]
async fn no_request_causes_a_server_error_on_postgres() {
    no_request_causes_a_server_error(Backend::Postgres).await;
}
