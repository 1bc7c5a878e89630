// SPDX-License-Identifier: MIT
//! The files of `src/tables` are made from the tables of the specification. With `SIMHASH_DOC_WRITE=1`, this test writes them.

use std::{env, fs, path::Path};

use unicode_normalization::{char::canonical_combining_class, is_nfc_quick, IsNormalized};

const CODE_POINTS: usize = 0x0011_0000;

/// The bits of `src/text.rs`.
fn bits_of(name: &str) -> u8 {
    match name {
        "letter" => 1 | 2,
        "word" => 1,
        "break" => 0,
        "ignorable" => 16,
        "unassigned" => 32,
        "joined" => 4,
        "mark" => 8,
        other => panic!("{other}: not a class"),
    }
}

fn add(table: &mut [u8], file: &Path) {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (points, name) = line.split_once(';').expect("FIRST..LAST;NAME");
        let (first, last) = points.split_once("..").expect("FIRST..LAST;NAME");
        let point = |digits| usize::from_str_radix(digits, 16).expect("hexadecimal digits");
        table[point(first)..=point(last)].iter_mut().for_each(|bits| *bits |= bits_of(name));
    }
}

fn is_stable(code_point: usize, bits: u8) -> bool {
    let c = u32::try_from(code_point).ok().and_then(char::from_u32);
    bits & (16 | 32) == 0
        && c.is_some_and(|c| canonical_combining_class(c) == 0 && is_nfc_quick([c].into_iter()) == IsNormalized::Yes)
}

#[test]
fn tables_are_those_of_the_specification() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spec = package.join("../../spec");
    let mut table = vec![0_u8; CODE_POINTS];
    add(&mut table, &spec.join("word-classes.txt"));
    add(&mut table, &spec.join("bigrams/bg1.txt"));
    for (code_point, bits) in table.iter_mut().enumerate() {
        *bits |= if is_stable(code_point, *bits) { 64 } else { 0 };
    }
    let mut blocks: Vec<&[u8]> = Vec::new();
    let mut index = Vec::new();
    for block in table.chunks(256) {
        let at = blocks.iter().position(|known| *known == block).unwrap_or_else(|| {
            blocks.push(block);
            blocks.len() - 1
        });
        index.push(u8::try_from(at).expect("at most 256 blocks"));
    }
    for (name, values) in [("index", &index), ("blocks", &blocks.concat()), ("two", &table[..2048].to_vec())] {
        let file = package.join("src/tables").join(name).with_extension("bin");
        if env::var_os("SIMHASH_DOC_WRITE").is_some() {
            fs::write(&file, values).expect("the folder can be written");
        }
        let found = fs::read(&file).unwrap_or_default();
        assert!(found == *values, "{} is out of date: SIMHASH_DOC_WRITE=1 cargo test --test tables", file.display());
    }
}
