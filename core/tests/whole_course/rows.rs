//! The rows of a course as values that are equal in every copy, and what a copy does not carry.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures_util::TryStreamExt as _;
use kurso_base::ids::CourseId;
use kurso_db::Db;
use kurso_db::tables::{Value as Field, tables};
use serde_json::{Value, json};
use uuid::Uuid;

/// The tables that hold a course and its files.
const COURSE: [&str; 8] = [
    "courses",
    "modules",
    "lessons",
    "prerequisites",
    "pages",
    "page_contents",
    "page_files",
    "files",
];

/// All other tables, which only backups and moves carry.
const NOT_OF_THE_COURSE: [(&str, &[&str]); 25] = [
    (
        "people and their sessions",
        &["users", "sessions", "email_changes", "calendar_feeds"],
    ),
    (
        "how its learners are grouped; a duplicate has the groups, a file does not",
        &["groups"],
    ),
    (
        "what differs for groups and learners; no copy and no file has it",
        &["schedule_overrides"],
    ),
    (
        "how the course is graded; a duplicate has it, a file does not",
        &["grade_settings", "grade_categories", "grade_items"],
    ),
    ("what teachers decided", &["grade_decisions"]),
    (
        "answers that people grade, and what they gave",
        &["open_answers", "assessments", "answer_files", "answer_drafts"],
    ),
    (
        "results that were computed again, to undo it",
        &["regrades", "regraded_pages", "regraded_attempts"],
    ),
    ("who works on the course", &["collaborators", "invitations"]),
    (
        "what authors say of pages; no copy and no file has it",
        &["comment_threads", "page_comments", "comment_mentions", "thread_reads"],
    ),
    (
        "what staff tell learners; no copy and no file has it",
        &["announcements", "announcement_reads", "announcement_files", "nudges"],
    ),
    (
        "questions under pages; no copy and no file has them",
        &[
            "discussions",
            "discussion_posts",
            "discussion_files",
            "discussion_marks",
            "discussion_reports",
            "discussion_reads",
        ],
    ),
    (
        "whether a course and its pages have questions; a duplicate has it, a file does not",
        &["discussion_settings", "discussion_pages_off"],
    ),
    (
        "who sees the public page of the course, and its cover; a duplicate has the cover, a file has neither",
        &["public_pages"],
    ),
    (
        "how its certificates are made; a duplicate has it, a file does not",
        &["certificate_designs"],
    ),
    (
        "certificates, which outlive their course, and what signs and revokes their badges",
        &["certificates", "status_lists", "revoked_statuses", "signing_keys"],
    ),
    (
        "what readers keep for themselves; no copy and no file has it",
        &["notes", "bookmarks", "task_ticks"],
    ),
    (
        "what learners did",
        &[
            "enrollments",
            "visits",
            "attempts",
            "taken_quizzes",
            "extra_attempts",
            "running_attempts",
            "running_answers",
            "practice_cards",
        ],
    ),
    (
        "what learners did who have left",
        &[
            "ended_enrollments",
            "ended_visits",
            "ended_attempts",
            "ended_extra_attempts",
            "ended_practice_cards",
        ],
    ),
    ("earlier versions of pages", &["page_versions"]),
    (
        "what learners do not see yet; a duplicate has it, a file only in place of what they see",
        &["page_drafts"],
    ),
    (
        "question banks, and the quizzes that draw from them; a copy of a course draws from the same banks",
        &[
            "question_banks",
            "bank_members",
            "bank_questions",
            "bank_question_tags",
            "bank_question_versions",
            "bank_files",
            "page_banks",
        ],
    ),
    (
        "earlier states of the course",
        &["course_snapshots", "snapshot_texts", "snapshot_files"],
    ),
    (
        "what happened to whom, and how people want to be told",
        &["notices", "notice_settings", "notice_choices", "push_devices", "pushes"],
    ),
    ("what was deleted", &["trash_entries", "trash_files", "trash_rows"]),
    ("the server's own", &["items", "jobs", "audit", "mails"]),
];

/// Columns of the course's tables that only backups and moves carry.
pub const NOT_CARRIED: [(&str, &[&str]); 8] = [
    (
        "a copy belongs to whoever makes it",
        &[
            "courses.owner_id",
            "files.owner_id",
            "page_contents.editor_id",
            "page_contents.editor_session",
        ],
    ),
    ("unique to a course", &["courses.share_code"]),
    (
        "times of the copy",
        &[
            "courses.created_at",
            "courses.updated_at",
            "modules.created_at",
            "modules.updated_at",
            "lessons.created_at",
            "lessons.updated_at",
            "pages.created_at",
            "pages.updated_at",
            "files.created_at",
        ],
    ),
    (
        "counters of the changes to a row, and numbers of learners' marks",
        &[
            "courses.structure_version",
            "courses.mark_nos",
            "pages.version",
            "pages.quiz_version",
            "pages.mark_no",
        ],
    ),
    (
        "what a change meant to those who have read the page",
        &["pages.important_version", "pages.important_at"],
    ),
    ("a key of its own, to which nothing refers", &["prerequisites.id"]),
    ("the place of a file in the store", &["files.key", "files.unused_since"]),
    (
        "whether a file is of an answer; no course contains those",
        &["files.is_private"],
    ),
];

/// Columns that a copy inside the server changes.
pub const CHANGED_BY_DUPLICATE: [(&str, &[&str]); 2] = [
    ("the copy is named as one", &["courses.title"]),
    ("a key is unique", &["modules.key", "lessons.key", "pages.key"]),
];

pub fn listed<const N: usize>(list: [(&str, &[&'static str]); N]) -> BTreeSet<&'static str> {
    list.iter().flat_map(|(_, names)| names.iter().copied()).collect()
}

/// The compared columns of each row, by a name that is the same in every copy.
pub type Rows = BTreeMap<String, BTreeMap<String, String>>;

/// Reads a course from the tables themselves.
pub async fn rows_of(db: &Db, course: CourseId) -> Rows {
    let mut snapshot = db.snapshot().await.unwrap();
    let mut all: HashMap<String, Vec<HashMap<String, Field>>> = HashMap::new();
    let others = listed(NOT_OF_THE_COURSE);
    for table in tables(&mut snapshot).await.unwrap() {
        assert!(
            COURSE.contains(&table.name.as_str()) != others.contains(table.name.as_str()),
            "the table {} is in neither list: is it carried with a course?",
            table.name
        );
        let rows: Vec<_> = table.rows(&mut snapshot).unwrap().try_collect().await.unwrap();
        let named = rows.into_iter().map(|row| {
            let names = table.columns.iter().map(|column| column.name.clone());
            names.zip(row).collect::<HashMap<_, _>>()
        });
        all.insert(table.name.clone(), named.collect());
    }
    let id = |row: &HashMap<String, Field>, column: &str| match row[column] {
        Field::Uuid(id) => Some(id),
        _ => None,
    };
    let mut names: HashMap<String, String> = HashMap::from([(course.to_string(), "course".to_owned())]);
    for (table, parent) in [
        ("modules", "course_id"),
        ("lessons", "module_id"),
        ("pages", "lesson_id"),
    ] {
        for row in &all[table] {
            let Some(parent) = names.get(&id(row, parent).unwrap().to_string()) else {
                continue;
            };
            let Field::Int(position) = row["position"] else {
                panic!("{row:?}")
            };
            let name = format!("{parent}/{position}");
            names.insert(id(row, "id").unwrap().to_string(), name);
        }
    }
    let used = all["page_files"]
        .iter()
        .filter(|row| names.contains_key(&id(row, "page_id").unwrap().to_string()))
        .filter_map(|row| id(row, "file_id"));
    let avatars = all["modules"]
        .iter()
        .filter(|row| names.contains_key(&id(row, "id").unwrap().to_string()))
        .filter_map(|row| id(row, "avatar_file_id"));
    let used: BTreeSet<Uuid> = used.chain(avatars).collect();
    for row in &all["files"] {
        let (Field::Text(name), Field::Text(key)) = (&row["filename"], &row["key"]) else {
            panic!("{row:?}")
        };
        if used.contains(&id(row, "id").unwrap()) {
            names.insert(id(row, "id").unwrap().to_string(), format!("file {name}"));
            names.insert(key.clone(), "key".to_owned());
        }
    }

    let mut found = Rows::new();
    for table in COURSE {
        for row in &all[table] {
            let keys: Vec<_> = match table {
                "page_contents" => vec!["page_id"],
                "page_files" => vec!["page_id", "file_id"],
                "prerequisites" => ["module_id", "lesson_id", "needs_module_id", "needs_lesson_id"]
                    .into_iter()
                    .filter(|column| id(row, column).is_some())
                    .collect(),
                _ => vec!["id"],
            };
            let keys: Option<Vec<_>> = keys
                .iter()
                .map(|key| names.get(&id(row, key).unwrap().to_string()).cloned())
                .collect();
            let Some(keys) = keys else { continue };
            let columns = row.iter().map(|(column, field)| {
                let shown = match field {
                    Field::Uuid(id) => names.get(&id.to_string()).cloned().unwrap_or_else(|| id.to_string()),
                    Field::Text(text) if table == "page_contents" => document(text, &names),
                    field => format!("{field:?}"),
                };
                (format!("{table}.{column}"), shown)
            });
            found.insert(format!("{table} {}", keys.join(" ")), columns.collect());
        }
    }
    found
}

/// A stored document or quiz with names in place of ids. Ids within a quiz are numbered in the order of their occurrence.
fn document(text: &str, names: &HashMap<String, String>) -> String {
    fn walk(value: &mut Value, ids: &mut HashMap<String, usize>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in &mut *fields {
                    match value {
                        Value::String(id)
                            if ["id", "blank_id"].contains(&name.as_str()) && Uuid::parse_str(id).is_ok() =>
                        {
                            let next = ids.len();
                            *id = ids.entry(id.clone()).or_insert(next).to_string();
                        }
                        value => walk(value, ids),
                    }
                }
                // What is absent, null, false or empty means the same.
                fields.retain(|_, value| ![Value::Null, json!(false), json!({})].contains(value));
            }
            Value::Array(list) => list.iter_mut().for_each(|value| walk(value, ids)),
            _ => {}
        }
    }
    let Ok(mut value) = serde_json::from_str::<Value>(text) else {
        return text.to_owned();
    };
    walk(&mut value, &mut HashMap::new());
    let mut text = format!("{value:#}");
    for (id, name) in names {
        text = text.replace(id, name);
    }
    text
}

/// The lines that only one of two values has.
fn difference(was: &str, is: &str) -> String {
    let [was, is]: [Vec<&str>; 2] = [was, is].map(|text| text.lines().collect());
    let only = |sign: &str, of: &[&str], other: &[&str]| -> String {
        let lines = of.iter().filter(|line| !other.contains(line));
        lines.map(|line| format!("\n {sign} {line}")).collect()
    };
    only("-", &was, &is) + &only("+", &is, &was)
}

/// Fails with each difference between two courses outside of `except`, and with each exception that makes none.
pub fn assert_same(way: &str, original: &Rows, copy: &Rows, except: &BTreeSet<&str>) {
    let rows = |rows: &Rows| rows.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(rows(original), rows(copy), "{way}: rows");
    let mut lost = Vec::new();
    let mut differing = BTreeSet::new();
    for (row, columns) in original {
        for (column, value) in columns {
            let other = &copy[row][column];
            if value != other {
                differing.insert(column.as_str());
                if !except.contains(column.as_str()) {
                    lost.push(format!("{row}: {column}{}", difference(value, other)));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{way}:\n{}", lost.join("\n"));
    let changed = listed(CHANGED_BY_DUPLICATE);
    let idle: Vec<_> = except
        .iter()
        .filter(|name| changed.contains(*name) && !differing.contains(*name))
        .collect();
    assert!(idle.is_empty(), "{way} carries {idle:?}: remove the exception");
}
