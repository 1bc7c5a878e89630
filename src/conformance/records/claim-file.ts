import { isRecord, joinWithAnd, pluralize } from '../../common/text.ts';
import { assertOptions, wrongValue } from '../../errors.ts';
import { LABEL, LABELS } from '../../index.ts';
import { assertShape } from '../checks.ts';
import {
  CLASSES,
  type ClassVerdict,
  isClaimed,
  nameClasses,
  nameOfClass,
  operationsOf,
} from '../judge/conformance-classes.ts';
import type { Report } from '../report/report.ts';
import { aboutClass, type NotAnswered, nameUnanswered, unansweredOf } from '../report/wording.ts';
import type { Suite } from '../suite/load-suite.ts';
import { formatError, readJsonText } from './json-file.ts';
import type { Results } from './results-file.ts';

/** The version of the scheme (spec/simhash-doc.md) that these vectors test. */
export const SCHEME = '1.0.0-rc.1';

/** The format of claims. */
const FORMAT = 3;

/** The random cases of each operation without which nothing is claimed: answers to the vectors can be prepared. */
const MIN_CASES = 100;

/** A class that is claimed, with the facts that the specification requires. */
export interface ClaimedClass extends Pick<ClassVerdict, 'class' | 'label' | 'k'> {
  /** The inputs of the class that were not answered. */
  readonly unanswered: readonly NotAnswered[];
}

/** A claim of conformance (spec/simhash-doc.md, "Conformance"). */
export interface Claim {
  readonly kind: 'simhash-doc-claim';
  readonly format: typeof FORMAT;
  /** The claim in words. */
  readonly claim: string;
  /** The date of the run in UTC. */
  readonly date: string;
  readonly scheme: string;
  readonly suite: Suite;
  /** The random cases of the run: the number for each operation, and their seed. */
  readonly random: { readonly cases: number; readonly seed: number };
  readonly adapter: Pick<Results['adapter'], 'name' | 'version' | 'language' | 'unicode' | 'command'>;
  /** The kinds of inputs that the adapter declined in advance. */
  readonly declines: readonly string[];
  /** The product's functions by the operations of these classes that they answered. */
  readonly functions: Readonly<Record<string, string>>;
  readonly classes: readonly ClaimedClass[];
}

/**
 * Makes the claim that the results of a run allow. Extraction is left out: such a claim names an extractor and a grade,
 * which results do not have.
 * @param results - the results of a run of all vectors
 * @returns null if nothing can be claimed: no class conforms, only a part of the vectors was run, or fewer
 * than 100 random cases of each operation
 * @throws TypeError `wrong-type`; RangeError `out-of-range` for results without the unanswered inputs, such as those of
 * suites before 0.2.0
 * @see spec/conformance.md#conformance
 * @example
 * const claim = claimOf(resultsOf(report));
 */
export function claimOf(results: Results): Claim | null {
  assertShape('results', results);
  const { adapter, suite, date, selection, random } = results;
  const { cases = 0, seed = 0 } = random ?? {};
  const conforming = results.classes.filter(isClaimed);
  if (selection !== null || cases < MIN_CASES || conforming.length === 0) return null;
  const classes = conforming.map((verdict): ClaimedClass => {
    const { class: which, label, k, unanswered } = verdict;
    if (unanswered === undefined)
      throw wrongValue('out-of-range', 'results', 'of vectors 0.2.0 or later', results, `of vectors ${suite.version}`);
    return {
      class: which,
      ...(label !== undefined && { label }),
      ...(k !== undefined && { k }),
      unanswered: unansweredOf([verdict]),
    };
  });
  const { name, version, language, unicode, command, declines = [] } = adapter;
  const claim = {
    ...({ kind: 'simhash-doc-claim', format: FORMAT } as const),
    ...{ date, scheme: SCHEME, suite, random: { cases, seed } },
    adapter: { name, version, language, unicode, command },
    ...{ declines, functions: functionsOf(adapter.functions, conforming), classes },
  };
  const { kind, format, ...rest } = claim;
  return { kind, format, claim: sentenceOf(claim), ...rest };
}

function sentenceOf({ adapter, suite, scheme, random, functions, classes }: Omit<Claim, 'claim'>): string {
  const names = nameClasses(classes);
  const nfc = adapter.unicode === null ? '' : `, with Unicode ${adapter.unicode}`;
  const left = nameUnanswered(unansweredOf(classes));
  return [
    `${adapter.name} ${adapter.version} conforms to the class${names.length === 1 ? '' : 'es'} ${joinWithAnd(names)} of ${LABEL} ${scheme}${nfc}`,
    `, tested with version ${suite.version} of the vectors and ${random.cases} random cases of each operation (seed ${random.seed})`,
    describeThrough(functions),
    left === '' ? '' : `; not answered: ${left}`,
  ].join('');
}

function describeThrough({ fingerprint, ...others }: Claim['functions']): string {
  const count = Object.keys(others).length;
  const noun = fingerprint === undefined ? 'operation' : 'other operation';
  const through = [
    ...(fingerprint === undefined ? [] : [`${fingerprint} (fingerprint)`]),
    ...(count === 0 ? [] : [`the product's functions for ${pluralize(count, noun)}`]),
  ];
  return through.length === 0 ? '; no product function is named' : `, through ${joinWithAnd(through)}`;
}

function functionsOf(
  functions: Readonly<Record<string, string>> = {},
  classes: readonly Pick<ClassVerdict, 'class' | 'label'>[],
): Readonly<Record<string, string>> {
  const tested = new Set<string>(classes.flatMap(operationsOf));
  return Object.fromEntries(Object.entries(functions).filter(([operation]) => tested.has(operation)));
}

/**
 * Writes a claim.
 * @throws TypeError `wrong-type`
 * @example
 * if (claim !== null) writeFileSync('claim.json', writeClaim(claim));
 */
export function writeClaim(claim: Claim): string {
  assertShape('claim', claim);
  return `${JSON.stringify(claim, null, 2)}\n`;
}

/**
 * Reads a claim.
 * @param text - the content of the file
 * @param name - the name of the file, for messages
 * @throws TypeError `wrong-type`; RangeError `out-of-range` for anything else than a claim in format 3
 * @example
 * const claim = readClaim(readFileSync('claim.json', 'utf8'), 'claim.json');
 */
export function readClaim(text: string, name: string): Claim {
  const value = readJsonText(text, name, 'simhash-doc-claim', FORMAT);
  const { claim, suite, random, adapter, declines, functions, classes } = value;
  if (typeof claim !== 'string') throw formatError(name, 'a text "claim"', claim);
  if (!isRecord(suite) || typeof suite['digest'] !== 'string' || typeof suite['version'] !== 'string')
    throw formatError(name, '"suite" with version and digest', suite);
  if (!isRecord(random) || !Number.isInteger(random['cases']) || !Number.isInteger(random['seed']))
    throw formatError(name, '"random" with cases and seed', random);
  if (!isRecord(adapter) || typeof adapter['name'] !== 'string' || typeof adapter['version'] !== 'string')
    throw formatError(name, '"adapter" with name and version', adapter);
  if (!Array.isArray(declines) || declines.some((kind) => typeof kind !== 'string'))
    throw formatError(name, 'a list of texts "declines"', declines);
  if (!isRecord(functions) || Object.values(functions).some((each) => typeof each !== 'string'))
    throw formatError(name, 'an object of texts "functions"', functions);
  if (!Array.isArray(classes) || classes.length === 0 || !classes.every(isClaimedClass))
    throw formatError(name, 'a list of "classes" with what was not answered', classes);
  return value as unknown as Claim;
}

function isClaimedClass(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { class: name, label, unanswered } = value;
  const isLabel = label === undefined ? name !== 'label' : LABELS.some((each) => each === label);
  return (
    isLabel &&
    CLASSES.some((each) => each === name) &&
    Array.isArray(unanswered) &&
    unanswered.every(
      (each) => isRecord(each) && typeof each['operation'] === 'string' && Number.isInteger(each['vectors']),
    )
  );
}

function tooFew(what: string, cases: number): string {
  return `${what} has ${pluralize(cases, 'random case')} of each operation; a claim needs ${MIN_CASES}.`;
}

/**
 * Checks a claim by a new run, or only its file.
 * @param claim - the claim to check
 * @param report - the report of a new run of all vectors and at least 100 random cases of each operation; or the suite alone, to
 * check the words of the claim, the specification, the vectors and the random cases without a run
 * @returns the false parts of the claim, in sentences; empty if all of it is true
 * @throws TypeError `wrong-type`
 * @example
 * for (const sentence of checkClaim(claim, report)) console.error(sentence);
 */
export function checkClaim(claim: Claim, report: Report | Suite): string[] {
  assertShape('claim', claim);
  assertOptions('report', report);
  if ('digest' in report) return checkFile(claim, report);
  assertShape('report', report);
  const cases = report.random?.cases ?? 0;
  const { adapter } = claim;
  const { name, version, unicode } = report.adapter;
  return [
    ...checkFile(claim, report.suite),
    ...(cases < MIN_CASES ? [tooFew('This run', cases)] : []),
    ...(name !== adapter.name || version !== adapter.version
      ? [`The claim is about ${adapter.name} ${adapter.version}; this is ${name} ${version}.`]
      : []),
    ...(unicode !== adapter.unicode
      ? [`The claim is about Unicode ${adapter.unicode ?? 'unknown'}; this is ${unicode ?? 'unknown'}.`]
      : []),
    ...checkDeclared(claim, report),
    ...claim.classes.flatMap((claimed) => checkClass(claimed, report)),
  ];
}

function checkFile(claim: Claim, suite: Suite): string[] {
  const problems: string[] = [];
  if (claim.claim !== sentenceOf(claim))
    problems.push(`The text of the claim does not match its members, which claim: ${sentenceOf(claim)}.`);
  if (claim.scheme !== SCHEME)
    problems.push(`The claim is about ${LABEL} ${claim.scheme}; these vectors test ${SCHEME}.`);
  if (claim.suite.digest !== suite.digest || claim.suite.version !== suite.version)
    problems.push(
      `The claim is about vectors ${claim.suite.version} (${claim.suite.digest.slice(0, 12)}); these are ${suite.version} (${suite.digest.slice(0, 12)}).`,
    );
  if (claim.suite.specification !== suite.specification)
    problems.push(
      `The claim is about the specification ${nameDigest(claim.suite)}; these vectors test one ${nameDigest(suite)}.`,
    );
  if (claim.random.cases < MIN_CASES) problems.push(tooFew('The claim', claim.random.cases));
  return problems;
}

function nameDigest({ specification }: Suite): string {
  return specification === undefined ? 'without a digest' : `with the digest ${specification.slice(0, 12)}`;
}

function checkDeclared({ declines, functions, classes }: Claim, { adapter }: Report): string[] {
  const more = (adapter.declines ?? []).filter((kind) => !declines.includes(kind));
  const now = functionsOf(adapter.functions, classes);
  const changed = [...new Set([...Object.keys(functions), ...Object.keys(now)])].filter(
    (operation) => now[operation] !== functions[operation],
  );
  const named = (name: string | undefined): string => name ?? 'recomposed steps';
  return [
    ...(more.length === 0 ? [] : [`The adapter declines ${joinWithAnd(more)}, which the claim does not name.`]),
    ...changed.map(
      (operation) =>
        `${operation}: answered by ${named(now[operation])}; the claim is about ${named(functions[operation])}.`,
    ),
  ];
}

function checkClass(claimed: ClaimedClass, report: Report): string[] {
  const name = nameOfClass(claimed);
  const found = report.classes.find((each) => nameOfClass(each) === name);
  if (found?.verdict !== 'conforms')
    return [`${name}: ${found === undefined ? 'not offered' : aboutClass(found, report.selection !== null)}.`];
  if (claimed.k !== undefined && (found.k ?? -1) < claimed.k)
    return [`${name}: complete up to k = ${found.k ?? 'none'}, not ${claimed.k}.`];
  const known = new Map(claimed.unanswered.map((each) => [keyOf(each), each.vectors]));
  const more = unansweredOf([found]).filter((each) => each.vectors > (known.get(keyOf(each)) ?? 0));
  return more.length === 0 ? [] : [`${name}: not answered, and not named by the claim: ${nameUnanswered(more)}.`];
}

const keyOf = ({ operation, about, kind }: NotAnswered): string => JSON.stringify([operation, about, kind]);
