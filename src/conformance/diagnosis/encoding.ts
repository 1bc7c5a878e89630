import { runOperation } from '../adapter/operations.ts';
import type { Adapter, Reply } from '../adapter/protocol.ts';
import { canonicalJson } from '../judge/outcome-name.ts';
import type { Operation, ResultOf } from '../types.ts';

/** A way in which texts are damaged between an adapter and its implementation. */
interface Damage {
  /** Completes "as". */
  readonly name: string;
  readonly apply: (text: string) => string;
  /** True if a classification of characters could have the same effect on tokens. */
  readonly isLossy?: true;
}

export interface RoundTrip {
  readonly operations: readonly Operation[];
  /** The damage to texts, with an example; null if they are not, or not in a known way. */
  readonly damage: string | null;
}

/** A text that the steps return as it is, of characters of one to four bytes. */
const SAMPLE = 'caf\u00e9 stra\u00dfe \u20acuro \u65e5\u672c\u8a9e \u{10400}\u{10401} na\u00efve';

const FINGERPRINT = '582647ac58d68708';

/** Operations whose results hold their texts, with an input, and the part of the result. */
const ECHOES: readonly {
  readonly operation: Operation;
  readonly input: (text: string) => unknown;
  readonly read: (result: Readonly<Record<string, unknown>>) => unknown;
  /** True if the text comes back as a whole, and not in tokens. */
  readonly isWhole: boolean;
}[] = [
  { operation: 'strip-locators', input: (text) => ({ text }), read: ({ text }) => text, isWhole: true },
  { operation: 'normalise', input: (text) => ({ text }), read: ({ text }) => text, isWhole: true },
  {
    operation: 'lookup',
    input: (id) => ({ entries: [{ id, fingerprint: FINGERPRINT }], query: FINGERPRINT, k: 3 }),
    read: ({ matches }) => (matches as ResultOf<'lookup'>['matches'])[0]?.id,
    isWhole: true,
  },
  {
    operation: 'fingerprint',
    input: (text) => ({ text }),
    read: ({ decoded, normalised, stripped }) => stripped ?? normalised ?? decoded,
    isWhole: true,
  },
  { operation: 'tokenise', input: (text) => ({ text }), read: ({ tokens }) => tokens, isWhole: false },
];

const NOT_ASCII = /[\u0080-\u{10ffff}]/gu;
const WIDE = /[\u{10000}-\u{10ffff}]/gu;

/** Replaces characters by one text for each, for each of their UTF-16 units, and for each of their bytes. */
function replacing(pattern: RegExp, by: string): readonly ((text: string) => string)[] {
  const count = (of: (character: string) => number) => (text: string) =>
    text.replace(pattern, (character) => by.repeat(of(character)));
  return [count(() => 1), count(({ length }) => length), count((character) => Buffer.byteLength(character))];
}

/** The characters of windows-1252 for the bytes 80 to 9F; TextDecoder of some versions of Node gives those of Latin-1. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f'.concat(
    '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178',
  );

const latin1 = (encoding: BufferEncoding): Damage['apply'] => {
  return (text) => Buffer.from(text, encoding).toString('latin1');
};

const DAMAGES: readonly Damage[] = [
  { name: 'UTF-8 that was encoded twice, with bytes read as Latin-1 in between', apply: latin1('utf8') },
  {
    name: 'UTF-8 that was encoded twice, with bytes read as windows-1252 in between',
    apply: (text) =>
      latin1('utf8')(text).replace(/[\u0080-\u009f]/g, (unit) => WINDOWS_1252[unit.charCodeAt(0) - 0x80]!),
  },
  { name: 'UTF-16LE that was read as Latin-1', apply: latin1('utf16le') },
  {
    name: 'UTF-16BE that was read as Latin-1',
    apply: (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1'),
  },
  {
    name: 'JSON escapes that were not decoded, or written twice',
    apply: (text) =>
      text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  },
  {
    name: 'UCS-2: of characters beyond U+FFFF, 16 bits are left',
    apply: (text) => text.replace(WIDE, (character) => String.fromCharCode(character.codePointAt(0)! & 0xffff)),
  },
  ...[
    ...replacing(NOT_ASCII, '?').map((apply) => ({ name: 'ASCII with "?" for every other character', apply })),
    ...replacing(/[\u0100-\u{10ffff}]/gu, '?').map((apply) => ({
      name: 'Latin-1 with "?" for every other character',
      apply,
    })),
    ...replacing(NOT_ASCII, '\ufffd').map((apply) => ({ name: 'ASCII with U+FFFD for every other character', apply })),
    ...['?', '\ufffd'].flatMap((by) =>
      replacing(WIDE, by).map((apply) => ({ name: 'UCS-2, which has no characters beyond U+FFFF', apply })),
    ),
    { name: 'ASCII without any other character', apply: (text: string) => text.replace(NOT_ASCII, '') },
  ].map((each): Damage => ({ ...each, isLossy: true })),
];

/** The result of an operation on the sample, and the damages that would explain it. */
interface Finding {
  readonly operation: Operation;
  readonly isWhole: boolean;
  readonly like: readonly Damage[];
  readonly shown: unknown;
}

/**
 * Sends characters that are not ASCII through an adapter, and names the encoding that damages them. It is named only if
 * every operation that returns texts damages them in this way: otherwise a step is at fault.
 */
export async function tryRoundTrip(adapter: Adapter): Promise<RoundTrip> {
  const { operations: offered } = await adapter.hello();
  const findings: Finding[] = [];
  for (const echo of ECHOES) {
    if (!offered.includes(echo.operation)) continue;
    const reply = await adapter.request(echo.operation, echo.input(SAMPLE));
    const finding = await examine(echo, reply);
    if (finding !== undefined) findings.push(finding);
  }
  const [first] = findings;
  const damage = first?.like.find(
    (each) =>
      findings.every(({ like }) => like.includes(each)) && (!each.isLossy || findings.some(({ isWhole }) => isWhole)),
  );
  const operations = findings.map(({ operation }) => operation);
  if (first === undefined || damage === undefined) return { operations, damage: null };
  const example = `${first.operation} of ${JSON.stringify(SAMPLE)} returns ${JSON.stringify(first.shown)}`;
  const advice = 'Look at how it reads requests and writes replies.';
  return { operations, damage: `The adapter damages texts, as ${damage.name}: ${example}. ${advice}` };
}

/** Compares the result of an operation with the sample, damaged in each way before the operation or after it. */
async function examine(echo: (typeof ECHOES)[number], reply: Reply): Promise<Finding | undefined> {
  if (reply.kind !== 'ok') return undefined;
  const { operation, isWhole, read } = echo;
  const shown = readSafely(read, reply.result);
  if (shown === undefined) return undefined;
  const returned = canonicalJson(shown);
  const right = await rightResult(echo, SAMPLE);
  const like: Damage[] = [];
  for (const damage of DAMAGES) {
    const after = JSON.parse(JSON.stringify(right), (_, value) =>
      typeof value === 'string' ? damage.apply(value) : value,
    );
    const before = damage.isLossy ? undefined : await rightResult(echo, damage.apply(SAMPLE));
    if ([after, before].some((each) => each !== undefined && canonicalJson(each) === returned)) like.push(damage);
  }
  return { operation, isWhole, like, shown };
}

async function rightResult({ operation, input, read }: (typeof ECHOES)[number], text: string): Promise<unknown> {
  const outcome = await runOperation(operation, input(text));
  return 'result' in outcome ? readSafely(read, outcome.result as Readonly<Record<string, unknown>>) : undefined;
}

function readSafely(
  read: (result: Readonly<Record<string, unknown>>) => unknown,
  result: Readonly<Record<string, unknown>>,
): unknown {
  try {
    return read(result);
  } catch {
    return undefined;
  }
}
