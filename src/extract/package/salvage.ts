import { latin1 } from '../../common/bytes.ts';
import { cutName } from '../../common/text.ts';
import type { ZipContent, ZipEntry } from '../archive/zip-directory.ts';
import { crc32, type Inflated, inflateStart, inflateWhole } from '../archive/zlib.ts';
import type { ExtractionErrorCode } from '../errors.ts';

export type PackageMember = Pick<ZipEntry, 'name' | 'isFolder' | 'isEncrypted' | 'read'>;

export interface LocalPackageMember extends PackageMember {
  /** Reads all of a damaged member, or up to the last `>` before the damage; returns null without an element, or if too large. */
  salvage(maxOutput: number): Uint8Array | null;
}

const LOCAL_HEADER = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const DIRECTORY_SIGNATURE = 0x02014b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;

/** Size of a data descriptor without its signature: checksum and two sizes. */
const DESCRIPTOR = 12;

/** A size that is in the Zip64 extra field. */
const IN_ZIP64 = 0xffffffff;

/** Size of the first block of a member that is cut off, in which an element has to begin. */
const PROBE = 1 << 16;

interface LocalMember {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly data: Uint8Array;
  readonly checksum: number | null;
  readonly isCutOff: boolean;
}

/** Reads members by their local headers (APPNOTE 4.3.7) in linear time. One without a size ends at the next header. */
export function salvage(bytes: Uint8Array, maxMembers: number) {
  const members: LocalPackageMember[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let isCutOff = true;
  for (let at = findSignature(view, 0, isHeader); at >= 0 && members.length < maxMembers; ) {
    if (view.getUint32(at, true) === DIRECTORY_SIGNATURE) isCutOff = false;
    const local = isCutOff ? readLocal(bytes, view, at) : null;
    if (local === null) break;
    if (!local.isCutOff || beginsElement(local)) members.push(toMember(local));
    if (local.isCutOff) break;
    at = findSignature(view, local.data.byteOffset + local.data.length - bytes.byteOffset, isHeader);
  }
  return { members, isCutOff };
}

function isHeader(signature: number): boolean {
  return signature === LOCAL_SIGNATURE || signature === DIRECTORY_SIGNATURE;
}

function findSignature(view: DataView, from: number, isWanted: (signature: number, at: number) => boolean): number {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let at = bytes.indexOf(0x50, from); at >= 0 && at + 4 <= bytes.length; at = bytes.indexOf(0x50, at + 1))
    if (bytes[at + 1] === 0x4b && isWanted(view.getUint32(at, true), at)) return at;
  return -1;
}

function readLocal(bytes: Uint8Array, view: DataView, at: number): LocalMember | null {
  if (at + LOCAL_HEADER > bytes.length) return null;
  const nameEnd = at + LOCAL_HEADER + view.getUint16(at + 26, true);
  const start = nameEnd + view.getUint16(at + 28, true);
  if (start > bytes.length) return null;
  const flags = view.getUint16(at + 6, true);
  const name = cutName(new TextDecoder().decode(bytes.subarray(at + LOCAL_HEADER, nameEnd)));
  const common = { name, flags, method: view.getUint16(at + 8, true) };
  const size = sizeOf(view, at, nameEnd, start);
  if ((flags & 8) !== 0 && size === 0) return { ...common, ...readToDescriptor(bytes, view, start) };
  const data = bytes.subarray(start, start + size);
  const checksum = (flags & 8) === 0 ? view.getUint32(at + 14, true) : null;
  return { ...common, data, checksum, isCutOff: start + size > bytes.length };
}

function sizeOf(view: DataView, at: number, extraStart: number, extraEnd: number): number {
  const size = view.getUint32(at + 18, true);
  if (size !== IN_ZIP64) return size;
  for (let field = extraStart; field + 4 <= extraEnd; field += 4 + view.getUint16(field + 2, true))
    if (view.getUint16(field, true) === 1 && field + 20 <= extraEnd) return Number(view.getBigUint64(field + 12, true));
  return size;
}

/** Finds the end of data of unknown size: its descriptor, with or without a signature, or the next header. */
function readToDescriptor(bytes: Uint8Array, view: DataView, start: number) {
  const end = findSignature(view, start, (signature, at) =>
    signature === DESCRIPTOR_SIGNATURE ? fitsDescriptor(view, at + 4, at - start) : isHeader(signature),
  );
  if (end < 0) return { data: bytes.subarray(start), checksum: null, isCutOff: true };
  const isSigned = view.getUint32(end, true) === DESCRIPTOR_SIGNATURE;
  const dataEnd = isSigned ? end : end - DESCRIPTOR;
  const descriptor = isSigned ? end + 4 : dataEnd;
  if (!isSigned && (dataEnd < start || !fitsDescriptor(view, descriptor, dataEnd - start)))
    return { data: bytes.subarray(start, end), checksum: null, isCutOff: false };
  return { data: bytes.subarray(start, dataEnd), checksum: view.getUint32(descriptor, true), isCutOff: false };
}

/** Tests whether a data descriptor names this compressed size; so does the first half of one of Zip64. */
function fitsDescriptor(view: DataView, at: number, size: number): boolean {
  return at + 8 <= view.byteLength && view.getUint32(at + 4, true) === size;
}

/** Tests whether the start of a member that is cut off has an element; `mimetype` and images do not. */
function beginsElement({ method, data }: LocalMember): boolean {
  const start = method === 0 ? data.subarray(0, PROBE) : inflateStart(data, PROBE);
  return /<[A-Za-z_][^<>]*>/.test(latin1(start));
}

function toMember(local: LocalMember): LocalPackageMember {
  const { name, flags } = local;
  return {
    name,
    isFolder: name.endsWith('/'),
    isEncrypted: (flags & 1) !== 0,
    read: async (maxOutput) => readContent(local, maxOutput),
    salvage: (maxOutput) => salvageContent(local, maxOutput),
  };
}

function readContent(local: LocalMember, maxOutput: number): ZipContent {
  const { method, checksum, isCutOff } = local;
  if (method !== 0 && method !== 8)
    return failure('unsupported-media-type', 'is compressed with an unsupported method');
  const content = inflate(local, maxOutput);
  if ('output' in content) {
    if (checksum !== null && !isCutOff && crc32(content.output) !== checksum)
      return failure('damaged', 'is damaged: checksum mismatch');
    return { bytes: isCutOff ? toLastTag(content.output) : content.output };
  }
  if (content.failure === 'too-large') return failure('too-large', 'is too large');
  return isCutOff ? { bytes: toLastTag(content.start) } : failure('damaged', `is damaged: ${content.damage}`);
}

function salvageContent(local: LocalMember, maxOutput: number): Uint8Array | null {
  if (!beginsElement(local)) return null;
  const content = inflate(local, maxOutput);
  if ('output' in content) return content.output;
  return content.failure === 'too-large' ? null : toLastTag(content.start);
}

function failure(code: ExtractionErrorCode, message: string): ZipContent {
  return { failure: { code, message } };
}

function inflate({ method, data }: LocalMember, maxOutput: number): Inflated {
  if (method !== 0) return inflateWhole(data, maxOutput);
  return data.length > maxOutput ? { failure: 'too-large' } : { output: data, read: data.length };
}

function toLastTag(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.lastIndexOf(0x3e) + 1);
}
