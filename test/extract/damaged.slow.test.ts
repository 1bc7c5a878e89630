import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concatenate } from '../../src/common/bytes.ts';
import { gunzip, gunzipStream } from '../../src/extract/archive/gzip.ts';
import { readTar } from '../../src/extract/archive/tar/tar.ts';
import { readWarc } from '../../src/extract/archive/warc.ts';
import { type Member, openZip } from '../../src/extract/archive/zip.ts';
import { EXTRACTION_CODES } from '../../src/extract/errors.ts';
import { type ExtractionHints, extract, MEDIA } from '../../src/extract/index.ts';
import { readMbox } from '../../src/extract/mail/mbox.ts';
import { forAllAsync, runs } from '../suite.ts';
import { END as TAR_END, member as tarMember } from './archive/tar/member.ts';
import { renderWholeTree } from './html/whole-tree.ts';
import { packageOf } from './package/package-of.ts';

const LIMITS = { bytes: 1 << 26, inflated: 1 << 26 };
/** The codes that bytes alone can cause. */
const CODES: readonly string[] = EXTRACTION_CODES.filter(
  (code) => !['timeout', 'out-of-memory', 'missing-package'].includes(code),
);

/** Returns the result of a call, or the code of its error if that is one of those. Any other error is thrown. */
async function outcomeOf<T>(call: () => T | Promise<T>, codes = CODES): Promise<T | { code: string }> {
  try {
    return await call();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== undefined && codes.includes(code)) return { code };
    throw error;
  }
}

/** The documents of the vectors of extraction. */
const DOCUMENTS = ['extract-media', 'extract-html'].flatMap((group): Uint8Array[] => {
  type Vector = { readonly input: { readonly base64?: string; readonly utf8?: string } };
  const { vectors } = JSON.parse(readFileSync(`vectors/${group}.json`, 'utf8')) as { vectors: Vector[] };
  return vectors.flatMap(({ input: { base64, utf8 } }) =>
    base64 === undefined && utf8 === undefined
      ? []
      : [new Uint8Array(Buffer.from((base64 ?? utf8)!, base64 === undefined ? 'hex' : 'base64'))],
  );
});
const startsWith = (start: string) => (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').startsWith(start);
const isZip = startsWith('PK');
const isPdf = startsWith('%P');

/** The members of the packages, by the package. */
const PACKAGES = await Promise.all(
  DOCUMENTS.filter(isZip).map(async (bytes) => {
    const entries = await new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false }).getEntries();
    const files = entries.flatMap((entry) => ('getData' in entry && entry.getData !== undefined ? [entry] : []));
    return Promise.all(
      files.map(async (entry) => [entry.filename, await entry.getData!(new Uint8ArrayWriter(), {})] as const),
    );
  }),
);

/** Bytes at which parsers decide: signs of markup, lengths, escapes, ends of ranges. */
const TELLING = [0, 1, 0x0a, 0x0d, 0x1b, 0x20, 0x22, 0x26, 0x2f, 0x3c, 0x3e, 0x50, 0x7f, 0x80, 0xc3, 0xed, 0xf4, 0xff];

/** Pieces of markup in which parsers differ. */
const PIECES =
  '<b>|</b>|<p>|</p>|<table>|</table>|<tr>|<td>|<a>|</a>|<i hidden>|<svg>|</svg>|<math>|<template>|</template>|<select>|' +
  '<pre>|\n|<br/>|<!--|-->|<![CDATA[|]]>|<?x |?>|&amp|&#0;|&#x110000;|&nope;|<!DOCTYPE x [<!ENTITY e "&e;">]>|<w:p>|</w:p>|' +
  '<w:t>|<w:del>|<text:p>|<text:note>|<draw:frame>| xml:space="preserve"| hidden| xmlns="x"|\ufeff|\ud83d\ude00';

const place = fc.nat(2 ** 31 - 1);

/** Changes a few bytes or ranges of one of some documents. */
const damaged = (source: fc.Arbitrary<Uint8Array>, minLength = 1): fc.Arbitrary<Uint8Array> => {
  const length = fc.oneof({ weight: 3, arbitrary: fc.nat(8) }, fc.nat(2000));
  const byte = fc.oneof(fc.constantFrom(...TELLING), fc.nat(255));
  const kind = fc.constantFrom('remove', 'repeat', 'insert', 'reverse', 'set', 'set', 'set', 'cut' as const);
  const changes = fc.array(fc.record({ place, length, byte, kind }), { minLength, maxLength: 20 });
  return fc.tuple(source, changes).map(([bytes, all]) =>
    all.reduce((changed, { place: any, length: count, byte: value, kind: change }) => {
      const at = any % (changed.length + 1);
      const [before, range, after] = [changed.slice(0, at), changed.slice(at, at + count), changed.slice(at + count)];
      if (change === 'remove') return concatenate([before, after]);
      if (change === 'repeat') return concatenate([before, range, range, after]);
      if (change === 'insert') return concatenate([before, Uint8Array.of(value), range, after]);
      if (change === 'reverse') return concatenate([before, range.reverse(), after]);
      return change === 'cut' ? before : concatenate([before, Uint8Array.of(value), changed.slice(at + 1)]);
    }, bytes),
  );
};

/** Inserts, repeats and removes tags and pieces of markup. */
const damagedMarkup = (source: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> => {
  const times = fc.oneof({ weight: 19, arbitrary: fc.constant(1) }, fc.constant(3000));
  const kind = fc.constantFrom('remove', 'copy', 'repeat', 'insert', 'append' as const);
  const change = fc.record({ place, other: place, piece: fc.constantFrom(...PIECES.split('|')), times, kind });
  return fc.tuple(source, fc.array(change, { minLength: 1, maxLength: 8 })).map(([bytes, all]) => {
    const parts = new TextDecoder().decode(bytes).match(/<[^>]*>?|[^<]+/g) ?? [];
    for (const { place: any, other, piece, times: count, kind: what } of all) {
      const at = any % (parts.length + 1);
      if (what === 'remove') parts.splice(at, 1 + (other % 3));
      else if (what === 'copy') parts.splice(at, 0, parts[other % (parts.length || 1)] ?? '');
      else if (what === 'repeat') parts.splice(at, 0, ...parts.slice(at, at + 3));
      else if (what === 'insert') parts.splice(at, 0, piece.repeat(count));
      else parts[at] = `${parts[at] ?? ''}${piece}`;
    }
    return new TextEncoder().encode(parts.join(''));
  });
};

/** Packages whose members are damaged, missing, renamed or compressed twice. */
const damagedPackage: fc.Arbitrary<() => Promise<Uint8Array>> = fc.constantFrom(...PACKAGES).chain((members) =>
  fc
    .tuple(
      fc.subarray([...members], { minLength: Math.max(0, members.length - 1) }),
      fc.nat(members.length - 1).chain((at) => {
        const [name, content] = members[at]!;
        const changed = fc.oneof(
          { weight: 4, arbitrary: damagedMarkup(fc.constant(content)) },
          { weight: 2, arbitrary: damaged(fc.constant(content)) },
          fc.constant(new Uint8Array(gzipSync(content))),
        );
        return fc.tuple(fc.constantFrom(name, name, name, `${name}/${name}`, `x${name}`), changed);
      }),
      fc.constantFrom(0, 6),
    )
    .map(
      ([kept, changed, level]) =>
        () =>
          packageOf(Object.fromEntries([...kept, changed]), level),
    ),
);

const document = fc.constantFrom(...DOCUMENTS);
const flat = DOCUMENTS.filter((bytes) => !isZip(bytes));
const anyDamage: fc.Arbitrary<() => Promise<Uint8Array>> = fc.oneof(
  ...[damaged(document), damagedMarkup(fc.constantFrom(...flat.filter((bytes) => !isPdf(bytes))))].map((bytes) =>
    bytes.map((made) => async () => made),
  ),
  damagedPackage,
);

/** Cuts bytes anywhere, into up to nine pieces, some of them empty. */
const cuts = fc.array(place, { maxLength: 8 });
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = places.map((any) => any % (bytes.length + 1)).sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.slice(i === 0 ? 0 : ends[i - 1], end));
}

/** Hints that name no type of the documents of the vectors, or a wrong one. */
const HINTS: readonly ExtractionHints[] = [
  ...[{}, {}, {}, {}, { charset: 'auto' }, { charset: 'utf-16le' }, { charset: 'shift_jis' }, { charset: 'x' }],
  ...[{ path: 'a.xht' }, { path: 'a.xml' }, { path: 'a.txt' }, { transportCharset: 'koi8-r' }],
  ...MEDIA.map((type) => ({ type })),
];

test('damaged documents of every medium give the same text twice, or a documented error', async () => {
  const input = fc.tuple(anyDamage, fc.constantFrom(...HINTS), fc.nat(9));
  await forAllAsync([input], runs(400), async ([make, hints, tenth]) => {
    const made = await make();
    const bytes = tenth === 0 ? new Uint8Array(gzipSync(made)) : made;
    const read = (copy: Uint8Array) => outcomeOf(() => extract(copy, hints, { limits: LIMITS }));
    const first = await read(bytes);
    if ('text' in first) expect(first.text).not.toMatch(/\p{Cs}/u);
    // The bytes may be a part of a larger buffer.
    const apart = concatenate([Uint8Array.of(1, 2, 3), bytes, bytes]).subarray(3, 3 + bytes.length);
    expect(await read(apart)).toEqual(first);
  });
});

test('the text of damaged HTML is that of the whole tree', async () => {
  // A tree without declarative shadow roots (HTM-8), which are read in another order.
  const isLight = (bytes: Uint8Array): boolean => !Buffer.from(bytes).includes('shadowrootmode');
  const markup = damagedMarkup(damagedMarkup(fc.constantFrom(...flat.filter(startsWith('<')).filter(isLight))));
  await forAllAsync([markup], runs(200), async (bytes) => {
    const found = await outcomeOf(() => extract(bytes, { type: 'html', charset: 'utf-8' }, { limits: LIMITS }));
    if ('text' in found) expect(found.text).toBe(renderWholeTree(new TextDecoder().decode(bytes)));
  });
});

/** Returns the compared facts of the members of an archive. */
async function membersOf(members: AsyncIterable<Member>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const { name, hints, content, warnings } of members) {
    if ('failure' in content) expect(CODES).toContain(content.failure.code);
    found.push({ name, hints, content: 'failure' in content ? content.failure : Buffer.from(content.bytes), warnings });
  }
  return found;
}

test('damaged ZIP archives are read inside their bounds, with documented errors', async () => {
  const zip = fc.oneof(
    damagedPackage,
    damaged(fc.constantFrom(...DOCUMENTS.filter(isZip))).map((bytes) => async () => bytes),
  );
  await forAllAsync([zip], runs(200), async (make) => {
    const bytes = await make();
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw new Error('read outside the file');
      return bytes.slice(offset, offset + length);
    };
    await outcomeOf(async () => membersOf((await openZip({ size: bytes.length, read })).documents({ limits: LIMITS })));
  });
});

const part = fc.tuple(document, fc.nat(5000)).map(([bytes, end]) => bytes.subarray(0, end));

const warcRecord = fc
  .record({
    type: fc.constantFrom('response', 'resource', 'conversion', 'request', 'warcinfo', 'revisit', 'nope'),
    body: fc.oneof(document, part),
    id: fc.nat(9),
    isCoded: fc.boolean(),
    isCompressed: fc.boolean(),
    wrongLength: fc.option(fc.nat(5000), { freq: 8 }).map((length) => length ?? undefined),
  })
  .map(({ type, body, id, isCoded, isCompressed, wrongLength }) => {
    const coded = isCoded ? gzipSync(body) : body;
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n${isCoded ? 'Content-Encoding: gzip\r\n' : ''}\r\n`;
    const block = Buffer.concat(type === 'response' ? [Buffer.from(head), coded] : [coded]);
    const media = type === 'response' ? 'application/http; msgtype=response' : 'text/html';
    const fields = `WARC-Type: ${type}\r\nWARC-Target-URI: http://a.example/${id}\r\nWARC-Record-ID: <urn:uuid:${id}>`;
    const length = `Content-Type: ${media}\r\nContent-Length: ${wrongLength ?? block.length}`;
    const record = Buffer.concat([
      Buffer.from(`WARC/1.1\r\n${fields}\r\n${length}\r\n\r\n`),
      block,
      Buffer.from('\r\n\r\n'),
    ]);
    return isCompressed ? gzipSync(record) : record;
  });

const tarEntry = fc
  .tuple(fc.constantFrom('0', '0', '0', '1', '2', '5', 'L', 'x', 'S', 'M'), fc.nat(9), part)
  .map(([type, name, data]) =>
    tarMember({ name: `folder/${name}`, type, data: type === 'x' ? '16 path=a/b.txt\n' : data }),
  );

const FROM = 'From a@b Mon Nov 23 10:00:00 2026\n';
const mboxLine = fc.constantFrom(FROM, 'Message-ID: <a@b>\n', '\n', '\r\n', '>From a\n', 'Subject: a\n');

const several = (record: fc.Arbitrary<Uint8Array>) => fc.array(record, { minLength: 1, maxLength: 5 });

test.each([
  ['WARC', readWarc, several(warcRecord).map(concatenate)],
  ['tar', readTar, several(tarEntry).map((members) => concatenate([...members, TAR_END]))],
  ['mbox', readMbox, fc.array(mboxLine, { maxLength: 200 }).map((lines) => Buffer.from(FROM + lines.join('')))],
] as const)('damaged %s archives have the same members in parts', async (_name, read, source) => {
  await forAllAsync([fc.tuple(damaged(source, 0), cuts)], runs(200), async ([bytes, places]) => {
    const whole = await membersOf(read([bytes], { limits: LIMITS }));
    expect(await membersOf(read(cutAt(bytes, places), { limits: LIMITS }))).toEqual(whole);
  });
});

test('damaged gzip is the same in parts, and with zlib', async () => {
  const source = several(fc.tuple(part, fc.nat(9)).map(([bytes, level]) => gzipSync(bytes, { level }))).map(
    concatenate,
  );
  await forAllAsync([fc.tuple(damaged(source, 0), cuts)], runs(200), async ([bytes, places]) => {
    const whole = await outcomeOf(async () => Buffer.from(await gunzip(bytes, { limits: LIMITS })));
    const inParts = await outcomeOf(async () => {
      const parts: Uint8Array[] = [];
      for await (const each of gunzipStream(cutAt(bytes, places))) parts.push(each);
      return Buffer.concat(parts);
    });
    expect(inParts).toEqual(whole);
    // zlib takes some bytes after the last member for a damaged one, which gzip itself ignores.
    const ofZlib = await outcomeOf(() => gunzipSync(bytes), ['Z_DATA_ERROR', 'Z_BUF_ERROR']);
    if (ofZlib instanceof Uint8Array) expect(whole).toEqual(ofZlib);
  });
});
