//! Data loaders for what belongs to courses and pages and is not read with them: one statement for all keys of a batch.
//! Loaders check no rights: the courses and pages that are their keys were found for the caller.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_graphql::dataloader::{DataLoader, HashMapCache, Loader};
use async_graphql::{Context, Error, Result};
use kurso_base::error;
use kurso_base::ids::{AnnouncementId, BankId, BankQuestionId, CourseId, DiscussionId, EnrollmentId, PageId, UserId};
use kurso_base::messages::Lang;
use kurso_base::pagination::{Listed, Page};
use kurso_core::Kurso;
use kurso_core::announcements;
use kurso_core::attempts::{self, QuizPage, SavedWork, Seen};
use kurso_core::banks::{self, BankTag, QuestionList, QuestionQuery};
use kurso_core::comments::{self, Commenter, Thread, ThreadQuery, ThreadState};
use kurso_core::courses::groups::{self, Group};
use kurso_core::courses::page::PageRead;
use kurso_core::courses::page::draft::{self, PageDraft};
use kurso_core::courses::page::versions::{self, Version, VersionText};
use kurso_core::courses::team::{self, Member};
use kurso_core::courses::visibility::{self, PublicPageSettings};
use kurso_core::courses::{self, Counts};
use kurso_core::discussions::{
    self, AnswersWindow, BlockQuestions, Discussion, DiscussionSettings, ListKey, Post, Reader, Rules,
};
use kurso_core::learning::reading::{self, ChangeSinceRead, Reading};
use kurso_core::learning::view::{self, CourseView, PageContent};
use kurso_core::notes::{self, Kept, Note};
use kurso_core::regrades::{self, Regrade};
use kurso_core::snapshots::{self, Snapshot};
use kurso_core::students::{self, ProgressFilter, Roster};
use kurso_core::trash::{self, TrashEntry};
use kurso_db::LIST_LIMIT;

use super::view::Row;
use crate::batching::Batches;
use crate::context::kurso;
use crate::error::to_graphql;
use crate::language::lang;

/// The loaders of one list or object at the root of an answer, with a cache. They do not outlive it: the next mutation of a
/// document and the next event of a subscription read anew.
#[derive(Default)]
pub struct Loaders(OnceLock<DataLoader<Source, HashMapCache>>);

impl Loaders {
    /// The value of a key, or None when there is none.
    pub async fn load<K>(&self, ctx: &Context<'_>, key: K) -> Result<Option<<Source as Loader<K>>::Value>>
    where
        K: Send + Sync + Hash + Eq + Clone + 'static,
        Source: Loader<K, Error = Error>,
    {
        self.of(ctx).load_one(key).await
    }

    /// Caches what an author has just read or written of a page.
    pub async fn cache(&self, ctx: &Context<'_>, page: PageRead) {
        let content = PageContent {
            page_id: page.id,
            content: page.content,
            version: page.version,
            updated_at: page.updated_at,
        };
        self.of(ctx)
            .feed_one(StoredPage(page.id, false), Arc::new(content))
            .await;
        if let Some(quiz) = page.quiz {
            self.of(ctx).feed_one(AuthorQuiz(page.id), quiz.into()).await;
        }
    }

    fn of(&self, ctx: &Context<'_>) -> &DataLoader<Source, HashMapCache> {
        self.0.get_or_init(|| {
            let source = Source {
                kurso: kurso(ctx).clone(),
                lang: lang(ctx),
            };
            let batches = ctx.data_unchecked::<Batches>().clone();
            DataLoader::with_cache(source, move |batch| batches.add(batch), HashMapCache::default())
                .delay(Duration::ZERO)
                .max_batch_size(LIST_LIMIT)
        })
    }
}

/// Reads batches from the database.
pub struct Source {
    kurso: Arc<Kurso>,
    lang: Lang,
}

type Found<K, V> = Result<HashMap<K, V>>;

/// Declares a key type and its loader: `Key(parts) => Value, |source, keys| batch`.
macro_rules! loaders {
    ($($(#[$doc:meta])* $key:ident($($part:ty),+) => $value:ty, |$source:ident, $keys:ident| $batch:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub struct $key($(pub $part),+);

        impl Loader<$key> for Source {
            type Value = $value;
            type Error = Error;

            async fn load(&self, $keys: &[$key]) -> Found<$key, $value> {
                let $source = self;
                $batch
            }
        }
    )+};
}

loaders! {
    /// By a course's row, which the statement needs.
    ViewOf(Row) => Arc<CourseView>, |source, keys| {
        let views = CourseView::of_all(&source.kurso, rows(keys, |key| &key.0)).await;
        source.zip(keys, views.map(|views| views.into_iter().map(Arc::new)))
    };
    CountsOf(Row) => Counts, |source, keys| {
        source.zip(keys, courses::counts(&source.kurso.db, &rows(keys, |key| &key.0)).await)
    };
    RosterOf(Row) => Arc<Roster>, |source, keys| {
        let rosters = Roster::of_all(&source.kurso, &rows(keys, |key| &key.0)).await;
        source.zip(keys, rosters.map(|rosters| rosters.into_iter().map(Arc::new)))
    };
    /// The students of a course who match a filter on their progress.
    MatchingStudents(Row, ProgressFilter) => Arc<HashSet<EnrollmentId>>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for MatchingStudents(_, filter) in alike(keys, |key| key.1) {
            let asked: Vec<_> = keys.iter().filter(|key| key.1 == *filter).cloned().collect();
            let selected = students::matching(&source.kurso, &rows(&asked, |key| &key.0), *filter).await;
            found.extend(source.zip(&asked, selected)?);
        }
        Ok(found)
    };
    /// The announcements of a course for a user. The last two fields of the key are the page size and the cursor.
    AnnouncementsOf(Row, UserId, usize, Option<announcements::Place>) => Arc<announcements::List>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for AnnouncementsOf(_, user, first, after) in alike(keys, |key| (key.1, key.2, key.3)) {
            let asked: Vec<_> = keys.iter().filter(|key| (key.1, key.2, key.3) == (*user, *first, *after)).cloned().collect();
            let wanted = announcements::Wanted { first: *first, after: *after, skip: 0 };
            let lists = announcements::in_courses(&source.kurso, *user, &rows(&asked, |key| &key.0), wanted).await;
            found.extend(source.zip(&asked, lists.map(|lists| lists.into_iter().map(Arc::new)))?);
        }
        Ok(found)
    };
    /// The content of an announcement that the caller may read.
    AnnouncementContent(AnnouncementId) => Arc<str>, |source, keys| {
        let ids: Vec<_> = keys.iter().map(|key| key.0).collect();
        let contents = source.by_key(announcements::contents_of(&source.kurso, &ids).await)?;
        Ok(pick(keys, |key| contents.get(&key.0).cloned()))
    };
    /// How many learners have read an announcement of a course in which the caller may write announcements.
    AnnouncementCounts(AnnouncementId) => announcements::Counts, |source, keys| {
        let ids: Vec<_> = keys.iter().map(|key| key.0).collect();
        let counts = source.by_key(announcements::counts_of(&source.kurso, &ids).await)?;
        Ok(pick(keys, |key| counts.get(&key.0).copied()))
    };
    GroupsOf(Row) => Arc<Vec<Group>>, |source, keys| {
        let groups = groups::of_all(&source.kurso.db, &rows(keys, |key| &key.0)).await;
        source.zip(keys, groups.map(|groups| groups.into_iter().map(Arc::new)))
    };
    /// By a course that the caller may edit.
    TrashOf(Row) => Arc<Vec<TrashEntry>>, |source, keys| {
        let courses: Vec<_> = keys.iter().map(|key| key.0.id).collect();
        let entries = source.by_key(trash::of_courses(&source.kurso, &courses).await)?;
        Ok(pick(keys, |key| entries.get(&key.0.id).cloned().map(Arc::new)))
    };
    /// The snapshots of a course that the caller may edit.
    SnapshotsOf(CourseId) => Arc<Vec<Snapshot>>, |source, keys| {
        let courses: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut found = source.by_key(snapshots::of_courses(&source.kurso, &courses).await)?;
        Ok(pick(keys, |key| found.remove(&key.0).map(Arc::new)))
    };
    TeamOf(Row) => Arc<Vec<Member>>, |source, keys| {
        let now = source.kurso.clock.now();
        let teams = team::of_all(&source.kurso.db, &rows(keys, |key| &key.0), now).await;
        source.zip(keys, teams.map(|teams| teams.into_iter().map(Arc::new)))
    };
    /// A page, or the draft of one that has any.
    StoredPage(PageId, bool) => Arc<PageContent>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for drafts in [false, true] {
            let asked: Vec<_> = keys.iter().filter(|key| key.1 == drafts).map(|key| key.0).collect();
            if asked.is_empty() {
                continue;
            }
            let contents = view::contents(&source.kurso, &asked, drafts).await;
            let read = contents.map(|read| read.into_iter().map(|content| (StoredPage(content.page_id, drafts), Arc::new(content))));
            found.extend(source.by_key(read)?);
        }
        Ok(found)
    };
    PageDraftOf(PageId) => Arc<PageDraft>, |source, keys| {
        let drafts = draft::of_pages(&source.kurso.db, &pages(keys, |key| key.0)).await;
        let mut drafts = source.by_key(drafts)?;
        Ok(pick(keys, |key| drafts.remove(&key.0).map(Arc::new)))
    };
    /// The pages of a course that have drafts.
    UnpublishedOf(CourseId) => Arc<Vec<PageId>>, |source, keys| {
        let courses: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut found = source.by_key(draft::pages_of(&source.kurso, &courses).await)?;
        Ok(pick(keys, |key| found.remove(&key.0).map(Arc::new)))
    };
    /// The regradings of a course that the caller may edit.
    RegradesOf(CourseId) => Arc<Vec<Regrade>>, |source, keys| {
        let courses: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut found = source.by_key(regrades::of_courses(&source.kurso, &courses).await)?;
        Ok(pick(keys, |key| found.remove(&key.0).map(Arc::new)))
    };
    /// The threads of a page on which the user may comment; the flag says whether they read drafts.
    ThreadsOf(PageId, UserId, bool, Option<ThreadState>) => Arc<Vec<Thread>>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for ThreadsOf(_, user, drafts, state) in alike(keys, |key| (key.1, key.2, key.3)) {
            let asked = keys.iter().filter(|key| (key.1, key.2, key.3) == (*user, *drafts, *state));
            let asked: Vec<_> = asked.map(|key| key.0).collect();
            let threads = source.by_key(comments::of_pages(&source.kurso, *user, *drafts, *state, &asked).await)?;
            found.extend(threads.into_iter().map(|(page, threads)| (ThreadsOf(page, *user, *drafts, *state), Arc::new(threads))));
        }
        Ok(found)
    };
    /// The number of open threads of a page on which the caller may comment; None for 0.
    OpenThreadsOf(PageId) => i64, |source, keys| {
        let mut counts = source.by_key(comments::open_counts(&source.kurso, &pages(keys, |key| key.0)).await)?;
        Ok(pick(keys, |key| counts.remove(&key.0)))
    };
    /// The same for all pages of a course; the key holds how many are skipped and returned.
    CourseThreadsOf(CourseId, UserId, bool, ThreadQuery, (i64, i64)) => Arc<Listed<Thread>>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for CourseThreadsOf(_, user, drafts, query, window) in alike(keys, |key| (key.1, key.2, key.3, key.4)) {
            let asked = keys.iter().filter(|key| (key.1, key.2, key.3, key.4) == (*user, *drafts, *query, *window));
            let asked: Vec<_> = asked.map(|key| key.0).collect();
            let page = Page { skip: window.0, limit: window.1 };
            let threads = comments::in_courses(&source.kurso, *user, *drafts, (*query, page), &asked).await;
            let threads = source.by_key(threads)?.into_iter();
            found.extend(threads.map(|(course, listed)| (CourseThreadsOf(course, *user, *drafts, *query, *window), Arc::new(listed))));
        }
        Ok(found)
    };
    /// The discussions of a page that the reader may read now; the key holds how many are skipped and returned.
    DiscussionsOf(PageId, ListKey) => Arc<Listed<Discussion>>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for DiscussionsOf(_, list) in alike(keys, |key| key.1) {
            let asked = keys.iter().filter(|key| key.1 == *list).map(|key| key.0);
            let asked: Vec<_> = asked.collect();
            let listed = source.by_key(discussions::of_pages(&source.kurso, *list, &asked).await)?;
            found.extend(listed.into_iter().map(|(page, listed)| (DiscussionsOf(page, *list), Arc::new(listed))));
        }
        Ok(found)
    };
    /// The same for all pages of a course, for the staff.
    CourseDiscussionsOf(CourseId, ListKey) => Arc<Listed<Discussion>>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for CourseDiscussionsOf(_, list) in alike(keys, |key| key.1) {
            let asked = keys.iter().filter(|key| key.1 == *list).map(|key| key.0);
            let asked: Vec<_> = asked.collect();
            let listed = source.by_key(discussions::in_courses(&source.kurso, *list, &asked).await)?;
            found.extend(listed.into_iter().map(|(course, listed)| (CourseDiscussionsOf(course, *list), Arc::new(listed))));
        }
        Ok(found)
    };
    /// The answers to a question that the reader may read.
    AnswersOf(DiscussionId, (Reader, AnswersWindow)) => Arc<Listed<Post>>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for AnswersOf(_, window) in alike(keys, |key| key.1) {
            let asked = keys.iter().filter(|key| key.1 == *window).map(|key| key.0);
            let asked: Vec<_> = asked.collect();
            let listed = source.by_key(discussions::answers_of(&source.kurso, *window, &asked).await)?;
            found.extend(listed.into_iter().map(|(discussion, listed)| (AnswersOf(discussion, *window), Arc::new(listed))));
        }
        Ok(found)
    };
    /// The open questions of a page that the reader may read now, by block.
    BlocksOf(PageId, Reader) => Arc<Vec<BlockQuestions>>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for BlocksOf(_, reader) in alike(keys, |key| key.1) {
            let asked = keys.iter().filter(|key| key.1 == *reader).map(|key| key.0);
            let asked: Vec<_> = asked.collect();
            let blocks = source.by_key(discussions::blocks_of(&source.kurso, *reader, &asked).await)?;
            found.extend(blocks.into_iter().map(|(page, blocks)| (BlocksOf(page, *reader), Arc::new(blocks))));
        }
        Ok(found)
    };
    /// What holds for questions under a page.
    RulesOf(PageId) => Rules, |source, keys| {
        let mut rules = source.by_key(discussions::rules_of(&source.kurso.db, &pages(keys, |key| key.0)).await)?;
        Ok(pick(keys, |key| rules.remove(&key.0)))
    };
    /// The notes of the user on a page that they may read now; the flag says whether the view shows drafts.
    NotesOf(PageId, UserId, bool) => Arc<Vec<Note>>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for NotesOf(_, user, drafts) in alike(keys, |key| (key.1, key.2)) {
            let asked = keys.iter().filter(|key| (key.1, key.2) == (*user, *drafts)).map(|key| key.0);
            let asked: Vec<_> = asked.collect();
            let notes = source.by_key(notes::of_pages(&source.kurso, *user, &asked, *drafts).await)?;
            found.extend(notes.into_iter().map(|(page, notes)| (NotesOf(page, *user, *drafts), Arc::new(notes))));
        }
        Ok(found)
    };
    /// The bookmark and the ticks of the user at a page; the flag as above.
    KeptOf(PageId, UserId, bool) => Arc<Kept>, |source, keys| {
        let mut found = HashMap::with_capacity(keys.len());
        for KeptOf(_, user, drafts) in alike(keys, |key| (key.1, key.2)) {
            let asked = keys.iter().filter(|key| (key.1, key.2) == (*user, *drafts)).map(|key| key.0);
            let asked: Vec<_> = asked.collect();
            let kept = source.by_key(notes::kept_of(&source.kurso, *user, &asked, *drafts).await)?;
            found.extend(kept.into_iter().map(|(page, kept)| (KeptOf(page, *user, *drafts), Arc::new(kept))));
        }
        Ok(found)
    };
    /// The settings of questions under the pages of a course, for the staff; None for the defaults.
    DiscussionSettingsOf(CourseId) => Arc<DiscussionSettings>, |source, keys| {
        let courses: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut found = source.by_key(discussions::settings_of(&source.kurso.db, &courses).await)?;
        Ok(pick(keys, |key| found.remove(&key.0).map(Arc::new)))
    };
    /// The settings of the public page of a course, for the staff; None for the defaults.
    PublicPageOf(CourseId) => Arc<PublicPageSettings>, |source, keys| {
        let courses: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut found = source.by_key(visibility::settings_of(&source.kurso.db, &courses).await)?;
        Ok(pick(keys, |key| found.remove(&key.0).map(Arc::new)))
    };
    /// Who may comment on a course on which the caller may.
    CommentersOf(CourseId) => Arc<Vec<Commenter>>, |source, keys| {
        let courses: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut found = source.by_key(comments::commenters_of(&source.kurso, &courses).await)?;
        Ok(pick(keys, |key| found.remove(&key.0).map(Arc::new)))
    };
    /// The quiz with its answer key.
    AuthorQuiz(PageId) => Arc<str>, |source, keys| {
        let mut quizzes = source.by_key(attempts::for_author(&source.kurso.db, &pages(keys, |key| key.0)).await)?;
        Ok(pick(keys, |key| quizzes.remove(&key.0).map(Arc::from)))
    };
    /// The quiz as its reader sees it, with their running attempt.
    LearnerQuiz(Seen) => Arc<QuizPage>, |source, keys| {
        let seen: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut quizzes = source.by_key(attempts::for_reader(&source.kurso, &seen).await)?;
        Ok(pick(keys, |key| quizzes.remove(&key.0.page).map(Arc::new)))
    };
    AttemptsAt(PageId, EnrollmentId) => Arc<Vec<attempts::Attempt>>, |source, keys| {
        let taken: Vec<_> = keys.iter().map(|key| (key.0, key.1)).collect();
        let mut attempts = source.by_key(attempts::attempts_of_each(&source.kurso, &taken).await)?;
        Ok(pick(keys, |key| attempts.remove(&key.0).map(Arc::new)))
    };
    /// The draft of a user for an assignment.
    DraftOf(PageId, UserId) => Arc<SavedWork>, |source, keys| {
        let wanted: Vec<_> = keys.iter().map(|key| (key.0, key.1)).collect();
        let mut drafts = source.by_key(attempts::drafts(&source.kurso, &wanted).await)?;
        Ok(pick(keys, |key| drafts.remove(&(key.0, key.1)).map(Arc::new)))
    };
    /// Questions of a bank that the caller can read.
    BankQuestionsOf(BankId, QuestionQuery) => Arc<QuestionList>, |source, keys| {
        let mut queries: Vec<&QuestionQuery> = Vec::new();
        for BankQuestionsOf(_, query) in keys {
            if !queries.contains(&query) {
                queries.push(query);
            }
        }
        let mut found = HashMap::new();
        for query in queries {
            let asked: Vec<_> = keys.iter().filter(|key| key.1 == *query).map(|key| key.0).collect();
            let lists = source.by_key(banks::questions_of(&source.kurso, &asked, query).await)?;
            found.extend(lists.into_iter().map(|(bank, list)| (BankQuestionsOf(bank, query.clone()), Arc::new(list))));
        }
        Ok(found)
    };
    TagsOf(BankId) => Arc<Vec<BankTag>>, |source, keys| {
        let asked: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut tags = source.by_key(banks::tags_of(&source.kurso, &asked).await)?;
        Ok(pick(keys, |key| tags.remove(&key.0).map(Arc::new)))
    };
    /// The members of a bank of which the caller is the owner or an editor.
    MembersOf(BankId) => Arc<Vec<banks::Member>>, |source, keys| {
        let asked: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut members = source.by_key(banks::members_of(&source.kurso, &asked).await)?;
        Ok(pick(keys, |key| members.remove(&key.0).map(Arc::new)))
    };
    VersionsOf(BankQuestionId) => Arc<Vec<banks::Version>>, |source, keys| {
        let asked: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut versions = source.by_key(banks::versions_of(&source.kurso, &asked).await)?;
        Ok(pick(keys, |key| versions.remove(&key.0).map(Arc::new)))
    };
    HistoryOf(PageId) => Arc<Vec<Version>>, |source, keys| {
        let mut histories = source.by_key(versions::of_pages(&source.kurso, &pages(keys, |key| key.0)).await)?;
        Ok(pick(keys, |key| histories.remove(&key.0).map(Arc::new)))
    };
    /// What has changed of a page since its learner read it.
    ChangeOf(Reading) => Arc<ChangeSinceRead>, |source, keys| {
        let readings: Vec<_> = keys.iter().map(|key| key.0).collect();
        let mut changes = source.by_key(reading::changes(&source.kurso, &readings).await)?;
        Ok(pick(keys, |key| changes.remove(&key.0).map(Arc::new)))
    };
    /// The document of a text that a learner has read.
    ReadContent(PageId, i64) => Arc<str>, |source, keys| {
        let texts: Vec<_> = keys.iter().map(|key| (key.0, key.1)).collect();
        let mut contents = source.by_key(reading::contents(&source.kurso, &texts).await)?;
        Ok(pick(keys, |key| contents.remove(&(key.0, key.1)).map(Arc::from)))
    };
    /// One version of a page.
    TextOf(PageId, i64) => Arc<VersionText>, |source, keys| {
        let versions: Vec<_> = keys.iter().map(|key| (key.0, key.1)).collect();
        let mut texts = source.by_key(versions::texts_of(&source.kurso, &versions).await)?;
        Ok(pick(keys, |key| texts.remove(&(key.0, key.1)).map(Arc::new)))
    };
}

impl Source {
    /// The values of courses, which are read in the order of the keys.
    fn zip<K: Clone + Eq + Hash, V>(
        &self,
        keys: &[K],
        values: error::Result<impl IntoIterator<Item = V>>,
    ) -> Found<K, V> {
        let values = values.map_err(|error| to_graphql(error, self.lang))?;
        Ok(keys.iter().cloned().zip(values).collect())
    }

    fn by_key<K: Eq + Hash, V>(&self, values: error::Result<impl IntoIterator<Item = (K, V)>>) -> Found<K, V> {
        let values = values.map_err(|error| to_graphql(error, self.lang))?;
        Ok(values.into_iter().collect())
    }
}

/// One key of each group of keys that have this in common.
fn alike<K, T: Eq + Hash>(keys: &[K], common: impl Fn(&K) -> T) -> Vec<&K> {
    let mut seen = HashSet::new();
    keys.iter().filter(|key| seen.insert(common(key))).collect()
}

fn rows<K>(keys: &[K], row: impl Fn(&K) -> &Row) -> Vec<courses::Course> {
    keys.iter().map(|key| courses::Course::clone(row(key))).collect()
}

fn pages<K>(keys: &[K], page: impl Fn(&K) -> PageId) -> Vec<PageId> {
    keys.iter().map(page).collect()
}

fn pick<K: Clone + Eq + Hash, V>(keys: &[K], mut value: impl FnMut(&K) -> Option<V>) -> HashMap<K, V> {
    keys.iter().filter_map(|key| Some((key.clone(), value(key)?))).collect()
}
