import { describe, expect, test } from 'vitest';
import { draw, explain, fingerprint, hashToken, LABEL, serialise } from '../../../src/index.ts';
import { folder, jsonOf, run, stdoutOf, testWrongUsage } from '../command.ts';

const TEXT = 'Cafe\u0301 café a\u00ADb \u0378 the the the https://example.org/one me@example.com 12\n';
const cwd = folder({
  'text.txt': TEXT,
  'page.html': Buffer.from('<meta charset=windows-1252><title>no</title><p>caf\xe9<p>cr\xe8me', 'latin1'),
  'latin.txt': Buffer.from('caf\xe9', 'latin1'),
  'digits.txt': '1 2',
  'empty.txt': '',
  'large.txt': 'x '.repeat((2 << 20) + 1),
});

describe('explain --json', () => {
  test('prints one object on one line, with every step', async () => {
    const stdout = await stdoutOf(['explain', '--json', 'text.txt'], { cwd });
    const expected = explain(TEXT);
    expect(stdout).toBe(
      `${JSON.stringify({
        path: 'text.txt',
        label: LABEL,
        mediaType: 'text/plain',
        extractor: (await jsonOf(['hash', '--json', 'text.txt'], { cwd }))[0]!['extractor'],
        steps: { decoded: expected.decoded, normalised: expected.normalised, stripped: expected.stripped },
        tokens: ['Café', 'café', 'ab', 'the', 'the', 'the'],
        hashes: expected.hashes.map((hash) => hash.toString(16).padStart(16, '0')),
        counters: expected.counters,
        winners: null,
        fingerprint: serialise(fingerprint(TEXT)!),
        hex: expected.hex,
        keys: expected.keys,
      })}\n`,
    );
    const { counters, keys, hashes } = JSON.parse(stdout);
    expect([counters.length, keys.length]).toEqual([64, 16]);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each(['digits.txt', 'empty.txt'])('prints null for missing results and exits with 3: %s', async (path) => {
    const { code, stdout } = await run(['explain', '--json', path], { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      path,
      tokens: [],
      hashes: [],
      counters: Array(64).fill(0),
      fingerprint: null,
      hex: null,
      keys: null,
    });
  });

  test('reports documents that cannot be read', async () => {
    const result = await run(['explain', '--json', 'large.txt'], { cwd });
    expect(result.code).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ path: 'large.txt', error: { code: 'too-large' } });
    expect((await run(['explain', 'large.txt'], { cwd })).stderr).toContain('4 Mi characters');
  });
});

describe('explain reads the same document as hash', () => {
  test.each([
    ['text.txt', []],
    ['page.html', []],
    ['page.html', ['--type', 'text']],
    ['latin.txt', []],
    ['latin.txt', ['--charset', 'latin1']],
  ])('with %s %j', async (path, args) => {
    const [explained, hashed] = await Promise.all(
      ['explain', 'hash'].map(async (command) =>
        JSON.parse((await run([command, '--json', path, ...args], { cwd })).stdout),
      ),
    );
    for (const key of ['path', 'label', 'fingerprint', 'hex', 'mediaType', 'extractor'])
      expect(explained[key]).toBe(hashed[key]);
    expect(explained.tokens).toHaveLength(hashed.tokens);
  });

  test('on stdin, and in HTML that is extracted in a worker', async () => {
    const stdin = `<!doctype html><p>${'many words '.repeat(3000)}`;
    const stdout = await stdoutOf(['explain', '--json', '-'], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ path: '-', fingerprint: serialise(fingerprint('many words')!) });
  });
});

describe('explain for a person', () => {
  test('prints the counts of each step, the frequent tokens, and all forms of the fingerprint', async () => {
    const stdout = await stdoutOf(['explain', 'text.txt'], { cwd });
    const { octets: bytes, hex, base32, keys } = explain(TEXT);
    const bits = Array.from(bytes!, (byte) => byte.toString(2).padStart(8, '0')).join(' ');
    for (const line of [
      /^ {2}size +\d+ bytes$/m,
      /^ {2}charset +UTF-8$/m,
      /^ {2}unassigned, replaced +1$/m,
      /^ {2}ignorable, deleted +1$/m,
      /^ {2}changed by NFC +\d+ → \d+ code points$/m,
      /^ {2}locators, stripped +2$/m,
      /^ +https:\/\/example\.org\/one$/m,
      /^ {2}most frequent +3 +50\.0 % +the$/m,
      new RegExp(`^ {2}bits +${bits}$`, 'm'),
      new RegExp(`^ {2}hex +${hex}$`, 'm'),
      new RegExp(`^ {2}base32 +${base32}$`, 'm'),
      new RegExp(`^ {2}labelled +${LABEL}:${base32}$`, 'm'),
    ])
      expect(stdout).toMatch(line);
    for (const key of keys!) expect(stdout).toContain(key.toString(16).padStart(7, '0'));
  });

  test('prints all counters, and lines of at most 85 columns if the width is unknown', async () => {
    const stdout = await stdoutOf(['explain', 'text.txt'], { cwd });
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(85);
    const printed = [...stdout.matchAll(/^ {2}bits \d+–\d+((?: +[+-]?\d+){8})$/gm)].flatMap(([, row]) =>
      row!.trim().split(/ +/),
    );
    const { counters } = JSON.parse(await stdoutOf(['explain', '--json', 'text.txt'], { cwd }));
    expect(printed.map(Number)).toEqual(counters);
  });

  test('reports a document without tokens', async () => {
    const { code, stdout, stderr } = await run(['explain', 'digits.txt'], { cwd });
    expect(code).toBe(3);
    expect(stdout).toMatch(/^ {2}all +0$/m);
    expect(stderr).toBe('simhash-doc: digits.txt: no letters in the document, so it has no fingerprint\n');
  });

  testWrongUsage(
    'explain',
    [[], ['a', 'b']].map((args) => [args, 'expected one document']),
    cwd,
  );
});

describe('explain with minhash-doc', () => {
  interface Row {
    readonly word: number;
    readonly bin: number;
    readonly token: string;
    readonly round: number;
    readonly draw: string;
    readonly bit: number;
  }
  const texts = {
    a: '図書館は毎朝九時に開く. The ferry leaves at dawn, and nobody knows who bought the tickets',
    b: '',
  };
  texts.b = texts.a.replace('九時', '十時').replace('dawn', 'noon').replace('nobody', 'nobody, nobody');
  const documents = folder(texts);
  const words = (label: string): 1 | 4 => (label === 'minhash-doc' ? 1 : 4);
  const explained = async (path: string, label: string) =>
    JSON.parse(await stdoutOf(['explain', '--json', '--label', label, path], { cwd: documents }));

  test.each(['minhash-doc', 'minhash-doc-256'])('prints the draw that wins each bin with %s --json', async (label) => {
    const { winners, counters, tokens, hex, keys } = await explained('a', label);
    expect([counters, winners.length, keys.length]).toEqual([null, 64 * words(label), 16 * words(label)]);
    for (const [index, each] of (winners as Row[]).entries()) {
      const { word, bin, token, round, draw: digits, bit } = each;
      expect(64 * word + bin).toBe(index);
      expect(tokens).toContain(token);
      const value = draw(hashToken(token), 128 * word + round);
      expect(digits).toBe(value.toString(16).padStart(16, '0'));
      expect(bit).toBe(Number(value & 1n));
      if (round < 64) expect(Number(value >> 58n)).toBe(bin);
    }
    const bits = (winners as Row[]).map(({ bit }) => bit).join('');
    expect(BigInt(`0b${bits}`).toString(16).padStart(hex.length, '0')).toBe(hex);
  });

  test.each(['minhash-doc', 'minhash-doc-256'])('prints a row for each bin with %s', async (label) => {
    const stdout = await stdoutOf(['explain', '--label', label, 'a'], { cwd: documents });
    const { winners, hex, fingerprint: base32 } = await explained('a', label);
    const tokens = (winners as Row[]).map(({ token }) => token);
    expect(stdout).toContain(`Bins ${winners.length}, won by ${new Set(tokens).size} tokens\n`);
    const rows = stdout.split('\n').filter((line) => /^(?: +\d+){2,3} {2}[0-9a-f]{16} {4}[01] {2}/.test(line));
    expect(rows.map((row) => row.trim().split(/ +/))).toEqual(
      (winners as Row[]).map((each) => [
        ...(words(label) === 4 ? [String(each.word)] : []),
        ...[each.bin, each.round, each.draw, each.bit, each.token].map(String),
      ]),
    );
    const max = Math.max(...tokens.map((token) => tokens.filter((each) => each === token).length));
    expect(stdout).toMatch(new RegExp(`^  bins  token\n +${max}  `, 'm'));
    expect(stdout).toMatch(new RegExp(`^ {2}hex +${hex}$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^ {2}labelled +${label}:${base32}$`, 'm'));
    expect(stdout.includes('keys 12–15')).toBe(words(label) === 1);
    expect(stdout).not.toContain('Counters');
    for (const line of stdout.split('\n').slice(0, -4)) expect([...line].length).toBeLessThanOrEqual(85);
  });

  test.each(['minhash-doc', 'minhash-doc-256'])('prints the tokens that tip each bit with %s --diff', async (label) => {
    const diff = ['explain', '--diff', '--label', label, 'a', 'b'];
    const [a, b] = [await explained('a', label), await explained('b', label)];
    const { answer, near, overlap, distance, bits } = JSON.parse(
      await stdoutOf([...diff, '--json'], { cwd: documents }),
    );
    const expected = (a.winners as Row[]).flatMap((left, bit) => {
      const right: Row = b.winners[bit];
      if (left.bit === right.bit) return [];
      return [
        {
          bit,
          a: { token: left.token, shared: b.tokens.includes(left.token) },
          b: { token: right.token, shared: a.tokens.includes(right.token) },
        },
      ];
    });
    expect(bits).toEqual(expected);
    expect([bits.length > 3, bits.length]).toEqual([true, distance]);
    for (const { a, b } of bits) expect(a.shared && b.shared).toBe(false);
    const stdout = await stdoutOf(diff, { cwd: documents });
    expect([answer, near, overlap]).toEqual([
      expect.stringMatching(/^not near-duplicates: 73 % of the words are shared; /),
      false,
      0.7307,
    ]);
    expect(stdout.split('\n').slice(0, 2)).toEqual([answer, '']);
    expect(answer.endsWith(`; distance ${distance} of ${64 * words(label)}`)).toBe(true);
    const rows = stdout.slice(stdout.indexOf('Bits that differ: ')).trimEnd().split('\n').slice(2);
    const cell = ({ token, shared }: { token: string; shared: boolean }, other: string): string =>
      `${token}${shared ? '' : ` (not in ${other})`}`;
    expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual(
      expected.map(({ bit, a, b }) => [String(bit), cell(a, 'b'), cell(b, 'a')]),
    );
  });

  test('prints no winners without tokens', async () => {
    const { code, stdout } = await run(['explain', '--json', '--label', 'minhash-doc', 'digits.txt'], { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ counters: null, winners: [], fingerprint: null, keys: null });
    expect((await run(['explain', '--label', 'minhash-doc', 'digits.txt'], { cwd })).stdout).not.toContain('Bins');
  });
});
