/** Wrong implementations of bg1. */
import { steps } from '../../twin/twin.ts';
import { type Mutation, mistakesOfStep } from './mutation.ts';

const pairs = mistakesOfStep(5);

/** Kinds of code points by the right ones, with another one where a pattern matches. */
const kindsWith = (pattern: RegExp, kind: 'j' | 'm' | 'o') => ({
  bigramKind: (codePoint: number) =>
    pattern.test(String.fromCodePoint(codePoint)) ? kind : steps.bigramKind(codePoint),
});

export const variantMutations: readonly Mutation[] = [
  pairs('bg1-ignored', 'computes bg1 as the bare scheme', { pairUnits: (token) => [token] }),
  pairs('bg1-disjoint', 'gives pairs that do not overlap', {
    pairsOfUnits: (units) =>
      Array.from({ length: Math.ceil(units.length / 2) }, (_, i) => units.slice(2 * i, 2 * i + 2).join('')),
  }),
  pairs('bg1-single', 'gives single units', { pairsOfUnits: (units) => [...units] }),
  pairs('bg1-triples', 'gives three units at a time', {
    pairsOfUnits: (units) =>
      units.length < 3 ? [units.join('')] : units.slice(2).map((unit, i) => units[i]! + units[i + 1]! + unit),
  }),
  pairs('bg1-one-dropped', 'drops a run of one unit', {
    pairsOfUnits: (units) => units.slice(1).map((unit, i) => units[i]! + unit),
  }),
  pairs('bg1-last-alone', 'gives the last unit of a run once more', {
    pairsOfUnits: (units) => (units.length === 1 ? [...units] : units.map((unit, i) => unit + (units[i + 1] ?? ''))),
  }),
  pairs('bg1-whole-too', 'gives the whole run, too', {
    pairsOfUnits: (units) => [...steps.pairsOfUnits(units), ...(units.length > 2 ? [units.join('')] : [])],
  }),
  pairs('bg1-once', 'gives each pair of a run once', {
    pairsOfUnits: (units) => [...new Set(steps.pairsOfUnits(units))],
  }),
  pairs('bg1-code-points', 'takes each mark for a unit', { bigramUnits: /j|m/g }),
  pairs('bg1-one-mark', 'takes one mark at most into a unit', { bigramUnits: /jm?/g, bigramParts: /(?:jm?)+|[^j]+/g }),
  pairs('bg1-not-cut', 'cuts no token that has other code points in it', {
    pairUnits: (token, s) =>
      Array.from(token).some((one) => s.bigramKind(one.codePointAt(0)!) === 'o') ? [token] : steps.pairUnits(token, s),
  }),
  pairs('bg1-others-kept', 'keeps parts without a letter', {
    pairUnits: (token, s) => steps.pairUnits(token, { ...s, isToken: () => true }),
  }),
  pairs('bg1-others-dropped', 'drops all parts of other code points', {
    pairUnits: (token, s) => steps.pairUnits(token, { ...s, isToken: () => false }),
  }),
  pairs('bg1-others-paired', 'gives pairs of all characters, of every script', kindsWith(/\p{L}/u, 'j')),
  pairs('bg1-hangul', 'joins Hangul, too', kindsWith(/\p{Script=Hangul}/u, 'j')),
  pairs('bg1-tibetan', 'joins Tibetan, too', kindsWith(/\p{Script=Tibetan}/u, 'j')),
  pairs('bg1-yi', 'joins Yi, too', kindsWith(/\p{Script=Yi}/u, 'j')),
  pairs('bg1-no-extensions', 'leaves out the letters of Script_Extensions', kindsWith(/[ーｰ〱-〵〼ﾞﾟ]/u, 'o')),
  pairs('bg1-iteration', 'leaves out iteration marks', kindsWith(/[々〻]/u, 'o')),
  pairs('bg1-kana', 'leaves out hiragana and katakana', kindsWith(/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'o')),
  pairs('bg1-halfwidth', 'leaves out halfwidth katakana', kindsWith(/[\uff66-\uff9f]/u, 'o')),
  pairs('bg1-bopomofo', 'leaves out Bopomofo', kindsWith(/\p{Script=Bopomofo}/u, 'o')),
  pairs('bg1-thai', 'leaves out Thai', kindsWith(/(?!\p{Mn})\p{Script=Thai}/u, 'o')),
  pairs('bg1-lao', 'leaves out Lao', kindsWith(/(?!\p{Mn})\p{Script=Lao}/u, 'o')),
  pairs('bg1-khmer', 'leaves out Khmer', kindsWith(/(?!\p{Mn})\p{Script=Khmer}/u, 'o')),
  pairs('bg1-myanmar', 'leaves out Burmese', kindsWith(/(?!\p{Mn})\p{Script=Myanmar}/u, 'o')),
  pairs('bg1-planes', 'joins code points of the BMP only', kindsWith(/[\u{10000}-\u{10ffff}]/u, 'o')),
  pairs('bg1-compatibility', 'leaves out compatibility ideographs', kindsWith(/[\uf900-\ufaff]/u, 'o')),
  pairs('bg1-first', 'leaves out U+0E01', kindsWith(/\u0e01/u, 'o')),
  pairs('bg1-last', 'leaves out the last ideographs of the table', kindsWith(/[\u{2ebdf}\u{2ebe0}]/u, 'o')),
  pairs('bg1-few-ranges', 'has marks of Latin, Thai, Lao, Khmer and Burmese only', {
    bigramKind: (codePoint: number) => {
      const kind = steps.bigramKind(codePoint);
      return kind === 'm' && (codePoint > 0x17ff || (codePoint > 0x36f && codePoint < 0xe00)) ? 'o' : kind;
    },
  }),
  pairs('bg1-mark-joined', 'takes a mark before the first letter for a unit', {
    bigramParts: /m*(?:jm*)+|[^j]+/g,
    bigramUnits: /m*jm*/g,
  }),
  pairs('bg1-small-kana', 'leaves out the small kana of Unicode 12.0', kindsWith(/[\u{1b150}-\u{1b167}]/u, 'o')),
];
