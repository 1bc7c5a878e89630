import { describe, expect, test } from 'vitest';
import { distance, fingerprint, LABELS, serialise } from '../../../src/index.ts';
import { folder, jsonLines, run } from '../command.ts';

const TEXT = `類似文書を検索する ${'the '.repeat(12)}and the first page of this text`;
const OTHER = `類似文書を検索した ${'the '.repeat(12)}and the second page of this text`;
const CAP = 'simhash-doc+cap8';
const of = (text: string, variant?: string): string => serialise(fingerprint(text, { variant })!);

describe('--variant', () => {
  test.each(LABELS.slice(1))('hash prints fingerprints of %s, in every way that documents go', async (label) => {
    const names = Array.from({ length: 40 }, (_, i) => `${i}.txt`);
    const cwd = folder({
      ...Object.fromEntries(names.map((name) => [name, TEXT])),
      'x.html': `<meta charset=utf-8><p>${TEXT}</p>`,
    });
    const variant = ['--variant', label.slice('simhash-doc+'.length)];
    for (const jobs of ['1', '2']) {
      const { code, stdout } = await run(['hash', '--label', ...variant, '-j', jobs, '.'], { cwd });
      expect(code).toBe(0);
      const lines = stdout.trimEnd().split('\n');
      expect(new Set(lines.map((line) => line.split('  ')[0]))).toEqual(new Set([`${label}:${of(TEXT, label)}`]));
      expect(lines).toHaveLength(41);
    }
    const { stdout } = await run(['hash', '--json', ...variant, '-'], { cwd, stdin: TEXT });
    expect(jsonLines(stdout)).toMatchObject([{ label, fingerprint: of(TEXT, label) }]);
    const explained = await run(['explain', '--json', ...variant, 'x.html'], { cwd });
    expect(jsonLines(explained.stdout)).toMatchObject([{ label, fingerprint: of(TEXT, label) }]);
  });

  test('an unknown one is refused, with the known ones', async () => {
    const { code, stderr } = await run(['hash', '--variant', 'sw1', '-'], { stdin: TEXT });
    expect(code).toBe(2);
    expect(stderr).toContain('--variant: expected one of none, bg1, bg1+cap8, cap8, got "sw1"');
  });

  test('hash --check reads a list of the same variant only', async () => {
    const cwd = folder({ a: TEXT });
    const { stdout: stdin } = await run(['hash', '--label', '--variant', 'cap8', 'a'], { cwd });
    expect(await run(['hash', '--check', '-', '--variant', 'cap8'], { cwd, stdin })).toMatchObject({ code: 0 });
    const { code, stderr } = await run(['hash', '--check', '-'], { cwd, stdin });
    expect(code).toBe(1);
    expect(stderr).toContain(`expected fingerprints of simhash-doc, got ${CAP} (see --variant)`);
  });

  test('compare and explain --diff', async () => {
    const cwd = folder({ a: TEXT, b: OTHER });
    const expected = distance(fingerprint(TEXT, { variant: CAP })!, fingerprint(OTHER, { variant: CAP })!);
    const compared = await run(['compare', '--json', '--variant', 'cap8', 'a', 'b'], { cwd });
    expect(jsonLines(compared.stdout)).toMatchObject([{ label: CAP, distance: expected }]);
    const explained = await run(['explain', '--diff', '--json', '--variant', 'cap8', 'a', 'b'], { cwd });
    expect(jsonLines(explained.stdout)).toMatchObject([
      { label: CAP, distance: expected, a: { fingerprint: of(TEXT, CAP) } },
    ]);
    const pairs = await run(['explain', '--diff', '--json', '--variant', 'bg1', 'a', 'b'], { cwd });
    const [{ differences }] = jsonLines(pairs.stdout) as [{ differences: { token: string }[] }];
    expect(differences.map(({ token }) => token).filter((token) => token > '\u3000')).toEqual([
      'した',
      'する',
      '索し',
      '索す',
    ]);
  });

  test('two labels in one comparison, one run of dupes or one index are an error that names both', async () => {
    const line = (label: string): string => `${JSON.stringify({ path: label, label, fingerprint: of(TEXT, label) })}\n`;
    const cwd = folder({ a: TEXT, lines: line(CAP) });
    const compared = await run(['compare', 'a', `${CAP}:${of(TEXT, CAP)}`], { cwd });
    expect(compared.code).toBe(2);
    for (const label of ['simhash-doc', CAP]) expect(compared.stderr).toContain(label);
    const found = await run(['dupes', '--no-verify', '--variant', 'none', 'a', 'lines'], { cwd });
    expect(found.stderr).toContain(`its label is ${CAP}, that of the others is simhash-doc`);
    // The first fingerprints say how documents are fingerprinted, wherever they stand.
    const same = await run(['dupes', '--no-verify', '--json', 'a', 'lines'], { cwd });
    expect(jsonLines(same.stdout)).toMatchObject([{ label: CAP, documents: [{ path: 'a' }, { path: CAP }] }]);
  });

  test('an index has one, which documents are added and looked up by', async () => {
    const cwd = folder({ 'docs/a': TEXT, 'docs/b': OTHER });
    expect(await run(['index', 'create', 'store', '--variant', 'cap8'], { cwd })).toMatchObject({ code: 0 });
    expect(await run(['index', 'add', 'store', 'docs'], { cwd })).toMatchObject({ code: 0 });
    const { stdout } = await run(['index', 'query', 'store', 'docs/a', '--json', '--limit', '1'], { cwd });
    expect(jsonLines(stdout)).toMatchObject([{ id: 'docs/a', label: CAP, fingerprint: of(TEXT, CAP), distance: 0 }]);
    const { code, stderr } = await run(['index', 'add', 'store', 'docs', '--variant', 'bg1'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain(`an index of simhash-doc+bg1, got ${JSON.stringify(CAP)}`);
  });
});
