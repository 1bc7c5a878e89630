import { statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { formatNumber, pluralize } from '../../../common/text.ts';
import { nameOf, type Outcome } from '../../../documents/outcome.ts';
import { isHandful, statOf, sum, type Unopened } from '../../../documents/plan.ts';
import { openInput } from '../../../documents/read.ts';
import { type Entry, STDIN, type WalkOptions, walk } from '../../../documents/walk.ts';
import type { Hashed } from '../../../documents/workers/work.ts';
import { startsWithLine } from '../../../duplicates/lines.ts';
import { currentExtractor } from '../../../extract/extract.ts';
import type { FileState } from '../../../lookup/index/stores/types.ts';
import { encodeId, ID_BUFFER_OCTETS } from '../../../lookup/options.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { documentHintsOf, jobsOf } from '../../options.ts';
import { countHidden, createFinds } from '../../selection.ts';
import { type Session, withSession } from '../../session.ts';
import { print, printJson } from '../../terminal/output.ts';
import { importFile } from './import.ts';
import type { Store } from './store.ts';

/** What became of the documents and files. */
interface Counts {
  added: number;
  replaced: number;
  same: number;
  removed: number;
  /** Files that were not read. */
  unchanged: number;
  failed: number;
}

/** Adds the documents of files and folders. */
export async function addDocuments(store: Store, args: Arguments, operands: readonly string[]): Promise<number> {
  const hints = { ...(await documentHintsOf(args)), label: store.label };
  const counts: Counts = { added: 0, replaced: 0, same: 0, removed: 0, unchanged: 0, failed: 0 };
  const roots: string[] = [];
  for (const operand of operands)
    if (await isLines(operand)) await addLines(store, operand, args.flag('quiet'), counts);
    else if (operand === STDIN)
      throw usageError('add: standard input has no name: expected JSON Lines of fingerprints');
    else roots.push(operand);
  if (roots.length > 0) {
    const hidden = args.flag('hidden');
    const first = firstOf(roots, hidden);
    const finds = createFinds(roots);
    const jobs = jobsOf(args);
    const quiet = args.flag('quiet');
    const few = isHandful(first.length, () => sum(first.map((entry) => statOf(entry)?.size ?? 0)));
    const options = { hints, jobs, isHandful: few, json: false, quiet, finds };
    await withSession(options, (session) => {
      const reading = JSON.stringify([hints.type ?? null, hints.charset ?? null]);
      const onHidden = (_: string, isFolder: boolean): void => countHidden(finds, isFolder);
      return addFiles(session, store, { roots, hidden, onHidden }, reading, counts);
    });
  }
  await (args.flag('json') ? printJson(counts) : print(`${summary(counts)}\n`));
  return counts.failed > 0 ? FAILED : DONE;
}

/** Enough entries to see whether there is little work. */
function firstOf(roots: readonly string[], hidden: boolean): Entry[] {
  const first: Entry[] = [];
  for (const entry of walk(roots, { hidden })) if (first.push(entry) > 16) break;
  return first;
}

function summary({ added, replaced, same, removed, unchanged, failed }: Counts): string {
  const parts = [
    `added ${pluralize(added, 'document')}`,
    `replaced ${formatNumber(replaced)}`,
    ...(same > 0 ? [`${formatNumber(same)} the same`] : []),
    ...(removed > 0 ? [`removed ${formatNumber(removed)}`] : []),
    ...(unchanged > 0 ? [`skipped ${pluralize(unchanged, 'unchanged file')}`] : []),
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
  ];
  return parts.join(', ');
}

/** Whether a file that is named, or standard input, has lines of fingerprints. */
async function isLines(path: string): Promise<boolean> {
  if (path === STDIN) return true;
  try {
    if (!statSync(path).isFile()) return false;
    const input = await openInput({ path, found: false }, () => {});
    await input.close();
    return startsWithLine(input.head);
  } catch {
    // Reading it as a document tells why.
    return false;
  }
}

async function addLines(store: Store, path: string, quiet: boolean, counts: Counts): Promise<void> {
  const imported = await importFile(store, path, quiet);
  counts.added += imported?.added ?? 0;
  counts.replaced += imported?.replaced ?? 0;
  counts.failed += imported?.bad ?? 1;
}

/** So many documents are committed at once, or what there is after so many milliseconds: no more is lost when it is stopped. */
const MAX_PENDING = 10_000;
const MAX_DELAY = 2000;

/** Reads files and adds their documents; a file is noted when all of it is in the index. */
async function addFiles(
  { run, report, progress, reading }: Session,
  store: Store,
  walked: WalkOptions & { readonly roots: readonly string[] },
  options: string,
  counts: Counts,
): Promise<void> {
  const states = new Map<string, { readonly size: number; readonly mtime: number; readonly inode: number }>();
  const pending = createPending(store, counts);
  let file: FileInWork | undefined;

  /** The files that have to be read. */
  async function* changed(): AsyncGenerator<Entry> {
    for (const entry of walk(walked.roots, walked)) {
      if (isInside(entry.path, store.folder)) continue;
      const stat = statOf(entry);
      if (stat?.isFile() === true) {
        const state = { size: stat.size, mtime: stat.mtimeMs, inode: stat.ino };
        if (await isUnchanged(store, entry.path, { ...state, options })) {
          counts.unchanged++;
          reading.onRead(stat.size);
          continue;
        }
        states.set(entry.path, state);
      }
      yield entry;
    }
  }

  function finish(): void {
    if (file === undefined) return;
    const { path, extractors, hasDocument } = file;
    const state = states.get(path);
    states.delete(path);
    // What failed as a whole is tried again the next time.
    if (state !== undefined && hasDocument) pending.finish(path, { ...state, extractors: [...extractors], options });
  }

  for await (const outcome of run('hash', sourcesOf(changed()))) {
    if (file !== undefined && file.path !== outcome.path) finish();
    if (file?.path !== outcome.path) file = { path: outcome.path, extractors: new Set(), hasDocument: false };
    const result = await report.add(checked(outcome));
    if (result !== null) {
      file.extractors.add(result.extractor);
      file.hasDocument = true;
      pending.add(outcome.path, nameOf(outcome), result.fingerprint);
    }
    await pending.commitIfDue();
  }
  finish();
  await pending.commit();
  progress.hide();
  counts.failed += report.failures;
  if (report.documents === 0 && counts.unchanged === 0) report.summarise(walked.roots);
  else report.tellFinds();
}

interface FileInWork {
  readonly path: string;
  readonly extractors: Set<string>;
  hasDocument: boolean;
}

async function* sourcesOf(entries: AsyncIterable<Entry>): AsyncGenerator<Unopened, undefined> {
  for await (const entry of entries) yield { entry };
  return undefined;
}

const scratch = new Uint8Array(ID_BUFFER_OCTETS);

/** A document whose id would be too long fails. */
function checked(outcome: Outcome<Hashed>): Outcome<Hashed> {
  try {
    encodeId('id', nameOf(outcome), scratch);
    return outcome;
  } catch (error) {
    const failure = { code: 'unreadable' as const, message: (error as Error).message };
    return 'failure' in outcome.result ? outcome : { ...outcome, result: { failure } };
  }
}

/** Whether a path is that of the index, or in there. */
function isInside(path: string, folder: string | undefined): boolean {
  if (folder === undefined) return false;
  const [inner, outer] = [resolve(path), resolve(folder)];
  return inner === outer || inner.startsWith(outer + sep);
}

type Known = Pick<FileState, 'size' | 'mtime' | 'inode' | 'options'>;

async function isUnchanged(store: Store, path: string, now: Known): Promise<boolean> {
  if (Buffer.byteLength(path) > ID_BUFFER_OCTETS) return false;
  const known = await store.files.get(path).catch(() => undefined);
  if (known === undefined) return false;
  const isSame = (['size', 'mtime', 'inode', 'options'] as const).every((name) => known[name] === now[name]);
  return isSame && (await areCurrent(known.extractors));
}

/** Whether extractors would give the same texts now. */
async function areCurrent(extractors: readonly string[]): Promise<boolean> {
  for (const extractor of extractors) {
    const name = extractor.split('/')[0]!;
    if (!current.has(name)) current.set(name, await currentExtractor(name));
    if (current.get(name) !== extractor) return false;
  }
  return true;
}

const current = new Map<string, string | undefined>();

/** Documents and files that are not committed yet. */
function createPending(store: Store, counts: Counts) {
  let documents: { path: string; id: string; fingerprint: Fingerprint }[] = [];
  let finished: { path: string; state: FileState }[] = [];
  let since = performance.now();

  async function commit(): Promise<void> {
    since = performance.now();
    if (documents.length === 0 && finished.length === 0) return;
    const changes = { documents, finished };
    documents = [];
    finished = [];
    const { added, replaced, same, removed } = await store.files.commit(changes);
    counts.added += added;
    counts.replaced += replaced;
    counts.same += same;
    counts.removed += removed;
  }

  return {
    add: (path: string, id: string, fingerprint: Fingerprint): void => void documents.push({ path, id, fingerprint }),
    finish: (path: string, state: FileState): void => void finished.push({ path, state }),
    commit,
    async commitIfDue(): Promise<void> {
      if (documents.length >= MAX_PENDING || performance.now() - since > MAX_DELAY) await commit();
    },
  };
}
