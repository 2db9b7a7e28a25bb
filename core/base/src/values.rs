//! Checked values that commands are made of: titles, passwords, positions. A value of these types is within its bounds.
//!
//! The bounds of a type are its constants (`Title::MAX`); the API schemas read them from here.

mod checked;
mod color;
mod decimal;
mod factor;
#[cfg(feature = "testing")]
mod from_json;
mod lists;
mod secrets;
mod tags;

use serde_json::json;
use uuid::Uuid;

use crate::email::Email;
use crate::ids::{
    self, AnnouncementId, BankId, BankQuestionId, CertificateId, CommentId, CourseId, DeviceId, DiscussionId,
    EnrollmentId, GradeCategoryId, GroupId, LessonId, ModuleId, NoteId, NoticeId, OverrideId, PageId, PartId, PostId,
    SnapshotId, ThreadId, UserId,
};
use crate::messages::{Lang, Message};
use checked::no_string;
pub use checked::{Change, Checked, Problem, check_length, check_zero_byte};
pub use color::HexColor;
pub use decimal::{DECIMAL, GivenPoints, ItemPoints, Threshold, Weight, decimal_text, read_decimal};
pub use factor::TimeFactor;
pub use lists::{FEW, Few, LIST_SIZE, Several, check_at_most, check_size};
pub use secrets::{LinkToken, Password};
pub use tags::{QuestionTag, QuestionTags};

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident: $min:literal to $max:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The fewest characters.
            pub const MIN: usize = $min;
            /// The most characters.
            pub const MAX: usize = $max;

            pub fn parse(text: impl Into<String>) -> Result<Self, Problem> {
                let text = text.into();
                check_length(&text, Self::MIN, Self::MAX)?;
                check_zero_byte(&text)?;
                Ok($name(text))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Checked for $name {
            type Plain = String;

            fn check(plain: String) -> Result<Self, Problem> {
                Self::parse(plain)
            }

            fn wrong_type() -> Problem {
                no_string()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.0
            }
        }
    )*};
}

texts! {
    /// The title of a course, a module, a lesson, a page, an item or a question bank.
    Title: 1 to 255;
    /// The name of a snapshot of a course.
    SnapshotName: 1 to 120;
    /// The description of a course or a module.
    Description: 0 to 10_000;
    /// The description of an item.
    ItemDescription: 0 to 255;
    /// The anchor of a heading, as addresses have it.
    HeadingAnchor: 1 to 300;
    /// The name of a person: surname, first name and patronymic.
    FullName: 0 to 255;
    /// The address of a picture, as a client has read it.
    AvatarUrl: 0 to 1000;
    /// A pasted text with e-mail addresses.
    PastedEmails: 1 to 100_000;
    /// Names one open editor of a person, such as a browser tab.
    EditorSession: 1 to 128;
    /// Why a teacher decided a grade.
    GradeReason: 1 to 500;
    /// A grader's comment on an answer.
    GraderComment: 1 to 5_000;
    /// A grader's comment on a criterion or a place of an answer.
    PartComment: 1 to 2_000;
    /// An author's comment on a page.
    CommentText: 1 to 5_000;
    /// The text of a nudge.
    NudgeText: 1 to 2_000;
    /// The words of a page that a comment is about.
    CommentQuote: 0 to 300;
    /// A table of grades as a CSV text.
    GradeTable: 1 to 4_000_000;
    /// A pasted text with questions.
    PastedQuestions: 1 to 200_000;
    /// Why a post was reported or hidden.
    ModerationReason: 1 to 500;
    /// A word that learners of a course may not write.
    ForbiddenWord: 1 to 50;
    /// The words of a page that are noted or highlighted.
    NoteQuote: 1 to 1_000;
    /// What a reader writes in a note.
    NoteText: 0 to 5_000;
    /// Words that notes are searched for.
    NoteSearch: 0 to 200;
    /// The heading of certificates.
    CertificateHeading: 1 to 80;
    /// The sentence of certificates.
    CertificateText: 0 to 500;
    /// Who signs certificates.
    CertificateSigner: 0 to 120;
    /// Why a certificate was revoked.
    RevocationReason: 1 to 500;
    /// The URL of a browser at its push service.
    PushEndpoint: 1 to 1000;
    /// A key of a browser for pushes, in base64url.
    PushKey: 1 to 200;
}

/// A string of any length without a zero byte.
impl Checked for String {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        check_zero_byte(&plain)?;
        Ok(plain)
    }

    fn wrong_type() -> Problem {
        no_string()
    }
}

impl Checked for Email {
    type Plain = String;

    fn check(plain: String) -> Result<Self, Problem> {
        Email::parse(&plain).map_err(|problem| {
            let ctx = json!({"reason": problem.text(Lang::En)});
            Problem::new("value_error", Message::BadEmail(problem)).with(ctx)
        })
    }

    fn wrong_type() -> Problem {
        no_string()
    }
}

impl Checked for bool {
    type Plain = bool;

    fn check(plain: bool) -> Result<Self, Problem> {
        Ok(plain)
    }

    fn wrong_type() -> Problem {
        Problem::new("bool_type", Message::NotABoolean)
    }
}

/// Any whole number.
impl Checked for i64 {
    type Plain = i64;

    fn check(plain: i64) -> Result<Self, Problem> {
        Ok(plain)
    }

    fn wrong_type() -> Problem {
        Problem::new("int_type", Message::NotAnInteger)
    }
}

/// Checks that a whole number is within bounds.
pub fn check_range(number: i64, min: i64, max: i64) -> Result<(), Problem> {
    if number < min {
        Err(Problem::new("greater_than_equal", Message::IntegerTooSmall(min)).with(json!({"ge": min})))
    } else if number > max {
        Err(Problem::new("less_than_equal", Message::IntegerTooLarge(max)).with(json!({"le": max})))
    } else {
        Ok(())
    }
}

macro_rules! integers {
    ($($(#[$doc:meta])* $name:ident: $min:literal to $max:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(i64);

        impl $name {
            /// The smallest value.
            pub const MIN: i64 = $min;
            /// The largest value.
            pub const MAX: i64 = $max;

            pub fn get(self) -> i64 {
                self.0
            }
        }

        impl Checked for $name {
            type Plain = i64;

            fn check(plain: i64) -> Result<Self, Problem> {
                check_range(plain, Self::MIN, Self::MAX).map(|()| $name(plain))
            }

            fn wrong_type() -> Problem {
                Problem::new("int_type", Message::NotAnInteger)
            }
        }
    )*};
}

integers! {
    /// An index in a list of siblings; one beyond the end means the end.
    Position: 0 to i64::MAX;
    /// The version of a page or of a question of a bank.
    PageVersion: 1 to i64::MAX;
    /// A part of a score.
    Percentage: 0 to 100;
    /// Attempts at a quiz beyond its limit.
    ExtraAttempts: 0 to 100;
    /// Attempts at a quiz that are added to what an override gives.
    AddedAttempts: 1 to 100;
    /// How many of the lowest results of a category do not count.
    DropLowest: 0 to 50;
    /// The version of a cell of the gradebook; 0 before the first decision.
    CellVersion: 0 to i64::MAX;
    /// Days by which all dates of a course move.
    ShiftDays: -3660 to 3660;
    /// An offset in the text of an answer, in code points.
    TextOffset: 0 to 10_000_000;
    /// An index among the blocks of a page.
    BlockIndex: 0 to 1_000_000;
    /// An index among the items of the task lists of a page.
    TaskIndex: 0 to 1_000_000;
    /// The version of a note.
    NoteVersion: 1 to i64::MAX;
    /// A part of the height of a block, in thousandths.
    BlockPart: 0 to 1000;
    /// For how many months a certificate is valid.
    ValidMonths: 1 to 1200;
}

macro_rules! ids {
    ($($name:ident)*) => {$(
        impl Checked for $name {
            type Plain = String;

            fn check(plain: String) -> Result<Self, Problem> {
                Uuid::try_parse(&plain).map(Into::into).map_err(|_| {
                    let reason = ids::why_not_a_uuid(&plain);
                    let ctx = json!({"error": reason});
                    Problem::new("uuid_parsing", Message::BadUuid(reason)).with(ctx)
                })
            }

            fn wrong_type() -> Problem {
                Problem::new("uuid_type", Message::NotAUuid)
            }
        }
    )*};
}

ids! { Uuid UserId CourseId ModuleId LessonId PartId PageId EnrollmentId GroupId OverrideId GradeCategoryId BankId BankQuestionId SnapshotId ThreadId CommentId NoticeId AnnouncementId DiscussionId PostId NoteId DeviceId CertificateId }

/// Implements [`Checked`] for an enum whose values have names: `choices! { PageKind: "content" => PageKind::Content; }`.
#[macro_export]
macro_rules! choices {
    ($($type:ty: $($name:literal => $value:expr),+;)*) => {$(
        impl $crate::values::Checked for $type {
            type Plain = String;

            fn check(plain: String) -> Result<Self, $crate::values::Problem> {
                match plain.as_str() {
                    $($name => Ok($value),)+
                    _ => Err(Self::wrong_type()),
                }
            }

            fn wrong_type() -> $crate::values::Problem {
                $crate::values::Problem::not_one_of(vec![$($name),+])
            }
        }
    )*};
}
pub use choices;

choices! {
    Lang: "en" => Lang::En, "ru" => Lang::Ru;
}

/// Calls a macro with the names of the texts that have bounds: `each_text!(schemas)`.
#[macro_export]
macro_rules! each_text {
    ($with:ident) => {
        $with! { Title SnapshotName Description ItemDescription FullName AvatarUrl PastedEmails GradeReason GraderComment PartComment GradeTable PastedQuestions HeadingAnchor CommentText CommentQuote NudgeText Password QuestionTag ModerationReason ForbiddenWord NoteQuote NoteText NoteSearch PushEndpoint PushKey CertificateHeading CertificateText CertificateSigner RevocationReason }
    };
}

/// Calls a macro with the names of the bounded whole numbers.
#[macro_export]
macro_rules! each_integer {
    ($with:ident) => {
        $with! { Position PageVersion Percentage ExtraAttempts AddedAttempts DropLowest CellVersion ShiftDays TextOffset BlockIndex TaskIndex NoteVersion BlockPart ValidMonths }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_characters() {
        assert!(Title::parse("я".repeat(255)).is_ok());
        assert!(Password::parse("ü".repeat(128)).is_ok());
        assert_eq!(Title::parse("").unwrap_err().kind, "string_too_short");
        let long = Title::parse("я".repeat(256)).unwrap_err();
        assert_eq!(
            (long.kind, long.ctx),
            ("string_too_long", Some(json!({"max_length": 255})))
        );
    }

    #[test]
    fn a_number_out_of_its_bounds_is_refused() {
        assert_eq!(Position::check(-1).unwrap_err().ctx, Some(json!({"ge": 0})));
        let problem = check_range(601, 1, 600).unwrap_err();
        assert_eq!(
            (problem.kind, problem.ctx),
            ("less_than_equal", Some(json!({"le": 600})))
        );
        assert_eq!((check_range(1, 1, 600), check_range(600, 1, 600)), (Ok(()), Ok(())));
    }

    #[test]
    fn a_zero_byte_is_refused_except_in_secrets() {
        assert_eq!(Title::parse("a\0b").unwrap_err().kind, "value_error");
        assert_eq!(String::check("a\0b".to_owned()).unwrap_err().kind, "value_error");
        assert!(Password::parse("secret\0\0\0").is_ok());
    }

    #[test]
    fn a_choice_lists_the_expected_names() {
        let problem = Problem::not_one_of(vec!["content", "quiz"]);
        assert_eq!(problem.ctx, Some(json!({"expected": "'content' or 'quiz'"})));
    }
}
