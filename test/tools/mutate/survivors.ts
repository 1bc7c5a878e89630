/** Mutants of src/scheme/ that no vector kills, with the reason why none can. */
export interface Survivor {
  /** In src/scheme/. */
  readonly file: string;
  /** The declaration at the top of the file that it is in; any if not given. */
  readonly within: string | undefined;
  readonly reason: string;
  /** The code that was replaced, on one line; any if not given. */
  readonly code: string | undefined;
  /** The replacement; any if not given. */
  readonly replacement: string | undefined;
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
const MORE_UNSURE = 'more code points than needed are normalised, with the same result';
const NOT_THERE = 'no such code point reaches NFC';
const AGAIN = 'computed again each time, with the same result';
const IN_PARTS = 'matters where a locator is cut by the end of a part of a long text; test/fingerprint/ tests that';
const SAME_LOCATORS = 'a fast path, with the same result';
const BEHIND_THE_RUN = 'what is looked for consists of bytes that a run may hold, so it ends with the run';
const NO_MORE_BYTES = 'behind the end there is no byte';
const WORDS = 'the words looked for are "www." and "10.", and only bytes of a run are compared with them';

type Row = readonly [reason: string, code?: string | undefined, replacement?: string];

/** Rows under headings: a file, and the declaration at its top that the rows are about, if one. */
const rows: readonly (string | Row)[] = [
  'classify.ts',
  ['no code point from U+0020 to U+007E has the category Cc', 'codePoint >= 0x7f', 'true'],
  'compare.ts wideDistance',
  ['behind the end, undefined and undefined differ in no bit', 'i < a.length', 'i <= a.length'],
  'compare.ts similarityOfDistance',
  [WIDTHS, "'out-of-range'"],
  [WIDTHS, 'bits !== 64 && bits !== 256', 'false'],
  'compare.ts verdictOfDistance',
  [NEVER_EQUAL, undefined, 'value > CLOSE_SIMILARITY'],
  [NEVER_EQUAL, undefined, 'value > LOOSE_SIMILARITY'],
  'compare.ts similarity',
  [UNREACHABLE],
  'compare.ts isLooseMatch',
  [UNREACHABLE],
  'compare.ts isCloseMatch',
  [UNREACHABLE],
  'decode.ts readCodePoint',
  [FAST_PATH],
  'decode.ts startsWithByteOrderMark',
  ['a byte that is not there is not EF, BB or BF', 'bytes.length >= 3', 'true'],
  'decode.ts',
  ['the buffer may be larger than needed', 'end - start', 'end + start'],
  ['the text is made of parts of any size', 'Math.min(end - start, 4096)'],
  'decode.ts decodeRange',
  ['the width of INCOMPLETE is 7, which also ends the loop', 'read === INCOMPLETE', 'false'],
  'explain.ts explain',
  [PLACES, 'locator && locator.start < start + shift'],
  [PLACES, 'locator.start < start + shift'],
  [PLACES, 'start + shift'],
  [PLACES, '++passed'],
  [PLACES, 'shift += locator.end - locator.start - 1'],
  [PLACES, 'locator.end - locator.start - 1'],
  [PLACES, 'locator.end - locator.start'],
  [PLACES, 'end + shift - 1'],
  [PLACES, 'end + shift'],
  'explain.ts',
  [
    'the protocol gives a text or bytes; test/scheme/ tests other types',
    "typeof input !== 'string' && !(input instanceof Uint8Array)",
  ],
  [
    'the operation fingerprint serialises the fingerprint by itself; test/scheme/ tests the member base32',
    'value === null',
    'true',
  ],
  'fingerprint.ts assertWide',
  [WIDE],
  'fingerprint.ts assertFingerprintOf',
  ['serialise checks it again'],
  'label.ts schemeOf',
  ['a fast path: the label is folded and looked up once more', 'known !== undefined', 'false'],
  'label.ts schemeIn',
  ['schemeOf checks the type again', "{ label: 'string?' }"],
  'minhash.ts findWinners',
  [WORD_COUNTS, "'out-of-range'"],
  [WORD_COUNTS, 'words !== 1 && words !== 4', 'false'],
  'minhash.ts findWordWinners',
  ['an array grows when it is written to', 'new Array<Winner>(BINS)'],
  ['two elements never make the same draw in one round (MIN-2)', 'winner.draw <= value', 'winner.draw < value'],
  'minhash.ts truncate',
  ['the name is only in messages', "'fingerprint'"],
  'normalise.ts replaceAndDelete',
  ['behind the end there is no code point, and no class', 'i < text.length', 'i <= text.length'],
  ['no code point up to U+0080 is unassigned or ignorable', 'codePoint < 0x80'],
  ['nothing and the whole text are the text', 'copied === 0', 'false'],
  'normalise.ts toNfc',
  [SORTED_AGAIN, undefined, '{}'],
  [SORTED_AGAIN, 'i <= text.length'],
  [SORTED_AGAIN, 'i < text.length'],
  [SORTED_AGAIN, 'canBeReordered(codePoint)'],
  [SORTED_AGAIN, 'codePoint > 0xffff'],
  [SORTED_AGAIN, 'i - run > MAX_ENGINE_RUN'],
  [SORTED_AGAIN, 'i - run', 'i + run'],
  [SORTED_AGAIN, 'copied === 0'],
  'normalise.ts canBeReordered',
  [SORTED_AGAIN, undefined, '{}'],
  [SORTED_AGAIN, 'codePoint < 0x300'],
  [SORTED_AGAIN, 'check === BOUNDARY'],
  [SORTED_AGAIN, 'order === DECOMPOSES', 'true'],
  [SORTED_AGAIN, 'decompositionOf(codePoint)[0]![1] !== 0', 'false'],
  [SORTED_AGAIN, 'order !== 0', 'false'],
  'normalise.ts sortMarks',
  ['U+FFFF is a noncharacter, which NRM-1 has replaced', 'mark > 0xffff', 'mark >= 0xffff'],
  ['a typed array ignores what is written behind its end', 'order < 255', 'order <= 255'],
  ['an empty part adds nothing', 'at < size', 'at <= size'],
  'normalise.ts createSegment',
  [PLACES],
  'normalise.ts composeSegment',
  [PLACES],
  'normalise.ts normaliseWithPlaces',
  [PLACES],
  'serialise.ts fromBytes',
  ['no operation reads a fingerprint from bytes; test/scheme/ tests it'],
  'serialise.ts toHex',
  ['the bytes of 64 bits have the same digits', 'fingerprint instanceof Uint8Array', 'true'],
  'serialise.ts parse',
  ['part of a message', undefined, '``'],
  'serialise.ts',
  ['an empty label is refused with the same code', 'colon < 0', 'colon <= 0'],
  'simhash.ts nextWeight',
  [WEIGHTS],
  'simhash.ts count',
  [WEIGHTS, 'weights !== undefined'],
  [WEIGHTS, 'weightOf !== undefined && weightOf.next().done !== true'],
  [WEIGHTS, 'weightOf.next().done !== true'],
  [WEIGHTS, 'true', 'false'],
  [WEIGHTS, "'out-of-range'"],
  ['the number is only in messages', 'index++'],
  'simhash.ts countersOf',
  ['the four bits of 16 that are looked at are 0, so nothing is added', 'digit < 16', 'digit <= 16'],
  'token-hash.ts hashToken',
  ['the protocol gives a text or bytes, so the type is never wrong; test/scheme/ tests it'],
  'tables.ts probesPerTable',
  [UNREACHABLE],
  'tables.ts binomial',
  [UNREACHABLE],
  'bg1.ts forEachRange',
  ['a range behind the last one holds nothing', 'i < numbers.length', 'i <= numbers.length'],
  'bg1.ts kindOf',
  [AGAIN, 'kinds === undefined', 'true'],
  'bg1.ts pairUnitsOf',
  [PLACES, 'token.start + from'],
  [PLACES, 'token.start + to'],
  'bg1.ts unitsAt',
  ['behind the end there is no code point, and no kind', 'at < text.length', 'at <= text.length'],
  ['U+FFFF is a noncharacter, which NRM-1 has replaced', 'codePoint > 0xffff', 'codePoint >= 0xffff'],
  'bg1.ts endOfOthers',
  ['a slice ends with the text', 'at < text.length', 'at <= text.length'],
  ['half a code point is neither joined nor a mark', 'codePoint > 0xffff'],
  'strip-locators.ts createLocatorScan',
  ['set before it is read', 'false'],
  ['set before it is read', 'true'],
  'strip-locators.ts moveLocatorScan',
  [IN_PARTS, 'scan.chainStart -= by'],
  'strip-locators.ts measure',
  [AGAIN, 'at < scan.runEnd', 'false'],
  ['the byte behind a run is never measured', 'at < scan.runEnd', 'at <= scan.runEnd'],
  [IN_PARTS, 'scan.measured < at', 'true'],
  [IN_PARTS, 'scan.measured < at', 'scan.measured <= at'],
  [NO_MORE_BYTES, 'i < end'],
  ['both are none of the bytes asked for', '-1', '+1'],
  [SAME_LOCATORS, 'true', 'false'],
  [SAME_LOCATORS, 'scan.chainStart === Infinity', 'false'],
  ['bytes are kept for longer, with the same result', 'i === end', 'true'],
  ['bytes are kept for longer, with the same result', 'i + 3 >= end', 'true'],
  ['bytes are kept for longer, with the same result', 'i + 1 >= end', 'true'],
  ['bytes are kept for longer, with the same result', 'label + 1 >= end', 'true'],
  [NO_MORE_BYTES, 'label < end'],
  'strip-locators.ts isWord',
  [WORDS, 'byte >= 0x41 && byte <= 0x5a'],
  [WORDS, 'byte >= 0x41'],
  [WORDS, 'byte <= 0x5a'],
  'strip-locators.ts count',
  [BEHIND_THE_RUN, 'length < max'],
  'strip-locators.ts isWww',
  [BEHIND_THE_RUN, 'scan.runEnd - at >= 4', 'true'],
  [BEHIND_THE_RUN, 'scan.runEnd - at', 'scan.runEnd + at'],
  'strip-locators.ts isPrefix',
  ['no shorter word is in the set', 'length < MIN_PREFIX', 'false'],
  'strip-locators.ts isDoi',
  [BEHIND_THE_RUN, 'scan.runEnd - at'],
  [BEHIND_THE_RUN, 'left < 7', 'false'],
  [BEHIND_THE_RUN, 'left - 3'],
  'strip-locators.ts isUuid',
  [BEHIND_THE_RUN, 'scan.runEnd - at < 36', 'false'],
  [BEHIND_THE_RUN, 'scan.runEnd - at'],
  'strip-locators.ts digestLength',
  [BEHIND_THE_RUN, 'scan.runEnd - at'],
  ['no digit follows a digest (LOC-12)', 'i < at + length', 'i <= at + length'],
  'strip-locators.ts match',
  [SAME_LOCATORS, 'scan.runEnd - at'],
  [SAME_LOCATORS, 'scan.plain && (bytes[at]! | 0x20) !== 0x77 && (left < 32 || count(bytes, at, 8, HEX) < 8)'],
  [SAME_LOCATORS, 'left < 32 || count(bytes, at, 8, HEX) < 8'],
  [SAME_LOCATORS, 'left < 32'],
  [SAME_LOCATORS, 'count(bytes, at, 8, HEX) < 8'],
  ['the bytes before it are uric, too', 'scan.runEnd + 2', 'scan.runEnd - 2'],
  'strip-locators.ts swallow',
  [IN_PARTS, 'at < end || final', 'at < end && final'],
  [IN_PARTS, 'at < end', 'false'],
  ['bytes are kept for longer, with the same result', 'at + 1 >= end', 'true'],
  [NO_MORE_BYTES, 'at < end'],
  'strip-locators.ts findLocator',
  [IN_PARTS, 'scan.swallowing !== NOT_SWALLOWING'],
  [IN_PARTS, 'at > from'],
  [IN_PARTS, 'at - 1', 'at + 1'],
  ['a match is not empty', 'decided >= 0', 'decided > 0'],
  'strip-locators.ts findLocators',
  ['C0 is in no UTF-8', 'byte >= 0xc0', 'byte > 0xc0'],
  'unicode.ts classOf',
  [AGAIN, 'isClassified[block] === 0', 'true'],
  'unicode.ts classifyBlock',
  ['one more run, of no code points', 'at < end', 'at <= end'],
  'unicode.ts loadRuns',
  ['a typed array ignores what is written behind its end', 'run < count', 'run <= count'],
  'unicode.ts findRun',
  ['no run behind the last one begins at or before a code point', 'values.length - 1', 'values.length + 1'],
  'unicode.ts deriveQuickCheck',
  [MORE_UNSURE, 'MAYBE_COMPOSED.some(([first, last]) => codePoint >= first && codePoint <= last)', 'true'],
  [MORE_UNSURE, 'codePoint >= first && codePoint <= last'],
  [MORE_UNSURE, 'codePoint >= first', 'true'],
  [MORE_UNSURE, 'codePoint <= last', 'true'],
  [NOT_THERE, 'wordClass === UNASSIGNED || wordClass === IGNORABLE || (codePoint & 0x1ff800) === 0xd800', 'false'],
  [
    NOT_THERE,
    'wordClass === UNASSIGNED || wordClass === IGNORABLE || (codePoint & 0x1ff800) === 0xd800',
    '(wordClass === UNASSIGNED || wordClass === IGNORABLE) && (codePoint & 0x1ff800) === 0xd800',
  ],
  [NOT_THERE, 'wordClass === UNASSIGNED || wordClass === IGNORABLE'],
  [NOT_THERE, 'wordClass === UNASSIGNED', 'false'],
  [NOT_THERE, 'wordClass === IGNORABLE', 'false'],
  [NOT_THERE, '(codePoint & 0x1ff800) === 0xd800', 'false'],
  'unicode.ts isStable',
  [MORE_UNSURE, undefined, '{}'],
  [MORE_UNSURE, "text.normalize('NFC') === text", 'false'],
  'unicode.ts fillBlock',
  [SORTED_AGAIN, 'check === UNSURE'],
  'unicode.ts orderOf',
  ['what does not decompose is its own decomposition', 'order === DECOMPOSES_BYTE', 'true'],
  'unicode.ts decompositionOf',
  [AGAIN, 'parts === undefined', 'true'],
];

function readRows(): Survivor[] {
  let [file, within]: (string | undefined)[] = [];
  return rows.flatMap((row) => {
    if (typeof row === 'string') {
      [file, within] = row.split(' ');
      return [];
    }
    const [reason, code, replacement] = row;
    return [{ file: file!, within, reason, code, replacement }];
  });
}

/** `npm run mutate` fails for a survivor that is not in this list. */
export const survivors: readonly Survivor[] = readRows();
