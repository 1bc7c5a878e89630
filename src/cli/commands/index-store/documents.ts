import { resolve } from 'node:path';
import { nameOf, type Place } from '../../../documents/outcome.ts';
import { statOf } from '../../../documents/plan.ts';
import { STDIN } from '../../../documents/walk.ts';
import type { Collection, Document } from '../../../duplicates/collect.ts';
import { wrongValue } from '../../../errors.ts';
import { createUint64List } from '../../../lookup/number-list.ts';
import type { Entry } from '../../../lookup/types.ts';
import type { Store } from './store.ts';

/** All documents of an index of 64 bits. */
export async function allStored(store: Store): Promise<Collection> {
  const documents: Document[] = [];
  const fingerprints = createUint64List();
  for await (const { id, fingerprint } of store.entries()) {
    documents.push(storedDocument(id, false));
    fingerprints.push(fingerprint as bigint);
  }
  return { label: store.label, documents, fingerprints: fingerprints.view(), failures: 0, once: null };
}

/**
 * Adds the documents of an index of 64 bits that are near others, as their reference set. Those with the same names are left out.
 * @param collection - the others
 * @param k - the largest distance
 */
export async function addStored(collection: Collection, store: Store, k: number): Promise<Collection> {
  const { label, documents, fingerprints } = collection;
  if (documents.length > 0 && store.label !== label)
    throw wrongValue('label-mismatch', 'the index', `documents of ${label}`, store.label);
  const own = new Set(documents.map(({ place }) => resolve(nameOf(place))));
  const near = new Map<string, bigint>();
  for (const each of new Set(fingerprints))
    for (const { id, fingerprint } of (await store.query(each, { k })).matches) near.set(id, fingerprint as bigint);
  const added = [...near].filter(([id]) => !own.has(resolve(id)));
  return {
    ...collection,
    documents: [...documents, ...added.map(([id]) => storedDocument(id, true))],
    fingerprints: BigUint64Array.from([...fingerprints, ...added.map(([, fingerprint]) => fingerprint)]),
  };
}

/** A document of an index. Its file is looked at when it is asked for. */
export function storedDocument(id: Entry['id'], isReference: boolean): Document {
  let place: Place | undefined;
  return {
    get place() {
      place ??= placeOf(id);
      return place;
    },
    get size() {
      const { path, member } = this.place;
      return member === undefined ? (statOf({ path, found: true })?.size ?? null) : null;
    },
    // The index does not tell two documents of the same name apart.
    occurrence: null,
    tokens: null,
    isReference,
  };
}

/** What an id names: a file, or a document in an archive, as `PATH!NAME`. */
function placeOf(id: string): Place {
  if (id === STDIN) return { path: `./${id}` };
  if (isFile(id)) return { path: id };
  for (let at = id.indexOf('!'); at >= 0; at = id.indexOf('!', at + 1)) {
    const path = id.slice(0, at);
    if (isFile(path)) return { path, member: { name: id.slice(at + 1) } };
  }
  return { path: id };
}

function isFile(path: string): boolean {
  return statOf({ path, found: true })?.isFile() === true;
}
