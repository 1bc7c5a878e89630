// SPDX-License-Identifier: MIT
//! An adapter for the conformance suite of simhash-doc: the protocol of `vectors/README.md` around the crate.
//!
//! Without arguments it answers JSON Lines. With `--one-shot [LABEL]` it reads a document from standard input and
//! prints its bare fingerprint, or an empty line if there is none.
#![forbid(unsafe_code)]

use std::io::{self, BufRead, Read, Write};

use simhash_doc::steps::{
    classify, counters, decode, decode_utf16, draw, key, lookup3, normalise, permute, probes, simhash, strip_locators,
    token_hash, tokenise, unpermute, MinHash, UNICODE_VERSION,
};
use simhash_doc::{
    compare, fingerprint, fingerprint_bytes, Comparison, Error, Fingerprint, Fingerprinter, Index, Label, Match,
    DEFAULT_DISTANCE,
};

const OPERATIONS: &str =
    "decode classify normalise strip-locators tokenise token-hash lookup3 simhash draw minhash truncate serialise parse \
    parse-hex parse-label parse-labelled format-labelled compare tables unpermute probe lookup fingerprint accumulate";

/// The functions of the library by the operations that they answer.
const FUNCTIONS: [(&str, &str); 23] = [
    ("decode", "decode, decode_utf16"),
    ("classify", "classify"),
    ("normalise", "normalise"),
    ("strip-locators", "strip_locators"),
    ("tokenise", "tokenise"),
    ("token-hash", "token_hash"),
    ("lookup3", "lookup3"),
    ("simhash", "simhash, counters"),
    ("draw", "draw"),
    ("minhash", "MinHash::add, MinHash::fingerprint, MinHash::draws"),
    ("truncate", "Fingerprint::truncate"),
    ("serialise", "Fingerprint::to_bare, Fingerprint::to_hex"),
    ("parse", "Fingerprint::from_bare"),
    ("parse-hex", "Fingerprint::from_hex"),
    ("parse-label", "Label::from_str, Label::as_str"),
    ("parse-labelled", "Fingerprint::from_str"),
    ("format-labelled", "Fingerprint::to_string"),
    ("compare", "compare"),
    ("tables", "key, permute"),
    ("unpermute", "unpermute"),
    ("probe", "probes"),
    ("lookup", "Index::add, Index::lookup"),
    ("fingerprint", "fingerprint, fingerprint_bytes, Fingerprinter"),
];

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        None => serve(),
        Some("--one-shot") if arguments.len() <= 2 => {
            let label = arguments.get(1).map_or(Ok(Label::SimhashDoc), |label| label.parse());
            let label = label.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
            let mut octets = Vec::new();
            io::stdin().lock().read_to_end(&mut octets)?;
            let bare = fingerprint_bytes(&octets, label).map(|fingerprint| fingerprint.to_bare());
            writeln!(io::stdout(), "{}", bare.unwrap_or_default())
        }
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: simhash-doc-adapter [--one-shot [LABEL]]")),
    }
}

/// Answers one request a line until standard input ends.
fn serve() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        writeln!(output, "{}", answer(&line))?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

/// The reply to a line.
fn answer(line: &[u8]) -> String {
    let request = std::str::from_utf8(line).ok().and_then(Reader::read).unwrap_or(Json::Null);
    let outcome = match (request.get("op").and_then(Json::text), request.get("input")) {
        (Some("hello"), _) => Ok(hello()),
        (Some(operation), Some(input)) => operate(operation, input),
        _ => Err(Failure::Malformed),
    };
    let error = |code| object([("code", quote(code))]);
    let (member, value) = match outcome {
        Ok(result) => ("ok", result),
        Err(Failure::Unsupported) => ("unsupported", "true".to_owned()),
        Err(Failure::Refused(refusal)) => ("error", error(refusal.code())),
        Err(Failure::WrongType) => ("error", error("wrong-type")),
        Err(Failure::Malformed | Failure::Disagreement) => ("error", error("internal")),
    };
    object([("id", quote(request.get("id").and_then(Json::text).unwrap_or_default())), (member, value)])
}

fn hello() -> String {
    let (major, minor, update) = UNICODE_VERSION;
    object([
        ("name", quote("simhash-doc (Rust)")),
        ("version", quote(env!("CARGO_PKG_VERSION"))),
        ("language", quote("Rust")),
        ("protocol", 1.to_string()),
        ("unicode", quote(&format!("{major}.{minor}.{update}"))),
        ("operations", list(OPERATIONS.split_whitespace().map(quote))),
        ("labels", list(Label::ALL.map(|label| quote(label.as_str())))),
        ("declines", list([])),
        ("functions", object(FUNCTIONS.map(|(operation, function)| (operation, quote(function))))),
    ])
}

// ------------------------------------------------------------------------------------------------- operations

/// Why an operation has no result.
enum Failure {
    Refused(Error),
    WrongType,
    Malformed,
    Unsupported,
    /// Two functions of the library, which have to give one result, do not.
    Disagreement,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Refused(error)
    }
}

type Outcome<T> = Result<T, Failure>;

/// A document or the input of a step, as octets, a text or 16-bit units.
enum Input {
    Text(String),
    Octets(Vec<u8>),
    Units(Vec<u16>),
}

impl Input {
    /// Step 1 where it is octets or units.
    fn decode(self) -> String {
        match self {
            Input::Text(text) => text,
            Input::Octets(octets) => decode(&octets).into_owned(),
            Input::Units(units) => decode_utf16(&units),
        }
    }

    /// The octets as they are.
    fn octets(self) -> Outcome<Vec<u8>> {
        match self {
            Input::Text(text) => Ok(text.into_bytes()),
            Input::Octets(octets) => Ok(octets),
            Input::Units(_) => Err(Failure::Unsupported),
        }
    }
}

/// The result of an operation. Arguments are read from left to right: the first at fault decides.
fn operate(operation: &str, input: &Json) -> Outcome<String> {
    let found = |fingerprint: Fingerprint| object([("fingerprint", quote(&fingerprint.to_hex()))]);
    Ok(match operation {
        "decode" => object([("text", quote(&document(input)?.decode()))]),
        "classify" => object([("classes", list(text(input, "text")?.chars().map(|c| quote(class_name(c)))))]),
        "normalise" => object([("text", quote(&normalise(text(input, "text")?)))]),
        "strip-locators" => object([("text", quote(&strip_locators(text(input, "text")?)))]),
        "tokenise" => {
            let text = text(input, "text")?;
            object([("tokens", list(tokenise(text, label(input)?).into_iter().map(quote)))])
        }
        "token-hash" => object([("hash", quote_bits(token_hash(&document(input)?.octets()?)))]),
        "lookup3" => {
            let octets = unhex(text(input, "utf8")?)?;
            let (c, b) =
                lookup3(&octets, hex_number(input.get("pc"), 4)? as u32, hex_number(input.get("pb"), 4)? as u32);
            object([("c", quote(&format!("{c:08x}"))), ("b", quote(&format!("{b:08x}")))])
        }
        "simhash" => {
            let hashes = items(input, "hashes")?.iter().map(|hash| hex_number(Some(hash), 8));
            let hashes = hashes.collect::<Outcome<Vec<_>>>()?;
            if label(input)?.is_minhash() {
                return Err(Failure::Unsupported);
            }
            let result = simhash(&hashes).map_or("null".to_owned(), quote_bits);
            object([("fingerprint", result), ("counters", numbers(counters(&hashes)))])
        }
        "draw" => object([("draw", quote_bits(draw(hex_number(input.get("hash"), 8)?, integer(input, "n")?)?))]),
        "minhash" => {
            let hashes = items(input, "hashes")?.iter().map(|hash| hex_number(Some(hash), 8));
            let hashes = hashes.collect::<Outcome<Vec<_>>>()?;
            let mut minhash = minhash(&hashes, text(input, "label")?.parse()?).ok_or(Failure::Unsupported)?;
            let result = minhash.fingerprint().map_or("null".to_owned(), |found| quote(&found.to_hex()));
            object([("fingerprint", result), ("draws", list(minhash.draws().into_iter().map(quote_bits)))])
        }
        "truncate" => found(fingerprint_in(input, "fingerprint", Label::MinhashDoc256)?.truncate()?),
        "serialise" => {
            let read = fingerprint_in(input, "fingerprint", label(input)?)?;
            object([("text", quote(&read.to_bare())), ("hex", quote(&read.to_hex()))])
        }
        "parse" => found(Fingerprint::from_bare(label(input)?, text(input, "serialised")?)?),
        "parse-hex" => found(Fingerprint::from_hex(label(input)?, text(input, "hex")?)?),
        "parse-label" => object([("label", quote(text(input, "label")?.parse::<Label>()?.as_str()))]),
        "parse-labelled" => {
            let read: Fingerprint = text(input, "labelled")?.parse()?;
            object([("label", quote(read.label().as_str())), ("fingerprint", quote(&read.to_hex()))])
        }
        "format-labelled" => {
            let label = text(input, "label")?.parse()?;
            object([("labelled", quote(&fingerprint_in(input, "fingerprint", label)?.to_string()))])
        }
        "compare" => {
            let read = |name| -> Outcome<Fingerprint> {
                match input.get(name) {
                    Some(Json::Null) => Err(Error::NoFingerprint.into()),
                    _ => Ok(text(input, name)?.parse()?),
                }
            };
            let Comparison { distance, similarity, verdict } = compare(Some(read("a")?), Some(read("b")?))?;
            let verdict = quote(&format!("{verdict:?}").to_lowercase());
            object([("distance", distance.to_string()), ("similarity", similarity.to_string()), ("verdict", verdict)])
        }
        "tables" => {
            let bits = bits(input, "fingerprint")?;
            object([("keys", numbers(keys(bits)?)), ("permuted", list(permuted(bits)?.into_iter().map(quote_bits)))])
        }
        "unpermute" => {
            let bits = unpermute(hex_number(input.get("permuted"), 8)?, integer(input, "table")?)?;
            object([("fingerprint", quote_bits(bits))])
        }
        "probe" => {
            let (bits, table) = (bits(input, "fingerprint")?, integer(input, "table")?);
            key(bits, table)?; // so that a fault of the table comes before one of k
            let (count, digest) = probe(bits, table, integer(input, "k")?)?;
            object([("count", count.to_string()), ("digest", quote_bits(digest))])
        }
        "lookup" => lookup(input)?,
        "fingerprint" => whole(input)?,
        "accumulate" => object([("digest", quote(&accumulate(input)?))]),
        _ => return Err(Failure::Unsupported),
    })
}

/// The name of the class of a code point, which is in range because it is a `char`.
fn class_name(c: char) -> &'static str {
    classify(c.into()).map_or("", |class| class.name())
}

/// The state after these hashes; none if the label is not one of minhash-doc.
fn minhash(hashes: &[u64], label: Label) -> Option<MinHash> {
    let mut minhash = MinHash::new(label).ok()?;
    hashes.iter().for_each(|&hash| minhash.add(hash));
    Some(minhash)
}

/// The 16 hexadecimal digits of a number.
fn to_hex(bits: u64) -> String {
    format!("{bits:016x}")
}

/// A number of 64 bits from its octets, in network byte order.
fn from_octets(octets: &[u8]) -> Result<u64, Error> {
    octets.try_into().map(u64::from_be_bytes).map_err(|_| Error::OutOfRange)
}

fn keys(bits: u64) -> Result<Vec<u32>, Error> {
    (0..16).map(|table| key(bits, table)).collect()
}

fn permuted(bits: u64) -> Result<Vec<u64>, Error> {
    (0..16).map(|table| permute(bits, table)).collect()
}

fn probe(bits: u64, table: u32, k: u32) -> Outcome<(usize, u64)> {
    if (13..=64).contains(&k) {
        return Err(Failure::Unsupported);
    }
    let probes = probes(bits, table, k)?;
    Ok((probes.len(), token_hash(&probes.iter().flat_map(|probe| probe.to_be_bytes()).collect::<Vec<_>>())))
}

fn lookup(input: &Json) -> Outcome<String> {
    let label = label(input)?;
    let mut index = Index::new(label);
    for entry in items(input, "entries")? {
        match (text(entry, "id")?, fingerprint_in(entry, "fingerprint", label)) {
            (id, Ok(fingerprint)) => index.add(id, Some(fingerprint))?,
            (id, Err(Failure::Refused(Error::NoFingerprint))) => index.add(id, None)?,
            (_, Err(failure)) => return Err(failure),
        };
    }
    let query = Some(fingerprint_in(input, "query", label)?);
    let k = if input.get("k").is_some() { integer(input, "k")? } else { DEFAULT_DISTANCE };
    let matches = index.lookup(query, k)?.into_iter().map(|Match { id, fingerprint, distance }| {
        let digits = quote(&fingerprint.to_hex());
        object([("id", quote(id)), ("fingerprint", digits), ("distance", distance.to_string())])
    });
    Ok(object([("completeTo", Index::COMPLETE_TO.to_string()), ("matches", list(matches))]))
}

/// The fingerprint of a document that is handed over in parts.
fn in_parts(octets: &[u8], label: Label) -> Option<Fingerprint> {
    let mut parts = Fingerprinter::new(label);
    octets.chunks(7).for_each(|part| parts.update(part));
    parts.finish()
}

/// `fingerprint` with all intermediates.
fn whole(input: &Json) -> Outcome<String> {
    let octets = document(input)?.octets().ok();
    let decoded = document(input)?.decode();
    let label = label(input)?;
    let normalised = normalise(&decoded);
    let stripped = strip_locators(&normalised);
    let tokens = tokenise(&stripped, label);
    let hashes: Vec<u64> = tokens.iter().map(|token| token_hash(token.as_bytes())).collect();
    let result = fingerprint(&decoded, label); // as a product would compute it
    if octets.is_some_and(|octets| fingerprint_bytes(&octets, label) != result || in_parts(&octets, label) != result) {
        return Err(Failure::Disagreement);
    }
    let or_null = |value: Option<String>| value.unwrap_or("null".to_owned());
    let digits = or_null(result.map(|found| quote(&found.to_hex())));
    let mut members = vec![
        ("fingerprint", or_null(result.map(|found| quote(&found.to_bare())))),
        ("tokenCount", tokens.len().to_string()),
        ("decoded", quote(&decoded)),
        ("normalised", quote(&normalised)),
        ("stripped", quote(&stripped)),
        ("tokens", list(tokens.into_iter().map(quote))),
        ("hashes", list(hashes.iter().map(|&hash| quote_bits(hash)))),
        ("octets", or_null(result.map(|found| quote(&hex(&found.to_bytes()))))),
        ("hex", digits),
    ];
    match minhash(&hashes, label) {
        Some(mut minhash) => members.push(("draws", list(minhash.draws().into_iter().map(quote_bits)))),
        None => members.push(("counters", numbers(counters(&hashes)))),
    }
    if label.words() == 1 {
        members.push(("keys", or_null(result.map(|found| keys(found.words()[0])).transpose()?.map(numbers))));
    }
    Ok(object(members))
}

// ---------------------------------------------------------------------------------------- accumulated vectors

fn accumulate(input: &Json) -> Outcome<String> {
    let step = text(input, "step")?;
    let rule = input.get("rule").ok_or(Failure::WrongType)?;
    let (least, most) = (integer(rule, "least")?, integer(rule, "most")?);
    let (seed, count) = (integer(input, "seed")?, integer(input, "count")?);
    let mut lines = String::new();
    for case in 0..count {
        let count = least + case % most.saturating_sub(least).saturating_add(1);
        match outcome_line(step, build(rule, u64::from(seed) + u64::from(case), count)?, case) {
            Err(Failure::Refused(refusal)) => lines.push_str(refusal.code()),
            line => lines.push_str(&line?),
        };
        lines.push('\n');
    }
    Ok(sha256(lines.as_bytes()))
}

/// The line of a case, by the table "Accumulated vectors".
fn outcome_line(step: &str, built: Input, case: u32) -> Outcome<String> {
    Ok(match (step, built) {
        ("decode", Input::Octets(octets)) => hex(decode(&octets).as_bytes()),
        ("classify", Input::Text(text)) => text.chars().map(|c| &class_name(c)[..1]).collect(),
        ("normalise", Input::Text(text)) => hex(normalise(&text).as_bytes()),
        ("strip-locators", Input::Text(text)) => hex(strip_locators(&text).as_bytes()),
        ("tokenise", Input::Text(text)) => {
            tokenise(&text, Label::SimhashDoc).iter().map(|token| hex(token.as_bytes())).collect::<Vec<_>>().join(" ")
        }
        ("token-hash", input) => to_hex(token_hash(&input.octets()?)),
        ("simhash", Input::Octets(octets)) => {
            let hashes: Result<Vec<u64>, Error> = octets.chunks_exact(8).map(from_octets).collect();
            simhash(&hashes?).map_or("-".to_owned(), to_hex)
        }
        ("serialise", Input::Octets(octets)) => {
            let built = Fingerprint::from_bytes(Label::SimhashDoc, &octets)?;
            format!("{} {}", built.to_bare(), built.to_hex())
        }
        ("parse", Input::Text(text)) => Fingerprint::from_bare(Label::SimhashDoc, &text)?.to_hex(),
        ("tables", Input::Octets(octets)) => {
            let bits = from_octets(&octets)?;
            let (keys, permuted) = (keys(bits)?, permuted(bits)?);
            let keys = keys.iter().map(u32::to_string);
            keys.chain(permuted.into_iter().map(to_hex)).collect::<Vec<_>>().join(" ")
        }
        ("probe", Input::Octets(octets)) => {
            let (count, digest) = probe(from_octets(&octets)?, case % 16, case / 16 % 8)?;
            format!("{count} {}", to_hex(digest))
        }
        ("fingerprint", input) => {
            let result = match input {
                Input::Octets(octets) => fingerprint_bytes(&octets, Label::SimhashDoc),
                other => fingerprint(&other.decode(), Label::SimhashDoc),
            };
            result.map_or("-".to_owned(), |fingerprint| fingerprint.to_bare())
        }
        _ => return Err(Failure::Unsupported),
    })
}

/// Applies a generating rule.
fn build(rule: &Json, seed: u64, count: u32) -> Outcome<Input> {
    let mut random = SplitMix64(seed);
    Ok(match text(rule, "rule")? {
        "octets" => Input::Octets((0..count).map(|_| random.below(256) as u8).collect()),
        "words" => {
            let mut one_of = |name| {
                let texts = items(rule, name)?;
                texts.get(random.below(texts.len()) as usize).and_then(Json::text).ok_or(Failure::WrongType)
            };
            let mut words = String::new();
            for word in 0..count {
                words += if word > 0 { one_of("separators")? } else { "" };
                words += one_of("vocabulary")?;
            }
            Input::Text(words)
        }
        "code-points" => {
            let ranges = items(rule, "ranges")?.iter().map(|range| {
                let numbers = range.list().ok_or(Failure::WrongType)?.iter().map(whole_part);
                let (first, last, times) = match numbers.collect::<Outcome<Vec<u32>>>()?[..] {
                    [first, last] => (first, last, 1),
                    [first, last, times] => (first, last, times),
                    _ => return Err(Failure::Malformed),
                };
                let points = last.checked_sub(first).filter(|_| last <= 0x10FFFF).ok_or(Failure::Malformed)? + 1;
                Ok((first, points, times))
            });
            let ranges = ranges.collect::<Outcome<Vec<(u32, u32, u32)>>>()?;
            let size = ranges.iter().map(|&(_, points, times)| points as usize * times as usize).sum();
            let code_points = (0..count).map(|_| {
                let mut x = random.below(size);
                let mut ranges = ranges.iter();
                loop {
                    let &(first, points, times) = ranges.next()?;
                    match x.checked_sub(u64::from(points) * u64::from(times)) {
                        Some(rest) => x = rest,
                        None => return char::from_u32(first + (x % u64::from(points)) as u32),
                    }
                }
            });
            Input::Text(code_points.collect::<Option<String>>().ok_or(Failure::Malformed)?)
        }
        _ => return Err(Failure::Unsupported),
    })
}

struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `n`; 0 where there is none.
    fn below(&mut self, n: usize) -> u64 {
        self.next().checked_rem(n as u64).unwrap_or(0)
    }
}

/// The first 32 bits of the fractional parts of the square (`root` = 2) or cube roots (3) of the first primes.
fn root_bits<const N: usize>(root: u32) -> [u32; N] {
    let mut primes = (2_u128..).filter(|&n| (2..n).all(|divisor| n % divisor != 0));
    std::array::from_fn(|_| {
        let shifted = primes.next().unwrap_or_default() << (32 * root); // its root is that of the prime times 2^32
        (0..40).rev().map(|bit| 1 << bit).fold(0_u128, |found, bit| {
            if (found + bit).pow(root) <= shifted {
                found + bit
            } else {
                found
            }
        }) as u32
    })
}

/// SHA-256 (FIPS 180-4).
fn sha256(message: &[u8]) -> String {
    let constants: [u32; 64] = root_bits(3);
    let mut state: [u32; 8] = root_bits(2);
    let mut tail = message.chunks_exact(64).remainder().to_vec();
    tail.push(0x80);
    tail.resize((tail.len() + 8 + 63) / 64 * 64 - 8, 0);
    tail.extend((message.len() as u64 * 8).to_be_bytes());
    for block in message.chunks_exact(64).chain(tail.chunks_exact(64)) {
        let mut w = [0_u32; 64];
        for (word, octets) in w.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes([octets[0], octets[1], octets[2], octets[3]]);
        }
        for t in 16..64 {
            let (x, y) = (w[t - 15], w[t - 2]);
            let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            w[t] = w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (constant, word) in constants.into_iter().zip(w) {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(constant).wrapping_add(word);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (a, b, c, d, e, f, g, h) = (t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g);
        }
        for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(add);
        }
    }
    state.map(|word| format!("{word:08x}")).concat()
}

// ---------------------------------------------------------------------------------------- members of an input

fn text<'a>(input: &'a Json, name: &str) -> Outcome<&'a str> {
    input.get(name).and_then(Json::text).ok_or(Failure::WrongType)
}

fn items<'a>(input: &'a Json, name: &str) -> Outcome<&'a [Json]> {
    input.get(name).and_then(Json::list).ok_or(Failure::WrongType)
}

/// A number as a `u32`; whatever does not fit there is out of range for every operation.
fn integer(input: &Json, name: &str) -> Outcome<u32> {
    whole_part(input.get(name).ok_or(Failure::WrongType)?)
}

fn whole_part(number: &Json) -> Outcome<u32> {
    match *number {
        Json::Number(number) if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) => {
            Ok(number as u32)
        }
        Json::Number(_) => Err(Error::OutOfRange.into()),
        _ => Err(Failure::WrongType),
    }
}

/// The label of an input; a label that is absent is `simhash-doc`.
fn label(input: &Json) -> Outcome<Label> {
    match input.get("label") {
        None => Ok(Label::SimhashDoc),
        Some(_) => Ok(text(input, "label")?.parse()?),
    }
}

fn document(input: &Json) -> Outcome<Input> {
    match (input.get("text"), input.get("utf8"), input.get("utf16")) {
        (Some(_), None, None) => Ok(Input::Text(text(input, "text")?.to_owned())),
        (None, Some(_), None) => Ok(Input::Octets(unhex(text(input, "utf8")?)?)),
        (None, None, Some(_)) => {
            let octets = unhex(text(input, "utf16")?)?;
            if octets.len() % 2 != 0 {
                return Err(Failure::Malformed);
            }
            Ok(Input::Units(octets.chunks_exact(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]])).collect()))
        }
        _ => Err(Failure::Malformed),
    }
}

/// A fingerprint as hex16 or hex64, by its label; `null` is a document without one.
fn fingerprint_in(input: &Json, name: &str, label: Label) -> Outcome<Fingerprint> {
    match input.get(name) {
        Some(Json::Null) => Err(Error::NoFingerprint.into()),
        _ => {
            let octets = unhex(text(input, name)?)?;
            Fingerprint::from_bytes(label, &octets).map_err(|_| Failure::Malformed)
        }
    }
}

/// A fingerprint of 64 bits as hex16; `null` is a document without one.
fn bits(input: &Json, name: &str) -> Outcome<u64> {
    match input.get(name) {
        Some(Json::Null) => Err(Error::NoFingerprint.into()),
        number => hex_number(number, 8),
    }
}

/// hex16 (8 octets) or hex8 (4 octets).
fn hex_number(number: Option<&Json>, octets: usize) -> Outcome<u64> {
    let digits = unhex(number.and_then(Json::text).ok_or(Failure::WrongType)?)?;
    let number = digits.iter().fold(0, |number, &octet| number << 8 | u64::from(octet));
    Some(number).filter(|_| digits.len() == octets).ok_or(Failure::Malformed)
}

fn unhex(digits: &str) -> Outcome<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let octet = |pair: &[u8]| Some((value(pair[0])? << 4 | value(*pair.get(1)?)?) as u8);
    digits.as_bytes().chunks(2).map(octet).collect::<Option<_>>().ok_or(Failure::Malformed)
}

fn hex(octets: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    octets.iter().flat_map(|octet| [digit(octet >> 4), digit(octet & 15)]).collect()
}

// -------------------------------------------------------------------------------------------------------- JSON

fn object<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let member = |(name, value)| format!("{}:{value}", quote(name));
    format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

fn numbers<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    list(numbers.into_iter().map(|number| number.to_string()))
}

fn quote_bits(bits: u64) -> String {
    quote(&to_hex(bits))
}

fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\x1F' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

enum Json {
    Null,
    Bool,
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(found, _)| found == name).map(|(_, value)| value),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }
}

/// A reader of one JSON value (RFC 8259). A lone surrogate is a fault, as is nesting deeper than 100.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn read(line: &str) -> Option<Json> {
        let mut reader = Reader { rest: line };
        let value = reader.value(0)?;
        reader.space();
        Some(value).filter(|_| reader.rest.is_empty())
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
    }

    /// Skips white space, then takes `text` if it is next.
    fn take(&mut self, text: &str) -> bool {
        self.space();
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The items of a list or the members of an object, up to its end.
    fn items<T>(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        while !self.take(end) {
            if !items.is_empty() && !self.take(",") {
                return None;
            }
            items.push(item(self)?);
        }
        Some(items)
    }

    fn value(&mut self, depth: u32) -> Option<Json> {
        if depth > 100 {
            return None;
        }
        if self.take("{") {
            let member = |reader: &mut Self| {
                let name = if reader.take("\"") { reader.text()? } else { return None };
                let value = if reader.take(":") { reader.value(depth + 1)? } else { return None };
                Some((name, value))
            };
            return self.items("}", member).map(Json::Object);
        }
        if self.take("[") {
            return self.items("]", |reader| reader.value(depth + 1)).map(Json::List);
        }
        if self.take("\"") {
            return self.text().map(Json::Text);
        }
        for (name, value) in [("null", Json::Null), ("true", Json::Bool), ("false", Json::Bool)] {
            if self.take(name) {
                return Some(value);
            }
        }
        let is_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let end = self.rest.find(|c| !is_number(c)).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok().map(Json::Number)
    }

    /// The rest of a string, behind its first quotation mark.
    fn text(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            let end = self.rest.find(|c: char| c == '"' || c == '\\' || c < ' ')?;
            text.push_str(&self.rest[..end]);
            let special = self.rest.as_bytes()[end];
            self.rest = &self.rest[end + 1..];
            match special {
                b'"' => return Some(text),
                b'\\' => text.push(self.escape()?),
                _ => return None,
            }
        }
    }

    /// What stands behind a backslash.
    fn escape(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(match c {
            '"' | '\\' | '/' => c,
            'b' => '\x08',
            'f' => '\x0C',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => match self.unit()? {
                high @ 0xD800..=0xDBFF => {
                    self.rest = self.rest.strip_prefix("\\u")?;
                    let units = [high, self.unit()?];
                    let mut decoded = char::decode_utf16(units);
                    decoded.next()?.ok().filter(|_| decoded.next().is_none())?
                }
                unit => char::from_u32(unit.into())?,
            },
            _ => return None,
        })
    }

    fn unit(&mut self) -> Option<u16> {
        let digits = self.rest.get(..4).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        self.rest = &self.rest[4..];
        u16::from_str_radix(digits, 16).ok()
    }
}
