//! The subscriptions of the schema, by WebSocket only: see [`crate::socket`].

mod courses;
mod discussions;
mod imports;
mod notices;
mod pages;

use std::sync::Arc;

use async_graphql::{Context, ErrorExtensions as _, MergedSubscription, Result};
use futures_util::stream::{BoxStream, StreamExt as _, unfold};
use kurso_base::error;
use kurso_base::messages::{Lang, Message};
use kurso_core::Kurso;
use kurso_core::courses::Course;
use kurso_core::discussions::{DiscussionChange, DiscussionsWatch};
use kurso_core::imports::{Import, ImportWatch};
use kurso_core::inbox::{Arrival, NoticesWatch};
use kurso_core::subscriptions::{
    CourseActivity, CourseWatch, EditorsWatch, GradesWatch, GroupsWatch, OpenEditor, PageChange, PageWatch,
};

use crate::context::kurso;
use crate::cost::Budget;
use crate::error::to_graphql;
use crate::language::lang;

/// Subscriptions, by WebSocket.
#[derive(MergedSubscription, Default)]
pub struct Subscription(
    courses::CoursesSubscription,
    pages::PagesSubscription,
    imports::ImportsSubscription,
    notices::NoticesSubscription,
    discussions::DiscussionsSubscription,
);

/// A watch of the core.
trait Watch: Send + 'static {
    type Event: Send;

    fn next(&mut self, kurso: &Kurso) -> impl Future<Output = error::Result<Option<Self::Event>>> + Send;

    /// Whether no event can follow.
    fn is_over(&self) -> bool {
        false
    }
}

impl Watch for CourseWatch {
    type Event = CourseActivity;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<CourseActivity>> {
        self.next(kurso).await
    }
}

impl Watch for GroupsWatch {
    type Event = Course;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<Course>> {
        self.next(kurso).await
    }
}

impl Watch for GradesWatch {
    type Event = Course;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<Course>> {
        self.next(kurso).await
    }
}

impl Watch for PageWatch {
    type Event = PageChange;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<PageChange>> {
        self.next(kurso).await
    }
    fn is_over(&self) -> bool {
        self.is_over()
    }
}

impl Watch for EditorsWatch {
    type Event = Vec<OpenEditor>;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<Vec<OpenEditor>>> {
        self.next(kurso).await
    }
}

impl Watch for ImportWatch {
    type Event = Import;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<Import>> {
        self.next(kurso).await
    }
    fn is_over(&self) -> bool {
        self.is_over()
    }
}

impl Watch for DiscussionsWatch {
    type Event = DiscussionChange;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<DiscussionChange>> {
        self.next(kurso).await
    }
}

impl Watch for NoticesWatch {
    type Event = Arrival;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<Arrival>> {
        self.next(kurso).await
    }
}

/// The events of a watch. An error, or a report that events were missed, is the last item.
fn events<W: Watch, T: Send + 'static>(
    ctx: &Context<'_>,
    watch: W,
    convert: fn(W::Event) -> T,
) -> BoxStream<'static, Result<T>> {
    let lang = lang(ctx);
    let budget = ctx.data_opt::<Budget>().cloned();
    let start: Option<(Arc<Kurso>, W)> = Some((kurso(ctx).clone(), watch));
    unfold((start, budget), move |(state, budget)| async move {
        let (kurso, mut watch) = state?;
        match watch.next(&kurso).await {
            Ok(Some(event)) => {
                if let Some(budget) = &budget {
                    budget.reset();
                }
                let rest = (!watch.is_over()).then_some((kurso, watch));
                Some((Ok(convert(event)), (rest, budget)))
            }
            Ok(None) => Some((Err(missed(lang)), (None, budget))),
            Err(error) => Some((Err(to_graphql(error, lang)), (None, budget))),
        }
    })
    .boxed()
}

fn missed(lang: Lang) -> async_graphql::Error {
    let error = async_graphql::Error::new(Message::EventsMissed.text(lang));
    error.extend_with(|_, extensions| extensions.set("code", "UNAVAILABLE"))
}
