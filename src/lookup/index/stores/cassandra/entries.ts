import { similarityOfDistance } from '../../../../scheme/compare.ts';
import { parse, serialise } from '../../../../scheme/serialise.ts';
import { KEY_BITS, permute, TABLES } from '../../../../scheme/tables.ts';
import { hashToken } from '../../../../scheme/token-hash.ts';
import type { Match } from '../../../types.ts';
import { storeError } from '../errors.ts';
import type { Row, Statement } from './connection.ts';
import type { Names } from './schema.ts';

const REST_BITS = BigInt(64 - KEY_BITS);

/** A document as its row has it. */
export interface StoredDocument {
  readonly fingerprint: bigint;
  /** When it was written, in microseconds. */
  readonly written: number;
}

/** In which bucket the rows of a document are. */
export function bucketOf(id: string, buckets: number): number {
  return Number(hashToken(id) % BigInt(buckets));
}

/** The values of the 16 rows of a document. */
export function entryRows(id: string, fingerprint: bigint, buckets: number): unknown[][] {
  const bucket = bucketOf(id, buckets);
  return Array.from({ length: TABLES }, (_, table) => {
    const permuted = permute(fingerprint, table);
    return [table, Number(permuted >> REST_BITS), bucket, BigInt.asUintN(Number(REST_BITS), permuted), id];
  });
}

/** What gives a document a fingerprint, or removes it, instead of the one that it had. */
export function changeStatements(
  { document, entry }: Names,
  buckets: number,
  id: string,
  before: bigint | undefined,
  after: bigint | undefined,
): Statement[] {
  const statements: Statement[] = [
    after === undefined
      ? { query: `DELETE FROM ${document} WHERE document_id = ?`, params: [id] }
      : { query: `INSERT INTO ${document} (document_id, fingerprint) VALUES (?, ?)`, params: [id, serialise(after)] },
  ];
  const insert = `INSERT INTO ${entry} (table_no, table_key, bucket, rest, document_id) VALUES (?, ?, ?, ?, ?)`;
  const remove = `DELETE FROM ${entry} WHERE table_no = ? AND table_key = ? AND bucket = ? AND rest = ? AND document_id = ?`;
  if (before !== undefined)
    for (const params of entryRows(id, before, buckets)) statements.push({ query: remove, params });
  if (after !== undefined)
    for (const params of entryRows(id, after, buckets)) statements.push({ query: insert, params });
  return statements;
}

/** The permuted fingerprint of a row, or undefined if it is not one. */
export function permutedOf({ table_key: key, rest }: Row): bigint | undefined {
  if (typeof key !== 'number' || typeof rest !== 'bigint') return undefined;
  const permuted = (BigInt(key) << REST_BITS) | rest;
  return key < 0 || rest < 0n || rest >> REST_BITS > 0n || permuted >> 64n > 0n ? undefined : permuted;
}

/** The fingerprint of a row of documents. */
export function fingerprintOf(place: string, { document_id: id, fingerprint }: Row): bigint {
  try {
    return parse(fingerprint as string);
  } catch (error) {
    throw storeError('damaged', place, `document ${JSON.stringify(id)}: ${(error as Error).message}`, error);
  }
}

export function matchOf(id: string, fingerprint: bigint, distance: number): Match {
  return { id, fingerprint, distance, similarity: similarityOfDistance(distance) };
}
