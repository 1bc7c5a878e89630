import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { countTokens, distance, fingerprint, LABELS, overlap } from '../../../../src/index.ts';
import type { JudgedPairs } from '../results.ts';
import { fetchRelease } from '../sources/packages.ts';
import { TRUE_OVERLAP } from './overlaps.ts';

/** Files of which each row has two records and whether people judged them the same, by what the records are. */
const FILES = {
  'papers (DBLP, ACM)': 'dblp_acm_demo_labels.csv',
  'papers, other labels': 'labeled_data_demo.csv',
  restaurants: 'end-to-end/restaurants/lbl_restnt_wf1.csv',
};
const PRINT_PAIRS = `
import csv, json, sys
for row in csv.DictReader(open(sys.argv[1], encoding="utf-8")):
    named = [(key[0], value) for key, value in row.items() if key[7:] in ("title", "authors", "name", "addr", "city")]
    texts = [" ".join(value for side, value in named if side == wanted) for wanted in "lr"]
    print(json.dumps([*texts, row.get("gold", row.get("label")) == "1"]))
`;

/** Measures what is reported of pairs of short records that people judged: by the overlap, and within 6 of 64 or 24 of 256 bits. */
export function measureJudged(): JudgedPairs[] {
  const folder = join(fetchRelease('pypi', 'py-entitymatching', '0.4.2'), 'py-entitymatching-0.4.2');
  return Object.entries(FILES).flatMap(([records, file]) => {
    const path = join(folder, 'py_entitymatching/datasets', file);
    const lines = execFileSync('python3', ['-c', PRINT_PAIRS, path], { encoding: 'utf8' }).trim().split('\n');
    const pairs = lines.map((line) => JSON.parse(line) as [a: string, b: string, isSame: boolean]);
    const sameIn = (of: typeof pairs): number => of.filter(([, , isSame]) => isSame).length;
    const count = (method: string, isReported: (a: string, b: string) => boolean): JudgedPairs => {
      const reported = pairs.filter(([a, b]) => isReported(a, b));
      const [same, found] = [sameIn(pairs), sameIn(reported)];
      return { records, pairs: pairs.length, same, method, found, false: reported.length - found };
    };
    const byOverlap = count('overlap', (a, b) => overlap(countTokens(a), countTokens(b)) >= TRUE_OVERLAP);
    const byLabel = LABELS.map((label) =>
      count(label, (a, b) => {
        const [one, other] = [fingerprint(a, { label }), fingerprint(b, { label })] as [bigint, bigint];
        return distance(one, other) <= (label === 'minhash-doc-256' ? 24 : 6);
      }),
    );
    return [byOverlap, ...byLabel];
  });
}
