//! Maps characters of the fonts Symbol and Wingdings to Unicode.

/// Characters from 0x41 and 0x61 on.
const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const LETTERS: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";

const SYMBOL: &[(u32, char)] = &[
    (0x22, '∀'),
    (0x24, '∃'),
    (0x2d, '−'),
    (0x40, '≅'),
    (0x5e, '⊥'),
    (0x7e, '∼'),
    (0xa2, '′'),
    (0xa3, '≤'),
    (0xa5, '∞'),
    (0xab, '↔'),
    (0xac, '←'),
    (0xad, '↑'),
    (0xae, '→'),
    (0xaf, '↓'),
    (0xb0, '°'),
    (0xb1, '±'),
    (0xb3, '≥'),
    (0xb4, '×'),
    (0xb5, '∝'),
    (0xb6, '∂'),
    (0xb7, '•'),
    (0xb8, '÷'),
    (0xb9, '≠'),
    (0xba, '≡'),
    (0xbb, '≈'),
    (0xbc, '…'),
    (0xc5, '⊕'),
    (0xc6, '∅'),
    (0xc7, '∩'),
    (0xc8, '∪'),
    (0xc9, '⊃'),
    (0xca, '⊇'),
    (0xcb, '⊄'),
    (0xcc, '⊂'),
    (0xcd, '⊆'),
    (0xce, '∈'),
    (0xcf, '∉'),
    (0xd0, '∠'),
    (0xd1, '∇'),
    (0xd5, '∏'),
    (0xd6, '√'),
    (0xd7, '⋅'),
    (0xd8, '¬'),
    (0xd9, '∧'),
    (0xda, '∨'),
    (0xdb, '⇔'),
    (0xdc, '⇐'),
    (0xde, '⇒'),
    (0xe5, '∑'),
    (0xf2, '∫'),
];

const WINGDINGS: &[(u32, char)] = &[
    (0x6c, '●'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0x71, '❑'),
    (0x76, '❖'),
    (0xa7, '▪'),
    (0xa8, '□'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xf0, '⇨'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

/// The Unicode character at a hexadecimal code of the font, which may be offset by F000.
pub fn symbol(font: &str, place: &str) -> Option<char> {
    let place = u32::from_str_radix(place.trim(), 16).ok()?;
    let place = if (0xf000..0xf100).contains(&place) {
        place - 0xf000
    } else {
        place
    };
    let listed = |signs: &[(u32, char)]| signs.iter().find(|(at, _)| *at == place).map(|(_, symbol)| *symbol);
    let letter = |letters: &str, from: u32| letters.chars().nth(usize::try_from(place.checked_sub(from)?).ok()?);
    match font.trim().to_ascii_lowercase().as_str() {
        "symbol" => listed(SYMBOL)
            .or_else(|| letter(LETTERS, 0x61))
            .or_else(|| letter(CAPITALS, 0x41).filter(|_| place < 0x61))
            .or_else(|| char::from_u32(place).filter(|_| (0x20..0x40).contains(&place))),
        "wingdings" => listed(WINGDINGS),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbol_fonts_map_to_unicode() {
        for (font, place, expected) in [
            ("Symbol", "F061", Some('α')),
            ("Symbol", "F044", Some('Δ')),
            ("Symbol", "F05A", Some('Ζ')),
            ("Symbol", "F05B", None),
            ("Symbol", "F07A", Some('ζ')),
            ("Symbol", "F0A3", Some('≤')),
            ("Symbol", "2B", Some('+')),
            ("Wingdings", "F0E0", Some('→')),
            ("Wingdings", "F041", None),
            ("Webdings", "F061", None),
            ("Symbol", "x", None),
        ] {
            assert_eq!(symbol(font, place), expected, "{font} {place}");
        }
    }
}
