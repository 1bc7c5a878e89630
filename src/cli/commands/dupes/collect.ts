import { pluralize } from '../../../common/text.ts';
import { LABEL } from '../../../index.ts';
import { createUint64List } from '../../../lookup/number-list.ts';
import { documentsAt, type Source } from '../../documents/archive.ts';
import { failureOf } from '../../documents/failure.ts';
import type { DocumentHints } from '../../documents/hints.ts';
import { nextTurn } from '../../documents/in-order.ts';
import { identify, type Reading } from '../../documents/open.ts';
import { failed, type Outcome, type Place } from '../../documents/outcome.ts';
import { isHandful, statOf, sum, type Total } from '../../documents/plan.ts';
import { following, type Input, openInput } from '../../documents/read.ts';
import type { Report } from '../../documents/report.ts';
import { withSession } from '../../documents/session.ts';
import { type Entry, STDIN, walk } from '../../documents/walk.ts';
import type { Hashed } from '../../documents/workers/work.ts';
import { warn } from '../../terminal/output.ts';
import { type Labelled, readLines, startsWithLine } from './lines.ts';

/** A document whose fingerprint is known. */
export interface Document {
  readonly place: Place;
  /** In octets; null if only the fingerprint is known. */
  readonly size: number | null;
}

/** The documents of all inputs. */
export interface Collection {
  /** The label of all fingerprints. */
  readonly label: string;
  readonly documents: readonly Document[];
  /** The fingerprint of each document. */
  readonly fingerprints: BigUint64Array;
  /** How many documents have none. */
  readonly failures: number;
}

/** How fingerprints are collected. */
export interface CollectOptions {
  readonly hints: DocumentHints;
  /** The most documents to work on at a time. */
  readonly jobs: number;
  /** Whether there is no progress line. */
  readonly quiet: boolean;
}

/**
 * Computes or reads the fingerprints of all inputs, in the order in which they are given. What is wrong with some of them is
 * told on stderr.
 * @param roots - files, of documents or of JSON Lines of fingerprints; folders of documents; standard input
 * @param options - see {@link CollectOptions}
 */
export async function collect(roots: readonly string[], options: CollectOptions): Promise<Collection> {
  const { entries, total } = await plan(roots);
  const few = isHandful(entries.length, () => total.octets);
  return withSession({ ...options, isHandful: few, json: false }, async ({ reading, report, progress, run }) => {
    if (!roots.includes(STDIN)) progress.expect(total.documents, total.octets);
    const collection = createCollection(report);
    for await (const item of run('hash', sourcesIn(entries, reading)))
      if ('passed' in item) for (const outcome of item.passed) await collection.add(outcome);
      else await collection.add(withScheme(item));
    return collection.finish();
  });
}

/** Lists every document. A file under another name takes no space, and removing that name would free none. */
async function plan(roots: readonly string[]): Promise<{ readonly entries: readonly Entry[]; readonly total: Total }> {
  const entries: Entry[] = [];
  const sizes: number[] = [];
  const seen = new Set<string>();
  let [links, listed] = [0, 0];
  for (const entry of walk(roots)) {
    if (++listed % 64 === 0) await nextTurn();
    const stat = statOf(entry);
    const identity = stat?.isFile() === true && stat.ino !== 0 ? `${stat.dev}:${stat.ino}` : null;
    if (identity !== null && seen.has(identity)) links++;
    else {
      if (identity !== null) seen.add(identity);
      entries.push(entry);
      sizes.push(stat?.isFile() === true ? stat.size : 0);
    }
  }
  if (links > 0) warn(`skipped ${pluralize(links, 'further name')} of files that are already listed`);
  return { entries, total: { documents: entries.length, octets: sum(sizes) } };
}

/** Puts the label of this program's scheme to a fingerprint. */
function withScheme(outcome: Outcome<Hashed>): Outcome<Labelled> {
  const { result } = outcome;
  return 'failure' in result
    ? (outcome as Outcome<never>)
    : { ...outcome, result: { label: LABEL, fingerprint: result.fingerprint } };
}

/** The documents of some lines, which keep their place among those of files. */
interface LineOutcomes {
  readonly passed: readonly Outcome<Labelled>[];
}

async function* sourcesIn(
  entries: Iterable<Entry>,
  reading: Reading,
): AsyncGenerator<Source | LineOutcomes, undefined> {
  for (const entry of entries) {
    const input = entry.found || entry.failure !== undefined ? undefined : await openNamed(entry, reading);
    if (input === undefined) yield* documentsAt(entry, reading);
    else if ('result' in input) yield input;
    else if (startsWithLine(input.head)) yield* linesOf(entry, input);
    else yield* documentsAt(entry, reading, () => identify(input, { path: entry.path }, reading));
  }
  return undefined;
}

/** Opens a file that is named as an argument. */
async function openNamed(entry: Entry, { onRead }: Reading): Promise<Input | Outcome<never>> {
  try {
    return await openInput(entry, onRead);
  } catch (error) {
    return failed(entry, failureOf(error));
  }
}

async function* linesOf(
  { path }: Entry,
  { head, rest, close }: Input,
): AsyncGenerator<LineOutcomes | Outcome<never>, undefined> {
  try {
    for await (const passed of readLines(path, following(head, rest))) yield { passed };
  } catch (error) {
    yield failed({ path }, failureOf(error));
  } finally {
    await close();
  }
  return undefined;
}

/** Collects the fingerprints of documents, all of one label. */
function createCollection(report: Report) {
  const documents: Document[] = [];
  const fingerprints = createUint64List();
  let label: string | undefined;

  function withLabel(outcome: Outcome<Labelled>): Outcome<Labelled> {
    const { result } = outcome;
    if ('failure' in result) return outcome;
    label ??= result.label;
    if (result.label === label) return outcome;
    const message = `its label is ${result.label}, that of the others is ${label}: expected one label`;
    return failed(outcome, { code: 'label-mismatch', message });
  }

  return {
    async add(outcome: Outcome<Labelled>): Promise<void> {
      const result = await report.add(withLabel(outcome));
      if (result === null) return;
      const { path, member, size, fileSize } = outcome;
      documents.push({ place: { path, member }, size: fileSize ?? size ?? null });
      fingerprints.push(result.fingerprint);
    },
    finish: (): Collection => ({
      label: label ?? LABEL,
      documents,
      fingerprints: fingerprints.view(),
      failures: report.failures,
    }),
  };
}
