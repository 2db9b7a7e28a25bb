//! For tests: folders of files and real courses.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

use std::path::PathBuf;

use tempfile::TempDir;

/// A folder with these files, gone when dropped.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

/// The folder of real courses that `KURSO_TEST_COURSES` names; `docs/testing.md` lists its content. Tests that need it
/// are `#[ignore]`d, so that a clone with nothing beside it passes; `scripts/test.sh` runs them when the folder exists.
pub fn real_courses() -> PathBuf {
    let folder = std::env::var_os("KURSO_TEST_COURSES").map(PathBuf::from);
    folder.expect("set KURSO_TEST_COURSES to the folder of real courses (docs/testing.md)")
}

/// The mdBook that the published crate `async-graphql` carries: a real book that every build has downloaded.
pub fn published_book() -> PathBuf {
    let metadata = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        metadata.status.success(),
        "{}",
        String::from_utf8_lossy(&metadata.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages
        .iter()
        .find(|package| package["name"] == "async-graphql")
        .unwrap();
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
    manifest.with_file_name("docs").join("en")
}
