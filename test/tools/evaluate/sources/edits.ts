/** Numbers from 0 to below 2^32, as `createRandom` of test/tools/bench/corpus.ts makes them. */
export type Random = () => number;

/** A whole number from 0 to below `limit`. */
export function below(limit: number, random: Random): number {
  return Math.floor((random() / 2 ** 32) * limit);
}

function chance(share: number, random: Random): boolean {
  return random() / 2 ** 32 < share;
}

/**
 * Edits the words of a document, or the characters of a script without spaces.
 * @param share - the share of words that it changes or adds
 * @param other - those of another document of the same genre: what is added or put in the place of others comes from it
 */
export type Edit = (words: readonly string[], share: number, other: readonly string[], random: Random) => string[];

/** The look-alikes that character recognition confuses: a character, and what it becomes. */
const CONFUSED: Readonly<Record<string, string>> = Object.fromEntries(
  'l1 Il O0 oc ec mrn nu hb ij tf ao s5 ин нп ос ес тг 日目 大太 未末 人入 土士 はほ るろ シツ ソン'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

export const EDITS: Readonly<Record<string, Edit>> = {
  deleted: (words, share, _other, random) => words.filter(() => !chance(share, random)),
  replaced: (words, share, other, random) =>
    words.map((word) => (chance(share, random) ? other[below(other.length, random)]! : word)),
  moved: (words, share, _other, random) => {
    const length = Math.floor(words.length * share);
    const from = below(words.length - length + 1, random);
    const rest = [...words.slice(0, from), ...words.slice(from + length)];
    const to = below(rest.length + 1, random);
    return [...rest.slice(0, to), ...words.slice(from, from + length), ...rest.slice(to)];
  },
  paragraph: (words, share, other, random) => {
    const length = Math.max(1, Math.round(words.length * share));
    const from = below(Math.max(1, other.length - length), random);
    const at = below(words.length + 1, random);
    return [...words.slice(0, at), ...other.slice(from, from + length), ...words.slice(at)];
  },
  boilerplate: (words, share) => {
    const length = Math.round(words.length * share);
    const around = Array.from({ length }, (_, at) => NAVIGATION[at % NAVIGATION.length]!);
    const half = length >> 1;
    return [...around.slice(0, half), ...words, ...around.slice(half)];
  },
  ocr: (words, share, _other, random) => words.map((word) => (chance(share, random) ? confuse(word, random) : word)),
};

const NAVIGATION =
  'Home Products Services About Contact Search Log in Sign up Subscribe Newsletter Menu Share Tweet Print E-mail Previous Next Archive Categories Tags Comments Related articles Copyright All rights reserved Privacy policy Terms of use Cookies Accept Help Imprint Sitemap Follow us on social media Back to top Read more Download Language English Deutsch Français'.split(
    ' ',
  );

/** One character of the word becomes what it looks like; where none has a look-alike, the word falls in two. */
function confuse(word: string, random: Random): string {
  const characters = [...word];
  const places = characters.flatMap((character, at) => (character in CONFUSED ? [at] : []));
  if (places.length === 0) {
    if (characters.length < 4) return word;
    const at = 2 + below(characters.length - 3, random);
    return `${characters.slice(0, at).join('')} ${characters.slice(at).join('')}`;
  }
  const at = places[below(places.length, random)]!;
  return characters.with(at, CONFUSED[characters[at]!]!).join('');
}

const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const LETTERS = SCRIPTS.map((script) => `\\p{Script=${script}}`).join('');
/** Scripts that are written without spaces between words. */
export const UNSPACED = new RegExp(`[${LETTERS}]`, 'u');
/** A character of such a script, with the marks after it; or a run of others. */
const UNIT = new RegExp(`[${LETTERS}]\\p{M}*|[^${LETTERS}]+`, 'gu');

/**
 * Cuts a text in words: at white space, and in scripts without spaces between characters. {@link joinWords} puts them
 * together.
 */
export function cutWords(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => {
    if (word === '') return [];
    return UNSPACED.test(word) ? (word.match(UNIT) ?? []) : [word];
  });
}

/** Puts words together as they are written: with spaces, but not beside characters of a script without them. */
export function joinWords(words: readonly string[]): string {
  let text = '';
  let unspaced = true;
  for (const word of words) {
    const isUnspaced = UNSPACED.test(word);
    text += unspaced || isUnspaced ? word : ` ${word}`;
    unspaced = isUnspaced;
  }
  return text;
}
