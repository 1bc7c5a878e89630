import type { CountedPart } from '../../fingerprint/token-counts.ts';

/** What a distinct token and its count take. */
export const OCTETS_PER_TOKEN = 16;

/** A document is repetitive if so many tokens make up more than half of it. */
const FEW_TOKENS = 4;

/** The tokens of the documents that were used last. */
export interface HeldTokens {
  has(document: number): boolean;
  get(document: number): CountedPart | undefined;
  add(document: number, counted: CountedPart): void;
  /** Makes a document the one used last, if it is held. */
  touch(document: number): void;
  /** The documents that were held, of whose tokens a few make up most. */
  readonly repetitive: ReadonlySet<number>;
}

/** Makes {@link HeldTokens} of up to so many octets. */
export function createHeldTokens(maxHeld: number): HeldTokens {
  // The least recently used one comes first.
  const held = new Map<number, CountedPart>();
  // The same iterator every time: a new one would first have to step over all that were removed.
  let oldest = held.entries();
  const repetitive = new Set<number>();
  let octets = 0;

  function removeOldest(): void {
    let next = oldest.next();
    if (next.done === true) {
      oldest = held.entries();
      next = oldest.next();
    }
    const [document, { hashes }] = next.value!;
    held.delete(document);
    octets -= OCTETS_PER_TOKEN * hashes.length;
  }

  return {
    repetitive,
    has: (document) => held.has(document),
    get: (document) => held.get(document),
    add(document, counted) {
      held.set(document, counted);
      octets += OCTETS_PER_TOKEN * counted.hashes.length;
      if (counted.bits === 0 && isRepetitive(counted)) repetitive.add(document);
      while (octets > maxHeld && held.size > 0) removeOldest();
    },
    touch(document) {
      const counted = held.get(document);
      if (counted !== undefined && held.delete(document)) held.set(document, counted);
    },
  };
}

/** Whether {@link FEW_TOKENS} tokens make up more than half of a document. */
function isRepetitive({ counts }: CountedPart): boolean {
  const most = new Array<number>(FEW_TOKENS).fill(0);
  let all = 0;
  for (const count of counts) {
    all += count;
    if (count <= most[FEW_TOKENS - 1]!) continue;
    most[FEW_TOKENS - 1] = count;
    most.sort((a, b) => b - a);
  }
  return 2 * most.reduce((sum, count) => sum + count, 0) > all;
}
