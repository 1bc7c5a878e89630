import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { runVector } from '../../src/conformance/judge/judge-vector.ts';
import { runConformance } from '../../src/conformance/run-conformance.ts';
import { loadFiles, loadGroups, loadManifest, VECTORS } from '../../src/conformance/suite/load-suite.ts';
import type { Vector, VectorGroup } from '../../src/conformance/vector.ts';
import { digestOf } from '../tools/generate/json.ts';
import { isLong } from './long.ts';
import { adapter, expectPass } from './pass.ts';

const groups = loadFiles();
const vectors: readonly Vector[] = groups.flatMap((group) => group.vectors);
const manifest = loadManifest();
const statusOf = async (vector: Vector) => (await runVector(adapter, '', vector)).outcome.status;

const read = (name: string): string => readFileSync(new URL(name, VECTORS), 'utf8');
const files = readdirSync(VECTORS).filter((name) => name.endsWith('.json'));

/** The schemas of vectors/schema/, compiled together, by the names of their files. */
function compileSchemas(): Map<string, ValidateFunction> {
  const names = readdirSync(new URL('schema/', VECTORS));
  const ajv = new Ajv2020({ strict: true });
  for (const name of names) ajv.addSchema(JSON.parse(read(`schema/${name}`)) as object, name);
  return new Map(names.map((name) => [name, ajv.getSchema(name)!]));
}
const schemas = compileSchemas();
const validate = (name: string, value: unknown): unknown => {
  const schema = schemas.get(name)!;
  return schema(value) ? [] : schema.errors;
};

describe.each(loadGroups().map((group) => [group.group, group] as const))('%s', (_name, group) => {
  const live = group.vectors.filter((vector) => vector.status !== 'retired' && !isLong(vector));
  test.each(live.map((vector) => [vector.id, vector.title, vector] as const))('%s: %s', async (_id, _title, vector) => {
    await expectPass(vector);
  });
});

describe('the files of vectors', () => {
  test.each(files)('match their schema: %s', (name) => {
    const content = JSON.parse(read(name)) as { $schema: string };
    expect(content.$schema).toBe(`./schema/${name.replace('.json', '.schema.json')}`);
    expect(validate(content.$schema.slice('./schema/'.length), content)).toEqual([]);
  });

  test.each(files)('are ASCII without a lone surrogate: %s', (name) => {
    expect(read(name)).toMatch(/^[\n -~]*$/);
    const wellFormed = (value: unknown): boolean =>
      typeof value === 'string'
        ? !/\p{Cs}/u.test(value)
        : typeof value !== 'object' || value === null || Object.values(value).every(wellFormed);
    expect(wellFormed(JSON.parse(read(name)))).toBe(true);
  });

  test('have a schema each', () => {
    const expected = [
      ...files.map((name) => name.replace('.json', '.schema.json')),
      'common.schema.json',
      'report.schema.json',
    ];
    expect([...schemas.keys()].sort()).toEqual(expected.sort());
  });

  test('have closed schemas, which allow no unknown members', () => {
    /** Copies of a value, each with one more key in one of its objects. */
    const widened = (value: unknown): unknown[] => {
      if (typeof value !== 'object' || value === null) return [];
      if (Array.isArray(value)) return value.flatMap((each, i) => widened(each).map((other) => value.with(i, other)));
      const inside = Object.entries(value).flatMap(([key, each]) =>
        widened(each).map((other) => ({ ...value, [key]: other })),
      );
      return [{ ...value, unheardOf: 1 }, ...inside];
    };
    for (const { group, description, vectors } of groups) {
      const kinds = new Map(
        vectors.map((vector) => [
          `${vector.operation} ${Object.keys(vector.input)} ${JSON.stringify(vector.input).match(/"rule":"[^"]*"/)} ${vector.error}`,
          vector,
        ]),
      );
      for (const vector of kinds.values()) {
        const file = { $schema: `./schema/${group}.schema.json`, group, description, vectors: [vector] };
        expect(validate(`${group}.schema.json`, file)).toEqual([]);
        for (const other of widened(file)) expect(validate(`${group}.schema.json`, other)).not.toEqual([]);
        const { expected, error, ...neither } = vector;
        expect(validate(`${group}.schema.json`, { ...file, vectors: [neither] })).not.toEqual([]);
        const both = { ...neither, expected: expected ?? {}, error: error ?? 'out-of-range' };
        expect(validate(`${group}.schema.json`, { ...file, vectors: [both] })).not.toEqual([]);
      }
    }
  });

  test('have schemas that refuse an id of another group, and unknown rules and flags', () => {
    const { group, description, vectors } = groups[0]!;
    for (const change of [
      { id: 'mine/first' },
      { rules: [`DEC-${99}`] },
      { rules: [`XYZ-${1}`] },
      { flags: ['Unheard'] },
    ]) {
      const file = { $schema: '', group, description, vectors: [{ ...vectors[0]!, ...change }] };
      expect(validate(`${group}.schema.json`, file)).not.toEqual([]);
    }
  });

  test('have unique ids, which begin with the group', () => {
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
  });

  test('have a digest of each vector in the manifest', () => {
    expect(manifest.vectors).toEqual(Object.fromEntries(vectors.map((vector) => [vector.id, digestOf(vector)])));
    expect(manifest.groups).toEqual(Object.fromEntries(groups.map(({ group, vectors }) => [group, vectors.length])));
  });
});

test('the command in the specification prints the digest of the manifest', () => {
  const spec = new URL('../../spec/', import.meta.url);
  const [command] = /^LC_ALL=C sha256sum [^`]+/m.exec(read('README.md'))!;
  const lines = execFileSync('sh', ['-c', command], { cwd: spec });
  expect(createHash('sha256').update(lines).digest('hex')).toBe(manifest.specification);
});

describe('versions', () => {
  const changes = [...read('CHANGELOG.md').matchAll(/^## (\S+)/gm)].map(([, version]) => version!);

  test('the changelog begins with the version of the suite', () => {
    expect(changes[0]).toBe(manifest.suite);
  });

  test('the changelog has each version that added a vector', () => {
    const since = new Set(vectors.map((vector) => vector.since));
    expect([...since].filter((version) => !changes.includes(version))).toEqual([]);
  });
});

describe('flags and rules', () => {
  const { flags } = JSON.parse(read('flags.json')) as { flags: { name: string }[] };
  const documented = flags.map(({ name }) => name);

  test('each flag is documented once, in order, and used', () => {
    expect(documented).toEqual([...new Set(documented)].sort());
    expect([...new Set(vectors.flatMap((vector) => vector.flags))].sort()).toEqual(documented);
  });

  const specification = ['simhash-doc', 'lookup', 'extraction', 'media', 'minhash-doc'].map((page) =>
    readFileSync(new URL(`../spec/${page}.md`, VECTORS), 'utf8'),
  );
  const rules = new Set(
    Array.from(specification.join('\n').matchAll(/<a id="([A-Z]{3}-[0-9]+)"><\/a>/g), ([, rule]) => rule!),
  );

  test('each cited rule is in the specification', () => {
    const cited = new Set(vectors.flatMap((vector) => vector.rules));
    expect([...cited].filter((rule) => !rules.has(rule))).toEqual([]);
  });
});

describe('a vector never passes by default:', () => {
  /** The first vector of each operation that has a result, and one that has an error. */
  const samples = [...new Set(vectors.map((vector) => `${vector.operation} ${vector.error === undefined}`))].map(
    (key) => vectors.find((vector) => `${vector.operation} ${vector.error === undefined}` === key)!,
  );

  test.each(samples.map((vector) => [vector.id, vector] as const))('%s fails when broken', async (_id, vector) => {
    const { expected, error, ...rest } = vector as Vector & { expected?: object; error?: string };
    const other = error === 'out-of-range' ? 'invalid-label' : 'out-of-range';
    const broken: object[] =
      expected === undefined
        ? [{ error: other }, { expected: {} }]
        : [{ error: other }, ...Object.keys(expected).map((key) => ({ expected: { ...expected, [key]: [0] } }))];
    for (const outcome of broken) expect(await statusOf({ ...rest, ...outcome } as Vector)).toBe('fail');
  });

  test('an unknown operation and an input of another shape fail', async () => {
    const [first] = vectors;
    for (const change of [{ input: {} }, { input: { utf8: 'xy' } }, { input: null }])
      expect((await runVector(adapter, '', { ...first, ...change } as unknown as Vector)).outcome).toMatchObject({
        ...{ status: 'fail', actual: { error: 'internal' } },
      });
    expect(await statusOf({ ...first, operation: 'guess' } as unknown as Vector)).toBe('unsupported');
  });

  const run = (groups: readonly VectorGroup[]) =>
    runConformance(adapter, { groups, suite: { version: '', digest: '' }, randomCases: 0 });

  test('a failure is counted', async () => {
    const group = groups[0]!;
    const vectors = group.vectors.map((vector, i) => (i === 1 ? { ...vector, expected: { text: '?' } } : vector));
    const { counts, outcomes } = await run([{ ...group, vectors: vectors as Vector[] }]);
    expect(counts).toMatchObject({ failed: 1, passed: vectors.length - 1 });
    expect(outcomes.filter(({ status }) => status === 'fail').map(({ id }) => id)).toEqual([vectors[1]!.id]);
  });
});
