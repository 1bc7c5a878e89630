import { assertString, wrongValue } from '../errors.ts';

/** The label of the bare scheme. */
export const LABEL = 'simhash-doc';

/**
 * The registered labels, in canonical form. A variant is registered by its name in the specification; a label combines
 * them in ascending order of ASCII octets (LAB-3), so this list holds every combination that exists.
 */
export const LABELS: readonly string[] = [LABEL];

/** Folds the 26 ASCII letters and nothing else (LAB-1: U+212A and its like stay what they are). */
function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Reads a label (LAB-1 to LAB-3).
 * @param text - a label alone, letters of ASCII in any case
 * @returns the label in lower case
 * @throws TypeError `wrong-type`; RangeError `invalid-label` when it is empty, malformed or not registered
 * @see spec/simhash-doc.md#LAB-2
 */
export function parseLabel(text: string): string {
  assertString('label', text);
  const label = toAsciiLowerCase(text);
  if (!LABELS.includes(label)) throw wrongValue('invalid-label', 'label', `one of ${LABELS.join(', ')}`, text);
  return label;
}
