import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { showProgress } from '../../../src/cli/commands/index/run-import.ts';
import { fingerprint, serialise } from '../../../src/index.ts';
import { packageOf } from '../../extract/package/package-of.ts';
import { firstRows, slowTest } from '../../suite.ts';
import { capturesOf } from '../archives.ts';
import { folder, jsonLines, run, runOnTerminal, runProcess, success, wordsOf } from '../command.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog.';
const FOX = serialise(fingerprint(TEXT)!);
const OTHER = serialise(fingerprint('Another page about something else.')!);

async function index(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(['index', ...args], { cwd });
  return { code, stdout, stderr, lines: stdout.startsWith('{') ? jsonLines(stdout) : [] };
}

describe('index', () => {
  test('adds documents again after changes, and follows the members of archives', async () => {
    const cwd = folder({
      'docs/a.txt': TEXT,
      'docs/b.html': `<p>${TEXT}</p>`,
      'docs/c.zip': await packageOf({ 'x.txt': TEXT, 'y.txt': 'Another page about something else.' }),
      'docs/bad.pdf': '%PDF-1.7 nothing',
    });
    const first = await index(cwd, 'add', 'store', 'docs', '--json', '--label', 'simhash-doc');
    expect(first.code).toBe(3);
    expect(first.stderr).toContain('docs/bad.pdf: ');
    expect(first.lines).toEqual([{ added: 4, replaced: 0, same: 0, removed: 0, unchanged: 0, failed: 1 }]);

    rmSync(join(cwd, 'docs/bad.pdf'));
    writeFileSync(join(cwd, 'docs/a.txt'), 'Another page about something else.');
    writeFileSync(join(cwd, 'docs/c.zip'), await packageOf({ 'x.txt': TEXT, 'z.txt': TEXT }));
    utimesSync(join(cwd, 'docs/c.zip'), 1, 1);
    // The index itself is not added. Ids do not depend on how a path is given, nor on the current folder.
    const second = await index(join(cwd, 'docs'), 'add', '../store', '..', '--json');
    expect(second.lines).toEqual([{ added: 1, replaced: 1, same: 1, removed: 1, unchanged: 1, failed: 0 }]);
    expect(second.code).toBe(0);
    expect((await index(cwd, 'add', 'store', './docs', '--json')).lines).toMatchObject([{ added: 0, unchanged: 3 }]);

    const { lines } = await index(cwd, 'export', 'store');
    const docs = join(realpathSync(cwd), 'docs');
    expect(lines.map(({ id, fingerprint: value }) => `${id} ${value}`).sort()).toEqual(
      [`a.txt ${OTHER}`, `b.html ${FOX}`, `c.zip!x.txt ${FOX}`, `c.zip!z.txt ${FOX}`].map((each) => join(docs, each)),
    );
    expect(await index(cwd, 'verify', 'store')).toMatchObject({ code: 0, stdout: '4 documents, no faults\n' });
    expect(await index(cwd, 'remove', 'store', 'docs/c.zip', 'docs/a.txt', 'nope')).toMatchObject({
      code: 3,
      stdout: 'removed 3 documents\n',
      stderr: 'simhash-doc: nope: not in the index\n',
    });
    expect((await index(cwd, 'add', 'store', 'docs', '--json')).lines).toMatchObject([{ added: 3, unchanged: 1 }]);
    expect((await index(join(cwd, 'docs'), 'remove', '../store', 'c.zip!z.txt', '../docs')).stdout).toBe(
      'removed 4 documents\n',
    );
  });

  test('finds documents by documents and by fingerprints, and prints statistics', async () => {
    const cwd = folder({ 'a.txt': TEXT, 'b.txt': TEXT, 'c.txt': 'Another page about something else.' });
    expect((await index(cwd, 'add', 'store', 'a.txt', 'b.txt', 'c.txt', '--label', 'simhash-doc')).stdout).toBe(
      'added 3 documents, replaced 0\n',
    );
    expect(await index(cwd, 'query', 'store', FOX)).toMatchObject({
      code: 0,
      stdout: ` 0  ${FOX}  a.txt\n 0  ${FOX}  b.txt\n`,
    });
    const options = ['--limit', '1', '--json', '-k', '2'];
    const { lines } = await index(cwd, 'query', 'store', 'c.txt', `simhash-doc:${FOX}`, ...options);
    const match = { label: 'simhash-doc', distance: 0 };
    expect(lines).toEqual([
      { query: 'c.txt', id: join(realpathSync(cwd), 'c.txt'), fingerprint: OTHER, ...match },
      { query: `simhash-doc:${FOX}`, id: join(realpathSync(cwd), 'a.txt'), fingerprint: FOX, ...match },
    ]);
    expect(await index(cwd, 'query', 'store', 'AAAAAAAAAAAAA')).toMatchObject({ code: 0, stdout: '' });
    expect(await index(cwd, 'query', 'store', 'missing.txt')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('missing.txt: no such file'),
    });
    expect((await index(cwd, 'stats', 'store', '--json')).lines).toMatchObject([
      { label: 'simhash-doc', documents: 3 },
    ]);
  });

  test('imports the output of hash --json and export, and reports bad lines', async () => {
    const cwd = folder({ 'a.txt': TEXT, 'b.zip': await packageOf({ 'x.txt': TEXT }), 'bad.txt': '123' });
    const hashed = await run(['hash', '--json', 'a.txt', 'b.zip', 'bad.txt'], { cwd });
    writeFileSync(join(cwd, 'hashed.jsonl'), hashed.stdout);
    const imported = await index(cwd, 'import', 'one', 'hashed.jsonl', '--json');
    expect(imported.lines).toEqual([{ added: 2, replaced: 0, bad: 1 }]);
    expect(imported.code).toBe(3);
    expect(imported.stderr).toContain('hashed.jsonl: line 3: bad.txt: expected a fingerprint');
    const exported = await index(cwd, 'export', 'one');
    const again = await run(['index', 'import', 'two'], { cwd, stdin: exported.stdout });
    expect(again).toEqual(success('added 2 documents, replaced 0\n'));
    expect((await index(cwd, 'export', 'two')).stdout).toBe(exported.stdout);
    const added = await run(['index', 'add', 'three', '-'], { cwd, stdin: exported.stdout });
    expect(added).toMatchObject({ code: 0, stdout: 'added 2 documents, replaced 0\n' });
  });

  test('shows the progress of an import: lines, bytes, and their total', async () => {
    const shown: number[][] = [];
    const progress = {
      expect: (documents: number, bytes: number) => shown.push([documents, bytes]),
      update: (documents: number, bytes: number) => shown.push([documents, bytes]),
      detail() {},
      hide() {},
      end() {},
    };
    async function* parts() {
      yield Buffer.from('a\nb');
      yield Buffer.from('\n');
    }
    const passed: string[] = [];
    for await (const part of showProgress(parts(), 8, progress)) passed.push(part.toString());
    expect(passed).toEqual(['a\nb', '\n']);
    expect(shown).toEqual([
      [3, 8],
      [1, 3],
      [4, 8],
      [2, 4],
    ]);
    shown.length = 0;
    for await (const _ of showProgress(parts(), undefined, progress));
    expect(shown).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  test('escapes control characters in names on a terminal', async () => {
    const cwd = folder({ 'a.txt': TEXT, 'b\x1b[31m.txt': TEXT });
    const { stdout } = await runOnTerminal(['index', 'add', 'store', '.', '--label', 'simhash-doc'], cwd);
    expect(stdout).toContain('added 2 documents');
    expect((await runOnTerminal(['index', 'query', 'store', FOX], cwd)).stdout).toContain('b\\x1b[31m.txt');
  });
});

const LONG = wordsOf('w', 300).join(' ');
const NEAR = `${wordsOf('w', 298).join(' ')} other words`;
/** With fingerprints near each other and hardly a word in common: one token decides all bits. */
const HEAVY = ['alpha', 'beta'].map((word) => `${'heavy '.repeat(40)}${wordsOf(word, 35).join(' ')}`);

describe('index query --verify and dupes --store', () => {
  test('report confirmed, false, missing and changed matches, and ids that are not paths', async () => {
    const cwd = folder({
      'a.txt': LONG,
      'near!er.txt': NEAR,
      'gone.txt': LONG,
      'changed.txt': LONG,
      'b.zip': await packageOf({ 'x/y.txt': LONG }),
      'c.zip': await packageOf({ 'x.txt': LONG }),
      'd.warc': capturesOf(['Another page about something else.', LONG]),
      'heavy.txt': HEAVY[0]!,
      'light.txt': HEAVY[1]!,
    });
    expect((await index(cwd, 'add', 'store', '.', '--label', 'simhash-doc')).code).toBe(0);
    const lines = ['-', 'no\0path', '/dev/zero', 'x'.repeat(400)].map((id) =>
      JSON.stringify({ id, label: 'simhash-doc', fingerprint: serialise(fingerprint(LONG)!) }),
    );
    await run(['index', 'import', 'store'], { cwd, stdin: lines.join('\n') });
    rmSync(join(cwd, 'gone.txt'));
    writeFileSync(join(cwd, 'changed.txt'), 'Another page about something else.');
    writeFileSync(join(cwd, 'c.zip'), await packageOf({ 'other.txt': LONG }));
    // From another folder: ids are paths whatever the current one is.
    const inner = join(cwd, 'inner');
    mkdirSync(inner);
    const { code, lines: matches } = await index(inner, 'query', '../store', '../a.txt', '--verify', '--json');
    expect(code).toBe(3);
    const at = (name: string) => join(realpathSync(cwd), name);
    expect(Object.fromEntries(matches.map(({ id, overlap, error }) => [id, error ?? overlap]))).toEqual({
      [at('a.txt')]: 1,
      [at('near!er.txt')]: expect.closeTo(298 / 302, 3),
      [at('b.zip!x/y.txt')]: 1,
      [`${at('d.warc')}!http://a.b/`]: 1,
      [at('gone.txt')]: { code: 'not-found', message: 'no such file or folder' },
      [at('changed.txt')]: { code: 'changed', message: expect.stringContaining('changed after its fingerprint') },
      [at('c.zip!x.txt')]: { code: 'changed', message: expect.stringContaining('no longer in the archive') },
      '-': { code: 'not-found', message: 'no such file or folder' },
      'no\0path': { code: 'not-found', message: 'no such file or folder' },
      '/dev/zero': { code: 'special-file', message: expect.any(String) },
      [`${'x'.repeat(400)}`]: expect.objectContaining({ message: expect.any(String) }),
    });
    for (const match of matches) expect('overlap' in match).toBe(!('error' in match));
    const text = await index(cwd, 'query', 'store', './a.txt', './heavy.txt', '--verify', '-k', '7', '--limit', '20');
    expect(text.code).toBe(3);
    expect(text.stdout).toMatch(/^same words; distance 0 of 64 {2}a\.txt\n/m);
    expect(text.stdout).not.toContain('gone.txt');
    expect(text.stderr).toContain('simhash-doc: gone.txt: no such file or folder\n');
    expect(text.stderr).toContain('simhash-doc: changed.txt: changed after its fingerprint');
    expect(text.stdout.split('\n\n')[1]).toBe('./heavy.txt\nsame words; distance 0 of 64  heavy.txt\n');
    const low = await index(cwd, 'query', 'store', './heavy.txt', '--verify', '--min-overlap', '0.1', '-k', '7');
    expect(low.stdout).toContain('  light.txt');
    for (const what of [FOX, '-'])
      expect(await index(cwd, 'query', 'store', what, '--verify')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/--verify (?:compares documents|cannot read)/),
      });
  });

  test('group the documents of an index, and find matches of other documents', async () => {
    const cwd = folder({
      'old/a.txt': LONG,
      'old/b.txt': NEAR,
      'old/c.txt': HEAVY[0]!,
      'old/gone.txt': LONG,
      'old/d.zip': await packageOf({ 'x.txt': HEAVY[0]! }),
      'new/e.txt': LONG,
      'new/f.txt': HEAVY[1]!,
    });
    await index(cwd, 'add', 'store', 'old', '--label', 'simhash-doc');
    rmSync(join(cwd, 'old/gone.txt'));
    const pathsOf = (stdout: string) =>
      jsonLines(stdout).map(({ documents, path }) =>
        documents === undefined ? path : (documents as { path: string }[]).map((each) => each.path),
      );
    const alone = await run(['dupes', '--store', 'store', '--json'], { cwd });
    expect(pathsOf(alone.stdout)).toEqual(['old/gone.txt', ['old/a.txt', 'old/b.txt'], ['old/c.txt', 'old/d.zip']]);
    expect(alone.code).toBe(3);
    const fresh = await run(['dupes', '--store', 'store', '--json', './old/a.txt', 'new'], { cwd });
    // A document is not compared with itself, nor are new ones with each other.
    expect(pathsOf(fresh.stdout)).toEqual(['old/gone.txt', ['old/b.txt', './old/a.txt', 'new/e.txt']]);
    const fast = await run(['dupes', '--store', 'store', '--no-verify', '-k', '6', '--pairs', '--json', 'new'], {
      cwd,
    });
    expect(fast.code).toBe(0);
    expect(
      jsonLines(fast.stdout)
        .map(({ a, b }) => `${a} ${b}`)
        .sort(),
    ).toEqual([
      ...['old/a.txt', 'old/b.txt', 'old/gone.txt'].map((each) => `new/e.txt ${each}`),
      ...['old/c.txt', 'old/d.zip!x.txt'].map((each) => `new/f.txt ${each}`),
    ]);
    for (const [args, code, message] of [[['--store', 'nothing'], 2, 'nothing: no such folder']] as const)
      expect(await run(['dupes', ...args], { cwd })).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});

test('index verify names the damaged file', async () => {
  const cwd = folder({});
  const lines = Array.from(
    { length: 3000 },
    (_, i) => `{"id":"${i}","label":"simhash-doc","fingerprint":"${serialise(BigInt(i) << 40n)}"}\n`,
  );
  await run(['index', 'import', 'store'], { cwd, stdin: lines.join('') });
  const name = readdirSync(join(cwd, 'store')).find((each) => each.endsWith('.log'))!;
  const file = join(cwd, 'store', name);
  const whole = readFileSync(file);
  for (const start of firstRows(1, [50, 0, 20_000, whole.length - 1])) {
    const bytes = Buffer.from(whole);
    bytes.fill(0xff, start);
    writeFileSync(file, bytes);
    const { code, stdout, stderr } = await index(cwd, 'verify', 'store');
    expect(code).toBe(3);
    expect(stderr).toContain(`${name}: the transaction at byte `);
    // Everything before the damage is saved, except for the frame of 16 KiB with the damage.
    const [, count] = /^1 fault\n.*bytes \d+ to \d+ are damaged\nindex export can save ([\d,]+) documents\n$/.exec(
      stdout,
    )!;
    const saved = await index(cwd, 'export', 'store');
    expect(saved).toMatchObject({ code: 3, stderr: expect.stringContaining('are damaged\n') });
    const documents = saved.stdout.split('\n').length - 1;
    expect(documents).toBe(Number(count!.replace(',', '')));
    expect(documents).toBeGreaterThanOrEqual(Math.floor((lines.length * (start - 16_500)) / whole.length));
    expect(documents).toBeLessThanOrEqual((lines.length * start) / whole.length);
  }
  writeFileSync(file, whole);
  expect(await index(cwd, 'verify', 'store')).toMatchObject({ code: 0, stdout: '3,000 documents, no faults\n' });
});

test('index export saves an index without its manifest and the copy if --label is given', async () => {
  const cwd = folder({ 'docs/a.txt': TEXT });
  await index(cwd, 'sync', 'store', 'docs', '--label', 'minhash-doc');
  const whole = await index(cwd, 'export', 'store');
  for (const name of ['manifest', 'manifest.copy']) rmSync(join(cwd, 'store', name));
  expect(await index(cwd, 'verify', 'store')).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(
      /^2 faults\n.*manifest: it is missing\n.*manifest\.copy: it is missing\nindex export can save 1 document\n$/,
    ),
  });
  expect(await index(cwd, 'export', 'store')).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('expected --label with one of simhash-doc, simhash-doc+bg1, minhash-doc\n'),
  });
  const saved = await index(cwd, 'export', 'store', '--label', 'minhash-doc');
  expect(saved).toMatchObject({ code: 3, stdout: whole.stdout, stderr: expect.stringContaining('it is missing') });
  expect(await run(['index', 'import', 'again'], { cwd, stdin: saved.stdout })).toMatchObject({ code: 0 });
  expect(await index(cwd, 'export', 'again')).toMatchObject({ code: 0, stdout: whole.stdout });
});

test.each<[string[], number, string]>([
  [[], 2, 'expected a subcommand: one of create, add'],
  [['nope'], 2, 'unknown subcommand "nope"'],
  [['add'], 2, 'add: expected STORE: a folder, or the URL of a database'],
  [['add', 'store'], 2, 'index add: expected PATH after STORE'],
  [['sync', 'store'], 2, 'index sync: expected PATH after STORE'],
  [['add', 'store', 'docs', 'typo'], 2, 'index add: typo: no such file or folder'],
  [['query', 'store'], 2, 'index query: expected PATH or FINGERPRINT after STORE'],
  [['stats', 'store', 'more'], 2, 'got "more"'],
  [['stats', 'store', '--limit', '5'], 2, "index stats: unknown option '--limit'"],
  [['query', 'store', 'x', '-k', '65'], 2, '--distance: expected a whole number from 0 to 64'],
  [['add', 'store', 'x', '--verify'], 2, "index add: unknown option '--verify'"],
  [['import', 'store', 'missing'], 2, 'missing: no such file or folder'],
  [['stats', 'mysql://me:secret@host/db'], 2, 'mysql:…: expected STORE: a folder or postgres://…'],
])('index fails for %j', async (args, code, message) => {
  const result = await index(folder({ 'docs/a.txt': TEXT }), ...args);
  expect(result.stderr).toContain(message);
  expect(result.stderr).not.toContain('secret');
  expect(result.code).toBe(code);
});

test.each([
  'index query typo a.txt',
  'index stats typo',
  'index export typo',
  'index verify typo',
  'index remove typo a.txt',
  'dupes --store typo a.txt',
  'dupes --store typo',
])('%s fails without an index, and makes none', async (typed) => {
  const cwd = folder({ 'a.txt': 'some words' });
  const { code, stdout, stderr } = await run(typed.split(' '), { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('typo: no such folder: expected an index\n');
  expect(readdirSync(cwd)).toEqual(['a.txt']);
});

slowTest('index import needs little memory: 150,000 lines in a heap of 48 MB', async () => {
  function* lines(): Generator<Buffer> {
    for (let i = 0; i < 150_000; i++) {
      const id = `${'folder/'.repeat(60)}${i}`;
      const fingerprint = createHash('sha256')
        .update(id)
        .digest('base64')
        .replaceAll(/[^A-Z]/gi, 'A')
        .toUpperCase();
      yield Buffer.from(
        `${JSON.stringify({ id, label: 'minhash-doc-256', fingerprint: `${fingerprint.repeat(2).slice(0, 51)}A` })}\n`,
      );
    }
  }
  const node = ['--max-old-space-size=48'];
  const run = runProcess(['index', 'import', 'store'], { cwd: folder(), stdin: lines(), node });
  expect(await run).toEqual(success('added 150,000 documents, replaced 0\n'));
});
