import { formatNumber, pluralize, printable } from '../../../common/text.ts';
import { failureOf } from '../../../documents/failure.ts';
import { following, openInput } from '../../../documents/read.ts';
import { type FileEntry, STDIN } from '../../../documents/walk.ts';
import { isHandful, statOf } from '../../../documents/walk-plan.ts';
import { type Collection, collect, type Inputs, planInputs } from '../../../duplicates/collect.ts';
import { findContained } from '../../../duplicates/contained.ts';
import { findGroups } from '../../../duplicates/group.ts';
import { createKeepOrder } from '../../../duplicates/keep.ts';
import { type DuplicateMatch, type DuplicateSearch, findMatches } from '../../../duplicates/match.ts';
import { countIn } from '../../../duplicates/near/column.ts';
import { readLines, startsWithLine } from '../../../duplicates/read-json-lines.ts';
import { createReasons } from '../../../duplicates/reasons.ts';
import { createStamps } from '../../../duplicates/stamps.ts';
import { createVerifier } from '../../../duplicates/verify/verifier.ts';
import { findAll } from '../../../lookup/find-all.ts';
import { type Arguments, DONE, FAILED, NO, usageError } from '../../command.ts';
import { defaultDistance, distanceOf, wordDistance } from '../../distance-option.ts';
import { assertStillFree } from '../../files/output-files.ts';
import { DOCUMENT_LABEL } from '../../options.ts';
import { type Session, type SessionReport, withSession } from '../../session.ts';
import { warnOfOrigins } from '../../terminal/mixed-extractors.ts';
import { print, printStyled, warn } from '../../terminal/print.ts';
import type { Result } from './dupes-result.ts';
import { type Form, pageAt, type Settings, settingsOf } from './dupes-settings.ts';
import { groupsAsJson, pairAsJson } from './json-report.ts';
import { groupsAsPaths } from './removable-paths.ts';
import { groupsAsScript } from './removal-script.ts';
import { groupsAsText, pairAsText } from './text-report.ts';
import { groupsAsRows, pairAsRow } from './tsv-report.ts';
import { newAs } from './unmatched-report.ts';

export async function runDupes(args: Arguments): Promise<number> {
  const asked = await settingsOf(args);
  const { jobs, form, isQuiet, selection, against } = asked;
  const stamps = form === 'script' ? createStamps() : undefined;
  const inputs = await planInputs(selection, against, stamps);
  if (inputs.links > 0) warn(`skipped ${pluralize(inputs.links, 'name')} of files that are already listed`);
  const left = inputs.entries.length - inputs.references;
  const isAllShared = inputs.shared > 0 && left === 0;
  const shared = pluralize(inputs.shared, 'file');
  if (isAllShared)
    warn(
      `nothing to compare: --against has ${shared} of PATH, which is all of PATH (without --against, PATH is compared with itself)`,
    );
  else if (inputs.shared > 0)
    warn(`skipped ${shared} of PATH also in --against: ${pluralize(left, 'file')} left to compare`);
  const label = await chooseLabel(asked, inputs.entries);
  if (label === undefined) return FAILED;
  distanceOf(args, label);
  const hints = { ...asked.hints, label };
  const settings = { ...asked, hints };
  const few = isHandful(inputs.entries.length, () => inputs.total.bytes);
  const options = { hints, jobs, isHandful: few, json: form === 'json', quiet: isQuiet, finds: selection.finds };
  return withSession(options, async (session) => {
    const collection = await collectionOf(inputs, settings, session);
    if (collection === undefined) return FAILED;
    // The label of lines on standard input is known only now.
    distanceOf(args, collection.label);
    // The files of an index were read long ago; verification reads them again.
    if (settings.store !== undefined) for (const { place } of collection.documents) stamps?.takeNow(place);
    session.progress.detail('comparing');
    const search = await searchFor(collection, settings, session);
    if (search.verifier === null && isRemoving(settings)) throw usageError(`--${form} lists verified matches only`);
    const result = settings.isPairs ? null : await resultOf(search, settings);
    if (result !== null && isRemoving(settings)) noteKept(result, session.report);
    // Without documents, an earlier page is kept.
    if (result !== null && settings.html !== undefined && collection.documents.length > 0)
      await writePage(settings.html, result, session);
    const output =
      result === null
        ? pairLines(search, form)
        : stamps === undefined
          ? groupOutput(result, settings)
          : groupsAsScript(result, stamps, session.report);
    const isPrinted = await printAll(output, session);
    const hasGroups = result === null || settings.isNew ? isPrinted : result.groups.length > 0;
    session.report.noteLeftOut();
    summarise(collection, isPrinted || hasGroups || isAllShared, settings, session.report.failures);
    if (session.report.failures > 0) return FAILED;
    const isFound = isRemoving(settings) ? isPrinted : hasGroups;
    return isFound && settings.failIfFound ? NO : DONE;
  });
}

/** Chooses the label: of the option, the index, or the first fingerprints of the inputs. Undefined if the index cannot be read. */
async function chooseLabel(
  { label: asked, store }: Pick<Settings, 'label' | 'store'>,
  entries: readonly FileEntry[],
): Promise<string | undefined> {
  if (store !== undefined) {
    const { nameOfStore, withStore } = await import('../../stores/open-store.ts');
    const found = await withStore({ place: store, use: 'read' }, async (index) => index.label);
    if (asked !== undefined && found !== undefined && asked !== found)
      throw usageError(`--label: ${printable(nameOfStore(store))} holds ${found}, not ${asked}: leave --label out`);
    return found;
  }
  if (asked !== undefined) return asked;
  for (const entry of entries)
    if (!entry.found && entry.failure === undefined && entry.path !== STDIN) {
      const found = await labelIn(entry);
      if (found !== undefined) return found;
    }
  return DOCUMENT_LABEL;
}

/** The label of the first fingerprint in a file of them. Errors are reported when the file is read. */
async function labelIn(entry: FileEntry): Promise<string | undefined> {
  // Anything but a file can be read only once.
  if (statOf(entry)?.isFile() !== true) return undefined;
  try {
    const { head, close } = await openInput(entry, () => undefined);
    await close();
    if (!startsWithLine(head)) return undefined;
    for await (const outcomes of readLines(entry.path, following(head, null)))
      for (const outcome of outcomes) if (outcome.kind === 'done') return outcome.result.label;
  } catch {
    // See above.
  }
  return undefined;
}

/** The documents, and the index if one is named; undefined if that cannot be read, which is reported. */
async function collectionOf(inputs: Inputs, settings: Settings, session: Session): Promise<Collection | undefined> {
  const { store, k } = settings;
  const { documents, bytes } = inputs.total;
  if (!inputs.entries.some(({ path }) => path === STDIN)) session.progress.expect(documents, bytes);
  const collection = await collect(inputs, session);
  warnOfOrigins('comparison', collection.extractors);
  if (store === undefined) return collection;
  const { withStore } = await import('../../stores/open-store.ts');
  const { addStored, allStored } = await import('../../stores/stored-documents.ts');
  const { warnOfStored } = await import('../../stores/open-store.ts');
  return withStore({ place: store, use: 'read' }, async (index) => {
    if (!settings.isAgainst) return allStored(index);
    await warnOfStored('comparison', index, collection.extractors);
    const distance = wordDistance(k, canVerify(collection, settings), collection.label);
    return addStored(collection, index, distance, settings.isNew);
  });
}

function canVerify({ once }: Collection, { isVerified }: Settings): boolean {
  return isVerified && once === null;
}

/** Decides whether matches can be verified, and reports if they cannot. */
async function searchFor(collection: Collection, settings: Settings, session: Session): Promise<DuplicateSearch> {
  const { once } = collection;
  const isVerified = canVerify(collection, settings);
  if (settings.isVerified && once !== null && collection.documents.length > 1)
    warn(`${printable(once)} has no documents that can be read again: matches are not verified, as with --no-verify`);
  return {
    collection,
    k: settings.k ?? defaultDistance(isVerified, collection.label, settings.minOverlap),
    minOverlap: settings.minOverlap,
    verifier: isVerified ? createVerifier(collection, session, settings) : null,
    inKeepOrder: await createKeepOrder(settings.keep, collection),
    isAgainst: settings.isAgainst,
    ignoresDifferences: settings.ignoresDifferences,
    // Files are removed without a look at each pair.
    reasons: isVerified && isRemoving(settings) ? createReasons(collection, session) : undefined,
    isReference: (document) => collection.documents[document]!.isReference,
  };
}

function isRemoving({ form, isNew }: Settings): boolean {
  return !isNew && (form === 'print0' || form === 'script');
}

/** Reports the near-duplicates that are left out of a list of files to remove, where this may not be expected. */
function noteKept({ collection: { documents }, groups }: Result, { note }: SessionReport): void {
  const isPdf = (document: number): boolean => documents[document]!.kind === 'pdf';
  const [different, paged] = [new Set<number>(), new Set<number>()];
  for (const { kept, members } of groups)
    for (const { document, differs } of members) {
      if (differs.includes('title') || differs.includes('words')) different.add(document);
      if (differs.includes('numbers') && isPdf(document) !== isPdf(kept)) paged.add(document);
    }
  const noteLeftOut = (left: Set<number>, reason: string): void => {
    for (const { members } of groups)
      for (const { document, isConfirmed } of members) if (isConfirmed) left.delete(document);
    const are = left.size === 1 ? 'is' : 'are';
    if (left.size > 0)
      note(`${pluralize(left.size, 'near-duplicate')} ${are} left out: ${reason} (--ignore-numbers includes them)`);
  };
  noteLeftOut(different, 'the first lines differ, or the words of short texts');
  noteLeftOut(paged, 'a PDF and a file of another type differ in numbers, such as page numbers');
}

async function resultOf(search: DuplicateSearch, settings: Settings): Promise<Result> {
  const { collection, verifier } = search;
  const flagsOf = (document: number): string[] => [
    ...((collection.documents[document]!.tokens ?? Number.POSITIVE_INFINITY) < settings.minTokens ? ['short'] : []),
    ...(verifier?.isRepetitive(document) ? ['repetitive'] : []),
    ...(collection.documents[document]!.isLinked ? ['link'] : []),
    ...(collection.documents[document]!.losses ?? []),
  ];
  const groups = await findGroups(search);
  const isShown =
    !settings.isNew && (settings.form === 'text' || settings.form === 'json' || settings.html !== undefined);
  const contained = isShown ? await findContained(search, groups) : [];
  return { collection, groups, contained, isVerified: verifier !== null, flagsOf };
}

const GROUP_WRITERS: Readonly<Record<Exclude<Form, 'script'>, (result: Result) => Iterable<string | Uint8Array>>> = {
  text: groupsAsText,
  tsv: groupsAsRows,
  json: groupsAsJson,
  print0: groupsAsPaths,
};

async function* groupOutput(result: Result, { form, isNew }: Settings): AsyncGenerator<string | Uint8Array, undefined> {
  yield* isNew ? newAs(form, result) : GROUP_WRITERS[form as keyof typeof GROUP_WRITERS](result);
}

async function writePage(path: string, result: Result, session: Session): Promise<void> {
  const { writeHtml } = await import('./html-report.ts');
  try {
    assertStillFree(pageAt(path));
    await writeHtml(path, result, session);
  } catch (error) {
    session.report.fail(path, failureOf(error).message);
  }
}

async function* pairLines(search: DuplicateSearch, form: Form): AsyncGenerator<string, undefined> {
  const write = form === 'json' ? pairAsJson : form === 'tsv' ? pairAsRow : pairAsText;
  const matches =
    search.verifier === null && !search.isAgainst && search.collection.fingerprints.words === 1
      ? nearPairs(search)
      : findMatches(search, 'pairs');
  for await (const match of matches) yield write(search.collection, match);
}

/** The pairs of near fingerprints, as they are found. */
function* nearPairs({ collection, k }: DuplicateSearch): Generator<DuplicateMatch, undefined> {
  for (const { a, b, distance } of findAll(collection.fingerprints.values, { k }))
    yield { kept: a, other: b, distance, overlap: null, differs: [] };
}

function summarise(
  { documents, failures, fingerprints }: Collection,
  isFound: boolean,
  { selection, isNew }: Settings,
  failed: number,
): void {
  const all = documents.length + failures;
  if (all === 0) warn(`no documents found in ${selection.names.map(printable).join(', ')}`);
  else if (isNew && !isFound) warn('no new documents: each one matches another');
  else if (!isFound && documents.length === 1) warn('only one document: expected at least two to compare');
  else if (!isFound && countIn(fingerprints) > 0)
    warn(`no two of ${pluralize(documents.length, 'document')} are similar`);
  if (failed > 1) warn(`${formatNumber(failed)} of ${pluralize(all, 'document')} failed`);
}

async function printAll(outputs: AsyncIterable<string | Uint8Array>, { progress }: Session): Promise<boolean> {
  let isFound = false;
  for await (const output of outputs) {
    isFound = true;
    if (process.stdout.isTTY) progress.hide();
    await (typeof output === 'string' ? printStyled(output) : print(output));
  }
  return isFound;
}
