import { LABEL } from '../../index.ts';
import type { VectorOutcome } from '../outcome.ts';
import type { Operation } from '../types.ts';

/** The label whose strings only its implementers read and write. */
const WIDE = 'minhash-doc-256';

/** Returns the label of an operation; undefined for `simhash-doc`, and if the operation is the same with all labels of 64 bits. */
export function labelOf(operation: Operation, input: unknown): string | undefined {
  // They belong to the class *label* of both labels of minhash-doc.
  if (operation === 'draw' || operation === 'truncate') return 'minhash-doc';
  const { label, labelled, a, b } = ((input as object | null) ?? {}) as Readonly<Record<string, unknown>>;
  if (operation === 'parse-label') return undefined;
  if (operation === 'format-labelled') return isWide(`${String(label)}:`) ? WIDE : undefined;
  if ([labelled, a, b].some(isWide)) return WIDE;
  return typeof label === 'string' && label !== LABEL ? label : undefined;
}

const isWide = (text: unknown): boolean => typeof text === 'string' && text.toLowerCase().startsWith(`${WIDE}:`);

/** The labels whose class a vector counts for; `simhash-doc` for those of the other classes. */
export function labelsOfVector({ operation, label = LABEL }: Pick<VectorOutcome, 'operation' | 'label'>): string[] {
  return operation === 'draw' || operation === 'truncate' ? ['minhash-doc', 'minhash-doc-256'] : [label];
}
