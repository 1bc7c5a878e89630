/**
 * Runs an action for each item, a limited number at a time; returns the results in their order. If one fails, it starts
 * no more and awaits the running ones.
 */
export async function mapLimited<T, R>(
  items: readonly T[],
  max: number,
  action: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await action(items[index]!, index);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
