//! The audit log: who did what that matters for security or cannot be undone. An entry is written in the transaction of the act,
//! so there is never one without the other. It holds ids, and of the rest a word or a number: no texts, addresses or secrets.

use chrono::{DateTime, Duration, Utc};

use crate::access::Viewer;
use crate::db::{self, Executor};
use crate::error::Result;
use crate::ids::{AuditId, CourseId, UserId};
use crate::messages::Lang;
use crate::page::{Listed, Page};
use crate::{Kurso, sql};

/// Failed sign-ins of one account are written down once in so long: a guesser is not to fill the table.
const FAILURES: Duration = Duration::minutes(10);

macro_rules! acts {
    ($($name:ident $word:literal $en:literal $ru:literal),* $(,)?) => {
        /// What was done.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Act { $(#[doc = $en] $name),* }

        impl Act {
            /// In the order of the documentation.
            pub const ALL: &'static [Act] = &[$(Act::$name),*];

            /// As it is stored and sent: `course_deleted`.
            pub fn word(self) -> &'static str {
                match self { $(Act::$name => $word),* }
            }

            /// For people.
            pub fn text(self, lang: Lang) -> &'static str {
                match (self, lang) { $((Act::$name, Lang::En) => $en, (Act::$name, Lang::Ru) => $ru),* }
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
    CourseDeleted "course_deleted" "A course was deleted" "Курс удалён",
    CourseHandedOver "course_handed_over" "A course was handed over" "Курс передан",
    CourseImported "course_imported" "A course was imported" "Курс импортирован",
    CourseUpdated "course_updated" "A course was changed by an import" "Курс изменён импортом",
    CourseExported "course_exported" "A course was exported" "Курс экспортирован",
    ShareCodeRenewed "share_code_renewed" "The share code was renewed" "Код курса обновлён",
    MemberInvited "member_invited" "Somebody was invited to a team" "В команду курса отправлено приглашение",
    MemberAdded "member_added" "Somebody joined a team or got another role in it" "Участник команды курса получил роль",
    MemberRemoved "member_removed" "Somebody was taken out of a team" "Участник удалён из команды курса",
    MemberLeft "member_left" "Somebody left a course or its team" "Участник покинул курс или команду",
    StudentRemoved "student_removed" "A student was removed" "Ученик убран из курса",
    AttemptsReset "attempts_reset" "The attempts of a student were reset" "Попытки ученика сброшены",
}

impl Act {
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|act| act.word() == word)
    }

    pub fn words() -> Vec<&'static str> {
        Self::ALL.iter().map(|act| act.word()).collect()
    }
}

/// An entry to be written.
#[derive(Clone, Debug)]
#[must_use = "it is written by `write`"]
pub struct Entry {
    act: Act,
    actor: Option<UserId>,
    person: Option<UserId>,
    course: Option<CourseId>,
    detail: Option<String>,
}

impl Entry {
    /// Done by whoever runs the server, or by nobody who is known.
    pub fn new(act: Act) -> Self {
        Entry {
            act,
            actor: None,
            person: None,
            course: None,
            detail: None,
        }
    }

    pub fn by(mut self, actor: impl Into<Option<UserId>>) -> Self {
        self.actor = actor.into();
        self
    }

    /// To whom.
    pub fn to(mut self, person: impl Into<Option<UserId>>) -> Self {
        self.person = person.into();
        self
    }

    pub fn in_course(mut self, course: CourseId) -> Self {
        self.course = Some(course);
        self
    }

    /// A word or a number of ours; never what somebody wrote.
    pub fn detail(mut self, detail: impl ToString) -> Self {
        self.detail = Some(detail.to_string());
        self
    }

    pub async fn write(self, on: impl Executor, now: DateTime<Utc>) -> db::Result<()> {
        sql!(
            "INSERT INTO audit (id, at, kind, actor_id, person_id, course_id, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)",
            AuditId::new(),
            now,
            self.act.word(),
            self.actor,
            self.person,
            self.course,
            self.detail
        )
        .execute(on)
        .await?;
        Ok(())
    }
}

/// Somebody did not know the password of an account, or named none that there is.
pub(crate) async fn sign_in_failed(kurso: &Kurso, person: Option<UserId>, now: DateTime<Utc>) -> db::Result<()> {
    let act = Act::SignInFailed;
    let same = match person {
        Some(person) => sql!(
            "SELECT 1 FROM audit WHERE kind = $1 AND at > $2 AND person_id = $3 LIMIT 1",
            act.word(),
            now - FAILURES,
            person
        ),
        None => sql!(
            "SELECT 1 FROM audit WHERE kind = $1 AND at > $2 AND person_id IS NULL LIMIT 1",
            act.word(),
            now - FAILURES
        ),
    };
    match same.fetch_optional::<(i32,)>(&kurso.db).await? {
        Some(_) => Ok(()),
        None => Entry::new(act).to(person).write(&kurso.db, now).await,
    }
}

/// Who or what an entry speaks of, as it is called today.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<I> {
    pub id: I,
    /// None: it is gone.
    pub name: Option<String>,
}

/// An entry that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub id: AuditId,
    pub at: DateTime<Utc>,
    pub act: Act,
    /// None: whoever runs the server, or nobody who is known.
    pub actor: Option<Named<UserId>>,
    pub person: Option<Named<UserId>>,
    pub course: Option<Named<CourseId>>,
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
    detail: Option<String>,
}

impl Row {
    /// None for an act of a newer server's, in a time when both run.
    fn written(self) -> Option<Written> {
        fn named<I>(id: Option<I>, name: Option<String>) -> Option<Named<I>> {
            id.map(|id| Named { id, name })
        }
        Some(Written {
            act: Act::parse(&self.kind)?,
            id: self.id,
            at: self.at,
            actor: named(self.actor_id, self.actor),
            person: named(self.person_id, self.person),
            course: named(self.course_id, self.course),
            detail: self.detail,
        })
    }
}

/// Which entries are asked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub act: Option<Act>,
    /// Who did it, or to whom it was done.
    pub person: Option<UserId>,
    /// From this time on.
    pub since: Option<DateTime<Utc>>,
    /// Before this time.
    pub until: Option<DateTime<Utc>>,
}

impl Filter {
    fn on<'q>(&self, mut sql: db::Sql<'q>) -> db::Sql<'q> {
        if let Some(act) = self.act {
            sql = sql.push(" AND a.kind = ").push_bind(act.word());
        }
        if let Some(person) = self.person {
            sql = sql.push(" AND (a.actor_id = ").push_bind(person);
            sql = sql.push(" OR a.person_id = ").push_bind(person).push(")");
        }
        if let Some(since) = self.since.map(in_our_era) {
            sql = sql.push(" AND a.at >= ").push_bind(since);
        }
        if let Some(until) = self.until.map(in_our_era) {
            sql = sql.push(" AND a.at < ").push_bind(until);
        }
        sql
    }
}

/// Times that both databases know and sort.
fn in_our_era(at: DateTime<Utc>) -> DateTime<Utc> {
    let end = DateTime::from_timestamp(253_402_300_799, 0).unwrap_or(at); // the year 9999
    at.clamp(DateTime::UNIX_EPOCH, end)
}

/// The newest first, then by id; superusers only.
pub async fn list(kurso: &Kurso, viewer: &Viewer, filter: &Filter, page: Page) -> Result<Listed<Written>> {
    viewer.require_superuser()?;
    let listed = sql!(
        "SELECT a.id, a.at, a.kind, a.actor_id, COALESCE(NULLIF(u.full_name, ''), u.email) AS actor,
           a.person_id, COALESCE(NULLIF(p.full_name, ''), p.email) AS person, a.course_id, c.title AS course, a.detail
         FROM audit a LEFT JOIN users u ON u.id = a.actor_id LEFT JOIN users p ON p.id = a.person_id
         LEFT JOIN courses c ON c.id = a.course_id WHERE 1 = 1"
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
        data: rows.into_iter().filter_map(Row::written).collect(),
        count,
    })
}

/// Removes the entries whose time is over; says how many.
pub async fn forget(kurso: &Kurso, keep: Duration) -> Result<u64> {
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
    fn every_act_has_a_word_of_its_own_and_texts() {
        for act in Act::ALL {
            assert_eq!(Act::parse(act.word()), Some(*act));
            assert!(!act.text(Lang::En).is_empty() && !act.text(Lang::Ru).is_empty());
        }
        assert_eq!(Act::parse("anything"), None);
    }
}
