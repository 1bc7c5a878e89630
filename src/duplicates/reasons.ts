import { failed } from '../documents/document-outcome.ts';
import type { ReportedDocuments } from '../documents/run-documents.ts';
import type { Collection } from './collect.ts';
import { type Marks, marksOf, type Reason, reasonOf, viewMarks } from './marks.ts';
import { createReader } from './reread.ts';

export type Reasons = ReturnType<typeof createReasons>;

/** Tells why near-duplicates differ (VER-5) by their whole texts. One that cannot be read is reported and counts as different. */
export function createReasons(collection: Collection, session: ReportedDocuments) {
  const { documents } = collection;
  const read = createReader(collection, session);
  const known = new Map<number, Marks | null>();
  const reasonFor = (a: number, b: number): Reason | null => {
    const [left, right] = [known.get(a), known.get(b)];
    return left && right ? reasonOf(left, right) : 'words';
  };
  return {
    async read(a: number, b: number): Promise<Reason | null> {
      for await (const { document, outcome } of read(
        'extract',
        [a, b].filter((each) => !known.has(each)),
      )) {
        const { place, tokens } = documents[document]!;
        if (outcome.kind === 'failed') await session.report.add(failed(place, outcome.failure));
        known.set(document, outcome.kind === 'done' ? viewMarks(marksOf(outcome.result.text, tokens ?? 0), 0) : null);
      }
      return reasonFor(a, b);
    },
    /** The marks of a document; null if it could not be read, undefined if it was not. */
    marksOf: (document: number): Marks | null | undefined => known.get(document),
    release: (): void => known.clear(),
  };
}
