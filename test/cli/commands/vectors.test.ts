import { describe, expect, test } from 'vitest';
import { slowTest } from '../../suite.ts';
import { folder, jsonLines, jsonOf, run, stdoutOf, success, testWrongUsage } from '../command.ts';

describe('vectors list', () => {
  test('lists all vectors, or a part', async () => {
    const all = await run(['vectors']);
    expect([all.code, all.stderr]).toEqual([0, '']);
    expect(all.stdout).toMatch(/^decode\/empty +\S/);
    const part = await run(['vectors', 'list', '--group', 'tokenise', '--rule', 'TOK-3']);
    expect(part.stdout.split('\n').length).toBeLessThan(all.stdout.split('\n').length);
    for (const line of part.stdout.trimEnd().split('\n')) expect(line).toMatch(/^tokenise\//);
    for (const vector of await jsonOf(['vectors', 'list', '--rule', 'TOK-3', '--operation', 'tokenise', '--json']))
      expect([vector['operation'], vector['rules']]).toEqual(['tokenise', expect.arrayContaining(['TOK-3'])]);
  });

  testWrongUsage('vectors', [
    [['list', '--group', 'nope'], 'no such group: "nope"'],
    [['list', '--flag', 'nope'], 'no such flag: "nope"'],
    [['list', 'more'], 'vectors list: expected options only'],
    [['show'], 'vectors show: expected the id of a vector'],
    [['show', 'no/such'], 'no such vector: "no/such"'],
    [['show', 'decode/empty', '--group', 'decode'], "vectors show: unknown option '--group'"],
    [['dance'], 'unknown subcommand "dance": expected one of list, show, validate'],
  ]);
});

test('vectors show prints vectors in ASCII', async () => {
  const stdout = await stdoutOf(['vectors', 'show', 'decode/empty']);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'decode/empty' });
  const json = await run(['vectors', 'show', '--json', 'decode/empty', 'decode/ascii']);
  expect(jsonLines(json.stdout).map(({ id }) => id)).toEqual(['decode/empty', 'decode/ascii']);
  expect(json.stdout).toMatch(/^[\n -~]*$/);
});

describe('vectors validate', () => {
  slowTest('accepts the shipped vectors', async () => {
    const { code, stdout, stderr } = await run(['vectors', 'validate']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^vectors\/decode\.json: \d+ vectors, valid\n/);
  });

  const vector = {
    ...{ id: 'mine/one', since: '1.0.0', operation: 'tokenise', title: 'one word', rules: ['TOK-2'], flags: [] },
    ...{ input: { text: 'a' }, expected: { tokens: ['a'] }, agrees: [] },
  };
  const file = (...vectors: object[]): string =>
    JSON.stringify({ $schema: './schema/tokenise.schema.json', group: 'mine', description: 'Mine.', vectors });

  test('checks other files, and standard input', async () => {
    const cwd = folder({
      'good.json': file(vector),
      'bad.json': file({ ...vector, id: 'mine/two', rules: ['TOK-2', 'XYZ-9'] }, { ...vector, id: 'mine/two' }),
      'broken.json': '{',
    });
    const good = await run(['vectors', 'validate', 'good.json'], { cwd });
    expect(good).toEqual(success('good.json: 1 vector, valid\n'));
    const all = await run(['vectors', 'validate', 'good.json', 'bad.json', 'broken.json'], { cwd });
    expect(all.code).toBe(1);
    expect(all.stderr).toContain('simhash-doc: bad.json: mine/two: no such rule: XYZ-9\n');
    expect(all.stderr).toContain('simhash-doc: bad.json: mine/two: another vector has the same id\n');
    expect(all.stderr).toMatch(/simhash-doc: broken\.json: .*JSON/);
    expect((await run(['vectors', 'validate', 'good.json', 'missing.json'], { cwd })).code).toBe(2);
    const stdin = file({ ...vector, flags: ['Nope'] });
    const json = await run(['vectors', 'validate', '--json', '-'], { stdin });
    expect(json.code).toBe(1);
    expect(jsonLines(json.stdout)).toEqual([
      { file: '-', vectors: 1, faults: [{ id: 'mine/one', message: 'no such flag: Nope' }] },
    ]);
  });
});
