// SPDX-License-Identifier: MIT AND Unicode-3.0
//! The bits of all code points (see `src/text.rs`), made by `tests/tables.rs` from the tables of the specification.

/// The block of each 256 code points.
pub(crate) static INDEX: &[u8; 4352] = include_bytes!("tables/index.bin");

/// The bits of the code points of each block.
pub(crate) static BLOCKS: &[u8; 36096] = include_bytes!("tables/blocks.bin");

/// The bits of the code points of one or two bytes.
pub(crate) static TWO: &[u8; 2048] = include_bytes!("tables/two.bin");
