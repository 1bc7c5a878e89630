import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkClaim, claimOf, readClaim, SCHEME, writeClaim } from '../../../src/conformance/records/claim-file.ts';
import { resultsOf } from '../../../src/conformance/records/results-file.ts';
import { FAILING, PASSING, verdictOf } from '../report/report.ts';

const env = { SOURCE_DATE_EPOCH: '1700000000' };
const results = resultsOf(PASSING, env);
const claim = claimOf(results)!;

describe('a claim', () => {
  test('names everything that the specification requires', () => {
    expect(claim.claim).toBe(
      'fine 9.9 conforms to the classes hash and text of simhash-doc 1.0.0-rc.1, with Unicode 15.0.0, tested with version 1.2.3 of the vectors ' +
        "and 100 random cases of each operation (seed 1), through the product's functions for 1 operation; not answered: 30 of fingerprint (utf16), 70 of classify and 3 accumulated",
    );
    const { claim: words } = claimOf({
      ...results,
      adapter: { ...results.adapter, functions: { parse: 'p', simhash: 's', fingerprint: 'f', lookup: 'l' } },
    })!;
    expect(words).toContain(
      "of each operation (seed 1), through f (fingerprint) and the product's functions for 2 other operations;",
    );
    const { claim: none } = claimOf({ ...results, adapter: { ...results.adapter, functions: {} } })!;
    expect(none).toContain('(seed 1); no product function is named; not answered');
    expect(claim).toMatchObject({
      ...{ kind: 'simhash-doc-claim', format: 3, date: '2023-11-14T22:13:20Z', scheme: '1.0.0-rc.1' },
      suite: { version: '1.2.3', digest: 'd'.repeat(64) },
      random: { cases: 100, seed: 1 },
      adapter: { name: 'fine', version: '9.9', language: 'Python', unicode: '15.0.0', command: [] },
      ...{ declines: ['utf16'], functions: { parse: 'fine_parse' } },
      classes: [
        { class: 'hash', unanswered: [] },
        { class: 'text', unanswered: [{ operation: 'fingerprint', kind: 'utf16', vectors: 30 }, {}, {}, {}] },
      ],
    });
  });

  test('has the version of the scheme in this tree', () => {
    const text = readFileSync(new URL('../../../spec/conformance.md', import.meta.url), 'utf8');
    expect(/^Version (\S+)/m.exec(text)?.[1]).toBe(SCHEME);
  });

  test('names the k of lookup and the label of the class label; extraction is left out', () => {
    const { classes } = claimOf({
      ...results,
      classes: [
        verdictOf({ class: 'lookup', k: 8, verdict: 'conforms' }),
        verdictOf({ class: 'label', label: 'minhash-doc', verdict: 'conforms' }),
        verdictOf({ class: 'extraction', medium: 'html', verdict: 'conforms' }),
      ],
    })!;
    expect(classes).toEqual([
      { class: 'lookup', k: 8, unanswered: [] },
      { class: 'label', label: 'minhash-doc', unanswered: [] },
    ]);
  });

  test.each([
    ['a part of the vectors', { ...results, selection: '--group tokenise' }],
    ['no class', resultsOf(FAILING, env)],
    ['no random cases', { ...results, random: null }],
    ['fewer than 100 random cases', { ...results, random: { ...results.random!, cases: 99 } }],
  ])('cannot be made of %s', (_, of) => {
    expect(claimOf(of)).toBeNull();
  });

  test('cannot be made of results without the unanswered inputs', () => {
    const classes = results.classes.map(({ unanswered: _, ...each }) => each);
    expect(() => claimOf({ ...results, classes })).toThrow(
      'results: expected of vectors 0.2.0 or later, got of vectors 1.2.3',
    );
  });

  test('is read as written', () => {
    expect(readClaim(writeClaim(claim), 'c.json')).toEqual(claim);
  });

  test.each([
    [{ ...claim, kind: 'simhash-doc-results' }, 'c.json: expected "kind": "simhash-doc-claim"'],
    [{ ...claim, claim: 5 }, 'a text "claim"'],
    [{ ...claim, suite: { version: '1' } }, '"suite" with version and digest'],
    [{ ...claim, adapter: {} }, '"adapter" with name and version'],
    [{ ...claim, format: 4 }, 'c.json: expected "format": 3, which this version reads, got 4'],
    [{ ...claim, random: undefined }, '"random" with cases and seed'],
    [{ ...claim, declines: undefined }, 'a list of texts "declines"'],
    [{ ...claim, functions: { parse: 1 } }, 'an object of texts "functions"'],
    [{ ...claim, classes: [{ class: 'hash' }] }, 'a list of "classes" with what was not answered'],
    [{ ...claim, classes: [{ class: 'label', label: 'mine', unanswered: [] }] }, 'a list of "classes"'],
    [{ ...claim, classes: [] }, 'a list of "classes"'],
    [{ ...claim, classes: [5] }, 'a list of "classes"'],
  ])('with %j is rejected', (content, message) => {
    expect(() => readClaim(JSON.stringify(content), 'c.json')).toThrow(message);
  });
});

describe('verifying a claim', () => {
  const lookup = verdictOf({ class: 'lookup', verdict: 'conforms' });

  test('accepts the run that it was made of', () => {
    expect(checkClaim(claim, PASSING)).toEqual([]);
  });

  test('rejects it if it, or the run, has fewer than 100 random cases', () => {
    const run = 'This run has 0 random cases of each operation; a claim needs 100.';
    expect(checkClaim(claim, { ...PASSING, random: null })).toEqual([run]);
    const random = { cases: 99, seed: 1 };
    const few = { ...claim, random, claim: claim.claim.replace('100 random', '99 random') };
    expect(checkClaim(few, PASSING)).toEqual(['The claim has 99 random cases of each operation; a claim needs 100.']);
  });

  test('without a run compares the file with itself and with these vectors', () => {
    expect(checkClaim(claim, PASSING.suite)).toEqual([]);
    expect(checkClaim({ ...claim, random: { cases: 1000, seed: 1 } }, PASSING.suite)).toEqual([
      expect.stringMatching(/^The text of the claim does not match its members, which claim: .* 1000 random cases/),
    ]);
  });

  test('rejects it if a class fails, or is not offered', () => {
    const [passed] = PASSING.classes;
    const hash = { ...passed!, verdict: 'fails', counts: { ...passed!.counts, passed: 299, failed: 1 } } as const;
    expect(checkClaim(claim, { ...PASSING, classes: [hash, PASSING.classes[1]!] })).toEqual([
      'hash: 1 of 300 vectors failed.',
    ]);
    const label = claimOf({ ...results, classes: [{ ...lookup, class: 'label', label: 'simhash-doc+bg1' }] })!;
    expect(checkClaim(label, PASSING)).toEqual(['label (simhash-doc+bg1): not offered.']);
  });

  test('rejects it for a smaller k, another implementation or other vectors', () => {
    const claimed = claimOf({ ...results, classes: [{ ...lookup, k: 8 }] })!;
    expect(checkClaim(claimed, { ...PASSING, classes: [{ ...lookup, k: 8 }] })).toEqual([]);
    expect(checkClaim(claimed, { ...PASSING, classes: [{ ...lookup, k: 3 }] })).toEqual([
      'lookup: complete up to k = 3, not 8.',
    ]);
    expect(checkClaim(claim, { ...PASSING, adapter: { ...PASSING.adapter, version: '10', unicode: null } })).toEqual([
      ...['The claim is about fine 9.9; this is fine 10.', 'The claim is about Unicode 15.0.0; this is unknown.'],
    ]);
    const suite = { version: '1.3.0', digest: 'e'.repeat(64) };
    expect(checkClaim(claim, { ...PASSING, suite })).toEqual([
      'The claim is about vectors 1.2.3 (dddddddddddd); these are 1.3.0 (eeeeeeeeeeee).',
    ]);
  });

  test('rejects it if its words claim more than its members', () => {
    const words = claim.claim.replace('hash and text', 'hash, text and lookup (k ≤ 64)');
    expect(checkClaim({ ...claim, claim: words }, PASSING)).toEqual([
      `The text of the claim does not match its members, which claim: ${claim.claim}.`,
    ]);
    expect(
      checkClaim({ ...claim, scheme: '1.0.0', claim: claim.claim.replace('1.0.0-rc.1', '1.0.0') }, PASSING),
    ).toEqual(['The claim is about simhash-doc 1.0.0; these vectors test 1.0.0-rc.1.']);
  });

  test('rejects it if it is for another text of the specification', () => {
    const suite = { ...PASSING.suite, specification: 'e'.repeat(64) };
    expect(checkClaim({ ...claim, suite }, { ...PASSING, suite })).toEqual([]);
    expect(checkClaim(claim, { ...PASSING, suite })).toEqual([
      'The claim is about the specification without a digest; these vectors test one with the digest eeeeeeeeeeee.',
    ]);
  });
});
