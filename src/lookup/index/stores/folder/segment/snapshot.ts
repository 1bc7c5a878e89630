import type { OnFault } from './damage.ts';
import type { KeyValue } from './records.ts';
import type { Segment } from './segment.ts';

/**
 * Lists records in the order of their keys, the newest of each key, without those that are gone.
 * @param segments - the oldest first
 * @param newest - records in the order of their keys that are newer than all segments
 * @param start - the first key
 * @param onFault - if it is given, blocks that are damaged are left out
 */
export function* mergeSnapshots(
  segments: readonly Segment[],
  newest: readonly KeyValue[],
  start: string,
  onFault?: OnFault,
): Generator<KeyValue & { readonly value: Uint8Array }, void> {
  const inputs = [...segments.map(({ reader }) => reader.from(start, onFault)), newest[Symbol.iterator]()];
  const next = (i: number): KeyValue | undefined => {
    for (;;) {
      const { done, value } = inputs[i]!.next();
      if (done === true) return undefined;
      if (value.key >= start) return value;
    }
  };
  const heads = inputs.map((_, i) => next(i));
  for (;;) {
    let best = -1;
    for (let i = heads.length - 1; i >= 0; i--)
      if (heads[i] !== undefined && (best < 0 || heads[i]!.key < heads[best]!.key)) best = i;
    if (best < 0) return;
    const { key, value } = heads[best]!;
    for (let i = 0; i <= best; i++) if (heads[i]?.key === key) heads[i] = next(i);
    if (value !== null) yield { key, value };
  }
}
