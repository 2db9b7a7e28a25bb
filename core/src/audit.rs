//! Audit log of security-relevant and irreversible actions. An entry is written in the transaction of its action, so
//! that neither exists without the other. It holds ids and at most a fixed term or a number, never texts, addresses or
//! secrets.

use chrono::{DateTime, Duration, Utc};

use crate::Kurso;
use crate::access::Viewer;
use kurso_base::error::Result;
use kurso_base::ids::{AuditId, CourseId, PageId, UserId};
use kurso_base::messages::Lang;
use kurso_base::pagination::{Listed, Page};
use kurso_db::Executor;
use kurso_db::sql;

/// At most one failed login per account is recorded within this time, so that password guessing cannot grow the table.
const FAILURE_INTERVAL: Duration = Duration::minutes(10);

macro_rules! acts {
    ($($variant:ident $name:literal $en:literal $ru:literal),* $(,)?) => {
        /// An audited action.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Act { $(#[doc = $en] $variant),* }

        impl Act {
            /// In the order of the documentation.
            pub const ALL: &'static [Act] = &[$(Act::$variant),*];

            /// The name as stored and sent: `course_deleted`.
            pub fn name(self) -> &'static str {
                match self { $(Act::$variant => $name),* }
            }

            /// A description for people.
            pub fn text(self, lang: Lang) -> &'static str {
                match (self, lang) { $((Act::$variant, Lang::En) => $en, (Act::$variant, Lang::Ru) => $ru),* }
            }
        }
    };
}

acts! {
    ServerStarted "server_started" "The server was started" "Сервер запущен",
    SignInFailed "sign_in_failed" "A sign-in failed" "Неудачная попытка входа",
    SessionEnded "session_ended" "A session was ended" "Сеанс завершён",
    PasswordChanged "password_changed" "The password was changed" "Пароль изменён",
    PasswordReset "password_reset" "The password was reset by a link from a mail" "Пароль задан по ссылке из письма",
    EmailChanged "email_changed" "The e-mail address was changed" "Адрес электронной почты изменён",
    EmailChangeUndone "email_change_undone" "A change of the e-mail address was undone" "Смена адреса электронной почты отменена",
    UserCreated "user_created" "An account was made" "Аккаунт создан",
    UserChanged "user_changed" "The rights of an account were changed" "Права аккаунта изменены",
    UserDeleted "user_deleted" "An account was deleted" "Аккаунт удалён",
    GuestMerged "guest_merged" "What a guest did was moved to an account" "Занятия гостя перенесены в аккаунт",
    BankCreated "bank_created" "A question bank was made" "Создан банк вопросов",
    BankDeleted "bank_deleted" "A question bank was deleted" "Банк вопросов удалён",
    BankShared "bank_shared" "A question bank was shared, or a role in it changed" "Дан доступ к банку вопросов или изменена роль в нём",
    BankUnshared "bank_unshared" "The sharing of a question bank was ended" "Закрыт доступ к банку вопросов",
    BankHandedOver "bank_handed_over" "A question bank got another owner" "Банк вопросов перешёл к другому владельцу",
    CourseDeleted "course_deleted" "A course was deleted" "Курс удалён",
    PartDeleted "part_deleted" "A module, lesson or page was moved to the trash" "Модуль, урок или страница перемещены в корзину",
    RestoredFromTrash "restored_from_trash" "A course, module, lesson or page was restored from the trash" "Курс, модуль, урок или страница восстановлены из корзины",
    DeletedForever "deleted_forever" "A course, module, lesson or page was deleted from the trash" "Курс, модуль, урок или страница удалены из корзины навсегда",
    SnapshotTaken "snapshot_taken" "A snapshot of a course was taken" "Сделан снимок курса",
    SnapshotRestored "snapshot_restored" "A course was restored from a snapshot" "Курс восстановлен из снимка",
    SnapshotDeleted "snapshot_deleted" "A snapshot of a course was deleted" "Удалён снимок курса",
    CourseHandedOver "course_handed_over" "A course was handed over" "Курс передан",
    CourseImported "course_imported" "A course was imported" "Курс импортирован",
    CourseUpdated "course_updated" "A course was changed by an import" "Курс изменён импортом",
    CourseExported "course_exported" "A course was exported" "Курс экспортирован",
    VisibilityChanged "visibility_changed" "The visibility of a course was changed" "Изменено, кому видна страница курса",
    GuestsAllowed "guests_allowed" "Starting a course without an account was turned on or off" "Изменено, можно ли начать курс без регистрации",
    ShareCodeRenewed "share_code_renewed" "The share code was renewed" "Код курса обновлён",
    MemberInvited "member_invited" "A user was invited to a team" "В команду курса отправлено приглашение",
    MemberAdded "member_added" "A user joined a team or got another role in it" "Участник команды курса получил роль",
    MemberRemoved "member_removed" "A user was removed from a team" "Участник удалён из команды курса",
    MemberLeft "member_left" "A user left a course or its team" "Участник покинул курс или команду",
    StudentRemoved "student_removed" "A student was removed" "Ученик убран из курса",
    StudentsMoved "students_moved" "Students were moved to another group or out of one" "Ученики переведены в другую группу или убраны из группы",
    AnnouncementPublished "announcement_published" "An announcement was published" "Опубликовано объявление",
    AnnouncementDeleted "announcement_deleted" "An announcement was deleted" "Удалено объявление",
    StudentsNudged "students_nudged" "Students were nudged" "Ученикам отправлено напоминание",
    GroupDeleted "group_deleted" "A group was deleted" "Группа удалена",
    GroupCodeRenewed "group_code_renewed" "The share code of a group was renewed" "Код группы обновлён",
    GroupCodeRemoved "group_code_removed" "The share code of a group was removed" "Код группы удалён",
    AttemptsReset "attempts_reset" "The attempts of a student were reset" "Попытки ученика сброшены",
    ChangesPublished "changes_published" "Unpublished changes of pages were published" "Опубликованы изменения страниц",
    AttemptsRegraded "attempts_regraded" "Attempts were regraded by a changed quiz" "Попытки пересчитаны по изменённому тесту",
    RegradeUndone "regrade_undone" "A regrading of attempts was undone" "Пересчёт попыток отменён",
    SuggestionAccepted "suggestion_accepted" "A suggested change of a page was accepted" "Принята предложенная правка страницы",
    CommentDeleted "comment_deleted" "An author comment of somebody else was deleted" "Удалён чужой комментарий к странице",
    DatesSet "dates_set" "Dates of parts of a course were changed together" "Изменены сроки нескольких частей курса",
    OverrideSet "override_set" "An override of dates was set for a group or a student" "Задано исключение в сроках для группы или ученика",
    OverrideDeleted "override_deleted" "An override of dates was deleted" "Удалено исключение в сроках",
    GradeSettingsChanged "grade_settings_changed" "The settings of a gradebook were changed" "Настройки журнала оценок изменены",
    GradeDecided "grade_decided" "A grade was overridden, excused or restored" "Оценка изменена преподавателем",
    AnswerGraded "answer_graded" "An answer to an open question was graded" "Ответ на открытый вопрос проверен",
    AssessmentsReleased "assessments_released" "The grades of open answers of a quiz were released" "Опубликованы оценки за открытые ответы теста",
    GradesImported "grades_imported" "Grades were imported from a file" "Оценки загружены из файла",
    AttemptGranted "attempt_granted" "A student was given one more attempt" "Ученику дана ещё одна попытка",
    AttemptTakenBack "attempt_taken_back" "An unused additional attempt of a student was taken back" "Неиспользованная дополнительная попытка ученика отменена",
    CoursePreviewed "course_previewed" "A course was previewed as a learner" "Курс просмотрен от лица ученика",
    CalendarFeedCreated "calendar_feed_created" "A secret address of a calendar was made" "Создан секретный адрес календаря",
    CalendarFeedRevoked "calendar_feed_revoked" "The secret address of a calendar was revoked" "Секретный адрес календаря отозван",
    PostHidden "post_hidden" "A question or an answer under a page was hidden" "Скрыт вопрос или ответ под страницей",
    PostShown "post_shown" "A hidden question or answer was shown again" "Скрытый вопрос или ответ снова показан",
    PostDeleted "post_deleted" "A question or an answer of somebody else was deleted" "Удалён чужой вопрос или ответ под страницей",
    DiscussionMoved "discussion_moved" "A question was moved to another page" "Вопрос перенесён под другую страницу",
    CertificateIssued "certificate_issued" "A learner got a certificate" "Ученик получил сертификат",
    CertificateReissued "certificate_reissued" "A certificate was reissued in another name" "Сертификат переоформлен на другое имя",
    CertificateRevoked "certificate_revoked" "A certificate was revoked" "Сертификат отозван",
    CertificateRestored "certificate_restored" "The revocation of a certificate was taken back" "Отзыв сертификата отменён",
    DiscussionSettingsChanged "discussion_settings_changed" "The settings of questions under pages were changed" "Изменены настройки вопросов под страницами",
}

impl Act {
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|act| act.name() == name)
    }

    pub fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|act| act.name()).collect()
    }
}

/// A new entry.
#[derive(Clone, Debug)]
#[must_use = "an entry is stored only by `write`"]
pub struct Entry {
    act: Act,
    actor: Option<UserId>,
    person: Option<UserId>,
    course: Option<CourseId>,
    page: Option<PageId>,
    detail: Option<String>,
}

impl Entry {
    /// An entry by the operator or an unknown actor, unless [`Entry::by`] sets one.
    pub fn new(act: Act) -> Self {
        Entry {
            act,
            actor: None,
            person: None,
            course: None,
            page: None,
            detail: None,
        }
    }

    pub fn by(mut self, actor: impl Into<Option<UserId>>) -> Self {
        self.actor = actor.into();
        self
    }

    /// Sets the person affected.
    pub fn to(mut self, person: impl Into<Option<UserId>>) -> Self {
        self.person = person.into();
        self
    }

    pub fn in_course(mut self, course: CourseId) -> Self {
        self.course = Some(course);
        self
    }

    /// Sets the page affected.
    pub fn about(mut self, page: PageId) -> Self {
        self.page = Some(page);
        self
    }

    /// Sets a fixed term or a number; never user input.
    pub fn detail(mut self, detail: impl ToString) -> Self {
        self.detail = Some(detail.to_string());
        self
    }

    pub async fn write(self, on: impl Executor, now: DateTime<Utc>) -> kurso_db::Result<()> {
        sql!(
            "INSERT INTO audit (id, at, kind, actor_id, person_id, course_id, page_id, detail)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            AuditId::new(),
            now,
            self.act.name(),
            self.actor,
            self.person,
            self.course,
            self.page,
            self.detail
        )
        .execute(on)
        .await?;
        Ok(())
    }
}

/// Records a login with a wrong password or an unknown address.
pub(crate) async fn login_failed(kurso: &Kurso, person: Option<UserId>, now: DateTime<Utc>) -> kurso_db::Result<()> {
    let act = Act::SignInFailed;
    let same = match person {
        Some(person) => sql!(
            "SELECT 1 FROM audit WHERE kind = $1 AND at > $2 AND person_id = $3 LIMIT 1",
            act.name(),
            now - FAILURE_INTERVAL,
            person
        ),
        None => sql!(
            "SELECT 1 FROM audit WHERE kind = $1 AND at > $2 AND person_id IS NULL LIMIT 1",
            act.name(),
            now - FAILURE_INTERVAL
        ),
    };
    match same.fetch_optional::<(i32,)>(&kurso.db).await? {
        Some(_) => Ok(()),
        None => Entry::new(act).to(person).write(&kurso.db, now).await,
    }
}

/// The most entries of a day that [`write_seldom`] writes about one subject.
pub(crate) const MAX_SELDOM: i64 = 10;

/// Writes an entry unless the same one, apart from its time, was written within the last hour, or [`MAX_SELDOM`] about the same
/// subject within the last day. The subject is the actor, the person, the course and the beginning of the detail.
pub(crate) async fn write_seldom(
    kurso: &Kurso,
    entry: Entry,
    subject: &str,
    now: DateTime<Utc>,
) -> kurso_db::Result<()> {
    let written = sql!(
        "SELECT COUNT(*), COUNT(CASE WHEN at > $7 AND detail = $8 THEN 1 END) FROM audit
         WHERE kind = $1 AND at > $2 AND actor_id = $3 AND person_id IS NOT DISTINCT FROM $4
         AND course_id IS NOT DISTINCT FROM $5 AND substr(detail, 1, $9) = $6",
        entry.act.name(),
        now - Duration::days(1),
        entry.actor,
        entry.person,
        entry.course,
        subject,
        now - Duration::hours(1),
        entry.detail.clone(),
        i32::try_from(subject.chars().count()).unwrap_or(i32::MAX)
    );
    let (all, same) = written.fetch_one::<(i64, i64)>(&kurso.db).await?;
    if all >= MAX_SELDOM || same > 0 {
        return Ok(());
    }
    entry.write(&kurso.db, now).await
}

/// The subject of an entry with its current name.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<I> {
    pub id: I,
    /// None if it was deleted.
    pub name: Option<String>,
}

/// A stored entry.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEntry {
    pub id: AuditId,
    pub at: DateTime<Utc>,
    pub act: Act,
    /// None for the operator or an unknown actor.
    pub actor: Option<Named<UserId>>,
    pub person: Option<Named<UserId>>,
    pub course: Option<Named<CourseId>>,
    /// The name is the page's title, or its lesson's title for a page without one.
    pub page: Option<Named<PageId>>,
    pub detail: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: AuditId,
    at: DateTime<Utc>,
    kind: String,
    actor_id: Option<UserId>,
    actor: Option<String>,
    person_id: Option<UserId>,
    person: Option<String>,
    course_id: Option<CourseId>,
    course: Option<String>,
    page_id: Option<PageId>,
    page: Option<String>,
    detail: Option<String>,
}

impl Row {
    /// None if a newer binary wrote an action that this one does not know.
    fn into_entry(self) -> Option<StoredEntry> {
        fn named<I>(id: Option<I>, name: Option<String>) -> Option<Named<I>> {
            id.map(|id| Named { id, name })
        }
        Some(StoredEntry {
            act: Act::parse(&self.kind)?,
            id: self.id,
            at: self.at,
            actor: named(self.actor_id, self.actor),
            person: named(self.person_id, self.person),
            course: named(self.course_id, self.course),
            page: named(self.page_id, self.page),
            detail: self.detail,
        })
    }
}

/// Selects entries.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub act: Option<Act>,
    /// The actor or the person affected.
    pub person: Option<UserId>,
    /// At or after this time.
    pub since: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
}

impl Filter {
    fn on<'q>(&self, mut sql: kurso_db::Sql<'q>) -> kurso_db::Sql<'q> {
        if let Some(act) = self.act {
            sql = sql.push(" AND a.kind = ").push_bind(act.name());
        }
        if let Some(person) = self.person {
            sql = sql.push(" AND (a.actor_id = ").push_bind(person);
            sql = sql.push(" OR a.person_id = ").push_bind(person).push(")");
        }
        if let Some(since) = self.since.map(clamp_to_year_9999) {
            sql = sql.push(" AND a.at >= ").push_bind(since);
        }
        if let Some(until) = self.until.map(clamp_to_year_9999) {
            sql = sql.push(" AND a.at < ").push_bind(until);
        }
        sql
    }
}

/// Clamps a time to the range that both databases can store and sort.
fn clamp_to_year_9999(at: DateTime<Utc>) -> DateTime<Utc> {
    let end = DateTime::from_timestamp(253_402_300_799, 0).unwrap_or(at); // the year 9999
    at.clamp(DateTime::UNIX_EPOCH, end)
}

/// Entries, newest first, then by id; superusers only.
pub async fn list(kurso: &Kurso, viewer: &Viewer, filter: &Filter, page: Page) -> Result<Listed<StoredEntry>> {
    viewer.require_superuser()?;
    let listed = sql!(
        "SELECT a.id, a.at, a.kind, a.actor_id, COALESCE(NULLIF(u.full_name, ''), u.email) AS actor,
           a.person_id, COALESCE(NULLIF(p.full_name, ''), p.email) AS person, a.course_id, c.title AS course,
           a.page_id, COALESCE(NULLIF(pg.title, ''), l.title) AS page, a.detail
         FROM audit a LEFT JOIN users u ON u.id = a.actor_id LEFT JOIN users p ON p.id = a.person_id
         LEFT JOIN courses c ON c.id = a.course_id LEFT JOIN pages pg ON pg.id = a.page_id
         LEFT JOIN lessons l ON l.id = pg.lesson_id WHERE 1 = 1"
    );
    let rows = filter
        .on(listed)
        .push(" ORDER BY a.at DESC, a.id DESC LIMIT ")
        .push_bind(page.limit)
        .push(" OFFSET ")
        .push_bind(page.skip)
        .fetch_all::<Row>(&kurso.db)
        .await?;
    let counted = filter.on(sql!("SELECT COUNT(*) FROM audit a WHERE 1 = 1"));
    let (count,) = counted.fetch_one::<(i64,)>(&kurso.db).await?;
    Ok(Listed {
        data: rows.into_iter().filter_map(Row::into_entry).collect(),
        count,
    })
}

/// Deletes entries older than `keep`. Returns their number.
pub async fn delete_old(kurso: &Kurso, keep: Duration) -> Result<u64> {
    let until = kurso.clock.now().checked_sub_signed(keep);
    let Some(until) = until else { return Ok(0) };
    Ok(sql!("DELETE FROM audit WHERE at < $1", until)
        .execute(&kurso.db)
        .await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_act_has_a_unique_name_and_texts() {
        for act in Act::ALL {
            assert_eq!(Act::parse(act.name()), Some(*act));
            assert!(!act.text(Lang::En).is_empty() && !act.text(Lang::Ru).is_empty());
        }
        assert_eq!(Act::parse("anything"), None);
    }
}
