import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { LABELS, schemeOf } from '../../../scheme/labels/label.ts';
import type { Entry } from '../../document-index.ts';
import { lineOf } from '../json-lines.ts';
import { storeError } from './errors.ts';
import { explain, withCodes } from './folder/errors.ts';
import { Log } from './folder/log.ts';
import { type Salvaged, salvageManifest } from './folder/manifest.ts';
import { fingerprintOf, Memory } from './folder/memory.ts';
import { readLabel } from './folder/open.ts';
import { idOf } from './folder/search.ts';
import { DOCUMENT } from './folder/segment/bytes.ts';
import { faultOf, type OnFault } from './folder/segment/damage.ts';
import { type Segment, salvageSegment } from './folder/segment/segment.ts';
import { mergeSnapshots } from './folder/segment/snapshot.ts';

/** The files of an index in a folder, as far as they can be read. */
interface Files {
  readonly path: string;
  /** Missing if both manifests are lost. */
  readonly label: string | undefined;
  readonly segments: readonly Segment[];
  readonly memory: Memory;
}

/**
 * Prints the documents of an index in a folder, also of a damaged one, as JSON Lines: all those whose checksums are
 * right. A document of a damaged part is missing, or as it was before its last change. `expected` is the label, which is
 * needed if no readable file has it.
 */
export function* salvageLines(path: string, onFault: OnFault, expected?: string): Generator<string, void> {
  const files = openFiles(path, onFault, expected);
  const label = files.label ?? chooseLabel(files, expected);
  for (const entry of documentsOf(files, onFault)) yield lineOf(label, entry);
}

/** Counts the documents that {@link salvageLines} prints. */
export function countSalvaged(path: string, onFault: OnFault): number {
  let count = 0;
  for (const _ of documentsOf(openFiles(path, onFault), onFault)) count++;
  return count;
}

function* documentsOf(files: Files, onFault: OnFault): Generator<Entry, void> {
  const { segments, memory } = files;
  const width = widthOf(files);
  try {
    const sources = [...segments.map(({ reader }) => reader.salvage(onFault)), memory.sorted()];
    for (const { key, value } of mergeSnapshots(sources, DOCUMENT)) {
      if (!key.startsWith(DOCUMENT)) return;
      if (value.length === width && isUtf8(Buffer.from(key, 'latin1')))
        yield { id: idOf(key), fingerprint: fingerprintOf(value) };
      else onFault(`${files.path}: ${JSON.stringify(idOf(key))} is not a valid record`);
    }
  } finally {
    for (const segment of segments) segment.close();
  }
}

function widthOf({ label, segments, memory }: Files): number {
  if (label !== undefined) return schemeOf(label).bits / 8;
  const inLog = (): number => memory.sorted().find(({ key }) => key.startsWith(DOCUMENT))?.value?.length ?? 8;
  return segments[0]?.width ?? inLog();
}

/** Returns the label that fingerprints of a width have. */
function chooseLabel(files: Files, expected: string | undefined): string {
  const width = widthOf(files);
  const possible = LABELS.filter((label) => schemeOf(label).bits / 8 === width);
  const [only] = possible.filter((label) => possible.length === 1 || label === expected);
  if (only !== undefined && (expected ?? only) === only) return only;
  for (const segment of files.segments) segment.close();
  const lost = 'the label is lost with the manifest and its copy';
  throw storeError('damaged', files.path, `${lost}: expected --label with one of ${possible.join(', ')}`);
}

/** Opens the files that the manifest names. A writer may replace them meanwhile: then the new ones are opened. */
function openFiles(path: string, onFault: OnFault, expected?: string): Files {
  return withCodes(path, () => {
    for (let attempt = 0; ; attempt++) {
      const faults: string[] = [];
      const manifest = salvageManifest(path, (fault) => faults.push(fault));
      const label = manifest.label === undefined ? undefined : readLabel(path, expected, manifest);
      const files = { path, label, ...openNamed(path, manifest, (fault) => faults.push(fault)) };
      const isSame = JSON.stringify(salvageManifest(path, () => {})) === JSON.stringify(manifest);
      if (faults.length === 0 || isSame || attempt === 100) {
        for (const fault of faults) onFault(fault);
        return files;
      }
      for (const segment of files.segments) segment.close();
    }
  });
}

function openNamed(path: string, { segments: notes, log: name, sound }: Salvaged, onFault: OnFault) {
  const segments: Segment[] = [];
  const memory = new Memory(1);
  const attempt = (name: string, open: (file: string) => void): void => {
    const file = join(path, name);
    try {
      open(file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      onFault(code === 'ENOENT' ? `${file}: it is missing` : faultOf(explain(file, error)));
    }
  };
  for (const { name, records } of notes)
    attempt(name, (file) => {
      const segment = salvageSegment(file, name, onFault);
      segments.push(segment);
      if (records !== undefined && segment.records !== records)
        onFault(`${file}: it is not the segment that the manifest lists`);
    });
  attempt(name, (file) => {
    const log = new Log(file, false);
    try {
      log.salvage(sound, (changes) => memory.apply(changes), onFault);
    } finally {
      log.close();
    }
  });
  return { segments, memory };
}
