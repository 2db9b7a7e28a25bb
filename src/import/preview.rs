//! `kurso import PATH --owner EMAIL --update COURSE_ID --preview`: what an update would change.

use kurso_base::ids::CourseId;
use kurso_base::messages::Lang;
use kurso_core::imports::{ChangedPage, Changes, Lost};
use kurso_core::regrades::LearnerConsequences;
use kurso_formats::Report;
use serde_json::{Value, json};

/// The maximum number of lines of each list in the summary; `--json` prints all.
const SHOWN: usize = 20;

/// The preview as one JSON object.
pub fn to_json(course: CourseId, changes: &Changes, report: &Report, lang: Lang) -> Value {
    let Lost { visits, attempts } = changes.lost();
    let page = |page: &ChangedPage| {
        json!({
            "page_id": page.page,
            "change": page.change,
            "module": page.module,
            "lesson": page.lesson,
            "title": page.title,
            "number": page.number,
            "visits": page.lost.visits,
            "attempts": page.lost.attempts,
        })
    };
    let learner = |learner: &LearnerConsequences| {
        json!({
            "user_id": learner.user_id,
            "full_name": learner.full_name,
            "email": learner.email,
            "progress_before": learner.before.progress,
            "progress_after": learner.after.progress,
            "is_completed_before": learner.before.is_completed,
            "is_completed_after": learner.after.is_completed,
            "grade_before": learner.before.grade_percent(),
            "grade_after": learner.after.grade_percent(),
        })
    };
    json!({
        "course_id": course,
        "stays": changes.stays,
        "changed": changes.changed,
        "new": changes.new,
        "goes": changes.goes,
        "visits": visits,
        "attempts": attempts,
        "pages": changes.pages.iter().map(page).collect::<Vec<_>>(),
        "omitted": changes.omitted,
        "affected_learners": changes.affected(),
        "learners": changes.learners.iter().map(learner).collect::<Vec<_>>(),
        "report": report.to_json(lang),
    })
}

/// The preview as text: counts, the pages and learners that change, and the report of the reader.
pub fn summary(title: &str, changes: &Changes, report: &Report, lang: Lang) -> String {
    let (stays, changed, new, goes) = (changes.stays, changes.changed, changes.new, changes.goes);
    let Lost { visits, attempts } = changes.lost();
    let mut text = match lang {
        Lang::En => format!(
            "{title}: {stays} pages unchanged, {changed} changed, {new} new, {goes} deleted \
             (with {visits} visits and {attempts} attempts). Nothing was written.\n"
        ),
        Lang::Ru => format!(
            "{title}: страниц без изменений {stays}, изменится {changed}, новых {new}, удалится {goes} \
             (посещений {visits}, попыток {attempts}). Ничего не записано.\n"
        ),
    };
    let pages: Vec<&ChangedPage> = changes.pages.iter().filter(|page| page.change != "stays").collect();
    let heading = match lang {
        Lang::En => "Pages",
        Lang::Ru => "Страницы",
    };
    push_list(
        &mut text,
        heading,
        pages.len(),
        pages.into_iter().map(|page| page_line(page, lang)),
        lang,
    );
    let heading = match lang {
        Lang::En => "Learners whose progress or grade changes",
        Lang::Ru => "Ученики, у которых изменится прогресс или оценка",
    };
    let learners = changes.learners.iter().map(|learner| learner_line(learner, lang));
    push_list(&mut text, heading, changes.affected(), learners, lang);
    text.push_str(&super::outcomes(report, lang));
    text.trim_end().to_owned()
}

fn push_list(text: &mut String, heading: &str, count: usize, lines: impl Iterator<Item = String>, lang: Lang) {
    if count == 0 {
        return;
    }
    text.push_str(&format!("\n{heading} ({count}):\n"));
    for line in lines.take(SHOWN) {
        text.push_str(&format!("  {line}\n"));
    }
    if let Some(more) = count.checked_sub(SHOWN).filter(|more| *more > 0) {
        text.push_str(&match lang {
            Lang::En => format!("  … and {more} more\n"),
            Lang::Ru => format!("  … и ещё {more}\n"),
        });
    }
}

fn page_line(page: &ChangedPage, lang: Lang) -> String {
    let change = match (page.change.as_str(), lang) {
        ("goes", Lang::En) => "deleted",
        ("goes", Lang::Ru) => "удалится",
        ("new", Lang::En) => "new",
        ("new", Lang::Ru) => "новая",
        (_, Lang::En) => "changed",
        (_, Lang::Ru) => "изменится",
    };
    let number = page.number;
    let title = page.title.clone().unwrap_or_else(|| match lang {
        Lang::En => format!("Page {number}"),
        Lang::Ru => format!("Страница {number}"),
    });
    format!("{change}: {} › {} › {title}", page.module, page.lesson)
}

fn learner_line(learner: &LearnerConsequences, lang: Lang) -> String {
    let (before, after) = (learner.before, learner.after);
    let mut changes = vec![];
    if before.progress != after.progress {
        changes.push(format!("{} % → {} %", before.progress, after.progress));
    }
    if before.is_completed != after.is_completed {
        changes.push(
            match (after.is_completed, lang) {
                (true, Lang::En) => "completes the course",
                (true, Lang::Ru) => "курс станет пройденным",
                (false, Lang::En) => "has pages left again",
                (false, Lang::Ru) => "снова останутся страницы",
            }
            .to_owned(),
        );
    }
    if before.grade != after.grade {
        let shown = |grade: Option<f64>| grade.map_or_else(|| "—".to_owned(), |grade| format!("{grade} %"));
        let (before, after) = (shown(before.grade_percent()), shown(after.grade_percent()));
        changes.push(match lang {
            Lang::En => format!("grade {before} → {after}"),
            Lang::Ru => format!("оценка {before} → {after}"),
        });
    }
    format!("{}: {}", learner.shown_name(), changes.join(", "))
}
