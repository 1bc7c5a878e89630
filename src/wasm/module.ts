/** The part of WebAssembly that the kernels use; the core's library set has no types for it. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  readonly Memory: new (descriptor: { initial: number; maximum?: number; shared?: boolean }) => WasmMemory;
}

/** WebAssembly, or undefined if the engine (or its policy) has none. */
export function webAssembly(): Wasm | undefined {
  return (globalThis as { WebAssembly?: Wasm }).WebAssembly;
}

/** The size of a page of WebAssembly memory in bytes. */
export const PAGE_SIZE = 65536;
/** The limit of WebAssembly. */
const MAX_PAGES = 65536;

/**
 * Makes a memory that can grow, for a kernel that was compiled.
 * @returns the memory, or undefined if the engine has too little, or reserves no further address range
 */
export function createMemory(pages: number): WasmMemory | undefined {
  if (pages > MAX_PAGES) return undefined;
  const { Memory } = webAssembly()!;
  try {
    return new Memory({ initial: pages, maximum: MAX_PAGES });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64 as the build writes it; the language has no function for that. */
function fromBase64(text: string): Uint8Array {
  const values = new Uint8Array(128);
  for (let i = 0; i < DIGITS.length; i++) values[DIGITS.charCodeAt(i)] = i;
  const length = (text.length * 3) / 4 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const bytes = new Uint8Array(length);
  for (let i = 0, at = 0; i < text.length; i += 4) {
    const group =
      (values[text.charCodeAt(i)]! << 18) |
      (values[text.charCodeAt(i + 1)]! << 12) |
      (values[text.charCodeAt(i + 2) & 127]! << 6) |
      values[text.charCodeAt(i + 3) & 127]!;
    bytes[at++] = group >> 16;
    if (at < length) bytes[at++] = group >> 8;
    if (at < length) bytes[at++] = group;
  }
  return bytes;
}

/**
 * Compiles a kernel.
 * @param base64 - the module in base64, as the build embeds it
 * @returns the module, or undefined if the engine has no WebAssembly, no SIMD, or forbids compiling
 */
export function compile(base64: string): object | undefined {
  const wasm = webAssembly();
  if (wasm === undefined) return undefined;
  try {
    return new wasm.Module(fromBase64(base64));
  } catch {
    // An engine without SIMD rejects the module as a whole; the plain code does the same work.
    return undefined;
  }
}
