import type { Adapter } from '../adapter/protocol.ts';
import type { FingerprintResult } from '../vector.ts';
import {
  type Ask,
  answerOfTokens,
  createAsk,
  findCharacterStep,
  isDropped,
  isKept,
  rightAnswer,
} from './wrong-characters.ts';
import { findTokenStep, findWrongTokens, isFingerprint } from './wrong-tokens.ts';

type Trace = Pick<Required<FingerprintResult>, 'decoded' | 'normalised' | 'stripped' | 'tokens' | 'fingerprint'>;

/** Finds the step that goes wrong on a document: the one before the first whose right text, as a document, is answered right. */
export async function bisect(adapter: Adapter, document: unknown, right: Trace): Promise<number | undefined> {
  const ask = createAsk(adapter);
  // Undefined where the text has another fingerprint than the document, or the adapter gives none.
  const isRight = async (text: string): Promise<boolean | undefined> => {
    if (rightAnswer(text) !== right.fingerprint) return undefined;
    const answer = await ask(text);
    return answer === undefined ? undefined : answer === right.fingerprint;
  };

  const sent = document as Readonly<Record<string, unknown>>;
  if (sent['text'] === undefined && (await isRight(right.decoded)) === true) return 1;
  if (await isRight(right.normalised)) return refine(adapter, 3, right);
  if (await isRight(right.stripped)) return 4;
  if (await isRight(right.tokens.join(' '))) return refine(adapter, 5, right);
  if (right.tokens.length > 0) return afterTokens(ask, right);
  const answer = await ask('');
  if (answer === undefined) return undefined;
  // If the empty text is right, or becomes an empty token, step 5 is at fault; otherwise SIM-1 is broken.
  return answer === null || answer === answerOfTokens(['']) ? 5 : 8;
}

/** Returns the step at fault: `step`, or the earlier one that loses a character or gives it a wrong class. */
export async function refine(adapter: Adapter, step: number, right: Trace): Promise<number> {
  const ask = createAsk(adapter);
  if (step === 3) return (await findCharacterStep(ask, right.decoded, isDropped)) ?? 3;
  if (step === 5)
    return (await findCharacterStep(ask, right.stripped, isKept)) ?? ((await findsLocators(ask, right)) ? 4 : 5);
  return step;
}

/** Tests whether the answer becomes right without the punctuation of locators: locators are found where there are none. */
async function findsLocators(ask: Ask, { stripped, fingerprint }: Trace): Promise<boolean> {
  const without = stripped.replace(/[:/.@+-]/g, ' ');
  return (
    rightAnswer(without) === fingerprint &&
    (await ask(without)) === fingerprint &&
    (await ask(stripped)) !== fingerprint
  );
}

async function afterTokens(ask: Ask, right: Trace): Promise<number | undefined> {
  const wrong = await findWrongTokens(ask, [...new Set(right.tokens)]);
  if (wrong.length > 0) return findTokenStep(ask, wrong);
  // Each token is right by itself. Equal ones are dropped (TOK-4), neighbours are joined, or the sum is wrong.
  const answer = await ask(right.tokens.join(' '));
  if (answer === undefined) return undefined;
  if (typeof answer === 'string' && !isFingerprint(answer)) return 9;
  const unique = [...new Set(right.tokens)];
  const pairs = right.tokens.slice(1).map((token, i) => [right.tokens[i]!, token]);
  const others = [
    ...(unique.length < right.tokens.length ? [unique] : []),
    ...[' ', ''].map((s) => pairs.map((pair) => pair.join(s))),
  ];
  return others.map(answerOfTokens).includes(answer) ? 5 : 8;
}
