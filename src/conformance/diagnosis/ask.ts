import { explain, hashToken, serialise, simhash } from '../../index.ts';
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

/** The fingerprint of these tokens, whatever they contain. */
export function answerOfTokens(tokens: readonly string[]): string | null {
  const value = simhash(tokens.map((token) => hashToken(token)));
  return value === null ? null : serialise(value);
}
