/** A list of numbers in pages: unlike an array that doubles, it is never copied, and at most one page is unused. */
export interface PagedList {
  readonly length: number;
  push(value: number): void;
  get(index: number): number;
  set(index: number, value: number): void;
  /** Empties the list and gives its memory back. */
  release(): void;
}

/** Numbers in a page: a power of two. */
const PAGE = 1 << 16;
const SHIFT = 16;

type Page = Uint8Array | Uint32Array | Float64Array;

type PageType = Uint8ArrayConstructor | Uint32ArrayConstructor | Float64ArrayConstructor;

/** Makes an empty list of numbers of a type. */
export function createPagedList(Type: PageType): PagedList {
  const pages: Page[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === pages.length * PAGE) pages.push(new Type(PAGE));
      pages[length >>> SHIFT]![length & (PAGE - 1)] = value;
      length++;
    },
    get: (index) => pages[index >>> SHIFT]![index & (PAGE - 1)]!,
    set(index, value) {
      pages[index >>> SHIFT]![index & (PAGE - 1)] = value;
    },
    release() {
      pages.length = 0;
      length = 0;
    },
  };
}
