import type { ClassVerdict, Unanswered } from '../../../src/conformance/judge/conformance-classes.ts';
import type { Report } from '../../../src/conformance/report/report.ts';
import type { VectorOutcome } from '../../../src/conformance/vector-outcome.ts';

/** Characters that would break a report that does not escape: markup, ends of blocks, control characters, directives. */
export const NASTY = '<b a="1">\'&]]>\u0000\u0007\u001b[31m # TODO \\ \ud800 \ufffe \u2028 \u202e\u2066 \u200b\u0301';

const about = { flags: [], rules: ['TOK-2', 'TOK-3'] } as const;

const outcome = (id: string, more: Partial<VectorOutcome> & Pick<VectorOutcome, 'status'>): VectorOutcome => ({
  ...{ id, group: id.slice(0, id.indexOf('/')), operation: 'tokenise', title: `pins ${id}`, ...about },
  ...more,
});

/** One vector of each status. */
export const OUTCOMES: readonly VectorOutcome[] = [
  outcome('tokenise/good', { status: 'pass' }),
  outcome('tokenise/bad', {
    status: 'fail',
    title: `nasty ${NASTY}`,
    place: 'tokens[1]',
    input: { text: `one ${NASTY}` },
    expected: { tokens: ['one', 'cafe\u0301'] },
    actual: { tokens: ['one', 'caf\u00e9'] },
    outcome: '0123456789abcdef',
  }),
  outcome('tokenise/refused', {
    status: 'fail',
    place: '',
    input: { text: 'x' },
    expected: { tokens: ['x'] },
    actual: { error: NASTY },
    outcome: 'error:nasty',
  }),
  outcome('token-hash/crashed', {
    ...{ status: 'crash', operation: 'token-hash' },
    ...{ detail: 'ended by SIGSEGV', stderr: `first\nlast words ${NASTY}` },
  }),
  outcome('token-hash/hung', {
    ...{ status: 'timeout', operation: 'token-hash', detail: 'no reply within 10 ms', stderr: '' },
  }),
  outcome('token-hash/garbage', { status: 'protocol', operation: 'token-hash', detail: NASTY, stderr: '' }),
  outcome('token-hash/silent', { status: 'not-run', operation: 'token-hash', detail: 'failed 3 times' }),
  outcome('lookup/absent', { status: 'unsupported', operation: 'lookup' }),
];

const NONE = { passed: 0, failed: 0, unsupported: 0, notRun: 0 };

/** The verdict on a class; by default without vectors, absent operations and unanswered inputs. */
export const verdictOf = (part: Pick<ClassVerdict, 'class' | 'verdict'> & Partial<ClassVerdict>): ClassVerdict => ({
  ...{ counts: NONE, absent: [], unanswered: [], ...part },
});

/** A report that holds everything that a report can hold. */
export const FAILING: Report = {
  format: 1,
  suite: { version: '1.2.3', digest: 'd'.repeat(64) },
  adapter: {
    name: `name ${NASTY}`,
    version: '9.9',
    language: 'Python',
    protocol: 1,
    unicode: '15.0.0',
    operations: ['tokenise', 'token-hash', 'dance'],
    command: ['python3', `my ${NASTY}.py`],
  },
  selection: null,
  verdict: 'fails',
  counts: { passed: 1, failed: 5, unsupported: 1, notRun: 1 },
  classes: [
    verdictOf({
      ...{ class: 'hash', verdict: 'fails', counts: { ...NONE, failed: 4 }, firstFailure: 'tokenise/bad' },
      absent: ['simhash', 'serialise'],
    }),
    verdictOf({ class: 'text', verdict: 'untested', absent: ['fingerprint'] }),
    verdictOf({
      ...{ class: 'lookup', verdict: 'untested', counts: { ...NONE, unsupported: 1 } },
      absent: ['tables', 'lookup'],
    }),
    verdictOf({ class: 'extraction', verdict: 'conforms', medium: 'html', counts: { ...NONE, passed: 1 } }),
  ],
  firstStep: { step: 4, vectors: 12, right: [5, 7, 8, 9], wrong: [] },
  resemblances: [
    {
      ...{ mutant: 'utf16-units-hashed', title: 'hashes UTF-16 units', step: 7 },
      ...{ same: 14, failed: 14, missing: 0, unrecorded: 0 },
    },
    { mutant: 'other', title: `does ${NASTY}`, step: 7, same: 5, failed: 14, missing: 3, unrecorded: 2 },
  ],
  newerUnicodeOnly: true,
  grade: {
    ...{ documents: 10, bothNone: 1, missing: 2, extra: 0, distances: { 0: 4, 3: 2, 31: 1 } },
    ...{ mean: 37 / 7, largest: 31, shares: { 0: 4 / 7, 1: 4 / 7, 3: 6 / 7, 6: 6 / 7 } },
  },
  random: {
    ...{ seed: 42, cases: 150, compared: 300, unanswered: [] },
    disagreements: [
      {
        ...{ case: 7, operation: 'tokenise', input: { text: `small ${NASTY}` } },
        ...{ expected: { result: { tokens: ['small'] } }, reply: { kind: 'ok', result: { tokens: [] } } },
      },
      {
        ...{ case: 8, operation: 'token-hash', input: { utf8: '00' }, expected: { result: { hash: '00' } } },
        reply: { kind: 'crash', detail: 'ended with exit code 3', stderr: 'oh no' },
      },
    ],
  },
  restarts: 3,
  exit: null,
  encoding: null,
  outcomes: OUTCOMES,
};

/** The unanswered inputs of a class that is awarded. */
const LEFT: readonly Unanswered[] = [
  { operation: 'fingerprint', kind: 'utf16', vectors: 30, randomCases: 2, isAllowed: true },
  { operation: 'classify', vectors: 70, randomCases: 100, isAllowed: true },
  { operation: 'accumulate', about: 'tokenise', vectors: 2, randomCases: 0, isAllowed: true },
  { operation: 'accumulate', about: 'classify', vectors: 1, randomCases: 0, isAllowed: true },
];

/** A report of an implementation that conforms to two classes and lacks the others. */
export const PASSING: Report = {
  ...FAILING,
  adapter: {
    ...FAILING.adapter,
    ...{ name: 'fine', operations: ['tokenise', 'parse'], command: [] },
    ...{ declines: ['utf16'], functions: { parse: 'fine_parse' } },
  },
  verdict: 'conforms',
  counts: { passed: 1, failed: 0, unsupported: 1, notRun: 0 },
  classes: [
    verdictOf({ class: 'hash', verdict: 'conforms', counts: { ...NONE, passed: 300 } }),
    verdictOf({ class: 'text', verdict: 'conforms', counts: { ...NONE, passed: 700 }, unanswered: LEFT }),
    verdictOf({ class: 'lookup', verdict: 'untested', absent: ['tables', 'lookup'] }),
    verdictOf({ class: 'extraction', verdict: 'untested', absent: ['extract-html'] }),
  ],
  firstStep: null,
  resemblances: [],
  newerUnicodeOnly: false,
  grade: { ...FAILING.grade!, bothNone: 10, missing: 0, distances: {}, mean: null, largest: null, shares: null },
  random: { seed: 1, cases: 100, compared: 100, disagreements: [], unanswered: [] },
  restarts: 0,
  exit: null,
  encoding: null,
  outcomes: OUTCOMES.filter(({ status }) => status === 'pass' || status === 'unsupported'),
};
