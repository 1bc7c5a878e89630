/** The maximum number of trials for one input. */
const MAX_TRIALS = 400;

interface Divisible {
  readonly parts: readonly unknown[];
  make(parts: readonly unknown[]): unknown;
}

function divide(input: unknown): Divisible | undefined {
  const record = input as Readonly<Record<string, unknown>>;
  for (const key of ['hashes', 'entries'])
    if (Array.isArray(record[key])) return { parts: record[key], make: (parts) => ({ ...record, [key]: parts }) };
  for (const key of ['text', 'serialised', 'labelled'])
    if (typeof record[key] === 'string')
      return { parts: Array.from(record[key]), make: (parts) => ({ ...record, [key]: parts.join('') }) };
  if (typeof record['utf8'] === 'string')
    return { parts: record['utf8'].match(/../g) ?? [], make: (parts) => ({ ...record, utf8: parts.join('') }) };
  if (typeof record['utf16'] === 'string')
    return { parts: record['utf16'].match(/..../g) ?? [], make: (parts) => ({ ...record, utf16: parts.join('') }) };
  // The label of a document is not divided, since the adapter offers it.
  if (typeof record['label'] === 'string' && Object.keys(record).length === 1)
    return { parts: Array.from(record['label']), make: (parts) => ({ label: parts.join('') }) };
  return undefined;
}

/** Removes parts of an input, half of it first and single parts last, as long as a property holds. */
export async function shrink(input: unknown, holds: (input: unknown) => Promise<boolean>): Promise<unknown> {
  const divisible = divide(input);
  if (divisible === undefined) return input;
  let { parts } = divisible;
  let trials = 0;
  for (let size = parts.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at < parts.length && trials < MAX_TRIALS; ) {
      const fewer = [...parts.slice(0, at), ...parts.slice(at + size)];
      trials++;
      if (await holds(divisible.make(fewer))) parts = fewer;
      else at += size;
    }
  }
  return divisible.make(parts);
}
