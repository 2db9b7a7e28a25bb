//! Question banks that come with an imported course, because its quizzes draw from them.

use std::collections::{BTreeSet, HashMap, HashSet};

use kurso_base::error::{Error, Result};
use kurso_base::ids::{BankId, UserId, derived_id};
use kurso_base::values::QuestionTags;
use kurso_db::{Db, Executor, Tx, sql};
use kurso_formats::content::Href;
use kurso_formats::quiz::{BankQuestionDraft, Kind, Quiz};
use kurso_formats::{BankDraft, CourseDraft, Note, PageDraft, Report, TaggedQuestion};
use serde_json::Value;
use uuid::Uuid;

use crate::Kurso;
use crate::banks::{self, NewQuestion};
use crate::draws::{readable, require_fillable_with, unreadable};

/// Gives the banks of a draft, and the draws from them, the ids under which `owner` has them. The same file gives the same ids, so that an
/// import that is repeated draws from the same banks. A bank that Kurso exported keeps its id if `owner` can still read it, or if
/// `updated`, the course that the draft replaces, draws from it. Returns the ids of the banks that are stored already. One statement, none
/// without banks.
pub(super) async fn identify(
    on: impl Executor,
    owner: UserId,
    draft: &mut CourseDraft,
    updated: Option<&CourseDraft>,
    report: &mut Report,
) -> Result<HashSet<Uuid>> {
    if draft.banks.is_empty() {
        return Ok(HashSet::new());
    }
    let banks = draft.banks.iter();
    let ids: BTreeSet<Uuid> = banks.flat_map(|bank| [bank.key, id_of(owner, bank.key)]).collect();
    let mut stored = readable(on, owner, ids).await?;
    stored.extend(updated.into_iter().flat_map(CourseDraft::drawn_banks));
    let mut renamed = HashMap::new();
    for bank in &mut draft.banks {
        let id = match stored.contains(&bank.key) {
            true => bank.key,
            false => id_of(owner, bank.key),
        };
        if stored.contains(&id) && id != bank.id {
            report.add(&bank.source, Note::BankKept(bank.title.clone()));
        }
        for tagged in &mut bank.questions {
            unlink(tagged.question.documents_mut(), &bank.source, report);
        }
        renamed.insert(bank.id, id);
        bank.id = id;
    }
    for quiz in draft.pages_mut().filter_map(|page| page.quiz.as_mut()) {
        for question in &mut quiz.questions {
            if let Kind::Draw { bank_id, .. } = &mut question.kind {
                *bank_id = renamed.get(bank_id).copied().unwrap_or(*bank_id);
            }
        }
    }
    Ok(stored)
}

/// Names the banks that come with an imported course as the user's, removes the draws that the user may not store, unpublishes the pages
/// whose draws cannot be filled, and reports all of that.
/// `stored` is the course that the draft replaces. Statements only for pages with draws.
pub(crate) async fn settle(
    db: &Db,
    user: UserId,
    draft: &mut CourseDraft,
    stored: Option<&CourseDraft>,
    report: &mut Report,
) -> Result<()> {
    let stored_banks = identify(db, user, draft, stored, report).await?;
    // The pages are changed below while the banks are read.
    let banks = std::mem::take(&mut draft.banks);
    let new_banks = banks.iter().filter(|bank| !stored_banks.contains(&bank.id));
    let new_banks: HashMap<Uuid, &BankDraft> = new_banks.map(|bank| (bank.id, bank)).collect();
    let earlier: HashMap<Uuid, &Quiz> = stored
        .into_iter()
        .flat_map(CourseDraft::pages)
        .filter_map(|page| Some((page.id, page.quiz.as_ref()?)))
        .collect();
    let pages: Vec<&mut PageDraft> = draft.pages_mut().collect();
    for page in pages {
        let Some(quiz) = page.quiz.as_mut().filter(|quiz| quiz.has_draws()) else {
            continue;
        };
        let unknown = unreadable(db, user, quiz, earlier.get(&page.id).copied()).await?;
        let unknown = unknown.into_iter().filter(|(_, bank)| !new_banks.contains_key(bank));
        let unknown: HashSet<usize> = unknown.map(|(place, _)| place).collect();
        let mut place = 0;
        quiz.questions.retain(|_| {
            let is_known = !unknown.contains(&place);
            place += 1;
            if !is_known {
                report.add(&page.source, Note::UnknownBank);
            }
            is_known
        });
        if !page.published {
            continue;
        }
        // Without the removed draws it may have no questions left.
        let ready = match kurso_formats::quiz::require_complete(quiz) {
            Ok(()) => require_fillable_with(db, quiz, &new_banks).await,
            refused => refused,
        };
        if let Err(error) = ready {
            if !matches!(error, Error::Invalid(_)) {
                return Err(error);
            }
            page.published = false;
            report.add(&page.source, Note::QuizUnpublished((&error).into()));
        }
    }
    draft.banks = banks;
    Ok(())
}

/// The banks from which the quizzes of a course draw, as far as `reader` may read them; without a reader, all of them. At most three
/// statements, none without draws.
pub(super) async fn load(tx: &mut Tx, reader: Option<UserId>, draft: &CourseDraft) -> Result<Vec<BankDraft>> {
    let mut ids = draft.drawn_banks();
    if let Some(reader) = reader.filter(|_| !ids.is_empty()) {
        let readable = readable(&mut *tx, reader, ids.clone()).await?;
        ids.retain(|id| readable.contains(id));
    }
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let tags = sql!("SELECT t.question_id, t.tag FROM bank_question_tags t JOIN bank_questions q ON q.id = t.question_id WHERE q.bank_id IN ")
        .push_in(ids.clone());
    let mut tags_of: HashMap<Uuid, Vec<String>> = HashMap::new();
    for (question, tag) in tags.fetch_all::<(Uuid, String)>(&mut *tx).await? {
        tags_of.entry(question).or_default().push(tag);
    }
    let rows = sql!("SELECT id, bank_id, question FROM bank_questions WHERE bank_id IN ")
        .push_in(ids.clone())
        .push(" ORDER BY created_at, id");
    let mut questions: HashMap<Uuid, Vec<TaggedQuestion>> = HashMap::new();
    for (id, bank, text) in rows.fetch_all::<(Uuid, Uuid, String)>(&mut *tx).await? {
        let tags = tags_of.remove(&id).unwrap_or_default();
        questions.entry(bank).or_default().push(TaggedQuestion {
            question: BankQuestionDraft::read(&text)?,
            tags: QuestionTags::of(tags.iter().map(String::as_str)),
        });
    }
    let rows = sql!("SELECT id, title FROM question_banks WHERE id IN ")
        .push_in(ids)
        .push(" ORDER BY title, id");
    let banks = rows.fetch_all::<(Uuid, String)>(tx).await?;
    let bank = |(id, title): (Uuid, String)| BankDraft {
        key: id,
        id,
        questions: questions.remove(&id).unwrap_or_default(),
        source: title.clone(),
        title,
    };
    Ok(banks.into_iter().map(bank).collect())
}

/// The id under which a person has the bank of a file.
fn id_of(owner: UserId, key: Uuid) -> Uuid {
    derived_id([owner.0.as_bytes(), key.as_bytes()])
}

/// Stores the banks that are not stored yet, as banks of `owner`. Their files must be stored. Fails with 409 if the owner would have too many
/// banks.
pub(super) async fn store(kurso: &Kurso, tx: &mut Tx, owner: UserId, banks: Vec<BankDraft>) -> Result<()> {
    if banks.is_empty() {
        return Ok(());
    }
    let found = sql!("SELECT id FROM question_banks WHERE id IN ").push_in(banks.iter().map(|bank| bank.id));
    let found: HashSet<Uuid> = found
        .fetch_all::<(Uuid,)>(&mut *tx)
        .await?
        .into_iter()
        .map(|(id,)| id)
        .collect();
    for bank in banks.into_iter().filter(|bank| !found.contains(&bank.id)) {
        let id = BankId(bank.id);
        banks::insert(tx, owner, id, &bank.title, kurso.clock.now()).await?;
        let new = bank.questions.into_iter().map(|tagged| NewQuestion {
            question: tagged.question,
            tags: tagged.tags,
        });
        let rows = banks::prepared(new.collect()).await?;
        banks::insert_checked_questions(kurso, tx, owner, (id, owner), &rows).await?;
    }
    Ok(())
}

/// Removes the links to pages, because a bank belongs to no course, and reports them. Their text stays.
pub(crate) fn unlink(documents: Vec<&mut Value>, source: &str, report: &mut Report) {
    for document in documents {
        unlink_pages(document, &mut |href| {
            report.add(source, Note::LinkUnsupported(href.to_owned()));
        });
    }
}

/// Removes the links to pages of a document, whose depth is bounded.
fn unlink_pages(node: &mut Value, removed: &mut dyn FnMut(&str)) {
    if let Some(marks) = node.get_mut("marks").and_then(Value::as_array_mut) {
        marks.retain(|mark| {
            let href = mark
                .get("attrs")
                .and_then(|attrs| attrs.get("href"))
                .and_then(Value::as_str);
            match href.filter(|href| matches!(Href::parse(href), Some(Href::Page { .. }))) {
                Some(href) => {
                    removed(href);
                    false
                }
                None => true,
            }
        });
    }
    if let Some(children) = node.get_mut("content").and_then(Value::as_array_mut) {
        for child in children {
            unlink_pages(child, removed);
        }
    }
}
