import type { AccumulateInput, ScalarCases, ScalarsRule } from '../types.ts';

/** A scalar value of a case. */
export interface PlacedScalar {
  readonly codePoint: number;
  /** Its place in the case, from 0, which determines the text around it. */
  readonly place: number;
}

/** Tests whether the cases of an accumulated vector hold the scalar values of ranges; a runner sends them one by one. */
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

export function countScalarCases({ ranges, each }: ScalarsRule): number {
  const scalars = withoutSurrogates(ranges).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return Math.ceil(scalars / each);
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

export function textOfScalars({ before, after }: ScalarsRule, scalars: readonly PlacedScalar[]): string {
  return scalars
    .map(({ codePoint, place }) => {
      const [start, end] = [before[place % before.length]!, after[place % after.length]!];
      return start + String.fromCodePoint(codePoint) + end;
    })
    .join('');
}

export function inputOfScalars({ rule, label }: ScalarCases, scalars: readonly PlacedScalar[]): unknown {
  return { text: textOfScalars(rule, scalars), ...(label !== undefined && { label }) };
}
