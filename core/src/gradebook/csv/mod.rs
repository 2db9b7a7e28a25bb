//! The gradebook as a table that spreadsheet programs open, and back.
//!
//! A column of grades has the code of its page in brackets at the end of its heading, the last eight digits of its id, because titles may be
//! equal. Its cells hold points, or the word for an excuse.

mod export;
mod import;
mod lines;
mod state;

use kurso_base::ids::PageId;
use kurso_base::messages::Lang;
use kurso_base::values::{choices, decimal_text};

pub use export::Table;
pub use import::{Import, ImportGrades, Imported, MAX_TABLE_CHANGES, Refusal, TableChange, import};

/// What separates cells, and with it the decimal sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Separator {
    /// Semicolons and decimal commas, as Excel with Russian settings reads and writes.
    Semicolon,
    /// Commas and decimal points.
    Comma,
}

choices! {
    Separator: "semicolon" => Separator::Semicolon, "comma" => Separator::Comma;
}

impl Separator {
    pub const NAMES: [&'static str; 2] = ["semicolon", "comma"];

    /// That of programs in this language.
    pub fn of(lang: Lang) -> Self {
        match lang {
            Lang::Ru => Separator::Semicolon,
            Lang::En => Separator::Comma,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Separator::Semicolon => "semicolon",
            Separator::Comma => "comma",
        }
    }

    fn byte(self) -> u8 {
        match self {
            Separator::Semicolon => b';',
            Separator::Comma => b',',
        }
    }

    /// Hundredths with the decimal sign of the program.
    fn decimal(self, hundredths: i64) -> String {
        let text = decimal_text(hundredths);
        match self {
            Separator::Semicolon => text.replace('.', ","),
            Separator::Comma => text,
        }
    }
}

/// The heading of the column with the state of each line as it was exported.
const STATE: [&str; 2] = ["Как выгружено", "As exported"];

/// The heading of the column with mail addresses, by which learners are found; the same in both languages.
const EMAIL: &str = "Email";

/// The words of cells: excused, and a decision to withdraw.
const EXCUSED: [&str; 2] = ["освобождён", "excused"];
const AUTOMATIC: [&str; 2] = ["авто", "auto"];

fn excused(lang: Lang) -> &'static str {
    match lang {
        Lang::Ru => "освобождён",
        Lang::En => "excused",
    }
}

/// The digits by which a heading names its page.
const CODE: usize = 8;

fn code_of(page: PageId) -> String {
    let digits = page.0.simple().to_string();
    digits
        .get(digits.len().saturating_sub(CODE)..)
        .unwrap_or_default()
        .to_owned()
}

/// The code at the end of a heading, in brackets.
fn code_in(heading: &str) -> Option<&str> {
    let (_, code) = heading.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    (code.len() == CODE && code.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_names_its_page_by_the_code_at_its_end() {
        let page = PageId::new();
        let code = code_of(page);
        assert_eq!(code.len(), CODE);
        assert_eq!(code_in(&format!("Тест [1] [{code}] ")), Some(code.as_str()));
        for heading in [
            "Тест",
            "Тест [1]",
            "Тест [zzzzzzzz]",
            "[12345678] Тест",
            "Тест [123456789]",
        ] {
            assert_eq!(code_in(heading), None, "{heading}");
        }
    }
}
