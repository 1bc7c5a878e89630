import { latin1 } from '../../../common/bytes.ts';
import type { Stream } from './find-streams.ts';

/** The maximum number of bytes of a character map, compressed and as it is. */
const [MAX_COMPRESSED, MAX_MAP] = [2 ** 17, 2 ** 19];
/** The maximum number of bytes of all maps of a document together: later ones stay as they are. */
const MAX_TOTAL = 2 ** 26;
const HEAD = 512;
const MAP_HEAD = /\/CIDInit\b|\bbegincmap\b/;

export interface MapFaults {
  total: number;
  readonly maps: CharacterMap[];
}

interface CharacterMap {
  readonly text: string;
  readonly isCompressed: boolean;
  readonly start: number;
  readonly length: number;
}

/** Notes a map that PDFium would read in part: wrong numbers of entries, or ranges that differ in more than a byte. */
export function noteMapFaults(faults: MapFaults, stream: Stream): void {
  if (faults.total > MAX_TOTAL) return;
  const map = readMap(stream);
  faults.total += map?.text.length ?? 0;
  const text = map === null || faults.total > MAX_TOTAL ? null : mendMap(map.text);
  if (text !== null) faults.maps.push({ ...map!, text });
}

/** Mends character maps in a copy, in which all objects stay in place. Returns the same bytes if nothing is mended. */
export async function mendCharacterMaps(bytes: Uint8Array, { maps }: MapFaults): Promise<Uint8Array> {
  let mended = bytes;
  for (const { text, isCompressed, start, length } of maps) {
    const plain = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const written = isCompressed ? (await import('./deflate.ts')).deflate(plain) : plain;
    if (written.length > length) continue;
    if (mended === bytes) mended = new Uint8Array(bytes);
    mended.set(written, start);
    // Nothing reads what follows the end of a compressed stream, or white space.
    mended.fill(isCompressed ? 0 : 0x20, start + written.length, start + length);
  }
  return mended;
}

function readMap({ start, content, isZlib, dictionary, inflate }: Stream): CharacterMap | null {
  if (content.length > (isZlib ? MAX_COMPRESSED : MAX_MAP)) return null;
  const isMap = (bytes: Uint8Array): boolean => MAP_HEAD.test(latin1(bytes.subarray(0, HEAD)));
  if (!isZlib && !isMap(content)) return null;
  const isOther = /\/Subtype\b|\/Type\s*\/(?!CMap\b)|\/DecodeParms\b|\/DP\b/.test(dictionary);
  const filters = dictionary.match(/\/(?:Fl|FlateDecode|\w+Decode|LZW|A85|AHx|RL|Crypt)\b/g)?.join('') ?? '';
  if (isOther || !(isZlib ? /^\/Fl(?:ateDecode)?$/ : /^$/).test(filters)) return null;
  if (!isZlib) return { text: latin1(content), isCompressed: false, start, length: content.length };
  const inflated = inflate(MAX_MAP);
  if (inflated === null || inflated.output.length > MAX_MAP || !isMap(inflated.output)) return null;
  return { text: latin1(inflated.output), isCompressed: true, start, length: inflated.read };
}

const SECTION = /(?<!\d)(\d{1,9})\s{1,9}beginbf(char|range)\b/g;
const BASE = /-UCS2\b|\busecmap\b/;

/** Mends a map, which gets shorter: PDFium reads only sections and the name of a base. Null if it is correct. */
function mendMap(map: string): string | null {
  const sections: { readonly kind: string; readonly entries: readonly Entry[] }[] = [];
  let at = 0;
  let isMended = false;
  for (const { 0: whole, 1: count, 2: kind, index } of map.matchAll(SECTION)) {
    // A nested section.
    if (index < at) continue;
    const start = index + whole.length;
    const end = map.indexOf(`endbf${kind}`, start);
    if (end < 0) break;
    const tokens = map.slice(start, end).match(/[^\s<>[\]]+|<[^<>]*>|[[\]]/g) ?? [];
    const entries = kind === 'char' ? readPairs(tokens) : readRanges(tokens);
    if (entries === null) return null;
    isMended ||= entries.length !== Number(count);
    sections.push({ kind: kind!, entries });
    at = end;
  }
  const wide = sections.flatMap(({ entries }) => entries.filter(isWide));
  if (!isMended && wide.length === 0) return null;
  const named = wide.length === 0 ? new Set<number>() : namedCodes(sections.flatMap(({ entries }) => entries));
  const parts = sections.map(({ kind, entries }) => {
    const rows =
      wide.length === 0 ? entries : entries.flatMap((entry) => (isWide(entry) ? splitRange(entry, named) : [entry]));
    return `${rows.length} beginbf${kind}${rows.map(writeEntry).join('')}endbf${kind}`;
  });
  return [BASE.test(map) ? map.slice(0, map.search(SECTION)) : 'begincmap', ...parts, 'endcmap'].join(' ');
}

/** One code or the first and last of a range, then what they mean: a string in hexadecimal digits, or one for each. */
type Entry = readonly (string | readonly string[])[];

function writeEntry(entry: Entry): string {
  return entry.map((part) => (typeof part === 'string' ? part : `[${part.join('')}]`)).join('');
}

function isString(token: string | undefined): token is string {
  return token !== undefined && /^<[\da-f\s]*>$/i.test(token);
}

function readPairs(tokens: readonly string[]): Entry[] | null {
  if (tokens.length % 2 !== 0 || !tokens.every(isString)) return null;
  return Array.from({ length: tokens.length / 2 }, (_, index) => tokens.slice(2 * index, 2 * index + 2));
}

function readRanges(tokens: readonly string[]): Entry[] | null {
  const entries: Entry[] = [];
  for (let at = 0; at < tokens.length; ) {
    const [low, high, meaning] = tokens.slice(at, at + 3);
    if (!isString(low) || !isString(high)) return null;
    at += 3;
    if (isString(meaning)) entries.push([low, high, meaning]);
    else {
      const end = meaning === '[' ? tokens.indexOf(']', at) : -1;
      const list = tokens.slice(at, Math.max(at, end));
      if (end < 0 || !list.every(isString)) return null;
      entries.push([low, high, list]);
      at = end + 1;
    }
  }
  return entries;
}

function codeOf(token: string): number {
  return Number.parseInt(/^<([\da-f]{4})>$/i.exec(token)?.[1] ?? '', 16);
}

/** A range of more 16-bit codes is one over all of them, which maps none in particular. */
const MAX_RANGE = 0xff00;

/** Tests whether the codes of a range differ in more than their last byte. */
function isWide([low, high, meaning]: Entry): boolean {
  if (meaning === undefined) return false;
  const [first, last] = [codeOf(low as string), codeOf(high as string)];
  return first >> 8 < last >> 8 && last - first < MAX_RANGE;
}

/** Returns the codes that entries other than wide ranges name: these are exact. */
function namedCodes(entries: readonly Entry[]): Set<number> {
  const named = new Set<number>();
  for (const entry of entries) {
    if (isWide(entry)) continue;
    const first = codeOf(entry[0] as string);
    const last = entry.length === 2 ? first : codeOf(entry[1] as string);
    for (let code = first; code <= last && code - first < 0x100; code++) named.add(code);
  }
  return named;
}

/** Splits a range into those whose codes differ in their last byte only, without the codes that are `named`, and names the rest. */
function splitRange([low, high, meaning]: Entry, named: Set<number>): Entry[] {
  const [first, last] = [codeOf(low as string), codeOf(high as string)];
  const parts: Entry[] = [];
  for (let from = first, to = first; from <= last; from = to + 1, to = from) {
    if (named.has(from)) continue;
    named.add(from);
    for (; to < last && (to & 0xff) < 0xff && !named.has(to + 1); to++) named.add(to + 1);
    const part =
      typeof meaning === 'string' ? addTo(meaning, from - first) : meaning!.slice(from - first, to - first + 1);
    if (part !== null && part.length > 0) parts.push([writeCode(from), writeCode(to), part]);
  }
  return parts;
}

function writeCode(code: number): string {
  return `<${code.toString(16).padStart(4, '0')}>`;
}

/** Adds to the last 16-bit unit of a string in hexadecimal digits; null if there is none, or no room. */
function addTo(meaning: string, offset: number): string | null {
  const [, before, last] = /^<(.*?)([\da-f]{1,4})>$/i.exec(meaning.replace(/\s/g, '')) ?? [];
  if (last === undefined) return null;
  const sum = Number.parseInt(last, 16) + offset;
  return sum > 0xffff ? null : `<${before}${sum.toString(16).padStart(last.length, '0')}>`;
}
