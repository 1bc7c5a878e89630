import { availableParallelism } from 'node:os';
import { formatNumber, pluralize } from '../../common/text.ts';
import { distance as distanceOf, serialise, similarityOfDistance } from '../../index.ts';
import { findAll } from '../../lookup/find-all.ts';
import { findClusters } from '../../lookup/find-clusters.ts';
import {
  ARCHIVES,
  type Arguments,
  type Command,
  DOCUMENT_OPTIONS,
  DONE,
  FAILED,
  JSON_OPTION,
  MEDIA,
  usageError,
} from '../command.ts';
import { type Collection, collect } from '../documents/collect.ts';
import { documentHints, placeAsJson } from '../documents/document.ts';
import { STDIN } from '../documents/walk.ts';
import { print, printable, styleFor, warn } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';

/** The most workers that can be asked for. */
const MOST_JOBS = 256;

/** `simhash-doc dupes`: groups of near-duplicates among documents, or among fingerprints. */
export const dupes: Command = {
  name: 'dupes',
  summary: 'Find groups of documents that are nearly the same',
  usage: '[OPTION…] [PATH…|-]',
  details: [
    `PATH is a file or a folder, as for hash. A file that is named, and standard input (- or no PATH at all), may also be
JSON Lines of fingerprints with the keys path, label, fingerprint, as hash --json writes them.`,
    `${MEDIA}
${ARCHIVES}`,
    `Two documents make a pair when their fingerprints differ in at most K bits. A group is what pairs link. The document
that is nearest to all of its group comes first; the others follow with their distance to it. What can be reclaimed is
their size; files named twice and links count once, and what is in an archive counts nothing. Of documents with equal
fingerprints, --pairs pairs each with the first, and the first with all others.`,
    `--tsv gives group, distance, size, fingerprint, path; with --pairs a, b, distance, similarity. In paths, a tab, line
feed, carriage return and backslash are written \\t, \\n, \\r and \\\\.`,
    `With --json, an object for each group with the keys label, documents (each with path, fingerprint, distance, size, and
member, recordId and date as hash --json has them), reclaimable; with --pairs, for each pair with a, b, distance,
similarity. Sizes are in octets, null where unknown.`,
    'Exit code: 0 something was found, 1 nothing was found or some documents have no fingerprint, 2 wrong usage.',
  ],
  options: [
    { name: 'distance', short: 'k', value: 'K', help: 'the most bits in which two may differ, 0 to 7 (default: 3)' },
    { name: 'pairs', help: 'print pairs instead of groups' },
    { name: 'tsv', help: 'print tab-separated values' },
    JSON_OPTION,
    ...DOCUMENT_OPTIONS,
    { name: 'jobs', short: 'j', value: 'N', help: 'work on N documents at a time (default: one per processor core)' },
    { name: 'quiet', short: 'q', help: 'show no progress' },
  ],

  async run(args) {
    const hints = await documentHints(args);
    const k = readNumber(args, 'distance', 0, 7) ?? 3;
    const jobs = readNumber(args, 'jobs', 1, MOST_JOBS) ?? availableParallelism();
    if (args.flag('tsv') && args.flag('json')) throw usageError('expected --tsv or --json, got both');
    const form: Form = args.flag('tsv') ? 'tsv' : args.flag('json') ? 'json' : 'text';
    const roots = args.positionals.length === 0 ? [STDIN] : args.positionals;
    if (roots.filter((root) => root === STDIN).length > 1) throw usageError('- (standard input) can be read once only');

    const collection = await collect(roots, hints, jobs, createProgress(process.stderr, args.flag('quiet')));
    const { documents, failures } = collection;
    const found = await printAll(args.flag('pairs') ? pairLines(collection, k, form) : groupLines(collection, k, form));
    const all = documents.length + failures;
    if (all === 0) warn(`no documents found in ${roots.map(printable).join(', ')}`);
    else if (!found && documents.length === 1) warn('only one document: there is none to compare it with');
    else if (!found && documents.length > 0) warn(`no two of ${pluralize(documents.length, 'document')} are alike`);
    if (failures > 1) warn(`${formatNumber(failures)} of ${pluralize(all, 'document')} failed`);
    return found && failures === 0 ? DONE : FAILED;
  },
};

/** Reads the value of an option that is a number. */
function readNumber(args: Arguments, name: string, least: number, most: number): number | undefined {
  const value = args.value(name);
  if (value === undefined) return undefined;
  const number = /^[0-9]{1,6}$/.test(value) ? Number(value) : -1;
  if (number < least || number > most)
    throw usageError(`--${name}: expected a whole number from ${least} to ${most}, got ${JSON.stringify(value)}`);
  return number;
}

// ----------------------------------------------------------------------------------------------------------- output

type Form = 'text' | 'tsv' | 'json';

/** How much is collected before it is written. */
const AT_ONCE = 1 << 16;

/** Prints texts; tells whether there were any. */
async function printAll(texts: Iterable<string>): Promise<boolean> {
  let some = false;
  let waiting = '';
  for (const text of texts) {
    some = true;
    waiting += text;
    if (waiting.length < AT_ONCE) continue;
    await print(waiting);
    waiting = '';
  }
  if (waiting !== '') await print(waiting);
  return some;
}

function* pairLines({ documents, fingerprints }: Collection, k: number, form: Form): Generator<string> {
  for (const pair of findAll(fingerprints, { k })) {
    const { distance } = pair;
    const [a, b] = [documents[pair.a]!.path, documents[pair.b]!.path];
    const similarity = similarityOfDistance(distance);
    if (form === 'json') yield `${JSON.stringify({ a, b, distance, similarity })}\n`;
    else if (form === 'tsv') yield row([cell(a), cell(b), distance, similarity]);
    else
      yield `${pluralize(distance, 'bit').padEnd(6)}  ${String(similarity).padEnd(8)}  ${printable(a)}  ${printable(b)}\n`;
  }
}

/** A group of documents, the one that represents it first. */
interface Group {
  readonly members: readonly { readonly document: number; readonly distance: number }[];
  /** The size of all but the first in octets, or null where a size is not known. */
  readonly reclaimable: number | null;
}

/** Finds the groups: those of which most can be reclaimed first, then the larger ones, then in the order of the input. */
function findGroups({ documents, fingerprints }: Collection, k: number): Group[] {
  return findClusters(fingerprints, { k })
    .map(({ representative, members }): Group => {
      const centre = fingerprints[representative]!;
      const others = members.filter((document) => document !== representative);
      const list = others.map((document) => ({ document, distance: distanceOf(fingerprints[document]!, centre) }));
      // What is in an archive cannot be removed from it by itself.
      const sizes = others.map((document) => (documents[document]!.place.member ? 0 : documents[document]!.size));
      return {
        members: [
          { document: representative, distance: 0 },
          ...list.sort((a, b) => a.distance - b.distance || a.document - b.document),
        ],
        reclaimable: sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0),
      };
    })
    .sort((a, b) => (b.reclaimable ?? 0) - (a.reclaimable ?? 0) || b.members.length - a.members.length);
}

function* groupLines(collection: Collection, k: number, form: Form): Generator<string> {
  const { label, documents, fingerprints } = collection;
  const groups = findGroups(collection, k);
  const style = styleFor(process.stdout, process.env);
  for (const [g, { members, reclaimable }] of groups.entries()) {
    const list = members.map(({ document, distance }) => ({
      path: documents[document]!.path,
      place: placeAsJson(documents[document]!.place),
      fingerprint: serialise(fingerprints[document]!),
      distance,
      size: documents[document]!.size,
    }));
    if (form === 'json') {
      const inJson = list.map(({ path: _, place, ...rest }) => ({ ...place, ...rest }));
      yield `${JSON.stringify({ label, documents: inJson, reclaimable })}\n`;
    } else if (form === 'tsv')
      for (const { path, fingerprint, distance, size } of list)
        yield row([g + 1, distance, size ?? '', fingerprint, cell(path)]);
    else {
      const sizes = list.map(({ size }) => (size === null ? '' : octets(size)));
      const width = Math.max(...sizes.map((size) => size.length));
      yield `${style.strong(`${pluralize(list.length, 'document')}${canBeReclaimed(reclaimable)}`)}\n`;
      for (const [i, { path, distance }] of list.entries()) {
        const mark = i === 0 ? '' : String(distance);
        yield `${mark.padStart(4)}  ${width === 0 ? '' : `${sizes[i]!.padStart(width)}  `}${printable(path)}\n`;
      }
      yield '\n';
    }
  }
  if (form !== 'text' || groups.length === 0) return;
  const inGroups = groups.reduce((sum, { members }) => sum + members.length, 0);
  const total = groups.reduce<number | null>(
    (sum, { reclaimable }) => (sum === null || reclaimable === null ? null : sum + reclaimable),
    0,
  );
  yield `${pluralize(groups.length, 'group')} of ${formatNumber(inGroups)} among ${pluralize(documents.length, 'document')}${canBeReclaimed(total)}\n`;
}

function canBeReclaimed(size: number | null): string {
  return size === null ? '' : `, ${octets(size)} can be reclaimed`;
}

/** A number of octets for a person. */
function octets(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
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
