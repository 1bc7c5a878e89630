import { formatNumber, pluralize } from '../../../common/text.ts';
import type { Found } from '../../../documents/open.ts';
import type { Outcome } from '../../../documents/outcome.ts';
import type { Passed } from '../../../documents/session.ts';
import type { Hashed } from '../../../documents/workers/work.ts';
import { type Loss, lossesOf } from '../../../extract/result.ts';
import type { Fingerprint } from '../../../index.ts';
import { NOT_DOCUMENTS } from '../../report.ts';
import type { Session } from '../../session.ts';
import { warn } from '../../terminal/output.ts';
import { createShortCount } from '../hash/short.ts';
import type { RecordEntry, Records, Undocumented } from './records.ts';

export interface IndexItem<T> {
  readonly value: T;
  /** The memory that the item takes, in bytes. */
  readonly bytes: number;
  /** The number of the item, from 1. */
  readonly number: number;
  /** The record of the item, null for an item without one, or the failure to find it. */
  readonly record: RecordEntry | { readonly failure: string } | null;
}

export interface EnrichContext {
  /** The name of the index in messages. */
  readonly input: string;
  readonly records: Records;
  readonly session: Session;
}

/** An item on its way through the workers. */
interface Waiting<T> extends IndexItem<T> {
  /** Undefined if there is a document, whose outcome comes before this. */
  readonly undocumented: Undocumented | undefined;
}

/** Reads the records of an index, several at a time, and yields every item in its order with its fingerprint, or null. */
export async function* addFingerprints<T>(
  items: AsyncIterable<IndexItem<T>>,
  context: EnrichContext,
): AsyncGenerator<
  { readonly value: T; readonly fingerprint: Fingerprint | null; readonly losses: readonly Loss[] },
  undefined
> {
  const tally = createTally(context);
  let outcome: Outcome<Hashed> | undefined;
  for await (const item of context.session.run('hash', sourcesOf(items, context.records))) {
    if ('passed' in item) {
      const { value, number, undocumented } = item.passed as Waiting<T>;
      const fingerprint = await tally.settle(number, outcome ?? undocumented);
      const losses = lossesOf(outcome?.warnings ?? []);
      outcome = undefined;
      yield { value, fingerprint, losses };
    } else outcome = item;
  }
  tally.report();
  return undefined;
}

/** Opens the document of each item, if it has one, and passes the item on after it. */
async function* sourcesOf<T>(
  items: AsyncIterable<IndexItem<T>>,
  records: Records,
): AsyncGenerator<Found | Outcome<never> | Passed, undefined> {
  for await (const item of items) {
    const { record, bytes } = item;
    let undocumented: Undocumented | undefined;
    if (record !== null && 'failure' in record) undocumented = record;
    else if (record !== null) {
      const read = await records.read(record);
      if ('skipped' in read || 'failure' in read) undocumented = read;
      else yield read;
    }
    const passed: Waiting<T> = { ...item, undocumented };
    yield { passed, bytes };
  }
  return undefined;
}

/** The maximum number of WARC files that are reported one by one because they cannot be read. */
const MAX_REPORTED = 1000;

/** Counts items, and reports those that failed. */
function createTally({ input, session: { report } }: EnrichContext) {
  const skipped = new Map<string, number>();
  const reported = new Set<string>();
  const short = createShortCount();
  let [count, failed] = [0, 0];

  function skip(reason: string): null {
    skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    return null;
  }

  function fail(number: number, failure: string, isFile: boolean): null {
    failed++;
    if (isFile && (reported.has(failure) || reported.size === MAX_REPORTED)) return null;
    if (isFile) reported.add(failure);
    report.fail(`${input}: line ${number}`, failure);
    return null;
  }

  return {
    /** Counts an item and returns its fingerprint, or null. An item without a record has no outcome. */
    async settle(number: number, outcome: Outcome<Hashed> | Undocumented | undefined): Promise<Fingerprint | null> {
      count++;
      if (outcome === undefined) return null;
      if ('skipped' in outcome) return skip(outcome.skipped);
      if ('failure' in outcome) return fail(number, outcome.failure, outcome.isFile === true);
      const { result } = outcome;
      const reason = 'failure' in result ? NOT_DOCUMENTS.get(result.failure.code) : undefined;
      if (reason !== undefined) return skip(reason);
      const hashed = await report.add({ ...outcome, path: `${input}: line ${number}: ${outcome.path}` });
      if (hashed === null) failed++;
      else short.add(outcome, hashed.tokens);
      return hashed?.fingerprint ?? null;
    },
    report(): void {
      if (skipped.size > 0) report.noteSkipped({ path: input, skipped });
      short.warn();
      if (failed > 1) warn(`${input}: ${formatNumber(failed)} of ${pluralize(count, 'line')} failed`);
    },
  };
}
