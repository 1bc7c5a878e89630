import { documentsInLines, documentsOfRows, type RowDocuments } from '../documents/dataset/row-documents.ts';
import { type Done, type Failed, nameOf } from '../documents/document-outcome.ts';
import type { TaskKind, TaskResults } from '../documents/document-tasks.ts';
import { documentsAt, type Skipped, type Source } from '../documents/documents-at.ts';
import type { Reading } from '../documents/open.ts';
import type { DocumentRunner } from '../documents/run-documents.ts';
import type { FileEntry } from '../documents/walk.ts';
import type { HashPart } from '../fingerprint/token-counts.ts';
import { type Collection, createOccurrences } from './collect.ts';

export interface Reread<T> {
  readonly document: number;
  readonly outcome: Done<T> | Failed;
}

const GONE: Failed = {
  kind: 'failed',
  failure: { code: 'changed', message: 'is no longer in the archive: not compared' },
};

/** An id of an index may be a name that no file can have. */
const NO_PATH = { failure: { code: 'not-found', message: 'no such file or folder' } } as const;

/** Creates a reader that reads each archive once, in the order of the input. A null occurrence is every document of its name. */
export function createReader({ documents }: Collection, { reading, run }: Pick<DocumentRunner, 'reading' | 'run'>) {
  return async function* read<K extends TaskKind>(
    kind: K,
    list: readonly number[],
    part?: HashPart,
  ): AsyncGenerator<Reread<TaskResults[K]>, undefined> {
    const order: number[] = [];
    const gone: number[] = [];
    async function* sources(): AsyncGenerator<Exclude<Source, RowDocuments | Skipped>, undefined> {
      for (const [path, wanted] of groupByPath(list)) {
        const { raw } = documents[wanted.values().next().value!]!.place;
        // These may come several times.
        const anyOf = new Map([...wanted].filter(([, document]) => documents[document]!.occurrence === null));
        const occurrences = createOccurrences();
        const entry = { path, found: true, ...(raw !== undefined && { raw }), ...(path.includes('\0') && NO_PATH) };
        const places = [...wanted.values()].map((document) => documents[document]!.place);
        for await (const source of documentsInLines(entry, places, reading) ?? eachAt(entry, reading)) {
          const place = source.kind === 'document' ? source.place : source;
          const name = nameOf(place);
          const document = takeFrom(wanted, `${occurrences.next(place)} ${name}`) ?? anyOf.get(`null ${name}`);
          if (document !== undefined) {
            wanted.delete(`null ${name}`);
            order.push(document);
            yield source.kind === 'document' ? { ...source, opened: { ...source.opened, part } } : source;
          } else if (source.kind === 'document') await source.opened.close();
          if (wanted.size + anyOf.size === 0) break;
        }
        gone.push(...wanted.values());
      }
    }
    let next = 0;
    for await (const outcome of run(kind, sources())) yield { document: order[next++]!, outcome };
    for (const document of gone) yield { document, outcome: GONE };
  };

  function groupByPath(list: readonly number[]): Map<string, Map<string, number>> {
    const groups = new Map<string, Map<string, number>>();
    for (const document of [...new Set(list)].sort((a, b) => a - b)) {
      const { place, occurrence } = documents[document]!;
      const group = groups.get(place.path) ?? new Map<string, number>();
      groups.set(place.path, group.set(`${occurrence} ${nameOf(place)}`, document));
    }
    return groups;
  }
}

async function* eachAt(
  entry: FileEntry,
  reading: Reading,
): AsyncGenerator<Exclude<Source, RowDocuments | Skipped>, undefined> {
  for await (const source of documentsAt(entry, reading))
    if (source.kind === 'rows') yield* documentsOfRows(source, reading.hints);
    else if (source.kind !== 'skipped') yield source;
  return undefined;
}

function takeFrom<K, V>(map: Map<K, V>, key: K): V | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}
