import { statSync } from 'node:fs';
import { printable } from '../../../common/text.ts';
import { type DocumentOutcome, nameOf } from '../../../documents/document-outcome.ts';
import type { Hashed } from '../../../documents/document-tasks.ts';
import { STDIN } from '../../../documents/walk.ts';
import { planWalk, unopened } from '../../../documents/walk-plan.ts';
import { answerOf } from '../../../duplicates/answer.ts';
import { roundOverlap } from '../../../duplicates/match.ts';
import { hasNameOfSeveral } from '../../../extract/formats.ts';
import type { FingerprintLike, Match, QueryOptions } from '../../../lookup/document-index.ts';
import { LABEL } from '../../../scheme/labels/label.ts';
import { formatLabelled, parse, parseLabelled, serialise } from '../../../scheme/serialise.ts';
import { type Arguments, DONE, FAILED, NO, usageError } from '../../command.ts';
import { DEFAULT_DISTANCES, MAX_DISTANCES, wordDistance } from '../../distance-option.ts';
import { countHidden, createFinds } from '../../files/file-selection.ts';
import {
  assertExist,
  assertStdinOnce,
  documentHintsOf,
  given,
  isLabelled,
  jobsOf,
  labelsOfLength,
  refusedOf,
  wholeNumberOf,
} from '../../options.ts';
import { type Session, withSession } from '../../session.ts';
import { type OpenIndex, warnOfStored } from '../../stores/open-store.ts';
import { shownId } from '../../stores/stored-documents.ts';
import { lineWithPath, print, printJson, warn } from '../../terminal/print.ts';
import { minOverlapOf } from '../dupes/dupes-settings.ts';
import { assertOperands, type Prepared } from './run-index.ts';
import type { Query, VerifiedMatch } from './verify-matches.ts';

const BATCH = 4096;
const MAX_FILES = 100;

export async function prepareQuery(args: Arguments, operands: readonly string[]): Promise<Prepared> {
  assertOperands(args, 'PATH or FINGERPRINT');
  assertStdinOnce(operands);
  queryLimitsOf(args, LABEL);
  assertExist(operands.filter((operand) => !isLabelled(operand) && labelsOfLength(operand).length === 0));
  return { action: (store) => queryDocuments(store, args, operands) };
}

async function queryDocuments(store: OpenIndex, args: Arguments, operands: readonly string[]): Promise<number> {
  const limits = queryLimitsOf(args, store.label);
  const parts = partsOf(operands, store.label);
  const isAlone = operands.length === 1 && isOne(operands[0]!);
  const writer = createWriter(args.flag('json'), store.label, isAlone);
  const lookUp = async (outcome: DocumentOutcome<Hashed>, { fingerprint }: Hashed): Promise<void> =>
    writer.write(nameOf(outcome), await ask(store, formatLabelled(store.label, fingerprint), limits));
  const { take, finish } = args.flag('verify')
    ? await createVerification(store, args, parts, writer)
    : { take: lookUp, finish: undefined };
  const extractors = new Set<string>();
  let failures = 0;
  for (const part of parts)
    if ('fingerprint' in part) await writer.write(part.name, await ask(store, part.fingerprint, limits));
    else {
      const note: typeof take = (outcome, hashed, session) => {
        extractors.add(hashed.extractor);
        return take(outcome, hashed, session);
      };
      failures += await hashEach(args, store.label, part.paths, note, finish);
    }
  await warnOfStored('comparison', store, extractors, MAX_FILES);
  const { found, lost } = writer.counts;
  if (failures + lost > 0) return FAILED;
  if (isAlone && found === 0 && !args.flag('json')) warn((await isEmpty(store)) ? 'the index is empty' : 'no match');
  return found > 0 && args.flag('fail-if-found') ? NO : DONE;
}

async function isEmpty(store: OpenIndex): Promise<boolean> {
  for await (const _ of store.entries()) return false;
  return true;
}

async function createVerification(
  store: OpenIndex,
  args: Arguments,
  parts: readonly Part[],
  writer: ReturnType<typeof createWriter>,
) {
  const limits = queryLimitsOf(args, store.label);
  const minOverlap = minOverlapOf(args);
  for (const part of parts) {
    if ('fingerprint' in part) throw usageError(`--verify compares documents: ${part.name} is a fingerprint`);
    if (part.paths.includes(STDIN)) throw usageError('--verify cannot read - (standard input) again: name a file');
  }
  const { verifyMatches } = await import('./verify-matches.ts');
  const { createOccurrences } = await import('../../../duplicates/collect.ts');
  const occurrences = createOccurrences();
  let queries: Query[] = [];
  let size = 0;

  async function finish(session: Session): Promise<void> {
    const batch = queries;
    queries = [];
    size = 0;
    for (const [index, verified] of (await verifyMatches(batch, session)).entries()) {
      const { document, more } = batch[index]!;
      const matches = verified.filter(({ overlap, failure }) => failure !== undefined || overlap! >= minOverlap);
      await writer.write(nameOf(document.place), { matches, more });
    }
  }

  async function take(
    outcome: DocumentOutcome<Hashed>,
    { fingerprint, tokens }: Hashed,
    session: Session,
  ): Promise<void> {
    const { path, raw, member, fileSize } = outcome;
    const place = { path, member, ...(raw !== undefined && { raw }) };
    const occurrence = occurrences.next(outcome);
    const { matches, more } = await ask(store, formatLabelled(store.label, fingerprint), limits);
    const document = { place, occurrence, size: fileSize ?? null, tokens, isReference: false };
    queries.push({ document, fingerprint, matches, more });
    size += 1 + matches.length;
    if (size >= BATCH) await finish(session);
  }

  return { take, finish };
}

interface Matches<M> {
  readonly matches: readonly M[];
  readonly more: number | undefined;
}

interface Limits extends QueryOptions {
  readonly k: number;
  /** The losses of documents of the index that do not match. */
  readonly refused: readonly string[];
}

/** Asks for one match more than the limit, or for all if some are refused. */
async function ask(
  store: OpenIndex,
  fingerprint: FingerprintLike,
  { refused, ...limits }: Limits,
): Promise<Matches<Match>> {
  const { limit = Number.POSITIVE_INFINITY, ...all } = limits;
  const isCut = Number.isFinite(limit) && refused.length === 0;
  const found = await store.query(fingerprint, isCut ? { ...all, limit: limit + 1 } : all);
  const matches = found.matches.filter(({ losses = [] }) => !refused.some((loss) => losses.includes(loss)));
  return { matches: matches.slice(0, limit), more: matches[limit]?.distance };
}

type Shown = Match & Partial<VerifiedMatch>;

function createWriter(json: boolean, label: string, isAlone: boolean) {
  const counts = { found: 0, lost: 0, queries: 0 };
  const reported = new Set<string>();
  return {
    counts,
    async write(name: string, { matches: all, more }: Matches<Shown>): Promise<void> {
      const matches = all.filter(({ failure }) => failure === undefined);
      if (json) for (const match of all) await printJson(asJson(name, label, match));
      else {
        for (const { failure } of all) {
          if (failure === undefined) continue;
          const message = `${printable(failure.name)}: ${failure.message}`;
          if (!reported.has(message)) warn(message);
          reported.add(message);
        }
        const title = isAlone ? '' : `${counts.queries > 0 ? '\n' : ''}${printable(name)}\n`;
        const rest = more !== undefined && matches.length > 0 ? `  … more at distance ${more} or beyond\n` : '';
        const nothing = matches.length === 0 && !isAlone ? '  nothing\n' : '';
        const lines = matches.map((match) => asLine(label, match)).join('');
        await print(`${title}${lines}${nothing}${rest}`);
      }
      counts.queries++;
      counts.found += matches.length;
      counts.lost += all.length - matches.length;
    },
  };
}

/** Tests whether an operand is one query: a fingerprint, or a file that is not an archive or a message by its name. */
function isOne(operand: string): boolean {
  try {
    return statSync(operand).isFile() && !hasNameOfSeveral(operand);
  } catch {
    return true;
  }
}

type Part = { readonly name: string; readonly fingerprint: FingerprintLike } | { readonly paths: readonly string[] };

/** Fingerprints, and the paths between them, in their order. */
function partsOf(operands: readonly string[], label: string): Part[] {
  const parts: Part[] = [];
  let paths: string[] = [];
  const flush = (): void => {
    if (paths.length > 0) parts.push({ paths });
    paths = [];
  };
  for (const operand of operands) {
    const fingerprint = fingerprintOf(operand, label);
    if (fingerprint === undefined) paths.push(operand);
    else {
      flush();
      parts.push({ name: operand, fingerprint });
    }
  }
  flush();
  return parts;
}

function fingerprintOf(operand: string, label: string): string | undefined {
  if (isLabelled(operand)) {
    let own: string;
    try {
      own = parseLabelled(operand).label;
    } catch (error) {
      throw usageError(`${printable(operand)}: ${(error as Error).message}`);
    }
    if (own !== label)
      throw usageError(
        `${operand}: the index holds ${label}: not comparable (hash --label ${label} makes such fingerprints)`,
      );
    return operand;
  }
  const labels = labelsOfLength(operand);
  if (labels.length === 0 || statSync(operand, { throwIfNoEntry: false }) !== undefined) return undefined;
  try {
    return formatLabelled(label, parse(operand, { label }));
  } catch (error) {
    if (!labels.includes(label))
      throw usageError(`${operand}: a fingerprint of ${labels.join(' or ')}; the index has ${label}: not comparable`);
    throw usageError(`${operand}: no such file, and ${(error as Error).message}`);
  }
}

function asJson(query: string, label: string, match: Shown) {
  const { id, fingerprint, losses, distance, overlap, differs, failure } = match;
  return {
    query,
    id,
    label,
    fingerprint: serialise(fingerprint),
    distance,
    losses,
    ...(overlap != null && { overlap: roundOverlap(overlap), differs }),
    ...(failure !== undefined && { error: { code: failure.code, message: failure.message } }),
  };
}

function asLine(label: string, { id, fingerprint, losses = [], distance, overlap, differs = [] }: Shown): string {
  const lost = losses.length > 0 ? `${losses.join(', ')}  ` : '';
  if (overlap == null) {
    const measure =
      typeof fingerprint === 'bigint' ? String(distance).padStart(2) : `${String(distance).padStart(3)} of 256`;
    return lineWithPath(`${measure}  ${serialise(fingerprint)}  ${lost}`, shownId(id));
  }
  // Matches with less overlap are not printed.
  const { sentence } = answerOf({ label, distance, overlap, differs, minOverlap: 0 });
  return lineWithPath(`${sentence}  ${lost}`, shownId(id));
}

/** The default distance is greater with `--verify`, where false candidates only cost time. */
export function queryLimitsOf(args: Arguments, label: string): Limits {
  const k =
    wholeNumberOf(args, 'distance', 0, MAX_DISTANCES[256]) ??
    (args.flag('verify') ? wordDistance(undefined, true, label) : DEFAULT_DISTANCES[LABEL].unverified);
  return { k, refused: refusedOf(args), ...given({ limit: wholeNumberOf(args, 'limit', 1, 999_999_999) }) };
}

async function hashEach(
  args: Arguments,
  label: string,
  paths: readonly string[],
  take: (outcome: DocumentOutcome<Hashed>, hashed: Hashed, session: Session) => Promise<void>,
  finish: (session: Session) => Promise<void> = async () => {},
): Promise<number> {
  const [hints, jobs, quiet] = [{ ...(await documentHintsOf(args)), label }, jobsOf(args), args.flag('quiet')];
  const finds = createFinds(paths);
  const { entries, isHandful } = planWalk({
    roots: paths,
    isSelected: () => true,
    hidden: args.flag('hidden'),
    onHidden: (_, isFolder) => countHidden(finds, isFolder),
  });
  return withSession({ hints, jobs, isHandful, json: false, quiet, finds }, async (session) => {
    const { report, progress, run } = session;
    for await (const outcome of run('hash', unopened(entries))) {
      const result = await report.add(outcome);
      if (result === null) continue;
      progress.hide();
      await take(outcome, result, session);
    }
    await finish(session);
    report.summarise(paths);
    return report.failures;
  });
}
