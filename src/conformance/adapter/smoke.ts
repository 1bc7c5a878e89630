import { assertFunction } from '../../errors.ts';
import { assertLimits } from '../options.ts';
import { visibleLine } from '../report/text.ts';
import type { Operation } from '../types.ts';
import { createOneShotAdapter } from './one-shot.ts';
import { runOperation } from './operations.ts';
import { type AdapterLimits, createProcessAdapter } from './process.ts';
import type { Hello, Reply } from './protocol.ts';

/** One thing that an adapter has to be able to do before its answers matter. */
export interface SmokeCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was seen; of one that failed, what was expected too. */
  readonly detail: string;
  readonly stderr?: string;
}

/** What {@link runSmoke} found. */
export interface SmokeReport {
  readonly ok: boolean;
  /** Undefined where the adapter could not be run. */
  readonly hello: Hello | undefined;
  readonly checks: readonly SmokeCheck[];
}

/** A small input of each operation that is answered and not refused. */
const SAMPLES: { readonly [O in Operation]: unknown } = {
  decode: { utf8: '63616669c3a9' },
  classify: { text: 'a1 \u00e9\u{10400}' },
  normalise: { text: 'cafe\u0301 \u{1d15e}' },
  'strip-locators': { text: 'see https://example.org/ there' },
  tokenise: { text: 'The "quick" brown\tfox \\ \u00e9\u{10400}' },
  'token-hash': { text: 'na\u00efve' },
  lookup3: { utf8: '6e61c3af7665', pc: '00000000', pb: '00000000' },
  simhash: { hashes: ['582647ac58d68708'] },
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

// More than the pipes of any system hold at once.
const LONG = 1 << 20;

/** The operations that take a text of any length, the cheapest first. */
const LONG_OPERATIONS: readonly Operation[] = [
  'token-hash',
  'tokenise',
  'classify',
  'normalise',
  'strip-locators',
  'fingerprint',
];

/**
 * Checks the plumbing of an adapter alone: whether it starts, introduces itself, answers, and ends. Whether its answers are
 * right does not matter here.
 * @param command - the program and its arguments
 * @param limits - as of a run
 * @param onCheck - called as soon as a check is done
 */
export async function runSmoke(
  command: readonly string[],
  limits: AdapterLimits = {},
  onCheck: (check: SmokeCheck) => void = () => undefined,
): Promise<SmokeReport> {
  assertLimits(limits);
  assertFunction('onCheck', onCheck);
  const adapter = createProcessAdapter(command, { restarts: 3, ...limits });
  const { checks, note } = collect(onCheck);
  let hello: Hello;
  try {
    hello = await adapter.hello();
  } catch (error) {
    note('starts and answers hello', false, visibleLines((error as Error).message));
    return { ok: false, hello: undefined, checks };
  }
  const { name, version, language, operations } = hello;
  note('starts and answers hello', true, visibleLine(`${name} ${version} (${language})`));
  const known = operations.filter((operation) => Object.hasOwn(SAMPLES, operation)) as Operation[];
  const unknown = operations.filter((operation) => !Object.hasOwn(SAMPLES, operation));
  note(
    'offers operations of the protocol',
    known.length > 0 && unknown.length === 0,
    unknown.length > 0 ? `not known: ${visibleLine(unknown.join(', '))}` : known.length > 0 ? known.join(', ') : 'none',
  );
  for (const operation of known) {
    const reply = await adapter.request(operation, SAMPLES[operation]);
    const fault = await faultOf(operation, reply);
    note(`answers ${operation}`, fault === null, fault ?? describeReply(reply), reply);
  }
  const strange = await adapter.request('no-such-operation' as Operation, {});
  const refused = strange.kind === 'unsupported';
  note(
    'answers an unknown operation with "unsupported"',
    refused,
    refused ? 'unsupported' : `expected "unsupported": true, got ${describeReply(strange)}`,
    strange,
  );
  const [first] = known;
  if (first !== undefined) {
    const before = adapter.restarts;
    const reply = await adapter.request(first, SAMPLES[first]);
    const alive = isAnswer(reply) && adapter.restarts === before && refused;
    note('goes on after it', alive, alive ? `answers ${first}` : describeReply(reply), reply);
  }
  const long = LONG_OPERATIONS.find((operation) => known.includes(operation));
  if (long !== undefined) {
    const reply = await adapter.request(long, { text: 'word '.repeat(LONG / 5) });
    note('reads a line of a megabyte', isAnswer(reply), `${long}: ${describeReply(reply)}`, reply);
  }
  const restarts = adapter.restarts;
  const ending = await adapter.end();
  const ended = ending !== null && ending.code === 0;
  const how =
    ending === null
      ? 'it did not end by itself'
      : ending.signal === null
        ? `exit code ${ending.code}`
        : `ended by ${ending.signal}`;
  note('ends with exit code 0 when its standard input ends', ended, ended ? how : `expected exit code 0: ${how}`);
  if (restarts > 0) note('runs on from request to request', false, `it was started again ${restarts} times`);
  return { ok: checks.every(({ ok }) => ok), hello, checks };
}

/**
 * Checks a one-shot command: whether it runs, and prints what can be read.
 * @param command - the program and its arguments
 * @param limits - as of a run
 * @param onCheck - called as soon as a check is done
 */
export async function runOneShotSmoke(
  command: readonly string[],
  limits: AdapterLimits = {},
  onCheck: (check: SmokeCheck) => void = () => undefined,
): Promise<SmokeReport> {
  assertFunction('onCheck', onCheck);
  const adapter = createOneShotAdapter(command, limits);
  const { checks, note } = collect(onCheck);
  let hello: Hello;
  try {
    hello = await adapter.hello();
  } catch (error) {
    note('runs and ends with exit code 0', false, visibleLines((error as Error).message));
    return { ok: false, hello: undefined, checks };
  }
  note('runs and ends with exit code 0', true, command.join(' '));
  const ask = async (name: string, text: string, good: (fingerprint: unknown) => boolean): Promise<void> => {
    const reply = await adapter.request('fingerprint', { text });
    note(name, reply.kind === 'ok' && good(reply.result['fingerprint']), describeReply(reply), reply);
  };
  const isFingerprint = (value: unknown): boolean => typeof value === 'string' && /^[A-Z2-7]{13}$/.test(value);
  await ask('prints 13 characters for a document', 'The quick brown fox', isFingerprint);
  await ask('prints nothing for a document without a token', '', (value) => value === null);
  await ask('reads a document of a megabyte', 'word '.repeat(LONG / 5), isFingerprint);
  return { ok: checks.every(({ ok }) => ok), hello, checks };
}

function collect(onCheck: (check: SmokeCheck) => void) {
  const checks: SmokeCheck[] = [];
  return {
    checks,
    note(name: string, ok: boolean, detail: string, reply?: Reply): void {
      const stderr = !ok && reply !== undefined && 'stderr' in reply ? reply.stderr : '';
      const check = { name, ok, detail, ...(stderr !== '' && { stderr }) };
      checks.push(check);
      onCheck(check);
    },
  };
}

function isAnswer(reply: Reply): boolean {
  return reply.kind === 'ok' || reply.kind === 'error' || reply.kind === 'unsupported';
}

function describeReply(reply: Reply): string {
  switch (reply.kind) {
    case 'ok':
      return 'ok';
    case 'error':
      return `error ${JSON.stringify(reply.code)}`;
    case 'unsupported':
      return 'unsupported';
    default:
      return visibleLine(reply.detail);
  }
}

const CODES: ReadonlySet<string> = new Set([
  'wrong-type',
  'out-of-range',
  'invalid-fingerprint',
  'invalid-label',
  'label-mismatch',
  'no-fingerprint',
]);

/** What is wrong with the form of a reply: the members of its result, or a code that does not exist. */
async function faultOf(operation: Operation, reply: Reply): Promise<string | null> {
  if (reply.kind === 'unsupported') return null;
  if (reply.kind === 'error')
    return CODES.has(reply.code)
      ? null
      : `expected an error code of the specification, got ${JSON.stringify(reply.code)}`;
  if (reply.kind !== 'ok') return describeReply(reply);
  const right = await runOperation(operation, SAMPLES[operation]);
  if (!('result' in right)) return null;
  const expected = Object.entries(right.result as Readonly<Record<string, unknown>>);
  for (const [key, value] of expected) {
    if (operation === 'fingerprint' && key !== 'fingerprint') continue;
    const given = reply.result[key];
    if (given === undefined) return `expected a result with "${key}", got ${JSON.stringify(Object.keys(reply.result))}`;
    if (given !== null && kindOf(given) !== kindOf(value))
      return `expected "${key}" to be ${kindOf(value)}, got ${kindOf(given)}`;
  }
  return null;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return (
    { string: 'a text', number: 'a number', object: 'an object', boolean: 'true or false' }[typeof value as 'string'] ??
    'nothing'
  );
}

function visibleLines(text: string): string {
  return text.split('\n').map(visibleLine).join('\n');
}
