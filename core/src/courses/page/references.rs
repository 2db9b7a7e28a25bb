//! References from a page's content and quiz, or from questions of banks, to files and to pages of the course, in `attrs.src` and
//! `attrs.href` of nodes and marks at any depth.
//!
//! `docs/decisions/0010-references-allowed-in-page-content.md` says who may use a file, and why dead links are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use crate::access::Viewer;
use kurso_base::error::{FieldError, Result, require_no_errors};
use kurso_base::ids::{CourseId, FileId, PageId};
use kurso_base::messages::Message;
use kurso_base::wire;
use kurso_db::sql;
use kurso_db::{LIST_LIMIT, Tx};
use kurso_formats::content::{FileAddress, Href};

/// The keys of referenced files and the ids of referenced pages, each with the path of its first occurrence, such as
/// `content.content[3].attrs.src`.
#[derive(Debug, Default)]
pub(crate) struct References {
    files: BTreeMap<String, String>,
    pages: BTreeMap<PageId, String>,
}

impl References {
    pub fn of(content: Option<&Value>, quiz: Option<&Value>) -> Self {
        let parts = [("content", content), ("quiz", quiz)];
        References::of_values(parts.into_iter().filter_map(|(name, value)| Some((name, value?))))
    }

    /// The references of stored texts.
    pub fn of_texts(content: &str, quiz: Option<&str>) -> Self {
        let parse = |text: &str| -> Value { wire::read_stored(text).unwrap_or_default() };
        References::of(Some(&parse(content)), quiz.map(parse).as_ref())
    }

    /// The references of values, each with the path that leads to it, such as `questions[0].question`.
    pub fn of_values<'a>(values: impl IntoIterator<Item = (impl AsRef<str>, &'a Value)>) -> Self {
        let mut found = References::default();
        for (path, value) in values {
            walk(value, &mut vec![Step::Field(path.as_ref())], &mut |address, path| {
                found.note(address, path);
            });
        }
        found
    }

    /// Without the files.
    pub fn only_pages(self) -> Self {
        References {
            files: BTreeMap::new(),
            ..self
        }
    }

    /// Removes the files that `earlier` also references.
    pub fn without_files_of(mut self, earlier: &References) -> Self {
        self.files.retain(|key, _| !earlier.files.contains_key(key));
        self
    }

    fn note(&mut self, address: &str, path: &[Step<'_>]) {
        if let Some(file) = FileAddress::parse(address) {
            self.files.entry(file.key.to_owned()).or_insert_with(|| path_text(path));
        } else if let Some(Href::Page { page, .. }) = Href::parse(address) {
            self.pages.entry(PageId(page)).or_insert_with(|| path_text(path));
        }
    }

    pub fn file_keys(&self) -> BTreeSet<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    /// Fails with 422 if the viewer may not use a file, or a link refers to no page of the course. `stored` has the references of the
    /// stored page: its links may stay although their page was deleted.
    pub async fn check(
        &self,
        tx: &mut Tx,
        viewer: &Viewer,
        course: CourseId,
        stored: Option<(&str, Option<&str>)>,
    ) -> Result<()> {
        self.claim_files(tx).await?;
        let mut errors = self.unusable_files(tx, viewer).await?;
        let mut unknown = self.unknown_pages(tx, course).await?;
        if let (false, Some((content, quiz))) = (unknown.is_empty(), stored) {
            let earlier = References::of_texts(content, quiz);
            unknown.retain(|page, _| !earlier.pages.contains_key(page));
        }
        errors.extend(unknown.into_values().map(|path| {
            let message = Message::UnknownPageLink(path.clone());
            FieldError::inside("value_error", &path, message)
        }));
        require_no_errors(errors)
    }

    /// Fails with 422 if the viewer may not use a file in a question of a bank, or the question links to a page.
    pub async fn check_in_bank(&self, tx: &mut Tx, viewer: &Viewer) -> Result<()> {
        self.claim_files(tx).await?;
        let mut errors = self.unusable_files(tx, viewer).await?;
        errors.extend(self.pages.values().map(|path| {
            let message = Message::PageLinkInBank(path.clone());
            FieldError::inside("value_error", path, message)
        }));
        require_no_errors(errors)
    }

    /// A file that is due for deletion is either deleted already or stays: the sweeper waits for this transaction and then no longer
    /// finds the mark.
    async fn claim_files(&self, tx: &mut Tx) -> Result<()> {
        let keys: Vec<&String> = self.files.keys().collect();
        for keys in keys.chunks(LIST_LIMIT) {
            sql!("UPDATE files SET unused_since = NULL WHERE unused_since IS NOT NULL AND key IN ")
                .push_in(keys.iter().map(|key| key.as_str()))
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }

    async fn unusable_files(&self, tx: &mut Tx, viewer: &Viewer) -> Result<Vec<FieldError>> {
        let mut unknown = self.files.clone();
        let keys: Vec<&String> = self.files.keys().collect();
        for keys in keys.chunks(LIST_LIMIT) {
            let usable = sql!("SELECT f.key FROM files f WHERE NOT f.is_private AND (f.owner_id = ")
                .push_bind(viewer.id())
                .push(
                    " OR EXISTS (SELECT 1 FROM page_files s JOIN pages p ON p.id = s.page_id
                     JOIN courses c ON c.id = p.course_id
                     LEFT JOIN collaborators k ON k.course_id = c.id AND k.user_id = $1
                     WHERE s.file_id = f.id AND (c.owner_id = $1 OR k.role = 'editor'))
                     OR EXISTS (SELECT 1 FROM bank_files s JOIN bank_questions q ON q.id = s.question_id
                     JOIN question_banks b ON b.id = q.bank_id
                     LEFT JOIN bank_members m ON m.bank_id = b.id AND m.user_id = $1
                     WHERE s.file_id = f.id AND (b.owner_id = $1 OR m.user_id IS NOT NULL OR ",
                )
                .push_bind(viewer.user.is_superuser)
                .push("))) AND f.key IN ")
                .push_in(keys.iter().map(|key| key.as_str()))
                .fetch_all::<(String,)>(&mut *tx)
                .await?;
            for (key,) in usable {
                unknown.remove(&key);
            }
        }
        Ok(unknown
            .into_values()
            .map(|path| {
                let message = Message::UnknownFile(path.clone());
                FieldError::inside("value_error", &path, message)
            })
            .collect())
    }

    async fn unknown_pages(&self, tx: &mut Tx, course: CourseId) -> Result<BTreeMap<PageId, String>> {
        let mut unknown = self.pages.clone();
        let ids: Vec<PageId> = self.pages.keys().copied().collect();
        for ids in ids.chunks(LIST_LIMIT) {
            let known = sql!("SELECT id FROM pages WHERE course_id = ")
                .push_bind(course)
                .push(" AND id IN ")
                .push_in(ids.iter().copied())
                .fetch_all::<(PageId,)>(&mut *tx)
                .await?;
            for (id,) in known {
                unknown.remove(&id);
            }
        }
        Ok(unknown)
    }

    /// Keeps the files from being deleted while the page or its history refers to them.
    pub async fn keep_files(&self, tx: &mut Tx, page: PageId) -> Result<()> {
        let keys: Vec<&String> = self.files.keys().collect();
        for keys in keys.chunks(LIST_LIMIT) {
            let ids = sql!("SELECT id FROM files WHERE key IN ")
                .push_in(keys.iter().map(|key| key.as_str()))
                .fetch_all::<(FileId,)>(&mut *tx)
                .await?;
            if ids.is_empty() {
                continue;
            }
            sql!("INSERT INTO page_files (page_id, file_id) VALUES ")
                .push_values(ids, |sql, (file,)| sql.push_bind(page).push(", ").push_bind(file))
                .push(" ON CONFLICT (page_id, file_id) DO NOTHING")
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }
}

/// Releases the files that only `dropped` refers to: neither the current text (`kept`), nor a version in the history, nor a quiz as it
/// was taken.
pub(super) async fn release_files(tx: &mut Tx, page: PageId, dropped: &References, kept: &References) -> Result<()> {
    let mut keys = dropped.file_keys();
    keys.retain(|key| !kept.files.contains_key(*key));
    let keys: Vec<&str> = keys.into_iter().collect();
    for keys in keys.chunks(LIST_LIMIT) {
        // A key has 32 hexadecimal digits, so a text that contains it refers to the file.
        sql!("DELETE FROM page_files WHERE page_id = ")
            .push_bind(page)
            .push(
                " AND file_id IN (SELECT f.id FROM files f WHERE NOT EXISTS (
                   SELECT 1 FROM page_versions v WHERE v.page_id = $1
                   AND (v.content LIKE '%' || f.key || '%' OR v.quiz LIKE '%' || f.key || '%'))
                 AND NOT EXISTS (SELECT 1 FROM taken_quizzes t WHERE t.page_id = $1 AND t.quiz LIKE '%' || f.key || '%')
                 AND f.key IN ",
            )
            .push_in(keys.iter().copied())
            .push(")")
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

/// Redirects every link to a page by `map`; None if nothing changes.
pub(in crate::courses) fn with_links_mapped(text: &str, map: &dyn Fn(PageId) -> Option<PageId>) -> Option<String> {
    let mut value: Value = wire::read_stored(text).ok()?;
    map_links(&mut value, map).then(|| value.to_string())
}

fn map_links(value: &mut Value, map: &dyn Fn(PageId) -> Option<PageId>) -> bool {
    let mut changed = false;
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(href)) = fields.get_mut("attrs").and_then(|attrs| attrs.get_mut("href"))
                && let Some(Href::Page { page, anchor }) = Href::parse(href)
                && let Some(new) = map(PageId(page))
            {
                *href = match anchor {
                    Some(anchor) => format!("page:{new}#{anchor}"),
                    None => format!("page:{new}"),
                };
                changed = true;
            }
            for child in fields.values_mut() {
                changed |= map_links(child, map);
            }
        }
        Value::Array(list) => {
            for child in list {
                changed |= map_links(child, map);
            }
        }
        _ => {}
    }
    changed
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Field(&'a str),
    Index(usize),
}

fn walk<'a>(value: &'a Value, path: &mut Vec<Step<'a>>, see: &mut dyn FnMut(&'a str, &[Step<'a>])) {
    match value {
        Value::Object(fields) => {
            let in_attrs = matches!(path.last(), Some(Step::Field("attrs")));
            for (name, child) in fields {
                path.push(Step::Field(name));
                match child {
                    Value::String(address) if in_attrs && matches!(name.as_str(), "src" | "href") => see(address, path),
                    child => walk(child, path, see),
                }
                path.pop();
            }
        }
        Value::Array(list) => {
            for (index, child) in list.iter().enumerate() {
                path.push(Step::Index(index));
                walk(child, path, see);
                path.pop();
            }
        }
        _ => {}
    }
}

fn path_text(path: &[Step<'_>]) -> String {
    let mut text = String::new();
    for step in path {
        // Writing to a string cannot fail.
        let _ = match step {
            Step::Field(name) if text.is_empty() => write!(text, "{name}"),
            Step::Field(name) => write!(text, ".{name}"),
            Step::Index(index) => write!(text, "[{index}]"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FILE: &str = "/files/0123456789abcdef0123456789abcdef/a.png";
    const PAGE: &str = "01890000-0000-7000-8000-000000000001";

    fn linked(href: &str) -> Value {
        json!({"type": "text", "text": "x", "marks": [{"type": "bold"}, {"type": "link", "attrs": {"href": href}}]})
    }

    #[test]
    fn references_of_content_and_quiz_are_found() {
        let content = json!({"type": "doc", "content": [
            {"type": "paragraph", "content": [linked(&format!("page:{PAGE}#a")), linked("https://example.com")]},
            {"type": "image", "attrs": {"src": FILE}},
            {"type": "codeBlock", "content": [{"type": "text", "text": FILE}]},
        ]});
        let quiz =
            json!({"questions": [{"prompt": {"type": "doc", "content": [{"type": "image", "attrs": {"src": FILE}}]}}]});
        let found = References::of(Some(&content), Some(&quiz));
        assert_eq!(
            found.files.values().collect::<Vec<_>>(),
            ["content.content[1].attrs.src"]
        );
        let pages: Vec<_> = found
            .pages
            .iter()
            .map(|(id, path)| (id.to_string(), path.as_str()))
            .collect();
        assert_eq!(
            pages,
            [(PAGE.to_owned(), "content.content[0].content[0].marks[1].attrs.href")]
        );
        let found = References::of(None, Some(&quiz));
        let paths: Vec<_> = found.files.values().collect();
        assert_eq!(paths, ["quiz.questions[0].prompt.content[0].attrs.src"]);
    }

    #[test]
    fn maps_links_and_keeps_their_anchors() {
        let new = PageId::new();
        let map = |page: PageId| (page.to_string() == PAGE).then_some(new);
        let text = json!({"type": "doc", "content": [linked(&format!("page:{PAGE}#владение"))]}).to_string();
        let mapped = with_links_mapped(&text, &map).unwrap();
        assert!(
            mapped.contains(&format!("page:{new}#владение")) && !mapped.contains(PAGE),
            "{mapped}"
        );
        assert_eq!(with_links_mapped(&mapped, &map), None);
    }
}
