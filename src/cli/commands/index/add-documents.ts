import { resolve, sep } from 'node:path';
import { printable } from '../../../common/text.ts';
import { type DocumentOutcome, type FailedDocument, failed, nameOf } from '../../../documents/document-outcome.ts';
import type { Hashed } from '../../../documents/document-tasks.ts';
import type { FailureCode } from '../../../documents/failure.ts';
import type { FileEntry } from '../../../documents/walk.ts';
import { planWalk, statOf, type Unopened, type Walked, walkSelected } from '../../../documents/walk-plan.ts';
import { currentExtractor } from '../../../extract/extractors.ts';
import { lossesOf } from '../../../extract/result.ts';
import { encodeId, ID_BUFFER_BYTES, MAX_ID_BYTES } from '../../../lookup/query-options.ts';
import type { Arguments } from '../../command.ts';
import type { FileSelection } from '../../files/file-selection.ts';
import { documentHintsOf, jobsOf } from '../../options.ts';
import { type Session, withSession } from '../../session.ts';
import { type OpenIndex, warnOfStored } from '../../stores/open-store.ts';
import { idOf } from '../../stores/stored-documents.ts';
import { type ChangeCounts, createPending, stateOf } from './store-changes.ts';

export async function addSelected(
  store: OpenIndex,
  args: Arguments,
  selection: FileSelection,
  counts: ChangeCounts,
): Promise<void> {
  const hints = { ...(await documentHintsOf(args)), label: store.label };
  const { isSelected, names, finds, ...walked } = selection;
  // The index itself is not a document.
  const folder = store.folder && resolve(store.folder);
  const isOwn = (path: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);
  const isRead = (entry: FileEntry) => isSelected(entry) && !(folder && isOwn(resolve(entry.path)));
  const measured = { ...walked, isSelected: isRead };
  const { isHandful } = planWalk({ ...measured, onHidden: undefined });
  const [jobs, quiet] = [jobsOf(args), args.flag('quiet')];
  await withSession({ hints, jobs, isHandful, json: false, quiet, measured, finds }, async (session) => {
    const { type = null, charset = null, fields = null, extractor } = hints;
    const reading = JSON.stringify([type, charset, fields, ...(extractor === undefined ? [] : [extractor])]);
    await addFiles(session, store, measured, reading, counts);
    counts.failed += session.report.failures;
    if (session.report.documents === 0) session.report.summarise(names);
    else session.report.noteLeftOut();
  });
}

async function addFiles(
  { run, report, progress, reading }: Session,
  store: OpenIndex,
  selection: Walked,
  options: string,
  counts: ChangeCounts,
): Promise<void> {
  const states = new Map<string, { readonly size: number; readonly mtime: number; readonly inode: number }>();
  const pending = createPending(store, counts);
  const extractors = new Set<string>();
  let file: ReturnType<typeof beginFile> | undefined;

  async function* changed(): AsyncGenerator<Unopened> {
    for (const entry of walkSelected(selection)) {
      const stat = statOf(entry);
      if (stat?.isFile() === true) {
        const state = { size: stat.size, mtime: stat.mtimeMs, inode: stat.ino };
        const known = await stateOf(store, entry.path);
        const isSame =
          known?.options === options &&
          (['size', 'mtime', 'inode'] as const).every((name) => known[name] === state[name]);
        if (isSame && (await areCurrent(known.extractors))) {
          counts.unchanged++;
          report.pass();
          reading.onRead(stat.size);
          continue;
        }
        states.set(entry.path, state);
      }
      yield { kind: 'file', entry };
    }
  }

  /** Keeps the fingerprint of a document that failed, unless it is no longer a document. */
  async function noteFailed(outcome: FailedDocument, reading: ReturnType<typeof beginFile>): Promise<void> {
    const { code, message } = outcome.failure;
    const isMember = !isWhole(outcome);
    if (!isMember && !NO_LONGER.has(code)) reading.isDamaged = true;
    const id = idOf(outcome);
    const known = Buffer.byteLength(id) > MAX_ID_BYTES ? undefined : await store.get(id);
    if (isMember && known !== undefined && !NO_LONGER.has(code))
      pending.add({ path: resolve(outcome.path), id, fingerprint: known });
    if (!NO_LONGER.has(code)) return;
    // An archive without documents has no fingerprint of its own.
    const isKnown =
      known !== undefined || (!isMember && ((await stateOf(store, outcome.path))?.extractors.length ?? 0) > 0);
    if (!isKnown) return;
    reading.hasLeft = true;
    report.note(`${printable(nameOf(outcome))}: is no longer a document (${message}): removed from the index`);
  }

  function finish(): void {
    if (file === undefined) return;
    const { path, hasDocument, isDamaged, hasLeft } = file;
    const state = states.get(path);
    states.delete(path);
    // Files that failed as a whole are read again the next time.
    if (isDamaged || !(hasDocument || hasLeft)) return;
    if (state !== undefined) pending.finish(resolve(path), { ...state, extractors: [...file.extractors], options });
    else if (!hasDocument) pending.remove(resolve(path));
  }

  for await (const read of run('hash', changed())) {
    const outcome = checked(read);
    if (file !== undefined && file.path !== outcome.path) finish();
    if (file?.path !== outcome.path) file = beginFile(outcome.path);
    const result = await report.add(outcome);
    if (result !== null) {
      file.extractors.add(result.extractor);
      extractors.add(result.extractor);
      file.hasDocument = true;
      const { fingerprint } = result;
      const losses = lossesOf(outcome.warnings);
      pending.add({ path: resolve(outcome.path), id: idOf(outcome), fingerprint, losses });
    } else if (outcome.kind === 'failed') await noteFailed(outcome, file);
    await pending.commitIfDue();
  }
  finish();
  await pending.commit();
  progress.hide();
  await warnOfStored('index', store, extractors);
}

/** Begins the notes on a file. A damaged file cannot be read to its end, so some of its documents may be unknown. */
function beginFile(path: string) {
  return { path, extractors: new Set<string>(), hasDocument: false, isDamaged: false, hasLeft: false };
}

/** The failures of what is not a document, whatever the options. Other files and documents may be readable again. */
const NO_LONGER: ReadonlySet<FailureCode> = new Set([
  'empty',
  'no-text',
  'no-tokens',
  'no-documents',
  'unsupported-media-type',
  'encrypted',
  'special-file',
  'directory-link',
  'index-folder',
]);

function isWhole({ member, failure }: FailedDocument): boolean {
  return member === undefined || (failure.code === 'damaged' && member.name.startsWith('@'));
}

const scratch = new Uint8Array(ID_BUFFER_BYTES);

function checked(outcome: DocumentOutcome<Hashed>): DocumentOutcome<Hashed> {
  try {
    encodeId('id', idOf(outcome), scratch);
    return outcome;
  } catch (error) {
    const failure = { code: 'unreadable' as const, message: (error as Error).message };
    return outcome.kind === 'failed' ? outcome : failed(outcome, failure, outcome.warnings);
  }
}

async function areCurrent(extractors: readonly string[]): Promise<boolean> {
  for (const extractor of extractors) {
    const name = extractor.split('/')[0]!;
    if (!current.has(name)) current.set(name, await currentExtractor(name));
    if (current.get(name) !== extractor) return false;
  }
  return true;
}

const current = new Map<string, string | undefined>();
