import { classify, explain, hashToken, serialise, simhash } from '../../index.ts';
import type { Adapter } from '../adapter/protocol.ts';

/** Asks an adapter for the fingerprint of a text: 13 characters, null for none, undefined if it gave no fingerprint. */
export type Ask = (text: string) => Promise<string | null | undefined>;

export function createAsk(adapter: Adapter): Ask {
  return async (text) => {
    const reply = await adapter.request('fingerprint', { text });
    if (reply.kind !== 'ok') return undefined;
    const value = reply.result['fingerprint'];
    return typeof value === 'string' || value === null ? value : undefined;
  };
}

export function rightAnswer(text: string): string | null {
  return explain(text).base32;
}

export function answerOfTokens(tokens: readonly string[]): string | null {
  const value = simhash(tokens.map((token) => hashToken(token)));
  return value === null ? null : serialise(value);
}

/** The number of characters that are requested one by one. */
const MAX_CHARACTERS = 120;

export function isDropped(character: string): boolean {
  return ['ignorable', 'unassigned'].includes(classify(character.codePointAt(0)!));
}

export function isKept(character: string): boolean {
  return !isDropped(character);
}

/** Looks for a character that is lost or has the wrong class, by its fingerprint between two letters, or alone. */
export async function findCharacterStep(
  ask: Ask,
  text: string,
  concerns: (character: string) => boolean,
): Promise<number | undefined> {
  // Short tokens are dropped.
  if (await gives(ask, 'q', [null])) return 5;
  const characters = [...new Set(text)].filter((character) => !/[A-Za-z ]/.test(character) && concerns(character));
  for (const character of characters.slice(0, MAX_CHARACTERS)) {
    const found = await stepOfCharacter(ask, character);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function stepOfCharacter(ask: Ask, character: string): Promise<number | undefined> {
  const between = betweenLetters(character);
  const answer = await ask(between);
  if (answer === undefined) return undefined;
  return answer === rightAnswer(between)
    ? stepOfLoneCharacter(ask, character)
    : stepBetweenLetters(ask, character, answer);
}

async function stepBetweenLetters(ask: Ask, character: string, answer: string | null): Promise<number | undefined> {
  // The text ends before the character.
  if (answer === answerOfTokens(['q'])) return 1;
  if (answer === answerOfTokens(['qz'])) {
    // The character is lost: a digit in step 5, a format character as ignorable (CLS-6), any other in step 3.
    if (/[\p{Nd}\p{Pc}]/u.test(character)) return 5;
    return /[\p{Cf}\p{Lm}]/u.test(character) && isKept(character) ? 2 : 3;
  }
  if (isCut(answer, character)) return 5;
  if (!hasOtherClass(answer, character)) return undefined;
  // If ASCII is also wrong, the words are cut by a rule of their own and not by a table of classes.
  for (const plain of ['5', '_', '.', "'", '-']) {
    const given = await ask(betweenLetters(plain));
    if (given === undefined || given === rightAnswer(betweenLetters(plain))) continue;
    if (isCut(given, plain) || hasOtherClass(given, plain)) return 5;
  }
  return 2;
}

/** Finds the step at fault from the answer about a character alone: a letter is a token, anything else is not (TOK-3). */
async function stepOfLoneCharacter(ask: Ask, character: string): Promise<number | undefined> {
  if (!(await gives(ask, character, [null, answerOfTokens([character])]))) return undefined;
  if (answerOfTokens([character]) === rightAnswer(character)) return 2;
  if (/\p{Nd}/u.test(character)) return 5;
  // If several of marks, connectors and digits become tokens, it is not the class of one character.
  const kinds = [['\u0301', '\u0903'], ['_', '\u203f'], ['5']];
  const wrong = await Promise.all(
    kinds.map(async (kind) => {
      for (const each of kind) if (await gives(ask, each, [answerOfTokens([each])])) return true;
      return false;
    }),
  );
  return wrong.filter(Boolean).length > 1 ? 5 : 2;
}

/** Puts a character between letters that compose with nothing and at which no locator begins or ends. */
const betweenLetters = (character: string): string => `q${character}z`;

function hasOtherClass(answer: string | null, character: string): boolean {
  return [['q', 'z'], [betweenLetters(character)]].map(answerOfTokens).includes(answer);
}

function isCut(answer: string | null, character: string): boolean {
  return [
    ['q', `${character}z`],
    [`q${character}`, 'z'],
    ['q', character, 'z'],
  ]
    .map(answerOfTokens)
    .includes(answer);
}

async function gives(ask: Ask, text: string, others: readonly (string | null)[]): Promise<boolean> {
  const answer = await ask(text);
  return answer !== undefined && answer !== rightAnswer(text) && others.includes(answer);
}
