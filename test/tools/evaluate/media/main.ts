/**
 * Measures the distances of the same document in several media: `npm run evaluate:media`. Fetches manuals that Debian
 * packages ship as text, HTML, EPUB and PDF, and writes the table of spec/rationale.md.
 *
 *     npm run evaluate:media                        all manuals, table written
 *     npm run evaluate:media -- debian-history.de   only this one, printed
 *     npm run evaluate:media -- --explain text pdf debian-history.de
 *                                                   the tokens in which two media differ most
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { distance, fingerprint } from '../../../../src/index.ts';
import { fetchPackages } from '../sources/packages.ts';
import { MANUAL_MEDIA, MANUALS, type Manual, type ManualMedium } from './manuals.ts';
import { pairPieces } from './pieces.ts';
import { textsOfMedia } from './texts.ts';
import { differences, tokensOf } from './tokens.ts';

const RATIONALE = 'spec/rationale.md';
/** Tokens of a piece: a chapter of some five to ten pages. */
const PIECE = 2000;
const PAIRS = MANUAL_MEDIA.flatMap((one, at) => MANUAL_MEDIA.slice(at + 1).map((other) => [one, other] as const));

const { values, positionals } = parseArgs({ allowPositionals: true, options: { explain: { type: 'boolean' } } });
if (values.explain)
  await explainMedia(positionals[0] as ManualMedium, positionals[1] as ManualMedium, positionals.slice(2));
else await evaluate(positionals);

/** Measures manuals, all of them when none is named; the table of all is kept. */
async function evaluate(names: readonly string[]): Promise<void> {
  const manuals = chosen(names);
  fetchPackages(manuals.map((manual) => manual.package));
  const rows: string[] = [];
  const all: Measured[] = [];
  for (const manual of manuals) {
    const tokens = await tokensOfMedia(manual);
    const measured = PAIRS.map((pair) => measure(tokens, pair, manual.flawed));
    const row = `| ${manual.name} | ${manual.language} | ${measured.map(cell).join(' | ')} |`;
    console.error(row);
    rows.push(row);
    all.push(...measured.filter((each) => each !== undefined));
  }
  const table = [
    `| manual | language | ${PAIRS.map((pair) => pair.join('–')).join(' | ')} |`,
    `|---|---|${PAIRS.map(() => '---:|').join('')}`,
    ...rows,
  ];
  const sound = all.filter((each) => !each.flawed);
  const text = [
    `All pairs. ${summary(all)}`,
    '',
    `Without the files whose own text is faulty (†). ${summary(sound)}`,
    '',
    ...table,
  ].join('\n');
  if (names.length === 0) keep(text);
  else console.log(text);
}

interface Measured {
  readonly whole: number;
  /** Distances of the pieces. */
  readonly pieces: readonly number[];
  /** One of the two is a file that is not the document. */
  readonly flawed: boolean;
}

function measure(
  tokens: ReadonlyMap<ManualMedium, string[]>,
  pair: readonly [ManualMedium, ManualMedium],
  flawed: ManualMedium | undefined,
): Measured | undefined {
  const [one, other] = pair.map((medium) => tokens.get(medium));
  if (one === undefined || other === undefined) return undefined;
  return {
    flawed: flawed !== undefined && pair.includes(flawed),
    whole: distanceOf(one, other),
    pieces: pairPieces(one, other, PIECE).map(([here, there]) => distanceOf(here, there)),
  };
}

function distanceOf(one: readonly string[], other: readonly string[]): number {
  return distance(fingerprint(one.join(' '))!, fingerprint(other.join(' '))!);
}

function cell(measured: Measured | undefined): string {
  if (measured === undefined) return '';
  const { whole, pieces, flawed } = measured;
  return `${whole}${pieces.length === 0 ? '' : ` · ${Math.max(...pieces)}`}${flawed ? ' †' : ''}`;
}

function summary(all: readonly Measured[]): string {
  const wholes = all.map((each) => each.whole);
  const pieces = all.flatMap((each) => each.pieces);
  const share = (distances: readonly number[], limit: number) =>
    `${distances.filter((each) => each <= limit).length} of ${distances.length}`;
  return (
    `Whole documents: ${share(wholes, 3)} pairs within 3 bits, the farthest ${Math.max(...wholes)} apart. ` +
    `Pieces of about ${PIECE} tokens: ${share(pieces, 6)} pairs within 6 bits, the farthest ${Math.max(...pieces)} apart.`
  );
}

/** Writes the table between its markers. */
function keep(table: string): void {
  const [begin, end] = ['<!-- begin media, by test/tools/evaluate/media/main.ts -->', '<!-- end media -->'];
  const page = readFileSync(RATIONALE, 'utf8');
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`expected the markers ${begin} and ${end} in ${RATIONALE}`);
  const stamp = `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}.`;
  writeFileSync(RATIONALE, `${page.slice(0, from + begin.length)}\n${stamp}\n\n${table}\n${page.slice(to)}`);
}

/** Prints what makes the difference between two media of manuals. */
async function explainMedia(one: ManualMedium, other: ManualMedium, names: readonly string[]): Promise<void> {
  const manuals = chosen(names);
  fetchPackages(manuals.map((manual) => manual.package));
  for (const manual of manuals) {
    const tokens = await tokensOfMedia(manual);
    const [here, there] = [tokens.get(one) ?? [], tokens.get(other) ?? []];
    console.log(`${manual.name}.${manual.language}: ${one}, ${other}`);
    printDifferences(here, there);
    const pieces = pairPieces(here, there, PIECE).map((pair) => ({ pair, apart: distanceOf(...pair) }));
    const [worst] = pieces.sort((a, b) => b.apart - a.apart);
    if (worst === undefined) continue;
    console.log(`the piece that is farthest apart begins: ${worst.pair[0].slice(0, 8).join(' ')}`);
    printDifferences(...worst.pair);
  }
}

function printDifferences(here: readonly string[], there: readonly string[]): void {
  console.log(`${here.length} and ${there.length} tokens, ${distanceOf(here, there)} bits apart`);
  for (const { token, one, other } of differences(here, there).slice(0, 30)) console.log(`${one}\t${other}\t${token}`);
}

function chosen(names: readonly string[]): readonly Manual[] {
  if (names.length === 0) return MANUALS;
  return MANUALS.filter(({ name, language }) => names.includes(name) || names.includes(`${name}.${language}`));
}

async function tokensOfMedia(manual: Manual): Promise<Map<ManualMedium, string[]>> {
  return new Map([...(await textsOfMedia(manual))].map(([medium, text]) => [medium, tokensOf(text)]));
}
