import { decode } from '../../scheme/decode.ts';
import { extraction, replacementWarnings } from '../result.ts';
import type { Extraction, ExtractionHints, Extractor } from '../types.ts';
import { contentWarnings, isIso2022Jp, unnamedWarnings } from './content-warnings.ts';

/** Plain text, Markdown and similar, in UTF-8 unless a mark, a hint or its escape sequences say otherwise (MED-1). */
export const text: Extractor = {
  name: 'text',
  version: '2',
  mediaType: 'text/plain',
  async extract(bytes, hints) {
    const isNamed = hints.charset !== undefined || hints.transportCharset !== undefined;
    if (isNamed || isOtherThanUtf8(bytes)) return extractLabelled(bytes, hints);
    const decoded = decode(bytes);
    const warnings = [...unnamedWarnings(bytes, hints.path), ...replacementWarnings(decoded, 'UTF-8')];
    return extraction(text, decoded, warnings, 'UTF-8');
  },
};

/** Tests whether the bytes of a text, or its first 64 KiB, show that it is not in UTF-8 (MED-1). */
export function isOtherThanUtf8(bytes: Uint8Array): boolean {
  const hasUtf16Mark = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return hasUtf16Mark || isIso2022Jp(bytes);
}

/** Decodes a text whose charset is named or marked; only this loads the tables. */
async function extractLabelled(bytes: Uint8Array, hints: ExtractionHints): Promise<Extraction> {
  const { chooseCharset } = await import('./charset.ts');
  const { decodeGuessed } = await import('./guess-charset.ts');
  const choice = chooseCharset(bytes, hints, isIso2022Jp(bytes) ? 'ISO-2022-JP' : 'UTF-8');
  const { charset, decoded, warnings, doubts } = await decodeGuessed(choice, bytes, hints, false);
  return extraction(text, decoded, [...warnings, ...contentWarnings(bytes, hints.path), ...doubts], charset);
}
