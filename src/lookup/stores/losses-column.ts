import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import { serialise } from '../../scheme/serialise.ts';
import type { Entry } from '../document-index.ts';

/*
 * In a database, a column of the table of documents has their losses, with the fingerprint that they are about: programs that do not
 * know the column replace documents without it.
 */

/** Returns the text of the column; empty for no losses, undefined for unknown ones. */
export function lossesText(fingerprint: Fingerprint, losses: readonly string[] | undefined): string | undefined {
  return losses?.length === 0 ? '' : losses && JSON.stringify({ fingerprint: serialise(fingerprint), losses });
}

/** Returns the member of an entry that the column is about, if it is about this fingerprint. */
export function lossesInText(text: unknown, fingerprint: Fingerprint): Pick<Entry, 'losses'> {
  if (typeof text !== 'string') return {};
  const { fingerprint: about, losses } = JSON.parse(text) as { fingerprint: string; losses: readonly string[] };
  return about === serialise(fingerprint) ? { losses } : {};
}
