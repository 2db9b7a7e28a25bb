//! Random parts of random courses are deleted and restored.

use kurso_base::ids::{CourseId, TrashEntryId};
use kurso_core::access::{Right, Viewer};
use kurso_core::auth::Origin;
use kurso_core::check::{self, Depth};
use kurso_core::courses::tree::PageKind::{self, Content, Quiz};
use kurso_core::courses::{self, course, lesson, module, page};
use kurso_core::learning::view::CourseView;
use kurso_core::learning::{self, mark_page_visited};
use kurso_core::testing::{Dice, TestKurso, submission};
use kurso_core::trash::{self, RestoreFromTrash};
use kurso_core::{attempts, both};
use serde_json::json;

use super::world::{assert_same, dump};

async fn random_course(kurso: &TestKurso, owner: &Viewer, learners: &[Viewer], dice: &mut Dice) -> CourseId {
    let shape: Vec<Vec<Vec<PageKind>>> = (0..1 + dice.roll(3))
        .map(|_| {
            let lessons = 0..dice.roll(4);
            lessons
                .map(|_| {
                    (0..dice.roll(5))
                        .map(|_| if dice.roll(2) == 0 { Content } else { Quiz })
                        .collect()
                })
                .collect()
        })
        .collect();
    let modules: Vec<Vec<&[PageKind]>> = shape
        .iter()
        .map(|module| module.iter().map(Vec::as_slice).collect())
        .collect();
    let modules: Vec<&[&[PageKind]]> = modules.iter().map(Vec::as_slice).collect();
    let course = kurso.course(owner, &modules).await;
    let tree = CourseView::load(kurso, owner, course, Right::Read).await.unwrap().tree;
    let mut quizzes = vec![];
    for page in tree.pages.iter().filter(|page| page.kind == Quiz) {
        let quiz = json!({"questions": [{"type": "short_text", "prompt": "?", "accepted": ["да"]}]});
        quizzes.push((page.id, kurso.set_quiz(page.id, &quiz).await.questions[0].id));
    }
    let code = courses::generate_share_code(kurso, owner, course)
        .await
        .unwrap()
        .share_code
        .unwrap();
    for learner in learners {
        learning::enroll(kurso, learner, &Origin::default(), &code)
            .await
            .unwrap();
        for page in tree.pages.iter() {
            if dice.roll(2) == 0 {
                mark_page_visited(kurso, learner, page.id).await.unwrap();
            }
        }
        for (page, question) in &quizzes {
            for _ in 0..dice.roll(3) {
                let text = if dice.roll(2) == 0 { "да" } else { "нет" };
                let answers = json!({"answers": [{"question_id": question, "text": text}]});
                attempts::submit(kurso, learner, *page, submission(&answers))
                    .await
                    .unwrap();
            }
        }
    }
    course
}

/// Deletes a random part that is left. None if there is none.
async fn delete_one(kurso: &TestKurso, owner: &Viewer, course: CourseId, dice: &mut Dice) -> Option<TrashEntryId> {
    let tree = CourseView::load(kurso, owner, course, Right::Read).await.unwrap().tree;
    let parts = tree.modules.len() + tree.lessons.len() + tree.pages.len();
    let at = dice.roll(parts);
    if parts == 0 {
        return None;
    }
    if let Some(found) = tree.modules.get(at) {
        module::delete(kurso, owner, found.id).await.unwrap();
    } else if let Some(found) = tree.lessons.get(at - tree.modules.len()) {
        lesson::delete(kurso, owner, found.id).await.unwrap();
    } else {
        let found = &tree.pages[at - tree.modules.len() - tree.lessons.len()];
        page::delete(kurso, owner, found.id).await.unwrap();
    }
    kurso.clock.advance(chrono::Duration::seconds(1));
    Some(trash::of_course(kurso, owner, course).await.unwrap()[0].id)
}

both! {
    /// Restoring in the opposite order gives the course as it was, whatever was deleted.
    async fn random_parts_of_random_courses_come_back(kurso: TestKurso) {
        let owner = kurso.person("owner").await;
        let learners = [kurso.person("anna").await, kurso.person("boris").await];
        for seed in 1..=12 {
            let mut dice = Dice::new(seed * 7919);
            let course = random_course(&kurso, &owner, &learners, &mut dice).await;
            let before = dump(&kurso.db).await;
            let mut entries = vec![];
            for _ in 0..1 + dice.roll(4) {
                entries.extend(delete_one(&kurso, &owner, course, &mut dice).await);
            }
            if dice.roll(2) == 0 {
                course::delete(&kurso, &owner, course).await.unwrap();
                entries.push(trash::deleted_courses(&kurso, &owner).await.unwrap()[0].id);
            }
            let report = check::check(&kurso, Depth::default()).await.unwrap();
            assert!(report.is_clean(), "seed {seed}: {:?}", report.findings);
            for entry in entries.into_iter().rev() {
                trash::restore(&kurso, &owner, entry, RestoreFromTrash::default()).await.unwrap();
            }
            assert_same(&format!("seed {seed}"), &before, &dump(&kurso.db).await);
            let report = check::check(&kurso, Depth::default()).await.unwrap();
            assert!(report.is_clean(), "seed {seed}: {:?}", report.findings);
        }
    }
}
