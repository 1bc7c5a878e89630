export type Parsed = { readonly value: unknown } | { readonly breach: string };

/** Levels of objects and lists in a reply: a match of a lookup is on the fourth. */
const MAX_DEPTH = 16;

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Parses JSON without the leniency of JSON.parse: no member occurs twice in an object, each number fits a double, and no
 * escape stands for a lone surrogate.
 */
export function parseStrictly(text: string, quote: (part: string) => string): Parsed {
  if (text.startsWith(BYTE_ORDER_MARK))
    return { breach: `a byte order mark (U+FEFF) before ${quote(text.slice(BYTE_ORDER_MARK.length))}` };
  if (text.endsWith('\r')) return { breach: `CR LF at the end of the line, expected LF alone: ${quote(text)}` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { breach: `expected one JSON object on a line, got ${quote(text)}${hintOf(text)}` };
  }
  const fault = findFault(text, quote);
  return fault === undefined ? { value } : { breach: `${fault}: ${quote(text)}` };
}

/** Names common mistakes of hand-written JSON. */
function hintOf(text: string): string {
  // No lookbehind: at each of many spaces, it would go back to the first one.
  const [, constant] = /[:,[]\s*(-?(?:NaN|Infinity|nan|inf)|None|True|False|undefined)(?=\s*[,\]}])/.exec(text) ?? [];
  if (constant !== undefined) return `: ${constant} is not JSON`;
  const [control] = /(?![\t\u007f-\u009f])\p{Cc}/u.exec(text) ?? [];
  if (control === undefined) return '';
  return `: U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')} has to be escaped in a string`;
}

/** An object or list that is not closed yet; a list has no names. */
interface Open {
  readonly names: Set<string> | undefined;
  /** True if a string would be the name of a member. */
  isName: boolean;
}

/** Finds faults that JSON.parse accepts, in a text that it has parsed. */
function findFault(text: string, quote: (part: string) => string): string | undefined {
  const open: Open[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text[i]!;
    const top = open.at(-1);
    if (unit === '"') {
      const end = endOfString(text, i);
      const fault = faultOfString(text.slice(i, end + 1), top, quote);
      if (fault !== undefined) return fault;
      i = end;
    } else if (unit === '{' || unit === '[') {
      if (open.length === MAX_DEPTH) return `more than ${MAX_DEPTH} levels of nesting`;
      open.push({ names: unit === '{' ? new Set() : undefined, isName: unit === '{' });
    } else if (unit === '}' || unit === ']') open.pop();
    else if (unit === ':') top!.isName = false;
    else if (unit === ',') top!.isName = top!.names !== undefined;
    else if (unit === '-' || (unit >= '0' && unit <= '9')) {
      const number = numberAt(text, i);
      if (!Number.isFinite(Number(number))) return `the number ${quote(number)}, which no double holds`;
      i += number.length - 1;
    }
  }
  return undefined;
}

function numberAt(text: string, start: number): string {
  const pattern = /[-+.\deE]+/y;
  pattern.lastIndex = start;
  return pattern.exec(text)![0];
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end;
  }
}

function faultOfString(string: string, top: Open | undefined, quote: (part: string) => string): string | undefined {
  const isPlain = !string.includes('\\');
  if (isPlain && top?.isName !== true) return undefined;
  const value = isPlain ? string.slice(1, -1) : (JSON.parse(string) as string);
  const [lone] = /[\ud800-\udfff]/u.exec(value) ?? [];
  if (lone !== undefined) return `the escape of a lone surrogate, \\u${lone.charCodeAt(0).toString(16)}`;
  if (top?.isName !== true || top.names === undefined) return undefined;
  if (top.names.has(value)) return `the member ${quote(value)} occurs twice in an object`;
  top.names.add(value);
  return undefined;
}
