//! Why a mail address is invalid, and the texts that say so.

use super::Lang;

/// Why a mail address is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmailProblem {
    NoAt,
    NothingBeforeAt,
    NothingAfterAt,
    NoPeriod,
    BadDomain,
    BadLocal,
    TooLong,
}

impl EmailProblem {
    pub fn text(self, lang: Lang) -> &'static str {
        let (en, ru) = match self {
            Self::NoAt => ("An email address must have an @-sign.", "В адресе должен быть знак @."),
            Self::NothingBeforeAt => (
                "There must be something before the @-sign.",
                "Перед знаком @ должно что-то стоять.",
            ),
            Self::NothingAfterAt => (
                "There must be something after the @-sign.",
                "После знака @ должно что-то стоять.",
            ),
            Self::NoPeriod => (
                "The part after the @-sign is not valid. It should have a period.",
                "Часть после @ неверна: в ней должна быть точка.",
            ),
            Self::BadDomain => ("The part after the @-sign is not valid.", "Часть после @ неверна."),
            Self::BadLocal => (
                "The email address contains invalid characters before the @-sign.",
                "Часть перед @ неверна.",
            ),
            Self::TooLong => ("The email address is too long.", "Адрес слишком длинный."),
        };
        match lang {
            Lang::En => en,
            Lang::Ru => ru,
        }
    }
}
