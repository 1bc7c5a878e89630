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
function webAssembly(): Wasm | undefined {
  return (globalThis as { WebAssembly?: Wasm }).WebAssembly;
}

export const PAGE_SIZE = 65536;
const MAX_PAGES = 65536;

/** Makes a memory that can grow; undefined if the engine has too little, or reserves no further address range. */
function createMemory(pages: number): WasmMemory | undefined {
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

export function createLoader(base64: string, name: string) {
  let module: object | undefined | null = null;

  /** Tests whether the kernel can run here: an engine without SIMD rejects the module, and some forbid compiling. */
  function canRun(): boolean {
    const wasm = webAssembly();
    if (module === null)
      try {
        module = wasm && new wasm.Module(fromBase64(base64));
      } catch {
        module = undefined;
      }
    return module !== undefined;
  }

  return {
    canRun,
    /** Returns an instance and its memory; undefined if it cannot run here or gets no memory. */
    instantiate(pages: number, imports: object = {}) {
      const memory = canRun() ? createMemory(pages) : undefined;
      if (memory === undefined) return undefined;
      const abort = (): never => {
        throw new Error(`the ${name} kernel aborted`);
      };
      const { exports } = new (webAssembly()!.Instance)(module!, { env: { memory, abort, ...imports } });
      return { exports, memory };
    },
  };
}
