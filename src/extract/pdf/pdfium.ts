import type { Functions } from '@embedpdf/pdfium';
import { extractionError } from '../errors.ts';

/** The functions of PDFium. Pointers, handles and truth values are numbers; 0 is none. */
type Calls = { readonly [Name in keyof Functions]: (...values: Numbers<Functions[Name][0]>) => number };
type Numbers<T extends readonly unknown[]> = { [At in keyof T]: number };

/** An instance of PDFium. */
export interface Pdfium extends Calls {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** The allocations that are left, with one more for every 64 bytes; PDFium traps when it becomes negative. */
  readonly work: { value: number };
  malloc(size: number): number;
  free(pointer: number): void;
}

/** The imports of the code that Emscripten makes of C++. */
interface Runtime extends Pdfium {
  readonly __indirect_function_table: { get(index: number): (...args: number[]) => number };
  __wasm_call_ctors(): void;
  setThrew(threw: number, value: number): void;
  emscripten_stack_get_current(): number;
  _emscripten_stack_restore(pointer: number): void;
}

interface WebAssemblyModule {
  readonly [kind: symbol]: unknown;
}

/** The part of WebAssembly that is used; the library set of this project has no types for it. */
declare const WebAssembly: {
  compile(bytes: BufferSource): Promise<WebAssemblyModule>;
  instantiate(module: WebAssemblyModule, imports: object): Promise<{ readonly exports: Runtime }>;
  readonly Module: { imports(module: WebAssemblyModule): readonly { readonly name: string }[] };
};

type BufferSource = Uint8Array<ArrayBuffer>;

/** The maximum number of bytes of memory for PDFium: this number, and more for a larger document. */
const [MIN_MEMORY, MEMORY_PER_BYTE, MAX_MEMORY] = [2 ** 28, 64, 2 ** 30];
/** The maximum number of allocations for a document (see `work`). Honest documents take about two for each of their bytes. */
const [MIN_WORK, WORK_PER_BYTE, MAX_WORK] = [2 ** 24, 64, 2 ** 31 - 1];
/** An instance whose memory grew beyond this is not used again: memory of WebAssembly never shrinks. */
const MAX_KEPT = 2 ** 26;
const MEMORY_PAGE = 2 ** 16;

/** Error numbers of WASI and of Linux: there are no files, no clock and no environment. */
const [BAD_FILE, NO_SUCH_CALL] = [8, -52];

const memoryLimits = new WeakMap<Pdfium['memory'], number>();

/** Sets the work for a document of `size` bytes, and its memory: a quarter after each instance that ran out of it. */
export function setBudget(
  { memory, work }: Pdfium,
  size: number,
  { exhausted, work: left }: { readonly exhausted: number; readonly work: number | undefined },
): void {
  memoryLimits.set(memory, Math.min(MAX_MEMORY, MIN_MEMORY + MEMORY_PER_BYTE * size) / 4 ** exhausted);
  work.value = left ?? Math.min(MAX_WORK, MIN_WORK + WORK_PER_BYTE * size);
}

let compiled: Promise<WebAssemblyModule> | undefined;
let idle: Pdfium | undefined;

/** Instances that broke down: their memory is no longer valid. */
const broken = new WeakSet<Pdfium>();

/** Runs a task, which frees what it allocates, with an instance of PDFium of its own. */
export async function withPdfium<T>(task: (pdfium: Pdfium) => Promise<T>): Promise<T> {
  const own = idle;
  idle = undefined;
  const pdfium = own ?? (await instantiate());
  try {
    return await task(pdfium);
  } finally {
    if (!isBroken(pdfium) && pdfium.memory.buffer.byteLength <= MAX_KEPT) idle = pdfium;
  }
}

/** Calls PDFium. If that throws, by a trap or for lack of memory, the instance is not used again. */
export function guard<T>(pdfium: Pdfium, call: () => T): T {
  try {
    return call();
  } catch (error) {
    broken.add(pdfium);
    throw pdfium.work.value < 0
      ? extractionError('too-large', 'draws too much for its size (possible bomb)', error)
      : error;
  }
}

export function isBroken(pdfium: Pdfium): boolean {
  return broken.has(pdfium);
}

async function instantiate(): Promise<Pdfium> {
  try {
    compiled ??= readPdfium().then((bytes) => WebAssembly.compile(bytes));
    const module = await compiled;
    let runtime: Runtime | undefined;
    const imports = makeImports(module, () => runtime!);
    runtime = (await WebAssembly.instantiate(module, { env: imports, wasi_snapshot_preview1: imports })).exports;
    runtime.work.value = MAX_WORK;
    runtime.__wasm_call_ctors();
    runtime.PDFiumExt_Init();
    return runtime;
  } catch (cause) {
    compiled = undefined;
    const { message } = cause as Error;
    throw extractionError(
      'missing-package',
      `PDFium, which reads PDF (dist/extract/pdf/pdfium.wasm.gz), cannot run here: ${message}`,
      cause,
    );
  }
}

/** The functions of Node that are called; Bun and Deno have them also. */
interface Builtins {
  (name: 'node:fs/promises'): { readFile(url: URL): Promise<Uint8Array> };
  (name: 'node:zlib'): { gunzipSync(bytes: Uint8Array): Uint8Array<ArrayBuffer> };
}

async function readPdfium(): Promise<Uint8Array<ArrayBuffer>> {
  const url = new URL('./pdfium.wasm.gz', import.meta.url);
  const builtin = (globalThis as { process?: { getBuiltinModule?: Builtins } }).process?.getBuiltinModule;
  if (url.protocol === 'file:' && builtin !== undefined)
    return builtin('node:zlib').gunzipSync(await builtin('node:fs/promises').readFile(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href}: HTTP status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Some servers send it with `Content-Encoding: gzip`: then fetch has decompressed it.
  if (bytes[0] !== 0x1f) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the imports of PDFium: no files and no clock, so that a document has the same text everywhere. */
function makeImports(module: WebAssemblyModule, runtime: () => Runtime): Record<string, unknown> {
  const jump = new Error('longjmp');
  // Its length is 0 when the memory has grown since.
  let memory = new Uint8Array(0);
  const known: Record<string, (...args: number[]) => number | undefined> = {
    emscripten_resize_heap: (size = 0) => growMemory(runtime().memory, size),
    _emscripten_memcpy_js(to = 0, from = 0, length = 0) {
      if (memory.length === 0) memory = new Uint8Array(runtime().memory.buffer);
      memory.copyWithin(to, from, from + length);
      return undefined;
    },
    environ_sizes_get(count = 0, size = 0) {
      const view = new DataView(runtime().memory.buffer);
      for (const at of [count, size]) view.setUint32(at, 0, true);
      return 0;
    },
    environ_get: () => 0,
    emscripten_date_now: () => 0,
    fd_write: () => BAD_FILE,
    _emscripten_throw_longjmp() {
      throw jump;
    },
    _abort_js() {
      throw new Error('aborted');
    },
    __assert_fail() {
      throw new Error('assertion failed');
    },
  };
  const invoke = (index: number, ...args: number[]): number => {
    const pdfium = runtime();
    const stack = pdfium.emscripten_stack_get_current();
    try {
      return pdfium.__indirect_function_table.get(index)(...args);
    } catch (error) {
      if (error !== jump) throw error;
      pdfium._emscripten_stack_restore(stack);
      pdfium.setThrew(1, 0);
      return 0;
    }
  };
  const entries = WebAssembly.Module.imports(module).map(
    ({ name }) => [name, known[name] ?? (name.startsWith('invoke_') ? invoke : () => NO_SUCH_CALL)] as const,
  );
  return Object.fromEntries(entries);
}

function growMemory(memory: Pdfium['memory'], size: number): number {
  const now = memory.buffer.byteLength;
  const wanted = size >>> 0;
  const limit = memoryLimits.get(memory) ?? MIN_MEMORY;
  if (wanted > limit) {
    const max = Math.floor(limit / 2 ** 20);
    throw extractionError('out-of-memory', `needs more than the ${max} MiB that PDFium may use for its size`);
  }
  // More than requested, so that it seldom grows.
  const next = Math.min(limit, Math.max(wanted, now * 1.25));
  try {
    memory.grow(Math.ceil((next - now) / MEMORY_PAGE));
    return 1;
  } catch (cause) {
    throw extractionError('out-of-memory', 'not enough memory for PDFium', cause);
  }
}

export function withBytes<T>(pdfium: Pdfium, bytes: Uint8Array, use: (pointer: number) => T): T {
  const pointer = pdfium.malloc(Math.max(1, bytes.length));
  try {
    new Uint8Array(pdfium.memory.buffer).set(bytes, pointer);
    return use(pointer);
  } finally {
    pdfium.free(pointer);
  }
}

type WriteText = (buffer: number, size: number) => number;

/** Reads text with its terminator, of one character. The call returns the number of bytes that it needs. */
export function readText(pdfium: Pdfium, call: WriteText, encoding: 'utf-8' | 'utf-16le' = 'utf-16le'): string {
  const size = call(0, 0);
  const length = size - (encoding === 'utf-8' ? 1 : 2);
  if (length <= 0) return '';
  return withBytes(pdfium, new Uint8Array(size), (buffer) => {
    call(buffer, size);
    return new TextDecoder(encoding).decode(new Uint8Array(pdfium.memory.buffer, buffer, length));
  });
}

let view = new DataView(new ArrayBuffer(0));
/** The bytes of the memory, empty after it has grown: a check of the length is faster than one of the buffer. */
let viewed = new Uint8Array(0);
let owner: Pdfium | undefined;

function viewOf(pdfium: Pdfium): DataView {
  if (owner !== pdfium || viewed.length === 0) {
    owner = pdfium;
    view = new DataView(pdfium.memory.buffer);
    viewed = new Uint8Array(view.buffer as ArrayBuffer);
  }
  return view;
}

export function floatAt(pdfium: Pdfium, pointer: number): number {
  return viewOf(pdfium).getFloat32(pointer, true);
}

export function doubleAt(pdfium: Pdfium, pointer: number): number {
  return viewOf(pdfium).getFloat64(pointer, true);
}

export function uint32At(pdfium: Pdfium, pointer: number): number {
  return viewOf(pdfium).getUint32(pointer, true);
}
