//! Starts threads.

use chrono::{DateTime, Utc};
use kurso_base::error::{Error, FieldError, Result};
use kurso_base::ids::{PageId, ThreadId};
use kurso_base::messages::Message;
use kurso_base::text::one_line;
use kurso_base::values::{BlockIndex, CommentQuote, CommentText, PageVersion};
use kurso_db::{Tx, sql};
use kurso_formats::content::anchor::{block_quote, block_text};
use kurso_formats::content::{self, SuggestedBlocks};
use serde_json::{Value, json};

use super::anchor::{self, PageTexts};
use super::notify::Place;
use super::{MAX_OPEN, Thread, comment, list};
use crate::Kurso;
use crate::access::{Right, Viewer};
use crate::courses::page::references::References;
use crate::courses::{self, Course, Scope};

/// A new thread with its first comment.
#[derive(Clone, Debug)]
#[cfg_attr(any(test, feature = "testing"), derive(serde::Deserialize))]
pub struct StartThread {
    pub text: CommentText,
    /// The version of the text in which `block` is an index.
    pub version: Option<PageVersion>,
    /// The block that it is about; None: the whole page.
    pub block: Option<BlockIndex>,
    /// The selected words; without them, the beginning of the block.
    pub quote: Option<CommentQuote>,
    /// The blocks suggested in place of the block.
    pub suggestion: Option<SuggestedBlocks>,
}

/// The block that a person has chosen in the text that they saw.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub version: Option<PageVersion>,
    /// None: the whole page.
    pub block: Option<BlockIndex>,
    pub quote: Option<&'a CommentQuote>,
}

/// A block in the text that the author of a thread saw.
pub(crate) struct Chosen {
    pub block: i64,
    version: i64,
    pub quote: String,
    value: Value,
}

impl Chosen {
    /// Replaces a quote that the block does not contain by the beginning of the block.
    pub fn quote_only_the_block(&mut self) {
        if !one_line(&content::text(&self.value)).contains(&one_line(&self.quote)) {
            self.quote = block_quote(&self.value, CommentQuote::MAX);
        }
    }

    /// The text by which the block is found again.
    pub fn block_text(&self) -> String {
        block_text(&self.value)
    }
}

/// The chosen block of a page; None if the whole page is meant. Fails as [`start`] does.
pub(crate) async fn chosen_block(
    tx: &mut Tx,
    course: &Course,
    page: PageId,
    target: Target<'_>,
) -> Result<Option<Chosen>> {
    if target.block.is_none() {
        return Ok(None);
    }
    let texts = anchor::texts(&mut *tx, &[page]).await?.pop();
    let texts = texts.ok_or(Error::NotFound(Message::PageNotFound))?;
    chosen(tx, course, &texts, target).await
}

/// Starts a thread on a page, and mails those whom it mentions. Fails with 409 if the page has [`MAX_OPEN`] open threads or the history has the
/// version no longer, and with 422 for a block that the version does not have, or a suggestion that does not fit the page.
pub async fn start(kurso: &Kurso, viewer: &Viewer, page: PageId, new: StartThread) -> Result<Thread> {
    let course = courses::find(&kurso.db, viewer, page, Right::Comment).await?;
    let now = kurso.clock.now();
    let mut tx = courses::begin(&kurso.db, course.id, Scope::Unchanged).await?;
    let texts = anchor::texts(&mut tx, &[page]).await?.pop();
    let texts = texts.ok_or(Error::NotFound(Message::PageNotFound))?;
    require_room(&mut tx, page).await?;
    let target = Target {
        version: new.version,
        block: new.block,
        quote: new.quote.as_ref(),
    };
    let chosen = chosen(&mut tx, &course, &texts, target).await?;
    let suggestion = match (&new.suggestion, &chosen) {
        (None, _) => None,
        (Some(_), None) => return Err(refused("suggestion", Message::SuggestionNeedsBlock)),
        (Some(suggestion), Some(chosen)) => {
            check(&mut tx, viewer, &course, &texts, (chosen, suggestion)).await?;
            Some((
                Value::from(vec![chosen.value.clone()]).to_string(),
                suggestion.to_text(),
            ))
        }
    };
    let id = ThreadId::new();
    insert(&mut tx, (id, page), viewer, (chosen, suggestion), now).await?;
    let place = Place {
        course: course.id,
        page,
        thread: id,
    };
    comment::insert(kurso, &mut tx, place, viewer, (&new.text, now)).await?;
    comment::publish_change(&mut tx, (page, texts.version), viewer.id(), now);
    tx.commit().await?;
    let thread = list::one(kurso, viewer, &course, id).await?;
    thread.ok_or(Error::NotFound(Message::ThreadNotFound))
}

async fn insert(
    tx: &mut Tx,
    (id, page): (ThreadId, PageId),
    viewer: &Viewer,
    (chosen, suggestion): (Option<Chosen>, Option<(String, String)>),
    now: DateTime<Utc>,
) -> Result<()> {
    let state = suggestion.is_some().then_some("pending");
    let (before, after) = suggestion.unzip();
    sql!(
        "INSERT INTO comment_threads (id, page_id, started_by, created_at, active_at, block, version, quote, block_text,
           old_blocks, new_blocks, suggestion) VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11)",
        id,
        page,
        viewer.id(),
        now,
        chosen.as_ref().map(|chosen| chosen.block),
        chosen.as_ref().map(|chosen| chosen.version),
        chosen.as_ref().map(|chosen| chosen.quote.clone()),
        chosen.as_ref().map(Chosen::block_text),
        before,
        after,
        state
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Fails with 409 if the page has [`MAX_OPEN`] open threads. The caller has locked the course.
pub(super) async fn require_room(tx: &mut Tx, page: PageId) -> Result<()> {
    let open = sql!(
        "SELECT COUNT(*) FROM comment_threads WHERE page_id = $1 AND resolved_at IS NULL",
        page
    );
    let (open,) = open.fetch_one::<(i64,)>(tx).await?;
    match open < MAX_OPEN {
        true => Ok(()),
        false => Err(Error::Conflict(Message::TooManyThreads(MAX_OPEN))),
    }
}

pub(crate) fn refused(field: &str, message: Message) -> Error {
    Error::invalid(FieldError::body("value_error", field, message, Value::Null))
}

/// The block of the new thread; None if it is about the whole page.
async fn chosen(tx: &mut Tx, course: &Course, texts: &PageTexts, target: Target<'_>) -> Result<Option<Chosen>> {
    let (block, version) = match (target.block, target.version) {
        (None, _) => return Ok(None),
        (Some(_), None) => return Err(refused("version", Message::BlockNeedsVersion)),
        (Some(block), Some(version)) => (block.get(), version.get()),
    };
    let content = text_of(tx, course, texts, version).await?;
    let value = usize::try_from(block).ok().and_then(|index| {
        let blocks = anchor::blocks(&content).ok()?;
        blocks.into_iter().nth(index)
    });
    let value = value.ok_or_else(|| refused("block", Message::NoSuchBlock))?;
    let quote = target.quote.map(CommentQuote::as_str).unwrap_or_default().trim();
    Ok(Some(Chosen {
        block,
        version,
        quote: match quote {
            "" => block_quote(&value, CommentQuote::MAX),
            quote => quote.to_owned(),
        },
        value,
    }))
}

/// The document of a page in a version that the person may read. Fails with 409 for learners unless it is the published text or the one that they read
/// last: what earlier versions said is not for them. Also fails with 409 if the page has it no longer.
pub(crate) async fn read_text(
    tx: &mut Tx,
    viewer: &Viewer,
    course: &Course,
    page: PageId,
    version: PageVersion,
) -> Result<String> {
    if !course.role.is_staff() {
        require_read(tx, viewer, page, version).await?;
    }
    let texts = anchor::texts(&mut *tx, &[page]).await?.pop();
    let texts = texts.ok_or(Error::NotFound(Message::PageNotFound))?;
    text_of(tx, course, &texts, version.get()).await
}

/// Fails with 409 unless a learner names the published text or the one that they read last.
pub(crate) async fn require_read(tx: &mut Tx, viewer: &Viewer, page: PageId, version: PageVersion) -> Result<()> {
    let read = sql!(
        "SELECT p.id FROM pages p WHERE p.id = $1 AND (p.version = $2 OR EXISTS (
           SELECT 1 FROM visits v JOIN enrollments e ON e.id = v.enrollment_id
           WHERE v.page_id = p.id AND e.user_id = $3 AND v.read_version = $2))",
        page,
        version.get(),
        viewer.id()
    );
    match read.fetch_optional::<(PageId,)>(tx).await? {
        Some(_) => Ok(()),
        None => Err(Error::Conflict(Message::PageChanged)),
    }
}

/// The document of the page in a version that the person may read. Fails with 409 if the page has it no longer.
async fn text_of(tx: &mut Tx, course: &Course, texts: &PageTexts, version: i64) -> Result<String> {
    let reads_drafts = course.role.may(Right::ReadDrafts);
    for with_draft in [false, reads_drafts] {
        if let (own, content) = texts.seen(with_draft)
            && own == version
        {
            return Ok(content.to_owned());
        }
    }
    let stored = sql!(
        "SELECT v.content FROM page_versions v JOIN pages p ON p.id = v.page_id
         WHERE v.page_id = $1 AND v.version = $2 AND ($3 OR NOT p.published OR v.published_at IS NOT NULL)",
        texts.page_id,
        version,
        reads_drafts
    );
    let stored = stored.fetch_optional::<(String,)>(tx).await?;
    stored
        .map(|(content,)| content)
        .ok_or(Error::Conflict(Message::PageChanged))
}

/// Fails with 422 for a suggestion that changes nothing, has files that the page does not have, or links to pages of other courses.
async fn check(
    tx: &mut Tx,
    viewer: &Viewer,
    course: &Course,
    texts: &PageTexts,
    (chosen, suggestion): (&Chosen, &SuggestedBlocks),
) -> Result<()> {
    if suggestion.blocks() == [chosen.value.clone()] {
        return Err(refused("suggestion", Message::SuggestionChangesNothing));
    }
    let document = |blocks: Vec<Value>| json!({"type": "doc", "content": blocks});
    let after = document(suggestion.blocks().to_vec());
    let content = texts.seen(true).1;
    let mut known = content::files(&document(vec![chosen.value.clone()]));
    known.extend(content::files(&document(anchor::blocks(content)?)));
    // Nothing keeps the files of a suggestion from being deleted.
    if !content::files(&after).is_subset(&known) {
        return Err(refused("suggestion", Message::SuggestionWithNewFile));
    }
    let links = References::of_values([("suggestion", &Value::from(suggestion.blocks().to_vec()))]).only_pages();
    links.check(tx, viewer, course.id, Some((content, None))).await
}
