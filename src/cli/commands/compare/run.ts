import { printable } from '../../../common/text.ts';
import type { Outcome } from '../../../documents/outcome.ts';
import { runOne } from '../../../documents/session.ts';
import { STDIN } from '../../../documents/walk.ts';
import type { Counted } from '../../../documents/workers/work.ts';
import { roundOverlap } from '../../../duplicates/match.ts';
import { type CountedPart, sumCounts } from '../../../fingerprint/token-counts.ts';
import { compare } from '../../../scheme/compare.ts';
import { wordsOf } from '../../../scheme/labels/fingerprint.ts';
import { LABELS, schemeOf } from '../../../scheme/labels/label.ts';
import { formatLabelled, parse, parseLabelled } from '../../../scheme/serialise.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { isLabelled, labelsOfLength } from '../../fingerprints.ts';
import { assertStdinOnce, documentHintsOf, labelOf } from '../../options.ts';
import { type Session, withSession } from '../../session.ts';
import { printJson, printStyled, type Style, styleFor } from '../../terminal/output.ts';

/** One side of a comparison. */
interface Side {
  /** Null for a fingerprint that was given as such. */
  readonly path: string | null;
  readonly labelled: string;
  /** The tokens of a document. */
  readonly counted?: CountedPart;
}

/** Runs `simhash-doc compare`. */
export async function runCompare(args: Arguments): Promise<number> {
  const given = sidesOf(args);
  const hints = await documentHintsOf(args);
  assertComparable(given, hints.label);
  const json = args.flag('json');
  return withSession({ hints, jobs: 1, isHandful: true, json, quiet: true }, async (session) => {
    const sides: Side[] = [];
    for (const side of given) {
      const read = typeof side === 'string' ? await hashSide(side, session) : side;
      if (read !== null) sides.push(read);
    }
    const [a, b] = sides;
    if (a === undefined || b === undefined) return FAILED;
    return report(a, b, await overlapOf(a, b, session), json);
  });
}

/** The two sides: paths as strings, and fingerprints. */
function sidesOf(args: Arguments): (string | Side)[] {
  const { positionals } = args;
  if (positionals.length !== 2) throw usageError(`expected two documents or fingerprints, got ${positionals.length}`);
  assertStdinOnce(positionals);
  const label = args.value('label') === undefined ? undefined : labelOf(args);
  return positionals.map((given) => labelledSide(given) ?? bareSide(label, given) ?? given);
}

/** Throws a usage error unless both sides have one label. */
function assertComparable(sides: readonly (string | Side)[], ofDocuments: string): void {
  const [a, b] = sides.map((side) => (typeof side === 'string' ? ofDocuments : parseLabelled(side.labelled).label));
  if (a === b) return;
  const hint = sides.some((side) => typeof side === 'string') ? ' (--label sets the scheme for documents)' : '';
  throw usageError(`made by different schemes (${a}, ${b}): not comparable${hint}`);
}

/** Parses a labelled fingerprint; null for anything that does not begin like one. */
function labelledSide(given: string): Side | null {
  if (!isLabelled(given)) return null;
  const { label, fingerprint } = checked(() => parseLabelled(given));
  return { path: null, labelled: formatLabelled(label, fingerprint) };
}

/** Parses a fingerprint without a label; null for anything else. */
function bareSide(label: string | undefined, given: string): Side | null {
  if (label === undefined) return null;
  try {
    return { path: null, labelled: formatLabelled(label, parse(given, { label })) };
  } catch {
    return null;
  }
}

/** Turns the errors of the scheme about an argument into usage errors. */
function checked<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof RangeError) throw usageError(error.message);
    throw error;
  }
}

/** Computes the fingerprint of a document; null if there is none, which is reported. */
async function hashSide(path: string, session: Session): Promise<Side | null> {
  const result = await session.report.add(withHint(await runOne(session, 'tokens', path)));
  if (result === null) return null;
  return { path, labelled: formatLabelled(session.reading.hints.label, result.fingerprint), counted: result.counted };
}

/**
 * The overlap of two documents. Those of so many distinct tokens that they were counted in part are read again, part by part.
 * @returns null unless both are documents, and can be read again where that is needed
 */
async function overlapOf(a: Side, b: Side, session: Session): Promise<number | null> {
  if (a.counted === undefined || b.counted === undefined) return null;
  const bits = Math.max(a.counted.bits, b.counted.bits);
  let { common, all } = bits === 0 ? sumCounts(a.counted, b.counted) : { common: 0, all: 0 };
  for (let part = 0; bits > 0 && part < 2 ** bits; part++) {
    const counts: CountedPart[] = [];
    for (const { path } of [a, b]) {
      if (path === null || path === STDIN) return null;
      const { result } = await runOne(session, 'tokens', path, { bits, part });
      if ('failure' in result) return null;
      counts.push(result.counted);
    }
    const sums = sumCounts(counts[0]!, counts[1]!);
    common += sums.common;
    all += sums.all;
  }
  return common / all;
}

/** A path that does not exist may be meant as a fingerprint. */
function withHint(outcome: Outcome<Counted>): Outcome<Counted> {
  const { path, result } = outcome;
  if (!('failure' in result) || result.failure.code !== 'not-found') return outcome;
  const { code, message } = result.failure;
  return { ...outcome, result: { failure: { code, message: `${message}${hintFor(path)}` } } };
}

/** What a path that does not exist may have meant. */
function hintFor(given: string): string {
  const [, label, characters = given] = /^([^:/\\]+):(.+)$/.exec(given) ?? [];
  const labels = labelsOfLength(characters);
  if (labels.length === 0) return '';
  if (label !== undefined) return ` (for a fingerprint, use one of the labels ${LABELS.join(', ')}, not ${label})`;
  try {
    parse(characters, { label: labels[0]! });
    return ` (for a fingerprint, add --label ${labels.length === 1 ? labels[0] : 'LABEL'})`;
  } catch (error) {
    return ` (and it is not a fingerprint: ${(error as Error).message})`;
  }
}

async function report(a: Side, b: Side, overlap: number | null, json: boolean): Promise<number> {
  const { label, distance, similarity, verdict } = checked(() => compare(a.labelled, b.labelled));
  if (json) {
    const side = ({ path, labelled }: Side) => ({ path, fingerprint: labelled.slice(label.length + 1) });
    const shared = overlap === null ? {} : { overlap: roundOverlap(overlap) };
    await printJson({ a: side(a), b: side(b), label, distance, similarity, verdict, ...shared });
  } else {
    const style = styleFor(process.stdout, process.env);
    const paint = verdict === 'none' ? style.bad : style.good;
    const lines = [
      `distance    ${distance} of ${64 * schemeOf(label).words} bits`,
      `similarity  ${similarity}`,
      `verdict     ${paint(verdict)}`,
      ...(overlap === null ? [] : [`overlap     ${roundOverlap(overlap)}`]),
      '',
      ...compareBits(a, b, style),
    ];
    await printStyled(`${lines.join('\n')}\n`);
  }
  return verdict === 'none' ? FAILED : DONE;
}

/** The two fingerprints, their bits in rows of a word, and a mark under each bit in which they differ. */
function compareBits(a: Side, b: Side, style: Style): string[] {
  const side = (name: string, { path, labelled }: Side): string =>
    `${name}  ${labelled}${path === null ? '' : `  ${printable(path)}`}`;
  const [left, right] = [a, b].map(({ labelled }) => wordsOf('fingerprint', parseLabelled(labelled).fingerprint));
  const rows = left!.flatMap((word, index) => [
    ...(index > 0 ? [''] : []),
    ...compareWords(word, right![index]!, style),
  ]);
  return [side('a', a), side('b', b), ...rows];
}

function compareWords(a: bigint, b: bigint, style: Style): string[] {
  const bits = [a, b].map((word) => word.toString(2).padStart(64, '0'));
  const differs = Array.from(bits[0]!, (bit, index) => bit !== bits[1]![index]);
  const row = (cell: (index: number) => string): string =>
    Array.from(differs, (_, index) => (index > 0 && index % 8 === 0 ? ' ' : '') + cell(index)).join('');
  return [
    ...bits.map((text, index) => {
      const painted = row((at) => (differs[at] ? style.bad(text[at]!) : text[at]!));
      return `${'ab'[index]}  ${painted}`;
    }),
    ...(differs.includes(true) ? [`   ${style.bad(row((at) => (differs[at] ? '^' : ' ')).trimEnd())}`] : []),
  ];
}
