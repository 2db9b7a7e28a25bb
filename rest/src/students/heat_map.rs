//! Response schema of the heat map.

use kurso_core::attempts;
use kurso_core::courses::tree;
use kurso_core::students::heat_map as core;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::page_kind::PageKind;
use crate::response::from_fields;

/// The activity of all students of a course, by page.
#[derive(Serialize, ToSchema)]
pub struct HeatMap {
    pub course_id: Uuid,
    /// Number of students.
    pub students: usize,
    /// Students who have reached 100 %, even if pages were added later.
    pub completed: usize,
    /// Students who have visited none of the current pages.
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
    /// Index among its siblings, from 0.
    pub position: i64,
    /// In order.
    pub lessons: Vec<HeatLesson>,
}

#[derive(Serialize, ToSchema)]
pub struct HeatLesson {
    pub id: Uuid,
    pub title: String,
    /// Index among its siblings, from 0.
    pub position: i64,
    /// Published pages in order.
    pub pages: Vec<HeatPage>,
}

#[derive(Serialize, ToSchema)]
pub struct HeatPage {
    pub id: Uuid,
    /// Null for an untitled page: clients show its number in the lesson.
    #[schema(required)]
    pub title: Option<String>,
    #[schema(inline, value_type = PageKind)]
    pub kind: tree::PageKind,
    /// Index among its siblings, from 0.
    pub position: i64,
    /// Students who visited the page or attempted its quiz.
    pub visited: usize,
    /// Students who completed the page: visited a content page, passed a quiz.
    pub done: usize,
    /// Students who have not completed the course and visited no later page. A student who has completed all pages from the last
    /// visited one on is counted at the first page that is not completed.
    pub stopped: usize,
    /// Null on content pages.
    #[schema(required)]
    pub quiz: Option<HeatQuiz>,
}

/// The results of all students at a quiz.
#[derive(Serialize, ToSchema)]
pub struct HeatQuiz {
    /// Students with an attempt.
    pub tried: usize,
    /// Students whose answers wait for a grader, so that their percentages are not final.
    pub waiting: usize,
    /// Average of the best final percentages, rounded down; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    pub average_percent: Option<usize>,
    /// Pass rate among the students who have passed or whose attempts are final, in percent, rounded down; null without any.
    #[schema(required, minimum = 0, maximum = 100)]
    pub passed_percent: Option<usize>,
}

/// A question with the results of first attempts.
#[derive(Serialize, ToSchema)]
pub struct HardQuestion {
    pub page_id: Uuid,
    pub question_id: Uuid,
    /// Number in the quiz, from 1.
    pub number: usize,
    /// Plain text in one line, at most 200 characters. Empty when the prompt has only images.
    pub prompt: String,
    /// Students whose first attempt contained the question, out of at most 500 evaluated students. A missing answer counts as 0
    /// points.
    pub answered: i64,
    /// Mean percentage of the question's points that they got, rounded down.
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
            quiz: page.kind.takes_attempts().then(|| HeatQuiz {
                tried: heat.tried,
                waiting: heat.waiting,
                average_percent: heat.average_percent(),
                passed_percent: heat.passed_percent(),
            }),
        }
    }
}

from_fields! {
    HardQuestion from attempts::HardQuestion { page_id, question_id, number, prompt, answered, average_percent }
}
