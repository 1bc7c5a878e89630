/** Mutants of src/scheme/ that no vector kills, with the reason why none can. */
export interface Survivor {
  /** In src/scheme/. */
  readonly file: string;
  /** The declaration at the top of the file that it is in; any if not given. */
  readonly within?: string;
  /** The code that was replaced, on one line; any if not given. */
  readonly code?: string;
  /** The replacement; any if not given. */
  readonly replacement?: string;
  readonly reason: string;
}

const UNREACHABLE = 'no operation of the protocol calls it; test/scheme/ tests it';
const WIDTHS = 'a label has 64 or 256 bits; test/errors.test.ts tests other numbers';
const NEVER_EQUAL = 'no number of 64 or 256 bits is 0.98 or 0.90 of them';
const WIDE = 'the protocol gives 32 bytes, or null, which is also refused elsewhere; test/errors.test.ts tests others';
const WORD_COUNTS = 'a label gives 1 or 4 words; test/errors.test.ts tests other numbers';
const FAST_PATH = 'a fast path: readLongSequence gives the same result';
const WEIGHTS = 'the scheme has no weights; test/scheme/ tests them';
const PLACES = 'no operation returns the places of tokens; test/scheme/ tests them';

const SORTED_AGAIN = 'the engine sorts marks as well: only the time for a long run of them changes';

/** The code of `toNfc` and `canBeReordered` that finds long runs of marks. */
const FINDS_RUNS: readonly Omit<Survivor, 'file' | 'reason'>[] = [
  { within: 'toNfc', replacement: '{}' },
  { within: 'toNfc', code: 'i <= text.length' },
  { within: 'toNfc', code: 'i < text.length' },
  { within: 'toNfc', code: 'canBeReordered(codePoint)' },
  { within: 'toNfc', code: 'codePoint > 0xffff' },
  { within: 'toNfc', code: 'i - run > MAX_ENGINE_RUN' },
  { within: 'toNfc', code: 'i - run', replacement: 'i + run' },
  { within: 'toNfc', code: 'copied === 0' },
  { within: 'canBeReordered', replacement: '{}' },
  { within: 'canBeReordered', code: 'codePoint < 0x300' },
  { within: 'canBeReordered', code: 'check === BOUNDARY' },
  { within: 'canBeReordered', code: 'order === DECOMPOSES', replacement: 'true' },
  { within: 'canBeReordered', code: 'decompositionOf(codePoint)[0]![1] !== 0', replacement: 'false' },
  { within: 'canBeReordered', code: 'order !== 0', replacement: 'false' },
];

const MORE_UNSURE = 'more code points than needed are normalised, with the same result';
const NOT_THERE = 'no such code point reaches NFC';
const AGAIN = 'computed again each time, with the same result';

/** The code of unicode.ts whose changes cost time alone. */
const UNICODE: readonly Omit<Survivor, 'file'>[] = [
  { within: 'classOf', code: 'isClassified[block] === 0', replacement: 'true', reason: AGAIN },
  { within: 'classifyBlock', code: 'at < end', replacement: 'at <= end', reason: 'one more run, of no code points' },
  {
    ...{ within: 'loadRuns', code: 'run < count', replacement: 'run <= count' },
    reason: 'a typed array ignores what is written behind its end',
  },
  {
    ...{ within: 'findRun', code: 'values.length - 1', replacement: 'values.length + 1' },
    reason: 'no run behind the last one begins at or before a code point',
  },
  {
    ...{ within: 'deriveQuickCheck', replacement: 'true', reason: MORE_UNSURE },
    code: 'MAYBE_COMPOSED.some(([first, last]) => codePoint >= first && codePoint <= last)',
  },
  { within: 'deriveQuickCheck', code: 'codePoint >= first && codePoint <= last', reason: MORE_UNSURE },
  { within: 'deriveQuickCheck', code: 'codePoint >= first', replacement: 'true', reason: MORE_UNSURE },
  { within: 'deriveQuickCheck', code: 'codePoint <= last', replacement: 'true', reason: MORE_UNSURE },
  {
    ...{ within: 'deriveQuickCheck', replacement: 'false', reason: NOT_THERE },
    code: 'wordClass === UNASSIGNED || wordClass === IGNORABLE || (codePoint & 0x1ff800) === 0xd800',
  },
  {
    ...{ within: 'deriveQuickCheck', reason: NOT_THERE },
    code: 'wordClass === UNASSIGNED || wordClass === IGNORABLE || (codePoint & 0x1ff800) === 0xd800',
    replacement: '(wordClass === UNASSIGNED || wordClass === IGNORABLE) && (codePoint & 0x1ff800) === 0xd800',
  },
  { within: 'deriveQuickCheck', code: 'wordClass === UNASSIGNED || wordClass === IGNORABLE', reason: NOT_THERE },
  { within: 'deriveQuickCheck', code: 'wordClass === UNASSIGNED', replacement: 'false', reason: NOT_THERE },
  { within: 'deriveQuickCheck', code: 'wordClass === IGNORABLE', replacement: 'false', reason: NOT_THERE },
  {
    ...{ within: 'deriveQuickCheck', replacement: 'false', reason: NOT_THERE },
    code: '(codePoint & 0x1ff800) === 0xd800',
  },
  { within: 'isStable', replacement: '{}', reason: MORE_UNSURE },
  { within: 'isStable', code: "text.normalize('NFC') === text", replacement: 'false', reason: MORE_UNSURE },
  { within: 'fillBlock', code: 'check === UNSURE', reason: SORTED_AGAIN },
  {
    ...{ within: 'orderOf', code: 'order === DECOMPOSES_BYTE', replacement: 'true' },
    reason: 'what does not decompose is its own decomposition',
  },
  { within: 'decompositionOf', code: 'parts === undefined', replacement: 'true', reason: AGAIN },
];

/** The code of `explain` that computes the places of tokens. */
const EXPLAIN_PLACES = [
  'locator && locator.start < start + shift',
  'locator.start < start + shift',
  'start + shift',
  '++passed',
  'shift += locator.end - locator.start - 1',
  'locator.end - locator.start - 1',
  'locator.end - locator.start',
  'end + shift - 1',
  'end + shift',
];

const IN_PARTS = 'matters where a locator is cut by the end of a part of a long text; test/fingerprint/ tests that';
const SAME_LOCATORS = 'a fast path, with the same result';
const BEHIND_THE_RUN = 'what is looked for consists of bytes that a run may hold, so it ends with the run';
const NO_MORE_BYTES = 'behind the end there is no byte';
const WORDS = 'the words looked for are "www." and "10.", and only bytes of a run are compared with them';

/** The code of strip-locators.ts whose changes no whole text reveals. */
const LOCATORS: readonly Omit<Survivor, 'file'>[] = [
  ...['false', 'true'].map((code) => ({ within: 'createLocatorScan', code, reason: 'set before it is read' })),
  { within: 'moveLocatorScan', code: 'scan.chainStart -= by', reason: IN_PARTS },
  { within: 'measure', code: 'at < scan.runEnd', replacement: 'false', reason: AGAIN },
  {
    ...{ within: 'measure', code: 'at < scan.runEnd', replacement: 'at <= scan.runEnd' },
    reason: 'the byte behind a run is never measured',
  },
  { within: 'measure', code: 'scan.measured < at', replacement: 'true', reason: IN_PARTS },
  { within: 'measure', code: 'scan.measured < at', replacement: 'scan.measured <= at', reason: IN_PARTS },
  { within: 'measure', code: 'i < end', reason: NO_MORE_BYTES },
  { within: 'measure', code: '-1', replacement: '+1', reason: 'both are none of the bytes asked for' },
  { within: 'measure', code: 'true', replacement: 'false', reason: SAME_LOCATORS },
  { within: 'measure', code: 'scan.chainStart === Infinity', replacement: 'false', reason: SAME_LOCATORS },
  ...['i === end', 'i + 3 >= end', 'i + 1 >= end', 'label + 1 >= end'].map((code) => ({
    ...{ within: 'measure', code, replacement: 'true' },
    reason: 'bytes are kept for longer, with the same result',
  })),
  { within: 'measure', code: 'label < end', reason: NO_MORE_BYTES },
  { within: 'isWord', code: 'byte >= 0x41 && byte <= 0x5a', reason: WORDS },
  { within: 'isWord', code: 'byte >= 0x41', reason: WORDS },
  { within: 'isWord', code: 'byte <= 0x5a', reason: WORDS },
  { within: 'count', code: 'length < most', reason: BEHIND_THE_RUN },
  { within: 'isWww', code: 'scan.runEnd - at >= 4', replacement: 'true', reason: BEHIND_THE_RUN },
  { within: 'isWww', code: 'scan.runEnd - at', replacement: 'scan.runEnd + at', reason: BEHIND_THE_RUN },
  {
    ...{ within: 'isPrefix', code: 'length < MIN_PREFIX', replacement: 'false' },
    reason: 'no shorter word is in the set',
  },
  { within: 'isDoi', code: 'scan.runEnd - at', reason: BEHIND_THE_RUN },
  { within: 'isDoi', code: 'left < 7', replacement: 'false', reason: BEHIND_THE_RUN },
  { within: 'isDoi', code: 'left - 3', reason: BEHIND_THE_RUN },
  { within: 'isUuid', code: 'scan.runEnd - at < 36', replacement: 'false', reason: BEHIND_THE_RUN },
  { within: 'isUuid', code: 'scan.runEnd - at', reason: BEHIND_THE_RUN },
  { within: 'digestLength', code: 'scan.runEnd - at', reason: BEHIND_THE_RUN },
  {
    ...{ within: 'digestLength', code: 'i < at + length', replacement: 'i <= at + length' },
    reason: 'no digit follows a digest (LOC-12)',
  },
  { within: 'match', code: 'scan.runEnd - at', reason: SAME_LOCATORS },
  ...[
    'scan.plain && (bytes[at]! | 0x20) !== 0x77 && (left < 32 || count(bytes, at, 8, HEX) < 8)',
    'left < 32 || count(bytes, at, 8, HEX) < 8',
    'left < 32',
    'count(bytes, at, 8, HEX) < 8',
  ].map((code) => ({ within: 'match', code, reason: SAME_LOCATORS })),
  {
    ...{ within: 'match', code: 'scan.runEnd + 2', replacement: 'scan.runEnd - 2' },
    reason: 'the bytes before it are uric, too',
  },
  { within: 'swallow', code: 'at < end || final', replacement: 'at < end && final', reason: IN_PARTS },
  { within: 'swallow', code: 'at < end', replacement: 'false', reason: IN_PARTS },
  {
    ...{ within: 'swallow', code: 'at + 1 >= end', replacement: 'true' },
    reason: 'bytes are kept for longer, with the same result',
  },
  { within: 'swallow', code: 'at < end', reason: NO_MORE_BYTES },
  { within: 'findLocator', code: 'scan.swallowing !== NOT_SWALLOWING', reason: IN_PARTS },
  { within: 'findLocator', code: 'at > from', reason: IN_PARTS },
  { within: 'findLocator', code: 'at - 1', replacement: 'at + 1', reason: IN_PARTS },
  { within: 'findLocator', code: 'decided >= 0', replacement: 'decided > 0', reason: 'a match is not empty' },
  { within: 'findLocators', code: 'byte >= 0xc0', replacement: 'byte > 0xc0', reason: 'C0 is in no UTF-8' },
];

/** The code of bg1.ts whose changes make no difference. */
const PAIRS: readonly Omit<Survivor, 'file'>[] = [
  {
    ...{ within: 'forEachRange', code: 'i < numbers.length', replacement: 'i <= numbers.length' },
    reason: 'a range behind the last one holds nothing',
  },
  { within: 'kindOf', code: 'kinds === undefined', replacement: 'true', reason: AGAIN },
  { within: 'pairUnitsOf', code: 'token.start + from', reason: PLACES },
  { within: 'pairUnitsOf', code: 'token.start + to', reason: PLACES },
  {
    ...{ within: 'unitsAt', code: 'at < text.length', replacement: 'at <= text.length' },
    reason: 'behind the end there is no code point, and no kind',
  },
  {
    ...{ within: 'unitsAt', code: 'codePoint > 0xffff', replacement: 'codePoint >= 0xffff' },
    reason: 'U+FFFF is a noncharacter, which NRM-1 has replaced',
  },
  {
    ...{ within: 'endOfOthers', code: 'at < text.length', replacement: 'at <= text.length' },
    reason: 'a slice ends with the text',
  },
  { within: 'endOfOthers', code: 'codePoint > 0xffff', reason: 'half a code point is neither joined nor a mark' },
];

/** By file. `npm run mutate` fails for a survivor that is not in this list. */
export const survivors: readonly Survivor[] = [
  {
    file: 'classify.ts',
    code: 'codePoint >= 0x7f',
    replacement: 'true',
    reason: 'no code point from U+0020 to U+007E has the category Cc',
  },
  {
    file: 'compare.ts',
    within: 'wideDistance',
    code: 'i < a.length',
    replacement: 'i <= a.length',
    reason: 'behind the end, undefined and undefined differ in no bit',
  },
  { file: 'compare.ts', within: 'similarityOfDistance', code: "'out-of-range'", reason: WIDTHS },
  {
    file: 'compare.ts',
    within: 'similarityOfDistance',
    code: 'bits !== 64 && bits !== 256',
    replacement: 'false',
    reason: WIDTHS,
  },
  { file: 'compare.ts', within: 'verdictOfDistance', replacement: 'value > CLOSE_SIMILARITY', reason: NEVER_EQUAL },
  { file: 'compare.ts', within: 'verdictOfDistance', replacement: 'value > LOOSE_SIMILARITY', reason: NEVER_EQUAL },
  { file: 'compare.ts', within: 'similarity', reason: UNREACHABLE },
  { file: 'compare.ts', within: 'isLooseMatch', reason: UNREACHABLE },
  { file: 'compare.ts', within: 'isCloseMatch', reason: UNREACHABLE },
  { file: 'decode.ts', within: 'readCodePoint', reason: FAST_PATH },
  {
    file: 'decode.ts',
    within: 'startsWithByteOrderMark',
    code: 'bytes.length >= 3',
    replacement: 'true',
    reason: 'an byte that is not there is not EF, BB or BF',
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
    file: 'decode.ts',
    code: 'Math.min(end - start, 4096)',
    reason: 'the text is made of parts of any size',
  },
  ...EXPLAIN_PLACES.map((code) => ({ file: 'explain.ts', within: 'explain', code, reason: PLACES })),
  {
    file: 'explain.ts',
    code: "typeof input !== 'string' && !(input instanceof Uint8Array)",
    reason: 'the protocol gives a text or bytes; test/scheme/ tests other types',
  },
  {
    file: 'explain.ts',
    code: 'value === null',
    replacement: 'true',
    reason: 'the operation fingerprint serialises the fingerprint by itself; test/scheme/ tests the member base32',
  },
  { file: 'fingerprint.ts', within: 'assertWide', reason: WIDE },
  { file: 'fingerprint.ts', within: 'assertFingerprintOf', reason: 'serialise checks it again' },
  {
    file: 'label.ts',
    within: 'schemeOf',
    code: 'known !== undefined',
    replacement: 'false',
    reason: 'a fast path: the label is folded and looked up once more',
  },
  { file: 'label.ts', within: 'schemeIn', code: "{ label: 'string?' }", reason: 'schemeOf checks the type again' },
  { file: 'minhash.ts', within: 'findWinners', code: "'out-of-range'", reason: WORD_COUNTS },
  {
    file: 'minhash.ts',
    within: 'findWinners',
    code: 'words !== 1 && words !== 4',
    replacement: 'false',
    reason: WORD_COUNTS,
  },
  {
    file: 'minhash.ts',
    within: 'findWordWinners',
    code: 'new Array<Winner>(BINS)',
    reason: 'an array grows when it is written to',
  },
  {
    file: 'minhash.ts',
    within: 'findWordWinners',
    code: 'winner.draw <= value',
    replacement: 'winner.draw < value',
    reason: 'two elements never make the same draw in one round (MIN-2)',
  },
  { file: 'minhash.ts', within: 'truncate', code: "'fingerprint'", reason: 'the name is only in messages' },
  {
    file: 'normalise.ts',
    within: 'replaceAndDelete',
    code: 'i < text.length',
    replacement: 'i <= text.length',
    reason: 'behind the end there is no code point, and no class',
  },
  {
    file: 'normalise.ts',
    within: 'replaceAndDelete',
    code: 'codePoint < 0x80',
    reason: 'no code point up to U+0080 is unassigned or ignorable',
  },
  {
    file: 'normalise.ts',
    within: 'replaceAndDelete',
    code: 'copied === 0',
    replacement: 'false',
    reason: 'nothing and the whole text are the text',
  },
  ...FINDS_RUNS.map((code) => ({ file: 'normalise.ts', ...code, reason: SORTED_AGAIN })),
  {
    file: 'normalise.ts',
    within: 'sortMarks',
    code: 'mark > 0xffff',
    replacement: 'mark >= 0xffff',
    reason: 'U+FFFF is a noncharacter, which NRM-1 has replaced',
  },
  {
    file: 'normalise.ts',
    within: 'sortMarks',
    code: 'order < 255',
    replacement: 'order <= 255',
    reason: 'a typed array ignores what is written behind its end',
  },
  {
    file: 'normalise.ts',
    within: 'sortMarks',
    code: 'at < size',
    replacement: 'at <= size',
    reason: 'an empty part adds nothing',
  },
  { file: 'normalise.ts', within: 'createSegment', reason: PLACES },
  { file: 'normalise.ts', within: 'composeSegment', reason: PLACES },
  { file: 'normalise.ts', within: 'normaliseWithPlaces', reason: PLACES },
  {
    file: 'serialise.ts',
    within: 'fromBytes',
    reason: 'no operation reads a fingerprint from bytes; test/scheme/ tests it',
  },
  {
    file: 'serialise.ts',
    within: 'toHex',
    code: 'fingerprint instanceof Uint8Array',
    replacement: 'true',
    reason: 'the bytes of 64 bits have the same digits',
  },
  {
    file: 'serialise.ts',
    within: 'parse',
    replacement: '``',
    reason: 'part of a message',
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
    file: 'simhash.ts',
    within: 'countBits',
    code: 'weightOf !== undefined && weightOf.next().done !== true',
    reason: WEIGHTS,
  },
  { file: 'simhash.ts', within: 'countBits', code: 'weightOf.next().done !== true', reason: WEIGHTS },
  { file: 'simhash.ts', within: 'countBits', code: 'true', replacement: 'false', reason: WEIGHTS },
  { file: 'simhash.ts', within: 'countBits', code: "'out-of-range'", reason: WEIGHTS },
  { file: 'simhash.ts', within: 'countBits', code: 'index++', reason: 'the number is only in messages' },
  {
    file: 'simhash.ts',
    within: 'countersOf',
    code: 'digit < 16',
    replacement: 'digit <= 16',
    reason: 'the four bits of 16 that are looked at are 0, so nothing is added',
  },
  {
    file: 'token-hash.ts',
    within: 'hashToken',
    reason: 'the protocol gives a text or bytes, so the type is never wrong; test/scheme/ tests it',
  },
  { file: 'tables.ts', within: 'probesPerTable', reason: UNREACHABLE },
  { file: 'tables.ts', within: 'binomial', reason: UNREACHABLE },
  ...PAIRS.map((each) => ({ file: 'bg1.ts', ...each })),
  ...LOCATORS.map((each) => ({ file: 'strip-locators.ts', ...each })),
  ...UNICODE.map((each) => ({ file: 'unicode.ts', ...each })),
];
