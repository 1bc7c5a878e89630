export type LineReader = ReturnType<typeof createLineReader>;

/** Bytes of an unfinished line that are read for a message. */
const MAX_REST = 1024;

/**
 * Makes a reader of lines that end with LF. `onTooLong` is called when an unfinished line exceeds the limit; its bytes are
 * dropped.
 */
export function createLineReader(limit: () => number, onLine: (line: Buffer) => void, onTooLong: () => void) {
  let parts: Buffer[] = [];
  let held = 0;
  const take = (): Buffer => {
    const line = Buffer.concat(parts);
    parts = [];
    held = 0;
    return line;
  };
  return {
    push(chunk: Buffer): void {
      let from = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
        parts.push(chunk.subarray(from, end));
        from = end + 1;
        onLine(take());
      }
      if (from === chunk.length) return;
      parts.push(chunk.subarray(from));
      held += chunk.length - from;
      if (held <= limit()) return;
      take();
      onTooLong();
    },
    /** The start of the unfinished line. */
    rest: (): string => Buffer.concat(parts).subarray(0, MAX_REST).toString('utf8'),
  };
}
