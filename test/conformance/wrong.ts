import type { Adapter, Reply } from '../../src/conformance/adapter/protocol.ts';
import type { Operation } from '../../src/conformance/vector.ts';
import { makeOracle } from '../tools/generate/oracle.ts';
import { makePipeline, type Steps, steps, TwinError } from '../twin/twin.ts';

/** Wrong implementations, small ones: the twin with one mistake each, and the first step that the mistake is in. */
export const WRONG: Readonly<Record<string, { readonly step: number | null; readonly overrides: Partial<Steps> }>> = {
  right: { step: null, overrides: {} },
  'ill-formed-dropped': { step: 1, overrides: { illFormedReplacement: '' } },
  'ascii-words': {
    step: 2,
    overrides: { classify: (codePoint, s) => (codePoint < 0x80 ? steps.classify(codePoint, s) : 'break') },
  },
  'no-nfc': { step: 3, overrides: { compose: (text) => text } },
  'no-locators': { step: 4, overrides: { findLocators: () => [] } },
  'numbers-kept': { step: 5, overrides: { isToken: () => true } },
  'utf16-hashed': {
    step: 7,
    overrides: { encode: (text) => Uint8Array.from(Buffer.from(text, 'utf16le')) },
  },
  'words-swapped': { step: 7, overrides: { joinWords: (c, b) => c * 2n ** 32n + b } },
  'tie-to-1': { step: 8, overrides: { fingerprintBit: (counter) => (counter >= 0n ? '1' : '0') } },
  'padding-kept': { step: 9, overrides: { serialise: (value, s) => `${steps.serialise(value, s)}===` } },
};

/** The operations and labels that an adapter offers, and how much it reveals. */
export interface Offer {
  readonly operations?: readonly string[];
  readonly labels?: readonly string[];
  /** True if replies to `fingerprint` hold intermediates. Default true. */
  readonly intermediates?: boolean;
}

/** Answers requests the way a wrong implementation does: one of `WRONG`, or one with other steps. */
export function makeAnswer(wrong: string | Partial<Steps>, { operations, labels, intermediates = true }: Offer = {}) {
  const [name, overrides] = typeof wrong === 'string' ? [wrong, WRONG[wrong]!.overrides] : ['twin', wrong];
  const runs = makeOracle(makePipeline(overrides)) as unknown as Readonly<
    Record<string, (input: unknown) => Readonly<Record<string, unknown>>>
  >;
  const offered = operations ?? Object.keys(runs);
  const hello = {
    ...{ name, version: '1.0', language: 'TypeScript', protocol: 1, unicode: '12.0.0' },
    ...{ operations: offered, ...(labels && { labels }) },
  };
  function answer(operation: string, input: unknown): Reply {
    if (!offered.includes(operation)) return { kind: 'unsupported' };
    try {
      const result = runs[operation]!(input);
      const bare = operation === 'fingerprint' && !intermediates;
      return { kind: 'ok', result: bare ? { fingerprint: result['fingerprint'] } : result };
    } catch (error) {
      if (error instanceof TwinError) return { kind: 'error', code: error.code, message: '' };
      throw error;
    }
  }
  return { hello, answer };
}

/** A wrong implementation in this process. */
export function createWrongAdapter(wrong: string | Partial<Steps>, offer?: Offer): Adapter {
  const { hello, answer } = makeAnswer(wrong, offer);
  return {
    restarts: 0,
    hello: async () => hello,
    request: async (operation: Operation, input: unknown) => answer(operation, input),
    close: async () => undefined,
  };
}
