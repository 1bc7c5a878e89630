import { execFileSync } from 'node:child_process';
import { appendFileSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { distance, fingerprint, LABEL, serialise } from '../../../src/index.ts';
import { firstRows, IS_SLOW, slowTest } from '../../suite.ts';
import { folder, jsonLines, lettersOf, run, runOnTerminal, shell, stdoutOf, testWrongUsage } from '../command.ts';

/** A text of 400 words, of which `changed` are others than in the one with 0 changed. */
function textOf(seed: number, changed = 0): string {
  const word = (i: number): string => (i < changed ? `changed${lettersOf(i)}` : lettersOf(i));
  return Array.from({ length: 400 }, (_, i) => `w${lettersOf(seed)}x${word(i)}`).join(' ');
}

/** The label of documents that are compared with one another. */
const label = 'minhash-doc-256';
const base32 = (text: string): string => serialise(fingerprint(text, { label })!);
const apart = (a: string, b: string): number => distance(fingerprint(a, { label })!, fingerprint(b, { label })!);

const [ORIGINAL, NEAR, OTHER] = [textOf(1), textOf(1, 3), textOf(2)];
const AWAY = apart(ORIGINAL, NEAR);

/** A line as `hash --json` writes it. */
const line = (path: string, value: bigint, label = LABEL): string =>
  `${JSON.stringify({ path, label, fingerprint: serialise(value), tokens: 1 })}\n`;

/** The message of the command if it cannot verify. */
const NOT_VERIFIED = (name: string): string =>
  `simhash-doc: ${name} has no documents that can be read again: matches are not verified, as with --no-verify\n`;

test('the texts have the distances that the tests assume', () => {
  expect(AWAY).toBeGreaterThan(0);
  expect(AWAY).toBeLessThanOrEqual(10);
  expect(apart(ORIGINAL, OTHER)).toBeGreaterThan(64);
});

test('dupes counts linked files, and files named twice, once', async () => {
  const cwd = folder({ 'a.txt': 'one two three', 'b.txt': 'one two three' });
  linkSync(join(cwd, 'a.txt'), join(cwd, 'hard.txt'));
  symlinkSync('a.txt', join(cwd, 'soft.txt'));
  const { code, stdout, stderr } = await run(['dupes', '--json', '.', 'a.txt', '.'], { cwd });
  expect(code).toBe(0);
  const [group, ...others] = jsonLines(stdout);
  expect(others).toEqual([]);
  expect(group).toMatchObject({ documents: [{ path: './a.txt' }, { path: './b.txt' }], reclaimable: 13 });
  expect(stderr).toContain('7 names of files that');
});

describe('groups of dupes', () => {
  const cwd = folder({
    'a.txt': ORIGINAL,
    'b/copy.txt': ORIGINAL,
    'b/near.txt': NEAR,
    'c/page.html': `<p>${OTHER}</p>`,
    'd.txt': OTHER,
    'e.txt': textOf(3),
  });
  const sizes = { text: ORIGINAL.length, near: NEAR.length, page: OTHER.length + 7, other: OTHER.length };

  test('are printed for people', async () => {
    expect(await run(['dupes', '.'], { cwd })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        '3 documents, 5.27 KiB can be reclaimed',
        'keep             2.63 KiB  ./a.txt',
        '   0  identical  2.63 KiB  ./b/copy.txt',
        `   ${AWAY}  0.985      2.65 KiB  ./b/near.txt`,
        '',
        '2 documents, 2.63 KiB can be reclaimed',
        'keep             2.63 KiB  ./c/page.html',
        '   0  1.000      2.63 KiB  ./d.txt',
        '',
        '2 groups of 5 among 6 documents, 7.9 KiB can be reclaimed',
        '',
      ].join('\n'),
    });
  });

  test('are printed with --tsv', async () => {
    expect((await stdoutOf(['dupes', '--tsv', '.'], { cwd })).split('\n').map((row) => row.split('\t'))).toEqual([
      ['1', '0', '1', String(sizes.text), base32(ORIGINAL), '', './a.txt', ''],
      ['1', '0', '1', String(sizes.text), base32(ORIGINAL), '', './b/copy.txt', ''],
      ['1', String(AWAY), '0.9851', String(sizes.near), base32(NEAR), '', './b/near.txt', ''],
      ['2', '0', '1', String(sizes.page), base32(OTHER), '', './c/page.html', ''],
      ['2', '0', '1', String(sizes.other), base32(OTHER), '', './d.txt', ''],
      [''],
    ]);
  });

  test('are an object each with --json, the keys in their order', async () => {
    const { code, stdout } = await run(['dupes', '--json', 'a.txt', 'b', 'd.txt'], { cwd });
    const document = (path: string, text: string, away: number, overlap: number, identical: boolean) => ({
      path,
      fingerprint: base32(text),
      distance: away,
      overlap,
      size: text.length,
      tokens: 400,
      identical,
    });
    const documents = [
      document('a.txt', ORIGINAL, 0, 1, false),
      document('b/copy.txt', ORIGINAL, 0, 1, true),
      document('b/near.txt', NEAR, AWAY, 0.9851, false),
    ];
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ label, verified: true, documents, reclaimable: sizes.text + sizes.near })}\n`,
    });
  });

  test('have equal fingerprints with -k 0', async () => {
    const stdout = await stdoutOf(['dupes', '-k', '0', '--tsv', '.'], { cwd });
    expect(stdout.split('\n').map((row) => row.split('\t').at(-2))).toEqual([
      './a.txt',
      './b/copy.txt',
      './c/page.html',
      './d.txt',
      undefined,
    ]);
    expect(await stdoutOf(['dupes', '--distance', String(AWAY - 1), '--tsv', '.'], { cwd })).toBe(stdout);
  });

  test('are the same, in the same order, with --jobs', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`${String(i).padStart(2, '0')}.txt`, textOf(i % 20, i % 2)]),
    );
    const many = folder(files);
    const outputs = await Promise.all(
      firstRows(2, ['1', '2', '4']).map((jobs) => run(['dupes', '-j', jobs, '--json', '.'], { cwd: many })),
    );
    expect(jsonLines(outputs[0]!.stdout).length).toBe(20);
    for (const { code, stdout } of outputs) expect({ code, stdout }).toEqual({ code: 0, stdout: outputs[0]!.stdout });
  });

  test('come in the order of the bytes to reclaim', async () => {
    const sizes = folder({
      'small 1': textOf(5).slice(0, 200),
      'small 2': textOf(5).slice(0, 200),
      'large 1': textOf(6),
      'large 2': textOf(6),
    });
    const stdout = await stdoutOf(['dupes', '--json', '.'], { cwd: sizes });
    expect(jsonLines(stdout).map(({ documents }) => (documents as { path: string }[])[0]!.path)).toEqual([
      './large 1',
      './small 1',
    ]);
  });
});

describe('pairs of dupes', () => {
  const text = line('a', 0n) + line('b', 7n) + line('c', 0n) + line('tab\t\\\n', 15n) + line('far', 2n ** 64n - 1n);
  const pairs = [
    { a: 'a', b: 'b', distance: 3 },
    { a: 'a', b: 'c', distance: 0 },
    { a: 'b', b: 'tab\t\\\n', distance: 1 },
  ];
  const sorted = (rows: string[]): string[] => rows.filter((row) => row !== '').sort();

  test('are a line each with --json', async () => {
    const { code, stdout } = await run(['dupes', '--pairs', '--json'], { stdin: text });
    expect(code).toBe(0);
    expect(sorted(stdout.split('\n'))).toEqual(sorted(pairs.map((pair) => JSON.stringify(pair))));
  });

  test('are printed with --tsv, and for people', async () => {
    const { stdout } = await run(['dupes', '--pairs', '--tsv', '-'], { stdin: text });
    expect(sorted(stdout.split('\n'))).toEqual(sorted(['a\tb\t3\t\t', 'a\tc\t0\t\t', 'b\ttab\\t\\\\\\n\t1\t\t']));
    expect(sorted((await run(['dupes', '--pairs', '-k', '1'], { stdin: text })).stdout.split('\n'))).toEqual(
      sorted([
        'fingerprints are equal: distance 0 of 64  a  c',
        'fingerprints are near: distance 1 of 64  b  tab\\x09\\\\x0a',
      ]),
    );
  });

  test('are printed as they are found', async () => {
    const count = IS_SLOW ? 100_000 : 4000;
    const lines = Array.from({ length: count + 1 }, (_, i) => line(`document ${i}`, 5n)).join('');
    const { code, stdout } = await run(['dupes', '--pairs', '--tsv'], { stdin: lines });
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBe(count + 1);
    const cwd = folder({ lines });
    const quick = await shell('"$@" | head -1', ['dupes', '--pairs', '--tsv', 'lines'], cwd);
    expect(quick).toEqual({ code: 0, stdout: 'document 0\tdocument 1\t0\t\t\n', stderr: NOT_VERIFIED('lines') });
  });
});

describe('dupes reads JSON Lines of fingerprints', () => {
  const cwd = folder({ 'a.txt': ORIGINAL, 'b.txt': NEAR, 'c.txt': OTHER, 'none.txt': '123' });

  test('from hash --json, in a file, on stdin and through a pipe', async () => {
    const text = await stdoutOf(['hash', '--json', '--label', label, 'a.txt', 'b.txt', 'c.txt'], { cwd });
    writeFileSync(join(cwd, 'lines.jsonl'), text);
    const documents = [
      { path: 'a.txt', fingerprint: base32(ORIGINAL), distance: 0, size: null },
      { path: 'b.txt', fingerprint: base32(NEAR), distance: AWAY, size: null },
    ];
    const stdout = `${JSON.stringify({ label, verified: false, documents })}\n`;
    for (const [args, stdin] of [
      [['lines.jsonl'], ''],
      [['-'], text],
      [[], text],
      [[], Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))],
      [[], ` \n\n${text.replaceAll('\n', '\r\n')}`],
    ] as const)
      expect(await run(['dupes', '--json', ...args], { cwd, stdin })).toEqual({
        code: 0,
        stdout,
        stderr: NOT_VERIFIED(args[0] === 'lines.jsonl' ? 'lines.jsonl' : '-'),
      });
    const people = await run(['dupes', 'lines.jsonl'], { cwd });
    expect(people.stdout).toBe(
      `2 candidates\nkeep  a.txt\n   ${AWAY}  b.txt\n\n1 group of 2 candidates among 3 documents, compared by fingerprint only\n`,
    );
    expect(await run(['dupes', '--no-verify', 'lines.jsonl'], { cwd })).toEqual({ ...people, stderr: '' });
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const piped = await shell('cat lines.jsonl > pipe & "$@"', ['dupes', '--json', 'pipe'], cwd);
    expect(piped).toEqual({ code: 0, stdout, stderr: NOT_VERIFIED('pipe') });
  });

  test('together with documents', async () => {
    writeFileSync(join(cwd, 'old.jsonl'), line('old', fingerprint(ORIGINAL)!));
    const { code, stdout } = await run(['dupes', '--tsv', 'c.txt', 'old.jsonl', 'a.txt'], { cwd });
    expect(code).toBe(0);
    const same = serialise(fingerprint(ORIGINAL)!);
    expect(stdout).toBe(`1\t0\t\t\t${same}\t\told\t\n1\t0\t\t${ORIGINAL.length}\t${same}\t\ta.txt\t\n`);
  });

  test('from an exported index, with ids', async () => {
    const lines = ['x', 'y'].map((id) => JSON.stringify({ id, label: LABEL, fingerprint: serialise(3n) })).join('\n');
    expect((await run(['dupes', '--pairs', '--tsv'], { stdin: lines })).stdout).toBe('x\ty\t0\t\t\n');
  });

  test('and reports other lines with their numbers and their count', async () => {
    const lines = [
      line('a', 1n),
      '\n',
      'nonsense\n',
      `${JSON.stringify({ path: 'failed.txt', error: { code: 'empty', message: 'the document is empty' } })}\n`,
      line('b', 1n, 'minhash-doc+bg1'),
      `${JSON.stringify({ path: 'c', label: LABEL, fingerprint: 'AAAAAAAAAAAAB' })}\n`,
      `${JSON.stringify({ path: 5, label: LABEL, fingerprint: 'AAAAAAAAAAAAA' })}\n`,
      `${JSON.stringify({ path: 'd', fingerprint: 'AAAAAAAAAAAAA' })}\n`,
      line('e', 1n),
    ].join('');
    const { code, stdout, stderr } = await run(['dupes', '--pairs', '--tsv'], { stdin: lines });
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'a\te\t0\t\t\n' });
    expect(stderr.split('\n').map((each) => each.slice(0, 34))).toEqual([
      'simhash-doc: -:3: expected a JSON ',
      'simhash-doc: failed.txt: the docum',
      'simhash-doc: -:5: label: expected ',
      'simhash-doc: -:6: fingerprint: exp',
      'simhash-doc: -:7: path: expected a',
      'simhash-doc: -:8: label: expected ',
      'simhash-doc: - has no documents th',
      'simhash-doc: 6 of 8 documents fail',
      '',
    ]);
  });

  test('and reports lines that are not UTF-8', async () => {
    const stdin = Buffer.concat([
      Buffer.from(line('a', 1n)),
      Buffer.from([0x7b, 0xff, 0x0a]),
      Buffer.from(line('b', 1n)),
    ]);
    const { code, stdout, stderr } = await run(['dupes', '--pairs', '--tsv'], { stdin });
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'a\tb\t0\t\t\n' });
    expect(stderr).toContain('-:2: expected a JSON object in UTF-8');
  });

  test('but reads other JSON as a document', async () => {
    const texts = ['{"title": "some words"}', '{ not json', '[{"label":"x"}]', '{"fingerprint":5,"label":"x"}'];
    for (const text of texts) {
      const folderOf = folder({ 'a.json': text, 'b.json': text });
      expect(await run(['dupes', '--tsv', 'a.json', 'b.json'], { cwd: folderOf })).toMatchObject({
        code: 0,
        stdout: ['a.json', 'b.json'].map((path) => `1\t0\t1\t${text.length}\t${base32(text)}\t\t${path}\t\n`).join(''),
      });
    }
    // In a folder, only documents are searched for.
    const inside = folder({ 'a.json': line('x', 1n), 'b.json': line('x', 1n) });
    expect(await stdoutOf(['dupes', '--tsv', '.'], { cwd: inside })).toContain('./a.json\t\n');
  });
});

describe('dupes', () => {
  test('reads a document on stdin, text or HTML', async () => {
    const cwd = folder({ 'a.txt': ORIGINAL });
    for (const stdin of [ORIGINAL, `<!doctype html><p>${ORIGINAL}`]) {
      const { code, stdout } = await run(['dupes', '--tsv', 'a.txt', '-'], { cwd, stdin });
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `1\t0\t\t${ORIGINAL.length}\t${base32(ORIGINAL)}\t\ta.txt\t\n1\t0\t\t${stdin.length}\t${base32(ORIGINAL)}\t\t-\t\n`,
      });
    }
  });

  test('reads with --charset and --type as hash does', async () => {
    const cwd = folder({
      'latin.txt': Buffer.from('caf\xe9 au lait', 'latin1'),
      'same.txt': Buffer.from('caf\xe9 au lait', 'latin1'),
      'utf8.txt': 'café au lait',
    });
    expect((await run(['dupes', 'latin.txt', 'utf8.txt'], { cwd })).stdout).toBe('');
    const stdout = await stdoutOf(['dupes', '--charset', 'latin1', '--pairs', '--tsv', 'latin.txt', 'same.txt'], {
      cwd,
    });
    expect(stdout).toBe('latin.txt\tsame.txt\t0\t1\t\n');
    const markup = folder({ a: '<p>some <b>words', b: 'some words' });
    expect((await run(['dupes', '--type', 'text', '.'], { cwd: markup })).stdout).toBe('');
    expect(await stdoutOf(['dupes', '--type', 'html', '.'], { cwd: markup })).not.toBe('');
  });

  test('shows documents that are contained in a longer one, and never removes them', async () => {
    const words = textOf(1).split(' ');
    const [part, mixed] = [words.slice(0, 280), [...words.slice(0, 260), ...textOf(2).split(' ').slice(0, 20)]];
    const cwd = folder({
      'long.txt': ORIGINAL,
      'part.txt': part.join(' '),
      'mixed.txt': mixed.join(' '),
      'other.txt': OTHER,
    });
    const found = jsonLines(await stdoutOf(['dupes', '--json', '--min-overlap', '0.95', '.'], { cwd }));
    expect(found).toEqual([
      { contained: './part.txt', in: './long.txt', share: 1, distance: apart(part.join(' '), ORIGINAL), overlap: 0.7 },
    ]);
    expect(await stdoutOf(['dupes', '--min-overlap', '0.95', '.'], { cwd })).toMatch(
      /^1 document contained in a longer one\n +\d+ {2}1\.000 {2}\.\/part\.txt {2}in {2}\.\/long\.txt\n$/,
    );
    for (const option of ['--script', '--print0'])
      expect((await run(['dupes', option, '--min-overlap', '0.95', '.'], { cwd })).stdout).not.toContain('part.txt');
    expect((await run(['dupes', '--fail-if-found', '--min-overlap', '0.95', '.'], { cwd })).code).toBe(0);
  });

  test('marks a file with a hard link among the files, which frees nothing', async () => {
    const cwd = folder({ 'a.txt': ORIGINAL, 'b.txt': ORIGINAL, 'c.txt': NEAR });
    linkSync(join(cwd, 'b.txt'), join(cwd, 'link.txt'));
    const [group] = jsonLines((await run(['dupes', '--json', '.'], { cwd })).stdout);
    expect(group).toMatchObject({
      documents: [{ path: './a.txt' }, { path: './b.txt', flags: ['link'] }, { path: './c.txt' }],
    });
    expect(group!['reclaimable']).toBe(NEAR.length);
    for (const option of ['--print0', '--script']) {
      const { stdout } = await run(['dupes', option, '.'], { cwd });
      expect([stdout.includes('c.txt'), stdout.includes('b.txt')]).toEqual([true, false]);
    }
  });

  test('reports and counts documents that cannot be read, and reads the others', async () => {
    const cwd = folder({ 'a.txt': ORIGINAL, 'b.txt': ORIGINAL, 'empty.txt': '', 'none.txt': '12 34', 'one.txt': '1' });
    symlinkSync('nowhere', join(cwd, 'broken'));
    const { code, stdout, stderr } = await run(['dupes', '--tsv', '.', 'empty.txt', './none.txt', './one.txt'], {
      cwd,
    });
    expect(code).toBe(3);
    expect(stdout.split('\n').length).toBe(3);
    for (const message of [
      './none.txt: no letters',
      'skipped 2 files: not documents (1 empty, 1 links to nothing)',
      '2 of 4 documents failed',
    ])
      expect(stderr).toContain(`simhash-doc: ${message}`);
  });

  test('reads a last line without a line feed', async () => {
    const cwd = folder({ 'lines.jsonl': line('a', 1n) });
    appendFileSync(join(cwd, 'lines.jsonl'), line('b', 1n).trimEnd());
    expect((await run(['dupes', '--pairs', '--tsv', 'lines.jsonl'], { cwd })).stdout).toBe('a\tb\t0\t\t\n');
  });
});

describe('dupes exits', () => {
  test.each<[string, number, string[], string]>([
    ['no two alike', 0, ['a.txt', 'b.txt'], 'simhash-doc: no two of 2 documents are similar\n'],
    ['one document', 0, ['a.txt'], 'simhash-doc: only one document: expected at least two to compare\n'],
    ['no document', 0, ['nothing'], 'simhash-doc: no documents found in nothing\n'],
    ['no input', 3, [], 'simhash-doc: -: standard input is empty: name a PATH?\n'],
  ])('with its code for %s: %i', async (_, code, args, stderr) => {
    const cwd = folder({ 'a.txt': ORIGINAL, 'b.txt': OTHER });
    mkdirSync(join(cwd, 'nothing', 'inside'), { recursive: true });
    expect(await run(['dupes', ...args], { cwd })).toEqual({ code, stdout: '', stderr });
  });
});

testWrongUsage('dupes', [
  [['-k', '65', '.'], '--distance: expected a whole number from 0 to 64, got "65"'],
  [['-k', '8', '--label', LABEL, '.'], '--distance: expected a whole number from 0 to 7, got "8"'],
  [['-k', '-1', '.'], '--distance: expected a whole number from 0 to 64, got "-1"'],
  [['-k', 'x', '.'], '--distance: expected a whole number from 0 to 64, got "x"'],
  [['-k', '1.5', '.'], '--distance: expected'],
  [['--jobs', '0', '.'], '--jobs: expected a whole number from 1 to 256, got "0"'],
  [['-', '-'], 'can be read only once'],
  [['--type', 'nope', '.'], 'nope'],
  [['--charset', 'nope', '.'], 'nope'],
  [['--label', '.'], '--label: expected one of simhash-doc, '],
  [['--labelled', '.'], "unknown option '--labelled'"],
]);

test('dupes on a terminal without PATH reads the current folder', async () => {
  const cwd = folder({ 'a.txt': 'one two three four', 'b.txt': 'one two three four' });
  const { code, stdout } = await runOnTerminal(['dupes'], cwd);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 group of 2 among 2 documents') });
});

test('dupes names the files of PATH that are also in --against', async () => {
  const cwd = folder({ 'a.txt': 'one two three four' });
  mkdirSync(join(cwd, 'sub'));
  writeFileSync(join(cwd, 'sub/b.txt'), 'one two three four');
  const { stderr } = await run(['dupes', 'sub', '--against', '.'], { cwd });
  expect(stderr).toContain('nothing to compare: --against has 1 file of PATH, which is all of PATH (without');
});

slowTest('dupes compares documents with more distinct tokens than it holds in parts', async () => {
  const words = Array.from({ length: 2_500_000 }, (_, i) => `w${i.toString(36)}`);
  // These decide the bits, so that the fingerprints are near.
  const frequent = ' eight words that decide the bits of it'.repeat(200_000);
  const cwd = folder({ 'a.txt': words.join(' ') + frequent, 'b.txt': words.slice(0, 2_250_000).join(' ') + frequent });
  const stdout = await stdoutOf(['dupes', '--json', '--pairs', '.'], { cwd });
  const overlap = Math.floor((10_000 * 3_850_000) / 4_100_000) / 10_000;
  expect(jsonLines(stdout)).toMatchObject([{ a: './a.txt', b: './b.txt', overlap }]);
});
