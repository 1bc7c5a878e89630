import { hexDigits } from '../../../common/bytes.ts';
import { explain } from '../../../scheme/explain.ts';
import { LABEL, schemeOf } from '../../../scheme/labels/label.ts';
import { toHex } from '../../../scheme/serialise.ts';

/** The number of tokens above which only the result is written, as in vectors/documents.json. */
const MAX_TOKENS = 64;

export function vectorOf(text: string, label: string): object {
  const { base32, hex, tokens, hashes, counters, winners, decoded, normalised, stripped, keys } = explain(text, {
    label,
  });
  const result = { fingerprint: base32, hex, tokenCount: tokens.length };
  const steps = {
    ...{ decoded, normalised, stripped, tokens: tokens.map((token) => token.text), hashes: hashes.map(toHex) },
    ...(counters !== null && { counters }),
    ...(winners !== null && { draws: winners.map(({ draw }) => hexDigits(draw, 16)) }),
    octets: hex,
    ...(schemeOf(label).words === 1 && { keys }),
  };
  return {
    id: `${label === LABEL ? 'fingerprint' : winners === null ? 'variants' : 'minhash'}/playground-${base32?.toLowerCase() ?? 'none'}`,
    since: '0.1.0',
    operation: 'fingerprint',
    title: 'a document from the playground',
    rules: [winners === null ? 'SIM-4' : 'MIN-5'],
    input: { ...inputOf(text), ...(label === LABEL ? {} : { label }) },
    expected: tokens.length > MAX_TOKENS ? result : { ...result, ...steps },
  };
}

/** A text with lone surrogates is written as 16-bit units: other languages cannot read them in JSON. */
function inputOf(text: string): object {
  if (!/\p{Surrogate}/u.test(text)) return { text };
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'));
  return { utf16: units.join('') };
}
