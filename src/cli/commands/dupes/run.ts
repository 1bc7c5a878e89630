import { formatNumber, pluralize } from '../../../common/text.ts';
import { type Arguments, DONE, FAILED, usageError } from '../../command.ts';
import { documentHintsOf, jobsOf, rootsOf, wholeNumberOf } from '../../options.ts';
import { print, printable, warn } from '../../terminal/output.ts';
import { type Collection, collect } from './collect.ts';
import { type Form, groupLines, pairLines } from './print.ts';

/** The distance of a pair where none is given. */
const DEFAULT_DISTANCE = 3;
/** The largest distance that the search finds. */
const MAX_DISTANCE = 7;

/** How much is collected before it is written, in characters. */
const BUFFER = 1 << 16;

/** Runs `simhash-doc dupes`. */
export async function runDupes(args: Arguments): Promise<number> {
  const hints = await documentHintsOf(args);
  const k = wholeNumberOf(args, 'distance', 0, MAX_DISTANCE) ?? DEFAULT_DISTANCE;
  const jobs = jobsOf(args);
  const form = formOf(args);
  const roots = rootsOf(args);
  const collection = await collect(roots, { hints, jobs, quiet: args.flag('quiet') });
  const lines = args.flag('pairs') ? pairLines(collection, k, form) : groupLines(collection, k, form);
  const isFound = await printAll(lines);
  tellResult(collection, isFound, roots);
  return isFound && collection.failures === 0 ? DONE : FAILED;
}

function formOf(args: Arguments): Form {
  if (args.flag('tsv') && args.flag('json')) throw usageError('expected --tsv or --json, got both');
  return args.flag('tsv') ? 'tsv' : args.flag('json') ? 'json' : 'text';
}

function tellResult({ documents, failures }: Collection, isFound: boolean, roots: readonly string[]): void {
  const all = documents.length + failures;
  if (all === 0) warn(`no documents found in ${roots.map(printable).join(', ')}`);
  else if (!isFound && documents.length === 1) warn('only one document: expected at least two to compare');
  else if (!isFound && documents.length > 0) warn(`no two of ${pluralize(documents.length, 'document')} are similar`);
  if (failures > 1) warn(`${formatNumber(failures)} of ${pluralize(all, 'document')} failed`);
}

/** Prints texts; tells whether there were any. */
async function printAll(texts: AsyncIterable<string>): Promise<boolean> {
  let isFound = false;
  let buffer = '';
  for await (const text of texts) {
    isFound = true;
    buffer += text;
    if (buffer.length < BUFFER) continue;
    await print(buffer);
    buffer = '';
  }
  if (buffer !== '') await print(buffer);
  return isFound;
}
