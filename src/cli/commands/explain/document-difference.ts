import { sum } from '../../../common/numbers.ts';
import { formatNumber, pluralize, printable } from '../../../common/text.ts';
import { NO_TOKENS } from '../../../documents/failure.ts';
import { answerOf } from '../../../duplicates/answer.ts';
import { roundOverlap } from '../../../duplicates/match.ts';
import {
  countBits,
  distance as distanceOf,
  findWinners,
  formatLabelled,
  hashToken,
  minhash,
  normalise,
  serialise,
  simhash,
  stripLocators,
  tokenise,
} from '../../../index.ts';
import { pairUnits } from '../../../scheme/bg1.ts';
import { schemeOf } from '../../../scheme/labels/label.ts';
import { DONE, FAILED } from '../../command.ts';
import { columns, printJson, printStyled, shorten, styleFor, warn } from '../../terminal/print.ts';
import { countEach, differencesOf, nameWinners, table, tippedBits, tippedRows } from './deciding-tokens.ts';

interface Side {
  readonly path: string;
  readonly text: string;
}

const SHOWN = 40;

export async function showDifference(a: Side, b: Side, label: string, json: boolean): Promise<number> {
  const sides = [a, b].map((side) => analyse(side, label));
  for (const side of sides) {
    if (side.fingerprint !== null) continue;
    if (json) await printJson({ path: side.path, error: NO_TOKENS });
    else warn(`${printable(side.path)}: ${NO_TOKENS.message}`);
  }
  const [left, right] = sides as [Analysis, Analysis];
  if (left.fingerprint === null || right.fingerprint === null) return FAILED;
  const distance = distanceOf(left.fingerprint, right.fingerprint);
  const differences = differencesOf(left.counts, right.counts);
  const differing = sum(differences.map((each) => Math.abs(each.a - each.b)));
  // Tokens of both documents count as often as in both, and tokens of one document differ.
  const overlap = (left.tokens + right.tokens - differing) / (left.tokens + right.tokens + differing);
  const { isNear, sentence } = answerOf({ label, distance, overlap });
  const bits = compareBits(left, right);
  if (json) {
    const [first, second] = sides.map(({ fingerprint, path, tokens }) => {
      return { path, fingerprint: serialise(fingerprint!), tokens };
    });
    const found = { label, distance, overlap: roundOverlap(overlap), bits: bits.json, differences };
    await printJson({ answer: sentence, near: isNear, a: first, b: second, ...found });
    return DONE;
  }
  const style = styleFor(process.stdout, process.env);
  const lines = [
    (isNear ? style.good : style.bad)(sentence),
    '',
    ...[left, right].map(({ path, fingerprint, tokens, counts }, index) => {
      const size = `${pluralize(tokens, 'token')}, ${formatNumber(counts.size)} different`;
      return `${'ab'[index]}  ${formatLabelled(label, fingerprint!)}  ${size}  ${printable(path)}`;
    }),
    '',
    style.strong(`Tokens that differ: ${formatNumber(differences.length)}`),
    ...table(
      ['a', 'b', 'a − b', ''],
      differences
        .slice(0, SHOWN)
        .map((each) => [each.a, each.b, each.a - each.b, shorten(printable(each.token), columns() - 40)]),
    ),
    ...(differences.length > SHOWN ? ['  …'] : []),
    '',
    style.strong(`Bits that differ: ${distance}`),
    ...table(bits.names, bits.rows),
  ];
  await printStyled(`${lines.join('\n').trimEnd()}\n`);
  return DONE;
}

function compareBits(a: Analysis, b: Analysis) {
  if (a.winners !== null && b.winners !== null) {
    const has = { a: (token: string) => a.counts.has(token), b: (token: string) => b.counts.has(token) };
    const bits = tippedBits(a.winners, b.winners, has);
    return { json: bits, names: ['bit', 'won in a by', 'won in b by'], rows: tippedRows(bits) };
  }
  const bits = a.counters!.flatMap((counter, bit) => {
    const other = b.counters![bit]!;
    return counter > 0 === other > 0 ? [] : [{ bit, a: counter, b: other }];
  });
  const names = ['bit', 'counter in a', 'counter in b'];
  return { json: bits, names, rows: bits.map((each) => [each.bit, each.a, each.b]) };
}

type Analysis = ReturnType<typeof analyse>;

/** Computes the counters with the labels of simhash-doc, and the winners with the labels of minhash-doc. */
function analyse({ path, text }: Side, label: string) {
  const { bg1, method, words: size } = schemeOf(label);
  const words = tokenise(stripLocators(normalise(text)));
  const counts = countEach((bg1 ? pairUnits(words) : words).map((token) => token.text));
  const about = { path, tokens: sum([...counts.values()]), counts };
  const hashes = Array.from(counts.keys(), hashToken);
  if (method === 'minhash') {
    const winners = nameWinners(findWinners(hashes, size), hashes, [...counts.keys()]);
    return { ...about, counters: null, winners, fingerprint: minhash(hashes, size) };
  }
  const weights = [...counts.values()];
  return { ...about, counters: countBits(hashes, weights), winners: null, fingerprint: simhash(hashes, weights) };
}
