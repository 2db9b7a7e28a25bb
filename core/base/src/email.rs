//! Mail addresses: validation, display form and comparison key. The domain is shown in lower case and in Unicode;
//! comparison ignores case. Performs no DNS lookups.

use unicode_normalization::UnicodeNormalization as _;

use crate::messages::EmailProblem;

/// A valid mail address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Email {
    shown: String,
    key: String,
}

impl Email {
    /// Parses `ann@example.com` or `Ann <ann@example.com>`.
    pub fn parse(text: &str) -> Result<Self, EmailProblem> {
        // Unicode normalisation: an accented letter is one character, however it was typed.
        let address: String = without_display_name(text.trim()).nfc().collect();
        let (local, domain) = address.rsplit_once('@').ok_or(EmailProblem::NoAt)?;
        if local.is_empty() {
            return Err(EmailProblem::NothingBeforeAt);
        }
        check_local(local)?;
        let domain = check_domain(domain)?;
        let shown = format!("{local}@{domain}");
        if shown.chars().count() > 254 {
            return Err(EmailProblem::TooLong);
        }
        let key = shown.to_lowercase();
        Ok(Email { shown, key })
    }

    /// The address as typed, with the domain in lower case.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The key by which addresses are compared.
    pub fn key(&self) -> &str {
        &self.key
    }
}

fn without_display_name(text: &str) -> &str {
    match (text.ends_with('>'), text.rfind('<')) {
        (true, Some(start)) => text.get(start + 1..text.len() - 1).unwrap_or(text),
        _ => text,
    }
}

/// Checks a dot-atom: no quotes, no dot at an end or after another dot; letters of all scripts are allowed.
fn check_local(local: &str) -> Result<(), EmailProblem> {
    let atoms_fit = local.split('.').all(|atom| {
        !atom.is_empty()
            && atom
                .chars()
                .all(|c| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c))
    });
    if atoms_fit { Ok(()) } else { Err(EmailProblem::BadLocal) }
}

fn check_domain(domain: &str) -> Result<String, EmailProblem> {
    if domain.is_empty() {
        return Err(EmailProblem::NothingAfterAt);
    }
    let ascii = match url::Host::parse(domain) {
        Ok(url::Host::Domain(ascii)) => ascii,
        Ok(_) | Err(_) => return Err(EmailProblem::BadDomain),
    };
    if !ascii.contains('.') {
        return Err(EmailProblem::NoPeriod);
    }
    // The domain is normalised, so that one mailbox cannot have two accounts.
    let (shown, _) = idna::domain_to_unicode(&ascii);
    // Length limits apply to the ASCII form, which is used for sending.
    let labels_fit = ascii.split('.').all(|label| {
        let edges = label.starts_with('-') || label.ends_with('-');
        !label.is_empty() && label.len() <= 63 && !edges
    });
    let letters = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
    if labels_fit && ascii.len() <= 253 && shown.chars().all(letters) {
        Ok(shown)
    } else {
        Err(EmailProblem::BadDomain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_local_part_is_kept_and_the_domain_lowercased() {
        let email = Email::parse("  Ann.Lee+x@Example.COM ").unwrap();
        assert_eq!(email.shown(), "Ann.Lee+x@example.com");
        assert_eq!(email.key(), "ann.lee+x@example.com");
        assert_eq!(Email::parse("Ann <a@b.com>").unwrap().shown(), "a@b.com");
        assert_eq!(Email::parse("иван@почта.рф").unwrap().shown(), "иван@почта.рф");
        assert_eq!(
            Email::parse("иван@XN--80A1ACNY.xn--p1ai").unwrap().shown(),
            "иван@почта.рф"
        );
        let long = format!("a@{}.рф", "ж".repeat(50));
        assert_eq!(Email::parse(&long).unwrap().shown(), long);
        assert_eq!(Email::parse("jose\u{301}@b.com"), Email::parse("jos\u{e9}@b.com"));
    }

    #[test]
    fn invalid_addresses_are_explained() {
        for (text, problem) in [
            ("", EmailProblem::NoAt),
            ("ann", EmailProblem::NoAt),
            ("@b.com", EmailProblem::NothingBeforeAt),
            ("ann@", EmailProblem::NothingAfterAt),
            ("ann@localhost", EmailProblem::NoPeriod),
            ("ann@b..com", EmailProblem::BadDomain),
            ("ann@127.0.0.1", EmailProblem::BadDomain),
            ("ann@\u{2603}.com", EmailProblem::BadDomain),
            ("a b@c.com", EmailProblem::BadLocal),
            (".a@c.com", EmailProblem::BadLocal),
            ("a@b@c.com", EmailProblem::BadLocal),
        ] {
            assert_eq!(Email::parse(text), Err(problem), "{text}");
        }
        let long = format!("{}@example.com", "a".repeat(250));
        assert_eq!(Email::parse(&long), Err(EmailProblem::TooLong));
    }
}
