import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/common/error-codes.ts';
import { loadFiles } from '../../src/conformance/suite/load-suite.ts';
import { loadRules } from '../../src/conformance/suite/rules.ts';

import { MEDIA } from '../../src/extract/formats.ts';
import * as scheme from '../../src/index.ts';
import { makeSpecification } from '../tools/generate/spec.ts';
import { twin } from '../twin/twin.ts';

const root = new URL('../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const specification = ['simhash-doc', 'lookup', 'conformance', 'security']
  .map((name) => read(`spec/${name}.md`))
  .join('\n');
const rules = [...loadRules().keys()];

function* filesBelow(folder: string, ending: RegExp): Generator<string> {
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) yield* filesBelow(path, ending);
    else if (ending.test(name)) yield path;
  }
}

/** Identifiers of rules in a text: three capitals of a known step, a hyphen, a number. */
const prefixes = [...new Set(rules.map((id) => id.slice(0, 3)))].join('|');
const citations = (text: string): string[] => text.match(new RegExp(`\\b(?:${prefixes})-\\d+\\b`, 'g')) ?? [];

test.each([...makeSpecification()])('spec/%s is what `npm run generate -- spec` writes', (name, content) => {
  // The tables are too long for a comparison that shows both.
  if (name.endsWith('.txt')) expect(content === read(`spec/${name}`)).toBe(true);
  else expect(read(`spec/${name}`)).toBe(content);
});

describe('rules', () => {
  test('exist for every step, each with a unique identifier', () => {
    expect(rules.length).toBeGreaterThan(70);
    expect(new Set(rules).size).toBe(rules.length);
    const anchors = [...filesBelow('spec', /\.md$/)].flatMap(
      (path) => read(path).match(/<a id="[A-Z]{3}-\d+">/g) ?? [],
    );
    expect(anchors.length).toBe(rules.length);
  });

  test('are stated exactly if the table of origins lists them', () => {
    const stated = [...loadRules().values()].filter(({ origin }) => origin === 'stated');
    expect(stated.map(({ id }) => id).sort()).toEqual(
      [...read('spec/rationale.md').matchAll(/^\| \[([A-Z]{3}-\d+)\]/gm)].map(([, id]) => id).sort(),
    );
    expect(stated.length).toBeGreaterThan(10);
  });

  const cited = new Map<string, string[]>();
  for (const { vectors } of loadFiles())
    for (const { id, rules: list } of vectors)
      for (const rule of list) cited.set(rule, [...(cited.get(rule) ?? []), id]);

  /** Rules that no vector can test: about people, files, stores, and omissions. */
  const untested = /^(?:ERR|GRD|VER|IDX|CAR|SEC|EXT-4$|LAB-5$)/;
  const tested = rules.filter((rule) => !untested.test(rule));

  const implementing = [
    ...filesBelow('src/scheme', /\.ts$/),
    ...filesBelow('src/fingerprint', /\.ts$/),
    ...filesBelow('src/extract', /\.ts$/),
    ...filesBelow('src/lookup', /\.ts$/),
    'src/conformance/adapter/operations.ts',
  ].map(read);

  test.each(tested)('are cited by a vector and by the code that implements them: %s', (rule) => {
    expect(cited.get(rule) ?? [], `no vector cites ${rule}: add one in vectors/`).not.toEqual([]);
    expect(
      implementing.some((text) => citesRule(text, rule)),
      `no file of the implementation cites ${rule}`,
    ).toBe(true);
  });

  test('are cited by vectors and code only if they exist', () => {
    expect([...cited.keys()].filter((rule) => !rules.includes(rule))).toEqual([]);
    for (const path of [
      ...filesBelow('src', /\.ts$/),
      ...filesBelow('test', /\.ts$/),
      ...filesBelow('vectors', /\.(md|py|c)$/),
      ...filesBelow('spec', /\.md$/),
    ])
      expect(
        citations(read(path)).filter((rule) => !rules.includes(rule)),
        path,
      ).toEqual([]);
  });
});

/** Tests whether a text cites a rule, by itself or in a range such as `LOC-5 to LOC-11` or `DEC-1..3`. */
function citesRule(text: string, rule: string): boolean {
  if (citations(text).includes(rule)) return true;
  const [prefix, number] = rule.split('-') as [string, string];
  for (const [, first, last] of text.matchAll(new RegExp(`\\b${prefix}-(\\d+) to ${prefix}-(\\d+)\\b`, 'g')))
    if (Number(first) <= Number(number) && Number(number) <= Number(last)) return true;
  return false;
}

describe('links', () => {
  const anchorsOf = (path: string): Set<string> => {
    const text = read(path);
    const anchors = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replace(/ /g, '-'),
    );
    expect(new Set(anchors).size, `anchors of ${path}`).toBe(anchors.length);
    return new Set([...anchors, ...headings]);
  };
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'GOVERNANCE.md',
    ...filesBelow('spec', /\.md$/),
    ...filesBelow('vectors', /\.md$/),
    ...filesBelow('src/site/guides', /\.md$/),
    ...filesBelow('test', /\.md$/),
  ];

  test.each(pages)('to files and anchors exist: %s', (page) => {
    for (const [, target] of read(page).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
      const [file, anchor] = target!.split('#') as [string, string | undefined];
      const path = file === '' ? page : relative(root, resolve(root, dirname(page), file));
      expect(existsSync(join(root, path)), `${page} -> ${target}`).toBe(true);
      if (anchor !== undefined && path.endsWith('.md'))
        expect([...anchorsOf(path)], `${page} -> ${target}`).toContain(anchor);
    }
  });

  test('to sections in docstrings exist', () => {
    const anchors = new Map([...filesBelow('spec', /\.md$/)].map((page) => [page, anchorsOf(page)]));
    for (const path of filesBelow('src', /\.ts$/))
      for (const [, page, anchor] of read(path).matchAll(/(spec\/[a-z-]+\.md)#([A-Za-z0-9-]+)/g))
        expect([...(anchors.get(page!) ?? [])], path).toContain(anchor);
  });
});

test('the core of the specification fits in one sitting: at most 9,000 words', () => {
  const core = ['simhash-doc', 'minhash-doc', 'lookup', 'conformance', 'extraction'].map((name) =>
    read(`spec/${name}.md`),
  );
  const words = core
    .join('\n')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  expect(words.length).toBeLessThanOrEqual(9000);
});

describe('numbers in the text agree with the code:', () => {
  test('every intermediate of "Test yourself", also for the twin', () => {
    const json = /<!-- generated: worked-example -->\n\n```json\n(.*?)```/s.exec(specification)![1]!;
    const { utf8, labelled, permuted, ...rest } = JSON.parse(json);
    const found = twin.explain(Buffer.from(utf8, 'hex'));
    const { decoded, normalised, stripped, counters, hex, keys, base32: fingerprint } = found;
    const hashes = found.hashes.map(scheme.toHex);
    const tokens = found.tokens.map(({ text }) => text);
    expect(rest).toEqual({
      ...{ decoded, normalised, stripped, tokens, hashes, counters: counters.map(Number), hex, fingerprint, keys },
    });
    expect(labelled).toBe(`simhash-doc:${fingerprint}`);
    expect(permuted).toEqual(keys!.map((_, table) => scheme.toHex(twin.permute(found.fingerprint as bigint, table))));
  });

  test('examples of step 1', () => {
    const section = /<a id="step-1">(.*?)<a id="step-2">/s.exec(specification)![1]!;
    const rows = [...section.matchAll(/^\| `([0-9A-F ]+)`[^|]* \| `(U\+[^`]+)` \|$/gm)];
    expect(rows.length).toBe(6);
    for (const [, bytes, points] of rows) {
      const expected = points!.split(' ').map((point) => Number.parseInt(point.slice(2), 16));
      expect(scheme.decode(Buffer.from(bytes!.replaceAll(' ', ''), 'hex'))).toBe(String.fromCodePoint(...expected));
    }
  });

  test('probes per table', () => {
    const row = /^\| probes per table \|(.*)\|$/m.exec(specification)![1]!.split('|').map(Number);
    for (let k = 0; k <= 8; k++) expect(row[k]).toBe(scheme.probesPerTable(k));
  });

  test('thresholds', () => {
    const texts = new Map([...loadRules()].map(([id, { text }]) => [id, text]));
    expect(texts.get('CMP-6')).toContain(`if d ≤ ${scheme.LOOSE_DISTANCE}, the verdict is loose`);
    expect(texts.get('CMP-6')).toContain('1 − 6/64 = 0.90625, 1 − 7/64 = 0.890625');
    expect(texts.get('CMP-5')).toContain(`If d ≤ ${scheme.CLOSE_DISTANCE}, the verdict is close`);
    expect(texts.get('CMP-7')).toContain(`is not given, it is k = ${scheme.DEFAULT_DISTANCE}.`);
    expect([6, 7].map((d) => scheme.similarityOfDistance(d) >= 0.9)).toEqual([true, false]);
    expect([1, 2].map((d) => scheme.similarityOfDistance(d) >= 0.98)).toEqual([true, false]);
  });

  test('values of lookup3', () => {
    const values = [
      ...specification.matchAll(
        /^\| \d+ \| `([a-z]+)` \| `([0-9a-f]{8})` \| `([0-9a-f]{8})` \| `([0-9a-f]{16})` \|$/gm,
      ),
    ];
    expect(values.length).toBeGreaterThanOrEqual(5);
    for (const [, text, c, b, hash] of values) {
      expect(scheme.toHex(scheme.hashToken(text!))).toBe(hash);
      expect(`${b}${c}`).toBe(hash);
    }
  });

  test('examples of locators', () => {
    const section = /<a id="step-4">(.*?)<a id="step-5">/s.exec(specification)![1]!;
    const plain = (text: string): string =>
      text
        .replace(/‹U\+([0-9A-F]+)›/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
        .replaceAll('␣', ' ');
    let rows = 0;
    for (const [, input, forms, rest] of section.matchAll(
      /^\| `([^`]+)`[^|]*\| ([–0-9, ]+) \| (?:`([^`]+)`|unchanged) \|/gm,
    )) {
      const found = scheme.findLocators(plain(input!)).map(({ form }) => form);
      expect(found.join(', ') || '–', input).toBe(forms);
      expect(scheme.stripLocators(plain(input!)), input).toBe(plain(rest ?? input!));
      rows++;
    }
    expect(rows).toBeGreaterThan(9);
  });

  test('the example of a permuted fingerprint', () => {
    expect(specification).toContain('The key is 216,704,858, in hexadecimal\n`ceaa75a`,');
    const fingerprint = scheme.fromHex('3020ceaa2375a74e');
    expect(scheme.tableKey(fingerprint, 6)).toBe(216704858);
    expect(scheme.toHex(scheme.permute(fingerprint, 6))).toBe('ceaa75a30202374e');
    expect(scheme.tableKeys(fingerprint).slice(0, 2)).toEqual([50466026, 50465315]);
  });

  test('error codes', () => {
    const section = /<a id="errors"><\/a>(.*?)<a id="grades">/s.exec(specification)![1]!;
    const listed = [
      ...section.matchAll(/^\| `([a-z-]+)` \| (?:an argument|a number|a string|a label|fingerprints|a document)/gm),
    ];
    expect(listed.map(([, code]) => code)).toEqual([...ERROR_CODES]);
    expect(JSON.parse(read('vectors/schema/common.schema.json')).$defs['error-code'].enum).toEqual([...ERROR_CODES]);
  });

  test('media of the operation extract', () => {
    const listed = /"type": (.*?) \}` \|/.exec(/^\| `extract` \|.*$/m.exec(read('vectors/README.md'))![0])![1]!;
    expect([...listed.matchAll(/"([a-z]+)"/g)].map(([, medium]) => medium).sort()).toEqual([...MEDIA].sort());
    const enumerated = /"What the document is\.",\s*"enum": (\[.*?\])/s.exec(
      read('vectors/schema/extract-media.schema.json'),
    )![1]!;
    expect(JSON.parse(enumerated).sort()).toEqual([...MEDIA].sort());
  });

  test('prefixes of form 3', () => {
    const grammar = /prefix {2}= (.*?)```/s.exec(specification)![1]!;
    for (const [, prefix] of grammar.matchAll(/"([a-z]+)"/g)) expect(scheme.stripLocators(`${prefix}:x`)).toBe(' ');
    expect([...grammar.matchAll(/"([a-z]+)"/g)].length).toBe(18);
  });
});

test('word-classes.txt can be loaded in ten lines of another language', () => {
  const script = `
import sys
table = {}
for line in open(sys.argv[1], encoding='ascii'):
    if not line.startswith('#'):
        points, name = line.rstrip('\\n').split(';')
        start, end = (int(x, 16) for x in points.split('..'))
        for c in range(start, end + 1):
            assert c not in table
            table[c] = name
print(len(table), table[0x41], table[0x93f], table[0xad], table[0x32ff], table[0x200b])`;
  const output = execFileSync('python3', ['-c', script, join(root, 'spec/word-classes.txt')], { encoding: 'utf8' });
  expect(output.trim()).toBe('1114112 letter break ignorable unassigned break');
});
