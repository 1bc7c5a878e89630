import { createHash } from 'node:crypto';

const WIDTH = 120;

function escapeNonAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The canonical form of a JSON value: keys sorted, no spaces, everything outside U+0020 to U+007E escaped. It is what
 * Python's `json.dumps(value, sort_keys=True, separators=(',', ':'))` gives.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1));
    return `{${entries.map(([key, each]) => `${canonicalJson(key)}:${canonicalJson(each)}`).join(',')}}`;
  }
  return escapeNonAscii(JSON.stringify(value));
}

/** The digest of a vector in the manifest. It does not cover `agrees`, which later runs add. */
export function digestOf(vector: { readonly agrees?: unknown }): string {
  const { agrees: _, ...fixed } = vector;
  return createHash('sha256').update(canonicalJson(fixed)).digest('hex');
}

/** Writes a value on one line, with spaces. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => `${inline(key)}: ${inline(each)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return escapeNonAscii(JSON.stringify(value));
}

/**
 * Writes a value as ASCII: on one line if it fits, otherwise each part on lines of its own; lists of numbers and of
 * strings fill their lines.
 * @param value - any JSON value
 * @param indent - how far the line that it begins on is indented
 * @param before - the number of characters before it on that line
 * @param open - how many levels are opened even where they would fit on one line
 */
export function formatJson(value: unknown, indent = '', before = 0, open = 0): string {
  const line = inline(value);
  if (typeof value !== 'object' || value === null) return line;
  const empty = Object.keys(value).length === 0;
  if (empty || (open <= 0 && before + line.length < WIDTH)) return line;
  const inner = `${indent}  `;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).map(([key, each]) => {
      const name = `${inline(key)}: `;
      return `${inner}${name}${formatJson(each, inner, inner.length + name.length, open - 1)}`;
    });
    return `{\n${entries.join(',\n')}\n${indent}}`;
  }
  if (value.some((each) => typeof each === 'object')) {
    const items = value.map((each) => inner + formatJson(each, inner, inner.length, open - 1));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const lines: string[] = [];
  let current = inner;
  for (const [i, each] of value.entries()) {
    const item = inline(each) + (i < value.length - 1 ? ',' : '');
    if (current !== inner && current.length + 1 + item.length > WIDTH) {
      lines.push(current);
      current = inner;
    }
    current += (current === inner ? '' : ' ') + item;
  }
  return `[\n${[...lines, current].join('\n')}\n${indent}]`;
}
