// SPDX-License-Identifier: MIT
//! Steps 1 to 8 together.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::hash::Short;
use crate::locators::for_locators;
use crate::minhash::MinHash;
use crate::simhash::Counters;
use crate::text::{classify_all, clear, decode, normalise, Masks};
use crate::tokens::{for_tokens, EDGES};
use crate::{Fingerprint, Label};

/// Texts are read in pieces of about so many bytes, which stay in the caches of a processor.
const PIECE: usize = 1 << 15;

/// What token hashes are gathered in.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // there is one for a document
enum Scheme {
    Simhash(Counters),
    Minhash(MinHash),
    #[cfg(feature = "std")]
    Hashes(Vec<u64>),
}

/// What is known of the pieces of a document.
#[derive(Clone, Debug)]
struct Sum {
    label: Label,
    scheme: Scheme,
    blocks: Vec<Masks>, // of a piece
    edges: [usize; EDGES],
    short: Short,
}

impl Sum {
    fn new(label: Label) -> Sum {
        Sum::of(label, MinHash::new(label).map_or(Scheme::Simhash(Counters::new()), Scheme::Minhash))
    }

    fn of(label: Label, scheme: Scheme) -> Sum {
        Sum { label, scheme, blocks: Vec::new(), edges: [0; EDGES], short: Short::new() }
    }

    /// Steps 3 to 8 for a piece of text.
    fn add(&mut self, text: &str) {
        let Sum { label, scheme, blocks, edges: list, short } = self;
        let mut normal = Cow::Borrowed(text);
        if !classify_all(text, blocks) {
            normal = normalise(text);
            if let Cow::Owned(changed) = &normal {
                classify_all(changed, blocks);
            }
        }
        for_locators(&normal, blocks, clear); // LOC-4: where a space stands, tokens end
        let pairs = *label != Label::SimhashDoc;
        match scheme {
            Scheme::Simhash(counters) => for_tokens(&normal, blocks, list, pairs, |text, edges| {
                counters.add_all(short.hash_all(text, edges));
            }),
            Scheme::Minhash(minhash) => for_tokens(&normal, blocks, list, pairs, |text, edges| {
                minhash.add_all(short.hash_all(text, edges));
            }),
            #[cfg(feature = "std")]
            Scheme::Hashes(hashes) => for_tokens(&normal, blocks, list, pairs, |text, edges| {
                hashes.extend_from_slice(short.hash_all(text, edges));
            }),
        }
    }

    /// Steps 3 to 8 for a whole text.
    fn add_whole(&mut self, text: &str) {
        let mut rest = text;
        while rest.len() > PIECE {
            let cut = last_cut(&rest.as_bytes()[..PIECE], 0);
            let cut =
                cut.or_else(|| rest.as_bytes()[PIECE..].iter().position(|&byte| byte == b' ').map(|at| PIECE + at + 1));
            let Some(cut) = cut else { break };
            let (piece, others) = rest.split_at(cut);
            self.add(piece);
            rest = others;
        }
        self.add(rest);
    }

    fn finish(self) -> Option<Fingerprint> {
        match self.scheme {
            Scheme::Simhash(counters) => counters.bits().and_then(|bits| Fingerprint::new(self.label, &[bits]).ok()),
            Scheme::Minhash(mut minhash) => minhash.fingerprint(),
            #[cfg(feature = "std")]
            Scheme::Hashes(_) => None,
        }
    }
}

/// The last place, behind the byte at `from`, where a text may be cut: behind white space or an ideographic full stop or
/// comma. They are no part of a token or locator, and NFC does not join them to what follows.
fn last_cut(bytes: &[u8], from: usize) -> Option<usize> {
    (from + 1..=bytes.len()).rev().find(|&end| match bytes[end - 1] {
        b' ' | b'\n' | b'\r' | b'\t' => true,
        0x81 | 0x82 => bytes[..end].ends_with(b"\xE3\x80\x81") || bytes[..end].ends_with(b"\xE3\x80\x82"),
        _ => false,
    })
}

/// The fingerprint of a document that comes in parts, cut anywhere, also within a character.
///
/// Memory is bounded by the longest passage without white space.
///
/// ```
/// use simhash_doc::{fingerprint, Fingerprinter, Label};
///
/// let mut parts = Fingerprinter::new(Label::MinhashDoc);
/// for part in ["The quick brown fox ju", "mps over the lazy dog."] {
///     parts.update(part.as_bytes());
/// }
/// assert_eq!(parts.finish(), fingerprint("The quick brown fox jumps over the lazy dog.", Label::MinhashDoc));
/// ```
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    sum: Sum,
    waiting: Vec<u8>,
    read: usize, // of `waiting`, the bytes that have no place to cut
    is_first: bool,
}

impl Fingerprinter {
    /// An empty document.
    #[must_use]
    pub fn new(label: Label) -> Fingerprinter {
        Fingerprinter { sum: Sum::new(label), waiting: Vec::new(), read: 0, is_first: true }
    }

    /// The next bytes of the document: UTF-8, with U+FFFD for what is not (DEC-1 to DEC-3).
    pub fn update(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(PIECE) {
            self.waiting.extend_from_slice(part);
            if self.waiting.len() < PIECE {
                continue;
            }
            let Some(end) = last_cut(&self.waiting, self.read) else {
                self.read = self.waiting.len().saturating_sub(2); // of a character that may end in the next part
                continue;
            };
            self.settle(end);
        }
    }

    /// Reads what waits before `end`.
    fn settle(&mut self, end: usize) {
        let mut piece = &self.waiting[..end];
        if self.is_first {
            piece = piece.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(piece);
            self.is_first = false;
        }
        self.sum.add(&String::from_utf8_lossy(piece));
        self.waiting.drain(..end);
        self.read = 0;
    }

    /// The fingerprint of all bytes, or none if they have no tokens (SIM-1, MIN-6).
    #[must_use]
    pub fn finish(mut self) -> Option<Fingerprint> {
        self.settle(self.waiting.len());
        self.sum.finish()
    }
}

/// Reads many texts, one after the other, without new memory for each.
#[cfg(feature = "std")]
pub(crate) struct HashReader(Sum);

#[cfg(feature = "std")]
impl HashReader {
    pub(crate) fn new(label: Label) -> HashReader {
        HashReader(Sum::of(label, Scheme::Hashes(Vec::new())))
    }

    /// Steps 3 to 7: the hashes of the tokens of a text, in their order.
    pub(crate) fn read(&mut self, text: &str) -> &[u64] {
        if let Scheme::Hashes(hashes) = &mut self.0.scheme {
            hashes.clear();
        }
        self.0.add_whole(text);
        match &self.0.scheme {
            Scheme::Hashes(hashes) => hashes,
            _ => &[],
        }
    }
}

/// Steps 3 to 8: the fingerprint of a text, or none if it has no tokens (SIM-1, MIN-6).
#[must_use]
pub fn fingerprint(text: &str, label: Label) -> Option<Fingerprint> {
    let mut sum = Sum::new(label);
    sum.add_whole(text);
    sum.finish()
}
/// Steps 1 to 8: the fingerprint of the bytes of a text in UTF-8, or none.
#[must_use]
pub fn fingerprint_bytes(bytes: &[u8], label: Label) -> Option<Fingerprint> {
    fingerprint(&decode(bytes), label)
}
