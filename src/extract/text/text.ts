import { decode } from '../../scheme/decode.ts';
import { extraction, replacementWarnings } from '../result.ts';
import type { Extraction, ExtractionHints, Extractor } from '../types.ts';

/**
 * Plain text, Markdown and other texts that are read as they are written: the octets decoded, nothing else. A byte order
 * mark decides (of UTF-8, UTF-16LE or UTF-16BE), then the charset that the caller or the transport names, else it is
 * UTF-8 by step 1 (MED-1, DEC-1 to DEC-3), or guessed for a caller who says so.
 */
export const text: Extractor = {
  name: 'text',
  version: '2',
  mediaType: 'text/plain',
  async extract(octets, hints) {
    if (hints.charset !== undefined || hints.transportCharset !== undefined || hasUtf16Mark(octets))
      return extractLabelled(octets, hints);
    const decoded = decode(octets);
    return extraction(text, decoded, replacementWarnings(decoded, 'UTF-8'), 'UTF-8');
  },
};

/** Whether octets begin with a byte order mark of UTF-16: then they are no UTF-8, and step 1 must not see them. */
export function hasUtf16Mark(octets: Uint8Array): boolean {
  return (octets[0] === 0xff && octets[1] === 0xfe) || (octets[0] === 0xfe && octets[1] === 0xff);
}

/** Decodes a text whose charset is named or marked; the tables for that are loaded only here. */
async function extractLabelled(octets: Uint8Array, hints: ExtractionHints): Promise<Extraction> {
  const { chooseCharset, decodeAs, guessCharset, isAuto } = await import('./charset.ts');
  let { name, source, warnings } = chooseCharset(octets, hints, 'UTF-8');
  if (source === 'default' && isAuto(hints.charset)) {
    const guess = await guessCharset(octets, false);
    name = guess.name;
    warnings = [...warnings, guess.warning];
  }
  const decoded = decodeAs(octets, name);
  return extraction(text, decoded, [...warnings, ...replacementWarnings(decoded, name)], name);
}
