import { expect, test } from 'vitest';
import { loadFiles, loadGroups } from '../../../src/conformance/suite/load-suite.ts';
import { isDocumentOfStep, withDocuments } from '../../../src/conformance/suite/select-vectors.ts';
import type { Vector } from '../../../src/conformance/vector.ts';
import { createChanged, run, shortGroups } from '../changed.ts';

const files = loadFiles();
const groups = loadGroups();

/** A vector of a step under a label. */
const step = files
  .flatMap(({ vectors }) => vectors)
  .find(({ operation, input }) => operation === 'tokenise' && 'label' in input)!;

test('a vector with a document makes a second vector, which asks for its fingerprint', () => {
  const given = { ...step, since: '0.1.0', document: 'LATEPLCY22DQQ' } as Vector;
  const [group] = withDocuments([
    { group: 'tokenise', description: '', vectors: [given, { ...given, id: 'tokenise/next' }] },
  ]);
  expect(group!.vectors.map(({ id }) => id)).toEqual([
    step.id,
    'tokenise/next',
    `${step.id}/document`,
    'tokenise/next/document',
  ]);
  const { id, title, rules, flags, input, agrees } = step;
  expect(group!.vectors[2]).toEqual({
    ...{ id: `${id}/document`, since: '0.2.0', operation: 'fingerprint', title: `As a document: ${title}` },
    ...{ rules, flags, input, expected: { fingerprint: 'LATEPLCY22DQQ' }, agrees },
  });
});

test('the second vector may expect null; without a document, there is none', () => {
  const { document: _, ...bare } = step;
  const [group] = withDocuments([
    {
      group: 'x',
      description: '',
      vectors: [bare as Vector, { ...step, document: null, status: 'retired', since: '0.3.0' } as Vector],
    },
  ]);
  expect(group!.vectors.length).toBe(3);
  expect(group!.vectors[2]).toMatchObject({ expected: { fingerprint: null }, status: 'retired', since: '0.3.0' });
});

test('ids show which vectors are documents of steps', () => {
  expect(['tokenise/a/document', 'tokenise/document'].map(isDocumentOfStep)).toEqual([true, false]);
});

test('nearly every vector of a step has a document, with the operation fingerprint and the same label', () => {
  const steps = ['decode', 'classify', 'normalise', 'strip-locators', 'tokenise', 'token-hash'];
  const own = files.flatMap(({ vectors }) => vectors).filter(({ operation }) => steps.includes(operation));
  const without = own.filter(({ document }) => document === undefined).map(({ id }) => id);
  // A byte order mark, and inputs that are too long for the twin.
  expect(without).toEqual([
    ...['normalise/ignorable-bom', 'token-hash/no-mark', 'token-hash/length-65536', 'token-hash/long-word'],
  ]);
  const all = groups.flatMap(({ vectors }) => vectors);
  expect(all.length).toBe(files.flatMap(({ vectors }) => vectors).length + own.length - without.length);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('the documents test an implementation that offers no step', async () => {
  const adapter = createChanged({
    hello: { operations: ['fingerprint'] },
    // A product that does not strip URNs.
    before: (input) => JSON.parse(JSON.stringify(input).replaceAll('urn:', 'urn ')),
  });
  const { outcomes, grade } = await run(adapter, shortGroups(['strip-locators']), { located: 0 });
  const failed = outcomes.filter(({ status }) => status === 'fail').map(({ id }) => id);
  expect(failed.length).toBeGreaterThan(1);
  expect(failed.filter((id) => !isDocumentOfStep(id))).toEqual([]);
  // A grade is about documents, not about inputs of steps.
  expect(grade).toBeNull();
});
