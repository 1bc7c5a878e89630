import type { Extraction, Extractor } from './types.ts';

/**
 * Puts an {@link Extraction} together.
 * @param extractor - who extracted
 * @param text - the text
 * @param charset - name of the encoding that was decoded
 * @param warnings - what a person should know
 */
export function extraction(
  extractor: Extractor,
  text: string,
  charset: string,
  warnings: readonly string[],
): Extraction {
  const { name, version, mediaTypes } = extractor;
  return { text, mediaType: mediaTypes[0]!, extractor: `${name}/${version}`, charset, warnings };
}

/**
 * Warns of what could not be decoded.
 * @param decoded - the document, just decoded
 * @param charset - the encoding's name
 * @returns one warning, or none where everything was well-formed
 */
export function replacementWarnings(decoded: string, charset: string): string[] {
  let count = 0;
  for (let at = decoded.indexOf('\uFFFD'); at >= 0; at = decoded.indexOf('\uFFFD', at + 1)) count++;
  if (count === 0) return [];
  return [`read as ${charset}, the document holds ${count} × U+FFFD: perhaps it is damaged or in another charset`];
}
