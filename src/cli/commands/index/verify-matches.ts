import { nameOf } from '../../../documents/document-outcome.ts';
import type { Failure } from '../../../documents/failure.ts';
import type { Collection, Document } from '../../../duplicates/collect.ts';
import { createColumn } from '../../../duplicates/near/column.ts';
import { createVerifier } from '../../../duplicates/verify/verifier.ts';
import type { Difference } from '../../../fingerprint/residue.ts';
import type { Match } from '../../../lookup/document-index.ts';
import type { Fingerprint } from '../../../scheme/labels/fingerprint.ts';
import type { Session } from '../../session.ts';
import { collectionOf, idOf, storedDocument } from '../../stores/stored-documents.ts';

export interface Query {
  readonly document: Document;
  readonly fingerprint: Fingerprint;
  readonly matches: readonly Match[];
  readonly more: number | undefined;
}

export interface VerifiedMatch extends Match {
  /** The overlap with the document that was looked up; null if one of them could not be read again. */
  readonly overlap: number | null;
  readonly differs: readonly Difference[];
  readonly failure?: Failure & { readonly name: string };
}

export async function verifyMatches(queries: readonly Query[], session: Session): Promise<VerifiedMatch[][]> {
  const { collection, positions } = gather(queries);
  const failures = new Map<string, NonNullable<VerifiedMatch['failure']>>();
  const failureOf = (position: number) => failures.get(nameOf(collection.documents[position]!.place));
  const report: Session['report'] = {
    ...session.report,
    async add(outcome) {
      if (outcome.kind === 'failed') failures.set(nameOf(outcome), { ...outcome.failure, name: nameOf(outcome) });
      return null;
    },
  };
  const verifier = createVerifier(collection, { ...session, report });
  await verifier.prefetch([...new Set(positions.flat())]);
  const results: VerifiedMatch[][] = [];
  for (const [query, { matches }] of queries.entries()) {
    const verified: VerifiedMatch[] = [];
    for (const [index, match] of matches.entries()) {
      const position = positions[query]![index]!;
      const { overlap, differs } = (await verifier.compare(query, position, 0)) ?? { overlap: null, differs: [] };
      const failure = overlap === null ? (failureOf(position) ?? failureOf(query)) : undefined;
      verified.push({ ...match, overlap, differs, ...(failure !== undefined && { failure }) });
    }
    results.push(verified);
  }
  return results;
}

function gather(queries: readonly Query[]): { collection: Collection; positions: number[][] } {
  const documents = queries.map(({ document }) => document);
  const fingerprints = createColumn(queries[0]?.fingerprint instanceof Uint8Array ? 4 : 1);
  for (const { fingerprint } of queries) fingerprints.push(fingerprint);
  const known = new Map<string, number>();
  const keyOf = (id: string, fingerprint: Fingerprint): string => `${fingerprint} ${id}`;
  for (const [query, { document, fingerprint }] of queries.entries())
    known.set(keyOf(idOf(document.place), fingerprint), query);
  const positions = queries.map(({ matches }) =>
    matches.map(({ id, fingerprint }) => {
      const key = keyOf(id, fingerprint);
      const position = known.get(key) ?? documents.length;
      if (position === documents.length) {
        documents.push(storedDocument(id, undefined, false));
        fingerprints.push(fingerprint);
        known.set(key, position);
      }
      return position;
    }),
  );
  return { collection: collectionOf('', documents, fingerprints.view()), positions };
}
