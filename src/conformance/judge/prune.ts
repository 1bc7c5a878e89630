/** Characters and items that are kept beyond those that are expected. */
const MAX_MORE_CHARACTERS = 1000;
const MAX_MORE_ITEMS = 100;

/** Shortens a wrong result, so that a report is not much larger than the expected results. */
export function prune(actual: unknown, expected: unknown): unknown {
  if (typeof actual === 'string') {
    const length = (typeof expected === 'string' ? expected.length : 0) + MAX_MORE_CHARACTERS;
    return actual.length > length ? `${actual.slice(0, length)}…` : actual;
  }
  if (Array.isArray(actual)) {
    const items: readonly unknown[] = Array.isArray(expected) ? expected : [];
    return actual.slice(0, items.length + MAX_MORE_ITEMS).map((item, i) => prune(item, items[i]));
  }
  if (typeof actual !== 'object' || actual === null) return actual;
  const members = typeof expected === 'object' && expected !== null ? (expected as Record<string, unknown>) : {};
  const kept = Object.entries(actual).filter(([name], i) => i < MAX_MORE_ITEMS || Object.hasOwn(members, name));
  return Object.fromEntries(kept.map(([name, value]) => [name, prune(value, members[name])]));
}
