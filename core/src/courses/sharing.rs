//! Share codes of courses and groups: 8 characters of Crockford base32, shown as `XXXX-XXXX`. No two are equal.

use super::{Course, find};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::audit::{Act, Entry};
use kurso_base::error::{Error, Result};
use kurso_base::ids::CourseId;
use kurso_base::messages::Message;
use kurso_db::{Executor, sql};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Replaces the share code of a course with a new one, which takes effect at once. Needs the right to share the course.
pub async fn generate_share_code(kurso: &Kurso, viewer: &Viewer, id: CourseId) -> Result<Course> {
    let mut course = find(&kurso.db, viewer, id, Right::Share).await?;
    // Two equal codes of 40 random bits are improbable, but not an error of the caller.
    for _ in 0..5 {
        let code = new_code();
        let mut tx = kurso.db.begin().await?;
        if is_taken(&mut tx, &code).await? {
            continue;
        }
        match sql!("UPDATE courses SET share_code = $2 WHERE id = $1", id, &code)
            .execute(&mut tx)
            .await
        {
            Ok(0) => return Err(Error::NotFound(Message::CourseNotFound)),
            Ok(_) => {
                let entry = Entry::new(Act::ShareCodeRenewed).by(viewer.id()).in_course(id);
                entry.write(&mut tx, kurso.clock.now()).await?;
                tx.commit().await?;
                course.share_code = Some(shown(&code));
                return Ok(course);
            }
            Err(error) if kurso_base::error::is_unique_violation(&error) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::internal("no free share code in five tries"))
}

/// Whether a course or a group has the code. The unique index of each table excludes equal codes within the table; equal
/// codes that two transactions generate at the same moment for a course and for a group are not excluded, but as improbable
/// as 40 random bits make them, and `kurso check` finds them.
pub(crate) async fn is_taken(on: impl Executor, code: &str) -> Result<bool> {
    let taken = sql!(
        "SELECT 1 FROM courses WHERE share_code = $1 UNION ALL SELECT 1 FROM groups WHERE share_code = $1",
        code
    );
    Ok(taken.fetch_optional::<(i32,)>(on).await?.is_some())
}

/// Generates a code in the stored form: 8 characters, 40 random bits.
pub fn new_code() -> String {
    let mut bits = kurso_base::random::bits();
    (0..8)
        .map(|_| {
            let digit = usize::try_from(bits & 31).unwrap_or_default();
            bits >>= 5;
            char::from(*ALPHABET.get(digit).unwrap_or(&b'0'))
        })
        .collect()
}

/// Formats `ABCD1234` for display: `ABCD-1234`.
pub fn shown(code: &str) -> String {
    match code.split_at_checked(4) {
        Some((a, b)) => format!("{a}-{b}"),
        None => code.to_owned(),
    }
}

/// Converts input to the stored form, ignoring case, dashes and spaces, and reading I and L as 1, O as 0. None if the input cannot
/// be a code.
pub fn parse(typed: &str) -> Option<String> {
    let mut code = String::with_capacity(8);
    for c in typed.chars() {
        let c = match c.to_ascii_uppercase() {
            '-' | '–' | '—' | '‑' => continue,
            c if c.is_whitespace() => continue,
            'I' | 'L' => '1',
            'O' => '0',
            c => c,
        };
        if code.len() == 8 || !c.is_ascii() || !ALPHABET.contains(&u8::try_from(c).ok()?) {
            return None;
        }
        code.push(c);
    }
    (code.len() == 8).then_some(code)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn share_codes_are_parsed_in_every_spelling() {
        for typed in ["ABCD-1020", " abcd 1o2O ", "abcd–io2o", "ABCDL020"] {
            assert_eq!(parse(typed).as_deref(), Some("ABCD1020"), "{typed}");
        }
        for typed in ["", "ABCD", "ABCD-10203", "ABCD-102U", "ABCD-102é", "ＡBCD-1020"] {
            assert_eq!(parse(typed), None, "{typed}");
        }
    }

    proptest! {
        #[test]
        fn generated_share_codes_parse(_ in 0..50u8) {
            let code = new_code();
            prop_assert_eq!(parse(&shown(&code)), Some(code.clone()));
            prop_assert_eq!(parse(&shown(&code).to_lowercase()), Some(code));
        }

        #[test]
        fn never_panics(typed in ".*") {
            parse(&typed);
        }
    }
}
