//! Adapter between an implementation of simhash-doc in Rust and its conformance tests.
//!
//! It speaks the adapter protocol, version 1 (spec/conformance.md): JSON Lines on standard input
//! and output, one reply for each request. Only the standard library is used; the JSON at the end
//! of this file is all that the protocol needs.
//!
//!     rustc -O --edition 2021 adapter.rs
//!     simhash-doc conformance smoke -- ./adapter      checks the plumbing alone
//!     simhash-doc conformance -- ./adapter            tells what is right and what goes wrong first
//!
//! What to do: call your implementation in `token_hash` below, then add one operation after the
//! other to `OPERATIONS`. What is not in there is not tested, and not counted as wrong.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

const NAME: &str = "my-implementation";
const VERSION: &str = "0.0.0";
/// The Unicode version of the library that NFC comes from; `None` if there is none.
const UNICODE: Option<&str> = None;

// ------------------------------------------------------------------------------------------ your implementation

/// Step 7: the hash of a token, given as its octets in UTF-8.
fn token_hash(octets: &[u8]) -> u64 {
    let _ = octets;
    0 // CALL YOUR IMPLEMENTATION HERE
}

// --------------------------------------------------------------------------------------------------- operations
// Each takes the "input" of a request and returns the "ok" of its reply, or why there is none. The table in
// spec/conformance.md, section Operations, says what both hold.

/// Why there is no result.
enum Fault {
    /// The implementation refuses its input, with one of the codes of the specification, section
    /// Errors.
    Refused(&'static str),
    /// The input is not what the protocol says.
    Broken(String),
}

type Operation = fn(&Json) -> Result<Json, Fault>;

const OPERATIONS: &[(&str, Operation)] = &[
    ("token-hash", operation_token_hash),
    // The next ones could be:
    //
    // ("parse", |input| match my_parse(input.text("serialised")?) {
    //     Some(fingerprint) => Ok(object(&[("fingerprint", hex16(fingerprint))])),
    //     None => Err(Fault::Refused("invalid-fingerprint")),
    // }),
    //
    // "fingerprint", with a text of 13 characters or null under "fingerprint". With "decoded",
    // "normalised", "stripped", "tokens", "hashes" and "counters" beside it, where you have them,
    // the runner can name the step that goes wrong.
];

fn operation_token_hash(input: &Json) -> Result<Json, Fault> {
    Ok(object(&[("hash", hex16(token_hash(&octets_of(input)?)))]))
}

/// The octets of an input that is a text or octets.
fn octets_of(input: &Json) -> Result<Vec<u8>, Fault> {
    if input.get("text").is_some() {
        return Ok(input.text("text")?.as_bytes().to_vec());
    }
    let hex = input.text("utf8")?.as_bytes();
    if hex.len() % 2 != 0 {
        return Err(Fault::Broken("expected two hexadecimal digits for each octet".into()));
    }
    hex.chunks(2)
        .map(|pair| {
            std::str::from_utf8(pair)
                .ok()
                .and_then(|pair| u8::from_str_radix(pair, 16).ok())
                .ok_or_else(|| Fault::Broken("expected hexadecimal digits".into()))
        })
        .collect()
}

/// 64 bits as the protocol writes them.
fn hex16(number: u64) -> Json {
    Json::Text(format!("{number:016x}"))
}

// ----------------------------------------------------------------------------------------------------- protocol

fn hello() -> Json {
    let text = |text: &str| Json::Text(text.into());
    object(&[
        ("name", text(NAME)),
        ("version", text(VERSION)),
        ("language", text("Rust")),
        ("protocol", Json::Number(1.0)),
        ("unicode", UNICODE.map_or(Json::Null, text)),
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
    let Some((_, operation)) = OPERATIONS.iter().find(|(known, _)| *known == name) else {
        return Ok(object(&[("id", id), ("unsupported", Json::Bool(true))]));
    };
    match operation(request.get("input").unwrap_or(&Json::Null)) {
        Ok(result) => Ok(object(&[("id", id), ("ok", result)])),
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
    /// Integers are exact to 2^53; numbers of 64 bits travel as text.
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

    /// A member of an object that has to be a text.
    fn text(&self, key: &str) -> Result<&str, Fault> {
        match self.get(key) {
            Some(Json::Text(text)) => Ok(text),
            _ => Err(Fault::Broken(format!("expected an input with a text {key:?}"))),
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

/// Reads JSON strictly.
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

    /// A code point behind `\u`: four digits, or a surrogate pair.
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
