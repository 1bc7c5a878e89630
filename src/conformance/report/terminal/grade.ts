import { pluralize } from '../../../common/text.ts';
import type { Grade } from '../../judge/grade.ts';
import type { Paint } from '../text.ts';

/** Columns of the longest bar. */
const MAX_BAR = 40;

export function gradeSection(grade: Grade | null, isHistogram: boolean, paint: Paint): string[] {
  if (grade === null) return [];
  const { documents, bothNone, missing, extra, distances, mean, largest, shares } = grade;
  if ((largest === null || largest === 0) && missing + extra === 0) return [];
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const lines = [
    `${paint.strong('Grade')} ${paint.faint('distance of fingerprints from the reference, over the documents of the vectors')}`,
    `  ${pluralize(documents, 'document')}: ${bothNone} without a fingerprint, as expected; ${pluralize(missing, 'fingerprint')} missing, ${extra} unexpected`,
  ];
  if (shares !== null && mean !== null)
    lines.push(
      `  mean ${mean.toFixed(2)}, largest ${largest}; equal ${percent(shares[0])}, within 1 ${percent(shares[1])}, within 3 ${percent(shares[3])}, within 6 ${percent(shares[6])}`,
    );
  return isHistogram ? [...lines, ...histogram(distances)] : lines;
}

function histogram(distances: Grade['distances']): string[] {
  const rows = Object.entries(distances).map(([distance, count]): [number, number] => [Number(distance), count]);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return rows
    .sort(([x], [y]) => x - y)
    .map(([distance, count]) => {
      const bar = '█'.repeat(Math.max(1, Math.round((MAX_BAR * count) / most)));
      return `  ${String(distance).padStart(4)}  ${bar} ${count}`;
    });
}
