/**
 * Texts for the benchmarks, made from a seed: words drawn from a vocabulary by Zipf's law, so that lengths, frequencies
 * and the share of non-ASCII bytes are near those of real text of the language.
 */

/** A small generator of 32-bit numbers (splitmix32), the same everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
}

const SYLLABLES = {
  english: 'the and ing er a to of in re con tion com ver al is it be st en ed ly pro ment or es an un dis at on'.split(
    ' ',
  ),
  russian: 'по на не пре ров ста ло ни ко то ва ра де ми ть ся при об ение ость но го му ый ая ие ка ли пер вы'.split(
    ' ',
  ),
  japanese:
    '日本 情報 の は を が に で と した する から 検索 文書 類似 計算 方法 大学 研究 これ その ため もの こと 言語 処理'.split(
      ' ',
    ),
} as const;

/** The languages that texts can be made in. */
export type Language = keyof typeof SYLLABLES | 'mixed';

function vocabularyOf(language: keyof typeof SYLLABLES, random: () => number, size: number): string[] {
  const syllables = SYLLABLES[language];
  return Array.from({ length: size }, (_, rank) => {
    // Frequent words are short.
    const length = language === 'japanese' ? 1 : 1 + (random() % (rank < 100 ? 2 : 4));
    return Array.from({ length }, () => syllables[random() % syllables.length]).join('');
  });
}

/**
 * Makes a text.
 * @param language - `mixed` takes sentences of all three in turn
 * @param bytes - its length in bytes of UTF-8, about
 * @param seed - the same seed gives the same text
 */
export function makeText(language: Language, bytes: number, seed: number): string {
  const random = createRandom(seed);
  const names = language === 'mixed' ? (['english', 'russian', 'japanese'] as const) : ([language] as const);
  const vocabularies = names.map((name) => vocabularyOf(name, random, 3000));
  let text = '';
  for (let made = 0, sentence = 0; made < bytes; sentence++) {
    const which = sentence % names.length;
    const name = names[which]!;
    const vocabulary = vocabularies[which]!;
    const words = Array.from({ length: 6 + (random() % 14) }, () => {
      // Zipf: rank r with a share of 1/r, by the inverse of the logarithm.
      const rank = Math.floor(vocabulary.length ** (random() / 2 ** 32)) - 1;
      return vocabulary[rank]!;
    });
    if (random() % 4 === 0) words[2] = String(random() % 3000);
    const line = name === 'japanese' ? `${words.join('')}。` : `${words.join(' ')}. `;
    text += line;
    made += name === 'english' ? line.length : name === 'russian' ? 2 * line.length : 3 * line.length;
  }
  return text;
}

/**
 * Makes a text of which 39 % of the bytes are not ASCII: English, Russian and Japanese, some paragraphs of each in turn.
 * @param bytes - its length in bytes of UTF-8, about
 */
export function makeMixture(bytes: number): string {
  const order = [
    'english',
    'russian',
    'english',
    'japanese',
    'english',
    'russian',
    'english',
    'russian',
    'english',
  ] as const;
  const parts = order.map((language, i) => makeText(language, 3000, i));
  return parts.join('\n').repeat(Math.ceil(bytes / 3000 / order.length));
}

/** Repeats something up to a length, in 16-bit units. */
function filled(unit: string, units: number): string {
  return unit.repeat(Math.ceil(units / unit.length)).slice(0, units);
}

const VIETNAMESE = 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. '.normalize('NFC');
const FRENCH = 'Tous les êtres humains naissent libres et égaux en dignité et en droits, doués de raison. ';
const KOREAN = '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ';
const HINDI = 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। ';
const THAI = 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ';
const ARABIC = 'يُولَدُ جَمِيعُ النَّاسِ أَحْرَارًا مُتَسَاوِينَ فِي الْكَرَامَةِ وَالْحُقُوقِ. ';

/**
 * Texts of kinds that steps 3 and 4 have work with, and those that a hostile author would choose.
 * @param size - their length in 16-bit units
 */
export function makeKinds(size: number): { readonly name: string; readonly bytes: Uint8Array }[] {
  const random = createRandom(7);
  const english = makeText('english', size, 3);
  const words = english.split(/\W+/).filter((word) => word !== '');
  const word = (): string => words[random() % words.length]!;
  const joined = (make: () => string): string => {
    let text = '';
    while (text.length < size) text += make();
    return text;
  };
  const texts: [name: string, text: string][] = [
    [
      'Markdown with a link in each sentence',
      joined(() => `${filled(`${word()} ${word()} `, 60)}[${word()}](https://${word()}.org/${word()}#${word()}). `),
    ],
    ['web addresses only', joined(() => `https://www.${word()}.org/${word()}/${word()}?${word()}=${random() % 100} `)],
    ['e-mail addresses only', joined(() => `${word()}.${word()}@${word()}.example.org, `)],
    ['digests and UUIDs only', filled('d41d8cd98f00b204e9800998ecf8427e 550e8400-e29b-41d4-a716-446655440000 ', size)],
    ['JSON without spaces', joined(() => `{"${word()}":"${word()} ${word()}","${word()}":${random() % 999}},`)],
    ['Vietnamese, NFC', filled(VIETNAMESE, size)],
    ['Vietnamese, NFD', filled(VIETNAMESE.normalize('NFD'), size)],
    ['French, NFD', filled(FRENCH.normalize('NFD'), size)],
    ['Korean', filled(KOREAN, size)],
    ['Korean, NFD (jamo)', filled(KOREAN.normalize('NFD'), size)],
    ['Hindi', filled(HINDI, size)],
    ['Thai', filled(THAI, size)],
    ['Arabic with vowels', filled(ARABIC, size)],
    ['soft hyphens in every word', english.replace(/(\w\w)(?=\w)/g, '$1\u00ad')],
    ['ignorable code points only', filled('\u00ad\u200d\ufe0f', size)],
    ['one token', filled('abcdefghij', size)],
    ['one token of ideographs', filled('人人生而自由在尊严和权利上一律平等', size)],
    ['one run of "a."', filled('a.', size)],
    ['one web address', `http://${filled('a/b?c=', size)}`],
    ['combining marks in order', `a${filled('\u0301', size)}`],
    ['combining marks out of order', `a${filled('\u0301\u0323', size)}`],
    ['combining marks out of order, in words of 100', filled(`a${filled('\u0301\u0323\u0345', 99)} `, size)],
    ['jamo without end', filled('각'.normalize('NFD'), size)],
  ];
  const encoder = new TextEncoder();
  const bytes = Uint8Array.from({ length: size }, () => random());
  return [
    ...texts.map(([name, text]) => ({ name, bytes: encoder.encode(text) })),
    { name: 'random bytes', bytes },
    { name: 'bytes that begin no sequence', bytes: new Uint8Array(size).fill(0xbf) },
  ];
}

/** An endless hostile text: a beginning, and a unit that is repeated after it. */
interface HostileShape {
  readonly name: string;
  readonly head: Uint8Array;
  readonly unit: Uint8Array;
}

/** Makes {@link HostileShape}s: for each place where the scheme must wait for more input, or has most work. */
export function makeHostileShapes(): HostileShape[] {
  const texts: [name: string, unit: string, head?: string][] = [
    ['one token', 'abcdefghij'],
    ['one token of ideographs', '人人生而自由在尊严和权利上一律平等'],
    ['one token of Cyrillic', 'словарь'],
    ['one token of letters that take four bytes', '𐐀𐐁𐐂'],
    ['one token of é', 'é'],
    ['one token of é, NFD', 'e\u0301'],
    ['one token of Å that is a unit', '\u212b'],
    ['_', '_'],
    ['digits', '0123456789'],
    ['hexadecimal digits', '0123456789abcdef'],
    ['31 hexadecimal digits -', '0123456789abcdef0123456789abcde-'],
    ['31 hexadecimal digits _', '0123456789abcdef0123456789abcde_'],
    ['UUIDs with a g', '550e8400-e29b-41d4-a716-44665544000g-'],
    ['a.', 'a.'],
    ['a-', 'a-'],
    ['.', '.'],
    ['%', '%'],
    ['a@', 'a@'],
    ['@', '@'],
    ['a.@', 'a.@'],
    ['a@b.', 'a@b.'],
    ['x:', 'x:'],
    [':', ':'],
    ['doi:', 'doi:'],
    ['10.1/', '10.1/'],
    ['10.1,', '10.1,'],
    ['http:/', 'http:/'],
    ['http://', 'http://'],
    ['http:// and a space', 'http:// '],
    ['one web address', 'a/b?c=', 'http://'],
    ['www.é', 'www.é'],
    ['wwwé', 'wé'],
    ['e-mail addresses and commas', 'me@example.org,'],
    ['e-mail addresses and é', 'me@example.orgé'],
    ['a@ and a long label', `a@${'b'.repeat(70)} `],
    ['long local parts', `${'a.'.repeat(30_000)}@b.cé`],
    ['long runs before a prefix', `${'a.'.repeat(30_000)}doi:é`],
    ['a,', 'a,'],
    ['short words without a space', 'a,b(c)d:e/f;'],
    ['one-letter words', 'a '],
    ['U+FFFD', '\ufffd'],
    ['unassigned code points', '\u0378\u{e1000}'],
    ['ignorable code points', '\u00ad\u200d\ufe0f'],
    ['a and a soft hyphen', 'a\u00ad'],
    ['a, a soft hyphen and a space', 'a\u00ad '],
    ['marks in order', '\u0301', 'a'],
    ['marks out of order', '\u0301\u0323', 'a'],
    ['marks out of order without a base', '\u0301\u0323'],
    ['marks of nine classes', '\u0301\u0323\u0345\u0327\u0338\u05b0\u3099\u094d\u093c'],
    ['marks that decompose', '\u0f73\u0344', 'a'],
    ['words of 10 marks', `a${'\u0301\u0323\u0345'.repeat(3)} `],
    ['words of 30 marks', `a${'\u0301\u0323\u0345'.repeat(10)} `],
    ['words of 100 marks', `a${'\u0301\u0323\u0345'.repeat(33)} `],
    ['words of 1000 marks', `a${'\u0301\u0323\u0345'.repeat(333)} `],
    ['e and two marks', 'e\u0301\u0323 '],
    ['jamo', '\u1112\u1161\u11ab'],
    ['jamo, vowels only', '\u1161'],
    ['syllables and final jamo', '\uac00\u11a8'],
    ['starters that may compose', '\u09be\u0cd5', 'e'],
    ['starters that compose', '\u09c7\u09be'],
    ['< and a long solidus', '<\u0338'],
    ['full stop and a long solidus', '.\u0338'],
    ['what NFC decomposes', '\u0958'],
    ['what NFC decomposes to three', '\ufb2c'],
    ['what NFC decomposes, four bytes', '\u{1d15e}'],
    ['compatibility ideographs', '\u{2f800}'],
    ['Arabic vowels', '\u064e\u0651', 'ب'],
    ['Devanagari', 'क्षि'],
    ['Thai', 'ที่'],
    ['Japanese behind a long token', '文書の類似性。', 'a'.repeat(70_000)],
  ];
  const bytes: [name: string, ...unit: number[]][] = [
    ['continuation bytes', 0xbf],
    ['lead bytes of two', 0xc3],
    ['lead bytes of two and A', 0xc3, 0x41],
    ['two bytes of three', 0xe2, 0x82],
    ['two bytes of three and A', 0xe2, 0x82, 0x41],
    ['three bytes of four', 0xf0, 0x9f, 0x98],
    ['surrogates', 0xed, 0xa0, 0x80],
    ['overlong forms', 0xc0, 0x80],
    ['bytes that never occur', 0xf5, 0xff],
    ['NUL', 0],
  ];
  const encoder = new TextEncoder();
  return [
    ...texts.map(([name, unit, head = '']) => ({ name, head: encoder.encode(head), unit: encoder.encode(unit) })),
    ...bytes.map(([name, ...unit]) => ({ name, head: new Uint8Array(0), unit: Uint8Array.from(unit) })),
  ];
}
