import { assertOptions, assertString, wrongValue } from '../errors.ts';

/** The label of the bare scheme. */
export const LABEL = 'simhash-doc';

/**
 * The registered labels, in canonical form. A variant is registered by its name in the specification; a label combines
 * them in ascending order of ASCII octets (LAB-3), so this list holds every combination that exists.
 */
export const LABELS: readonly string[] = [LABEL, `${LABEL}+bg1`, `${LABEL}+bg1+cap8`, `${LABEL}+cap8`];

/** Which variant of the scheme is computed. */
export interface VariantOption {
  /** Its label, in any case, such as `simhash-doc+cap8`. Default: `simhash-doc`, the bare scheme. */
  readonly variant?: string | undefined;
}

/** The variants that a label names. */
export interface Variants {
  /** Step 5 gives pairs in scripts that are written without spaces. */
  readonly bg1: boolean;
  /** In step 8, a hash counts eight times at most. */
  readonly cap8: boolean;
}

/** The variants of each label. To read the label of each document would take a twentieth of the time of short ones. */
const VARIANTS: ReadonlyMap<string, Variants> = new Map(
  LABELS.map((label) => [label, { bg1: label.includes('+bg1'), cap8: label.includes('+cap8') }]),
);

const BARE = VARIANTS.get(LABEL)!;

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

/**
 * The variants that a caller asks for.
 * @throws TypeError `wrong-type`; RangeError `invalid-label`
 */
export function variantsIn(options: VariantOption | undefined): Variants {
  if (options === undefined) return BARE;
  assertOptions('options', options, { variant: 'string?' });
  return variantsOf(options.variant);
}

/**
 * The variants of a label (LAB-2, LAB-3).
 * @param label - as {@link parseLabel} reads it; the bare scheme if not given
 * @throws TypeError `wrong-type`; RangeError `invalid-label`
 */
export function variantsOf(label: string | undefined): Variants {
  if (label === undefined) return BARE;
  return VARIANTS.get(label) ?? VARIANTS.get(parseLabel(label))!;
}
