import { wrongValue } from '../../../errors.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';

/**
 * Computes the fingerprint by which a document is looked up.
 * @param document - a text, or octets in UTF-8
 * @param label - of the index
 * @throws (rejects) `no-fingerprint` for a document without tokens, TypeError `wrong-type`
 */
export async function fingerprintDocument(document: string | Uint8Array, label: string): Promise<Fingerprint> {
  // Loaded on demand: looking up a fingerprint starts faster without it.
  const { fingerprint } = await import('../../../fingerprint/fingerprint.ts');
  const value = fingerprint(document, { label });
  if (value === null) throw wrongValue('no-fingerprint', 'document', 'a text with a letter in it', document);
  return value;
}
