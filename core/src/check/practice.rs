//! Consistency checks of practice: the last answer to a question and its result can be read.

use uuid::Uuid;

use super::{Report, Rule};
use crate::attempts::{is_running_result, running_answer_from_text};
use kurso_base::error::Result;
use kurso_db::{Snapshot, sql};

macro_rules! texts {
    ($table:literal) => {
        concat!(
            "SELECT id, last_answer, last_result FROM ",
            $table,
            " WHERE last_result IS NOT NULL AND id > $1 ORDER BY id LIMIT $2"
        )
    };
}

/// Cards per statement.
const CHUNK: i64 = 50;

pub(super) async fn check(on: &mut Snapshot, report: &mut Report) -> Result<()> {
    of_table(on, report, "practice_cards", texts!("practice_cards")).await?;
    of_table(on, report, "ended_practice_cards", texts!("ended_practice_cards")).await
}

async fn of_table(on: &mut Snapshot, report: &mut Report, table: &str, texts: &'static str) -> Result<()> {
    let mut last = Uuid::nil();
    loop {
        let rows = sql!(texts, last, CHUNK);
        let rows = rows.fetch_all::<(Uuid, Option<String>, String)>(&mut *on).await?;
        let Some((end, ..)) = rows.last() else { return Ok(()) };
        last = *end;
        report.checked(Rule::Texts, rows.len() as u64);
        for (id, answer, result) in &rows {
            let answer = answer.as_deref().map(running_answer_from_text);
            if answer.is_some_and(|answer| answer.is_err()) || !is_running_result(result) {
                let problem = "its last answer or the result cannot be read".to_owned();
                report.found(Rule::Texts, format!("{table} {id}"), problem, None);
            }
        }
    }
}
