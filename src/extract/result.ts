import { pluralize } from '../common/text.ts';
import type { Extraction, ExtractorName } from './types.ts';

export function extraction(
  { name, version, mediaType }: ExtractorName,
  text: string,
  warnings: readonly string[],
  charset?: string,
): Extraction {
  const extractor = `${name}/${version}`;
  return charset === undefined
    ? { text, mediaType, extractor, warnings }
    : { text, mediaType, extractor, warnings, charset };
}

/** Tests whether a warning means that content is missing or wrong: damaged, truncated or not well-formed. */
export function reportsDamage(warning: string): boolean {
  // Names of files and charsets are quoted.
  const text = warning.replace(/"[^"]*"/g, '');
  return /\b(?:damaged|truncated|unreadable|not well-formed|missing from the package|could not be read)\b/.test(text);
}

/** Makes a warning about documents that are attached to a message: one, or none. */
export function attachmentWarnings(count: number): string[] {
  if (count === 0) return [];
  return [`${pluralize(count, 'document')} attached to the message ${count === 1 ? 'is' : 'are'} not part of its text`];
}

/** Tests whether a warning is one of {@link attachmentWarnings}; callers that read attachments drop it. */
export function reportsAttachments(warning: string): boolean {
  return / attached to the message (?:is|are) not part of its text$/.test(warning);
}

/** Makes a warning about bytes that could not be decoded: one, or none. */
export function replacementWarnings(decoded: string, charset: string): string[] {
  let count = 0;
  for (let at = decoded.indexOf('\uFFFD'); at >= 0; at = decoded.indexOf('\uFFFD', at + 1)) count++;
  if (count === 0) return [];
  const found = pluralize(count, 'replacement character');
  return [`${found} (U+FFFD) after decoding as ${charset}: it may be damaged or in another charset`];
}
