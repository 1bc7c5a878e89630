import { describe, expect, test } from 'vitest';
import { loadFiles } from '../../../src/conformance/suite/load-suite.ts';
import { createValidator } from '../../../src/conformance/suite/validate-vectors.ts';
import { slowTest } from '../../suite.ts';

const groups = loadFiles();
const schema = (group: object): object => ({ $schema: './schema/x.schema.json', ...group });
const tokenise = groups.find(({ group }) => group === 'tokenise')!;
const good = { ...tokenise.vectors[0]!, id: 'mine/first' };
const faults = (...vectors: readonly unknown[]): string[] =>
  createValidator(['tokenise/taken'])
    .check(schema({ group: 'mine', description: 'Mine.', vectors }))
    .map(({ id, message }) => `${id}: ${message}`);

describe('validation', () => {
  // The fast suite checks the schemas in test/vectors/suite.test.ts.
  slowTest('accepts the shipped vectors', () => {
    const validator = createValidator();
    for (const group of groups) expect(validator.check(schema(group))).toEqual([]);
  });

  test('accepts groups of other authors', () => {
    expect(faults(good, { ...good, id: 'mine/second' })).toEqual([]);
  });

  test.each([
    ['an id twice', [good, good], 'mine/first: another vector has the same id'],
    ['an id of the suite', [{ ...good, id: 'tokenise/taken' }], 'tokenise/taken: another vector has the same id'],
    [
      'an id of another group',
      [{ ...good, id: 'other/first' }],
      'other/first: expected an id that begins with "mine/"',
    ],
    ['a rule', [{ ...good, rules: ['TOK-2', `TOK-${77}`] }], `mine/first: no such rule: TOK-${77}`],
    ['a flag', [{ ...good, flags: ['NoSuchFlag'] }], 'mine/first: no such flag: NoSuchFlag'],
    ['an operation', [{ ...good, operation: 'dance' }], 'mine/first: expected a known "operation", got "dance"'],
    ['an inherited name', [{ ...good, operation: 'toString' }], 'mine/first: expected a known "operation"'],
    ['a member', [{ ...good, comment: 'x' }], 'mine/first: must NOT have unevaluated properties ("comment")'],
    ['an input', [{ ...good, input: { utf8: '00' } }], "mine/first: /input: must have required property 'text'"],
    ['an outcome', [{ ...good, expected: { tokens: 'a' } }], 'mine/first: /expected/tokens: must be array'],
    ['no object', [1], 'vectors[0]: expected an object'],
  ])('finds %s', (_, vectors, fault) => {
    expect(faults(...vectors)).toEqual(expect.arrayContaining([expect.stringContaining(fault)]));
  });

  test('rejects a file that is not a group of vectors', () => {
    for (const content of [null, [], {}, { group: 'x' }]) {
      const [first] = createValidator().check(content);
      expect(first).toMatchObject({ id: '' });
    }
  });
});
