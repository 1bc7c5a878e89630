import { decode } from '../scheme/decode.ts';
import { extraction, replacementWarnings } from './result.ts';
import type { Extraction, ExtractionHints, Extractor } from './types.ts';

/**
 * Plain text: the octets decoded, nothing else. UTF-8 by step 1 (DEC-1 to DEC-3) unless the caller or the transport
 * names a charset; then "decode" of the Encoding Standard, in which a byte order mark beats the label.
 */
export const text: Extractor = {
  name: 'text',
  version: '1',
  mediaTypes: ['text/plain'],
  async extract(octets, hints) {
    if (hints.charset !== undefined || hints.transportCharset !== undefined) return extractLabelled(octets, hints);
    const decoded = decode(octets);
    return extraction(text, decoded, 'UTF-8', replacementWarnings(decoded, 'UTF-8'));
  },
};

/** Decodes a text whose charset is named; the tables for that are loaded only here. */
async function extractLabelled(octets: Uint8Array, hints: ExtractionHints): Promise<Extraction> {
  const { chooseCharset, decodeAs } = await import('./charset.ts');
  const { name, warnings } = chooseCharset(octets, hints, 'UTF-8');
  const decoded = decodeAs(octets, name);
  return extraction(text, decoded, name, [...warnings, ...replacementWarnings(decoded, name)]);
}
