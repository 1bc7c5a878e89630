import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LABELS } from '../../../src/index.ts';
import { packageOf } from '../../extract/package/package-of.ts';
import { makePdf } from '../../extract/pdf/pdf-made.ts';
import { folder, jsonLines, jsonOf, lettersOf, run, stdoutOf, wordsOf } from '../command.ts';

const page = (seed: string): string => wordsOf(seed, 120).join(' ');

async function counts(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(['index', ...args, '--json'], { cwd });
  return { code, stderr, ...(stdout === '' ? {} : jsonLines(stdout)[0]) };
}

async function idsIn(cwd: string, store = 'store'): Promise<string[]> {
  const stdout = await stdoutOf(['index', 'export', store], { cwd });
  const start = `${realpathSync(cwd)}/`;
  const ids = stdout === '' ? [] : jsonLines(stdout).map(({ id }) => String(id));
  return ids.map((id) => (id.startsWith(start) ? id.slice(start.length) : id)).sort();
}

function encryptedPdf(): Buffer {
  const key = 'x'.repeat(32);
  const encrypt = `/ID[(${key})(${key})]/Encrypt<</Filter/Standard/V 1/R 2/O(${key})/U(${key})/P -4>>`;
  return Buffer.from(makePdf(['BT /F 12 Tf (Hello) Tj ET'], { trailer: encrypt }));
}

describe('index sync', () => {
  test('keeps losses with documents until they are mended, and through export and import', async () => {
    const bytes = Buffer.from(`<p>na\xefve ${page('a')}`, 'latin1');
    const cwd = folder({ 'docs/a.html': bytes, 'docs/b.txt': page('b'), 'new.txt': `naïve ${page('a')}` });
    const found = async (...args: string[]) =>
      jsonLines(await stdoutOf(['index', 'query', ...args, '--json'], { cwd }));
    const statsOf = async (store: string) => (await jsonOf(['index', 'stats', store, '--json'], { cwd }))[0]!['losses'];
    await counts(cwd, 'sync', 'store', 'docs');
    expect(await found('store', 'new.txt'), 'the code of the guess').toMatchObject([{ losses: ['charset-guessed'] }]);
    expect(await stdoutOf(['index', 'query', 'store', 'new.txt'], { cwd })).toMatch(
      /^ +0 of 256 {2}\S{52} {2}charset-guessed {2}docs\/a\.html\n$/,
    );
    const refusing = ['new.txt', '--limit', '1', '--refuse', 'charset-guessed'];
    expect(await run(['index', 'query', 'store', ...refusing], { cwd })).toMatchObject({ stdout: '', code: 0 });
    expect(await found('store', 'new.txt', '--refuse', 'damaged')).toHaveLength(1);
    const stdin = await stdoutOf(['index', 'export', 'store'], { cwd });
    expect(jsonLines(stdin).map(({ losses }) => losses)).toEqual([['charset-guessed'], undefined]);
    await run(['index', 'import', 'copy'], { cwd, stdin });
    expect(await stdoutOf(['index', 'export', 'copy'], { cwd })).toBe(stdin);
    expect(await statsOf('copy')).toEqual({ 'charset-guessed': 1 });
    expect(await counts(cwd, 'verify', 'copy')).toMatchObject({ documents: 2, faults: [] });

    writeFileSync(join(cwd, 'docs/a.html'), Buffer.concat([Buffer.from('<meta charset=windows-1252>'), bytes]));
    expect(await counts(cwd, 'sync', 'store', 'docs')).toMatchObject({ same: 1 });
    expect(await statsOf('store'), 'a document that is mended has no losses').toEqual({});
    await counts(cwd, 'remove', 'copy', 'docs/a.html');
    expect(await statsOf('copy')).toEqual({});
  });

  test('adds, replaces, and removes documents, from any folder', async () => {
    const cwd = folder({
      'docs/a.txt': page('a'),
      'docs/b.txt': page('b'),
      'docs/in/c.txt': page('c'),
      'docs/d.zip': await packageOf({ 'x.txt': page('x'), 'y.txt': page('y') }),
      'docs2/e.txt': page('e'),
      'other.txt': page('o'),
    });
    const none = { replaced: 0, same: 0, removed: 0, unchanged: 0, failed: 0, code: 0 };
    expect(await counts(cwd, 'sync', 'store', 'docs', 'docs2')).toMatchObject({ ...none, added: 6 });
    await counts(cwd, 'add', 'store', 'other.txt');
    const imported = [{ id: 'http://a.b/', label: 'minhash-doc-256', fingerprint: 'A'.repeat(52) }];
    const stdin = imported.map((each) => JSON.stringify(each)).join('\n');
    expect((await run(['index', 'import', 'store'], { cwd, stdin })).code).toBe(0);

    rmSync(join(cwd, 'docs/a.txt'));
    writeFileSync(join(cwd, 'docs/b.txt'), page('new'));
    renameSync(join(cwd, 'docs/in/c.txt'), join(cwd, 'docs/in/moved.txt'));
    writeFileSync(join(cwd, 'docs/d.zip'), await packageOf({ 'x.txt': page('x') }));
    rmSync(join(cwd, 'docs2/e.txt'));
    rmSync(join(cwd, 'other.txt'));
    const changed = { code: 0, added: 1, replaced: 1, same: 1, removed: 3, unchanged: 0, failed: 0 };
    expect(await counts(join(cwd, 'docs/in'), 'sync', '../../store', '..')).toMatchObject(changed);
    // docs2 begins with the same letters, other.txt is somewhere else, the URL is not a file.
    const rest = ['docs/b.txt', 'docs/d.zip!x.txt', 'docs/in/moved.txt', 'docs2/e.txt', 'http://a.b/', 'other.txt'];
    expect(await idsIn(cwd)).toEqual(rest);
    expect(await counts(cwd, 'sync', 'store', './docs/')).toMatchObject({ ...none, added: 0, unchanged: 3 });
    expect(await stdoutOf(['index', 'verify', 'store'], { cwd })).toBe('6 documents, no faults\n');
    expect(await stdoutOf(['index', 'sync', 'store', 'docs'], { cwd })).toBe(
      'added 0 documents, replaced 0, skipped 3 unchanged files\n',
    );
  });

  test('does not empty the index if the folder is missing or empty', async () => {
    const cwd = folder({ 'disk/a.txt': page('a'), 'disk/in/b.txt': page('b'), 'c.txt': page('c') });
    await counts(cwd, 'sync', 'store', 'disk', 'c.txt');
    renameSync(join(cwd, 'disk'), join(cwd, 'elsewhere'));
    const missing = await run(['index', 'sync', 'store', 'c.txt', 'disk'], { cwd });
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('index sync: disk: no such file or folder');
    mkdirSync(join(cwd, 'disk'));
    const empty = await counts(cwd, 'sync', 'store', 'disk');
    expect(empty).toMatchObject({ code: 3, removed: 0, failed: 1 });
    expect(empty.stderr).toContain(
      'disk: the folder is empty (not mounted?): no documents were removed; to remove them: simhash-doc index remove store disk',
    );
    expect(await idsIn(cwd)).toEqual(['c.txt', 'disk/a.txt', 'disk/in/b.txt']);
    expect(await counts(cwd, 'remove', 'store', 'disk')).toMatchObject({ code: 0, removed: 2 });
    expect(await counts(cwd, 'sync', 'store', 'disk')).toMatchObject({ code: 0, removed: 0 });
    expect(await idsIn(cwd)).toEqual(['c.txt']);
  });

  test('keeps the documents of a file that cannot be read', async () => {
    const archive = await packageOf({ 'x.txt': page('x'), 'y.txt': page('y') });
    const cwd = folder({
      'docs/a.txt': page('a'),
      'docs/b.txt': page('b'),
      'docs/in/c.txt': page('c'),
      'docs/d.zip': archive,
      'docs/e.zip': await packageOf({ 'bad.html': `<p>${page('h')}`, 'good.txt': page('g') }),
    });
    await counts(cwd, 'sync', 'store', 'docs');
    const before = await idsIn(cwd);
    // A link to nothing is there, and so are an archive that was cut and a document that exceeds a limit.
    rmSync(join(cwd, 'docs/a.txt'));
    symlinkSync('nothing', join(cwd, 'docs/a.txt'));
    truncateSync(join(cwd, 'docs/d.zip'), 100);
    writeFileSync(join(cwd, 'docs/e.zip'), await packageOf({ 'bad.html': '<i>'.repeat(9000), 'good.txt': page('g') }));
    const { code, failed, removed } = (await counts(cwd, 'sync', 'store', 'docs')) as Record<string, unknown>;
    expect({ code, failed, removed }).toEqual({ code: 3, failed: 2, removed: 0 });
    expect(await idsIn(cwd)).toEqual(before);
    if (process.getuid?.() === 0) return;
    chmodSync(join(cwd, 'docs/in'), 0);
    expect(await counts(cwd, 'sync', 'store', 'docs')).toMatchObject({ removed: 0 });
    chmodSync(join(cwd, 'docs/in'), 0o755);
  });

  test('removes what is no longer a document, and reports it once', async () => {
    const kinds: readonly (readonly [name: string, change: (path: string) => unknown, reason: string])[] = [
      ['emptied.txt', (path) => writeFileSync(path, ''), 'the document is empty'],
      ['binary.txt', (path) => writeFileSync(path, Buffer.from('\x89PNG\r\n\x1a\n\0\0')), 'binary data'],
      ['digits.txt', (path) => writeFileSync(path, '123 456'), 'no letters in the document'],
      [
        'archive.zip',
        async (path) => writeFileSync(path, await packageOf({ 'x.png': '\x89PNG' })),
        'contains no documents',
      ],
      [
        'archive2.zip',
        async (path) => writeFileSync(path, await packageOf({ 'x.txt': '1', 'y.txt': page('y') })),
        'no letters',
      ],
      ['pipe.txt', (path) => execFileSync('mkfifo', [path]), 'a pipe'],
      ['locked.pdf', (path) => writeFileSync(path, encryptedPdf()), 'password'],
      ['loop.txt', (path) => symlinkSync('..', path), 'a symbolic link to a folder'],
      ['folder.txt', (path) => mkdirSync(path), ''],
    ];
    const zip = await packageOf({ 'x.txt': page('x'), 'y.txt': page('y') });
    const files = kinds.map(([name], i) => [`docs/${name}`, name.endsWith('.zip') ? zip : page(lettersOf(i))] as const);
    const cwd = folder({ ...Object.fromEntries(files), 'docs/stays.txt': page('stays') });
    await counts(cwd, 'sync', 'store', 'docs');
    for (const [name, change] of kinds) {
      rmSync(join(cwd, 'docs', name));
      await change(join(cwd, 'docs', name));
    }
    const changed = await counts(cwd, 'sync', 'store', 'docs');
    for (const [name, , reason] of kinds)
      if (reason !== '')
        expect(changed.stderr).toMatch(
          new RegExp(`${name}.*: is no longer a document \\(.*${reason}.*\\): removed from the index\n`),
        );
    expect(await idsIn(cwd)).toEqual(['docs/archive2.zip!y.txt', 'docs/stays.txt']);
    expect(changed).toMatchObject({ removed: kinds.length + 1 });
    const again = await counts(cwd, 'sync', 'store', 'docs');
    expect(again).toMatchObject({ code: 0, added: 0, removed: 0, failed: 0 });
    expect(again.stderr).not.toContain('no longer');
    const query = ['index', 'query', 'store', '--verify', 'docs/stays.txt'];
    expect(await run(query, { cwd })).toMatchObject({ code: 0, stderr: '' });
    // It comes back.
    writeFileSync(join(cwd, 'docs/emptied.txt'), page('again'));
    expect(await counts(cwd, 'sync', 'store', 'docs')).toMatchObject({ added: 1 });
    // A change of something that is not in the index is not reported as a removal.
    writeFileSync(join(cwd, 'docs/digits.txt'), '12');
    expect((await counts(cwd, 'sync', 'store', 'docs')).stderr).not.toContain('no longer');
  });

  test.runIf(process.platform === 'linux')('keeps files whose names are not UTF-8', async () => {
    const cwd = folder({ 'docs/a.txt': page('a') });
    writeFileSync(Buffer.concat([Buffer.from(join(cwd, 'docs/b')), Buffer.of(0xff)]), page('b'));
    await counts(cwd, 'sync', 'store', 'docs');
    expect(await counts(cwd, 'sync', 'store', 'docs')).toMatchObject({ code: 0, added: 0, removed: 0 });
    expect(await idsIn(cwd)).toEqual(['docs/a.txt', 'docs/b\\xff']);
  });

  test('adds and removes only files that --include and --exclude select', async () => {
    const cwd = folder({ 'docs/a.txt': page('a'), 'docs/b.md': page('b'), 'docs/drafts/c.txt': page('c') });
    const add = await counts(cwd, 'add', 'store', 'docs', '--include', '*.txt', '--exclude', 'drafts');
    expect(add).toMatchObject({ code: 0, added: 1 });
    expect(await idsIn(cwd)).toEqual(['docs/a.txt']);
    await counts(cwd, 'sync', 'store', 'docs');
    for (const name of ['a.txt', 'drafts/c.txt']) rmSync(join(cwd, 'docs', name));
    expect(await counts(cwd, 'sync', 'store', 'docs', '--exclude', 'drafts/**')).toMatchObject({ removed: 1 });
    expect(await idsIn(cwd)).toEqual(['docs/b.md', 'docs/drafts/c.txt']);
    linkSync(join(cwd, 'docs/b.md'), join(cwd, 'docs/z.md'));
    const listed = ['index', 'add', 'store', '--files0-from', '-'];
    expect(await stdoutOf(listed, { cwd, stdin: 'docs/z.md\0' })).toBe('added 1 document, replaced 0\n');
  });

  test.each([
    [['sync', 'store', '-'], '-: expected files or folders of documents; index import reads fingerprints'],
    [['sync', 'store', 'a.jsonl'], 'a.jsonl: expected files or folders of documents'],
    [['sync', 'store', 'a.txt', '--exclusive'], "index sync: unknown option '--exclusive'"],
    [['add', 'store', 'a.txt', '--files0-from', '-'], 'index add: expected STORE and nothing else'],
  ])('rejects wrong usage: %j', async (args, message) => {
    const cwd = folder({ 'a.txt': page('a') });
    const stdout = await stdoutOf(['hash', '--json', 'a.txt'], { cwd });
    writeFileSync(join(cwd, 'a.jsonl'), stdout);
    const result = await run(['index', ...args], { cwd });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});

describe('the label of a new index', () => {
  test.each(LABELS)('is that of imported lines: %s, from a file and from a pipe', async (label) => {
    const cwd = folder({ 'a.txt': page('a'), 'b.txt': page('b'), 'empty.txt': '123' });
    await run(['index', 'add', 'store', '--label', label, 'a.txt', 'b.txt'], { cwd });
    const lines = await stdoutOf(['index', 'export', 'store'], { cwd });
    // The first line is about a document without a fingerprint.
    const bad = (await run(['hash', '--json', '--label', label, 'empty.txt'], { cwd })).stdout;
    writeFileSync(join(cwd, 'lines.jsonl'), `${bad}\n${lines}`);
    await run(['index', 'import', 'from-file', 'lines.jsonl'], { cwd });
    await run(['index', 'import', 'from-pipe'], {
      cwd,
      stdin: [Buffer.from(lines.slice(0, 30)), Buffer.from(lines.slice(30))],
    });
    await run(['index', 'add', 'added', '-'], { cwd, stdin: lines });
    for (const store of ['from-file', 'from-pipe', 'added']) {
      expect(await stdoutOf(['index', 'export', store], { cwd })).toBe(lines);
      expect(await jsonOf(['index', 'stats', store, '--json'], { cwd })).toMatchObject([{ label }]);
    }
  });

  test('excludes lines of another label with one message, and is that of documents without lines', async () => {
    const cwd = folder({ 'a.txt': page('a') });
    await run(['index', 'create', 'store'], { cwd });
    const stdout = await stdoutOf(['hash', '--json', 'a.txt'], { cwd });
    expect(await run(['index', 'import', 'store'], { cwd, stdin: stdout.repeat(3) })).toMatchObject({
      code: 3,
      stderr:
        'simhash-doc: standard input: the fingerprints have the label simhash-doc, the index has minhash-doc-256: not imported\n',
    });
    const other = await run(['index', 'import', 'new', '--label', 'minhash-doc'], { cwd, stdin: stdout });
    expect(other.stderr).toContain('the index has minhash-doc');
    await run(['index', 'import', 'empty'], { cwd });
    for (const store of ['store', 'empty'])
      expect(await stdoutOf(['index', 'stats', store], { cwd })).toContain('label         minhash-doc-256\n');
  });
});

test('an index warns of two extractors of HTML, and names both', async () => {
  const cwd = folder({
    'a.html': `<main>${page('a')}</main>`,
    'b.html': `<main>${page('b')}</main>`,
    'c.txt': page('c'),
  });
  const warning = 'mixes documents read by html/2 and by html-article/2';
  expect((await counts(cwd, 'add', 'store', 'a.html', 'b.html')).stderr).toBe('');
  expect((await counts(cwd, 'add', 'store', 'c.txt', '--extractor', 'article')).stderr).toBe('');
  expect((await counts(cwd, 'add', 'store', 'a.html', '--extractor', 'article')).stderr).toContain(warning);
  expect((await counts(cwd, 'add', 'store', 'b.html', '--extractor', 'article')).stderr).toBe('');

  const mixed = 'mixes documents read by html-article/2 and by html/2';
  for (const args of [
    ['index', 'query', 'store', 'a.html'],
    ['dupes', '--store', 'store', 'a.html'],
  ]) {
    expect((await run(args, { cwd })).stderr).toContain(`the comparison ${mixed}`);
    expect((await run([...args, '--extractor', 'article'], { cwd })).stderr).not.toContain('mixes');
  }
});

test('lists with two extractors of HTML cause a warning that names both', async () => {
  const cwd = folder({
    'a.html': `<main>${page('a')}</main><nav>other words</nav>`,
    'b.html': `<main>${page('b')}</main>`,
  });
  const whole = await stdoutOf(['hash', '--json', 'a.html', 'b.html'], { cwd });
  const article = await stdoutOf(['hash', '--json', 'a.html', 'b.html', '--extractor', 'article'], { cwd });
  const dupes = async (stdin: string) => (await run(['dupes', '-'], { cwd, stdin })).stderr;
  expect(await dupes(whole + article)).toContain('the comparison mixes documents read by');
  expect(await dupes(article)).not.toContain('mixes');
  const check = async (...more: string[]) =>
    (await run(['hash', '--check', '-', ...more], { cwd, stdin: article })).stderr;
  expect(await check()).toContain('the comparison mixes documents read by html-article/2 and by html/2');
  expect(await check('--extractor', 'article')).not.toContain('mixes');
});
