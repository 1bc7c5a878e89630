import { formatNumber, pluralize } from '../../../common/text.ts';
import { type Arguments, DONE, FAILED } from '../../command.ts';
import { isHandful } from '../../documents/plan.ts';
import { type Session, withSession } from '../../documents/session.ts';
import { print, printable, warn } from '../../terminal/output.ts';
import { type Collection, collect, planInputs } from './collect.ts';
import { findGroups } from './group.ts';
import { createKeepOrder } from './keep.ts';
import { findMatches, type Match, type Search, type SearchCounts } from './match.ts';
import { groupsAsJson, pairAsJson } from './report/json.ts';
import type { Flags, Result } from './report/result.ts';
import { groupsAsRows, pairAsRow } from './report/rows.ts';
import { groupsAsText, pairAsText } from './report/text.ts';
import { searchPairs } from './search.ts';
import { defaultDistance, type Form, type Settings, settingsOf } from './settings.ts';
import { createVerifier } from './verify.ts';

/** How much is collected before it is written, in characters. */
const BUFFER = 1 << 16;

/** Runs `simhash-doc dupes`. */
export async function runDupes(args: Arguments): Promise<number> {
  const settings = await settingsOf(args);
  const { hints, jobs, form, isQuiet, roots, against } = settings;
  const inputs = await planInputs(roots, against);
  const few = isHandful(inputs.entries.length, () => inputs.total.octets);
  const options = { hints, jobs, isHandful: few, json: form === 'json', quiet: isQuiet };
  return withSession(options, async (session) => {
    const collection = await collect(inputs, session);
    const search = await searchFor(collection, settings, session);
    const counts: SearchCounts = { limited: 0 };
    const lines = settings.isPairs
      ? pairLines(search, form, counts)
      : groupLines(await resultOf(search, settings, counts), form);
    const isFound = await printAll(lines, session);
    tellResult(collection, isFound, settings, session.report.failures);
    tellLimit(counts, settings);
    return isFound && session.report.failures === 0 ? DONE : FAILED;
  });
}

/** Decides whether matches can be verified, and says it if they cannot. */
async function searchFor(collection: Collection, settings: Settings, session: Session): Promise<Search> {
  const { once } = collection;
  const isVerified = settings.isVerified && once === null;
  if (settings.isVerified && once !== null && collection.documents.length > 1)
    warn(`${printable(once)} has no documents that can be read again: matches are not verified, as with --no-verify`);
  return {
    collection,
    k: settings.k ?? defaultDistance(isVerified),
    minOverlap: settings.minOverlap,
    maxRejected: settings.maxRejected,
    verifier: isVerified ? createVerifier(collection, session) : null,
    inKeepOrder: await createKeepOrder(settings.keep, collection),
    isAgainst: settings.against.length > 0,
  };
}

async function resultOf(search: Search, settings: Settings, counts: SearchCounts): Promise<Result> {
  const { collection, verifier } = search;
  const flagsOf = (document: number): Flags => ({
    short: (collection.documents[document]!.tokens ?? Number.POSITIVE_INFINITY) < settings.minTokens,
    repetitive: verifier?.isRepetitive(document) ?? false,
  });
  const groups = await findGroups(search, settings.isChain, counts);
  return { collection, groups, isVerified: verifier !== null, flagsOf };
}

async function* groupLines(result: Result, form: Form): AsyncGenerator<string, undefined> {
  yield* { text: groupsAsText, tsv: groupsAsRows, json: groupsAsJson }[form](result);
  return undefined;
}

async function* pairLines(search: Search, form: Form, counts: SearchCounts): AsyncGenerator<string, undefined> {
  const write = { text: pairAsText, tsv: pairAsRow, json: pairAsJson }[form];
  const matches =
    search.verifier === null && !search.isAgainst ? nearPairs(search) : findMatches(search, 'pairs', counts);
  for await (const match of matches) yield write(search.collection, match);
  return undefined;
}

/** The pairs of near fingerprints, as they are found. */
async function* nearPairs({ collection, k }: Search): AsyncGenerator<Match, undefined> {
  for await (const { a, b, distance } of searchPairs(collection.fingerprints, k))
    yield { kept: a, other: b, distance, overlap: null };
  return undefined;
}

function tellResult(
  { documents, failures, fingerprints }: Collection,
  isFound: boolean,
  { roots }: Settings,
  failed: number,
): void {
  const all = documents.length + failures;
  if (all === 0) warn(`no documents found in ${roots.map(printable).join(', ')}`);
  else if (!isFound && documents.length === 1) warn('only one document: expected at least two to compare');
  else if (!isFound && fingerprints.length > 0)
    warn(`no two of ${pluralize(documents.length, 'document')} are similar`);
  if (failed > 1) warn(`${formatNumber(failed)} of ${pluralize(all, 'document')} failed`);
}

function tellLimit({ limited }: SearchCounts, { maxRejected }: Settings): void {
  if (limited > 0)
    warn(
      `for ${pluralize(limited, 'document')}, ${formatNumber(maxRejected)} near fingerprints were false, and the others were not checked (--max-rejected)`,
    );
}

/** Prints texts; tells whether there were any. */
async function printAll(texts: AsyncIterable<string>, { progress }: Session): Promise<boolean> {
  let isFound = false;
  let buffer = '';
  const flush = (): Promise<void> => {
    if (process.stdout.isTTY) progress.hide();
    const text = buffer;
    buffer = '';
    return print(text);
  };
  for await (const text of texts) {
    isFound = true;
    buffer += text;
    if (buffer.length >= BUFFER) await flush();
  }
  if (buffer !== '') await flush();
  return isFound;
}
