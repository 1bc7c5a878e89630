import { toHexDigits } from '../../common/bytes.ts';
import { encode } from '../../common/utf8.ts';
import type {
  AccumulatedStep,
  AccumulateInput,
  Operation,
  Outcome,
  ScalarCases,
  ScalarsRule,
  Vector,
} from '../vector.ts';
import { badInput, generated } from './vector-inputs.ts';

export interface PlacedScalar {
  readonly codePoint: number;
  /** Its place in the case, from 0, which determines the text around it. */
  readonly place: number;
}

export function isOfScalars(input: AccumulateInput): input is ScalarCases {
  return input.rule.rule === 'scalars';
}

const SURROGATES = [0xd800, 0xdfff] as const;

function withoutSurrogates(ranges: ScalarsRule['ranges']): (readonly [first: number, last: number])[] {
  const [low, high] = SURROGATES;
  return ranges.flatMap(([first, last]) => {
    if (last < low || first > high) return [[first, last] as const];
    return [...(first < low ? [[first, low - 1] as const] : []), ...(last > high ? [[high + 1, last] as const] : [])];
  });
}

export function scalarsOf({ ranges, each }: ScalarsRule, i: number): PlacedScalar[] {
  const found: PlacedScalar[] = [];
  let skipped = i * each;
  for (const [first, last] of withoutSurrogates(ranges)) {
    const size = last - first + 1;
    for (let codePoint = first + skipped; codePoint <= last && found.length < each; codePoint++)
      found.push({ codePoint, place: found.length });
    skipped = Math.max(0, skipped - size);
  }
  return found;
}

const hexOfText = (text: string): string => toHexDigits(encode(text));

export function inputOfScalars({ step, rule, label }: ScalarCases, scalars: readonly PlacedScalar[]): unknown {
  const { before, after } = rule;
  const text = scalars
    .map(({ codePoint, place }) => {
      const [start, end] = [before[place % before.length]!, after[place % after.length]!];
      return start + String.fromCodePoint(codePoint) + end;
    })
    .join('');
  if (step === 'decode') return { utf8: hexOfText(text) };
  return { text, ...(label !== undefined && { label }) };
}

/** Formats of a result as one line of an accumulated vector, without the LF (vectors/README.md). */
const WRITERS: { readonly [S in AccumulatedStep]: (result: never) => string } = {
  decode: ({ text }: { text: string }) => hexOfText(text),
  classify: ({ classes }: { classes: readonly string[] }) => classes.map((name) => name[0]).join(''),
  normalise: ({ text }: { text: string }) => hexOfText(text),
  'strip-locators': ({ text }: { text: string }) => hexOfText(text),
  tokenise: ({ tokens }: { tokens: readonly string[] }) => tokens.map(hexOfText).join(' '),
  'token-hash': ({ hash }: { hash: string }) => hash,
  simhash: ({ fingerprint }: { fingerprint: string | null }) => fingerprint ?? '-',
  serialise: ({ text, hex }: { text: string; hex: string }) => `${text} ${hex}`,
  parse: ({ fingerprint }: { fingerprint: string }) => fingerprint,
  tables: ({ keys, permuted }: { keys: readonly number[]; permuted: readonly string[] }) =>
    [...keys, ...permuted].join(' '),
  probe: ({ count, digest }: { count: number; digest: string }) => `${count} ${digest}`,
  fingerprint: ({ fingerprint }: { fingerprint: string | null }) => fingerprint ?? '-',
};

export function countCases(input: AccumulateInput): number {
  if (!isOfScalars(input)) return input.count;
  const { ranges, each } = input.rule;
  const scalars = withoutSurrogates(ranges).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return Math.ceil(scalars / each);
}

type Built = string | Uint8Array;
type InputMaker = (built: Built, i: number) => Readonly<Record<string, unknown>> | undefined;

const ofText: InputMaker = (built) => (typeof built === 'string' ? { text: built } : undefined);
const ofBytes: InputMaker = (built) => (typeof built === 'string' ? undefined : { utf8: toHexDigits(built) });
const ofEither: InputMaker = (built, i) => ofText(built, i) ?? ofBytes(built, i);
const ofFingerprint: InputMaker = (built) =>
  typeof built !== 'string' && built.length === 8 ? { fingerprint: toHexDigits(built) } : undefined;

const INPUTS: { readonly [S in AccumulatedStep]: InputMaker } = {
  ...{ decode: ofBytes, classify: ofText, normalise: ofText, 'strip-locators': ofText, tokenise: ofText },
  ...{ 'token-hash': ofEither, fingerprint: ofEither, serialise: ofFingerprint, tables: ofFingerprint },
  simhash: (built) => (typeof built === 'string' ? undefined : { hashes: toHexDigits(built).match(/.{16}/g) ?? [] }),
  parse: (built) => (typeof built === 'string' ? { serialised: built } : undefined),
  probe(built, i) {
    const input = ofFingerprint(built, i);
    return input && { ...input, table: i % 16, k: Math.floor(i / 16) % 8 };
  },
};

/** @throws TypeError for a step that cannot be accumulated, or a rule whose output the step does not take */
export function caseOf(input: AccumulateInput, i: number): { readonly operation: Operation; readonly input: unknown } {
  const { step } = input;
  if (isOfScalars(input)) return { operation: step, input: inputOfScalars(input, scalarsOf(input.rule, i)) };
  const { least, most, ...rule } = input.rule;
  const built = generated('accumulate', { ...rule, seed: input.seed + i, count: least + (i % (most - least + 1)) });
  const made = Object.hasOwn(INPUTS, step) ? INPUTS[step](built, i) : undefined;
  if (made === undefined)
    throw badInput('accumulate', 'a step that can be accumulated and a rule for it', { step, rule: input.rule });
  return { operation: step, input: made };
}

export function lineOf(step: AccumulatedStep, outcome: Outcome): string {
  return `${'error' in outcome ? outcome.error : WRITERS[step](outcome.result as never)}\n`;
}

/** Runs many cases of one step (vectors/README.md, "Accumulated vectors"). */
export async function accumulate(
  input: AccumulateInput,
  run: (operation: Operation, input: unknown) => Promise<Outcome>,
): Promise<string> {
  const lines: string[] = [];
  for (let i = 0; i < countCases(input); i++) {
    const each = caseOf(input, i);
    lines.push(lineOf(input.step, await run(each.operation, each.input)));
  }
  return digestOfLines(lines);
}

export async function digestOfLines(lines: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encode(lines.join('')));
  return toHexDigits(new Uint8Array(digest));
}

/** Vectors of more cases than this are large: they run on demand only, unless a runner sends their cases one by one. */
const MAX_CASES = 10_000;

export function isLarge({ operation, input }: Vector): boolean {
  return operation === 'accumulate' && !isOfScalars(input) && input.count > MAX_CASES;
}

export function countDeadlines(operation: string, input: unknown): number {
  if (operation !== 'accumulate') return 1;
  return Math.max(1, Math.ceil(countCases(input as AccumulateInput) / 1000));
}
