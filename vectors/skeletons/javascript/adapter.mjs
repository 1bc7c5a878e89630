#!/usr/bin/env node
/**
 * Adapter between an implementation of simhash-doc in JavaScript and the conformance tests.
 *
 * It speaks the adapter protocol, version 1 (vectors/README.md): JSON Lines on standard input and
 * output, one reply for each request. It needs only Node.
 *
 *     simhash-doc conformance --bail -- node adapter.mjs      stops at the first failure
 *     simhash-doc conformance -- node adapter.mjs             runs all vectors
 *
 * What to do: replace "throw unsupported()" in the functions below by calls of your implementation,
 * in any order. Operations that throw it are not tested and do not count as wrong; you may also
 * throw it for single inputs. But a class needs every vector of its operations, except inputs of the
 * kinds in DECLINES.
 *
 * To offer other labels than simhash-doc, add them to LABELS; the functions that take a label then
 * get them, in lower case.
 */
import { createInterface } from 'node:readline';

const NAME = 'my-implementation';
const VERSION = '0.0.0';
/** The labels that are offered, of simhash-doc, simhash-doc+bg1, minhash-doc and minhash-doc-256. */
const LABELS = ['simhash-doc'];
/** The kinds of inputs that are declined (vectors/README.md, "Declined inputs"), such as 'utf8' for texts only. */
const DECLINES = [];
/** The functions of the product by the operations that they answer: { fingerprint: 'fingerprint' }. */
const FUNCTIONS = {};
/** The Unicode version of the library that NFC comes from, such as process.versions.unicode, or null. */
const UNICODE = null;

/** Makes the error for an operation that is not implemented, or not for this input. */
function unsupported() {
  return Object.assign(new Error('unsupported'), { unsupported: true });
}

/** Makes the error for an input that is refused, with a code of the specification, section Errors. */
export function refusal(code) {
  return Object.assign(new Error(code), { refusal: code });
}

// ------------------------------------------------------------------------------- your implementation
// Octets are a Uint8Array. Fingerprints and hashes are bigints of 64 bits; a fingerprint of minhash-doc-256 is
// a Uint8Array of 32 octets, and null stands for a document without a fingerprint. To refuse an input:
// throw refusal('invalid-fingerprint').

/** Step 1: returns the text. */
function decode(_octets) {
  throw unsupported();
}

/** Step 1 for a string that may contain lone surrogates: returns the text. */
function decodeUnits(_string) {
  throw unsupported();
}

/** Step 2: returns the class of each code point: letter, word, break, ignorable or unassigned. */
function classify(_text) {
  throw unsupported();
}

/** Step 3: returns the text. */
function normalise(_text) {
  throw unsupported();
}

/** Step 4: returns the text. */
function stripLocators(_text) {
  throw unsupported();
}

/** Step 5: returns the tokens. */
function tokenise(_text, _label) {
  throw unsupported();
}

/** Step 7: returns the hash of a token. */
function tokenHash(_octets) {
  throw unsupported();
}

/** Step 7 with initial values: returns { c, b }, numbers of 32 bits. */
function lookup3(_octets, _pc, _pb) {
  throw unsupported();
}

/** Step 8: returns { fingerprint, counters }. */
function simhash(_hashes) {
  throw unsupported();
}

/** minhash-doc: returns S(element, n), a bigint of 64 bits. */
function draw(_element, _n) {
  throw unsupported();
}

/** minhash-doc: returns { fingerprint, draws }, the winning draws with bin 0 of word 0 first. */
function minhash(_hashes, _label) {
  throw unsupported();
}

/** minhash-doc: returns the fingerprint of minhash-doc that one of minhash-doc-256 begins with. */
function truncate(_fingerprint) {
  throw unsupported();
}

/** Step 9: returns { text, hex }, the 13 or 52 characters and the hexadecimal form. */
function serialise(_fingerprint, _label) {
  throw unsupported();
}

/** Step 9: returns the fingerprint of 13 or 52 characters. */
function parse(_serialised, _label) {
  throw unsupported();
}

/** Step 9: returns the fingerprint of the hexadecimal form. */
function parseHex(_digits, _label) {
  throw unsupported();
}

/** Labels: returns the label in lower case. */
function parseLabel(_label) {
  throw unsupported();
}

/** Labels: returns { label, fingerprint }. */
function parseLabelled(_labelled) {
  throw unsupported();
}

/** Labels: returns the labelled form. */
function formatLabelled(_label, _fingerprint) {
  throw unsupported();
}

/** Step 10, for two labelled forms or null: returns { distance, similarity, verdict }. */
function compare(_a, _b) {
  throw unsupported();
}

/** Step 11: returns { keys, permuted }, lists of 16. */
function tables(_fingerprint) {
  throw unsupported();
}

/** Step 11: returns the fingerprint. */
function unpermute(_permuted, _table) {
  throw unsupported();
}

/** Step 11: returns { count, digest }, the number of probes and their token hash. */
function probe(_fingerprint, _table, _k) {
  throw unsupported();
}

/** Step 11, for entries { id, fingerprint }: returns { completeTo, matches: [{ id, fingerprint, distance }] }. */
function lookup(_entries, _query, _k, _label) {
  throw unsupported();
}

/**
 * Steps 1 to 9, for octets or a string that may contain lone surrogates: returns { fingerprint }, 13 or 52 characters
 * or null. Add decoded, normalised, stripped, tokens, hashes (hex16), and counters or draws (hex16) if you have them:
 * they show which step goes wrong.
 */
function fingerprintOf(_document, _label) {
  throw unsupported();
}

/** Many cases of one step: returns the digest (vectors/README.md, section Accumulated vectors). */
function accumulate(_step, _rule, _seed, _count) {
  throw unsupported();
}

/** Extraction and steps 1 to 9: returns 13 characters or null. */
function extract(_octets, _medium) {
  throw unsupported();
}

/** The HTML profile: returns { tokens, fingerprint }, with 13 characters or null. */
function extractHtml(_octets, _charset) {
  throw unsupported();
}

// ---------------------------------------------------------------------------------------- operations
// Each takes the `input` of a request and returns the `ok` of its reply (vectors/README.md, section
// Operations).

function octetsOf({ text, utf8 }) {
  return text === undefined ? Buffer.from(utf8, 'hex') : Buffer.from(text, 'utf8');
}

function unitsOf({ utf16 }) {
  return (utf16.match(/.{4}/g) ?? []).map((digits) => String.fromCharCode(Number.parseInt(digits, 16))).join('');
}

function numberOf(digits) {
  return digits === null ? null : BigInt(`0x${digits}`);
}

/** Reads a fingerprint of 16 or 64 digits, or null. */
function fingerprintIn(digits) {
  return digits?.length === 64 ? Uint8Array.from(Buffer.from(digits, 'hex')) : numberOf(digits);
}

function hexOf(fingerprint) {
  return fingerprint instanceof Uint8Array ? Buffer.from(fingerprint).toString('hex') : hex16(fingerprint);
}

function hex16(number) {
  return number === null ? null : number.toString(16).padStart(16, '0');
}

function hex8(number) {
  return number.toString(16).padStart(8, '0');
}

const operations = {
  decode: (input) => ({ text: input.utf16 === undefined ? decode(octetsOf(input)) : decodeUnits(unitsOf(input)) }),
  classify: ({ text }) => ({ classes: classify(text) }),
  normalise: ({ text }) => ({ text: normalise(text) }),
  'strip-locators': ({ text }) => ({ text: stripLocators(text) }),
  tokenise: ({ text, label = 'simhash-doc' }) => ({ tokens: tokenise(text, label) }),
  'token-hash': (input) => ({ hash: hex16(tokenHash(octetsOf(input))) }),
  lookup3(input) {
    const { c, b } = lookup3(octetsOf(input), Number.parseInt(input.pc, 16), Number.parseInt(input.pb, 16));
    return { c: hex8(c), b: hex8(b) };
  },
  simhash({ hashes }) {
    const { fingerprint, counters } = simhash(hashes.map(numberOf));
    return { fingerprint: hex16(fingerprint), counters };
  },
  draw: ({ hash, n }) => ({ draw: hex16(draw(numberOf(hash), n)) }),
  minhash({ hashes, label }) {
    const { fingerprint, draws } = minhash(hashes.map(numberOf), label);
    return { fingerprint: hexOf(fingerprint), draws: draws.map(hex16) };
  },
  truncate: ({ fingerprint }) => ({ fingerprint: hex16(truncate(fingerprintIn(fingerprint))) }),
  serialise: ({ fingerprint, label = 'simhash-doc' }) => serialise(fingerprintIn(fingerprint), label),
  parse: ({ serialised, label = 'simhash-doc' }) => ({ fingerprint: hexOf(parse(serialised, label)) }),
  'parse-hex': ({ hex, label = 'simhash-doc' }) => ({ fingerprint: hexOf(parseHex(hex, label)) }),
  'parse-label': ({ label }) => ({ label: parseLabel(label) }),
  'parse-labelled'({ labelled }) {
    const { label, fingerprint } = parseLabelled(labelled);
    return { label, fingerprint: hexOf(fingerprint) };
  },
  'format-labelled': ({ label, fingerprint }) => ({ labelled: formatLabelled(label, fingerprintIn(fingerprint)) }),
  compare: ({ a, b }) => compare(a, b),
  tables({ fingerprint }) {
    const { keys, permuted } = tables(numberOf(fingerprint));
    return { keys, permuted: permuted.map(hex16) };
  },
  unpermute: ({ permuted, table }) => ({ fingerprint: hex16(unpermute(numberOf(permuted), table)) }),
  probe({ fingerprint, table, k }) {
    const { count, digest } = probe(numberOf(fingerprint), table, k);
    return { count, digest: hex16(digest) };
  },
  lookup({ entries, query, k = 3, label = 'simhash-doc' }) {
    const read = entries.map(({ id, fingerprint }) => ({ id, fingerprint: fingerprintIn(fingerprint) }));
    const { completeTo, matches } = lookup(read, fingerprintIn(query), k, label);
    return { completeTo, matches: matches.map((match) => ({ ...match, fingerprint: hexOf(match.fingerprint) })) };
  },
  fingerprint: (input) =>
    fingerprintOf(input.utf16 === undefined ? octetsOf(input) : unitsOf(input), input.label ?? 'simhash-doc'),
  accumulate: ({ step, rule, seed, count }) => ({ digest: accumulate(step, rule, seed, count) }),
  extract: ({ base64, type }) => ({ fingerprint: extract(Buffer.from(base64, 'base64'), type) }),
  'extract-html': (input) => extractHtml(octetsOf(input), input.charset),
};

// ------------------------------------------------------------------------------------------ protocol

function hello() {
  return {
    name: NAME,
    version: VERSION,
    language: 'JavaScript',
    protocol: 1,
    unicode: UNICODE,
    operations: Object.keys(operations),
    labels: LABELS,
    declines: DECLINES,
    functions: FUNCTIONS,
  };
}

function answer({ id, op, input }) {
  try {
    if (op === 'hello') return { id, ok: hello() };
    if (!Object.hasOwn(operations, op)) return { id, unsupported: true };
    return { id, ok: operations[op](input) };
  } catch (error) {
    if (error.unsupported) return { id, unsupported: true };
    if (error.refusal === undefined) throw error;
    return { id, error: { code: error.refusal } };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
