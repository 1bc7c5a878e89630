import { formatBytes, formatNumber, pluralize } from '../../../common/text.ts';
import { distance as distanceOf, serialise, similarityOfDistance } from '../../../index.ts';
import { nameOf, placeAsJson } from '../../documents/outcome.ts';
import { printable, type Style, styleFor } from '../../terminal/output.ts';
import type { Collection } from './collect.ts';
import { searchClusters, searchPairs } from './search.ts';

/** How results are printed. */
export type Form = 'text' | 'tsv' | 'json';

/**
 * Writes the pairs.
 * @param collection - the documents
 * @param k - the largest distance
 * @param form - how
 */
export async function* pairLines(
  { documents, fingerprints }: Collection,
  k: number,
  form: Form,
): AsyncGenerator<string> {
  for await (const pair of searchPairs(fingerprints, k)) {
    const { distance } = pair;
    const [a, b] = [nameOf(documents[pair.a]!.place), nameOf(documents[pair.b]!.place)];
    const similarity = similarityOfDistance(distance);
    if (form === 'json') yield `${JSON.stringify({ a, b, distance, similarity })}\n`;
    else if (form === 'tsv') yield row([cell(a), cell(b), distance, similarity]);
    else {
      const measures = `${pluralize(distance, 'bit').padEnd(6)}  ${String(similarity).padEnd(8)}`;
      yield `${measures}  ${printable(a)}  ${printable(b)}\n`;
    }
  }
}

/** A group of documents. */
interface Group {
  /** The one that represents it first. */
  readonly members: readonly { readonly document: number; readonly distance: number }[];
  /** The size of all but the first in octets, or null if a size is not known. */
  readonly reclaimable: number | null;
}

/** Finds the groups: those with the most to reclaim first, then the larger ones, then in the order of the input. */
async function findGroups(collection: Collection, k: number): Promise<Group[]> {
  const { fingerprints } = collection;
  const clusters = await searchClusters(fingerprints, k);
  return clusters
    .map(({ representative, members }): Group => {
      const others = members
        .filter((document) => document !== representative)
        .map((document) => ({ document, distance: distanceOf(fingerprints[document]!, fingerprints[representative]!) }))
        .sort((a, b) => a.distance - b.distance || a.document - b.document);
      return {
        members: [{ document: representative, distance: 0 }, ...others],
        reclaimable: total(others.map(({ document }) => reclaimableOf(collection, document))),
      };
    })
    .sort((a, b) => (b.reclaimable ?? 0) - (a.reclaimable ?? 0) || b.members.length - a.members.length);
}

/** What removing a document frees: one in an archive cannot be removed by itself. */
function reclaimableOf({ documents }: Collection, document: number): number | null {
  const { place, size } = documents[document]!;
  return place.member === undefined ? size : 0;
}

/** Adds sizes up; null if one is not known. */
function total(sizes: readonly (number | null)[]): number | null {
  return sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0);
}

/**
 * Writes the groups.
 * @param collection - the documents
 * @param k - the largest distance of a pair
 * @param form - how
 */
export async function* groupLines(collection: Collection, k: number, form: Form): AsyncGenerator<string> {
  const groups = await findGroups(collection, k);
  const style = styleFor(process.stdout, process.env);
  for (const [index, group] of groups.entries())
    if (form === 'json') yield groupAsJson(collection, group);
    else if (form === 'tsv') yield groupAsRows(collection, group, index + 1);
    else yield groupAsText(collection, group, style);
  if (form !== 'text' || groups.length === 0) return;
  const inGroups = groups.reduce((sum, { members }) => sum + members.length, 0);
  const all = pluralize(collection.documents.length, 'document');
  const reclaimable = canBeReclaimed(total(groups.map((group) => group.reclaimable)));
  yield `${pluralize(groups.length, 'group')} of ${formatNumber(inGroups)} among ${all}${reclaimable}\n`;
}

function groupAsJson({ label, documents, fingerprints }: Collection, { members, reclaimable }: Group): string {
  const list = members.map(({ document, distance }) => {
    const { place, size } = documents[document]!;
    return { ...placeAsJson(place), fingerprint: serialise(fingerprints[document]!), distance, size };
  });
  return `${JSON.stringify({ label, documents: list, reclaimable })}\n`;
}

function groupAsRows({ documents, fingerprints }: Collection, { members }: Group, number: number): string {
  const rows = members.map(({ document, distance }) => {
    const { place, size } = documents[document]!;
    return row([number, distance, size ?? '', serialise(fingerprints[document]!), cell(nameOf(place))]);
  });
  return rows.join('');
}

function groupAsText({ documents }: Collection, { members, reclaimable }: Group, style: Style): string {
  const sizes = members.map(({ document }) => {
    const { size } = documents[document]!;
    return size === null ? '' : formatBytes(size);
  });
  const width = Math.max(...sizes.map((size) => size.length));
  const lines = members.map(({ document, distance }, index) => {
    const mark = (index === 0 ? '' : String(distance)).padStart(4);
    const size = width === 0 ? '' : `${sizes[index]!.padStart(width)}  `;
    return `${mark}  ${size}${printable(nameOf(documents[document]!.place))}\n`;
  });
  const title = style.strong(`${pluralize(members.length, 'document')}${canBeReclaimed(reclaimable)}`);
  return `${title}\n${lines.join('')}\n`;
}

function canBeReclaimed(size: number | null): string {
  return size === null ? '' : `, ${formatBytes(size)} can be reclaimed`;
}

function row(cells: readonly (string | number)[]): string {
  return `${cells.join('\t')}\n`;
}

/** A path as a cell of tab-separated values. */
function cell(path: string): string {
  if (process.stdout.isTTY) return printable(path);
  const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };
  return path.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? '\\\\');
}
