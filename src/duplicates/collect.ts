import { lstatSync, realpathSync } from 'node:fs';
import { sum } from '../common/numbers.ts';
import {
  type DocumentOutcome,
  type FailedDocument,
  failed,
  nameOf,
  type OutcomeReport,
  type Place,
} from '../documents/document-outcome.ts';
import type { Hashed } from '../documents/document-tasks.ts';
import { documentsAt, type Source } from '../documents/documents-at.ts';
import { failureOf } from '../documents/failure.ts';
import { type FilePath, pathOf } from '../documents/file-path.ts';
import { nextTurn } from '../documents/in-order.ts';
import { identify, type Reading } from '../documents/open.ts';
import { following, type Input, openInput } from '../documents/read.ts';
import type { ReportedDocuments } from '../documents/run-documents.ts';
import { type FileEntry, STDIN } from '../documents/walk.ts';
import { statOf, type Unopened, type Walked, walkSelected } from '../documents/walk-plan.ts';
import { type Loss, lossesOf } from '../extract/result.ts';
import type { Fingerprint } from '../scheme/labels/fingerprint.ts';
import { schemeOf } from '../scheme/labels/label.ts';
import { type ColumnBuilder, createColumn, type FingerprintColumn } from './near/column.ts';
import { type Labelled, readLines, startsWithLine } from './read-json-lines.ts';
import type { Stamps } from './stamps.ts';

export interface Document {
  readonly place: Place;
  /** The number among the documents of this name: an archive may hold several. Null: any with the fingerprint. */
  readonly occurrence: number | null;
  /** The size in bytes; null if only the fingerprint is known. */
  readonly size: number | null;
  readonly tokens: number | null;
  readonly isReference: boolean;
  /** The medium of its extractor: `text`, `pdf`; absent if only the fingerprint is known. */
  readonly kind?: string;
  /** The codes of its warnings; absent if only the fingerprint is known. */
  readonly losses?: readonly Loss[];
  /** True if the file has another name among the inputs, a hard link: then removing one name frees nothing. */
  readonly isLinked?: true;
}

export interface Collection {
  readonly label: string;
  readonly documents: readonly Document[];
  readonly fingerprints: FingerprintColumn;
  readonly failures: number;
  /** The name of an input that cannot be read again: fingerprints alone, or a stream. Null if there is none. */
  readonly once: string | null;
  readonly extractors: ReadonlySet<string>;
}

export type Inputs = Awaited<ReturnType<typeof planInputs>>;

export async function collect(inputs: Inputs, { reading, report, run }: ReportedDocuments): Promise<Collection> {
  const { entries, references } = inputs;
  const collection = createCollection(report, inputs, reading.hints.label);
  collection.setReference(references > 0);
  async function* sources(): AsyncGenerator<Source | Unopened | LineOutcomes, undefined> {
    yield* sourcesIn(entries.slice(0, references), reading);
    yield { kind: 'passed', passed: [], input: null };
    yield* sourcesIn(entries.slice(references), reading);
  }
  for await (const item of run('hash', sources()))
    if (item.kind !== 'passed') await collection.add(item);
    else if (item.input === null) collection.setReference(false);
    else for (const outcome of item.passed) await collection.addLine(item.input, outcome);
  return collection.finish();
}

/** Lists every document once. Another name of the same file is left out: removing that name would free no space. */
export async function planInputs(selection: Walked, against: readonly string[], stamps?: Stamps) {
  const entries: FileEntry[] = [];
  const sizes: number[] = [];
  const seen = new Map<string, number>();
  const linked = new Set<string>();
  let [links, shared, listed, references] = [0, 0, 0, 0];
  let stream: string | null = null;
  function* walkAll(): Generator<FileEntry> {
    yield* walkSelected({ ...selection, roots: against });
    references = entries.length;
    yield* walkSelected(selection);
  }
  for (const entry of walkAll()) {
    if (++listed % 64 === 0) await nextTurn();
    const stat = statOf(entry);
    if (entry.path === STDIN || stat?.isFile() === false) stream ??= entry.path;
    const identity = stat?.isFile() === true && stat.ino !== 0 ? `${stat.dev}:${stat.ino}` : null;
    const index = identity === null ? undefined : seen.get(identity);
    if (index !== undefined) {
      if (index < references) shared++;
      else links++;
      const other = entries[index]!;
      const isReplaced = index >= references && isSymbolicLink(other) && !isSymbolicLink(entry);
      // The file itself is listed, not a link to it.
      if (isReplaced) entries[index] = entry;
      stamps?.take(entries[index]!, stat!);
      const link = isReplaced ? other : entry;
      if (stamps !== undefined && isSymbolicLink(link)) stamps.addLink(entries[index]!, link);
      // Two paths may be names of their own, or ways to one.
      const hasNames = stat!.nlink > 1 && realpathSync(pathOf(entries[index]!)) !== realpathSync(pathOf(link));
      if (hasNames) linked.add(entries[index]!.path);
      continue;
    }
    if (identity !== null) seen.set(identity, entries.length);
    if (stat?.isFile() === true) stamps?.take(entry, stat);
    entries.push(entry);
    sizes.push(stat?.isFile() === true ? stat.size : 0);
  }
  return {
    /** The number of names of files that are listed under another name. */
    links,
    /** The number of files that are also in the reference set, to which they are left. */
    shared,
    entries,
    /** The paths of entries with another name, a hard link. */
    linked,
    /** The number of entries, the first ones, that belong to the reference set. */
    references,
    total: { documents: entries.length, bytes: sum(sizes) },
    /** The name of an input that is not a regular file, if there is one. */
    stream,
  };
}

export function isSymbolicLink(file: FilePath): boolean {
  return lstatSync(pathOf(file), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function withScheme(outcome: DocumentOutcome<Hashed>, label: string): DocumentOutcome<Labelled> {
  if (outcome.kind === 'failed') return outcome;
  return { ...outcome, result: { label, fingerprint: outcome.result.fingerprint } };
}

/** The documents of some lines, which keep their place among files. */
interface LineOutcomes {
  readonly kind: 'passed';
  readonly passed: readonly DocumentOutcome<Labelled>[];
  /** The name of the file that holds them; null at the end of the reference set. */
  readonly input: string | null;
}

async function* sourcesIn(
  entries: Iterable<FileEntry>,
  reading: Reading,
): AsyncGenerator<Source | Unopened | LineOutcomes, undefined> {
  for (const entry of entries) {
    const input = entry.found || entry.failure !== undefined ? undefined : await openNamed(entry, reading);
    if (input === undefined) yield { kind: 'file', entry };
    else if ('failure' in input) yield input;
    else if (startsWithLine(input.head)) yield* linesOf(entry, input);
    else yield* documentsAt(entry, reading, () => identify(input, { path: entry.path }, reading));
  }
}

async function openNamed(entry: FileEntry, { onRead }: Reading): Promise<Input | FailedDocument> {
  try {
    return await openInput(entry, onRead);
  } catch (error) {
    return failed(entry, failureOf(error));
  }
}

async function* linesOf(
  { path }: FileEntry,
  { head, rest, close }: Input,
): AsyncGenerator<LineOutcomes | FailedDocument, undefined> {
  try {
    for await (const passed of readLines(path, following(head, rest))) yield { kind: 'passed', passed, input: path };
  } catch (error) {
    yield failed({ path }, failureOf(error));
  } finally {
    await close();
  }
}

function createCollection(report: OutcomeReport, { stream, linked }: Inputs, scheme: string) {
  const documents: Document[] = [];
  let fingerprints: ColumnBuilder | undefined;
  const occurrences = createOccurrences();
  let label: string | undefined;
  let isReference = false;
  const extractors = new Set<string>();
  let once = stream;

  function withLabel(outcome: DocumentOutcome<Labelled>): DocumentOutcome<Fingerprint> {
    if (outcome.kind === 'failed') return outcome;
    const { result } = outcome;
    const fail = (message: string): FailedDocument => failed(outcome, { code: 'label-mismatch', message });
    label ??= result.label;
    fingerprints ??= createColumn(schemeOf(label).words);
    if (result.label === label) return { ...outcome, result: result.fingerprint };
    return fail(`its label is ${result.label}, and the others have ${label}: expected one label (see --label)`);
  }

  return {
    setReference(value: boolean): void {
      isReference = value;
    },
    async add(outcome: DocumentOutcome<Hashed>): Promise<void> {
      const { path, raw, member, hasAttachments, size, fileSize, warnings } = outcome;
      const occurrence = occurrences.next(outcome);
      const fingerprint = await report.add(withLabel(withScheme(outcome, scheme)));
      if (fingerprint === null || outcome.kind === 'failed') return;
      const place = { path, ...(raw !== undefined && { raw }), member, hasAttachments };
      const { tokens, extractor } = outcome.result;
      extractors.add(extractor);
      const about = { kind: /^[^/-]+/.exec(extractor)![0], losses: lossesOf(warnings) };
      documents.push({
        ...{ place, occurrence, size: fileSize ?? size ?? null, tokens, isReference, ...about },
        ...(linked.has(path) && { isLinked: true }),
      });
      fingerprints!.push(fingerprint);
    },
    async addLine(input: string, outcome: DocumentOutcome<Labelled>): Promise<void> {
      const { path, member } = outcome;
      const fingerprint = await report.add(withLabel(outcome));
      if (fingerprint === null || outcome.kind === 'failed') return;
      once ??= input;
      const { extractor } = outcome.result;
      if (extractor !== undefined) extractors.add(extractor);
      documents.push({ place: { path, member }, occurrence: 0, size: null, tokens: null, isReference });
      fingerprints!.push(fingerprint);
    },
    finish: (): Collection => ({
      label: label ?? scheme,
      documents,
      fingerprints: (fingerprints ?? createColumn(1)).view(),
      failures: report.failures,
      once,
      extractors,
    }),
  };
}

/** Numbers the documents of the same name within a path. The documents of one path are consecutive. */
export function createOccurrences() {
  let current: string | undefined;
  const counts = new Map<string, number>();
  return {
    next(place: Place): number {
      if (place.path !== current) counts.clear();
      current = place.path;
      const name = nameOf(place);
      const occurrence = counts.get(name) ?? 0;
      counts.set(name, occurrence + 1);
      return occurrence;
    },
  };
}
