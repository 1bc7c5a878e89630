import { latin1 } from '../../common/octets.ts';

/** The number of bytes that are searched. */
const WINDOW = 1 << 12;

/** A format of text whose markup is not removed. */
interface Source {
  readonly format: string;
  /** Names that decide, whatever the content. */
  readonly name: RegExp;
  /** Characters that such a text may begin with; then its content decides, whatever its name. */
  readonly starts: string;
  /** All that it contains then. */
  readonly content: readonly RegExp[];
}

const SOURCES: readonly Source[] = [
  {
    format: 'LaTeX',
    name: /\.(?:tex|ltx|latex)$/i,
    starts: '\\%',
    content: [/^\\(?:document(?:class|style)|begin|chapter|section)\b/m],
  },
  {
    format: 'reStructuredText',
    name: /\.(?:rst|rest)$/i,
    starts: '.',
    content: [/^\.\. (?:_[^\n:]+:|[a-z-]+::)/],
  },
  { format: 'AsciiDoc', name: /\.(?:adoc|asciidoc)$/i, starts: '=:', content: [/^={1,2} \S/m, /^:[\w-]+:/m] },
  {
    format: 'MediaWiki markup',
    name: /\.(?:wiki|mediawiki|wikitext)$/i,
    starts: "{'[=",
    content: [/^(?:\{\{|'''|\[\[|==)/, /\[\[[^\]\n[]+\]\]/],
  },
  {
    format: 'roff, such as a manual page',
    name: /\.(?:roff|man|mdoc|mom)$/i,
    starts: ".'",
    content: [/^[.'][ \t]{0,9}(?:TH|Dd|SH|so)[ \t]/m],
  },
];

/** The characters that a text of these formats may begin with, where its name does not tell. */
const STARTS: ReadonlySet<number> = new Set(
  [...SOURCES.map(({ starts }) => starts).join('')].map((c) => c.charCodeAt(0)),
);

/**
 * Recognises text that is written in a markup language whose markup is not removed, by its name or its first character.
 * @param octets - the text, or its start
 * @param path - its name or path
 * @returns the name of the language, or null
 */
export function sourceFormatOf(octets: Uint8Array, path = ''): string | null {
  const named = SOURCES.find(({ name }) => name.test(path));
  if (named !== undefined) return named.format;
  if (!STARTS.has(octets[0]!)) return null;
  const head = latin1(octets.subarray(0, WINDOW));
  const found = SOURCES.find(
    ({ starts, content }) => starts.includes(head[0]!) && content.every((each) => each.test(head)),
  );
  return found?.format ?? null;
}

/**
 * Makes a warning about a text in such a language.
 * @returns one warning, or none
 */
export function sourceWarnings(octets: Uint8Array, path?: string): string[] {
  const format = sourceFormatOf(octets, path);
  return format === null ? [] : [`read as plain text, with its markup: ${format}`];
}
