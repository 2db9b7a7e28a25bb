//! The output language of `kurso import` and `kurso export`: the flag `--lang` or the locale.

use clap::ValueEnum;
use kurso_base::messages::Lang;

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

/// The requested language, else that of the locale: the first non-empty variable in the order that POSIX defines.
#[expect(
    clippy::disallowed_methods,
    reason = "the locale is the terminal's, not a setting of the server"
)]
pub fn chosen(asked: Option<Language>) -> Lang {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    asked.map_or_else(|| of_locale(locale.as_deref()), Lang::from)
}

/// Russian for locales such as `ru` and `ru_RU.UTF-8`, else English.
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
    fn only_russian_locales_select_russian() {
        for russian in ["ru", "ru_RU.UTF-8", "ru_UA", "RU"] {
            assert_eq!(of_locale(Some(russian)), Lang::Ru, "{russian}");
        }
        for other in [None, Some("C"), Some("en_US.UTF-8"), Some("rus"), Some("de_RU")] {
            assert_eq!(of_locale(other), Lang::En, "{other:?}");
        }
        assert_eq!(chosen(Some(Language::Ru)), Lang::Ru);
    }
}
