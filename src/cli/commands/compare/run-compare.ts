import { statSync } from 'node:fs';
import type { Counted } from '../../../documents/document-tasks.ts';
import { runOne } from '../../../documents/run-documents.ts';
import { STDIN } from '../../../documents/walk.ts';
import { answerOf } from '../../../duplicates/answer.ts';
import { roundOverlap } from '../../../duplicates/match.ts';
import { overlapInParts } from '../../../duplicates/verify/overlap.ts';
import { differencesOf } from '../../../fingerprint/residue.ts';
import { type CountedPart, type HashPart, sumCounts } from '../../../fingerprint/token-counts.ts';
import { compare } from '../../../scheme/compare.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import { LABEL, LABELS, type Label } from '../../../scheme/labels/label.ts';
import { charactersOf, formatLabelled, parse, parseLabelled } from '../../../scheme/serialise.ts';
import { type Arguments, DONE, FAILED, NO, orUsageError, usageError } from '../../command.ts';
import {
  assertExist,
  assertNoFolder,
  assertStdinOnce,
  DOCUMENT_LABEL,
  documentHintsOf,
  isLabelled,
  labelOf,
  labelsOfLength,
} from '../../options.ts';
import { type Session, withSession } from '../../session.ts';
import { printJson, printStyled, styleFor, warn } from '../../terminal/print.ts';
import { minOverlapOf } from '../dupes/dupes-settings.ts';
import { createShortCount } from '../hash/short-count.ts';

interface Side {
  /** Null for a fingerprint that was given as such. */
  readonly path: string | null;
  readonly labelled: string;
  readonly read?: Counted;
}

export async function runCompare(args: Arguments): Promise<number> {
  const given = sidesOf(args);
  const hints = await documentHintsOf(args, labelOfSides(given, args));
  const minOverlap = minOverlapOf(args);
  const paths = given.filter((side) => typeof side === 'string');
  assertExist(paths, hintFor);
  assertNoFolder(paths, 'expected a file (dupes compares the files of a folder)');
  const json = args.flag('json');
  return withSession({ hints, jobs: 1, isHandful: true, json, quiet: true }, async (session) => {
    const sides: Side[] = [];
    for (const side of given)
      if (typeof side !== 'string') sides.push(side);
      else {
        const read = await session.report.add(await runOne(session, 'tokens', side));
        if (read !== null) sides.push({ path: side, labelled: formatLabelled(hints.label, read.fingerprint), read });
      }
    const [a, b] = sides;
    if (a === undefined || b === undefined) return FAILED;
    const overlap = await overlapOf(a, b, session);
    // The fingerprints are the only basis of the answer.
    const short = createShortCount();
    for (const { path, read } of overlap === null ? sides : [])
      if (path !== null && read?.counted.bits === 0) short.add({ path }, sumCounts(read.counted, read.counted).common);
    short.warn();
    return report(a, b, overlap, minOverlap, json);
  });
}

function sidesOf(args: Arguments): (string | Side)[] {
  const { positionals } = args;
  if (positionals.length !== 2) throw usageError(`expected two documents or fingerprints, got ${positionals.length}`);
  assertStdinOnce(positionals);
  const labels = positionals.flatMap((given) => labelledSide(given)?.labelled ?? []);
  const beside = labels[0] === undefined ? undefined : parseLabelled(labels[0]).label;
  const asked = args.value('label') === undefined ? beside : labelOf(args);
  const sides = positionals.map((given) => labelledSide(given) ?? bareSide(asked, given) ?? given);
  if (asked === undefined && sides.some((side) => typeof side !== 'string' && side.labelled.startsWith(`${LABEL}:`)))
    warn(`fingerprints without a label are read as ${LABEL}; --label names another`);
  const index = sides.findIndex((side) => typeof side !== 'string');
  if (index >= 0 && args.value('min-overlap') !== undefined)
    throw usageError(`--min-overlap compares documents: ${positionals[index]} is a fingerprint`);
  return sides;
}

/** Returns the label of both sides: documents get the label of the fingerprint they are compared with. Throws if labels differ. */
function labelOfSides(sides: readonly (string | Side)[], args: Arguments): Label {
  const labels = sides.flatMap((side) => (typeof side === 'string' ? [] : [parseLabelled(side.labelled).label]));
  const [label = labelOf(args, DOCUMENT_LABEL), other = label] = labels;
  const asked = labels.length === 1 ? labelOf(args, label) : label;
  if (other === label && asked === label) return label;
  throw usageError(`labels differ (${label}, ${other === label ? asked : other}): not comparable`);
}

function labelledSide(given: string): Side | null {
  if (!isLabelled(given)) return null;
  const { label, fingerprint } = orUsageError(() => parseLabelled(given));
  return { path: null, labelled: formatLabelled(label, fingerprint) };
}

/** Parses a fingerprint without a label, unless a file has that name; null for anything else. */
function bareSide(asked: Label | undefined, given: string): Side | null {
  const possible = labelsOfLength(given);
  const label = asked ?? [LABEL, DOCUMENT_LABEL].find((each) => possible.includes(each));
  if (label === undefined || !possible.includes(label)) return null;
  if (statSync(given, { throwIfNoEntry: false }) !== undefined) return null;
  let fingerprint: Fingerprint;
  try {
    fingerprint = parse(given, { label });
  } catch {
    // Its last character is wrong, which the message about a missing file includes.
    return null;
  }
  return { path: null, labelled: formatLabelled(label, fingerprint) };
}

/** The overlap of two documents, part by part if they have too many distinct tokens; null if one cannot be read again. */
async function overlapOf(a: Side, b: Side, session: Session): Promise<number | null> {
  if (a.read === undefined || b.read === undefined) return null;
  const whole = [a.read.counted, b.read.counted] as const;
  const bits = Math.max(whole[0].bits, whole[1].bits);
  return overlapInParts(bits, async (part) => {
    if (bits === 0) return whole;
    const left = await readPart(a, part, session);
    const right = left && (await readPart(b, part, session));
    return left && right && [left, right];
  });
}

async function readPart({ path }: Side, part: HashPart, session: Session): Promise<CountedPart | null> {
  if (path === null || path === STDIN) return null;
  const outcome = await runOne(session, 'tokens', path, part);
  return outcome.kind === 'failed' ? null : outcome.result.counted;
}

function hintFor(given: string): string {
  const [, label, characters = given] = /^([^:/\\]+):(.+)$/.exec(given) ?? [];
  const labels = labelsOfLength(characters);
  const [, start, end] = /^(.+-doc(?:-256|\+bg1)?)[-_ .]+([a-z2-7]+)$/i.exec(given) ?? [];
  if (start !== undefined && labelsOfLength(end!).length > 0) return `: did you mean ${start}:${end}?`;
  if (/^[A-Z2-7]{4,}$/.test(characters) && labels.length === 0)
    return ` (and not a fingerprint: expected ${charactersOf(LABEL)} characters, or ${charactersOf(DOCUMENT_LABEL)} of ${DOCUMENT_LABEL}, got ${characters.length})`;
  if (labels.length === 0)
    return /[./\\]/.test(given) ? '' : ' (texts are read from files, or one from -, standard input)';
  if (label !== undefined) return ` (for a fingerprint, use one of the labels ${LABELS.join(', ')}, not ${label})`;
  try {
    parse(characters, { label: labels[0]! });
    return ` (a fingerprint of such a length has the label ${labels.join(' or ')})`;
  } catch {
    return ' (and not a valid fingerprint: a typing error?)';
  }
}

async function report(a: Side, b: Side, overlap: number | null, minOverlap: number, json: boolean): Promise<number> {
  const { label, distance, similarity, verdict } = orUsageError(() => compare(a.labelled, b.labelled));
  const isRead = overlap !== null && a.read !== undefined && b.read !== undefined;
  const differs = isRead ? differencesOf(a.read.residue, b.read.residue, overlap) : [];
  const { isNear, sentence } = answerOf({ label, distance, overlap, minOverlap, differs });
  const side = ({ path, labelled }: Side) => ({ path, fingerprint: labelled.slice(label.length + 1) });
  const measures = overlap === null ? { similarity, verdict } : { overlap: roundOverlap(overlap), differs };
  const style = styleFor(process.stdout, process.env);
  if (json) await printJson({ answer: sentence, near: isNear, a: side(a), b: side(b), label, distance, ...measures });
  else await printStyled(`${(isNear ? style.good : style.bad)(sentence)}\n`);
  return isNear ? DONE : NO;
}
