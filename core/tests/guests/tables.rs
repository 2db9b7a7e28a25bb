//! Every table with rows of people is moved by a merge, or it is known why not.

use std::collections::BTreeSet;

use kurso_core::both;
use kurso_db::references::{Catalogue, OnDelete};

/// Tables whose rows a merge moves with the person or the enrollment.
const MOVED: &[&str] = &[
    "answer_drafts",
    "announcement_reads",
    "bookmarks",
    "discussion_reads",
    "ended_enrollments",
    "enrollments",
    "grade_decisions",
    "notes",
    "notices",
    "nudges",
    "open_answers",
    "regraded_attempts",
    "running_attempts",
    "schedule_overrides",
    "task_ticks",
    // With the enrollment.
    "attempts",
    "extra_attempts",
    "practice_cards",
    "visits",
];

/// Tables in which a guest has no rows, because they need an account, or whose rows end with the guest.
const NOT_MOVED: &[&str] = &[
    "answer_files",       // uploads need an account
    "bank_members",       // by an address
    "certificates",       // need an account
    "calendar_feeds",     // need an account
    "collaborators",      // by an invitation to an address
    "comment_mentions",   // of members of the team
    "courses",            // need an account
    "discussion_marks",   // need an account
    "discussion_reports", // need an account
    "email_changes",      // need an address
    "items",              // need an account
    "jobs",               // imports need an account
    "notice_choices",     // need an account
    "notice_settings",    // need an account
    "push_devices",       // need an account
    "question_banks",     // need an account
    "sessions",           // those of the guest end
    "thread_reads",       // of the team
    "trash_entries",      // of owners
    "trash_files",        // of files of answers
    "trash_rows",         // what the guest did at deleted parts is not restored for the account
];

both! {
    async fn a_merge_knows_every_table_with_rows_of_people(kurso: TestKurso) {
        let mut tx = kurso.db.begin().await.unwrap();
        let catalogue = Catalogue::read(&mut tx).await.unwrap();
        let of_people = [catalogue.table("users").unwrap(), catalogue.table("enrollments").unwrap()];
        let found: BTreeSet<&str> = catalogue
            .references
            .iter()
            .filter(|reference| of_people.contains(&reference.to) && reference.on_delete != OnDelete::SetNull)
            .map(|reference| catalogue.tables[reference.from].name.as_str())
            .collect();
        let known: BTreeSet<&str> = MOVED.iter().chain(NOT_MOVED).copied().collect();
        let unknown: Vec<_> = found.symmetric_difference(&known).collect();
        assert!(unknown.is_empty(), "decide what becomes of these rows of a guest, in core/src/guests: {unknown:?}");
    }
}
