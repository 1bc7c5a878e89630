import { describe, expect, test } from 'vitest';
import { readResults, resultsOf, writeResults } from '../../../src/conformance/records/results-file.ts';
import { FAILING, PASSING } from '../report/report.ts';

const results = resultsOf(FAILING, { SOURCE_DATE_EPOCH: '1700000000' });
const text = writeResults(results);
const NEEDED = { operation: 'parse', vectors: 1, randomCases: 0, isAllowed: false };
const edited = (part: object): string => JSON.stringify({ ...results, ...part });

describe('a results file', () => {
  test('is read as written', () => {
    expect(readResults(text, 'r.json')).toEqual(JSON.parse(JSON.stringify(results)));
    expect(readResults(writeResults(resultsOf(PASSING)), 'r.json').verdict).toBe('conforms');
  });

  test('has the format, the suite, the identity, and the outcome of each vector on its own line', () => {
    expect(results).toMatchObject({
      ...{ kind: 'simhash-doc-results', format: 1, date: '2023-11-14T22:13:20Z' },
      suite: { version: '1.2.3', digest: 'd'.repeat(64) },
      adapter: { language: 'Python', unicode: '15.0.0' },
      vectors: { 'tokenise/bad': { status: 'fail', outcome: '0123456789abcdef' } },
    });
    expect(text).toContain('\n    "tokenise/good": {"status":"pass"},\n');
  });

  test('has the current date by default', () => {
    const { date } = resultsOf(PASSING, {});
    expect(Math.abs(Date.now() - Date.parse(date))).toBeLessThan(60_000);
    expect(resultsOf(PASSING, { SOURCE_DATE_EPOCH: 'soon' }).date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test.each([
    ['', 'r.json: expected JSON'],
    ['[]', 'r.json: expected an object, got []'],
    ['{}', 'r.json: expected "kind": "simhash-doc-results", got nothing'],
    [edited({ kind: 'simhash-doc-claim' }), 'expected "kind": "simhash-doc-results"'],
    [edited({ format: 2 }), 'r.json: expected "format": 1, which this version reads, got 2'],
    [edited({ counts: { passed: '1' } }), "r.json: results/counts must have required property 'failed'"],
    [edited({ vectors: { 'a/b': { status: 'maybe' } } }), 'results/vectors/a~1b/status must be equal to one of'],
    [
      edited({ random: { seed: 1, compared: 9000, disagreements: 0 } }),
      "results/random must have required property 'cases'",
    ],
    [edited({ classes: [{ class: 'new' }] }), 'results/classes/0'],
    [edited({ groups: { tokenise: 5 } }), 'results/groups/tokenise must be object'],
    [
      edited({ counts: { ...results.counts, failed: 0 } }),
      `r.json: damaged or edited: "counts" has 0 failed, the vectors have ${results.counts.failed}`,
    ],
    [edited({ vectors: {} }), 'the vectors have 0'],
    [
      edited({ classes: results.classes.map((each) => ({ ...each, verdict: 'conforms' })) }),
      /class \w+ conforms with \d+ failed/,
    ],
    [
      edited({ ...resultsOf(PASSING), classes: [{ ...PASSING.classes[1], unanswered: [NEEDED] }] }),
      'class text conforms without answers to parse',
    ],
    [
      edited({ groups: { tokenise: { ...results.counts, passed: 1000 } } }),
      `"counts" has ${results.counts.passed} passed, the groups have 1000`,
    ],
  ])('with %s is rejected with the reason', (content, message) => {
    expect(() => readResults(content, 'r.json')).toThrow(message);
  });
});
