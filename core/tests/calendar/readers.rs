//! Feeds for calendar programs that others wrote (tests/clients).

use std::path::PathBuf;

use kurso_core::calendar::{Event, feed};
use kurso_core::testing::TestKurso;

/// Writes a feed, and its events as JSON, into the folder `KURSO_TEST_FEEDS`; nothing without one.
#[allow(clippy::disallowed_methods, reason = "a setting of the tests")]
pub async fn write(kurso: &TestKurso, secret: &str, round: i64, events: &[Event]) {
    let Ok(folder) = std::env::var("KURSO_TEST_FEEDS") else {
        return;
    };
    let feed = feed::read(kurso, None, secret, |_| false).await.unwrap();
    let mut expected: Vec<_> = events
        .iter()
        .map(|event| [event.uid(), event.at.format("%Y-%m-%dT%H:%M:%SZ").to_string()])
        .collect();
    expected.sort();
    let path = PathBuf::from(folder).join(format!("{round:02}"));
    std::fs::write(path.with_extension("ics"), feed.text.unwrap()).unwrap();
    std::fs::write(path.with_extension("json"), serde_json::to_vec(&expected).unwrap()).unwrap();
}
