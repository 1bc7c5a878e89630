import { LABELS } from '../scheme/labels/label.ts';
import { charactersOf } from '../scheme/serialise.ts';

/** Tests whether an operand is meant as a labelled fingerprint: it begins with a label, registered or extended. */
export function isLabelled(operand: string): boolean {
  const [, label] = /^([^:/\\]+):/.exec(operand.toLowerCase()) ?? [];
  return LABELS.some((each) => label === each || label?.startsWith(`${each}+`) || label?.startsWith(`${each}-`));
}

/** Returns the labels that a fingerprint without one may have, judging by its length; none for other operands. */
export function labelsOfLength(operand: string): readonly string[] {
  const [, characters = ''] = /^([A-Za-z2-7]+)={0,4}$/.exec(operand) ?? [];
  return LABELS.filter((label) => characters.length === charactersOf(label));
}
