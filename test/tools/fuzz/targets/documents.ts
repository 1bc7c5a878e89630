import { gunzipSync, gzipSync } from 'node:zlib';
import { concatenate } from '../../../../src/common/bytes.ts';
import { gunzip, gunzipStream } from '../../../../src/extract/archive/gzip.ts';
import { readTar } from '../../../../src/extract/archive/tar/tar.ts';
import { readWarc } from '../../../../src/extract/archive/warc.ts';
import { type Member, openZip } from '../../../../src/extract/archive/zip.ts';
import { type Extraction, type ExtractionHints, extract, MEDIA } from '../../../../src/extract/index.ts';
import { readMbox } from '../../../../src/extract/mail/mbox.ts';
import { END as TAR_END, member as tarMember } from '../../../extract/archive/tar/member.ts';
import { renderWholeTree } from '../../../extract/html/whole-tree.ts';
import { DOCUMENTS, type Input, isPdf, isZip, type Target } from '../corpus.ts';
import { mutateBytes, mutateMarkup, mutatePackage } from '../mutate.ts';
import { cutAnywhere, type Random, randomOf, seedOf } from '../random.ts';
import { agree, EXTRACTION_CODES, outcomeOf } from './expect.ts';

const LIMITS = { bytes: 1 << 26, inflated: 1 << 26 };

/** Hints that name no type of the documents of the vectors, or a wrong one. */
const HINTS: readonly ExtractionHints[] = [
  ...[{}, {}, {}, {}, { charset: 'auto' }, { charset: 'utf-16le' }, { charset: 'shift_jis' }, { charset: 'x' }],
  ...[{ path: 'a.xht' }, { path: 'a.xml' }, { path: 'a.txt' }, { transportCharset: 'koi8-r' }],
  ...MEDIA.map((type) => ({ type })),
];

async function mutate(bytes: Uint8Array, random: Random): Promise<Uint8Array> {
  if (isZip(bytes)) return random.isOneIn(4) ? mutateBytes(bytes, random) : mutatePackage(bytes, random);
  return isPdf(bytes) || random.isOneIn(3) ? mutateBytes(bytes, random) : mutateMarkup(bytes, random);
}

/** Documents of every medium. */
const extractTarget: Target = {
  async make(random): Promise<Input> {
    const bytes = await mutate(random.choose(DOCUMENTS), random);
    return { bytes: random.isOneIn(10) ? new Uint8Array(gzipSync(bytes)) : bytes, hints: random.choose(HINTS) };
  },
  async check({ bytes, hints = {} }) {
    const read = (copy: Uint8Array): Promise<Extraction | { code: string }> =>
      outcomeOf(EXTRACTION_CODES, () => extract(copy, hints, { limits: LIMITS }));
    const first = await read(bytes);
    if ('text' in first && /\p{Cs}/u.test(first.text)) throw new Error('the text has a lone surrogate');
    // The bytes may be a part of a larger buffer.
    const apart = concatenate([Uint8Array.of(1, 2, 3), bytes, bytes]).subarray(3, 3 + bytes.length);
    agree('extracted twice', await read(apart), first);
  },
};

export { extractTarget as extract };

/** HTML, compared with the whole tree. */
export const html: Target = {
  async make(random) {
    const markup = DOCUMENTS.filter((bytes) => bytes[0] === 0x3c);
    return { bytes: mutateMarkup(mutateMarkup(random.choose(markup), random), random) };
  },
  async check({ bytes }) {
    const hints = { type: 'html', charset: 'utf-8' } as const;
    const found = await outcomeOf(EXTRACTION_CODES, () => extract(bytes, hints, { limits: LIMITS }));
    if ('text' in found) agree('text of the tree', found.text, renderWholeTree(new TextDecoder().decode(bytes)));
  },
};

/** Returns the compared facts of the members of an archive. */
async function membersOf(members: AsyncIterable<Member>): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const { name, hints, content, warnings } of members) {
    if ('failure' in content && !EXTRACTION_CODES.includes(content.failure.code))
      throw new Error(`undocumented code of a member: ${content.failure.code}`);
    found.push({ name, hints, content: 'failure' in content ? content.failure : seedOf(content.bytes), warnings });
  }
  return found;
}

/** Archives of documents. */
export const zip: Target = {
  async make(random) {
    const packages = DOCUMENTS.filter(isZip);
    const bytes = random.choose(packages);
    const changed = random.isOneIn(2) ? await mutatePackage(bytes, random) : bytes;
    return { bytes: mutateBytes(changed, random) };
  },
  async check({ bytes }) {
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw new Error('read outside the file');
      return bytes.slice(offset, offset + length);
    };
    await outcomeOf(EXTRACTION_CODES, async () => {
      const archive = await openZip({ size: bytes.length, read });
      return membersOf(archive.documents({ limits: LIMITS }));
    });
  },
};

function makeWarc(random: Random): Uint8Array {
  const records = Array.from({ length: 1 + random.below(5) }, () => {
    const type = random.choose(['response', 'resource', 'conversion', 'request', 'warcinfo', 'revisit', 'nope']);
    const body = random.choose(DOCUMENTS).subarray(0, random.isOneIn(2) ? undefined : random.below(2000));
    const coded = random.isOneIn(3) ? gzipSync(body) : body;
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n${coded === body ? '' : 'Content-Encoding: gzip\r\n'}\r\n`;
    const block = Buffer.concat(type === 'response' ? [Buffer.from(head), coded] : [coded]);
    const fields = `WARC-Type: ${type}\r\nWARC-Target-URI: http://a.example/${random.below(9)}\r\nWARC-Record-ID: <urn:uuid:${random.below(9)}>`;
    const media = type === 'response' ? 'application/http; msgtype=response' : 'text/html';
    const length = random.isOneIn(8) ? random.below(5000) : block.length;
    const header = `WARC/1.${random.below(2)}\r\n${fields}\r\nContent-Type: ${media}\r\nContent-Length: ${length}\r\n\r\n`;
    const record = Buffer.concat([Buffer.from(header), block, Buffer.from('\r\n\r\n')]);
    return random.isOneIn(2) ? gzipSync(record) : record;
  });
  const bytes = concatenate(random.isOneIn(2) ? records.map((each) => new Uint8Array(gzipSync(each))) : records);
  return random.isOneIn(4) ? bytes : mutateBytes(bytes, random);
}

/** WARC files, whole and in parts. */
export const warc: Target = {
  make: (random) => ({ bytes: makeWarc(random) }),
  async check({ bytes }) {
    const read = (parts: readonly Uint8Array[]) => membersOf(readWarc(parts, { limits: LIMITS }));
    const whole = await read([bytes]);
    agree('members of the file in parts', await read(cutAnywhere(bytes, randomOf(seedOf(bytes)))), whole);
  },
};

/** Tar archives, whole and in parts. */
export const tar: Target = {
  make(random) {
    const members = Array.from({ length: 1 + random.below(5) }, () => {
      const type = random.choose(['0', '0', '0', '1', '2', '5', 'L', 'x', 'S', 'M']);
      const data = type === 'x' ? '16 path=a/b.txt\n' : random.choose(DOCUMENTS).subarray(0, random.below(5000));
      return tarMember({ name: `folder/${random.below(9)}`, type, data });
    });
    const bytes = new Uint8Array(Buffer.concat([...members, TAR_END]));
    return { bytes: random.isOneIn(4) ? bytes : mutateBytes(bytes, random) };
  },
  async check({ bytes }) {
    const read = (parts: readonly Uint8Array[]) => membersOf(readTar(parts, { limits: LIMITS }));
    const whole = await read([bytes]);
    agree('members of the archive in parts', await read(cutAnywhere(bytes, randomOf(seedOf(bytes)))), whole);
  },
};

/** Mailboxes, whole and in parts. */
export const mbox: Target = {
  make(random) {
    const lines = [
      'From a@b Mon Nov 23 10:00:00 2026\n',
      'Message-ID: <a@b>\n',
      '\n',
      '\r\n',
      '>From a\n',
      'Subject: a\n',
    ];
    const list = Array.from({ length: random.below(200) }, () => random.choose(lines));
    const bytes = new Uint8Array(Buffer.from(lines[0]! + list.join('')));
    return { bytes: random.isOneIn(4) ? bytes : mutateBytes(bytes, random) };
  },
  async check({ bytes }) {
    const read = (parts: readonly Uint8Array[]) => membersOf(readMbox(parts, { limits: LIMITS }));
    const whole = await read([bytes]);
    agree('members of the mailbox in parts', await read(cutAnywhere(bytes, randomOf(seedOf(bytes)))), whole);
  },
};

/** gzip, whole, in parts, and compared with zlib. */
export const gzip: Target = {
  make(random) {
    const members = Array.from({ length: 1 + random.below(3) }, () =>
      gzipSync(random.choose(DOCUMENTS).subarray(0, random.below(20_000)), { level: random.below(10) }),
    );
    const bytes = new Uint8Array(Buffer.concat(members));
    return { bytes: random.isOneIn(4) ? bytes : mutateBytes(bytes, random) };
  },
  async check({ bytes }) {
    const whole = await outcomeOf(EXTRACTION_CODES, () => gunzip(bytes, { limits: LIMITS }));
    const inParts = await outcomeOf(EXTRACTION_CODES, async () => {
      const parts: Uint8Array[] = [];
      for await (const part of gunzipStream(cutAnywhere(bytes, randomOf(seedOf(bytes))))) parts.push(part);
      return concatenate(parts);
    });
    agree('gzip in parts', inParts, whole);
    // zlib takes some bytes after the last member for a damaged one, which gzip itself ignores.
    const ofZlib = await outcomeOf(['Z_DATA_ERROR', 'Z_BUF_ERROR'], () => new Uint8Array(gunzipSync(bytes)));
    if (ofZlib instanceof Uint8Array) agree('zlib', 'code' in whole ? whole : new Uint8Array(whole), ofZlib);
  },
};
