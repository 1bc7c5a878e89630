import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { distance, fingerprint, serialise } from '../../../src/index.ts';
import { folder, jsonLines, run, stdoutOf, success } from '../command.ts';

const [OLD, NEW] = ['The quick brown fox jumps over the lazy dog', 'The quick brown fox jumped over a lazy dog'];
const AWAY = distance(fingerprint(OLD)!, fingerprint(NEW)!);

describe('hash --check', () => {
  const names = ['a.txt', 'back\\slash', 'line\nfeed\r', 'bang!.txt', ' b  c'];
  const files = (): string => folder(Object.fromEntries(names.map((name) => [name, OLD])));

  test.each([[[]], [['--json']], [['--label', 'minhash-doc', '--label', 'simhash-doc']]])(
    'accepts the lines that hash %j prints',
    async (options) => {
      const cwd = files();
      const list = await stdoutOf(['hash', ...options, ...names], { cwd });
      const same = await run(['hash', '--check', '-'], { cwd, stdin: list });
      expect(same).toEqual(success('a.txt: OK\nback\\slash: OK\nline\\x0afeed\\x0d: OK\nbang!.txt: OK\n b  c: OK\n'));
      writeFileSync(join(cwd, 'a.txt'), NEW);
      rmSync(join(cwd, 'back\\slash'));
      writeFileSync(join(cwd, 'list'), list);
      const { code, stdout, stderr } = await run(['hash', '--check', 'list'], { cwd });
      expect(code).toBe(3);
      expect(stdout.split('\n').slice(0, 3)).toEqual([
        expect.stringMatching(
          options.includes('minhash-doc') ? /^a\.txt: CHANGED, / : `^a.txt: CHANGED, distance ${AWAY}$`,
        ),
        'back\\slash: FAILED: no such file or folder',
        'line\\x0afeed\\x0d: OK',
      ]);
      expect(stderr).toBe('simhash-doc: 1 document changed\nsimhash-doc: 1 document could not be read\n');
    },
  );

  test('prints objects with --json', async () => {
    const cwd = folder({ a: NEW });
    const stdin = `simhash-doc:${serialise(fingerprint(OLD)!)}  a\nsimhash-doc:${serialise(fingerprint(OLD)!)}  b\n`;
    const { code, stdout } = await run(['hash', '--check', '-', '--json'], { cwd, stdin });
    expect(code).toBe(3);
    expect(jsonLines(stdout)).toEqual([
      { path: 'a', status: 'CHANGED', distance: AWAY, label: 'simhash-doc', fingerprint: serialise(fingerprint(NEW)!) },
      { path: 'b', status: 'FAILED', message: 'no such file or folder' },
    ]);
  });

  test('counts malformed lines', async () => {
    const cwd = folder({ a: OLD });
    const good = `simhash-doc:${serialise(fingerprint(OLD)!)}  a\n`;
    const { code, stdout, stderr } = await run(['hash', '--check', '-'], {
      cwd,
      stdin: `${good}nonsense\nsimhash-doc:AAAAAAAAAAAAB  a\nsimhash-doc+cap8:AAAAAAAAAAAAA  a\n{"path":5}\n\n`,
    });
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'a: OK\n' });
    expect(stderr).toBe('simhash-doc: 4 lines of - could not be read\n');
    expect((await run(['hash', '--check', '-'], { cwd, stdin: '' })).code).toBe(2);
    expect((await run(['hash', '--check', 'list', 'a'], { cwd })).code).toBe(2);
    expect((await run(['hash', '--check', 'missing'], { cwd })).code).toBe(2);
  });
});
