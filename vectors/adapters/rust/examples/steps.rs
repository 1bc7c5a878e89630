use std::time::Instant;
use simhash_doc::{fingerprint, Label, steps::*};
fn t(name:&str, n:usize, mut f: impl FnMut()->usize){let mut b=f64::INFINITY;let mut r=0;for _ in 0..5{let s=Instant::now();r=std::hint::black_box(f());b=b.min(s.elapsed().as_secs_f64());}println!("  {name}: {:.0} MB/s ({r})",n as f64/1e6/b);}
fn main(){for file in std::env::args().skip(1){let text=std::fs::read_to_string(&file).unwrap();let n=text.len();println!("{file}");
let mut pieces=Vec::new();let mut rest=text.as_str();while !rest.is_empty(){let cut=(32768..rest.len()).find(|&a|rest.is_char_boundary(a)).unwrap_or(rest.len());let(p,o)=rest.split_at(cut);pieces.push(p);rest=o;}
t("utf8",n,||pieces.iter().map(|p|std::str::from_utf8(p.as_bytes()).unwrap().len()).sum());
t("normalise",n,||pieces.iter().map(|p|normalise(p).len()).sum());
t("strip",n,||pieces.iter().map(|p|strip_locators(p).len()).sum());
t("tokenise",n,||pieces.iter().map(|p|tokenise(p,Label::SimhashDoc).len()).sum());
let hs:Vec<u64>=pieces.iter().flat_map(|p|tokenise(p,Label::SimhashDoc)).map(|t|token_hash(t.as_bytes())).collect();
t("token_hash",n,||pieces.iter().map(|p|tokenise(p,Label::SimhashDoc).into_iter().fold(0u64,|a,t|a^token_hash(t.as_bytes())) as usize).sum());
t("simhash",n,||simhash(&hs).unwrap() as usize);
t("all",n,||pieces.iter().map(|p|fingerprint(p,Label::SimhashDoc).unwrap().words()[0] as usize&15).sum());
}}
