/** The libraries that the report card runs. The texts about them are written by hand; their answers are measured. */

import type { Difference } from './card.ts';

/** The registries, by the client that installs from them. */
export type Registry = 'npm' | 'PyPI' | 'crates.io' | 'Go' | 'Maven Central';

/** A library, in a pinned version. */
export interface Library {
  /** The name of its report, and of its folder in build/report-card/. */
  readonly id: string;
  readonly registry: Registry;
  /** The name in its registry. */
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  /** The year of this version, if it is known. */
  readonly released?: number;
  /** Other packages that it or its adapter needs, in a pinned version. */
  readonly with?: Readonly<Record<string, string>>;
  /** For PyPI: installed without its dependencies, except for `with`; the rest is hundreds of MB that is not called. */
  readonly isBare?: boolean;
  /** For Go: the environment variables of its build. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The adapter, in test/tools/report-card/adapters/. */
  readonly adapter: string;
  /** For PyPI: the versions of Python that it runs with, the best first. */
  readonly pythons?: readonly string[];
  /** The functions that are called, and the reason. */
  readonly chosen: string;
  /** The strengths of the library. */
  readonly strengths: string;
  /** The steps that differ, from its source and its answers; that it normalises no text and strips no locators is left out. */
  readonly differs: readonly Difference[];
  /** The changes that its user would need to get fingerprints of simhash-doc. */
  readonly changes: readonly string[];
}

const TOKENS = 'Cut the text by steps 1 to 5 before it is called.';

export const LIBRARIES: readonly Library[] = [
  {
    id: 'npm-simhash-js',
    registry: 'npm',
    package: 'simhash-js',
    version: '1.0.0',
    licence: 'MIT',
    adapter: 'javascript/simhash-js.cjs',
    chosen:
      '`new SimHash().hash(text)`, as in its README. As token hash, `new Jenkins().hash64(token)`: the class is exported, and ' +
      '`SimHash` itself uses the 32 bits of `hash32`. Its tokens are not exported, so it takes no tokens and no hashes.',
    strengths:
      'It is small, has no dependency, and is the only one of these libraries with a lookup3 of its own, the hash that simhash-doc uses.',
    differs: [
      {
        step: 5,
        how: 'chunks of four UTF-16 units, white space and punctuation included',
        like: ['shingles-of-characters'],
      },
      {
        step: 7,
        how: 'lookup3, but its rotation brings in the sign, sums do not wrap around at 32 bits, and the words are joined without leading zeros; the simhash uses 32 bits of it',
        like: ['rotation-signed', 'no-wrap-around', 'hex-halves-unpadded', 'hashlittle'],
      },
      {
        step: 8,
        how: '32 counters, and of more than 128 tokens only those after the first 128 in the order of their hashes',
        like: ['low-half-alone'],
      },
      { step: 10, how: 'twice the number of differing bits: a shift by 32 shifts nothing in JavaScript' },
    ],
    changes: [
      'Write both words of a hash with 8 digits, and hash the octets of UTF-8 in place of UTF-16 units.',
      'Wrap the additions of lookup3 at 32 bits, and rotate by shifts that bring in zeros.',
      'Count all tokens with 64 counters. It takes chunks of 4 UTF-16 units, sorts their hashes as texts, and combines those after the first 128 if there are more.',
      TOKENS,
    ],
  },
  {
    id: 'npm-simhash',
    registry: 'npm',
    package: 'simhash',
    version: '0.1.0',
    licence: 'MIT',
    adapter: 'javascript/simhash.cjs',
    chosen:
      "`require('simhash')()(tokens)`, as in its README: CRC-32, and 32 digits as the result. Its user brings the tokens, so it has no fingerprint of a text.",
    strengths:
      'It takes tokens as they are and counts each occurrence. Any hash of `node:crypto` can be chosen by its name.',
    differs: [
      { step: 7, how: 'CRC-32, of 32 bits' },
      { step: 8, how: '32 counters; zeros for no tokens', like: ['low-half-alone', 'no-tokens-as-zero'] },
    ],
    changes: [
      'Use another token hash: lookup3 cannot be passed in, only names of `node:crypto`.',
      'Read its result as 64 digits, the least significant first.',
      'Return nothing for a list without tokens; it returns zeros.',
      TOKENS,
    ],
  },
  {
    id: 'npm-node-simhash',
    registry: 'npm',
    package: 'node-simhash',
    version: '0.1.0',
    licence: 'not stated in the package',
    // Its dependency natural takes any version, and does not load with a current one.
    with: { log4js: '1.1.1' },
    adapter: 'javascript/node-simhash.cjs',
    chosen:
      '`summary(text, text)`, which prints the fingerprint as 32 binary digits; `compare`, which its README begins with, gives only the similarity. `shingles(text)` as tokens. With log4js 1.1.1: it does not load with a current one.',
    strengths: 'It compares two files or two pages from the command line in one line, beside the exact Jaccard index.',
    differs: [
      {
        step: 5,
        how: 'each pair of neighbouring words once, with [end] after the last',
        like: ['shingles-of-words', 'tokens-deduplicated'],
      },
      { step: 7, how: 'CRC-32, of 32 bits' },
      { step: 8, how: '32 counters', like: ['low-half-alone'] },
    ],
    changes: [
      'Take single words in place of pairs, without `[end]`, and count each occurrence.',
      'Use a token hash of 64 bits, and numbers that hold it: its loop is over 64 bits, but the bit operators of JavaScript have 32.',
      TOKENS,
    ],
  },
  {
    id: 'pypi-simhash',
    registry: 'PyPI',
    package: 'simhash',
    version: '2.1.2',
    licence: 'MIT',
    released: 2022,
    adapter: 'python/simhash_1e0n.py',
    chosen:
      '`Simhash(text).value`, as in its documentation; `Simhash(tokens)`; hashes by its argument `hashfunc`; `distance`; `SimhashIndex.get_near_dups` with `k`. ' +
      '`_tokenize` shows its tokens and is private.',
    strengths:
      'It takes a text, tokens, weighted tokens or a number, and any hash function. Given hashes, it keeps the rule for ties. It has an index that finds all within k.',
    differs: [
      { step: 3, how: 'lower case', like: ['lower-case'] },
      {
        step: 5,
        how: 'every four neighbouring characters of the words joined together',
        like: ['shingles-of-characters'],
      },
      { step: 7, how: 'the last 8 octets of MD5', like: ['md5-last-octets'] },
      { step: 8, how: '0 for no tokens', like: ['no-tokens-as-zero'] },
    ],
    changes: [
      '`Simhash(tokens, hashfunc=…)` with lookup3 of step 7 and the tokens of steps 1 to 5 gives the fingerprint.',
      'Give a list of tokens, one for each occurrence.',
      'Treat a document without tokens apart: it gives 0.',
    ],
  },
  {
    id: 'pypi-simhash-py',
    registry: 'PyPI',
    package: 'simhash-py',
    version: '0.4.0',
    licence: 'not stated in the package',
    released: 2017,
    adapter: 'python/simhash_seomoz.py',
    // Not declared by it.
    with: { six: '1.17.0' },
    // Its C++ was generated for Python up to 3.8.
    pythons: ['3.8', '3.7', '3.6', '2.7'],
    chosen:
      '`compute(hashes)` over `unsigned_hash(token)`, as in its README, which leaves the tokens to its user; `num_differing_bits`; `find_all` with 6 blocks. It wraps seomoz/simhash-cpp 0.4.',
    strengths:
      'It keeps the parts apart: hashes in, fingerprint out, and `find_all` for all near pairs of a set, which is exact for every k below the number of blocks.',
    differs: [
      { step: 7, how: 'the first 8 octets of MD5', like: ['md5-first-octets'] },
      { step: 8, how: '0 for no tokens', like: ['no-tokens-as-zero'] },
    ],
    changes: [
      'Hash tokens by lookup3 in place of `unsigned_hash`.',
      TOKENS,
      'Treat a document without tokens apart: `compute([])` is 0.',
    ],
  },
  {
    id: 'pypi-python-hashes',
    registry: 'PyPI',
    package: 'python-hashes',
    version: '0.1',
    licence: 'not stated in the package',
    released: 2011,
    adapter: 'python/python_hashes.py',
    pythons: ['2.7'],
    chosen:
      '`simhash(text, hashbits=64)`; its example has 96 bits, and `hashbits` is its own argument. It is written for Python 2.',
    strengths:
      'Fingerprints of any width, with `hamming_distance` and a similarity that is that of simhash-doc, in 100 lines without a dependency.',
    differs: [
      { step: 5, how: 'cuts at white space only', like: ['white-space-split'] },
      { step: 7, how: 'the string hash of old versions of Python, with a width of its own' },
      { step: 8, how: '1 for a tie, so 64 ones for no tokens', like: ['tie-to-one'] },
    ],
    changes: [
      'Give 0 for ties (`>` in place of `>=`).',
      'Override `_string_hash` with lookup3 of step 7.',
      TOKENS,
      'Treat a document without tokens apart: it gives 64 ones.',
    ],
  },
  {
    id: 'pypi-text-dedup',
    registry: 'PyPI',
    package: 'text-dedup',
    version: '0.4.0',
    licence: 'Apache-2.0',
    with: {
      bitarray: '3.12.3',
      click: '8.1.8',
      'click-option-group': '0.5.9',
      datasets: '4.8.0',
      ftfy: '6.3.1',
      numpy: '2.4.6',
      psutil: '7.2.2',
      regex: '2026.11.15',
      rich: '13.9.4',
      scipy: '1.17.1',
      tqdm: '4.70.1',
      xxhash: '4.1.0',
    },
    isBare: true,
    pythons: ['3.11', '3.12', '3.10'],
    adapter: 'python/text_dedup_simhash.py',
    chosen:
      '`embed_func(text, …)` of `text_dedup.simhash`, which its command `python -m text_dedup.simhash` calls for each row, with the defaults of that command (64 bits, n-grams of 3); `_unsigned_hash`, `compute(hashes)` and `_hamming_distance`, which are private. Installed without pyspark and unisim, which its other methods use.',
    strengths:
      'It removes near duplicates from whole data sets in one command, also by MinHash, suffix arrays and Bloom filters. Given hashes, it keeps the rule for ties.',
    differs: [
      { step: 3, how: 'lower case', like: ['lower-case'] },
      {
        step: 5,
        how: 'every three neighbouring characters, white space and punctuation included, each once; a text of fewer than 5 characters has none',
        like: ['shingles-of-characters', 'tokens-deduplicated'],
      },
      { step: 7, how: 'XXH3 of 64 bits' },
      { step: 8, how: 'one octet 0 for no tokens', like: ['no-tokens-as-zero'] },
    ],
    changes: [
      'Call `compute` with the hashes of step 7: its command has no option for tokens or for the hash.',
      TOKENS,
      'Treat a document without tokens apart: it gives 0.',
    ],
  },
  {
    id: 'pypi-daft',
    registry: 'PyPI',
    package: 'daft',
    version: '0.7.26',
    licence: 'Apache-2.0',
    pythons: ['3.11', '3.12', '3.10'],
    adapter: 'python/daft_simhash.py',
    chosen:
      'The built-in expressions `simhash(text)`, with its defaults (n-grams of 3, XXH3), and `hamming_distance(a, b)`. The hash of a token is `simhash` with an n-gram as long as the token.',
    strengths:
      'Fingerprints are a column of a data frame, computed in Rust on all cores; a choice of hashes; MinHash beside it. It counts each occurrence and keeps the rule for ties.',
    differs: [
      {
        step: 5,
        how: 'every three neighbouring characters, white space and punctuation included; a text of fewer than 3 characters has none',
        like: ['shingles-of-characters'],
      },
      { step: 7, how: 'XXH3 of 64 bits' },
      { step: 8, how: '0 for no tokens', like: ['no-tokens-as-zero'] },
    ],
    changes: [
      'Compute the fingerprints in a function of one\u2019s own: the expression takes neither tokens nor hashes, and lookup3 is not among its hashes. `hamming_distance` compares them.',
      'Treat a document without tokens apart: it gives 0.',
    ],
  },
  {
    id: 'pypi-chdb-core',
    registry: 'PyPI',
    package: 'chdb-core',
    version: '26.9.0',
    licence: 'Apache-2.0',
    isBare: true,
    adapter: 'python/clickhouse.py',
    chosen:
      'The functions of ClickHouse, in the library that is made of it: `wordShingleSimHashUTF8(text)` with its default (three words), which is nearer to words than `ngramSimHashUTF8`; `tokens(text)`; `bitHammingDistance(a, b)`.',
    strengths:
      'Each is a function of SQL, so that fingerprints, comparison and search are queries over any table; there are variants for characters and words, ASCII and UTF-8, with and without case, and MinHash of the same kinds.',
    differs: [
      {
        step: 5,
        how: 'every three neighbouring words; words end at ASCII white space and punctuation',
        like: ['shingles-of-words', 'letterless-kept'],
      },
      { step: 7, how: 'a hash of 32 bits' },
      { step: 8, how: '32 counters; 0 for fewer words than three', like: ['low-half-alone', 'no-tokens-as-zero'] },
    ],
    changes: [
      'Bring the fingerprints: its functions take neither tokens nor hashes. simhash-doc writes the queries that find them (`simhash-doc sql`), and `bitHammingDistance` compares them.',
      'Treat a document without tokens apart: it gives 0.',
    ],
  },
  {
    id: 'pypi-iscc-core',
    registry: 'PyPI',
    package: 'iscc-core',
    version: '1.5.0',
    licence: 'Apache-2.0',
    pythons: ['3.11', '3.12', '3.10'],
    adapter: 'python/iscc.py',
    chosen:
      'The first 64 bits of `soft_hash_text_v0(text_collapse(text))`, which are those of the Text-Code of `gen_text_code(text)`; `alg_simhash(hashes)`, which it uses for other codes, such as that of metadata; `iscc_distance_bytes`.',
    strengths:
      'The reference implementation of ISO 24138, which identifies texts, images, sound and video alike, with vectors of its own. It normalises texts, so that case, accents, punctuation and white space change nothing.',
    differs: [
      {
        step: 3,
        how: 'NFKC in lower case, without white space, punctuation, marks and controls',
        like: ['nfkc', 'lower-case', 'marks-stripped'],
      },
      { step: 5, how: 'every 13 neighbouring characters', like: ['shingles-of-characters'] },
      { step: 7, how: 'xxHash of 32 bits' },
      {
        step: 8,
        how: 'MinHash: the lowest bits of 64 minima, in place of counters; its simhash gives 1 for a tie',
        like: ['tie-to-one'],
      },
    ],
    changes: [
      'Give `alg_simhash` the hashes of step 7, and give 0 for ties (`>` in place of `>=`); it fails for a list without hashes.',
      TOKENS,
    ],
  },
  {
    id: 'crates-simhash',
    registry: 'crates.io',
    package: 'simhash',
    version: '0.3.0',
    licence: 'MIT',
    with: { serde_json: '1.0.145' },
    adapter: 'rust/simhash.rs',
    chosen:
      '`simhash(text)`, as in its README, with SipHash, its default; `simhash_stream(tokens)`; `hamming_distance`; `hash_similarity`.',
    strengths: 'It takes tokens as a stream, keeps the rule for ties, and its similarity is that of simhash-doc.',
    differs: [
      { step: 5, how: 'cuts at white space only', like: ['white-space-split'] },
      { step: 7, how: 'SipHash-2-4 with the key 0, or FNV-1a, of the octets and ff' },
      { step: 8, how: '0 for no tokens', like: ['no-tokens-as-zero'] },
    ],
    changes: [
      'Hash tokens by lookup3: the hash is chosen by a feature of the crate (SipHash or FNV), and no function takes hashes.',
      TOKENS,
      'Treat a document without tokens apart: it gives 0.',
    ],
  },
  {
    id: 'crates-gaoya',
    registry: 'crates.io',
    package: 'gaoya',
    version: '0.2.2',
    licence: 'MIT',
    with: { serde_json: '1.0.145' },
    adapter: 'rust/gaoya.rs',
    chosen:
      '`SimHash::<SimSipHasher64, u64, 64>::new(SimSipHasher64::new(5, 6))` and `create_signature(whitespace_split(text))`, as in its tests: its README shows MinHash only. `SimHashIndex` with 8 blocks.',
    strengths:
      'It has MinHash beside SimHash of 64 and 128 bits, an index of several tables, clustering, and does its bulk work on all cores.',
    differs: [
      { step: 5, how: 'cuts at ASCII white space and punctuation', like: ['white-space-trimmed', 'letterless-kept'] },
      { step: 7, how: 'SipHash-2-4 with a key, of the octets and ff' },
      { step: 8, how: '1 if most hashes have 0', like: ['bits-inverted'] },
      { step: 11, how: 'finds what is nearer than k, not what is at k', like: ['lookup-strict'] },
    ],
    changes: [
      'Invert the result: it counts 0 bits up and 1 bits down.',
      'Hash tokens by lookup3: the trait of its hashers is private.',
      'Ask the index for k + 1: it finds what is nearer than the distance that it is given.',
      TOKENS,
    ],
  },
  {
    id: 'go-mfonda-simhash',
    registry: 'Go',
    package: 'github.com/mfonda/simhash',
    version: 'v0.0.0-20151007195837-79f94a1100d6',
    licence: 'MIT',
    released: 2015,
    with: { 'golang.org/x/text': 'v0.43.0' },
    adapter: 'go/mfonda.go',
    chosen:
      '`Simhash(NewWordFeatureSet(octets))`, as in its README; `SimhashBytes(tokens)`; hashes by the interface `Feature`; `Compare`.',
    strengths:
      'Each part is a function or an interface of its own: features, their hashes and weights, the vector and the fingerprint. `NewUnicodeWordFeatureSet(octets, norm.NFC)` normalises and takes letters of all scripts.',
    differs: [
      { step: 3, how: 'lower case', like: ['lower-case'] },
      {
        step: 5,
        how: 'runs of ASCII letters, digits, underscores and apostrophes, and addresses',
        like: ['ascii-only', 'apostrophe-joins', 'letterless-kept'],
      },
      { step: 7, how: 'FNV-1', like: ['fnv-1'] },
      { step: 8, how: '1 for a tie, so 64 ones for no tokens', like: ['tie-to-one'] },
    ],
    changes: [
      'Give 0 for ties (`>` in place of `>=` in `Fingerprint`), which a program can do on the exported `Vector`.',
      'Pass features with the hashes of step 7.',
      TOKENS,
      'Treat a document without tokens apart: it gives 64 ones.',
    ],
  },
  {
    id: 'go-dedup-simhash',
    registry: 'Go',
    package: 'github.com/go-dedup/simhash',
    version: 'v0.0.0-20170904020510-9ecaca7b509c',
    licence: 'MIT',
    released: 2017,
    with: {
      'github.com/go-dedup/text': 'v0.0.0-20170907015346-8bb1b95e3cb7',
      'github.com/go-dedup/megophone': 'v0.0.0-20170830025436-f01be21026f5',
    },
    adapter: 'go/dedup.go',
    chosen:
      '`NewSimhash().GetSimhash(NewWordFeatureSet(octets))`, as in its README; `Doc2words` as tokenizer, which `BuildSimhash` takes; `SimhashBytes(tokens)`; hashes by the interface `Feature`; `Compare`.',
    strengths:
      'A fork of mfonda/simhash with tokenizers to choose from, also for Chinese, Japanese and Korean, and an oracle for documents seen before.',
    differs: [
      { step: 3, how: 'lower case', like: ['lower-case'] },
      {
        step: 5,
        how: 'runs of ASCII letters, digits, underscores and apostrophes, and addresses; Doc2words cuts camel case and drops what is not ASCII',
        like: ['ascii-only', 'camel-case-split', 'letterless-kept'],
      },
      { step: 7, how: 'FNV-1', like: ['fnv-1'] },
      { step: 8, how: '1 for a tie, so 64 ones for no tokens', like: ['tie-to-one'] },
    ],
    changes: [
      'Give 0 for ties (`>` in place of `>=` in `Fingerprint`), which a program can do on the exported `Vector`.',
      'Pass features with the hashes of step 7.',
      'Pass the tokens of steps 1 to 5, as a `Doc2Words` function.',
      'Treat a document without tokens apart: it gives 64 ones.',
    ],
  },
  {
    id: 'go-yanyiwu-gosimhash',
    registry: 'Go',
    package: 'github.com/yanyiwu/gosimhash',
    version: 'v0.10.0',
    licence: 'MIT',
    // Later versions are not in the proxy, and this one is not in the database of checksums. Its C++ is that of 2011.
    environment: { GONOSUMDB: 'github.com/yanyiwu/gosimhash', CGO_CXXFLAGS: '-std=c++11' },
    adapter: 'go/yanyiwu.go',
    chosen:
      '`New(dictionaries…).MakeSimhash(text, 5)`, as in its example, with the dictionaries that it brings. It is [yanyiwu/simhash](https://github.com/yanyiwu/simhash) (C++), which it holds, behind cgo. Built with `CGO_CXXFLAGS=-std=c++11`: it does not compile as newer C++.',
    strengths:
      'It is made for Chinese: words by a dictionary and a hidden Markov model, and the keywords with the largest TF-IDF, each with that as weight.',
    differs: [
      { step: 5, how: 'five keywords of a dictionary, each once with its TF-IDF as weight, without stop words' },
      { step: 7, how: 'lookup3, with c in the upper half', like: ['words-swapped'] },
      { step: 8, how: '0 for no tokens', like: ['no-tokens-as-zero'] },
    ],
    changes: [
      'In C++, `make_from_predefined_keywords` of newer versions takes tokens with weights; Go has no function for them.',
      'Exchange the two halves of each token hash, before they are counted.',
      'Treat a document without tokens apart: it gives 0.',
    ],
  },
  {
    id: 'maven-simhash-core',
    registry: 'Maven Central',
    package: 'com.xzixi.algorithm:simhash-core',
    version: '1.1.0',
    licence: 'GPL-3.0',
    released: 2019,
    with: { 'com.xzixi.algorithm:simhash-analyzer': '1.1.0', 'com.google.code.gson:gson': '2.11.0' },
    adapter: 'java/Xzixi.java',
    chosen:
      '`new SimHasher(new JcsegKeywordsExtractor(), new FVNHashGenerator()).simhash(text)`, with the parts of simhash-analyzer; tokens and hashes by its interfaces `KeywordsExtractor` and `HashGenerator`, each with the number of its occurrences as weight. Texts and tokens of more than 10,000 characters are not asked: its token hash takes quadratic time, 148 s for 65,536 characters.',
    strengths:
      'Tokenizer and hash are interfaces, tokens have weights (by default TF-IDF), and Chinese is cut into words by a dictionary.',
    differs: [
      { step: 5, how: 'words of a dictionary, each once with its TF-IDF as weight, without stop words' },
      { step: 7, how: 'FNV-1a over UTF-16 units in place of octets', like: ['fnv-1a', 'utf16-units-hashed'] },
      { step: 8, how: '1 for a tie, so 64 ones for no tokens', like: ['tie-to-one'] },
    ],
    changes: [
      'Pass a `KeywordsExtractor` that gives the tokens of steps 1 to 5 with the number of their occurrences.',
      'Pass a `HashGenerator` with lookup3 of step 7.',
      'Give 0 for ties: it gives 1, and so 64 ones for a document without tokens.',
    ],
  },
];
