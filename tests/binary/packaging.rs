//! Commands of the binary for packages and containers: completions, manual pages, health checks.

use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Server, kurso};

/// `kurso health`, as containers and scripts call it.
#[test]
fn health_reports_readiness_by_exit_status() {
    let folder = TempDir::new().unwrap();
    let server = Server::start(kurso(folder.path(), &["serve", "--demo", "off"]));
    let address = server.url.trim_start_matches("http://").to_owned();
    let health = |more: &[&str]| {
        let mut command = kurso(folder.path(), &["health"]);
        command.args(more).env("KURSO_ADDRESS", &address).output().unwrap()
    };
    let answer = health(&[]);
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    assert!(server.stop().success());
    let answer = health(&[]);
    let said = String::from_utf8_lossy(&answer.stderr).into_owned();
    assert!(
        !answer.status.success() && said.contains("/readyz: no response"),
        "{said}"
    );
    let started = Instant::now();
    assert!(!health(&["--wait", "1s"]).status.success());
    assert!(started.elapsed() > Duration::from_millis(700));
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let folder = TempDir::new().unwrap();
    let said = |arguments: &[&str]| {
        let output = kurso(folder.path(), arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&["completions", shell]);
        for word in ["set-password", "database-url"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    assert!(said(&["man"]).starts_with(".ie"));
    said(&["man", "pages"]);
    assert!(folder.path().join("pages/kurso-user-set-password.1").exists());
}
