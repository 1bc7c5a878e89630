/** The maximum number of bytes that begun work may hold at a time, apart from one item. */
const MAX_HELD = 64 << 20;

/** Works on items and yields the results in order. At most `window` items and {@link MAX_HELD} bytes wait. `work` must not reject. */
export async function* inOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => R | Promise<R>,
  window: number,
  heldBy: (item: T) => number = () => 0,
): AsyncGenerator<R> {
  const begun: { readonly result: R | Promise<R>; readonly held: number }[] = [];
  let total = 0;
  const next = (): R | Promise<R> => {
    const { result, held } = begun.shift()!;
    total -= held;
    return result;
  };
  const isDone = (): boolean => begun.length > 0 && !(begun[0]!.result instanceof Promise);
  for await (const item of items) {
    const held = heldBy(item);
    total += held;
    begun.push({ result: work(item), held });
    while (begun.length >= window || (total > MAX_HELD && begun.length > 0) || isDone()) yield await next();
  }
  while (begun.length > 0) yield await next();
}

/** Lets timers and streams run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
