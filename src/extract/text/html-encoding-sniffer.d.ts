// html-encoding-sniffer 6 ships no types; this is the call that this package makes.
declare module 'html-encoding-sniffer' {
  /** Name of the encoding that the HTML Standard's sniffing finds, or `defaultEncoding`. */
  function sniff(bytes: Uint8Array, options: { defaultEncoding: string }): string;
  export = sniff;
}
