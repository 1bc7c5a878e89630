import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DOCUMENT_LABEL, findDuplicates } from '../../src/duplicates/index.ts';
import { distance, explain, LABELS } from '../../src/index.ts';
import {
  EMPTY_STATE,
  formatFragment,
  linkToVector,
  MAX_FRAGMENT,
  parseFragment,
} from '../../src/site/playground/state.ts';
import { sideUnder } from '../../src/site/playground/store.ts';
import { analyseText } from '../../src/site/playground/worker/analyse.ts';
import { groupsOf } from '../../src/site/playground/worker/groups.ts';
import { listDocuments } from '../../src/site/playground/worker/list.ts';
import { analysePair } from '../../src/site/playground/worker/pair.ts';
import { vectorOf } from '../../src/site/playground/worker/vector.ts';
import { httpOf, warcRecord } from '../cli/archives.ts';
import { packageOf } from '../extract/package/package-of.ts';
import { forAll, forAllAsync, IS_SLOW } from '../suite.ts';

const label = fc.constantFrom(...LABELS);
/** Two words made of different ones of these share none. */
const NUMERALS = ['ona', 'twe', 'thri', 'fou', 'fiv', 'sik', 'seve', 'eig', 'nin', 'tena'];

describe('the fragment of the playground', () => {
  test('holds any two texts, also compressed', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ minLength: 400 }).map((part) => part.repeat(10)),
    );
    await forAllAsync([text, text, label], IS_SLOW ? 6 : 2, async (a, b, label) => {
      const state = { a, b, label };
      expect(await parseFragment(`#${await formatFragment(state)}`)).toEqual(state);
    });
  });

  test('is compressed if it is long, and null if it is too long', async () => {
    const long = { ...EMPTY_STATE, a: 'one two '.repeat(1000), b: '' };
    expect(await formatFragment(long)).toMatch(/^z=[\w-]{20,200}$/);
    const noise = Array.from({ length: 20_000 }, (_, index) => ((index * 2654435761) % 2 ** 32).toString(36)).join(' ');
    expect(await formatFragment({ ...long, a: noise })).toBeNull();
    expect(MAX_FRAGMENT).toBeLessThan(noise.length);
  });

  test('holds a vector; damaged texts are an error, and an unknown label is the default', async () => {
    expect((await parseFragment(linkToVector('tokenise/empty').split('#')[1]!)).vector).toBe('tokenise/empty');
    expect(await formatFragment({ ...EMPTY_STATE, a: 'x y' })).toBe('a=x+y');
    for (const z of ['AAAA', '%00', '…', 'eJw'])
      await expect(parseFragment(`z=${z}`)).rejects.toThrow('it is damaged or incomplete');
    expect((await parseFragment('a=x&label=simhash-doc+none')).label).toBe('minhash-doc-256');
  });
});

describe('an analysis', () => {
  const word = fc.constantFrom('fox', 'the', 'naïve', '東京都', 'https://a.example/b', 'x_1', '12', 'ตัวอย่าง');
  const text = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '));

  const pairOf = (a: string, b: string, label: string) => {
    const [left, right] = [a, b].map((each) => analyseText(each, { name: 'A' }));
    const pair = analysePair(label, sideUnder(label, left!), sideUnder(label, right!));
    const explained = [a, b].map((each) => explain(each, { label }));
    expect([left!.fingerprints[label], right!.fingerprints[label]]).toEqual(explained.map((each) => each.fingerprint));
    return { pair, explained };
  };

  test('has the winners of explain, with one that is not shared wherever bits differ', () => {
    forAll([text, text, fc.constantFrom('minhash-doc', 'minhash-doc-256')], 15, (a, b, label) => {
      const { pair, explained } = pairOf(a, b, label);
      const [winnersA, winnersB] = pair.winners!;
      const tokens = explained.map((each) => each.tokens.map((token) => token.text));
      [winnersA, winnersB].forEach((winners, side) => {
        const { hashes, winners: expected } = explained[side]!;
        expect(winners).toEqual(
          expected!.map(({ hash, round, draw }) => {
            const token = tokens[side]![hashes.indexOf(hash)]!;
            return { token, round, bit: Number(draw & 1n), isShared: tokens[1 - side]!.includes(token) };
          }),
        );
      });
      const [one, two] = explained.map(({ fingerprint }) => fingerprint);
      if (one == null || two == null) return;
      const tipped = winnersA.filter(({ bit }, index) => bit !== winnersB[index]!.bit);
      expect(tipped.length).toBe(distance(one, two));
      winnersA.forEach((winner, index) => {
        const other = winnersB[index]!;
        if (winner.bit !== other.bit) expect(winner.isShared && other.isShared).toBe(false);
      });
    });
  });

  test('becomes a vector with every step', () => {
    expect(vectorOf('word', 'simhash-doc')).toMatchObject({
      operation: 'fingerprint',
      input: { text: 'word' },
      expected: { fingerprint: 'HSTFUPMSEJJXA', tokens: ['word'], tokenCount: 1 },
    });
    expect(vectorOf('\ud800', 'simhash-doc+bg1')).toMatchObject({
      input: { utf16: 'd800', label: 'simhash-doc+bg1' },
      expected: { fingerprint: null, keys: null },
    });
    const { winners, hex, base32 } = explain('word', { label: 'minhash-doc-256' });
    const vector = vectorOf('word', 'minhash-doc-256') as { expected: object };
    expect(vector).toMatchObject({
      id: `minhash/playground-${base32!.toLowerCase()}`,
      rules: ['MIN-5'],
      input: { text: 'word', label: 'minhash-doc-256' },
      expected: { fingerprint: base32, octets: hex },
    });
    const draws = winners!.map(({ draw }) => draw.toString(16).padStart(16, '0'));
    expect(vector.expected).toHaveProperty('draws', draws);
    for (const key of ['counters', 'keys']) expect(vector.expected).not.toHaveProperty(key);
    expect(vectorOf('word', 'minhash-doc')).toHaveProperty('expected.keys.length', 16);
  });
});

test('groups are those of dupes, with the differences', async () => {
  const words = NUMERALS.flatMap((ten) => NUMERALS.map((one) => `${ten}${one}`));
  const text = fc
    .tuple(fc.nat(1), fc.array(fc.nat(99), { maxLength: 6 }), fc.constantFrom('', ' 12', ' 13', ' https://a.example/'))
    .map(([half, left, end]) => words.filter((_, at) => at % 2 === half && !left.includes(at)).join(' ') + end);
  await forAllAsync([fc.array(text, { maxLength: 9 })], IS_SLOW ? 60 : 12, async (texts) => {
    const sides = texts.map((each) => sideUnder(DOCUMENT_LABEL, analyseText(each, { name: 'A' })));
    const expected: object[] = [];
    for await (const { kept, members } of findDuplicates(texts.map((text, at) => ({ id: String(at), text }))))
      expected.push({
        kept: Number(kept),
        members: members.map(({ id, ...rest }) => ({ document: Number(id), ...rest })),
      });
    const sorted = groupsOf(sides).map(({ kept, members }) => ({
      kept,
      members: [...members].sort((one, two) => one.document - two.document),
    }));
    expect(sorted).toEqual(expected);
  });
});

test('an archive lists its documents, including those that cannot be read', async () => {
  const members = { 'a.html': '<p>one fox', 'b.txt': 'two', 'c.css': 'p {}', 'd.txt': 'three' };
  const bytes = new Uint8Array(await packageOf(members, 6));
  const { listed, left } = await listDocuments({ bytes, name: 'x.zip' }, 2);
  expect(left).toBe(1);
  expect(
    listed.map((each) => ('source' in each ? [each.source.name, new TextDecoder().decode(each.source.bytes)] : each)),
  ).toEqual([
    ['x.zip: a.html', '<p>one fox'],
    ['x.zip: b.txt', 'two'],
  ]);
  const record = warcRecord(httpOf('text/plain', 'some words'), { 'WARC-Target-URI': 'https://a.example/' });
  const warc = new Uint8Array(gzipSync(record));
  expect(await listDocuments({ bytes: warc, name: 'x.warc.gz' }, 9)).toMatchObject({
    listed: [{ source: { name: 'x.warc.gz: https://a.example/', bytes: new TextEncoder().encode('some words') } }],
    left: 0,
  });
  const text = new TextEncoder().encode('some words');
  await expect(listDocuments({ bytes: text, name: 'x.zip' }, 9)).rejects.toThrow('is not an archive: text');
});
