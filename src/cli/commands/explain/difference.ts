import { formatNumber, pluralize } from '../../../common/text.ts';
import {
  countBits,
  distance as distanceOf,
  formatLabelled,
  hashToken,
  serialise,
  simhash,
  similarityOfDistance,
} from '../../../index.ts';
import { schemeOf } from '../../../scheme/label.ts';
import { DONE, FAILED } from '../../command.ts';
import { NO_TOKENS } from '../../documents/failure.ts';
import { sum } from '../../documents/plan.ts';
import { countWords, differencesOf } from '../../documents/words.ts';
import { columns, printable, printJson, printStyled, shorten, styleFor, warn } from '../../terminal/output.ts';

/** One of two documents, as text. */
interface Side {
  readonly path: string;
  readonly text: string;
}

/** How many tokens are shown to a person. */
const SHOWN = 40;

/**
 * `simhash-doc explain --diff`: shows what makes two documents differ.
 * @param a - one document
 * @param b - the other one
 * @param form - the label of the scheme; whether to print one object of JSON
 * @returns the exit code
 */
export async function showDifference(
  a: Side,
  b: Side,
  { label, json }: { readonly label: string; readonly json: boolean },
): Promise<number> {
  const sides = [a, b].map((side) => analyse(side, label));
  for (const side of sides) {
    if (side.fingerprint !== null) continue;
    if (json) await printJson({ path: side.path, error: NO_TOKENS });
    else warn(`${printable(side.path)}: ${NO_TOKENS.message}`);
  }
  const [left, right] = sides as [Analysis, Analysis];
  if (left.fingerprint === null || right.fingerprint === null) return FAILED;
  const distance = distanceOf(left.fingerprint, right.fingerprint);
  const bits = left.counters.flatMap((counter, bit) => {
    const other = right.counters[bit]!;
    return counter > 0 === other > 0 ? [] : [{ bit, a: counter, b: other }];
  });
  const differences = differencesOf(left.counts, right.counts);
  if (json) {
    const [first, second] = sides.map(({ path, fingerprint, tokens }) => ({
      path,
      fingerprint: serialise(fingerprint!),
      tokens,
    }));
    await printJson({ a: first, b: second, label, distance, bits, differences });
    return DONE;
  }
  const style = styleFor(process.stdout, process.env);
  const lines = [
    ...[left, right].map(({ path, fingerprint, tokens, counts }, index) => {
      const size = `${pluralize(tokens, 'token')}, ${formatNumber(counts.size)} different`;
      return `${'ab'[index]}  ${formatLabelled(label, fingerprint!)}  ${size}  ${printable(path)}`;
    }),
    `distance ${distance} of 64 bits, similarity ${similarityOfDistance(distance)}`,
    '',
    ...table(
      style.strong(`Tokens that differ: ${formatNumber(differences.length)}`),
      ['a', 'b', 'a − b', ''],
      differences
        .slice(0, SHOWN)
        .map((each) => [each.a, each.b, each.a - each.b, shorten(printable(each.token), columns() - 40)]),
    ),
    ...(differences.length > SHOWN ? ['  …'] : []),
    '',
    ...table(
      style.strong(`Bits that differ: ${bits.length}`),
      ['bit', 'counter in a', 'counter in b'],
      bits.map((each) => [each.bit, each.a, each.b]),
    ),
  ];
  await printStyled(`${lines.join('\n').trimEnd()}\n`);
  return DONE;
}

interface Analysis {
  readonly path: string;
  readonly tokens: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly counters: readonly number[];
  readonly fingerprint: bigint | null;
}

function analyse({ path, text }: Side, label: string): Analysis {
  const { bg1 } = schemeOf(label);
  const counts = countWords(text, bg1);
  const tokens = sum([...counts.values()]);
  const hashes = Array.from(counts.keys(), hashToken);
  const weights = [...counts.values()];
  return { path, tokens, counts, counters: countBits(hashes, weights), fingerprint: simhash(hashes, weights) };
}

/** A title, column names and rows, numbers to the right. */
function table(title: string, names: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  if (rows.length === 0) return [title];
  const cells = [
    names,
    ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? formatNumber(cell) : cell))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const isText = names.map((_, column) => typeof rows[0]![column] === 'string');
  return [
    title,
    ...cells.map((row) =>
      `  ${row.map((cell, column) => (isText[column] ? cell : cell.padStart(widths[column]!))).join('  ')}`.trimEnd(),
    ),
  ];
}
