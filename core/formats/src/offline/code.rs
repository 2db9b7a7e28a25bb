//! Highlights code with a small tokenizer: comments, strings, numbers, keywords. It knows families of languages
//! rather than their grammars; unknown languages stay plain.

use super::escaped;

/// Bytes above which code is not highlighted.
const MAX_CODE_BYTES: usize = 200_000;

/// Lexical rules of a family of languages.
struct Family {
    line: &'static [&'static str],
    block: Option<(&'static str, &'static str)>,
    quotes: &'static [char],
    words: &'static [&'static str],
}

const RUST: &[&str] = &[
    "as",
    "async",
    "await",
    "break",
    "const",
    "continue",
    "crate",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "fn",
    "for",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "match",
    "mod",
    "move",
    "mut",
    "pub",
    "ref",
    "return",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "type",
    "unsafe",
    "use",
    "where",
    "while",
    "macro_rules",
];
const C_LIKE: &[&str] = &[
    "abstract",
    "auto",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "default",
    "defer",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "extern",
    "false",
    "final",
    "finally",
    "for",
    "foreach",
    "from",
    "func",
    "function",
    "goto",
    "if",
    "implements",
    "import",
    "in",
    "include",
    "instanceof",
    "interface",
    "let",
    "namespace",
    "new",
    "nil",
    "null",
    "nullptr",
    "of",
    "operator",
    "override",
    "package",
    "private",
    "protected",
    "public",
    "range",
    "return",
    "sizeof",
    "static",
    "struct",
    "super",
    "switch",
    "template",
    "this",
    "throw",
    "throws",
    "true",
    "try",
    "type",
    "typedef",
    "typename",
    "typeof",
    "undefined",
    "union",
    "using",
    "val",
    "var",
    "virtual",
    "void",
    "volatile",
    "when",
    "while",
    "yield",
    "async",
    "await",
    "int",
    "long",
    "double",
    "float",
    "char",
    "bool",
    "boolean",
    "byte",
    "string",
    "unsigned",
    "fun",
    "guard",
    "go",
    "chan",
    "map",
    "select",
];
const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "False", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "None", "nonlocal", "not", "or",
    "pass", "raise", "return", "self", "True", "try", "while", "with", "yield", "begin", "do", "end", "ensure",
    "module", "nil", "require", "rescue", "then", "unless", "until", "case", "esac", "done", "fi", "function", "local",
    "export", "echo",
];
const SQL: &[&str] = &[
    "add",
    "all",
    "alter",
    "and",
    "as",
    "asc",
    "begin",
    "between",
    "by",
    "case",
    "check",
    "column",
    "commit",
    "constraint",
    "create",
    "cross",
    "default",
    "delete",
    "desc",
    "distinct",
    "drop",
    "else",
    "end",
    "exists",
    "foreign",
    "from",
    "full",
    "group",
    "having",
    "if",
    "in",
    "index",
    "inner",
    "insert",
    "into",
    "is",
    "join",
    "key",
    "left",
    "like",
    "limit",
    "not",
    "null",
    "offset",
    "on",
    "or",
    "order",
    "outer",
    "primary",
    "references",
    "returning",
    "right",
    "rollback",
    "select",
    "set",
    "table",
    "then",
    "union",
    "unique",
    "update",
    "using",
    "values",
    "view",
    "when",
    "where",
    "with",
];
const DATA: &[&str] = &["true", "false", "null", "yes", "no"];
const HASKELL: &[&str] = &[
    "case", "class", "data", "deriving", "do", "else", "if", "import", "in", "infix", "instance", "let", "module",
    "newtype", "of", "then", "type", "where",
];

fn family(language: &str) -> Option<Family> {
    let family = |line, block, quotes, words| {
        Some(Family {
            line,
            block,
            quotes,
            words,
        })
    };
    const SLASHES: &[&str] = &["//"];
    const HASH: &[&str] = &["#"];
    const STARS: Option<(&str, &str)> = Some(("/*", "*/"));
    match language {
        "rust" | "rs" => family(SLASHES, STARS, &['"'], RUST),
        "c" | "h" | "cpp" | "c++" | "cc" | "hpp" | "cxx" | "csharp" | "cs" | "c#" | "java" | "kotlin" | "kt"
        | "kts" | "swift" => family(SLASHES, STARS, &['"', '\''], C_LIKE),
        "go" | "golang" | "javascript" | "js" | "mjs" | "cjs" | "jsx" | "typescript" | "ts" | "tsx" | "php" => {
            family(SLASHES, STARS, &['"', '\'', '`'], C_LIKE)
        }
        "css" => family(&[], STARS, &['"', '\''], &[]),
        "python" | "py" | "python3" | "ruby" | "rb" | "bash" | "sh" | "zsh" | "makefile" | "make" | "mk"
        | "dockerfile" | "docker" | "powershell" | "ps1" | "pwsh" => family(HASH, None, &['"', '\''], PYTHON),
        "toml" | "ini" | "cfg" | "yaml" | "yml" | "graphql" | "gql" => family(HASH, None, &['"', '\''], DATA),
        "json" | "jsonc" | "json5" => family(SLASHES, STARS, &['"'], DATA),
        "sql" | "sqlite" | "postgresql" | "mysql" => family(&["--"], STARS, &['\'', '"'], SQL),
        "haskell" | "hs" => family(&["--"], Some(("{-", "-}")), &['"'], HASKELL),
        _ => None,
    }
}

/// The display name of a language; `None` for plain text.
pub fn label(language: &str) -> Option<&str> {
    let known = match language.to_lowercase().as_str() {
        "text" | "txt" | "plain" | "plaintext" | "none" | "output" => return None,
        "rust" | "rs" => "Rust",
        "c" | "h" => "C",
        "cpp" | "c++" | "cc" | "hpp" | "cxx" => "C++",
        "csharp" | "cs" | "c#" => "C#",
        "java" => "Java",
        "kotlin" | "kt" => "Kotlin",
        "swift" => "Swift",
        "go" | "golang" => "Go",
        "javascript" | "js" | "mjs" | "cjs" | "jsx" => "JavaScript",
        "typescript" | "ts" | "tsx" => "TypeScript",
        "php" => "PHP",
        "css" => "CSS",
        "html" | "htm" | "xhtml" => "HTML",
        "xml" | "svg" => "XML",
        "python" | "py" | "python3" => "Python",
        "ruby" | "rb" => "Ruby",
        "bash" | "sh" | "zsh" => "Bash",
        "shell" | "console" | "shellsession" | "sh-session" | "terminal" => "Console",
        "powershell" | "ps" | "ps1" | "pwsh" => "PowerShell",
        "makefile" | "make" | "mk" => "Makefile",
        "dockerfile" | "docker" => "Dockerfile",
        "toml" => "TOML",
        "ini" | "cfg" => "INI",
        "yaml" | "yml" => "YAML",
        "json" | "jsonc" | "json5" => "JSON",
        "graphql" | "gql" => "GraphQL",
        "sql" | "sqlite" | "postgresql" | "mysql" => "SQL",
        "haskell" | "hs" => "Haskell",
        "markdown" | "md" => "Markdown",
        "diff" | "patch" => "Diff",
        _ => language,
    };
    Some(known)
}

/// The code as HTML with `<i class>` around tokens: `c` comments, `s` strings, `n` numbers, `k` keywords, `t` types,
/// `f` functions.
pub fn highlighted(code: &str, language: Option<&str>) -> String {
    let language = language.unwrap_or_default().to_lowercase();
    let Some(family) = family(&language).filter(|_| code.len() <= MAX_CODE_BYTES) else {
        return escaped(code);
    };
    let any_case = family.words.first() == SQL.first();
    let mut html = String::with_capacity(code.len() * 2);
    let mut rest = code;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let (kind, length) = token(&family, rest, first, before, any_case);
        let (piece, left) = rest.split_at_checked(length.max(1)).unwrap_or((rest, ""));
        match kind {
            Some(kind) => html.push_str(&format!("<i class=\"{kind}\">{}</i>", escaped(piece))),
            None => html.push_str(&escaped(piece)),
        }
        before = piece.chars().next_back().unwrap_or(' ');
        rest = left;
    }
    html
}

/// The class of the next token and its length in bytes.
fn token(family: &Family, text: &str, first: char, before: char, any_case: bool) -> (Option<char>, usize) {
    let to_line_end = || text.find('\n').unwrap_or(text.len());
    if family.line.iter().any(|mark| text.starts_with(mark)) && (first != '#' || !is_word(before)) {
        return (Some('c'), to_line_end());
    }
    if let Some((open, close)) = family.block
        && let Some(inside) = text.strip_prefix(open)
    {
        let end = inside
            .find(close)
            .map_or(text.len(), |at| open.len() + at + close.len());
        return (Some('c'), end);
    }
    if family.quotes.contains(&first) {
        return match quoted(text, first) {
            Some(length) => (Some('s'), length),
            None => (None, first.len_utf8()),
        };
    }
    if first.is_ascii_digit() {
        let length = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
        // `0..5` is two numbers.
        let length = length.unwrap_or(text.len());
        let number = text.get(..length).unwrap_or(text);
        let length = number.find("..").unwrap_or(length);
        return (Some('n'), length);
    }
    if is_word(first) {
        let length = text.find(|c| !is_word(c)).unwrap_or(text.len());
        let word = text.get(..length).unwrap_or(text);
        let known = if any_case {
            family.words.contains(&word.to_lowercase().as_str())
        } else {
            family.words.contains(&word)
        };
        let after = text.get(length..).unwrap_or_default();
        let kind = match known {
            true => Some('k'),
            false if family.words.is_empty() || family.words.first() == DATA.first() || any_case => None,
            false if after.starts_with('(') || after.starts_with("!(") => Some('f'),
            false if first.is_uppercase() => Some('t'),
            false => None,
        };
        return (kind, length);
    }
    let next = text.find(|c: char| is_word(c) || c.is_ascii_digit() || c.is_ascii_punctuation());
    (None, next.unwrap_or(text.len()).max(first.len_utf8()))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a string in bytes. An unclosed `'` is an apostrophe or a lifetime; other strings extend to the end.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            _ if quote == '\'' && (c == '\n' || at > 300) => return None,
            '\\' => {
                chars.next();
            }
            c if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    (quote != '\'').then_some(text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_are_highlighted() {
        assert_eq!(
            highlighted("let x = 0..5; // да\nfoo(\"a\\\"b\")", Some("Rust")),
            "<i class=\"k\">let</i> x = <i class=\"n\">0</i>..<i class=\"n\">5</i>; <i class=\"c\">// да</i>\n\
             <i class=\"f\">foo</i>(<i class=\"s\">&quot;a\\&quot;b&quot;</i>)"
        );
        assert_eq!(
            highlighted("SELECT 1", Some("sql")),
            "<i class=\"k\">SELECT</i> <i class=\"n\">1</i>"
        );
        assert_eq!(highlighted("<b>", Some("brainfuck")), "&lt;b&gt;");
    }

    proptest! {
        #[test]
        fn highlighting_keeps_the_text(code in r#"([a-z ]|[А-я]|[0-9.]|//|/\*|\*/|#|"|'|`|\\|\n|<|&|\PC){0,60}"#, language in prop::sample::select(
            vec!["rust", "js", "py", "sql", "hs", "toml", "json", "css", ""])) {
            let html = highlighted(&code, Some(language));
            let mut plain = String::new();
            let mut inside = false;
            for c in html.chars() {
                match c {
                    '<' => inside = true,
                    '>' => inside = false,
                    c if !inside => plain.push(c),
                    _ => {}
                }
            }
            prop_assert_eq!(plain, escaped(&code));
        }
    }
}
