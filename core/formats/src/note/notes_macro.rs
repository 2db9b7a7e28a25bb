//! The macro that declares notes, and the texts of their arguments.

use super::{FileTrouble, Reason};
use crate::unsupported::Unsupported;
use crate::xml::XmlTrouble;
use kurso_base::messages::{Lang, TitleChain};

/// Declares an enum of notes. Each has an outcome, a stable key for counting, and in both languages the subject and the
/// reason, which may use its arguments. The list in
/// brackets are variants that wrap the notes of a format.
macro_rules! notes {
    (
        $(
            $(#[$doc:meta])*
            $name:ident $(( $($arg:ident: $arg_type:ty),* ))? $({ $($field:ident: $field_type:ty),* })?
                => $outcome:ident, $key:literal,
                $what_en:literal: $why_en:literal,
                $what_ru:literal: $why_ru:literal;
        )*
        $( [ $($format:ident($format_type:ty)),* ] )?
    ) => {
        /// What happened to one part of a course.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Note {
            $( $(#[$doc])* $name $(( $($arg_type),* ))? $({ $($field: $field_type),* })?, )*
            $( $( $format($format_type), )* )?
        }

        impl Note {
            /// The keys of all notes, without those of the formats.
            #[cfg(test)]
            pub const KEYS: &[&str] = &[$($key),*];

            pub fn outcome(&self) -> $crate::note::Outcome {
                match self {
                    $( Self::$name { .. } => $crate::note::Outcome::$outcome, )*
                    $( $( Self::$format(note) => note.outcome(), )* )?
                }
            }

            /// The stable name of the kind of note, used for counting.
            pub fn key(&self) -> &'static str {
                match self {
                    $( Self::$name { .. } => $key, )*
                    $( $( Self::$format(note) => note.key(), )* )?
                }
            }

            /// The subject of the note and the reason, in the given language.
            #[allow(unused_variables, reason = "not every text uses all arguments")]
            pub fn texts(&self, lang: kurso_base::messages::Lang) -> (String, String) {
                use kurso_base::messages::Lang;
                #[allow(unused_imports, reason = "notes may have no arguments")]
                use $crate::note::notes_macro::Localized as _;
                match self {
                    $(
                        Self::$name $(( $($arg),* ))? $({ $($field),* })? => {
                            $( $( let $arg = $arg.localized(lang); )* )?
                            $( $( let $field = $field.localized(lang); )* )?
                            match lang {
                                Lang::En => (format!($what_en), format!($why_en)),
                                Lang::Ru => (format!($what_ru), format!($why_ru)),
                            }
                        }
                    )*
                    $( $( Self::$format(note) => note.texts(lang), )* )?
                }
            }
        }
    };
}
pub(super) use notes;

/// An argument of a note.
pub trait Localized {
    fn localized(&self, lang: Lang) -> String;
}

macro_rules! localized {
    ($($kind:ty: |$value:ident, $lang:ident| $text:expr;)*) => {
        $(
            impl Localized for $kind {
                fn localized(&self, $lang: Lang) -> String {
                    let $value = self;
                    $text
                }
            }
        )*
    };
}

localized! {
    String: |text, _lang| text.clone();
    &'static str: |text, _lang| (*text).to_owned();
    usize: |number, _lang| number.to_string();
    u32: |number, _lang| number.to_string();
    FileTrouble: |trouble, lang| trouble.text(lang);
    Unsupported: |what, lang| what.text(lang).to_owned();
    XmlTrouble: |trouble, lang| trouble.text(lang);
    Reason: |why, lang| why.text(lang);
    TitleChain: |titles, lang| titles.text(lang);
}
