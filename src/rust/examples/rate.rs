// SPDX-License-Identifier: MIT
//! Prints the rate of each label in MB/s for texts of 2 kB and for the whole: `cargo run --release --example rate -- FILE`.

use std::time::Instant;

use simhash_doc::{fingerprint, Label};

#[allow(clippy::cast_precision_loss)] // of a number of bytes
fn rate(texts: &[&str], label: Label) -> f64 {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let times = (0..5).map(|_| {
        let start = Instant::now();
        let found = texts.iter().filter(|text| fingerprint(text, label).is_some()).count();
        std::hint::black_box(found);
        start.elapsed().as_secs_f64()
    });
    bytes as f64 / 1e6 / times.fold(f64::INFINITY, f64::min)
}

fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("a text in UTF-8");
        let mut pieces = Vec::new();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let cut = (2000..rest.len()).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len());
            let (piece, others) = rest.split_at(cut);
            pieces.push(piece);
            rest = others;
        }
        for label in Label::ALL {
            println!("{file} {label}: {:.0} in 2 kB, {:.0} as a whole", rate(&pieces, label), rate(&[&text], label));
        }
    }
}
