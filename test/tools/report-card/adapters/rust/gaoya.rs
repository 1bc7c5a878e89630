//! gaoya: `SimHash::<SimSipHasher64, u64, 64>::new(SimSipHasher64::new(5, 6)).create_signature(whitespace_split(text))`, with
//! the keys of its tests; `SimHashIndex`.
mod protocol;
use gaoya::simhash::{SimHash, SimHashBits, SimHashIndex, SimSipHasher64};
use gaoya::text::whitespace_split;
use protocol::{hex16, number, serve, texts};
use serde_json::json;

const OPERATIONS: [&str; 6] =
    ["fingerprint", "tokenise", "token-hash", "fingerprint-of-tokens", "distance", "find"];

type Signer = SimHash<SimSipHasher64, u64, 64>;

fn main() {
    serve("gaoya", "0.2.2", &OPERATIONS, |op, input| {
        let text = input["text"].as_str();
        let signer = Signer::new(SimSipHasher64::new(5, 6));
        Some(match op {
            "fingerprint" => json!({ "fingerprint": hex16(signer.create_signature(whitespace_split(text?))) }),
            "tokenise" => json!({ "tokens": whitespace_split(text?).collect::<Vec<_>>() }),
            // The signature of a token alone: the trait `SimHasher` is private.
            "token-hash" => json!({ "hash": hex16(signer.create_signature([text?].into_iter())) }),
            "fingerprint-of-tokens" => {
                json!({ "fingerprint": hex16(signer.create_signature(texts(&input["tokens"]).into_iter())) })
            }
            "distance" => json!({ "distance": number(&input["a"]).hamming_distance(&number(&input["b"])) }),
            "find" => {
                let k = input["k"].as_u64().unwrap() as usize;
                if k > 6 {
                    return None;
                }
                // 8 blocks, as in its tests.
                let mut index = SimHashIndex::<u64, String>::new(8, k);
                for entry in input["entries"].as_array().unwrap() {
                    index.insert(entry["id"].as_str().unwrap().to_string(), number(&entry["fingerprint"]));
                }
                json!({ "ids": index.query(&number(&input["query"])).into_iter().collect::<Vec<_>>() })
            }
            _ => return None,
        })
    });
}
