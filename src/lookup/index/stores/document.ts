import { wrongValue } from '../../../errors.ts';
import { LABEL } from '../../../scheme/label.ts';
import { assertLabel } from '../../options.ts';

/**
 * Computes the fingerprint by which a document is looked up.
 * @param document - a text, or octets in UTF-8
 * @param label - of the index
 * @throws (rejects) `no-fingerprint` for a document without tokens, `label-mismatch`, TypeError `wrong-type`
 */
export async function fingerprintDocument(document: string | Uint8Array, label: string): Promise<bigint> {
  // Loaded on demand: looking up a fingerprint starts faster without it.
  const { fingerprint } = await import('../../../fingerprint/fingerprint.ts');
  const value = fingerprint(document);
  if (value === null) throw wrongValue('no-fingerprint', 'document', 'a text with a letter in it', document);
  assertLabel('document', LABEL, label);
  return value;
}
