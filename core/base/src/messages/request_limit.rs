//! Limits of a GraphQL request, and the text of an error: the limit, the value found, the value allowed.

use super::Lang;

/// A limit on a request; docs/graphql.md describes what each one counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RequestLimit {
    /// Bytes of the body.
    Body,
    /// JSON values in the body.
    Values,
    /// Tokens of the document.
    Tokens,
    /// Bytes of the longest name.
    Name,
    /// Nesting of braces and brackets.
    Nesting,
    /// Nesting of selections.
    Depth,
    Fields,
    Aliases,
    Directives,
    /// Estimated size of the introspection result.
    Introspection,
    /// Cost of the fields.
    Cost,
    /// Values in the response.
    Answer,
    /// Milliseconds.
    Time,
}

impl RequestLimit {
    /// The name shown to clients.
    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "BODY",
            Self::Values => "VALUES",
            Self::Tokens => "TOKENS",
            Self::Name => "NAME",
            Self::Nesting => "NESTING",
            Self::Depth => "DEPTH",
            Self::Fields => "FIELDS",
            Self::Aliases => "ALIASES",
            Self::Directives => "DIRECTIVES",
            Self::Introspection => "INTROSPECTION",
            Self::Cost => "COST",
            Self::Answer => "ANSWER",
            Self::Time => "TIME",
        }
    }

    pub(super) fn text(self, lang: Lang, found: u64, allowed: u64) -> String {
        if self == Self::Time {
            return match lang {
                Lang::En => format!("The answer was not ready in {allowed} ms, and the work on it was stopped"),
                Lang::Ru => format!("Ответ не был готов за {allowed} мс, и работа над ним остановлена"),
            };
        }
        let (en, ru) = match self {
            Self::Body => ("The body is too large, in bytes", "Слишком большой запрос, в байтах"),
            Self::Values => ("The body holds too many values", "В запросе слишком много значений"),
            Self::Tokens => ("The document has too many tokens", "В документе слишком много лексем"),
            Self::Name => ("A name is too long, in bytes", "Слишком длинное имя, в байтах"),
            Self::Nesting => (
                "Too many brackets are open at once",
                "Слишком много скобок открыто одновременно",
            ),
            Self::Depth => ("The query is nested too deeply", "Запрос вложен слишком глубоко"),
            Self::Fields => ("The query selects too many fields", "В запросе слишком много полей"),
            Self::Aliases => ("The query has too many aliases", "В запросе слишком много псевдонимов"),
            Self::Directives => ("The query has too many directives", "В запросе слишком много директив"),
            Self::Introspection => (
                "The query asks for too much of the schema at once",
                "Запрошено слишком много сведений о схеме сразу",
            ),
            Self::Answer => (
                "The answer would hold too many values",
                "В ответе было бы слишком много значений",
            ),
            Self::Cost | Self::Time => ("The query costs too much", "Запрос стоит слишком дорого"),
        };
        match lang {
            Lang::En => format!("{en}: {found}, at most {allowed} allowed"),
            Lang::Ru => format!("{ru}: {found}, допускается не больше {allowed}"),
        }
    }
}
