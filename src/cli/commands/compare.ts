import { compare as compareLabelled, formatLabelled, LABEL, parse, parseLabelled, toOctets } from '../../index.ts';
import {
  type Arguments,
  type Command,
  DOCUMENT_OPTIONS,
  DONE,
  FAILED,
  JSON_OPTION,
  MEDIA,
  usageError,
} from '../command.ts';
import { documentHints } from '../documents/document.ts';
import { createPool, type Pool } from '../documents/pool.ts';
import { single } from '../documents/single.ts';
import { STDIN } from '../documents/walk.ts';
import { print, printable, printJson, type Style, styleFor, warn } from '../terminal/output.ts';

/** One side of a comparison. */
interface Side {
  /** Null for a fingerprint that was given as such. */
  readonly path: string | null;
  readonly labelled: string;
}

/** `simhash-doc compare`: how near two documents or fingerprints are. */
export const compare: Command = {
  name: 'compare',
  summary: 'Tell how similar two documents are',
  usage: '[OPTION…] A B',
  details: [
    `A and B are files (one may be -, standard input) or labelled fingerprints such as ${LABEL}:GAQM5KRDOWTU4. A bare
fingerprint of 13 characters is taken as one only with --label, which names its label. A file with such a name is
written ./NAME.`,
    MEDIA,
    `The verdict is close (distance 0 or 1), loose (up to 6) or none.`,
    'With --json, one object with the keys a, b (each path or null, fingerprint), label, distance, similarity, verdict;\nor, for a document without a fingerprint, path, error: { code, message }.',
    'Exit code: 0 the verdict is close or loose, 1 it is none or a document has no fingerprint, 2 wrong usage.',
  ],
  options: [
    { name: 'label', value: 'LABEL', help: 'the label of fingerprints that are given without one' },
    ...DOCUMENT_OPTIONS,
    JSON_OPTION,
  ],

  async run(args) {
    const given = sidesOf(args);
    const pool = createPool(1, await documentHints(args));
    try {
      const sides: Side[] = [];
      for (const side of given) {
        const read = typeof side === 'string' ? await hashSide(side, pool, args.flag('json')) : side;
        if (read !== null) sides.push(read);
      }
      const [a, b] = sides;
      if (a === undefined || b === undefined) return FAILED;
      return await report(a, b, args.flag('json'));
    } finally {
      await pool.close();
    }
  },
};

/** Tells paths (as strings) from fingerprints. */
function sidesOf(args: Arguments): (string | Side)[] {
  const { positionals } = args;
  if (positionals.length !== 2) throw usageError(`expected two documents or fingerprints, got ${positionals.length}`);
  if (positionals.every((path) => path === STDIN)) throw usageError('- (standard input) can be read once only');
  const label = args.value('label');
  const sides = positionals.map(
    (given) => labelledSide(given) ?? (label === undefined ? null : bareSide(label, given)),
  );
  if (label !== undefined && !positionals.some((given, index) => sides[index] !== null && !given.includes(':')))
    throw usageError('--label: neither A nor B is a fingerprint of 13 characters without a label');
  return sides.map((side, index) => side ?? positionals[index]!);
}

/** Reads a labelled fingerprint, or answers null for anything that does not begin like one. */
function labelledSide(given: string): Side | null {
  if (!new RegExp(`^${LABEL}(?:\\+[^:/\\\\]*)?:`, 'i').test(given)) return null;
  const { label, fingerprint } = checked(() => parseLabelled(given));
  return { path: null, labelled: formatLabelled(label, fingerprint) };
}

/** Reads a fingerprint without a label, or answers null for anything else. */
function bareSide(label: string, given: string): Side | null {
  if (!isBare(given)) return null;
  return { path: null, labelled: checked(() => formatLabelled(label, parse(given))) };
}

function isBare(given: string): boolean {
  try {
    parse(given);
    return true;
  } catch {
    return false;
  }
}

/** What the scheme refuses in an argument is wrong usage. */
function checked<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof RangeError) throw usageError(error.message);
    throw error;
  }
}

/** Computes the fingerprint of a document; null where there is none, which is reported. */
async function hashSide(path: string, pool: Pool, json: boolean): Promise<Side | null> {
  const { result, warnings } = single(path, await pool.hashHere({ path, found: false }));
  for (const warning of warnings) warn(`${printable(path)}: warning: ${warning}`);
  if (!('failure' in result)) return { path, labelled: formatLabelled(LABEL, result.fingerprint) };
  const { code, message } = result.failure;
  if (json) await printJson({ path, error: { code, message } });
  else {
    warn(`${printable(path)}: ${message}${code === 'not-found' ? hintFor(path) : ''}`);
  }
  return null;
}

/** What may have been meant by a path at which there is nothing. */
function hintFor(given: string): string {
  const [, label, characters] = /^(?:([^:/\\]+):)?([A-Za-z2-7]{13}=*)$/.exec(given) ?? [];
  if (characters === undefined) return '';
  if (label !== undefined) return ` (for a fingerprint, the label would have to be ${LABEL}, not ${printable(label)})`;
  try {
    parse(characters);
    return ` (for a fingerprint, add --label ${LABEL})`;
  } catch (error) {
    return ` (nor is it a fingerprint: ${(error as Error).message})`;
  }
}

async function report(a: Side, b: Side, json: boolean): Promise<number> {
  const { label, distance, similarity, verdict } = checked(() => compareLabelled(a.labelled, b.labelled));
  if (json) {
    const side = ({ path, labelled }: Side) => ({ path, fingerprint: labelled.slice(label.length + 1) });
    await printJson({ a: side(a), b: side(b), label, distance, similarity, verdict });
  } else {
    const style = styleFor(process.stdout, process.env);
    const paint = verdict === 'none' ? style.bad : style.good;
    const lines = [
      `distance    ${distance} of 64 bits`,
      `similarity  ${similarity}`,
      `verdict     ${paint(verdict)}`,
      '',
      ...compareBits(a, b, style),
    ];
    await print(`${lines.join('\n')}\n`);
  }
  return verdict === 'none' ? FAILED : DONE;
}

/** The two fingerprints with their bits under each other, and a mark under each bit in which they differ. */
function compareBits(a: Side, b: Side, style: Style): string[] {
  const bits = [a, b].map(({ labelled }) => bitsOf(parseLabelled(labelled).fingerprint));
  const differs = Array.from(bits[0]!, (bit, index) => bit !== bits[1]![index]);
  const row = (cell: (index: number) => string): string =>
    Array.from(differs, (_, index) => (index > 0 && index % 8 === 0 ? ' ' : '') + cell(index)).join('');
  const side = (name: string, { path, labelled }: Side): string =>
    `${name}  ${labelled}${path === null ? '' : `  ${printable(path)}`}`;
  return [
    side('a', a),
    side('b', b),
    ...bits.map((text, index) => {
      const painted = row((at) => (differs[at] ? style.bad(text[at]!) : text[at]!));
      return `${'ab'[index]}  ${painted}`;
    }),
    ...(differs.includes(true) ? [`   ${style.bad(row((at) => (differs[at] ? '^' : ' ')).trimEnd())}`] : []),
  ];
}

/** The 64 bits of a fingerprint as digits, bit 0 first. */
function bitsOf(fingerprint: bigint): string {
  return Array.from(toOctets(fingerprint), (octet) => octet.toString(2).padStart(8, '0')).join('');
}
