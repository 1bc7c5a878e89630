import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkClaim, claimOf, readClaim, SCHEME, writeClaim } from '../../../../src/conformance/report/files/claim.ts';
import { resultsOf } from '../../../../src/conformance/report/files/results.ts';
import { FAILING, PASSING } from '../report.ts';

const env = { SOURCE_DATE_EPOCH: '1700000000' };
const results = resultsOf(PASSING, env);
const claim = claimOf(results)!;
const NONE = { passed: 0, failed: 0, unsupported: 0, notRun: 0 };

describe('a claim', () => {
  test('names what the specification wants named', () => {
    expect(claim.claim).toBe(
      'fine 9.9 conforms to the classes hash and text of simhash-doc 0.1.0, with Unicode 15.0.0, tested with version 1.2.3 of the vectors',
    );
    expect(claim).toMatchObject({
      ...{ kind: 'simhash-doc-claim', format: 1, date: '2023-11-14T22:13:20Z', scheme: '0.1.0' },
      suite: { version: '1.2.3', digest: 'd'.repeat(64) },
      adapter: { name: 'fine', version: '9.9', language: 'Python', unicode: '15.0.0', command: [] },
      classes: [{ class: 'hash' }, { class: 'text' }],
    });
  });

  test('is about the scheme of this tree', () => {
    const text = readFileSync(new URL('../../../../spec/simhash-doc.md', import.meta.url), 'utf8');
    expect(/^Version (\S+)/m.exec(text)?.[1]).toBe(SCHEME);
  });

  test('names the k of lookup and the label of the class label; extraction is left out', () => {
    const { classes } = claimOf({
      ...results,
      classes: [
        { class: 'lookup', k: 8, verdict: 'conforms', counts: NONE, absent: [], missing: [] },
        { class: 'label', label: 'minhash-doc', verdict: 'conforms', counts: NONE, absent: [], missing: [] },
        { class: 'extraction', medium: 'html', verdict: 'conforms', counts: NONE, absent: [], missing: [] },
      ],
    })!;
    expect(classes).toEqual([
      { class: 'lookup', k: 8 },
      { class: 'label', label: 'minhash-doc' },
    ]);
  });

  test.each([
    ['a part of the vectors', { ...results, selection: '--group tokenise' }],
    ['no class', resultsOf(FAILING, env)],
  ])('cannot be made of %s', (_, of) => {
    expect(claimOf(of)).toBeNull();
  });

  test('is read as it was written', () => {
    expect(readClaim(writeClaim(claim), 'c.json')).toEqual(claim);
  });

  test.each([
    [{ ...claim, kind: 'simhash-doc-results' }, 'c.json: expected "kind": "simhash-doc-claim"'],
    [{ ...claim, claim: 5 }, 'a text "claim"'],
    [{ ...claim, suite: { version: '1' } }, '"suite" with version and digest'],
    [{ ...claim, adapter: {} }, '"adapter" with name and version'],
    [{ ...claim, classes: [] }, 'a list of "classes"'],
    [{ ...claim, classes: [5] }, 'a list of "classes"'],
  ])('%j is refused', (content, message) => {
    expect(() => readClaim(JSON.stringify(content), 'c.json')).toThrow(message);
  });
});

describe('a claim that is checked again', () => {
  const lookup = { class: 'lookup', verdict: 'conforms', counts: NONE, absent: [], missing: [] } as const;

  test('holds for the run that it was made of', () => {
    expect(checkClaim(claim, PASSING)).toEqual([]);
  });

  test('does not hold if a class fails, or is not offered', () => {
    const hash = { ...PASSING.classes[0]!, verdict: 'fails', counts: { ...NONE, passed: 299, failed: 1 } } as const;
    expect(checkClaim(claim, { ...PASSING, classes: [hash, PASSING.classes[1]!] })).toEqual([
      'hash: 1 of 300 vectors failed.',
    ]);
    expect(checkClaim({ ...claim, classes: [{ class: 'label', label: 'simhash-doc+bg1' }] }, PASSING)).toEqual([
      'label (simhash-doc+bg1): not offered.',
    ]);
  });

  test('does not hold for a smaller k, another implementation or other vectors', () => {
    const claimed = { ...claim, classes: [{ class: 'lookup', k: 8 }] as const };
    expect(checkClaim(claimed, { ...PASSING, classes: [{ ...lookup, k: 8 }] })).toEqual([]);
    expect(checkClaim(claimed, { ...PASSING, classes: [{ ...lookup, k: 3 }] })).toEqual([
      'lookup: complete up to k = 3, not 8.',
    ]);
    expect(checkClaim(claim, { ...PASSING, adapter: { ...PASSING.adapter, version: '10' } })).toEqual([
      'The claim is about fine 9.9; this is fine 10.',
    ]);
    const suite = { version: '1.3.0', digest: 'e'.repeat(64) };
    expect(checkClaim(claim, { ...PASSING, suite })).toEqual([
      'The claim is about vectors 1.2.3 (dddddddddddd); these are 1.3.0 (eeeeeeeeeeee).',
    ]);
  });
});
