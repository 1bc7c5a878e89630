/** A response of HTTP, as the block of a WARC record. */
export const httpOf = (type: string, body: string): string => `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n${body}`;

/** A WARC record; fields may replace others, or be left out if they are undefined. */
export function warcRecord(block: string, fields: Readonly<Record<string, string | undefined>> = {}): string {
  const all = {
    'WARC-Type': 'response',
    'WARC-Target-URI': 'http://a.b/',
    'WARC-Date': '2026-01-02T03:04:05Z',
    'Content-Type': 'application/http; msgtype=response',
    'Content-Length': `${Buffer.byteLength(block)}`,
    ...fields,
  };
  const lines = Object.entries(all).map(([name, value]) => (value === undefined ? '' : `${name}: ${value}\r\n`));
  return `WARC/1.1\r\n${lines.join('')}\r\n${block}\r\n\r\n`;
}

/** A WARC file of captures of one URL, each with its date or number. */
export const capturesOf = (texts: readonly string[], dates: readonly string[] = []): string =>
  texts
    .map((text, i) =>
      warcRecord(httpOf('text/plain', text), {
        'WARC-Record-ID': `<urn:x:${i + 1}>`,
        ...(dates[i] !== undefined && { 'WARC-Date': dates[i] }),
      }),
    )
    .join('');
