//! The languages of responses and mails.

/// The language of a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[cfg_attr(
    feature = "sqlx",
    derive(sqlx::Type),
    sqlx(type_name = "text", rename_all = "snake_case")
)]
pub enum Lang {
    #[default]
    En,
    Ru,
}

impl Lang {
    /// The name in the database and in REST; GraphQL has it in capitals.
    pub fn name(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Ru => "ru",
        }
    }

    /// The language of an `Accept-Language` header: the one of `ru` and `en` with the higher quality, the first one on
    /// a tie, English if neither is named.
    pub fn from_accept_language(header: &str) -> Self {
        Self::best(header, Some(Lang::En)).unwrap_or_default()
    }

    /// The language of a mail: Russian unless the header names English.
    pub fn of_mail(header: &str) -> Self {
        Self::best(header, None).unwrap_or(Lang::Ru)
    }

    /// `any` is the language chosen by `*`; None ignores `*`. Returns None if neither language is acceptable.
    fn best(header: &str, any: Option<Lang>) -> Option<Self> {
        let mut best: Option<(f32, Lang)> = None;
        for range in header.split(',') {
            let mut parts = range.split(';');
            let tag = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
            let lang = match tag.split('-').next() {
                Some("ru") => Lang::Ru,
                Some("en") => Lang::En,
                Some("*") => match any {
                    Some(any) => any,
                    None => continue,
                },
                _ => continue,
            };
            let quality = parts
                .find_map(|p| p.trim().strip_prefix("q=").map(|q| q.parse().unwrap_or(0.0)))
                .unwrap_or(1.0);
            if quality > best.map_or(0.0, |(q, _)| q) {
                best = Some((quality, lang));
            }
        }
        best.map(|(_, lang)| lang)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_accept_language() {
        for (header, lang) in [
            ("", Lang::En),
            ("ru", Lang::Ru),
            ("ru-RU,ru;q=0.9,en;q=0.8", Lang::Ru),
            ("en-US,en;q=0.9,ru;q=0.8", Lang::En),
            ("de, ru;q=0.5, en;q=0.4", Lang::Ru),
            ("ru;q=0", Lang::En),
            ("fr;q=x,,;;", Lang::En),
        ] {
            assert_eq!(Lang::from_accept_language(header), lang, "{header}");
        }
    }

    #[test]
    fn a_mail_is_russian_unless_english_is_asked_for() {
        for (header, lang) in [
            ("", Lang::Ru),
            ("*", Lang::Ru),
            ("de", Lang::Ru),
            ("en", Lang::En),
            ("de,en-GB;q=0.5", Lang::En),
            ("en;q=0.5,ru", Lang::Ru),
        ] {
            assert_eq!(Lang::of_mail(header), lang, "{header}");
        }
    }
}
