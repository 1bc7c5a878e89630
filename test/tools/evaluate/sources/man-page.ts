/** Requests of man(7), mdoc(7) and groff whose arguments are text. */
const TEXT_REQUESTS =
  /^[.'](?:S[HSmB]|B[IR]?|I[BRP]?|R[BI]|S[MB]|TP|TQ|Nm|Nd|Ar|Fl|Pa|Xr|Dq|Sq|Em|Sy|Li|Cm|Ic|Op|It|Sh|Ss)\b/;

const CHARACTERS: Readonly<Record<string, string>> = {
  aq: "'",
  dq: '"',
  oq: '‘',
  cq: '’',
  lq: '“',
  rq: '”',
  en: '–',
  em: '—',
};

/** Returns the text of a manual page, approximately as displayed: without comments, requests and escapes. */
export function textOfManPage(source: string): string {
  const lines = source
    .replace(/\\\n/g, '')
    .split('\n')
    .flatMap((line) => {
      if (!/^[.']/.test(line)) return [line];
      return TEXT_REQUESTS.test(line) ? [line.replace(/^\S+\s*/, '').replaceAll('"', '')] : [];
    });
  return lines.map(unescapeLine).join('\n');
}

function unescapeLine(line: string): string {
  return line
    .replace(/\\".*$/, '')
    .replace(
      /\\\*?\((..)|\\\*?\[([^\]]*)\]/g,
      (_, short?: string, long?: string) => CHARACTERS[(short ?? long)!] ?? ' ',
    )
    .replace(/\\f(?:\((?:..)|\[[^\]]*\]|.)/g, '')
    .replace(/\\[smvh](?:'[^']*'|[-+]?\d)/g, '')
    .replace(/\\[&%|^/,:)]/g, '')
    .replace(/\\([-'`e.~ 0])/g, (_, one: string) => (one === '-' ? '-' : ' '));
}
