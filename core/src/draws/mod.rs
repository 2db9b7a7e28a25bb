//! Draws from question banks: which questions an attempt draws, who may draw from a bank, and which pages draw from which banks
//! ([decision 103](../../../docs/decisions/0103-question-banks.md)).

mod pages;

use std::collections::{HashMap, HashSet};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{EnrollmentId, PageId};
use kurso_db::{Db, Executor, LIST_LIMIT, sql};
use kurso_formats::BankDraft;
use kurso_formats::quiz::{
    Aliases, At, Drawable, DrawnQuestion, Kind, Lack, Problem, Problems, Question, Quiz, Short, draw, draw_most,
};
use serde_json::Value;
use uuid::Uuid;

use pages::bank_and_tags;
pub(crate) use pages::{follow, readable, record, require_readable, unreadable};

/// Questions that an attempt draws, in the order of the quiz.
pub(crate) type Drawn = Vec<(DrawnQuestion, Question)>;

/// An attempt that draws. From unchanged banks, it draws the same questions each time.
#[derive(Clone, Copy)]
pub(crate) struct Drawer<'a> {
    pub aliases: Aliases<'a>,
    pub page: PageId,
    pub attempt_no: i64,
}

impl Drawer<'_> {
    fn rank(&self, draw: Uuid, question: Uuid) -> [u8; 32] {
        self.aliases.rank(self.page.0, draw, question, self.attempt_no)
    }

    /// Draws questions from the banks as they are now, and those `seen` before only if there are too few others. None if a bank has too few.
    /// Fails with [`Error::Busy`] if a question is deleted meanwhile. Two statements.
    pub async fn draw(&self, db: &Db, quiz: &Quiz, seen: &HashSet<Uuid>) -> Result<Option<Drawn>> {
        let drawables = drawables(db, quiz).await?;
        let count: usize = drawables.iter().map(|draw| draw.count).sum();
        let Ok(taken) = draw(&drawables, seen, &quiz.copied(), |draw, question| {
            self.rank(draw, question)
        }) else {
            return Ok(None);
        };
        let drawn = with_texts(db, &drawables, &taken).await?;
        // A question was deleted after it was chosen.
        if drawn.len() != count {
            return Err(Error::Busy);
        }
        Ok(Some(drawn))
    }

    /// The quiz with questions from the banks as they are now in place of its draws, for staff, who take no attempts. A bank with too few
    /// questions gives as many as it has. Two statements, none for a quiz without draws.
    pub async fn sampled(&self, db: &Db, mut quiz: Quiz) -> Result<Quiz> {
        if !quiz.has_draws() {
            return Ok(quiz);
        }
        let drawables = drawables(db, &quiz).await?;
        let taken = draw_most(&drawables, &HashSet::new(), &quiz.copied(), |draw, question| {
            self.rank(draw, question)
        });
        let drawn = with_texts(db, &drawables, &taken).await?;
        quiz.pool(&drawn);
        Ok(quiz.with_drawn(&ids(&drawn)))
    }
}

pub(crate) fn ids(drawn: &Drawn) -> Vec<DrawnQuestion> {
    drawn.iter().map(|(one, _)| *one).collect()
}

/// What an attempt has drawn, as it is stored. None without draws.
pub(crate) fn to_text(drawn: &[DrawnQuestion]) -> Result<Option<String>> {
    let text = (!drawn.is_empty()).then(|| serde_json::to_string(drawn));
    text.transpose().map_err(Error::internal)
}

/// Reads what [`to_text`] wrote.
pub(crate) fn from_text(text: Option<&str>) -> Result<Vec<DrawnQuestion>> {
    let drawn = text.map(serde_json::from_str).transpose();
    Ok(drawn.map_err(Error::internal)?.unwrap_or_default())
}

/// The quiz of an attempt: a taken quiz with what the attempt has drawn.
pub(crate) fn resolved(taken: Quiz, drawn: Option<&str>) -> Result<Quiz> {
    match taken.has_draws() {
        true => Ok(taken.with_drawn(&from_text(drawn)?)),
        false => Ok(taken),
    }
}

/// The bank questions that a learner's earlier attempts at a page have drawn. One statement.
pub(crate) async fn seen(on: impl Executor, enrollment: EnrollmentId, page: PageId) -> Result<HashSet<Uuid>> {
    let rows = sql!(
        "SELECT drawn FROM attempts WHERE enrollment_id = $1 AND page_id = $2 AND drawn IS NOT NULL",
        enrollment,
        page
    );
    let mut seen = HashSet::new();
    for (text,) in rows.fetch_all::<(String,)>(on).await? {
        seen.extend(from_text(Some(&text))?.iter().map(|drawn| drawn.question_id));
    }
    Ok(seen)
}

/// Fails with 422 if a bank has too few questions for a draw of the quiz; the error names the draw. One statement, none for a quiz without
/// draws.
pub(crate) async fn require_fillable(on: impl Executor, quiz: &Quiz) -> Result<()> {
    require_fillable_with(on, quiz, &HashMap::new()).await
}

/// As [`require_fillable`], with the banks that are not stored yet.
pub(crate) async fn require_fillable_with(
    on: impl Executor,
    quiz: &Quiz,
    new: &HashMap<Uuid, &BankDraft>,
) -> Result<()> {
    if !quiz.has_draws() {
        return Ok(());
    }
    let mut drawables = drawables(on, quiz).await?;
    let draws = quiz.questions.iter().filter_map(bank_and_tags);
    for (drawable, (bank, tags)) in drawables.iter_mut().zip(draws) {
        let questions = new.get(&bank).into_iter().flat_map(|bank| bank.drawable(tags));
        let ids = questions.map(|tagged| tagged.question.as_question().id);
        drawable.candidates.extend(ids);
    }
    let nobody = HashSet::new();
    let Err(Short(place)) = draw(&drawables, &nobody, &quiz.copied(), |_, question| question) else {
        return Ok(());
    };
    let short = drawables.get(place).map(|draw| draw.draw_id);
    let index = quiz.questions.iter().position(|question| Some(question.id) == short);
    let index = index.unwrap_or_default();
    let lacks = Problem::Lacks(Some(index + 1), Lack::Drawable);
    let at = At::BODY.name("quiz");
    let at = at.name("questions");
    let at = at.index(index);
    let mut problems = Problems::default();
    problems.refuse(&at.name("count"), "quiz_incomplete", lacks.message(), &Value::Null);
    problems.finish(())
}

/// Reads a stored quiz with draws; None for a quiz without. Most of those need not be parsed.
pub(crate) fn drawing(text: Option<&str>) -> Result<Option<Quiz>> {
    let text = text.filter(|text| text.contains("\"draw\""));
    let quiz = text.map(Quiz::from_text).transpose()?;
    Ok(quiz.filter(Quiz::has_draws))
}

/// The draws of a quiz, each with the questions that it can take: the complete ones of its bank that have all its tags. One statement.
async fn drawables(on: impl Executor, quiz: &Quiz) -> Result<Vec<Drawable>> {
    let banks = quiz.banks();
    let wanted: HashSet<&str> = quiz
        .questions
        .iter()
        .filter_map(bank_and_tags)
        .flat_map(|(_, tags)| tags)
        .map(String::as_str)
        .collect();
    let found = match wanted.is_empty() {
        true => sql!("SELECT q.bank_id, q.id, CAST(NULL AS TEXT) AS tag FROM bank_questions q"),
        false => {
            let tagged = sql!(
                "SELECT q.bank_id, q.id, t.tag FROM bank_questions q LEFT JOIN bank_question_tags t ON t.question_id = q.id"
            );
            match wanted.len() <= LIST_LIMIT {
                true => tagged.push(" AND t.tag IN ").push_in(wanted.iter().copied()),
                false => tagged,
            }
        }
    };
    let found = found
        .push(" WHERE q.is_complete AND q.kind NOT IN ('draw', 'hand_in') AND q.bank_id IN ")
        .push_in(banks);
    let mut candidates: HashMap<Uuid, HashMap<Uuid, HashSet<String>>> = HashMap::new();
    for (bank, question, tag) in found.fetch_all::<(Uuid, Uuid, Option<String>)>(on).await? {
        let tags = candidates.entry(bank).or_default().entry(question).or_default();
        tags.extend(tag);
    }
    let drawable = |question: &Question| {
        let Kind::Draw {
            bank_id, tags, count, ..
        } = &question.kind
        else {
            return None;
        };
        let of_bank = candidates.get(bank_id).into_iter().flatten();
        let fitting = of_bank.filter(|(_, has)| tags.iter().all(|tag| has.contains(tag)));
        Some(Drawable {
            draw_id: question.id,
            count: usize::try_from(*count).unwrap_or(usize::MAX),
            candidates: fitting.map(|(question, _)| *question).collect(),
        })
    };
    Ok(quiz.questions.iter().filter_map(drawable).collect())
}

/// The chosen questions as they are now, without those that were deleted meanwhile. One statement.
async fn with_texts(db: &Db, drawables: &[Drawable], taken: &[Vec<Uuid>]) -> Result<Drawn> {
    let chosen: Vec<Uuid> = taken.iter().flatten().copied().collect();
    if chosen.is_empty() {
        return Ok(vec![]);
    }
    let rows = sql!("SELECT id, version, question FROM bank_questions WHERE is_complete AND id IN ")
        .push_in(chosen)
        .fetch_all::<(Uuid, i64, String)>(db)
        .await?;
    let rows: HashMap<Uuid, (i64, String)> = rows
        .into_iter()
        .map(|(id, version, text)| (id, (version, text)))
        .collect();
    let mut drawn = Vec::new();
    for (draw, questions) in drawables.iter().zip(taken) {
        for question_id in questions {
            let Some((version, text)) = rows.get(question_id) else {
                continue;
            };
            let one = DrawnQuestion {
                draw_id: draw.draw_id,
                question_id: *question_id,
                version: *version,
            };
            let question: Question = kurso_base::wire::read_stored(text).map_err(Error::internal)?;
            drawn.push((one, question));
        }
    }
    Ok(drawn)
}
