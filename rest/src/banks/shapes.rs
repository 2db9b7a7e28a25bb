//! Schemas of operations on question banks.

use chrono::{DateTime, Utc};
use kurso_base::email::Email;
use kurso_base::error as core;
use kurso_base::values::{PageVersion, QuestionTag, QuestionTags, Title};
use kurso_base::wire;
use kurso_core::Kurso;
use kurso_core::banks::{
    self, AddQuestions, BankTitle, DeleteQuestions, MAX_ADDED, MemberRole, NewQuestion, NewQuestions, QuestionIds,
    ShareBank, TagQuestions, UpdateQuestion,
};
use kurso_formats::quiz::BankQuestionDraft;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::courses::ImportReportEntry;
use crate::fields::{Field, Given, body, entries_schema};
use crate::grading::shapes::PersonName;
use crate::quiz::AuthorQuestion;

/// Rights of the caller in a bank. `owner`: changes everything, shares and deletes the bank; `editor`: changes the questions; `viewer`: reads
/// them and uses them in quizzes.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BankRole {
    Owner,
    Editor,
    Viewer,
}

impl From<banks::BankRole> for BankRole {
    fn from(role: banks::BankRole) -> Self {
        match role {
            banks::BankRole::Owner => BankRole::Owner,
            banks::BankRole::Editor => BankRole::Editor,
            banks::BankRole::Viewer => BankRole::Viewer,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BankMemberRole {
    Editor,
    Viewer,
}

impl Field for MemberRole {
    fn schema() -> RefOr<Schema> {
        <BankMemberRole as utoipa::PartialSchema>::schema()
    }
}

/// A bank of questions, which quizzes copy or draw from.
#[derive(Serialize, ToSchema)]
pub struct Bank {
    pub id: Uuid,
    pub title: String,
    #[schema(inline)]
    pub role: BankRole,
    pub owner: PersonName,
    /// Number of questions.
    pub questions_count: i64,
    /// Number of pages whose quiz draws from it.
    pub pages_count: i64,
    /// When the bank or one of its questions was changed.
    #[serde(serialize_with = "wire::time")]
    pub updated_at: DateTime<Utc>,
}

impl From<banks::Bank> for Bank {
    fn from(bank: banks::Bank) -> Self {
        Bank {
            id: bank.id.0,
            title: bank.title,
            role: bank.role.into(),
            owner: bank.owner.into(),
            questions_count: bank.questions,
            pages_count: bank.pages,
            updated_at: bank.updated_at,
        }
    }
}

/// The caller's banks and those shared with the caller.
#[derive(Serialize, ToSchema)]
pub struct Banks {
    pub data: Vec<Bank>,
    /// Number of banks.
    pub count: i64,
}

/// A bank with its tags.
#[derive(Serialize, ToSchema)]
pub struct BankWithTags {
    #[serde(flatten)]
    pub bank: Bank,
    /// The tags of its questions, by name.
    pub tags: Vec<BankTag>,
    /// Colleagues with whom it is shared, by time; empty for viewers.
    pub members: Vec<BankMember>,
}

impl BankWithTags {
    pub async fn of(kurso: &Kurso, bank: banks::Bank) -> Result<Self, core::Error> {
        let tags = banks::tags_of(kurso, &[bank.id]).await?.remove(&bank.id);
        let members = match bank.shows_members() {
            true => banks::members_of(kurso, &[bank.id]).await?.remove(&bank.id),
            false => None,
        };
        Ok(BankWithTags {
            bank: bank.into(),
            tags: tags.into_iter().flatten().map(BankTag::from).collect(),
            members: members.into_iter().flatten().map(BankMember::from).collect(),
        })
    }
}

/// A tag of questions.
#[derive(Serialize, ToSchema)]
pub struct BankTag {
    pub name: String,
    /// Number of questions with it.
    pub count: i64,
    /// Number of those that a draw can take: complete ones.
    pub drawable: i64,
}

impl From<banks::BankTag> for BankTag {
    fn from(tag: banks::BankTag) -> Self {
        BankTag {
            name: tag.name,
            count: tag.count,
            drawable: tag.drawable,
        }
    }
}

/// A colleague with whom a bank is shared.
#[derive(Serialize, ToSchema)]
pub struct BankMember {
    pub user_id: Uuid,
    #[schema(required)]
    pub full_name: Option<String>,
    pub email: String,
    #[schema(inline)]
    pub role: BankMemberRole,
}

impl From<banks::Member> for BankMember {
    fn from(member: banks::Member) -> Self {
        BankMember {
            user_id: member.user.0,
            full_name: member.full_name,
            email: member.email,
            role: match member.role {
                MemberRole::Editor => BankMemberRole::Editor,
                MemberRole::Viewer => BankMemberRole::Viewer,
            },
        }
    }
}

/// A question of a bank.
#[derive(Serialize, ToSchema)]
pub struct BankQuestion {
    pub id: Uuid,
    pub bank_id: Uuid,
    /// From 1; incremented by each change of the question itself.
    pub version: i64,
    /// Type of the question, such as `single_choice`.
    pub kind: String,
    #[schema(value_type = AuthorQuestion)]
    pub question: Box<RawValue>,
    /// By name.
    pub tags: Vec<String>,
    /// Whether a published quiz could contain it; draws take only such questions.
    pub is_complete: bool,
    #[serde(serialize_with = "wire::time")]
    pub changed_at: DateTime<Utc>,
    /// Null when the account is deleted.
    #[schema(required)]
    pub changed_by: Option<PersonName>,
}

impl BankQuestion {
    pub fn of(question: banks::Question) -> Result<Self, core::Error> {
        Ok(BankQuestion {
            id: question.id.0,
            bank_id: question.bank.0,
            version: question.version,
            kind: question.kind,
            question: RawValue::from_string(question.question).map_err(core::Error::internal)?,
            tags: question.tags,
            is_complete: question.is_complete,
            changed_at: question.changed_at,
            changed_by: question.changed_by.map(PersonName::from),
        })
    }

    pub fn list(questions: Vec<banks::Question>) -> Result<Vec<Self>, core::Error> {
        questions.into_iter().map(BankQuestion::of).collect()
    }
}

/// A page of the questions of a bank.
#[derive(Serialize, ToSchema)]
pub struct BankQuestions {
    pub data: Vec<BankQuestion>,
    /// Number of questions that match, without regard to `skip` and `limit`.
    pub count: i64,
    /// Number of those that a draw can take: complete ones.
    pub drawable: i64,
}

/// Questions by their IDs.
#[derive(Serialize, ToSchema)]
pub struct BankQuestionSelection {
    pub data: Vec<BankQuestion>,
}

/// Added questions.
#[derive(Serialize, ToSchema)]
pub struct AddedBankQuestions {
    /// In the order of the request.
    pub questions: Vec<BankQuestion>,
    pub bank: BankWithTags,
}

/// The question has changed since the client read it. Nothing was saved.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `error` writes")]
pub struct BankQuestionConflict {
    detail: String,
    /// The stored question.
    question: BankQuestion,
}

/// The earlier versions of a question, newest first.
#[derive(Serialize, ToSchema)]
pub struct BankQuestionVersions {
    pub data: Vec<BankQuestionVersion>,
    /// Number of versions, at most 100.
    pub count: i64,
}

/// An earlier version of a question.
#[derive(Serialize, ToSchema)]
pub struct BankQuestionVersion {
    pub version: i64,
    #[schema(value_type = AuthorQuestion)]
    pub question: Box<RawValue>,
    /// When this version was saved.
    #[serde(serialize_with = "wire::time")]
    pub changed_at: DateTime<Utc>,
    /// Who saved it; null when the account is deleted.
    #[schema(required)]
    pub changed_by: Option<PersonName>,
}

impl BankQuestionVersion {
    pub fn of(version: banks::Version) -> Result<Self, core::Error> {
        Ok(BankQuestionVersion {
            version: version.version,
            question: RawValue::from_string(version.question).map_err(core::Error::internal)?,
            changed_at: version.changed_at,
            changed_by: version.changed_by.map(PersonName::from),
        })
    }
}

/// What was imported.
#[derive(Serialize, ToSchema)]
pub struct ImportedBankQuestions {
    /// Number of added questions.
    pub count: i64,
    /// What was changed or left out, at most 1,000 entries.
    pub report: Vec<ImportReportEntry>,
}

impl Field for QuestionTags {
    fn schema() -> RefOr<Schema> {
        let array = ArrayBuilder::new().items(QuestionTag::schema());
        RefOr::T(array.max_items(Some(QuestionTags::MAX)).into())
    }
}

impl Field for NewQuestions {
    fn schema() -> RefOr<Schema> {
        entries_schema("NewBankQuestion", MAX_ADDED)
    }

    fn schemas(to: &mut Vec<(String, RefOr<Schema>)>) {
        to.push((
            "NewBankQuestion".to_owned(),
            <NewBankQuestion as utoipa::PartialSchema>::schema(),
        ));
        BankQuestionDraft::schemas(to);
    }
}

body! {
    BankWrite -> BankTitle {
        title: Title,
    }

    BankQuestionsAdd -> AddQuestions {
        questions: NewQuestions,
    }

    /// A question to add to a bank.
    NewBankQuestion -> NewQuestion {
        /// Its `id` and `source` are ignored.
        question: BankQuestionDraft,
        tags: Option<QuestionTags>,
    } => |_fields| Some(NewQuestion { question: question?, tags: tags?.unwrap_or_default() });

    /// Fields that are absent keep their values.
    BankQuestionUpdate -> UpdateQuestion {
        /// The version that the change is based on.
        version: PageVersion,
        question: Given<BankQuestionDraft>,
        /// All its tags.
        tags: Given<QuestionTags>,
    }

    BankQuestionsTag -> TagQuestions {
        question_ids: QuestionIds,
        /// Tags to give.
        add: Option<QuestionTags>,
        /// Tags to take away.
        remove: Option<QuestionTags>,
    }

    BankQuestionsDelete -> DeleteQuestions {
        question_ids: QuestionIds,
    }

    BankShare -> ShareBank {
        /// Address of an active account.
        email: Email,
        role: MemberRole,
    }
}
