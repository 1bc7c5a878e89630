/** Mutants of src/scheme/ that no vector kills, and why none can. */
export interface Survivor {
  /** In src/scheme/. */
  readonly file: string;
  /** The declaration at the top of the file that it is in; any if not given. */
  readonly within?: string;
  /** The code that was replaced, on one line; any if not given. */
  readonly code?: string;
  /** What replaced it; any if not given. */
  readonly replacement?: string;
  readonly reason: string;
}

const UNREACHABLE = 'no operation of the protocol calls it; test/scheme/ tests it';
const ONE_LABEL = 'one label is registered, so two labels that were read never differ';
const FAST_PATH = 'a fast path: readLongSequence gives the same result';
const WEIGHTS = 'the scheme has no weights; test/scheme/ tests them';

/** By file. `npm run mutate` fails for a survivor that is not in this list. */
export const survivors: readonly Survivor[] = [
  { file: 'compare.ts', code: 'first.label !== second.label', replacement: 'false', reason: ONE_LABEL },
  { file: 'compare.ts', code: "'label-mismatch'", reason: ONE_LABEL },
  { file: 'compare.ts', within: 'similarity', reason: UNREACHABLE },
  { file: 'compare.ts', within: 'isLooseMatch', reason: UNREACHABLE },
  { file: 'compare.ts', within: 'isCloseMatch', reason: UNREACHABLE },
  { file: 'decode.ts', within: 'readCodePoint', reason: FAST_PATH },
  {
    file: 'decode.ts',
    within: 'startsWithByteOrderMark',
    code: 'octets.length >= 3',
    replacement: 'true',
    reason: 'an octet that is not there is not EF, BB or BF',
  },
  {
    file: 'decode.ts',
    code: 'end - start',
    replacement: 'end + start',
    reason: 'the buffer may be larger than needed',
  },
  {
    file: 'decode.ts',
    within: 'decodeRange',
    code: 'read === INCOMPLETE',
    replacement: 'false',
    reason: 'the width of INCOMPLETE is 7, which also ends the loop',
  },
  {
    file: 'serialise.ts',
    within: 'fromOctets',
    reason: 'no operation reads a fingerprint from octets; test/scheme/ tests it',
  },
  {
    file: 'serialise.ts',
    code: 'colon < 0',
    replacement: 'colon <= 0',
    reason: 'an empty label is refused with the same code',
  },
  { file: 'simhash.ts', within: 'nextWeight', reason: WEIGHTS },
  { file: 'simhash.ts', within: 'countBits', code: 'weights !== undefined', reason: WEIGHTS },
  {
    file: 'token-hash.ts',
    within: 'hashToken',
    reason: 'the protocol gives a text or octets, so the type is never wrong; test/scheme/ tests it',
  },
  { file: 'tables.ts', within: 'probesPerTable', reason: UNREACHABLE },
  { file: 'tables.ts', within: 'binomial', reason: UNREACHABLE },
];
