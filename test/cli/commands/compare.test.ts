import { describe, expect, test } from 'vitest';
import { compare, fingerprint, formatLabelled, LABEL, type Label, serialise } from '../../../src/index.ts';
import { slowTest } from '../../suite.ts';
import { folder, run, stdoutOf, testWrongUsage } from '../command.ts';

const A = 'the quick brown fox jumps over the lazy dog';
const B = 'the quick brown fox jumps over the lazy cat';
const C = 'the quick brown fox jumped over a lazy dog';
const WIDE = 'minhash-doc-256';
const cwd = folder({ 'a.txt': A, 'b.txt': B, 'c.txt': C, 'digits.txt': '1', GAQM5KRDOWTU4: 'a file with such a name' });
const base32 = (text: string, label: Label = WIDE) => serialise(fingerprint(text, { label })!);
const labelled = (text: string, label: Label = WIDE) => formatLabelled(label, fingerprint(text, { label })!);

describe('compare with documents', () => {
  test('prints the keys of --json in their order', async () => {
    const { distance } = compare(labelled(A), labelled(B));
    const { stdout, stderr } = await run(['compare', '--json', 'a.txt', '-'], { cwd, stdin: B });
    const answer = `near-duplicate: 80 % of the words are shared; distance ${distance} of 256`;
    const a = { path: 'a.txt', fingerprint: base32(A) };
    const b = { path: '-', fingerprint: base32(B) };
    expect(stdout).toBe(
      `${JSON.stringify({ answer, near: true, a, b, label: WIDE, distance, overlap: 0.8, differs: [] })}\n`,
    );
    expect(stderr).toBe('');
  });

  test('prints one sentence for a person', async () => {
    const { distance } = compare(labelled(A), labelled(B));
    const stdout = await stdoutOf(['compare', 'a.txt', 'b.txt'], { cwd });
    expect(stdout).toBe(`near-duplicate: 80 % of the words are shared; distance ${distance} of 256\n`);
    expect(await stdoutOf(['compare', 'a.txt', 'a.txt'], { cwd })).toBe('same words; distance 0 of 256\n');
  });

  test('decides by the words, whatever the label and the distance; --min-overlap sets the share', async () => {
    const { distance, verdict } = compare(labelled(A, LABEL), labelled(C, LABEL));
    expect(verdict).toBe('none');
    const shared = `63 % of the words are shared; distance ${distance} of 64`;
    for (const [minOverlap, code, answer] of [
      ['0.8', 1, `not near-duplicates: ${shared}`],
      ['0.6', 0, `near-duplicate: ${shared}`],
    ] as const) {
      const options = ['--label', LABEL, '--min-overlap', minOverlap];
      const result = await run(['compare', 'a.txt', 'c.txt', ...options], { cwd });
      expect([result.code, result.stdout.split('\n')[0]]).toEqual([code, answer]);
    }
  });
});

describe('compare with fingerprints', () => {
  test.each([
    ['AAAAAAAAAAAAA', 'AAAAAAAAAAAAA', 0, 'close', 'equal'],
    ['AAAAAAAAAAAAA', 'AAAAAAAAAAAAC', 1, 'close', 'near'],
    ['AAAAAAAAAAAAA', 'AAAAAAAAAAAAG', 2, 'loose', 'near'],
    ['AAAAAAAAAAAAA', 'AAAAAAAAAAA76', 9, 'none', 'not near'],
    ['AAAAAAAAAAAAA', '777777777777' + '6', 64, 'none', 'not near'],
  ])('prints the distance of %s and %s', async (a, b, distance, verdict, words) => {
    const labelledArgs = ['compare', '--json', `${LABEL}:${a}`, `SimHash-Doc:${b.toLowerCase()}===`];
    for (const args of [labelledArgs, ['compare', '--json', '--label', LABEL, a, b]]) {
      const result = await run(args);
      expect(result.code).toBe(verdict === 'none' ? 1 : 0);
      expect(JSON.parse(result.stdout)).toEqual({
        answer: `fingerprints are ${words}: distance ${distance} of 64`,
        near: verdict !== 'none',
        a: { path: null, fingerprint: a },
        b: { path: null, fingerprint: b },
        label: LABEL,
        distance,
        similarity: 1 - distance / 64,
        verdict,
      });
    }
  });

  test('takes 52 characters without a label', async () => {
    const { distance } = compare(labelled(A), labelled(B));
    const { stdout } = await run(['compare', '--json', base32(A).toLowerCase(), base32(B)]);
    expect(JSON.parse(stdout)).toMatchObject({ a: { path: null, fingerprint: base32(A) }, label: WIDE, distance });
  });

  test('hashes a document under the label of the fingerprint, and decides by the distance', async () => {
    for (const label of ['minhash-doc', LABEL, WIDE] as const) {
      const { stdout, code } = await run(['compare', labelled(A, label), 'a.txt'], { cwd });
      expect([code, stdout.split('\n')[0]]).toEqual([
        0,
        `fingerprints are equal: distance 0 of ${label === WIDE ? 256 : 64}`,
      ]);
    }
    const wide = await run(['compare', '--json', 'a.txt', base32(B)], { cwd });
    expect(JSON.parse(wide.stdout)).toMatchObject({ a: { path: 'a.txt' }, b: { path: null }, label: WIDE });
  });

  test('reads 13 characters as a path without --label, or if there is such a file', async () => {
    for (const options of [[], ['--label', LABEL]]) {
      const { stdout } = await run(['compare', '--json', 'GAQM5KRDOWTU4', 'a.txt', ...options], { cwd });
      expect(JSON.parse(stdout).a.path).toBe('GAQM5KRDOWTU4');
    }
    const args = ['compare', '--json', 'AAAAAAAAAAAAA', 'a.txt', '--label', LABEL];
    expect(JSON.parse((await run(args, { cwd })).stdout)).toMatchObject({ a: { path: null }, b: { path: 'a.txt' } });
  });

  test('explains why the name of a missing file is not a valid fingerprint', async () => {
    expect((await run(['compare', 'A'.repeat(52), 'a.txt', '--label', LABEL], { cwd })).stderr).toContain(
      'no such file or folder (a fingerprint of such a length has the label minhash-doc-256)',
    );
    const unknown = await run(['compare', 'sim:AAAAAAAAAAAAA', 'a.txt'], { cwd });
    expect(unknown.stderr).toContain('(for a fingerprint, use one of the labels simhash-doc, ');
    const mistyped = await run(['compare', `${'A'.repeat(51)}B`, 'a.txt'], { cwd });
    expect(mistyped.stderr).toContain('no such file or folder (and not a valid fingerprint: ');
  });
});

describe('compare fails', () => {
  test('for a document without a fingerprint', async () => {
    const { code, stdout } = await run(['compare', '--json', 'digits.txt', 'a.txt'], { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ path: 'digits.txt', error: { code: 'no-tokens' } });
  });

  testWrongUsage(
    'compare',
    [
      [[], 'expected two documents or fingerprints, got 0'],
      [['a.txt'], 'expected two documents or fingerprints, got 1'],
      [['a.txt', 'a.txt', 'a.txt'], 'expected two documents or fingerprints, got 3'],
      [['-', '-'], 'can be read only once'],
      [['simhash-doc:', 'a.txt'], '13 characters'],
      [['simhash-doc+x:GAQM5KRDOWTU4', 'a.txt'], 'label: expected one of simhash-doc'],
      [['minhash-doc-256:GAQM5KRDOWTU4', 'a.txt'], '52 characters'],
      [['minhash-doc:GAQM5KRDOWTU4', 'a.txt', '--label', WIDE], 'labels differ (minhash-doc, minhash-doc-256)'],
      [
        ['minhash-doc:GAQM5KRDOWTU4', 'a.txt', '--min-overlap', '0.5'],
        '--min-overlap compares documents: minhash-doc:GAQM5KRDOWTU4 is a fingerprint',
      ],
    ],
    cwd,
  );
});

slowTest('compares documents of many distinct tokens, which are counted in parts', async () => {
  const words = Array.from({ length: 2_200_000 }, (_, i) => `w${i.toString(36)}`);
  const files = folder({ a: words.join(' '), b: words.slice(0, 2_090_000).join(' ') });
  const { stdout } = await run(['compare', '--json', 'a', 'b'], { cwd: files });
  expect(JSON.parse(stdout)).toMatchObject({ overlap: 0.95 });
  const one = await run(['compare', '--json', 'a', 'simhash-doc:AAAAAAAAAAAAA'], { cwd: files });
  expect(JSON.parse(one.stdout)).not.toHaveProperty('overlap');
});
