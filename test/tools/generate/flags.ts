/** A flag of vectors: the bug that vectors with it look for, and what the bug does. */
interface Flag {
  readonly name: string;
  readonly kind: string;
  readonly effect: string;
}

const rows: Readonly<Record<string, readonly [kind: string, effect: string]>> = {
  AboveRange: [
    'UTF-8 forms above 10FFFF, or of five and six octets, are decoded or replaced as one',
    'another number of U+FFFD, or a text that other libraries refuse',
  ],
  Alphabetic: [
    'the property Alphabetic is taken for the class letter',
    'circled letters and some marks join words that they should split',
  ],
  AsciiOnly: [
    'letters or digits outside ASCII are not known as such',
    'texts in other scripts lose their words, or have no fingerprint at all',
  ],
  Base32Alphabet: [
    'another alphabet of base32: base32hex, Crockford, z-base-32',
    'strings that others refuse, or read as another fingerprint',
  ],
  BitOrder: ['bits are counted from the wrong end', 'every fingerprint and every key is another'],
  BlockOrder: [
    'blocks are numbered from the least significant one, or tables by j before i',
    'two systems mean different tables, and find nothing in those of each other',
  ],
  Bom: [
    'a byte order mark is kept, dropped twice, or dropped where it is not at the start',
    'a first word with an unseen code point in it, or text that is lost',
  ],
  Boundary: [
    'less than is taken for less than or equal',
    'entries at exactly the distance that was asked for are missed, or ones too far off are listed',
  ],
  ByteOrder: ['octets are read as big-endian words, or written in the order of the machine', 'every hash is another'],
  CaseFolded: [
    'letters are turned into small ones or case-folded',
    'most fingerprints are others; in Turkish the result depends on the locale',
  ],
  CaseSensitive: ['locators or names are matched in small letters alone', 'locators written in capitals become tokens'],
  ChunkBorder: [
    'a text that is read in parts is treated wrongly where a sequence, a syllable, a locator or a token is cut',
    'fingerprints depend on the size of buffers',
  ],
  Collation: [
    'identifiers are ordered by a locale, as numbers, or without regard to case',
    'two systems with the same entries give different lists',
  ],
  CompositionExclusion: [
    'letters that NFC takes apart for good are composed, or left as they are',
    'words in Hindi, Hebrew and other languages hash to something else',
  ],
  DrawNumber: [
    'a draw of another number: rounds or words begin elsewhere',
    'every fingerprint of minhash-doc is another, or words 1 to 3 are',
  ],
  DrawOrder: [
    'draws are compared by a part of their bits',
    'in some texts a bit is another, though hardly ever in a test',
  ],
  Deduplicated: ['each token is counted once', 'most fingerprints of longer texts are others'],
  DigitsStripped: ['digits are removed from tokens, or end them', 'alphanumerics such as H2O hash to something else'],
  Emoji: ['emoji, their modifiers or flags are taken for word characters', 'tokens that should not be there'],
  EmptyBin: [
    'a number that draws have, such as 0 or the largest, stands for an empty bin',
    'in rare texts a bit is another',
  ],
  EmptyAsZero: [
    'a text without tokens gets a fingerprint, most often 0',
    'all documents without text are duplicates of one another',
  ],
  EmptyInput: ['lookup3 mixes where there is no octet', 'another hash of the empty string'],
  EnclosingMark: ['enclosing marks (Me) are taken for word characters', 'tokens with them are not split'],
  EncodedSurrogate: [
    'surrogates are decoded from UTF-8, or astral letters are encoded as two of them (CESU-8)',
    'words with astral letters hash to something else',
  ],
  EncodingSniffed: [
    'the encoding of octets is guessed, or taken from a mark of UTF-16',
    'the same octets have different fingerprints in different programs',
  ],
  EqualFingerprints: [
    'of several documents with one fingerprint only one is kept',
    'exact duplicates are the ones that are not found',
  ],
  ErrorOrder: ['of two faults the second is reported', 'the code that a caller acts on is another'],
  FloatingPoint: ['64-bit numbers go through a double', 'the lowest bits of fingerprints are lost'],
  HalvesSwapped: [
    'the two results of lookup3 are joined the other way round',
    'every fingerprint has its halves exchanged, as in a library that the proposal names',
  ],
  Hangul: [
    'Hangul syllables are not composed from jamo, or wrongly',
    'Korean texts from different systems have different fingerprints',
  ],
  HtmlAttributes: ['values of attributes are taken as text', 'words that no reader sees'],
  HtmlBlock: ['block elements do not separate words', 'the last word of a paragraph and the first of the next are one'],
  HtmlBreak: [
    'line breaks, list items or cells do not separate words, or wbr and soft hyphens do',
    'words of different cells are one, or one word is two',
  ],
  HtmlCharset: [
    'the encoding of a page is found in another order, or windows-1252 is read as Latin-1',
    'letters outside ASCII are others, or split words',
  ],
  HtmlHidden: ['elements with the attribute hidden are taken as text', 'words that no reader sees'],
  HtmlInline: ['inline elements separate words', 'a word with an emphasised letter becomes several'],
  HtmlReference: ['character references are not decoded, or decoded twice', 'names of references become words'],
  HtmlSkipped: [
    'scripts, styles, comments, readings of ruby annotations and the like are taken as text, or too much is left out',
    'words that no reader sees, or words of a reader that are missed',
  ],
  HtmlStyles: ['style attributes are looked at', 'what counts as text depends on a half of a browser'],
  HtmlTree: [
    'tags are cut out by patterns and not parsed as the HTML Standard says',
    'markup or words are lost or added where a page is not well-formed',
  ],
  IdOrder: ['matches at one distance are in another order', 'two systems with the same entries give different lists'],
  Ignorable: [
    'ignorable code points split words, stay in them, or are known only in part',
    'words with soft hyphens, joiners or variation selectors hash to something else',
  ],
  IllFormed: [
    'ill-formed octets are dropped, or replaced in another number',
    'words on both sides are joined or hash to something else',
  ],
  InitialValue: ['lookup3 starts from another value than 0', 'every hash is another'],
  InvalidInput: ['input that has to be refused is taken, or refused with another code', 'wrong data go on unseen'],
  KeyWidth: ['keys of 32 or another number of bits', 'keys that others cannot look up'],
  LabelCase: ['labels are compared with regard to case', 'labelled strings in capitals are refused'],
  LabelIgnored: [
    'a label is not needed, not looked at, or guessed',
    'fingerprints of different schemes are compared with each other',
  ],
  LabelRegistry: ['a label that is not registered is taken', 'fingerprints of a variant are compared with bare ones'],
  LabelSyntax: ['malformed labels are taken', 'one set of variants has several labels'],
  LastTokenLost: ['the token that the end of the text ends is lost', 'texts without a final line end lose a word'],
  LeadingZeros: [
    'leading zeros of hexadecimal forms or of halves are dropped',
    'one hash in sixteen or more is another; strings are too short',
  ],
  LengthLimit: ['tokens that are short or long are dropped or cut', 'fingerprints of some texts are others'],
  LengthTerm: [
    'the length does not enter the hash, is cut to 8 or 16 bits, or counts characters',
    'all hashes are others, or those of long tokens',
  ],
  LetterCase: ['small letters of base32 are refused or written', 'strings of others are refused'],
  LetterNumber: ['letter-like numbers (Nl) are taken for word characters', 'tokens with Roman numerals are not split'],
  ListedTwice: ['an entry that several tables find is listed several times', 'answers hold duplicates'],
  LocatorBorder: [
    'a locator may start behind a letter or digit, or may not start behind another code point (\\b of an engine)',
    'words are lost, or pieces of locators become tokens',
  ],
  LocatorCharacters: [
    'other characters belong to an address, or fewer',
    'pieces of addresses become tokens, or words behind them are lost',
  ],
  LocatorDigest: [
    'digests are not stripped, or words and shorter runs are',
    'digests become tokens, or words are lost',
  ],
  LocatorDoi: ['bare DOIs are not stripped, or other numbers are', 'pieces of DOIs become tokens, or words are lost'],
  LocatorEmail: [
    'e-mail addresses are not stripped, or by another pattern',
    'names and hosts become tokens, or words are lost',
  ],
  LocatorGreedy: [
    'a match ends too early or too late: trailing punctuation, brackets, a match inside a match',
    'pieces of locators become tokens, or words behind them are lost',
  ],
  LocatorOrder: ['forms are tried in another order, or the longest of all wins', 'matches end at another place'],
  LocatorPreceding: [
    'behind a match the preceding code point is taken to be the space that replaces it',
    'a second match where there is none',
  ],
  LocatorPrefix: ['a prefix is missing, or needs another form', 'identifiers become tokens'],
  LocatorReplacement: [
    'a match is deleted, or replaced by something other than one space',
    'the words on both sides of a locator are joined',
  ],
  LocatorRescanned: ['what a match leaves is scanned again', 'a second match where there is none'],
  LocatorScheme: [
    'addresses with a scheme are not stripped, or only those of a list',
    'pieces of addresses become tokens',
  ],
  LocatorTooWide: ['host names, times or words with a colon are stripped', 'words are lost'],
  LocatorUuid: ['UUIDs are not stripped, or only those of some versions', 'pieces of UUIDs become tokens'],
  LocatorWww: ['addresses that begin with www are not stripped', 'pieces of addresses become tokens'],
  LoneSurrogate: [
    'lone surrogates are kept, dropped, or split a pair behind them',
    'words on both sides are joined, or programs fail where the text is encoded',
  ],
  LongInput: [
    'a limit of length, of a stack or of time',
    'long documents fail, or are fingerprinted in part without a word about it',
  ],
  LookAhead: [
    'what may not follow a UUID or a digest is not looked at, is consumed, or is tested with \\b or \\w',
    'words are lost, or identifiers become tokens',
  ],
  LookAlike: ['characters that look alike are taken for one another', 'a typing error becomes a wrong fingerprint'],
  Majority: [
    'counters are compared with another threshold, or start from another value',
    'every fingerprint is another',
  ],
  MarkAtBorder: ['a token has to begin or end with a letter', 'marks and digits are cut off from tokens'],
  MarkClass: ['non-spacing marks split words', 'words in Arabic, Hebrew, Thai and others are cut into pieces'],
  MarksStripped: ['accents are removed', 'words that differ in accents become one'],
  MarkupStripped: ['what looks like markup is removed from plain text', 'words between less-than signs are lost'],
  MissingNfc: [
    'texts are not normalised',
    'texts from different systems, one with composed letters and one without, have different fingerprints',
  ],
  MissingTable: ['a table is missing or cut in another way', 'some entries within the distance are not found'],
  NarrowCounter: ['counters of 8 or 16 bits overflow', 'fingerprints of long documents are others'],
  NewerUnicode: [
    'classes are taken from a later version of Unicode than 12.0, or NFC runs before the replacement',
    'texts with new characters have different fingerprints in different years',
  ],
  Nfd: ['texts are put in NFD', 'every word with an accent hashes to something else'],
  Nfkc: ['texts are put in NFKC or NFKD', 'ligatures, full-width letters and numbers in circles become others'],
  Noncharacter: ['noncharacters are refused, dropped or kept', 'texts with them fail or have other fingerprints'],
  NulEndsText: ['U+0000 ends a text or a token', 'the rest of the document is lost'],
  NumbersKept: ['plain numbers are tokens', 'page numbers, dates and tables move fingerprints'],
  NumericDistance: ['fingerprints are compared as numbers', 'near ones are taken for far ones and the other way round'],
  OlderUnicode: [
    'classes or normalisation are those of an earlier version of Unicode than 12.0',
    'texts with characters that were new in it have other fingerprints',
  ],
  OrderMatters: [
    'tokens are combined with their neighbours, or weighted by their place',
    'every fingerprint is another',
  ],
  OtherNumber: [
    'other numbers (No), such as superscripts, are taken for word characters',
    'tokens with footnote marks hash to something else',
  ],
  Overlong: ['overlong forms of UTF-8 are decoded, or replaced as one', 'another number of U+FFFD, and a known risk'],
  OwnEntry: ["the query's own entry is left out", 'answers differ between systems'],
  Pairs: [
    'bg1: a token is cut into something else than overlapping pairs, or in other places',
    'fingerprints that others do not get; or those of the bare scheme under another label',
  ],
  PairScripts: [
    'bg1: letters of a script are joined or not, against the table',
    'other fingerprints for texts in that script',
  ],
  Padding: [
    'padding is written, demanded, or taken in any number',
    'strings of others are refused, or have two spellings',
  ],
  PermutedRest: [
    'the bits behind the key are in another order',
    'tables cannot be shared, and fingerprints cannot be got back from them',
  ],
  Popcount: ['differing bits are counted in 32 bits, or by a wrong constant', 'distances are wrong for some pairs'],
  ProbeSet: ['too few keys are probed', 'entries within the distance are missed without a sign'],
  Punctuation: ['punctuation or symbols are part of tokens', 'words beside punctuation hash to something else'],
  QuadraticTime: ['marks are sorted, or locators searched, in quadratic time', 'a short document stops a service'],
  RangeEnds: [
    'the end of a range of code points is wrong by one, or ranges that data files give by their ends hold these alone',
    'some letters are taken for unassigned ones',
  ],
  Reordering: ['marks are not put in the order of their classes', 'one word with two marks has two hashes'],
  RepeatedNfc: [
    'NFC is applied again after step 4, or in steps that are given normalised text',
    'marks join what they should not',
  ],
  RuleOrder: [
    'NFC runs before unassigned code points are replaced and ignorable ones deleted, or locators before NFC',
    'words with them hash to something else',
  ],
  RuntimeWord: ["an engine's \\w or \\b stands for a class", 'results depend on the engine and on its version'],
  Segmenter: [
    'a word segmenter is used: UAX #29, a dictionary, changes of case or script',
    'tokens are others, in Chinese, Japanese and Thai all of them',
  ],
  SignedOctets: [
    'octets of 80 and above are read as negative numbers',
    'every token outside ASCII hashes to something else',
  ],
  SignedWords: [
    'words of 32 or 64 bits are taken as signed: shifts repeat the sign, halves are negative',
    'about half of all hashes or fingerprints are others',
  ],
  Singleton: ['code points that NFC replaces by one other are left', 'words with them have two hashes'],
  SpacingMark: [
    'spacing marks (Mc) are taken for word characters',
    'tokens in Hindi, Tamil, Burmese and other languages are others',
  ],
  SpareBit: ['the last bit of the last character is not looked at', 'every fingerprint has two spellings'],
  Rounds: [
    'another draw wins a bin: of a later round, of fewer rounds, or the largest',
    'fingerprints of minhash-doc that others do not get, above all of short texts',
  ],
  Repeated: ['a token that is repeated counts again', 'fingerprints of minhash-doc that others do not get'],
  StopWords: ['frequent words are dropped', 'fingerprints of another scheme under the label of the bare one'],
  StreamSafe: [
    'long runs of marks are cut or ordered in pieces (Stream-Safe Text Format)',
    'texts with such runs have other fingerprints',
  ],
  StringLength: ['strings of another length are taken', 'wrong data become fingerprints'],
  SubBlockOrder: ['sub-blocks are cut or numbered in another way', 'two systems mean different tables'],
  TailLength: [
    'the last 1 to 12 octets of a token are added wrongly, or a last block of 12 is mixed',
    'tokens of some lengths hash to something else',
  ],
  Threshold: [
    'a verdict at exactly 1 or 6 of 64 bits, or 5 or 25 of 256, is wrong',
    'matches are lost or added at the border',
  ],
  TieToOne: ['a counter of 0 gives a bit 1', 'short documents have other fingerprints'],
  SplitMix: [
    'SplitMix64 with another constant, shift or order of its steps',
    'every fingerprint of minhash-doc is another',
  ],
  Truncation: [
    'a fingerprint of 256 bits is cut at its end, or as a string',
    'the fingerprint of minhash-doc that others have is not found',
  ],
  Truncated: ['a sequence that is cut is dropped, or replaced once for each octet', 'another number of U+FFFD'],
  UnassignedAsControl: [
    'unassigned code points are taken for control characters, as some libraries say',
    'they stay in the text, or are not told from breaks',
  ],
  UnassignedKept: [
    'unassigned code points are kept or deleted',
    'the result of step 3 depends on the version of Unicode',
  ],
  Unchecked: [
    'candidates of a table are listed without a check of their distance',
    'far entries are taken for near ones',
  ],
  Underscore: [
    'underscores and their like split words, or make a token alone',
    'identifiers in technical texts are others',
  ],
  UnicodeCase: [
    'letters outside ASCII fold to ASCII ones: long s, kelvin sign, dotted and dotless i',
    'strings are taken, or text is stripped, in one engine and not in another',
  ],
  UnicodeDigits: [
    'digits outside ASCII are taken for 0 to 9',
    'strings are taken, or text is stripped, in some engines',
  ],
  UnicodeLetters: [
    'letters outside ASCII are taken for letters of step 4',
    'locators beside them are not stripped, or words are lost',
  ],
  Utf16Units: [
    '16-bit units are hashed, counted or compared in place of octets or code points',
    'every token is another, or those with astral letters are',
  ],
  Weighted: ['occurrences have weights', 'every fingerprint is another'],
  WhiteSpace: [
    'white space is trimmed or taken where it has to be refused, or some of it does not separate',
    'wrong strings are taken; words are joined',
  ],
  WideLookup: [
    'a lookup of 256 bits compares all words, other words, or the whole',
    'near documents are missed, or far ones are listed',
  ],
  WideString: [
    'a string of 256 bits is read or written as several of 64, or with another padding',
    'strings that others refuse, or read as another fingerprint',
  ],
  WordOrder: ['the words of a fingerprint are in another order, or made alike', 'fingerprints that others do not get'],
  WordOverflow: ['sums are not taken modulo 2^32', 'hashes of longer tokens are others'],
  ZeroAsEmpty: ['64 bits 0 are taken for no fingerprint', 'a document that has this fingerprint is lost'],
  ZeroWidthSpace: [
    'U+200B is deleted with the ignorable code points',
    'words in Khmer and Thai that it separates are joined',
  ],
};

/** All flags, by their names. */
export const flags: readonly Flag[] = Object.entries(rows)
  .map(([name, [kind, effect]]) => ({ name, kind, effect }))
  .sort((x, y) => (x.name < y.name ? -1 : 1));
