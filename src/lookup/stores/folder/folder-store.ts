import { readdirSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { describeSystemError } from '../../../common/system-error.ts';
import { type StoreError, storeError } from '../store-errors.ts';
import { type Log, openLog } from './commit-log.ts';
import { attempt, damaged, explain } from './folder-errors.ts';
import {
  COPY,
  LAYOUT,
  MANIFEST,
  type Manifest,
  readManifest,
  replaceManifest,
  STORED,
  stageManifest,
  syncFolder,
  writeWhole,
} from './manifest.ts';
import { createMemory, type Memory } from './memory-table.ts';
import { openSegment, type Segment } from './segment/segment.ts';
import type { StoredValue } from './segment/segment-bytes.ts';
import { mergeSegments, mergeSnapshots, writeSegment } from './segment/write-segment.ts';
import type { Ownership } from './writer-lock.ts';

/**
 * The number of records in memory, and the number of their bytes, from which on they are written as a segment. In a small heap there
 * are fewer: a record with a long id takes 1 KiB of it while it is written.
 */
const MAX_RECORDS = Math.min(1 << 17, Math.floor(getHeapStatistics().heap_size_limit / 5000));
const MAX_BYTES = 512 * MAX_RECORDS;

/** The number of records that may be out of date, in addition to one for each document. */
const MAX_STALE = 1 << 16;

/** Milliseconds of a merge between two turns of the event loop. */
const SLICE = 20;

/** The age in milliseconds from which a view may be out of date. */
const MAX_AGE = 1;

/** The number of transactions that this thread has committed, to any store. */
let commits = 0;

/** The segments, the records in memory, and their numbers. */
export type FolderView = FolderStore['view'];

export class FolderStore {
  readonly path: string;
  readonly words: 1 | 4;
  readonly width: number;
  readonly #ownership: Ownership | undefined;
  #manifest: Manifest;
  #stamp = '';
  #segments: Segment[] = [];
  #log!: Log;
  #memory!: Memory;
  #count = 0;
  #retired: Segment[] = [];
  #readers = 0;
  #merging: Promise<void> | undefined;
  #unfinished = '';
  #isClosed = false;
  #isCopied = false;
  /** The failure whose outcome is unknown: nothing more is written then, and nothing removed. */
  #failure: unknown;
  #mergeFailure: unknown;
  #isSameTurn = false;
  #seen = 0;
  #time = 0;
  readonly #endTurn = (): void => {
    this.#isSameTurn = false;
  };
  readonly #maxRecords: number;

  constructor(path: string, words: 1 | 4, ownership: Ownership | undefined, maxRecords = MAX_RECORDS) {
    this.path = path;
    this.words = words;
    this.width = 8 * words;
    this.#ownership = ownership;
    this.#maxRecords = maxRecords;
    this.#manifest = readManifest(path)!;
    try {
      this.#load();
      if (ownership !== undefined) this.#secure();
    } catch (error) {
      this.#closeFiles();
      throw error;
    }
  }

  get view() {
    let records = this.#memory.size;
    for (const segment of this.#segments) records += segment.records;
    return { segments: this.#segments, memory: this.#memory, count: this.#count, records };
  }

  refresh(): void {
    if (this.#ownership !== undefined) return;
    // Commits of another process during a turn of the event loop are read a millisecond later at most.
    const now = performance.now();
    if (this.#isSameTurn && this.#seen === commits && now - this.#time < MAX_AGE) return;
    if (!this.#isSameTurn) setImmediate(this.#endTurn);
    this.#isSameTurn = true;
    this.#seen = commits;
    this.#time = now;
    if (stampOf(this.path) === this.#stamp) this.#readLog();
    else this.#load();
  }

  get(key: string): Uint8Array | undefined {
    const newest = this.#memory.get(key);
    if (newest !== undefined) return newest ?? undefined;
    for (let i = this.#segments.length - 1; i >= 0; i--) {
      const value = this.#segments[i]!.reader.get(key);
      if (value !== undefined) return value ?? undefined;
    }
    return undefined;
  }

  /** Lists the records whose keys have a prefix, in their order. */
  *records(prefix: string): Generator<StoredValue, void> {
    this.#readers++;
    try {
      yield* mergeSnapshots(
        [...this.#segments.map(({ reader }) => reader.from(prefix)), this.#memory.sorted()],
        prefix,
      );
    } finally {
      this.#readers--;
      this.#closeRetired();
    }
  }

  /** Commits changes: they are on the disk when this returns. If it throws, they are not, unless the error says so. */
  commit(changes: ReadonlyMap<string, Uint8Array | null>, count: number): void {
    if (this.#failure !== undefined)
      throw this.#closedError('a write failed before, nothing of this transaction was written');
    this.#ownership!.assert();
    if (changes.size === 0) return;
    try {
      if (this.#memory.size + changes.size > this.#maxRecords || this.#memory.bytes > MAX_BYTES)
        this.#flush(changes, count);
      else {
        this.#log.append(changes, count);
        this.#memory.apply(changes);
        this.#count = count;
      }
    } catch (error) {
      if (this.#log.isUncertain) this.#failure = error;
      if (this.#failure === undefined) throw error;
      throw this.#closedError('it is unknown whether this transaction was written');
    }
    commits++;
  }

  #closedError(what: string): StoreError {
    const why = `${describeSystemError(this.#failure)}: ${what}; the index is closed for writing`;
    return storeError('unavailable', this.path, `${why}: close it and open it again`, this.#failure);
  }

  checkLog(): void {
    this.#log.check();
  }

  /**
   * Merges segments when they, or stale records, are too many, without blocking the thread for long. The failure
   * of a merge changes no transaction: the next merge is tried after the next flush.
   */
  async settle(): Promise<void> {
    while (!this.#isClosed && this.#failure === undefined && this.#mergeFailure === undefined) {
      if (this.#merging === undefined) {
        const group = this.#chooseGroup();
        if (group.length < 2) return;
        this.#merging = this.#merge(group)
          .catch((error) => {
            this.#mergeFailure = error;
          })
          .finally(() => {
            this.#merging = undefined;
          });
      }
      await this.#merging;
    }
  }

  /** Closes the files. Throws if the last merge failed, or the manifest could not be written, although all changes are stored. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#merging;
    const isStale = this.#log.length !== this.#manifest.sound || !this.#isCopied;
    try {
      if (this.#ownership?.isMine() && this.#failure === undefined && isStale) {
        this.#replaceManifest({});
        this.#log.unseal();
      }
    } finally {
      this.#closeFiles();
    }
    if (this.#mergeFailure !== undefined)
      throw explain(this.path, this.#mergeFailure, ': all changes are stored, but segments could not be merged');
  }

  #closeFiles(): void {
    (this.#log as Log | undefined)?.close();
    for (const segment of [...this.#segments, ...this.#retired]) segment.close();
  }

  #flush(changes: ReadonlyMap<string, Uint8Array | null>, count: number): void {
    const isFirst = this.#segments.length === 0;
    const records = this.#memory.sorted(changes).filter(({ value }) => value !== null || !isFirst);
    const { next } = this.#manifest;
    const name = nameOf(next, 'seg');
    const log = nameOf(next + 1, 'log');
    const note = { name, ...writeSegment(join(this.path, name), records, this.width) };
    let opened: Segment | undefined;
    let started: Log | undefined;
    try {
      opened = openSegment(join(this.path, name), note, this.width);
      writeWhole(join(this.path, log), new Uint8Array());
      started = openLog(join(this.path, log), true);
      const segments = [...this.#manifest.segments, note];
      this.#replaceManifest({ segments, log, count, next: next + 2 }, started);
    } catch (error) {
      opened?.close();
      started?.close();
      this.#discard(name, log);
      throw error;
    }
    this.#segments = [...this.#segments, opened];
    this.#startLog(started, count);
    this.#mergeFailure = undefined;
    this.#tidy();
  }

  /** Replaces the manifest. The copy adds safety alone: if it fails, it is written again with the next one. */
  #replaceManifest(changes: Partial<Manifest>, log: Pick<Log, 'length' | 'checksum'> = this.#log): void {
    const state = { count: this.#count, sound: log.length, logChecksum: log.checksum };
    const manifest = { ...this.#manifest, ...state, ...changes };
    // The names of new files are on the disk before a manifest has them.
    if (changes.segments !== undefined) syncFolder(this.path);
    stageManifest(this.path, manifest, MANIFEST);
    try {
      replaceManifest(this.path, MANIFEST);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    this.#manifest = manifest;
    this.#isCopied = attempt(() => this.#copy());
  }

  #copy(): void {
    stageManifest(this.path, this.#manifest, COPY);
    replaceManifest(this.path, COPY);
  }

  #discard(...names: readonly string[]): void {
    if (this.#failure !== undefined) return;
    for (const name of names) attempt(() => unlinkSync(join(this.path, name)));
  }

  /** The segments to be merged: the last ones, until one is more than twice as large as those after it. */
  #chooseGroup(): Segment[] {
    const all = this.#segments;
    const total = all.reduce((sum, { documents }) => sum + documents, 0);
    if (total - this.#count > this.#count + MAX_STALE) return all.length === 1 ? [] : [...all];
    let from = all.length - 1;
    let sum = all[from]?.records ?? 0;
    while (from > 0 && all[from - 1]!.records <= 2 * sum) sum += all[--from]!.records;
    return all.slice(Math.max(0, from));
  }

  async #merge(group: readonly Segment[]): Promise<void> {
    const name = nameOf(this.#manifest.next, 'seg');
    this.#manifest = { ...this.#manifest, next: this.#manifest.next + 1 };
    const isWhole = group[0] === this.#segments[0];
    const path = join(this.path, name);
    this.#unfinished = name;
    const steps = mergeSegments(path, group, this.width, isWhole);
    let step = steps.next();
    for (let until = performance.now() + SLICE; step.done !== true; step = steps.next()) {
      if (performance.now() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#isClosed) {
        steps.return(undefined as never);
        return;
      }
      until = performance.now() + SLICE;
    }
    let opened: Segment | undefined;
    let segments: Segment[];
    try {
      this.#ownership!.assert();
      opened = openSegment(path, { name, ...step.value }, this.width);
      const replaced = new Set(group);
      const at = this.#segments.indexOf(group[0]!);
      segments = this.#segments.filter((segment) => !replaced.has(segment));
      segments.splice(at, 0, opened);
      this.#replaceManifest({
        segments: segments.map(({ name, records, documents, checksum }) => ({ name, records, documents, checksum })),
      });
    } catch (error) {
      opened?.close();
      this.#discard(name);
      throw error;
    }
    this.#retired.push(...group);
    this.#segments = segments;
    this.#closeRetired();
    this.#tidy();
  }

  #load(): void {
    for (let round = 0; ; round++) {
      const stamp = stampOf(this.path);
      const manifest = readManifest(this.path);
      if (manifest === undefined) throw damaged(join(this.path, MANIFEST), 'it is missing');
      // The manifest is replaced first.
      if ((copyIn(this.path)?.next ?? 0) > manifest.next) {
        if (stampOf(this.path) !== stamp && round < 100) continue;
        throw damaged(join(this.path, MANIFEST), `it is out of date: ${COPY} is newer`);
      }
      try {
        this.#open(manifest);
        this.#stamp = stamp;
        return;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'ENOENT') throw error;
        // The writer has replaced files meanwhile, unless the manifest is still the same.
        if (stampOf(this.path) === stamp || round === 100)
          throw damaged(this.path, `${(error as NodeJS.ErrnoException).path} is missing`);
      }
    }
  }

  #open(manifest: Manifest): void {
    const known = new Map(this.#segments.map((segment) => [segment.name, segment]));
    const opened: Segment[] = [];
    let log: Log | undefined;
    try {
      for (const note of manifest.segments)
        if (!known.has(note.name)) opened.push(openSegment(join(this.path, note.name), note, this.width));
      for (const segment of opened) known.set(segment.name, segment);
      const isSameLog = (this.#log as Log | undefined) !== undefined && manifest.log === this.#manifest.log;
      if (!isSameLog) log = openLog(join(this.path, manifest.log), this.#ownership !== undefined);
      const segments = manifest.segments.map(({ name }) => known.get(name)!);
      this.#retired.push(...this.#segments.filter((segment) => !segments.includes(segment)));
      this.#segments = segments;
      this.#manifest = manifest;
      if (log !== undefined) this.#startLog(log, manifest.count);
    } catch (error) {
      for (const segment of opened) segment.close();
      log?.close();
      throw error;
    }
    this.#readLog();
    this.#closeRetired();
  }

  /**
   * Makes sure, as a new writer, that what was read stays before anything is built on it, and removes what a killed process has
   * left. A copy that equals the manifest was written when that was on the disk.
   */
  #secure(): void {
    this.#log.secure(this.#manifest.sound);
    if (JSON.stringify(copyIn(this.path)) !== JSON.stringify(this.#manifest)) {
      syncFolder(this.path);
      this.#copy();
    }
    this.#isCopied = true;
    const numbers = readdirSync(this.path).flatMap((name) =>
      STORED.test(name) ? [Number.parseInt(name, 10) + 1] : [],
    );
    this.#manifest = { ...this.#manifest, next: Math.max(this.#manifest.next, ...numbers) };
    this.#tidy();
  }

  #startLog(log: Log, count: number): void {
    (this.#log as Log | undefined)?.close();
    this.#log = log;
    this.#memory = createMemory(this.words);
    this.#count = count;
  }

  #readLog(): void {
    this.#log.readNew(this.#manifest.sound, this.#manifest.logChecksum, (changes, count) => {
      this.#memory.apply(changes);
      this.#count = count;
    });
  }

  #closeRetired(): void {
    if (this.#readers > 0) return;
    for (const segment of this.#retired) segment.close();
    this.#retired = [];
  }

  /** Removes files that neither the manifest nor its copy names; one that cannot be removed now is removed later. */
  #tidy(): void {
    if (!this.#isCopied) return;
    const { segments, log } = this.#manifest;
    const named = new Set([this.#unfinished, log, ...segments.map(({ name }) => name)]);
    attempt(() => {
      for (const name of readdirSync(this.path)) if (STORED.test(name) && !named.has(name)) this.#discard(name);
    });
  }
}

export function createStore(path: string, label: string): void {
  const log = nameOf(1, 'log');
  writeWhole(join(path, log), new Uint8Array());
  const manifest = { layout: LAYOUT, label, count: 0, segments: [], log, sound: 0, logChecksum: 0, next: 2 };
  syncFolder(path);
  stageManifest(path, manifest, MANIFEST);
  replaceManifest(path, MANIFEST);
}

function copyIn(folder: string): Manifest | undefined {
  try {
    return readManifest(folder, COPY);
  } catch {
    return undefined;
  }
}

function nameOf(number: number, kind: 'seg' | 'log'): string {
  return `${String(number).padStart(8, '0')}.${kind}`;
}

/** Changes whenever the manifest is replaced. */
function stampOf(folder: string): string {
  const found = statSync(join(folder, MANIFEST), { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`;
}
