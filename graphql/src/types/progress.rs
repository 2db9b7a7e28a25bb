use std::sync::Arc;

use super::{DateTime, View, int};
use async_graphql::Object;

/// How far the caller is in a course.
pub struct Progress(pub Arc<View>);

#[Object]
impl Progress {
    /// Whole percent of pages, rounded down: 100 only when all is done.
    async fn percent(&self) -> i32 {
        self.0.progress.percent().into()
    }
    async fn pages_done(&self) -> i32 {
        int(self.0.progress.pages_done)
    }
    async fn pages_total(&self) -> i32 {
        int(self.0.progress.pages_total)
    }
    async fn lessons_done(&self) -> i32 {
        int(self.0.progress.lessons_done)
    }
    /// Lessons without pages do not count.
    async fn lessons_total(&self) -> i32 {
        int(self.0.progress.lessons_total)
    }
    /// When 100 % was first reached; kept when the course grows.
    async fn completed_at(&self) -> Option<DateTime> {
        self.0.progress.completed_at.map(DateTime)
    }
}
