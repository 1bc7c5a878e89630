import { isRecord, joinWithAnd } from '../../../common/text.ts';
import { LABEL } from '../../../index.ts';
import { type ClassVerdict, claimedClasses, nameOfClass } from '../../judge/classes.ts';
import { assertClaim, assertReport, assertResults } from '../../options.ts';
import { formatError, readJsonText } from '../../suite/json-file.ts';
import type { Suite } from '../../suite/load.ts';
import { aboutClass } from '../diagnose.ts';
import type { Report } from '../report.ts';
import type { Results } from './results.ts';

/** The version of the scheme (spec/simhash-doc.md) that these vectors test. */
export const SCHEME = '0.1.0';

/** A class that is claimed, with what the specification wants named beside it. */
export type ClaimedClass = Pick<ClassVerdict, 'class' | 'label' | 'k'>;

/** A claim of conformance (spec/simhash-doc.md, "Conformance"). */
export interface Claim {
  readonly kind: 'simhash-doc-claim';
  readonly format: 1;
  /** The claim in words. */
  readonly claim: string;
  /** The date of the run in UTC. */
  readonly date: string;
  readonly scheme: string;
  readonly suite: Suite;
  readonly adapter: Pick<Results['adapter'], 'name' | 'version' | 'language' | 'unicode' | 'command'>;
  readonly classes: readonly ClaimedClass[];
}

/**
 * Makes the claim that the results of a run allow. Extraction is left out: such a claim names an extractor and a grade,
 * which results do not have.
 * @param results - of a run of all vectors
 * @returns null if nothing can be claimed: no class conforms, or only a part of the vectors was run
 * @throws TypeError `wrong-type`
 * @see spec/simhash-doc.md#conformance
 */
export function claimOf(results: Results): Claim | null {
  assertResults('results', results);
  const { adapter, suite, date, selection } = results;
  const conforming = results.classes.filter((each) => each.verdict === 'conforms' && each.class !== 'extraction');
  if (selection !== null || conforming.length === 0) return null;
  const { name, version, language, unicode, command } = adapter;
  const names = claimedClasses(conforming);
  const classes = `class${names.length === 1 ? '' : 'es'} ${joinWithAnd(names)}`;
  const nfc = unicode === null ? '' : `, with Unicode ${unicode}`;
  return {
    kind: 'simhash-doc-claim',
    format: 1,
    claim: `${name} ${version} conforms to the ${classes} of ${LABEL} ${SCHEME}${nfc}, tested with version ${suite.version} of the vectors`,
    ...{ date, scheme: SCHEME, suite },
    adapter: { name, version, language, unicode, command },
    classes: conforming.map(({ class: which, label, k }) => ({
      class: which,
      ...(label !== undefined && { label }),
      ...(k !== undefined && { k }),
    })),
  };
}

/** Writes a claim. */
export function writeClaim(claim: Claim): string {
  assertClaim(claim);
  return `${JSON.stringify(claim, null, 2)}\n`;
}

/**
 * Reads a claim.
 * @param text - of the file
 * @param name - of the file, for messages
 * @throws TypeError `wrong-type`; RangeError `out-of-range` for anything else than a claim in format 1
 */
export function readClaim(text: string, name: string): Claim {
  const value = readJsonText(text, name, 'simhash-doc-claim');
  const { claim, suite, adapter, classes } = value;
  if (typeof claim !== 'string') throw formatError(name, 'a text "claim"', claim);
  if (!isRecord(suite) || typeof suite['digest'] !== 'string' || typeof suite['version'] !== 'string')
    throw formatError(name, '"suite" with version and digest', suite);
  if (!isRecord(adapter) || typeof adapter['name'] !== 'string' || typeof adapter['version'] !== 'string')
    throw formatError(name, '"adapter" with name and version', adapter);
  if (
    !Array.isArray(classes) ||
    classes.length === 0 ||
    !classes.every((each) => isRecord(each) && typeof each['class'] === 'string')
  )
    throw formatError(name, 'a list of "classes"', classes);
  return value as unknown as Claim;
}

/**
 * Checks a claim by a new run.
 * @param claim - that was made
 * @param report - of the new run, of all vectors
 * @returns what does not hold, in sentences; empty if all of it holds
 * @throws TypeError `wrong-type`
 */
export function checkClaim(claim: Claim, report: Report): string[] {
  assertClaim(claim);
  assertReport(report);
  const { name, version } = report.adapter;
  const { adapter, classes, suite } = claim;
  const problems: string[] = [];
  if (suite.digest !== report.suite.digest)
    problems.push(
      `The claim is about vectors ${suite.version} (${suite.digest.slice(0, 12)}); these are ${report.suite.version} (${report.suite.digest.slice(0, 12)}).`,
    );
  if (name !== adapter.name || version !== adapter.version)
    problems.push(`The claim is about ${adapter.name} ${adapter.version}; this is ${name} ${version}.`);
  for (const claimed of classes) {
    const found = report.classes.find((each) => nameOfClass(each) === nameOfClass(claimed));
    if (found?.verdict !== 'conforms')
      problems.push(
        `${nameOfClass(claimed)}: ${found === undefined ? 'not offered' : aboutClass(found, report.selection !== null)}.`,
      );
    else if (claimed.k !== undefined && (found.k ?? -1) < claimed.k)
      problems.push(`${nameOfClass(claimed)}: complete up to k = ${found.k ?? 'none'}, not ${claimed.k}.`);
  }
  return problems;
}
