//! Reads a tab-separated table that assigns quizzes to pages.

use std::collections::HashMap;
use std::path::Path;

use crate::folder::Folder;

/// A row of the table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    fields: HashMap<String, String>,
}

impl Row {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields
            .get(name)
            .map(String::as_str)
            .filter(|text| !text.is_empty())
    }
}

const MAX: usize = 10_000;

/// The rows of the first `.tsv` file with a column `quiz_file`.
pub fn read(folder: &Folder) -> Vec<Row> {
    let mut names: Vec<String> = folder
        .list(Path::new(""))
        .unwrap_or_default()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    names.retain(|name| name.ends_with(".tsv"));
    names.sort();
    for name in names {
        let Ok(text) = folder.read_text(Path::new(&name)) else {
            continue;
        };
        let mut lines = text.lines();
        let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').map(str::trim).collect();
        if !columns.contains(&"quiz_file") {
            continue;
        }
        let row = |line: &str| Row {
            fields: columns
                .iter()
                .zip(line.split('\t'))
                .map(|(name, text)| ((*name).to_owned(), text.trim().to_owned()))
                .collect(),
        };
        return lines.take(MAX).map(row).collect();
    }
    vec![]
}
