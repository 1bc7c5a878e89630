// SPDX-License-Identifier: MIT
//! Puts the tables of the specification where `src/lib.rs` embeds them.
//! The folder is `SIMHASH_DOC_SPEC`, otherwise `../../../spec` seen from this file.

use std::{env, fs, path::PathBuf};

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let given = env::var_os("SIMHASH_DOC_SPEC").filter(|folder| !folder.is_empty());
    let spec = package.join(given.unwrap_or_else(|| "../../../spec".into()));
    println!("cargo:rerun-if-env-changed=SIMHASH_DOC_SPEC");
    for (from, to) in [("word-classes.txt", "word-classes.txt"), ("bigrams/bg1.txt", "bg1.txt")] {
        let from = spec.join(from);
        println!("cargo:rerun-if-changed={}", from.display());
        let table = fs::read(&from).unwrap_or_else(|error| {
            panic!("{}: {error}; set SIMHASH_DOC_SPEC to the absolute path of the folder spec", from.display())
        });
        fs::write(out.join(to), table).expect("OUT_DIR can be written");
    }
}
