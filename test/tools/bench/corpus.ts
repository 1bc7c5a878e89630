/**
 * Texts for the benchmarks, made from a seed: words drawn from a vocabulary by Zipf's law, so that lengths, frequencies
 * and the share of non-ASCII bytes are near those of real text of the language.
 */

/** A small generator of 32-bit numbers (splitmix32), the same everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
}

const SYLLABLES = {
  english: 'the and ing er a to of in re con tion com ver al is it be st en ed ly pro ment or es an un dis at on'.split(
    ' ',
  ),
  russian: 'по на не пре ров ста ло ни ко то ва ра де ми ть ся при об ение ость но го му ый ая ие ка ли пер вы'.split(
    ' ',
  ),
  japanese:
    '日本 情報 の は を が に で と した する から 検索 文書 類似 計算 方法 大学 研究 これ その ため もの こと 言語 処理'.split(
      ' ',
    ),
} as const;

/** The languages that texts can be made in. */
export type Language = keyof typeof SYLLABLES | 'mixed';

function vocabularyOf(language: keyof typeof SYLLABLES, random: () => number, size: number): string[] {
  const syllables = SYLLABLES[language];
  return Array.from({ length: size }, (_, rank) => {
    // Frequent words are short.
    const length = language === 'japanese' ? 1 : 1 + (random() % (rank < 100 ? 2 : 4));
    return Array.from({ length }, () => syllables[random() % syllables.length]).join('');
  });
}

/**
 * Makes a text.
 * @param language - `mixed` takes sentences of all three in turn
 * @param bytes - its length in bytes of UTF-8, about
 * @param seed - the same seed gives the same text
 */
export function makeText(language: Language, bytes: number, seed: number): string {
  const random = createRandom(seed);
  const names = language === 'mixed' ? (['english', 'russian', 'japanese'] as const) : ([language] as const);
  const vocabularies = names.map((name) => vocabularyOf(name, random, 3000));
  let text = '';
  for (let made = 0, sentence = 0; made < bytes; sentence++) {
    const which = sentence % names.length;
    const name = names[which]!;
    const vocabulary = vocabularies[which]!;
    const words = Array.from({ length: 6 + (random() % 14) }, () => {
      // Zipf: rank r with a share of 1/r, by the inverse of the logarithm.
      return vocabulary[Math.floor(vocabulary.length ** (random() / 2 ** 32)) - 1]!;
    });
    if (random() % 4 === 0) words[2] = String(random() % 3000);
    const line = name === 'japanese' ? `${words.join('')}。` : `${words.join(' ')}. `;
    text += line;
    made += name === 'english' ? line.length : name === 'russian' ? 2 * line.length : 3 * line.length;
  }
  return text;
}
