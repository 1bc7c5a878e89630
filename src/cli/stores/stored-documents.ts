import { resolve, sep } from 'node:path';
import { nameOf, type Place } from '../../documents/document-outcome.ts';
import { pathFromShown } from '../../documents/file-path.ts';
import { STDIN } from '../../documents/walk.ts';
import { statOf } from '../../documents/walk-plan.ts';
import type { Collection, Document } from '../../duplicates/collect.ts';
import { createColumn, type FingerprintColumn, fingerprintAt } from '../../duplicates/near/column.ts';
import { wrongValue } from '../../errors.ts';
import { LOSSES } from '../../extract/result.ts';
import type { Entry } from '../../lookup/document-index.ts';
import type { Fingerprint } from '../../scheme/labels/fingerprint.ts';
import { schemeOf } from '../../scheme/labels/label.ts';
import type { OpenIndex } from './open-store.ts';

export async function allStored(store: OpenIndex): Promise<Collection> {
  const documents: Document[] = [];
  const fingerprints = createColumn(schemeOf(store.label).words);
  for await (const { id, fingerprint, losses } of store.entries()) {
    documents.push(storedDocument(id, losses, false));
    fingerprints.push(fingerprint);
  }
  return collectionOf(store.label, documents, fingerprints.view());
}

export function collectionOf(
  label: string,
  documents: readonly Document[],
  fingerprints: FingerprintColumn,
): Collection {
  return { label, documents, fingerprints, failures: 0, once: null, extractors: new Set() };
}

export async function addStored(
  collection: Collection,
  store: OpenIndex,
  k: number,
  hasOwn: boolean,
): Promise<Collection> {
  const { label, documents, fingerprints } = collection;
  if (documents.length > 0 && store.label !== label)
    throw wrongValue('label-mismatch', 'the index', `documents of ${label}`, store.label);
  const own = new Set(hasOwn ? [] : documents.map(({ place }) => resolve(nameOf(place))));
  const all = createColumn(schemeOf(label).words);
  const distinct = new Map<string, Fingerprint>();
  for (let document = 0; document < documents.length; document++) {
    const fingerprint = fingerprintAt(fingerprints, document);
    all.push(fingerprint);
    distinct.set(String(fingerprint), fingerprint);
  }
  const near = new Map<string, Entry>();
  for (const each of distinct.values())
    for (const match of (await store.query(each, { k })).matches)
      if (!own.has(resolve(match.id))) near.set(match.id, match);
  for (const { fingerprint } of near.values()) all.push(fingerprint);
  return {
    ...collection,
    documents: [...documents, ...Array.from(near.values(), ({ id, losses }) => storedDocument(id, losses, true))],
    fingerprints: all.view(),
  };
}

/** A document of an index. Its file is examined on demand. */
export function storedDocument(id: string, losses: Entry['losses'], isReference: boolean): Document {
  let place: Place | undefined;
  return {
    ...(losses && { losses: LOSSES.filter((loss) => losses.includes(loss)) }),
    get place() {
      place ??= placeOf(shownId(id));
      return place;
    },
    get size() {
      const { member, ...file } = this.place;
      return member === undefined ? (statOf({ ...file, found: true })?.size ?? null) : null;
    },
    // An index has one entry for all documents of the same name.
    occurrence: null,
    tokens: null,
    isReference,
  };
}

/** The parts of an id: a file, or a document in an archive, as `PATH!NAME`. */
function placeOf(id: string): Place {
  if (id === STDIN) return { path: `./${id}` };
  for (let at = id.indexOf('!'); at >= 0; at = id.indexOf('!', at + 1)) {
    const path = id.slice(0, at);
    const isFile = statOf({ ...pathFromShown(path), found: true })?.isFile() === true;
    if (isFile) return { ...pathFromShown(path), member: { name: id.slice(at + 1) } };
  }
  return pathFromShown(id);
}

export function idOf({ path, member }: Place): string {
  return nameOf({ path: resolve(path), member });
}

export function shownId(id: string): string {
  const folder = process.cwd();
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return id.startsWith(start) && id.length > start.length ? id.slice(start.length) : id;
}

export function idsMeant(argument: string): readonly string[] {
  const ids = [argument, resolve(argument)];
  for (let at = argument.indexOf('!'); at > 0; at = argument.indexOf('!', at + 1))
    ids.push(resolve(argument.slice(0, at)) + argument.slice(at));
  return [...new Set(ids)];
}
