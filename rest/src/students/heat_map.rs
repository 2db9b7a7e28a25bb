//! Response schema of the heat map.

use kurso_core::attempts;
use kurso_core::courses::tree;
use kurso_core::students::heat_map as core;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::courses::PageKind;
use crate::response::from_fields;

/// What a class did with a course.
#[derive(Serialize, ToSchema)]
pub struct HeatMap {
    pub course_id: Uuid,
    /// How many people learn the course.
    pub students: usize,
    /// Those who have reached 100 %, be it before the course grew.
    pub completed: usize,
    /// Those who have been on none of the pages there are now.
    pub not_started: usize,
    /// In order.
    pub modules: Vec<HeatModule>,
    /// The hardest first, at most ten.
    pub hardest_questions: Vec<HardQuestion>,
}

#[derive(Serialize, ToSchema)]
pub struct HeatModule {
    pub id: Uuid,
    pub title: String,
    /// From 0.
    pub position: i64,
    /// In order.
    pub lessons: Vec<HeatLesson>,
}

#[derive(Serialize, ToSchema)]
pub struct HeatLesson {
    pub id: Uuid,
    pub title: String,
    /// From 0.
    pub position: i64,
    /// The published ones, in order.
    pub pages: Vec<HeatPage>,
}

#[derive(Serialize, ToSchema)]
pub struct HeatPage {
    pub id: Uuid,
    /// Null: shown as the page's number in its lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// From 0.
    pub position: i64,
    /// Students who were there; who tried its quiz was.
    pub visited: usize,
    /// Those who visited a content page, or passed a quiz.
    pub done: usize,
    /// Those who have not completed the course and were on no later page of it. Who has done all pages from their last one on
    /// stopped at their first page that is not done.
    pub stopped: usize,
    /// Null on content pages.
    #[schema(required)]
    pub quiz: Option<HeatQuiz>,
}

/// How a class did at a quiz.
#[derive(Serialize, ToSchema)]
pub struct HeatQuiz {
    /// Students who took it.
    pub tried: usize,
    /// Of the best attempts of those who took it, rounded down; null when nobody did.
    #[schema(required, minimum = 0, maximum = 100)]
    pub average_percent: Option<usize>,
    /// How many of those who took it have passed, in percent rounded down; null when nobody took it.
    #[schema(required, minimum = 0, maximum = 100)]
    pub passed_percent: Option<usize>,
}

/// A question and how students did at it when they met it first.
#[derive(Serialize, ToSchema)]
pub struct HardQuestion {
    pub page_id: Uuid,
    pub question_id: Uuid,
    /// Its place in the quiz, from 1.
    pub number: usize,
    /// As plain text of one line, cut at 200 characters. Empty when it is all pictures.
    pub prompt: String,
    /// Students who were asked it in their first attempt, of at most 500 of the class that are looked at. An answer left empty is
    /// one that is worth nothing.
    pub answered: i64,
    /// What share of its points they got on average, in percent rounded down.
    #[schema(minimum = 0, maximum = 100)]
    pub average_percent: i64,
}

impl HeatMap {
    pub fn of(map: &core::HeatMap, hardest: Vec<attempts::HardQuestion>) -> Self {
        let modules = map.tree.modules.iter().map(|module| HeatModule {
            id: module.id.0,
            title: module.title.clone(),
            position: module.position,
            lessons: module.lessons.clone().map(|index| HeatLesson::of(map, index)).collect(),
        });
        HeatMap {
            course_id: map.course.id.0,
            students: map.students,
            completed: map.completed,
            not_started: map.not_started,
            modules: modules.collect(),
            hardest_questions: hardest.into_iter().map(HardQuestion::from).collect(),
        }
    }
}

impl HeatLesson {
    fn of(map: &core::HeatMap, index: usize) -> Self {
        let lesson = map.tree.lesson(index);
        HeatLesson {
            id: lesson.id.0,
            title: lesson.title.clone(),
            position: lesson.position,
            pages: map.pages_of(index).map(|index| HeatPage::of(map, index)).collect(),
        }
    }
}

impl HeatPage {
    fn of(map: &core::HeatMap, index: usize) -> Self {
        let (page, heat) = (map.tree.page(index), map.page(index));
        HeatPage {
            id: page.id.0,
            title: page.title.clone(),
            kind: page.kind,
            position: page.position,
            visited: heat.visited,
            done: heat.done,
            stopped: heat.stopped,
            quiz: (page.kind == tree::PageKind::Quiz).then(|| HeatQuiz {
                tried: heat.tried,
                average_percent: heat.average_percent(),
                passed_percent: heat.passed_percent(),
            }),
        }
    }
}

from_fields! {
    HardQuestion from attempts::HardQuestion { page_id, question_id, number, prompt, answered, average_percent }
}
