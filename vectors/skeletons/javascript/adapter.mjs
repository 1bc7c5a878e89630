#!/usr/bin/env node
/**
 * Adapter between an implementation of simhash-doc in JavaScript and its conformance tests.
 *
 * It speaks the adapter protocol, version 1 (spec/conformance.md): JSON Lines on standard input and
 * output, one reply for each request. Nothing but Node is used.
 *
 *     simhash-doc conformance smoke -- node adapter.mjs      checks the plumbing alone
 *     simhash-doc conformance -- node adapter.mjs            tells what is right and what goes wrong first
 *
 * What to do: call your implementation in tokenHash() below, then add one operation after the other
 * to `operations`. What is not in there is not tested, and not counted as wrong.
 */
import { createInterface } from 'node:readline';

const NAME = 'my-implementation';
const VERSION = '0.0.0';
/** The Unicode version of String.prototype.normalize, process.versions.unicode, if you use it. */
const UNICODE = null;

/** Makes the error for an input that is refused. The code is one of the specification, section Errors. */
function refusal(code) {
  return Object.assign(new Error(code), { refusal: code });
}

// ---------------------------------------------------------------------------------------------- your implementation

/** Step 7: the hash of a token, given as its octets in UTF-8; a bigint from 0 to 2^64 - 1. */
function tokenHash(_octets) {
  return 0n; // CALL YOUR IMPLEMENTATION HERE
}

// ------------------------------------------------------------------------------------------------------- operations
// Each takes the `input` of a request and returns the `ok` of its reply, or throws a refusal. The table in
// spec/conformance.md, section Operations, says what both hold.

/** The octets of an input that is a text or octets. */
function octetsOf({ text, utf8 }) {
  if (text === undefined && utf8 === undefined) throw refusal('wrong-type');
  return text === undefined ? Buffer.from(utf8, 'hex') : Buffer.from(text, 'utf8');
}

/** 64 bits as the protocol writes them. */
function hex16(number) {
  return number.toString(16).padStart(16, '0');
}

const operations = {
  'token-hash': (input) => ({ hash: hex16(tokenHash(octetsOf(input))) }),

  // The next ones could be:
  //
  // parse({ serialised }) {
  //   const fingerprint = myParse(serialised);
  //   if (fingerprint === undefined) throw refusal('invalid-fingerprint');
  //   return { fingerprint: hex16(fingerprint) };
  // },
  //
  // // With `decoded`, `normalised`, `stripped`, `tokens`, `hashes` and `counters` beside it, where
  // you have them, the // runner can name the step that goes wrong. null stands for a text without
  // tokens. fingerprint: (input) => ({ fingerprint: myFingerprint(octetsOf(input)) }),
};

// --------------------------------------------------------------------------------------------------------- protocol

function hello() {
  return {
    name: NAME,
    version: VERSION,
    language: 'JavaScript',
    protocol: 1,
    unicode: UNICODE,
    operations: Object.keys(operations),
  };
}

function answer({ id, op, input }) {
  try {
    if (op === 'hello') return { id, ok: hello() };
    if (!Object.hasOwn(operations, op)) return { id, unsupported: true };
    return { id, ok: operations[op](input) };
  } catch (error) {
    if (error.refusal === undefined) throw error;
    return { id, error: { code: error.refusal } };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
