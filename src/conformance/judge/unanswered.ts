import type { VectorOutcome } from '../outcome.ts';
import type { Operation } from '../types.ts';

/** The inputs that an implementation did not answer: vectors or random cases of one operation and one kind of input. */
export interface Unanswered {
  readonly operation: Operation;
  /** For accumulated vectors: the operation of their cases. */
  readonly about?: Operation;
  /** The kind of these inputs, if it was declined in advance. */
  readonly kind?: string;
  readonly vectors: number;
  readonly randomCases: number;
  /** True if the class can be awarded without them. */
  readonly isAllowed: boolean;
}

/** Random cases of one operation, label and kind of input that were not answered. */
export interface SilentCases {
  readonly operation: Operation;
  /** The label, if it is not `simhash-doc`. */
  readonly label?: string;
  /** The kind of these inputs, if it was declined in advance. */
  readonly kind?: string;
  readonly count: number;
}

/**
 * Lists the unanswered inputs of a class. An operation that the class does not need, and accumulated vectors of one
 * step, are answered as a whole or not at all. Vectors that run on demand only need no answer.
 */
export function listUnanswered(
  outcomes: readonly VectorOutcome[],
  silent: readonly SilentCases[],
  needed: readonly Operation[],
  isExcused: (kind: string) => boolean,
): Unanswered[] {
  const found = new Map<string, Unanswered>();
  const answered = new Set(outcomes.filter(({ status }) => status !== 'unsupported').map(unitOf));
  const add = (item: Unit & { readonly kind?: string }, vectors: number, randomCases: number): void => {
    const { operation, about, kind } = item;
    const isLeftOut = !needed.includes(operation) && !answered.has(unitOf(item));
    const isAllowed = isLeftOut || (kind !== undefined && isExcused(kind));
    const key = JSON.stringify([operation, about, kind, isAllowed]);
    const known = found.get(key) ?? { vectors: 0, randomCases: 0 };
    found.set(key, {
      operation,
      ...(about !== undefined && { about }),
      ...(kind !== undefined && { kind }),
      ...{ vectors: known.vectors + vectors, randomCases: known.randomCases + randomCases, isAllowed },
    });
  };
  for (const outcome of outcomes) if (outcome.status === 'unsupported' && outcome.isLarge !== true) add(outcome, 1, 0);
  for (const cases of silent) add(cases, 0, cases.count);
  return [...found.values()];
}

type Unit = Pick<VectorOutcome, 'operation' | 'about'>;

function unitOf({ operation, about }: Unit): string {
  return about === undefined ? operation : `${operation} ${about}`;
}
