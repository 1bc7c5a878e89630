// SPDX-License-Identifier: MIT
//! Examples of the specification, and an index with enough entries to need its tables.

use simhash_doc::steps::{
    distance, draw, normalise, probes, simhash, strip_locators, token_hash, tokenise, unpermute, MinHash,
};
use simhash_doc::{compare, fingerprint, fingerprint_bytes, Error, Fingerprint, Index, Label, Verdict};

const FOX: &str = "The quick brown fox jumps over the lazy dog.";
const LONG_FOX: &str = "EZEFOEQ2U2YJ7LG5UOZXYXVBMH7YDKPKR26BDSUOE5VLGHBGL6WQ";

#[test]
fn worked_example() {
    let octets = "\u{FEFF}Cafe\u{301} No.\u{A0}5 (see https://example.org/menu) serves soft\u{AD}drinks ".as_bytes();
    let octets = [octets, b"\xE2\x82", " and H2O; caf\u{E9} or Caf\u{E9}?\n".as_bytes()].concat();
    let fingerprint = fingerprint_bytes(&octets, Label::SimhashDoc).unwrap();
    assert_eq!(fingerprint.to_string(), "simhash-doc:CVQMMBYFKSLCQ");
    assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
}

#[test]
fn pairs_of_characters() {
    let label = "simhash-doc+bg1".parse().unwrap();
    assert_eq!(tokenise("平成30年度 Tシャツ", label), ["平成", "年度", "T", "シャ", "ャツ"]);
}

/// Steps 3 to 6.
fn tokens(text: &str, label: Label) -> Vec<String> {
    tokenise(&strip_locators(&normalise(text)), label).into_iter().map(String::from).collect()
}

/// Texts are read in blocks: what is read does not depend on where a block ends.
#[test]
fn every_place_in_a_block_is_like_any_other() {
    let pieces = [
        ("123456", vec![]),
        ("12_34ab", vec!["12_34ab"]),
        ("\u{E9}12\u{E9}", vec!["\u{E9}12\u{E9}"]),
        ("soft\u{AD}\u{AD}drinks", vec!["softdrinks"]),
        ("a\u{378}\u{378}b", vec!["a", "b"]),
        ("\u{E9}a\u{301}\u{E9}\u{323}", vec!["\u{E9}\u{E1}\u{1EB9}\u{301}"]),
        ("s3://a.b/c d", vec!["d"]),
        ("+://a 1://b", vec!["a", "b"]),
        ("(ann@b.org)", vec![]),
        ("10.1000/ab", vec![]),
        ("WWW.a", vec![]),
        ("urn:a b:c d: e", vec!["b", "c", "d", "e"]),
        ("0123456789abcdef0123456789abcdef", vec![]),
        ("01234567-89ab-cdef-0123-456789abcdef", vec![]),
        ("\u{1D400}1", vec!["\u{1D400}1"]),
        ("\u{6771}\u{4EAC}1\u{6771}", vec!["\u{6771}\u{4EAC}", "\u{6771}"]),
    ];
    for (piece, expected) in pieces {
        assert_eq!(tokens(piece, Label::MinhashDoc), expected, "{piece:?} alone");
        for pad in ["", "a", "\u{E9}", "\u{6F22}"] {
            for n in 0..=130 {
                let before = if pad.is_empty() { " ".repeat(n) } else { pad.repeat(n) };
                let mut all = tokens(&before, Label::MinhashDoc);
                all.extend(expected.iter().map(|&token| token.into()).chain(["more".into()]));
                let found = tokens(&format!("{before} {piece} more"), Label::MinhashDoc);
                assert_eq!(found, all, "{piece:?} behind {n} of {pad:?}");
            }
        }
    }
}

/// Tokens are hashed and counted many at a time: what is counted does not depend on their number.
#[test]
fn fingerprints_are_those_of_the_tokens() {
    let words = ["a", "be", "\u{E9}t\u{E9}", "\u{6771}", "thirteen_bytes", "supercalifragilisticexpialidocious"];
    for n in (0..=70).chain(250..=270).chain([511, 512, 513, 3000]) {
        for several in [1, 6] {
            let text: String = (0..n).map(|i| words[i % several].to_owned() + [" ", "\u{3001}"][several / 6]).collect();
            let hashes: Vec<u64> = tokens(&text, Label::MinhashDoc).iter().map(|t| token_hash(t.as_bytes())).collect();
            assert_eq!(hashes.len(), n);
            let bits = simhash(&hashes).map(|bits| Fingerprint::new(Label::SimhashDocBg1, &[bits]).unwrap());
            assert_eq!(fingerprint(&text, Label::SimhashDocBg1), bits, "{n} tokens");
            let mut minhash = MinHash::new(Label::MinhashDoc256).unwrap();
            for &hash in &hashes {
                minhash.add(hash);
            }
            assert_eq!(fingerprint(&text, Label::MinhashDoc256), minhash.fingerprint(), "{n} tokens");
        }
    }
}

#[test]
fn a_word_longer_than_what_is_read_at_once_is_one_token() {
    let word = "ab".repeat(20_000);
    let hashes = [&word, "c", "d"].map(|token| token_hash(token.as_bytes()));
    let expected = Fingerprint::new(Label::SimhashDoc, &[simhash(&hashes).unwrap()]).ok();
    assert_eq!(fingerprint(&format!("{word} c d"), Label::SimhashDoc), expected);
}

#[test]
fn errors_are_their_codes() {
    assert_eq!("x".parse::<Label>().unwrap_err().to_string(), "invalid-label");
}

#[test]
fn index_finds_what_a_scan_finds() {
    let of = |bits| Fingerprint::new(Label::SimhashDoc, &[bits]).ok();
    let start = 0x3020_CEAA_2375_A74E;
    let near =
        |n: u64| (0..n % 9).fold(start, |bits, i| bits ^ 1 << (token_hash(&[n as u8, (n >> 8) as u8, i as u8]) % 64));
    let mut index = Index::new(Label::SimhashDoc);
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
fn index_of_256_bits_finds_what_a_scan_finds_after_changes() {
    let word = |n: u64, w: u64| token_hash(&[n as u8, (n >> 8) as u8, w as u8]);
    // Near copies of 40 fingerprints: in each word, up to 14 bits are flipped.
    let flips =
        |n: u64, w: u64| (0..(n / 40 + 3 * w) % 15).fold(0, |bits, i| bits | 1 << (word(n, w + 8 * i + 4) % 64));
    let of = |n: u64| {
        let words: Vec<u64> = (0..4).map(|w| word(n % 40, w) ^ flips(n, w)).collect();
        Fingerprint::new(Label::MinhashDoc256, &words).unwrap()
    };
    let mut index = Index::new(Label::MinhashDoc256);
    let mut model = std::collections::BTreeMap::new();
    for n in 0..6000u64 {
        let id = (n % 4000).to_string();
        assert_eq!(index.add(&id, Some(of(n))), Ok(model.insert(id, of(n)).is_none()));
        let gone = (n * 7 % 4000).to_string();
        if n % 3 == 0 {
            assert_eq!(index.remove(&gone), model.remove(&gone).is_some());
        }
    }
    assert!(index.iter().eq(model.iter().map(|(id, &fingerprint)| (&**id, fingerprint))));
    assert_eq!((index.len(), index.is_empty(), index.get("1")), (model.len(), false, model.get("1").copied()));
    for k in 0..=13 {
        let query = of(40 * u64::from(k) + 5);
        let near =
            |a: &Fingerprint| a.words().iter().zip(query.words()).map(|(a, b)| distance(*a, *b)).collect::<Vec<_>>();
        let mut expected: Vec<(u32, &str)> = (model.iter())
            .filter(|(_, each)| near(each).iter().any(|&distance| distance <= k))
            .map(|(id, each)| (near(each).iter().sum(), &**id))
            .collect();
        expected.sort_unstable();
        let found: Vec<_> = index.lookup(Some(query), k).unwrap().iter().map(|each| (each.distance, each.id)).collect();
        assert_eq!(found, expected, "k = {k}");
    }
}

#[test]
fn minhash_values() {
    assert_eq!(draw(1_234_567, 0), Ok(6_457_827_717_110_365_317));
    assert_eq!(draw(1_234_567, 1), Ok(3_203_168_211_198_807_973));
    assert_eq!(draw(1, 512), Err(Error::OutOfRange));
    let texts = [
        (FOX, "EZEFOEQ2U2YJ6"),
        ("a", "GEIVFIXBGPOBK"),
        ("東京タワーへ行く。", "6LZYUFY5IMGIW"),
        ("hello world", "DBH7LFUXLLC6E"),
    ];
    for (text, expected) in texts {
        let found = fingerprint(text, Label::MinhashDoc).unwrap();
        assert_eq!(found.to_bare(), expected);
        assert_eq!(fingerprint(text, Label::MinhashDoc256).unwrap().truncate(), Ok(found));
    }
    assert_eq!(fingerprint("123", Label::MinhashDoc256), None);
    assert_eq!("minhash-doc+bg1".parse::<Label>(), Err(Error::InvalidLabel));
}

/// The winning draws are those of the first wording of the definition, bin by bin.
#[test]
fn winners_of_bins() {
    let s = |x, n: usize| draw(x, n as u32).unwrap();
    for (repetitions, n) in [(0, 1), (0, 2), (0, 5), (0, 300), (0, 2000), (600, 3), (2000, 700)] {
        let elements = std::iter::repeat(s(9, 9)).take(repetitions);
        let elements: Vec<u64> = elements.chain((0..n).map(|i| s(i as u64 / 512, i % 512))).collect();
        let mut minhash = MinHash::new(Label::MinhashDoc256).unwrap();
        assert_eq!((minhash.fingerprint(), minhash.draws()), (None, vec![]));
        elements.iter().chain(&elements).for_each(|&element| minhash.add(element));
        let found = minhash.fingerprint().unwrap();
        for (at, winner) in minhash.draws().into_iter().enumerate() {
            let (word, bin) = (at / 64, at % 64);
            let in_round = |r| elements.iter().map(|&x| s(x, 128 * word + r)).filter(|y| y >> 58 == bin as u64).min();
            let otherwise = || elements.iter().map(|&x| s(x, 128 * word + 64 + bin)).min();
            assert_eq!((0..64).find_map(in_round).or_else(otherwise), Some(winner), "{n} elements, bin {at}");
            assert_eq!(found.words()[word] >> (63 - bin) & 1, winner & 1);
        }
    }
}

#[test]
fn strings_of_256_bits() {
    let fox = fingerprint(FOX, Label::MinhashDoc256).unwrap();
    assert_eq!(fox.to_string(), format!("minhash-doc-256:{LONG_FOX}"));
    let read = |s: &str| Fingerprint::from_bare(Label::MinhashDoc256, s);
    for s in [LONG_FOX, &LONG_FOX.to_lowercase(), &format!("{LONG_FOX}====")] {
        assert_eq!(read(s), Ok(fox));
        assert_eq!(format!("MinHash-Doc-256:{s}").parse(), Ok(fox));
    }
    for end in ["Q=", "Q===", "Q=====", "R", "Y", "", "Q\n"] {
        assert_eq!(read(&format!("{}{end}", &LONG_FOX[..51])), Err(Error::InvalidFingerprint), "{end:?}");
    }
    assert_eq!(read(&LONG_FOX[..13]), Err(Error::InvalidFingerprint));
    assert_eq!(Fingerprint::from_hex(Label::MinhashDoc256, &fox.to_hex().to_uppercase()), Ok(fox));
    assert_eq!(Fingerprint::from_bytes(Label::MinhashDoc256, &fox.to_bytes()), Ok(fox));
    assert_eq!(Fingerprint::from_bytes(Label::MinhashDoc256, &fox.to_bytes()[..8]), Err(Error::OutOfRange));
}

#[test]
fn comparing_and_finding_256_bits() {
    let of = |words: [u64; 4]| Fingerprint::new(Label::MinhashDoc256, &words).ok();
    let mut index = Index::new(Label::MinhashDoc256);
    let near = |d: usize| {
        (0..d).fold([0; 4], |mut words, i| {
            words[i % 4] |= 1 << (i / 4);
            words
        })
    };
    for d in 0..=256 {
        let found = compare(of([0; 4]), of(near(d))).unwrap();
        let verdict = if d <= 5 {
            Verdict::Close
        } else if d <= 25 {
            Verdict::Loose
        } else {
            Verdict::None
        };
        assert_eq!((found.distance as usize, found.similarity, found.verdict), (d, 1.0 - d as f64 / 256.0, verdict));
        index.add(&d.to_string(), of(near(d))).unwrap();
    }
    for n in 0..400_u64 {
        index.add(&format!("far {n}"), of([!n, !(n << 8), !(n << 16), !(n << 24)])).unwrap();
    }
    for k in [0, 1, 3, 4, 7, 8, 20] {
        let found = index.lookup(of([0; 4]), k).unwrap();
        let distances: Vec<u32> = found.iter().map(|m| m.distance).collect();
        assert_eq!(distances, (0..4 * k + 4).collect::<Vec<_>>(), "k = {k}");
    }
    assert_eq!(index.lookup(of([0; 4]), 64).unwrap().len(), 657);
    let short = Fingerprint::new(Label::MinhashDoc, &[0]).ok();
    assert_eq!(index.lookup(short, 3), Err(Error::LabelMismatch));
}

#[test]
fn tables() {
    assert_eq!(unpermute(0xCEAA_75A3_0202_374E, 6), Ok(0x3020_CEAA_2375_A74E));
    for (k, number) in [(3, 1), (4, 29), (5, 221), (7, 221), (8, 1847)] {
        assert_eq!(probes(0x3020_CEAA_2375_A74E, 6, k).unwrap().len(), number);
    }
}
