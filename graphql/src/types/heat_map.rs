use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_core::courses::tree::{self, LessonNode, ModuleNode, PageNode};
use kurso_core::learning::heat_map::{self, PageHeat};
use kurso_core::quiz;

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

/// What a class did with a course: `students` is `completed`, `notStarted` and the `stopped` of all pages together.
#[Object]
impl HeatMap {
    /// What is learnt, as the caller sees it.
    async fn course(&self) -> Course {
        Course::from_row(self.0.course.clone())
    }
    /// How many people learn the course.
    async fn students(&self) -> i32 {
        int(self.0.students)
    }
    /// Those who have reached 100 %, be it before the course grew.
    async fn completed(&self) -> i32 {
        int(self.0.completed)
    }
    /// Those who have been on none of the pages there are now.
    async fn not_started(&self) -> i32 {
        int(self.0.not_started)
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::MODULES, child_complexity)")]
    async fn modules(&self, ctx: &Context<'_>) -> Result<Vec<HeatModule>> {
        let places = 0..self.0.tree.modules.len();
        cost::spend(ctx, places.len())?;
        let module = |place| HeatModule {
            map: self.0.clone(),
            place,
        };
        Ok(places.map(module).collect())
    }
    /// Those that students miss at their first attempt, the hardest first, at most ten; none that everybody answered rightly.
    #[graphql(complexity = "cost::list(cost::HARDEST, child_complexity)")]
    async fn hardest_questions(&self, ctx: &Context<'_>) -> Result<Vec<HardQuestion>> {
        let found = self.0.hardest_questions(kurso(ctx)).await.map_err(wrap(ctx))?;
        cost::spend(ctx, found.len())?;
        let question = |question: quiz::HardQuestion| {
            Some(HardQuestion {
                page: HeatPage {
                    // A page that came after the tree was read.
                    place: self.0.tree.place(question.page_id)?,
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
    place: usize,
}

impl HeatModule {
    fn node(&self) -> &ModuleNode {
        self.map.tree.module(self.place)
    }
}

/// A module and what a class did in it.
#[Object]
impl HeatModule {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// From 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// In order.
    #[graphql(complexity = "cost::list(cost::LESSONS, child_complexity)")]
    async fn lessons(&self, ctx: &Context<'_>) -> Result<Vec<HeatLesson>> {
        let places = self.node().lessons.clone();
        cost::spend(ctx, places.len())?;
        let lesson = |place| HeatLesson {
            map: self.map.clone(),
            place,
        };
        Ok(places.map(lesson).collect())
    }
}

pub struct HeatLesson {
    map: Arc<heat_map::HeatMap>,
    place: usize,
}

impl HeatLesson {
    fn node(&self) -> &LessonNode {
        self.map.tree.lesson(self.place)
    }
}

/// A lesson and what a class did in it.
#[Object]
impl HeatLesson {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// 1 to 255 characters.
    async fn title(&self) -> &str {
        &self.node().title
    }
    /// From 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// The published ones, in order.
    #[graphql(complexity = "cost::list(cost::PAGES, child_complexity)")]
    async fn pages(&self, ctx: &Context<'_>) -> Result<Vec<HeatPage>> {
        let page = |place| HeatPage {
            map: self.map.clone(),
            place,
        };
        let pages: Vec<_> = self.map.pages_of(self.place).map(page).collect();
        cost::spend(ctx, pages.len())?;
        Ok(pages)
    }
}

pub struct HeatPage {
    map: Arc<heat_map::HeatMap>,
    place: usize,
}

impl HeatPage {
    fn node(&self) -> &PageNode {
        self.map.tree.page(self.place)
    }

    fn heat(&self) -> PageHeat {
        self.map.page(self.place)
    }
}

/// A page and what a class did with it.
#[Object]
impl HeatPage {
    /// A UUID, unlike that of any other.
    async fn id(&self) -> ID {
        id_of(self.node().id)
    }
    /// Null: interfaces show 'Страница {n}'.
    async fn title(&self) -> Option<&str> {
        self.node().title.as_deref()
    }
    /// What it holds: something to read, or questions.
    async fn kind(&self) -> PageKind {
        self.node().kind.into()
    }
    /// From 0.
    async fn position(&self) -> i32 {
        int(self.node().position)
    }
    /// Students who were there; who tried its quiz was.
    async fn visited(&self) -> i32 {
        int(self.heat().visited)
    }
    /// Those who visited a content page, or passed a quiz.
    async fn done(&self) -> i32 {
        int(self.heat().done)
    }
    /// Those who have not completed the course and were on no later page of it.
    async fn stopped(&self) -> i32 {
        int(self.heat().stopped)
    }
    /// Null on content pages.
    async fn quiz(&self) -> Option<HeatQuiz> {
        let heat = self.heat();
        (self.node().kind == tree::PageKind::Quiz).then(|| HeatQuiz {
            tried: int(heat.tried),
            average_percent: heat.average_percent().map(int),
            passed_percent: heat.passed_percent().map(int),
        })
    }
}

/// How a class did at a quiz.
#[derive(SimpleObject)]
pub struct HeatQuiz {
    /// Students who took it.
    tried: i32,
    /// Of the best attempts of those who took it, rounded down; null when nobody did.
    average_percent: Option<i32>,
    /// How many of those who took it have passed, in percent rounded down; null when nobody took it.
    passed_percent: Option<i32>,
}

/// A question and how students did at it when they met it first.
#[derive(SimpleObject)]
pub struct HardQuestion {
    /// Of the quiz that asks it.
    page: HeatPage,
    /// Unlike that of any other in the quiz.
    question_id: ID,
    /// Its place in the quiz, from 1.
    number: i32,
    /// As plain text of one line, cut at 200 characters. Empty when it is all pictures.
    prompt: String,
    /// Students who were asked it in their first attempt, of at most 500 of the class that are looked at. An answer left empty
    /// is one that is worth nothing.
    answered: i32,
    /// What share of its points they got on average, in percent rounded down.
    average_percent: i32,
}
