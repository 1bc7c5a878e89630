import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Adapter, Reply } from '../../../src/conformance/adapter/protocol.ts';
import { readResults } from '../../../src/conformance/records/results-file.ts';
import { writeHtml } from '../../../src/conformance/report/html-report.ts';
import { loadMutants, VECTORS } from '../../../src/conformance/suite/load-suite.ts';
import { explain, parse } from '../../../src/index.ts';
import { REPORTS, readCards, readNotes } from './card.ts';
import { lend } from './lend.ts';
import { PAGE, pageOf } from './page.ts';
import { textOf } from './write.ts';

const read = (url: URL): string => readFileSync(url, 'utf8');
const readJson = (url: URL): unknown => JSON.parse(read(url));

const cards = readCards();
const notes = readNotes();
const mutants = new Set(loadMutants().map(({ name }) => name));

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(readJson(new URL('schema/common.schema.json', VECTORS)) as object, 'common.schema.json');
const isReport = ajv.compile(readJson(new URL('schema/report.schema.json', VECTORS)) as object);

test('the page is generated from the reports', () => {
  expect(read(PAGE)).toBe(pageOf(cards, notes));
});

test.each([...cards])('the report of %s is of its version, and in the form that is written', (id, card) => {
  expect(card.adapter.version).toBe(card.library.version);
  expect(read(new URL(`${id}.json`, REPORTS))).toBe(textOf(card));
});

test.each([...cards.keys(), ...[...notes.keys()].map((id) => `not-run/${id}`)])('%s matches the schema', (name) => {
  const report = readJson(new URL(`${name}.json`, REPORTS)) as { readonly $schema: string };
  expect(new URL(report.$schema, new URL(`${name}.json`, REPORTS))).toEqual(
    new URL('schema/report.schema.json', VECTORS),
  );
  expect(isReport(report) ? [] : isReport.errors).toEqual([]);
  expect(isReport({ ...report, surprise: 1 })).toBe(false);
});

test('the folder has only reports, in ASCII', () => {
  const names = readdirSync(REPORTS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(names.length).toBe(cards.size + notes.size);
  for (const { name, parentPath } of names) expect(readFileSync(`${parentPath}/${name}`, 'utf8')).toMatch(/^[\n -~]*$/);
});

describe.each([...cards])('the report of %s', (_, { differs, asked, given }) => {
  test('names known mistakes', () => {
    expect(differs.flatMap(({ like = [] }) => like).filter((name) => !mutants.has(name))).toEqual([]);
  });

  test('lists the steps with wrong answers as different', () => {
    const steps = differs.map(({ step }) => step);
    expect(steps).toEqual([...new Set(steps)].sort((x, y) => x - y));
    for (const { step, failed } of asked)
      if (step !== null) expect([step, failed > 0]).toEqual([step, steps.includes(step)]);
    // Answers from our hashes can differ only in step 8.
    if (given.hashes !== null) expect(given.hashes.failed > 0).toBe(steps.includes(8));
  });
});

test('a report is a results file', () => {
  const results = readResults(read(new URL('npm-simhash.json', REPORTS)), 'npm-simhash.json');
  expect(writeHtml([results])).toContain('<th scope="col"><span>simhash</span></th>');
});

describe('an adapter for a library', () => {
  const sent: [string, unknown][] = [];
  const library = (results: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Adapter => ({
    restarts: 0,
    hello: async () => ({
      ...{ name: 'mine', version: '1', language: 'C', protocol: 1, unicode: null },
      operations: Object.keys(results),
    }),
    async request(operation, input): Promise<Reply> {
      sent.push([operation, input]);
      return { kind: 'ok', result: results[operation] ?? {} };
    },
    close: async () => undefined,
  });
  const last = (): unknown => sent.at(-1);

  test('offers the operations that the library supports', async () => {
    const adapter = library({ distance: {}, find: {}, fingerprint: {}, 'fingerprint-of-tokens': {} });
    expect((await lend(adapter, 'document').hello()).operations).toEqual(['fingerprint', 'compare', 'lookup']);
    expect((await lend(adapter, 'tokens').hello()).operations).toEqual(['fingerprint']);
  });

  test('writes fingerprints', async () => {
    const reply = await lend(
      library({ fingerprint: { fingerprint: '0000000000000001', tokens: [] } }),
      'document',
    ).request('fingerprint', { text: 'a' });
    expect(reply).toEqual({ kind: 'ok', result: { fingerprint: 'AAAAAAAAAAAAC', tokens: [] } });
  });

  test('passes our tokens and our hashes', async () => {
    const adapter = library({ 'fingerprint-of-tokens': { fingerprint: null }, simhash: { fingerprint: null } });
    const { tokens, hashes } = explain('Ferry to 12 islands');
    await lend(adapter, 'tokens').request('fingerprint', { utf8: Buffer.from('Ferry to 12 islands').toString('hex') });
    expect(last()).toEqual(['fingerprint-of-tokens', { tokens: tokens.map(({ text }) => text) }]);
    await lend(adapter, 'hashes').request('fingerprint', { text: 'Ferry to 12 islands' });
    expect(last()).toEqual(['simhash', { hashes: hashes.map((hash) => hash.toString(16).padStart(16, '0')) }]);
    expect(await lend(adapter, 'hashes').request('fingerprint', { utf16: '0041' })).toEqual({ kind: 'unsupported' });
  });

  test('does not ask for rejected labels and documents without a fingerprint', async () => {
    const adapter = lend(library({ distance: { distance: 2 } }), 'document');
    const [a, b] = ['simhash-doc:AAAAAAAAAAAAC', 'simhash-doc:AAAAAAAAAAAAE'];
    expect(await adapter.request('compare', { a, b })).toEqual({
      kind: 'ok',
      result: { distance: 2, similarity: 1 - 2 / 64, verdict: 'loose' },
    });
    expect(last()).toEqual(['distance', { a: '0000000000000001', b: '0000000000000002' }]);
    expect(parse('AAAAAAAAAAAAE')).toBe(2n);
    for (const wrong of [null, 'AAAAAAAAAAAAC', 'other:AAAAAAAAAAAAC'])
      expect(await adapter.request('compare', { a, b: wrong })).toEqual({ kind: 'unsupported' });
  });

  test('sorts matches', async () => {
    const entries = ['c', 'b', 'a', 'far'].map((id, i) => ({ id, fingerprint: `000000000000000${i === 0 ? 0 : 1}` }));
    const adapter = lend(library({ find: { ids: ['a', 'b', 'c'] } }), 'document');
    const reply = await adapter.request('lookup', { entries, query: '0000000000000000' });
    expect(reply.kind === 'ok' && reply.result).toMatchObject({
      completeTo: 3,
      matches: [{ id: 'c', distance: 0 }, { id: 'a', distance: 1 }, { id: 'b' }],
    });
    const none = { entries: [{ id: 'a', fingerprint: null }], query: '0000000000000000' };
    expect(await adapter.request('lookup', none)).toEqual({ kind: 'unsupported' });
  });
});
