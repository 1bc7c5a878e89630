import { hexDigits } from '../../common/octets.ts';
import { classify, explain, hashToken, parse, serialise, simhash } from '../../index.ts';
import type { Adapter } from '../adapter/protocol.ts';

/** What bisection needs to know of a document: the texts between the steps, and the tokens, all from the reference. */
export interface Trace {
  readonly decoded: string;
  readonly normalised: string;
  readonly stripped: string;
  readonly tokens: readonly string[];
  readonly fingerprint: string | null;
}

// So many characters, and so many tokens, are asked for one by one.
const MOST_CHARACTERS = 120;
const MOST_TOKENS = 40;
const MOST_WRONG_TOKENS = 3;

/** The answers of an adapter to documents: 13 characters, null for none, or undefined where it gave no fingerprint. */
type Ask = (text: string) => Promise<string | null | undefined>;

/** The fingerprint that the reference gives to a text. */
function reference(text: string): string | null {
  return explain(text).base32;
}

/** The fingerprint of tokens, whatever they are. */
function ofTokens(tokens: readonly string[]): string | null {
  const value = simhash(tokens.map((token) => hashToken(token)));
  return value === null ? null : serialise(value);
}

const MASK = (1n << 64n) - 1n;

const hexOf = (value: bigint): string => hexDigits(value, 16);
const bitsOf = (value: bigint): string => value.toString(2).padStart(64, '0');
const turned = (text: string): string => [...text].reverse().join('');

/** Mistakes behind the tokens that change every fingerprint in the same way, with the step that makes them. */
const TRANSFORMATIONS: readonly (readonly [step: number, change: (value: bigint) => bigint])[] = [
  // The two words of lookup3 exchanged, or joined as hexadecimal without leading zeros.
  [7, (value) => ((value << 32n) | (value >> 32n)) & MASK],
  [7, (value) => BigInt(`0x${(value >> 32n).toString(16)}${(value & 0xffffffffn).toString(16)}`)],
  // Bit 0 at the other end, of the whole or of each octet; the sign turned; shifts in 32 bits; the first bit lost; all set.
  [8, (value) => BigInt(`0b${turned(bitsOf(value))}`)],
  [8, (value) => BigInt(`0b${(bitsOf(value).match(/.{8}/g) ?? []).map(turned).join('')}`)],
  [8, (value) => ~value & MASK],
  [8, (value) => ((value << 32n) & MASK) | (value & 0xffffffffn)],
  [8, (value) => value & (MASK >> 1n)],
  [8, () => MASK],
  [9, (value) => BigInt(`0x${(hexOf(value).match(/../g) ?? []).reverse().join('')}`)],
];

/** Whether an answer has the form of a fingerprint (SER-1). */
function isFingerprint(answer: string): boolean {
  try {
    return serialise(parse(answer)) === answer;
  } catch {
    return false;
  }
}

/**
 * Finds the step that goes wrong on a document by asking for fingerprints alone: the text that each step should have given
 * is itself a document, and once an answer is right, the step before is the one at fault.
 * @param adapter - the implementation under test; it offers `fingerprint`
 * @param document - as it was sent
 * @param right - what the reference makes of it
 * @returns the step, or undefined where no answer tells
 */
export async function bisect(adapter: Adapter, document: unknown, right: Trace): Promise<number | undefined> {
  const ask = asking(adapter);
  /** Whether the adapter is right about a text that has the same fingerprint as the document; undefined: no evidence. */
  const isRight = async (text: string): Promise<boolean | undefined> => {
    if (reference(text) !== right.fingerprint) return undefined;
    const answer = await ask(text);
    return answer === undefined ? undefined : answer === right.fingerprint;
  };

  const sent = document as Readonly<Record<string, unknown>>;
  if (sent['text'] === undefined && (await isRight(right.decoded)) === true) return 1;
  if (await isRight(right.normalised)) return refine(adapter, 3, right);
  if (await isRight(right.stripped)) return 4;
  if (await isRight(right.tokens.join(' '))) return refine(adapter, 5, right);
  return right.tokens.length === 0 ? afterNoTokens(ask) : afterTokens(ask, right);
}

/**
 * Finds out whether a step that goes wrong does so because of what comes before it: a character that is taken for one of
 * another class, or that is lost.
 * @param adapter - the implementation under test; it offers `fingerprint`
 * @param step - 3 or 5
 * @param right - what the reference makes of a document that shows it
 */
export async function refine(adapter: Adapter, step: number, right: Trace): Promise<number> {
  const ask = asking(adapter);
  if (step === 3) return (await stepOfCharacters(ask, right.decoded, isDropped)) ?? 3;
  if (step === 5)
    return (await stepOfCharacters(ask, right.stripped, isKept)) ?? ((await findsLocators(ask, right)) ? 4 : 5);
  return step;
}

/**
 * Whether an adapter is wrong about a text without locators for the sake of the punctuation that locators are made of: it
 * finds locators where there are none.
 */
async function findsLocators(ask: Ask, { stripped, fingerprint }: Trace): Promise<boolean> {
  const without = stripped.replace(/[:/.@+-]/g, ' ');
  return (
    reference(without) === fingerprint && (await ask(without)) === fingerprint && (await ask(stripped)) !== fingerprint
  );
}

function asking(adapter: Adapter): Ask {
  return async (text) => {
    const reply = await adapter.request('fingerprint', { text });
    if (reply.kind !== 'ok') return undefined;
    const value = reply.result['fingerprint'];
    return typeof value === 'string' || value === null ? value : undefined;
  };
}

/** Whether step 3 replaces or deletes a character. */
const isDropped = (character: string): boolean =>
  ['ignorable', 'unassigned'].includes(classify(character.codePointAt(0)!));

const isKept = (character: string): boolean => !isDropped(character);

/**
 * Looks for a character that an adapter takes for one of another class, or loses: between two letters, or alone, it gives
 * the very fingerprint that such a mistake gives.
 * @param ask - asks the adapter
 * @param text - what step 5, or step 3, was given
 * @param concerns - which characters to look at
 * @returns the step at fault, or undefined when there is no such character
 */
async function stepOfCharacters(
  ask: Ask,
  text: string,
  concerns: (character: string) => boolean,
): Promise<number | undefined> {
  // Where a letter of ASCII alone is no token, short ones are dropped.
  if (await gives(ask, 'q', [null])) return 5;
  const characters = [...new Set(text)].filter((character) => !/[A-Za-z ]/.test(character) && concerns(character));
  for (const character of characters.slice(0, MOST_CHARACTERS)) {
    const found = await stepOfCharacter(ask, character);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function stepOfCharacter(ask: Ask, character: string): Promise<number | undefined> {
  const between = betweenLetters(character);
  const answer = await ask(between);
  if (answer === undefined) return undefined;
  if (answer !== reference(between)) {
    if (answer === ofTokens(['q'])) return 1;
    if (answer === ofTokens(['qz'])) {
      // Gone. Digits go in step 5; format characters are taken for ignorable ones (CLS-6); step 3 deletes no others.
      if (/[\p{Nd}\p{Pc}]/u.test(character)) return 5;
      return /[\p{Cf}\p{Lm}]/u.test(character) && isKept(character) ? 2 : 3;
    }
    if (isCut(answer, character)) return 5;
    if (!isOfAnotherClass(answer, character)) return undefined;
    // Who is wrong about ASCII cuts words in a way of its own, and has no table of classes.
    for (const plain of ['5', '_', '.', "'", '-']) {
      const given = await ask(betweenLetters(plain));
      if (given === undefined || given === reference(betweenLetters(plain))) continue;
      if (isCut(given, plain) || isOfAnotherClass(given, plain)) return 5;
    }
    return 2;
  }
  // A letter alone is a token, anything else is not (TOK-2).
  if (!(await gives(ask, character, [null, ofTokens([character])]))) return undefined;
  if (ofTokens([character]) === reference(character)) return 2;
  if (/\p{Nd}/u.test(character)) return 5;
  // Marks and connectors both, or digits too: that is no matter of one class.
  const kinds = [['\u0301', '\u0903'], ['_', '\u203f'], ['5']];
  const wrong = await Promise.all(
    kinds.map(async (kind) => {
      for (const each of kind) if (await gives(ask, each, [ofTokens([each])])) return true;
      return false;
    }),
  );
  return wrong.filter(Boolean).length > 1 ? 5 : 2;
}

/** A text with a character between letters that compose with nothing, and beside which no locator begins or ends. */
function betweenLetters(character: string): string {
  return `q${character}z`;
}

/** Whether an answer is that of a character between letters which joins them, or parts them and is lost. */
function isOfAnotherClass(answer: string | null, character: string): boolean {
  return [['q', 'z'], [betweenLetters(character)]].map(ofTokens).includes(answer);
}

/** Whether an answer is that of a character between letters beside which the word is cut, and which is kept. */
function isCut(answer: string | null, character: string): boolean {
  return [
    ['q', `${character}z`],
    [`q${character}`, 'z'],
    ['q', character, 'z'],
  ]
    .map(ofTokens)
    .includes(answer);
}

/** Whether an adapter is wrong about a text and gives one of these instead. */
async function gives(ask: Ask, text: string, others: readonly (string | null)[]): Promise<boolean> {
  const answer = await ask(text);
  return answer !== undefined && answer !== reference(text) && others.includes(answer);
}

/** The step at fault where a text without tokens gets a fingerprint. */
async function afterNoTokens(ask: Ask): Promise<number | undefined> {
  const answer = await ask('');
  if (answer === undefined) return undefined;
  // The empty text passes all earlier steps unchanged (SIM-4); or step 5 makes an empty token of it.
  return answer === null || answer === ofTokens(['']) ? 5 : 8;
}

/** The step at fault where even the tokens, with spaces between them, do not give the fingerprint. */
async function afterTokens(ask: Ask, right: Trace): Promise<number | undefined> {
  const wrong = await findWrongTokens(ask, [...new Set(right.tokens)]);
  if (wrong.length > 0) return stepOfWrongTokens(ask, wrong);
  // Each token is right, all together are not: equal ones were dropped (TOK-4), or they are not added up right.
  const answer = await ask(right.tokens.join(' '));
  if (answer === undefined) return undefined;
  if (typeof answer === 'string' && !isFingerprint(answer)) return 9;
  const unique = [...new Set(right.tokens)];
  const pairs = right.tokens.slice(1).map((token, i) => [right.tokens[i]!, token]);
  const others = [
    ...(unique.length < right.tokens.length ? [unique] : []),
    ...[' ', ''].map((s) => pairs.map((pair) => pair.join(s))),
  ];
  return others.map(ofTokens).includes(answer) ? 5 : 8;
}

/** A token whose fingerprint is wrong, and what it was. */
type WrongToken = readonly [token: string, answer: string | null];

/** Finds tokens that are wrong by themselves: the first ones, and one by halves among all. */
async function findWrongTokens(ask: Ask, tokens: readonly string[]): Promise<WrongToken[]> {
  const wrong: WrongToken[] = [];
  const look = async (token: string): Promise<void> => {
    // A token that would change by itself, such as a digest, proves nothing.
    if (reference(token) !== ofTokens([token])) return;
    const answer = await ask(token);
    if (answer !== undefined && answer !== reference(token)) wrong.push([token, answer]);
  };
  for (const token of tokens.slice(0, MOST_TOKENS)) {
    await look(token);
    if (wrong.length === MOST_WRONG_TOKENS) return wrong;
  }
  let rest = tokens.slice(MOST_TOKENS);
  if (wrong.length > 0 || rest.length === 0) return wrong;
  const isWrong = async (some: readonly string[]): Promise<boolean> => {
    const answer = await ask(some.join(' '));
    return answer !== undefined && answer !== reference(some.join(' '));
  };
  if (!(await isWrong(rest))) return wrong;
  while (rest.length > 1) {
    const half = rest.slice(0, rest.length >> 1);
    rest = (await isWrong(half)) ? half : rest.slice(rest.length >> 1);
  }
  await look(rest[0]!);
  return wrong;
}

/** The step at fault where the fingerprints of single tokens are wrong. */
async function stepOfWrongTokens(ask: Ask, wrong: readonly WrongToken[]): Promise<number> {
  const all = (explains: (token: string, answer: string | null) => boolean): boolean =>
    wrong.every(([token, answer]) => explains(token, answer));
  const some = (explains: (token: string, answer: string | null) => boolean): boolean =>
    wrong.some(([token, answer]) => explains(token, answer));

  // One wrong token may look like anything.
  const more = [...wrong, ...(await findWrongTokens(ask, ['quiz', 'waltz', 'vex']))];
  if (more.some(([, answer]) => answer !== null && !isFingerprint(answer)) || isOtherAlphabet(more)) return 9;
  for (const [step, change] of TRANSFORMATIONS)
    if (more.every(([token, answer]) => answer === serialise(change(hashToken(token))))) return step;
  if (all((token, answer) => answer === null && FUNCTION_WORDS.has(token.toLowerCase()))) return 6;
  // Another normalisation form, or case folding (NRM-4).
  const isTrimmed = (token: string, form: string): boolean => trimmedForms(token).includes(form);
  if (some((token, answer) => otherForms(token).some((form) => !isTrimmed(token, form) && answer === ofTokens([form]))))
    return 3;
  for (const [token] of wrong) {
    const step = await stepOfCharacters(ask, token, isKept);
    if (step !== undefined) return step;
  }
  if (some((token, answer) => answer === null || otherTokens(token).some((tokens) => answer === ofTokens(tokens))))
    return 5;
  for (const [token] of wrong) {
    // Three times the same adds up to the hash of one.
    const thrice = `${token} ${token} ${token}`;
    if (reference(thrice) === ofTokens([token]) && (await ask(thrice)) === reference(thrice)) return 8;
  }
  // The hash knows octets alone: where others of the same number are right, the token was changed before.
  for (const [token] of wrong) if (isChangeable(token) && (await areAllRight(ask, sameLength(token)))) return 3;
  return 7;
}

/** The most frequent words of English, which stop lists hold. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be but by for from had has have he her his i in is it its not of on or she that the their they this to was were which with you'.split(
    ' ',
  ),
);

/** Whether every letter of the right fingerprints became always the same other letter: the alphabet is another one. */
function isOtherAlphabet(wrong: readonly WrongToken[]): boolean {
  const letters = new Map<string, string>();
  for (const [token, answer] of wrong) {
    const right = ofTokens([token])!;
    if (answer?.length !== right.length) return false;
    for (const [i, letter] of [...right].entries()) {
      if (letters.has(letter) && letters.get(letter) !== answer[i]) return false;
      letters.set(letter, answer[i]!);
    }
  }
  return wrong.length > 1;
}

/** What a token becomes where more is done to it than step 3 does. */
function otherForms(token: string): string[] {
  const decomposed = token.normalize('NFD');
  const forms = [
    ...[decomposed, token.normalize('NFKC'), token.normalize('NFKD'), decomposed.replace(/\p{M}/gu, '')],
    ...[token.toLowerCase(), token.toUpperCase(), token.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())],
  ];
  return forms.filter((form) => form !== token);
}

/** What is left of a token where its ends, or its digits, are taken away. */
function trimmedForms(token: string): string[] {
  const parts = [/^\p{M}+/u, /\p{M}+$/u, /^\p{M}+|\p{M}+$/gu, /^\P{L}+/u, /\P{L}+$/u, /^\P{L}+|\P{L}+$/gu];
  return [...parts, /^_+|_+$/g, /\p{Nd}+/gu].map((part) => token.replace(part, ''));
}

/** What step 5 makes of a token where it trims, or cuts where it should not. */
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

/** Other tokens of as many octets, which nothing before the hash changes. */
function sameLength(token: string): string[] {
  const length = Buffer.byteLength(token);
  const ascii = [...'qwfkvjxzb'].map((letter) => letter.repeat(length));
  return [...ascii, `${'\u0436'.repeat(length >> 1)}${'q'.repeat(length % 2)}`];
}

async function areAllRight(ask: Ask, texts: readonly string[]): Promise<boolean> {
  for (const text of texts) if ((await ask(text)) !== reference(text)) return false;
  return true;
}

/** Whether normalisation has anything to do with a token. */
function isChangeable(token: string): boolean {
  return /\p{M}/u.test(token) || token.normalize('NFD') !== token;
}
