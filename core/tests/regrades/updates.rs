//! Random updates of a course by a file: the consequences that the preview shows are the differences of what learners and teachers read
//! before and after.

use chrono::Duration;
use kurso_core::courses::page;
use kurso_core::gradebook;
use kurso_core::learning::mark_page_visited;
use kurso_core::learning::view::CourseView;
use kurso_core::testing::{Dice, TestKurso, command};
use kurso_core::{access::Right, both, drafts, imports};
use kurso_formats::keys::key_of;
use kurso_formats::quiz::Quiz;
use kurso_formats::{CourseDraft, PageDraft, Report};
use serde_json::json;

use super::{Class, Learner, Seen, numbers};

/// Returns the stored course as a file would have it, with random changes: pages removed, hidden, moved and added, and due dates set.
async fn changed(class: &Class, seed: u64, scratch: &std::path::Path) -> CourseDraft {
    let (kurso, mut dice) = (&class.kurso, Dice::new(seed));
    let mut draft = drafts::load(kurso, class.course, Some(class.owner.id()), scratch)
        .await
        .unwrap();
    let now = kurso.clock.now();
    for module in &mut draft.modules {
        module.key.get_or_insert_with(|| key_of(module.id));
        for lesson in &mut module.lessons {
            lesson.key.get_or_insert_with(|| key_of(lesson.id));
            lesson.pages.retain(|_| dice.roll(6) > 0);
            for page in &mut lesson.pages {
                page.key.get_or_insert_with(|| key_of(page.id));
                page.published ^= dice.roll(6) == 0;
                page.dates.due_at = match dice.roll(3) {
                    0 => Some(now - Duration::days(1)),
                    1 => Some(now + Duration::days(1)),
                    _ => None,
                };
            }
            let moved = dice.roll(2).min(lesson.pages.len());
            lesson.pages.rotate_left(moved);
            if dice.roll(2) == 0 {
                lesson.pages.push(PageDraft::new(
                    None,
                    json!({"type": "doc", "content": [{"type": "paragraph"}]}),
                    "new.md",
                ));
            }
        }
    }
    draft
}

/// Visits pages and answers quizzes at random.
async fn learn(class: &Class, learner: &Learner, dice: &mut Dice) {
    let (kurso, owner) = (&class.kurso, &class.owner);
    let view = CourseView::load(kurso, owner, class.course, Right::Read).await.unwrap();
    let now = kurso.clock.now();
    for node in view.tree.pages.iter().filter(|node| node.published) {
        let is_closed = node.own_dates().0.due_at.is_some_and(|due| due < now);
        if is_closed || dice.roll(3) == 0 {
            continue;
        }
        if !node.kind.takes_attempts() {
            mark_page_visited(kurso, &learner.viewer, node.id).await.unwrap();
            continue;
        }
        let text = page::get(kurso, owner, node.id).await.unwrap().quiz.unwrap();
        let answers = [1, 2, 3].map(|right| if dice.roll(2) == 0 { right } else { 0 });
        class
            .answer(learner, node.id, &Quiz::from_text(&text).unwrap(), &answers)
            .await;
    }
}

async fn play(kurso: TestKurso, seed: u64) {
    let mut dice = Dice::new(seed);
    let class = Class::new(kurso, &numbers()).await;
    let (kurso, owner) = (&class.kurso, &class.owner);
    let settings = command(json!({"missing_counts_as_zero": true}));
    gradebook::update_settings(kurso, owner, class.course, settings)
        .await
        .unwrap();
    let learners = [
        class.learner("ada").await,
        class.learner("bob").await,
        class.learner("eve").await,
    ];
    let mut affected = 0;
    for round in 0..6 {
        let (at, seed) = (format!("seed {seed}, round {round}"), seed * 100 + round);
        for learner in &learners {
            learn(&class, learner, &mut dice).await;
        }
        let mut before = vec![];
        for learner in &learners {
            before.push(class.seen(learner).await);
        }
        let scratch = tempfile::tempdir().unwrap();
        let mut draft = changed(&class, seed, scratch.path()).await;
        let rows = class.rows(&[]).await;
        let shown = imports::preview_update(kurso, owner, class.course, &mut draft, scratch.path())
            .await
            .unwrap();
        assert_eq!(class.rows(&[]).await, rows, "{at}: the preview has written");
        let draft = changed(&class, seed, scratch.path()).await;
        drafts::update(
            kurso,
            owner,
            class.course,
            draft,
            &mut Report::default(),
            scratch.path(),
        )
        .await
        .unwrap();
        for (learner, before) in learners.iter().zip(before) {
            let after = class.seen(learner).await;
            let outline = |seen: &Seen| (seen.percent, seen.is_completed, seen.grade);
            let told = shown
                .learners
                .iter()
                .find(|told| told.enrollment_id == learner.enrollment);
            let told = told.map(|told| {
                [told.before, told.after].map(|outline| (outline.progress, outline.is_completed, outline.grade))
            });
            let seen = [outline(&before), outline(&after)];
            assert_eq!(told, (seen[0] != seen[1]).then_some(seen), "{at}");
        }
        assert_eq!(shown.affected(), shown.learners.len(), "{at}");
        affected += shown.affected();
        class.assert_consistent().await;
    }
    assert!(affected > 0, "no update has changed anything for a learner");
}

both! {
    async fn previewed_consequences_of_an_update_equal_the_actual_ones(kurso: TestKurso) {
        play(kurso, 1).await;
    }

    async fn previewed_consequences_of_an_update_equal_the_actual_ones_with_a_second_seed(kurso: TestKurso) {
        play(kurso, 2).await;
    }
}
