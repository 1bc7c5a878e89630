import { isUtf8 } from 'node:buffer';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LABELS, schemeOf } from '../../../scheme/labels/label.ts';
import type { Entry } from '../../document-index.ts';
import { lineOf } from '../../index-json-lines.ts';
import { type StoreError, storeError } from '../store-errors.ts';
import { openLog } from './commit-log.ts';
import { explain, faultOf, type OnFault, withCodes } from './folder-errors.ts';
import { COPY, MANIFEST, type Manifest, readManifest, STORED } from './manifest.ts';
import { createMemory } from './memory-table.ts';
import { readLabel } from './open-folder.ts';
import { isListed, type Segment, salvageSegment } from './segment/segment.ts';
import { DOCUMENT, idOf, type KeyValue } from './segment/segment-bytes.ts';
import { mergeSnapshots } from './segment/write-segment.ts';
import { entriesIn, LOSSES } from './stored-losses.ts';

interface Files {
  readonly path: string;
  readonly label: string | undefined;
  readonly segments: readonly Segment[];
  /** The segments, and the records of logs, the oldest first. */
  readonly sources: readonly (Segment | KeyValue[])[];
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

export function countSalvaged(path: string, onFault: OnFault): number {
  let count = 0;
  for (const _ of documentsOf(openFiles(path, onFault), onFault)) count++;
  return count;
}

function* documentsOf(files: Files, onFault: OnFault): Generator<Entry, void> {
  const { segments } = files;
  const width = widthOf(files);
  function* validDocuments() {
    const sources = files.sources.map((source) => (Array.isArray(source) ? source : source.reader.salvage(onFault)));
    for (const record of mergeSnapshots(sources, DOCUMENT)) {
      const { key, value } = record;
      if (value.length === width && isUtf8(Buffer.from(key, 'latin1'))) yield record;
      else onFault(`${files.path}: ${JSON.stringify(idOf(key))} is not a valid record`);
    }
  }
  try {
    yield* entriesIn(validDocuments(), lossesOf(files));
  } finally {
    for (const segment of segments) segment.close();
  }
}

/** Lists the records of losses up to the first damage: damage costs no document. */
function* lossesOf({ sources }: Files) {
  const parts = sources.map((source) => (Array.isArray(source) ? source : source.reader.from(LOSSES)));
  try {
    yield* mergeSnapshots(parts, LOSSES);
  } catch {
    // Reading the documents reports it.
  }
}

function widthOf({ label, segments, sources }: Files): number {
  if (label !== undefined) return schemeOf(label).bits / 8;
  if (segments.length > 0) return segments[0]!.width;
  const inLogs = sources.flatMap((source) => (Array.isArray(source) ? source : []));
  return inLogs.find(({ key, value }) => key.startsWith(DOCUMENT) && value !== null)?.value?.length ?? 8;
}

function chooseLabel(files: Files, expected: string | undefined): string {
  const width = widthOf(files);
  const possible = LABELS.filter((label) => schemeOf(label).bits / 8 === width);
  const [only] = possible.filter((label) => possible.length === 1 || label === expected);
  if (only !== undefined && (expected ?? only) === only) return only;
  for (const segment of files.segments) segment.close();
  const lost = 'the label is lost with the manifest and its copy';
  throw storeError('damaged', files.path, `${lost}: expected --label with one of ${possible.join(', ')}`);
}

type Manifests = ReturnType<typeof readManifests>;

/** Opens the files of an index. A writer may replace them meanwhile: then the new ones are opened. */
function openFiles(path: string, onFault: OnFault, expected?: string): Files {
  return withCodes(path, () => {
    for (let round = 0; ; round++) {
      const faults: string[] = [];
      const before = readManifests(path, (fault) => faults.push(fault));
      const files = openAll(path, before, (fault) => faults.push(fault), expected);
      const isSame = JSON.stringify(readManifests(path, () => {})) === JSON.stringify(before);
      if (faults.length === 0 || isSame || round === 100) {
        for (const fault of faults) onFault(fault);
        return files;
      }
      for (const segment of files.segments) segment.close();
    }
  });
}

function readManifests(path: string, onFault: OnFault) {
  const read = (name: typeof MANIFEST | typeof COPY, report: OnFault): Manifest | undefined => {
    try {
      const found = readManifest(path, name);
      if (found === undefined) report(`${join(path, name)}: it is missing`);
      return found;
    } catch (error) {
      if ((error as StoreError).code !== 'damaged') throw error;
      report(faultOf(error));
      return undefined;
    }
  };
  const manifest = read(MANIFEST, onFault);
  // A copy that is lost costs nothing.
  const copy = read(COPY, manifest === undefined ? onFault : () => {});
  const isOld = manifest !== undefined && copy !== undefined && copy.next > manifest.next;
  if (isOld) onFault(`${join(path, MANIFEST)}: it is out of date: ${COPY} is newer`);
  const first = isOld ? copy : (manifest ?? copy);
  return { first, isCopy: first !== manifest, all: [manifest, copy].filter((each) => each !== undefined) };
}

/**
 * Opens the files that the manifest names. If one of them cannot be opened, also all others that are there, as older ones; in
 * place of a lost manifest, those that are newer than its copy. A file has a greater number than each that was there before.
 */
function openAll(path: string, { first, isCopy, all }: Manifests, onFault: OnFault, expected?: string): Files {
  const label = first && readLabel(path, expected, first);
  const opened = new Map<string, Segment | KeyValue[]>();
  const open = (name: string, report: OnFault): void => {
    const file = join(path, name);
    try {
      opened.set(name, name.endsWith('.log') ? readLog(file, name, all, report) : openOne(file, name, all, report));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      report(code === 'ENOENT' ? `${file}: it is missing` : faultOf(explain(file, error)));
    }
  };
  const named = first === undefined ? [] : [...first.segments.map(({ name }) => name), first.log];
  for (const name of named) open(name, onFault);
  const isWhole = first !== undefined && opened.size === named.length;
  if (!isWhole || isCopy)
    for (const name of readdirSync(path))
      if (STORED.test(name) && !named.includes(name) && !(isWhole && numberOf(name) < first.next))
        open(name, first === undefined ? onFault : () => {});
  const names = [...opened.keys()].sort((a, b) => numberOf(a) - numberOf(b));
  const logs = names.filter((name) => name.endsWith('.log'));
  if (first === undefined && logs.length === 0) onFault(`${path}: its log is missing`);
  // The last log that has anything is newer than all segments.
  const isFilled = (name: string): boolean => (opened.get(name) as KeyValue[]).length > 0;
  const last = logs.findLast(isFilled);
  const order = isWhole && !isCopy ? named : [...names.filter((name) => name !== last), ...(last ? [last] : [])];
  const sources = order.map((name) => opened.get(name)!);
  return { path, label, segments: sources.flatMap((each) => (Array.isArray(each) ? [] : [each])), sources };
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}

function openOne(file: string, name: string, manifests: Manifests['all'], onFault: OnFault): Segment {
  const segment = salvageSegment(file, name, onFault);
  const note = manifests.flatMap(({ segments }) => segments).find((each) => each.name === name);
  if (note !== undefined && !isListed(segment, note)) onFault(`${file}: it is not the segment that the manifest lists`);
  return segment;
}

function readLog(file: string, name: string, manifests: Manifests['all'], onFault: OnFault): KeyValue[] {
  const manifest = manifests.find((each) => each.log === name);
  const memory = createMemory(1);
  const log = openLog(file, false);
  try {
    log.salvage(manifest?.sound ?? 0, manifest?.logChecksum ?? 0, (changes) => memory.apply(changes), onFault);
  } finally {
    log.close();
  }
  return memory.sorted();
}
