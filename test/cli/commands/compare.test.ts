import { describe, expect, test } from 'vitest';
import { compare, fingerprint, formatLabelled, LABEL, serialise } from '../../../src/index.ts';
import { folder, run } from '../command.ts';

const A = 'the quick brown fox jumps over the lazy dog';
const B = 'the quick brown fox jumps over the lazy cat';
const cwd = folder({ 'a.txt': A, 'b.txt': B, 'digits.txt': '1', GAQM5KRDOWTU4: 'a file with such a name' });
const base32 = (text: string) => serialise(fingerprint(text)!);
const labelled = (text: string) => formatLabelled(LABEL, fingerprint(text)!);

describe('documents', () => {
  test('--json: the keys and their order', async () => {
    const { distance, similarity, verdict } = compare(labelled(A), labelled(B));
    const { stdout, stderr } = await run(['compare', '--json', 'a.txt', '-'], { cwd, stdin: B });
    const a = { path: 'a.txt', fingerprint: base32(A) };
    const b = { path: '-', fingerprint: base32(B) };
    expect(stdout).toBe(`${JSON.stringify({ a, b, label: LABEL, distance, similarity, verdict, overlap: 0.8 })}\n`);
    expect(stderr).toBe('');
  });

  test('for a person: four lines, and the bits with marks under those that differ', async () => {
    const { distance, similarity, verdict } = compare(labelled(A), labelled(B));
    const { stdout } = await run(['compare', 'a.txt', 'b.txt'], { cwd });
    const lines = stdout.split('\n');
    expect(lines.slice(0, 7)).toEqual([
      `distance    ${distance} of 64 bits`,
      `similarity  ${similarity}`,
      `verdict     ${verdict}`,
      'overlap     0.8',
      '',
      `a  ${labelled(A)}  a.txt`,
      `b  ${labelled(B)}  b.txt`,
    ]);
    const [a, b, marks] = lines.slice(7);
    const bits = fingerprint(A)!.toString(2).padStart(64, '0');
    expect(a!.slice(3).replaceAll(' ', '')).toBe(bits);
    expect([...marks!].filter((mark) => mark === '^')).toHaveLength(distance);
    for (let i = 3; i < a!.length; i++) expect(marks![i] === '^').toBe(a![i] !== b![i]);
  });
});

describe('verdict and exit code', () => {
  test.each([
    ['AAAAAAAAAAAAA', 'AAAAAAAAAAAAA', 0, 'close', 0],
    ['AAAAAAAAAAAAA', 'AAAAAAAAAAAAC', 1, 'close', 0],
    ['AAAAAAAAAAAAA', 'AAAAAAAAAAAAG', 2, 'loose', 0],
    ['AAAAAAAAAAAAA', 'AAAAAAAAAAA76', 9, 'none', 1],
    ['AAAAAAAAAAAAA', '777777777777' + '6', 64, 'none', 1],
  ])('%s and %s', async (a, b, distance, verdict, code) => {
    const result = await run(['compare', '--json', `${LABEL}:${a}`, `SimHash-Doc:${b.toLowerCase()}===`]);
    expect(result.code).toBe(code);
    expect(JSON.parse(result.stdout)).toEqual({
      a: { path: null, fingerprint: a },
      b: { path: null, fingerprint: b },
      label: LABEL,
      distance,
      similarity: 1 - distance / 64,
      verdict,
    });
  });

  test('no marks where nothing differs', async () => {
    const { stdout } = await run(['compare', 'a.txt', 'a.txt'], { cwd });
    expect(stdout).not.toContain('^');
  });
});

describe('fingerprints without a label', () => {
  test('are paths unless --label is given', async () => {
    const args = ['compare', '--json', 'GAQM5KRDOWTU4', 'a.txt'];
    const asPath = JSON.parse((await run(args, { cwd })).stdout);
    expect(asPath.a).toEqual({ path: 'GAQM5KRDOWTU4', fingerprint: base32('a file with such a name') });
    const asFingerprint = JSON.parse((await run([...args, '--label', LABEL], { cwd })).stdout);
    expect(asFingerprint.a).toEqual({ path: null, fingerprint: 'GAQM5KRDOWTU4' });
    expect(asFingerprint.b.path).toBe('a.txt');
    const again = ['compare', '--json', './GAQM5KRDOWTU4', 'AAAAAAAAAAAAA', '--label', LABEL];
    expect(JSON.parse((await run(again, { cwd })).stdout).a.path).toBe('./GAQM5KRDOWTU4');
  });

  test('a missing file with such a name: the message tells of --label', async () => {
    const { code, stderr } = await run(['compare', 'AAAAAAAAAAAAA', 'a.txt'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toBe('simhash-doc: AAAAAAAAAAAAA: no such file or folder (for a fingerprint, add --label LABEL)\n');
    const wide = await run(['compare', 'A'.repeat(52), 'a.txt'], { cwd });
    expect(wide.stderr).toContain('no such file or folder (for a fingerprint, add --label minhash-doc-256)');
    const unknown = await run(['compare', 'sim:AAAAAAAAAAAAA', 'a.txt'], { cwd });
    expect(unknown.stderr).toContain('(for a fingerprint, use one of the labels simhash-doc, ');
  });
});

describe('what goes wrong', () => {
  test('a document without a fingerprint', async () => {
    const { code, stdout } = await run(['compare', '--json', 'digits.txt', 'nope'], { cwd });
    expect(code).toBe(1);
    const codes = stdout
      .trimEnd()
      .split('\n')
      .map((line) => [JSON.parse(line).path, JSON.parse(line).error.code]);
    expect(codes).toEqual([
      ['digits.txt', 'no-tokens'],
      ['nope', 'not-found'],
    ]);
    expect((await run(['compare', '.', 'a.txt'], { cwd })).stderr).toBe(
      'simhash-doc: .: is a folder: expected a file\n',
    );
  });

  test.each([
    [[], 'expected two documents or fingerprints, got 0'],
    [['a.txt'], 'expected two documents or fingerprints, got 1'],
    [['a.txt', 'a.txt', 'a.txt'], 'expected two documents or fingerprints, got 3'],
    [['-', '-'], 'can be read only once'],
    [['simhash-doc:GAQM5KRDOWTU5', 'a.txt'], 'spare bit'],
    [['simhash-doc:', 'a.txt'], '13 characters'],
    [['simhash-doc+x:GAQM5KRDOWTU4', 'a.txt'], 'label: expected one of simhash-doc'],
    [['GAQM5KRDOWTU4', 'a.txt', '--label', 'other'], 'label: expected one of simhash-doc'],
    [['minhash-doc-64:GAQM5KRDOWTU4', 'a.txt'], 'label: expected one of simhash-doc'],
    [['minhash-doc-256:GAQM5KRDOWTU4', 'a.txt'], '52 characters'],
    [['minhash-doc:GAQM5KRDOWTU4', 'a.txt'], 'made by different schemes (minhash-doc, simhash-doc)'],
  ])('wrong usage: %j', async (args, message) => {
    const { code, stdout, stderr } = await run(['compare', ...args], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
