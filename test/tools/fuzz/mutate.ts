import { gzipSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import { concatenate } from '../../../src/common/bytes.ts';
import { packageOf } from '../../extract/package/package-of.ts';
import type { Random } from './random.ts';

/** Bytes at which parsers decide: signs of markup, lengths, escapes, ends of ranges. */
const TELLING = [0, 1, 0x0a, 0x0d, 0x1b, 0x20, 0x22, 0x26, 0x2f, 0x3c, 0x3e, 0x50, 0x7f, 0x80, 0xc3, 0xed, 0xf4, 0xff];

/** Pieces of markup in which parsers differ. */
const PIECES = [
  ...'<b>|</b>|<p>|</p>|<table>|</table>|<tr>|<td>|<a>|</a>|<i hidden>|<svg>|</svg>|<math>|<template>|</template>'.split(
    '|',
  ),
  ...'<select>|<pre>|\n|<br/>|<!--|-->|<![CDATA[|]]>|<?x |?>|&amp|&#0;|&#x110000;|&nope;|<!DOCTYPE x [<!ENTITY e "&e;">]>'.split(
    '|',
  ),
  ...'<w:p>|</w:p>|<w:t>|<w:del>|<text:p>|<text:note>|<draw:frame>| xml:space="preserve"| hidden| xmlns="x"|\ufeff|\ud83d\ude00'.split(
    '|',
  ),
];

/** Changes a few bytes or ranges. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let changed: Uint8Array = bytes.slice();
  for (let times = 1 + random.below(random.isOneIn(4) ? 20 : 3); times > 0; times--) {
    const at = random.below(changed.length + 1);
    const end = Math.min(changed.length, at + 1 + random.below(random.isOneIn(4) ? 2000 : 8));
    const [before, range, after] = [changed.subarray(0, at), changed.subarray(at, end), changed.subarray(end)];
    const kind = random.below(6);
    if (kind === 0) changed = concatenate([before, after]);
    else if (kind === 1) changed = concatenate([before, range, range, after]);
    else if (kind === 2) changed = concatenate([before, Uint8Array.of(random.choose(TELLING)), range, after]);
    else if (kind === 3) changed = concatenate([before, range.slice().reverse(), after]);
    else if (kind === 4 && random.isOneIn(3)) changed = before.slice();
    else if (at < changed.length) changed[at] = random.isOneIn(2) ? random.choose(TELLING) : random.below(256);
  }
  return changed;
}

/** Inserts, repeats and removes tags and pieces of markup. */
export function mutateMarkup(bytes: Uint8Array, random: Random): Uint8Array {
  const parts = new TextDecoder().decode(bytes).match(/<[^>]*>?|[^<]+/g) ?? [];
  for (let times = 1 + random.below(6); times > 0; times--) {
    const at = random.below(parts.length + 1);
    const kind = random.below(5);
    if (kind === 0) parts.splice(at, 1 + random.below(3));
    else if (kind === 1) parts.splice(at, 0, parts[random.below(parts.length || 1)] ?? '');
    else if (kind === 2) parts.splice(at, 0, ...parts.slice(at, at + 3));
    else if (kind === 3) parts.splice(at, 0, random.choose(PIECES).repeat(random.isOneIn(20) ? 3000 : 1));
    else parts[at] = `${parts[at] ?? ''}${random.choose(PIECES)}`;
  }
  return new TextEncoder().encode(parts.join(''));
}

/** Changes the markup in the members of a ZIP archive, or its members themselves, and packs it again. */
export async function mutatePackage(bytes: Uint8Array, random: Random): Promise<Uint8Array> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false });
  const members: [string, Uint8Array][] = [];
  for (const entry of await reader.getEntries())
    if ('getData' in entry && entry.getData !== undefined)
      members.push([entry.filename, await entry.getData(new Uint8ArrayWriter(), {})]);
  for (let times = 1 + random.below(3); times > 0 && members.length > 0; times--) {
    const at = random.below(members.length);
    const [name, content] = members[at]!;
    const kind = random.below(8);
    if (kind === 0) members.splice(at, 1);
    else if (kind === 1) members.push([random.isOneIn(2) ? `${name}/${name}` : `x${name}`, content]);
    else if (kind === 2) members[at] = [name, gzipSync(content)];
    else members[at] = [name, random.isOneIn(4) ? mutateBytes(content, random) : mutateMarkup(content, random)];
  }
  return packageOf(Object.fromEntries(members), random.below(2) * 6);
}
