//! The language of what commands print of a course, and of why one could not be read or written.

use clap::ValueEnum;
use kurso_core::messages::Lang;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Language {
    En,
    Ru,
}

impl From<Language> for Lang {
    fn from(language: Language) -> Self {
        match language {
            Language::En => Lang::En,
            Language::Ru => Lang::Ru,
        }
    }
}

/// What was asked for, else the language of the terminal: the first of these variables that says something, as POSIX has it.
#[expect(
    clippy::disallowed_methods,
    reason = "the locale is the terminal's, not a setting of the server"
)]
pub fn chosen(asked: Option<Language>) -> Lang {
    let said = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    asked.map_or_else(|| of_locale(said.as_deref()), Lang::from)
}

/// `ru`, `ru_RU.UTF-8`
fn of_locale(locale: Option<&str>) -> Lang {
    let language = locale.and_then(|locale| locale.split(['_', '.', '@', '-']).next());
    match language {
        Some(name) if name.eq_ignore_ascii_case("ru") => Lang::Ru,
        _ => Lang::En,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_is_russian_or_anything_else() {
        for russian in ["ru", "ru_RU.UTF-8", "ru_UA", "RU"] {
            assert_eq!(of_locale(Some(russian)), Lang::Ru, "{russian}");
        }
        for other in [None, Some("C"), Some("en_US.UTF-8"), Some("rus"), Some("de_RU")] {
            assert_eq!(of_locale(other), Lang::En, "{other:?}");
        }
        assert_eq!(chosen(Some(Language::Ru)), Lang::Ru);
    }
}
