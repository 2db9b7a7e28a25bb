//! Reads `book.toml`.

use toml::{Table, Value};

use crate::error::ImportError;
use crate::note::Note;
use crate::note::TomlTrouble;
use crate::report::Report;
use kurso_base::messages::Lang;

#[derive(Debug)]
pub struct Config {
    pub title: Option<String>,
    pub description: Option<String>,
    pub authors: Vec<String>,
    pub language: Lang,
    /// The source folder, relative to the book.
    pub src: String,
    pub smart_punctuation: bool,
    /// MathJax: `\\(x\\)`.
    pub tex_math: bool,
    /// The KaTeX preprocessor: `$x$`.
    pub dollar_math: bool,
    /// `owner/name` of the repository.
    pub repository: Option<String>,
    /// Prefixes of hidden lines by language.
    pub hidden_lines: Vec<(String, String)>,
}

const FILE: &str = "book.toml";

impl Config {
    pub fn read(text: &str, report: &mut Report) -> Result<Self, ImportError> {
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let trouble = TomlTrouble::of(&error, text);
            ImportError::BadConfig { trouble }
        })?;
        let table = Value::Table(table);
        let at = |path: &str| path.split('.').try_fold(&table, |value, name| value.get(name));
        let text_at = |path: &str| {
            at(path)?
                .as_str()
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        let is_on = |path: &str| at(path).and_then(Value::as_bool).unwrap_or(false);
        let mut authors: Vec<String> = match at("book.authors") {
            Some(Value::Array(authors)) => authors.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        // Not in mdBook's documentation, but common.
        authors.extend(text_at("book.author"));
        let language = match text_at("book.language") {
            Some(language) if language.to_ascii_lowercase().starts_with("ru") => Lang::Ru,
            _ => Lang::En,
        };
        let hidden_lines = at("output.html.code.hidelines").and_then(Value::as_table).map(|table| {
            table
                .iter()
                .filter_map(|(name, prefix)| Some((name.clone(), prefix.as_str()?.to_owned())))
                .collect()
        });
        note_settings(&at, report);
        Ok(Self {
            title: text_at("book.title"),
            description: text_at("book.description"),
            authors,
            language,
            src: text_at("book.src").unwrap_or_else(|| "src".into()),
            smart_punctuation: is_on("output.html.smart-punctuation") || is_on("output.html.curly-quotes"),
            tex_math: is_on("output.html.mathjax-support"),
            dollar_math: at("preprocessor.katex").is_some() || at("output.katex").is_some(),
            repository: text_at("output.html.git-repository-url")
                .as_deref()
                .and_then(repository_name),
            hidden_lines: hidden_lines.unwrap_or_default(),
        })
    }

    /// The configuration of a book without `book.toml`.
    pub fn absent() -> Self {
        Self {
            title: None,
            description: None,
            authors: Vec::new(),
            language: Lang::En,
            src: "src".into(),
            smart_punctuation: false,
            tex_math: false,
            dollar_math: false,
            repository: None,
            hidden_lines: Vec::new(),
        }
    }
}

/// Notes settings that affect look or text and are not supported.
fn note_settings<'a>(at: &impl Fn(&str) -> Option<&'a Value>, report: &mut Report) {
    for name in ["additional-css", "additional-js", "theme"] {
        match at(&format!("output.html.{name}")) {
            Some(Value::Array(files)) => {
                for file in files.iter().filter_map(Value::as_str) {
                    report.add(FILE, Note::Setting(format!("{name}: {file}")));
                }
            }
            Some(Value::String(file)) => report.add(FILE, Note::Setting(format!("{name}: {file}"))),
            _ => {}
        }
    }
    let known = ["links", "index", "katex"];
    for name in at("preprocessor")
        .and_then(Value::as_table)
        .into_iter()
        .flat_map(Table::keys)
    {
        if !known.contains(&name.as_str()) {
            report.add(FILE, Note::Setting(format!("preprocessor.{name}")));
        }
    }
}

/// `rust-lang/book` for `https://github.com/rust-lang/book/tree/main`.
fn repository_name(address: &str) -> Option<String> {
    let url = url::Url::parse(address).ok()?;
    let mut parts = url.path_segments()?.filter(|part| !part.is_empty());
    let (owner, name) = (parts.next()?, parts.next()?);
    Some(format!("{owner}/{}", name.strip_suffix(".git").unwrap_or(name)).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_settings_are_reported() {
        let mut report = Report::default();
        let text = "[book]\ntitle=\"Т\"\nlanguage=\"ru-RU\"\nauthors=[\"А\",\"Б\"]\n[output.html]\nadditional-css=[\"a.css\"]\n\
                    git-repository-url=\"https://github.com/Owner/Name.git\"\n[preprocessor.quiz]\n[preprocessor.katex]\n";
        let config = Config::read(text, &mut report).unwrap();
        assert_eq!(
            (config.title.as_deref(), config.language, config.src.as_str()),
            (Some("Т"), Lang::Ru, "src")
        );
        assert_eq!(config.repository.as_deref(), Some("owner/name"));
        assert!(config.dollar_math && !config.tex_math);
        let told: Vec<_> = report.entries.iter().map(|entry| entry.to_line(Lang::En)).collect();
        assert_eq!(told.len(), 2, "{told:?}");
    }

    #[test]
    fn broken_toml_reports_its_line() {
        let error = Config::read("[book]\ntitle = \"a\"\nsrc = [\n", &mut Report::default()).unwrap_err();
        assert!(
            matches!(
                error,
                ImportError::BadConfig {
                    trouble: TomlTrouble::Broken(3 | 4)
                }
            ),
            "{error:?}"
        );
    }

    #[test]
    fn values_of_wrong_types_are_ignored() {
        let config = Config::read("book = 3\noutput = [1]\npreprocessor = \"x\"", &mut Report::default()).unwrap();
        assert_eq!((config.title, config.src.as_str()), (None, "src"));
    }
}
