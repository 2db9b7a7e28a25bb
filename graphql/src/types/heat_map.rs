use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_core::attempts;
use kurso_core::courses::tree::{LessonNode, ModuleNode, PageNode};
use kurso_core::students::heat_map::{self, PageHeat};

use super::page::PageKind;
use super::{Course, id_of, int};
use crate::context::kurso;
use crate::cost;
use crate::error::wrap;

pub struct HeatMap(Arc<heat_map::HeatMap>);

impl HeatMap {
    pub fn of(map: heat_map::HeatMap) -> Self {
        HeatMap(Arc::new(map))
    }
}

/// Activity of a class in a course: `students` is the sum of `completed`, `notStarted` and the `stopped` of all pages.
#[Object]
impl HeatMap {
    /// The course, as the caller sees it.
    async fn course(&self) -> Course {
        Course::from_row(self.0.course.clone())
    }
    /// Number of students.
    async fn students(&self) -> i32 {
        int(self.0.students)
    }
    /// Number of students who have reached 100 %, even if pages were added later.
    async fn completed(&self) -> i32 {
        int(self.0.completed)
    }
    /// Number of students who have visited none of the current pages.
    async fn not_started(&self) -> i32 {
        int(self.0.not_started)
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Vec<HeatModule>> {
        let indices = 0..self.0.tree.modules.len();
        cost::spend(ctx, indices.len())?;
        let module = |index| HeatModule {
            map: self.0.clone(),
            index,
        };
        Ok(indices.map(module).collect())
    }
    /// Questions that students fail in their first attempt, hardest first, at most ten; without questions with an average above 80 %.
    #[graphql(complexity = "cost::list(cost::HARDEST, child_complexity)")]
    async fn hardest_questions(&self, ctx: &Context<'_>) -> Result<Vec<HardQuestion>> {
        let found = self.0.hardest_questions(kurso(ctx)).await.map_err(wrap(ctx))?;
        cost::spend(ctx, found.len())?;
        let question = |question: attempts::HardQuestion| {
            Some(HardQuestion {
                page: HeatPage {
                    // The page was added after the tree was read.
                    index: self.0.tree.place(question.page_id)?,
                    map: self.0.clone(),
                },
                question_id: id_of(question.question_id),
                number: int(question.number),
                prompt: question.prompt,
                answered: int(question.answered),
                average_percent: int(question.average_percent),
            })
        };
        Ok(found.into_iter().filter_map(question).collect())
    }
}

pub struct HeatModule {
    map: Arc<heat_map::HeatMap>,
    index: usize,
}

impl HeatModule {
    fn node(&self) -> &ModuleNode {
        self.map.tree.module(self.index)
    }
}

/// Activity of a class in a module.
#[Object]
impl HeatModule {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// Index among its siblings, from 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<HeatLesson>> {
        let indices = self.node().lessons.clone();
        cost::spend(ctx, indices.len())?;
        let lesson = |index| HeatLesson {
            map: self.map.clone(),
            index,
        };
        Ok(indices.map(lesson).collect())
    }
}

pub struct HeatLesson {
    map: Arc<heat_map::HeatMap>,
    index: usize,
}

impl HeatLesson {
    fn node(&self) -> &LessonNode {
        self.map.tree.lesson(self.index)
    }
}

/// Activity of a class in a lesson.
#[Object]
impl HeatLesson {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// Index among its siblings, from 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Published pages, in order.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<HeatPage>> {
        let page = |index| HeatPage {
            map: self.map.clone(),
            index,
        };
        let pages: Vec<_> = self.map.pages_of(self.index).map(page).collect();
        cost::spend(ctx, pages.len())?;
        Ok(pages)
    }
}

pub struct HeatPage {
    map: Arc<heat_map::HeatMap>,
    index: usize,
}

impl HeatPage {
    fn node(&self) -> &PageNode {
        self.map.tree.page(self.index)
    }

    fn heat(&self) -> PageHeat {
        self.map.page(self.index)
    }
}

/// Activity of a class on a page.
#[Object]
impl HeatPage {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// Null for an untitled page: clients show 'Страница {n}'.
    async fn title(&self) -> Option<&str> {
        self.node().title.as_deref()
    }
    /// Kind of the page.
    async fn kind(&self) -> PageKind {
        self.node().kind.into()
    }
    /// Index among its siblings, from 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Number of students who visited the page or tried its quiz.
    async fn visited(&self) -> i32 {
        int(self.heat().visited)
    }
    /// Number of students who visited a content page or passed a quiz.
    async fn done(&self) -> i32 {
        int(self.heat().done)
    }
    /// Number of students who have not completed the course and have visited no later page. Students who have done all pages from their
    /// last one on stopped at their first page that is not done.
    async fn stopped(&self) -> i32 {
        int(self.heat().stopped)
    }
    /// Null on content pages.
    async fn quiz(&self) -> Option<HeatQuiz> {
        let heat = self.heat();
        self.node().kind.takes_attempts().then(|| HeatQuiz {
            tried: int(heat.tried),
            waiting: int(heat.waiting),
            average_percent: heat.average_percent().map(int),
            passed_percent: heat.passed_percent().map(int),
        })
    }
}

/// Results of a class in a quiz.
#[derive(SimpleObject)]
pub struct HeatQuiz {
    /// Number of students with an attempt.
    tried: i32,
    /// Number of students whose answers wait for a grader, so that their percentages are not final.
    waiting: i32,
    /// Average of the best final percentages, rounded down; null without any.
    average_percent: Option<i32>,
    /// Pass rate among the students who have passed or whose attempts are final, in percent, rounded down; null without any.
    passed_percent: Option<i32>,
}

/// Results of a question in first attempts.
#[derive(SimpleObject)]
pub struct HardQuestion {
    /// ID of the page with the quiz.
    page: HeatPage,
    /// ID of the question, unique in the quiz.
    question_id: ID,
    /// Number in the quiz, from 1.
    number: i32,
    /// Prompt as plain text on one line, cut at 200 characters; empty when it has only images.
    prompt: String,
    /// Students whose first attempt had the question, in a sample of at most 350 of the class. An empty answer scores
    /// zero.
    answered: i32,
    /// Average percentage of its points, rounded down.
    average_percent: i32,
}
