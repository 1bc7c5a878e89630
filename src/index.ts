export type { CodedError, ErrorCode } from './errors.ts';
export { createFingerprinter, type Fingerprinter, fingerprint } from './fingerprint/fingerprint.ts';
export { countTokens, overlap, type TokenCounts } from './fingerprint/token-counts.ts';
export { classify, type WordClass } from './scheme/classify.ts';
export {
  CLOSE_DISTANCE,
  type Comparison,
  compare,
  DEFAULT_DISTANCE,
  distance,
  isCloseMatch,
  isLooseMatch,
  LOOSE_DISTANCE,
  type Nearness,
  similarity,
  similarityOfDistance,
  type Verdict,
  verdictOfDistance,
} from './scheme/compare.ts';
export { decode, toWellFormed } from './scheme/decode.ts';
export { type Explanation, explain } from './scheme/explain.ts';
export type { Fingerprint } from './scheme/labels/fingerprint.ts';
export { LABEL, LABELS, type Label, type LabelOption, parseLabel } from './scheme/labels/label.ts';
export { draw, findWinners, minhash, truncate, type Winner } from './scheme/minhash.ts';
export { normalise } from './scheme/normalise.ts';
export {
  formatLabelled,
  fromBytes,
  fromHex,
  type LabelledFingerprint,
  parse,
  parseLabelled,
  serialise,
  toBytes,
  toHex,
} from './scheme/serialise.ts';
export { countBits, simhash } from './scheme/simhash.ts';
export { findLocators, type Locator, type LocatorForm, stripLocators } from './scheme/strip-locators.ts';
export {
  KEY_BITS,
  permute,
  probeKeys,
  probesPerTable,
  TABLES,
  tableKey,
  tableKeys,
  unpermute,
} from './scheme/tables.ts';
export { hashlittle2, hashToken } from './scheme/token-hash.ts';
export { type Token, tokenise } from './scheme/tokenise.ts';
