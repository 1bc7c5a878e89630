import { joinWithAnd } from '../../common/text.ts';
import type { Medium } from '../../extract/types.ts';
import { LABEL, LABELS } from '../../index.ts';
import { schemeOf } from '../../scheme/labels/label.ts';
import type { Hello } from '../adapter/protocol.ts';
import type { Status, VectorOutcome } from '../outcome.ts';
import type { Operation } from '../types.ts';

/** The names of the classes, in the order of the specification. */
export const CLASSES = ['hash', 'fingerprint', 'text', 'lookup', 'extraction', 'label'] as const;

/** A conformance class (spec/simhash-doc.md, "Conformance"). */
export type ConformanceClass = (typeof CLASSES)[number];

/** The operations that test a class. The needed ones have to be answered; the others are tested if they are offered. */
interface ClassOperations {
  readonly needed: readonly Operation[];
  readonly others: readonly Operation[];
}

const STRINGS: readonly Operation[] = [
  'parse',
  'parse-hex',
  'parse-label',
  'parse-labelled',
  'format-labelled',
  'compare',
];

const HASH: ClassOperations = { needed: ['token-hash', 'simhash', 'serialise'], others: ['lookup3', ...STRINGS] };

/** The operations of the classes but *extraction* and *label* (spec/conformance.md, "Classes"). */
const OPERATIONS: { readonly [C in Exclude<ConformanceClass, 'extraction' | 'label'>]: ClassOperations } = {
  hash: HASH,
  fingerprint: { needed: ['fingerprint'], others: [] },
  text: {
    needed: ['fingerprint', 'tokenise', ...HASH.needed],
    others: ['decode', 'classify', 'normalise', 'strip-locators', ...HASH.others],
  },
  lookup: { needed: ['tables', 'lookup'], others: ['unpermute', 'probe', 'serialise', ...STRINGS] },
};

const EXTRACTION: ClassOperations = { needed: ['extract'], others: [] };
const HTML_EXTRACTION: ClassOperations = { needed: ['extract-html'], others: ['extract'] };

const LABELLED: ClassOperations = {
  needed: ['fingerprint'],
  others: ['tokenise', 'draw', 'minhash', 'truncate', 'serialise', ...STRINGS, 'lookup'],
};
const BG1: ClassOperations = { needed: ['fingerprint'], others: ['tokenise'] };

/** How many vectors passed, failed, were not offered, or were not run because the adapter failed too often. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly notRun: number;
}

/** Counts outcomes. */
export function countOutcomes(outcomes: readonly Pick<VectorOutcome, 'status'>[]): Counts {
  const count = (wanted: Status): number => outcomes.filter(({ status }) => status === wanted).length;
  const [passed, unsupported, notRun] = [count('pass'), count('unsupported'), count('not-run')];
  return { passed, failed: outcomes.length - passed - unsupported - notRun, unsupported, notRun };
}

/** The verdict on a conformance class. */
export interface ClassVerdict {
  readonly class: ConformanceClass;
  /** Of *extraction*: the medium; absent if no document of any medium was answered. */
  readonly medium?: Medium;
  /** Of *label*: which one. */
  readonly label?: string;
  /** Of *lookup*: the k up to which all lookups were answered right; absent if there is none. */
  readonly k?: number;
  /**
   * `conforms`: all vectors passed; `fails`: a vector or a random case failed; `untested`: a needed operation is not
   * offered or was not answered, or not all vectors were run.
   */
  readonly verdict: 'conforms' | 'fails' | 'untested';
  /** Why it fails although no vector or random case does. */
  readonly reason?: string;
  readonly counts: Counts;
  /** Operations that the class needs and the adapter does not offer. */
  readonly absent: readonly Operation[];
  /** Operations of the class that the adapter does not offer. */
  readonly missing: readonly Operation[];
}

/**
 * Judges an implementation by the classes.
 * @param all - the outcomes of the vectors
 * @param hello - what the implementation offers
 * @param differing - the operations in which random cases differ; with another label, `operation label`
 * @param isWhole - whether all vectors were run
 */
export function judgeClasses(
  all: readonly VectorOutcome[],
  hello: Hello,
  differing: ReadonlySet<string>,
  isWhole: boolean,
): ClassVerdict[] {
  const outcomes = all.filter(({ label }) => label === undefined);
  const judge = (some: readonly VectorOutcome[], { needed, others }: ClassOperations, suffix = '') => {
    const tested: readonly Operation[] = [...needed, ...others];
    const own = some.filter(({ operation, about = operation }) => tested.includes(about));
    const passed = new Set(own.filter(({ status }) => status === 'pass').map(({ operation }) => operation));
    const counts = countOutcomes(own);
    const isTested = isWhole && counts.notRun === 0 && needed.every((operation) => passed.has(operation));
    const fails = counts.failed > 0 || tested.some((operation) => differing.has(operation + suffix));
    const isMissing = (operation: Operation): boolean => !hello.operations.includes(operation);
    const verdict: ClassVerdict['verdict'] = fails ? 'fails' : isTested ? 'conforms' : 'untested';
    return { verdict, counts, absent: needed.filter(isMissing), missing: tested.filter(isMissing) };
  };
  const k = findLargestK(outcomes);
  const classes = Object.entries(OPERATIONS).map(([name, operations]): ClassVerdict => {
    const own = name === 'lookup' && k !== undefined ? { k } : {};
    return { class: name as ConformanceClass, ...own, ...judge(outcomes, operations) };
  });
  const extraction = listAnsweredMedia(outcomes).map((medium): ClassVerdict => {
    const some = outcomes.filter((outcome) => outcome.medium === medium);
    return { class: 'extraction', medium, ...judge(some, medium === 'html' ? HTML_EXTRACTION : EXTRACTION) };
  });
  if (extraction.length === 0)
    extraction.push({ class: 'extraction', ...judge(outcomes, { needed: ['extract-html', 'extract'], others: [] }) });
  const labelled = all.filter(({ label }) => label !== undefined);
  const offered = LABELS.filter(
    (label) =>
      hello.labels?.includes(label) === true && labelled.some((outcome) => labelsOfVector(outcome).includes(label)),
  );
  const labels = offered.map((label): ClassVerdict => {
    const some = labelled.filter((outcome) => labelsOfVector(outcome).includes(label));
    return {
      class: 'label',
      label,
      ...judge(some, schemeOf(label).method === 'minhash' ? LABELLED : BG1, ` ${label}`),
    };
  });
  return [...classes, ...extraction, ...labels];
}

/** The labels whose class a vector counts for; `simhash-doc` for those of the other classes. */
export function labelsOfVector({ operation, label = LABEL }: Pick<VectorOutcome, 'operation' | 'label'>): string[] {
  return operation === 'draw' || operation === 'truncate' ? ['minhash-doc', 'minhash-doc-256'] : [label];
}

/** The media of which documents were answered, or were to be asked, in the order of the run. */
function listAnsweredMedia(outcomes: readonly VectorOutcome[]): Medium[] {
  const media = outcomes.flatMap(({ medium, status }) =>
    medium === undefined || status === 'unsupported' ? [] : [medium],
  );
  return [...new Set(media)];
}

/** The k up to which every lookup passed; a lookup that was not answered ends it. */
function findLargestK(outcomes: readonly VectorOutcome[]): number | undefined {
  const lookups = outcomes.flatMap(({ k, status }) => (k === undefined ? [] : [{ k, status }]));
  const end = Math.min(...lookups.filter(({ status }) => status !== 'pass').map(({ k }) => k));
  const passed = lookups.filter(({ k }) => k < end).map(({ k }) => k);
  return passed.length === 0 ? undefined : Math.max(...passed);
}

/** Names a class with its medium or label: `extraction (html)`, `label (minhash-doc)`. */
export function nameOfClass({ class: name, medium, label }: Pick<ClassVerdict, 'class' | 'medium' | 'label'>): string {
  const which = medium ?? label;
  return which === undefined ? name : `${name} (${which})`;
}

/** Names the classes that an implementation conforms to: `text`, `lookup (k ≤ 8)`, `extraction (html and pdf)`. */
export function claimedClasses(classes: readonly ClassVerdict[]): string[] {
  const claimed = classes.filter(({ verdict }) => verdict === 'conforms');
  const listed = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${name} (${joinWithAnd(values)})`];
  return [
    ...claimed
      .filter(({ medium, label }) => medium === undefined && label === undefined)
      .map(({ class: name, k }) => (k === undefined ? name : `${name} (k ≤ ${k})`)),
    ...listed(
      'extraction',
      claimed.flatMap(({ medium }) => medium ?? []),
    ),
    ...listed(
      'label',
      claimed.flatMap(({ label }) => label ?? []),
    ),
  ];
}
