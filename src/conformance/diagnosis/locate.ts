import { extract } from '../../extract/extract.ts';
import { schemeOf } from '../../scheme/labels/label.ts';
import { runOperation } from '../adapter/operations.ts';
import type { Adapter, Reply } from '../adapter/protocol.ts';
import { difference, judge } from '../judge/judge.ts';
import { outcomeOf } from '../judge/judge-vector.ts';
import { correctForm } from '../judge/slips.ts';
import { bytesOfHex } from '../suite/vector-inputs.ts';
import type { FingerprintResult, LabelInput, Operation, Operations, Vector } from '../vector.ts';
import type { Location, StepFinding } from '../vector-outcome.ts';
import { bisect, refine } from './bisect.ts';
import { STEP_OF_OPERATION } from './steps.ts';

const INTERMEDIATES = Object.entries({
  ...{ decoded: 1, normalised: 3, stripped: 4, tokens: 5, tokenCount: 5, hashes: 7 },
  ...{ counters: 8, draws: 8, hex: 8, octets: 8, fingerprint: 9, keys: 11 },
}) as readonly (readonly [member: keyof FingerprintResult, step: number])[];

const MAX_TOKENS = 64;
/** Code points whose class is requested in one request. */
const MAX_CLASSIFIED = 100_000;

export async function locateFailure(
  adapter: Adapter,
  { operation, expected }: Vector,
  sent: unknown,
  reply: Reply | undefined,
): Promise<Location | undefined> {
  if (expected === undefined || (reply?.kind !== 'ok' && reply?.kind !== 'error')) return undefined;
  if (operation === 'fingerprint') return locate(adapter, sent, reply);
  return operation === 'extract-html' ? locateExtraction(adapter, sent) : undefined;
}

/** Finds the first step that goes wrong on a document: asks each step, or judges by intermediates, or by fingerprints alone. */
export async function locate(adapter: Adapter, input: unknown, reply?: Reply): Promise<Location> {
  const outcome = await runOperation('fingerprint', input);
  if (!('result' in outcome)) return { step: undefined, by: 'unknown', steps: [] };
  const right = outcome.result as Required<FingerprintResult>;
  const findings = await askSteps(adapter, input, right);
  const first = findings.find(({ state }) => state === 'wrong')?.step;
  const shown = first === undefined ? findWrongIntermediate(right, reply, findings) : undefined;
  const seen = first ?? shown?.step;
  const known = new Set(shown?.right);
  for (const { step, state } of findings) if (state !== 'unknown') known.add(step);
  if (isText(input)) known.add(1);
  // An earlier step that was not seen may be the one at fault.
  const unseen = [1, 2, 3, 4, 5, 7, 8].filter((step) => (seen === undefined || step < seen) && !known.has(step));
  // (With another label, fingerprints of intermediate texts are unreliable: words would be cut into pairs again.)
  const isOther = labelIn(input).label !== undefined;
  const found = isOther ? undefined : await findUnseen(adapter, input, right, unseen, seen);
  if (found !== undefined) return { step: found, by: 'documents', steps: findings };
  if (first !== undefined) return { step: first, by: 'step', steps: findings };
  if (shown !== undefined) return { step: shown.step, by: 'intermediates', steps: findings };
  const allRight = findings.every(({ state }) => state === 'right');
  return { step: undefined, by: allRight ? 'composition' : 'unknown', steps: findings };
}

const isText = (input: unknown): boolean => (input as { readonly text?: unknown }).text !== undefined;

function labelIn(input: unknown): LabelInput {
  const { label } = input as LabelInput;
  return label === undefined ? {} : { label };
}

async function askSteps(adapter: Adapter, input: unknown, right: Required<FingerprintResult>): Promise<StepFinding[]> {
  const findings: StepFinding[] = [];
  const label = labelIn(input);
  if (!isText(input)) findings.push(await askStep(adapter, 'decode', input));
  const classified = Array.from(new Set(`${right.decoded}${right.normalised}`)).join('');
  if (classified.length <= MAX_CLASSIFIED) findings.push(await askStep(adapter, 'classify', { text: classified }));
  findings.push(
    await askStep(adapter, 'normalise', { text: right.decoded }),
    await askStep(adapter, 'strip-locators', { text: right.normalised }),
    await askStep(adapter, 'tokenise', { ...label, text: right.stripped }),
  );
  let hashing: StepFinding = { step: 7, operation: 'token-hash', state: 'unknown' };
  for (const token of [...new Set(right.tokens)].slice(0, MAX_TOKENS)) {
    hashing = await askStep(adapter, 'token-hash', { text: token });
    if (hashing.state !== 'right') break;
  }
  findings.push(hashing);
  const combine = schemeOf(label.label).method;
  const [hash] = right.hashes;
  if (combine === 'minhash' && hash !== undefined) findings.push(await askStep(adapter, 'draw', { hash, n: 127 }));
  findings.push(await askStep(adapter, combine, { ...label, hashes: right.hashes }));
  if (right.hex !== null) findings.push(await askStep(adapter, 'serialise', { ...label, fingerprint: right.hex }));
  return findings;
}

async function askStep(adapter: Adapter, operation: Operation, input: unknown): Promise<StepFinding> {
  const step = STEP_OF_OPERATION[operation]!;
  const { operations } = await adapter.hello();
  if (!operations.includes(operation)) return { step, operation, state: 'unknown' };
  const expected = await runOperation(operation, input);
  const answer = await adapter.request(operation, input);
  const outcome = outcomeOf(answer);
  if (outcome === undefined) return { step, operation, state: 'unknown' };
  const isAnswered = 'result' in expected && 'result' in outcome;
  const actual = isAnswered ? { result: correctForm(operation, expected.result, outcome.result) } : outcome;
  if (judge(operation, expected, actual) === null) return { step, operation, state: 'right' };
  return { step, operation, state: 'wrong', input, expected, actual: 'result' in outcome ? outcome.result : answer };
}

/** Locates the fault in a document to extract: it is in extraction if the right text gets the right fingerprint. */
async function locateExtraction(adapter: Adapter, input: unknown): Promise<Location> {
  const { utf8, charset, extractor } = input as Operations['extract-html']['input'] & { readonly utf8: string };
  const hints = { type: 'html' as const, transportCharset: charset, extractor };
  const { text } = await extract(bytesOfHex('extract-html', utf8), hints);
  const { operations } = await adapter.hello();
  const outcome = await runOperation('fingerprint', { text });
  const right = 'result' in outcome ? (outcome.result as Required<FingerprintResult>) : undefined;
  const reply = operations.includes('fingerprint') ? await adapter.request('fingerprint', { text }) : undefined;
  if (reply?.kind === 'ok' && reply.result['fingerprint'] === right?.fingerprint)
    return { step: 0, by: 'documents', steps: [] };
  const location = await locate(adapter, { text }, reply);
  return location.step === undefined ? { ...location, step: 0 } : location;
}

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

function findWrongIntermediate(
  right: FingerprintResult,
  reply: Reply | undefined,
  findings: readonly StepFinding[],
): { readonly step: number; readonly right: readonly number[] } | undefined {
  if (reply?.kind !== 'ok') return undefined;
  const result = correctForm('fingerprint', right, reply.result) as Readonly<Record<string, unknown>>;
  // (Counters do not apply to minhash-doc, nor keys to 256 bits.)
  const given = INTERMEDIATES.filter(([member]) => Object.hasOwn(result, member) && Object.hasOwn(right, member));
  const at = given.findIndex(([member]) => difference(right[member], result[member]) !== null);
  // A wrong fingerprint alone does not reveal the step.
  if (at < 0 || (at === 0 && given[at]![0] === 'fingerprint')) return undefined;
  const before = given.slice(0, at).map(([, step]) => step);
  // Tokens that step 5 finds by itself, but the pipeline does not have, were dropped.
  const dropped = given[at]![0] === 'tokens' && findings.some(({ step, state }) => step === 5 && state === 'right');
  return { step: dropped && before.includes(4) ? 6 : given[at]![1], right: before };
}
