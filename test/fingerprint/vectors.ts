import { caseOf } from '../../src/conformance/suite/accumulate.ts';
import { readTextLike } from '../../src/conformance/suite/inputs.ts';
import type { Vector } from '../../src/conformance/types.ts';

/** A document that a vector gives, whatever its operation asks for. */
export interface VectorDocument {
  readonly content: string | Uint8Array;
  /** Of an accumulated vector: which of its cases. */
  readonly number?: number;
}

const FORMS = ['text', 'utf8', 'utf16', 'generate'] as const;

/** Reads an input as a document; none if it has neither a text nor octets. */
function documentsIn(operation: string, input: object): VectorDocument[] {
  return FORMS.some((form) => form in input) ? [{ content: readTextLike(operation, input, FORMS) }] : [];
}

/**
 * Lists the documents that a vector gives: its text, octets or 16-bit units, or those of its cases.
 * @param count - the most cases of an accumulated vector
 */
export function documentsOf({ operation, input }: Vector, count: number): VectorDocument[] {
  if (operation !== 'accumulate') return documentsIn(operation, input);
  return Array.from({ length: Math.min(count, input.count) }, (_, i) => {
    const each = caseOf(input, i);
    return documentsIn(each.operation, each.input as object).map(({ content }) => ({ content, number: i }));
  }).flat();
}
