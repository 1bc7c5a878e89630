// SPDX-License-Identifier: MIT
//! Examples of the specification, and an index with enough entries to need its tables.

use simhash_doc::{
    distance, fingerprint_of_octets, probes, token_hash, tokenise, unpermute, Fingerprint, Index, Label,
};

#[test]
fn worked_example() {
    let octets = "\u{FEFF}Cafe\u{301} No.\u{A0}5 (see https://example.org/menu) serves soft\u{AD}drinks ".as_bytes();
    let octets = [octets, b"\xE2\x82", " and H2O; caf\u{E9} or Caf\u{E9}?\n".as_bytes()].concat();
    let fingerprint = fingerprint_of_octets(&octets, Label::CORE).unwrap();
    assert_eq!(fingerprint.to_string(), "simhash-doc:CVQMMBYFKSLCQ");
    assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
}

#[test]
fn pairs_of_characters() {
    let label = "simhash-doc+bg1".parse().unwrap();
    assert_eq!(tokenise("平成30年度 Tシャツ", label), ["平成", "年度", "T", "シャ", "ャツ"]);
}

#[test]
fn index_finds_what_a_scan_finds() {
    let of = |bits| Some(Fingerprint { label: Label::CORE, bits });
    let start = 0x3020_CEAA_2375_A74E;
    let near =
        |n: u64| (0..n % 9).fold(start, |bits, i| bits ^ 1 << (token_hash(&[n as u8, (n >> 8) as u8, i as u8]) % 64));
    let mut index = Index::new(Label::CORE);
    for n in 0..5000 {
        index.add(&n.to_string(), of(!near(n))).unwrap(); // replaced below
        index.add(&n.to_string(), of(near(n))).unwrap();
    }
    for k in 0..=9 {
        let mut found: Vec<u64> = index.lookup(of(start), k).unwrap().iter().map(|m| m.id.parse().unwrap()).collect();
        found.sort_unstable();
        let expected: Vec<u64> = (0..5000).filter(|&n| distance(near(n), start) <= k).collect();
        assert_eq!(found, expected, "k = {k}");
    }
}

#[test]
fn tables() {
    assert_eq!(unpermute(0xCEAA_75A3_0202_374E, 6), Ok(0x3020_CEAA_2375_A74E));
    for (k, number) in [(3, 1), (4, 29), (5, 221), (7, 221), (8, 1847)] {
        assert_eq!(probes(0x3020_CEAA_2375_A74E, 6, k).unwrap().len(), number);
    }
}
