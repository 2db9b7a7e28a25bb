//! Memory use of the server, as Linux reports it.
#![cfg(target_os = "linux")]

use tempfile::TempDir;

use crate::{Server, ask, kurso, sign_in};

/// The process's private memory in kB, without the mapped binary, because a debug build is several times larger.
fn own_memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn an_idle_server_releases_the_memory_of_password_hashing() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve", "--demo", "off"]);
    command.env("KURSO_SUPERUSER_PASSWORD", "a password of ours");
    let server = Server::start(command);
    ask(&server, "", "{ __typename }").await;
    let before = own_memory(&server);
    for _ in 0..3 {
        let sign_in = || sign_in(&server, "admin@example.com", "a password of ours");
        tokio::join!(sign_in(), sign_in(), sign_in(), sign_in());
    }
    let after = own_memory(&server);
    assert!(
        after < before + 10 * 1024,
        "{before} kB before, {after} kB after, and one hash is 19 MiB"
    );
}

/// Requests are sequential, so that the memory of each shows instead of their concurrency.
#[tokio::test]
async fn graphql_attacks_do_not_grow_memory() {
    let folder = TempDir::new().unwrap();
    let mut command = kurso(folder.path(), &["serve"]);
    command.env("KURSO_DEMO", "off");
    let server = Server::start(command);
    let doubled = |i: usize| format!("fragment F{i} on Query {{ ...F{0} ...F{0} }} ", i + 1);
    let attacks = [
        format!("{{ {} }}", "a: me { id } ".repeat(100_000)),
        format!(
            "{{ ...F0 }} {} fragment F22 on Query {{ __typename }}",
            (0..22).map(doubled).collect::<String>()
        ),
        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }".to_owned(),
        format!("{{ __typename {} }}", "@skip(if: false) ".repeat(1_500)),
        format!("{}me{}", "{".repeat(100_000), "}".repeat(100_000)),
        format!("{{ me {{ {} }} }}", "id ".repeat(5_000)),
        format!(
            "{{ __schema {{ types {{ {} name {} }} }} }}",
            "fields { type { ".repeat(6),
            "} } ".repeat(6)
        ),
        format!("{{ __typename }} # {}", "x".repeat(3_000_000)),
    ];
    ask(&server, "", "{ __typename }").await;
    let before = highest_memory(&server);
    for attack in &attacks {
        for _ in 0..20 {
            ask(&server, "", attack).await;
        }
    }
    let after = highest_memory(&server);
    assert!(after < before + 32_000, "{before} kB before, {after} kB at most");
}

/// The process's peak memory in kB.
fn highest_memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
