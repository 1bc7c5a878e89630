import { encode } from '../../src/common/utf8.ts';
import { caseOf, countCases } from '../../src/conformance/suite/accumulate.ts';
import { readTextLike } from '../../src/conformance/suite/vector-inputs.ts';
import type { Vector } from '../../src/conformance/vector.ts';
import { toWellFormed } from '../../src/index.ts';

/** A document that a vector gives, whatever its operation. */
export interface VectorDocument {
  readonly content: string | Uint8Array;
  /** For an accumulated vector: the number of the case. */
  readonly number?: number;
}

const FORMS = ['text', 'utf8', 'utf16', 'generate'] as const;

/** Reads an input as a document; none if it has neither a text nor bytes. */
function documentsIn(operation: string, input: object): VectorDocument[] {
  return FORMS.some((form) => form in input) ? [{ content: readTextLike(operation, input, FORMS) }] : [];
}

/**
 * Lists the documents that a vector gives: its text, bytes or 16-bit units, or those of its cases.
 * @param count - the maximum number of cases of an accumulated vector
 */
export function documentsOf({ operation, input }: Vector, count: number): VectorDocument[] {
  if (operation !== 'accumulate') return documentsIn(operation, input);
  return Array.from({ length: Math.min(count, countCases(input)) }, (_, i) => {
    const each = caseOf(input, i);
    return documentsIn(each.operation, each.input as object).map(({ content }) => ({ content, number: i }));
  }).flat();
}

/** The surroundings of a text, so that it meets the kernel's borders. */
export interface Surroundings {
  readonly name: string;
  /** Given to the engines alone, as a piece of its own where documents are cut: it has no tokens and changes none. */
  readonly filler: string;
  readonly before: string;
  readonly behind: string;
}

export const SURROUNDINGS: readonly Surroundings[] = [
  // 64 bytes are classified at once; sixteen at once only where many are beyond ASCII.
  { name: 'across 64 octets', filler: ' '.repeat(61), before: 'x', behind: ' ab' },
  { name: 'among letters beyond ASCII', filler: '', before: 'Слово 文書館 שלום ', behind: ' ἀρχή 文書 слово' },
  { name: 'before a letter', filler: ' '.repeat(40), before: '', behind: 'é x' },
  // The kernel takes 65,536 bytes, or less if there is a separator: a comma is not one.
  { name: 'at the end of 65,536 octets', filler: ','.repeat(65_530), before: ',', behind: '' },
  { name: 'in a long span', filler: ','.repeat(65_600), before: ',', behind: ',y' },
];

/** All documents of a vector that differ only in their kind. */
export function kindsOf(content: string | Uint8Array): (string | Uint8Array)[] {
  return typeof content === 'string' && !content.startsWith('\ufeff')
    ? [content, encode(toWellFormed(content))]
    : [content];
}

/** Puts texts before and after a document. */
export function join(a: string, content: string | Uint8Array, b: string): string | Uint8Array {
  return typeof content === 'string' ? a + content + b : Buffer.concat([Buffer.from(a), content, Buffer.from(b)]);
}
