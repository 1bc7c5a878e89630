import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWatch } from '../../src/documents/workers/watch.ts';
import { fingerprint, serialise } from '../../src/index.ts';
import { folder, jsonLines, run, runProcess } from '../cli/command.ts';
import { firstRows, IS_SLOW, slowTest } from '../suite.ts';

const base32 = (text: string): string => serialise(fingerprint(text)!);

/** Arguments of Node that run code before the command, in its workers too. */
const hook = (code: string): string[] => ['--import', `data:text/javascript,${encodeURIComponent(code)}`];

/** Does something to a file that is open after so many bytes of it were read. */
const afterReading = (octets: number, action: string): string[] =>
  hook(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { readSync } = fs;
    let left = ${octets};
    let isDone = false;
    const act = () => {
      if (left > 0 || isDone) return;
      isDone = true;
      ${action}
    };
    fs.readSync = (...args) => {
      act();
      const got = readSync(...args);
      left -= got;
      act();
      return got;
    };
    syncBuiltinESMExports();`);

describe('a file that is written to while it is read', () => {
  const MIB = 1 << 20;

  const changes: readonly [string, string, string, string][] = [
    ['text, longer', 'a.txt', 'one two three '.repeat(MIB / 8), "fs.appendFileSync('a.txt', 'more')"],
    ['a small text, shorter', 'a.txt', 'one two three', "fs.truncateSync('a.txt', 7)"],
    ['HTML, shorter', 'a.html', `<p>${'words '.repeat(MIB / 4)}`, `fs.truncateSync('a.html', ${MIB})`],
    ['text, shorter', 'a.txt', 'one two three '.repeat(MIB / 8), `fs.truncateSync('a.txt', ${MIB})`],
    ['a small text, longer', 'a.txt', 'one two three', "fs.appendFileSync('a.txt', 'more')"],
    ['HTML, longer', 'a.html', `<p>${'words '.repeat(MIB / 4)}`, "fs.appendFileSync('a.html', 'more')"],
  ];
  test.each(firstRows(3, changes))('%s: is reported, not fingerprinted in part', async (_, name, content, action) => {
    for (const jobs of firstRows(1, ['2', '1'])) {
      const cwd = folder({ [name]: content, 'z.txt': 'others' });
      // A small text is read in one call: what is written after it was not there.
      const read = content.length < 1 << 16 ? 0 : 1 << 16;
      const node = afterReading(read, action);
      const { code, stdout } = await runProcess(['hash', '--json', '-j', jobs, '.'], { cwd, node });
      expect(code).toBe(3);
      expect(jsonLines(stdout)).toMatchObject([
        {
          path: `./${name}`,
          error: { code: 'changed', message: expect.stringMatching(/from [\d,]+ to [\d,]+ bytes/) },
        },
        { path: './z.txt', fingerprint: base32('others') },
      ]);
    }
  });

  test.skipIf(process.platform !== 'linux')('a file that the system makes up has no size, and is read', async () => {
    const { code, stdout } = await runProcess(['hash', '--json', '/proc/self/status']);
    expect({ code, found: jsonLines(stdout)[0] }).toMatchObject({ code: 0, found: { mediaType: 'text/plain' } });
  });
});

slowTest('the time limit belongs to one document: it does not end a text that a worker reads later', async () => {
  // A check of UTF-8 that takes longer than the limit: extraction does not call it, plain text does. Two texts are small; the
  // last 13 bytes of the third are a chunk of their own.
  const slow = `
    import buffer from 'node:buffer';
    import { syncBuiltinESMExports } from 'node:module';
    const { isUtf8 } = buffer;
    buffer.isUtf8 = (octets) => {
      if (octets.length === 13) for (const end = Date.now() + 4000; Date.now() < end; );
      return isUtf8(octets);
    };
    syncBuiltinESMExports();`;
  const pages = Array.from({ length: 40 }, (_, i) => [
    `${String(i).padStart(2, '0')}.html`,
    `<p>page ${'x'.repeat(i)}`,
  ]);
  const cwd = folder({
    ...Object.fromEntries(pages),
    '05a.txt': 'some words, a',
    '15a.txt': `${'many words, '.repeat(1 << 15).slice(0, 1 << 18)}and some more`,
    '25a.txt': 'some words, b',
  });
  const args = ['hash', '--json', '-j', '2', '--timeout', '3', '.'];
  const { code, stdout, stderr } = await runProcess(args, { cwd, node: hook(slow) });
  expect(jsonLines(stdout).filter(({ error }) => error !== undefined)).toEqual([]);
  expect({ code, stderr, documents: jsonLines(stdout).length }).toEqual({ code: 0, stderr: '', documents: 43 });
});

describe('small texts, which are read in batches', () => {
  /** Texts among which is everything that is not a small text. */
  const files: Record<string, string | Uint8Array> = {
    '050a.html': '<p>the quick brown fox',
    '100a.txt': '',
    '150a.txt': Buffer.from('caf\xe9 noir', 'latin1'),
    '200a.txt': 'a\0b',
    '250a.txt': '\ufeff\u200b12 34',
    '300a.txt': 'many words '.repeat(30_000),
    '350a.gz': gzipSync('words in a file of gzip'),
    '400a.txt': Buffer.from('\ufeffsixteen bits', 'utf16le'),
  };
  for (let i = 0; i < (IS_SLOW ? 600 : 410); i++)
    files[`${String(i).padStart(3, '0')}.txt`] = `text number${i} of ${'x'.repeat(i % 50)}`;
  const cwd = folder(files);
  const names = Object.keys(files).sort();

  /** Returns the outcome of a document read through a pipe: not a regular file, and so in no batch. */
  async function outcomeAlone(name: string): Promise<unknown> {
    const path = `./${name}`;
    const text = files[name]!;
    if (/^\d+\.txt$/.test(name)) return expect.objectContaining({ path, fingerprint: base32(text as string) });
    const { stdout } = await run(['hash', '--json'], { stdin: text });
    return { ...jsonLines(stdout)[0], path };
  }

  test('every outcome is that of the file alone, and in its place', async () => {
    const expected = await Promise.all(names.map(outcomeAlone));
    for (const jobs of firstRows(2, ['1', '2', '5'])) {
      const { code, stdout } = await run(['hash', '--json', '-j', jobs, ...names.map((name) => `./${name}`)], { cwd });
      expect({ jobs, code, outcomes: jsonLines(stdout) }).toEqual({ jobs, code: 3, outcomes: expected });
    }
    const charset = await run(['hash', '--json', '-j', '2', '--charset', 'windows-1252', '150a.txt', '001.txt'], {
      cwd,
    });
    expect(jsonLines(charset.stdout)).toMatchObject([{ fingerprint: base32('café noir') }, { tokens: 4 }]);
  });

  test('a worker that crashes costs no document', async () => {
    const crash = hook(`
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      import { isMainThread } from 'node:worker_threads';
      const { readSync } = fs;
      fs.readSync = (...args) => isMainThread ? readSync(...args) : process.exit(3);
      syncBuiltinESMExports();`);
    const texts = folder(Object.fromEntries(Object.entries(files).filter(([name]) => /^\d+\.txt$/.test(name))));
    const { code, stdout, stderr } = await runProcess(['hash', '--bare', '-j', '2', '.'], { cwd: texts, node: crash });
    const { stdout: expected } = await run(['hash', '--bare', '-j', '1', '.'], { cwd: texts });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expected, stderr: '' });
  });
});

describe('the watch over workers', () => {
  /** Slots of workers that have been extracting since so many milliseconds; null: that do something else. */
  const slotsFor = (...durations: (number | null)[]) =>
    durations.map((duration, job) => {
      const since = process.hrtime.bigint() - BigInt(duration ?? 0) * 1_000_000n;
      return {
        isBusy: vi.fn(() => true),
        extraction: () => (duration === null ? null : { job, since }),
        abort: vi.fn(),
      };
    });
  const aborted = (slots: ReturnType<typeof slotsFor>) =>
    slots.flatMap(({ abort }, index) => abort.mock.calls.map(([{ code }, job]) => [index, job, code]));

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('without enough memory, aborts the document whose extraction began first, and no other', () => {
    const slots = slotsFor(null, 30, 40, null, 20);
    const watch = createWatch(slots, { timeout: 10_000, memory: 1 });
    vi.advanceTimersByTime(1000);
    expect(aborted(slots)).toEqual([]);
    watch.start();
    vi.advanceTimersByTime(150);
    watch.stop();
    expect(aborted(slots)).toEqual([[2, 2, 'out-of-memory']]);
  });

  test('aborts every document that takes too long, when its time is over, and no other', () => {
    const slots = slotsFor(null, 500, 960, 955, 20);
    const watch = createWatch(slots, { timeout: 1000, memory: Number.MAX_SAFE_INTEGER });
    watch.start();
    vi.advanceTimersByTime(30);
    expect(aborted(slots)).toEqual([]);
    vi.advanceTimersByTime(80);
    watch.stop();
    expect(aborted(slots)).toEqual([
      [2, 2, 'timeout'],
      [3, 3, 'timeout'],
    ]);
  });

  test('looks often enough for a short time limit', () => {
    const slots = slotsFor(0, 1);
    const watch = createWatch(slots, { timeout: 5, memory: Number.MAX_SAFE_INTEGER });
    watch.start();
    vi.advanceTimersByTime(7);
    watch.stop();
    expect(aborted(slots)).toEqual([[1, 1, 'timeout']]);
  });

  test('goes on while a worker has a job, and then ends', () => {
    const slots = slotsFor(20, 30);
    const watch = createWatch(slots, { timeout: 10_000, memory: Number.MAX_SAFE_INTEGER });
    watch.start();
    vi.advanceTimersByTime(1000);
    expect(aborted(slots)).toEqual([]);
    slots[0]!.isBusy.mockReturnValue(false);
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(1);
    slots[1]!.isBusy.mockReturnValue(false);
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
