import { formatNumber } from '../../common/text.ts';
import { printable, warn } from '../terminal/output.ts';
import { type MemberSource, membersOf, type Skipped } from './archive.ts';
import { type ArchiveFound, failed, type Outcome } from './document.ts';
import { failureOf } from './failure.ts';
import { type Opened, open } from './open.ts';
import { inOrder, type Pool } from './pool.ts';
import { STDIN } from './walk.ts';

/**
 * Works on documents, and on those in archives among them, and gives what became of each, in their order.
 * @param sources - the documents
 * @param work - the work on one; never rejects
 * @param pool - whose hints and counters are used
 * @param window - the most documents that are begun at a time
 */
export async function* outcomesOf<T>(
  sources: Iterable<MemberSource> | AsyncIterable<MemberSource | Outcome<never>>,
  work: (source: MemberSource) => Promise<Outcome<T> | ArchiveFound>,
  pool: Pool,
  window: number,
): AsyncGenerator<Outcome<T>> {
  type Step = { readonly source: MemberSource; readonly size?: number; readonly done?: Outcome<T> | ArchiveFound };
  const begin = async (source: MemberSource | Outcome<never>): Promise<Step> => {
    if ('result' in source) return { source: { path: source.path, found: true }, done: source };
    // A stream is opened once, when its turn comes.
    if (source.path === STDIN && source.octets === undefined && source.opened === undefined) return { source };
    // The octets may be another thread's when it is done.
    const size = source.octets?.length;
    return { source, ...(size !== undefined && { size }), done: await work(source) };
  };
  const octetsOf = (source: MemberSource | Outcome<never>): number =>
    'result' in source ? 0 : (source.octets?.length ?? 0);

  for await (const { source, size, done } of inOrder(sources, begin, window, octetsOf)) {
    if (done === undefined) {
      let opened: Opened | undefined;
      try {
        const { charset, type, limits } = pool.hints;
        opened = await open(source, { charset, type }, limits, pool.read);
        yield* outcomesOf([{ ...source, opened }], work, pool, 1);
      } catch (error) {
        yield failed(source, failureOf(error));
      } finally {
        await opened?.close();
      }
    } else if ('archive' in done) {
      const members = membersOf(source, done.archive, pool.hints, pool.read, (skipped) => tell(source.path, skipped));
      let some = false;
      for await (const outcome of outcomesOf(members, work, pool, window)) {
        some = true;
        yield outcome;
      }
      if (!some) yield failed(source, { code: 'no-documents', message: `holds no document (${done.archive})` });
    } else if (source.member === undefined) yield done;
    else {
      const warnings = [...(source.warnings ?? []), ...done.warnings];
      yield { ...done, member: source.member, warnings, ...(size !== undefined && { size }) };
    }
  }
}

/** Tells what was passed over in an archive, the most frequent reason first. */
function tell(path: string, skipped: Skipped): void {
  const reasons = [...skipped].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const list = reasons.map(([reason, count]) => `${formatNumber(count)} ${printable(reason)}`).join(', ');
  warn(`${printable(path)}: passed over: ${list}`);
}
