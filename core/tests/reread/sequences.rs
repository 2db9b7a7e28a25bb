//! Random sequences of saves, publishing, visits and readings against a slow reference.

use std::collections::BTreeMap;

use kurso_core::testing::{Backend, Dice};

use super::*;

/// A text that the page has had.
#[derive(Clone, Debug)]
struct Text {
    text: String,
    /// Since when learners could read it.
    published_at: Option<DateTime<Utc>>,
    is_important: bool,
    /// Whether a save of the same open editor replaced it.
    is_replaced: bool,
    /// The first save of its entry, if that came from an open editor.
    opened_at: Option<DateTime<Utc>>,
}

#[derive(Default)]
struct Model {
    texts: BTreeMap<i64, Text>,
    draft: Option<String>,
    is_published: bool,
    /// What each learner has read, when, and whether it was replaced already.
    read: [Option<(i64, DateTime<Utc>, bool)>; 2],
}

/// What a learner is told.
#[derive(Debug, PartialEq)]
struct Told {
    read_at: DateTime<Utc>,
    changed_at: DateTime<Utc>,
    importance: Importance,
    version: i64,
    before: Option<(i64, String)>,
}

impl Model {
    fn present(&self) -> i64 {
        *self.texts.last_key_value().unwrap().0
    }

    /// Notes a text of the page, unless it has that already.
    fn note(
        &mut self,
        version: i64,
        text: &str,
        importance: Importance,
        opened_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) {
        if version == self.present() {
            return;
        }
        let noted = Text {
            text: text.to_owned(),
            published_at: self.is_published.then_some(now),
            // A text that learners cannot read yet is told to nobody.
            is_important: self.is_published && importance == Importance::Important,
            is_replaced: false,
            opened_at,
        };
        self.texts.insert(version, noted);
    }

    fn told(&self, learner: usize) -> Option<Told> {
        let (read, read_at, is_claimed) = self.read[learner].filter(|_| self.is_published)?;
        let (version, present) = self.texts.last_key_value().unwrap();
        if read == *version {
            return None;
        }
        let kept = self.texts.get(&read).filter(|text| !text.is_replaced && !is_claimed);
        if kept.is_some_and(|kept| kept.text == present.text) {
            return None;
        }
        let is_important = self.texts.range(read + 1..).any(|(_, text)| text.is_important);
        Some(Told {
            read_at,
            changed_at: present.published_at.unwrap(),
            importance: match is_important {
                true => Importance::Important,
                false => Importance::Correction,
            },
            version: *version,
            before: kept
                .filter(|kept| kept.published_at.is_some())
                .map(|kept| (read, kept.text.clone())),
        })
    }
}

async fn step(w: &World, dice: &mut Dice, model: &mut Model) {
    let text = format!("text {}", dice.roll(6));
    let importance = [Importance::Correction, Importance::Correction, Importance::Important][dice.roll(3)];
    let learner = dice.roll(2);
    let who = [&w.anna, &w.boris][learner];
    match dice.roll(9) {
        0 => {
            let version = w.write(&text, Some(importance)).await;
            model.note(version, &text, importance, None, w.now());
            model.draft = model.draft.take().filter(|draft| *draft != text);
        }
        1 | 2 => {
            // Saves of one open editor share an entry while nobody has read it.
            let body = json!({"title": text, "content": document(&text), "importance": importance});
            let version = w.try_save(w.page, Some("tab"), body).await.unwrap().version;
            let (earlier, present) = (model.present(), model.texts[&model.present()].clone());
            if version == earlier {
                return;
            }
            let opened = present
                .opened_at
                .filter(|opened| w.now() - *opened < Duration::minutes(10));
            let was_read = model.read.iter().flatten().any(|(read, ..)| *read == earlier);
            let fits = model.is_published || present.published_at.is_none();
            let shares = opened.filter(|_| !was_read && fits && model.draft.is_none());
            if shares.is_some() {
                model.texts.get_mut(&earlier).unwrap().is_replaced = true;
            }
            model.note(version, &text, importance, shares.or(Some(w.now())), w.now());
            model.draft = model.draft.take().filter(|draft| *draft != text);
        }
        3 if model.is_published => {
            let present = model.texts[&model.present()].text.clone();
            w.write_draft(&text).await;
            model.draft = (text != present).then_some(text);
        }
        4 if model.draft.is_some() => {
            let version = w.publish(w.page, importance).await;
            let text = model.draft.take().unwrap();
            model.note(version, &text, importance, None, w.now());
        }
        5 if dice.roll(3) == 0 => {
            model.is_published = !model.is_published;
            let saved = w.save(w.page, json!({"published": model.is_published})).await;
            if let Some(draft) = model.draft.take() {
                model.note(saved.version, &draft, Importance::Correction, None, w.now());
            }
            let now = w.now();
            if model.is_published {
                let present = model.texts.last_entry().unwrap().into_mut();
                present.published_at = present.published_at.or(Some(now));
            }
        }
        6 if model.is_published => {
            let shown = (dice.roll(2) == 0).then(|| 1 + dice.roll(model.present() as usize + 2) as i64);
            w.visit(who, shown).await;
            let read = shown.unwrap_or(model.present()).min(model.present());
            let is_claimed = read < model.present();
            model.read[learner] = model.read[learner].or(Some((read, w.now(), is_claimed)));
        }
        7 if model.is_published => {
            let version = match dice.roll(2) {
                0 => model.present(),
                _ => 1 + dice.roll(model.present() as usize) as i64,
            };
            w.reread(who, version).await.unwrap();
            let present = model.present();
            if let Some(read) = &mut model.read[learner]
                && version == present
                && version > read.0
            {
                *read = (version, w.now(), false);
            }
        }
        _ => w.wait(dice.roll(8) as i64),
    }
}

async fn told(w: &World, who: &Viewer) -> Option<Told> {
    let change = w.change(who).await?;
    Some(Told {
        read_at: change.read_at,
        changed_at: change.changed_at,
        importance: change.importance,
        version: change.version,
        before: w.before(who).await,
    })
}

async fn play(kurso: TestKurso, seed: u64) {
    let w = World::new(kurso).await;
    let mut dice = Dice::new(seed);
    let mut model = Model {
        is_published: true,
        ..Model::default()
    };
    let first = Text {
        text: "a".to_owned(),
        published_at: Some(w.now()),
        is_important: false,
        is_replaced: false,
        opened_at: None,
    };
    model.texts.insert(1, first);
    let version = w.write("start", None).await;
    model.note(version, "start", Importance::Correction, None, w.now());
    for number in 0..45 {
        step(&w, &mut dice, &mut model).await;
        let at = format!("seed {seed}, step {number}");
        let stored = page::get(&w.kurso, &w.owner, w.page).await.unwrap();
        assert_eq!(stored.version, model.present(), "{at}");
        assert_eq!(stored.title.as_ref(), Some(&model.texts[&stored.version].text), "{at}");
        for (learner, who) in [&w.anna, &w.boris].into_iter().enumerate() {
            let read = model.read[learner].map(|(read, ..)| read);
            assert_eq!(w.read_version(who).await, read, "{at}");
            if model.is_published {
                assert_eq!(told(&w, who).await, model.told(learner), "{at}");
            }
        }
    }
    assert_eq!(w.problems().await, [""; 0], "seed {seed}");
}

both! {
    async fn a_random_sequence_tells_what_the_reference_tells(kurso: TestKurso) {
        play(kurso, 20_261_129).await;
    }
}

#[tokio::test]
async fn many_random_sequences_do_on_sqlite() {
    for seed in 1..13 {
        play(TestKurso::new(Backend::Sqlite).await, seed).await;
    }
}
