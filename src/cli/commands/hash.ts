import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { pluralize } from '../../common/text.ts';
import { formatLabelled, LABEL, serialise, toHex } from '../../index.ts';
import { ARCHIVES, type Command, DOCUMENT_OPTIONS, DONE, FAILED, JSON_OPTION, MEDIA, usageError } from '../command.ts';
import { documentHints, nameOf, type Outcome, placeAsJson } from '../documents/document.ts';
import { outcomesOf } from '../documents/outcomes.ts';
import { createPool, nextTurn } from '../documents/pool.ts';
import { type Entry, pathOf, STDIN, walk } from '../documents/walk.ts';
import { lineWithPath, print, printable, printJson, warn } from '../terminal/output.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';

/** The most workers that can be asked for. */
const MOST_JOBS = 256;

/** Up to so many documents with together up to so many octets, a worker's start would cost more than it saves. */
const HANDFUL = 16;
const HANDFUL_OCTETS = 1 << 20;

/** Documents that are in work or wait for an earlier one to be printed, for each worker. */
const WINDOW = 128;

/** `simhash-doc hash`: fingerprints of files, of folders with all that is in them, and of stdin. */
export const hash: Command = {
  name: 'hash',
  summary: 'Print the fingerprints of documents',
  usage: '[OPTION…] [PATH…|-]',
  details: [
    `PATH is a file or a folder, of which every file is read, the hidden ones too, in the order of their names.
- or no PATH at all is standard input.`,
    `${MEDIA}
${ARCHIVES}`,
    `A line is printed for each document: FINGERPRINT  PATH. As with sha256sum, a line with a backslash or line end in
its path begins with a backslash, and they are escaped.`,
    `With --json, an object with the keys path, label, fingerprint, hex, tokens (their number), mediaType, extractor;
or path, error: { code, message }; and warnings, a list, where there are some. For a document in an archive, path is
the archive's, and member is its name there, or the target URI of its WARC record, of which recordId and date are given,
too, or @ and the offset of a place that is damaged.`,
    `Plain text in UTF-8 is read as it comes, without a limit of size or time. Empty and binary files are failures; in
archives, they are passed over, as are style sheets, scripts and data in those of the web, and counted on stderr.`,
    'Exit code: 0 all have a fingerprint, 1 some have none or no document was found, 2 wrong usage.',
  ],
  options: [
    ...DOCUMENT_OPTIONS,
    JSON_OPTION,
    { name: 'label', help: `print the labelled form, ${LABEL}:FINGERPRINT` },
    { name: 'jobs', short: 'j', value: 'N', help: 'work on N documents at a time (default: one per processor core)' },
    { name: 'quiet', short: 'q', help: 'show no progress' },
  ],

  async run(args) {
    const hints = await documentHints(args);
    const jobs = readJobs(args.value('jobs'));
    const json = args.flag('json');
    const label = args.flag('label');
    const roots = args.positionals.length === 0 ? [STDIN] : args.positionals;
    if (roots.filter((root) => root === STDIN).length > 1) throw usageError('- (standard input) can be read once only');

    const progress = createProgress(process.stderr, args.flag('quiet'));
    let done = 0;
    let failures = 0;
    const show = (): void => progress.update(done, pool.octetsRead());
    const pool = createPool(jobs, hints, {
      onRead: show,
      onPages: (path, pages, total) => progress.detail(`page ${pages} of ${total} of ${printable(path)}`),
    });
    // Workers read without a sound.
    const timer = setInterval(show, 100);
    const finished = new AbortController();
    try {
      const { entries, handful } = lookAhead(walk(roots));
      const sized = !roots.includes(STDIN);
      if (handful !== undefined && sized) progress.expect(handful.length, sum(handful.map(sizeOf)));
      else if (sized && process.stderr.isTTY) void measure(roots, progress, finished.signal);
      const outcomes =
        jobs === 1 || handful !== undefined
          ? outcomesOf(entries, hereAndThen(pool.hashHere), pool, 1)
          : outcomesOf(entries, pool.hash, pool, jobs * WINDOW);
      for await (const outcome of outcomes) {
        done++;
        if ('failure' in outcome.result) failures++;
        if (process.stdout.isTTY || 'failure' in outcome.result || outcome.warnings.length > 0) progress.hide();
        await report(outcome, json, label);
        show();
      }
    } finally {
      clearInterval(timer);
      finished.abort();
      progress.end();
      await pool.close();
    }
    if (done === 0) warn(`no documents found in ${roots.map(printable).join(', ')}`);
    if (failures > 1 && !json) warn(`${failures} of ${pluralize(done, 'document')} failed`);
    return done === 0 || failures > 0 ? FAILED : DONE;
  },
};

/** The key for warnings, where there are any. */
function some(warnings: readonly string[]): { readonly warnings?: readonly string[] } {
  return warnings.length === 0 ? {} : { warnings };
}

function readJobs(value: string | undefined): number {
  if (value === undefined) return availableParallelism();
  const jobs = /^[0-9]{1,6}$/.test(value) ? Number(value) : 0;
  if (jobs < 1 || jobs > MOST_JOBS)
    throw usageError(`--jobs: expected a whole number from 1 to ${MOST_JOBS}, got ${JSON.stringify(value)}`);
  return jobs;
}

/** Prints what became of a document, and tells a person what is wrong with it. */
async function report(outcome: Outcome, json: boolean, labelled: boolean): Promise<void> {
  const { result, warnings } = outcome;
  const name = nameOf(outcome);
  for (const warning of warnings) warn(`${printable(name)}: warning: ${warning}`);
  if ('failure' in result) {
    const { code, message } = result.failure;
    if (json) await printJson({ ...placeAsJson(outcome), error: { code, message }, ...some(warnings) });
    else warn(`${printable(name)}: ${message}`);
    return;
  }
  const { fingerprint, tokens, mediaType, extractor } = result;
  const base32 = serialise(fingerprint);
  if (json)
    await printJson({
      ...placeAsJson(outcome),
      label: LABEL,
      fingerprint: base32,
      hex: toHex(fingerprint),
      tokens,
      mediaType,
      extractor,
      ...some(warnings),
    });
  else await print(lineWithPath(`${labelled ? formatLabelled(LABEL, fingerprint) : base32}  `, name));
}

/**
 * Looks how much work there is before any is done.
 * @returns the entries from the first on; and all of them, when they are so few and so small that they are best worked
 * on in this thread
 */
function lookAhead(walked: Generator<Entry>): { entries: Iterable<Entry>; handful?: readonly Entry[] } {
  const first: Entry[] = [];
  for (let next = walked.next(); next.done !== true; next = walked.next()) {
    first.push(next.value);
    if (first.length > HANDFUL) break;
  }
  function* entries(): Generator<Entry> {
    yield* first;
    yield* walked;
  }
  // One document, however long, keeps one thread busy only.
  const few = first.length === 1 || (first.length <= HANDFUL && sum(first.map(sizeOf)) <= HANDFUL_OCTETS);
  return few ? { entries: first, handful: first } : { entries: entries() };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The size of a document where it can be told; reading it will tell what is wrong with the others. */
function sizeOf(entry: Entry): number {
  if (entry.failure !== undefined || entry.path === STDIN) return 0;
  try {
    const stat = statSync(pathOf(entry));
    return stat.isFile() ? stat.size : 0;
  } catch {
    return 0;
  }
}

/** Finds out how much work there is, while it is being done. */
async function measure(roots: readonly string[], progress: Progress, finished: AbortSignal): Promise<void> {
  let documents = 0;
  let octets = 0;
  for (const entry of walk(roots)) {
    documents++;
    octets += sizeOf(entry);
    if (documents % 64 === 0) await nextTurn();
    if (finished.aborted) return;
  }
  progress.expect(documents, octets);
}

/** Lets timers and streams have their turn after each document that is worked on in this thread. */
function hereAndThen<T>(work: (entry: Entry) => Promise<T>): (entry: Entry) => Promise<T> {
  return async (entry) => {
    const outcome = await work(entry);
    await nextTurn();
    return outcome;
  };
}
