//! Reads the questions of banks, searches them, and counts their tags.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, Result};
use kurso_base::ids::{BankId, BankQuestionId, UserId};
use kurso_base::messages::Message;
use kurso_base::search::{Search, fold};
use kurso_base::values::QuestionTags;
use kurso_db::{Db, Executor, LIST_LIMIT, Sql, sql};

use super::{BankRight, find};
use crate::Kurso;
use crate::access::Viewer;
use crate::subscriptions::PersonName;

/// The most questions of one page of a list.
pub const MAX_LISTED: i64 = 100;

/// A question of a bank.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub id: BankQuestionId,
    pub bank: BankId,
    /// From 1; incremented by each change of the question itself.
    pub version: i64,
    /// The name of its type.
    pub kind: String,
    /// The question in the author's form, as JSON text.
    pub question: String,
    /// By name.
    pub tags: Vec<String>,
    /// Whether a draw can take it.
    pub is_complete: bool,
    pub changed_at: DateTime<Utc>,
    /// None when the account is deleted.
    pub changed_by: Option<PersonName>,
}

#[derive(sqlx::FromRow)]
struct QuestionRow {
    id: BankQuestionId,
    bank_id: BankId,
    version: i64,
    kind: String,
    question: String,
    is_complete: bool,
    changed_at: DateTime<Utc>,
    changed_by: Option<UserId>,
    changed_by_name: Option<String>,
}

/// The columns of a [`QuestionRow`], of `bank_questions q` and `users u`.
macro_rules! question_columns {
    () => {
        "q.id, q.bank_id, q.version, q.kind, q.question, q.is_complete, q.changed_at, q.changed_by,
         u.full_name AS changed_by_name"
    };
}

/// Which questions of a bank are listed: the newest first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct QuestionQuery {
    /// Folded words that a question must all contain.
    terms: Vec<String>,
    /// Tags that it must all have.
    tags: QuestionTags,
    /// The name of its type.
    kind: Option<String>,
    skip: i64,
    limit: i64,
}

impl QuestionQuery {
    /// At most `limit` questions, or [`MAX_LISTED`], after the first `skip`.
    pub fn new(search: &Search, tags: QuestionTags, kind: Option<String>, skip: i64, limit: i64) -> Self {
        QuestionQuery {
            terms: search.terms().to_vec(),
            tags,
            kind,
            skip,
            limit: limit.clamp(0, MAX_LISTED),
        }
    }

    /// Appends the conditions on the questions `q` of these banks.
    fn on<'q>(&self, sql: Sql<'q>, banks: &[BankId]) -> Sql<'q> {
        let mut sql = sql.push("q.bank_id IN ").push_in(banks.iter().copied()).unprepared();
        for term in &self.terms {
            sql = sql.push(" AND q.folded LIKE ").push_bind(containing(term));
            sql = sql.push(r" ESCAPE '\'");
        }
        for tag in self.tags.iter() {
            sql = sql
                .push(" AND EXISTS (SELECT 1 FROM bank_question_tags t WHERE t.question_id = q.id AND t.tag = ")
                .push_bind(tag.as_str().to_owned())
                .push(")");
        }
        match &self.kind {
            Some(kind) => sql.push(" AND q.kind = ").push_bind(kind.clone()),
            None => sql,
        }
    }
}

/// The pattern of texts that contain the term.
fn containing(term: &str) -> String {
    let mut pattern = String::from("%");
    for c in term.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// A page of the questions of a bank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionList {
    pub questions: Vec<Question>,
    /// The questions that match.
    pub total: i64,
    /// Those of them that a draw can take.
    pub drawable: i64,
}

/// Questions by the banks that have them.
pub type Questions = HashMap<BankId, QuestionList>;

/// A tag of questions of a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankTag {
    pub name: String,
    /// The questions with it.
    pub count: i64,
    /// Those of them that a draw can take.
    pub drawable: i64,
}

/// Lists questions of a bank.
pub async fn questions(kurso: &Kurso, viewer: &Viewer, bank: BankId, query: &QuestionQuery) -> Result<QuestionList> {
    find(&kurso.db, viewer, bank, BankRight::Read).await?;
    let mut found = questions_of(kurso, &[bank], query).await?;
    Ok(found.remove(&bank).unwrap_or_default())
}

/// Lists questions of banks, in at most three statements. The caller has checked that the viewer reads the banks.
pub async fn questions_of(kurso: &Kurso, banks: &[BankId], query: &QuestionQuery) -> Result<Questions> {
    let counted = query.on(
        sql!(
            "SELECT q.bank_id, COUNT(*), CAST(SUM(CASE WHEN q.is_complete THEN 1 ELSE 0 END) AS BIGINT)
             FROM bank_questions q WHERE "
        ),
        banks,
    );
    let counted = counted.push(" GROUP BY q.bank_id");
    let counted = counted.fetch_all::<(BankId, i64, i64)>(&kurso.db).await?;
    let mut lists: Questions = counted
        .into_iter()
        .map(|(bank, total, drawable)| {
            let list = QuestionList {
                questions: vec![],
                total,
                drawable,
            };
            (bank, list)
        })
        .collect();
    if lists.is_empty() || query.limit == 0 {
        return Ok(lists);
    }
    let places = query.on(
        sql!(concat!(
            "SELECT ",
            question_columns!(),
            " FROM (SELECT q.id, ROW_NUMBER() OVER (PARTITION BY q.bank_id ORDER BY q.created_at DESC, q.id DESC) AS place
             FROM bank_questions q WHERE "
        )),
        banks,
    );
    let rows = places
        .push(") p JOIN bank_questions q ON q.id = p.id LEFT JOIN users u ON u.id = q.changed_by WHERE p.place > ")
        .push_bind(query.skip)
        .push(" AND p.place <= ")
        .push_bind(query.skip.saturating_add(query.limit))
        .push(" ORDER BY q.bank_id, p.place")
        .fetch_all::<QuestionRow>(&kurso.db)
        .await?;
    for question in tagged(&kurso.db, rows).await? {
        lists.entry(question.bank).or_default().questions.push(question);
    }
    Ok(lists)
}

/// The questions with these ids that the viewer can read, in the order given.
pub async fn questions_by_ids(kurso: &Kurso, viewer: &Viewer, ids: &[BankQuestionId]) -> Result<Vec<Question>> {
    let rows = sql!(concat!(
        "SELECT ",
        question_columns!(),
        " FROM bank_questions q JOIN question_banks b ON b.id = q.bank_id
         LEFT JOIN bank_members m ON m.bank_id = b.id AND m.user_id = $1
         LEFT JOIN users u ON u.id = q.changed_by WHERE (b.owner_id = $1 OR m.user_id IS NOT NULL OR $2) AND q.id IN "
    ))
    .bind(viewer.id())
    .bind(viewer.user.is_superuser)
    .push_in(ids.iter().copied())
    .fetch_all::<QuestionRow>(&kurso.db)
    .await?;
    let found = tagged(&kurso.db, rows).await?;
    let found: HashMap<_, _> = found.into_iter().map(|question| (question.id, question)).collect();
    Ok(ids.iter().filter_map(|id| found.get(id).cloned()).collect())
}

/// A stored question.
pub async fn question(on: impl Executor, id: BankQuestionId) -> Result<Option<Question>> {
    #[derive(sqlx::FromRow)]
    struct WithTag {
        #[sqlx(flatten)]
        row: QuestionRow,
        tag: Option<String>,
    }
    let rows = sql!(
        concat!(
            "SELECT ",
            question_columns!(),
            ", t.tag FROM bank_questions q LEFT JOIN users u ON u.id = q.changed_by
             LEFT JOIN bank_question_tags t ON t.question_id = q.id WHERE q.id = $1"
        ),
        id
    )
    .fetch_all::<WithTag>(on)
    .await?;
    let (mut first, mut tags) = (None, Vec::new());
    for WithTag { row, tag } in rows {
        tags.extend(tag);
        first.get_or_insert(row);
    }
    Ok(first.map(|row| row.with(tags)))
}

impl QuestionRow {
    fn with(self, mut tags: Vec<String>) -> Question {
        tags.sort_by_cached_key(|tag| (fold(tag), tag.clone()));
        Question {
            id: self.id,
            bank: self.bank_id,
            version: self.version,
            kind: self.kind,
            question: self.question,
            tags,
            is_complete: self.is_complete,
            changed_at: self.changed_at,
            changed_by: self.changed_by.map(|id| PersonName {
                id,
                full_name: self.changed_by_name,
            }),
        }
    }
}

/// The questions with their tags, in the same order.
async fn tagged(db: &Db, rows: Vec<QuestionRow>) -> Result<Vec<Question>> {
    let mut tags: HashMap<BankQuestionId, Vec<String>> = HashMap::new();
    for rows in rows.chunks(LIST_LIMIT) {
        let found = sql!("SELECT question_id, tag FROM bank_question_tags WHERE question_id IN ")
            .push_in(rows.iter().map(|row| row.id))
            .fetch_all::<(BankQuestionId, String)>(db)
            .await?;
        for (question, tag) in found {
            tags.entry(question).or_default().push(tag);
        }
    }
    let with_tags = rows.into_iter().map(|row| {
        let tags = tags.remove(&row.id).unwrap_or_default();
        row.with(tags)
    });
    Ok(with_tags.collect())
}

/// The tags of banks with their numbers of questions, by name. One statement. The caller has checked that the viewer reads the banks.
pub async fn tags_of(kurso: &Kurso, banks: &[BankId]) -> Result<HashMap<BankId, Vec<BankTag>>> {
    let rows = sql!(
        "SELECT q.bank_id, t.tag, COUNT(*), CAST(SUM(CASE WHEN q.is_complete THEN 1 ELSE 0 END) AS BIGINT)
         FROM bank_questions q JOIN bank_question_tags t ON t.question_id = q.id WHERE q.bank_id IN "
    )
    .push_in(banks.iter().copied())
    .push(" GROUP BY q.bank_id, t.tag")
    .fetch_all::<(BankId, String, i64, i64)>(&kurso.db)
    .await?;
    let mut sorted: HashMap<BankId, BTreeMap<(String, String), BankTag>> = HashMap::new();
    for (bank, name, count, drawable) in rows {
        let key = (fold(&name), name.clone());
        let tag = BankTag { name, count, drawable };
        sorted.entry(bank).or_default().insert(key, tag);
    }
    let lists = sorted
        .into_iter()
        .map(|(bank, tags)| (bank, tags.into_values().collect()));
    Ok(lists.collect())
}

/// A stored question that must exist.
pub(super) async fn stored(on: impl Executor, id: BankQuestionId) -> Result<Question> {
    let found = question(on, id).await?;
    found.ok_or(Error::NotFound(Message::BankQuestionNotFound))
}
