import type { KeyValue } from './bytes.ts';

/**
 * Lists records in the order of their keys from `start` on, the newest of each key (the oldest source comes first),
 * without removed ones.
 */
export function* mergeSnapshots(
  sources: readonly Iterable<KeyValue>[],
  start: string,
): Generator<KeyValue & { readonly value: Uint8Array }, void> {
  const inputs = sources.map((source) => source[Symbol.iterator]());
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
