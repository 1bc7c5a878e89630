/** One member for {@link member}; size and checksum can be lies. */
export interface Raw {
  readonly name: string | Uint8Array;
  readonly data?: string | Uint8Array;
  readonly type?: string;
  /** The field of the size, if it is not the length of the data. */
  readonly size?: string | Uint8Array;
  readonly prefix?: string;
  readonly magic?: string;
  /** The number to add to the checksum. */
  readonly error?: number;
  readonly isContinued?: boolean;
  readonly isSigned?: boolean;
}

/** The mark at the end of an archive. */
export const END = Buffer.alloc(1024);

function padded(data: Uint8Array): Buffer {
  return Buffer.concat([data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

/** Makes a member of a tar archive. */
export function member({
  name,
  data = '',
  type = '0',
  size,
  prefix = '',
  magic = 'ustar\x0000',
  ...more
}: Raw): Buffer {
  const content = Buffer.from(data as string);
  const header = Buffer.alloc(512);
  Buffer.from(name as string).copy(header, 0, 0, 100);
  Buffer.from((size ?? `${content.length.toString(8).padStart(11, '0')}\0`) as string).copy(header, 124);
  header.write(type, 156, 'latin1');
  header.write(magic, 257, 'latin1');
  header.write(prefix, 345);
  if (more.isContinued) header[482] = 1;
  const values = Array.from(more.isSigned ? new Int8Array(header) : header);
  const sum = values.reduce((total, value) => total + value, 8 * 0x20) + (more.error ?? 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([header, padded(content)]);
}
