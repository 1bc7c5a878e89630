import { createRandom } from '../../bench/corpus.ts';
import { below, EDITS, joinWords, type Random } from './edits.ts';
import type { Document } from './files.ts';

/** Scripts to make text in: the code points that words are made of, and how many a word has. */
const SCRIPTS: readonly {
  readonly language: string;
  readonly letters: readonly [number, number];
  readonly word: number;
}[] = [
  { language: 'en', letters: [0x61, 0x7a], word: 6 },
  { language: 'ru', letters: [0x430, 0x44f], word: 7 },
  { language: 'ar', letters: [0x628, 0x63a], word: 5 },
  { language: 'zh', letters: [0x4e00, 0x57ff], word: 2 },
  { language: 'th', letters: [0xe01, 0xe2e], word: 4 },
];

const VOCABULARY = 6000;
/** Each document draws this share of its words from 150 words of its own topic. */
const TOPIC_SHARE = 0.4;

/**
 * Makes documents from a seed, in each of five scripts the same number: their words follow Zipf's law, each has a topic of its
 * own, and every second has one to three copies that are edited by 1 to 20 %.
 */
export function makeDocuments(perScript: number, seed: number): Document[] {
  return SCRIPTS.flatMap((script, at) => {
    const random = createRandom(seed + at);
    const vocabulary = Array.from({ length: VOCABULARY }, (_, rank) => makeWord(script, rank, random));
    const originals: string[][] = [];
    const documents: Document[] = [];
    while (documents.length < perScript) {
      const words = makeWords(vocabulary, random);
      const group = `${script.language}-${originals.length}`;
      originals.push(words);
      documents.push({ id: group, text: sentences(words, script.language), language: script.language, group });
      const copies = originals.length % 2 === 0 ? 1 + below(3, random) : 0;
      for (let copy = 0; copy < copies; copy++) {
        // Deleted, replaced or moved words, or a paragraph.
        const [name, edit] = Object.entries(EDITS)[below(4, random)]!;
        const share = [0.01, 0.02, 0.05, 0.1, 0.2][below(5, random)]!;
        const other = originals[below(originals.length, random)]!;
        const text = sentences(edit(words, share, other, random), script.language);
        documents.push({ id: `${group}-${name}-${share}-${copy}`, text, language: script.language, group });
      }
    }
    return documents.slice(0, perScript);
  });
}

function makeWord({ letters: [from, to], word }: (typeof SCRIPTS)[number], rank: number, random: Random): string {
  // Frequent words are short.
  const length = 1 + below(rank < 100 ? Math.max(1, word >> 1) : word + 2, random);
  return Array.from({ length }, () => String.fromCodePoint(from + below(to - from + 1, random))).join('');
}

/** 40 to 4,000 words, most documents having few. */
function makeWords(vocabulary: readonly string[], random: Random): string[] {
  const length = Math.floor(40 * 100 ** (random() / 2 ** 32));
  const topic = Array.from({ length: 150 }, () => vocabulary[below(vocabulary.length, random)]!);
  return Array.from({ length }, () =>
    random() / 2 ** 32 < TOPIC_SHARE
      ? topic[zipf(topic.length, random)]!
      : vocabulary[zipf(vocabulary.length, random)]!,
  );
}

/** A rank by Zipf's law: rank r with a share of about 1/r. */
function zipf(limit: number, random: Random): number {
  return Math.min(limit - 1, Math.floor((limit + 1) ** (random() / 2 ** 32)) - 1);
}

function sentences(words: readonly string[], language: string): string {
  const unspaced = language === 'zh' || language === 'th';
  const parts: string[] = [];
  for (let at = 0; at < words.length; at += 12) {
    const some = words.slice(at, at + 12);
    parts.push(unspaced ? joinWords(some) : some.join(' '));
  }
  return parts.join(language === 'zh' ? '。\n' : language === 'th' ? '\n' : '.\n');
}
