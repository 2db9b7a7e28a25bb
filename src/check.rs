//! `kurso check`: is everything that is stored as it should be? Beside a running server too.

use clap::Args;
use kurso_core::check::{self, Depth, Report};
use serde_json::json;

use crate::config::Settings;
use crate::{print, start};

#[derive(Args)]
pub struct Arguments {
    /// Read the bytes of every file and compare their hashes, not their sizes alone
    #[arg(long)]
    deep: bool,
    /// Put right what can be derived from the rest, then check again
    #[arg(long)]
    repair: bool,
    /// Answer with one JSON object on standard output
    #[arg(long)]
    json: bool,
}

/// An error when something is found, or when it cannot be looked at.
pub async fn run(settings: &Settings, arguments: Arguments) -> Result<(), String> {
    let kurso = start::open_as_it_is(settings).await?;
    let depth = Depth { bytes: arguments.deep };
    let failed = |error: kurso_core::error::Error| format!("the check could not be made: {error}");
    let mut report = check::check(&kurso, depth).await.map_err(failed)?;
    let mut repaired = 0;
    if arguments.repair && !report.is_clean() {
        // Of each rule a hundred at a time.
        loop {
            let now = check::repair(&kurso, &report).await.map_err(failed)?;
            repaired += now;
            let before = report.problems;
            report = check::check(&kurso, depth).await.map_err(failed)?;
            if now == 0 || report.problems >= before {
                break;
            }
        }
    }
    kurso.db.close().await;
    if arguments.json {
        let mut answer = json!(report);
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("repaired".to_owned(), json!(repaired));
        }
        print(&answer.to_string())?;
    } else {
        print(&text(&report, repaired))?;
    }
    match report.problems {
        0 => Ok(()),
        1 => Err("1 problem was found".to_owned()),
        n => Err(format!("{n} problems were found")),
    }
}

fn text(report: &Report, repaired: u64) -> String {
    let mut lines = Vec::new();
    for (rule, count) in &report.checked {
        let found: Vec<_> = report.findings.iter().filter(|finding| finding.rule == *rule).collect();
        let mark = if found.is_empty() { "ok" } else { "!!" };
        lines.push(format!("{mark}  {} ({count})", rule.text()));
        for finding in found {
            let hint = if finding.repairable {
                " [--repair puts it right]"
            } else {
                ""
            };
            lines.push(format!("      {}: {}{hint}", finding.at, finding.problem));
        }
    }
    let hidden = report.problems.saturating_sub(report.findings.len() as u64);
    if hidden > 0 {
        lines.push(format!("      … and {hidden} more"));
    }
    if report.without_hash > 0 {
        lines.push(format!(
            "{} files have no hash to compare: they were stored by an earlier version",
            report.without_hash
        ));
    }
    if repaired > 0 {
        lines.push(format!("{repaired} repairs were made"));
    }
    if report.is_clean() {
        lines.push("Everything is as it should be.".to_owned());
    }
    lines.join("\n")
}
