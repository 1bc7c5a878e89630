import { pluralize } from '../common/text.ts';
import type { Extraction, ExtractorName } from './types.ts';

export function extraction(
  { name, version, mediaType }: ExtractorName,
  text: string,
  warnings: readonly string[],
  charset?: string,
): Extraction {
  return { text, mediaType, extractor: `${name}/${version}`, warnings, ...(charset !== undefined && { charset }) };
}

/** The codes of warnings about what a text may have lost (spec/carrying.md#losses), in the order of help. */
export const LOSSES = ['charset-guessed', 'damaged', 'left-out', 'markup'] as const;

export type Loss = (typeof LOSSES)[number];

const WORDS: Readonly<Record<Loss, RegExp>> = {
  'charset-guessed': /no charset is declared|: guessed |unknown and not used|bytes are well-formed|it seems to be/,
  damaged: /\b(?:damaged|truncated|unreadable|not well-formed|missing from the package|could not be read)\b/,
  'left-out': /left out|not part of its text|in other documents|are not read/,
  markup: /with its markup|encoded data/,
};

export function lossesOf(warnings: readonly string[]): Loss[] {
  if (warnings.length === 0) return [];
  // Names of files and charsets are quoted.
  const text = warnings.join('\n').replace(/"[^"\n]*"/g, '');
  return LOSSES.filter((loss) => WORDS[loss].test(text));
}

export function attachmentWarnings(count: number): string[] {
  if (count === 0) return [];
  return [`${pluralize(count, 'document')} attached to the message ${count === 1 ? 'is' : 'are'} not part of its text`];
}

/** Tests whether a warning is one of {@link attachmentWarnings}; callers that read attachments drop it. */
export function reportsAttachments(warning: string): boolean {
  return / attached to the message (?:is|are) not part of its text$/.test(warning);
}

export function leftOutWarnings(count: number, noun: string, more = ''): string[] {
  return count === 0 ? [] : [`left out: ${pluralize(count, noun)}${more}`];
}

export function replacementWarnings(decoded: string, charset: string): string[] {
  let count = 0;
  for (let at = decoded.indexOf('\uFFFD'); at >= 0; at = decoded.indexOf('\uFFFD', at + 1)) count++;
  if (count === 0) return [];
  const found = pluralize(count, 'replacement character');
  return [`${found} (U+FFFD) after decoding as ${charset}: it may be damaged or in another charset`];
}
