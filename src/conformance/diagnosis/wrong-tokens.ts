import { hexDigits } from '../../common/bytes.ts';
import { encode } from '../../common/utf8.ts';
import { hashToken, parse, serialise } from '../../index.ts';
import { type Ask, answerOfTokens, findCharacterStep, isKept, rightAnswer } from './wrong-characters.ts';

const MAX_TOKENS = 40;
/** The number of wrong tokens that is enough for a diagnosis. */
const MAX_WRONG_TOKENS = 3;
const MASK = (1n << 64n) - 1n;

const bitsOf = (value: bigint): string => value.toString(2).padStart(64, '0');
const reverse = (text: string): string => [...text].reverse().join('');

/** Mistakes of steps 7 to 9 that change every fingerprint in the same way. */
const TRANSFORMATIONS: readonly (readonly [step: number, change: (value: bigint) => bigint])[] = [
  // The two words of lookup3 are exchanged, or joined as hexadecimal without leading zeros.
  [7, (value) => ((value << 32n) | (value >> 32n)) & MASK],
  [7, (value) => BigInt(`0x${(value >> 32n).toString(16)}${(value & 0xffffffffn).toString(16)}`)],
  // Bits in reverse order, in all or in each byte; inverted; shifted in 32 bits; the first bit lost; all set.
  [8, (value) => BigInt(`0b${reverse(bitsOf(value))}`)],
  [8, (value) => BigInt(`0b${(bitsOf(value).match(/.{8}/g) ?? []).map(reverse).join('')}`)],
  [8, (value) => ~value & MASK],
  [8, (value) => ((value << 32n) & MASK) | (value & 0xffffffffn)],
  [8, (value) => value & (MASK >> 1n)],
  [8, () => MASK],
  [9, (value) => BigInt(`0x${(hexDigits(value, 16).match(/../g) ?? []).reverse().join('')}`)],
];

export function isFingerprint(answer: string): boolean {
  try {
    return serialise(parse(answer)) === answer;
  } catch {
    return false;
  }
}

type WrongToken = readonly [token: string, answer: string | null];

export async function findWrongTokens(ask: Ask, tokens: readonly string[]): Promise<WrongToken[]> {
  const wrong: WrongToken[] = [];
  const look = async (token: string): Promise<void> => {
    // A token that is not a single token as a document, such as a digest, proves nothing.
    if (rightAnswer(token) !== answerOfTokens([token])) return;
    const answer = await ask(token);
    if (answer !== undefined && answer !== rightAnswer(token)) wrong.push([token, answer]);
  };
  for (const token of tokens.slice(0, MAX_TOKENS)) {
    await look(token);
    if (wrong.length === MAX_WRONG_TOKENS) return wrong;
  }
  let rest = tokens.slice(MAX_TOKENS);
  if (wrong.length > 0 || rest.length === 0) return wrong;
  const isWrong = async (some: readonly string[]): Promise<boolean> => {
    const answer = await ask(some.join(' '));
    return answer !== undefined && answer !== rightAnswer(some.join(' '));
  };
  if (!(await isWrong(rest))) return wrong;
  while (rest.length > 1) {
    const half = rest.slice(0, rest.length >> 1);
    rest = (await isWrong(half)) ? half : rest.slice(rest.length >> 1);
  }
  await look(rest[0]!);
  return wrong;
}

export async function findTokenStep(ask: Ask, wrong: readonly WrongToken[]): Promise<number> {
  // One wrong token may match any mistake by chance.
  const more = [...wrong, ...(await findWrongTokens(ask, ['quiz', 'waltz', 'vex']))];
  if (more.some(([, answer]) => answer !== null && !isFingerprint(answer)) || isOtherAlphabet(more)) return 9;
  for (const [step, change] of TRANSFORMATIONS)
    if (more.every(([token, answer]) => answer === serialise(change(hashToken(token))))) return step;
  if (wrong.every(([token, answer]) => answer === null && FUNCTION_WORDS.has(token.toLowerCase()))) return 6;
  // Another normalisation form, or case folding (NRM-4), but not a trimmed token, which is step 5.
  const isOtherForm = ([token, answer]: WrongToken): boolean =>
    otherForms(token).some((form) => !trimmedForms(token).includes(form) && answer === answerOfTokens([form]));
  if (wrong.some(isOtherForm)) return 3;
  for (const [token] of wrong) {
    const step = await findCharacterStep(ask, token, isKept);
    if (step !== undefined) return step;
  }
  const isCut = ([token, answer]: WrongToken): boolean =>
    answer === null || otherTokens(token).some((tokens) => answer === answerOfTokens(tokens));
  if (wrong.some(isCut)) return 5;
  for (const [token] of wrong) {
    // The sum of three equal hashes has the same signs as one.
    const thrice = `${token} ${token} ${token}`;
    if (rightAnswer(thrice) === answerOfTokens([token]) && (await ask(thrice)) === rightAnswer(thrice)) return 8;
  }
  // The hash depends on bytes only. If other tokens of this length are right, step 3 changed the token.
  for (const [token] of wrong) {
    const isChangeable = /\p{M}/u.test(token) || token.normalize('NFD') !== token;
    if (isChangeable && (await isLengthRight(ask, encode(token).length))) return 3;
  }
  return 7;
}

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be but by for from had has have he her his i in is it its not of on or she that the their they this to was were which with you'.split(
    ' ',
  ),
);

/** Tests whether the fingerprints are written in another alphabet: each letter is always replaced by the same one. */
function isOtherAlphabet(wrong: readonly WrongToken[]): boolean {
  const letters = new Map<string, string>();
  for (const [token, answer] of wrong) {
    const right = answerOfTokens([token])!;
    if (answer?.length !== right.length) return false;
    for (const [i, letter] of [...right].entries()) {
      if (letters.has(letter) && letters.get(letter) !== answer[i]) return false;
      letters.set(letter, answer[i]!);
    }
  }
  return wrong.length > 1;
}

function otherForms(token: string): string[] {
  const decomposed = token.normalize('NFD');
  const forms = [
    ...[decomposed, token.normalize('NFKC'), token.normalize('NFKD'), decomposed.replace(/\p{M}/gu, '')],
    ...[token.toLowerCase(), token.toUpperCase(), token.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())],
  ];
  return forms.filter((form) => form !== token);
}

function trimmedForms(token: string): string[] {
  const parts = [/^\p{M}+/u, /\p{M}+$/u, /^\p{M}+|\p{M}+$/gu, /^\P{L}+/u, /\P{L}+$/u, /^\P{L}+|\P{L}+$/gu];
  return [...parts, /^_+|_+$/g, /\p{Nd}+/gu].map((part) => token.replace(part, ''));
}

function otherTokens(token: string): string[][] {
  const characters = Array.from(token);
  const trimmed = trimmedForms(token).map((form) => [form]);
  const halves = characters
    .slice(1, 600)
    .map((_, i) => [characters.slice(0, i + 1).join(''), characters.slice(i + 1).join('')]);
  const shingles = [2, 3, 4, 5].map((size) =>
    characters.slice(size - 1).map((_, i) => characters.slice(i, i + size).join('')),
  );
  const runs = [
    /[A-Za-z]+|[^A-Za-z]+/g,
    /\p{L}+/gu,
    /\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu,
    /\p{Script=Han}|\P{Script=Han}+/gu,
  ].map((run) => token.match(run) ?? []);
  return [...trimmed, characters, ...halves, ...shingles, ...runs].filter(
    (tokens) => tokens.length !== 1 || tokens[0] !== token,
  );
}

/** Tests other tokens with a number of bytes, which no step before the hash changes. */
async function isLengthRight(ask: Ask, length: number): Promise<boolean> {
  const others = [...'qwfkvjxzb'].map((letter) => letter.repeat(length));
  for (const token of [...others, `${'\u0436'.repeat(length >> 1)}${'q'.repeat(length % 2)}`])
    if ((await ask(token)) !== rightAnswer(token)) return false;
  return true;
}
