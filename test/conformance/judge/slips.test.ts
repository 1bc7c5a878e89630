import { describe, expect, test } from 'vitest';
import type { Reply } from '../../../src/conformance/adapter/protocol.ts';
import { findSlip } from '../../../src/conformance/judge/slips.ts';
import { writeTerminal } from '../../../src/conformance/report/terminal/terminal-report.ts';
import { diagnose } from '../../../src/conformance/report/wording.ts';
import type { Operation } from '../../../src/conformance/vector.ts';
import { createChanged, run, shortGroups } from '../changed.ts';

type Result = Readonly<Record<string, unknown>>;

const slipOf = (operation: Operation, expected: Result, result: Result) =>
  findSlip(operation, { result: expected }, { kind: 'ok', result });

const HASH = { hash: '00ab00000000000f' };

describe('a mistake in the form of a reply', () => {
  test.each<readonly [string, Operation, Result, Result, string]>([
    ['upper case', 'token-hash', HASH, { hash: '00AB00000000000F' }, 'digits in upper case under "hash": write'],
    ['0x', 'token-hash', HASH, { hash: '0x00ab00000000000f' }, 'digits with 0x under "hash"'],
    ['in a list', 'tables', { permuted: ['00ab00000000000f'] }, { permuted: ['00AB00000000000F'] }, 'in upper case'],
    ['a text for a number', 'compare', { distance: 0 }, { distance: '0' }, 'the text "0" under "distance" in place of'],
    ['null for a list', 'tokenise', { tokens: [] }, { tokens: null }, 'null under "tokens" in place of a list'],
    ['no member', 'token-hash', HASH, { value: HASH.hash }, 'the result has no member "hash"'],
    [
      'in an object in a list',
      'lookup',
      { completeTo: 3, matches: [{ id: 'a', fingerprint: 'a'.repeat(16), distance: 1 }] },
      { completeTo: 3, matches: [{ id: 'a', fingerprint: 'A'.repeat(16), distance: 1 }] },
      'under "fingerprint"',
    ],
  ])('is described: %s', (_, operation, expected, actual, message) => {
    expect(slipOf(operation, expected, actual)).toMatchObject({ isOnly: true });
    expect(slipOf(operation, expected, actual)!.message).toContain(message);
  });

  test('is not null for the keys of a document without a fingerprint', () => {
    const expected = { fingerprint: '00ab00000000000f', keys: [1, 2] };
    expect(slipOf('fingerprint', expected, { fingerprint: null, keys: null })).toBeUndefined();
    expect(slipOf('fingerprint', expected, { ...expected, keys: null })).toMatchObject({ kind: 'list', isOnly: false });
  });

  test('is also reported for a wrong answer', () => {
    expect(slipOf('token-hash', HASH, { hash: '00AB00000000000E' })).toMatchObject({ kind: 'hex', isOnly: false });
    expect(slipOf('compare', { distance: 0 }, { distance: '1' })).toMatchObject({ kind: 'number', isOnly: false });
  });

  test('may be an unknown error code, or a failure of the adapter', () => {
    const slip = (code: string, message = '') => findSlip('parse', { result: HASH }, { kind: 'error', code, message });
    expect(slip('bad-input')!.message).toMatch(/^the error code "bad-input" is not one of .*invalid-fingerprint/);
    expect(slip('internal', 'no memory')!.message).toBe('the adapter reports a failure: "no memory"');
    expect(slip('invalid-fingerprint')).toBeUndefined();
  });

  test.each<readonly [string, Operation, Result, Result]>([
    ['another hash', 'token-hash', HASH, { hash: '00ab00000000000e' }],
    ['a text in upper case', 'normalise', { text: 'deadbeef' }, { text: 'DEADBEEF' }],
    ['the hexadecimal form of step 9 (SER-6)', 'serialise', { hex: 'ab'.repeat(8) }, { hex: 'AB'.repeat(8) }],
    ['a fingerprint in lower case', 'fingerprint', { fingerprint: 'LATEPLCY22DQQ' }, { fingerprint: 'lateplcy22dqq' }],
    ['intermediates that are not there', 'fingerprint', { fingerprint: 'A', tokens: ['a'] }, { fingerprint: 'B' }],
    ['the bound of a medium', 'extract', { fingerprint: 'A', within: 3 }, { fingerprint: 'B' }],
    ['another list', 'tokenise', { tokens: ['a'] }, { tokens: [] }],
  ])('is not %s', (_, operation, expected, actual) => {
    expect(slipOf(operation, expected, actual)).toBeUndefined();
  });
});

/** Changes every value of a result. */
function mapResult(reply: Reply, change: (value: unknown) => unknown): Reply {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return change(value) === value ? value.map(walk) : change(value);
    if (typeof value !== 'object' || value === null) return change(value);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member)]));
  };
  return reply.kind === 'ok' ? { kind: 'ok', result: walk(reply.result) as Result } : reply;
}

const upperCase = (value: unknown): unknown =>
  typeof value === 'string' && /^[0-9a-f]{16}$/.test(value) ? value.toUpperCase() : value;

/** Changes replies, but not those about the hexadecimal form, which is a matter of step 9. */
const runChanged = (names: readonly string[], change: (reply: Reply, operation: Operation) => Reply) => {
  const after = (reply: Reply, operation: Operation): Reply =>
    operation === 'serialise' && reply.kind === 'ok' ? reply : change(reply, operation);
  return run(createChanged({ after }), shortGroups(names), { randomCases: 5 });
};

describe('a run whose replies have only wrong forms', () => {
  test.each<readonly [string, (reply: Reply) => Reply, readonly string[], string]>([
    ['upper case', (reply) => mapResult(reply, upperCase), ['token-hash', 'simhash', 'fingerprint'], 'in upper case'],
    [
      'numbers as texts',
      (reply) => mapResult(reply, (value) => (typeof value === 'number' ? String(value) : value)),
      ['compare', 'tables'],
      'in place of a number',
    ],
    [
      'null for empty lists',
      (reply) => mapResult(reply, (value) => (Array.isArray(value) && value.length === 0 ? null : value)),
      ['tokenise', 'lookup'],
      'in place of a list',
    ],
    [
      'codes of its own',
      (reply) => (reply.kind === 'error' ? { ...reply, code: 'E_INVALID' } : reply),
      ['serialise', 'label'],
      'the error code "E_INVALID" is not one of',
    ],
  ])('blames no step: %s', async (_, change, names, words) => {
    const report = await runChanged(names, change);
    expect(report.counts.failed).toBeGreaterThan(0);
    expect(report).toMatchObject({ verdict: 'fails', firstStep: null, resemblances: [] });
    const lines = diagnose(report);
    expect(lines.length).toBe(1);
    expect(lines[0]).toMatch(/^Replies to [\d,]+ vectors? do not have the form that the protocol requires, first /);
    expect(lines[0]).toContain(words);
    expect(writeTerminal(report)).toContain(
      'Fix the form of the replies first: such faults are not attributed to a step.',
    );
  });

  test('also reports a wrong step, after the form', async () => {
    const report = await runChanged(['token-hash', 'simhash', 'fingerprint'], (reply, operation) => {
      if (reply.kind !== 'ok' || (operation !== 'simhash' && operation !== 'fingerprint')) return reply;
      // The last bit is lost in step 8.
      const { hashes, tokens, fingerprint } = reply.result;
      const lost =
        operation === 'simhash'
          ? { ...reply.result, counters: (reply.result['counters'] as number[]).map((n) => n + 1) }
          : { hashes, tokens, fingerprint: fingerprint === null ? null : `A${String(fingerprint).slice(1)}` };
      return mapResult({ kind: 'ok', result: lost }, upperCase);
    });
    expect(report.firstStep?.step).toBe(8);
    const lines = diagnose(report);
    expect(lines[0]).toContain('in upper case');
    expect(lines[1]).toContain('step 8');
  });
});
