import { formatNumber, joinWithAnd, pluralize } from '../../common/text.ts';
import type { Declared } from '../declared.ts';
import { STEP_OF_OPERATION } from '../diagnosis/steps.ts';
import type { ClassVerdict } from '../judge/classes.ts';
import type { Unanswered } from '../judge/unanswered.ts';

/** The unanswered inputs of one operation and one kind of input. */
export type NotAnswered = Omit<Unanswered, 'isAllowed'>;

/** Names the unanswered inputs: `30 of fingerprint (utf16), 11 of lookup3, 18 accumulated, 3 random cases of parse`. */
export function nameUnanswered(unanswered: readonly NotAnswered[]): string {
  const accumulated = unanswered.filter(({ about }) => about !== undefined);
  const items = unanswered
    .filter(({ about }) => about === undefined)
    .map(({ operation, kind, vectors, randomCases }) => {
      const count = vectors > 0 ? formatNumber(vectors) : pluralize(randomCases, 'random case');
      return `${count} of ${operation}${kind === undefined ? '' : ` (${kind})`}`;
    });
  if (accumulated.length > 0) items.push(`${formatNumber(sumOf(accumulated))} accumulated`);
  return joinWithAnd(items);
}

function sumOf(unanswered: readonly NotAnswered[]): number {
  return unanswered.reduce((sum, { vectors }) => sum + vectors, 0);
}

type Judged = Pick<ClassVerdict, 'label' | 'medium'> & { readonly unanswered?: readonly NotAnswered[] };

/** Collects the unanswered inputs of classes; an operation that several classes test is counted once. */
export function unansweredOf(classes: readonly Judged[]): NotAnswered[] {
  const parts = new Map<string, NotAnswered>();
  for (const { label, medium, unanswered = [] } of classes)
    for (const { operation, about, kind, vectors, randomCases } of unanswered)
      parts.set(JSON.stringify([label, medium, operation, about, kind]), {
        operation,
        ...(about !== undefined && { about }),
        ...(kind !== undefined && { kind }),
        ...{ vectors, randomCases },
      });
  const sums = new Map<string, NotAnswered>();
  for (const { vectors, randomCases, ...item } of parts.values()) {
    const known = sums.get(JSON.stringify(item)) ?? { vectors: 0, randomCases: 0 };
    sums.set(JSON.stringify(item), {
      ...item,
      ...{ vectors: known.vectors + vectors, randomCases: known.randomCases + randomCases },
    });
  }
  return [...sums.values()];
}

/** Names the product's functions with the operations that they answer: `shd_read (parse and parse-hex)`. */
export function nameFunctions({ functions = {} }: Declared): string[] {
  const operations = new Map<string, string[]>();
  for (const [operation, name] of Object.entries(functions))
    operations.set(name, [...(operations.get(name) ?? []), operation]);
  return [...operations].map(([name, answered]) => `${name} (${joinWithAnd(answered)})`);
}

/** Says by which functions the operations were answered, and which ones are recomposed; for files, which do not wrap lines. */
export function describeFunctions(adapter: Parameters<typeof recomposedOf>[0]): string {
  const functions = nameFunctions(adapter);
  const recomposed = recomposedOf(adapter);
  return [
    functions.length === 0 ? 'none named' : functions.join('; '),
    ...(recomposed.length === 0 ? [] : [`recomposed: ${recomposed.join(', ')}`]),
  ].join('; ');
}

/** The operations, `accumulate` aside, that no function of the product answers: their steps are recomposed for the test. */
export function recomposedOf({
  operations,
  functions = {},
}: Declared & { readonly operations: readonly string[] }): string[] {
  return operations.filter(
    (operation) =>
      operation !== 'accumulate' && Object.hasOwn(STEP_OF_OPERATION, operation) && !Object.hasOwn(functions, operation),
  );
}
