import { wrongType } from '../errors.ts';
import type { Fingerprint } from '../scheme/labels/fingerprint.ts';
import { type LabelOption, type NarrowLabel, type Scheme, schemeIn } from '../scheme/labels/label.ts';
import type { OnTokens } from './pipeline.ts';
import { closePipeline, openPipeline, returnPipeline, type TakenPipeline, takePipeline } from './pool.ts';
import { MAX_SMALL } from './stream.ts';

/** Computes the fingerprint of a document that arrives in parts; made by {@link createFingerprinter}. */
export interface Fingerprinter<F extends Fingerprint = bigint> {
  /**
   * Takes the next part of the document, of any length, cut anywhere: inside a UTF-8 sequence, a surrogate pair, a
   * combining sequence, a Hangul syllable, a locator or a token.
   * @param chunk - bytes (UTF-8) or text (16-bit units); all chunks of a document are of one kind
   * @returns the fingerprinter itself
   * @throws TypeError `wrong-type` for anything else, for a change of kind, and after {@link digest}
   */
  update(chunk: string | Uint8Array): Fingerprinter<F>;
  /**
   * Ends the document.
   * @returns the fingerprint, 0 to 2^64 - 1 or 32 bytes, or `null` when the document has no tokens (SIM-1, MIN-6);
   * further calls return the same
   */
  digest(): F | null;
  /** The number of tokens counted so far; all of them after {@link digest}. */
  readonly tokenCount: number;
}

/**
 * Creates a fingerprinter for a document that arrives in parts. The result does not depend on where it is cut.
 *
 * It holds a buffer of fixed size and: the bytes of an incomplete UTF-8 sequence (3 at most) or one surrogate; the
 * last combining sequence or Hangul syllable; the whole of a token that has not ended, because its hash begins with
 * its length; and the run of `A–Z a–z 0–9 . _ % + -` (with the label after an `@`) in which a locator may still
 * begin. It does not hold what a locator has already consumed, nor text that is hashed. The longest of these bounds
 * the memory; the length of the document does not. The labels of minhash-doc add one winning draw for each bit of the
 * fingerprint.
 * @param options - the label
 * @throws TypeError `wrong-type`; RangeError `invalid-label`
 * @see spec/simhash-doc.md#pipeline
 * @example
 * const fingerprinter = createFingerprinter();
 * for await (const chunk of createReadStream(path)) fingerprinter.update(chunk);
 */
export function createFingerprinter(options?: { readonly label?: NarrowLabel | undefined }): Fingerprinter;
export function createFingerprinter(options: { readonly label: 'minhash-doc-256' }): Fingerprinter<Uint8Array>;
export function createFingerprinter(options?: LabelOption): Fingerprinter<Fingerprint>;
export function createFingerprinter(options?: LabelOption): Fingerprinter<Fingerprint> {
  const scheme = schemeIn(options);
  let pipeline: TakenPipeline | undefined;
  /** A small first chunk, until there is more: only then is it known whether the document is small. */
  let held: string | Uint8Array | undefined;
  let kind: 'octets' | 'text' | undefined;
  let ended: { readonly result: Fingerprint | null; readonly tokenCount: number } | undefined;
  const fingerprinter: Fingerprinter<Fingerprint> = {
    update(chunk) {
      const given = typeof chunk === 'string' ? 'text' : 'octets';
      if (given === 'octets' && !(chunk instanceof Uint8Array))
        throw wrongType('chunk', 'a string or a Uint8Array', chunk);
      if (ended !== undefined) throw wrongType('chunk', 'no more chunks after digest()', chunk);
      kind ??= given;
      if (kind !== given) throw wrongType('chunk', `${kind}, as the chunks before`, chunk);
      if (pipeline === undefined && held === undefined && chunk.length <= MAX_SMALL) {
        // The caller may reuse the array. (The slice of a Buffer is not a copy.)
        held = typeof chunk === 'string' ? chunk : new Uint8Array(chunk);
        return fingerprinter;
      }
      pipeline ??= startWith(held, Number.POSITIVE_INFINITY, scheme);
      pipeline.update(chunk);
      return fingerprinter;
    },
    digest() {
      if (ended !== undefined) return copyOf(ended.result);
      pipeline ??= startWith(held, held?.length ?? 0, scheme);
      pipeline.end();
      ended = { result: pipeline.result(), tokenCount: pipeline.tokenCount };
      closePipeline(pipeline);
      return copyOf(ended.result);
    },
    get tokenCount() {
      return (ended ?? pipeline)?.tokenCount ?? 0;
    },
  };
  return fingerprinter;
}

function copyOf(fingerprint: Fingerprint | null): Fingerprint | null {
  return fingerprint instanceof Uint8Array ? fingerprint.slice() : fingerprint;
}

function startWith(held: string | Uint8Array | undefined, size: number, scheme: Scheme): TakenPipeline {
  const pipeline = openPipeline(size, scheme);
  if (held !== undefined) pipeline.update(held);
  return pipeline;
}

/**
 * `size` is of all documents: many small ones are worth compiling the kernel for. `onDraws` receives the lower halves of the
 * winning draws, if there are any.
 */
export function fingerprintText(
  input: string | Uint8Array,
  scheme: Scheme,
  size = input.length,
  onTokens?: OnTokens,
  onDraws?: (draws: Uint32Array) => void,
): { readonly fingerprint: Fingerprint | null; readonly tokens: number } {
  const pipeline = takePipeline(size, scheme, onTokens);
  pipeline.update(input);
  pipeline.end();
  const result = { fingerprint: pipeline.result(), tokens: pipeline.tokenCount };
  if (result.fingerprint !== null) onDraws?.(pipeline.lowerDraws());
  returnPipeline(pipeline);
  return result;
}

/**
 * Returns the fingerprint of a document: steps 1 to 5, 7 and 8 of the scheme, or the steps that the label has in
 * their place. No label drops tokens in step 6 (STP-1).
 * @param input - bytes, which are decoded as UTF-8, or a text as 16-bit units. Extraction (step 0) comes before.
 * @param options - the label. Fingerprints of different labels are not comparable.
 * @returns 0 to 2^64 - 1, the most significant bit being bit 0, or 32 bytes with the label `minhash-doc-256`; `null`
 * when the document has no tokens and therefore no fingerprint (SIM-1, MIN-6). `serialise` writes it as 13 or 52
 *   characters.
 * @throws TypeError `wrong-type`; RangeError `invalid-label`
 * @see spec/simhash-doc.md#pipeline
 * @example
 * fingerprint('to be or not to be', { label: 'minhash-doc' });
 */
export function fingerprint(
  input: string | Uint8Array,
  options?: { readonly label?: NarrowLabel | undefined },
): bigint | null;
export function fingerprint(
  input: string | Uint8Array,
  options: { readonly label: 'minhash-doc-256' },
): Uint8Array | null;
export function fingerprint(input: string | Uint8Array, options?: LabelOption): Fingerprint | null;
export function fingerprint(input: string | Uint8Array, options?: LabelOption): Fingerprint | null {
  if (typeof input !== 'string' && !(input instanceof Uint8Array))
    throw wrongType('input', 'a string or a Uint8Array', input);
  return fingerprintText(input, schemeIn(options)).fingerprint;
}
