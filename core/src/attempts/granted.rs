//! Identifies the attempts of one grant, so that exactly these can be taken back.

use std::fmt;

use kurso_base::messages::Message;
use kurso_base::values::{Checked, Problem};

/// Attempts that a teacher gave to a learner at a quiz in one request. It says what the numbers were then, so that they are taken back only
/// while nothing has happened since: no attempt, and no other grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptGrant {
    /// The number granted; more than one if the limit was lowered below the attempts made.
    pub given: i64,
    /// The total number granted to the learner at this quiz, including these.
    pub granted: i64,
    /// The number of the learner's last attempt; 0 before the first.
    pub last_no: i64,
}

/// The text form that clients store.
impl fmt::Display for AttemptGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.given, self.granted, self.last_no)
    }
}

impl Checked for AttemptGrant {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        let mut numbers = plain.split('-').map(|digits| digits.parse::<u32>().ok().map(i64::from));
        let mut next = || numbers.next().flatten();
        let grant = (|| {
            Some(AttemptGrant {
                given: next()?,
                granted: next()?,
                last_no: next()?,
            })
        })();
        let is_possible = |grant: &AttemptGrant| (1..=grant.granted).contains(&grant.given);
        match grant.filter(is_possible).filter(|_| numbers.next().is_none()) {
            Some(grant) => Ok(grant),
            None => Err(Problem::new("value_error", Message::BadGrant)),
        }
    }

    fn wrong_type() -> Problem {
        Problem::new("string_type", Message::NotAString)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_grant_is_read_back() {
        let grant = AttemptGrant {
            given: 3,
            granted: 4,
            last_no: 12,
        };
        assert_eq!(AttemptGrant::check(grant.to_string()), Ok(grant));
        for wrong in [
            "",
            "3",
            "3-4",
            "3-4-5-6",
            "0-4-5",
            "5-4-5",
            "-3-4-5",
            "a-4-5",
            "3-4-99999999999",
            "3-4- 5",
        ] {
            let refused = AttemptGrant::check(wrong.to_owned());
            assert_eq!(refused.unwrap_err().message, Message::BadGrant, "{wrong}");
        }
    }
}
