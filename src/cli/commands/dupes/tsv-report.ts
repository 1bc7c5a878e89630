import { printable } from '../../../common/text.ts';
import { nameOf } from '../../../documents/document-outcome.ts';
import type { Collection } from '../../../duplicates/collect.ts';
import { type DuplicateMatch, roundOverlap } from '../../../duplicates/match.ts';
import { fingerprintAt } from '../../../duplicates/near/column.ts';
import { serialise } from '../../../index.ts';
import type { Result } from './dupes-result.ts';

export function pairAsRow(
  { documents }: Collection,
  { kept, other, distance, overlap, differs }: DuplicateMatch,
): string {
  const [a, b] = [kept, other].map((document) => cell(nameOf(documents[document]!.place)));
  return row([a!, b!, distance, overlapCell(overlap), differs.join()]);
}

export function* groupsAsRows({ collection, groups, isVerified }: Result): Generator<string> {
  const { documents, fingerprints } = collection;
  for (const [index, { kept, members }] of groups.entries()) {
    const first = { document: kept, distance: 0, overlap: isVerified ? 1 : null, differs: [] };
    for (const { document, distance, overlap, differs } of [first, ...members]) {
      const { place, size } = documents[document]!;
      const measures = [distance, overlapCell(overlap), size ?? '', serialise(fingerprintAt(fingerprints, document))];
      const date = cell(place.member?.date ?? '');
      yield row([index + 1, ...measures, date, cell(nameOf(place)), differs.join()]);
    }
  }
}

function overlapCell(overlap: number | null): number | string {
  return overlap === null ? '' : roundOverlap(overlap);
}

export function row(cells: readonly (string | number)[]): string {
  return `${cells.join('\t')}\n`;
}

export function cell(path: string): string {
  if (process.stdout.isTTY) return printable(path);
  const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };
  return path.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? '\\\\');
}
