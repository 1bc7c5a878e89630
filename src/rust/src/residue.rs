// SPDX-License-Identifier: MIT AND Unicode-3.0
//! Digests of what the tokens of a document leave out: those of `hash --json --token-counts`, which `src/fingerprint/residue.ts`
//! of the npm package defines.

use std::sync::OnceLock;

use crate::steps::{classify, locators, lookup3, normalise, token_hash, tokenise, Class};
use crate::Label;

/// The residue of a whole text.
pub(crate) fn residue_of(text: &str) -> [u64; NAMES.len()] {
    let mut residue = Residue::new();
    residue.add(&normalise(text), |_| {});
    residue.finish()
}

/// The names of the digests, in their order: numbers, locators and other characters in their order, the same in any order,
/// the tokens in lower case, and those with upper case and their places.
pub const NAMES: [&str; 6] = ["numbers", "locators", "characters", "character_counts", "letters", "capitals"];

// -------------------------------------------------------------------------------------------------------- kinds

/// The kinds of code points, by the data of Unicode 12.0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// White space, controls and what is not seen: never counts.
    Space,
    Letter,
    /// Marks and connectors, which are parts of words, but do not make one.
    Mark,
    /// General categories Nd, Nl and No.
    Digit,
    /// Separators within a number, if digits are on both sides.
    Separator,
    Dash,
    Plus,
    /// A quotation mark, apostrophe or prime.
    Quote,
    /// A symbol that is a bullet at the beginning of a line.
    LineBullet,
    Symbol,
}

// Ranges from U+0080 on: how far each begins after the one before, and how many code points follow its first. Base 36.
const DECIMAL_DIGITS: &str = "19c+9 3q+9 5i+9 bg+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 3a+9 2o+9 3a+9 1y+9 7q+9 1y+9 1fq+9 12+9 8c+9 3k+9 4m+9 \
    6+9 52+9 2e+9 3q+9 6+9 r7q+9 iu+9 12+9 5i+9 m+9 2e+9 ba+9 geu+9 13a+9 1om+9 mk+9 3k+9 1o+9 40+9 7q+9 9i+9 3a+9 ae+9 \
    2u+9 2u+9 bq+9 o6+9 6u+9 1y+9 f5i+9 6e+9 lf8+1d 1ts+9 bq+9 192+9";
const OTHER_NUMBERS: &str = "4y+1 5 2+2 1th+5 ag+5 3c+2 3p+6 61+6 h+8 c1+9 tx+j oh+2 73+9 dc 1at 3+5 6+9 5i+1e 2+4 k6+1n \
    26+l hi+t 12h ll p+8 e+2 9j+3 3u+9 u+7 1+e w+9 13+e mxy+9 8w+5 hjl+18 c+1k h+1 9h+q 10+3 t 8 3q+4 w2+7 p+6 13+8 23+4 m+5 \
    4g+1 2+f 2+19 1s+8 1g+1 u+2 23+4 2w+7 o+7 15+6 96+5 9s+u 4e+9 16+3 71+j aj+j 11h+1 by+8 o7+i nn+k tn+32 e0c+6 m6+m jt5+j \
    30+o 47i+8 pt+1m 1+2 1+3 24+18 1+e qq+c";
/// Category Pd, and U+2212.
const DASHES: &str = "13e 1f 2td sl 1l5+5 e4 2dg 2 v+1 4 d7 j 33 14ls+1 11 a 4p";
/// Categories Zs, Zl, Zp, Cc and Cf.
const SPACES: &str =
    "3k+w c 11u+5 m 5c 1d cy 2ot b1 1kh+f o+7 1b+5 1+9 32o 14vy 6x+2 3b5 f 6zm+8 qxz+3 43z+7 h406 u+2n";

/// Bullets wherever they are: dots, small squares and triangles, and those of the fonts Symbol and Wingdings.
const BULLETS: &str =
    "\u{2022}\u{2023}\u{2043}\u{204c}\u{204d}\u{2219}\u{25aa}\u{25ab}\u{25e6}\u{f02d}\u{f06f}\u{f076}\u{f0a7}\u{f0b7}\u{f0d8}";
/// Filled and empty boxes and circles may be answers: only filled ones are bullets, and only before the text of a line.
const LINE_BULLETS: &str = "*\u{b7}\u{25a0}\u{25b6}\u{25b8}\u{25ba}\u{25c6}\u{25cf}\u{2756}\u{27a2}\u{27a4}";
const QUOTES: &str =
    "'\"\u{ab}\u{b4}\u{bb}\u{2018}\u{2019}\u{201a}\u{201b}\u{201c}\u{201d}\u{201e}\u{201f}\u{2032}\u{2033}\
    \u{2034}\u{2035}\u{2036}\u{2037}\u{2039}\u{203a}\u{301d}\u{301e}\u{301f}\u{ff02}\u{ff07}";
const SEPARATORS: &str = ".,:/\u{66b}\u{66c}\u{2044}";

type Ranges = Vec<(u32, u32)>;

pub(crate) struct Kinds {
    ascii: [Kind; 128],
    decimals: Ranges,
    ranges: Vec<(u32, u32, Kind)>,
}

fn ranges_of(text: &str) -> Ranges {
    let number = |digits: &str| u32::from_str_radix(digits, 36).unwrap_or_default();
    let mut end = 0;
    let range = |part: &str| {
        let (gap, more) = part.split_once('+').unwrap_or((part, "0"));
        let first = end + number(gap);
        end = first + number(more) + 1;
        (first, end - 1)
    };
    text.split_ascii_whitespace().map(range).collect()
}

fn kinds() -> &'static Kinds {
    static KINDS: OnceLock<Kinds> = OnceLock::new();
    KINDS.get_or_init(|| {
        let single =
            |text: &str, kind| text.chars().map(move |c| (u32::from(c), u32::from(c), kind)).collect::<Vec<_>>();
        let some =
            |ranges: Ranges, kind| ranges.into_iter().map(|(first, last)| (first, last, kind)).collect::<Vec<_>>();
        let decimals = ranges_of(DECIMAL_DIGITS);
        let mut ranges = [
            single(BULLETS, Kind::Space),
            single(LINE_BULLETS, Kind::LineBullet),
            single(QUOTES, Kind::Quote),
            single(SEPARATORS, Kind::Separator),
            single("-", Kind::Dash),
            single("+", Kind::Plus),
            some(vec![(0x30, 0x39)], Kind::Digit),
            some(decimals.clone(), Kind::Digit),
            some(ranges_of(OTHER_NUMBERS), Kind::Digit),
            some(ranges_of(DASHES), Kind::Dash),
            some(vec![(0, 0x20), (0x7F, 0x7F)], Kind::Space),
            some(ranges_of(SPACES), Kind::Space),
        ]
        .concat();
        ranges.sort_unstable_by_key(|&(first, _, _)| first);
        let ascii = std::array::from_fn(|byte| derive(&ranges, byte as u32));
        Kinds { ascii, decimals, ranges }
    })
}

/// The kind of a code point that is in one of the ranges, or else of its class.
fn derive(ranges: &[(u32, u32, Kind)], code_point: u32) -> Kind {
    let before = ranges.partition_point(|&(first, _, _)| first <= code_point);
    match ranges[..before].last() {
        Some(&(_, last, kind)) if code_point <= last => kind,
        _ => match classify(code_point) {
            Ok(Class::Letter) => Kind::Letter,
            Ok(Class::Word) => Kind::Mark,
            _ => Kind::Symbol,
        },
    }
}

impl Kinds {
    pub(crate) fn get() -> &'static Kinds {
        kinds()
    }

    pub(crate) fn of(&self, c: char) -> Kind {
        self.ascii.get(c as usize).copied().unwrap_or_else(|| derive(&self.ranges, c.into()))
    }

    /// The ASCII digit of the same value as a decimal digit of any script; any other number is itself.
    pub(crate) fn ascii_digit(&self, c: char) -> char {
        // Decimal digits come in runs that begin with a zero.
        let code_point = u32::from(c);
        let before = self.decimals.partition_point(|&(first, _)| first <= code_point);
        match self.decimals[..before].last() {
            Some(&(first, last)) if code_point <= last => char::from(b'0' + ((code_point - first) % 10) as u8),
            _ => c,
        }
    }
}

/// The lower case of a character, if that is one character, and σ for ς.
pub(crate) fn fold_case(c: char) -> char {
    fn one(mut all: impl Iterator<Item = char>, c: char) -> char {
        match (all.next(), all.next()) {
            (Some(one), None) => one,
            _ => c,
        }
    }
    let upper = one(c.to_uppercase(), c);
    one(upper.to_lowercase(), upper)
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

// ------------------------------------------------------------------------------------------------------ digests

/// The bytes that are hashed together.
const BLOCK: usize = 252;

/// A digest of 64 bits over bytes that arrive one by one, or in words: lookup3, from block to block.
#[derive(Default)]
struct Digest {
    block: Vec<u8>,
    hash: (u32, u32),
}

impl Digest {
    fn add(&mut self, byte: u8) {
        self.block.push(byte);
        if self.block.len() == BLOCK {
            self.close();
        }
    }

    fn add_char(&mut self, c: char) {
        c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| self.add(byte));
    }

    /// Adds bytes as one word: others do not have the same digest with their ends elsewhere.
    fn add_word(&mut self, word: &[u8]) {
        self.hash = lookup3(word, self.hash.0, self.hash.1);
    }

    fn close(&mut self) -> u64 {
        self.hash = lookup3(&self.block, self.hash.0, self.hash.1);
        self.block.clear();
        join(self.hash)
    }
}

fn join((low, high): (u32, u32)) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

// ------------------------------------------------------------------------------------------------------ residue

const END: u8 = b' ';

/// A character whose meaning depends on the next one.
struct Pending {
    kind: Kind,
    c: char,
    after_word: bool,
}

/// Digests of what the tokens of a document leave out, which takes the pieces of a normalised document.
pub struct Residue {
    kinds: &'static Kinds,
    numbers: Digest,
    locators: Digest,
    characters: Digest,
    character_sums: (u32, u32),
    letters: Digest,
    capitals: Digest,
    pending: Option<Pending>,
    /// True if the last character was a letter, mark or digit.
    is_after_word: bool,
    /// True if the last character, besides the pending one, was a digit.
    is_in_number: bool,
    /// True if only spaces have come in this line.
    is_line_start: bool,
    /// True if a letter has come in this run of letters, marks and digits.
    has_letter: bool,
    is_in_locator: bool,
    tokens: u64,
    lower: String,
}

impl Default for Residue {
    fn default() -> Self {
        Residue::new()
    }
}

impl Residue {
    /// An empty document.
    #[must_use]
    pub fn new() -> Residue {
        Residue {
            kinds: kinds(),
            numbers: Digest::default(),
            locators: Digest::default(),
            characters: Digest::default(),
            character_sums: (0, 0),
            letters: Digest::default(),
            capitals: Digest::default(),
            pending: None,
            is_after_word: false,
            is_in_number: false,
            is_line_start: true,
            has_letter: false,
            is_in_locator: false,
            tokens: 0,
            lower: String::new(),
        }
    }

    /// Ends the document. Returns the digests in the order of [`NAMES`].
    #[must_use]
    pub fn finish(mut self) -> [u64; NAMES.len()] {
        self.add_character(Kind::Space, '\n');
        self.end_locator();
        [
            self.numbers.close(),
            self.locators.close(),
            self.characters.close(),
            join(self.character_sums),
            self.letters.close(),
            self.capitals.close(),
        ]
    }

    /// Adds normalised text, which is cut where tokens and locators end, and hands it over without its locators.
    pub fn add(&mut self, normal: &str, visit: impl FnOnce(&str)) {
        let mut stripped = String::with_capacity(normal.len());
        let mut done = 0;
        for place in locators(normal) {
            self.add_text(&normal[done..place.start]);
            self.add_locator(&normal[place.clone()]);
            stripped.push_str(&normal[done..place.start]);
            stripped.push(' ');
            done = place.end;
        }
        self.add_text(&normal[done..]);
        stripped.push_str(&normal[done..]);
        for token in tokenise(&stripped, Label::SimhashDoc) {
            self.add_token(token);
        }
        visit(&stripped);
    }

    /// Adds normalised text without locators.
    fn add_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.end_locator();
        }
        for c in text.chars() {
            if c == '\u{2026}' {
                (0..3).for_each(|_| self.add_character(Kind::Separator, '.')); // an ellipsis
            } else {
                self.add_character(self.kinds.of(c), c);
            }
        }
    }

    fn add_character(&mut self, kind: Kind, c: char) {
        // Within a word.
        if kind == Kind::Letter && self.has_letter && !self.is_in_number {
            return;
        }
        // A run of dashes is one.
        if kind == Kind::Dash && self.pending.as_ref().is_some_and(|pending| pending.kind == Kind::Dash) {
            return;
        }
        self.settle(kind);
        match kind {
            Kind::Letter => {
                self.end_number();
                self.has_letter = true;
            }
            Kind::Mark => {
                self.end_number();
                if !self.has_letter {
                    self.add_symbol(c);
                }
            }
            Kind::Digit => {
                self.numbers.add_char(self.kinds.ascii_digit(c));
                self.is_in_number = true;
            }
            Kind::Space => {
                self.end_number();
                self.is_line_start |= is_line_end(c);
                (self.is_after_word, self.has_letter) = (false, false);
                return;
            }
            _ => self.add_other(kind, c),
        }
        if matches!(kind, Kind::Letter | Kind::Mark | Kind::Digit) {
            self.is_after_word = true;
        } else {
            (self.is_after_word, self.has_letter) = (false, false);
        }
        self.is_line_start = false;
    }

    /// Adds a character that is neither part of a word or number nor a space, or waits for what follows it.
    fn add_other(&mut self, kind: Kind, c: char) {
        let is_quote = kind == Kind::Quote;
        if self.is_in_number && (kind == Kind::Separator || is_quote && matches!(c, '\'' | '\u{2019}')) {
            let solidus = if c == '\u{2044}' { '/' } else { c };
            return self.wait(Kind::Separator, if is_quote { '\'' } else { solidus });
        }
        if kind == Kind::Dash {
            return self.wait(kind, '-');
        }
        self.end_number();
        if kind == Kind::Plus || kind == Kind::LineBullet && self.is_line_start {
            self.wait(kind, c);
        } else if !is_quote {
            self.add_symbol(c);
        }
    }

    fn wait(&mut self, kind: Kind, c: char) {
        self.pending = Some(Pending { kind, c, after_word: self.is_after_word });
    }

    /// Adds the pending character, now that the kind of the next one is known.
    fn settle(&mut self, next: Kind) {
        let Some(Pending { kind, c, after_word }) = self.pending.take() else { return };
        if next == Kind::Digit {
            if self.is_in_number || !after_word && matches!(kind, Kind::Dash | Kind::Plus) {
                return self.numbers.add_char(c);
            }
            if kind == Kind::Dash {
                return;
            }
        }
        self.end_number();
        let is_typography = match kind {
            Kind::Dash => next == Kind::Space || matches!(next, Kind::Letter | Kind::Mark) && after_word,
            Kind::LineBullet => next == Kind::Space,
            _ => c == '\'',
        };
        if !is_typography {
            self.add_symbol(c);
        }
    }

    fn add_symbol(&mut self, c: char) {
        self.characters.add_char(c);
        let hash = token_hash(c.encode_utf8(&mut [0; 4]).as_bytes());
        let (low, high) = &mut self.character_sums;
        *low = low.wrapping_add(hash as u32);
        *high = high.wrapping_add((hash >> 32) as u32);
    }

    fn end_number(&mut self) {
        if std::mem::take(&mut self.is_in_number) {
            self.numbers.add(END);
        }
    }

    /// Adds a locator. To the text around it, it is a space.
    fn add_locator(&mut self, locator: &str) {
        self.end_locator();
        self.add_character(Kind::Space, ' ');
        self.is_line_start = false;
        self.is_in_locator = true;
        // Apostrophes may be quotation marks.
        locator.bytes().filter(|&byte| byte != b'\'').for_each(|byte| self.locators.add(byte));
    }

    fn end_locator(&mut self) {
        if std::mem::take(&mut self.is_in_locator) {
            self.locators.add(END);
        }
    }

    /// Adds a token of `simhash-doc`.
    fn add_token(&mut self, token: &str) {
        self.tokens += 1;
        self.lower.clear();
        self.lower.extend(token.chars().map(|c| if c.is_ascii() { c.to_ascii_lowercase() } else { fold_case(c) }));
        self.letters.add_word(self.lower.as_bytes());
        if self.lower != token {
            self.capitals.add_word(&self.tokens.to_le_bytes());
            self.capitals.add_word(token.as_bytes());
        }
    }
}
