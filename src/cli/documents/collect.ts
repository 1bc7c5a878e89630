import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { type Line, parseJsonObject, splitLines } from '../../common/lines.ts';
import { formatBytes, pluralize } from '../../common/text.ts';
import { LABEL, parse, parseLabel } from '../../index.ts';
import { createUint64List } from '../../lookup/number-list.ts';
import { printable, warn } from '../terminal/output.ts';
import type { Progress } from '../terminal/progress.ts';
import { type ArchiveFound, type DocumentHints, nameOf, type Outcome, type Place } from './document.ts';
import { documentError, failureOf } from './failure.ts';
import { outcomesOf } from './outcomes.ts';
import { createPool, nextTurn, type Pool } from './pool.ts';
import { type Entry, pathOf, STDIN, walk } from './walk.ts';

/** A document whose fingerprint is known. */
export interface Document {
  /** What stands for it in lists. */
  readonly path: string;
  readonly place: Place;
  /** In octets; null where only the fingerprint was given. */
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

/** Up to so many documents with together up to so many octets, a worker's start would cost more than it saves. */
const HANDFUL = 16;
const HANDFUL_OCTETS = 1 << 20;

/** Documents that are in work or wait for an earlier one, for each worker. */
const WINDOW = 128;

/** How much of an input is looked at to see whether it is JSON Lines of fingerprints. */
const HEAD = 1 << 16;

/** One step of the work. */
type Task =
  | { readonly kind: 'documents'; readonly entries: Entry[]; readonly sizes: (number | null)[] }
  | { readonly kind: 'lines'; readonly path: string; readonly size: number }
  /** Stdin, or a pipe: what it is shows when it is read. */
  | { readonly kind: 'stream'; readonly path: string };

/**
 * Computes or reads the fingerprints of all inputs, in the order in which they are given. What is wrong with some of them is
 * told on stderr.
 * @param roots - files, of documents or of JSON Lines of fingerprints; folders of documents; `-`
 * @param hints - what the caller says of the documents
 * @param jobs - how many documents are worked on at a time
 * @param progress - is told how far the work has come, and ended
 */
export async function collect(
  roots: readonly string[],
  hints: DocumentHints,
  jobs: number,
  progress: Progress,
): Promise<Collection> {
  const documents: Document[] = [];
  const fingerprints = createUint64List();
  let label: string | undefined;
  let failures = 0;
  /** Octets of JSON Lines and streams, of which the pool knows nothing. */
  let octets = 0;
  const show = (): void => progress.update(documents.length + failures, pool.octetsRead() + octets);
  const pool = createPool(jobs, hints, {
    onRead: show,
    onPages: (path, pages, total) => progress.detail(`page ${pages} of ${total} of ${printable(path)}`),
  });
  // Workers read without a sound.
  const timer = setInterval(show, 100);

  function fail(path: string, message: string): void {
    failures++;
    progress.hide();
    warn(`${printable(path)}: ${message}`);
  }

  function add(document: Document, its: string, fingerprint: bigint): void {
    label ??= its;
    if (its === label) {
      documents.push(document);
      fingerprints.push(fingerprint);
    } else fail(document.path, `its label is ${its}, that of the others is ${label}`);
  }

  function addOutcome(outcome: Outcome, size: number | null): void {
    const { result, warnings } = outcome;
    const path = nameOf(outcome);
    if (warnings.length > 0) progress.hide();
    for (const warning of warnings) warn(`${printable(path)}: warning: ${warning}`);
    if ('failure' in result) fail(path, result.failure.message);
    else add({ path, place: { path: outcome.path, member: outcome.member }, size }, LABEL, result.fingerprint);
    show();
  }

  async function addLines(path: string, parts: AsyncIterable<Uint8Array>, read: () => void): Promise<void> {
    let number = 0;
    for await (const lines of splitLines(parts)) {
      for (const line of lines) {
        number++;
        if (line?.trim() === '') continue;
        try {
          const entry = readLine(line, `${path}:${number}`);
          if ('failure' in entry) fail(entry.path, entry.failure);
          else add({ path: entry.path, place: entry.place, size: null }, entry.label, entry.fingerprint);
        } catch (error) {
          fail(`${path}:${number}`, failureOf(error).message);
        }
      }
      read();
      show();
      await nextTurn();
    }
  }

  async function* metered(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      octets += part.length;
      yield part;
    }
  }

  try {
    const tasks = await plan(roots);
    const isKnown = tasks.every(({ kind }) => kind !== 'stream');
    const total = totalOf(tasks);
    if (isKnown) progress.expect(total.documents, total.octets);
    for (const task of tasks)
      if (task.kind === 'documents') {
        const sizes = new Map(task.entries.map(({ path }, index) => [path, task.sizes[index]!]));
        for await (const outcome of hashAll(task, pool, jobs))
          addOutcome(outcome, (outcome.member === undefined ? sizes.get(outcome.path) : outcome.size) ?? null);
      } else if (task.kind === 'lines') {
        const [before, beforeOctets] = [documents.length + failures, octets];
        const guess = (): void => {
          // How many documents the lines are is guessed from those that were read.
          const share = (octets - beforeOctets) / task.size;
          const here = documents.length + failures - before;
          if (isKnown && share > 0) progress.expect(total.documents + Math.round(here / share), total.octets);
        };
        await attempt(task.path, () => addLines(task.path, metered(createReadStream(task.path)), guess));
      } else {
        await attempt(task.path, async () => {
          const stream = task.path === STDIN ? process.stdin : createReadStream(task.path);
          const { isLines, parts } = await lookAt(metered(stream));
          if (isLines) await addLines(task.path, parts, () => {});
          else {
            const whole = await readWhole(parts, hints.limits.octets);
            const size = whole.length;
            const source = { path: task.path, found: false, octets: whole };
            for await (const outcome of outcomesOf([source], pool.hashHere, pool, 1))
              addOutcome(outcome, outcome.member === undefined ? size : (outcome.size ?? null));
          }
        });
      }
  } finally {
    clearInterval(timer);
    progress.end();
    await pool.close();
  }
  return { label: label ?? LABEL, documents, fingerprints: fingerprints.view(), failures };

  async function attempt(path: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      fail(path, failureOf(error).message);
    }
  }
}

/** Finds out what there is to do. */
async function plan(roots: readonly string[]): Promise<Task[]> {
  const tasks: Task[] = [];
  const seen = new Set<string>();
  let links = 0;
  let listed = 0;
  for (const root of roots) {
    const stat = root === STDIN ? undefined : statOrNothing(root);
    if (root === STDIN || stat?.isFIFO() === true || stat?.isCharacterDevice() === true)
      tasks.push({ kind: 'stream', path: root });
    else if (stat?.isFile() === true && isFileOfLines(root)) tasks.push({ kind: 'lines', path: root, size: stat.size });
    else {
      const last = tasks.at(-1);
      const task = last?.kind === 'documents' ? last : { kind: 'documents' as const, entries: [], sizes: [] };
      if (task !== last) tasks.push(task);
      for (const entry of walk([root])) {
        const { size, identity } = lookAtFile(entry);
        // A file under another name takes no room, and to remove it would free none.
        if (identity !== null && seen.has(identity)) links++;
        else {
          task.entries.push(entry);
          task.sizes.push(size);
          if (identity !== null) seen.add(identity);
        }
        if (++listed % 64 === 0) await nextTurn();
      }
    }
  }
  if (links > 0) warn(`passed over: ${pluralize(links, 'further name')} of files that are listed already`);
  return tasks;
}

/** The size of a file, and what tells it from others; null where that is unknown. Reading will tell what is wrong. */
function lookAtFile(entry: Entry): { readonly size: number | null; readonly identity: string | null } {
  const stat = entry.failure === undefined ? statOrNothing(pathOf(entry)) : undefined;
  if (stat?.isFile() !== true) return { size: null, identity: null };
  return { size: stat.size, identity: stat.ino === 0 ? null : `${stat.dev}:${stat.ino}` };
}

function statOrNothing(path: string | Buffer) {
  try {
    return statSync(path);
  } catch {
    // Reading will tell.
    return undefined;
  }
}

function totalOf(tasks: readonly Task[]): { documents: number; octets: number } {
  const total = { documents: 0, octets: 0 };
  for (const task of tasks)
    if (task.kind === 'documents') {
      total.documents += task.entries.length;
      for (const size of task.sizes) total.octets += size ?? 0;
    } else if (task.kind === 'lines') total.octets += task.size;
  return total;
}

/** Hashes documents, in their order: a few small ones in this thread. */
function hashAll(
  { entries, sizes }: { readonly entries: readonly Entry[]; readonly sizes: readonly (number | null)[] },
  pool: Pool,
  jobs: number,
): AsyncGenerator<Outcome> {
  const octets = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const few = entries.length === 1 || (entries.length <= HANDFUL && octets <= HANDFUL_OCTETS);
  if (jobs > 1 && !few) return outcomesOf(entries, pool.hash, pool, jobs * WINDOW);
  const here = async (entry: Entry): Promise<Outcome | ArchiveFound> => {
    const outcome = await pool.hashHere(entry);
    await nextTurn();
    return outcome;
  };
  return outcomesOf(entries, here, pool, 1);
}

// ------------------------------------------------------------------------------------------------------- JSON Lines

/** What a line says: the fingerprint of a document, or why it has none. */
type LineEntry =
  | { readonly path: string; readonly place: Place; readonly label: string; readonly fingerprint: bigint }
  | { readonly path: string; readonly failure: string };

/** Reads a line as `hash --json` writes it. The lines of an exported index, with `id` instead of `path`, are read, too. */
function readLine(line: Line, place: string): LineEntry {
  const value = line === null ? undefined : parseJsonObject(line);
  if (value === undefined) throw documentError('unreadable', 'not an object of JSON in UTF-8');
  const { path: file = value['id'] ?? place, member, recordId, date, label, fingerprint, error } = value;
  if (typeof file !== 'string') throw documentError('unreadable', 'its path is not a string');
  const its: Place = {
    path: file,
    member:
      typeof member === 'string'
        ? {
            name: member,
            ...(typeof recordId === 'string' && { recordId }),
            ...(typeof date === 'string' && { date }),
          }
        : undefined,
  };
  const path = nameOf(its);
  if (error !== undefined) {
    const message = (error as { readonly message?: unknown } | null)?.message;
    return { path, failure: typeof message === 'string' ? message : 'it has no fingerprint' };
  }
  return { path, place: its, label: parseLabel(label as string), fingerprint: parse(fingerprint as string) };
}

/** Whether text begins with a line as `hash --json` writes it. */
function startsWithLine(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart();
  const end = text.indexOf('\n');
  const value = parseJsonObject(end < 0 ? text : text.slice(0, end));
  if (value === undefined) return false;
  const isFingerprint = typeof value['fingerprint'] === 'string' && typeof value['label'] === 'string';
  return isFingerprint || (typeof value['path'] === 'string' && typeof value['error'] === 'object');
}

function isFileOfLines(path: string): boolean {
  try {
    const fd = openSync(path, 'r');
    try {
      const head = new Uint8Array(HEAD);
      return startsWithLine(head.subarray(0, readSync(fd, head)));
    } finally {
      closeSync(fd);
    }
  } catch {
    // Reading it as a document will tell.
    return false;
  }
}

/** Reads as much of a stream as it takes to see what it is; `parts` is the whole stream. */
async function lookAt(
  stream: AsyncGenerator<Uint8Array>,
): Promise<{ readonly isLines: boolean; readonly parts: AsyncGenerator<Uint8Array> }> {
  const first: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  while (head.length < HEAD && head.toString('latin1').trimStart().indexOf('\n') < 0) {
    const { done, value } = await stream.next();
    if (done === true) break;
    first.push(value);
    head = Buffer.concat(first);
  }
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield* first;
    yield* stream;
  }
  return { isLines: startsWithLine(head), parts: parts() };
}

async function readWhole(parts: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > most) throw documentError('too-large', `more than the ${formatBytes(most)} that may be read of it`);
    all.push(part);
  }
  return Uint8Array.from(Buffer.concat(all));
}
