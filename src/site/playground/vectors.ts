import { readTextLike } from '../../conformance/suite/vector-inputs.ts';
import { decode } from '../../scheme/decode.ts';
import { LABEL } from '../../scheme/labels/label.ts';
import { EMPTY_STATE } from './state.ts';

interface Vector {
  readonly id: string;
  readonly operation: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected?: Readonly<Record<string, unknown>> | null;
  readonly document?: string | null;
}

const GROUPS = import.meta.glob<{ readonly vectors: readonly Vector[] }>(
  ['../../../vectors/*.json', '!**/manifest.json', '!**/mutants.json', '!**/flags.json'],
  { import: 'default' },
);

const TEXT_OPERATIONS = new Set('decode classify normalise strip-locators tokenise token-hash fingerprint'.split(' '));

/** Loads a vector, the state that shows it, and the file of a vector of extraction. */
export async function loadVector(id: string) {
  const load = GROUPS[`../../../vectors/${id.split('/')[0]}.json`];
  const vector = load && (await load()).vectors.find((each) => each.id === id);
  if (vector === undefined) throw new Error(`there is no vector ${id}`);
  const { operation, input, title, rules, expected, document } = vector;
  const isText = TEXT_OPERATIONS.has(operation);
  const read = isText ? readTextLike(operation, input, ['text', 'utf8', 'utf16', 'generate']) : '';
  const label = isText && typeof input['label'] === 'string' ? input['label'] : LABEL;
  const bytes = bytesOf(vector);
  const type = operation === 'extract-html' ? 'html' : input['type'];
  return {
    vector: {
      ...{ id, title, rules },
      json: JSON.stringify(vector, null, 2),
      hasDocument: isText || bytes !== null,
      // Other readers of a medium may be a few bits apart, so only exact operations are checked.
      fingerprint: operation === 'fingerprint' ? (expected?.['fingerprint'] as string | null) : document,
    },
    state: { ...EMPTY_STATE, label, a: typeof read === 'string' ? read : decode(read) },
    source: bytes && { bytes, name: id, ...(typeof type === 'string' ? { type } : {}) },
  };
}

function bytesOf({ operation, input }: Vector): Uint8Array<ArrayBuffer> | null {
  if (operation === 'extract' && typeof input['base64'] === 'string')
    return Uint8Array.from(atob(input['base64']), (character) => character.charCodeAt(0));
  if (operation !== 'extract-html') return null;
  return new Uint8Array(readTextLike(operation, { utf8: input['utf8'] }, ['utf8']) as Uint8Array);
}
