/** The length of a page: a power of two. */
const PAGE = 1 << 16;
const SHIFT = 16;

type Page = Uint8Array | Uint16Array | Uint32Array | Float64Array;

type PageType = Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor | Float64ArrayConstructor;

/** Makes a list of numbers in pages: unlike an array that doubles, it is never copied, and at most one page is unused. */
export function createPagedList(Type: PageType) {
  const pages: Page[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value: number): void {
      if (length === pages.length * PAGE) pages.push(new Type(PAGE));
      pages[length >>> SHIFT]![length & (PAGE - 1)] = value;
      length++;
    },
    get: (index: number): number => pages[index >>> SHIFT]![index & (PAGE - 1)]!,
    set(index: number, value: number): void {
      pages[index >>> SHIFT]![index & (PAGE - 1)] = value;
    },
    release(): void {
      pages.length = 0;
      length = 0;
    },
  };
}
