/** Tells whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes the error for a file that does not hold what it has to. */
export function formatError(name: string, expected: string, given: unknown): Error {
  const shown = JSON.stringify(given) ?? 'nothing';
  return new Error(`${name}: expected ${expected}, got ${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}`);
}

/**
 * Reads a file of this package's own making.
 * @param text - its content
 * @param name - its name, for messages
 * @param kind - what it has to call itself
 * @throws Error when it is no JSON, of another kind, or of another format than 1
 */
export function readJsonText(text: string, name: string, kind: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: expected JSON: ${(error as Error).message}`);
  }
  if (!isRecord(value)) throw formatError(name, 'an object', value);
  if (value['kind'] !== kind) throw formatError(name, `"kind": "${kind}"`, value['kind']);
  if (value['format'] !== 1) throw formatError(name, '"format": 1, which this version reads', value['format']);
  return value;
}
