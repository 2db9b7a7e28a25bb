//! The tests of the core, as modules of one program: linking one takes seconds, linking one per file took minutes.

mod accounts;
mod announcements;
mod assessments;
mod assignments;
mod audit;
mod backup;
mod banks;
mod calendar;
mod certificates;
mod clock;
mod comments;
mod content_search;
mod damaged_dates;
mod dates;
mod db;
mod discussions;
mod documents;
mod draws;
mod duplicate;
mod exports;
mod files;
mod finding;
mod gradebook;
mod groups;
mod guests;
mod heat_map;
mod import_headings;
mod item_analysis;
mod jobs;
mod learning;
mod leaving;
mod mail;
mod native;
mod notes;
mod notice_mails;
mod notices;
mod olx;
mod overrides;
mod page_drafts;
mod places;
mod practice;
mod prerequisites;
mod progress;
mod public_page;
mod push;
mod quiz;
mod regrades;
mod reread;
mod s3;
mod schedule_races;
mod set_dates;
mod snapshots;
mod store;
mod structure;
mod students;
mod team;
mod timed;
mod trash;
mod updates;
mod versions;
mod whole_course;

#[test]
#[allow(clippy::unwrap_used, reason = "a test")]
fn every_file_of_tests_is_a_module() {
    let listed = include_str!("main.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let has_tests = path.extension().is_some_and(|extension| extension == "rs") || path.join("mod.rs").exists();
        assert!(
            !has_tests || name == "main" || listed.lines().any(|line| line == format!("mod {name};")),
            "core/tests/main.rs lacks `mod {name};`"
        );
    }
}
