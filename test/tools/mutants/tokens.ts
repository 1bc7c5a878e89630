/** Wrong implementations of the steps 5 and 6: tokenise, drop stop words. */
import { type Steps, steps, type Token } from '../../twin/twin.ts';
import type { Changes } from './mutation.ts';

/** Tokens by a function of the right ones; one may become several or none. */
const changed = (change: (token: string) => readonly string[]): Partial<Steps> => ({
  tokenise: (text, s) =>
    steps
      .tokenise(text, s)
      .flatMap(({ text: token, start, end }) => change(token).map((each) => ({ text: each, start, end }))),
});

/** Pieces of a text as tokens, whatever places they have. */
const pieces = (list: readonly string[]): Token[] => list.map((text) => ({ text, start: 0, end: text.length }));

/** All runs of letters and word characters, which tokens are made of. */
const runs = (text: string, s: Steps): string[] =>
  steps.tokenise(text, { ...s, isToken: () => true }).map((token) => token.text);

/** Lets these characters belong to a word when they stand between two of its characters. */
const joiners = (characters: string): Partial<Steps> => ({
  tokenise: (text, s) => {
    const all = Array.from(text, (one) => ({ one, className: s.classify(one.codePointAt(0)!, s) }));
    const inWord = all.map(({ className }) => s.isTokenClass(className));
    const tokens: string[] = [];
    let run: typeof all = [];
    for (const [i, each] of all.entries()) {
      if (inWord[i] || (characters.includes(each.one) && inWord[i - 1] && inWord[i + 1])) run.push(each);
      else run = [];
      const ends = !inWord[i + 1] && !(characters.includes(all[i + 1]?.one ?? ' ') && inWord[i + 2]);
      if (inWord[i] && ends && run.some(({ className }) => className === 'letter'))
        tokens.push(run.map(({ one }) => one).join(''));
    }
    return pieces(tokens);
  },
});

const CHUNK = 65536;

const tokeniseChanges: Changes = {
  'numbers-kept': { isToken: (run, classes) => classes.includes('letter') || /\p{Nd}/u.test(run) },
  'letterless-kept': { isToken: () => true },
  'only-ascii-numbers-dropped': { isToken: (run) => !/^[0-9]+$/.test(run) },
  'only-numbers-dropped': { isToken: (run) => !/^\p{Nd}+$/u.test(run) },
  'letter-first': changed((token) => [token.replace(/^[^\p{L}]+/u, '')]),
  'underscores-split': changed((token) => token.split('_').filter((part) => /\p{L}/u.test(part))),
  'letters-only': { isTokenClass: (className) => className === 'letter' },
  'single-letters-dropped': changed((token) => (Array.from(token).length < 2 ? [] : [token])),
  'tokens-cut-at-255': changed((token) => token.match(/.{1,255}/gsu) ?? []),
  'long-dropped': changed((token) => (steps.encode(token).length > 255 ? [] : [token])),
  'white-space-split': { tokenise: (text) => pieces(text.split(/\s+/).filter((piece) => /\p{L}/u.test(piece))) },
  'white-space-trimmed': {
    tokenise: (text) =>
      pieces(
        text
          .split(/\s+/)
          .map((piece) => piece.replace(/^[!-/:-@[-^`{-~]+|[!-/:-@[-^`{-~]+$/g, ''))
          .filter((piece) => /\p{L}/u.test(piece)),
      ),
  },
  'empty-tokens': {
    tokenise: (text, s) => {
      const tokens = steps.tokenise(text, s);
      return tokens.length === 0 ? pieces(['']) : tokens;
    },
  },
  'apostrophe-joins': joiners("'\u2019"),
  'middle-dot-joins': joiners('\u00b7.'),
  'camel-case-split': changed((token) => token.split(/(?<=\p{Ll})(?=\p{Lu})/u)),
  'ideographs-alone': changed((token) => token.split(/(\p{Unified_Ideograph})/u).filter((part) => /\p{L}/u.test(part))),
  'scripts-split': changed((token) => token.split(/(?<=[A-Za-z])(?=[^\0-\x7f])(?!\p{M})|(?<=[^\0-\x7f])(?=[A-Za-z])/u)),
  'shingles-of-words': {
    tokenise: (text, s) => {
      const words = steps.tokenise(text, s).map((token) => token.text);
      return pieces(words.length < 2 ? words : words.slice(1).map((word, i) => `${words[i]} ${word}`));
    },
  },
  'shingles-of-characters': {
    tokenise: (text, s) => {
      const all = Array.from(runs(text, s).join(''));
      return pieces(
        Array.from({ length: Math.max(all.length - 3, 1) }, (_, i) => all.slice(i, i + 4).join('')).filter(Boolean),
      );
    },
  },
  'tokens-deduplicated': {
    tokenise: (text, s) => {
      const seen = new Set<string>();
      return steps.tokenise(text, s).filter((token) => !seen.has(token.text) && seen.add(token.text));
    },
  },
  'tokens-in-chunks': {
    tokenise: (text, s) => {
      const all = Array.from(text);
      const tokens: Token[] = [];
      for (let at = 0; at < all.length; at += CHUNK)
        tokens.push(...steps.tokenise(all.slice(at, at + CHUNK).join(''), s));
      return tokens;
    },
    long: ['fingerprint/long-word', 'fingerprint/buffers-2'],
  },
  'first-1000-tokens': { tokenise: (text, s) => steps.tokenise(text, s).slice(0, 1000) },
};

const ENGLISH = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
);

const stopChanges: Changes = {
  'stop-words-dropped': { selectTokens: (tokens) => tokens.filter((token) => !ENGLISH.has(token)) },
};

export const tokenChanges: Changes = { ...tokeniseChanges, ...stopChanges };
