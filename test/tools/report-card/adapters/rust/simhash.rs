//! simhash: `simhash(text)`; `simhash_stream(tokens)`; `hamming_distance` and `hash_similarity`.
mod protocol;
use protocol::{hex16, number, serve, texts};
use serde_json::json;

const OPERATIONS: [&str; 5] = ["fingerprint", "tokenise", "token-hash", "fingerprint-of-tokens", "distance"];

fn main() {
    serve("simhash", "0.3.0", &OPERATIONS, |op, input| {
        let text = input["text"].as_str();
        Some(match op {
            "fingerprint" => json!({ "fingerprint": hex16(simhash::simhash(text?)) }),
            // What `simhash` does before it calls `simhash_stream`.
            "tokenise" => json!({ "tokens": text?.split_whitespace().collect::<Vec<_>>() }),
            // The hash of a token is the simhash of that token alone.
            "token-hash" => json!({ "hash": hex16(simhash::simhash_stream([text?].into_iter())) }),
            "fingerprint-of-tokens" => {
                json!({ "fingerprint": hex16(simhash::simhash_stream(texts(&input["tokens"]).into_iter())) })
            }
            "distance" => {
                let (a, b) = (number(&input["a"]), number(&input["b"]));
                json!({ "distance": simhash::hamming_distance(a, b), "similarity": simhash::hash_similarity(a, b) })
            }
            _ => return None,
        })
    });
}
