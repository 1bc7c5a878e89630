//! Adapter between an implementation of simhash-doc in Rust and the conformance tests.
//!
//! It speaks the adapter protocol, version 1 (vectors/README.md): JSON Lines on standard input
//! and output, one reply for each request. It needs Rust 1.65 or later and only the standard
//! library; the JSON reader and writer are at the end of this file.
//!
//!     rustc -O --edition 2021 adapter.rs
//!     simhash-doc conformance --bail -- ./adapter      stops at the first failure
//!     simhash-doc conformance -- ./adapter             runs all vectors
//!
//! What to do: replace `Err(Fault::Unsupported)` in the functions below by calls of your
//! implementation, in any order. Operations that return it are not tested and do not count as
//! wrong; you may also return it for single inputs. But a class needs every vector of its operations,
//! except inputs of the kinds in `DECLINES`.
//!
//! To offer other labels than simhash-doc, add them to `LABELS`; the functions that take a label
//! then get them, in lower case.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

const NAME: &str = "my-implementation";
const VERSION: &str = "0.0.0";
/// The labels that are offered, of simhash-doc, simhash-doc+bg1, minhash-doc and minhash-doc-256.
const LABELS: &[&str] = &["simhash-doc"];
/// The kinds of inputs that are declined (vectors/README.md, "Declined inputs"), such as "utf16" for an
/// implementation that takes octets only.
const DECLINES: &[&str] = &[];
/// The functions of the product by the operations that they answer: `("fingerprint", "fingerprint")`.
const FUNCTIONS: &[(&str, &str)] = &[];
/// The Unicode version of the library that NFC comes from, or `None`.
const UNICODE: Option<&str> = None;

/// Why there is no result.
enum Fault {
    /// The operation is not implemented, or not for this input.
    Unsupported,
    /// The implementation refuses its input, with a code of the specification, section Errors.
    Refused(&'static str),
    /// The input does not follow the protocol.
    Broken(String),
}

type Answer<T> = Result<T, Fault>;

// ---------------------------------------------------------------------------------------- your implementation
// A fingerprint is one word of 64 bits, or a list of them: one, or four under minhash-doc-256. `None` stands
// for that of a document without one. To refuse an input: `Err(Fault::Refused("invalid-fingerprint"))`.

/// Step 1.
fn decode(_octets: &[u8]) -> Answer<String> {
    Err(Fault::Unsupported)
}

/// Step 1, for 16-bit units.
fn decode_units(_units: &[u16]) -> Answer<String> {
    Err(Fault::Unsupported)
}

/// Step 2: "letter", "word", "break", "ignorable" or "unassigned" for each code point.
fn classify(_text: &str) -> Answer<Vec<String>> {
    Err(Fault::Unsupported)
}

/// Step 3.
fn normalise(_text: &str) -> Answer<String> {
    Err(Fault::Unsupported)
}

/// Step 4.
fn strip_locators(_text: &str) -> Answer<String> {
    Err(Fault::Unsupported)
}

/// Step 5.
fn tokenise(_text: &str, _label: &str) -> Answer<Vec<String>> {
    Err(Fault::Unsupported)
}

/// Step 7: the hash of a token.
fn token_hash(_octets: &[u8]) -> Answer<u64> {
    Err(Fault::Unsupported)
}

/// Step 7 with initial values: c and b.
fn lookup3(_octets: &[u8], _pc: u32, _pb: u32) -> Answer<(u32, u32)> {
    Err(Fault::Unsupported)
}

/// Step 8: the fingerprint and the 64 counters.
fn simhash(_hashes: &[u64]) -> Answer<(Option<u64>, Vec<i64>)> {
    Err(Fault::Unsupported)
}

/// minhash-doc: S(element, n).
fn draw(_element: u64, _n: i64) -> Answer<u64> {
    Err(Fault::Unsupported)
}

/// minhash-doc: the fingerprint and the winning draws, bin 0 of word 0 first.
fn minhash(_hashes: &[u64], _label: &str) -> Answer<(Option<Vec<u64>>, Vec<u64>)> {
    Err(Fault::Unsupported)
}

/// minhash-doc: the fingerprint of minhash-doc that one of minhash-doc-256 begins with.
fn truncate(_fingerprint: Option<Vec<u64>>) -> Answer<u64> {
    Err(Fault::Unsupported)
}

/// Step 9: the 13 or 52 characters and the hexadecimal form.
fn serialise(_fingerprint: Option<Vec<u64>>, _label: &str) -> Answer<(String, String)> {
    Err(Fault::Unsupported)
}

/// Step 9, for 13 or 52 characters.
fn parse(_serialised: &str, _label: &str) -> Answer<Vec<u64>> {
    Err(Fault::Unsupported)
}

/// Step 9, for the hexadecimal form.
fn parse_hex(_digits: &str, _label: &str) -> Answer<Vec<u64>> {
    Err(Fault::Unsupported)
}

/// Labels: the label in lower case.
fn parse_label(_label: &str) -> Answer<String> {
    Err(Fault::Unsupported)
}

/// Labels: the label and the fingerprint.
fn parse_labelled(_labelled: &str) -> Answer<(String, Vec<u64>)> {
    Err(Fault::Unsupported)
}

/// Labels: the labelled form.
fn format_labelled(_label: &str, _fingerprint: Option<Vec<u64>>) -> Answer<String> {
    Err(Fault::Unsupported)
}

/// Step 10, for two labelled forms: distance, similarity, and "close", "loose" or "none".
fn compare(_a: Option<&str>, _b: Option<&str>) -> Answer<(u32, f64, String)> {
    Err(Fault::Unsupported)
}

/// Step 11: the 16 keys and the 16 permuted fingerprints.
fn tables(_fingerprint: Option<u64>) -> Answer<(Vec<u32>, Vec<u64>)> {
    Err(Fault::Unsupported)
}

/// Step 11.
fn unpermute(_permuted: u64, _table: i64) -> Answer<u64> {
    Err(Fault::Unsupported)
}

/// Step 11: the number of probes and their token hash.
fn probe(_fingerprint: Option<u64>, _table: i64, _k: i64) -> Answer<(u64, u64)> {
    Err(Fault::Unsupported)
}

/// A match of a lookup.
struct Match {
    id: String,
    fingerprint: Vec<u64>,
    distance: u32,
}

/// A document in a lookup: its identifier and its fingerprint.
type Entry<'a> = (&'a str, Option<Vec<u64>>);

/// Step 11: the k of the answer and the matches.
fn lookup(_entries: &[Entry], _query: Option<Vec<u64>>, _k: i64, _label: &str) -> Answer<(u32, Vec<Match>)> {
    Err(Fault::Unsupported)
}

/// Steps 1 to 9: an object with "fingerprint", the 13 or 52 characters or null. Add "decoded", "normalised",
/// "stripped", "tokens", "hashes" (hex16), and "counters" or "draws" (hex16) if you have them: they show which
/// step goes wrong.
fn fingerprint(_octets: &[u8], _label: &str) -> Answer<Json> {
    Err(Fault::Unsupported)
}

/// Steps 1 to 9, for 16-bit units.
fn fingerprint_of_units(_units: &[u16], _label: &str) -> Answer<Json> {
    Err(Fault::Unsupported)
}

/// Many cases of one step: the digest (vectors/README.md, section Accumulated vectors).
fn accumulate(_step: &str, _rule: &Json, _seed: u32, _count: u32) -> Answer<String> {
    Err(Fault::Unsupported)
}

/// Extraction and steps 1 to 9: the 13 characters, or `None`.
fn extract(_octets: &[u8], _medium: &str) -> Answer<Option<String>> {
    Err(Fault::Unsupported)
}

/// The HTML profile: the tokens, and the 13 characters or `None`.
fn extract_html(_octets: &[u8], _charset: Option<&str>) -> Answer<(Vec<String>, Option<String>)> {
    Err(Fault::Unsupported)
}

// ------------------------------------------------------------------------------------------------- operations
// Each takes the "input" of a request and returns the "ok" of its reply (vectors/README.md, section
// Operations).

type Operation = fn(&Json) -> Answer<Json>;

const OPERATIONS: &[(&str, Operation)] = &[
    ("decode", operation_decode),
    ("classify", |input| Ok(object(&[("classes", texts(classify(input.text("text")?)?))]))),
    ("normalise", |input| Ok(object(&[("text", Json::Text(normalise(input.text("text")?)?))]))),
    ("strip-locators", |input| Ok(object(&[("text", Json::Text(strip_locators(input.text("text")?)?))]))),
    ("tokenise", |input| Ok(object(&[("tokens", texts(tokenise(input.text("text")?, label_of(input)?)?))]))),
    ("token-hash", |input| Ok(object(&[("hash", hex16(token_hash(&octets_of(input)?)?))]))),
    ("lookup3", operation_lookup3),
    ("simhash", operation_simhash),
    ("draw", operation_draw),
    ("minhash", operation_minhash),
    ("truncate", |input| Ok(object(&[("fingerprint", hex16(truncate(words_in(input, "fingerprint")?)?))]))),
    ("serialise", operation_serialise),
    ("parse", operation_parse),
    ("parse-hex", operation_parse_hex),
    ("parse-label", |input| Ok(object(&[("label", Json::Text(parse_label(input.text("label")?)?))]))),
    ("parse-labelled", operation_parse_labelled),
    ("format-labelled", operation_format_labelled),
    ("compare", operation_compare),
    ("tables", operation_tables),
    ("unpermute", operation_unpermute),
    ("probe", operation_probe),
    ("lookup", operation_lookup),
    ("fingerprint", operation_fingerprint),
    ("accumulate", operation_accumulate),
    ("extract", operation_extract),
    ("extract-html", operation_extract_html),
];

fn operation_decode(input: &Json) -> Answer<Json> {
    let text = match units_of(input)? {
        Some(units) => decode_units(&units)?,
        None => decode(&octets_of(input)?)?,
    };
    Ok(object(&[("text", Json::Text(text))]))
}

fn operation_lookup3(input: &Json) -> Answer<Json> {
    let (pc, pb) = (number_of(input.text("pc")?)?, number_of(input.text("pb")?)?);
    let (c, b) = lookup3(&octets_of(input)?, pc as u32, pb as u32)?;
    let hex8 = |word: u32| Json::Text(format!("{word:08x}"));
    Ok(object(&[("c", hex8(c)), ("b", hex8(b))]))
}

/// The member "hashes".
fn hashes_in(input: &Json) -> Answer<Vec<u64>> {
    input.list("hashes")?.iter().map(|hash| number_of(hash.as_text()?)).collect()
}

fn operation_draw(input: &Json) -> Answer<Json> {
    Ok(object(&[("draw", hex16(draw(number_of(input.text("hash")?)?, input.integer("n")?)?))]))
}

fn operation_minhash(input: &Json) -> Answer<Json> {
    let (fingerprint, draws) = minhash(&hashes_in(input)?, input.text("label")?)?;
    let fingerprint = fingerprint.map_or(Json::Null, |words| hex_of(&words));
    let draws = draws.into_iter().map(hex16).collect();
    Ok(object(&[("fingerprint", fingerprint), ("draws", Json::List(draws))]))
}

fn operation_parse(input: &Json) -> Answer<Json> {
    let fingerprint = parse(input.text("serialised")?, label_of(input)?)?;
    Ok(object(&[("fingerprint", hex_of(&fingerprint))]))
}

fn operation_parse_hex(input: &Json) -> Answer<Json> {
    let fingerprint = parse_hex(input.text("hex")?, label_of(input)?)?;
    Ok(object(&[("fingerprint", hex_of(&fingerprint))]))
}

fn operation_simhash(input: &Json) -> Answer<Json> {
    let (fingerprint, counters) = simhash(&hashes_in(input)?)?;
    let counters = counters.iter().map(|&counter| Json::Number(counter as f64)).collect();
    Ok(object(&[("fingerprint", fingerprint.map_or(Json::Null, hex16)), ("counters", Json::List(counters))]))
}

fn operation_serialise(input: &Json) -> Answer<Json> {
    let (text, hex) = serialise(words_in(input, "fingerprint")?, label_of(input)?)?;
    Ok(object(&[("text", Json::Text(text)), ("hex", Json::Text(hex))]))
}

fn operation_parse_labelled(input: &Json) -> Answer<Json> {
    let (label, fingerprint) = parse_labelled(input.text("labelled")?)?;
    Ok(object(&[("label", Json::Text(label)), ("fingerprint", hex_of(&fingerprint))]))
}

fn operation_format_labelled(input: &Json) -> Answer<Json> {
    let labelled = format_labelled(input.text("label")?, words_in(input, "fingerprint")?)?;
    Ok(object(&[("labelled", Json::Text(labelled))]))
}

fn operation_compare(input: &Json) -> Answer<Json> {
    let (distance, similarity, verdict) = compare(input.text_or_null("a")?, input.text_or_null("b")?)?;
    Ok(object(&[
        ("distance", Json::Number(f64::from(distance))),
        ("similarity", Json::Number(similarity)),
        ("verdict", Json::Text(verdict)),
    ]))
}

fn operation_tables(input: &Json) -> Answer<Json> {
    let (keys, permuted) = tables(fingerprint_in(input, "fingerprint")?)?;
    let keys = keys.iter().map(|&key| Json::Number(f64::from(key))).collect();
    let permuted = permuted.iter().map(|&each| hex16(each)).collect();
    Ok(object(&[("keys", Json::List(keys)), ("permuted", Json::List(permuted))]))
}

fn operation_unpermute(input: &Json) -> Answer<Json> {
    let fingerprint = unpermute(number_of(input.text("permuted")?)?, input.integer("table")?)?;
    Ok(object(&[("fingerprint", hex16(fingerprint))]))
}

fn operation_probe(input: &Json) -> Answer<Json> {
    let (table, k) = (input.integer("table")?, input.integer("k")?);
    let (count, digest) = probe(fingerprint_in(input, "fingerprint")?, table, k)?;
    Ok(object(&[("count", Json::Number(count as f64)), ("digest", hex16(digest))]))
}

fn operation_lookup(input: &Json) -> Answer<Json> {
    let mut entries = Vec::new();
    for entry in input.list("entries")? {
        entries.push((entry.text("id")?, words_in(entry, "fingerprint")?));
    }
    let k = if input.get("k").is_some() { input.integer("k")? } else { 3 };
    let (complete_to, matches) = lookup(&entries, words_in(input, "query")?, k, label_of(input)?)?;
    let matches = matches.iter().map(|found| {
        object(&[
            ("id", Json::Text(found.id.clone())),
            ("fingerprint", hex_of(&found.fingerprint)),
            ("distance", Json::Number(f64::from(found.distance))),
        ])
    });
    let complete_to = Json::Number(f64::from(complete_to));
    Ok(object(&[("completeTo", complete_to), ("matches", Json::List(matches.collect()))]))
}

fn operation_fingerprint(input: &Json) -> Answer<Json> {
    match units_of(input)? {
        Some(units) => fingerprint_of_units(&units, label_of(input)?),
        None => fingerprint(&octets_of(input)?, label_of(input)?),
    }
}

fn operation_accumulate(input: &Json) -> Answer<Json> {
    let rule = input.get("rule").unwrap_or(&Json::Null);
    let (seed, count) = (input.integer("seed")? as u32, input.integer("count")? as u32);
    Ok(object(&[("digest", Json::Text(accumulate(input.text("step")?, rule, seed, count)?))]))
}

fn operation_extract(input: &Json) -> Answer<Json> {
    let serialised = extract(&octets_of_base64(input.text("base64")?)?, input.text("type")?)?;
    Ok(object(&[("fingerprint", serialised.map_or(Json::Null, Json::Text))]))
}

fn operation_extract_html(input: &Json) -> Answer<Json> {
    let (tokens, serialised) = extract_html(&octets_of(input)?, input.text_or_null("charset")?)?;
    Ok(object(&[("tokens", texts(tokens)), ("fingerprint", serialised.map_or(Json::Null, Json::Text))]))
}

/// The octets of a text, or of pairs of hexadecimal digits.
fn octets_of(input: &Json) -> Answer<Vec<u8>> {
    if input.get("text").is_some() {
        return Ok(input.text("text")?.as_bytes().to_vec());
    }
    groups(input.text("utf8")?, 2)?.into_iter().map(|pair| Ok(number_of(pair)? as u8)).collect()
}

/// 16-bit units, if the input has them.
fn units_of(input: &Json) -> Answer<Option<Vec<u16>>> {
    if input.get("utf16").is_none() {
        return Ok(None);
    }
    let units: Answer<Vec<u16>> =
        groups(input.text("utf16")?, 4)?.into_iter().map(|digits| Ok(number_of(digits)? as u16)).collect();
    units.map(Some)
}

/// Cuts ASCII digits into groups.
fn groups(digits: &str, size: usize) -> Answer<Vec<&str>> {
    if !digits.is_ascii() || digits.len() % size != 0 {
        return Err(Fault::Broken(format!("expected {size} hexadecimal digits each")));
    }
    Ok((0..digits.len()).step_by(size).map(|at| &digits[at..at + size]).collect())
}

fn octets_of_base64(text: &str) -> Answer<Vec<u8>> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut octets = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for character in text.bytes().filter(|&character| character != b'=') {
        let Some(value) = ALPHABET.iter().position(|&each| each == character) else {
            return Err(Fault::Broken("expected base64".into()));
        };
        bits = (bits << 6 | value as u32) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            octets.push((bits >> count) as u8);
        }
    }
    Ok(octets)
}

fn number_of(digits: &str) -> Answer<u64> {
    u64::from_str_radix(digits, 16).map_err(|_| Fault::Broken("expected hexadecimal digits".into()))
}

/// The label of an operation.
fn label_of(input: &Json) -> Answer<&str> {
    if input.get("label").is_some() {
        input.text("label")
    } else {
        Ok("simhash-doc")
    }
}

/// The words of a fingerprint that may be null.
fn words_in(input: &Json, key: &str) -> Answer<Option<Vec<u64>>> {
    let Some(digits) = input.text_or_null(key)? else {
        return Ok(None);
    };
    let words: Answer<Vec<u64>> = groups(digits, 16)?.into_iter().map(number_of).collect();
    words.map(Some)
}

/// Writes the words of a fingerprint.
fn hex_of(words: &[u64]) -> Json {
    Json::Text(words.iter().map(|word| format!("{word:016x}")).collect())
}

/// A fingerprint of 64 bits that may be null.
fn fingerprint_in(input: &Json, key: &str) -> Answer<Option<u64>> {
    input.text_or_null(key)?.map(number_of).transpose()
}

/// Writes 64 bits.
fn hex16(number: u64) -> Json {
    Json::Text(format!("{number:016x}"))
}

fn texts(texts: Vec<String>) -> Json {
    Json::List(texts.into_iter().map(Json::Text).collect())
}

// --------------------------------------------------------------------------------------------------- protocol

fn hello() -> Json {
    let text = |text: &str| Json::Text(text.into());
    object(&[
        ("name", text(NAME)),
        ("version", text(VERSION)),
        ("language", text("Rust")),
        ("protocol", Json::Number(1.0)),
        ("unicode", UNICODE.map_or(Json::Null, text)),
        ("labels", Json::List(LABELS.iter().map(|label| text(label)).collect())),
        ("declines", Json::List(DECLINES.iter().map(|kind| text(kind)).collect())),
        ("functions", object(&FUNCTIONS.iter().map(|(name, function)| (*name, text(function))).collect::<Vec<_>>())),
        ("operations", Json::List(OPERATIONS.iter().map(|(name, _)| text(name)).collect())),
    ])
}

fn answer(request: &Json) -> Result<Json, String> {
    let part = |key: &str| request.text(key).map_err(|_| format!("expected a text {key:?}"));
    let id = Json::Text(part("id")?.into());
    let name = part("op")?;
    if name == "hello" {
        return Ok(object(&[("id", id), ("ok", hello())]));
    }
    let outcome = match OPERATIONS.iter().find(|(known, _)| *known == name) {
        Some((_, operation)) => operation(request.get("input").unwrap_or(&Json::Null)),
        None => Err(Fault::Unsupported),
    };
    match outcome {
        Ok(result) => Ok(object(&[("id", id), ("ok", result)])),
        Err(Fault::Unsupported) => Ok(object(&[("id", id), ("unsupported", Json::Bool(true))])),
        Err(Fault::Refused(code)) => {
            Ok(object(&[("id", id), ("error", object(&[("code", Json::Text(code.into()))]))]))
        }
        Err(Fault::Broken(why)) => Err(why),
    }
}

fn run() -> Result<(), String> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let reply = answer(&Json::parse(&line)?)?;
        writeln!(out, "{}", reply.write()).and_then(|()| out.flush()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn main() {
    if let Err(why) = run() {
        eprintln!("adapter: {why}");
        std::process::exit(1);
    }
}

// --------------------------------------------------------------------------------------------------------- JSON

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    /// Integers are exact up to 2^53. The protocol writes numbers of 64 bits as text.
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

fn object(members: &[(&str, Json)]) -> Json {
    Json::Object(members.iter().map(|(key, value)| ((*key).into(), value.clone())).collect())
}

impl Json {
    /// A member of an object.
    fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    fn as_text(&self) -> Answer<&str> {
        match self {
            Json::Text(text) => Ok(text),
            _ => Err(Fault::Broken("expected a text".into())),
        }
    }

    /// A member of an object that has to be a text.
    fn text(&self, key: &str) -> Answer<&str> {
        self.get(key).unwrap_or(&Json::Null).as_text()
    }

    /// A member of an object that may be null or missing.
    fn text_or_null(&self, key: &str) -> Answer<Option<&str>> {
        match self.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(value) => value.as_text().map(Some),
        }
    }

    /// A member of an object that has to be an integer; it may be negative.
    fn integer(&self, key: &str) -> Answer<i64> {
        match self.get(key) {
            Some(Json::Number(number)) => Ok(*number as i64),
            _ => Err(Fault::Broken(format!("expected an input with a number {key:?}"))),
        }
    }

    /// A member of an object that has to be a list.
    fn list(&self, key: &str) -> Answer<&[Json]> {
        match self.get(key) {
            Some(Json::List(items)) => Ok(items),
            _ => Err(Fault::Broken(format!("expected an input with a list {key:?}"))),
        }
    }

    fn parse(line: &str) -> Result<Json, String> {
        let mut reader = Reader { text: line, at: 0, depth: 0 };
        let value = reader.value()?;
        reader.skip_space();
        if reader.at < line.len() { Err(reader.wrong("the end")) } else { Ok(value) }
    }

    fn write(&self) -> String {
        let mut out = String::new();
        self.write_to(&mut out);
        out
    }

    fn write_to(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(value) => write!(out, "{value}").unwrap(),
            Json::Text(text) => write_text(text, out),
            Json::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write_to(out);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    write_text(key, out);
                    out.push(':');
                    value.write_to(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\0'..='\u{1f}' => write!(out, "\\u{:04x}", character as u32).unwrap(),
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// Reads strict JSON.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn wrong(&self, expected: &str) -> String {
        format!("JSON: expected {expected} at octet {}", self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn value(&mut self) -> Result<Json, String> {
        self.skip_space();
        if self.depth == 64 {
            return Err(self.wrong("fewer levels"));
        }
        self.depth += 1;
        let value = match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'{') => self.members(),
            Some(b'[') => self.items(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.take("null") => Ok(Json::Null),
            _ if self.take("true") => Ok(Json::Bool(true)),
            _ if self.take("false") => Ok(Json::Bool(false)),
            _ => Err(self.wrong("a value")),
        };
        self.depth -= 1;
        value
    }

    fn items(&mut self) -> Result<Json, String> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.take("]") {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value()?);
            self.skip_space();
            if self.take("]") {
                return Ok(Json::List(items));
            }
            if !self.take(",") {
                return Err(self.wrong("\",\" or \"]\""));
            }
        }
    }

    fn members(&mut self) -> Result<Json, String> {
        self.at += 1;
        let mut members = Vec::new();
        self.skip_space();
        if self.take("}") {
            return Ok(Json::Object(members));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a name"));
            }
            let key = self.string()?;
            self.skip_space();
            if !self.take(":") {
                return Err(self.wrong("\":\""));
            }
            members.push((key, self.value()?));
            self.skip_space();
            if self.take("}") {
                return Ok(Json::Object(members));
            }
            if !self.take(",") {
                return Err(self.wrong("\",\" or \"}\""));
            }
        }
    }

    fn digits(&mut self) -> Result<(), String> {
        let from = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == from { Err(self.wrong("a digit")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Json, String> {
        let from = self.at;
        self.take("-");
        if !self.take("0") {
            self.digits()?;
        }
        if self.take(".") {
            self.digits()?;
        }
        if self.take("e") || self.take("E") {
            let _ = self.take("+") || self.take("-");
            self.digits()?;
        }
        self.text[from..self.at].parse().map(Json::Number).map_err(|_| self.wrong("a number"))
    }

    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c| c == '"' || c == '\\' || c < ' ').ok_or_else(|| self.wrong("the end of a text"))?;
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.take("\"") {
                return Ok(text);
            }
            if !self.take("\\") {
                return Err(self.wrong("no control character"));
            }
            let escape = self.peek().ok_or_else(|| self.wrong("an escape"))?;
            self.at += 1;
            text.push(match escape {
                b'"' => '"',
                b'\\' => '\\',
                b'/' => '/',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.escaped()?,
                _ => return Err(self.wrong("an escape")),
            });
        }
    }

    /// A code point after `\u`: four digits, or a surrogate pair.
    fn escaped(&mut self) -> Result<char, String> {
        let high = self.unit()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high).ok_or_else(|| self.wrong("no lone surrogate"));
        }
        if !self.take("\\u") {
            return Err(self.wrong("a low surrogate"));
        }
        let low = self.unit()?;
        if !(0xdc00..0xe000).contains(&low) {
            return Err(self.wrong("a low surrogate"));
        }
        char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)).ok_or_else(|| self.wrong("a code point"))
    }

    fn unit(&mut self) -> Result<u32, String> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).unwrap_or(&[]);
        if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(self.wrong("four hexadecimal digits"));
        }
        self.at += 4;
        Ok(digits.iter().fold(0, |unit, digit| unit * 16 + (*digit as char).to_digit(16).unwrap()))
    }
}
