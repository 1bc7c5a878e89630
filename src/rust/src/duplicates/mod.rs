// SPDX-License-Identifier: MIT
//! Near-duplicates among texts, by the overlap of their words: as the commands `dedupe` and `dupes` of the npm package find them.
//!
//! ```
//! use simhash_doc::duplicates::{dedupe, find_pairs, Options};
//!
//! let texts = ["A fox jumps over the dog", "A fox jumps over the dog.", "A hare"].map(Some);
//! let rows = dedupe(&texts, &Options::default()).unwrap();
//! assert_eq!(rows.iter().map(|row| row.kept).collect::<Vec<_>>(), [0, 0, 2]);
//! let pairs = find_pairs(&texts, &Options::default()).unwrap();
//! assert_eq!((pairs[0].kept, pairs[0].other, pairs[0].overlap), (0, 1, Some(1.0)));
//! ```

mod kept;
mod marks;
mod near;
mod rare;
mod threads;

use std::cell::OnceCell;
use std::collections::hash_map::{Entry, RandomState};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::thread;

use crate::fingerprinter::HashReader;
use crate::minhash::MinHash;
use crate::residue::residue_of;
use crate::text::decode;
use crate::{Error, Label};

use kept::Kept;
pub use marks::Reason;
use marks::{reason_of, Marker, Marks};
use near::{bands_of, components, distance, distance_limit, Bands, Near, Reach, Words, MIN_BANDED, MIN_BANDED_OVERLAP};
use rare::TokenFilter;
use threads::{map, map_with, Run};

/// The label of the fingerprints.
const LABEL: Label = Label::MinhashDoc256;

/// Up to so many documents of a component, all that are kept are candidates.
const FEW: usize = 32;

/// A document is compared with so many kept ones at either end of their list to tell why it is kept.
const LOOK: usize = 4;

/// A component with more tokens is verified with all threads.
const LARGE: usize = 1 << 18;

/// The document to keep of several that match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The first one.
    #[default]
    First,
    /// The one with the most tokens; of several, the first.
    Longest,
}

/// How texts are compared.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The smallest overlap of two texts that match (VER-1), 0 to 1.
    pub min_overlap: f64,
    /// Also texts match whose numbers, first lines or short words differ (VER-5), or what is beside their words.
    pub ignores_differences: bool,
    /// The text to keep.
    pub keep: Keep,
    /// False if fingerprints within 25 bits are enough: then a few pairs are missed, and others are not duplicates.
    pub verify: bool,
    /// The number of texts, the first ones, that are kept; others are removed only for one of these. 0: for any.
    pub references: usize,
    /// The number of threads; 0: one for each processor.
    pub threads: usize,
    /// Set by another thread to end the work early; what is returned then is to be thrown away.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            min_overlap: 0.8,
            ignores_differences: false,
            keep: Keep::First,
            verify: true,
            references: 0,
            threads: 0,
            stop: None,
        }
    }
}

/// A text after [`dedupe`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The text that is kept in its place; itself if it is kept.
    pub kept: usize,
    /// The distance to that text.
    pub distance: u32,
    /// The overlap with that text; none if only fingerprints were compared.
    pub overlap: Option<f64>,
    /// Why it is kept although most of its words are in a text that is kept before.
    pub differs: Option<Reason>,
}

/// A difference besides the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Difference {
    /// The numbers, in their order.
    Numbers,
    /// The locators, in their order.
    Locators,
    /// Other characters, where the words are the same.
    Characters,
    /// The order of the same words.
    Order,
}

/// Two texts that match.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The first one.
    pub kept: usize,
    /// The other one.
    pub other: usize,
    /// The distance of the fingerprints, 0 to 256.
    pub distance: u32,
    /// The share of common words; none if only fingerprints were compared.
    pub overlap: Option<f64>,
    /// Differences besides the words. Unless there are none, the texts are not duplicates.
    pub differs: Vec<Difference>,
}

/// What is kept of each text. Its tokens are computed again if they are needed, which takes less time than new memory for all.
#[derive(Clone, Copy)]
struct Summary {
    words: Words,
    tokens: usize,
}

/// The hashes of the tokens of a text, ascending.
#[derive(Default)]
struct Tokens {
    hashes: Vec<u64>,
    distinct: usize,
}

/// Reads texts, one after the other.
struct Reader {
    hashes: HashReader,
    minhash: Option<MinHash>,
    distinct: Vec<u64>,
}

impl Reader {
    fn new() -> Reader {
        Reader { hashes: HashReader::new(LABEL), minhash: MinHash::new(LABEL).ok(), distinct: Vec::new() }
    }

    fn tokens(&mut self, text: &str) -> Tokens {
        let hashes = sorted(self.hashes.read(text));
        let repeated = hashes.windows(2).filter(|pair| pair[0] == pair[1]).count();
        Tokens { distinct: hashes.len() - repeated, hashes }
    }

    /// None for a text without tokens.
    fn summary(&mut self, text: &str, has_bands: bool) -> Option<(Summary, Option<Bands>)> {
        const RECENT: usize = 512;
        let hashes = self.hashes.read(text);
        // Most repeated tokens are left out, which do not change the fingerprint; a token is never taken for another.
        let mut recent: [u64; RECENT] = std::array::from_fn(|place| !place as u64);
        let mut count = 0;
        self.distinct.resize(hashes.len(), 0);
        for &hash in hashes {
            let last = std::mem::replace(&mut recent[hash as usize % RECENT], hash);
            self.distinct[count] = hash;
            count += usize::from(last != hash);
        }
        let minhash = self.minhash.as_mut()?;
        minhash.restart();
        minhash.add_all(&self.distinct[..count]);
        let words = minhash.fingerprint().map(|found| [0, 1, 2, 3].map(|w| found.words()[w]))?;
        let bands = has_bands.then(|| bands_of(minhash.lower_draws()));
        Some((Summary { words, tokens: hashes.len() }, bands))
    }
}

/// Sorts hashes: first by their upper bits, which divide most lists into short ones.
fn sorted(hashes: &[u64]) -> Vec<u64> {
    const BUCKETS: usize = 256;
    if hashes.len() < BUCKETS / 8 || hashes.len() > 32 * BUCKETS {
        let mut sorted = hashes.to_vec();
        sorted.sort_unstable();
        return sorted;
    }
    let bucket = |hash: u64| (hash >> 56) as usize;
    let mut ends = [0; BUCKETS + 1];
    for &hash in hashes {
        ends[bucket(hash) + 1] += 1;
    }
    for at in 1..=BUCKETS {
        ends[at] += ends[at - 1];
    }
    let mut sorted = vec![0; hashes.len()];
    for &hash in hashes {
        let end = &mut ends[bucket(hash)];
        sorted[*end] = hash;
        *end += 1;
    }
    // Insertion, which takes long only for hashes that somebody has chosen.
    let mut moves = 0;
    for at in 1..sorted.len() {
        let mut place = at;
        while place > 0 && sorted[place - 1] > sorted[place] {
            sorted.swap(place - 1, place);
            place -= 1;
        }
        moves += at - place;
        if moves > 8 * sorted.len() {
            sorted.sort_unstable();
            break;
        }
    }
    sorted
}

/// VER-1: the overlap of two documents; none if it is too small, which a part of the tokens decides for most pairs.
fn overlap_at_least(a: &[u64], b: &[u64], min: f64) -> Option<f64> {
    let all = (a.len() + b.len()) as f64;
    // The common part c has c / (all - c) >= min; so a larger rest cannot be missing.
    let needed = (min * all) / (1.0 + min) - 1e-6;
    let spare = |list: &[u64]| (list.len() as f64 - needed).max(0.0) as usize;
    let (spare_a, spare_b) = (spare(a), spare(b));
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
        if i - common > spare_a || j - common > spare_b {
            return None;
        }
    }
    let overlap = common as f64 / (all - common as f64);
    Some(overlap).filter(|&overlap| overlap >= min)
}

/// Texts with a fingerprint, by their numbers, and their components.
struct Search<'a> {
    texts: Vec<&'a [u8]>,
    summaries: Vec<Summary>,
    /// Empty, or those of each text.
    bands: Vec<Bands>,
    options: &'a Options<'a>,
    run: Run<'a>,
    reach: Reach,
}

fn reach_of(options: &Options<'_>) -> Reach {
    if options.verify {
        Reach::verified(options.min_overlap)
    } else {
        Reach::exact()
    }
}

impl<'a> Search<'a> {
    /// Reads the texts of some rows. The answer has the rows of those with tokens.
    fn new<T: AsRef<[u8]> + Sync>(
        all: &'a [Option<T>],
        rows: Vec<usize>,
        has_bands: bool,
        options: &'a Options<'a>,
        run: Run<'a>,
    ) -> (Search<'a>, Vec<usize>) {
        let text_of = |&row: &usize| all[row].as_ref().map_or(&[][..], AsRef::as_ref);
        let summaries =
            map_with(&rows, &run, Reader::new, |reader, row| reader.summary(&decode(text_of(row)), has_bands));
        let mut search = Search {
            texts: Vec::new(),
            summaries: Vec::new(),
            bands: Vec::new(),
            reach: reach_of(options),
            options,
            run,
        };
        let mut with_tokens = Vec::new();
        for (row, (summary, bands)) in rows.into_iter().zip(summaries).filter_map(|(row, found)| Some((row, found?))) {
            search.texts.push(text_of(&row));
            search.summaries.push(summary);
            search.bands.extend(bands);
            with_tokens.push(row);
        }
        (search, with_tokens)
    }

    fn components(&self) -> Vec<Vec<u32>> {
        components(self.summaries.iter().map(|summary| &summary.words), &self.bands, self.reach, &self.run)
    }

    fn summary(&self, text: u32) -> &Summary {
        &self.summaries[text as usize]
    }

    fn near(&self, order: &[u32]) -> Near {
        let words = order.iter().map(|&text| self.summary(text).words).collect();
        Near::new(words, self.reach)
    }

    /// The tokens of some texts, and what else is read of them, by their places in a component. Without a reader, all threads read.
    fn read<R: Default + Send>(
        &self,
        reader: Option<&mut Reader>,
        order: &[u32],
        is_read: impl Fn(u32) -> bool + Sync,
        read: impl Fn(&str, Tokens) -> R + Sync,
    ) -> Vec<R> {
        let one = |reader: &mut Reader, &text: &u32| {
            if !is_read(text) {
                return R::default();
            }
            let content = decode(self.texts[text as usize]);
            read(&content, reader.tokens(&content))
        };
        match reader {
            Some(reader) => order.iter().map(|text| one(reader, text)).collect(),
            None => map_with(order, &self.run, Reader::new, one),
        }
    }

    /// The distance of two texts that may match: near each other, with similar numbers of tokens.
    fn distance(&self, a: &Summary, b: &Summary) -> Option<u32> {
        let (short, long) = (a.tokens.min(b.tokens), a.tokens.max(b.tokens));
        let distance = distance(&a.words, &b.words);
        (distance <= self.reach.k && short as f64 / long as f64 >= self.options.min_overlap).then_some(distance)
    }

    /// The overlap of two texts; none if it is too small.
    fn overlap(&self, left: &Tokens, right: &Tokens) -> Option<f64> {
        overlap_at_least(&left.hashes, &right.hashes, self.options.min_overlap)
    }

    /// Whether the distance is greater than the lengths of two texts that match let expect.
    fn is_too_far(&self, left: &Tokens, right: &Tokens, distance: u32) -> bool {
        let tokens = (left.hashes.len() + right.hashes.len()) as f64;
        let distinct = (left.distinct + right.distinct) as f64;
        f64::from(distance) > distance_limit(tokens, distinct, self.options.min_overlap)
    }

    /// Works on all components: small ones side by side, each thread with a reader, and large ones with all threads.
    fn each<R: Send>(
        &self,
        components: &[Vec<u32>],
        work: impl Fn(Option<&mut Reader>, &[u32]) -> Vec<R> + Sync,
    ) -> Vec<R> {
        let is_large = |members: &[u32]| members.iter().map(|&text| self.summary(text).tokens).sum::<usize>() > LARGE;
        let mut found = Vec::new();
        for part in components.chunk_by_size(is_large) {
            match part {
                [one] => found.extend(work(None, one)),
                many => {
                    let lists = map_with(many, &self.run, Reader::new, |reader, members| work(Some(reader), members));
                    found.extend(lists.into_iter().flatten());
                }
            }
        }
        found
    }
}

/// Divides components into runs of small ones and large ones alone.
trait ChunkBySize {
    fn chunk_by_size(&self, is_large: impl Fn(&[u32]) -> bool) -> Vec<&[Vec<u32>]>;
}

impl ChunkBySize for [Vec<u32>] {
    fn chunk_by_size(&self, is_large: impl Fn(&[u32]) -> bool) -> Vec<&[Vec<u32>]> {
        let (mut parts, mut start) = (Vec::new(), 0);
        for (place, members) in self.iter().enumerate() {
            if is_large(members) {
                parts.extend([&self[start..place], &self[place..=place]]);
                start = place + 1;
            }
        }
        parts.push(&self[start..]);
        parts
    }
}

fn threads_of(options: &Options<'_>) -> usize {
    match options.threads {
        0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        threads => threads,
    }
}

/// The numbers of the first rows with each text, ascending, and of the others with the first one that has the same.
fn find_copies<T: AsRef<[u8]> + Sync>(texts: &[Option<T>], run: &Run<'_>) -> (Vec<usize>, Vec<(usize, usize)>) {
    let seed = RandomState::new().build_hasher().finish();
    let hashes = map(texts, run, |text| text.as_ref().map_or(0, |text| hash_bytes(text.as_ref(), seed)));
    let mut known: HashMap<u64, usize> = HashMap::with_capacity(texts.len());
    let (mut firsts, mut copies) = (Vec::new(), Vec::new());
    for (row, (text, mut hash)) in texts.iter().zip(hashes).enumerate() {
        let Some(text) = text else { continue };
        let is_same = |&first: &usize| texts[first].as_ref().is_some_and(|first| first.as_ref() == text.as_ref());
        while known.get(&hash).is_some_and(|first| !is_same(first)) {
            hash = hash.wrapping_add(1);
        }
        match known.entry(hash) {
            Entry::Occupied(first) => copies.push((row, *first.get())),
            Entry::Vacant(place) => {
                place.insert(row);
                firsts.push(row);
            }
        }
    }
    (firsts, copies)
}

/// A hash by which equal texts are found; it is quick, and others are told apart by their bytes.
fn hash_bytes(bytes: &[u8], seed: u64) -> u64 {
    let mix = |hash: u64, part: &[u8]| {
        let mut eight = [0; 8];
        eight[..part.len()].copy_from_slice(part);
        let wide = u128::from(hash ^ u64::from_le_bytes(eight)) * 0x9E37_79B9_7F4A_7C15;
        (wide as u64) ^ (wide >> 64) as u64
    };
    // Side by side, multiplications do not wait for each other.
    let blocks = bytes.chunks_exact(32);
    let rest = blocks.remainder().chunks(8);
    let mut lanes = [1, 2, 3, 4].map(|lane| seed.rotate_left(16 * lane));
    for block in blocks {
        for (lane, part) in lanes.iter_mut().zip(block.chunks_exact(8)) {
            *lane = mix(*lane, part);
        }
    }
    let all = lanes.into_iter().fold(bytes.len() as u64, |hash, lane| mix(hash, &lane.to_le_bytes()));
    rest.fold(all, mix)
}

fn check(options: &Options<'_>, texts: usize) -> Result<(), Error> {
    let is_valid =
        (0.0..=1.0).contains(&options.min_overlap) && options.references <= texts && texts < u32::MAX as usize;
    is_valid.then_some(()).ok_or(Error::OutOfRange)
}

static GOES_ON: AtomicBool = AtomicBool::new(false);

fn run_of<'a>(options: &Options<'a>) -> Run<'a> {
    Run { threads: threads_of(options), stop: options.stop.unwrap_or(&GOES_ON) }
}

/// Finds the texts to remove. In the order of preference, a text is kept unless it matches one that is kept before; it is removed
/// for the first of these. Texts match if their fingerprints are near, their words overlap enough (VER-1), and they are not
/// different (VER-5). Of equal texts without tokens, such as numbers, the first is kept. A missing text is kept.
///
/// # Errors
/// [`Error::OutOfRange`] for an overlap or a number of references that is not in range, or 2^32 texts.
pub fn dedupe<T: AsRef<[u8]> + Sync>(texts: &[Option<T>], options: &Options<'_>) -> Result<Vec<Row>, Error> {
    check(options, texts.len())?;
    let run = run_of(options);
    let mut rows: Vec<Row> =
        (0..texts.len()).map(|kept| Row { kept, distance: 0, overlap: None, differs: None }).collect();
    let (firsts, copies) = find_copies(texts, &run);
    let has_bands = options.verify && options.min_overlap >= MIN_BANDED_OVERLAP && firsts.len() > MIN_BANDED;
    let (search, firsts) = Search::new(texts, firsts, has_bands, options, run);
    if !search.run.goes_on() {
        return Ok(rows);
    }
    let references = firsts.iter().take_while(|&&row| row < options.references).count();
    // Without a text to compare with, nothing is removed.
    if options.references == 0 || references > 0 {
        let marker = Marker::new();
        let found =
            search.each(&search.components(), |reader, members| remove(&search, reader, members, references, &marker));
        for (text, row) in found {
            rows[firsts[text as usize]] = Row { kept: firsts[row.kept], ..row };
        }
    }
    for (row, first) in copies {
        let of_first = rows[first];
        if options.references > 0 && (row < options.references || of_first.kept >= options.references) {
            rows[row].differs = of_first.differs;
            continue;
        }
        rows[row] = if of_first.kept == first {
            Row { kept: first, distance: 0, overlap: options.verify.then_some(1.0), differs: None }
        } else {
            of_first
        };
    }
    Ok(rows)
}

/// The texts of a component that are removed, or kept for a reason; `kept` is the number of a text.
fn remove(
    search: &Search<'_>,
    reader: Option<&mut Reader>,
    members: &[u32],
    references: usize,
    marker: &Marker,
) -> Vec<(u32, Row)> {
    let Search { options, run, .. } = search;
    let mut order = members.to_vec();
    if options.keep == Keep::Longest && references == 0 {
        order.sort_by_key(|&text| std::cmp::Reverse(search.summary(text).tokens));
    }
    if !options.verify {
        return remove_unverified(search, &order, references);
    }
    let mut found = Vec::new();
    let mut kept: Vec<u32> = Vec::new();
    let summaries: Vec<Summary> = order.iter().map(|&text| *search.summary(text)).collect();
    // Of a few documents, only those are read that may match another one, and marks are made of those that overlap.
    let is_lazy = order.len() <= FEW && reader.is_some();
    let may_match = |a: u32, b: u32| a != b && search.distance(search.summary(a), search.summary(b)).is_some();
    let is_read = |text: u32| !is_lazy || order.iter().any(|&other| may_match(text, other));
    let facts: Vec<(Tokens, OnceCell<Marks>)> = search.read(reader, &order, is_read, |text, tokens| {
        let marks = if is_lazy { OnceCell::new() } else { marker.mark(text, tokens.hashes.len()).into() };
        (tokens, marks)
    });
    if !run.goes_on() {
        return found;
    }
    let is_checked = !options.ignores_differences;
    let tokens_of = |place: u32| &facts[place as usize].0;
    let marks_of = |place: u32| {
        let (tokens, marks) = &facts[place as usize];
        let text = search.texts[order[place as usize] as usize];
        marks.get_or_init(|| marker.mark(&decode(text), tokens.hashes.len()))
    };
    let mut near = None;
    let mut index = None;
    if order.len() > FEW {
        let marks = (0..order.len() as u32).map(marks_of).collect();
        index = Some(Kept::new(marks, is_checked, near.insert(search.near(&order))));
    }
    // The distance and the overlap of two documents that match, or of two that do not for a reason, and the reason.
    let compare = |a: u32, b: u32, wants_reason: bool| {
        let distance = search.distance(&summaries[a as usize], &summaries[b as usize])?;
        let reason = || {
            let reason = if is_checked { reason_of(marks_of(a), marks_of(b)) } else { None };
            (reason.is_some() == wants_reason).then_some(reason)
        };
        let overlap = || search.overlap(tokens_of(a), tokens_of(b));
        // What leaves the fewest comes first: most documents of a template differ for a reason.
        if is_lazy || wants_reason {
            overlap().and_then(|overlap| Some((distance, overlap, reason()?)))
        } else {
            reason().and_then(|reason| Some((distance, overlap()?, reason)))
        }
    };
    for place in (0..order.len() as u32).take_while(|_| run.goes_on()) {
        let text = order[place as usize];
        let is_reference = (text as usize) < references;
        if let Some(index) = &mut index {
            index.grow(options.min_overlap, facts.iter().map(|(tokens, _)| &tokens.hashes[..]));
        }
        let first = if is_reference {
            None
        } else {
            let try_one =
                |&other: &u32| compare(place, other, false).map(|(distance, overlap, _)| (other, distance, overlap));
            match &mut index {
                Some(index) => index.candidates(place).iter().find_map(try_one),
                None => kept.iter().find_map(try_one),
            }
        };
        if let Some((other, distance, overlap)) = first {
            let kept = order[other as usize] as usize;
            found.push((text, Row { kept, distance, overlap: Some(overlap), differs: None }));
            continue;
        }
        if !is_reference && is_checked {
            let look = |&other: &u32| compare(place, other, true)?.2;
            let (head, tail) =
                if kept.len() <= 2 * LOOK { (kept.len(), kept.len()) } else { (LOOK, kept.len() - LOOK) };
            let mut first = kept[..head].iter().chain(&kept[tail..]).find_map(look);
            if first.is_none() && head < tail {
                first = index.as_mut().map_or(&kept[..], |index| index.near_ones(place)).iter().find_map(look);
            }
            if let Some(reason) = first {
                let row = Row { kept: text as usize, distance: 0, overlap: None, differs: Some(reason) };
                found.push((text, row));
            }
        }
        if is_reference || references == 0 {
            kept.push(place);
            if let Some(index) = &mut index {
                index.add(place);
            }
        }
    }
    found
}

/// As [`remove`], by the fingerprints alone.
fn remove_unverified(search: &Search<'_>, order: &[u32], references: usize) -> Vec<(u32, Row)> {
    let mut found = Vec::new();
    let mut near = search.near(order);
    let mut is_kept = vec![false; order.len()];
    for (place, &text) in order.iter().enumerate() {
        let is_reference = (text as usize) < references;
        let mut all = if is_reference { Vec::new() } else { near.find(place, 0, place) };
        all.retain(|&(other, _)| is_kept[other]);
        match all.into_iter().min() {
            Some((other, distance)) => {
                found.push((text, Row { kept: order[other] as usize, distance, overlap: None, differs: None }));
            }
            None => is_kept[place] = is_reference || references == 0,
        }
    }
    found
}

/// Finds groups of near-duplicates: each has one text to keep, the first one, with which all others match. They come in the order
/// of the texts to keep. Texts without tokens are in no group.
///
/// # Errors
/// As [`dedupe`].
pub fn find_duplicates<T: AsRef<[u8]> + Sync>(texts: &[Option<T>], options: &Options<'_>) -> Result<Vec<Match>, Error> {
    let mut found = find(texts, options, true)?;
    found.sort_by_key(|each| each.kept);
    Ok(found)
}

/// Finds pairs of near-duplicates. Only the first of several texts with the same words is compared with others.
///
/// # Errors
/// As [`dedupe`].
pub fn find_pairs<T: AsRef<[u8]> + Sync>(texts: &[Option<T>], options: &Options<'_>) -> Result<Vec<Match>, Error> {
    find(texts, options, false)
}

fn find<T: AsRef<[u8]> + Sync>(
    texts: &[Option<T>],
    options: &Options<'_>,
    in_groups: bool,
) -> Result<Vec<Match>, Error> {
    check(options, texts.len())?;
    let run = run_of(options);
    let rows = (0..texts.len()).filter(|&row| texts[row].is_some()).collect();
    let (search, rows) = Search::new(texts, rows, false, options, run);
    let mut found =
        search.each(&search.components(), |reader, members| matches_in(&search, reader, members, in_groups));
    for each in &mut found {
        (each.kept, each.other) = (rows[each.kept], rows[each.other]);
    }
    Ok(found)
}

/// The states of the documents of a component.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// It has matched, but stays open for copies of its own.
    Shown,
    Done,
}

fn matches_in(search: &Search<'_>, reader: Option<&mut Reader>, members: &[u32], in_groups: bool) -> Vec<Match> {
    let Search { options, run, .. } = search;
    let mut near = search.near(members);
    let tokens = if options.verify { search.read(reader, members, |_| true, |_, tokens| tokens) } else { Vec::new() };
    let mut residues: Vec<Option<[u64; 6]>> = vec![None; members.len()];
    let mut states = vec![State::Open; members.len()];
    let mut found = Vec::new();
    let mut filter = TokenFilter::default();
    let passes: &[(f64, u32, bool)] = if in_groups {
        &[(options.min_overlap, search.reach.k, true)]
    } else {
        &[(1.0, 0, true), (options.min_overlap, search.reach.k, false)]
    };
    for &(min_overlap, max, closes) in passes {
        for place in (0..members.len()).take_while(|_| run.goes_on()) {
            if in_groups && states[place] == State::Done || !in_groups && states[place] != State::Open {
                continue;
            }
            if options.verify {
                let texts = tokens.iter().map(|tokens| &tokens.hashes[..]);
                filter.grow(options.min_overlap, texts, || (0..members.len() as u32).collect());
            }
            let candidates = filter.find(&mut near, place, place + 1, members.len());
            for (other, distance) in candidates {
                if distance > max || states[other] == State::Done {
                    continue;
                }
                let (a, b) = (members[place], members[other]);
                let mut residue = |place: usize| {
                    *residues[place].get_or_insert_with(|| residue_of(&decode(search.texts[members[place] as usize])))
                };
                if options.verify && states[other] == State::Shown {
                    let (x, y) = (residue(place), residue(other));
                    if x[..2] != y[..2] {
                        continue;
                    }
                }
                let mut match_ =
                    Match { kept: a as usize, other: b as usize, distance, overlap: None, differs: Vec::new() };
                if options.verify {
                    let (own, theirs) = (&tokens[place], &tokens[other]);
                    if search.is_too_far(own, theirs, distance) {
                        continue;
                    }
                    let overlap = search.overlap(own, theirs).filter(|&overlap| overlap >= min_overlap);
                    let Some(overlap) = overlap else { continue };
                    match_.overlap = Some(overlap);
                    match_.differs = differences(&residue(place), &residue(other), overlap);
                }
                if closes {
                    let is_duplicate = !in_groups || options.ignores_differences || match_.differs.is_empty();
                    // One that differs is shown once.
                    if !is_duplicate && states[other] == State::Shown {
                        continue;
                    }
                    states[other] = if is_duplicate { State::Done } else { State::Shown };
                }
                found.push(match_);
            }
        }
    }
    found
}

/// The differences besides the words, of two residues in the order of [`crate::residue::NAMES`].
fn differences(a: &[u64; 6], b: &[u64; 6], overlap: f64) -> Vec<Difference> {
    let [numbers, locators, characters, character_counts, letters, capitals] = [0, 1, 2, 3, 4, 5].map(|i| a[i] == b[i]);
    let is_in_order = letters && capitals;
    let has_words = overlap >= 1.0;
    let has_characters = if is_in_order { characters } else { character_counts };
    [
        (!numbers, Difference::Numbers),
        (!locators, Difference::Locators),
        (has_words && !has_characters, Difference::Characters),
        (has_words && !is_in_order, Difference::Order),
    ]
    .into_iter()
    .filter_map(|(differs, name)| differs.then_some(name))
    .collect()
}
