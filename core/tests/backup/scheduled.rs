//! Backups that the server makes by itself.

use std::path::Path;

use kurso_core::backup::Schedule;

use super::*;

both! {
    async fn one_node_makes_scheduled_backups_and_the_newest_are_kept(kurso: TestKurso) {
        school(&kurso).await;
        let schedule = Schedule {
            folder: kurso.folder.path().join("backups"),
            every: Duration::hours(1),
            keep: 2,
        };
        let node = kurso.another_node().await;
        for _ in 0..4 {
            kurso.clock.advance(Duration::hours(1));
            let (one, other) = tokio::join!(
                backup::if_due(&kurso, &schedule, "test"),
                backup::if_due(&node, &schedule, "test")
            );
            let (one, other) = (one.unwrap(), other.unwrap());
            assert!(one.is_some() != other.is_some(), "one of the two");
            assert!(backup::if_due(&kurso, &schedule, "test").await.unwrap().is_none(), "not yet");
        }
        let names = names(&schedule.folder);
        assert!(names.iter().all(|name| name.ends_with("Z.zip")), "{names:?}");
        assert_eq!(names.len(), 2);
    }

    /// Backups with a time in the future neither delay nor displace new ones.
    async fn a_wrong_clock_does_not_prevent_backups(kurso: TestKurso) {
        school(&kurso).await;
        let schedule = Schedule {
            folder: kurso.folder.path().join("backups"),
            every: Duration::hours(1),
            keep: 2,
        };
        let year = Duration::days(365);
        kurso.clock.advance(year);
        for _ in 0..2 {
            assert!(backup::if_due(&kurso, &schedule, "test").await.unwrap().is_some());
            kurso.clock.advance(Duration::hours(1));
        }
        kurso.clock.advance(-year);
        for _ in 0..2 {
            let (made, _) = backup::if_due(&kurso, &schedule, "test").await.unwrap().expect("it is time");
            assert!(made.exists(), "it is not taken for the oldest");
            assert!(backup::if_due(&kurso, &schedule, "test").await.unwrap().is_none(), "not yet");
            kurso.clock.advance(Duration::hours(1));
        }
        let names = names(&schedule.folder);
        assert!(names.len() == 2 && names.iter().all(|name| name.starts_with("kurso-2026")), "{names:?}");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
