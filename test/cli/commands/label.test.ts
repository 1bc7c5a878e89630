import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  distance as distanceOf,
  explain,
  fingerprint as fingerprintOf,
  formatLabelled,
  LABELS,
  serialise,
  toHex,
} from '../../../src/index.ts';
import { wordsOf } from '../../../src/scheme/labels/fingerprint.ts';
import { httpOf, warcRecord } from '../archives.ts';
import { folder, jsonLines, run, stdoutOf } from '../command.ts';

const TEXT = '類似文書を検索する and the first page of this text';
const OTHER = '類似文書を検索した and the second page of this text';
const WIDE = 'minhash-doc-256';
const fingerprint = (text: string, label: string) => fingerprintOf(text, { label })!;
const of = (text: string, label: string): string => serialise(fingerprint(text, label));
const shout = (label: string): string => label.toUpperCase();

describe('hash --label', () => {
  test.each(LABELS)('prints fingerprints of %s for all kinds of input', async (label) => {
    const names = Array.from({ length: 40 }, (_, i) => `${i}.txt`);
    const cwd = folder({
      ...Object.fromEntries(names.map((name) => [name, TEXT])),
      'x.html': `<meta charset=utf-8><p>${TEXT}</p>`,
    });
    for (const jobs of ['1', '2']) {
      const stdout = await stdoutOf(['hash', '--label', shout(label), '-j', jobs, '.'], { cwd });
      const lines = stdout.trimEnd().split('\n');
      expect(new Set(lines.map((line) => line.split('  ')[0]))).toEqual(new Set([`${label}:${of(TEXT, label)}`]));
      expect(lines).toHaveLength(41);
    }
    const stdout = await stdoutOf(['hash', '--json', '--label', label, '-'], { cwd, stdin: TEXT });
    const expected = { label, fingerprint: of(TEXT, label), hex: toHex(fingerprint(TEXT, label)) };
    expect(jsonLines(stdout)).toMatchObject([expected]);
    expect([expected.fingerprint.length, expected.hex.length]).toEqual(label === WIDE ? [52, 64] : [13, 16]);
    const raw = await run(['hash', '--bare', '--raw', '--label', label, '-'], { cwd, stdin: TEXT });
    expect(raw.stdout).toBe(`${of(TEXT, label)}\n`);
    const explained = await run(['explain', '--json', '--label', label, 'x.html'], { cwd });
    expect(jsonLines(explained.stdout)).toMatchObject([expected]);
  });

  test('given several times prints a line for each, in one pass, here and in workers', async () => {
    const files = { a: TEXT, 'b.html': `<meta charset=utf-8><p>${OTHER}`, 'c.txt': `${TEXT}\n`.repeat(40_000) };
    const cwd = folder({ ...files, 'd.jsonl': JSON.stringify({ text: TEXT }) });
    const labels = LABELS.flatMap((label) => ['--label', shout(label)]);
    const expected = Object.entries({ a: TEXT, 'b.html': OTHER, 'c.txt': files['c.txt'] }).flatMap(([name, text]) =>
      LABELS.map((label) => `${label}:${of(text, label)}  ${name}\n`),
    );
    for (const jobs of ['1', '2'])
      expect(await stdoutOf(['hash', ...labels, '-j', jobs, ...Object.keys(files)], { cwd })).toBe(expected.join(''));
    const rows = await stdoutOf(['hash', '--json', ...labels, '--text-field', 'text', 'd.jsonl'], { cwd });
    expect(jsonLines(rows).map((each) => [each['label'], each['fingerprint'], each['tokens']])).toEqual(
      LABELS.map((label) => [label, of(TEXT, label), explain(TEXT, { label }).tokens.length]),
    );
    const list = await stdoutOf(['hash', ...labels, 'a', 'b.html'], { cwd });
    const check = (stdin: string) => run(['hash', '--check', '-'], { cwd, stdin });
    expect(await check(list)).toMatchObject({ code: 0, stdout: 'a: OK\nb.html: OK\n' });
    expect(await check(list.replace(of(TEXT, 'minhash-doc'), of(OTHER, 'minhash-doc')))).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^a: CHANGED, .*\nb.html: OK\n$/),
    });
    expect(await run(['hash', '--bare', '--label', WIDE, '--label', WIDE, 'a'], { cwd })).toMatchObject({
      stdout: `${of(TEXT, WIDE)}\n`,
    });
    expect(await run(['hash', '--cdxj', ...labels, 'a'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--cdxj: expected one --label, got 4'),
    });
  });

  test('--cdxj prints the fingerprint of the label', async () => {
    const cwd = folder({ 'x.warc': warcRecord(httpOf('text/html; charset=utf-8', `<p>${TEXT}`)) });
    const stdout = await stdoutOf(['hash', '--cdxj', '--label', WIDE, 'x.warc'], { cwd });
    expect(stdout).toContain(`"document-fingerprint":"${WIDE}:${of(TEXT, WIDE)}"`);
  });

  test.each(['cap8', 'minhash-doc+bg1', 'minhash-doc-64', 'none', ''])(
    'rejects %j, and lists the known labels',
    async (label) => {
      const { code, stderr } = await run(['hash', `--label=${label}`, '-'], { stdin: TEXT });
      expect(code).toBe(2);
      expect(stderr).toContain(`--label: expected one of ${LABELS.join(', ')}, got ${JSON.stringify(label)}`);
    },
  );
});

describe('compare --label', () => {
  test.each(LABELS)('compares two documents, and fingerprints with and without the label %s', async (label) => {
    const cwd = folder({ a: TEXT, b: OTHER });
    const expected = distanceOf(fingerprint(TEXT, label), fingerprint(OTHER, label));
    const b = formatLabelled(label, fingerprint(OTHER, label));
    for (const args of [
      ['a', 'b'],
      ['a', shout(b)],
      ['a', b.split(':')[1]!],
      [of(TEXT, label).toLowerCase() + (label === WIDE ? '====' : '==='), 'b'],
    ]) {
      const { stdout } = await run(['compare', '--json', '--label', label, ...args], { cwd });
      expect(jsonLines(stdout)).toMatchObject([{ label, distance: expected, a: { fingerprint: of(TEXT, label) } }]);
    }
  });

  test('rejects two labels before anything is read, and names both', async () => {
    const b = formatLabelled('minhash-doc', fingerprint(TEXT, 'minhash-doc'));
    const missing = await run(['compare', 'no-such-file', b, '--label', 'simhash-doc']);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('labels differ (minhash-doc, simhash-doc): not comparable\n');
    const given = await run(['compare', b, formatLabelled(WIDE, fingerprint(TEXT, WIDE))]);
    expect(given.stderr).toContain(`labels differ (minhash-doc, ${WIDE}): not comparable\n`);
  });
});

test('explain --diff --label counts the tokens of the label', async () => {
  const cwd = folder({ a: TEXT, b: OTHER });
  const stdout = await stdoutOf(['explain', '--diff', '--json', '--label', 'simhash-doc+bg1', 'a', 'b'], { cwd });
  const [{ differences }] = jsonLines(stdout) as [{ differences: { token: string }[] }];
  expect(differences.map(({ token }) => token).filter((token) => token > '\u3000')).toEqual([
    'した',
    'する',
    '索し',
    '索す',
  ]);
});

describe('dupes', () => {
  const line = (label: string): string => `${JSON.stringify({ path: label, label, fingerprint: of(TEXT, label) })}\n`;

  test('rejects two labels in one run, and names both', async () => {
    const cwd = folder({ a: TEXT, lines: line('minhash-doc') });
    const found = await run(['dupes', '--no-verify', '--label', 'simhash-doc', 'a', 'lines'], { cwd });
    expect(found.stderr).toContain('its label is minhash-doc, and the others have simhash-doc');
  });

  test('fingerprints documents under the label of the first fingerprints, whatever their position', async () => {
    const label = 'simhash-doc+bg1';
    const failed = `${JSON.stringify({ path: 'b', error: { code: 'no-tokens', message: 'it has no fingerprint' } })}\n`;
    const cwd = folder({ a: TEXT, lines: failed + line(label) });
    const { stdout } = await run(['dupes', '--no-verify', '--json', 'a', 'lines'], { cwd });
    expect(jsonLines(stdout).at(-1)).toMatchObject({ label, documents: [{ path: 'a' }, { path: label }] });
  });

  test('compares JSON Lines of 256-bit fingerprints by distance alone', async () => {
    const near = { ...JSON.parse(line(WIDE)), path: 'near', fingerprint: of(`${TEXT}. More`, WIDE) };
    const cwd = folder({ lines: `${line(WIDE)}${JSON.stringify(near)}\n`, a: TEXT, b: OTHER });
    const distance = distanceOf(fingerprint(TEXT, WIDE), fingerprint(`${TEXT}. More`, WIDE));
    expect(distance).toBeGreaterThan(7);
    const documents = [
      { path: WIDE, fingerprint: of(TEXT, WIDE), distance: 0 },
      { path: 'near', fingerprint: of(`${TEXT}. More`, WIDE), distance },
    ];
    const stdin = readFileSync(join(cwd, 'lines'), 'utf8');
    for (const path of ['lines', '-']) {
      const { code, stdout } = await run(['dupes', '--json', path], { cwd, stdin });
      expect(code).toBe(0);
      expect(jsonLines(stdout)).toMatchObject([{ label: WIDE, verified: false, documents }]);
    }
    const beside = await run(['dupes', '--json', '-k', '0', 'a', 'b', 'lines'], { cwd });
    expect(jsonLines(beside.stdout)).toMatchObject([{ label: WIDE, documents: [{ path: 'a' }, { path: WIDE }] }]);
  });
});

describe('index', () => {
  test('has one label, with which documents are added and looked up', async () => {
    const cwd = folder({ 'docs/a': TEXT, 'docs/b': OTHER });
    const label = 'minhash-doc';
    expect(await run(['index', 'create', 'store', '--label', 'MinHash-Doc'], { cwd })).toMatchObject({ code: 0 });
    expect(await run(['index', 'add', 'store', 'docs'], { cwd })).toMatchObject({ code: 0 });
    const expected = [{ id: join(realpathSync(cwd), 'docs/a'), label, fingerprint: of(TEXT, label), distance: 0 }];
    for (const query of ['docs/a', of(TEXT, label), shout(formatLabelled(label, fingerprint(TEXT, label)))]) {
      const stdout = await stdoutOf(['index', 'query', 'store', query, '--json', '--limit', '1'], { cwd });
      expect(jsonLines(stdout)).toMatchObject(expected);
    }
    const { code, stderr } = await run(['index', 'add', 'store', 'docs', '--label', 'simhash-doc+bg1'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`an index of simhash-doc+bg1, got ${JSON.stringify(label)}`);
    const wide = await run(['index', 'query', 'store', of(TEXT, WIDE)], { cwd });
    expect(wide).toMatchObject({ code: 2 });
    expect(wide.stderr).toContain(`a fingerprint of minhash-doc-256; the index has ${label}: not comparable`);
    const other = await run(['index', 'query', 'store', formatLabelled(WIDE, fingerprint(TEXT, WIDE))], { cwd });
    expect(other.stderr).toContain(label);
    expect(other.code).not.toBe(0);
  });

  test('stores 256 bits: documents, fingerprints of both forms, and JSON Lines', async () => {
    const cwd = folder({ 'docs/a': TEXT, 'docs/b': OTHER });
    expect(await stdoutOf(['index', 'add', 'store', '--label', WIDE, 'docs'], { cwd })).toContain('added 2 doc');
    const distance = distanceOf(fingerprint(TEXT, WIDE), fingerprint(OTHER, WIDE));
    const match = (name: string, text: string, distance: number) => ({
      id: join(realpathSync(cwd), 'docs', name),
      label: WIDE,
      fingerprint: of(text, WIDE),
      distance,
    });
    const matches = [match('a', TEXT, 0), match('b', OTHER, distance)];
    const labelled = formatLabelled(WIDE, fingerprint(TEXT, WIDE));
    for (const query of ['docs/a', of(TEXT, WIDE), `${of(TEXT, WIDE)}====`, labelled, shout(labelled)]) {
      const stdout = await stdoutOf(['index', 'query', 'store', query, '--json', '-k', '64'], { cwd });
      expect(jsonLines(stdout)).toEqual(matches.map((each) => ({ query, ...each })));
    }
    expect((await run(['index', 'query', 'store', 'docs/a', '-k', '64'], { cwd })).stdout).toBe(
      matches
        .map((each, i) => `${String(each.distance).padStart(3)} of 256  ${each.fingerprint}  docs/${'ab'[i]}\n`)
        .join(''),
    );
    // The nearest word finds the other document, which is farther away than every document that is certain to be found.
    const words = (text: string): bigint[] => wordsOf('text', fingerprint(text, WIDE)!);
    const k = Math.min(...words(TEXT).map((word, i) => distanceOf(word, words(OTHER)[i]!)));
    expect(distance).toBeGreaterThan(4 * k + 3);
    const cut = await run(['index', 'query', 'store', 'docs/a', '-k', `${k}`, '--limit', '1'], { cwd });
    expect(cut.stdout).toContain(`  … more at distance ${distance} or beyond\n`);
    const lines = await stdoutOf(['index', 'export', 'store'], { cwd });
    expect(lines.split('\n')).toContain(
      JSON.stringify({ id: matches[0]!.id, label: WIDE, fingerprint: of(TEXT, WIDE) }),
    );
    expect(await stdoutOf(['index', 'import', 'copy', '-'], { cwd, stdin: lines })).toContain('added 2 documents');
  });
});
