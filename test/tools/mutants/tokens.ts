/** Wrong implementations of the steps 5 and 6: tokenise, drop stop words. */
import { type Steps, steps, type Token } from '../../twin/twin.ts';
import { type Mutation, mistakesBy, mistakesOfStep } from './mutation.ts';

const tokenise = mistakesOfStep(5);

/** Tokens by a function of the right ones; one may become several or none. */
const changed = mistakesBy(5, (change: (token: string) => readonly string[]) => ({
  tokenise: (text, s) =>
    steps
      .tokenise(text, s)
      .flatMap(({ text: token, start, end }) => change(token).map((each) => ({ text: each, start, end }))),
}));

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

const tokeniseMistakes: readonly Mutation[] = [
  tokenise(
    'numbers-kept',
    'treats plain numbers as tokens',
    { isToken: (run, classes) => classes.includes('letter') || /\p{Nd}/u.test(run) },
    '\\w+ of patterns',
  ),
  tokenise('letterless-kept', 'treats every run as a token', { isToken: () => true }, '\\w+ of patterns'),
  tokenise(
    'only-ascii-numbers-dropped',
    'drops runs of ASCII digits and no other run without a letter',
    { isToken: (run) => !/^[0-9]+$/.test(run) },
    'isdigit of C',
  ),
  tokenise(
    'only-numbers-dropped',
    'drops runs of digits and no other run without a letter',
    { isToken: (run) => !/^\p{Nd}+$/u.test(run) },
    'str.isdigit of Python',
  ),
  changed(
    'letter-first',
    'lets a token begin only with a letter',
    (token) => [token.replace(/^[^\p{L}]+/u, '')],
    '\\p{L}\\w* of patterns',
  ),
  changed(
    'underscores-split',
    'lets underscores separate tokens',
    (token) => token.split('_').filter((part) => /\p{L}/u.test(part)),
    '[\\W_]+ of patterns',
  ),
  tokenise(
    'letters-only',
    'treats only runs of letters as tokens',
    { isTokenClass: (className) => className === 'letter' },
    '\\p{L}+ of patterns',
  ),
  changed(
    'single-letters-dropped',
    'drops tokens of one code point',
    (token) => (Array.from(token).length < 2 ? [] : [token]),
    '\\w\\w+, the default of scikit-learn',
  ),
  changed(
    'tokens-cut-at-255',
    'cuts a token after every 255 code points',
    (token) => token.match(/.{1,255}/gsu) ?? [],
    'StandardTokenizer of Lucene',
  ),
  changed(
    'long-dropped',
    'drops tokens of more than 255 octets',
    (token) => (steps.encode(token).length > 255 ? [] : [token]),
    'limits of search engines',
  ),
  tokenise(
    'white-space-split',
    'cuts the text only at white space',
    { tokenise: (text) => pieces(text.split(/\s+/).filter((piece) => /\p{L}/u.test(piece))) },
    'sean-public/python-hashes, str.split of Python',
  ),
  tokenise(
    'white-space-trimmed',
    'cuts the text at white space and trims ASCII punctuation',
    {
      tokenise: (text) =>
        pieces(
          text
            .split(/\s+/)
            .map((piece) => piece.replace(/^[!-/:-@[-^`{-~]+|[!-/:-@[-^`{-~]+$/g, ''))
            .filter((piece) => /\p{L}/u.test(piece)),
        ),
    },
    'split and strip(string.punctuation) of Python',
  ),
  tokenise(
    'empty-tokens',
    'gives an empty token for a text without tokens',
    {
      tokenise: (text, s) => {
        const tokens = steps.tokenise(text, s);
        return tokens.length === 0 ? pieces(['']) : tokens;
      },
    },
    'split of most languages, which gives one empty string',
  ),
  tokenise('apostrophe-joins', "lets ' and U+2019 join letters", joiners("'\u2019"), 'UAX #29, Intl.Segmenter'),
  tokenise(
    'middle-dot-joins',
    'lets U+00B7 and the full stop join letters',
    joiners('\u00b7.'),
    'UAX #29, Intl.Segmenter',
  ),
  changed(
    'camel-case-split',
    'cuts tokens where an upper-case letter follows a lower-case one',
    (token) => token.split(/(?<=\p{Ll})(?=\p{Lu})/u),
    'WordDelimiterFilter of Lucene',
  ),
  changed(
    'ideographs-alone',
    'treats each ideograph as a token',
    (token) => token.split(/(\p{Unified_Ideograph})/u).filter((part) => /\p{L}/u.test(part)),
    'StandardTokenizer of Lucene, UAX #29',
  ),
  changed(
    'scripts-split',
    'cuts tokens where ASCII letters meet others',
    (token) => token.split(/(?<=[A-Za-z])(?=[^\0-\x7f])(?!\p{M})|(?<=[^\0-\x7f])(?=[A-Za-z])/u),
    'ICU word segmentation',
  ),
  tokenise(
    'shingles-of-words',
    'treats each two neighbouring tokens as one',
    {
      tokenise: (text, s) => {
        const words = steps.tokenise(text, s).map((token) => token.text);
        return pieces(words.length < 2 ? words : words.slice(1).map((word, i) => `${words[i]} ${word}`));
      },
    },
    'shingling, as in most papers',
  ),
  tokenise(
    'shingles-of-characters',
    'treats every 4 neighbouring word characters as a token',
    {
      tokenise: (text, s) => {
        const all = Array.from(runs(text, s).join(''));
        return pieces(
          Array.from({ length: Math.max(all.length - 3, 1) }, (_, i) => all.slice(i, i + 4).join('')).filter(Boolean),
        );
      },
    },
    '1e0ng/simhash (Python)',
  ),
  tokenise(
    'tokens-deduplicated',
    'counts each token once',
    {
      tokenise: (text, s) => {
        const seen = new Set<string>();
        return steps.tokenise(text, s).filter((token) => !seen.has(token.text) && seen.add(token.text));
      },
    },
    'features kept in a set',
  ),
  tokenise(
    'tokens-in-chunks',
    `cuts the text after every ${CHUNK} code points`,
    {
      tokenise: (text, s) => {
        const all = Array.from(text);
        const tokens: Token[] = [];
        for (let at = 0; at < all.length; at += CHUNK)
          tokens.push(...steps.tokenise(all.slice(at, at + CHUNK).join(''), s));
        return tokens;
      },
    },
    { source: 'streams cut into words chunk by chunk', long: ['fingerprint/long-word', 'fingerprint/buffers-2'] },
  ),
  tokenise(
    'first-1000-tokens',
    'reads at most 1000 tokens',
    { tokenise: (text, s) => steps.tokenise(text, s).slice(0, 1000) },
    'limits on what is read of a document',
  ),
];

const drop = mistakesOfStep(6);

const ENGLISH = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
);

const stopMistakes: readonly Mutation[] = [
  drop(
    'stop-words-dropped',
    'drops English stop words',
    { selectTokens: (tokens) => tokens.filter((token) => !ENGLISH.has(token)) },
    'StopAnalyzer of Lucene',
  ),
];

export const tokenMutations: readonly Mutation[] = [...tokeniseMistakes, ...stopMistakes];
