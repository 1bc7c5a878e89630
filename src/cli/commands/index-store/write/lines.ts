import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { parseJsonObject } from '../../../../common/lines.ts';
import { STDIN } from '../../../../documents/walk.ts';
import { parseLabel } from '../../../../scheme/labels/label.ts';

const MAX_HEAD = 1 << 20;

export type Lines = ReturnType<typeof openLines>;

/** Opens a file of JSON Lines, or standard input. */
export function openLines(path: string) {
  const fd = path === STDIN ? undefined : openSync(path, 'r');
  const stream = fd === undefined ? process.stdin : createReadStream('', { fd, autoClose: false });
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head: Buffer[] = [];
  let [length, isOver] = [0, false];
  let label: string | undefined;

  async function readHead(): Promise<void> {
    while (label === undefined && !isOver && length < MAX_HEAD) {
      const { value, done } = await parts.next();
      isOver = done === true;
      if (done !== true) length += head.push(Buffer.from(value)) && value.length;
      label = labelIn(Buffer.concat(head).toString(), isOver);
    }
  }

  return {
    path,
    size: fd === undefined ? undefined : fstatSync(fd).size,
    /** Returns the label of the first line that has one; undefined if no line near the beginning has one. */
    async label(): Promise<string | undefined> {
      await readHead();
      return label;
    },
    /** Yields the bytes of the whole file. May be called once. */
    async *bytes(): AsyncGenerator<Uint8Array> {
      yield* head.splice(0);
      for (let next = await parts.next(); next.done !== true; next = await parts.next()) yield next.value;
    },
    close(): void {
      if (fd !== undefined) closeSync(fd);
    },
  };
}

/** Returns the label of the first whole line that has a fingerprint. */
function labelIn(text: string, isWhole: boolean): string | undefined {
  const lines = text.split('\n');
  for (const line of isWhole ? lines : lines.slice(0, -1)) {
    const { label, fingerprint } = parseJsonObject(line.replace(/^\ufeff/, '').trim()) ?? {};
    if (typeof label !== 'string' || typeof fingerprint !== 'string') continue;
    try {
      return parseLabel(label);
    } catch {
      // Importing the line reports it.
    }
  }
  return undefined;
}
