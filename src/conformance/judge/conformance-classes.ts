import { joinWithAnd } from '../../common/text.ts';
import type { Medium } from '../../extract/types.ts';
import { LABEL, LABELS } from '../../index.ts';
import { schemeOf } from '../../scheme/labels/label.ts';
import type { Hello } from '../adapter/protocol.ts';
import type { Operation } from '../vector.ts';
import type { Status, VectorOutcome } from '../vector-outcome.ts';

export const CLASSES = ['hash', 'fingerprint', 'text', 'lookup', 'extraction', 'label'] as const;

/** A conformance class (spec/simhash-doc.md, "Conformance"). */
export type ConformanceClass = (typeof CLASSES)[number];

/** The operations that test a class. The needed ones have to be answered; the others may be left out, each as a whole. */
interface ClassOperations {
  readonly needed: readonly Operation[];
  readonly others: readonly Operation[];
}

const STRINGS: readonly Operation[] = [
  ...(['serialise', 'parse', 'parse-hex', 'parse-label', 'parse-labelled', 'format-labelled', 'compare'] as const),
];

const HASH: ClassOperations = { needed: ['token-hash', 'simhash', ...STRINGS], others: ['lookup3'] };

/** The operations of the classes but *extraction* and *label* (spec/conformance.md, "Classes"). */
const OPERATIONS: { readonly [C in Exclude<ConformanceClass, 'extraction' | 'label'>]: ClassOperations } = {
  hash: HASH,
  fingerprint: { needed: ['fingerprint'], others: [] },
  text: {
    needed: ['fingerprint', 'tokenise', ...HASH.needed],
    others: ['decode', 'classify', 'normalise', 'strip-locators', ...HASH.others],
  },
  lookup: { needed: ['tables', 'lookup', ...STRINGS], others: ['unpermute', 'probe'] },
};

const EXTRACTION: ClassOperations = { needed: ['extract'], others: [] };
const HTML_EXTRACTION: ClassOperations = { needed: ['extract-html'], others: ['extract'] };

const LABELLED: ClassOperations = {
  needed: ['fingerprint'],
  others: ['tokenise', 'draw', 'minhash', 'truncate', ...STRINGS, 'lookup'],
};
const BG1: ClassOperations = { ...LABELLED, others: ['tokenise', 'serialise', 'parse', 'parse-hex', 'lookup'] };
/** The classes that take bytes: an implementation that declines bytes does not conform to them. */
const TAKES_BYTES: ReadonlySet<ConformanceClass> = new Set(['hash', 'fingerprint']);

const labelOperations = (label: string): ClassOperations => (schemeOf(label).method === 'minhash' ? LABELLED : BG1);

export function operationsOf({ class: name, label }: Pick<ClassVerdict, 'class' | 'label'>): readonly Operation[] {
  if (name === 'extraction') return ['extract-html', 'extract'];
  const { needed, others } = name === 'label' ? labelOperations(label ?? LABEL) : OPERATIONS[name];
  return [...needed, ...others];
}

/** The numbers of vectors that passed, failed, were not offered, or were not run because the adapter failed too often. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly notRun: number;
}

const NOT_FAILED: ReadonlySet<Status> = new Set(['pass', 'unsupported', 'not-run']);

export const isFailure = ({ status }: { readonly status: Status }): boolean => !NOT_FAILED.has(status);

export function countOutcomes(outcomes: readonly Pick<VectorOutcome, 'status'>[]): Counts {
  const count = (wanted: Status): number => outcomes.filter(({ status }) => status === wanted).length;
  const [passed, unsupported, notRun] = [count('pass'), count('unsupported'), count('not-run')];
  return { passed, failed: outcomes.length - passed - unsupported - notRun, unsupported, notRun };
}

/** The verdict on a conformance class. */
export interface ClassVerdict {
  readonly class: ConformanceClass;
  /** For *extraction*: the medium; absent if no document of any medium was answered. */
  readonly medium?: Medium;
  /** For *label*: the label. */
  readonly label?: string;
  /** For *lookup*: the k up to which all lookups were answered correctly; absent if none was. */
  readonly k?: number;
  /**
   * `conforms`: all vectors passed; `fails`: a vector or a random case failed; `untested`: not all vectors were run, or not
   * all that the class needs was answered.
   */
  readonly verdict: 'conforms' | 'fails' | 'untested';
  /** The reason why the class fails although no vector or random case does. */
  readonly reason?: string;
  readonly counts: Counts;
  /** The id of the first vector that failed. */
  readonly firstFailure?: string;
  /** Operations that the class needs and the adapter does not offer. */
  readonly absent: readonly Operation[];
  /** The unanswered inputs; absent in results of a suite before 0.2.0. */
  readonly unanswered?: readonly Unanswered[];
}

interface RandomFindings {
  readonly disagreements: readonly { readonly operation: Operation; readonly input: unknown }[];
  readonly unanswered: readonly SilentCases[];
}

interface Part {
  readonly outcomes: readonly VectorOutcome[];
  readonly random: RandomFindings;
}

export function judgeClasses(
  outcomes: readonly VectorOutcome[],
  hello: Hello,
  random: RandomFindings,
  isWhole: boolean,
): ClassVerdict[] {
  const judge = (name: ConformanceClass, part: Part, operations: ClassOperations): ClassVerdict => ({
    class: name,
    ...judgeClass(part, operations, hello, isWhole, TAKES_BYTES.has(name)),
  });
  const bare = partOf(LABEL, outcomes, random);
  const k = findLargestK(bare.outcomes);
  const classes = Object.entries(OPERATIONS).map(
    ([name, operations]): ClassVerdict => ({
      ...(name === 'lookup' && k !== undefined && { k }),
      ...judge(name as ConformanceClass, bare, operations),
    }),
  );
  const media = [
    ...new Set(bare.outcomes.flatMap(({ medium, status }) => (status === 'unsupported' ? [] : (medium ?? [])))),
  ];
  const extraction = media.map((medium): ClassVerdict => {
    const outcomes = bare.outcomes.filter((outcome) => outcome.medium === medium);
    const part = { outcomes, random: { disagreements: [], unanswered: [] } };
    return { medium, ...judge('extraction', part, medium === 'html' ? HTML_EXTRACTION : EXTRACTION) };
  });
  if (media.length === 0)
    extraction.push(judge('extraction', bare, { needed: ['extract-html', 'extract'], others: [] }));
  const offered = LABELS.filter(
    (label) =>
      label !== LABEL &&
      hello.labels?.includes(label) === true &&
      outcomes.some((outcome) => labelsOfVector(outcome).includes(label)),
  );
  const labels = offered.map((label): ClassVerdict => {
    return { label, ...judge('label', partOf(label, outcomes, random), labelOperations(label)) };
  });
  return [...classes, ...extraction, ...labels];
}

function partOf(label: string, outcomes: readonly VectorOutcome[], random: RandomFindings): Part {
  const isOwn = (each: Labelled): boolean => labelsOfVector(each).includes(label);
  return {
    outcomes: outcomes.filter(isOwn),
    random: {
      disagreements: random.disagreements.filter(({ operation, input }) =>
        isOwn({ operation, label: labelOf(operation, input) }),
      ),
      unanswered: random.unanswered.filter(isOwn),
    },
  };
}

function judgeClass(
  { outcomes, random }: Part,
  { needed, others }: ClassOperations,
  hello: Hello,
  isWhole: boolean,
  takesBytes: boolean,
): Omit<ClassVerdict, 'class'> {
  const tested = new Set([...needed, ...others]);
  const isOwn = (each: Pick<VectorOutcome, 'operation' | 'about'>): boolean => tested.has(each.about ?? each.operation);
  const own = outcomes.filter(isOwn);
  const counts = countOutcomes(own);
  const isExcused = (kind: string): boolean => !(takesBytes && kind === 'utf8');
  const unanswered = listUnanswered(own, random.unanswered.filter(isOwn), needed, isExcused);
  const passed = new Set(own.filter(({ status }) => status === 'pass').map(({ operation }) => operation));
  const isAnswered =
    needed.every((operation) => passed.has(operation)) && unanswered.every(({ isAllowed }) => isAllowed);
  const isWrong = counts.failed > 0 || random.disagreements.some(isOwn);
  const firstFailure = own.find(isFailure)?.id;
  const isTested = isWhole && counts.notRun === 0 && isAnswered;
  return {
    verdict: isWrong ? 'fails' : isTested ? 'conforms' : 'untested',
    counts,
    ...(firstFailure !== undefined && { firstFailure }),
    absent: needed.filter((operation) => !hello.operations.includes(operation)),
    unanswered,
  };
}

/** The k up to which every lookup passed; a lookup that was not answered ends it. */
function findLargestK(outcomes: readonly VectorOutcome[]): number | undefined {
  const lookups = outcomes.flatMap(({ k, status }) => (k === undefined ? [] : [{ k, status }]));
  const end = Math.min(...lookups.filter(({ status }) => status !== 'pass').map(({ k }) => k));
  const passed = lookups.filter(({ k }) => k < end).map(({ k }) => k);
  return passed.length === 0 ? undefined : Math.max(...passed);
}

export function nameOfClass({ class: name, medium, label }: Pick<ClassVerdict, 'class' | 'medium' | 'label'>): string {
  const which = medium ?? label;
  return which === undefined ? name : `${name} (${which})`;
}

/** Tests whether a class can be claimed. Extraction also needs a grade, which vectors do not give. */
export const isClaimed = ({ class: name, verdict }: Pick<ClassVerdict, 'class' | 'verdict'>): boolean =>
  verdict === 'conforms' && name !== 'extraction';

export function claimedClasses(classes: readonly ClassVerdict[]): string[] {
  return nameClasses(classes.filter(isClaimed));
}

/** Names classes together: `text`, `lookup (k ≤ 8)`, `extraction (html and pdf)`. */
export function nameClasses(classes: readonly Pick<ClassVerdict, 'class' | 'medium' | 'label' | 'k'>[]): string[] {
  const listed = (name: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${name} (${joinWithAnd(values)})`];
  const media = classes.flatMap(({ medium }) => medium ?? []);
  const labels = classes.flatMap(({ label }) => label ?? []);
  const others = classes.filter(({ medium, label }) => medium === undefined && label === undefined);
  return [
    ...others.map(({ class: name, k }) => (k === undefined ? name : `${name} (k ≤ ${k})`)),
    ...listed('extraction', media),
    ...listed('label', labels),
  ];
}

/** The label whose strings only its implementers read and write. */
const WIDE = 'minhash-doc-256';

/** Returns the label of an operation; undefined for `simhash-doc`, and if the operation is the same with all labels of 64 bits. */
export function labelOf(operation: Operation, input: unknown): string | undefined {
  // They belong to the class *label* of both labels of minhash-doc.
  if (operation === 'draw' || operation === 'truncate') return 'minhash-doc';
  const { label, labelled, a, b } = ((input as object | null) ?? {}) as Readonly<Record<string, unknown>>;
  if (operation === 'parse-label') return undefined;
  if (operation === 'format-labelled') return isWide(`${String(label)}:`) ? WIDE : undefined;
  if ([labelled, a, b].some(isWide)) return WIDE;
  return typeof label === 'string' && label !== LABEL ? label : undefined;
}

const isWide = (text: unknown): boolean => typeof text === 'string' && text.toLowerCase().startsWith(`${WIDE}:`);

interface Labelled {
  readonly operation: Operation;
  readonly label?: string | undefined;
}

export function labelsOfVector({ operation, label = LABEL }: Labelled): string[] {
  return operation === 'draw' || operation === 'truncate' ? ['minhash-doc', 'minhash-doc-256'] : [label];
}

/** The inputs that an implementation did not answer: vectors or random cases of one operation and one kind of input. */
export interface Unanswered {
  readonly operation: Operation;
  /** For accumulated vectors: the operation of their cases. */
  readonly about?: Operation;
  /** The kind of these inputs, if it was declined in advance. */
  readonly kind?: string;
  readonly vectors: number;
  readonly randomCases: number;
  /** True if the class can be awarded without them. */
  readonly isAllowed: boolean;
}

/** Random cases of one operation, label and kind of input that were not answered. */
export interface SilentCases {
  readonly operation: Operation;
  /** The label, if it is not `simhash-doc`. */
  readonly label?: string;
  /** The kind of these inputs, if it was declined in advance. */
  readonly kind?: string;
  readonly count: number;
}

function listUnanswered(
  outcomes: readonly VectorOutcome[],
  silent: readonly SilentCases[],
  needed: readonly Operation[],
  isExcused: (kind: string) => boolean,
): Unanswered[] {
  const found = new Map<string, Unanswered>();
  const answered = new Set(outcomes.filter(({ status }) => status !== 'unsupported').map(unitOf));
  const add = (item: Unit & { readonly kind?: string }, vectors: number, randomCases: number): void => {
    const { operation, about, kind } = item;
    const isLeftOut = !needed.includes(operation) && !answered.has(unitOf(item));
    const isAllowed = isLeftOut || (kind !== undefined && isExcused(kind));
    const key = JSON.stringify([operation, about, kind, isAllowed]);
    const known = found.get(key) ?? { vectors: 0, randomCases: 0 };
    found.set(key, {
      operation,
      ...(about !== undefined && { about }),
      ...(kind !== undefined && { kind }),
      ...{ vectors: known.vectors + vectors, randomCases: known.randomCases + randomCases, isAllowed },
    });
  };
  for (const outcome of outcomes) if (outcome.status === 'unsupported' && outcome.isLarge !== true) add(outcome, 1, 0);
  for (const cases of silent) add(cases, 0, cases.count);
  return [...found.values()];
}

type Unit = Pick<VectorOutcome, 'operation' | 'about'>;

const unitOf = ({ operation, about }: Unit): string => (about === undefined ? operation : `${operation} ${about}`);
