import { decode } from '../../scheme/decode.ts';
import { extraction, replacementWarnings } from '../result.ts';
import type { Extraction, ExtractionHints, Extractor } from '../types.ts';
import { contentWarnings, isIso2022Jp, unnamedWarnings } from './sources.ts';

/**
 * Plain text, Markdown and similar: the bytes are decoded, nothing else. The encoding is that of a byte order mark (UTF-8,
 * UTF-16LE or UTF-16BE), else the charset that the caller or the transport names, or a guess if the caller asks for one, else
 * ISO-2022-JP if its escape sequences occur, else UTF-8 by step 1 (MED-1, DEC-1 to DEC-3).
 */
export const text: Extractor = {
  name: 'text',
  version: '2',
  mediaType: 'text/plain',
  async extract(octets, hints) {
    const isNamed = hints.charset !== undefined || hints.transportCharset !== undefined;
    if (isNamed || isOtherThanUtf8(octets)) return extractLabelled(octets, hints);
    const decoded = decode(octets);
    const warnings = [...unnamedWarnings(octets, hints.path), ...replacementWarnings(decoded, 'UTF-8')];
    return extraction(text, decoded, warnings, 'UTF-8');
  },
};

/**
 * Tests whether the bytes of a text show that it is not in UTF-8 (MED-1).
 * @param octets - the text, or at least its first 64 KiB
 */
export function isOtherThanUtf8(octets: Uint8Array): boolean {
  return hasUtf16Mark(octets) || isIso2022Jp(octets);
}

/** Tests whether bytes begin with a byte order mark of UTF-16: then they are not UTF-8, and step 1 must not decode them. */
function hasUtf16Mark(octets: Uint8Array): boolean {
  return (octets[0] === 0xff && octets[1] === 0xfe) || (octets[0] === 0xfe && octets[1] === 0xff);
}

/** Decodes a text whose charset is named or marked; only this loads the tables. */
async function extractLabelled(octets: Uint8Array, hints: ExtractionHints): Promise<Extraction> {
  const { chooseCharset, decodeAs, mislabelledWarnings } = await import('./charset.ts');
  const { guessIfAsked } = await import('./guess.ts');
  const choice = chooseCharset(octets, hints, isIso2022Jp(octets) ? 'ISO-2022-JP' : 'UTF-8');
  const { name, warnings } = await guessIfAsked(choice, octets, hints, false);
  const decoded = decodeAs(octets, name);
  const found = [...mislabelledWarnings(octets, name), ...replacementWarnings(decoded, name)];
  return extraction(text, decoded, [...warnings, ...contentWarnings(octets, hints.path), ...found], name);
}
