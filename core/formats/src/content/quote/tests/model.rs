//! A page whose characters are known apart, random edits of it, and where noted words must be found.

use super::super::{QuotableTexts, Quote, QuotePlace, Sought, common};

/// Random numbers that are the same for the same seed.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// A character of a page, with a number that no other has, and that of the character of which it is a copy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Letter {
    letter: char,
    pub(super) id: usize,
    origin: usize,
}

fn is_shown(letter: &&Letter) -> bool {
    letter.letter != ' '
}

/// A page whose characters are known apart.
pub(super) struct Model {
    pub(super) blocks: Vec<Vec<Letter>>,
    pub(super) next: usize,
    pub(super) random: Random,
}

const WORDS: [&str; 24] = [
    "владение",
    "функция",
    "и",
    "в",
    "не",
    "значение",
    "область",
    "память",
    "это",
    "на",
    "переменная",
    "когда",
    "стек",
    "куча",
    "заимствование",
    "с",
    "что",
    "ссылка",
    "время",
    "жизни",
    "тип",
    "для",
    "каждого",
    "правило",
];

/// Of which rarer words are made.
const SYLLABLES: [&str; 20] = [
    "ва", "ге", "ди", "жо", "зу", "ка", "ле", "ми", "но", "пу", "ра", "се", "ти", "фо", "ху", "ца", "че", "ши", "щё",
    "ю",
];

impl Model {
    pub(super) fn new(seed: u64) -> Self {
        let mut model = Model {
            blocks: vec![],
            next: 0,
            random: Random(seed | 1),
        };
        for _ in 0..12 {
            let words = 4 + model.random.below(20);
            let block = (0..words).flat_map(|_| model.word()).collect();
            model.blocks.push(block);
        }
        model.tidy();
        model
    }

    fn letters(&mut self, text: &str) -> Vec<Letter> {
        let letters = text.chars().map(|letter| {
            self.next += 1;
            Letter {
                letter,
                id: self.next,
                origin: self.next,
            }
        });
        letters.collect()
    }

    pub(super) fn word(&mut self) -> Vec<Letter> {
        let word = match self.random.below(2) {
            0 => WORDS[self.random.below(WORDS.len())].to_owned(),
            _ => (0..2 + self.random.below(2))
                .map(|_| SYLLABLES[self.random.below(SYLLABLES.len())])
                .collect(),
        };
        self.letters(&format!(" {word} "))
    }

    fn copies(&mut self, of: &[Letter]) -> Vec<Letter> {
        let copies = of.iter().map(|letter| {
            self.next += 1;
            Letter {
                id: self.next,
                ..*letter
            }
        });
        copies.collect()
    }

    /// White space as in the text of blocks.
    pub(super) fn tidy(&mut self) {
        for block in &mut self.blocks {
            let mut last = ' ';
            block.retain(|letter| {
                let keeps = letter.letter != ' ' || last != ' ';
                last = letter.letter;
                keeps
            });
            if block.last().is_some_and(|letter| letter.letter == ' ') {
                block.pop();
            }
        }
    }

    pub(super) fn texts(&self) -> QuotableTexts {
        QuotableTexts::of_texts(
            self.blocks
                .iter()
                .map(|block| block.iter().map(|letter| letter.letter).collect()),
        )
    }

    /// A random edit. `noted` are words that are noted.
    pub(super) fn edit(&mut self, noted: &[Letter]) {
        let block = self.random.below(self.blocks.len());
        let at = self.random.below(self.blocks[block].len() + 1);
        match self.random.below(20) {
            0..=6 => {
                let word = self.word();
                self.blocks[block].splice(at..at, word);
            }
            7..=10 => {
                let end = (at + 1 + self.random.below(12)).min(self.blocks[block].len());
                self.blocks[block].drain(at.min(end)..end);
            }
            11 => {
                let rest = self.blocks[block].split_off(at);
                self.blocks.insert(block + 1, rest);
            }
            12 if block + 1 < self.blocks.len() => {
                let rest = self.blocks.remove(block + 1);
                let space = self.letters(" ");
                self.blocks[block].extend(space.into_iter().chain(rest));
            }
            13 => {
                let moved = self.blocks.remove(block);
                let to = self.random.below(self.blocks.len() + 1);
                self.blocks.insert(to, moved);
            }
            14 if self.blocks.len() > 4 => drop(self.blocks.remove(block)),
            15 => {
                let copy = self.blocks[block].clone();
                let copy = self.copies(&copy);
                let to = self.random.below(self.blocks.len() + 1);
                self.blocks.insert(to, copy);
            }
            // A copy of the noted words elsewhere on the page.
            16 => {
                let copy = self.copies(noted);
                self.blocks[block].splice(at..at, copy);
            }
            // A letter of the noted words.
            17 => {
                let id = noted[self.random.below(noted.len())].id;
                let new = self.letters("ъ");
                for block in &mut self.blocks {
                    if let Some(at) = block.iter().position(|letter| letter.id == id) {
                        block.splice(at..=at, new.clone());
                    }
                }
            }
            18 => {
                let words = 4 + self.random.below(20);
                let new = (0..words).flat_map(|_| self.word()).collect();
                self.blocks.insert(block, new);
            }
            _ => {
                let new = self.letters("щ");
                let end = (at + 1).min(self.blocks[block].len());
                self.blocks[block].splice(at.min(end)..end, new);
            }
        }
        self.tidy();
    }

    /// Whether the noted words themselves are still there, with something of what was around them.
    fn has(&self, noted: &[Letter], quote: &Quote) -> bool {
        let sought = Sought::of(quote);
        let all: Vec<Option<Letter>> = self
            .blocks
            .iter()
            .flat_map(|block| block.iter().copied().map(Some).chain([None]))
            .collect();
        let Some(at) = all.iter().position(|letter| *letter == Some(noted[0])) else {
            return false;
        };
        let end = at + noted.len();
        let stands = all
            .get(at..end)
            .is_some_and(|own| own.iter().zip(noted).all(|(own, noted)| *own == Some(*noted)));
        let text = |letters: &[Option<Letter>]| {
            letters
                .iter()
                .map(|letter| letter.map_or('\n', |own| own.letter))
                .collect::<Vec<_>>()
        };
        let before = common(sought.prefix.iter().rev(), text(&all[..at]).iter().rev());
        stands && (before >= sought.near || common(sought.suffix.iter(), text(&all[end..]).iter()) >= sought.near)
    }

    /// Whether the text around a place is what was around the noted words in their block: someone deleted them and typed them again.
    fn is_typed_again(&self, place: QuotePlace, note: &Noted, is_same: impl Fn(&Letter, &Letter) -> bool) -> bool {
        let near = Sought::of(&note.quote).near;
        let is_around = |is: &mut dyn Iterator<Item = &Letter>, was: &mut dyn Iterator<Item = &Letter>| {
            let is = is.filter(is_shown);
            let pairs = is.zip(was.filter(is_shown)).take(near * 2);
            pairs.filter(|(is, was)| is_same(is, was)).count() >= near
        };
        let (before, from) = self.blocks.split_at(place.block);
        let before = before.iter().flatten().chain(&from[0][..place.start]);
        let after = from[0][place.end..].iter().chain(from[1..].iter().flatten());
        let before: Vec<&Letter> = before.collect();
        is_around(&mut before.into_iter().rev(), &mut note.before.iter().rev())
            || is_around(&mut { after }, &mut note.after.iter())
    }

    /// Why the place is wrong; None if it is right.
    pub(super) fn wrong(&self, place: QuotePlace, note: &Noted) -> Option<String> {
        let Noted {
            quote, letters: noted, ..
        } = note;
        let letters = &self.blocks[place.block][place.start..place.end];
        let shown: String = letters.iter().map(|letter| letter.letter).collect();
        let count =
            |is_it: &dyn Fn(&Letter) -> bool| letters.iter().filter(is_shown).filter(|letter| is_it(letter)).count();
        let own = count(&|letter| noted.iter().any(|noted| noted.id == letter.id));
        let copied = count(&|letter| noted.iter().any(|noted| noted.origin == letter.origin));
        let all = noted.iter().filter(is_shown).count();
        let covers = |known: usize| known * 2 >= all && count(&|_| true) <= known + all / 2;
        let is_typed_again = |is_same: &dyn Fn(&Letter, &Letter) -> bool| {
            shown == quote.exact && self.is_typed_again(place, note, is_same)
        };
        if covers(own) || is_typed_again(&|is, was| is.id == was.id) {
            return None;
        }
        // A copy is the place only when the words themselves are gone, or nothing is left of what was around them.
        let is_copy = covers(copied) || is_typed_again(&|is, was| is.origin == was.origin);
        match is_copy && !self.has(noted, quote) {
            true => None,
            false => Some(format!(
                "«{}» was found as «{shown}» in the block {}",
                quote.exact, place.block
            )),
        }
    }
}

/// Words of a page that are noted.
pub(super) struct Noted {
    pub(super) quote: Quote,
    pub(super) letters: Vec<Letter>,
    /// The rest of their block.
    before: Vec<Letter>,
    after: Vec<Letter>,
}

/// Notes of random words of a page.
pub(super) fn noted(model: &mut Model, count: usize) -> Vec<Noted> {
    let texts = model.texts();
    let mut notes = vec![];
    while notes.len() < count {
        let block = model.random.below(model.blocks.len());
        let len = model.blocks[block].len();
        let start = model.random.below(len);
        let end = (start + 1 + model.random.below(60)).min(len);
        let letters = model.blocks[block].get(start..end).unwrap_or_default().to_vec();
        let is_space = |letter: Option<&Letter>| letter.is_none_or(|letter| letter.letter == ' ');
        if is_space(letters.first()) || is_space(letters.last()) {
            continue;
        }
        let exact: String = letters.iter().map(|letter| letter.letter).collect();
        let quote = texts.select(block, Some(start), &exact).unwrap();
        assert_eq!(texts.find(&quote, true), Some(QuotePlace { block, start, end }));
        let (before, after) = (
            model.blocks[block][..start].to_vec(),
            model.blocks[block][end..].to_vec(),
        );
        notes.push(Noted {
            quote,
            letters,
            before,
            after,
        });
    }
    notes
}
