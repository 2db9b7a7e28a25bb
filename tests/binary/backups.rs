//! The commands check, backup, restore and move, and scheduled backups.

use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{Server, book, files, json_of, kurso, run};

#[test]
fn check_backup_and_restore_commands_work_together() {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    let refused = run(path, &["check"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the database is empty"));

    // The first command creates the tables.
    let added: Vec<_> = (0..4)
        .map(|n| {
            kurso(path, &["user", "add", &format!("p{n}@example.com")])
                .spawn()
                .unwrap()
        })
        .collect();
    for child in added {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let book = book();
    json_of(&run(
        path,
        &["import", book.to_str().unwrap(), "--owner", "p0@example.com", "--json"],
    ));
    let shown = run(path, &["check", "--deep"]);
    let text = String::from_utf8_lossy(&shown.stdout);
    assert!(
        shown.status.success() && text.contains("No problems were found."),
        "{text}"
    );

    let backup = path.join("school.zip");
    let manifest = json_of(&run(path, &["backup", backup.to_str().unwrap(), "--json"]));
    assert!(manifest["files"]["count"].as_u64().unwrap() > 0, "{manifest}");
    let elsewhere = path.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let restored = run(&elsewhere, &["restore", backup.to_str().unwrap()]);
    assert!(
        restored.status.success(),
        "{}",
        String::from_utf8_lossy(&restored.stderr)
    );
    let again = elsewhere.join("again.zip");
    let second = json_of(&run(&elsewhere, &["backup", again.to_str().unwrap(), "--json"]));
    assert_eq!(
        (&second["tables"], &second["files"]),
        (&manifest["tables"], &manifest["files"])
    );
    let refused = run(&elsewhere, &["restore", backup.to_str().unwrap()]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && error.contains("not empty"), "{error}");

    let moved = path.join("moved");
    let target = format!("sqlite:{}", moved.join("kurso.db").display());
    let files = moved.join("files");
    let report = json_of(&run(
        path,
        &["move", "--to", &target, "--files-to", files.to_str().unwrap(), "--json"],
    ));
    assert_eq!(report["files"]["count"], manifest["files"]["count"]);
    let there = run(
        path,
        &[
            "check",
            "--deep",
            "--json",
            "--database-url",
            &target,
            "--files-url",
            files.to_str().unwrap(),
        ],
    );
    assert_eq!(json_of(&there)["problems"], 0);

    // A file with missing bytes is reported.
    std::fs::remove_dir_all(elsewhere.join("data/files")).unwrap();
    let broken = run(&elsewhere, &["check"]);
    let text = String::from_utf8_lossy(&broken.stdout);
    assert!(
        !broken.status.success() && text.contains("its bytes are not stored"),
        "{text}"
    );
}

#[test]
fn a_server_makes_scheduled_backups() {
    let folder = TempDir::new().unwrap();
    let backups = folder.path().join("backups");
    let mut command = kurso(
        folder.path(),
        &["serve", "--demo", "off", "--backup-every", "1s", "--backup-keep", "2"],
    );
    command.env("KURSO_BACKUP_DIR", &backups);
    let server = Server::start(command);
    let whole = || {
        std::fs::read_dir(&backups).map_or(0, |entries| {
            entries
                .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".zip"))
                .count()
        })
    };
    let started = Instant::now();
    while whole() < 2 {
        assert!(started.elapsed() < Duration::from_secs(30), "two backups are expected");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(server.stop().success());
    let newest = files(&backups).into_keys().max().unwrap();
    let restored = run(
        &backups.join(".."),
        &[
            "restore",
            backups.join(newest).to_str().unwrap(),
            "--data-dir",
            "rehearsal",
        ],
    );
    assert!(
        restored.status.success(),
        "{}",
        String::from_utf8_lossy(&restored.stderr)
    );
}
