import type { Done, Failed } from '../documents/document-outcome.ts';
import type { Counted } from '../documents/document-tasks.ts';
import { NO_TOKENS } from '../documents/failure.ts';
import { assertOptions, wrongType, wrongValue } from '../errors.ts';
import { fingerprintText } from '../fingerprint/fingerprint.ts';
import { createResidue } from '../fingerprint/residue.ts';
import { createTokenCounter } from '../fingerprint/token-counts.ts';
import { distance } from '../scheme/compare.ts';
import type { Fingerprint } from '../scheme/labels/fingerprint.ts';
import { schemeOf } from '../scheme/labels/label.ts';
import { candidateDistance, DEFAULT_OVERLAP, DOCUMENT_LABEL } from './answer.ts';
import { findRemovals } from './find-removals.ts';
import { findMatches, type MatchSearch } from './match.ts';
import { type BandList, createBandList, MIN_BANDED_OVERLAP } from './near/bands.ts';
import { type ColumnBuilder, createColumn, fingerprintAt } from './near/column.ts';
import { CHANGED, verifierOf } from './verify/verifier.ts';

/** A text and the name by which results refer to it. */
export interface TextItem {
  readonly id: string;
  /** The text, or a function that reads it again: then only texts that are being compared are in memory. */
  readonly text: string | (() => string | Promise<string>);
}

type Items<T> = Iterable<T> | AsyncIterable<T>;

/** Options of a search for duplicates. */
export interface DuplicateOptions {
  /** The minimum overlap of two texts, 0 to 1. Default: 0.8. */
  readonly minOverlap?: number;
  /**
   * True if texts are duplicates although their numbers, locators or other characters differ, and for {@link removeDuplicates}
   * although they are different (VER-5). Default: false.
   */
  readonly ignoreNumbers?: boolean;
}

/** Options of {@link removeDuplicates}. */
export interface RemoveOptions extends DuplicateOptions {
  /** Texts whose duplicates are left out, and only these: duplicates among the items stay. Default: the items themselves. */
  readonly against?: Items<TextItem>;
}

/** A text that matches the one to keep. */
export interface GroupMember {
  readonly id: string;
  /** The distance of the fingerprints (`minhash-doc-256`), 0 to 256. */
  readonly distance: number;
  /** The overlap with the words of the text to keep, 0 to 1. */
  readonly overlap: number;
  /**
   * The kinds of differences other than in the words: `numbers`, `locators`, `characters`, `order`, `case`. Unless the list is
   * empty, the text is not a duplicate.
   */
  readonly differs: readonly string[];
}

/** A text to keep, and those that match it. */
export interface DuplicateGroup {
  readonly kept: string;
  readonly members: readonly GroupMember[];
}

/** Two texts that match. */
export interface DuplicatePair extends Omit<GroupMember, 'id'> {
  readonly a: string;
  readonly b: string;
}

/**
 * Finds groups of near-duplicates: each has one text to keep, the first one in the input, and all others match that one.
 * Texts without tokens are in no group.
 * @param items - the texts; memory grows by 32 bytes for each, and by the texts unless functions read them
 * @param options - see {@link DuplicateOptions}
 * @throws TypeError `wrong-type`; RangeError `out-of-range`, also for a function that returns another text than before
 * @see spec/verification.md#verification
 * @example
 * for await (const { kept, members } of findDuplicates([{ id: 'a', text }, { id: 'b', text: changed }]))
 *   console.log(kept, members.map(({ id, overlap }) => `${id} ${overlap}`));
 */
export async function* findDuplicates(
  items: Items<TextItem>,
  options: DuplicateOptions = {},
): AsyncGenerator<DuplicateGroup, undefined> {
  const { list, search } = await gather(items, options);
  const groups = new Map<number, GroupMember[]>();
  for await (const { kept, other, distance, overlap, differs } of findMatches(search, 'groups')) {
    const members = groups.get(kept) ?? [];
    members.push({ id: list[other]!.id, distance, overlap: overlap!, differs });
    groups.set(kept, members);
  }
  for (const [kept, members] of [...groups].sort(([a], [b]) => a - b)) yield { kept: list[kept]!.id, members };
}

/**
 * Finds pairs of near-duplicates. Only the first of several texts with the same words is compared with others.
 * @param items - as for {@link findDuplicates}
 * @param options - see {@link DuplicateOptions}
 * @throws as {@link findDuplicates}
 * @see spec/verification.md#verification
 * @example
 * for await (const { a, b, overlap } of findDuplicatePairs(readTexts(['manuals/']))) console.log(a, b, overlap);
 */
export async function* findDuplicatePairs(
  items: Items<TextItem>,
  options: DuplicateOptions = {},
): AsyncGenerator<DuplicatePair, undefined> {
  const { list, search } = await gather(items, options);
  for await (const { kept, other, distance, overlap, differs } of findMatches(search, 'pairs'))
    yield { a: list[kept]!.id, b: list[other]!.id, distance, overlap: overlap!, differs };
}

/**
 * Leaves out duplicates of texts that come before them, or of `against`: items whose words overlap enough and that are
 * not different (VER-5).
 * @param items - as for {@link findDuplicates}
 * @param options - see {@link RemoveOptions}
 * @returns the other items in their order, those without tokens included
 * @throws as {@link findDuplicates}
 * @see spec/verification.md#verification
 * @example
 * for await (const { id } of removeDuplicates([{ id: 'a', text }, { id: 'b', text }])) console.log(id); // a
 */
export async function* removeDuplicates<T extends TextItem>(
  items: Items<T>,
  options: RemoveOptions = {},
): AsyncGenerator<T, undefined> {
  assertOptions('options', options, {});
  const { against } = options;
  let references = 0;
  async function* all(): AsyncGenerator<T | TextItem, undefined> {
    for await (const item of iterable('against', against ?? [])) {
      references++;
      yield item;
    }
    yield* iterable('items', items);
    return undefined;
  }
  const { minOverlap: min = DEFAULT_OVERLAP } = options;
  const bands = min >= MIN_BANDED_OVERLAP ? createBandList() : undefined;
  const { list, others, places, tokens, search } = await gather(all(), options, bands);
  const { fingerprints } = search.collection;
  const texts = {
    fingerprints,
    bandOf: bands?.bandOf,
    tokensOf: (text: number) => tokens[text]!,
    async read(wanted: readonly number[], visit: (text: number, content: string) => void): Promise<void> {
      for (const text of wanted) {
        const { id, text: given } = list[text]!;
        const content = typeof given === 'string' ? given : await given();
        if (typeof given !== 'string' && !isSame(content, fingerprintAt(fingerprints, text))) throw changed(id);
        visit(text, content);
      }
    },
    onChanged(text: number): never {
      throw changed(list[text]!.id);
    },
  };
  const { k, minOverlap, ignoresDifferences } = search;
  const criteria = {
    label: DOCUMENT_LABEL,
    k,
    minOverlap,
    ignoresDifferences,
    matchCase: false,
    keep: 'first',
    references: places.filter((place) => place < references).length,
  } as const;
  const removed = new Set<number>();
  // Without a text to compare with, nothing is removed.
  if (against === undefined || criteria.references > 0)
    await findRemovals(texts, criteria, { onRemoved: (text) => removed.add(places[text]!) });
  for (const [place, item] of others.entries()) if (place >= references && !removed.has(place)) yield item as T;
}

function isSame(content: string, fingerprint: Fingerprint): boolean {
  const found = fingerprintText(content, schemeOf(DOCUMENT_LABEL)).fingerprint;
  return found !== null && distance(found, fingerprint) === 0;
}

function changed(id: string): Error {
  return wrongValue('out-of-range', id, 'the text that was read first', CHANGED.message);
}

/** Reads texts. Those with a fingerprint are in `list`; `others` are all, and `places` the indexes of those of `list` in it. */
async function gather<T extends TextItem>(items: Items<T>, options: DuplicateOptions, bands?: BandList) {
  assertOptions('options', options, { minOverlap: 'number?', ignoreNumbers: 'boolean?' });
  const { minOverlap = DEFAULT_OVERLAP, ignoreNumbers = false } = options;
  if (!(minOverlap >= 0 && minOverlap <= 1)) throw wrongValue('out-of-range', 'minOverlap', '0 to 1', minOverlap);
  const [list, others, places, tokens]: [T[], T[], number[], number[]] = [[], [], [], []];
  const scheme = schemeOf(DOCUMENT_LABEL);
  const column: ColumnBuilder = createColumn(scheme.words);
  for await (const item of iterable('items', items)) {
    assertOptions('items', item, { id: 'string' });
    if (typeof item.text !== 'string' && typeof item.text !== 'function')
      throw wrongType('items.text', 'a string or a function', item.text);
    others.push(item);
    const text = await textOf(item);
    const { fingerprint, tokens: count } = fingerprintText(text, scheme, text.length, undefined, bands?.read);
    if (fingerprint === null) continue;
    column.push(fingerprint);
    bands?.push();
    list.push(item);
    places.push(others.length - 1);
    tokens.push(count);
  }
  const fingerprints = column.view();
  const verifier = verifierOf({
    fingerprints,
    tokensOf: (document) => tokens[document]!,
    async *read(documents) {
      for (const document of new Set(documents)) {
        yield { document, outcome: countText(await textOf(list[document]!)) };
      }
    },
    async onLost(document, { message }) {
      throw wrongValue('out-of-range', list[document]!.id, 'the text that was read first', message);
    },
  });
  const search: MatchSearch = {
    collection: { fingerprints },
    k: candidateDistance(minOverlap),
    minOverlap,
    verifier,
    inKeepOrder: (documents) => [...documents].sort((a, b) => a - b),
    isAgainst: false,
    isReference: () => false,
    ignoresDifferences: ignoreNumbers,
  };
  return { list, others, places, tokens, search };
}

function iterable<T>(name: string, value: Items<T>): Items<T> {
  const isOne =
    typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
  if (!isOne) throw wrongType(name, 'texts that can be iterated over', value);
  return value;
}

async function textOf({ text }: TextItem): Promise<string> {
  return typeof text === 'string' ? text : text();
}

function countText(text: string): Done<Counted> | Failed {
  const { fingerprint, counted } = createTokenCounter({ label: DOCUMENT_LABEL }).update(text).digest();
  if (fingerprint === null) return { kind: 'failed', failure: NO_TOKENS };
  return { kind: 'done', result: { fingerprint, counted, residue: createResidue().update(text).digest() } };
}
