// unicode-properties 1.4.1 ships no types; these are the calls that this package makes.
declare module 'unicode-properties' {
  const unicode: {
    /** General category of a code point; `Cc` also for unassigned ones. */
    getCategory(codePoint: number): string;
    /** Canonical combining class by its long name, `Not_Reordered` for 0. */
    getCombiningClass(codePoint: number): string;
  };
  // biome-ignore lint/style/noDefaultExport: the library has no other export.
  export default unicode;
}
