import { join } from 'node:path';
import { wordsIn } from '../../widths.ts';
import { lineOf } from '../json-lines.ts';
import { hasCode } from './errors.ts';
import { withCodes } from './folder/errors.ts';
import { Log } from './folder/log.ts';
import { salvageManifest } from './folder/manifest.ts';
import { fingerprintOf, Memory } from './folder/memory.ts';
import { readLabel } from './folder/open.ts';
import { idOf } from './folder/search.ts';
import { faultOf, type OnFault } from './folder/segment/damage.ts';
import { DOCUMENT } from './folder/segment/records.ts';
import { openSegment, type Segment } from './folder/segment/segment.ts';
import { mergeSnapshots } from './folder/segment/snapshot.ts';

/** The files of an index in a folder, as far as they can be read. */
interface Files {
  readonly label: string;
  readonly segments: readonly Segment[];
  readonly memory: Memory;
}

/**
 * Prints the documents of an index in a folder, also of one that is damaged, as JSON Lines: all whose checksums are right. A document
 * of a damaged part is missing, or as it was before its last change.
 * @param path - the folder
 * @param onFault - called for each part that cannot be read
 * @throws a `StoreError` if the manifest cannot be read, or this is no index
 */
export function* salvageLines(path: string, onFault: OnFault): Generator<string, void> {
  const { label, segments, memory } = withCodes(path, () => openFiles(path, onFault));
  try {
    for (const { key, value } of mergeSnapshots(segments, memory.sorted(), DOCUMENT, onFault)) {
      if (!key.startsWith(DOCUMENT)) return;
      yield lineOf(label, { id: idOf(key), fingerprint: fingerprintOf(value) });
    }
  } finally {
    for (const segment of segments) segment.close();
  }
}

/** Opens the files that the manifest names. A writer may replace them meanwhile: then the new ones are opened. */
function openFiles(path: string, onFault: OnFault): Files {
  for (let attempt = 0; ; attempt++) {
    const faults: string[] = [];
    const onEach = (fault: string): void => void faults.push(fault);
    const manifest = salvageManifest(path, onEach);
    const label = readLabel(path, undefined, manifest);
    const words = wordsIn(label);
    const segments: Segment[] = [];
    const memory = new Memory(words);
    const attemptTo = (open: () => void): void => {
      try {
        open();
      } catch (error) {
        if (!hasCode(error) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        faults.push(faultOf(error));
      }
    };
    for (const note of manifest.segments)
      attemptTo(() => segments.push(openSegment(join(path, note.name), note, 8 * words, onEach)));
    attemptTo(() => {
      const log = new Log(join(path, manifest.log), false);
      try {
        log.salvage(manifest.sound, (changes) => memory.apply(changes), onEach);
      } finally {
        log.close();
      }
    });
    const isSame = JSON.stringify(salvageManifest(path, () => {})) === JSON.stringify(manifest);
    if (faults.length === 0 || isSame || attempt === 100) {
      for (const fault of faults) onFault(fault);
      return { label, segments, memory };
    }
    for (const segment of segments) segment.close();
  }
}
