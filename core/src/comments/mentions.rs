//! Mentions in comments: `@[Name](user:UUID)`.

use std::collections::HashSet;

use kurso_base::ids::{CommentId, CourseId, UserId};
use kurso_db::{Tx, sql};
use uuid::Uuid;

use kurso_base::error::Result;

/// A part of a comment's text.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Mention { name: &'a str, user: UserId },
}

/// Splits a text at its mentions.
fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest, mut from) = (Vec::new(), text, 0);
    while let Some(at) = rest.get(from..).and_then(|tail| tail.find("@[")).map(|at| at + from) {
        match mention(rest.get(at..).unwrap_or_default()) {
            Some((name, user, length)) => {
                if at > 0 {
                    parts.push(Part::Text(rest.get(..at).unwrap_or_default()));
                }
                parts.push(Part::Mention { name, user });
                rest = rest.get(at + length..).unwrap_or_default();
                from = 0;
            }
            None => from = at + 2,
        }
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

/// The mention with which a text begins, and its length in bytes.
fn mention(text: &str) -> Option<(&str, UserId, usize)> {
    let inside = text.strip_prefix("@[")?;
    let (name, rest) = inside.split_once("](user:")?;
    if name.contains(['[', ']', '\n']) {
        return None;
    }
    let (id, _) = rest.split_once(')')?;
    let user = Uuid::try_parse(id).ok()?;
    Some((
        name,
        UserId(user),
        "@[".len() + name.len() + "](user:".len() + id.len() + 1,
    ))
}

/// The people whom a text mentions, each once.
pub(super) fn mentioned(text: &str) -> Vec<UserId> {
    let mut seen = HashSet::new();
    let users = parts(text).into_iter().filter_map(|part| match part {
        Part::Mention { user, .. } => Some(user),
        Part::Text(_) => None,
    });
    users.filter(|user| seen.insert(*user)).collect()
}

/// A text as people read it: `@Name` in place of mentions.
pub(super) fn readable(text: &str) -> String {
    let shown = parts(text).into_iter().map(|part| match part {
        Part::Text(text) => text.to_owned(),
        Part::Mention { name, .. } => format!("@{name}"),
    });
    shown.collect()
}

/// Stores whom a comment mentions: people of its text who may comment on the course. Others stay plain text. Returns those who were not
/// mentioned before.
pub(super) async fn store(tx: &mut Tx, course: CourseId, comment: CommentId, text: &str) -> Result<Vec<UserId>> {
    let named = mentioned(text);
    let members = sql!(
        "SELECT u.id FROM users u JOIN courses c ON c.id = $1 WHERE u.is_active AND (u.id = c.owner_id OR EXISTS (
           SELECT 1 FROM collaborators k WHERE k.course_id = c.id AND k.user_id = u.id)) AND u.id IN ",
        course
    );
    let members = members.push_in(named.iter().copied());
    let members: HashSet<UserId> = match named.is_empty() {
        true => HashSet::new(),
        false => {
            let found = members.fetch_all::<(UserId,)>(&mut *tx).await?;
            found.into_iter().map(|(user,)| user).collect()
        }
    };
    let stored = sql!("SELECT user_id FROM comment_mentions WHERE comment_id = $1", comment);
    let stored = stored.fetch_all::<(UserId,)>(&mut *tx).await?;
    let stored: HashSet<UserId> = stored.into_iter().map(|(user,)| user).collect();
    for gone in stored.iter().filter(|user| !named.contains(user)) {
        sql!(
            "DELETE FROM comment_mentions WHERE comment_id = $1 AND user_id = $2",
            comment,
            *gone
        )
        .execute(&mut *tx)
        .await?;
    }
    let new: Vec<UserId> = named
        .into_iter()
        .filter(|user| members.contains(user) && !stored.contains(user))
        .collect();
    if !new.is_empty() {
        sql!("INSERT INTO comment_mentions (comment_id, user_id) VALUES ")
            .push_values(new.iter().copied(), |sql, user| {
                sql.push_bind(comment).push(", ").push_bind(user)
            })
            .execute(tx)
            .await?;
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0198f000-0000-7000-8000-0000000000e1";

    #[test]
    fn mentions_are_found_and_shown_as_names() {
        let text = format!(
            "Спасибо, @[Анна Иванова](user:{ID}), и @[Анна](user:{ID})! a@[b] @[x](user:1) @[@[Пётр](user:{ID})"
        );
        let id: UserId = ID.parse().unwrap();
        assert_eq!(mentioned(&text), [id]);
        assert_eq!(
            readable(&text),
            "Спасибо, @Анна Иванова, и @Анна! a@[b] @[x](user:1) @[@Пётр"
        );
        assert_eq!(parts(""), []);
        assert_eq!(readable("a @[ b"), "a @[ b");
        assert_eq!(mentioned(&format!("@[a\nb](user:{ID}) @[](user:{ID}")), []);
    }
}
