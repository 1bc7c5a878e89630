import { escapeUnits } from '../../common/text.ts';
import { runOperation } from '../adapter/operations.ts';
import type { Adapter, Reply } from '../adapter/protocol.ts';
import { canonicalJson } from '../judge/outcome-name.ts';
import type { Operation, ResultOf } from '../vector.ts';

/** A way in which texts are damaged between an adapter and its implementation; its name completes "as". */
type Damage = readonly [name: string, apply: (text: string) => string];

/** A text that the steps return as it is, of characters of one to four bytes. */
const SAMPLE = 'caf\u00e9 stra\u00dfe \u20acuro \u65e5\u672c\u8a9e \u{10400}\u{10401} na\u00efve';
const FINGERPRINT = '582647ac58d68708';

/** An operation whose result holds its text: the input for a text, and the part of the result. */
interface Echo {
  readonly operation: Operation;
  readonly inputOf: (text: string) => unknown;
  readonly read: (result: Readonly<Record<string, unknown>>) => unknown;
}

const inputOf = (text: string): unknown => ({ text });

const ECHOES: readonly Echo[] = [
  { operation: 'strip-locators', inputOf, read: ({ text }) => text },
  { operation: 'normalise', inputOf, read: ({ text }) => text },
  {
    operation: 'lookup',
    inputOf: (id) => ({ entries: [{ id, fingerprint: FINGERPRINT }], query: FINGERPRINT, k: 3 }),
    read: ({ matches }) => (matches as ResultOf<'lookup'>['matches'])[0]?.id,
  },
  { operation: 'fingerprint', inputOf, read: ({ decoded, normalised, stripped }) => stripped ?? normalised ?? decoded },
  { operation: 'tokenise', inputOf, read: ({ tokens }) => tokens },
];

const NOT_ASCII = /[\u0080-\u{10ffff}]/gu;
const WIDE = /[\u{10000}-\u{10ffff}]/gu;

/** Replaces characters by one text for each, for each of their UTF-16 units, and for each of their bytes. */
function replacing(name: string, pattern: RegExp, by: string): Damage[] {
  const counts: ((character: string) => number)[] = [
    () => 1,
    ({ length }) => length,
    (each) => Buffer.byteLength(each),
  ];
  return counts.map((count) => [name, (text) => text.replace(pattern, (character) => by.repeat(count(character)))]);
}

/** The characters of windows-1252 for the bytes 80 to 9F; TextDecoder of some versions of Node gives Latin-1. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f'.concat(
    '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178',
  );

const latin1 = (text: string, encoding: BufferEncoding): string => Buffer.from(text, encoding).toString('latin1');

const LOSSLESS: readonly Damage[] = [
  ['UTF-8 that was encoded twice, with bytes read as Latin-1 in between', (text) => latin1(text, 'utf8')],
  [
    'UTF-8 that was encoded twice, with bytes read as windows-1252 in between',
    (text) => latin1(text, 'utf8').replace(/[\u0080-\u009f]/g, (unit) => WINDOWS_1252[unit.charCodeAt(0) - 0x80]!),
  ],
  ['UTF-16LE that was read as Latin-1', (text) => latin1(text, 'utf16le')],
  ['UTF-16BE that was read as Latin-1', (text) => Buffer.from(text, 'utf16le').swap16().toString('latin1')],
  ['JSON escapes that were not decoded, or written twice', (text) => escapeUnits(text, /[\u0080-\uffff]/g)],
  [
    'UCS-2: of characters beyond U+FFFF, 16 bits are left',
    (text) => text.replace(WIDE, (character) => String.fromCharCode(character.codePointAt(0)! & 0xffff)),
  ],
];

/** Damage that has the same effect on tokens as a wrong classification of characters may have. */
const LOSSY: readonly Damage[] = [
  ...replacing('ASCII with "?" for every other character', NOT_ASCII, '?'),
  ...replacing('Latin-1 with "?" for every other character', /[\u0100-\u{10ffff}]/gu, '?'),
  ...replacing('ASCII with U+FFFD for every other character', NOT_ASCII, '\ufffd'),
  ...['?', '\ufffd'].flatMap((by) => replacing('UCS-2, which has no characters beyond U+FFFF', WIDE, by)),
  ['ASCII without any other character', (text) => text.replace(NOT_ASCII, '')],
];

/** Names the encoding that damages texts; null for undamaged texts, and for damage that is not the same in every operation. */
export async function tryRoundTrip(adapter: Adapter): Promise<string | null> {
  const { operations: offered } = await adapter.hello();
  const findings: NonNullable<Awaited<ReturnType<typeof examine>>>[] = [];
  for (const echo of ECHOES) {
    if (!offered.includes(echo.operation)) continue;
    const finding = await examine(echo, await adapter.request(echo.operation, echo.inputOf(SAMPLE)));
    if (finding !== undefined) findings.push(finding);
  }
  const [first] = findings;
  const damage = first?.like.find(
    (each) =>
      findings.every(({ like }) => like.includes(each)) &&
      // Tokens do not show what was lost between them.
      (LOSSLESS.includes(each) || findings.some(({ operation }) => operation !== 'tokenise')),
  );
  if (first === undefined || damage === undefined) return null;
  const example = `${first.operation} of ${JSON.stringify(SAMPLE)} returns ${JSON.stringify(first.shown)}`;
  const advice = 'Look at how it reads requests and writes replies.';
  return `The adapter damages texts, as ${damage[0]}: ${example}. ${advice}`;
}

async function examine(echo: Echo, reply: Reply) {
  if (reply.kind !== 'ok') return undefined;
  const shown = readSafely(echo.read, reply.result);
  if (shown === undefined) return undefined;
  const returned = canonicalJson(shown);
  const right = await rightResult(echo, SAMPLE);
  const like: Damage[] = [];
  for (const damage of [...LOSSLESS, ...LOSSY]) {
    const [, apply] = damage;
    const after = JSON.parse(JSON.stringify(right), (_, value) => (typeof value === 'string' ? apply(value) : value));
    const before = LOSSY.includes(damage) ? undefined : await rightResult(echo, apply(SAMPLE));
    if ([after, before].some((each) => each !== undefined && canonicalJson(each) === returned)) like.push(damage);
  }
  return { operation: echo.operation, like, shown };
}

async function rightResult(echo: Echo, text: string): Promise<unknown> {
  const outcome = await runOperation(echo.operation, echo.inputOf(text));
  return 'result' in outcome ? readSafely(echo.read, outcome.result as Readonly<Record<string, unknown>>) : undefined;
}

function readSafely(read: Echo['read'], result: Readonly<Record<string, unknown>>): unknown {
  try {
    return read(result);
  } catch {
    return undefined;
  }
}
