import { formatNumber, quote } from '../../common/text.ts';
import type { RandomAccess } from '../../extract/archive/zip.ts';
import type { TableFields } from '../../extract/table/types.ts';
import { documentError } from '../failure.ts';
import { fieldNamesOf } from './format.ts';

/** A row, as far as it is checked. */
interface Checked {
  readonly content: object | { readonly failure: { readonly code: string; readonly isNull?: boolean } };
}

/** The number of rows without the text field after which reading stops, with one message for all. */
const MAX_ROWS = 10_000;

/** Yields the parts of a dataset; throws `no-text` if its first rows, or all, lack the text field. */
export async function* requireTextField<R extends Checked>(
  parts: AsyncIterable<Iterable<R>>,
  { head, access }: { readonly head: Uint8Array; readonly access?: RandomAccess | undefined },
  fields: TableFields | undefined,
): AsyncGenerator<Iterable<R>> {
  // A copy, since reading reuses this memory.
  const start = head.slice();
  const held: R[] = [];
  let isKnown = false;
  const check = async (): Promise<void> => {
    isKnown = true;
    if (!held.some(lacksField)) return;
    const rows = held.length === MAX_ROWS ? `of its first ${formatNumber(MAX_ROWS)} rows has` : 'of its rows has';
    const names = await fieldNamesOf(start, access);
    const list = names.length === 0 ? '' : `: its fields are ${names.join(', ')}`;
    throw documentError('no-text', `none ${rows} text in the field ${quote(fields!.textField)}${list}`);
  };
  for await (const part of parts) {
    if (isKnown) {
      yield part;
      continue;
    }
    const rows = part[Symbol.iterator]();
    for (let next = rows.next(); next.done !== true; next = rows.next()) {
      held.push(next.value);
      if (hasField(next.value)) isKnown = true;
      else if (held.length === MAX_ROWS) await check();
      if (!isKnown) continue;
      yield held.splice(0);
      yield { [Symbol.iterator]: () => rows };
      break;
    }
  }
  if (!isKnown) await check();
  yield held;
}

function hasField({ content }: Checked): boolean {
  return !('failure' in content) || content.failure.isNull === true;
}

function lacksField({ content }: Checked): boolean {
  return 'failure' in content && content.failure.code === 'no-text' && content.failure.isNull !== true;
}
