import { assertOptions, assertString, wrongValue } from '../../errors.ts';

/** A registered label, in canonical form. */
export type Label = 'simhash-doc' | 'simhash-doc+bg1' | 'minhash-doc' | 'minhash-doc-256';

/** A label of 64-bit fingerprints. */
export type NarrowLabel = Exclude<Label, 'minhash-doc-256'>;

/** The label of the bare scheme, which is the default. */
export const LABEL = 'simhash-doc';

/** The meaning of a label. */
export interface Scheme {
  readonly label: Label;
  readonly method: 'simhash' | 'minhash';
  /** True if tokens are pairs of characters in scripts that are written without spaces (step 5). */
  readonly bg1: boolean;
  /** The size of a fingerprint, in 64-bit words and in bits. */
  readonly words: 1 | 4;
  readonly bits: 64 | 256;
}

const NARROW = { words: 1, bits: 64 } as const;
const WIDE = { words: 4, bits: 256 } as const;

const SCHEMES: ReadonlyMap<string, Scheme> = new Map(
  (
    [
      { label: LABEL, method: 'simhash', bg1: false, ...NARROW },
      { label: 'simhash-doc+bg1', method: 'simhash', bg1: true, ...NARROW },
      { label: 'minhash-doc', method: 'minhash', bg1: true, ...NARROW },
      { label: 'minhash-doc-256', method: 'minhash', bg1: true, ...WIDE },
    ] as const
  ).map((scheme) => [scheme.label, scheme]),
);

const BARE = SCHEMES.get(LABEL)!;

/** The registered labels, in canonical form (LAB-3). */
export const LABELS = [...SCHEMES.keys()] as readonly Label[];

/** The option that determines how a fingerprint is made. */
export interface LabelOption {
  /** A registered label, in any case. Default: `simhash-doc`. */
  readonly label?: Label | (string & {}) | undefined;
}

/**
 * Reads a label (LAB-1 to LAB-3).
 * @param text - a label alone, its ASCII letters in any case
 * @returns the label in lower case
 * @throws TypeError `wrong-type`; RangeError `invalid-label` when it is empty, malformed or not registered
 * @see spec/simhash-doc.md#LAB-2
 * @example
 * parseLabel('MinHash-Doc'); // 'minhash-doc'
 */
export function parseLabel(text: string): Label {
  assertString('label', text);
  return schemeOf(text).label;
}

/** Returns the scheme of a label in any case (LAB-1 to LAB-3). Throws `wrong-type`, `invalid-label`. */
export function schemeOf(label: string = LABEL): Scheme {
  // Most labels are canonical, and folding each would take a twentieth of the time of a short document.
  const known = SCHEMES.get(label);
  if (known !== undefined) return known;
  assertString('label', label);
  // The 26 ASCII letters and nothing else (LAB-1: U+212A, for example, stays).
  const scheme = SCHEMES.get(label.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  if (scheme === undefined) throw wrongValue('invalid-label', 'label', `one of ${LABELS.join(', ')}`, label);
  return scheme;
}

/** Returns the scheme of a caller's options. Throws `wrong-type`, `invalid-label`. */
export function schemeIn(options: LabelOption | undefined): Scheme {
  if (options === undefined) return BARE;
  assertOptions('options', options, { label: 'string?' });
  return schemeOf(options.label);
}
