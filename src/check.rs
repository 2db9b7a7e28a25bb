//! `kurso check`: checks the stored data for inconsistencies and repairs derived data. May run while the server is running.

use clap::Args;
use kurso_core::check::{self, Depth, Report};
use serde_json::json;

use crate::config::Settings;
use crate::{print, start};

#[derive(Args)]
pub struct Arguments {
    /// Also read every file and compare its hash, not only its size
    #[arg(long)]
    deep: bool,
    /// Repair what can be derived from other data, then check again
    #[arg(long)]
    repair: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints the report. An error when problems remain or the check itself fails.
pub async fn run(settings: &Settings, arguments: Arguments) -> Result<(), String> {
    let kurso = start::open_as_it_is(settings).await?;
    let depth = Depth { bytes: arguments.deep };
    let failed = |error: kurso_base::error::Error| format!("the check failed: {error}");
    let mut report = check::check(&kurso, depth).await.map_err(failed)?;
    let mut repaired = 0;
    if arguments.repair && !report.is_clean() {
        // A report lists at most a hundred findings per rule, so one repair may not fix all of them.
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
            let hint = if finding.repairable { " [fixed by --repair]" } else { "" };
            lines.push(format!("      {}: {}{hint}", finding.at, finding.problem));
        }
    }
    let hidden = report.problems.saturating_sub(report.findings.len() as u64);
    if hidden > 0 {
        lines.push(format!("      … and {hidden} more"));
    }
    if report.without_hash > 0 {
        lines.push(format!(
            "{} files have no stored hash to compare: an earlier version stored them",
            report.without_hash
        ));
    }
    if report.unindexed > 0 {
        lines.push(format!(
            "{} pages and questions of banks are not indexed for the search yet: the server does it while it runs",
            report.unindexed
        ));
    }
    if repaired > 0 {
        lines.push(format!("{repaired} repairs were made"));
    }
    if report.is_clean() {
        lines.push("No problems were found.".to_owned());
    }
    lines.join("\n")
}
