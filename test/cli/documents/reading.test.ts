import { describe, expect, test } from 'vitest';
import { fingerprint, serialise } from '../../../src/index.ts';
import { firstRows } from '../../suite.ts';
import { folder, jsonLines, runProcess } from '../command.ts';

const base32 = (text: string): string => serialise(fingerprint(text)!);

/** Arguments of Node that run code before the command, in its workers too. */
const hook = (code: string): string[] => ['--import', `data:text/javascript,${encodeURIComponent(code)}`];

/** Does something to a file after so many octets of it were read. */
const afterReading = (octets: number, action: string): string[] =>
  hook(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { readSync } = fs;
    let left = ${octets};
    fs.readSync = (...args) => {
      const got = readSync(...args);
      if (left > 0 && (left -= got) <= 0) { ${action} }
      return got;
    };
    syncBuiltinESMExports();`);

describe('a file that is written to while it is read', () => {
  const MIB = 1 << 20;

  test.each([
    ['text, longer', 'a.txt', 'one two three '.repeat(MIB / 8), "fs.appendFileSync('a.txt', 'more')"],
    ['text, shorter', 'a.txt', 'one two three '.repeat(MIB / 8), `fs.truncateSync('a.txt', ${MIB})`],
    ['a small text, longer', 'a.txt', 'one two three', "fs.appendFileSync('a.txt', 'more')"],
    ['HTML, longer', 'a.html', `<p>${'words '.repeat(MIB / 4)}`, "fs.appendFileSync('a.html', 'more')"],
    ['HTML, shorter', 'a.html', `<p>${'words '.repeat(MIB / 4)}`, `fs.truncateSync('a.html', ${MIB})`],
  ])('%s: is reported, not fingerprinted in part', async (_, name, content, action) => {
    for (const jobs of firstRows(1, ['2', '1'])) {
      const cwd = folder({ [name]: content, 'z.txt': 'others' });
      const node = afterReading(Math.min(content.length, 1 << 16), action);
      const { code, stdout } = await runProcess(['hash', '--json', '-j', jobs, '.'], { cwd, node });
      expect(code).toBe(1);
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

describe('the time limit', () => {
  test('belongs to one document: it does not end a text that a worker reads later', async () => {
    // A check of UTF-8 that takes longer than the limit: extraction does not call it, plain text does.
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
    const cwd = folder({ ...Object.fromEntries(pages), '05a.txt': 'some words, a', '25a.txt': 'some words, b' });
    const args = ['hash', '--json', '-j', '2', '--timeout', '3', '.'];
    const { code, stdout, stderr } = await runProcess(args, { cwd, node: hook(slow) });
    expect(jsonLines(stdout).filter(({ error }) => error !== undefined)).toEqual([]);
    expect({ code, stderr, documents: jsonLines(stdout).length }).toEqual({ code: 0, stderr: '', documents: 42 });
  });
});
