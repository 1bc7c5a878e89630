import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchRelease } from '../sources/releases.ts';
import { idsOf, type Vocabulary } from './readings.ts';

let list: readonly string[] | undefined;

/**
 * The tokens of the stop list of `sw1`: those of every entry of every language of stopwords-iso, in lower case, with a
 * capital and in upper case, if the form is one token.
 */
export function readStopList(vocabulary: Vocabulary): Set<number> {
  list ??= derive();
  return new Set(idsOf(list.join(' '), 'bare', vocabulary));
}

function derive(): string[] {
  const file = join(fetchRelease('npm', 'stopwords-iso', '1.1.0'), 'package/stopwords-iso.json');
  const entries = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>).flat();
  const forms = entries.flatMap((entry) => {
    const lower = entry.toLowerCase();
    const [first = '', ...rest] = lower;
    return [lower, first.toUpperCase() + rest.join(''), lower.toUpperCase()];
  });
  return [...new Set(forms)].filter((form) => /^[\p{L}\p{Mn}\p{Nd}\p{Pc}]+$/u.test(form));
}
