import { LABELS } from '../../index.ts';
import type { Operation } from '../vector.ts';
import { operations, runOperation } from './operations.ts';
import { type Adapter, PROTOCOL, type Reply } from './protocol.ts';

export async function answer(operation: string, input: unknown): Promise<Reply> {
  if (!Object.hasOwn(operations, operation)) return { kind: 'unsupported' };
  try {
    const outcome = await runOperation(operation, input);
    if ('error' in outcome) return { kind: 'error', code: outcome.error, message: '' };
    return { kind: 'ok', result: outcome.result as Readonly<Record<string, unknown>> };
  } catch (error) {
    // Without the optional PDF parser, this kind of input is not offered.
    if ((error as { readonly code?: unknown } | null)?.code === 'missing-package') return { kind: 'unsupported' };
    return { kind: 'error', code: 'internal', message: String(error) };
  }
}

/** The public functions of this package by the operations that they answer; lookups are recomposed from the tables. */
const FUNCTIONS: { readonly [O in Operation]?: string } = {
  decode: 'decode, toWellFormed',
  classify: 'classify',
  normalise: 'normalise',
  'strip-locators': 'stripLocators',
  tokenise: 'tokenise',
  'token-hash': 'hashToken',
  lookup3: 'hashlittle2',
  simhash: 'simhash, countBits',
  draw: 'draw',
  minhash: 'minhash, findWinners',
  truncate: 'truncate',
  serialise: 'serialise, toHex',
  parse: 'parse',
  'parse-hex': 'fromHex',
  'parse-label': 'parseLabel',
  'parse-labelled': 'parseLabelled',
  'format-labelled': 'formatLabelled',
  compare: 'compare',
  tables: 'tableKeys, permute',
  unpermute: 'unpermute',
  probe: 'probeKeys',
  fingerprint: 'fingerprint, createFingerprinter, explain',
  'extract-html': 'extract, fingerprint',
  extract: 'extract, fingerprint',
};

/**
 * Makes an adapter of the reference implementation that runs in this process, which may be a browser.
 * @example
 * const reply = await createInProcessAdapter().request('token-hash', { text: 'fox' });
 */
export function createInProcessAdapter(): Adapter {
  return {
    restarts: 0,
    hello: async () => ({
      ...{ name: 'simhash-doc', version: 'unknown', language: 'TypeScript', protocol: PROTOCOL, unicode: null },
      operations: Object.keys(operations),
      labels: LABELS,
      ...{ declines: [], functions: FUNCTIONS },
    }),
    request: (operation: Operation, input: unknown) => answer(operation, input),
    close: async () => undefined,
  };
}
