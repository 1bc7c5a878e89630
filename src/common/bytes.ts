type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array | BigUint64Array;

export function enlarge<T extends Numbers>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array as never);
  return larger;
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Gives access to any part of bytes in memory, as to a file. */
export function accessOfBytes(bytes: Uint8Array) {
  return {
    size: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
  };
}

const { Buffer } = globalThis as {
  Buffer?: {
    from(buffer: ArrayBufferLike, start: number, length: number): { toString(encoding: 'hex' | 'latin1'): string };
  };
};

export function latin1(bytes: Uint8Array): string {
  // Node's own function takes a twentieth of the time.
  if (Buffer !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  let text = '';
  // fromCharCode takes its units as arguments, whose number engines limit.
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 4096) as unknown as number[]);
  return text;
}

export function toHexDigits(bytes: Uint8Array): string {
  if (Buffer !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  return Array.from(bytes, (byte) => hexDigits(byte, 2)).join('');
}

export function hexDigits(value: number | bigint, length: number): string {
  return value.toString(16).padStart(length, '0');
}
