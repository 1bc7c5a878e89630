import { runOperation } from '../adapter/operations.ts';
import type { Adapter } from '../adapter/protocol.ts';
import { lineOfReply, outcomeOf } from '../judge/judge-vector.ts';
import { inputOfScalars, lineOf, type PlacedScalar, scalarsOf } from '../suite/accumulate.ts';
import type { Outcome, ScalarCases } from '../vector.ts';
import type { ScalarFinding } from '../vector-outcome.ts';

const MAX_REQUESTS = 600;
const MAX_RANGES = 12;

type Example = Pick<ScalarFinding, 'input' | 'expected' | 'actual'>;

async function findWrong(
  adapter: Adapter,
  cases: ScalarCases,
  scalars: readonly PlacedScalar[],
): Promise<Example | undefined> {
  const input = inputOfScalars(cases, scalars);
  const expected = await runOperation(cases.step, input);
  const reply = await adapter.request(cases.step, input);
  const actual = outcomeOf(reply);
  if (actual === undefined || lineOfReply(cases, reply) === lineOf(cases.step, expected)) return undefined;
  return { input, expected: pinned(cases, expected), actual: pinned(cases, actual) };
}

function pinned({ step }: ScalarCases, outcome: Outcome): unknown {
  if (!('result' in outcome)) return outcome;
  const { fingerprint, ...others } = outcome.result as { readonly fingerprint?: unknown };
  return step === 'fingerprint' ? { fingerprint } : others;
}

/** Halves texts that are answered wrongly, until one scalar value is left or none of the halves is wrong by itself. */
async function search(
  adapter: Adapter,
  cases: ScalarCases,
  wrong: readonly (readonly PlacedScalar[])[],
): Promise<Pick<ScalarFinding, 'ranges' | 'isComplete' | keyof Example>> {
  const ranges: [first: number, last: number][] = [];
  let example: Example | undefined;
  let smallest = Number.POSITIVE_INFINITY;
  let requests = 0;
  const open = [...wrong].reverse();
  while (open.length > 0 && requests < MAX_REQUESTS && ranges.length <= MAX_RANGES) {
    const scalars = open.pop()!;
    const middle = Math.ceil(scalars.length / 2);
    const halves: (readonly PlacedScalar[])[] = [];
    for (const half of scalars.length === 1 ? [] : [scalars.slice(0, middle), scalars.slice(middle)]) {
      const found = await findWrong(adapter, cases, half);
      requests++;
      if (found === undefined) continue;
      halves.push(half);
      if (half.length < smallest) [smallest, example] = [half.length, found];
    }
    open.push(...halves.reverse());
    if (halves.length === 0) {
      const [first, last, range] = [scalars[0]!.codePoint, scalars.at(-1)!.codePoint, ranges.at(-1)];
      if (range?.[1] === first - 1) range[1] = last;
      else ranges.push([first, last]);
    }
  }
  const isComplete = open.length === 0 && ranges.length <= MAX_RANGES;
  return { ranges: ranges.slice(0, MAX_RANGES), isComplete, ...example };
}

export async function findScalars(
  adapter: Adapter,
  cases: ScalarCases,
  lines: readonly string[],
): Promise<ScalarFinding | undefined> {
  const wrong: PlacedScalar[][] = [];
  for (const [i, line] of lines.entries()) {
    const scalars = scalarsOf(cases.rule, i);
    const right = await runOperation(cases.step, inputOfScalars(cases, scalars));
    if (line !== lineOf(cases.step, right)) wrong.push(scalars);
  }
  if (wrong.length === 0) return undefined;
  return { cases: lines.length, differing: wrong.length, ...(await search(adapter, cases, wrong)) };
}
