//! Imports the questions of an uploaded file into a bank: a text in GIFT or Aiken, or a course file with quizzes.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use kurso_base::error::{Error, Result};
use kurso_base::ids::BankId;
use kurso_base::messages::Message;
use kurso_base::values::QuestionTags;
use kurso_formats::content;
use kurso_formats::quiz::{BankQuestionDraft, Kind, Quiz};
use kurso_formats::{CourseDraft, Note, Report, TaggedQuestion};

use super::{Line, fetch, lines, without_paths};
use crate::Kurso;
use crate::access::Viewer;
use crate::banks::{self, BankRight, MAX_QUESTIONS, NewQuestion};
use crate::drafts::banks::unlink;
use crate::drafts::store;
use crate::files::upload::{Sink, Upload, refused, require_room};
use crate::files::{self, File, cleanup};

/// The most lines of the report.
const MAX_REPORT: usize = 1_000;

/// What was imported.
#[derive(Debug)]
pub struct Imported {
    /// How many questions were added.
    pub added: i64,
    /// What changed or was left out, at most 1,000 entries.
    pub report: Vec<Line>,
}

/// An upload in progress. Dropped before `finish`, it leaves nothing.
#[derive(Debug)]
pub struct QuestionsUpload {
    kurso: Arc<Kurso>,
    viewer: Viewer,
    bank: BankId,
    upload: Upload,
}

impl QuestionsUpload {
    /// Starts an upload; owner and editors of the bank. Errors as for [`Upload::begin`].
    pub async fn begin(kurso: &Arc<Kurso>, viewer: &Viewer, bank: BankId, announced: Option<u64>) -> Result<Self> {
        banks::find(&kurso.db, viewer, bank, BankRight::Edit).await?;
        Ok(QuestionsUpload {
            upload: Upload::begin(kurso, viewer, announced).await?,
            kurso: kurso.clone(),
            viewer: viewer.clone(),
            bank,
        })
    }

    /// Reads the file and adds its questions to the bank. Fails with 422 if the file cannot be read or has no questions, with 409 if the
    /// bank would have too many.
    pub async fn finish(self, filename: &str) -> Result<Imported> {
        let file = self.upload.finish(filename).await?;
        let imported = import(&self.kurso, &self.viewer, self.bank, &file).await;
        if let Err(error) = cleanup::delete_if_unused(&self.kurso, file.id).await {
            tracing::warn!(%error, "an imported file is left to the cleanup job");
        }
        imported
    }
}

impl Sink for QuestionsUpload {
    fn max_size(&self) -> u64 {
        self.upload.max_size()
    }

    async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.upload.write(bytes).await
    }
}

async fn import(kurso: &Kurso, viewer: &Viewer, bank: BankId, file: &File) -> Result<Imported> {
    // One package at a time: an unpacked one may take much memory.
    let _waiting = kurso.uploads.waiting.try_acquire().map_err(|_| Error::Busy)?;
    let turn = kurso
        .uploads
        .packages
        .clone()
        .acquire_owned()
        .await
        .map_err(Error::internal)?;
    let folder = Arc::new(kurso.files.create_work_folder().await?);
    let source = fetch(kurso, file, folder.path()).await?;
    let reading = tokio::task::spawn_blocking({
        let (folder, source) = (folder.clone(), source.clone());
        // The turn ends when the package is read, also if the request was cancelled meanwhile.
        move || {
            let _turn = turn;
            let read = kurso_formats::read(&source, None, folder.path(), &mut |_| ControlFlow::Continue(()));
            read.map(|(draft, mut report)| {
                let (questions, draft) = questions_of(draft, &mut report);
                (questions, draft, report)
            })
        }
    });
    let read = reading.await.map_err(Error::internal)?;
    let (questions, draft, mut report) = read.map_err(|error| refused(without_paths(&error, &source)))?;
    if questions.is_empty() {
        return Err(refused(Message::NoQuestionsInFile));
    }
    if i64::try_from(questions.len()).unwrap_or(i64::MAX) > MAX_QUESTIONS {
        return Err(Error::Conflict(Message::BankFull(MAX_QUESTIONS)));
    }
    let mut stored_files = Vec::new();
    let added = add(kurso, viewer, (bank, file), questions, &draft, &mut stored_files).await;
    if added.as_ref().is_err_and(|error| !error.is_temporary()) {
        store::delete_stored_files(kurso, &stored_files).await;
    }
    report.entries.truncate(MAX_REPORT);
    Ok(Imported {
        added: added?,
        report: lines(&report),
    })
}

/// Takes the questions of all banks and quizzes that a bank can hold, without their links to pages.
fn questions_of(mut draft: CourseDraft, report: &mut Report) -> (Vec<TaggedQuestion>, CourseDraft) {
    let mut found = Vec::new();
    let banks = std::mem::take(&mut draft.banks);
    let ids: HashSet<_> = banks.iter().map(|bank| bank.id).collect();
    for bank in banks {
        for mut tagged in bank.questions {
            unlink(tagged.question.documents_mut(), &bank.source, report);
            found.push(tagged);
        }
    }
    for page in draft.pages_mut() {
        let Some(quiz) = page.quiz.take().filter(|quiz: &Quiz| !quiz.is_assignment()) else {
            continue;
        };
        for mut question in quiz.questions {
            // The questions of the bank are taken already.
            if matches!(question.kind, Kind::Draw { bank_id, .. } if ids.contains(&bank_id)) {
                continue;
            }
            unlink(question.documents_mut(), &page.source, report);
            match BankQuestionDraft::of(question) {
                Ok(question) => found.push(TaggedQuestion {
                    question,
                    tags: QuestionTags::default(),
                }),
                Err(problem) => report.add(&page.source, Note::QuestionRefused(problem.into())),
            }
        }
    }
    (found, draft)
}

/// Stores the files that the questions show, and adds the questions. Returns their number.
async fn add(
    kurso: &Kurso,
    viewer: &Viewer,
    (bank, file): (BankId, &File),
    questions: Vec<TaggedQuestion>,
    draft: &CourseDraft,
    stored_files: &mut Vec<File>,
) -> Result<i64> {
    let documents = questions.iter().flat_map(|tagged| tagged.question.documents());
    let shown: HashSet<String> = documents.flat_map(content::files).collect();
    let needed: Vec<_> = draft.files.iter().filter(|file| shown.contains(&file.key)).collect();
    let bytes = needed.iter().map(|file| file.size).fold(0, u64::saturating_add);
    require_room(kurso, viewer.id(), bytes, file.size.unsigned_abs()).await?;
    let now = kurso.clock.now();
    let mut urls: HashMap<String, String> = HashMap::new();
    for file in needed {
        let stored = store::store_file(kurso, file, now, stored_files).await?;
        urls.insert(file.address(), stored.url());
    }
    let new = questions.into_iter().map(|TaggedQuestion { mut question, tags }| {
        question.map_addresses(|address| urls.get(address).cloned());
        NewQuestion { question, tags }
    });
    let rows = banks::prepared(new.collect()).await?;
    let (mut tx, found) = banks::begin(kurso, viewer, bank, BankRight::Edit).await?;
    for file in stored_files.iter() {
        files::insert(&mut tx, file, viewer.id()).await?;
    }
    let ids = banks::insert_questions(kurso, &mut tx, viewer, &found, &rows).await?;
    tx.commit().await?;
    Ok(i64::try_from(ids.len()).unwrap_or(i64::MAX))
}
