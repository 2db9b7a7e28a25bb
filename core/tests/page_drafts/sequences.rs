//! Random sequences of saves, publishing, unpublishing, discarding and restoring.

use kurso_core::both;
use kurso_core::courses::page::{draft, versions};
use kurso_core::testing::{Backend, TestKurso};
use kurso_db::sql;
use serde_json::json;

use super::{World, document};

/// A small generator of random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }
}

/// What the page must be.
struct Model {
    published: bool,
    /// What learners read, or would if the page were published.
    text: String,
    draft: Option<String>,
    /// All texts that were ever saved.
    texts: Vec<String>,
}

impl Model {
    /// A direct save of the page.
    fn change(&mut self, text: String) {
        self.draft = self.draft.take().filter(|draft| *draft != text);
        self.text = text;
    }

    /// A save of the draft, or of the page while that is not published.
    fn edit(&mut self, text: String) {
        match self.published {
            true => self.draft = (text != self.text).then_some(text),
            false => self.text = text,
        }
    }
}

fn has(content: &str, text: &str) -> bool {
    content.contains(&format!("\"{text}\""))
}

async fn step(w: &World, dice: &mut Dice, model: &mut Model) {
    let drafted = w.draft(w.page).await;
    let page = w.stored(w.page).await;
    let text = format!("text {}", dice.roll(12));
    match (dice.roll(8), drafted) {
        (0..=2, _) => {
            let body = json!({"draft": true, "content": document(&text)});
            w.save(w.page, None, body).await.unwrap();
            model.texts.push(text.clone());
            model.edit(text);
        }
        (3, _) => {
            w.save(w.page, None, json!({"content": document(&text)})).await.unwrap();
            model.texts.push(text.clone());
            model.change(text);
        }
        (4, Some(draft)) => {
            let shown = (w.page, draft.summary.version, page.version);
            w.publish(&[shown]).await.unwrap();
            model.text = model.draft.take().unwrap();
        }
        (5, _) => {
            model.published = !model.published;
            let body = json!({"published": model.published});
            w.save(w.page, None, body).await.unwrap();
            if let Some(draft) = model.draft.take() {
                model.text = draft;
            }
        }
        (6, Some(found)) => {
            let version = found.summary.version;
            draft::discard(&w.kurso, &w.editor, w.page, version).await.unwrap();
            model.draft = None;
        }
        (7, _) => {
            let mut history = w.history(w.page).await;
            history.retain(|entry| entry.version > 1); // the model does not know the text that the page was created with
            let version = history[dice.roll(history.len())].version;
            let restored = versions::get(&w.kurso, &w.owner, w.page, version).await.unwrap();
            let into_draft = dice.roll(2) == 0;
            versions::restore(&w.kurso, &w.owner, w.page, version, into_draft)
                .await
                .unwrap();
            let known = model.texts.iter().find(|text| has(&restored.content, text));
            let text = known.unwrap().clone();
            match into_draft {
                true => model.edit(text),
                false => model.change(text),
            }
        }
        _ => {}
    }
}

async fn play(kurso: TestKurso, seed: u64) {
    let w = World::new(kurso).await;
    let mut dice = Dice(seed);
    w.save(w.page, None, json!({"title": "t", "content": document("start")}))
        .await
        .unwrap();
    let mut model = Model {
        published: true,
        text: "start".to_owned(),
        draft: None,
        texts: vec!["start".to_owned()],
    };
    let (mut highest, mut shown) = (2, 2);
    for number in 0..40 {
        step(&w, &mut dice, &mut model).await;
        let at = format!("seed {seed}, step {number}");
        let (page, draft) = (w.stored(w.page).await, w.draft(w.page).await);
        assert!(
            has(&page.content, &model.text),
            "learners read the published text: {at}"
        );
        assert_eq!(page.published, model.published, "{at}");
        assert_eq!(draft.is_some(), model.draft.is_some(), "{at}");
        if let (Some(draft), Some(text)) = (&draft, &model.draft) {
            assert!(has(&draft.content, text), "{at}");
        }
        assert!(page.version >= shown, "{at}");
        shown = page.version;
        let history = w.history(w.page).await;
        assert!(history[0].version >= highest, "version numbers rise: {at}");
        highest = history[0].version;
        let contents = sql!("SELECT content FROM page_versions WHERE page_id = $1", w.page);
        let contents = contents.fetch_all::<(String,)>(&w.kurso.db).await.unwrap();
        for text in &model.texts {
            let is_kept = contents.iter().any(|(content,)| has(content, text));
            assert!(is_kept, "{text} is lost: {at}");
        }
    }
    assert_eq!(w.problems().await, [""; 0], "seed {seed}");
}

both! {
    async fn a_random_sequence_keeps_every_text_and_shows_the_published_one(kurso: TestKurso) {
        play(kurso, 20_261_121).await;
    }
}

#[tokio::test]
async fn many_random_sequences_do_on_sqlite() {
    for seed in 0..12 {
        play(TestKurso::new(Backend::Sqlite).await, seed).await;
    }
}
