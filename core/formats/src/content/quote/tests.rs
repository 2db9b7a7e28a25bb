use proptest::prelude::*;
use serde_json::json;

use super::*;

fn texts(blocks: &[&str]) -> QuotableTexts {
    QuotableTexts::of_texts(blocks.iter().map(|text| (*text).to_owned()))
}

const BLOCKS: [&str; 3] = [
    "Ownership is a set of rules that govern how a program manages memory.",
    "All programs have to manage the way they use a computer's memory while running. Some languages look for memory that is no longer used.",
    "Each value has an owner. There can only be one owner at a time. When the owner goes out of scope, the value will be dropped.",
];

fn found(quote: &Quote, blocks: &[&str]) -> Option<(usize, String)> {
    let place = texts(blocks).find(quote, false)?;
    let text: Vec<char> = blocks[place.block].chars().collect();
    Some((place.block, text[place.start..place.end].iter().collect()))
}

fn here(block: usize, text: &str) -> Option<(usize, String)> {
    Some((block, text.to_owned()))
}

#[test]
fn the_text_of_a_block_has_one_space_for_all_that_parts_words() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let block = json!({"type": "bulletList", "content": [
        {"type": "listItem", "content": [{"type": "paragraph", "content": [text("Один"), {"type": "hardBreak"}, text(" два,  ")]}]},
        {"type": "listItem", "content": [{"type": "paragraph", "content": [
            text("при"), {"type": "inlineMath", "attrs": {"latex": "x^2"}}, text("т"), text("ри\n")]}]},
    ]});
    assert_eq!(quotable_text(&block), "Один два, при три");
    let image = json!({"type": "image", "attrs": {"src": "/files/a/b.png", "caption": "Рис. 1"}});
    assert_eq!(quotable_text(&image), "");
}

#[test]
fn words_are_selected_by_their_place_or_if_the_block_has_them_once() {
    let page = texts(&BLOCKS);
    let quote = page.select(2, Some(47), "owner").unwrap();
    assert_eq!((quote.block, quote.start, quote.exact.as_str()), (2, 47, "owner"));
    assert_eq!(quote.prefix, "an owner. There can only be one ");
    assert_eq!(quote.suffix, " at a time. When the owner goes ");
    assert_eq!(page.select(2, None, "one  owner at").unwrap().start, 43);
    assert_eq!(page.select(2, None, "owner"), None);
    for (block, start, exact) in [
        (2, Some(44), "owner"),
        (3, Some(0), "a"),
        (0, Some(usize::MAX), "a"),
        (0, None, " "),
        (0, None, "memory. All"),
    ] {
        assert_eq!(page.select(block, start, exact), None, "{exact}");
    }
    assert_eq!(page.select(0, None, &"я".repeat(MAX_EXACT + 1)), None);
}

#[test]
fn words_are_found_in_a_changed_page() {
    let quote = texts(&BLOCKS).select(2, Some(47), "owner").unwrap();
    assert_eq!(texts(&BLOCKS).find(&quote, true).map(|place| place.start), Some(47));
    assert_eq!(found(&quote, &BLOCKS), here(2, "owner"));
    // Blocks around were moved, the block was split, the words before were changed.
    assert_eq!(found(&quote, &["New", BLOCKS[2], BLOCKS[0]]), here(1, "owner"));
    let split = [
        "Each value has an owner.",
        "There can only be one owner at a time. When the owner goes away.",
    ];
    assert_eq!(found(&quote, &split), here(1, "owner"));
    assert_eq!(
        found(&quote, &["No more than one owner at a time. When the owner goes out."]),
        here(0, "owner")
    );
    // The words are gone, or could be one of two.
    assert_eq!(found(&quote, &["Each value has an owner.", BLOCKS[1]]), None);
    assert_eq!(found(&quote, &[BLOCKS[2], BLOCKS[2]]), None);
    assert_eq!(found(&quote, &[]), None);
}

#[test]
fn slightly_changed_words_are_found_between_what_is_around_them() {
    let quote = texts(&BLOCKS)
        .select(1, None, "manage the way they use a computer's memory")
        .unwrap();
    let changed = BLOCKS[1].replace("a computer's", "the computer's");
    assert_eq!(
        found(&quote, &[&changed]),
        here(0, "manage the way they use the computer's memory")
    );
    let rewritten = BLOCKS[1].replace("the way they use a computer's", "somehow the");
    assert_eq!(found(&quote, &[&rewritten]), None);
}

#[test]
fn long_words_are_found_without_anything_around_them() {
    let words = "how a program manages memory across the parts of it";
    let quote = texts(&["First, we look at", words, "and then at scopes."])
        .select(1, None, words)
        .unwrap();
    assert_eq!(found(&quote, &["Other", words]), here(1, words));
    assert_eq!(found(&quote, &["Other", words, words]), None);
    let short = texts(&["First, we look at", "Rules", "and then at scopes."])
        .select(1, None, "Rules")
        .unwrap();
    assert_eq!(found(&short, &["Other", "Rules"]), None);
}

/// Random numbers that are the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end.max(1)
    }
}

/// A character of a page, with a number that no other has, and that of the character of which it is a copy.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Letter {
    letter: char,
    id: usize,
    origin: usize,
}

/// A page whose characters are known apart.
struct Model {
    blocks: Vec<Vec<Letter>>,
    next: usize,
    random: Random,
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
    fn new(seed: u64) -> Self {
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

    fn word(&mut self) -> Vec<Letter> {
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
    fn tidy(&mut self) {
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

    fn texts(&self) -> QuotableTexts {
        QuotableTexts::of_texts(
            self.blocks
                .iter()
                .map(|block| block.iter().map(|letter| letter.letter).collect()),
        )
    }

    /// A random edit. `noted` are words that are noted.
    fn edit(&mut self, noted: &[Letter]) {
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

    /// Why the place is wrong; None if it is right.
    fn wrong(&self, place: QuotePlace, (quote, noted): (&Quote, &[Letter])) -> Option<String> {
        let letters = &self.blocks[place.block][place.start..place.end];
        let shown: String = letters.iter().map(|letter| letter.letter).collect();
        let is_shown = |letter: &&Letter| letter.letter != ' ';
        let count =
            |is_it: &dyn Fn(&Letter) -> bool| letters.iter().filter(is_shown).filter(|letter| is_it(letter)).count();
        let own = count(&|letter| noted.iter().any(|noted| noted.id == letter.id));
        let copied = count(&|letter| noted.iter().any(|noted| noted.origin == letter.origin));
        let (all, most) = (noted.iter().filter(is_shown).count(), noted.len() / CHANGED);
        let covers = |known: usize| known + most >= all && count(&|_| true) <= known + most;
        if covers(own) {
            return None;
        }
        // A copy is the place only when the words themselves are gone, or nothing is left of what was around them.
        match covers(copied) && !self.has(noted, quote) {
            true => None,
            false => Some(format!(
                "«{}» was found as «{shown}» in the block {}",
                quote.exact, place.block
            )),
        }
    }
}

/// Notes of random words of a page.
fn noted(model: &mut Model, count: usize) -> Vec<(Quote, Vec<Letter>)> {
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
        notes.push((quote, letters));
    }
    notes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn after_a_thousand_edits_no_note_is_at_a_wrong_place(seed: u64) {
        let mut model = Model::new(seed);
        let notes = noted(&mut model, 24);
        for edit in 1..=1000 {
            let of = model.random.below(notes.len());
            model.edit(&notes[of].1);
            if edit < 40 || edit % 20 == 0 {
                let texts = model.texts();
                for (quote, letters) in &notes {
                    // No place means that the note says that its place is gone.
                    if let Some(place) = texts.find(quote, false) {
                        let wrong = model.wrong(place, (quote, letters));
                        prop_assert!(wrong.is_none(), "after {} edits: {}", edit, wrong.unwrap_or_default());
                    }
                }
            }
        }
    }

    #[test]
    fn a_note_survives_edits_of_other_blocks(seed: u64) {
        let mut model = Model::new(seed);
        let mut kept = 0;
        let notes = noted(&mut model, 24);
        for (quote, letters) in &notes {
            let mut model = Model { blocks: model.blocks.clone(), next: model.next, random: Random(seed | 3) };
            let own: Vec<usize> = model.blocks[quote.block].iter().map(|letter| letter.id).collect();
            for _ in 0..10 {
                let others: Vec<usize> = (0..model.blocks.len()).filter(|block| model.blocks[*block].first().is_none_or(|letter| !own.contains(&letter.id))).collect();
                let block = others[model.random.below(others.len())];
                let word = model.word();
                model.blocks[block].splice(0..0, word);
            }
            model.tidy();
            let place = model.texts().find(quote, false);
            kept += usize::from(place.is_some_and(|place| model.wrong(place, (quote, letters)).is_none()));
        }
        prop_assert!(kept * 10 >= notes.len() * 9, "only {} of {} were found", kept, notes.len());
    }
}
