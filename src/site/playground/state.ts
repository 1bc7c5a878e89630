import { DOCUMENT_LABEL } from '../../duplicates/answer.ts';
import { parseLabel } from '../../scheme/labels/label.ts';

export interface PlaygroundState {
  readonly a: string;
  readonly b: string;
  readonly label: string;
  readonly vector?: string | undefined;
  readonly example?: number | undefined;
}

export const EMPTY_STATE: PlaygroundState = { a: '', b: '', label: DOCUMENT_LABEL };
/** Texts of more 16-bit units than this are compressed in a link. */
const MAX_PLAIN = 1500;
/** The maximum length of a fragment, which the address bars of Chromium and Firefox and most forums accept. */
export const MAX_FRAGMENT = 32_000;
/** The maximum length of a text in a link: a longer one does not fit even if compressed, and trying would block the page. */
const MAX_LINKED = 300_000;
const MAX_TEXT = 4 * 2 ** 20;

export function linkToVector(id: string): string {
  return `index.html#${new URLSearchParams({ vector: id })}`;
}

/** Formats an example as a fragment of the address. Links hold its texts instead: examples may change. */
export function formatExample(example: number, label: string): string {
  return String(new URLSearchParams({ example: String(example), ...labelField({ label }) }));
}

/** Formats a state as the fragment of a URL: plain if it is short, otherwise compressed; null if it is too long. */
export async function formatFragment(state: PlaygroundState): Promise<string | null> {
  if (state.vector !== undefined) return linkToVector(state.vector).split('#')[1]!;
  if (state.a.length + state.b.length > MAX_LINKED) return null;
  const { a, b } = state;
  const plain = String(new URLSearchParams({ ...(a && { a }), ...(b && { b }), ...labelField(state) }));
  if (plain.length <= MAX_PLAIN) return plain;
  const texts = new Blob([JSON.stringify([state.a, state.b])]).stream();
  const bytes = (await collect(texts.pipeThrough(new CompressionStream('deflate-raw'))))!;
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const z = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const packed = String(new URLSearchParams({ z, ...labelField(state) }));
  const shorter = packed.length < plain.length ? packed : plain;
  return shorter.length > MAX_FRAGMENT ? null : shorter;
}

/** @throws (rejects) Error if the compressed texts are damaged or too long */
export async function parseFragment(fragment: string): Promise<PlaygroundState> {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const label = labelOf(fields.get('label'));
  const vector = fields.get('vector') ?? undefined;
  if (vector !== undefined) return { ...EMPTY_STATE, label, vector };
  const example = fields.get('example');
  if (example !== null) return { ...EMPTY_STATE, label, example: Number(example) };
  const z = fields.get('z');
  if (z === null) return { a: fields.get('a') ?? '', b: fields.get('b') ?? '', label };
  const [a, b] = await unpack(z);
  return { a, b, label };
}

/** Decompresses the texts of a link. Throws an Error of its own: a browser's messages about damaged data would not help a reader. */
async function unpack(packed: string): Promise<[string, string]> {
  let text: string | null;
  let texts: unknown;
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const inflated = await collect(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')));
    text = inflated && new TextDecoder().decode(inflated);
    texts = text === null ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new Error('it is damaged or incomplete', { cause });
  }
  if (text === null) throw new Error('it holds too much text');
  const [a, b] = Array.isArray(texts) ? (texts as unknown[]) : [];
  if (typeof a !== 'string' || typeof b !== 'string') throw new Error('it does not hold two texts');
  return [a, b];
}

function labelField({ label }: Pick<PlaygroundState, 'label'>): { label?: string } {
  return label === DOCUMENT_LABEL ? {} : { label };
}

function labelOf(text: string | null): string {
  try {
    return text === null ? DOCUMENT_LABEL : parseLabel(text);
  } catch {
    // An unknown label in a link is replaced by the default.
    return DOCUMENT_LABEL;
  }
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array | null> {
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > MAX_TEXT) return null;
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
}
