import { extract } from '../../extract/extract.ts';
import { octetsOfHex } from '../adapter/inputs.ts';
import { runOperation } from '../adapter/operations.ts';
import type { Adapter, Reply } from '../adapter/protocol.ts';
import { difference } from '../judge/difference.ts';
import type { FingerprintResult, Operation } from '../types.ts';
import { bisect, refine } from './bisect.ts';
import { STEP_OF_OPERATION } from './steps.ts';

/** How a step fared on the correct input, whatever the steps before it did. */
export interface StepFinding {
  readonly step: number;
  readonly operation: Operation;
  readonly state: 'right' | 'wrong' | 'unknown';
  /** Of a wrong one: what was given to it, and what came of it. */
  readonly input?: unknown;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Where a document's fingerprint goes wrong. */
export interface Location {
  /** The first step that gives something wrong; undefined where the adapter does not let it be seen. */
  readonly step: number | undefined;
  /**
   * How that was found: by asking the step itself; by the intermediates of the reply; by fingerprints of the texts that
   * the steps should have given. `composition`: each step by itself is right.
   */
  readonly by: 'step' | 'intermediates' | 'documents' | 'composition' | 'unknown';
  /** The steps that could be asked by themselves. */
  readonly steps: readonly StepFinding[];
}

/** The members of a `fingerprint` result in the order in which the pipeline makes them, with their steps. */
const INTERMEDIATES: readonly (readonly [member: keyof FingerprintResult, step: number])[] = [
  ['decoded', 1],
  ['normalised', 3],
  ['stripped', 4],
  ['tokens', 5],
  ['tokenCount', 5],
  ['hashes', 7],
  ['counters', 8],
  ['hex', 8],
  ['octets', 8],
  ['fingerprint', 9],
  ['keys', 11],
];

// Every token of a long document need not be asked for: the first wrong one ends the search.
const MOST_TOKENS = 64;

/**
 * Finds the first step that goes wrong on a document, and whether the steps behind it are right: each step that the
 * adapter offers by itself gets the correct input from the reference. What it does not offer is judged by the
 * intermediates of its reply, if there are any.
 * @param adapter - the implementation under test
 * @param input - the document, as sent (no generating rule)
 * @param reply - what the adapter answered to `fingerprint`, if it did
 */
export async function locate(adapter: Adapter, input: unknown, reply?: Reply): Promise<Location> {
  const { operations } = await adapter.hello();
  const outcome = await runOperation('fingerprint', input);
  if (!('result' in outcome)) return { step: undefined, by: 'unknown', steps: [] };
  const right = outcome.result as Required<FingerprintResult>;
  const findings: StepFinding[] = [];

  async function ask(operation: Operation, stepInput: unknown): Promise<StepFinding> {
    const step = STEP_OF_OPERATION[operation]!;
    if (!operations.includes(operation)) return { step, operation, state: 'unknown' };
    const expected = await runOperation(operation, stepInput);
    const answer = await adapter.request(operation, stepInput);
    if (answer.kind === 'unsupported' || answer.kind === 'not-run') return { step, operation, state: 'unknown' };
    const actual = answer.kind === 'ok' ? answer.result : answer;
    const wrong = !('result' in expected) || answer.kind !== 'ok' || difference(expected.result, actual) !== null;
    if (!wrong) return { step, operation, state: 'right' };
    return { step, operation, state: 'wrong', input: stepInput, expected, actual };
  }

  const record = input as Readonly<Record<string, unknown>>;
  if (record['text'] === undefined) findings.push(await ask('decode', input));
  const classified = Array.from(new Set(`${right.decoded}${right.normalised}`)).join('');
  if (classified.length <= 100_000) findings.push(await ask('classify', { text: classified }));
  findings.push(
    await ask('normalise', { text: right.decoded }),
    await ask('strip-locators', { text: right.normalised }),
    await ask('tokenise', { text: right.stripped }),
  );
  let hashing: StepFinding = { step: 7, operation: 'token-hash', state: 'unknown' };
  for (const token of [...new Set(right.tokens)].slice(0, MOST_TOKENS)) {
    hashing = await ask('token-hash', { text: token });
    if (hashing.state !== 'right') break;
  }
  findings.push(hashing, await ask('simhash', { hashes: right.hashes }));
  if (right.hex !== null) findings.push(await ask('serialise', { fingerprint: right.hex }));

  const first = findings.find(({ state }) => state === 'wrong')?.step;
  const shown = first === undefined ? firstWrongMember(right, reply, findings) : undefined;
  const seen = first ?? shown?.step;
  const known = new Set(shown?.right);
  for (const { step, state } of findings) if (state !== 'unknown') known.add(step);
  if (record['text'] !== undefined) known.add(1);
  // Something earlier that was not seen may be what goes wrong.
  const unseen = [1, 2, 3, 4, 5, 7, 8].filter((step) => (seen === undefined || step < seen) && !known.has(step));
  const found = await findUnseen(adapter, input, right, unseen, seen);
  if (found !== undefined) return { step: found, by: 'documents', steps: findings };
  if (first !== undefined) return { step: first, by: 'step', steps: findings };
  if (shown !== undefined) return { step: shown.step, by: 'intermediates', steps: findings };
  const allRight = findings.every(({ state }) => state === 'right');
  return { step: undefined, by: allRight ? 'composition' : 'unknown', steps: findings };
}

/**
 * Finds the first step that goes wrong on an HTML document: that of its text, or the extraction itself where the text gets
 * its right fingerprint.
 * @param adapter - the implementation under test
 * @param input - the document, as sent
 */
export async function locateExtraction(adapter: Adapter, input: unknown): Promise<Location> {
  const { utf8, charset } = input as { readonly utf8: string; readonly charset?: string };
  const { text } = await extract(octetsOfHex('extract-html', utf8), { type: 'html', transportCharset: charset });
  const { operations } = await adapter.hello();
  const outcome = await runOperation('fingerprint', { text });
  const right = 'result' in outcome ? (outcome.result as Required<FingerprintResult>) : undefined;
  const reply = operations.includes('fingerprint') ? await adapter.request('fingerprint', { text }) : undefined;
  if (reply?.kind === 'ok' && reply.result['fingerprint'] === right?.fingerprint)
    return { step: 0, by: 'documents', steps: [] };
  const location = await locate(adapter, { text }, reply);
  return location.step === undefined ? { ...location, step: 0 } : location;
}

/** Looks for a step that goes wrong among those that neither were asked for nor are known from intermediates. */
async function findUnseen(
  adapter: Adapter,
  input: unknown,
  right: Required<FingerprintResult>,
  unseen: readonly number[],
  seen: number | undefined,
): Promise<number | undefined> {
  if (!(await adapter.hello()).operations.includes('fingerprint')) return undefined;
  if (seen !== undefined && !unseen.some((step) => step !== 2)) {
    const found = unseen.length > 0 ? await refine(adapter, seen, right) : seen;
    return found === seen ? undefined : found;
  }
  const found = await bisect(adapter, input, right);
  return found !== undefined && (seen === undefined || unseen.includes(found)) ? found : undefined;
}

/** The step of the first intermediate that is wrong, and the steps of those before it. */
function firstWrongMember(
  right: FingerprintResult,
  reply: Reply | undefined,
  findings: readonly StepFinding[],
): { readonly step: number; readonly right: readonly number[] } | undefined {
  if (reply?.kind !== 'ok') return undefined;
  const given = INTERMEDIATES.filter(([member]) => Object.hasOwn(reply.result, member));
  const at = given.findIndex(([member]) => difference(right[member], reply.result[member]) !== null);
  // Where nothing before the fingerprint was given, its being wrong does not say which step it was.
  if (at < 0 || (at === 0 && given[at]![0] === 'fingerprint')) return undefined;
  const before = given.slice(0, at).map(([, step]) => step);
  // Tokens that step 5 finds by itself, and that the pipeline does not have, were dropped.
  const dropped = given[at]![0] === 'tokens' && findings.some(({ step, state }) => step === 5 && state === 'right');
  return { step: dropped && before.includes(4) ? 6 : given[at]![1], right: before };
}
