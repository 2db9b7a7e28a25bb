//! The headings of an imported document: what they begin is chosen in the preview, and what was not shown is not stored.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use kurso_base::ids::JobId;
use kurso_base::values::Change;
use kurso_core::access::Viewer;
use kurso_core::imports::{self, Confirmed, Import};
use kurso_core::jobs::{self, State};
use kurso_core::testing::{begin_import, settled_import};
use kurso_core::{Kurso, both};
use kurso_formats::Headings;

const TEXT: &str = "# Начало\n\n## Установка\n\nСлова.\n\n## Запуск\n\nСлова.\n\n# Дальше\n\n## Циклы\n\nСлова.\n";

async fn begin(kurso: &Arc<Kurso>, who: &Viewer, fields: &[(&str, &str)]) -> Import {
    begin_import(kurso, who, "Курс.md", TEXT, fields).await
}

/// The modules of the preview, each with its lessons and their numbers of pages.
async fn outline(kurso: &Kurso, who: &Viewer, id: JobId) -> Vec<String> {
    let tree = imports::preview(kurso, who, id).await.unwrap().tree;
    let lessons = tree.modules.iter().flat_map(|module| {
        let lessons = module.lessons.iter();
        lessons.map(|lesson| format!("{} / {}: {}", module.title, lesson.title, lesson.pages.len()))
    });
    lessons.collect()
}

both! {
    async fn other_headings_are_shown_before_they_are_stored(kurso: TestKurso) {
        let ann = kurso.person("ann").await;
        let (stop, stopping) = tokio::sync::watch::channel(false);
        let node = tokio::spawn(jobs::work(kurso.kurso.clone(), stopping));
        let id = begin(&kurso.kurso, &ann, &[]).await.id;
        assert_eq!(settled_import(&kurso, &ann, id).await.headings, None);
        assert_eq!(outline(&kurso, &ann, id).await, ["Курс / Курс: 2"]);

        let headings = Headings::parse("lesson,page");
        let of = |headings| Confirmed { headings, ..Confirmed::default() };
        let chosen = of(headings.clone().map_or(Change::Keep, Change::Set));
        imports::confirm(&kurso, &ann, id, chosen.clone()).await.unwrap();
        let again = settled_import(&kurso, &ann, id).await;
        assert_eq!((again.state, again.is_storing, again.course_id, &again.headings), (State::Ready, false, None, &headings));
        let shown = ["Курс / Начало: 2", "Курс / Дальше: 1"];
        assert_eq!(outline(&kurso, &ann, id).await, shown);

        // The choice can be taken back: the file is read once more as at first.
        imports::confirm(&kurso, &ann, id, of(Change::Clear)).await.unwrap();
        let first = settled_import(&kurso, &ann, id).await;
        assert_eq!((first.state, first.course_id, first.headings), (State::Ready, None, None));
        assert_eq!(outline(&kurso, &ann, id).await, ["Курс / Курс: 2"]);
        imports::confirm(&kurso, &ann, id, chosen.clone()).await.unwrap();
        assert_eq!(settled_import(&kurso, &ann, id).await.state, State::Ready);

        imports::confirm(&kurso, &ann, id, chosen).await.unwrap();
        let done = settled_import(&kurso, &ann, id).await;
        assert_eq!((done.state, done.course_id.is_some()), (State::Done, true));
        assert_eq!(outline(&kurso, &ann, id).await, shown);

        let straight = begin(&kurso.kurso, &ann, &[("preview", "false"), ("headings", "module,lesson")]).await.id;
        assert_eq!(settled_import(&kurso, &ann, straight).await.state, State::Done);
        let parts = ["Начало / Установка: 1", "Начало / Запуск: 1", "Дальше / Циклы: 1"];
        assert_eq!(outline(&kurso, &ann, straight).await, parts);
        stop.send(true).unwrap();
        node.await.unwrap();
    }
}
