//! What may be watched live: a merged object of one part a file. Over WebSocket only, see [`crate::socket`].

mod courses;
mod imports;
mod pages;

use std::sync::Arc;

use async_graphql::{Context, ErrorExtensions as _, MergedSubscription, Result};
use futures_util::stream::{BoxStream, StreamExt as _, unfold};
use kurso_core::Kurso;
use kurso_core::error;
use kurso_core::events::{CourseActivity, CourseWatch, EditorsWatch, OpenEditor, PageChange, PageWatch};
use kurso_core::imports::{Import, ImportWatch};
use kurso_core::messages::{Lang, Message};

use crate::context::{kurso, lang};
use crate::cost::Budget;
use crate::error::to_graphql;

/// What can be watched live, over WebSocket.
#[derive(MergedSubscription, Default)]
pub struct Subscription(
    courses::CoursesSubscription,
    pages::PagesSubscription,
    imports::ImportsSubscription,
);

/// One of the core's watches.
trait Watch: Send + 'static {
    type Seen: Send;

    fn next(&mut self, kurso: &Kurso) -> impl Future<Output = error::Result<Option<Self::Seen>>> + Send;

    /// Nothing can come any more.
    fn is_over(&self) -> bool {
        false
    }
}

impl Watch for CourseWatch {
    type Seen = CourseActivity;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<CourseActivity>> {
        self.next(kurso).await
    }
}

impl Watch for PageWatch {
    type Seen = PageChange;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<PageChange>> {
        self.next(kurso).await
    }
    fn is_over(&self) -> bool {
        self.is_over()
    }
}

impl Watch for EditorsWatch {
    type Seen = Vec<OpenEditor>;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<Vec<OpenEditor>>> {
        self.next(kurso).await
    }
}

impl Watch for ImportWatch {
    type Seen = Import;
    async fn next(&mut self, kurso: &Kurso) -> error::Result<Option<Import>> {
        self.next(kurso).await
    }
    fn is_over(&self) -> bool {
        self.is_over()
    }
}

/// Everything a watch sees. A refusal, or that something was missed, is the last item.
fn seen<W: Watch, T: Send + 'static>(
    ctx: &Context<'_>,
    watch: W,
    shown: fn(W::Seen) -> T,
) -> BoxStream<'static, Result<T>> {
    let lang = lang(ctx);
    let budget = ctx.data_opt::<Budget>().cloned();
    let start: Option<(Arc<Kurso>, W)> = Some((kurso(ctx).clone(), watch));
    unfold((start, budget), move |(state, budget)| async move {
        let (kurso, mut watch) = state?;
        match watch.next(&kurso).await {
            Ok(Some(seen)) => {
                if let Some(budget) = &budget {
                    budget.renew();
                }
                let rest = (!watch.is_over()).then_some((kurso, watch));
                Some((Ok(shown(seen)), (rest, budget)))
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
