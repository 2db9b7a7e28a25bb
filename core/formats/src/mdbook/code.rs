//! Reads the info strings of code blocks and removes the lines that mdBook hides.

use std::collections::BTreeMap;

use crate::markdown::Fence;
use crate::note::Note;
use crate::report::Report;
use kurso_base::messages::Lang;

/// Flags with which the Rust book warns about code, and their captions.
const WARNINGS: &[(&str, &str, &str)] = &[
    (
        "does_not_compile",
        "Этот код не компилируется!",
        "This code does not compile!",
    ),
    ("panics", "Этот код вызывает панику!", "This code panics!"),
    (
        "not_desired_behavior",
        "Этот код не приводит к желаемому поведению.",
        "This code does not produce the desired behavior.",
    ),
    (
        "unsafe",
        "Этот блок содержит небезопасный код.",
        "This code block contains unsafe code.",
    ),
];

/// Reads code blocks and counts the flags that are dropped.
#[derive(Debug)]
pub struct CodeReader {
    language: Lang,
    hidden_lines: Vec<(String, String)>,
    /// Number of blocks per dropped flag.
    flags: BTreeMap<String, usize>,
    flagged_blocks: usize,
}

impl CodeReader {
    pub fn new(language: Lang, hidden_lines: Vec<(String, String)>) -> Self {
        Self {
            language,
            hidden_lines,
            flags: BTreeMap::new(),
            flagged_blocks: 0,
        }
    }

    /// Reads a block again without counting its flags.
    pub fn read_again(&mut self, info: &str, code: String) -> Fence {
        let (flags, blocks) = (self.flags.clone(), self.flagged_blocks);
        let fence = self.read(info, code);
        (self.flags, self.flagged_blocks) = (flags, blocks);
        fence
    }

    /// Adds one note about the dropped flags of the whole book.
    pub fn report_flags(self, place: &str, report: &mut Report) {
        if !self.flags.is_empty() {
            let flags = self
                .flags
                .iter()
                .map(|(flag, count)| format!("{flag} ({count})"))
                .collect::<Vec<_>>()
                .join(", ");
            report.add(
                place,
                Note::FenceFlags {
                    flags,
                    blocks: self.flagged_blocks,
                },
            );
        }
    }

    pub fn read(&mut self, info: &str, code: String) -> Fence {
        let mut tokens = info
            .split([',', ' ', '\t', '{', '}'])
            .map(str::trim)
            .filter(|token| !token.is_empty());
        let language = tokens.next().map(str::to_owned);
        let mut captions = Vec::new();
        let mut hidden_by = None;
        let mut flagged = false;
        for flag in tokens {
            if let Some((_, ru, en)) = WARNINGS.iter().find(|warning| warning.0 == flag) {
                captions.push(if self.language == Lang::Ru { *ru } else { *en });
            } else if let Some(prefix) = flag.strip_prefix("hidelines=") {
                hidden_by = Some(prefix.to_owned());
            } else {
                // Free text in info strings must not fill the report.
                let flag: String = flag.chars().take(40).collect();
                if self.flags.len() < 100 || self.flags.contains_key(&flag) {
                    *self.flags.entry(flag).or_default() += 1;
                }
                flagged = true;
            }
        }
        self.flagged_blocks += usize::from(flagged);
        let by_config = || {
            self.hidden_lines
                .iter()
                .find(|(name, _)| Some(name) == language.as_ref())
        };
        let code = match hidden_by.or_else(|| by_config().map(|(_, prefix)| prefix.clone())) {
            Some(prefix) => without_lines(&code, |line| line.trim_start().starts_with(&prefix)),
            None if language.as_deref() == Some("rust") => without_hidden_rust(&code),
            None => code,
        };
        Fence {
            language,
            caption: (!captions.is_empty()).then(|| captions.join(" ")),
            code,
        }
    }
}

fn without_lines(code: &str, hidden: impl Fn(&str) -> bool) -> String {
    code.split_inclusive('\n').filter(|line| !hidden(line)).collect()
}

/// Lines that start with `#` are hidden, except attributes and shebangs; `##` is an escaped `#`.
fn without_hidden_rust(code: &str) -> String {
    if !code.contains('#') {
        return code.to_owned();
    }
    let mut shown = String::with_capacity(code.len());
    for line in code.split_inclusive('\n') {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        match text.strip_prefix('#') {
            None => shown.push_str(line),
            Some(rest) if rest.starts_with('#') => {
                shown.push_str(line.get(..indent).unwrap_or_default());
                shown.push_str(rest);
            }
            Some(rest) if rest.starts_with(['!', '[']) => shown.push_str(line),
            Some(_) => {}
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(language: Lang) -> CodeReader {
        CodeReader::new(language, Vec::new())
    }

    #[test]
    fn info_strings_give_language_and_caption() {
        let mut reader = reader(Lang::Ru);
        let fence = reader.read("rust,ignore,does_not_compile", "x\n".into());
        assert_eq!(fence.language.as_deref(), Some("rust"));
        assert_eq!(fence.caption.as_deref(), Some("Этот код не компилируется!"));
        assert_eq!(reader.flags.get("ignore"), Some(&1));
        assert_eq!(reader.read("", "x".into()).language, None);
        assert_eq!(
            reader.read("rust {.line-numbers}", "x".into()).language.as_deref(),
            Some("rust")
        );
    }

    #[test]
    fn hidden_lines_are_dropped_in_rust_only() {
        let code = "# use a;\n#[derive(Debug)]\n#![allow(x)]\n#\n    # hidden\n## shown\n#hidden too\nfn main() {}\n";
        let shown = "#[derive(Debug)]\n#![allow(x)]\n# shown\nfn main() {}\n";
        assert_eq!(reader(Lang::En).read("rust", code.into()).code, shown);
        assert_eq!(reader(Lang::En).read("python", code.into()).code, code);
        assert_eq!(reader(Lang::En).read("", code.into()).code, code);
    }

    #[test]
    fn configured_hidden_lines_are_dropped() {
        let code = "~import a\nprint(1)\n";
        assert_eq!(
            reader(Lang::En).read("python,hidelines=~", code.into()).code,
            "print(1)\n"
        );
        let mut reader = CodeReader::new(Lang::En, vec![("python".to_owned(), "~".to_owned())]);
        assert_eq!(reader.read("python", code.into()).code, "print(1)\n");
    }
}
