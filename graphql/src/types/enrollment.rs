use async_graphql::{Context, ID, Object, Result, SimpleObject};
use kurso_core::courses::{self, enrollment};

use super::{Course, DateTime, Page, id_of, int};

pub struct Enrollment {
    row: courses::Enrollment,
    course: Course,
}

impl Enrollment {
    /// The caller's enrollment in the course, if there is one.
    pub fn of(course: Course) -> Option<Self> {
        let row = course.row().enrollment.clone()?;
        Some(Enrollment { row, course })
    }
}

/// The caller's enrollment in a course.
#[Object]
impl Enrollment {
    /// Unique ID.
    async fn id(&self) -> ID {
        id_of(self.row.id)
    }
    /// The course.
    async fn course(&self) -> &Course {
        &self.course
    }
    /// Title of the learner's group; null for a learner without a group.
    async fn group_title(&self) -> Option<&str> {
        self.row.group.as_ref().map(|group| group.title.as_str())
    }
    /// Enrollment time.
    async fn enrolled_at(&self) -> DateTime {
        DateTime(self.row.enrolled_at)
    }
    /// When the learner last visited a page or submitted a quiz.
    async fn last_activity_at(&self) -> DateTime {
        DateTime(self.row.last_activity_at)
    }
    /// When progress first reached 100 %.
    async fn completed_at(&self) -> Option<DateTime> {
        self.row.completed_at.map(DateTime)
    }
    /// The page opened last and the place in it where the learner stopped reading; null before that. The page may be deleted.
    async fn reading_place(&self) -> Option<ReadingPlace> {
        self.row.place.clone().map(ReadingPlace::from)
    }
    /// The page where the learner continues: the first work that was returned for revision, or else the first page that is not done, from the
    /// page opened or visited last to the end of the course and then from its start. A quiz or an assignment that takes no attempts or waits for a grade
    /// comes after all others, and a locked page last; null when all pages are done.
    async fn next_page(&self, ctx: &Context<'_>) -> Result<Option<Page>> {
        let view = self.course.view(ctx).await?;
        Ok(view.next_to_do().map(|index| Page::at(&view, index)))
    }
}

/// The page that a learner opened last, and the block at the top of the window.
#[derive(SimpleObject)]
pub struct ReadingPlace {
    /// ID of the page.
    page_id: ID,
    /// The version of the page that was read.
    version: i32,
    /// Index among the blocks of the page; 0 is its start, also after it was read to its end.
    block: i32,
    /// How much of the block was above the window, in thousandths of its height.
    part: i32,
    /// Anchor of the last heading above the window; it finds the place in a text that was changed since. Null without one.
    heading: Option<String>,
    /// When it was stored.
    saved_at: DateTime,
}

impl From<enrollment::ReadingPlace> for ReadingPlace {
    fn from(place: enrollment::ReadingPlace) -> Self {
        ReadingPlace {
            page_id: id_of(place.page),
            version: int(place.version),
            block: int(place.block),
            part: int(place.part),
            heading: place.heading,
            saved_at: DateTime(place.at),
        }
    }
}
