//! Quizzes without their storage: the author's model, the learner's view, and grading.
//!
//! [`read`] reads an author's JSON, [`require_complete`] checks the requirements of a published quiz, and [`Quiz::to_text`]
//! serialises it for storage. A learner reads a [`LearnerQuiz`], which has no fields for the answer key.

mod alias;
mod answers;
mod bank;
mod check;
mod choice;
mod complete;
mod documents;
mod draft;
mod draw;
mod fields;
mod formula;
mod grading;
mod hand_in;
mod json;
mod lack;
mod learner;
mod limits;
mod model;
mod number;
mod pin;
mod problem;
mod read;
mod regrade;
mod rubric;
#[cfg(test)]
pub(crate) mod samples;
mod seconds;
mod submission;
mod text;
mod units;
mod weight;
mod zones;

pub use alias::{Aliases, QuizKey, Side};
pub use answers::{
    Answer, AnswerFile, FileLocation, FilledBlank, FilledWith, Given, Match, Quantity, answers_from_text, files_of,
};
pub use bank::{BankQuestionDraft, MAX_BANK_QUESTION, StoredBankQuestion};
pub use check::{bare_extension, bare_tag, distinct_tags, kinds_of_files};
pub use choice::{Choice, ChoiceDraft};
pub use complete::require_complete;
pub use draft::QuizDraft;
pub use draw::{Drawable, DrawnQuestion, Short, draw, draw_most};
pub use fields::{At, Problems};
pub use formula::{
    Expression, MAX_DECIMALS, MAX_EXPRESSION, MAX_PARAMETER_NAME, MAX_PARAMETERS, MAX_VALUE, Parameter, Values, result,
    sample_values,
};
pub use grading::{Grade, QuestionGrade, grade, right_answer, right_parts};
pub use hand_in::{HandIn, MAX_LINK};
pub use json::Schemas;
pub use lack::Lack;
pub use learner::{LearnerBlank, LearnerKind, LearnerQuestion, LearnerQuiz, Shown};
pub use limits::{
    DEFAULT_GRACE, MAX_ACCEPTED, MAX_ATTEMPTS, MAX_BANK_QUESTIONS, MAX_BYTES, MAX_DRAWN, MAX_EXTENSION, MAX_EXTENSIONS,
    MAX_FILES, MAX_FORMULAS, MAX_GRACE, MAX_HINTS, MAX_LINKS, MAX_PARTS, MAX_PATTERNS, MAX_QUESTIONS, MAX_REGEX,
    MAX_TAG, MAX_TAGS, MAX_TIME_LIMIT, MAX_UNITS, MAX_WORDS, MIN_TIME_LIMIT,
};
pub use model::{Blank, Checking, Filling, Item, Kind, Pair, PooledQuestion, Question, Quiz, Release, Reveal, Source};
pub use number::{Points, rounded};
pub use pin::{MAX_PINS, PinnedComment, Place};
pub use problem::Problem;
pub use read::{paragraph, quiz_schemas, read};
pub use regrade::RemovedQuestions;
pub use rubric::{Criterion, Level, MAX_CRITERIA, MAX_DESCRIPTION, MAX_LEVELS, MAX_NAME, Mark, MarkResult, Rubric};
pub use seconds::{Seconds, Times};
pub use submission::{
    AnswerCheck, AnswerDraft, AnswerFiles, AnswersSave, ChangedAnswer, FilledBlankDraft, MAX_ESSAY_BYTES, MAX_TEXT,
    MatchDraft, PlaceDraft, PracticeReview, Submission, WorkDraft, check_schemas, practice_schemas, require_kind,
    save_schemas, submission_schemas, work_schemas,
};
pub use text::folded;
pub use units::{MAX_UNIT_NAME, Unit};
pub use weight::{Weight, is_weighted};
pub use zones::{
    Coordinate, MAX_CORNERS, MAX_ZONES, MIN_CORNERS, MarkedPlace, PictureSize, Shape, Zone, convex_hull, image_of,
    natural_size, right_places,
};
