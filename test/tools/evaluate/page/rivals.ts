import { type RivalMeasurement, readPart } from '../results.ts';
import { count, number, percent, table } from './format.ts';
import { curveOf, reported } from './scheme.ts';

/** The thresholds that are shown for a unit: that of the library's own examples, or its default. */
const USUAL: Readonly<Record<string, readonly number[]>> = {
  'estimated Jaccard similarity': [0.8],
  bits: [3, 6],
  'bits of 256': [25],
  'TLSH distance': [30, 70],
  'ssdeep score': [80],
};

/** A short form of a threshold. */
function thresholdOf(unit: string, at: number): string {
  if (unit === 'bits') return `k = ${at}`;
  if (unit === 'bits of 256') return `${at} of 256`;
  if (unit === 'TLSH distance') return `≤ ${at}`;
  return `≥ ${number(at)}`;
}

/** The methods that could be measured in a collection, and the labels that are shown for it. */
export function measuredIn(name: string): RivalMeasurement[] {
  return readPart('rivals').filter(
    ({ collection, method, missing }) =>
      collection === name &&
      missing === undefined &&
      (method !== 'simhash-doc+bg1' || curveOf(name, method) !== undefined),
  );
}

export function rivalsTable(): string {
  const collections = [...new Set(readPart('rivals').map(({ collection }) => collection))];
  return collections
    .map((collection) => {
      const ofCollection = measuredIn(collection);
      const { documents, truePairs } = ofCollection[0]!;
      const rows = ofCollection.flatMap(rowsOf);
      const head = ['method', 'octets', 'documents/s', 'threshold', 'found', 'false', 'found at 1 % false'];
      return `\`${collection}\`, ${count(documents)} documents, ${count(truePairs)} true pairs:\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

function rowsOf({
  method,
  unit,
  bytes,
  documentsPerSecond,
  within,
  best,
  truePairs,
  search,
}: RivalMeasurement): string[][] {
  const about = [method, number(bytes!), number(documentsPerSecond!)];
  const bestCell = best ? `${percent(best.recall)} (${thresholdOf(unit!, best.at)})` : 'none';
  const rows = USUAL[unit!]!.flatMap((at, i) => {
    const counts = within!.find((each) => each.at === at)!;
    const cells = [thresholdOf(unit!, at), percent(counts.true, truePairs), percent(counts.false, reported(counts))];
    return [[...(i === 0 ? about : ['', '', '']), ...cells, i === 0 ? bestCell : '']];
  });
  if (search !== undefined)
    rows.push([
      '',
      '',
      '',
      'its LSH index',
      percent(search.true, truePairs),
      percent(search.false, reported(search)),
      '',
    ]);
  return rows;
}

/** The versions, and what could not be installed. */
export function rivalVersions(): string {
  const measurements = readPart('rivals');
  const versions = [...new Set(measurements.flatMap((each) => each.package ?? []))].filter(
    (name) => name !== 'simhash-doc',
  );
  const missing = new Map(
    measurements.flatMap((each) => (each.missing === undefined ? [] : [[each.method, each.missing]])),
  );
  const reasons = [...missing].map(([method, reason]) => `\`${method}\` could not be installed (${reason}).`);
  return [`Packages of PyPI: ${versions.join(', ')}.`, ...reasons].join(' ');
}
