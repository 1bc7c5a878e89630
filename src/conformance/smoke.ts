import { ERROR_CODES } from '../common/error-codes.ts';
import { joinWithAnd } from '../common/text.ts';
import { assertFunction, assertOptions } from '../errors.ts';
import { type AdapterLimits, assertLimits } from './adapter/adapter-limits.ts';
import { createOneShotAdapter } from './adapter/one-shot-adapter.ts';
import { runOperation } from './adapter/operations.ts';
import { createProcessAdapter, type ProcessAdapter } from './adapter/process-adapter.ts';
import { type Adapter, describeExit, type Hello, type Reply } from './adapter/protocol.ts';
import { tryRoundTrip } from './diagnosis/encoding.ts';
import { findSlip } from './judge/slips.ts';
import { visibleLine } from './report/printable-text.ts';
import type { Operation, Outcome } from './vector.ts';

/** Something that an adapter must be able to do before its answers matter. */
export interface SmokeCheck {
  readonly name: string;
  readonly ok: boolean;
  /** The observation; for a failed check, also the expectation. */
  readonly detail: string;
  readonly stderr?: string;
}

/** The result of a smoke test. */
export interface SmokeReport {
  readonly ok: boolean;
  /** Undefined if the adapter could not be run. */
  readonly hello: Hello | undefined;
  readonly checks: readonly SmokeCheck[];
}

/** Options of a smoke test. */
export interface SmokeOptions extends AdapterLimits {
  /** True if the command reads a document and prints its fingerprint, instead of using the protocol. */
  readonly oneShot?: boolean | undefined;
  /** Called as soon as a check is done. */
  readonly onCheck?: ((check: SmokeCheck) => void) | undefined;
}

const SAMPLES: { readonly [O in Operation]: unknown } = {
  decode: { utf8: '63616669c3a9' },
  classify: { text: 'a1 \u00e9\u{10400}' },
  normalise: { text: 'cafe\u0301 \u{1d15e}' },
  'strip-locators': { text: 'see https://example.org/ there' },
  tokenise: { text: 'The "quick" brown\tfox \\ \u00e9\u{10400}' },
  'token-hash': { text: 'na\u00efve' },
  lookup3: { utf8: '6e61c3af7665', pc: '00000000', pb: '00000000' },
  simhash: { hashes: ['582647ac58d68708'] },
  draw: { hash: '582647ac58d68708', n: 0 },
  minhash: { hashes: ['582647ac58d68708'], label: 'minhash-doc' },
  truncate: { fingerprint: '582647ac58d68708'.repeat(4) },
  serialise: { fingerprint: '582647ac58d68708' },
  parse: { serialised: 'LATEPLCY22DQQ' },
  'parse-hex': { hex: '582647ac58d68708' },
  'parse-label': { label: 'simhash-doc' },
  'parse-labelled': { labelled: 'simhash-doc:LATEPLCY22DQQ' },
  'format-labelled': { label: 'simhash-doc', fingerprint: '582647ac58d68708' },
  compare: { a: 'simhash-doc:LATEPLCY22DQQ', b: 'simhash-doc:LATEPLCY22DQQ' },
  tables: { fingerprint: '582647ac58d68708' },
  unpermute: { permuted: '582647ac58d68708', table: 0 },
  probe: { fingerprint: '582647ac58d68708', table: 0, k: 4 },
  lookup: { entries: [{ id: 'a', fingerprint: '582647ac58d68708' }], query: '582647ac58d68708', k: 3 },
  fingerprint: { text: 'The quick brown fox' },
  accumulate: { step: 'token-hash', rule: { rule: 'octets', least: 0, most: 2 }, seed: 1, count: 4 },
  extract: { base64: Buffer.from('The quick brown fox').toString('base64'), type: 'text' },
  'extract-html': { utf8: Buffer.from('<p>The quick <b>brown</b> fox').toString('hex') },
};

// More bytes than the pipes of any system hold.
const LONG_TEXT = 'word '.repeat((1 << 20) / 5);
/** The operations that take a text of any length, the cheapest first. */
const LONG = ['token-hash', 'tokenise', 'classify', 'normalise', 'strip-locators', 'fingerprint'] as const;
const MAX_RESTARTS = 3;

/**
 * Checks that an adapter starts, introduces itself, answers, and exits. Wrong answers do not matter.
 * @param command - the program and its arguments
 * @param options - see {@link SmokeOptions}
 * @throws (rejects) TypeError `wrong-type`, RangeError `out-of-range`
 */
export async function runSmoke(command: readonly string[], options: SmokeOptions = {}): Promise<SmokeReport> {
  assertOptions('options', options, { oneShot: 'boolean?' });
  const { oneShot = false, onCheck = () => undefined, ...limits } = options;
  assertFunction('options.onCheck', onCheck);
  assertLimits(limits);
  const checks: SmokeCheck[] = [];
  const note: Note = (name, ok, detail, reply) => {
    const stderr = !ok && isFailure(reply) && reply.kind !== 'not-run' ? reply.stderr : '';
    const check = { name, ok, detail, ...(stderr !== '' && { stderr }) };
    checks.push(check);
    onCheck(check);
  };
  const hello = oneShot
    ? await checkOneShot(createOneShotAdapter(command, limits), command, note)
    : await checkAdapter(createProcessAdapter(command, { restarts: MAX_RESTARTS, ...limits }), note);
  return { ok: checks.every(({ ok }) => ok), hello, checks };
}

type Note = (name: string, ok: boolean, detail: string, reply?: Reply) => void;

async function checkAdapter(adapter: ProcessAdapter, note: Note): Promise<Hello | undefined> {
  const name = ({ name, version, language }: Hello): string => visibleLine(`${name} ${version} (${language})`);
  const hello = await greet(adapter, 'starts and answers hello', name, note);
  if (hello === undefined) return undefined;
  const known = hello.operations.filter((operation) => Object.hasOwn(SAMPLES, operation)) as Operation[];
  const unknown = hello.operations.filter((operation) => !Object.hasOwn(SAMPLES, operation));
  note(
    'offers operations of the protocol',
    known.length > 0 && unknown.length === 0,
    unknown.length > 0 ? `unknown: ${visibleLine(unknown.join(', '))}` : known.join(', ') || 'none',
  );
  for (const operation of known) {
    const reply = await adapter.request(operation, SAMPLES[operation]);
    const fault = await findFault(operation, reply);
    note(`answers ${operation}`, fault === null, fault ?? describeReply(reply), reply);
  }
  const { operations, damage } = await tryRoundTrip(adapter);
  if (operations.length > 0)
    note('reads and writes texts as UTF-8', damage === null, damage ?? `asked ${joinWithAnd(operations)}`);
  await checkUnknown(adapter, known[0], note);
  const long = LONG.find((operation) => known.includes(operation));
  if (long !== undefined) {
    const reply = await adapter.request(long, { text: LONG_TEXT });
    note('reads a line of a megabyte', !isFailure(reply), `${long}: ${describeReply(reply)}`, reply);
  }
  const { restarts } = adapter;
  const status = await adapter.end();
  const how = status === undefined ? 'it was not running' : status === null ? 'it did not exit' : describeExit(status);
  const detail = status?.code === 0 ? how : `expected exit code 0: ${how}`;
  note('exits with code 0 when its standard input is closed', status?.code === 0, detail);
  if (restarts > 0) note('handles many requests in one process', false, `it was restarted ${restarts} times`);
  return hello;
}

async function greet(
  adapter: Adapter,
  check: string,
  describe: (hello: Hello) => string,
  note: Note,
): Promise<Hello | undefined> {
  try {
    const hello = await adapter.hello();
    note(check, true, describe(hello));
    return hello;
  } catch (error) {
    note(check, false, (error as Error).message.split('\n').map(visibleLine).join('\n'));
    return undefined;
  }
}

async function checkUnknown(adapter: ProcessAdapter, operation: Operation | undefined, note: Note): Promise<void> {
  const unknown = await adapter.request('no-such-operation' as Operation, {});
  const isRefused = unknown.kind === 'unsupported';
  note(
    'answers an unknown operation with "unsupported"',
    isRefused,
    isRefused ? 'unsupported' : `expected "unsupported": true, got ${describeReply(unknown)}`,
    unknown,
  );
  if (operation === undefined) return;
  const before = adapter.restarts;
  const reply = await adapter.request(operation, SAMPLES[operation]);
  const isAlive = !isFailure(reply) && adapter.restarts === before && isRefused;
  note('keeps running after it', isAlive, isAlive ? `answers ${operation}` : describeReply(reply), reply);
}

async function checkOneShot(adapter: Adapter, command: readonly string[], note: Note): Promise<Hello | undefined> {
  const hello = await greet(adapter, 'runs and exits with code 0', () => command.join(' '), note);
  if (hello === undefined) return undefined;
  const ask = async (check: string, text: string, isGood: (fingerprint: unknown) => boolean): Promise<void> => {
    const reply = await adapter.request('fingerprint', { text });
    note(check, reply.kind === 'ok' && isGood(reply.result['fingerprint']), describeReply(reply), reply);
  };
  const isFingerprint = (value: unknown): boolean => typeof value === 'string' && /^[A-Z2-7]{13}$/.test(value);
  await ask('prints 13 characters for a document', 'The quick brown fox', isFingerprint);
  await ask('prints nothing for a document without a token', '', (value) => value === null);
  await ask('reads a document of a megabyte', LONG_TEXT, isFingerprint);
  return hello;
}

function isFailure(reply: Reply | undefined): reply is Exclude<Reply, { kind: 'ok' | 'error' | 'unsupported' }> {
  return reply !== undefined && !['ok', 'error', 'unsupported'].includes(reply.kind);
}

function describeReply(reply: Reply): string {
  if (isFailure(reply)) return visibleLine(reply.detail);
  return reply.kind === 'error' ? `error ${JSON.stringify(reply.code)}` : reply.kind;
}

async function findFault(operation: Operation, reply: Reply): Promise<string | null> {
  if (reply.kind === 'unsupported') return null;
  if (reply.kind === 'error')
    return ERROR_CODES.has(reply.code)
      ? null
      : `expected an error code of the specification, got ${JSON.stringify(reply.code)}`;
  if (reply.kind !== 'ok') return describeReply(reply);
  const expected = (await runOperation(operation, SAMPLES[operation])) as Extract<Outcome, { result: unknown }>;
  for (const [key, value] of Object.entries(expected.result as object)) {
    if (operation === 'fingerprint' && key !== 'fingerprint') continue;
    const given = reply.result[key];
    if (given === undefined) return `expected a result with "${key}", got ${JSON.stringify(Object.keys(reply.result))}`;
    const isNone = given === null && !Array.isArray(value) && typeof value !== 'number';
    const [kind, right] = [given, value].map(kindOf);
    if (!isNone && kind !== right) return `expected "${key}" to be ${right}, got ${kind}`;
  }
  // The answer may be wrong here, but not its form.
  return findSlip(operation, expected, reply)?.message ?? null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  const kinds: Readonly<Record<string, string>> = { object: 'an object', boolean: 'true or false' };
  return Array.isArray(value) ? 'a list' : (kinds[typeof value] ?? `a ${typeof value}`);
}
