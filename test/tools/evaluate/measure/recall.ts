import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CONTAINED_DISTANCE, MIN_SHARE } from '../../../../src/duplicates/contained.ts';
import { DEFAULT_OVERLAP, DOCUMENT_LABEL } from '../../../../src/duplicates/index.ts';
import { countTokens, distance, fingerprint, overlap } from '../../../../src/index.ts';
import { MAIN } from '../../bench/measure.ts';
import { filesBelow } from '../sources/files.ts';

/** Prints the share of the pairs of a folder of plain texts, and of its contained ones, that `dupes` finds of those of brute force. */
export function printRecall(path: string): void {
  const documents = filesBelow(path).flatMap((id) => {
    const text = readFileSync(id, 'utf8');
    const [tokens, own] = [countTokens(text, { label: DOCUMENT_LABEL }), fingerprint(text, { label: DOCUMENT_LABEL })];
    if (own === null) return [];
    return [{ id, tokens, fingerprint: own, total: tokens.counts.reduce((sum, count) => sum + Number(count), 0) }];
  });
  type Counted = (typeof documents)[number];
  if (documents.length === 0) throw new Error(`${path}: no texts with letters`);
  // Only the first of several documents with the same words is paired with others.
  const keyOf = ({ tokens: { hashes, counts } }: Counted): string => `${hashes.join()} ${counts.join()}`;
  const firsts = [...new Map(documents.toReversed().map((each) => [keyOf(each), each])).values()].reverse();
  for (const least of [0.5, 0.6, 0.7, DEFAULT_OVERLAP]) {
    const wanted = new Set<string>();
    for (const [i, a] of firsts.entries())
      for (const b of firsts.slice(0, i)) {
        const [fewer, more] = a.total < b.total ? [a.total, b.total] : [b.total, a.total];
        if (fewer >= least * more && overlap(a.tokens, b.tokens) >= least) wanted.add([a.id, b.id].sort().join('\0'));
      }
    const found = dupes(path, '--pairs', '--min-overlap', String(least)).map(({ a, b }) => [a, b].sort().join('\0'));
    print(`pairs of ${least} or more`, found, wanted);
  }
  const lines = dupes(path);
  const members = new Set(lines.flatMap((line) => (line.documents ?? []).slice(1).map((each) => each.path)));
  const open = documents.filter(({ id }) => !members.has(id));
  const isContained = (own: Counted, other: Counted): boolean => {
    if (other.total <= own.total || distance(own.fingerprint, other.fingerprint) > CONTAINED_DISTANCE) return false;
    const common = overlap(own.tokens, other.tokens);
    return common < DEFAULT_OVERLAP && (common * (own.total + other.total)) / (1 + common) >= MIN_SHARE * own.total;
  };
  const wanted = open.filter((own) => open.some((other) => isContained(own, other))).map(({ id }) => id);
  const found = lines.flatMap(({ contained }) => contained ?? []);
  print('contained documents', found, new Set(wanted));
}

function print(name: string, found: readonly string[], wanted: ReadonlySet<string>): void {
  console.log(`${name}: ${found.filter((each) => wanted.has(each)).length} of ${wanted.size}`);
}

type Line = { a: string; b: string; documents?: { path: string }[]; contained?: string };

function dupes(path: string, ...args: readonly string[]): Line[] {
  const output = execFileSync(process.execPath, [MAIN, 'dupes', '-q', '--json', ...args, path], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
