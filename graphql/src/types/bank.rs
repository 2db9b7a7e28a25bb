use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object, Result, SimpleObject};
use kurso_base::values::{QuestionTags, check_range};
use kurso_core::banks::{self, MAX_LISTED, MemberRole, QuestionList, QuestionQuery};
use serde_json::Value;

use super::bank_question::BankQuestion;
use super::loaders::{BankQuestionsOf, Loaders, MembersOf, TagsOf};
use super::student::Person;
use super::{DateTime, PersonName, id_of, int};
use crate::cost;
use crate::error::wrap;
use crate::input::Fields;
use crate::lists;

pub struct Bank {
    bank: banks::Bank,
    loaders: Arc<Loaders>,
}

impl Bank {
    /// The banks of a list, which share loaders.
    pub fn list(banks: Vec<banks::Bank>) -> Vec<Self> {
        let loaders = Arc::<Loaders>::default();
        let bank = |bank| Bank {
            bank,
            loaders: loaders.clone(),
        };
        banks.into_iter().map(bank).collect()
    }
}

impl From<banks::Bank> for Bank {
    fn from(bank: banks::Bank) -> Self {
        Bank {
            bank,
            loaders: Arc::default(),
        }
    }
}

/// The rights of a user in a question bank.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum BankRole {
    /// Changes everything, shares and deletes the bank.
    Owner,
    /// Changes the questions.
    Editor,
    /// Reads the questions and uses them in quizzes.
    Viewer,
}

impl BankRole {
    /// The name in the core.
    pub fn name(self) -> &'static str {
        banks::BankRole::from(self).name()
    }
}

impl From<BankRole> for banks::BankRole {
    fn from(role: BankRole) -> Self {
        match role {
            BankRole::Owner => banks::BankRole::Owner,
            BankRole::Editor => banks::BankRole::Editor,
            BankRole::Viewer => banks::BankRole::Viewer,
        }
    }
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

/// A colleague with whom a bank is shared.
#[derive(SimpleObject)]
pub struct BankMember {
    /// The colleague.
    person: Person,
    /// EDITOR or VIEWER.
    role: BankRole,
}

impl From<&banks::Member> for BankMember {
    fn from(member: &banks::Member) -> Self {
        BankMember {
            person: Person {
                id: id_of(member.user),
                full_name: member.full_name.clone(),
                email: member.email.clone(),
            },
            role: match member.role {
                MemberRole::Editor => BankRole::Editor,
                MemberRole::Viewer => BankRole::Viewer,
            },
        }
    }
}

/// A tag of questions.
#[derive(SimpleObject)]
pub struct BankTag {
    /// Its name.
    name: String,
    /// Number of questions with it.
    count: i32,
    /// Number of those that a draw can take: complete ones.
    drawable: i32,
}

impl From<&banks::BankTag> for BankTag {
    fn from(tag: &banks::BankTag) -> Self {
        BankTag {
            name: tag.name.clone(),
            count: int(tag.count),
            drawable: int(tag.drawable),
        }
    }
}

/// A bank of questions, which quizzes copy or draw from.
#[Object]
impl Bank {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.bank.id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.bank.title
    }
    /// What the caller may do.
    async fn role(&self) -> BankRole {
        self.bank.role.into()
    }
    /// Its owner.
    async fn owner(&self) -> PersonName {
        (&self.bank.owner).into()
    }
    /// Number of questions.
    async fn questions_count(&self) -> i32 {
        int(self.bank.questions)
    }
    /// Number of pages whose quiz draws from it.
    async fn pages_count(&self) -> i32 {
        int(self.bank.pages)
    }
    /// When the bank or one of its questions was changed.
    async fn updated_at(&self) -> DateTime {
        DateTime(self.bank.updated_at)
    }
    /// The tags of its questions, by name.
    #[graphql(complexity = "cost::list(cost::TAGS, child_complexity)")]
    async fn tags(&self, ctx: &Context<'_>) -> Result<Vec<BankTag>> {
        let tags = self.loaders.load(ctx, TagsOf(self.bank.id)).await?.unwrap_or_default();
        cost::spend(ctx, tags.len())?;
        Ok(tags.iter().map(BankTag::from).collect())
    }
    /// Colleagues with whom it is shared, by time; empty for viewers.
    #[graphql(complexity = "cost::list(cost::COLLABORATORS, child_complexity)")]
    async fn members(&self, ctx: &Context<'_>) -> Result<Vec<BankMember>> {
        if !self.bank.shows_members() {
            return Ok(vec![]);
        }
        let members = self.loaders.load(ctx, MembersOf(self.bank.id)).await?;
        let members = members.unwrap_or_default();
        cost::spend(ctx, members.len())?;
        Ok(members.iter().map(BankMember::from).collect())
    }
    /// Its questions, the newest first.
    #[graphql(complexity = "cost::connection(first.or(Some(50)), child_complexity)")]
    async fn questions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Words that a question must all contain; case does not matter.")] search: Option<String>,
        #[graphql(desc = "Tags that a question must all have, at most 20.")] tags: Option<Vec<String>>,
        #[graphql(desc = "Kind as in the author's form, such as `single_choice`.")] kind: Option<String>,
        #[graphql(desc = "Number of questions, 1 to 100.", default = 50)] first: Option<i32>,
        #[graphql(desc = "Number of questions to skip.", default = 0)] skip: Option<i32>,
    ) -> Result<BankQuestionList> {
        let search = lists::search(ctx, search)?;
        let mut fields = Fields::default();
        let tags = match tags {
            Some(tags) => fields.required::<QuestionTags>("tags", Value::from(tags)),
            None => Some(QuestionTags::default()),
        };
        let kind = fields.optional::<String>("kind", kind);
        let (first, skip) = (i64::from(first.unwrap_or(50)), i64::from(skip.unwrap_or(0)));
        let mut is_within = true;
        for (name, number, bounds) in [("first", first, (1, MAX_LISTED)), ("skip", skip, (0, i64::MAX))] {
            if let Err(problem) = check_range(number, bounds.0, bounds.1) {
                fields.refuse(name, problem);
                is_within = false;
            }
        }
        let query = (|| Some(QuestionQuery::new(&search, tags?, kind?, skip, first)))();
        let query = fields.finish(query.filter(|_| is_within)).map_err(wrap(ctx))?;
        let found = self.loaders.load(ctx, BankQuestionsOf(self.bank.id, query)).await?;
        Ok(BankQuestionList {
            list: found.unwrap_or_default(),
            loaders: self.loaders.clone(),
        })
    }
}

pub struct BankQuestionList {
    list: Arc<QuestionList>,
    loaders: Arc<Loaders>,
}

/// Questions of a bank.
#[Object]
impl BankQuestionList {
    /// The questions.
    async fn questions(&self, ctx: &Context<'_>) -> Result<Vec<BankQuestion>> {
        cost::spend(ctx, self.list.questions.len())?;
        Ok(BankQuestion::among(self.list.questions.clone(), &self.loaders))
    }
    /// Number of questions that match the arguments.
    async fn total(&self) -> i32 {
        int(self.list.total)
    }
    /// Number of those that a draw can take: complete ones.
    async fn drawable(&self) -> i32 {
        int(self.list.drawable)
    }
}
