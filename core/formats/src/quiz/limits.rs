//! Limits of quizzes, questions and attempts.

use kurso_base::values::{QuestionTag, QuestionTags};

pub const MAX_QUESTIONS: usize = 500;
/// Options, pairs, items or blanks of a question; accepted answers of a question or a blank.
pub const MAX_PARTS: usize = 100;
/// Characters of an accepted answer.
pub const MAX_ACCEPTED: usize = 1000;
/// Questions with a pattern, and characters of a pattern. The bounds exist because every submission compiles the patterns.
pub const MAX_PATTERNS: usize = 50;
pub const MAX_REGEX: usize = 500;
/// The maximum number of formula questions of a quiz. The bound exists because every view evaluates their expressions.
pub const MAX_FORMULAS: usize = 100;
pub const MAX_ATTEMPTS: u32 = 1000;
/// The most units of a numeric question.
pub const MAX_UNITS: usize = 10;
/// The most hints of a question.
pub const MAX_HINTS: usize = 5;
/// The bounds of the time for an attempt: ten seconds to a day.
pub const MIN_TIME_LIMIT: u32 = 10;
pub const MAX_TIME_LIMIT: u32 = 24 * 60 * 60;
/// The bound and the default of the grace period of a timed quiz in seconds.
pub const MAX_GRACE: u32 = 60 * 60;
pub const DEFAULT_GRACE: u32 = 60;
/// The maximum of both bounds of an essay in words.
pub const MAX_WORDS: u32 = 20_000;
/// The most files that one answer may have.
pub const MAX_FILES: u32 = 20;
/// The most links that one answer may have.
pub const MAX_LINKS: u32 = 20;
/// The maximum number of extensions of a question, and the maximum length of one.
pub const MAX_EXTENSIONS: usize = 30;
pub const MAX_EXTENSION: usize = 10;
/// The maximum number of questions and of tags of a draw, and the maximum length of a tag in characters.
pub const MAX_DRAWN: u32 = 100;
pub const MAX_TAGS: usize = QuestionTags::MAX;
/// The most questions of a question bank.
pub const MAX_BANK_QUESTIONS: usize = 5_000;
pub const MAX_TAG: usize = QuestionTag::MAX;
/// Bytes of the JSON of a quiz: every version with attempts is kept.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;
