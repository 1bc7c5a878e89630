// SPDX-License-Identifier: MIT
//! Texts that are too large to be held: a temporary file that is mapped into memory.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Result, Write};
use std::{env, process};

use memmap2::Mmap;

/// A file that is gone once it is closed.
fn temporary_file() -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0400_0000); // FILE_FLAG_DELETE_ON_CLOSE
    for number in 0_u32.. {
        let path = env::temp_dir().join(format!("simhash-doc-{}-{number}", process::id()));
        match options.open(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                if cfg!(unix) {
                    fs::remove_file(path)?;
                }
                return Ok(file);
            }
        }
    }
    unreachable!()
}

/// Writes texts.
pub struct Writer {
    file: BufWriter<File>,
    ends: Vec<Option<usize>>,
    size: usize,
}

impl Writer {
    pub fn new() -> Result<Writer> {
        Ok(Writer { file: BufWriter::new(temporary_file()?), ends: Vec::new(), size: 0 })
    }

    pub fn add(&mut self, text: Option<&[u8]>) -> Result<()> {
        self.file.write_all(text.unwrap_or_default())?;
        self.size += text.map_or(0, <[u8]>::len);
        self.ends.push(text.map(|_| self.size));
        Ok(())
    }

    pub fn finish(self) -> Result<Spool> {
        let file = self.file.into_inner()?;
        // SAFETY: no other process knows the file, and it is not written to any more.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Spool { map, ends: self.ends })
    }
}

/// The texts of a file.
pub struct Spool {
    map: Mmap,
    /// Where each text ends; none for one that is missing.
    ends: Vec<Option<usize>>,
}

impl Spool {
    pub fn texts(&self) -> Vec<Option<&[u8]>> {
        let mut start = 0;
        let text = |end: &Option<usize>| {
            let text = &self.map[start..(*end)?];
            start += text.len();
            Some(text)
        };
        self.ends.iter().map(text).collect()
    }
}
