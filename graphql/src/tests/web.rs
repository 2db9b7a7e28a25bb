//! The operations of the web app: they stay below the limits, and those that read a tree take the fast path.

use std::fs;
use std::path::PathBuf;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{ExecutableDocument, OperationType, Selection, SelectionSet};
use async_graphql::{Request, Variables};
use kurso_base::messages::Lang;

use super::project;
use crate::AdmissionChecks;
use crate::tree::compiled::CompiledOperation;

const INTROSPECTION: &str = include_str!("introspection.graphql");

/// The limits leave room for tools and the web app.
#[test]
fn usual_operations_stay_below_every_limit() {
    let checks = AdmissionChecks::default();
    for (name, query) in operations()
        .into_iter()
        .chain([("introspection".to_owned(), INTROSPECTION.to_owned())])
    {
        let request = Request::new(&query).variables(Variables::default());
        let admitted = checks
            .admit(request, Lang::En)
            .unwrap_or_else(|error| panic!("{name}: {error:?}\n{query}"));
        for (limit, found, allowed) in admitted.measured().all(checks.limits()) {
            assert!(found * 10 <= allowed * 8, "{name}: {limit} {found} of {allowed}");
            if limit == "COST" {
                println!("{found:>7} {name}");
                assert!(
                    found * 3 <= allowed,
                    "{name} costs {found}, a third of {allowed} is enough"
                );
            }
        }
    }
}

/// Counts author comments by page, beside the tree of the outline. The tree that learners read has no comments.
const OF_AUTHORS: &str = "ThreadCounts";

/// Whether a selection has this path of fields below it.
fn has_path(document: &ExecutableDocument, set: &SelectionSet, path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else {
        return true;
    };
    set.items.iter().any(|item| match &item.node {
        Selection::Field(field) => {
            field.node.name.node == *first && has_path(document, &field.node.selection_set.node, rest)
        }
        Selection::FragmentSpread(spread) => {
            let fragment = &document.fragments[&spread.node.fragment_name.node].node;
            has_path(document, &fragment.selection_set.node, path)
        }
        Selection::InlineFragment(fragment) => has_path(document, &fragment.node.selection_set.node, path),
    })
}

#[test]
fn every_tree_query_and_visit_of_the_web_app_takes_the_fast_path() {
    let mut fast = Vec::new();
    for (_, query) in operations() {
        let document = parse_query(&query).unwrap();
        let (name, operation) = document.operations.iter().next().unwrap();
        let reads = |path: &[&str]| has_path(&document, &operation.node.selection_set.node, path);
        let reads_tree = || {
            reads(&["course", "modules", "lessons", "pages"])
                || reads(&["page", "course", "modules", "lessons", "pages"])
        };
        let is_fast = match operation.node.ty {
            OperationType::Query => reads_tree(),
            OperationType::Mutation => reads(&["markPageVisited"]),
            OperationType::Subscription => false,
        };
        let name = name.unwrap().to_string();
        if is_fast && name != OF_AUTHORS {
            // The client removes this directive from what it sends.
            let sent = parse_query(query.replace(" @unmask", "")).unwrap();
            assert!(
                CompiledOperation::of(&sent).is_some(),
                "{name} takes the general path: see tree/tests.rs"
            );
            fast.push(name);
        }
    }
    fast.sort_unstable();
    assert_eq!(
        fast,
        [
            "AnnouncementPages",
            "CourseDates",
            "CourseTree",
            "DiscussionPages",
            "EditCourse",
            "MarkPageVisited",
            "PageCourse",
            "QuizSources",
            "SkippedReasons"
        ]
    );
}

/// All operations of the web app with their fragments.
fn operations() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(&project("web/src"), &mut files);
    let texts: Vec<_> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let fragment = |name: &str| {
        let start = format!("fragment {name} on ");
        let at = texts.iter().find_map(|text| text.find(&start).map(|at| &text[at..]));
        definitions(at.unwrap_or_else(|| panic!("no fragment {name}")))[0].to_owned()
    };
    let mut operations = Vec::new();
    for definition in texts.iter().flat_map(|text| definitions(text)) {
        if definition.starts_with("fragment ") {
            continue;
        }
        let mut whole = definition.to_owned();
        let mut done = Vec::new();
        while let Some(name) = spreads(&whole).into_iter().find(|name| !done.contains(name)) {
            whole.push_str(&fragment(&name));
            done.push(name);
        }
        operations.push((definition.chars().take(40).collect(), whole));
    }
    assert!(operations.len() > 5, "the web app's operations are not where they were");
    operations
}

fn collect(folder: &std::path::Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "graphql") {
            files.push(path);
        }
    }
}

/// Definitions begin at the start of a line.
fn definitions(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = ["query ", "mutation ", "subscription ", "fragment "]
        .iter()
        .flat_map(|word| text.match_indices(word).map(|(at, _)| at))
        .filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n')
        .collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

fn spreads(text: &str) -> Vec<String> {
    let names = text.split("...").skip(1).map(|rest| rest.trim_start());
    names
        .map(|rest| {
            rest.chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect::<String>()
        })
        .filter(|name| !name.is_empty() && name != "on")
        .collect()
}
