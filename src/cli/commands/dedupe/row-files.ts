import { createWriteStream, openSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { removeStale, temporaryName } from '../../../common/temporary.ts';
import { type DocumentOutcome, nameOf } from '../../../documents/document-outcome.ts';
import type { TaskResults } from '../../../documents/document-tasks.ts';
import { documentError } from '../../../documents/failure.ts';
import { open } from '../../../documents/open.ts';
import { STDIN } from '../../../documents/walk.ts';
import { unopened, walkSelected } from '../../../documents/walk-plan.ts';
import { createColumn } from '../../../duplicates/near/column.ts';
import { createReader } from '../../../duplicates/reread.ts';
import { readFingerprints } from '../../../duplicates/rows/fingerprint-rows.ts';
import { inFile, type RowFile } from '../../../duplicates/rows/row-sources.ts';
import { folderFor } from '../../../duplicates/rows/row-texts.ts';
import type { Entry } from '../../../lookup/document-index.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { usageError } from '../../command.ts';
import { wordDistance } from '../../distance-option.ts';
import { countHidden } from '../../files/file-selection.ts';
import { isSameFile } from '../../files/output-files.ts';
import type { Session } from '../../session.ts';
import { nameOfStore, withStore } from '../../stores/open-store.ts';
import { collectionOf, storedDocument } from '../../stores/stored-documents.ts';
import { assertNames, type DedupeSettings, formatOf } from './dedupe-settings.ts';

export type RowFiles = Awaited<ReturnType<typeof openRowFiles>>;

type Extracted = DocumentOutcome<TaskResults['extract']>;

/** Opens the inputs. Standard input, and the texts of documents that rows are compared with, are copied to temporary files. */
export async function openRowFiles(settings: DedupeSettings, session: Session) {
  const copies: string[] = [];
  const close = async (): Promise<void> => {
    for (const copy of copies) await rm(copy, { force: true });
  };

  /** Copies bytes to a temporary file; returns its path. */
  async function copyOf(parts: AsyncIterable<string | Uint8Array>): Promise<string> {
    const folder = folderFor(settings.out);
    await removeStale(folder);
    const path = join(folder, temporaryName());
    copies.push(path);
    // Open before anything can fail: a stream that opens it might do so after it was removed.
    const file = createWriteStream(path, { fd: openSync(path, 'wx', 0o600) });
    await pipeline(Readable.from(parts, { objectMode: false }), file);
    return path;
  }

  async function fileOf(name: string): Promise<RowFile> {
    return { name, path: name === STDIN ? await copyOf(process.stdin) : name };
  }

  async function documentsOf(name: string, outcomes: AsyncIterable<Extracted>): Promise<RowFile> {
    const names: string[] = [];
    async function* lines(): AsyncGenerator<string, undefined> {
      for await (const outcome of outcomes) {
        const result = await session.report.add(outcome);
        if (result === null) continue;
        names.push(nameOf(outcome));
        yield `${JSON.stringify({ text: result.text })}\n`;
      }
    }
    const path = await copyOf(lines());
    if (names.length === 0) throw documentError('no-documents', `no documents found in ${name} (--against)`);
    return { name, path, names };
  }

  try {
    const rows: RowFile[] = [];
    for (const name of settings.inputs) rows.push(await fileOf(name));
    assertNames(settings.outputs, formatOf(rows[0]!.path));
    const references: RowFile[] = [];
    for (const name of settings.against)
      if (settings.stores.has(name))
        references.push(await documentsOf(nameOfStore(name), storedIn(name, rows, settings, session)));
      else if (name === STDIN || (await isDataset(name, session))) references.push(await fileOf(name));
      else references.push(await documentsOf(name, session.run('extract', unopened(walk(name, settings)))));
    session.report.noteLeftOut();
    // The files that are only compared with come first.
    return { files: [...references, ...rows], references: references.length, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Walks a folder without the files of rows, all of which match themselves. */
function walk(root: string, { finds, inputs }: DedupeSettings) {
  const onHidden = (_: string, isFolder: boolean): void => countHidden(finds, isFolder);
  return walkSelected({ roots: [root], isSelected: ({ path }) => !isOneOf(inputs, path), onHidden });
}

const isOneOf = (inputs: readonly string[], path: string): boolean => inputs.some((input) => isSameFile(input, path));

async function isDataset(path: string, { reading }: Session): Promise<boolean> {
  if (statSync(path).isDirectory()) return false;
  return inFile(path, async () => {
    const { dataset, close } = await open({ path, found: false }, reading);
    await close();
    return dataset !== undefined;
  });
}

async function* storedIn(
  place: string,
  rows: readonly RowFile[],
  { hints: { label }, inputs }: DedupeSettings,
  session: Session,
): AsyncGenerator<Extracted, undefined> {
  const near = new Map<string, Entry>();
  const k = wordDistance(undefined, true, label);
  const isRead = await withStore({ place, use: 'read' }, async (store) => {
    if (store.label !== label)
      throw usageError(`--against: the index has the label ${store.label}, not ${label}: add --label ${store.label}`);
    for (const row of rows)
      for await (const fingerprint of readFingerprints(row, session.reading))
        for (const match of (await store.query(fingerprint, { k })).matches) near.set(match.id, match);
    return true;
  });
  if (isRead === undefined) throw documentError('unreadable', `cannot read the index ${nameOfStore(place)}`);
  const stored = Array.from(near.values(), ({ id, losses }) => storedDocument(id, losses, true));
  const documents = stored.filter((document) => !isOneOf(inputs, document.place.path));
  const collection = collectionOf(label, documents, createColumn(schemeOf(label).words).view());
  for await (const { document, outcome } of createReader(collection, session)('extract', [...documents.keys()]))
    yield { ...outcome, ...documents[document]!.place, warnings: [] };
}
