import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { ERROR_CODES } from '../src/common/error-codes.ts';

import { createFingerprinter } from '../src/index.ts';
import { createMemoryIndex } from '../src/lookup/index.ts';
import { PASSING } from './conformance/report/report.ts';

type Callable = (...args: unknown[]) => unknown;
/** Lists of arguments each of which is wrong somewhere. */
type Wrong = readonly (readonly unknown[])[];

const NONE: Wrong = [];
const bytes = new Uint8Array(8);
const skip = () => undefined;
const source = { size: 0, read: async () => bytes };
const adapter = { hello: skip, request: skip };
const vector = { id: 'a/b', operation: 'decode', rules: [], flags: [] };
const claim = { claim: 'a', suite: {}, adapter: {}, classes: [] };

const notFingerprint: Wrong = [[], [null], [1], ['1'], [-1n], [2n ** 64n]];
const notTwoFingerprints: Wrong = [[], [0n], [0n, null], [null, 0n], [1, 0n], [0n, '1'], [2n ** 64n, 0n]];
const noTokens = { hashes: new BigUint64Array(0), counts: new Float64Array(0) };
const notTwoCounts: Wrong = [[], [null], [5], ['a'], [{}], [noTokens], [noTokens, {}], [noTokens, noTokens]];
const wide = new Uint8Array(32);
const notTwoWide: Wrong = [[wide], [wide, null], [wide, 0n], [0n, wide], [wide, bytes], [bytes, wide]];
const notDistance: Wrong = [[], [null], ['1'], [1n], [-1], [65], [0.5], [Number.NaN]];
const notDistanceOf: Wrong = [...notDistance, [257, 256], ...[null, '64', 0, 65, 128].map((bits) => [1, bits])];
const notText: Wrong = [[], [null], [5], [bytes], [['a']]];
const notDocument: Wrong = [[], [null], [5], [['a']], [new ArrayBuffer(1)]];
const notOptions: Wrong = [[null], [5], ['k'], [[]], [true]];
const notLabelAlone: Wrong = [...notOptions, [{ label: 5 }], [{ label: 'cap8' }], [{ label: 'minhash-doc+bg1' }]];
const notLabel: Wrong = notLabelAlone.map((options) => ['a', ...options]);
const notLabelOf = (text: string): Wrong => [5, null, 'a', 'minhash-doc-64'].map((label) => [text, label]);
const notTexts: Wrong = [
  ...[[], [null], [5], [{}], [[5]], [[{ id: 'a' }]], [[{ id: 5, text: 'a' }]]],
  ...[null, 5, 'a', [], { minOverlap: '1' }, { minOverlap: 2 }, { ignoreNumbers: 1 }].map((options) => [[], options]),
];
const notFingerprints: Wrong = [[], [null], [5], [''], ['a'], [{}], [[1]], [[null]], [[-1n]], [[2n ** 64n]]];
const notHashes: Wrong = [
  ...notFingerprints,
  ...[null, 5, 'a', {}, [], ['1'], [Number.NaN], [1, 2]].map((weights) => [[1n], weights]),
];
const notElements: Wrong = [
  ...notFingerprints.map(([hashes]) => [hashes, 1]),
  ...[undefined, null, '1', 0, 2, 3, 5].map((words) => [[1n], words]),
];
const notK: Wrong = [{ k: null }, { k: '3' }, { k: -1 }, { k: 8 }, { k: 1.5 }].map((options) => [[1n], options]);
const notFindOptions: Wrong = [...notOptions.map((options) => [[1n], ...options]), ...notK];
const notHints: Wrong = [
  ...notOptions,
  ...[{ path: 5 }, { path: null }, { type: 5 }, { charset: 5 }, { transportCharset: 5 }].map((hints) => [hints]),
];
const notLimits: Wrong = [
  [null],
  [5],
  ['a'],
  [[]],
  ...[{ bytes: 0 }, { bytes: '1' }, { inflated: -1 }, { depth: 0.5 }, { pages: null }].map((each) => [each]),
];
const notArchiveOptions: Wrong = [...notOptions, ...notLimits.map(([each]) => [{ limits: each }])];
const notExtractionOptions: Wrong = [
  ...notOptions,
  ...notLimits.map(([each]) => [{ limits: each }]),
  ...[{ onProgress: 5 }, { onProgress: null }].map((each) => [each]),
];
const notExtraction: Wrong = [
  ...notDocument,
  ['a'],
  ...notHints.map((hints) => [bytes, ...hints]),
  ...notExtractionOptions.map((options) => [bytes, {}, ...options]),
];
const notChunks: Wrong = [[], [null], [5], ['a'], [{}], [bytes], [['a']], [[null]], [[{}]], [[new ArrayBuffer(1)]]];
const notSource: Wrong = [[], [null], [5], [bytes], [{}], [{ size: 1 }], [{ ...source, size: -1 }], [{ read: skip }]];
const notTable: Wrong = [
  ...notOptions,
  ...[{}, { textField: 5 }, { textField: '' }, { textField: 'a', idField: 5 }].map((each) => [each]),
  ...notLimits.map(([limits]) => [{ textField: 'a', limits }]),
];
const notReport: Wrong = [[], [null], [5], ['a'], [[]], [{}], [{ ...PASSING, outcomes: undefined }]];
const notCommand: Wrong = [[], [null], ['a'], [{}], [[]], [[5]], [['a', 5]]];
const notAdapterLimits: Wrong = [
  ...notOptions,
  [{ deadline: -1 }],
  [{ deadline: '1' }],
  [{ restarts: null }],
  [{ restarts: 0.5 }],
];
const notCommandOrLimits: Wrong = [...notCommand, ...notAdapterLimits.map((each) => [['true'], ...each])];
const notVector: Wrong = [[], [null], [5], ['a'], [{}], [{ ...vector, rules: 5 }]];
const notGroups: Wrong = [[], [null], [5], [{}], [[5]], [[{ group: 'a' }]]];

/** For each entry point a row for each function that it exports. */
const ROWS: Readonly<Record<string, Readonly<Record<string, Wrong>>>> = {
  '.': {
    classify: [[], [null], ['a'], [-1], [0x110000], [0.5]],
    compare: [[], [null], [5], ['a'], ['simhash-doc:GAQM5KRDOWTU4'], ['simhash-doc:GAQM5KRDOWTU4', 5]],
    countBits: notHashes,
    countTokens: [...notDocument, ...notLabel],
    createFingerprinter: notLabelAlone,
    decode: [...notDocument, ['a']],
    distance: [...notTwoFingerprints, ...notTwoWide],
    draw: [...notFingerprint, [0n], [0n, null], [0n, '1'], [0n, -1], [0n, 512], [0n, 0.5]],
    explain: [...notDocument, ...notLabel],
    findLocators: notText,
    findWinners: notElements,
    fingerprint: [...notDocument, ...notLabel],
    formatLabelled: [
      [],
      [undefined, 0n],
      [null, 0n],
      [5, 0n],
      ['a', 0n],
      ['simhash-doc'],
      ['simhash-doc', 5],
      ['minhash-doc-256', 0n],
    ],
    fromHex: [...notText, ['a'], ...notLabelOf('0'.repeat(16))],
    fromBytes: [...notDocument, ['a'], [new Uint8Array(7)]],
    hashToken: notDocument,
    hashlittle2: [
      ...notDocument,
      ['a'],
      ...[null, '0', -1, 2 ** 32, 0.5].flatMap((n) => [
        [bytes, n],
        [bytes, 0, n],
      ]),
    ],
    isCloseMatch: [...notTwoFingerprints, ...notTwoWide],
    isLooseMatch: [...notTwoFingerprints, ...notTwoWide],
    normalise: notText,
    overlap: notTwoCounts,
    minhash: notElements,
    parse: [...notText, ['a'], ...notLabelOf('AAAAAAAAAAAAA')],
    parseLabel: [...notText, ['a']],
    parseLabelled: [...notText, ['a'], ['simhash-doc:a']],
    permute: [...notFingerprint, [0n], [0n, null], [0n, '1'], [0n, -1], [0n, 16]],
    probeKeys: [...notFingerprint, [0n, 16, 0], [0n, 0], [0n, 0, null], [0n, 0, '1'], [0n, 0, 65]],
    probesPerTable: notDistance,
    serialise: [...notFingerprint, [bytes]],
    simhash: notHashes,
    similarity: [...notTwoFingerprints, ...notTwoWide],
    similarityOfDistance: notDistanceOf,
    stripLocators: notText,
    tableKey: [...notFingerprint, [0n], [0n, null], [0n, 16]],
    tableKeys: notFingerprint,
    toHex: [...notFingerprint, [bytes]],
    toBytes: notFingerprint,
    toWellFormed: notText,
    tokenise: notText,
    truncate: [[], [null], [5], ['a'], [0n], [bytes], [new Uint8Array(33)]],
    unpermute: [...notFingerprint, [0n], [0n, null], [0n, 16]],
    verdictOfDistance: notDistanceOf,
  },
  './conformance': {
    checkVector: [[], [null], [5], [{}], [adapter], [adapter, 5], [adapter, {}]],
    createInProcessAdapter: NONE,
    createOneShotAdapter: notCommandOrLimits,
    createProcessAdapter: notCommandOrLimits,
    createValidator: [[null], [5], ['a'], [{}]],
    explainReply: [
      ...notVector,
      [vector],
      [vector, null],
      [vector, 5],
      [vector, { kind: 'unsupported' }, 5],
      [vector, { kind: 'unsupported' }, { location: 5 }],
      [vector, { kind: 'unsupported' }, { paint: 5 }],
    ],
    explainVector: [...notVector, [vector, null], [vector, 5], [vector, { paint: {} }]],
    checkClaim: [[], [null, PASSING], [{}, PASSING], ...notReport.map(([each]) => [claim, each])],
    claimOf: [[], [null], [5], [{}]],
    isLanguage: notText,
    loadGroups: NONE,
    loadManifest: NONE,
    loadMutants: NONE,
    readClaim: [[], [null, 'a'], [5, 'a'], ['{}'], ['{}', 5], ['', 'a'], ['{}', 'a'], ['[]', 'a']],
    readResults: [
      [],
      [null, 'a'],
      [5, 'a'],
      ['{}'],
      ['{}', 5],
      ['', 'a'],
      ['{}', 'a'],
      ['{"kind":"simhash-doc-results","format":1}', 'a'],
    ],
    readSkipList: [[], [null, 'a', []], ['a', 'a', []]],
    referenceCommand: NONE,
    resultsOf: [...notReport, [PASSING, null], [PASSING, 5]],
    runConformance: [
      [],
      [null],
      [5],
      [{}],
      ...[undefined, null, 5, {}, { groups: [], suite: 5 }, { groups: 5, suite: {} }].map((each) => [adapter, each]),
      ...[
        { randomCases: '1' },
        { seed: -1 },
        { onOutcome: 5 },
        { selection: 5 },
        { jobs: 0 },
        { time: -1 },
        { skip: 5 },
      ].map((each) => [adapter, { groups: [], suite: {}, ...each }]),
    ],
    selectVectors: [
      ...notGroups.map(([each]) => [each, {}]),
      [[]],
      [[], null],
      [[], 5],
      [[], { groups: 'a' }],
      [[], { groups: ['a'] }],
    ],
    suiteOf: [[], [null], [5], [{}], [{ suite: '1' }]],
    writeSkipList: notReport,
    writeClaim: [[], [null], [5], [{}]],
    writeHtml: [[], [null], [5], [{}], [[]], [[5]], [[{}]]],
    writeJunit: notReport,
    writeResults: [[], [null], [5], [{}]],
    writeSkeleton: [...notText, ['a', tmpdir()], ['python'], ['python', 5]],
    writeTerminal: [
      ...notReport,
      ...[null, 5, { paint: 5 }, { paint: {} }, { failures: '1' }, { failures: -1 }, { again: 5 }].map((each) => [
        PASSING,
        each,
      ]),
    ],
  },
  './duplicates': {
    findDuplicatePairs: notTexts,
    findDuplicates: notTexts,
    readTexts: [[], [null], [5], ['a'], ...notOptions.map((options) => [[], ...options]), [[], { onFailure: 5 }]],
    removeDuplicates: notTexts,
  },
  './extract': {
    detectType: [...notDocument, ['zz'], ...notHints.map((hints) => [bytes, ...hints])],
    extract: notExtraction,
  },
  './extract/gzip': {
    gunzip: [...notDocument, ['a'], ...notArchiveOptions.map((options) => [bytes, ...options])],
    gunzipStream: [...notChunks, ...[null, 5, { onInflated: 5 }].map((each) => [[], each])],
    withoutGzipSuffix: notText,
  },
  './extract/jsonl': {
    readJsonLines: [
      ...notChunks.map((chunks) => [...chunks, ...(chunks.length === 0 ? [] : [{ textField: 'a' }])]),
      ...notTable.map((options) => [[], ...options]),
    ],
  },
  './extract/mail': {
    readMessage: [...notDocument, ...[null, 5, { onSkipped: 5 }].map((each) => [bytes, each])],
  },
  './extract/mbox': {
    readMbox: [
      ...notChunks,
      ...notArchiveOptions.map((options) => [[], ...options]),
      ...[null, 5].map((each) => [[], { onSkipped: each }]),
    ],
  },
  './extract/parquet': {
    readParquet: notTable.map((options) => [source, ...options]),
  },
  './extract/tar': {
    readTar: [
      ...notChunks,
      ...notArchiveOptions.map((options) => [[], ...options]),
      ...[null, 5].map((each) => [[], { onSkipped: each }]),
    ],
  },
  './extract/warc': {
    readWarc: [
      ...notChunks,
      ...notArchiveOptions.map((options) => [[], ...options]),
      ...[null, 5].map((each) => [[], { onSkipped: each }]),
    ],
  },
  './extract/worker': {
    extractInWorker: [
      ...notExtraction,
      ...[{ timeout: 0 }, { timeout: '1' }, { timeout: Number.POSITIVE_INFINITY }, { heap: -1 }, { heap: null }].map(
        (each) => [bytes, {}, each],
      ),
    ],
  },
  './extract/zip': {
    openZip: notSource,
    readZip: [
      ...notSource,
      ...notArchiveOptions.map((options) => [source, ...options]),
      ...[null, 5].map((each) => [source, { onSkipped: each }]),
    ],
  },
  './lookup': {
    createMemoryIndex: [[], [null], [5], [{}], [{ label: 5 }], [{ label: 'a' }]],
    findAll: [...notFingerprints, ...notFindOptions],
    findClusters: [
      ...notFingerprints,
      ...notFindOptions,
      ...[{ maxSpread: null }, { maxSpread: 65 }].map((each) => [[1n], each]),
    ],
  },
  './lookup/folder': {
    openFolderIndex: [
      ...notText,
      ...notOptions.map((each) => ['a', ...each]),
      ...[{ label: 5 }, { label: 'a' }, { mode: 5 }, { mode: 'a' }, { takeOver: 1 }, { create: 1 }].map((each) => [
        'a',
        each,
      ]),
    ],
  },
  './lookup/postgres': {
    openPostgresIndex: [
      ...notText,
      ...notOptions.map((each) => ['a', ...each]),
      ...[{ label: 5 }, { label: 'a' }, { mode: 'a' }, { create: 1 }, { schema: 5 }, { connections: '5' }].map(
        (each) => ['a', each],
      ),
    ],
  },
};

/** Errors are reported at the call, by a rejected promise, or at the first step of an iteration. */
async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    const result = (await run()) as { next?: Callable } | null | undefined;
    if (typeof result?.next === 'function') await result.next();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function expectRefusal(run: () => unknown, shown: string): Promise<void> {
  const error = (await errorOf(run)) as Error & { code?: string };
  const isRight = error?.code === 'wrong-type' ? error instanceof TypeError : error instanceof RangeError;
  expect(isRight && ERROR_CODES.has(error.code ?? ''), `${shown}: ${error ?? 'accepted'} (${error?.code})`).toBe(true);
}

function show(args: readonly unknown[]): string {
  const one = (value: unknown): string => {
    if (typeof value === 'bigint') return `${value}n`;
    if (value instanceof Uint8Array) return 'octets';
    if (Array.isArray(value)) return `[${value.map(one).join(', ')}]`;
    return typeof value === 'function' ? 'function' : (JSON.stringify(value) ?? String(value)).slice(0, 60);
  };
  return `(${args.map(one).join(', ')})`;
}

const entries = Object.entries(packageJson.exports).filter(
  // The file for browsers is the core in one file: test/engines/bundles.test.ts.
  ([name]) => name !== './package.json' && name !== './browser',
);

describe.each(entries)('the entry point %s', async (entry, target) => {
  const path = (target as { default: string }).default.replace(/^\.\/dist\/(.*)\.js$/, '../src/$1.ts');
  const exported: Readonly<Record<string, unknown>> = await import(/* @vite-ignore */ path);
  const functions = Object.entries(exported).filter(([, value]) => typeof value === 'function');
  const rows = ROWS[entry] ?? {};

  test('has a row for each exported function, and for no other', () => {
    expect(Object.keys(rows).sort()).toEqual(functions.map(([name]) => name).sort());
  });

  test.each(functions)('rejects wrong arguments of %s with a coded error', async (name, run) => {
    for (const args of rows[name] ?? []) await expectRefusal(() => (run as Callable)(...args), `${name}${show(args)}`);
  });
});

const METHODS: readonly (readonly [make: () => object, rows: Readonly<Record<string, Wrong>>])[] = [
  [
    () => createMemoryIndex({ label: 'simhash-doc' }),
    {
      add: [[], [null, 1n], [5, 1n], ['', 1n], ['a'], ['a', null], ['a', 5], ['a', 'b']],
      addAll: [
        [],
        [null],
        [5],
        [{}],
        [['a']],
        ['a'],
        ...notOptions.map((each) => [[], ...each]),
        [[], { existing: 'a' }],
      ],
      close: NONE,
      entries: NONE,
      exportLines: NONE,
      get: notText,
      has: notText,
      importLines: [
        [],
        [null],
        [5],
        [{}],
        [[5]],
        ...notOptions.map((each) => ['', ...each]),
        ['', { bad: 5 }],
        ['', { onBad: 5 }],
      ],
      nearest: [...notFingerprint, ...notOptions.map((each) => [1n, ...each]), [1n, { count: 0 }], [1n, { k: 65 }]],
      query: [...notFingerprint, ...notOptions.map((each) => [1n, ...each]), [1n, { limit: 0 }], [1n, { k: '3' }]],
      remove: notText,
      removeAll: [[], [null], [5], ['a'], [{}], [[5]]],
      size: NONE,
      stats: NONE,
      upsert: [[], [null, 1n], ['a'], ['a', null], ['a', 5]],
    },
  ],
  [createFingerprinter, { update: notDocument, digest: NONE }],
];

test.each(METHODS)('the methods of the result of %s reject wrong arguments', async (make, rows) => {
  const made = make() as Record<string, Callable>;
  expect(Object.keys(rows).sort()).toEqual(
    Object.keys(made)
      .filter((name) => typeof made[name] === 'function')
      .sort(),
  );
  for (const [name, wrong] of Object.entries(rows))
    for (const args of wrong) await expectRefusal(() => made[name]!(...args), `${name}${show(args)}`);
});
