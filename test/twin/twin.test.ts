import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import * as arb from './arbitraries.ts';
import { locatorCases, prefixes } from './locator-cases.ts';
import * as lookup3Values from './lookup3-values.ts';
import * as t from './twin.ts';
import { codePointsOfCategory, generalCategory, isDefaultIgnorable } from './unicode-12.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const code = (run: () => unknown): string => {
  try {
    return `no error but ${String(run())}`;
  } catch (error) {
    return error instanceof t.TwinError ? error.code : String(error);
  }
};

describe('step 1: decode', () => {
  test.each<[why: string, hex: string, text: string]>([
    ['empty', '', ''],
    ['one to four octets', '41 c3a9 e69687 f09f9880', 'A\u00e9\u6587\u{1f600}'],
    [
      'the ends of the lengths',
      '00 7f c280 dfbf e0a080 efbfbf f0908080 f48fbfbf',
      '\0\x7f\x80\u07ff\u0800\uffff\u{10000}\u{10ffff}',
    ],
    ['the neighbours of the surrogates', 'ed9fbf ee8080', '\ud7ff\ue000'],
    ['DEC-1 a mark is dropped', 'efbbbf 41', 'A'],
    ['DEC-1 a mark alone', 'efbbbf', ''],
    ['DEC-1 one mark only', 'efbbbf efbbbf 41', '\ufeffA'],
    ['DEC-1 at the start only', '41 efbbbf', 'A\ufeff'],
    ['DEC-1 half a mark', 'efbb', '\ufffd'],
    ['DEC-1 half a mark and more', 'efbb 41', '\ufffdA'],
    ['DEC-2 a truncated sequence is one', 'f09f98', '\ufffd'],
    ['DEC-2 and what follows is kept', 'f09f98 41', '\ufffdA'],
    ['DEC-2 overlong, two octets', 'c080', '\ufffd\ufffd'],
    ['DEC-2 overlong, two octets', 'c1bf', '\ufffd\ufffd'],
    ['DEC-2 overlong, three octets', 'e08080', '\ufffd\ufffd\ufffd'],
    ['DEC-2 overlong, three octets', 'e09fbf', '\ufffd\ufffd\ufffd'],
    ['DEC-2 overlong, four octets', 'f0808080', '\ufffd\ufffd\ufffd\ufffd'],
    ['DEC-2 overlong, four octets', 'f08fbfbf', '\ufffd\ufffd\ufffd\ufffd'],
    ['DEC-2 an encoded surrogate', 'eda080', '\ufffd\ufffd\ufffd'],
    ['DEC-2 an encoded pair of surrogates', 'eda080 edb080', '\ufffd'.repeat(6)],
    ['DEC-2 beyond the last code point', 'f4908080', '\ufffd\ufffd\ufffd\ufffd'],
    ['DEC-2 five octets', 'f888808080', '\ufffd'.repeat(5)],
    ['DEC-2 lone trail octets', '80 bf', '\ufffd\ufffd'],
    ['DEC-2 a lead and a lead', 'c2 c2 41', '\ufffd\ufffdA'],
    [
      'DEC-2 the example of the Unicode Standard',
      '61 f18080 e180 c2 62 80 63 80 bf 64',
      'a\ufffd\ufffd\ufffdb\ufffdc\ufffd\ufffdd',
    ],
    ['DEC-2 two of three at the end', 'e2 82', '\ufffd'],
    ['DEC-3 a UTF-16 mark', 'fffe 4100', '\ufffd\ufffdA\0'],
    ['DEC-3 a UTF-16 mark', 'feff 0041', '\ufffd\ufffd\0A'],
    ['DEC-3 Latin-1', '63 61 66 e9', 'caf\ufffd'],
  ])('%s: %s', (_why, hex, text) => {
    expect(t.decodeTwin(bytesOf(hex))).toBe(text);
  });

  it('agrees with the platform', () => {
    const platform = new TextDecoder('utf-8');
    fc.assert(
      fc.property(arb.bytes, (bytes) => {
        expect(t.decodeTwin(bytes)).toBe(platform.decode(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test.each<[text: string, wellFormed: string]>([
    ['', ''],
    ['a\ud800', 'a\ufffd'],
    ['\udc00a', '\ufffda'],
    ['\ud800\ud800\udc00\udc00', '\ufffd\u{10000}\ufffd'],
    ['\udc00\ud800', '\ufffd\ufffd'],
    ['\u{10ffff}\ufeff', '\u{10ffff}\ufeff'],
  ])('DEC-4 %j', (text, wellFormed) => {
    expect(t.toWellFormedTwin(text)).toBe(wellFormed);
  });

  it('DEC-4 agrees with the platform', () => {
    const platform = new TextDecoder('utf-8', { ignoreBOM: true });
    fc.assert(
      fc.property(arb.textOrUnits, (text) => {
        expect(t.toWellFormedTwin(text)).toBe(platform.decode(utf8(text)));
      }),
    );
  });
});

describe('step 2: classify', () => {
  it('CLS-2 agrees with the Unicode data, without U+200B', () => {
    const fromData: number[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      if (isDefaultIgnorable(codePoint) && codePoint !== 0x200b) fromData.push(codePoint);
    }
    const fromList = arb.ignorableRanges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => first + i),
    );
    expect(fromData).toEqual(fromList);
    expect(isDefaultIgnorable(0x200b)).toBe(true);
  });

  it('Unicode 12.0 data cover every code point once', () => {
    expect(generalCategory(0x10ffff)).toBe('Cn');
    expect(codePointsOfCategory('Cc')).toEqual([
      ...Array.from({ length: 0x20 }, (_, i) => i),
      ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i),
    ]);
    expect(codePointsOfCategory('Pc')).toEqual([
      0x5f, 0x203f, 0x2040, 0x2054, 0xfe33, 0xfe34, 0xfe4d, 0xfe4e, 0xfe4f, 0xff3f,
    ]);
  });

  test.each<[className: t.ClassName, codePoints: string]>([
    ['letter', '41 7a aa b5 ba 1c5 2b0 5d0 640 3042 30fc 4e00 4db5 9fef ac00 10400'],
    ['letter', '1d400 2a6d6 2f800 1e6b ff21 1100 115e 1161 3131 3163 3165 212a'],
    ['word', '30 39 5f 300 483 660 93c 966 203f ff10 ff3f 302a 1d7ce fe20 1e130'],
    ['break', '0 20 7f 85 a0 2d 2e 200b 2028 2029 2160 3007 b2 bc 2460'],
    ['break', '488 20dd 903 93e 302e 1d165 600 6dd fff9 fffb fffc fffd e000 10fffd 110bd'],
    ['ignorable', 'ad 34f 61c 115f 1160 17b4 180b 180e 200c 200d 2060 2065 3164 fe0f'],
    ['ignorable', 'feff ffa0 fff0 fff8 1bca0 1d173 e0000 e0001 e0100 e0fff'],
    ['unassigned', '378 32ff 20c0 fdd0 fdef fffe ffff 1fffe 10ffff e1000 4db6 9ff0 30000'],
  ])('%s: %s', (className, codePoints) => {
    for (const digits of codePoints.split(' ')) {
      const codePoint = Number.parseInt(digits, 16);
      expect([codePoint, t.classifyTwin(codePoint)]).toEqual([codePoint, className]);
    }
  });

  it('refuses a number that is not a code point', () => {
    for (const wrong of [-1, 0x110000, 0.5, Number.NaN]) expect(code(() => t.classifyTwin(wrong))).toBe('out-of-range');
  });
});

describe('step 3: normalise', () => {
  test.each<[why: string, input: string, output: string]>([
    ['nothing to do', 'Abc \u00e9 \ufb01 \uff21', 'Abc \u00e9 \ufb01 \uff21'],
    ['NRM-1 assigned later', 'a\u32ffb\u{11935}\u{11930}', 'a\ufffdb\ufffd\ufffd'],
    ['NRM-1 later code points do not compose', '\u{16d67}\u{16d67}', '\ufffd\ufffd'],
    ['NRM-1 noncharacters', '\uffff\u{1fffe}\ufdd0', '\ufffd\ufffd\ufffd'],
    ['NRM-1 an unassigned mark does not join', 'e\u0378\u0301', 'e\ufffd\u0301'],
    ['NRM-2 ignorable and unassigned is ignorable', 'a\u2065b\ufff0c\u{e0fff}d', 'abcd'],
    ['NRM-2 a mark of byte order', '\ufeffa\ufeff', 'a'],
    ['NRM-2 soft hyphen, joiners, variation selectors', 'a\u00adb\u200cc\u200dd\ufe0f', 'abcd'],
    ['NRM-2 before NRM-3', 'e\u00ad\u0301', '\u00e9'],
    ['NRM-2 before NRM-3, the grapheme joiner', 'e\u034f\u0301', '\u00e9'],
    ['NRM-2 before NRM-3, a Hangul filler', '\u1100\u1160\u1161', '\uac00'],
    ['U+200B stays', 'e\u200b\u0301', 'e\u200b\u0301'],
    ['NRM-3 composes', 'e\u0301 A\u030a', '\u00e9 \u00c5'],
    ['NRM-3 Hangul', '\u1100\u1161\u11a8 \uac00\u11a8 \uac01\u11a8', '\uac01 \uac01 \uac01\u11a8'],
    ['NRM-3 the jamo just outside', '\u1100\u1176 \uac00\u11a7', '\u1100\u1176 \uac00\u11a7'],
    ['NRM-3 singletons', '\u212a\u212b\u2126\u037e\u0374', 'K\u00c5\u03a9;\u02b9'],
    ['NRM-3 exclusions', '\u0958\ufb1d\u2adc', '\u0915\u093c\u05d9\u05b4\u2add\u0338'],
    ['NRM-3 not discontiguous over a starter', 'ab\u0301', 'ab\u0301'],
    ['NRM-3 order of marks', 'q\u0307\u0323', 'q\u0323\u0307'],
    ['NRM-3 composes past a mark', 'a\u0323\u0302', '\u1ead'],
    ['NRM-3 a break can compose too', '<\u0338 =\u0338', '\u226e \u2260'],
    [
      'NRM-4 no folding, no compatibility',
      '\u1e9e\u00df\u01c5\uff21\u2460\u00b2\u017f',
      '\u1e9e\u00df\u01c5\uff21\u2460\u00b2\u017f',
    ],
  ])('%s', (_why, input, output) => {
    expect(t.normaliseTwin(input)).toBe(output);
  });

  it('is complete after one pass', () => {
    fc.assert(
      fc.property(arb.text, (text) => {
        const once = t.normaliseTwin(text);
        expect(t.normaliseTwin(once)).toBe(once);
      }),
    );
  });
});

describe('step 4: strip locators', () => {
  test.each(locatorCases.map((c) => [c.rule, c.why, c.input, c] as const))(
    '%s %s: %s',
    (_rule, _why, input, expected) => {
      expect(t.stripLocatorsTwin(input)).toBe(expected.output);
      expect(t.findLocatorsTwin(input).map(({ form }) => form)).toEqual(expected.forms);
    },
  );

  it('has many different cases', () => {
    expect(new Set(locatorCases.map(({ input }) => input)).size).toBeGreaterThan(locatorCases.length * 0.95);
  });

  // The forms once more, as questions about a whole string; the longest match is found by asking about every end.
  const uric = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%:/?#[]@!$&'()*+,;=");
  const isLetter = (c: string) => (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const isDigit = (c: string) => c >= '0' && c <= '9';
  const isHex = (c: string) => isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  const some = (word: string | undefined, is: (c: string) => boolean) => !!word && [...word].every(is);
  const isUric = (word: string) => some(word, (c) => uric.has(c));
  const lower = (word: string) => [...word].map((c) => (isLetter(c) ? c.toLowerCase() : c)).join('');
  const split = (word: string, at: string): [string, string] => {
    const place = word.indexOf(at);
    return place < 0 ? ['', ''] : [word.slice(0, place), word.slice(place + at.length)];
  };
  const isForm: ((word: string) => boolean)[] = [
    (word) => {
      const [scheme, rest] = split(word, '://');
      const isScheme = scheme !== '' && isLetter(scheme.charAt(0));
      return isScheme && some(scheme, (c) => isLetter(c) || isDigit(c) || '+.-'.includes(c)) && isUric(rest);
    },
    (word) => lower(word.slice(0, 4)) === 'www.' && isUric(word.slice(4)),
    (word) => {
      const [prefix, rest] = split(word, ':');
      return prefixes.includes(lower(prefix)) && isUric(rest);
    },
    (word) => {
      const [start, rest] = split(word, '/');
      const [ten, registrant = '', ...more] = start.split('.');
      const isRegistrant = registrant.length >= 4 && registrant.length <= 9 && some(registrant, isDigit);
      return ten === '10' && isRegistrant && more.every((group) => some(group, isDigit)) && isUric(rest);
    },
    (word) => {
      const [local, domain, ...more] = word.split('@');
      const names = (domain ?? '').split('.');
      const isLocal = some(local, (c) => isLetter(c) || isDigit(c) || '._%+-'.includes(c));
      const areLabels = names.every((name) => some(name, (c) => isLetter(c) || isDigit(c) || c === '-'));
      return isLocal && areLabels && names.length >= 2 && more.length === 0;
    },
    (word) => {
      const parts = word.split('-');
      return parts.map((part) => part.length).join() === '8,4,4,4,12' && parts.every((part) => some(part, isHex));
    },
    (word) => word.length >= 32 && some(word, isHex) && [...word].some(isDigit),
  ];
  const findSlowly = (text: string): t.Locator[] => {
    const found: t.Locator[] = [];
    const alphanumeric = (c: string) => isLetter(c) || isDigit(c);
    let start = 0;
    scan: while (start < text.length) {
      if (start === 0 || !alphanumeric(text.charAt(start - 1))) {
        for (let form = 1; form <= 7; form += 1) {
          for (let end = text.length; end > start; end -= 1) {
            if (form >= 6 && end < text.length && alphanumeric(text.charAt(end))) continue;
            if (isForm[form - 1]!(text.slice(start, end))) {
              found.push({ start, end, form });
              start = end;
              continue scan;
            }
          }
        }
      }
      start += 1;
    }
    return found;
  };

  it('takes the longest match of each form (tested at every end)', () => {
    for (const { input } of locatorCases) {
      if (input.length < 100) expect(t.findLocatorsTwin(input)).toEqual(findSlowly(input));
    }
    const short = fc.oneof(arb.locatorText, arb.repetitiveLocatorText).map((text) => text.slice(0, 90));
    fc.assert(
      fc.property(short, (text) => {
        expect(t.findLocatorsTwin(text)).toEqual(findSlowly(text));
      }),
      { numRuns: 300 },
    );
  });

  it('needs no second NFC (NRM-3)', () => {
    fc.assert(
      fc.property(arb.text, (text) => {
        const stripped = t.stripLocatorsTwin(t.normaliseTwin(text));
        expect(stripped.normalize('NFC')).toBe(stripped);
      }),
    );
  });
});

describe('step 5: tokenise', () => {
  test.each<[why: string, input: string, ...tokens: string[]]>([
    ['nothing', ''],
    ['words', 'The quick  brown', 'The', 'quick', 'brown'],
    ['TOK-4 every occurrence', 'a b a', 'a', 'b', 'a'],
    ['TOK-3 numbers', '42 3.14 1_000 __ \u0663'],
    ['TOK-3 alphanumerics', '2nd x86_64 R2D2 4a', '2nd', 'x86_64', 'R2D2', '4a'],
    [
      'TOK-3 begins or ends with a mark, a digit or _',
      '_a a_ 1a a1 \u0301a a\u0338',
      '_a',
      'a_',
      '1a',
      'a1',
      '\u0301a',
      'a\u0338',
    ],
    ['TOK-3 marks alone', '\u0301\u0302 _\u0301 1\u0301'],
    ['apostrophes and hyphens', "don't well-known l\u2019eau", 'don', 't', 'well', 'known', 'l', 'eau'],
    ['Pc', 'a\u203fb\uff3fc', 'a\u203fb\uff3fc'],
    ['Mc is a break', '\u0939\u093f\u0928\u094d\u0926\u0940', '\u0939', '\u0928\u094d\u0926'],
    ['Me is a break', 'a\u20ddb \u0430\u0488', 'a', 'b', '\u0430'],
    ['Nl and No are breaks', '\u2160a\u00b2b\u3007', 'a', 'b'],
    ['Lo and Lm', '\u00aa \u30fc \u02b0', '\u00aa', '\u30fc', '\u02b0'],
    ['scripts without spaces', '\u6587\u66f8\u3001\u3072\u3089', '\u6587\u66f8', '\u3072\u3089'],
    ['U+200B', 'a\u200bb', 'a', 'b'],
    ['U+FFFD', 'a\ufffdb', 'a', 'b'],
    ['symbols', 'a\u{1f600}b$c', 'a', 'b', 'c'],
    ['TOK-2 on its own, an ignorable code point is no letter and no word', 'a\u00adb\u0378c', 'a', 'b', 'c'],
    ['astral letters', '\u{10400}\u{1d4b3} \u{20000}', '\u{10400}\u{1d4b3}', '\u{20000}'],
    ['line ends', 'a\r\nb\u2028c\u0085d', 'a', 'b', 'c', 'd'],
  ])('%s', (_why, input, ...tokens) => {
    expect(t.tokeniseTwin(input).map(({ text }) => text)).toEqual(tokens);
  });

  it('gives places in the text it was given', () => {
    expect(t.tokeniseTwin('\u{10400} 1 ab')).toEqual([
      { text: '\u{10400}', start: 0, end: 2 },
      { text: 'ab', start: 5, end: 7 },
    ]);
  });
});

describe('steps 1 to 5 together', () => {
  test.each<[why: string, input: string, ...tokens: string[]]>([
    ['a locator is found after NFC', 'see \u212a://x\u037ey z', 'see', 'z'],
    ['NFC ends a locator earlier', 'http://e\u0301a', 'http', '\u00e9a'],
    ['NFC ends a locator earlier', 'http://a=\u0338b', 'b'],
    ['ignorable code points do not hide a locator', 'w\u00adww\u200d.a b', 'b'],
    ['U+200B ends a locator', 'http://a\u200bb', 'b'],
    ['unassigned code points end one', 'http://a\u0378b', 'b'],
    ['a locator separates', '\u00e9http://x\u00e9', '\u00e9', '\u00e9'],
    ['a mark of byte order at the start', '\ufeffwww.a b', 'b'],
    ['what is left of an address', 'a@b.c_d e', '_d', 'e'],
    ['what decomposes into a break and a mark', '\u2adcabc', '\u0338abc'],
    ['a mark that separates is moved behind', 'a\u302e\u0323b', '\u1ea1', 'b'],
    [
      'Persian with a non-joiner',
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u0645\u06cc\u062e\u0648\u0627\u0647\u0645',
    ],
    ['an emoji with a variation selector', 'a\u2764\ufe0fb', 'a', 'b'],
    ['a lone surrogate', 'a\ud800b', 'a', 'b'],
    ['a lone surrogate before a locator', '\ud800www.a', ...[]],
  ])('%s', (_why, input, ...tokens) => {
    expect(t.tokensTwin(input)).toEqual(tokens);
  });

  it('places are ideal', () => {
    expect(t.placeHolds('x so\u00adft y', { text: 'soft', start: 2, end: 7 })).toBe(true);
    expect(t.placeHolds('x so\u00adft y', { text: 'soft', start: 3, end: 7 })).toBe(false);
    expect(t.placeHolds('\u2adcabc', { text: '\u0338abc', start: 0, end: 4 })).toBe(true);
    expect(t.placeHolds('a\u302e\u0323b', { text: '\u1ea1', start: 0, end: 3 })).toBe(true);
    expect(t.placeHolds('\u{10400}', { text: '\u{10400}', start: 0, end: 1 })).toBe(false);
  });
});

describe('step 7: token hash', () => {
  test.each<[text: string, pb: bigint, pc: bigint, b: bigint, c: bigint]>([
    ['', 0n, 0n, 0xdeadbeefn, 0xdeadbeefn],
    ['Four score and seven years ago', 0n, 0n, 0xce7226e6n, 0x17770551n],
    ['Four score and seven years ago', 1n, 0n, 0xbd371de4n, 0xe3607caen],
    ['Four score and seven years ago', 0n, 1n, 0x6cbea4b3n, 0xcd628161n],
  ])('HSH-1 published: %j, pb=%s, pc=%s', (text, pb, pc, b, c) => {
    expect(t.hashlittle2Twin(utf8(text), pc, pb)).toEqual({ b, c });
  });

  it('HSH-3 covers every length of the last block', () => {
    for (const [bytes, hash] of lookup3Values.valuesOfText) {
      expect(t.hashTokenTwin(lookup3Values.text.slice(0, bytes))).toBe(hash);
    }
    for (const [bytes, hash] of lookup3Values.valuesOfBytes) {
      expect(t.hashTokenTwin(Uint8Array.from({ length: bytes }, (_, i) => 0xff - i))).toBe(hash);
    }
  });

  it('HSH-2 makes the number', () => {
    expect(t.hashTokenTwin('Four score and seven years ago')).toBe(0xce7226e617770551n);
    expect(t.hashTokenTwin('')).toBe(0xdeadbeefdeadbeefn);
  });

  it('TOK-5 uses the bytes', () => {
    fc.assert(
      fc.property(arb.text, (text) => {
        const wellFormed = t.toWellFormedTwin(text);
        expect(t.encodeTwin(wellFormed)).toEqual(utf8(wellFormed));
      }),
    );
    expect(code(() => t.encodeTwin('\ud800'))).toBe('wrong-type');
  });
});

describe('step 8: simhash', () => {
  const all = (1n << 64n) - 1n;

  test.each<[why: string, hashes: bigint[], fingerprint: bigint | null]>([
    ['SIM-1 no token', [], null],
    ['SIM-2 one token', [0x8000000000000001n], 0x8000000000000001n],
    ['SIM-4 two tokens: a bit needs both', [0b1100n, 0b1010n], 0b1000n],
    ['SIM-2 three tokens: a bit needs two', [0b1100n, 0b1010n, 0b0110n], 0b1110n],
    ['SIM-4 every bit ties', [0x123456789abcdef0n, 0x123456789abcdef0n ^ all], 0n],
    ['SIM-2 repeats count', [0b1n, 0b1n, 0b10n], 0b1n],
    ['SIM-5 all 64 bits 0', [0n], 0n],
    ['all 64 bits 1', [all, all], all],
  ])('%s', (_why, hashes, fingerprint) => {
    expect(t.simhashTwin(hashes)).toBe(fingerprint);
  });

  it('SIM-3 counter 0 belongs to the most significant bit of byte 0', () => {
    expect(t.countersTwin([1n << 63n])).toEqual([1n, ...new Array<bigint>(63).fill(-1n)]);
    expect(t.toBytesTwin(1n << 63n)).toEqual(Uint8Array.of(0x80, 0, 0, 0, 0, 0, 0, 0));
  });

  it('TOK-4 the order of tokens does not matter', () => {
    fc.assert(
      fc.property(arb.hashes, (hashes) => {
        expect(t.simhashTwin([...hashes].reverse())).toBe(t.simhashTwin(hashes));
      }),
    );
  });
});

describe('step 9: serialise', () => {
  test.each<[hex: string, text: string]>([
    ['3020ceaa2375a74e', 'GAQM5KRDOWTU4'],
    ['0000000000000000', 'AAAAAAAAAAAAA'],
    ['ffffffffffffffff', '7777777777776'],
    ['0123456789abcdef', 'AERUKZ4JVPG66'],
    ['ce7226e617770551', 'ZZZCNZQXO4CVC'],
    ['8000000000000000', 'QAAAAAAAAAAAA'],
    ['0000000000000001', 'AAAAAAAAAAAAC'],
  ])('SER-1, SER-6 %s is %s', (hex, text) => {
    const fingerprint = BigInt(`0x${hex}`);
    expect(t.serialiseTwin(fingerprint)).toBe(text);
    expect(t.toHexTwin(fingerprint)).toBe(hex);
    expect(t.fromHexTwin(hex)).toBe(fingerprint);
    expect(t.fromBytesTwin(t.toBytesTwin(fingerprint))).toBe(fingerprint);
    for (const read of [
      text,
      text.toLowerCase(),
      `${text}===`,
      `${text.slice(0, 5).toLowerCase()}${text.slice(5)}===`,
    ]) {
      expect(t.parseTwin(read)).toBe(fingerprint);
    }
  });

  test.each([
    ...[
      '',
      ' GAQM5KRDOWTU4',
      'GAQM5KRDOWTU4 ',
      'GAQM5KRDOWTU4\n',
      'GAQM5KRDOWTU4===\n',
      'GAQM5 KRDOWTU',
      '\ufeffGAQM5KRDOWTU4',
    ],
    ...(
      'GAQM5KRDOWTU GAQM5KRDOWTU44 GAQM5KRDOWTU4= GAQM5KRDOWTU4== GAQM5KRDOWTU4==== GAQM5KRDOWTU4==== ' +
      'GAQM5KRDOWTU5 GAQM5KRDOWTUB GAQM5KRDOWTU7 AAAAAAAAAAAAB GAQM5KRDOWT0A GAQM5KRDOWT1A GAQM5KRDOWT8A ' +
      'GAQM5KRDOWT9A GAQM5KRDOW\u017fU4 GAQM5\u212aRDOWTU4 GAQM5KRDOW\u0131U4 \uff27AQM5KRDOWTU4 ' +
      'GAQM5KRDOWT-A ============= simhash-doc:GAQM5KRDOWTU4 GAQM5KRDOWT\u{1d400} GAQM5KRDOWTU= ' +
      'GAQM5KRDOWT===='
    ).split(' '),
  ])('SER-2, SER-4, SER-5 refuses %j', (text) => {
    expect(code(() => t.parseTwin(text))).toBe('invalid-fingerprint');
  });

  it('SER-2 to SER-5: it reads what it writes, except for case and padding', () => {
    fc.assert(
      fc.property(arb.fingerprintText, (text) => {
        const isRight = /^[A-Za-z2-7]{12}[ACEGIKMOQSUWYacegikmoqsuwy246](?:===)?$/.test(text) && !text.endsWith('\n');
        if (isRight) expect(t.serialiseTwin(t.parseTwin(text))).toBe(text.slice(0, 13).toUpperCase());
        else expect(code(() => t.parseTwin(text))).toBe('invalid-fingerprint');
      }),
      { numRuns: 500 },
    );
  });

  it('SER-7, LAB-1, LAB-2 read and write labelled fingerprints', () => {
    const fingerprint = 0x3020ceaa2375a74en;
    expect(t.formatLabelledTwin('simhash-doc', fingerprint)).toBe('simhash-doc:GAQM5KRDOWTU4');
    expect(t.formatLabelledTwin('SIMHASH-Doc+BG1', fingerprint)).toBe('simhash-doc+bg1:GAQM5KRDOWTU4');
    expect(t.parseLabelledTwin('SimHash-Doc:gaqm5krdowtu4===')).toEqual({ label: 'simhash-doc', fingerprint });
    expect(t.parseLabelledTwin('minhash-doc:GAQM5KRDOWTU4')).toEqual({ label: 'minhash-doc', fingerprint });
    for (const wrong of ['GAQM5KRDOWTU4', ':GAQM5KRDOWTU4', 'simhash:GAQM5KRDOWTU4', 'simhash-doc :GAQM5KRDOWTU4']) {
      expect(code(() => t.parseLabelledTwin(wrong))).toBe('invalid-label');
    }
    for (const wrong of [
      'simhash-doc:',
      'simhash-doc: GAQM5KRDOWTU4',
      'simhash-doc::GAQM5KRDOWTU4',
      'simhash-doc:GAQM5KRDOWTU5',
    ]) {
      expect(code(() => t.parseLabelledTwin(wrong))).toBe('invalid-fingerprint');
    }
  });

  it('LAB-3 has four labels', () => {
    for (const right of ['simhash-doc', 'simhash-doc+bg1', 'minhash-doc', 'minhash-doc-256'])
      expect(t.parseLabelTwin(right.toUpperCase())).toBe(right);
    for (const wrong of ['minhash-doc+bg1', 'simhash-doc+cap8', 'minhash-doc-64', 'minhash-doc-512', 'simhash-doc+'])
      expect(code(() => t.parseLabelTwin(wrong))).toBe('invalid-label');
    fc.assert(
      fc.property(arb.labelText, (text) => {
        const known = ['simhash-doc', 'simhash-doc+bg1', 'minhash-doc', 'minhash-doc-256'];
        const isRight = known.includes(text.replace(/[A-Z]/g, (c) => c.toLowerCase()));
        if (isRight) expect(t.parseLabelTwin(text)).toBe(text.toLowerCase());
        else expect(code(() => t.parseLabelTwin(text))).toBe('invalid-label');
      }),
    );
  });
});

describe('minhash', () => {
  const word = (bytes: t.Print, w: number) => Buffer.from(bytes as Uint8Array).readBigUInt64BE(8 * w);

  it('MIN-2: it gives the values of Java, C and the paper of SplitMix64', () => {
    const outputs = [6457827717110365317n, 3203168211198807973n, 9817491932198370423n, 4593380528125082431n];
    expect(outputs.map((_, n) => t.drawTwin(1234567n, n))).toEqual(outputs);
    expect(t.drawTwin(1234567n + 0x9e3779b97f4a7c15n, 3)).toBe(t.drawTwin(1234567n, 4));
    for (const n of [-1, 512, 0.5]) expect(code(() => t.drawTwin(0n, n))).toBe('out-of-range');
  });

  test.each([
    ['The quick brown fox jumps over the lazy dog.', 'EZEFOEQ2U2YJ6'],
    ['a', 'GEIVFIXBGPOBK'],
    ['東京タワーへ行く。', '6LZYUFY5IMGIW'],
    ['hello world', 'DBH7LFUXLLC6E'],
    ['123', null],
  ])('MIN-1 to MIN-7: %s', (text, expected) => {
    expect(t.explainTwin(text, 'minhash-doc').base32).toBe(expected);
    const wide = t.fingerprintTwin(text, 'minhash-doc-256');
    if (wide !== null) expect(t.serialiseTwin(t.truncateTwin(wide))).toBe(expected);
  });

  it('MIN-3 to MIN-5: it agrees bin by bin with the definition of one bin', () => {
    fc.assert(
      fc.property(arb.elements, (hashes) => {
        const { fingerprint } = t.minhashTwin(hashes, 4);
        if (hashes.length === 0) {
          expect(fingerprint).toBeNull();
          return;
        }
        for (let w = 0; w < 4; w++) {
          for (let bin = 0; bin < 64; bin++) {
            const inRound = (r: number) =>
              hashes.map((x) => t.drawTwin(x, 128 * w + r)).filter((y) => Number(y >> 58n) === bin);
            const rounds = Array.from({ length: 64 }, (_, r) => r);
            const round = rounds.find((r) => inRound(r).length > 0);
            const draws = round === undefined ? hashes.map((x) => t.drawTwin(x, 128 * w + 64 + bin)) : inRound(round);
            const smallest = draws.reduce((x, y) => (y < x ? y : x));
            expect((word(fingerprint!, w) >> BigInt(63 - bin)) & 1n).toBe(smallest & 1n);
          }
        }
      }),
      { numRuns: 3 },
    );
  });

  it('MIN-9: it reads of 256 bits what it writes, except for case and padding', () => {
    fc.assert(
      fc.property(arb.wideFingerprintText, (text) => {
        const isRight = /^[A-Za-z2-7]{51}[AQaq](?:====)?$/.test(text) && !text.endsWith('\n');
        if (isRight) expect(t.serialiseTwin(t.parseTwin(text, 32))).toBe(text.slice(0, 52).toUpperCase());
        else expect(code(() => t.parseTwin(text, 32))).toBe('invalid-fingerprint');
      }),
    );
  });

  test.each<[distance: number, verdict: string]>([
    [0, 'close'],
    [5, 'close'],
    [6, 'loose'],
    [25, 'loose'],
    [26, 'none'],
    [256, 'none'],
  ])('MIN-10: distance %s', (distance, verdict) => {
    const bits = '1'.repeat(distance).padEnd(256, '0');
    const other = Uint8Array.from(bits.match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2));
    const zeros = new Uint8Array(32);
    expect(
      t.compareTwin(t.formatLabelledTwin('minhash-doc-256', zeros), t.formatLabelledTwin('minhash-doc-256', other)),
    ).toEqual({
      ...{ label: 'minhash-doc-256', distance, similarity: 1 - distance / 256, verdict },
    });
  });

  it('MIN-11: the tables of four words miss nothing', () => {
    fc.assert(
      fc.property(arb.wideEntriesAndQuery, fc.nat(7), ({ entries, query }, k) => {
        const found = t.matchesTwin(entries, query, k);
        expect(t.lookupTwin(entries, query, k)).toEqual(found);
        const near = entries.filter(({ fingerprint }) =>
          [0, 1, 2, 3].some((w) => t.distanceTwin(word(fingerprint, w), word(query, w)) <= k),
        );
        expect(found.map(({ id }) => id).sort()).toEqual(near.map(({ id }) => id).sort());
      }),
      { numRuns: 30 },
    );
  });
});

describe('step 10: compare', () => {
  test.each<[distance: number, similarity: number, verdict: string]>([
    [0, 1, 'close'],
    [1, 0.984375, 'close'],
    [2, 0.96875, 'loose'],
    [6, 0.90625, 'loose'],
    [7, 0.890625, 'none'],
    [64, 0, 'none'],
  ])('CMP-3 to CMP-6: distance %s', (distance, similarity, verdict) => {
    const other = (1n << BigInt(distance)) - 1n;
    expect(t.distanceTwin(0n, other)).toBe(distance);
    expect(t.similarityTwin(0n, other)).toBe(similarity);
    expect(t.verdictTwin(0n, other)).toBe(verdict);
    const expected = { label: 'simhash-doc', distance, similarity, verdict };
    expect(t.compareTwin('simhash-doc:AAAAAAAAAAAAA', t.formatLabelledTwin('simhash-doc', other))).toEqual(expected);
  });

  it('CMP-2, CMP-1 are errors', () => {
    expect(code(() => t.compareTwin('simhash-doc:AAAAAAAAAAAAA', 'minhash-doc:AAAAAAAAAAAAA'))).toBe('label-mismatch');
    expect(code(() => t.distanceTwin(null, 0n))).toBe('no-fingerprint');
    expect(code(() => t.distanceTwin(0n, null))).toBe('no-fingerprint');
    expect(code(() => t.distanceTwin(0n, 1n << 64n))).toBe('out-of-range');
  });
});

describe('step 11: lookup tables', () => {
  const example = 0x0123456789abcdefn;

  test.each<[table: number, key: number, permuted: bigint]>([
    [0, 0x0123456, 0x0123456789abcdefn],
    [1, 0x0123789, 0x0123789456abcdefn],
    [2, 0x0123abc, 0x0123abc456789defn],
    [3, 0x0123def, 0x0123def456789abcn],
    [4, 0x4567012, 0x4567012389abcdefn],
    [5, 0x4567389, 0x4567389012abcdefn],
    [6, 0x4567abc, 0x4567abc012389defn],
    [7, 0x4567def, 0x4567def012389abcn],
    [8, 0x89ab012, 0x89ab01234567cdefn],
    [9, 0x89ab345, 0x89ab34501267cdefn],
    [10, 0x89ab67c, 0x89ab67c012345defn],
    [11, 0x89abdef, 0x89abdef01234567cn],
    [12, 0xcdef012, 0xcdef0123456789abn],
    [13, 0xcdef345, 0xcdef3450126789abn],
    [14, 0xcdef678, 0xcdef6780123459abn],
    [15, 0xcdef9ab, 0xcdef9ab012345678n],
  ])('TAB-1 to TAB-4: table %s', (table, key, permuted) => {
    expect(t.tableKeysTwin(example)[table]).toBe(key);
    expect(t.permuteTwin(example, table)).toBe(permuted);
    expect(t.unpermuteTwin(permuted, table)).toBe(example);
  });

  it('TAB-4 is invertible, and starts with the key', () => {
    fc.assert(
      fc.property(arb.fingerprint, fc.nat(15), (fingerprint, table) => {
        const permuted = t.permuteTwin(fingerprint, table);
        expect(t.unpermuteTwin(permuted, table)).toBe(fingerprint);
        expect(Number(permuted >> 36n)).toBe(t.tableKeysTwin(fingerprint)[table]);
      }),
    );
  });

  it('TAB-5 rows are in order', () => {
    const rows = t.tableRowsTwin([example, 1n, 0n, 1n << 63n], 15);
    expect(rows).toEqual([0n, 1n << 35n, 1n << 48n, 0xcdef9ab012345678n]);
  });

  it('LKP-5 has the number of keys', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(t.probesPerTableTwin)).toEqual([1, 1, 1, 1, 29, 221, 221, 221, 1847]);
    for (let k = 0; k <= 8; k += 1) {
      const keys = t.probeKeysTwin(example, 6, k);
      expect(keys.length).toBe(t.probesPerTableTwin(k));
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).toContain(0x4567abc);
    }
  });

  it('LKP-5 has the keys', () => {
    const flips = (key: number) => (key ^ 0x4567abc).toString(2).padStart(28, '0');
    const ones = (bits: string) => bits.replaceAll('0', '').length;
    for (const key of t.probeKeysTwin(example, 6, 8)) {
      const [e1, e2] = [ones(flips(key).slice(0, 16)), ones(flips(key).slice(16))];
      expect([0, 1, 2]).toContain(e1);
      expect(e2).toBeLessThanOrEqual([2, 1, 1][e1]!);
    }
  });

  it('LKP-2, LKP-3 keep order and repeats', () => {
    const ids = ['\u{10000}', '\uff5e', 'b', 'a', 'aa', '', '\u00e9', 'Z'];
    const entries = [
      { id: 'far', fingerprint: 0xffn },
      { id: 'z', fingerprint: 0b11n },
    ].concat(ids.map((id) => ({ id, fingerprint: 0b111n })));
    const found = t.matchesTwin(entries, 0b11n, 3);
    expect(found.map(({ id }) => id)).toEqual(['z', '', 'Z', 'a', 'aa', 'b', '\u00e9', '\uff5e', '\u{10000}']);
    expect(found.map(({ distance }) => distance)).toEqual([0, ...new Array<number>(8).fill(1)]);
    expect(t.matchesTwin(entries, 0b11n, 6).at(-1)).toEqual({ id: 'far', fingerprint: 0xffn, distance: 6 });
  });

  it('LKP-6, LKP-5: the tables miss nothing', () => {
    fc.assert(
      fc.property(arb.entriesAndQuery, fc.nat(7), ({ entries, query }, k) => {
        expect(t.lookupTwin(entries, query, k)).toEqual(t.matchesTwin(entries, query, k));
      }),
      { numRuns: 60 },
    );
    fc.assert(
      fc.property(arb.nearPair(3), ({ a, b, distance }) => {
        expect(t.distanceTwin(a, b)).toBe(distance);
        const keys = t.tableKeysTwin(b);
        expect(t.tableKeysTwin(a).some((key, table) => key === keys[table])).toBe(true);
      }),
    );
  });
});

describe('the whole scheme', () => {
  it('one token is its own fingerprint; two share their ones', () => {
    expect(t.fingerprintTwin('1, Four! 2 _')).toBe(t.hashTokenTwin('Four'));
    expect(t.fingerprintTwin('Four score')).toBe(t.hashTokenTwin('Four') & t.hashTokenTwin('score'));
    expect(t.fingerprintTwin('score Four score')).toBe(t.hashTokenTwin('score'));
  });

  it('SIM-1 gives no fingerprint without tokens', () => {
    for (const nothing of ['', ' ', '42', 'http://a', '\u00ad', '\u0301'])
      expect(t.fingerprintTwin(nothing)).toBe(null);
    const { octets: bytes, hex, base32, keys, tokens, counters } = t.explainTwin('42');
    expect([bytes, hex, base32, keys, tokens]).toEqual([null, null, null, null, []]);
    expect(counters).toEqual(new Array<bigint>(64).fill(0n));
  });

  it('explains a document', () => {
    const e = t.explainTwin(bytesOf('efbbbf 43 61 66 65 cc81 20 c2ad 77 77 77 2e 61 20 31 20 6f 6b ff'));
    expect(e).toMatchObject({
      decoded: 'Cafe\u0301 \u00adwww.a 1 ok\ufffd',
      normalised: 'Caf\u00e9 www.a 1 ok\ufffd',
      locators: [{ start: 5, end: 10, form: 2 }],
      stripped: 'Caf\u00e9   1 ok\ufffd',
      tokens: [
        { text: 'Caf\u00e9', start: 0, end: 4 },
        { text: 'ok', start: 9, end: 11 },
      ],
      selected: ['Caf\u00e9', 'ok'],
      hashes: [t.hashTokenTwin(bytesOf('436166c3a9')), t.hashTokenTwin(bytesOf('6f6b'))],
    });
    expect(e.fingerprint).toBe(e.hashes[0]! & e.hashes[1]!);
    expect(t.parseTwin(e.base32!)).toBe(e.fingerprint);
    expect(e.counters.map((counter) => (counter > 0n ? '1' : '0')).join('')).toBe(
      e.fingerprint!.toString(2).padStart(64, '0'),
    );
  });

  it('joins pieces before anything else', () => {
    fc.assert(
      fc.property(arb.chunkedText, arb.chunkedBytes, (text, bytes) => {
        expect(text.pieces.join('')).toBe(text.whole);
        expect(t.fingerprintOfPieces(text.pieces)).toBe(t.fingerprintTwin(text.whole));
        expect(t.fingerprintOfPieces(bytes.pieces)).toBe(t.fingerprintTwin(bytes.whole));
      }),
      { numRuns: 50 },
    );
  });

  it('gives text and its UTF-8 the same fingerprint', () => {
    fc.assert(
      fc.property(arb.textOrUnits, (text) => {
        expect(t.fingerprintTwin(utf8(text))).toBe(t.fingerprintTwin(text));
      }),
    );
  });
});

describe('the arbitraries', () => {
  it('reach every class', () => {
    const seen = new Set(fc.sample(arb.classWeightedCodePoint, { numRuns: 300, seed: 1 }).map(t.classifyTwin));
    expect(seen).toEqual(new Set(['letter', 'word', 'break', 'ignorable', 'unassigned']));
  });

  it('reach every form of locator, as matches and as misses', () => {
    const texts = fc.sample(arb.locatorText, { numRuns: 1000, seed: 1 });
    const forms = texts.flatMap((text) => t.findLocatorsTwin(text).map(({ form }) => form));
    for (let form = 1; form <= 7; form += 1) expect(forms.filter((f) => f === form).length).toBeGreaterThan(20);
    expect(texts.filter((text) => t.findLocatorsTwin(text).length === 0).length).toBeGreaterThan(100);
  });

  it('reach every length of token modulo 12', () => {
    const lengths = fc.sample(arb.runToken, { numRuns: 300, seed: 1 }).map((token) => utf8(token).length % 12);
    expect(new Set(lengths).size).toBe(12);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }).chain((n) => fc.tuple(fc.constant(n), arb.tokenOfBytes(n))),
        ([n, token]) => {
          expect(utf8(token).length).toBe(n);
          expect(t.tokensTwin(`${token}`).length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('reach right and wrong fingerprint texts, and ties', () => {
    const texts = fc.sample(arb.fingerprintText, { numRuns: 500, seed: 1 });
    const right = texts.filter((text) => code(() => t.parseTwin(text)) !== 'invalid-fingerprint').length;
    expect(right).toBeGreaterThan(50);
    expect(right).toBeLessThan(450);
    const ties = fc.sample(arb.hashes, { numRuns: 200, seed: 1 }).filter((list) => t.countersTwin(list).includes(0n));
    expect(ties.length).toBeGreaterThan(50);
  });
});

describe('another scheme takes a few lines', () => {
  const { steps, lookup3, makeLocatorForms } = t;
  test.each<[name: string, overrides: Partial<t.Steps>, witness: string | Uint8Array]>([
    ['result words swapped', { joinWords: (c, b) => steps.joinWords(b, c) }, 'word'],
    ['UTF-16 units hashed', { encode: (text) => Uint8Array.from(Buffer.from(text, 'utf16le')) }, 'word'],
    ['initial value wrong', { lookup3: { ...lookup3, initial: 0xdeadbeeen } }, 'word'],
    ['big-endian words', { lookup3: { ...lookup3, word: (o) => lookup3.word(o.slice().reverse()) } }, 'word'],
    ['length left out', { lookup3: { ...lookup3, lengthTerm: () => 0n } }, 'word'],
    [
      'a full last block mixed as an inner one',
      { lookup3: { ...lookup3, isInnerBlock: (left) => left >= 12 } },
      'abcdefghijkl',
    ],
    [
      'last octet of a tail of 5 lost',
      { lookup3: { ...lookup3, tail: (o, l) => lookup3.tail(o.length === 5 ? o.slice(0, 4) : o, l) } },
      'seven',
    ],
    ['octets the other way round', { toBytes: (f, s) => steps.toBytes(f, s).reverse() }, 'word'],
    ['Crockford base32', { base32Alphabet: '0123456789ABCDEFGHJKMNPQRSTVWXYZ' }, 'word'],
    ['padding kept', { base32Padding: '===' }, 'word'],
    ['blocks from the other end', { cut: (bits, table) => steps.cut(bits, 15 - table) }, 'word'],
    ['ties to 1', { fingerprintBit: (counter) => (counter >= 0n ? '1' : '0') }, 'two words'],
    ['each token once', { selectTokens: (tokens) => [...new Set(tokens)] }, 'a a b c'],
    ['case folded', { selectTokens: (tokens) => tokens.map((token) => token.toLowerCase()) }, 'Word'],
    ['NFD', { compose: (text) => text.normalize('NFD') }, '\u00e9'],
    ['NFKC', { compose: (text) => text.normalize('NFKC') }, '\ufb01'],
    ['no NFC', { compose: (text) => text }, 'e\u0301'],
    ['Mc is word', { wordCategories: [...steps.wordCategories, 'Mc'] }, '\u0915\u093e'],
    ['ignorable splits', { prepare: (c, s) => steps.prepare(c, s) || ' ' }, 'so\u00adft'],
    ['U+200B deleted', { isIgnorable: isDefaultIgnorable }, 'a\u200bb'],
    ['numbers kept', { isToken: () => true }, 'a 42'],
    ['mark kept', { byteOrderMarkLength: () => 0, isIgnorable: () => false }, bytesOf('efbbbf 61 efbbbf 62')],
    ['ill-formed dropped', { illFormedReplacement: '' }, bytesOf('61 ff 62')],
    ['no form 4', { locatorForms: steps.locatorForms.filter(({ form }) => form !== 4) }, 'a 10.1234/x'],
    [
      'any case by Unicode',
      { locatorForms: makeLocatorForms({ anyCase: (w) => w.replace('s', '[sS\u017f]') }) },
      'a i\u017fbn:1 i\u017fsn:2',
    ],
    ['trailing dot of an address taken', { locatorForms: makeLocatorForms({ label: 'A-Za-z0-9.\\-' }) }, 'a@b..c d'],
    [
      'behind a match counts as behind a space',
      { precedingCharacter: (x, at, f) => (f.at(-1)?.end === at ? ' ' : steps.precedingCharacter(x, at, f)) },
      'a@b.c_@d.e',
    ],
    ['match deleted, not replaced', { locatorReplacement: '' }, '\u00e9www.a\u00e9'],
  ])('%s', (_name, overrides, witness) => {
    const right = t.explainTwin(witness);
    const wrong = t.makePipeline(overrides).explain(witness);
    const { hashes, fingerprint, base32, keys } = wrong;
    expect([hashes, fingerprint, base32, keys]).not.toEqual([
      right.hashes,
      right.fingerprint,
      right.base32,
      right.keys,
    ]);
  });
});
