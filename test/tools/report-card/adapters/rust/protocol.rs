//! The adapter protocol (vectors/README.md) for crates.
use serde_json::{json, Value};
use std::io::{BufRead, Write};

/// Writes a number of 64 bits.
pub fn hex16(number: u64) -> String {
    format!("{number:016x}")
}

/// Reads a number of 64 bits.
pub fn number(digits: &Value) -> u64 {
    u64::from_str_radix(digits.as_str().unwrap(), 16).unwrap()
}

/// Reads a list of texts.
pub fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|each| each.as_str().unwrap()).collect()
}

/// Answers requests by a function, which gives None for what it does not offer.
pub fn serve(name: &str, version: &str, operations: &[&str], run: impl Fn(&str, &Value) -> Option<Value>) {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let op = request["op"].as_str().unwrap();
        let result = if op == "hello" {
            Some(json!({ "name": name, "version": version, "language": "Rust", "protocol": 1, "unicode": null,
                         "operations": operations }))
        } else {
            run(op, &request["input"])
        };
        let reply = match result {
            Some(ok) => json!({ "id": request["id"], "ok": ok }),
            None => json!({ "id": request["id"], "unsupported": true }),
        };
        writeln!(out, "{reply}").unwrap();
        out.flush().unwrap();
    }
}
